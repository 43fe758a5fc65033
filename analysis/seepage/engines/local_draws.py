"""Local draws beyond finite laws: infinite supports that observations bound, and copies that balance what observations take away.

A local draw is its statements with their observations, divided by the chance Z that these pass. Where Z is the same in all runs that get to the
draw, dividing by it changes no measure. Where it depends on values that k tells, :math:`Z(k) \\prod_{j \\ne k} Z(j)` does not: so statements are
put before the draw that pass with the chance of the other values, copies of what the observations read, which no one else reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from seepage.engines.forward.never import DEPTH, Spans, spans_after
from seepage.engines.forward.spans import of_draw
from seepage.exact import Number
from seepage.semantics.core import (
    CoreLocal,
    CoreProgram,
    CoreSample,
    CoreStatement,
)
from seepage.semantics.expressions import arguments_of, plain_names
from seepage.semantics.ranges import Range
from seepage.semantics.signatures import ENDLESS
from seepage.semantics.statements import may_write, walk
from seepage.syntax import tree

_FARTHEST = 4_096  # of a value with an infinite support that an observation may let pass


# --- infinite supports that observations bound ------------------------------------------------------------------------


def bounded(draw: CoreLocal, spans: Spans, core: CoreProgram, parameters: Mapping[str, Number]) -> CoreLocal:
    """Return a local draw in which infinite laws are cut to the values that its observations may let pass, if these are finitely many.

    That leaves a factor out which all runs have: the law is drawn from in each of them, and its parameters are no draws of the same body.

    Args:
        draw: the draw.
        spans: ranges of all variables, and of parameters without a value, where the draw begins.
        core: the program.
        parameters: values of the others.
    """
    body = list(draw.body)
    drawn: set[str] = set()
    for place, statement in enumerate(body):
        here = spans_after(body[:place], spans, core, parameters, DEPTH)
        if here is None:
            break
        if isinstance(statement, CoreLocal):
            body[place] = bounded(statement, here, core, parameters)
        elif isinstance(statement, CoreSample) and _is_infinite(statement, drawn):
            body[place] = _cut(statement, here, body[place + 1 :], core, parameters)
        drawn |= may_write(core, (statement,))
    return replace(draw, body=tuple(body))


def _is_infinite(statement: CoreSample, drawn: set[str]) -> bool:
    law = statement.distribution
    if not isinstance(law, tree.Family) or isinstance(law, tree.Within) or law.name not in ENDLESS:
        return False
    read = {name for each in arguments_of(law) for name in plain_names(each)}
    return isinstance(statement.target, tree.Name) and drawn.isdisjoint(read)


def _cut(
    statement: CoreSample,
    spans: Spans,
    rest: Sequence[CoreStatement],
    core: CoreProgram,
    parameters: Mapping[str, Number],
) -> CoreSample:
    law, target = statement.distribution, statement.target
    assert isinstance(law, tree.Family)
    assert isinstance(target, tree.Name)

    def passes(values: Range) -> bool:
        return spans_after(rest, {**spans, target.id: values}, core, parameters, DEPTH) is not None

    def farthest(sign: int) -> int | None:
        """Return the last distance from 0 in a direction at which a value may pass."""
        low, high = -1, 1
        while passes((high, None) if sign > 0 else (None, -high)):
            low, high = high, 2 * high
            if high > _FARTHEST:
                return None
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if passes((middle, None) if sign > 0 else (None, -middle)) else (low, middle)
        return low

    above = farthest(1)
    below = 0 if of_draw(law, spans, parameters)[0] == 0 else farthest(-1)
    if above is None or below is None:
        return statement
    return replace(statement, distribution=tree.Within(law.name, law.arguments, law.name_span, law.span, -below, above))


def has_infinite(draw: CoreLocal) -> bool:
    """Tell whether a law with infinite support is left in a local draw."""
    laws = [each.distribution for each in walk(draw.body) if isinstance(each, CoreSample)]
    families = [each for law in laws for each in _families(law)]
    return any(each.name in ENDLESS and not isinstance(each, tree.Within) for each in families)


def _families(law: tree.Distribution) -> list[tree.Family]:
    match law:
        case tree.Family():
            return [law]
        case tree.Mixture(parts=parts):
            return [each for _, part in parts for each in _families(part)]
        case _:
            return []
