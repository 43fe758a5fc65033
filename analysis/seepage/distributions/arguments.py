"""The arguments of a distribution as engines take them: a call that is wrong is a fault."""

from __future__ import annotations

from seepage.diagnostics import Diagnostic, Fault
from seepage.semantics.binding import Bound, bound
from seepage.syntax.tree import Family

__all__ = ["Bound", "bind"]


def bind(family: Family) -> Bound:
    """Match the arguments of a named distribution with its parameters.

    Raises:
        Fault: unknown distribution, or an argument that is unknown, missing, twice, or one too many.
    """
    made = bound(family)
    if isinstance(made, Diagnostic):
        raise Fault(made)
    return made
