r"""Numbers that strategies are compared by: rationals, sums :math:`q + \sum_p q_p \log p` over primes, or balls where a weight is irrational.

Logarithms of primes are linearly independent over the rationals, so equality of two such sums is decided by their coefficients, and their order
by balls of rising precision. Numbers whose prime factors are not looked for stay whole; then two sums may be equal though they are written
differently, and their order is not decided: :data:`UNDECIDED`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache
from typing import TypeAlias, TypeVar

from flint import arb, fmpq, fmpz

from seepage.data_classes import dataclass
from seepage.exact import precision

_BITS = (128, 512, 2048)
_FACTORED = 80  # bits of numbers whose prime factors are looked for
UNDECIDED = None


@dataclass(frozen=True, slots=True)
class Logarithms:
    """A sum of rational multiples of logarithms; ``whole`` says that all of them are of primes."""

    terms: Mapping[int, fmpq]
    whole: bool = True
    balls: dict[int, arb] = field(default_factory=dict, compare=False, repr=False)

    def ball(self, bits: int) -> arb:
        """Return an enclosure, in nats."""
        if bits not in self.balls:
            with precision(bits):
                self.balls[bits] = sum((arb(by) * arb(of).log() for of, by in self.terms.items()), arb(0))
        return self.balls[bits]


Score: TypeAlias = fmpq | Logarithms | arb
Weight = TypeVar("Weight", fmpq, arb)


@lru_cache(maxsize=100_000)
def _factors(number: int) -> tuple[tuple[tuple[int, int], ...], bool]:
    if number.bit_length() > _FACTORED:
        return ((number, 1),), False
    return tuple((int(prime), int(power)) for prime, power in fmpz(number).factor()), True


def surprise(weights: list[fmpq]) -> Logarithms:
    r"""Return :math:`W \log W - \sum_i w_i \log w_i` of positive weights with the sum W."""
    terms: dict[int, fmpq] = {}
    whole = True
    for sign, weight in ((1, sum(weights, fmpq(0))), *((-1, one) for one in weights)):
        for side, number in ((sign, int(weight.p)), (-sign, int(weight.q))):
            if number == 1:
                continue
            found, is_whole = _factors(number)
            whole &= is_whole
            for prime, power in found:
                terms[prime] = terms.get(prime, fmpq(0)) + side * power * weight
    return Logarithms({prime: by for prime, by in terms.items() if by}, whole)


def plus(a: Score, b: Score) -> Score:
    """Return the sum of two numbers of one kind."""
    if isinstance(a, Logarithms) and isinstance(b, Logarithms):
        terms = dict(a.terms)
        for of, by in b.terms.items():
            terms[of] = terms.get(of, fmpq(0)) + by
        return Logarithms({of: by for of, by in terms.items() if by}, a.whole and b.whole)
    if isinstance(a, Logarithms) or isinstance(b, Logarithms):
        raise AssertionError("numbers of two kinds")
    return a + b


def scaled(a: Score, by: fmpq) -> Score:
    """Return a multiple of a number."""
    if isinstance(a, Logarithms):
        return Logarithms({of: by * one for of, one in a.terms.items()}, a.whole)
    return a * by


def order(a: Score, b: Score) -> int | None:
    """Return −1, 0 or 1 as a number is below, equal to or above another of its kind; ``UNDECIDED`` where that is not known."""
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        return -1 if a < b else int(a > b)
    if isinstance(a, Logarithms) and isinstance(b, Logarithms):
        if a.terms == b.terms:
            return 0
        for bits in _BITS:
            if (found := _apart(a.ball(bits), b.ball(bits))) is not UNDECIDED:
                return found
        return UNDECIDED
    return _apart(arb(a), arb(b))  # type: ignore[arg-type]


def _apart(a: arb, b: arb) -> int | None:
    if a < b:
        return -1
    return 1 if a > b else UNDECIDED
