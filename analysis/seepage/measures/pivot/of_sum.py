r"""I(x; o) where x = X is continuous, o a function of X + N, piece by piece linear, and N independent noise: clamped, rectified, compared noisy values.

The line of s = X + N falls into cells. In each, o is a number v, or a linear function of s, perhaps one or the other by chance. With :math:`\eta(y) = -y \log y`,
and where no value of o is met by two of the linear functions, so that slopes and chances cancel,

.. math::
    I = \sum_v \Big( \eta(P(v)) - \int f_X(t)\, \eta(P(v \mid t))\, dt \Big)
        + \sum_{\text{cells}} w \Big( \int_{\text{cell}} \eta(f_s) - \int \eta(f_N(u))\, P(X + u \in \text{cell})\, du \Big),

w being the chance that o is linear there. All integrals are over a line: rigorous, between breaks, and with bounds of what is beyond: as
:math:`0 \le \eta(p) \le 1` for chances, that of the first sum is at most the mass of X there. Where images of two linear functions meet, the same is
the information in o and which of them it was, an upper bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cmp_to_key
from itertools import combinations, pairwise
from typing import TypeAlias

from flint import acb, arb, fmpq

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.pivot.cumulative import window_within
from seepage.engines.pivot.densities import Bell, Curve, Piece, all_normal, chance_within, covariance, explicit, term_of
from seepage.engines.pivot.path import Path
from seepage.engines.pivot.segments import Placed
from seepage.engines.pivot.sums import Sum, is_summed
from seepage.exact import Number, enclose
from seepage.laws.forms import (
    Beyond,
    Direction,
    Polynomial,
    Value,
    direction_of,
    linear,
    of_terms,
    plus,
    terms_of,
    times,
)
from seepage.laws.law import Edge
from seepage.laws.normal import Normal
from seepage.laws.uniform import Uniform
from seepage.measures.pivot.integral import entropy_integral, eta
from seepage.measures.pivot.of_sum_integrals import (
    Cell,
    curved,
    edges_of,
    eta_of,
    mean_over,
    over_noise,
    spread_of_uniform,
    within,
)
from seepage.measures.pivot.strata import density_entropy, law_entropy

_MOST_CELLS = 400

Names: TypeAlias = tuple[str, ...]
Shape: TypeAlias = tuple[tuple[Number, ...], ...]
"""What variables are: of each the coefficients of a polynomial in s, ascending; one for a number."""


@dataclass(frozen=True, slots=True)
class OfSum:
    """A function of s = X + N.

    Attributes:
        base: a path without guards on which the variable ``s`` is the sum, without a constant.
        direction: its sources.
        secret: the law of X.
        noise: the law of N.
        shapes: what the function is by chance, with weights, in each cell of the line.
    """

    base: Path
    direction: Direction
    secret: Placed
    noise: Placed
    shapes: Mapping[Shape, Sequence[tuple[Cell, fmpq]]]

    @property
    def constants(self) -> list[Sequence[tuple[Cell, fmpq]]]:
        """The cells of each value that is met with positive probability."""
        return [cells for shape, cells in self.shapes.items() if all(len(each) == 1 for each in shape)]

    @property
    def continuous(self) -> list[tuple[Shape, Sequence[tuple[Cell, fmpq]]]]:
        """The cells in which the function is not constant, by what it is there."""
        return [(shape, cells) for shape, cells in self.shapes.items() if any(len(each) > 1 for each in shape)]

    @property
    def is_apart(self) -> bool:
        """Tell whether the function is one to one where it is not constant, but for single points."""
        linear_ones = [(shape, cell) for shape, cells in self.continuous for cell, _ in cells]
        if any(len(each) > 2 for shape, _ in linear_ones for each in shape):
            return False
        return all(one[0] == two[0] or _are_apart(one, two) for one, two in combinations(linear_ones, 2))

    def information(self) -> arb:
        """Enclose I(X; o and which function it was), in nats.

        Raises:
            Beyond: if an integral is not known.
        """
        found = arb(0)
        for cells in self.constants:
            mass = sum((self._weigh(weight) * self._chance(cell) for cell, weight in cells), arb(0))
            found += eta_of(mass) - self._given_value(cells)
        for _, cells in self.continuous:
            for cell, weight in cells:
                found += self._weigh(weight) * (self._spread(cell) - self._given_cell(cell))
        return found

    def whole(self) -> arb:
        """Enclose I(X; s) = h(s) − h(N), which no function of s exceeds, in nats.

        Raises:
            Beyond: if the law of the sum is not known.
        """
        return (
            density_entropy([self.base], "s", arb(1))
            - law_entropy(self.noise.law)
            - abs(enclose(self.noise.scale)).log()
        )

    def given(self) -> arb:
        """Enclose the entropy of o given X, relative to counting and lengths, of one variable that is apart.

        Raises:
            Beyond: if an integral is not known.
        """
        found = sum((self._given_value(cells) for cells in self.constants), arb(0))
        for ((_, slope),), cells in self.continuous:
            for cell, weight in cells:
                w = self._weigh(weight)
                stretch = abs(enclose(slope)).log() - w.log()
                found += w * (self._given_cell(cell) + stretch * self._chance(cell))
        return found

    @staticmethod
    def _weigh(weight: fmpq) -> arb:
        return arb(weight.p) / arb(weight.q)

    def _chance(self, cell: Cell) -> arb:
        if cell == (None, None):
            return arb(1)
        with suppress(Beyond):
            return chance_within(self.base, self.direction, *cell)
        return self._over([(cell, fmpq(1))], lambda chance, _: chance)

    def _spread(self, cell: Cell) -> arb:
        """Enclose ∫ η(f_s) over a cell."""
        for one, other in ((self.secret, self.noise), (self.noise, self.secret)):
            if isinstance(one.law, Uniform):
                return spread_of_uniform(one, other, cell)
        value = self.base.values["s"]
        if not isinstance(value, Polynomial):
            raise AssertionError("a sum of sources is no number")
        term = term_of(self.base, value)
        with suppress(Beyond):
            term = explicit(term) if isinstance(term, Curve) else term
        low, high = cell
        match term:
            case Piece():
                placed = Placed(term.law, term.location, term.scale, term.low, term.high)
                begin, end = within(placed.ends, cell)
                if begin is not None and end is not None and exact.compare(begin, end) >= 0:
                    return arb(0)
                ends = [None if edge is None else placed.back(edge) for edge in (begin, end)]
                if exact.sign(term.scale) < 0:
                    ends.reverse()
                return entropy_integral([Piece(term.weight, term.location, term.scale, term.law, ends[0], ends[1])], [])
            case Bell():
                return entropy_integral([Piece(term.weight, term.mean, 1, Normal((term.variance,)), low, high)], [])
            case Curve():
                return curved(term, low, high)

    def _given_value(self, cells: Sequence[tuple[Cell, fmpq]]) -> arb:
        """Enclose ∫ f_X(t) η(P(v | t)) dt for a value that is met in some cells."""
        windows = _joined(cells)
        return arb(0) if windows == [((None, None), fmpq(1))] else self._over(windows, eta)

    def _over(self, windows: Sequence[tuple[Cell, fmpq]], of: Callable[[acb, bool], acb]) -> arb:
        """Enclose ∫ f_X(t) of(Σ weight · P(t + N in the window)) dt, for something that is between 0 and 1 for chances."""
        ends = [end for window, _ in windows for end in window if end is not None]
        met = [exact.sub(end, place) for end in ends for place in self.noise.breaks]
        found = arb(0)
        for low, high in pairwise(edges_of(self.secret, met)):
            chances = [(self._weigh(w), window_within(self.noise, window, (low, high))) for window, w in windows]
            found += mean_over(self.secret, (low, high), chances, of)
        return found

    def _given_cell(self, cell: Cell) -> arb:
        """Enclose ∫ η(f_N(u)) P(X + u in the cell) du."""
        met = [exact.sub(end, place) for end in cell if end is not None for place in self.secret.breaks]
        found = arb(0)
        for low, high in pairwise(edges_of(self.noise, met)):
            found += over_noise(self.noise, (low, high), window_within(self.secret, cell, (low, high)))
        return found


def function_of_sum(paths: Sequence[Path], x: Names, y: Names) -> OfSum:
    """Read variables as functions of another one plus independent noise.

    Raises:
        Beyond: if they are none.
    """
    values = {path.values[name] for path in paths for name in x if isinstance(path.values[name], Polynomial)}
    if len(x) != 1 or len(values) != 1 or not all(isinstance(path.values[x[0]], Polynomial) for path in paths):
        raise Beyond("a side that is not one continuous variable")
    own = linear(values.pop())
    if own is None:
        raise Beyond("a secret that is not linear")
    directions = {direction for path in paths for direction in path.guards or {}}
    directions |= {
        _leading(value) for path in paths for name in y if isinstance(value := path.values[name], Polynomial)
    }
    laws = max((path.laws for path in paths), key=len)
    if len(directions) != 1 or any(path.cut is not None or path.laws != laws[: len(path.laws)] for path in paths):
        raise Beyond("several combinations of sources")
    (direction,) = directions
    slopes = dict(direction)
    secret = {index: slopes.pop(index, 0) for index in own[1]}
    scale, *others = [exact.div(slope, own[1][index]) for index, slope in secret.items()]
    if not slopes or scale == 0 or any(exact.compare(each, scale) != 0 for each in others):
        raise Beyond("no noise, or more of the secret than itself")
    base = Path(fmpq(1), {"s": _combined(direction)}, laws)
    placed = [_placed(base, part) for part in (secret, slopes)]
    return OfSum(base, direction, placed[0], placed[1], _shapes(paths, y, direction))


def _leading(value: Polynomial) -> Direction:
    """Return the direction of a polynomial in one linear combination, as its terms with one factor, or with the same factor all through, tell."""
    degree = value.degree
    whole = {monomial[0][0]: a for monomial, a in value.terms if len(monomial) == 1 and monomial[0][1] == degree}
    if degree == 1:
        return direction_of(whole)[0]
    (first, top), *_ = sorted(whole.items()) or [(0, 0)]
    mixed = {first: exact.mul(degree, top)}
    for monomial, a in value.terms:
        powers = dict(monomial)
        if len(powers) == 2 and powers.get(first) == degree - 1 and sum(powers.values()) == degree:
            mixed[next(index for index in powers if index != first)] = a
    if top == 0:
        raise Beyond("a value that is no function of a sum")
    return direction_of(mixed)[0]


def _combined(direction: Direction) -> Value:
    return of_terms({((index, 1),): a for index, a in direction})


def _placed(path: Path, part: Mapping[int, Number]) -> Placed:
    """Return the law of a combination of sources."""
    if len(part) == 1:
        ((index, scale),) = part.items()
        return Placed(path.laws[index], 0, scale, *path.laws[index].ends)
    if all_normal(path, part):
        return Placed(Normal((covariance(path, part, part),)), 0, 1, None, None)
    if all(is_summed(path.laws[index]) for index in part):
        law = Sum(parts=tuple(Placed(path.laws[i], 0, a, *path.laws[i].ends) for i, a in part.items()))
        return Placed(law, 0, 1, *law.ends)
    raise Beyond("a sum of variables of no known law")


def _shapes(paths: Sequence[Path], y: Names, direction: Direction) -> dict[Shape, list[tuple[Cell, fmpq]]]:
    """Return the cells of each shape, and check that the shapes of each cell have probability 1 together: nothing else is observed."""
    told: list[tuple[Cell, Shape, fmpq]] = []
    for path in paths:
        weight = path.weight
        if not isinstance(weight, fmpq):
            raise Beyond("a probability that is no fraction")
        shape = tuple(_shape(path.values[name], direction) for name in y)
        told.append((path.interval(direction), shape, weight))
    inner = {edge for cell, _, _ in told for edge in cell if edge is not None}
    edges: list[Edge] = [None, *sorted(inner, key=cmp_to_key(exact.compare)), None]
    if len(edges) * len(told) > _MOST_CELLS**2:
        raise Beyond("too many cells")
    found: dict[Shape, list[tuple[Cell, fmpq]]] = {}
    for cell in pairwise(edges):
        held: dict[Shape, fmpq] = {}
        for interval, shape, weight in told:
            if _holds(interval, cell):
                held[shape] = held.get(shape, fmpq(0)) + weight
        if sum(held.values(), fmpq(0)) != 1:
            raise Beyond("values of the sum that are not passed")
        for shape, weight in held.items():
            found.setdefault(shape, []).append((cell, weight))
    return {shape: _joined(cells) for shape, cells in found.items()}


def _shape(value: Value, direction: Direction) -> tuple[Number, ...]:
    """Return the coefficients of a value as a polynomial in the sum; raises ``Beyond`` if it is none."""
    if not isinstance(value, Polynomial):
        return (value,)
    terms, first = terms_of(value), direction[0][0]
    found = tuple(terms.get(((first, power),) if power else (), 0) for power in range(value.degree + 1))
    total: Value = 0
    combined = _combined(direction)
    for coefficient in reversed(found):
        total = plus(times(total, combined), coefficient)
    if total != value:
        raise Beyond("a value that is no function of the sum")
    return found


def _holds(interval: Cell, cell: Cell) -> bool:
    (low, high), (begin, end) = interval, cell
    above = low is None or (begin is not None and exact.compare(low, begin) <= 0)
    return above and (high is None or (end is not None and exact.compare(end, high) <= 0))


def _joined(cells: Iterable[tuple[Cell, fmpq]]) -> list[tuple[Cell, fmpq]]:
    """Join neighbouring cells of one weight, which come in order."""
    found: list[tuple[Cell, fmpq]] = []
    for (low, high), weight in cells:
        if found and found[-1][0][1] is not None and found[-1][0][1] == low and found[-1][1] == weight:
            found[-1] = (found[-1][0][0], high), weight
        else:
            found.append(((low, high), weight))
    return found


def _are_apart(one: tuple[Shape, Cell], two: tuple[Shape, Cell]) -> bool:
    """Tell whether some variable has no value in common, but for single points."""
    for first, second in zip(one[0], two[0], strict=True):
        if len(first) != len(second):
            return True  # a number against something without atoms
        if len(first) == 1:
            if exact.compare(first[0], second[0]) != 0:
                return True
            continue
        (low, high), (begin, end) = _image(first, one[1]), _image(second, two[1])
        before = high is not None and begin is not None and exact.compare(high, begin) <= 0
        after = low is not None and end is not None and exact.compare(end, low) <= 0
        if before or after:
            return True
    return False


def _image(shape: Sequence[Number], cell: Cell) -> Cell:
    constant, slope = shape
    ends = [None if edge is None else exact.add(constant, exact.mul(slope, edge)) for edge in cell]
    return (ends[0], ends[1]) if exact.sign(slope) > 0 else (ends[1], ends[0])
