r"""Failures before the first success: :math:`P(k) = p (1 - p)^k`, of which the ratio is constant."""

from __future__ import annotations

from math import factorial
from typing import TYPE_CHECKING, ClassVar

from flint import arb

from seepage.data_classes import dataclass
from seepage.exact import Number, compare, div, enclose, mul, power, sign, sub
from seepage.laws.arguments import Arguments, Known, Wrong
from seepage.laws.discrete import COUNT, UnboundedLaw, unbounded
from seepage.laws.infinite import Counting, Fall
from seepage.laws.spread import Spread
from seepage.word import Domain, Parameter

if TYPE_CHECKING:
    from numpy.random import Generator

    from seepage.laws.discrete import Column
    from seepage.laws.named import Floats
    from seepage.laws.windows import Window


@dataclass(frozen=True, slots=True)
class Geometric(Counting):
    """``chance`` of a success, in (0, 1)."""

    name: ClassVar[str] = "geometric"

    chance: Number

    @property
    def fall(self) -> Fall:
        """As :attr:`Infinite.fall`."""
        return Fall(self.chance, sub(1, self.chance), 1, (1,))

    def in_proportion(self, value: int, low: int, high: int) -> Number:
        """As :meth:`Infinite.in_proportion`."""
        return power(sub(1, self.chance), value)

    def falling_mean(self, base: Number, order: int) -> Number | None:
        r"""As :meth:`Counting.falling_mean`: :math:`p\, j!\, \rho^j / (1 - \rho)^{j + 1}` with :math:`\rho = (1 - p) b`, infinite unless ρ < 1."""
        ratio = mul(sub(1, self.chance), base)
        if compare(ratio, 1) >= 0:
            return None
        share = div(power(ratio, order), power(sub(1, ratio), order + 1))
        return mul(self.chance, mul(factorial(order), share))

    def cut(self, bits: int, tail_bits: int, limit: int) -> Window:
        """As :meth:`Infinite.cut`: p q^k with q = 1 − p, of which p may keep no digit (1 − exp(−800)); beyond n values lies exactly q^n."""
        from seepage.laws.windows import GUARD, Tail, Window, complement, count_of, logarithm, powers

        p, q = enclose(self.chance, bits + 2 * GUARD), complement(self.chance, bits + 2 * GUARD)
        log_q = logarithm(q, p)
        count = count_of(arb(tail_bits) * arb.const_log2() / -log_q, limit)
        return Window(0, tuple(powers(p, q, count)), (Tail(count, p.log() + count * log_q, log_q),))


def member(given: Arguments) -> Geometric | int:
    """Return the law; where a success is certain the point 0."""
    chance = given.chance("p")
    if given.order("p", chance, 0) == 0:
        raise given.invalid("p", 0, "the success probability of 'geometric' must be positive")
    return 0 if given.order("p", chance, 1) == 0 else Geometric(chance)


def sample(random: Generator, size: int, p: Floats) -> Column:
    """Draw."""
    return random.geometric(p, size=size) - 1


def wrong(known: Known) -> Wrong:
    """Find that no try ever succeeds."""
    if known.get("p") == 0:
        yield "p", "'geometric' with probability 0 never ends: found 0, expected a number in (0, 1]"


def takes(known: Known) -> int | None:
    """Return 2 where a try may fail."""
    return 2 if "p" in known and sign(known["p"]) > 0 and known["p"] != 1 else None


LAW = UnboundedLaw(
    unbounded(
        "geometric",
        "the number of failures before the first success",
        "geometric(1/2)",
        Parameter(name="p", meaning="the probability of a success, above 0", domain=Domain.PROBABILITY),
        values=COUNT,
    ),
    sample,
    member,
    Spread(("p",), is_chance=True, bounds_loss="difference"),
    Geometric,
    wrong=wrong,
    takes=takes,
)
