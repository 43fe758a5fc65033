"""``DP``, ``Delta`` and ``Cmin`` of continuous outputs: the worst pair of a discrete input's values, from the joint as a Gaussian mixture."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from flint import arb

from seepage import exact, rules
from seepage.data_classes import dataclass
from seepage.engines.outcome import Budget, MixtureJoint
from seepage.exact import Irrational, Number, precision
from seepage.measures.channels.asked_channel import AskedChannel
from seepage.measures.channels.closed_weights import logarithm
from seepage.measures.clock import OutOfTime
from seepage.measures.discrete.weights import Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian.privacy import (
    Law,
    NotDiscrete,
    Pair,
    all_told,
    certain,
    excess,
    farthest_of,
    laws,
    least_epsilon,
    log_ratio,
    profile,
    share,
)
from seepage.measures.gaussian.ratio import Share
from seepage.measures.gaussian.strata import PRECISION, Key, strata
from seepage.measures.gaussian.sum import honest, note
from seepage.measures.notes import Note
from seepage.measures.planning.table import row_of
from seepage.measures.privacy.bounds import UNBOUNDED
from seepage.measures.privacy.neighbours import Closeness, Neighbourhood, TooManyNeighbours, neighbourhoods, pairs
from seepage.measures.result import Certainty
from seepage.measures.scope import fail

UNBOUNDED_LOSS = Note(
    "outputs exist at which the ratio of the densities exceeds every bound: only with a 'delta' is the loss finite"
)

_NO_SHIFT = " and the outputs are not its multiple plus independent noise: normal, one that is Laplace, or both"

_MOST_PAIRS = 300  # whose laws are compared by integration
_DELTA_BITS = 64

Laws = Mapping[Values, Law]


@dataclass(frozen=True, slots=True)
class Told:
    """A supremum over pairs of neighbours, and where it is reached; ``of`` is None without neighbours.

    ``shift`` is set for a continuous input, of which only the distance of two values matters: that of the worst pairs, 0 if there is none to name.
    """

    enclosure: Enclosure
    of: Values | None = None
    against: Values | None = None
    at: Values | None = None
    given: Values = ()
    shift: Number | None = None


@dataclass(frozen=True, slots=True)
class _Bound:
    """Bounds for one pair, in closed form where it is known."""

    lower: arb
    upper: arb
    closed: Number | None = None
    at: Values | None = None
    exact: bool = False


def worst_loss(asked: AskedChannel, joint: MixtureJoint, closeness: Closeness, delta: Number) -> Told:
    """Return the least ε at which a channel with a discrete input is (ε, δ)-differentially private.

    Raises:
        Fault: at the measure, for an input that is not discrete or too many pairs.
        OutOfTime: past the budget's deadline.
    """
    budget = asked.evaluation.inquiry.budget
    nothing = Enclosure.of_number(0)
    if exact.compare(delta, 1) >= 0:
        return Told(nothing)
    if exact.sign(delta) == 0:
        found = _worst(asked, joint, closeness, lambda pair, _: _ratio(pair, budget), arb.pos_inf())
        told = _told(found, nothing, arb.pos_inf())
        notes = _why_unbounded(told.enclosure)
        return _honestly(replace(told, enclosure=note(told.enclosure, *notes)), joint, arb.pos_inf())
    below, above = _rationals(delta)
    found = _worst(
        asked, joint, closeness, lambda pair, start: _epsilon(pair, below, above, start, budget), arb.pos_inf()
    )
    return _honestly(_told(found, nothing, arb.pos_inf()), joint, arb.pos_inf())


def worst_excess(asked: AskedChannel, joint: MixtureJoint, closeness: Closeness, factor: Number) -> Told:
    """Return the least δ at which a channel with a discrete input is (ε, δ)-differentially private, with ``factor`` :math:`= e^\\varepsilon`.

    Raises:
        Fault: at the measure, for an input that is not discrete or too many pairs.
        OutOfTime: past the budget's deadline.
    """
    budget = asked.evaluation.inquiry.budget

    def bound(pair: Pair, _: arb) -> _Bound:
        lower, upper = excess(pair, factor, budget)
        return _Bound(lower, upper)

    found = _worst(asked, joint, closeness, bound, arb(1))
    return _honestly(_told(found, Enclosure.of_number(0), arb(1)), joint, arb(1))


def told_at_most(asked: AskedChannel, joint: MixtureJoint) -> Enclosure:
    """Return ``Cmin`` of a discrete input and a continuous output, in nats.

    Raises:
        Fault: at the measure, for an input that is not discrete.
        OutOfTime: past the budget's deadline.
    """
    with precision(PRECISION):
        ((_, rows),) = _laws(asked, joint).items()
        found = all_told(rows, asked.y, asked.evaluation.inquiry.budget)
        most = arb(len(rows)).log()
        if found.exact is not None and not joint.approximations:
            return Enclosure.of_number(logarithm(found.exact))
        low, high = (end.max(arb(1)).log() for end in (found.lower, found.upper))
        high = high if high < most else most
        nats = Enclosure.bounded((low + high) / 2, low.lower(), high.upper(), found.certainty, notes=found.notes)
        return honest(nats, joint, lower=arb(0), upper=most.upper())


def _laws(asked: AskedChannel, joint: MixtureJoint) -> dict[Values, dict[Values, Law]]:
    if joint.cut is not None:
        message = f"not supported yet: '{asked.call.name}' of continuous variables beside discrete ones with infinitely many values"
        fail(rules.NOT_SUPPORTED, asked.place, message)
    try:
        return laws(joint, asked.x, asked.y, asked.z)
    except NotDiscrete as name:
        message = f"not supported yet: '{asked.call.name}' where '{name}' is continuous"
        is_shift = row_of(asked.call).functional != "gain" and str(name) in asked.x
        fail(rules.NOT_SUPPORTED, asked.place, message + _NO_SHIFT if is_shift else message)


# --- the worst pair ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Candidate:
    given: Values
    of: Values
    against: Values
    pair: Pair


_Found = list[tuple[_Candidate, _Bound]]


def _worst(
    asked: AskedChannel, joint: MixtureJoint, closeness: Closeness, bound: Callable[[Pair, arb], _Bound], most: arb
) -> _Found:
    """Bound every pair that may be the worst, the bound getting the greatest lower one so far; nothing without neighbours.

    What time does not suffice for is between 0 and ``most``.
    """
    with precision(PRECISION):
        exact_joint = replace(joint, approximations=())
        candidates = sorted(_candidates(asked, _laws(asked, exact_joint), closeness), key=_nearness)
    if len(candidates) > _MOST_PAIRS:
        message = f"{len(candidates):,} pairs of laws to compare, more than {_MOST_PAIRS:,}"
        fail(rules.BUDGET_EXCEEDED, asked.place, message, "name a 'distance', or an input with fewer values")
    found: _Found = []
    greatest = arb(0)
    for candidate in candidates:
        one = _Bound(arb(0), most)
        if not asked.evaluation.inquiry.budget.expired():
            with contextlib.suppress(OutOfTime), precision(PRECISION):
                one = bound(candidate.pair, greatest)
        found.append((candidate, one))
        greatest = one.lower if one.lower > greatest else greatest
        if not greatest.is_finite():
            break
    if all(one.lower.is_zero() and one.upper == most for _, one in found) and asked.evaluation.inquiry.budget.expired():
        fail(rules.TIME_LIMIT, asked.place, f"the time limit was reached after {len(found):,} pairs of neighbours")
    return found


def _nearness(candidate: _Candidate) -> float:
    """Return minus how far the means are apart: the worst pair is most often the one that lies furthest apart."""
    centres = [
        sum(float(one.weight) * float(one.mean[0]) for one in law if one.mean)
        for law in (candidate.pair.of, candidate.pair.against)
    ]
    return -abs(centres[0] - centres[1])


def _candidates(asked: AskedChannel, by_given: Mapping[Values, Laws], closeness: Closeness) -> Iterator[_Candidate]:
    """Yield pairs of neighbours of which one is the worst: of normal laws of one variance those furthest apart, of pairs that only
    a shift tells apart one."""
    seen: set[Hashable] = set()
    for given, rows in by_given.items():
        singles = {one: _single(law, asked.y) for one, law in rows.items()}
        try:
            near = neighbourhoods(tuple(rows), closeness)
        except TooManyNeighbours as many:
            fail(rules.BUDGET_EXCEEDED, asked.place, f"too many neighbours: {many.reason}")
        chosen: list[Neighbourhood] = []
        for each in near:
            inputs = each.inputs
            groups: dict[Hashable, list[Values]] = {}
            for one in inputs:
                alone = singles[one]
                groups.setdefault(one if alone is None else (alone[0], alone[1].spread), []).append(one)
            if len(groups) == 1 and len(inputs) > 2 and all(singles[one] is not None for one in inputs):
                ordered = sorted(inputs, key=lambda one: _place(singles[one]))
                chosen.append(Neighbourhood.among((ordered[0], ordered[-1])))
            else:
                chosen.append(each)
        for count, (of, against) in enumerate(pairs(chosen)):
            if count > 50 * _MOST_PAIRS:
                fail(
                    rules.BUDGET_EXCEEDED, asked.place, f"more than {count:,} pairs of neighbours", "name a 'distance'"
                )
            name = _shape(rows[of], rows[against], asked.y)
            if name is None or name not in seen:
                seen.add(name)
                yield _Candidate(given, of, against, Pair(asked.y, rows[of], rows[against]))


def _single(law: Law, y: Sequence[str]) -> tuple[Key, Share] | None:
    """Return a law that is one normal distribution in one continuous output, with the values of the others."""
    if len(law) != 1:
        return None
    ((key, pieces),) = strata(MixtureJoint(tuple(y), law), y).items()
    return (key, share(pieces[0])) if sum(part is None for part in key) == 1 and len(pieces) == 1 else None


def _place(single: tuple[Key, Share] | None) -> float:
    return 0.0 if single is None else float(single[1].mean.mid())


def _shape(of: Law, against: Law, y: Sequence[str]) -> Hashable:
    """Return what two pairs share if a shift takes one to the other, None where that is not decided."""
    if len(y) != 1 or not all(
        one.values == (None,) and one.mean[0].is_exact() and one.covariance[0][0].is_exact() for one in (*of, *against)
    ):
        return None
    origin = of[0].mean[0].fmpq()
    return tuple(
        tuple((str(one.weight), one.mean[0].fmpq() - origin, one.covariance[0][0].fmpq()) for one in law)
        for law in (of, against)
    )


def _told(found: _Found, nothing: Enclosure, most: arb) -> Told:
    """Return the supremum of what pairs were bounded by."""
    if not found:
        return Told(nothing)
    candidate, leader = found[0]
    upper = leader.upper
    for other, bound in found[1:]:
        if bound.lower > leader.lower:
            candidate, leader = other, bound
        upper = bound.upper if bound.upper > upper else upper
    others_below = all(
        bound is leader or bound.upper <= leader.lower or bound.closed == leader.closed for _, bound in found
    )
    if leader.closed is not None and others_below:
        enclosure = Enclosure.of_number(leader.closed)
    elif not leader.lower.is_finite():
        enclosure = Enclosure(most, most, most, Certainty.EXACT)
    else:
        tight = upper.is_finite() and upper - leader.lower <= arb(2) ** -100
        certainty = Certainty.EXACT if tight else Certainty.CERTIFIED
        middle = (leader.lower + upper) / 2 if upper.is_finite() else leader.lower
        enclosure = Enclosure.bounded(middle, leader.lower, upper, certainty)
    return Told(enclosure, candidate.of, candidate.against, leader.at, candidate.given)


def _why_unbounded(enclosure: Enclosure) -> tuple[Note, ...]:
    if not enclosure.lower.is_finite():
        return (UNBOUNDED_LOSS,)
    return () if enclosure.upper.is_finite() else (UNBOUNDED,)


def _honestly(told: Told, joint: MixtureJoint, most: arb) -> Told:
    """Keep of an approximation's number only what holds for every law."""
    return replace(told, enclosure=honest(told.enclosure, joint, lower=arb(0), upper=most))


