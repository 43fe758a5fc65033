"""Which laws are uniform over whole numbers that stand beside each other, and over which."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from seepage.diagnostics import Diagnostic, Fault
from seepage.exact import ArithmeticFault, Number
from seepage.semantics.binding import bound
from seepage.semantics.evaluate import known_value
from seepage.semantics.expressions import plain_names
from seepage.syntax.tree import Distribution, Expression, Family

UNIFORM = ("uniform_int", "bernoulli", "flip")
"""The laws that may be."""


def uniform_range(distribution: Distribution, parameters: Mapping[str, Number]) -> tuple[int, int] | None:
    """Return the ends of a uniform law over two whole numbers or more, of a fair coin too, where all that they read is known; None for other laws.

    Args:
        distribution: the law.
        parameters: the values of the parameters that it may read.
    """
    if not isinstance(distribution, Family) or distribution.name not in UNIFORM:
        return None
    call = bound(distribution)
    if isinstance(call, Diagnostic):
        return None
    try:
        if distribution.name != "uniform_int":
            return (0, 1) if _is_half(call.named["p"], parameters) else None
        low, high = (known_value(call.named[name], parameters) for name in ("a", "b"))
    except (Fault, ArithmeticFault):
        return None
    return (low, high) if isinstance(low, int) and isinstance(high, int) and low < high else None


def _is_half(chance: Expression, parameters: Mapping[str, Number]) -> bool:
    names = dict.fromkeys(plain_names(chance))
    return names.keys() <= parameters.keys() and _is_half_at(chance, tuple((name, parameters[name]) for name in names))


@lru_cache(maxsize=64)
def _is_half_at(chance: Expression, parameters: tuple[tuple[str, Number], ...]) -> bool:
    """Tell once for the many draws of a loop, and the many who ask: an irrational chance takes long to evaluate.

    Raises:
        Fault: if it has no value.
    """
    return known_value(chance, dict(parameters)) == Fraction(1, 2)
