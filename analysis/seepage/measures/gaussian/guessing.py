r"""Guessing a discrete secret of a Gaussian mixture: expected gains after continuous, discrete or mixed outputs are seen.

For each guess w the expected gain :math:`\sum_x p(x, y) g(w, x)` is a combination of Gaussian densities in y, and what the attacker can expect is the integral of the
greatest (measures.md, "Definitions not in the paper"): over atoms a sum, in one dimension an integral with guaranteed bounds (:mod:`gaussian_maximum`),
also where a linear statistic in one dimension tells all that y tells (:mod:`gaussian_reduction`); in more dimensions bounds from a grid
(:mod:`gaussian_grid`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from typing import TypeAlias

from flint import arb, fmpq, fmpz

from seepage import exact
from seepage.engines.forward.coefficients import RATIONALS, balls
from seepage.engines.outcome import Budget, DiscreteJoint, MixtureJoint
from seepage.exact import Number, precision
from seepage.measures.arithmetic import add
from seepage.measures.discrete.weights import Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian.cut import cut_gain, cut_guesses, need_discrete
from seepage.measures.gaussian.grid import grid_bounds
from seepage.measures.gaussian.maximum import Bell, integral_of_maximum, of_shifted_bells
from seepage.measures.gaussian.quadrature_frame import NotResolved, WeightedGaussian
from seepage.measures.gaussian.reduction import reduce_dimension
from seepage.measures.gaussian.strata import (
    PRECISION,
    Key,
    Piece,
    Support,
    Weight,
    ball,
    basis,
    full_rank,
    is_discrete,
    mass,
    separates,
    spread_of,
    strata,
    support_of,
)
from seepage.measures.gaussian.sum import clip, honest
from seepage.measures.gaussian.tuples import COARSE as NARROW
from seepage.measures.guessing.gains import (
    Amount,
    Distance,
    Gain,
    Table,
    Tries,
    amount,
    greatest,
    greatest_gain,
    plus,
    rational,
)
from seepage.measures.notes import Note
from seepage.measures.result import Certainty

COARSE = Note("bounds from a grid: no integral is computed in two or more dimensions")
MANY_GUESSES = "there are too many ways to guess"

MOST_GUESSES = 1_000  # whose combinations are compared
MOST_WAYS = 20_000  # of guessing that are looked at for those


def has_atoms_only(joint: MixtureJoint, x: Sequence[str]) -> bool:
    """Tell whether some variables are discrete."""
    with precision(PRECISION):
        return is_discrete(strata(joint, x))


def as_discrete(joint: MixtureJoint) -> DiscreteJoint[fmpq] | DiscreteJoint[arb] | None:
    """Return a mixture of atoms as a discrete joint, over exact rationals where its weights are; None if some component is continuous or
    approximate."""
    if joint.approximations or (joint.cut is not None and not joint.cut.discrete >= set(joint.variables)):
        return None
    masses: dict[Values, Amount] = {}
    for component in joint.components:
        values = tuple(value for value in component.values if value is not None)
        if len(values) < len(component.values):
            return None
        masses[values] = plus(masses.get(values, fmpq(0)), component.weight)
    exact_masses = {values: one for values, one in masses.items() if isinstance(one, fmpq)}
    if len(exact_masses) == len(masses) and joint.cut is None:
        return DiscreteJoint(joint.variables, RATIONALS, exact_masses, sum(exact_masses.values(), fmpq(0)))
    as_balls = {values: arb(one) for values, one in masses.items()}
    return DiscreteJoint(joint.variables, balls(PRECISION), as_balls, sum(as_balls.values(), arb(0)), joint.cut)


def expected_gain(joint: MixtureJoint, x: Sequence[str], y: Sequence[str], gain: Gain, budget: Budget) -> Enclosure:
    """Return the greatest expected gain from guessing the discrete ``x`` after ``y`` is seen.

    Raises:
        ValueError: if ``x`` is not discrete, or the joint lacks a variable.
        OutOfTime: past the budget's deadline.
    """
    with precision(PRECISION):
        need_discrete(joint, x)
        found = _gained(joint, _by_output(joint, x, y), separates(joint, y, x), gain, budget)
        return cut_gain(found, joint, gain)


_Groups: TypeAlias = Mapping[Key, Mapping[Values, tuple[Piece, ...]]]


def _gained(joint: MixtureJoint, groups: _Groups, separate: bool, gain: Gain, budget: Budget) -> Enclosure:
    """Return the expected gain from what is seen, by patterns of atoms; ``separate``: it provably tells the secret."""
    if separate:
        # Which outputs a secret has does not matter then.
        known = [(value, mass(pieces)) for group in groups.values() for value, pieces in group.items()]
        found = _of_atoms([{value: weight} for value, weight in known], gain, budget)
    else:
        atoms = [key for key in groups if all(part is not None for part in key)]
        terms = [_of_density(group, gain, budget) for key, group in groups.items() if any(part is None for part in key)]
        if atoms:
            masses = [{value: mass(pieces) for value, pieces in groups[key].items()} for key in atoms]
            terms.append(_of_atoms(masses, gain, budget))
        found = add(*terms)
    if not isinstance(gain, Tries):
        return honest(found, joint)
    found = found if found.exact is not None else clip(found, lower=arb(0), upper=arb(1))
    return honest(found, joint, lower=arb(0), upper=arb(1))


def _by_output(joint: MixtureJoint, x: Sequence[str], y: Sequence[str]) -> _Groups:
    """Return for each pattern of atoms of ``y`` the pieces of each value of ``x``, normalised together."""
    names = tuple(dict.fromkeys((*x, *y)))
    groups: dict[Key, dict[Values, tuple[Piece, ...]]] = {}
    for key, pieces in strata(joint, names).items():
        value = tuple(part for name in x if (part := key[names.index(name)]) is not None)
        if len(value) < len(x):
            raise ValueError("expected discrete variables to guess")
        seen = tuple(key[names.index(name)] for name in y)
        groups.setdefault(seen, {})[value] = pieces
    return groups


def _of_atoms(groups: Sequence[Mapping[Values, Weight]], gain: Gain, budget: Budget) -> Enclosure:
    """Return the sum over atoms of y, each with the probabilities of the secret there; exact where these are."""
    whole = _whole(groups)
    if whole is None:
        in_balls = [{value: ball(weight) for value, weight in group.items()} for group in groups]
        return Enclosure.of_ball(arb(greatest_gain(in_balls, gain, budget)))
    weights, common = whole
    found = greatest_gain(weights, gain, budget)
    value = rational(found)
    return Enclosure.of_ball(arb(found) / common) if value is None else Enclosure.of_rational(value / common)


def _whole(groups: Sequence[Mapping[Values, Weight]]) -> tuple[list[dict[Values, fmpz]], int] | None:
    """Return rational weights as whole multiples of a unit fraction, with its denominator; None where some weight is a ball."""
    rationals = [{value: one for value, one in group.items() if isinstance(one, fmpq)} for group in groups]
    if any(len(group) < len(original) for group, original in zip(rationals, groups, strict=True)):
        return None
    common = math.lcm(*(int(one.q) for group in rationals for one in group.values()))
    return [{value: one.p * (common // int(one.q)) for value, one in group.items()} for group in rationals], common


def _of_density(group: Mapping[Values, tuple[Piece, ...]], gain: Gain, budget: Budget) -> Enclosure:
    """Return the integral over one stratum where ``y`` has continuous coordinates: the sum of those over supports that exclude each other."""
    terms = [_on_support(part, gain, budget) for part in _by_support(group)]
    return add(*terms)


def _by_support(group: Mapping[Values, tuple[Piece, ...]]) -> list[dict[Values, tuple[Piece, ...]]]:
    """Split the pieces of a stratum by where they live, as far as that is provably apart; affine subspaces that differ exclude each other."""
    parts: list[tuple[Support | None, dict[Values, tuple[Piece, ...]]]] = []
    for value, pieces in group.items():
        for piece in pieces:
            place = support_of(piece)
            met = [part for part in parts if not _apart(part[0], place)]
            joined: dict[Values, tuple[Piece, ...]] = {}
            for _, others in met:
                for one, own in others.items():
                    joined[one] = (*joined.get(one, ()), *own)
            joined[value] = (*joined.get(value, ()), piece)
            known = _around([place, *(part[0] for part in met)])
            parts = [part for part in parts if part not in met] + [(known, joined)]
    return [part for _, part in parts]


def _around(places: Sequence[Support | None]) -> Support | None:
    """Return what holds all of some supports with the same relations; None is anywhere."""
    known = [place for place in places if place is not None]
    if len(known) < len(places):
        return None
    offsets = zip(*(place.offsets for place in known), strict=True)
    return Support(known[0].relations, tuple(reduce(arb.union, every) for every in offsets))


def _apart(a: Support | None, b: Support | None) -> bool:
    """Tell whether two supports provably differ."""
    if a is None or b is None:
        return False
    return a.relations != b.relations or not all(x.overlaps(y) for x, y in zip(a.offsets, b.offsets, strict=True))


def _on_support(group: Mapping[Values, tuple[Piece, ...]], gain: Gain, budget: Budget) -> Enclosure:
    masses = {value: mass(pieces) for value, pieces in group.items()}
    if len(masses) == 1:
        return _of_atoms([masses], gain, budget)
    # Whatever y tells, it is at least nothing and at most everything.
    lower = _of_atoms([masses], gain, budget).lower
    upper = _of_atoms([{value: weight} for value, weight in masses.items()], gain, budget).upper
    bounds = _integral(group, gain, budget)
    if isinstance(bounds, str):
        return _between(lower, upper, _trivial(bounds))
    low, high, notes = bounds
    return _between(low if low > lower else lower, high if high < upper else upper, *notes)


def _between(lower: arb, upper: arb, *notes: Note) -> Enclosure:
    return Enclosure.bounded((lower + upper) / 2, lower, upper, Certainty.CERTIFIED, notes=notes)


def _trivial(why: str) -> Note:
    return Note(f"only bounds that hold for every output are known: {why}")


def _integral(
    group: Mapping[Values, tuple[Piece, ...]], gain: Gain, budget: Budget
) -> tuple[arb, arb, tuple[Note, ...]] | str:
    """Return bounds of the integral over one support and what is to be said of them; where nothing is known, why."""
    pieces, combinations = _combinations(group, gain)
    if not combinations:
        return MANY_GUESSES
    if len(pieces) == 1:  # whatever is seen says nothing of the secret
        gained = greatest(row.get(0, arb(0)) for row in combinations)
        return gained.lower(), gained.upper(), ()
    chosen = _coordinates(pieces)
    if chosen is None:
        return "the outputs have no joint density"
    gaussians = [_seen_at(piece, chosen) for piece in pieces]
    try:
        reduced = reduce_dimension(gaussians) if len(chosen) > 1 else None
    except NotResolved as reason:
        return str(reason)
    if reduced is not None:
        gaussians = list(reduced.mixture)
    if len(gaussians[0].mean) == 1:
        bells = [Bell(gaussian.mean[0], gaussian.covariance[0][0].sqrt()) for gaussian in gaussians]
        alike = len(chosen) == 1 and len({spread_of(piece) for piece in pieces}) == 1 and len(pieces[0].mean) == 1
        if alike and (closed := of_shifted_bells(bells, combinations)) is not None:
            return closed.lower(), closed.upper(), ()
        return (*integral_of_maximum(bells, combinations, budget), ())
    rows = [[row.get(k, arb(0)) for k in range(len(pieces))] for row in combinations]
    found = grid_bounds(gaussians, rows, budget)
    if found is None:
        return "the time limit was reached" if budget.expired() else "the outputs have too many dimensions for a grid"
    return (*found, (COARSE,))


def _coordinates(pieces: Sequence[Piece]) -> tuple[int, ...] | None:
    """Return coordinates that determine all others in the same way in every piece, None where that is not proved."""
    if full_rank(pieces):
        return tuple(range(len(pieces[0].mean)))
    places = [support_of(piece) for piece in pieces]
    first = places[0]
    if first is None or any(
        place is None
        or place.relations != first.relations
        or not all(a == b for a, b in zip(place.offsets, first.offsets, strict=True))
        for place in places
    ):
        return None
    return basis(pieces[0].rows)


def _seen_at(piece: Piece, chosen: Sequence[int]) -> WeightedGaussian:
    """Return a piece in some of its coordinates; its weight is in the combinations."""
    covariance = tuple(tuple(piece.covariance[i][j] for j in chosen) for i in chosen)
    return WeightedGaussian(arb(1), tuple(piece.mean[i] for i in chosen), covariance)


def _combinations(group: Mapping[Values, tuple[Piece, ...]], gain: Gain) -> tuple[list[Piece], list[dict[int, arb]]]:
    """Return the Gaussians of a stratum, equal ones once, and for each guess how much of each it gains; no guess where there are too many."""
    places: dict[Hashable, int] = {}
    pieces: list[Piece] = []
    weights: list[tuple[Values, int, Weight]] = []
    for value, own in group.items():
        for piece in own:
            name: Hashable = piece.identity if piece.certain else (value, len(pieces))
            if name not in places:
                places[name] = len(pieces)
                pieces.append(piece)
            weights.append((value, places[name], piece.weight))
    combinations: dict[Hashable, dict[int, arb]] = {}
    if isinstance(gain, Tries) and math.comb(len(group), min(gain.count, len(group))) > MOST_WAYS:
        return pieces, []
    for row in guesses_of(list(group), gain):
        shares: dict[int, Amount] = {}
        for value, at, weight in weights:
            if value in row:
                shares[at] = plus(shares.get(at, fmpq(0)), _product(amount(row[value]), weight))
        # Guesses that gain the same, as those of values that differ in nothing that is seen, count once.
        rationals = [(k, one) for k, one in sorted(shares.items()) if isinstance(one, fmpq)]
        name = tuple(rationals) if len(rationals) == len(shares) else len(combinations)
        combinations[name] = {k: arb(one) for k, one in shares.items()}
        if len(combinations) > MOST_GUESSES:
            return pieces, []
    return pieces, list(combinations.values())


def _product(a: Amount, b: Amount) -> Amount:
    return arb(a) * arb(b) if isinstance(a, arb) or isinstance(b, arb) else a * b


def guesses_of(values: Sequence[Values], gain: Gain) -> Iterable[Mapping[Values, Number]]:
    """Yield for each guess what every value gains."""
    match gain:
        case Tries(count=count):
            for tried in itertools.combinations(values, min(count, len(values))):
                yield dict.fromkeys(tried, 1)
        case Distance(extent=extent):
            for (guess,) in values:
                yield {(value,): _near(guess, value, extent) for (value,) in values}
        case Table(gains=rows):
            yield from rows.values()


def _near(guess: Number, value: Number, extent: Number) -> Number:
    if extent == 0:
        return 1
    return exact.sub(1, exact.div(exact.abs_(exact.sub(guess, value)), extent))


def guessing_entropy(joint: MixtureJoint, x: Sequence[str], y: Sequence[str], budget: Budget) -> Enclosure:
    r"""Return the expected number of guesses of ``x`` after ``y`` is seen: :math:`\sum_{k \ge 0} (1 - T_k)`, with :math:`T_k` the chance that k tries are enough.

    Raises:
        ValueError: if ``x`` is not discrete, or the joint lacks a variable.
        OutOfTime: past the budget's deadline.
    """
    with precision(PRECISION):
        groups, separate = _by_output(joint, x, y), separates(joint, y, x)
        values = {value for group in groups.values() for value in group}
        found, last, k = Enclosure.of_rational(Fraction(1)), Enclosure.of_rational(Fraction(1)), 0
        while k + 1 < len(values) and (separate or math.comb(len(values), k + 1) <= MOST_WAYS):
            k += 1
            last = _without(_gained(joint, groups, separate, Tries(k), budget))
            found = add(found, last)
        if k + 1 < len(values):
            # More tries fail less often than the last number of them that was looked at.
            found = add(found, _between(arb(0), (len(values) - 1 - k) * last.upper, _trivial(MANY_GUESSES)))
        if found.upper - found.lower < NARROW:
            found = replace(found, notes=())  # they say why bounds are wide
        need_discrete(joint, x)
        found = cut_guesses(found, joint)
    return honest(found, joint, lower=arb(1), upper=arb(len(values)) if joint.cut is None else None)


def _without(chance: Enclosure) -> Enclosure:
    """Return 1 − a chance."""
    with precision(PRECISION):
        if chance.exact is not None:
            return Enclosure.of_rational(1 - chance.exact)
        lower, upper = (1 - chance.upper).lower(), (1 - chance.lower).upper()
        return Enclosure.bounded(1 - chance.value, lower, upper, chance.certainty, notes=chance.notes)