# --- one pair ---------------------------------------------------------------------------------------------------------


def _ratio(pair: Pair, budget: Budget) -> _Bound:
    found = log_ratio(pair, budget)
    closed = None if found.ratio is None else logarithm(exact.number(found.ratio))
    at = None if found.at is None else tuple(part for part in found.at if part is not None)
    return _Bound(found.lower, found.upper, closed, at)


def _epsilon(pair: Pair, below: Fraction, above: Fraction, start: arb, budget: Budget) -> _Bound:
    """Bound the least ε of one pair, for a δ between two rationals; ``start``: less does not matter."""
    infinite = arb.pos_inf()
    told = certain(pair)
    if (told if isinstance(told, arb) else arb(told)) > arb(above.numerator) / above.denominator:
        return _Bound(infinite, infinite)
    profile_of = profile(pair, budget)
    floor = Fraction(0)
    if start > 0:
        rational = start.lower().fmpq()
        floor = Fraction(int(rational.p), int(rational.q))
        if profile_of(floor)[1] <= arb(below.numerator) / below.denominator:
            return _Bound(arb(0), start)
    farthest = farthest_of(pair)
    lower, upper = least_epsilon(profile_of, below, floor, budget, farthest=farthest)
    if above != below:
        lower = least_epsilon(profile_of, above, Fraction(0), budget, farthest=farthest)[0]
    return _Bound(lower if lower > start or not start > 0 else arb(0), upper, 0 if not upper > 0 else None)


def _rationals(delta: Number) -> tuple[Fraction, Fraction]:
    """Return rationals around a δ, itself twice where it is rational."""
    if not isinstance(delta, Irrational):
        return Fraction(delta), Fraction(delta)
    enclosed = exact.enclose(delta, 2 * _DELTA_BITS)
    low, high = (end.fmpq() for end in (enclosed.lower(), enclosed.upper()))
    return Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q))
