r"""What an attacker can expect who guesses a discrete secret after he sees at most one continuous value, from the paths of a program.

Over atoms of what is seen it is a sum, over densities :math:`\int \max_w \sum_k c_{wk} f_k` (:mod:`seepage.measures.gaussian.maximum`), with the :math:`f_k` of
the paths. A curve of normals is a mixture here, whose error in L1, times the largest gain, widens the bounds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property, cmp_to_key
from itertools import pairwise

from flint import arb

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.forward.coefficients import balls
from seepage.engines.outcome import Budget, Cut, DiscreteJoint
from seepage.engines.pivot.densities import Bell, Curve, Piece, Term, explicit, term_of
from seepage.engines.pivot.exponentials import exponentials_of
from seepage.engines.pivot.path import Path
from seepage.engines.pivot.products import Product
from seepage.engines.pivot.segments import Placed
from seepage.exact import Number, enclose
from seepage.laws.forms import Beyond, Polynomial
from seepage.laws.laplace import Laplace
from seepage.laws.normal import Normal
from seepage.measures.discrete.weights import Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian import maximum
from seepage.measures.gaussian.cut import gain_beside
from seepage.measures.gaussian.guessing import MOST_GUESSES, MOST_WAYS, guesses_of
from seepage.measures.gaussian.maximum import Hump
from seepage.measures.guessing.gains import Gain, Tries, greatest_gain
from seepage.measures.pivot.copies import without_copies
from seepage.measures.pivot.integral import placed_of
from seepage.measures.pivot.panels import blend_of
from seepage.measures.pivot.strata import ACCURACY, total_of
from seepage.measures.pivot.tiles import Tiled
from seepage.measures.result import Certainty

BITS = 128
_REACH_BITS = 60
_TOLERANCE = 1e-15
_WORK = 100_000  # cells, times densities and guesses: some seconds
_FEWEST_CELLS, _MOST_CELLS = 100, 1_500
_FAR = 14  # deviations
_STEPS = (0.02, 0.08, 0.3)  # of the reach of a law: where cells end at first


@dataclass(frozen=True)  # without slots: what is asked for in the innermost loops is computed once
class Slab:
    """The density of ``location + scale · z``, z of a law and in (low, high), not normalised."""

    placed: Placed

    def marks(self) -> Sequence[arb]:
        """Return breaks, and places around the middle."""
        placed, law = self.placed, self.placed.law
        scale, location = self._scale, self._location
        reach = law.reach(_REACH_BITS)
        inner = [arb(0), *(sign * step * reach for step in (*_STEPS, 1) for sign in (-1, 1))]
        places = [arb(float((location + scale * z).mid())) for z in inner]
        low, high = self._limits
        kept = [place for place in places if (low is None or place > low) and (high is None or place < high)]
        return [*kept, *(enclose(edge) for edge in placed.breaks)]

    def below(self, place: arb) -> arb:
        """Return the mass of smaller values."""
        low, _ = self._limits
        return arb(0) if low is not None and not place > low else self._mass(None, place)

    def above(self, place: arb) -> arb:
        """Return the mass of larger values."""
        _, high = self._limits
        return arb(0) if high is not None and not place < high else self._mass(place, None)

    def between(self, left: arb, right: arb) -> arb:
        """Return the probability of an interval between marks."""
        return arb(0) if self._is_outside(((left + right) / 2).mid()) else self._mass(left, right)

    def _mass(self, left: arb | None, right: arb | None) -> arb:
        low, high = self._limits
        ends = [
            None if left is None or (low is not None and not left > low) else left,
            None if right is None or (high is not None and not right < high) else right,
        ]
        # A mark that touches an end of the support stands for it: no two breaks touch each other.
        z = [None if end is None else self._back(end) for end in ends]
        if exact.sign(self.placed.scale) < 0:
            z.reverse()
        limits = [None if limit is None else enclose(limit) for limit in (self.placed.low, self.placed.high)]
        begin = limits[0] if z[0] is None else z[0] if limits[0] is None else z[0].max(limits[0])
        end = limits[1] if z[1] is None else z[1] if limits[1] is None else z[1].min(limits[1])
        return self.placed.law.chance(begin, end)

    def density(self, place: arb, inside: arb) -> arb:
        """Return a ball that holds the density in a ball of points, but for those beyond a mark that ``inside`` is known to lie before."""
        if self._is_outside(inside):
            return arb(0)
        found = self.placed.law.density_at(self._back(place), self._back(inside)) / abs(self._scale)
        return found if self._is_within(inside) else found.union(arb(0))

    def slope(self, place: arb, inside: arb, density: arb) -> arb:
        """Return the derivative of the density, ``inside`` as above; no number where there may be none."""
        return arb(0) if self._is_outside(inside) else self.log_slope(place, inside) * density

    def log_slope(self, place: arb, inside: arb) -> arb:
        """Return the derivative of the logarithm of the density where it is not 0; no number where there may be none."""
        if not self._is_within(inside):
            return arb.nan()
        return self.placed.law.log_slope(self._back(place), self._back(inside)) / self._scale

    def _back(self, place: arb) -> arb:
        return (place - self._location) / self._scale

    @cached_property
    def _location(self) -> arb:
        return enclose(self.placed.location)

    @cached_property
    def _scale(self) -> arb:
        return enclose(self.placed.scale)

    @cached_property
    def _limits(self) -> tuple[arb | None, arb | None]:
        low, high = self.placed.ends
        return None if low is None else enclose(low), None if high is None else enclose(high)

    def _is_within(self, place: arb) -> bool:
        low, high = self._limits
        return (low is None or bool(place > low)) and (high is None or bool(place < high))

    def _is_outside(self, place: arb) -> bool:
        low, high = self._limits
        return (low is not None and bool(place <= low)) or (high is not None and bool(place >= high))


@dataclass(frozen=True, slots=True)
class Blended:
    """A sum of normal densities with weights."""

    bells: Sequence[tuple[arb, maximum.Bell]]

    def marks(self) -> Sequence[arb]:
        """Return places around the middle, and far ones."""
        low = min(float((bell.mean - _FAR * bell.deviation).mid()) for _, bell in self.bells)
        high = max(float((bell.mean + _FAR * bell.deviation).mid()) for _, bell in self.bells)
        heaviest = max(self.bells, key=lambda each: float(each[0]))[1]
        inner = [float((heaviest.mean + at * heaviest.deviation).mid()) for at in (-4, -2, 0, 2, 4)]
        return [arb(place) for place in (low, *inner, high)]

    def below(self, place: arb) -> arb:
        """Return the mass of smaller values."""
        return sum((weight * bell.below(place) for weight, bell in self.bells), arb(0))

    def above(self, place: arb) -> arb:
        """Return the mass of larger values."""
        return sum((weight * bell.above(place) for weight, bell in self.bells), arb(0))

    def between(self, left: arb, right: arb) -> arb:
        """Return the mass of an interval."""
        return sum((weight * bell.between(left, right) for weight, bell in self.bells), arb(0))

    def density(self, place: arb, inside: arb) -> arb:
        """Return a ball that holds the density everywhere in a ball of points."""
        del inside
        return sum((weight * bell.density(place) for weight, bell in self.bells), arb(0))

    def slope(self, place: arb, inside: arb, density: arb) -> arb:
        """Return the derivative of the density."""
        del density
        return sum((weight * bell.slope(place, inside, bell.density(place)) for weight, bell in self.bells), arb(0))


@dataclass(frozen=True, slots=True)
class Sight:
    """The paths of a program with what is guessed, ``x``, and what is seen, ``y``; ``cut`` is what windows of infinite supports leave out."""

    paths: Sequence[Path]
    x: tuple[str, ...]
    y: tuple[str, ...]
    cut: Cut | None = None

    def secret(self) -> DiscreteJoint[arb]:
        """Return the law of the secret; raises ``Beyond`` where it is continuous on some path."""
        masses: dict[Values, arb] = {}
        for path in self.paths:
            value = values_of(path, self.x)
            masses[value] = masses.get(value, arb(0)) + total_of([path])
        return DiscreteJoint(self.x, balls(BITS), masses, sum(masses.values(), arb(0)), self.cut)

    def expected_gain(self, y: tuple[str, ...], gain: Gain, budget: Budget) -> Enclosure:
        """Return the greatest expected gain from guessing x after ``y`` is seen; raises ``Beyond``."""
        total = total_of(self.paths)
        lower, upper = _gained(self.paths, self.x, y, gain, budget)
        low, high = (lower / total).lower(), (upper / total).upper()
        if isinstance(gain, Tries):
            low, high = low.max(arb(0)), high.min(arb(1))
        found = Enclosure.bounded((low + high) / 2, low, high, Certainty.CERTIFIED)
        if self.cut is None:
            return found
        if not self.cut.discrete >= set(self.x):
            raise Beyond("a secret that may be continuous in what was cut off")
        return gain_beside(found, total, self.cut, gain)

    def guesses(self, y: tuple[str, ...], budget: Budget) -> Enclosure:
        """Return the expected number of guesses of x after ``y`` is seen: the sum over k ≥ 0 of the chance that k tries are too few."""
        if self.cut is not None:
            raise Beyond("a secret of infinitely many values")
        count = len(self.secret().masses)
        low, high = arb(1), arb(1)
        for k in range(1, count):
            if math.comb(count, k) > MOST_WAYS:
                raise Beyond("too many ways to guess")
            chance = self.expected_gain(y, Tries(k), budget)
            low, high = low + 1 - chance.upper, high + 1 - chance.lower
        return Enclosure.bounded((low + high) / 2, low.lower(), high.upper(), Certainty.CERTIFIED)

    def told_at_most(self, budget: Budget) -> Enclosure:
        """Return ∫ max_x W(y | x), whose logarithm is ``Cmin``."""
        masses = self.secret().masses
        lower, upper = arb(0), arb(0)
        scaled = [
            Path(path.weight / masses[values_of(path, self.x)], path.values, path.laws, path.guards)
            for path in self.paths
        ]
        lower, upper = _gained(scaled, self.x, self.y, Tries(1), budget)
        low, high = lower.max(arb(1)).lower(), upper.min(arb(len(masses))).upper()
        return Enclosure.bounded((low + high) / 2, low, high, Certainty.CERTIFIED)


def values_of(path: Path, names: Sequence[str]) -> Values:
    """Return the values of discrete variables; raises ``Beyond`` if one is continuous on the path."""
    found: list[Number] = []
    for name in names:
        value = path.values[name]
        if isinstance(value, Polynomial):
            raise Beyond("a continuous variable to guess")
        found.append(value)
    return tuple(found)


def _gained(
    paths: Sequence[Path], x: tuple[str, ...], y: tuple[str, ...], gain: Gain, budget: Budget
) -> tuple[arb, arb]:
    groups: dict[tuple[Number | None, ...], dict[Values, list[Path]]] = {}
    for path in without_copies(paths, y):
        seen = tuple(None if isinstance(value := path.values[name], Polynomial) else value for name in y)
        groups.setdefault(seen, {}).setdefault(values_of(path, x), []).append(path)
    lower, upper = arb(0), arb(0)
    for seen, group in groups.items():
        continuous = [name for name, value in zip(y, seen, strict=True) if value is None]
        if not continuous:
            found = greatest_gain([{value: total_of(own) for value, own in group.items()}], gain, budget)
            ball = arb(found)
            lower, upper = lower + ball, upper + ball
        elif len(continuous) == 1:
            low, high = _of_density(group, continuous[0], gain, budget)
            lower, upper = lower + low, upper + high
        else:
            raise Beyond("several continuous variables together")
    return lower, upper


def _of_density(group: Mapping[Values, list[Path]], name: str, gain: Gain, budget: Budget) -> tuple[arb, arb]:
    if isinstance(gain, Tries) and math.comb(len(group), min(gain.count, len(group))) > MOST_WAYS:
        raise Beyond("too many ways to guess")
    humps: list[Hump] = []
    weights: list[tuple[Values, int, arb]] = []
    error = arb(0)
    known: dict[Hump, int] = {}  # equal densities are one, which no sign of a difference need tell apart
    for value, paths in group.items():
        found, lost = humps_of(paths, name)
        error += lost
        for weight, hump in found:
            at = len(humps) if isinstance(hump, Blended) else known.setdefault(hump, len(humps))
            weights.append((value, at, weight))
            if at == len(humps):
                humps.append(hump)
    combinations: list[dict[int, arb]] = []
    largest = arb(0)
    for row in guesses_of(list(group), gain):
        shares: dict[int, arb] = {}
        for value, at, weight in weights:
            if value in row:
                shares[at] = shares.get(at, arb(0)) + enclose(row[value]) * weight
        for each in row.values():
            largest = largest.max(abs(enclose(each)))
        if not (len(humps) < len(weights) and any(_same_shares(shares, other) for other in combinations)):
            combinations.append(shares)
        if len(combinations) > MOST_GUESSES:
            raise Beyond("too many ways to guess")
    if (closed := _of_shifted_laplace(humps, combinations)) is not None:
        return closed.lower(), closed.upper()
    _check_separate([edge for hump in humps if isinstance(hump, Slab) for edge in hump.placed.breaks])
    size = sum(len(hump.bells) if isinstance(hump, Blended) else 1 for hump in humps)
    cells = min(_MOST_CELLS, max(_FEWEST_CELLS, _WORK // (size * len(combinations))))
    low, high = maximum.integral_of_maximum(humps, combinations, budget, _TOLERANCE, cells)
    lost = (largest * error).upper()
    return low - lost, high + lost


def humps_of(paths: Sequence[Path], name: str) -> tuple[list[tuple[arb, Hump]], arb]:
    """Return the density of a variable that is continuous on all of some paths, as densities with weights, and the error of that in L1.

    Raises:
        Beyond: if it is not known.
    """
    if (tiled := _tiled(paths, name)) is not None:
        return [(arb(1), tiled)], arb(0)
    found = [_hump(term_of(path, _polynomial(path, name))) for path in paths]
    return [weighted for weighted, _ in found], sum((lost for _, lost in found), arb(0))


def _tiled(paths: Sequence[Path], name: str) -> Tiled | None:
    """Return the density of a value as a sum of exponentials, None where each path has an explicit one or it is no such sum."""
    terms = [term_of(path, _polynomial(path, name)) for path in paths]
    if not any(isinstance(term, Piece) and isinstance(term.law, Product) for term in terms):
        return None
    with suppress(Beyond):
        return Tiled(exponentials_of(paths, name))
    return None


def _same_shares(one: Mapping[int, arb], other: Mapping[int, arb]) -> bool:
    """Tell whether two guesses gain the same whatever is seen: equal numbers, not balls that touch."""
    return one.keys() == other.keys() and all(
        share.is_exact() and other[at].is_exact() and share == other[at] for at, share in one.items()
    )


def _of_shifted_laplace(humps: Sequence[Hump], combinations: Sequence[Mapping[int, arb]]) -> arb | None:
    r"""Return the integral in closed form for two guesses with a Laplace density each, of one scale, Δ scales apart; None for anything else.

    With weights a, b it is the greatest of a, b and :math:`a + b - \sqrt{a b}\, e^{-\Delta/2}`.
    """
    placed = [hump.placed for hump in humps if isinstance(hump, Slab) and isinstance(hump.placed.law, Laplace)]
    if len(humps) != 2 or len(placed) != 2 or len(combinations) != 2 or any(len(row) != 1 for row in combinations):
        return None
    one, other = placed
    shares = {at: share for row in combinations for at, share in row.items()}
    alike = one.law == other.law and exact.compare(exact.abs_(one.scale), exact.abs_(other.scale)) == 0
    everywhere = all(each.ends == (None, None) for each in placed)
    if not (alike and everywhere) or shares.keys() != {0, 1} or not all(share > 0 for share in shares.values()):
        return None
    scale = exact.mul(exact.abs_(one.scale), one.law.parameters[0])
    distance = enclose(exact.div(exact.abs_(exact.sub(one.location, other.location)), scale))
    a, b = shares[0], shares[1]
    return (a + b - (a * b).sqrt() * (-distance / 2).exp()).max(a).max(b)


def _check_separate(breaks: Sequence[Number]) -> None:
    """Raise ``Beyond`` if breaks of densities are different, but too near each other to be told apart as balls."""
    for low, high in pairwise(sorted(set(breaks), key=cmp_to_key(exact.compare))):
        if exact.compare(low, high) and not enclose(low) < enclose(high):
            raise Beyond("densities with breaks that are too near each other")


def _polynomial(path: Path, name: str) -> Polynomial:
    value = path.values[name]
    if not isinstance(value, Polynomial):
        raise AssertionError("a stratum of densities has continuous values")
    return value


def _hump(term: Term) -> tuple[tuple[arb, Hump], arb]:
    """Return a density with its weight, and the error in L1."""
    match term:
        case Piece():
            if not term.law.is_elementary:
                raise Beyond("a product of densities to compare with others")
            return (term.weight, Slab(placed_of(term))), arb(0)
        case Bell():
            placed = Placed(Normal((term.variance,)), term.mean, 1, None, None)
            return (term.weight, Slab(placed)), arb(0)
        case Curve():
            with suppress(Beyond):
                return _hump(explicit(term))
            blend = blend_of(term, ACCURACY)
            bells = [(weight, maximum.Bell(mean, variance.sqrt())) for weight, mean, variance in blend.gaussians]
            return (arb(1), Blended(bells)), blend.distance
