r"""``DP`` and ``Delta`` of discrete inputs whose outputs have explicit densities, from the paths of a program.

For one pair of neighbours, with f and g the laws of the outputs: at :math:`\delta = 0` the loss is the supremum of log f/g
(:mod:`seepage.measures.pivot.ratio`), otherwise the excess is the greatest expected gain of a bet (:mod:`seepage.measures.gaussian.privacy`).

Several continuous outputs with independent noise have products of densities. Of one product to another the supremum is the sum of those of the factors; of
mixtures of products it is at most the greatest one of theirs, since a coupling of the mixtures' choices turns f and g into averages of them. For
the excess, composition (Dwork, Roth 2014, theorem 3.16: the excesses of the factors add up) and that of randomized response with the same pure loss
:math:`\varepsilon_0`, :math:`(e^{\varepsilon_0} - e^\varepsilon) / (1 + e^{\varepsilon_0})` (Kairouz, Oh, Viswanath 2015) bound it from above; any output alone, from below. Of mixtures
it is at most the mean of their parts', whichever are coupled, as it is convex in the pair of laws; and where mixtures are products of those of single outputs,
composition holds for these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from flint import arb, fmpq

from seepage import exact
from seepage.data_classes import dataclass
from seepage.deadline import sooner
from seepage.diagnostics import Fault
from seepage.engines.outcome import Budget
from seepage.engines.pivot.blurred import Blur
from seepage.engines.pivot.densities import weight_of
from seepage.engines.pivot.exponentials import exponentials_of
from seepage.engines.pivot.path import Path
from seepage.engines.pivot.segments import Placed
from seepage.engines.select import solve_paths
from seepage.engines.soga.weights import Weight
from seepage.exact import ArithmeticFault, Irrational, Number, precision
from seepage.laws.forms import Beyond, Polynomial
from seepage.laws.laplace import Laplace
from seepage.laws.normal import Normal
from seepage.measures.channels.asked_channel import AskedChannel
from seepage.measures.clock import UNLIMITED, OutOfTime
from seepage.measures.discrete.weights import Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian.privacy import INPUT, least_epsilon, shift_excess
from seepage.measures.gaussian.privacy_questions import UNBOUNDED_LOSS, Told
from seepage.measures.guessing.gains import Table
from seepage.measures.notes import Note
from seepage.measures.pivot.copies import without_copies
from seepage.measures.pivot.guessing import Sight, values_of
from seepage.measures.pivot.limits import Limit, excess_of_loss, in_order
from seepage.measures.pivot.products import (
    are_products,
    factors_of,
    is_everywhere,
    is_explicit,
    loss_of_products,
    part_of,
    products_apart,
)
from seepage.measures.pivot.ratio import apart, largest_of, log_ratio
from seepage.measures.pivot.shifted import Shifts, shifts_of
from seepage.measures.pivot.strata import strata_of, total_of
from seepage.measures.pivot.tiles import loss_at_trials
from seepage.measures.privacy.log_concave import excess_of_shift
from seepage.measures.privacy.neighbours import Closeness, TooManyNeighbours, neighbourhoods, pairs
from seepage.measures.result import Certainty

TOLD_APART = Note("outputs exist that are possible for one of two neighbours only")
COMPOSED = Note(
    "the upper bound composes the losses of outputs with independent noise; the lower one is that of one output alone"
)

BITS = 128
_MOST_PAIRS = 60
_ROUGH = Fraction(1, 1000)  # the same where the bounds of δ meet in no point
_FINE = Fraction(1, 10**9)  # how closely ε is found, relative to it: a look at δ takes tenths of a second
_MOST_COUPLED = 200
_SHARE = 0.5  # of the time that is left: what is bounded by then is told

Bounds = tuple[arb, arb]


def loss_by_paths(asked: AskedChannel, closeness: Closeness, delta: Number, limit: Limit | None = None) -> Told | None:
    """Return the least ε at which a channel is (ε, δ)-differentially private, None where densities are not explicit.

    Args:
        asked: the channel.
        closeness: which inputs are neighbours.
        delta: what ε may fail by.
        limit: of the loss at δ = 0, and so at any; with it, pairs that are too many to be looked at leave a bound.
    """
    if exact.compare(delta, 1) >= 0:
        return None
    if exact.sign(delta) == 0:
        return _worst(asked, closeness, lambda pair, _, budget: pair.loss(budget), arb.pos_inf(), limit=limit)
    if isinstance(delta, Irrational):
        return None
    claimed = Fraction(delta)
    return _worst(
        asked,
        closeness,
        lambda pair, least, budget: pair.epsilon(claimed, least, budget),
        arb.pos_inf(),
        lambda pair: pair.epsilon_behind_noise(claimed),
        limit,
    )


def excess_by_paths(
    asked: AskedChannel, closeness: Closeness, epsilon: Number, limit: Limit | None = None
) -> Told | None:
    """Return the least δ at which a channel is (ε, δ)-differentially private, None where densities are not explicit; ``limit`` as of losses."""
    if limit is not None:
        with precision(BITS):
            limit = replace(limit, loss=excess_of_loss(limit.loss, epsilon))
    return _worst(
        asked,
        closeness,
        lambda pair, _, budget: pair.excess(epsilon, budget),
        arb(1),
        lambda pair: pair.excess_behind_noise(epsilon),
        limit,
    )


@dataclass(frozen=True, slots=True)
class _Found:
    """Bounds for one pair of neighbours."""

    of: Values
    against: Values
    given: Values
    bounds: Bounds
    notes: tuple[Note, ...]


def _worst(
    asked: AskedChannel,
    closeness: Closeness,
    bound: Callable[[_Pair, arb, Budget], Bounds],
    most: arb,
    at_once: Callable[[_Pair], arb] | None = None,
    limit: Limit | None = None,
) -> Told | None:
    """Return the greatest of what pairs are bounded by; where time does not suffice, by ``at_once`` from above, else by the limit, or ``most``."""
    inquiry = asked.evaluation.inquiry
    unlimited, most = most, most if limit is None else limit.loss
    names = tuple(dict.fromkeys((*asked.x, *asked.y, *asked.z)))
    found: list[_Found] = []
    greatest = arb(0)
    budget = replace(inquiry.budget, deadline=sooner(inquiry.budget.deadline, share=_SHARE))
    with precision(BITS):
        try:
            paths = solve_paths(inquiry.scope.core, names, inquiry.scope.parameters, budget)
            if not any(isinstance(path.values[name], Polynomial) for path in paths for name in asked.y):
                return None  # that is a channel with known chances
            rows: dict[Values, dict[Values, list[Path]]] = {}
            for path in paths:
                rows.setdefault(values_of(path, asked.z), {}).setdefault(values_of(path, asked.x), []).append(path)
            for given, laws in rows.items():
                for of, against in in_order(pairs(neighbourhoods(tuple(laws), closeness)), given, limit):
                    if limit is not None and (len(found) >= _MOST_PAIRS or limit.is_reached(greatest)):
                        found.append(_Found(of, against, given, (arb(0), most), ()))  # for it and all that follow
                        break
                    if len(found) == _MOST_PAIRS or (budget.expired() and not found):
                        return None
                    both = _without_copies(asked.y, laws[of], laws[against])
                    pair = _Pair(asked.y, *(_normalised(each, asked.y) for each in both))
                    try:
                        bounds = (arb(0), most) if budget.expired() else bound(pair, greatest, budget)
                    except OutOfTime:
                        bounds = arb(0), most
                    except Beyond:
                        if at_once is None or at_once(pair) == unlimited:
                            raise
                        bounds = arb(0), most
                    if at_once is not None and not bounds[1] < most:
                        bounds = bounds[0], _smaller(bounds[1], at_once(pair))
                    greatest = _larger(greatest, bounds[0])
                    found.append(_Found(of, against, given, bounds, tuple(pair.notes)))
                    if bounds[0] == arb.pos_inf():
                        break
        except (Beyond, ArithmeticFault, Fault, TooManyNeighbours):
            return None
        return _told(found, most)


def _told(found: Sequence[_Found], most: arb) -> Told | None:
    if not found:
        return Told(Enclosure.of_number(0))
    leader = found[0]
    upper = leader.bounds[1]
    for each in found[1:]:
        leader = each if each.bounds[0] > leader.bounds[0] else leader
        upper = largest_of(upper, each.bounds[1])
    lower = leader.bounds[0]
    notes = leader.notes
    if lower == arb.pos_inf():
        enclosure = Enclosure(lower, lower, lower, Certainty.EXACT, notes=notes or (UNBOUNDED_LOSS,))
    else:
        middle = (lower + upper) / 2 if upper.is_finite() else lower
        enclosure = Enclosure.bounded(middle, lower, upper, Certainty.CERTIFIED, notes=notes)
    return Told(enclosure, leader.of, leader.against, None, leader.given)


def _normalised(paths: Sequence[Path], y: Sequence[str]) -> list[Path]:
    total: Weight = sum((path.weight for path in paths), fmpq(0))
    if any(path.guards for path in paths):
        total = _exact_mass(paths, y) or total_of(paths)
    return [replace(path, weight=path.weight / total) for path in paths]


def _exact_mass(paths: Sequence[Path], y: Sequence[str]) -> fmpq | None:
    """Return the probability of paths whose one output is a sum of exponentials, where it is rational: their weights stay exact."""
    if len(y) == 1:
        with suppress(Beyond):
            mass = exponentials_of(paths, y[0]).mass()
            return None if mass is None else fmpq(mass.numerator, mass.denominator)
    return None


def _without_copies(y: Sequence[str], of: Sequence[Path], against: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    every = without_copies((*of, *against), y)
    return every[: len(of)], every[len(of) :]


class _Pair:
    """The laws of the outputs for two neighbours; ``notes`` grows with what people should know of the bounds."""

    def __init__(self, y: tuple[str, ...], of: Sequence[Path], against: Sequence[Path]) -> None:
        self.y = y
        self.laws = (of, against)
        self.notes: dict[Note, None] = {}

    # --- δ = 0 --------------------------------------------------------------------------------------------------------

    def loss(self, budget: Budget) -> Bounds:
        """Return bounds of the supremum of the log-ratio, at least 0."""
        shifts = self._shifts(self.y)
        if shifts is not None and (known := shifts.loss) is not None:
            return known.lower(), known.upper()
        top, bottom = (strata_of(paths, self.y) for paths in self.laws)
        found = arb(0), arb(0)
        for key, paths in top.items():
            if key not in bottom:
                self.notes[TOLD_APART] = None
                return arb.pos_inf(), arb.pos_inf()
            continuous = [name for name, value in zip(self.y, key, strict=True) if value is None]
            found = _greater(found, self._of_stratum(continuous, paths, bottom[key], budget))
        return found

    def _of_stratum(
        self, continuous: Sequence[str], top: Sequence[Path], bottom: Sequence[Path], budget: Budget
    ) -> Bounds:
        if not continuous:
            ratio = (total_of(top) / total_of(bottom)).log()
            return ratio.lower(), ratio.upper()
        if len(continuous) == 1:
            try:
                above, below = ([part_of(path, continuous[0]) for path in paths] for paths in (top, bottom))
            except Beyond:
                return loss_at_trials(top, bottom, continuous[0]), arb.pos_inf()
            if not apart(above, below).is_zero():
                self.notes[TOLD_APART] = None
                return arb.pos_inf(), arb.pos_inf()
            return log_ratio(above, below, budget)
        factors = [[factors_of(path, continuous) for path in paths] for paths in (top, bottom)]
        if len(top) == len(bottom) == 1:
            if not products_apart(factors[0][0], factors[1][0]).is_zero():
                self.notes[TOLD_APART] = None
            weight = (total_of(top) / total_of(bottom)).log()
            low, high = loss_of_products(factors[0][0], factors[1][0], budget)
            return (weight + low).lower() if low.is_finite() else low, largest_of(weight + high)
        if len(top) * len(bottom) > _MOST_COUPLED:
            raise Beyond("too many laws to couple")
        mass = (total_of(top) / total_of(bottom)).log().upper()
        upper = arb.neg_inf()
        for here in factors[0]:
            for there in factors[1]:
                upper = largest_of(upper, loss_of_products(here, there, budget)[1])
        lower = arb(0)
        for name in continuous:
            above, below = ([part_of(path, name) for path in paths] for paths in (top, bottom))
            lower = _larger(lower, log_ratio(above, below, budget)[0])
        self.notes[COMPOSED] = None
        return lower, largest_of(upper + mass)

    def _pure(self, budget: Budget) -> arb:
        """Return an upper bound of the loss, infinite where some density is not explicit."""
        try:
            return self.loss(budget)[1]
        except Beyond:
            return arb.pos_inf()

    # --- δ > 0 --------------------------------------------------------------------------------------------------------

    def epsilon(self, delta: Fraction, least: arb, budget: Budget, fine: Fraction = _FINE) -> Bounds:
        """Return bounds of the least ε at a δ > 0; less than ``least``, which another pair has, does not matter."""
        claimed = arb(delta.numerator) / delta.denominator
        if self._apart() > claimed:
            self.notes[TOLD_APART] = None
            return arb.pos_inf(), arb.pos_inf()
        if least > 0:
            rational = least.upper().fmpq()
            start = exact.number(Fraction(int(rational.p), int(rational.q)))
            several = self._dimensions() > 1
            above = (
                self._excess_at_most(start, self._pure(budget), budget) if several else self.excess(start, budget)[1]
            )
            if above <= claimed:
                return arb(0), least
        if self._dimensions() > 1:
            return self._composed(delta, budget)
        return least_epsilon(
            lambda epsilon: self.excess(exact.number(epsilon), budget), delta, Fraction(0), budget, fine=fine
        )

    def _shifts(self, y: tuple[str, ...]) -> Shifts | None:
        return shifts_of(*self.laws, y[0]) if len(y) == 1 else None

    def epsilon_behind_noise(self, delta: Fraction) -> arb:
        """Return an upper bound of the least ε at once, from noise that nothing else in the output holds; infinite where there is none."""
        shifts = self._shifts(self.y)
        if shifts is None:
            return arb.pos_inf()

        def above(epsilon: Fraction) -> Bounds:
            found = shifts.excess(exact.number(epsilon))[1]
            return found, found

        return least_epsilon(above, delta, Fraction(0), UNLIMITED, fine=_ROUGH)[1]

    def excess_behind_noise(self, epsilon: Number) -> arb:
        """Return an upper bound of the excess likewise."""
        shifts = self._shifts(self.y)
        return arb(1) if shifts is None else _smaller(arb(1), shifts.excess(epsilon)[1])

    def _composed(self, delta: Fraction, budget: Budget) -> Bounds:
        """Return bounds of the least ε of several continuous outputs: from composed excesses, and the sum of those at equal shares of δ."""
        self.notes[COMPOSED] = None
        pure, share = self._pure(budget), delta / len(self.y)

        def above(epsilon: Fraction) -> Bounds:
            found = self._excess_at_most(exact.number(epsilon), pure, budget)
            return found, found

        upper = _smaller(pure, least_epsilon(above, delta, Fraction(0), budget, fine=_ROUGH)[1])
        parts, lower = arb(0), arb(0)
        separate = self._is_separate()
        for name in self.y:
            alone = _Pair((name,), *self.laws)
            lower = _larger(lower, alone.epsilon(delta, arb(0), budget, _ROUGH)[0])
            parts += alone.epsilon(share, arb(0), budget, _ROUGH)[1] if separate else arb.pos_inf()
        return lower, _smaller(upper, parts)

    def _is_separate(self) -> bool:
        """Tell whether the outputs are known to be independent of each other under both inputs."""
        return all(are_products(paths, self.y) for paths in self.laws)

    def _dimensions(self) -> int:
        """Return how many outputs are continuous in one run, at most."""
        return max(len([value for value in key if value is None]) for key in strata_of(self.laws[0], self.y))

    def _apart(self) -> arb:
        """Return a probability, under the first input, of outputs that the second never has."""
        top, bottom = (strata_of(paths, self.y) for paths in self.laws)
        found = arb(0)
        for key, paths in top.items():
            continuous = [name for name, value in zip(self.y, key, strict=True) if value is None]
            if key not in bottom:
                found += total_of(paths)
            elif len(continuous) == 1 and not any(is_everywhere(path, continuous[0]) for path in bottom[key]):
                found += apart(*([part_of(path, continuous[0]) for path in each] for each in (paths, bottom[key])))
            elif len(paths) == len(bottom[key]) == 1 and len(continuous) > 1:
                here, there = (factors_of(each[0], continuous) for each in (paths, bottom[key]))
                found += total_of(paths) * products_apart(here, there)
        return found

    def excess(self, epsilon: Number, budget: Budget) -> Bounds:
        """Return bounds of the greatest W(S|x) − e^ε W(S|x′)."""
        if self._dimensions() <= 1:
            return self._bet(self.y, epsilon, budget)
        lower = arb(0)
        for name in self.y:
            lower = _larger(lower, self._bet((name,), epsilon, budget)[0])
        self.notes[COMPOSED] = None
        return lower, self._excess_at_most(epsilon, self._pure(budget), budget)

    def _excess_at_most(self, epsilon: Number, pure: arb, budget: Budget) -> arb:
        """Return an upper bound of the excess of several outputs, whose loss is at most ``pure``."""
        upper = excess_of_loss(pure, epsilon)
        if self._is_separate():
            return _smaller(upper, self._split(epsilon, budget))
        coupled = self._coupled()
        if not coupled:
            return upper
        parts = (weight * _Pair(self.y, [one], [other])._split(epsilon, budget) for weight, one, other in coupled)
        return _smaller(upper, sum(parts, arb(0)).upper())

    def _split(self, epsilon: Number, budget: Budget) -> arb:
        """Return an upper bound of the excess of independent outputs: the sum of theirs at shares of ε."""
        upper = arb(1)
        for split in _splits(epsilon, len(self.y)):
            parts = [self._bet((name,), own, budget)[1] for name, own in zip(self.y, split, strict=True)]
            upper = _smaller(upper, sum(parts, arb(0)).upper())
        return upper

    def _coupled(self) -> list[tuple[arb, Path, Path]]:
        """Return the paths of both laws with their weights, one by one, if these are the same and outputs are independent on each; else nothing."""
        of, against = self.laws
        alike = len(of) == len(against) and all(
            isinstance(one.weight, fmpq) and one.weight == other.weight for one, other in zip(of, against, strict=False)
        )
        if not alike or not all(are_products([path], self.y) for path in (*of, *against)):
            return []
        whole = fmpq(1)  # of a path by itself
        return [
            (weight_of(one), replace(one, weight=whole), replace(other, weight=whole))
            for one, other in zip(of, against, strict=True)
        ]

    def _bet(self, y: tuple[str, ...], epsilon: Number, budget: Budget) -> Bounds:
        """Return bounds of the excess of outputs of which one at most is continuous in a run."""
        shifts = self._shifts(y)
        if shifts is not None and shifts.exact:
            return shifts.excess(epsilon)
        if len(y) == 1 and all(len(paths) == 1 for paths in self.laws) and self._dimensions() > 0:
            (one,), (other,) = self.laws
            if all(is_explicit(path, y[0]) for path in (one, other)):
                closed = _closed(part_of(one, y[0]).placed, part_of(other, y[0]).placed, epsilon)
                if closed is not None:
                    return closed
        half = fmpq(1, 2)
        joined = [
            replace(path, weight=path.weight * half, values={**path.values, INPUT: which})
            for which, paths in zip((1, 0), self.laws, strict=True)
            for path in paths
        ]
        bet: dict[Values, Number] = {(1,): 2, (0,): exact.mul(-2, exact.exp_(epsilon))}
        found = Sight(joined, (INPUT,), y).expected_gain(y, Table({(1,): bet, (0,): {}}), budget)
        return _larger(arb(0), found.lower), _smaller(arb(1), largest_of(found.upper, arb(0)))


def _closed(one: Placed, other: Placed, epsilon: Number) -> Bounds | None:
    """Return bounds of the excess of two whole Laplace or normal laws, or sums with normal noise, that a shift takes to each other, None for others."""
    alike = one.law == other.law and exact.compare(exact.abs_(one.scale), exact.abs_(other.scale)) == 0
    whole = (one.low, one.high) == one.law.ends and (other.low, other.high) == other.law.ends
    if not (alike and whole):
        return None
    distance, size = exact.abs_(exact.sub(one.location, other.location)), exact.abs_(one.scale)
    if isinstance(one.law, Blur):
        aligned = exact.compare(one.scale, other.scale) == 0
        apart_by = exact.div(exact.sub(one.location, other.location), one.scale)
        return excess_of_shift(one.law, apart_by, epsilon) if aligned else None
    match one.law:
        case Laplace():
            scale = exact.mul(size, one.law.parameters[0])
            ball = exact.enclose(Laplace((scale,)).excess_of_shift(distance, epsilon), BITS)
            return _larger(arb(0), ball.lower()), ball.upper()
        case Normal():
            shift = exact.enclose(exact.div(distance, size), BITS) / one.law.values[0].sqrt()
            return shift_excess(shift, exact.exp_(epsilon))
        case _:
            return None


def _splits(epsilon: Number, count: int) -> list[tuple[Number, ...]]:
    """Return ways to share a loss between outputs."""
    alone = [tuple(epsilon if place == at else 0 for place in range(count)) for at in range(count)]
    return [*alone, tuple(exact.div(epsilon, count) for _ in range(count))]


def _greater(one: Bounds, other: Bounds) -> Bounds:
    return _larger(one[0], other[0]), largest_of(one[1], other[1])


def _larger(a: arb, b: arb) -> arb:
    """Return one of two lower bounds of the same, the second one where it is known to be greater."""
    return b if b > a else a


def _smaller(a: arb, b: arb) -> arb:
    """Return one of two upper bounds of the same, the second one where it is known to be less."""
    return b if b < a else a
