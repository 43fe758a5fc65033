"""The parts of a measure's call: its shape, what it is conditioned on, the expression whose value it asks for."""

from __future__ import annotations

from seepage import rules
from seepage.engines.forward.coefficients import Polynomial
from seepage.engines.outcome import DiscreteJoint, Joint, MixtureJoint
from seepage.measures.joints import assigning, observing
from seepage.measures.planning.table import row_of
from seepage.measures.scope import Scope, fail, is_plain, variables
from seepage.semantics.core import CoreProgram
from seepage.syntax.tree import Expression, MeasureCall


def need_shape(scope: Scope, call: MeasureCall, separator: str | None, shape: str, takes_named: bool = False) -> None:
    """Fail at a call that is not written as ``shape``, with ``separator`` between its two sides, None for one side."""
    is_named = bool(call.named) and not takes_named
    is_sided = bool(call.right) == (separator is not None)
    if call.separator != separator or not is_sided or not call.left or is_named or call.gain:
        place = call.span.shift(scope.offset)
        fail(rules.UNFIT_MEASURE, place, f"found another shape of '{call.name}', expected {shape}")
    if row_of(call).is_of_value and len(call.left) != 1:
        place = call.span.shift(scope.offset)
        fail(rules.UNFIT_MEASURE, place, f"found {len(call.left)} arguments of '{call.name}', expected one")


def condition_of(scope: Scope, call: MeasureCall) -> tuple[tuple[str, ...], Expression | None]:
    """Read what follows ``|`` in H and I: variables, or one event (language.md, Fine print 6)."""
    events = [expression for expression in call.given if not is_plain(scope, expression)]
    if not events:
        return variables(scope, call.given), None
    if len(call.given) > 1:
        place = events[0].span.shift(scope.offset)
        message = f"found an event in a list after '|' in '{call.name}', expected variables only, or one event"
        fail(rules.UNFIT_MEASURE, place, message)
    return (), events[0]


def event_of(scope: Scope, call: MeasureCall, given: tuple[Expression, ...]) -> Expression | None:
    """Read what follows ``|`` where only one event may stand."""
    if len(given) > 1:
        place = given[1].span.shift(scope.offset)
        message = f"found {len(given)} events after '|' in '{call.name}', expected one: join them by 'and'"
        fail(rules.UNFIT_MEASURE, place, message)
    return given[0] if given else None


def with_value(scope: Scope, call: MeasureCall) -> CoreProgram:
    """Return the program under the call's event, followed by the assignment of the call's expression to the ghost."""
    return assigning(observing(scope, event_of(scope, call, call.given)), scope, call.left[0])


def need_condition(scope: Scope, call: MeasureCall, joint: Joint | DiscreteJoint[Polynomial]) -> None:
    """Fail at the argument of ``P`` if it has a value other than 0 and 1."""
    if isinstance(joint, MixtureJoint):
        values = {component.values[0] for component in joint.components}
    else:
        values = {first for first, *_ in joint.masses}
    if not values <= {0, 1}:
        place = call.left[0].span.shift(scope.offset)
        fail(rules.UNFIT_MEASURE, place, "found a number in 'P', expected a condition: compare it with a value")
