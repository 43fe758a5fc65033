r"""Where a function of parameters is positive on a box: branch and bound with slopes.

The claim is :math:`G \le 0` (or < 0) on the whole box. A cell is done where the upper end of its enclosure says so. Where a slope has one
sign on a cell, the cell's largest values lie on the face at one end of that side, and the face takes its place; what is left is
halved, the cell with the largest possible value first, until nothing is left, a point with G > 0 is found, or the budget is used up.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import count
from typing import Protocol, TypeAlias

from flint import arb

from seepage.algebra import NoAlgebra
from seepage.data_classes import dataclass
from seepage.engines import intervals
from seepage.engines.intervals import Box, Interval, box_of
from seepage.engines.outcome import Budget
from seepage.exact import Number, add, enclose, mul, precision, sub, to_fraction
from seepage.measures.formulas.guards import inner_point, rational_near
from seepage.measures.ranges.form import Form
from seepage.measures.ranges.touching import Touching, simplest, slope_sign
from seepage.measures.requirement import Verdict
from seepage.semantics.checked import Domain

BOXES = 4_000
_BITS = 96
_SMALLEST = 2**-30  # of a side of the whole box; smaller cells are not halved
_NARROW = 1 / 4  # of a side of the whole box; wider cells are not asked whether the function touches 0 in them
_SIMPLE = 64  # the greatest denominator of a number at which it may
_NEARNESS = (4, 10, 24, 60)  # powers of 1/2, of the distance to an end that is not in a range
_FARTHEST = 2**20  # where the search along an unbounded side ends

Cell: TypeAlias = Mapping[str, tuple[Number | None, Number | None]]
Point: TypeAlias = Mapping[str, Number]
Direction: TypeAlias = tuple[int, bool]
"""Whether a function rises (1) or falls (−1) with a parameter, 0 if neither is known, and whether it does so strictly."""


class Enclosed(Protocol):
    """A function of parameters that can be enclosed with its slopes, as :class:`seepage.measures.ranges.form.Form` can."""

    def letters(self, box: Box) -> dict[int, Interval]:
        """Enclose the letters on a box."""
        ...

    def value(self, letters: Mapping[int, Interval]) -> Interval:
        """Enclose the values where the letters lie in intervals."""
        ...

    def slopes(self, names: Sequence[str], box: Box, letters: Mapping[int, Interval]) -> dict[str, Interval]:
        """Enclose the derivatives in some parameters on a box, or what takes their place in the mean value theorem."""
        ...


class Question(Protocol):
    """A function of parameters in ranges, as :class:`seepage.measures.ranges.problem.Problem` describes it."""

    @property
    def ranges(self) -> Mapping[str, Domain]:
        """Of its parameters."""
        ...

    def form(self, at: Point) -> Enclosed:
        """Return it when some parameters have values, in letters that enclose it well; raise ``NoAlgebra`` if that cannot be written."""
        ...

    def vanishes(self, at: Point) -> bool:
        """Tell whether it is then 0 by algebra."""
        ...

    def smooth(self, at: Point) -> Form | None:
        """Return it in parameters and exponentials alone, None if it cannot be written, or is not smooth."""
        ...

    def ceiling(self, at: Point) -> Enclosed | None:
        """Return a function that is not positive only where this one is not, in the same letters, if there is one."""
        ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a search ended.

    Attributes:
        verdict: of the claim.
        witness: a point of the domains where it fails.
        remaining: the cells that are not decided.
        boxes: how many cells were looked at.
        out_of_time: whether the deadline ended it.
    """

    verdict: Verdict
    witness: Point | None = None
    remaining: tuple[Cell, ...] = ()
    boxes: int = 0
    out_of_time: bool = False


def search(
    problem: Question,
    strict: bool,
    judge: Callable[[Point], Verdict],
    budget: Budget,
    *,
    bounded: bool = False,
) -> Outcome:
    """Decide whether a function is nowhere positive (``strict``: everywhere negative) in some ranges.

    Args:
        problem: the function and its ranges.
        strict: whether 0 violates the claim.
        judge: says for one point of the ranges, exactly, whether the claim holds there.
        budget: its deadline.
        bounded: whether the function is known to be nowhere positive, so that only where it is 0 is left to see.

    Raises:
        NoAlgebra: if the function on the whole box cannot be written.
    """
    with precision(_BITS):
        return _Search(problem, strict, judge, budget, bounded).run()


