"""Where the values of each named law lie, told by its name and its arguments alone.

One table for all that bounds values without drawing them: between which numbers an expression lies, how large values get, which variables hold
whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from seepage.semantics.binding import Bound
from seepage.semantics.signatures import ROUNDS
from seepage.syntax.tree import Expression

Ends: TypeAlias = tuple[int | Expression, ...] | None
"""Numbers of which the least (the greatest) is an end of a support; None where it has none."""


@dataclass(frozen=True, slots=True)
class Support:
    """Where values lie.

    Attributes:
        low: the least value, or the name of the parameter that it is; None where there is none.
        high: the same of the greatest value.
        whole: whether all values are whole numbers; a centre that is none is a fault.
    """

    low: int | str | None = None
    high: int | str | None = None
    whole: bool = False


_TRUTH = Support(0, 1, whole=True)
_COUNT = Support(0, whole=True)
_SUCCESSES = Support(0, "n", whole=True)
_AROUND = Support(whole=True)
_BETWEEN = Support("a", "b")
_POSITIVE = Support(0)
_LINE = Support()

SUPPORTS: Mapping[str, Support] = MappingProxyType(
    {
        "bernoulli": _TRUTH,
        "flip": _TRUTH,
        "uniform_int": Support("a", "b", whole=True),
        "categorical": _COUNT,
        "binomial": _SUCCESSES,
        "hypergeometric": _SUCCESSES,
        "geometric": _COUNT,
        "poisson": _COUNT,
        ROUNDS: _COUNT,
        "discrete_laplace": _AROUND,
        "discrete_gaussian": _AROUND,
        "uniform": _BETWEEN,
        "triangular": _BETWEEN,
        "beta": Support(0, 1),
        "exponential": _POSITIVE,
        "gamma": _POSITIVE,
        "lognormal": _POSITIVE,
        "weibull": _POSITIVE,
        "pareto": Support("minimum"),
    }
)
"""The laws whose names say more than "somewhere on the line"; the values of ``uniform_of`` are its arguments."""


def support_of(law: str) -> Support:
    """Return where the values of a law lie, by its name; the whole line where the name does not say more."""
    return SUPPORTS.get(law, _LINE)


def ends(bound: Bound) -> tuple[Ends, Ends]:
    """Return among which numbers the least and the greatest value of a law are."""
    support = support_of(bound.signature.name)
    if bound.repeated and bound.signature.name not in SUPPORTS:
        return bound.repeated, bound.repeated
    if bound.repeated and support.high is None and bound.signature.support == "finite":
        return (0,), (len(bound.repeated) - 1,)
    low, high = (
        None if end is None else (end if isinstance(end, int) else bound.named[end],)
        for end in (support.low, support.high)
    )
    return low, high
