"""Mean and variance of the continuous families that an engine replaces by a normal with the same two moments."""

from __future__ import annotations

from collections.abc import Mapping

from seepage.diagnostics import Diagnostic, Fault
from seepage.distributions.parameters import Place
from seepage.distributions.told import Told
from seepage.exact import ArithmeticFault, Number
from seepage.laws.table import NAMED_LAWS
from seepage.rules import NOT_SUPPORTED, NUMBER_TOO_LARGE
from seepage.syntax.tree import Expression, Family


class NoStandIn(Fault):
    """No normal law can stand for another one: a reason only for who would use it."""


def moments(family: Family, arguments: Mapping[str, Expression], place: Place) -> tuple[Number, Number]:
    """Return mean and variance of a continuous family other than ``normal`` in a state.

    Raises:
        Fault: parameter out of range, or no variance (Student's t with df <= 2).
    """
    try:
        return _moments(family, arguments, place)
    except ArithmeticFault as fault:
        raise Fault(
            Diagnostic(NUMBER_TOO_LARGE, family.span, f"the moments of '{family.name}': {fault.reason}")
        ) from fault


def _moments(family: Family, arguments: Mapping[str, Expression], place: Place) -> tuple[Number, Number]:
    law = NAMED_LAWS.get(family.name)
    if law is None or law.moments is None:
        message = (
            "no normal law of the same mean and variance can stand for a part of this law: they are no exact numbers"
        )
        raise NoStandIn(Diagnostic(NOT_SUPPORTED, family.span, message))
    given = Told(arguments, place)
    found = law.moments(given)
    if found is None:
        message = f"'{family.name}' has no variance here, so that no normal can stand for it"
        raise NoStandIn(Diagnostic(NOT_SUPPORTED, family.span, message))
    return found