class _Search:
    def __init__(
        self,
        problem: Question,
        strict: bool,
        judge: Callable[[Point], Verdict],
        budget: Budget,
        bounded: bool,
    ) -> None:
        self.bounded = bounded
        self.problem, self.ranges, self.strict, self.judge, self.budget = problem, problem.ranges, strict, judge, budget
        self.whole = problem.form({})
        self.touching = Touching(self.ranges, budget)
        self.order = count()
        self.queue: list[tuple[float, int, Cell, bool]] = []
        self.remaining: list[Cell] = []
        self.seen = 0

    def run(self) -> Outcome:
        self._push({name: (domain.low, domain.high) for name, domain in self.ranges.items()}, float("inf"), self.strict)
        while self.queue:
            out_of_time = self.budget.expired()
            if self.seen >= BOXES or out_of_time:
                left = (*self.remaining, *(cell for _, _, cell, _ in self.queue))
                return Outcome("cannot tell", None, left, self.seen, out_of_time)
            _, _, cell, strict = heapq.heappop(self.queue)
            self.seen += 1
            witness = self._visit(cell, strict)
            if witness is not None:
                return Outcome("violated", witness, (), self.seen)
        verdict: Verdict = "cannot tell" if self.remaining else "holds"
        return Outcome(verdict, None, tuple(self.remaining), self.seen)

    def _push(self, cell: Cell, upper: float, strict: bool) -> None:
        heapq.heappush(self.queue, (-upper, next(self.order), cell, strict))

    def _visit(self, cell: Cell, strict: bool) -> Point | None:
        """Settle a cell, or put smaller ones in its place; return a point at which the claim fails, if one is found."""
        if self.bounded and not strict:
            return None
        form, free, vanishes = self._restricted(cell)
        if vanishes:
            return self._inside(cell) if strict else None
        box = box_of(free)
        letters = form.letters(box)
        if self._is_below(cell, letters, strict):
            return None
        value = form.value(letters)
        if _fits(value, strict):
            return None
        wide = [name for name, (low, high) in free.items() if not _is_point(low, high)]
        if not wide:
            return self._at_point(cell)
        slopes = form.slopes(wide, box, letters)
        middle = {name: inner_point(low, high) for name, (low, high) in free.items()}
        centre = form.value(form.letters(box_of({name: (value, value) for name, value in middle.items()})))
        value = _tightened(value, centre, slopes, box, middle)
        if _fits(value, strict):
            return None
        above = centre[0] > 0 or (strict and not centre[1] < 0)
        if above and (witness := self._confirmed({**_fixed(cell), **middle})) is not None:
            return witness
        if self._touches(cell, free, strict):
            return None
        directions = {name: _direction(slope) for name, slope in slopes.items()}
        if strict:
            directions |= self._touching(cell, box, middle, directions)
        if (face := _face(cell, directions)) is not None:
            self._push(face, _float(value[1]), strict and not self._is_limit(face, directions))
            return None
        halves = self._halves(cell, slopes, middle)
        if not halves:
            self.remaining.append(cell)
        for half in halves:
            self._push(half, _float(value[1]), strict)
        return None

    def _is_below(self, cell: Cell, letters: Mapping[int, Interval], strict: bool) -> bool:
        """Tell whether a function above, which is easier to enclose, settles a cell; it has the same letters."""
        try:
            above = self.problem.ceiling(self._ends(cell))
        except NoAlgebra:
            return False
        return above is not None and _fits(above.value(letters), strict)

    def _touches(self, cell: Cell, free: Cell, strict: bool) -> bool:
        """Tell whether a narrow cell is settled although the function vanishes in it."""
        sides: dict[str, tuple[Number, Number]] = {}
        for name, (low, high) in free.items():
            relative = self._relative(name, low, high)
            if low is None or high is None or relative is None or not relative <= _NARROW:
                return False
            sides[name] = low, high
        form = self.problem.smooth(self._ends(cell))
        guesses = {name: [*self._guesses(*side)] for name, side in sides.items()}
        return form is not None and self.touching.is_below(form, sides, guesses, strict=strict)

    def _guesses(self, low: Number, high: Number) -> Iterator[Fraction]:
        """Yield simple numbers in a side, or not far from it."""
        least, most = to_fraction(low), to_fraction(high)
        if least is None or most is None:
            return
        if (inside := simplest(least, most)).denominator <= _SIMPLE:
            yield inside
        width = most - least
        if (near := simplest(least - width, most + width)).denominator < inside.denominator:
            yield near

    def _is_limit(self, face: Cell, directions: Mapping[str, Direction]) -> bool:
        """Tell whether a face that stands for a cell lies at an end outside of the ranges, below which the function is strictly smaller."""
        for name, (sign, strictly) in directions.items():
            end, domain = face[name][0], self.ranges[name]
            if strictly and (
                (sign > 0 and end == domain.high and not domain.high_closed)
                or (sign < 0 and end == domain.low and not domain.low_closed)
            ):
                return True
        return False

    def _touching(
        self, cell: Cell, box: Box, middle: Point, directions: Mapping[str, Direction]
    ) -> dict[str, Direction]:
        """Return the directions that a function has where its slope vanishes at an end of the ranges that is not in them."""
        sides = [(name, end) for name in middle if (end := self._open_end(name, cell[name])) is not None]
        waiting = {
            name: end for name, end in sides if not directions[name][1] and self._leads_to(name, end, directions)
        }
        form = self.problem.smooth(self._ends(cell)) if waiting else None
        found: dict[str, Direction] = {}
        for name, end in waiting.items():
            sign = directions[name][0]
            strictly = 0
            if form is not None and sign and len(middle) == 1:
                # Analytic, and not constant: the zeros of the slope are isolated.
                point = box_of({each: (value, value) for each, value in middle.items()})
                strictly = sign if _direction(form.slopes([name], point, form.letters(point))[name])[1] else 0
            if form is not None and not strictly:
                strictly = slope_sign(form, name, end, box, self.ranges, upper=end == cell[name][1])
            # An end that is not in the range is no place to go to as long as the function may be as large before it.
            found[name] = (strictly, strictly != 0)
        return found

    def _leads_to(self, name: str, end: Number, directions: Mapping[str, Direction]) -> bool:
        """Tell whether a direction, if there is one, leads to an end of a range."""
        sign, domain = directions[name][0], self.ranges[name]
        return sign == 0 or end == (domain.high if sign > 0 else domain.low)

    def _open_end(self, name: str, side: tuple[Number | None, Number | None]) -> Number | None:
        """Return the end of a narrow side that is one of the range, and not in it."""
        domain = self.ranges[name]
        relative = self._relative(name, *side)
        if relative is None or not relative <= 1:
            return None
        if side[1] is not None and side[1] == domain.high and not domain.high_closed:
            return side[1]
        return side[0] if side[0] is not None and side[0] == domain.low and not domain.low_closed else None

    def _restricted(self, cell: Cell) -> tuple[Enclosed, Cell, bool]:
        """Return the function on the faces of the whole box that a cell lies in, the cell's other sides, and whether it is 0 there."""
        at = self._ends(cell)
        try:
            form = self.problem.form(at)
        except NoAlgebra:
            return self.whole, cell, False
        return form, {name: side for name, side in cell.items() if name not in at}, self.problem.vanishes(at)

    def _ends(self, cell: Cell) -> dict[str, Number]:
        """Return the sides of a cell that are ends of the whole box."""
        return {
            name: low
            for name, (low, high) in cell.items()
            if low is not None and _is_point(low, high) and low in (self.ranges[name].low, self.ranges[name].high)
        }

    def _at_point(self, cell: Cell) -> Point | None:
        point = _fixed(cell)
        if not self._contains(point):
            self.remaining.append(cell)  # an end that does not belong to the range: only a limit
            return next((near for near in self._nearby(point) if self._confirmed(near) is not None), None)
        verdict = self.judge(point)
        if verdict == "cannot tell":
            self.remaining.append(cell)
        return point if verdict == "violated" else None

    def _nearby(self, point: Point) -> Iterator[Point]:
        """Yield points of the ranges that come closer and closer to one at an end that is not in them."""
        for part in _NEARNESS:
            moved: dict[str, Number] = {}
            for name, value in point.items():
                domain = self.ranges[name]
                end = domain.high if value == domain.low else domain.low
                outside = not domain.contains(value)
                moved[name] = (
                    add(value, mul(Fraction(1, 2**part), sub(end, value))) if outside and end is not None else value
                )
            yield moved

    def _inside(self, cell: Cell) -> Point | None:
        """Return a point of a cell on which the function is 0, where that violates the claim; what is not known to violate it is not proved."""
        point = {name: inner_point(low, high) for name, (low, high) in cell.items()}
        verdict = self.judge(point) if self._contains(point) else "cannot tell"
        if verdict == "violated":
            return point
        if verdict == "cannot tell" or not all(_is_point(low, high) for low, high in cell.values()):
            self.remaining.append(cell)  # at one point alone does a verdict on it settle the cell
        return None

    def _confirmed(self, point: Point) -> Point | None:
        return point if self._contains(point) and self.judge(point) == "violated" else None

    def _contains(self, point: Point) -> bool:
        return all(self.ranges[name].contains(value) for name, value in point.items())

    def _halves(self, cell: Cell, slopes: Mapping[str, Interval], middle: Point) -> list[Cell]:
        best, chosen = arb(-1), ""
        for name, slope in slopes.items():
            low, high = cell[name]
            relative = self._relative(name, low, high)
            if relative is None:  # an unbounded side
                if _is_far(middle[name]):
                    continue
                relative = arb.pos_inf()
            elif relative < _SMALLEST:
                continue
            steep = (-slope[0]).max(slope[1])
            if steep.is_finite() and relative.is_finite() and low is not None and high is not None:
                gain = steep * enclose(sub(high, low), _BITS)
            else:
                gain = (arb(2) ** 400) * (relative if relative.is_finite() else arb(2) ** 400)
            if gain.mid() > best.mid():
                best, chosen = gain, name
        if not chosen:
            return []
        low, high = cell[chosen]
        return [{**cell, chosen: (low, middle[chosen])}, {**cell, chosen: (middle[chosen], high)}]

    def _relative(self, name: str, low: Number | None, high: Number | None) -> arb | None:
        if low is None or high is None:
            return None
        domain = self.ranges[name]
        width = enclose(sub(high, low), _BITS)
        if domain.low is None or domain.high is None:
            return width
        return width / enclose(sub(domain.high, domain.low), _BITS)


