r"""Budgets over ranges of what is in the size of noise alone: more noise tells less, so the point with the least noise decides.

A (discrete) Laplace, normal, Poisson or geometric draw of a larger scale, variance or rate, or smaller p, has the law of a draw of the
smaller size plus an independent one. With :math:`q < q'` for the factors by which geometric laws fall, and characteristic functions,

.. math:: \frac{1 - q z}{1 - q' z} = \frac{q}{q'} + \Bigl(1 - \frac{q}{q'}\Bigr) \frac{1}{1 - q' z}, \qquad
          \frac{1 + b^2 t^2}{1 + b'^2 t^2} = \frac{b^2}{b'^2} + \Bigl(1 - \frac{b^2}{b'^2}\Bigr) \frac{1}{1 + b'^2 t^2},

both mixtures of a point mass and a law of the larger size; a discrete Laplace draw is the difference of two geometric ones. Noise that looks the same from all sides
(:mod:`seepage.engines.spherical`) is normal with a variance that is a sum of draws of gamma laws; one of a larger scale is one of a smaller scale plus an independent positive one (gamma laws are
self-decomposable: Sato 1999, "Lévy processes and infinitely divisible distributions", section 15), so this noise divides, too. So what is published behind such
noise (:mod:`seepage.measures.privacy.release_reading`) is, with more noise, a random function of what it is with less, and by data processing every
measure of leakage is at most as large (Cover, Thomas 2006, theorem 2.8.1; Alvim et al. 2020, "The science of quantitative information flow", chapter 4).
That is so of the releases themselves and not of what is computed of them: ``s + n > 10`` may tell more where n is larger, as what never passes tells nothing.
Where the bound is the parameter itself (``DP(s -> o, delta=d) <= e over e in [1/10, 1]``) its range is halved until in each part the measure where there is
least noise is at most the least bound.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isfinite

from flint import arb

from seepage import exact
from seepage.diagnostics import Fault
from seepage.distributions.arguments import bind
from seepage.engines.intervals import Interval
from seepage.engines.spherical import spherical_noise
from seepage.exact import Number, precision
from seepage.laws.forms import Beyond
from seepage.laws.table import SPREADS, WIDENING
from seepage.measures.formulas.fixed_parameters import with_fixed
from seepage.measures.planning.table import row_of
from seepage.measures.privacy.noise_reading import NotRead
from seepage.measures.privacy.release_reading import Noise, mechanism_of
from seepage.measures.privacy.releases import needed
from seepage.measures.privacy.scaled_noise import with_scaled_noise
from seepage.measures.ranges.privacy import Difference
from seepage.measures.ranges.required import Decision, Requirement
from seepage.measures.ranges.search import Outcome, Point
from seepage.measures.scope import is_plain, variables
from seepage.semantics.checked import Domain
from seepage.semantics.core import CoreProgram
from seepage.semantics.expressions import plain_names
from seepage.semantics.measure_names import names_in
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import names_read
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import MeasureCall

_NOWHERE = Span(0, 0)
_PARTS = 400


def by_least_noise(required: Requirement) -> Decision | None:
    """Decide a budget by its value where there is least noise, or most, and say what must hold; None where that does not decide it.

    Raises:
        Fault: of the measure.
        NoAlgebra: if the sizes of the noise cannot be followed.
    """
    symbol, ranges, scope = required.symbol, required.ranges, required.scope
    call = symbol.node.measure
    if not isinstance(call, MeasureCall) or symbol.node.comparison == "==":
        return None
    processed = row_of(call).under_processing
    if processed is None:
        return None
    # What gains, distances and bounds are at the point of least noise says nothing of others.
    if any(not is_plain(scope, each) for each in call.given) or any(
        name in ranges for part in (symbol.node.bound, call) for _, name in names_in(part)
    ):
        return None
    noises = _noises_of(required, call)
    if noises is None:
        return None
    more_tells = (processed == "<=") == (symbol.node.comparison in ("<=", "<"))
    with precision(96):
        point = _extreme(noises, ranges, least=more_tells)
    if point is None:
        return None
    inside = all(ranges[name].contains(value) for name, value in point.items())
    match required.judge(point):
        case "holds":
            return Outcome("holds"), needed(noises, ranges, point)
        case "violated" if inside:
            return Outcome("violated", point), ()
        case _:
            return None


def by_parts(required: Requirement) -> Decision | None:
    """Decide a budget for ``DP`` or ``Delta`` that is the one parameter itself; None where that is not what it is, or does not decide it.

    Raises:
        Fault: of the measure.
        NoAlgebra: if the sizes of the noise cannot be followed.
    """
    node, ranges = required.symbol.node, required.ranges
    call, bound = node.measure, node.bound
    if not isinstance(call, MeasureCall) or not row_of(call).is_of_losses or node.comparison not in ("<=", "<"):
        return None
    if len(ranges) != 1 or not isinstance(bound, tree.Name) or bound.id not in ranges:
        return None
    if any(name in ranges for _, name in names_in(call)):
        return None
    noises, domain = _noises_of(required, call), ranges[bound.id]
    if noises is None or domain.low is None or domain.high is None:
        return None
    with precision(96):
        wanted = {_direction(noise, bound.id, ranges, least=True) for noise in noises} - {0}
    if None in wanted or len(wanted) > 1:
        return None
    waiting = [(domain.low, domain.high)]
    for _ in range(_PARTS):
        if not waiting:
            return Outcome("holds"), needed(noises, ranges, {bound.id: domain.high})
        low, high = waiting.pop()
        if required.computation.expired():
            return None
        least = exact.compare(_greatest(required, call, {bound.id: low if wanted == {-1} else high}), low)
        if least < 0 or (least == 0 and not required.strict):
            continue
        for end in (low, high):
            if domain.contains(end) and required.judge({bound.id: end}) == "violated":
                return Outcome("violated", {bound.id: end}), ()
        middle = exact.div(exact.add(low, high), 2)
        waiting += [(low, middle), (middle, high)]
    return None


def _greatest(required: Requirement, call: MeasureCall, point: Point) -> Number:
    """Return an upper bound of the measure at a point."""
    found = required.number_at(call, point)
    if found.exact is not None:
        return exact.number(found.exact)
    return exact.number(Fraction(found.upper)) if isfinite(found.upper) else exact.power(10, 300)


def _noises_of(required: Requirement, call: MeasureCall) -> list[Noise] | None:
    """Return the noise of releases that are the outputs, in whose sizes alone the parameters of the ranges stand; None of other programs."""
    scope, ranges = required.scope, required.ranges
    inputs, outputs, others = call.left, call.right, call.given
    if row_of(call).shape == "of x given y":
        outputs, others = call.given, ()
    if not inputs or not outputs:
        return None
    x, y, z = (variables(scope, names) for names in (inputs, outputs, others))
    values = {name: value for name, value in scope.parameters.items() if name not in ranges}
    sliced = slice_program(with_fixed(scope.core, values), (*x, *y, *z))
    core = with_scaled_noise(sliced, y, (*x, *z), ranges)
    try:
        mechanism = mechanism_of(core, (*x, *z), y)
    except NotRead:
        return _spherical(sliced, y, (*x, *z), required)
    if not mechanism.direct:
        return None
    noises = list(mechanism.noises.values())
    if any(name in ranges for name in names_read(mechanism.core.statements)):
        return None
    varying = (noise for noise in noises if any(name in ranges for name in plain_names(noise.size)))
    if not all(SPREADS[noise.family].divides for noise in varying):
        return None
    return noises


def _spherical(
    core: CoreProgram, outputs: Sequence[str], others: Sequence[str], required: Requirement
) -> list[Noise] | None:
    """Return what decides how wide noise is that looks the same from all sides, given whose common size it is normal; None of other programs."""
    ranges = required.ranges
    try:
        noise = spherical_noise(core, outputs, required.middle, others)
    except (Beyond, Fault):
        return None
    if noise.noisy != tuple(outputs) or any(name in ranges for name in names_read(noise.places.statements)):
        return None
    if any(_is_read(ranges, value) for own in noise.own for value in bind(own).named.values()):
        return None
    found: list[Noise] = []
    for size in noise.sizes:
        for name, value in bind(size).named.items():
            if _is_read(ranges, value):
                if name not in WIDENING[size.name]:
                    return None
                found.append(Noise(noise.own[0].name, value, name))
    return found or None


def _is_read(ranges: Mapping[str, Domain], value: tree.Expression) -> bool:
    return any(name in ranges for name in plain_names(value))


def _extreme(noises: list[Noise], ranges: Mapping[str, Domain], *, least: bool) -> Point | None:
    """Return the corner of the ranges at which all noise is least, or most; None if there is none, or it is not finite."""
    point: dict[str, Number] = {}
    for name, domain in ranges.items():
        wanted = {_direction(noise, name, ranges, least=least) for noise in noises} - {0}
        if None in wanted or len(wanted) > 1:
            return None
        end = domain.low if wanted == {-1} else domain.high
        if not wanted:
            end = domain.low if domain.low is not None else domain.high
        if end is None:
            return None
        point[name] = end
    return point


def _direction(noise: Noise, name: str, ranges: Mapping[str, Domain], *, least: bool) -> int | None:
    """Return in which direction of a parameter one noise becomes less (or more), 0 if in none, None if that is not known."""
    if name not in set(plain_names(noise.size)):
        return 0
    form = Difference(noise.size, tree.Number(Fraction(0), _NOWHERE), ranges).form({})
    box = {each: _side(domain) for each, domain in ranges.items()}
    slope = form.slopes((name,), box, form.letters(box))[name]
    rising = 1 if slope[0] >= 0 else -1 if slope[1] <= 0 else None
    if rising is None:
        return None
    grows = -rising if SPREADS[noise.family].is_chance else rising
    return -grows if least else grows


def _side(domain: Domain) -> Interval:
    low = arb.neg_inf() if domain.low is None else exact.enclose(domain.low)
    return low, arb.pos_inf() if domain.high is None else exact.enclose(domain.high)
