"""Weights of components: exact rationals until a density comes in, balls from there on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from flint import arb, fmpq

from seepage.engines.forward.coefficients import exact_probability
from seepage.engines.soga.scalars import rational_weight
from seepage.exact import Number
from seepage.syntax.tree import Expression

Weight: TypeAlias = fmpq | arb


class Weights:
    """The ring of rationals and balls together; a sum or product with a ball is a ball at the global precision."""

    zero: Weight = fmpq(0)
    one: Weight = fmpq(1)

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def add(self, a: Weight, b: Weight) -> Weight:
        """Return a + b."""
        return a + b

    def multiply(self, a: Weight, b: Weight) -> Weight:
        """Return a · b."""
        return a * b

    def complement(self, a: Weight) -> Weight:
        """Return 1 − a."""
        return 1 - a

    def rational(self, numerator: int, denominator: int = 1) -> Weight:
        """Return a rational number."""
        return fmpq(numerator, denominator)

    def probability(self, expression: Expression, state: Mapping[str, Number]) -> Weight:
        """Return the value of a probability in a state.

        Raises:
            Fault: if it is undefined or not in [0, 1].
        """
        return rational_weight(exact_probability(expression, state), self.bits)

    def is_zero(self, a: Weight) -> bool:
        """Tell whether ``a`` is exactly 0."""
        return a == 0 if isinstance(a, fmpq) else a.is_zero()

    def reals(self, compute: Callable[[int], Sequence[arb]]) -> Sequence[Weight]:
        """Return the numbers that ``compute`` encloses with the ring's number of bits."""
        return compute(self.bits)
