r"""The power sums of the weights of a chain's values, and what they say of blocks of values: the sum of x log x, and the greatest x.

Where the last variables are told, the weights of all values of the first ones are :math:`x = f \cdot v`: a row f that the first ones make, a column v that the last
ones make. Their power sums :math:`\sum x^k` are polynomials in v, which follow from each other along the chain. A block of n values with the mean m is bounded by

.. math:: (t - 1) + \sum_{k=2}^{2j-1} \frac{(-1)^k (t-1)^k}{k (k-1)} \;\le\; t \log t \;\le\; \text{the same} + \frac{(t-1)^{2j}}{2j - 1}, \qquad t = x / m:

to the left Taylor's polynomial at 1, whose remainder has the sign of an even derivative, to the right Hermite's with 0 as a further node, whose remainder has that of an odd one
(Davis 1975, "Interpolation and Approximation", theorem 3.5.1). Both ends meet where the values of a block are nearly equal. Where :math:`\sum x \sum x^3 = (\sum x^2)^2`, all values
that are not 0 are equal (Cauchy and Schwarz). A greatest weight is

.. math:: \max x \le m \Bigl(1 + \bigl(\textstyle\sum (x / m - 1)^{2j}\bigr)^{1 / 2j}\Bigr).

The rows may have many entries: they are told by few numbers (:mod:`seepage.engines.factors.row_spaces`). Values whose rows are 0 in other places have power sums of their own
(:mod:`seepage.engines.factors.supports`), as the values without weight would keep the mean from being near any.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb, lcm
from statistics import median_low
from typing import Any

from flint import Ordering, arb, fmpq, fmpq_mpoly_ctx, fmpz_mpoly_ctx

from seepage.data_classes import dataclass
from seepage.engines.factors.chains import Chain, Row
from seepage.engines.factors.graph import Beyond
from seepage.engines.factors.row_spaces import Space, space_of
from seepage.engines.factors.supports import Origin, Support, Supports
from seepage.engines.outcome import Budget
from seepage.measures.clock import OutOfTime

_DEGREES = (24, 12, 8, 6, 4, 2)  # of the power sums; even
_MOST_TERMS = 320  # of one of them


@dataclass(frozen=True, slots=True)
class Block:
    """Values of the first variables: the sum of their weights x, bounds of the sum of x log x, and that to the base 2 where it is known to be whole."""

    weight: int
    lower: arb
    upper: arb
    bits: int | None = None

    def is_narrow(self, room: arb) -> bool:
        """Tell whether the bounds differ by no more than there is room for."""
        return bool(self.upper - self.lower <= room)


@dataclass(frozen=True, slots=True)
class _Sort:
    """Values of the first variables whose rows are 0 in the same places.

    Attributes:
        space: of their rows.
        count: how many there are.
        sums: of the powers of their weights, as polynomials in what the column that the last variables make is on that space.
        whole: the same over the whole numbers.
    """

    space: Space
    count: int
    sums: Sequence[Any]
    whole: Sequence[Any]

    def of(self, column: Row) -> list[int]:
        """Return the sums of the weights, and of their powers."""
        told = self.space.told(column)
        common = lcm(*(int(each.denominator) for each in told))
        scaled = [int((each * common).numerator) for each in told]
        return [int(each(*scaled)) // common**power for power, each in enumerate(self.whole, 1)]


class PowerSums:
    """The power sums of the weights of the first variables of a chain, before each variable and for each sort.

    Raises:
        Beyond: if there are too many states.
        OutOfTime: past the deadline of the budget.
    """

    def __init__(self, chain: Chain, supports: Supports, budget: Budget) -> None:
        self.places: list[dict[Support, _Sort]] = [dict.fromkeys(supports[0], _first(chain.start))]
        for sorts in supports[1:]:
            if budget.expired():
                raise OutOfTime
            self.places.append({support: _sort(self.places[-1], origins) for support, origins in sorts.items()})
        self.weight = sum(sort.of(chain.end)[0] for sort in self.places[-1].values())
        most = [max(sorts.values(), key=_count) for sorts in self.places]
        self.degree = median_low(len(sort.sums) for sort in most)  # few may be wider, or narrower, than the others

    def block(self, place: int, support: Support, column: Row) -> Block:
        """Return the block of all values of a sort of the variables before a place."""
        sort = self.places[place][support]
        first, *higher = sort.of(column)
        if not first:
            return Block(0, arb(0), arb(0), 0)
        if len(higher) > 1 and first * higher[1] == higher[0] ** 2:
            alike = first * (arb(higher[0]) / first).log()
            power = power_of_two(Fraction(higher[0], first))
            return Block(first, alike, alike, None if power is None else power * first)
        mean = arb(first) / sort.count
        central = _central((sort.count, first, *higher))
        degree = len(central) - 1
        known = sum(((-1) ** k * central[k] / (k * (k - 1)) for k in range(2, degree)), arb(0))
        least = first * mean.log() + mean * known
        return Block(first, least, least + mean * central[degree] / (degree - 1))

    def greatest(self, place: int, support: Support, column: Row) -> tuple[arb, arb]:
        """Return bounds of the greatest weight of a block: its mean, and the mean with the root of the highest central moment."""
        sort = self.places[place][support]
        sums = sort.of(column)
        if not sums[0]:
            return arb(0), arb(0)
        mean = arb(sums[0]) / sort.count
        central = _central((sort.count, *sums))
        return mean, mean * (1 + central[-1].root(len(sums)))


def power_of_two(number: Fraction) -> int | None:
    """Return which power of two a number is, None if it is none."""
    if 1 not in (number.numerator, number.denominator) or (number.numerator * number.denominator).bit_count() != 1:
        return None
    return number.numerator.bit_length() - number.denominator.bit_length()


def _count(sort: _Sort) -> int:
    return sort.count


def _first(start: Row) -> _Sort:
    """Return the one value of no variables."""
    space = space_of([list(start)])
    linear = _form([start[at] for at in space.pivots], _unknowns(space.width))
    sums = [linear**power for power in range(1, _degree(space.width) + 1)]
    return _Sort(space, 1, sums, [_whole(each) for each in sums])


def _sort(before: Mapping[Support, _Sort], origins: Sequence[Origin]) -> _Sort:
    """Return a sort from those before the last variable that is told."""
    sources = [before[each.support] for each in origins]
    through = [source.space.through(each.matrix) for source, each in zip(sources, origins, strict=True)]
    space = space_of([row for rows in through for row in rows])
    unknowns = _unknowns(space.width)
    forms = [[_form([row[at] for at in space.pivots], unknowns) for row in rows] for rows in through]
    degree = min(_degree(space.width), *(len(source.sums) for source in sources))
    sums = [
        sum(source.sums[power].compose(*lines) for source, lines in zip(sources, forms, strict=True))
        for power in range(degree)
    ]
    return _Sort(space, sum(source.count for source in sources), sums, [_whole(each) for each in sums])


def _central(sums: Sequence[int]) -> list[arb]:
    """Return the sums of the powers of x/m − 1, of values x with the mean m, from their number and the sums of their powers."""
    count, first = sums[:2]
    return [
        arb(sum((-1) ** (k - j) * comb(k, j) * count**j * sums[j] * first ** (k - j) for j in range(k + 1)))
        / arb(first) ** k
        for k in range(len(sums))
    ]


def _degree(width: int) -> int:
    """Return up to which power sums are made, of so many unknowns."""
    fitting = (degree for degree in _DEGREES if comb(width + degree - 1, degree) <= _MOST_TERMS)
    if not (degree := next(fitting, 0)):
        raise Beyond("too many states of a chain")
    return degree


def _unknowns(width: int) -> Sequence[Any]:
    return fmpq_mpoly_ctx.get([f"v{at}" for at in range(width)], Ordering.lex).gens()


def _whole(polynomial: Any) -> Any:
    """Return a polynomial with whole coefficients as one over the whole numbers."""
    names = [str(each) for each in polynomial.context().gens()]
    terms = {powers: int(weight.numerator) for powers, weight in polynomial.to_dict().items()}
    return fmpz_mpoly_ctx.get(names, Ordering.lex).from_dict(terms)


def _form(row: Sequence[int | fmpq], unknowns: Sequence[Any]) -> Any:
    return sum((weight * each for weight, each in zip(row, unknowns, strict=True)), 0 * unknowns[0])