def _fits(value: Interval, strict: bool) -> bool:
    return bool(value[1] < 0) if strict else bool(value[1] <= 0)


# --- cells ------------------------------------------------------------------------------------------------------------


def _is_point(low: Number | None, high: Number | None) -> bool:
    return low is not None and high is not None and low == high


def _known(value: Number | None) -> Number:
    if value is None:
        raise AssertionError("an unbounded side is no point")
    return value


def _fixed(cell: Cell) -> dict[str, Number]:
    return {name: low for name, (low, high) in cell.items() if low is not None and _is_point(low, high)}


def _is_far(value: Number) -> bool:
    return abs(rational_near(value)) > _FARTHEST


def _direction(slope: Interval) -> Direction:
    """Return the sign of a slope, and whether it is nowhere 0."""
    if slope[0] >= 0:
        return 1, bool(slope[0] > 0)
    return (-1, bool(slope[1] < 0)) if slope[1] <= 0 else (0, False)


def _face(cell: Cell, directions: Mapping[str, Direction]) -> Cell | None:
    """Return the face on which a cell's largest values lie, None if no slope says so."""
    face = dict(cell)
    for name, (sign, _) in directions.items():
        low, high = cell[name]
        end = high if sign > 0 else low if sign < 0 else None
        if end is not None:
            face[name] = (end, end)
    return face if face != cell else None


def _tightened(
    value: Interval, centre: Interval, slopes: Mapping[str, Interval], box: Mapping[str, Interval], middle: Point
) -> Interval:
    """Return the enclosure by the mean value theorem, with the one term by term."""
    low, high = centre
    for name, slope in slopes.items():
        point = enclose(middle[name], _BITS)
        change = intervals.times(slope, (box[name][0] - point, box[name][1] - point))
        low, high = intervals.plus((low, high), change)
    return intervals.common(value, (low, high))


def _float(end: arb) -> float:
    return float(end.mid()) if end.is_finite() else float("inf")
