r"""Entropies and best guesses of long tuples whose law is a chain (:mod:`seepage.engines.factors.chains`): a word of 64 digits and whether it is below another one.

**Entropy.** Where the last variables are told, the weights of all values of the first ones are :math:`x = f \cdot v`: a row f that the first ones make, a column v that the last
ones make. Their power sums :math:`\sum x^k` are polynomials in v, which follow from each other along the chain. A block of n values with the mean m is bounded by

.. math:: (t - 1) + \sum_{k=2}^{2j-1} \frac{(-1)^k (t-1)^k}{k (k-1)} \;\le\; t \log t \;\le\; \text{the same} + \frac{(t-1)^{2j}}{2j - 1}, \qquad t = x / m:

to the left Taylor's polynomial at 1, whose remainder has the sign of an even derivative, to the right Hermite's with 0 as a further node, whose remainder has that of an odd one
(Davis 1975, "Interpolation and Approximation", theorem 3.5.1). Both ends meet where the values of a block are nearly equal, so blocks that are not are cut by the value of one more variable, and where few values differ all are looked at. Blocks
with the same column, but for a factor, are one; and where :math:`\sum x \sum x^3 = (\sum x^2)^2`, all values that are not 0 are equal (Cauchy and Schwarz).

**Guesses.** :math:`\sum_y \max_x p(x, y)`: of the rows that values of x make, those that no mean of two others exceeds everywhere are kept for each y, and all y with the same rows, but for a factor, are one.
Where too many rows are left (of three words in order they lie on a parabola, which no mean reaches), blocks of values are cut as above, and left out once their greatest weight,

.. math:: \max x \le m \Bigl(1 + \bigl(\textstyle\sum (x / m - 1)^{2j}\bigr)^{1 / 2j}\Bigr),

is below the mean of another block. The rows themselves may have many entries: they are told by few numbers (:mod:`seepage.engines.factors.row_spaces`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import comb, gcd, lcm
from statistics import median_low
from typing import Any

from flint import Ordering, arb, fmpq, fmpq_mpoly_ctx, fmpz_mpoly_ctx

from seepage.engines.factors.chains import Chain, Row, Step, applied, times
from seepage.engines.factors.graph import Beyond, Variable
from seepage.engines.factors.row_spaces import spaces
from seepage.engines.outcome import Budget
from seepage.exact import precision
from seepage.measures.arithmetic import WORKING_BITS
from seepage.measures.clock import OutOfTime, timed
from seepage.measures.enclosure import Enclosure
from seepage.measures.result import Certainty

_DEGREES = (24, 12, 8, 6, 4, 2)  # of the power sums; even
_MOST_TERMS = 320  # of one of them
_MOST_BLOCKS = 20_000
_FEW_VALUES = 2_048  # that differ; as many are looked at one by one
_SPARE = (
    arb(2) ** -14
)  # of what bounds may differ by in all, for one block that is next to nothing of the whole: about one of the most blocks
_MOST_BLOCKS_KEPT = 1_024  # that may hold a greatest weight
_MOST_ROWS = 64  # that are kept for one y
_MOST_SIGHTS = 4_096  # kinds of y


def entropy(chain: Chain, budget: Budget) -> tuple[Enclosure, Fraction | None]:
    """Return the entropy of all variables of a chain, in nats, and in bits where all chances are powers of two.

    Raises:
        Beyond: if the chain has too many states.
        OutOfTime: past the deadline of the budget.
    """
    with precision(WORKING_BITS):
        total = _Total()
        for block, copies in _values(chain, budget) or _blocks(chain, budget):
            total.add(block, copies)
        return total.entropy()


def _values(chain: Chain, budget: Budget) -> list[tuple[_Block, _Copies]] | None:
    """Return all values, each a block, those whose last variables tell the same as one; None where they are many."""
    columns: dict[Row, _Copies] = {}
    _add(columns, chain.end, _Copies(1, arb(0), 0))
    for step in reversed(chain.steps):
        before: dict[Row, _Copies] = {}
        for column, copies in timed(columns.items(), budget):
            for matrix in step.matrices:
                _add(before, applied(matrix, column), copies)
            if len(before) > _FEW_VALUES:
                return None
        columns = before
    found: list[tuple[_Block, _Copies]] = []
    for column, copies in columns.items():
        if weight := sum(first * last for first, last in zip(chain.start, column, strict=True)):
            exact = weight * arb(weight).log()
            found.append((_Block(weight, exact, exact, _product(_power(Fraction(weight)), weight)), copies))
    return found


def _blocks(chain: Chain, budget: Budget) -> Iterator[tuple[_Block, _Copies]]:
    """Yield blocks of nearly equal values: as narrow as values get that differ by an eighth."""
    power_sums, count = _PowerSums(chain, budget), 0
    narrow = arb(2) ** (-8 - 3 * power_sums.degree)
    blocks: dict[Row, _Copies] = {}
    _add(blocks, chain.end, _Copies(1, arb(0), 0))
    for place in range(len(chain.steps), -1, -1):
        cut: dict[Row, _Copies] = {}
        for column, copies in timed(blocks.items(), budget):
            count += 1
            block = power_sums.block(place, column)
            spare = narrow * _SPARE * power_sums.weight / copies.times
            if place and count < _MOST_BLOCKS and not block.is_narrow(narrow * block.weight + spare):
                for matrix in chain.steps[place - 1].matrices:
                    _add(cut, applied(matrix, column), copies)
                continue
            yield block, copies
        blocks = cut


@dataclass(slots=True)
class _Total:
    """The sum of the weights x of all values, bounds of that of x log x, and the same to the base 2 where it is known to be whole."""

    weight: int = 0
    lower: arb = field(default_factory=arb)
    upper: arb = field(default_factory=arb)
    bits: int | None = 0

    def add(self, block: _Block, copies: _Copies) -> None:
        """Add a block as often as it is there."""
        shift = copies.surplus * block.weight
        self.weight += copies.times * block.weight
        self.lower += copies.times * block.lower + shift
        self.upper += copies.times * block.upper + shift
        self.bits = _sum(self.bits, _product(block.bits, copies.times), _product(copies.bits, block.weight))

    def entropy(self) -> tuple[Enclosure, Fraction | None]:
        """Return the entropy, as :func:`entropy`."""
        whole = arb(self.weight)
        log = whole.log()
        ends = (log - self.upper / whole).lower(), (log - self.lower / whole).upper()
        found = Enclosure.bounded((ends[0] + ends[1]) / 2, *ends, Certainty.CERTIFIED)
        power = _power(Fraction(self.weight))
        if self.bits is None or power is None:
            return found, None
        return found, power - Fraction(self.bits, self.weight)


@dataclass(frozen=True, slots=True)
class _Copies:
    r"""Blocks that are multiples :math:`c` of one: the sum of c, and that of :math:`c \log c`; ``bits`` is the same to the base 2, None if that is not known to be whole."""

    times: int
    surplus: arb
    bits: int | None


def _add(blocks: dict[Row, _Copies], column: Row, copies: _Copies) -> None:
    """Add a block to others, as a multiple of the column in lowest terms."""
    common = gcd(*column)
    if not common:
        return
    column = tuple(each // common for each in column)
    there = blocks.get(column, _Copies(0, arb(0), 0))
    more = common * (copies.surplus + copies.times * arb(common).log())
    bits = _sum(_product(copies.bits, common), _product(_power(Fraction(common)), common * copies.times))
    blocks[column] = _Copies(there.times + common * copies.times, there.surplus + more, _sum(there.bits, bits))


def _power(number: Fraction) -> int | None:
    """Return which power of two a number is, None if it is none."""
    if 1 not in (number.numerator, number.denominator) or (number.numerator * number.denominator).bit_count() != 1:
        return None
    return number.numerator.bit_length() - number.denominator.bit_length()


def _product(bits: int | None, by: int) -> int | None:
    return None if bits is None else bits * by


def _sum(*parts: int | None) -> int | None:
    known = [each for each in parts if each is not None]
    return sum(known) if len(known) == len(parts) else None


@dataclass(frozen=True, slots=True)
class _Block:
    """Values of the first variables: the sum of their weights x, bounds of the sum of x log x, and that to the base 2 where it is known to be whole."""

    weight: int
    lower: arb
    upper: arb
    bits: int | None = None

    def is_narrow(self, room: arb) -> bool:
        """Tell whether the bounds differ by no more than there is room for."""
        return bool(self.upper - self.lower <= room)


class _PowerSums:
    """The power sums of the weights of the first variables, as polynomials in what the column that the last ones make is on the space of the rows."""

    def __init__(self, chain: Chain, budget: Budget) -> None:
        self.spaces = spaces(chain)
        self.counts = [1]
        unknowns = _unknowns(self.spaces[0].width)
        linear = _form([chain.start[at] for at in self.spaces[0].pivots], unknowns)
        self.sums: list[list[Any]] = [[linear**power for power in range(1, _degree(self.spaces[0].width) + 1)]]
        for step, space, after in zip(chain.steps, self.spaces, self.spaces[1:], strict=False):
            if budget.expired():
                raise OutOfTime
            self.counts.append(self.counts[-1] * len(step.matrices))
            unknowns = _unknowns(after.width)
            forms = [
                [_form([row[at] for at in after.pivots], unknowns) for row in space.through(matrix)]
                for matrix in step.matrices
            ]
            before = self.sums[-1][: _degree(after.width)]
            self.sums.append([sum(each.compose(*lines) for lines in forms) for each in before])
        self.whole = [[_whole(each) for each in every] for every in self.sums]
        self.weight = self.of(len(chain.steps), chain.end)[0]
        self.degree = median_low(map(len, self.sums))  # few places may be wider, or narrower, than the others

    def of(self, place: int, column: Row) -> list[int]:
        """Return the sums of the weights of all values of the variables before a place, and of their powers."""
        told = self.spaces[place].told(column)
        common = lcm(*(int(each.denominator) for each in told))
        scaled = [int((each * common).numerator) for each in told]
        return [int(each(*scaled)) // common**power for power, each in enumerate(self.whole[place], 1)]

    def block(self, place: int, column: Row) -> _Block:
        """Return the block of all values of the variables before a place."""
        count, (first, *higher) = self.counts[place], self.of(place, column)
        if not first:
            return _Block(0, arb(0), arb(0), 0)
        if len(higher) > 1 and first * higher[1] == higher[0] ** 2:
            alike = first * (arb(higher[0]) / first).log()
            return _Block(first, alike, alike, _product(_power(Fraction(higher[0], first)), first))
        mean = arb(first) / count
        central = _central((count, first, *higher))
        degree = len(central) - 1
        known = sum(((-1) ** k * central[k] / (k * (k - 1)) for k in range(2, degree)), arb(0))
        least = first * mean.log() + mean * known
        return _Block(first, least, least + mean * central[degree] / (degree - 1))

    def greatest(self, place: int, column: Row) -> tuple[arb, arb]:
        """Return bounds of the greatest weight of a block: its mean, and the mean with the root of the highest central moment."""
        sums = self.of(place, column)
        if not sums[0]:
            return arb(0), arb(0)
        mean = arb(sums[0]) / self.counts[place]
        central = _central((self.counts[place], *sums))
        return mean, mean * (1 + central[-1].root(len(sums)))


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


# --- guesses ----------------------------------------------------------------------------------------------------------


def right_guess(chain: Chain, seen: frozenset[Variable], budget: Budget) -> Fraction:
    """Return the chance of a right guess of all variables of a chain but those that are seen.

    Raises:
        Beyond: if too many values have to be kept apart.
        OutOfTime: past the deadline of the budget.
    """
    sights: dict[frozenset[Row], int] = {frozenset({chain.start}): 1}
    for step in timed(chain.steps, budget):
        found: dict[frozenset[Row], int] = {}
        for rows, times_ in sights.items():
            for next_rows in _after(rows, step, step.variable in seen):
                _put(found, next_rows, times_)
        if len(found) > _MOST_SIGHTS:
            raise Beyond("too many kinds of what is seen")
        sights = found
    best = sum(times_ * max(_ended(row, chain.end) for row in rows) for rows, times_ in sights.items())
    return Fraction(best, _total(chain))


def greatest_weights(chain: Chain, seen: frozenset[Variable], budget: Budget) -> Fraction:
    """Return the same where what is seen is told near the end: for each of its values the blocks that may hold the greatest weight are cut until they are single values.

    Raises:
        Beyond: if too many blocks may hold a greatest weight.
        OutOfTime: past the deadline of the budget.
    """
    first = min((place for place, step in enumerate(chain.steps) if step.variable in seen), default=len(chain.steps))
    sights: dict[frozenset[Row], int] = {frozenset({chain.end}): 1}
    for step in timed(reversed(chain.steps[first:]), budget):
        found: dict[frozenset[Row], int] = {}
        for columns, times_ in sights.items():
            by_value = [[applied(matrix, column) for column in columns] for matrix in step.matrices]
            for each in by_value if step.variable in seen else [[column for some in by_value for column in some]]:
                _put(found, each, times_)
        if sum(map(len, found)) > _MOST_BLOCKS_KEPT:
            raise Beyond("too much is told after what is seen")
        sights = found
    with precision(WORKING_BITS):
        try:
            sums = _PowerSums(chain, budget)
        except Beyond:
            sums = None  # nothing is left out then
        best = sum(times_ * _greatest(chain, sums, first, columns, budget) for columns, times_ in sights.items())
    return Fraction(best, _total(chain))


def _put(found: dict[frozenset[Row], int], rows: Sequence[Row], times_: int) -> None:
    """Add rows, or columns, to others, as a multiple of those in lowest terms."""
    if common := gcd(*(each for row in rows for each in row)):
        kept = frozenset(tuple(each // common for each in row) for row in rows)
        found[kept] = found.get(kept, 0) + times_ * common


def _greatest(chain: Chain, sums: _PowerSums | None, place: int, columns: frozenset[Row], budget: Budget) -> int:
    """Return the greatest weight of values of the first variables, of several columns."""
    for step in timed(reversed(chain.steps[:place]), budget):
        kept: Collection[Row] = columns
        if sums is not None:
            bounds = [(each, *sums.greatest(place, each)) for each in columns]
            least = max(low.lower() for _, low, _ in bounds)
            kept = [each for each, _, high in bounds if not high < least]
        if len(kept) > _MOST_BLOCKS_KEPT:
            raise Beyond("too many values that may be best")
        columns = frozenset(applied(matrix, column) for matrix in step.matrices for column in kept)
        place -= 1
    return max(_ended(chain.start, each) for each in columns)


def _after(rows: Iterable[Row], step: Step, is_seen: bool) -> list[list[Row]]:
    """Return the rows after a variable: apart for each of its values if it is seen, else those that may be best."""
    by_value = [[times(row, matrix) for row in rows] for matrix in step.matrices]
    return [_best(each) for each in (by_value if is_seen else [[row for some in by_value for row in some]])]


def _best(rows: Iterable[Row]) -> list[Row]:
    """Return rows without those that a mean of one or two others equals or exceeds everywhere: whatever follows is a greatest of linear functions."""
    kept: list[Row] = []
    for row in sorted(set(rows), key=sum, reverse=True):
        if not any(_is_below(row, other, other) for other in kept):
            kept.append(row)
    if len(kept) > _MOST_ROWS:
        raise Beyond("too many values that may be best")
    for row in list(kept):
        others = [each for each in kept if each != row]
        if any(_is_below(row, one, other) for one, other in combinations(others, 2)):
            kept = others
    return kept


def _is_below(row: Row, one: Row, other: Row) -> bool:
    """Tell whether a mean of two rows is at least a third one everywhere."""
    least, most = Fraction(0), Fraction(1)  # shares of the first
    for a, b, c in zip(row, one, other, strict=True):
        if b == c:
            if a > c:
                return False
        elif b > c:
            least = max(least, Fraction(a - c, b - c))
        else:
            most = min(most, Fraction(a - c, b - c))
    return least <= most


def _ended(row: Row, end: Row) -> int:
    return sum(a * b for a, b in zip(row, end, strict=True))


def _total(chain: Chain) -> int:
    row = chain.start
    for step in chain.steps:
        whole = tuple(tuple(map(sum, zip(*lines, strict=True))) for lines in zip(*step.matrices, strict=True))
        row = times(row, whole)
    return _ended(row, chain.end)
