r"""Entropies and best guesses of long tuples whose law is a chain (:mod:`seepage.engines.factors.chains`): a word of 64 digits and whether it is below another one.

**Entropy.** Values are looked at in blocks, those of the first variables where the last ones are told, whose power sums bound them closely where they are nearly equal
(:mod:`seepage.measures.discrete.power_sums`). Blocks that are not are cut by the value of one more variable, and where few values differ all are looked at. Blocks
with the same column, but for a factor, are one.

**Guesses.** :math:`\sum_y \max_x p(x, y)`: of the rows that values of x make, those that no mean of two others exceeds everywhere are kept for each y, and all y with the same rows, but for a factor, are one.
Where too many rows are left (of three words in order they lie on a parabola, which no mean reaches), blocks of values are cut as above, and left out once their greatest weight
is below the mean of another block.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import field
from fractions import Fraction
from itertools import combinations
from math import gcd
from typing import TypeAlias

from flint import arb

from seepage.data_classes import dataclass
from seepage.engines.factors.chains import Chain, Row, Step, applied, times, turned
from seepage.engines.factors.graph import Beyond, Variable
from seepage.engines.factors.supports import Support, Supports, supports, together
from seepage.engines.outcome import Budget
from seepage.exact import precision
from seepage.measures.arithmetic import WORKING_BITS
from seepage.measures.clock import timed
from seepage.measures.discrete.power_sums import Block, PowerSums, power_of_two
from seepage.measures.enclosure import Enclosure
from seepage.measures.result import Certainty

_MOST_BLOCKS = 20_000
_MOST_AT_ONCE = 512  # blocks after one variable, as long as its chain may be turned
_FEW_VALUES = 2_048  # that differ; as many are looked at one by one
_SPARE = (
    arb(2) ** -14
)  # of what bounds may differ by in all, for one block that is next to nothing of the whole: about one of the most blocks
_MOST_BLOCKS_KEPT = 1_024  # that may hold a greatest weight
_MOST_ROWS = 64  # that are kept for one y
_MOST_SIGHTS = 4_096  # kinds of y

_Part: TypeAlias = tuple[Support, Row]
"""A block: the sort of its values, and the column that what follows makes."""


def entropy(chain: Chain, budget: Budget) -> tuple[Enclosure, Fraction | None]:
    """Return the entropy of all variables of a chain, in nats, and in bits where all chances are powers of two.

    Raises:
        Beyond: if the chain has too many states.
        OutOfTime: past the deadline of the budget.
    """
    with precision(WORKING_BITS):
        total = _Total()
        found = (
            _values(chain, budget)
            or _blocks(chain, _MOST_AT_ONCE, budget)
            or _blocks(turned(chain), _MOST_AT_ONCE, budget)
            or _blocks(chain, _MOST_BLOCKS, budget)
        )
        for block, copies in found or ():
            total.add(block, copies)
        return total.entropy()


def _values(chain: Chain, budget: Budget) -> list[tuple[Block, _Copies]] | None:
    """Return all values, each a block, those whose last variables tell the same as one; None where they are many."""
    columns: dict[_Part, _Copies] = {}
    _add(columns, frozenset(range(len(chain.end))), chain.end, _Copies(1, arb(0), 0))
    for step in reversed(chain.steps):
        before: dict[_Part, _Copies] = {}
        everywhere = frozenset(range(len(step.matrices[0])))
        for (_, column), copies in timed(columns.items(), budget):
            for matrix in step.matrices:
                _add(before, everywhere, applied(matrix, column), copies)
            if len(before) > _FEW_VALUES:
                return None
        columns = before
    found: list[tuple[Block, _Copies]] = []
    for (_, column), copies in columns.items():
        if weight := sum(first * last for first, last in zip(chain.start, column, strict=True)):
            exact = weight * arb(weight).log()
            found.append((Block(weight, exact, exact, _product(power_of_two(Fraction(weight)), weight)), copies))
    return found


def _blocks(chain: Chain, most: int, budget: Budget) -> list[tuple[Block, _Copies]] | None:
    """Return blocks of nearly equal values, as narrow as values get that differ by an eighth; None where there are too many after one variable.

    Those of the high digits of a word are nearly equal, those of its low digits are not: much depends on which are told last.
    """
    sorts = supports(chain)
    power_sums, count = PowerSums(chain, sorts, budget), 0
    narrow = arb(2) ** (-8 - 3 * power_sums.degree)
    found: list[tuple[Block, _Copies]] = []
    blocks: dict[_Part, _Copies] = {}
    for support in sorts[-1]:
        _add(blocks, support, chain.end, _Copies(1, arb(0), 0))
    for place in range(len(chain.steps), -1, -1):
        cut: dict[_Part, _Copies] = {}
        for (support, column), copies in timed(blocks.items(), budget):
            count += 1
            block = power_sums.block(place, support, column)
            spare = narrow * _SPARE * power_sums.weight / copies.times
            if place and count < _MOST_BLOCKS and not block.is_narrow(narrow * block.weight + spare):
                for origin in sorts[place][support]:
                    _add(cut, origin.support, applied(origin.matrix, column), copies)
                continue
            found.append((block, copies))
        if len(cut) > most:
            return None
        blocks = cut
    return found


@dataclass(slots=True)
class _Total:
    """The sum of the weights x of all values, bounds of that of x log x, and the same to the base 2 where it is known to be whole."""

    weight: int = 0
    lower: arb = field(default_factory=arb)
    upper: arb = field(default_factory=arb)
    bits: int | None = 0

    def add(self, block: Block, copies: _Copies) -> None:
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
        power = power_of_two(Fraction(self.weight))
        if self.bits is None or power is None:
            return found, None
        return found, power - Fraction(self.bits, self.weight)


@dataclass(frozen=True, slots=True)
class _Copies:
    r"""Blocks that are multiples :math:`c` of one: the sum of c, and that of :math:`c \log c`; ``bits`` is the same to the base 2, None if that is not known to be whole."""

    times: int
    surplus: arb
    bits: int | None


def _add(blocks: dict[_Part, _Copies], support: Support, column: Row, copies: _Copies) -> None:
    """Add a block to others, as a multiple of the column, in lowest terms, where its rows are not 0."""
    seen = _within(support, column)
    common = gcd(*seen)
    if not common:
        return
    part = support, tuple(each // common for each in seen)
    there = blocks.get(part, _Copies(0, arb(0), 0))
    more = common * (copies.surplus + copies.times * arb(common).log())
    bits = _sum(_product(copies.bits, common), _product(power_of_two(Fraction(common)), common * copies.times))
    blocks[part] = _Copies(there.times + common * copies.times, there.surplus + more, _sum(there.bits, bits))


def _within(support: Support, column: Row) -> Row:
    """Return a column, 0 where no row is anything else."""
    return tuple(each if at in support else 0 for at, each in enumerate(column))


def _product(bits: int | None, by: int) -> int | None:
    return None if bits is None else bits * by


def _sum(*parts: int | None) -> int | None:
    known = [each for each in parts if each is not None]
    return sum(known) if len(known) == len(parts) else None


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
    sorts = together(chain)
    with precision(WORKING_BITS):
        try:
            sums = PowerSums(chain, sorts, budget)
        except Beyond:
            sums = None  # nothing is left out then
        best = sum(times_ * _greatest(chain, sorts, sums, first, columns, budget) for columns, times_ in sights.items())
    return Fraction(best, _total(chain))


def _put(found: dict[frozenset[Row], int], rows: Sequence[Row], times_: int) -> None:
    """Add rows, or columns, to others, as a multiple of those in lowest terms."""
    if common := gcd(*(each for row in rows for each in row)):
        kept = frozenset(tuple(each // common for each in row) for row in rows)
        found[kept] = found.get(kept, 0) + times_ * common


def _greatest(
    chain: Chain, sorts: Supports, sums: PowerSums | None, place: int, columns: frozenset[Row], budget: Budget
) -> int:
    """Return the greatest weight of values of the first variables, of several columns."""
    parts = {(support, _within(support, column)) for support in sorts[place] for column in columns}
    for before in timed(range(place, 0, -1), budget):
        kept: Collection[_Part] = parts
        if sums is not None:
            bounds = [(each, *sums.greatest(before, *each)) for each in parts]
            least = max(low.lower() for _, low, _ in bounds)
            kept = [each for each, _, high in bounds if not high < least]
        if len(kept) > _MOST_BLOCKS_KEPT:
            raise Beyond("too many values that may be best")
        parts = {
            (origin.support, _within(origin.support, applied(origin.matrix, column)))
            for support, column in kept
            for origin in sorts[before][support]
        }
    return max(_ended(chain.start, column) for _, column in parts)


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
