r"""The sum J of two continuous values together: :math:`J(x, y) = J(x) + \int f(x)\, h(y \mid x)\, dx`, with the entropy h of the noise given x.

On places of x where several paths meet, y given x is a mixture over them. It is known where all of them say the same of y, or where they
differ by shifts only and in proportions that do not depend on x: then h does not depend on x, either.

Where noise is normal with variance v(x), :math:`h = \frac12 \log(2 \pi e v(x))` is integrated between the breaks, beside a place where v vanishes or the
density is not regular in the logarithm of the distance; a tail of mass m is bounded by
:math:`|h| \le \frac12 |\log(2 \pi e v_0)| + \frac{v(x)}{2 v_0}`, with :math:`v_0 \le v`, and by Schwarz' inequality :math:`\int v \le \sqrt{m\,E(v^2)}`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cmp_to_key
from itertools import pairwise

from flint import acb, arb

from seepage.engines.pivot.conditionals import Conditional, Noise, composed, conditional_of
from seepage.engines.pivot.densities import Piece
from seepage.engines.pivot.path import Path
from seepage.engines.pivot.vanishing import Vanishing, least_of, shifted
from seepage.exact import Number, add, compare, enclose, mul, sign, sub
from seepage.laws.forms import Beyond, Polynomial
from seepage.laws.law import Edge, Law, Log, dyadic
from seepage.laws.normal import Normal
from seepage.measures.pivot.integral import GOAL
from seepage.measures.pivot.panels import bound_beside
from seepage.measures.pivot.strata import density_entropy, mixture_entropy

_TAIL_BITS = 100
_NEAR_BITS = 60


def pair_entropy(paths: Sequence[Path], names: tuple[str, str], total: arb) -> arb:
    """Enclose J of two values that are continuous on all of some paths, and singular together on none.

    Raises:
        Beyond: if neither given the other is of a known kind.
    """
    reason = Beyond("")
    best: arb | None = None
    for given, other in (names, names[::-1]):
        values = [(path, path.values[given], path.values[other]) for path in paths]
        pairs = [(path, x, y) for path, x, y in values if isinstance(x, Polynomial) and isinstance(y, Polynomial)]
        try:
            conditionals = [conditional_of(path, x, y) for path, x, y in pairs]
            inner, groups = _conditional_entropy(conditionals)
            found = density_entropy(paths, given, total) + inner / total
            if groups is None:
                return found
            # h(y | x, L) <= h(y | x) <= h(y | x, L) + H(L | x), L telling which of the groups it is
            own = [density_entropy([paths[i] for i in group], given, total) for group in groups]
            label = sum(own, arb(0)) - density_entropy(paths, given, total)
            found += arb(0).union(label.upper())
            best = found if best is None else best.intersection(found)
        except Beyond as beyond:
            reason = beyond
    if best is not None:
        return best
    raise reason


def _conditional_entropy(conditionals: Sequence[Conditional]) -> tuple[arb, list[list[int]] | None]:
    """Enclose ∫ f(x) h(y | x) dx, f as it stands, not normalised.

    Where groups of paths say different things of one place it is ∫ f(x) h(y | x, group) dx, and the places of the groups are returned, too.
    """
    groups: list[list[Conditional]] = []
    places: list[list[int]] = []
    for place, one in enumerate(conditionals):
        for group, held in zip(groups, places, strict=True):
            if all(_say_the_same(each, one) for each in group) or _are_shifted(group, one):
                group.append(one)
                held.append(place)
                break
        else:
            groups.append([one])
            places.append([place])
    overlapping = False
    for first, others in ((group, groups[:i]) for i, group in enumerate(groups)):
        for second in others:
            overlapping = overlapping or any(_overlap(a, b) for a in first for b in second)
    return sum((_of_group(group) for group in groups), arb(0)), places if overlapping else None


def _say_the_same(a: Conditional, b: Conditional) -> bool:
    return a.mean == b.mean and a.noise == b.noise


def _are_shifted(group: Sequence[Conditional], one: Conditional) -> bool:
    """Tell whether a path tells of the same x as a group, and of y up to a shift and a fixed noise."""
    first = group[0]
    return (
        all(each.window is None and each.noise.is_fixed for each in (*group, one))
        and all(replace(each.piece, weight=one.piece.weight) == one.piece for each in group)
        and first.mean[1:] == one.mean[1:]
    )


def _overlap(a: Conditional, b: Conditional) -> bool:
    (low, high), (other_low, other_high) = _interval(a.piece), _interval(b.piece)
    before = high is not None and other_low is not None and compare(high, other_low) <= 0
    after = low is not None and other_high is not None and compare(other_high, low) <= 0
    return not before and not after


def _interval(piece: Piece) -> tuple[Edge, Edge]:
    ends = [None if z is None else add(piece.location, mul(piece.scale, z)) for z in (piece.low, piece.high)]
    return (ends[0], ends[1]) if sign(piece.scale) > 0 else (ends[1], ends[0])


def _of_group(group: Sequence[Conditional]) -> arb:
    first = group[0]
    if not all(_say_the_same(first, one) for one in group):
        mass = sum((one.piece.weight for one in group), arb(0))
        noises = [(one.piece.weight / mass, one.mean[0] if one.mean else 0, one.noise) for one in group]
        return mass * _chance(first.piece) * _mixed(noises)
    if first.noise.is_fixed:
        return sum((_mass(one) for one in group), arb(0)) * _mixed([(arb(1), 0, first.noise)])
    return sum((_integral(one) for one in group), arb(0))


def _chance(piece: Piece) -> arb:
    return piece.law.probability(piece.low, piece.high)


def _mass(one: Conditional) -> arb:
    if one.window is None:
        return one.piece.weight * _chance(one.piece)
    window = one.window
    if (one.piece.low, one.piece.high) != one.piece.law.ends:
        raise Beyond("guards that depend on each other")
    spread = mul(mul(window.slope, window.slope), one.piece.law.parameters[0])
    return one.piece.weight * Normal((add(spread, window.variance),)).probability(window.low, window.high)


def _mixed(noises: Sequence[tuple[arb, Number, Noise]]) -> arb:
    """Enclose the entropy of a mixture of noises (weight, shift, noise) that do not depend on x."""
    pieces: list[Piece] = []
    gaussians: list[tuple[arb, arb, arb]] = []
    for weight, shift, noise in noises:
        if noise.law is not None:
            pieces.append(Piece(weight, shift, noise.scale, noise.law, *noise.law.ends))
        else:
            gaussians.append((weight, enclose(shift), enclose(noise.variance[0])))
    if not pieces and len(gaussians) == 1:
        return (2 * arb.pi() * arb(1).exp() * gaussians[0][2]).log() / 2
    return mixture_entropy(pieces, gaussians)


def _integral(one: Conditional) -> arb:
    """Enclose ∫ f(x) ½ log(2πe v(x)) dx, in the coordinate of the source."""
    law = one.piece.law
    polynomial = composed(one.noise.variance, (one.piece.location, one.piece.scale))
    variance = [enclose(c) for c in polynomial]
    least = least_of(polynomial) if isinstance(one.noise.least, Vanishing) else one.noise.least
    if least is None:
        raise Beyond("noise that vanishes in ways that are not followed")
    zero = least.zero if isinstance(least, Vanishing) else None
    (low, high), lost = _ends(one.piece)
    breaks = {edge for edge in (*law.breaks, zero) if edge is not None and compare(low, edge) < 0 < compare(high, edge)}
    found = arb(0)
    for a, b in pairwise([low, *sorted(breaks, key=cmp_to_key(compare)), high]):
        sides = [
            edge == zero or (edge == end and not law.is_regular(side))
            for edge, end, side in ((a, law.ends[0], -1), (b, law.ends[1], 1))
        ]
        log_density, half = law.log_within(a, b), ((enclose(b) - enclose(a)) / 2).min(arb(1)).mid()
        inner = [add(a, dyadic(half)) if sides[0] else a, sub(b, dyadic(half)) if sides[1] else b]
        for edge, stop, special in ((a, inner[0], True), (inner[0], inner[1], False), (b, inner[1], True)):
            if edge != stop:
                found += _part(one, polynomial, least, log_density, (edge, stop, special))
    bound = enclose(least.factor if isinstance(least, Vanishing) else least)
    if isinstance(least, Vanishing):
        # Only where a tail was left out: v grows there.
        cut = [end for end, edge in ((low, one.piece.low), (high, one.piece.high)) if end != edge]
        for end in cut:
            bound = bound.min(enclose(least.factor) * abs(enclose(end) - enclose(least.zero)) ** least.power)
    if not found.is_finite():
        raise Beyond("an integral that does not converge")
    return one.piece.weight * (found + arb(0, (_tail(law, variance, bound, lost)).upper()))


def _ends(piece: Piece) -> tuple[tuple[Number, Number], arb]:
    """Return an interval of the source outside of which there is next to nothing, and the mass that is."""
    law = piece.law
    reach = law.reach(_TAIL_BITS)
    lost = arb(0)
    ends: list[Number] = []
    for edge, side in ((piece.low, -1), (piece.high, 1)):
        if edge is not None and (side * enclose(edge) < reach or law.ends[side > 0] is not None):
            ends.append(edge)
            continue
        end = (side * reach).mid()
        lost += law.beyond(side, end)
        ends.append(dyadic(end))
    return (ends[0], ends[1]), lost


def _part(
    one: Conditional,
    variance: Sequence[Number],
    least: Number | Vanishing,
    log_density: Log,
    interval: tuple[Number, Number, bool],
) -> arb:
    """Enclose the integral from an edge to a place; with ``special``, where density or logarithm is not regular, in the logarithm of the distance."""
    edge, stop, special = interval
    where, end = enclose(edge), enclose(stop)
    side = 1 if compare(edge, stop) < 0 else -1

    near_edge = [enclose(c) for c in shifted(variance, edge)]  # in terms of the distance, so that nothing cancels

    def integrand(offset: acb, analytic: bool) -> acb:
        z = where + offset
        entropy = (_value(near_edge, offset) * (2 * arb.pi() * arb(1).exp())).log(analytic=analytic) / 2
        weight = log_density(z, analytic).exp()
        return weight * entropy if one.window is None else weight * one.window.at(z) * entropy

    def by_distance(t: acb, analytic: bool) -> acb:
        distance = t.exp()
        return integrand(side * distance, analytic) * distance

    if not special:
        return arb(acb.integral(integrand, arb(0), end - where, abs_tol=arb(GOAL / 64), eval_limit=20_000).real)
    length = abs(end - where)
    factor, power = bound_beside(one.piece.law, edge, length)
    near = ((-_NEAR_BITS * arb(2).log() - (factor / power).log().max(arb(0))) / power).exp().mid()
    if not factor.is_finite() or not near < length:
        raise Beyond("a density without a bound")
    found = acb.integral(by_distance, near.log(), length.log(), abs_tol=arb(GOAL / 64), eval_limit=20_000).real
    return arb(found) + arb(0, _beside(near_edge, least, (edge, near), (factor, power)).upper())


def _beside(
    variance: Sequence[arb], least: Number | Vanishing, place: tuple[Number, arb], density: tuple[arb, arb]
) -> arb:
    r"""Bound :math:`\int K d^{a - 1} |\tfrac12 \log(2 \pi e v)|` up to a distance from an edge, with :math:`v \ge c d^{2k}` where v vanishes there."""
    (edge, near), (factor, power) = place, density
    two_pi_e = 2 * arb.pi() * arb(1).exp()
    most = _value(variance, acb(arb(0, near.upper()))).real.upper()
    vanishes = isinstance(least, Vanishing) and compare(least.zero, edge) == 0
    if isinstance(least, Vanishing) and not vanishes:
        floor = enclose(least.factor) * (abs(enclose(edge) - enclose(least.zero)) - near) ** least.power
    else:
        floor = enclose(least.factor if isinstance(least, Vanishing) else least)
    if not floor > 0 or not most > 0:
        raise Beyond("noise that may vanish")
    size = abs((two_pi_e * floor).log()).max(abs((two_pi_e * most).log())) / 2
    if isinstance(least, Vanishing) and vanishes:
        size += least.power * (1 / power - near.log()) / 2
    return factor * (power * near.log()).exp() / power * size


def _value(coefficients: Sequence[arb], z: acb) -> acb:
    total = acb(0)
    for coefficient in reversed(coefficients):
        total = total * z + coefficient
    return total


def _tail(law: Law, variance: Sequence[arb], least: arb, mass: arb) -> arb:
    if mass.is_zero():
        return mass
    square = arb(0)
    for i, u in enumerate(variance):
        for j, v in enumerate(variance):
            square += u * v * law.moment(i + j)
    constant = abs((2 * arb.pi() * arb(1).exp() * least).log()) / 2
    return mass * constant + (mass * abs(square)).sqrt() / (2 * least)
