"""The field of closed forms: weights that are exact and may be irrational, for the laws of local draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from seepage.engines.forward.coefficients import IrrationalProbability, exact_probability
from seepage.exact import Number, add, div, mul, number, sub
from seepage.syntax.tree import Expression


@dataclass(frozen=True, slots=True)
class Weight:
    """An exact number with the arithmetic of weights."""

    value: Number

    def __add__(self, other: Weight) -> Weight:
        return Weight(add(self.value, other.value))

    def __mul__(self, other: Weight) -> Weight:
        return Weight(mul(self.value, other.value))

    def __truediv__(self, other: Weight) -> Weight:
        return Weight(div(self.value, other.value))


class ClosedForms:
    """Weights in closed form; they say themselves how they are divided. All may raise ``ArithmeticFault``: too large, or not decided."""

    zero = Weight(0)
    one = Weight(1)

    def add(self, a: Weight, b: Weight) -> Weight:
        """Return a + b."""
        return a + b

    def multiply(self, a: Weight, b: Weight) -> Weight:
        """Return a · b."""
        return a * b

    def complement(self, a: Weight) -> Weight:
        """Return 1 − a."""
        return Weight(sub(1, a.value))

    def divide(self, a: Weight, b: Weight) -> Weight:
        """Return a / b."""
        return a / b

    def rational(self, numerator: int, denominator: int = 1) -> Weight:
        """Return a rational number."""
        return Weight(number(Fraction(numerator, denominator)))

    def probability(self, expression: Expression, state: Mapping[str, Number]) -> Weight:
        """Return the value of a probability in a state.

        Raises:
            Fault: if it is undefined or not in [0, 1].
        """
        return Weight(exact_probability(expression, state))

    def is_zero(self, a: Weight) -> bool:
        """Tell whether ``a`` is 0."""
        return a.value == 0

    def reals(self, compute: Callable[[int], Sequence[arb]]) -> Sequence[Weight]:
        """Raise, since a support that is cut is kept as balls.

        Raises:
            IrrationalProbability: always.
        """
        raise IrrationalProbability("the probabilities of an infinite support")


CLOSED_FORMS = ClosedForms()
