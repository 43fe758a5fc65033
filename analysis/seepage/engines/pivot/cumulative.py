r"""Distribution functions of laws over complex balls, analytic between the breaks of their densities: what integrals of chances need.

Formulas of the real line (:meth:`seepage.engines.pivot.laws.Law.above`) continued. Where one has a branch point at an end of the support, a ball that
may hold that end gets no value if it must be analytic, and else, being real, all values up to the farthest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from flint import acb, arb

from seepage import exact
from seepage.engines.pivot.forms import Beyond
from seepage.engines.pivot.laws import Edge, Law
from seepage.engines.pivot.segments import Placed
from seepage.engines.pivot.sums import Stretch, Sum, antiderivative, is_summed, value_of
from seepage.exact import enclose

Chance: TypeAlias = Callable[[acb, bool], acb]
"""A probability as a function of a place, and whether it must be analytic there."""


def _certain(_place: acb, _analytic: bool) -> acb:
    return acb(1)


def _impossible(_place: acb, _analytic: bool) -> acb:
    return acb(0)


def tails_within(placed: Placed, low: Edge, high: Edge) -> tuple[Chance, Chance]:
    """Return the chances that a value of a whole law is below, and above, a place y in an interval that holds no break inside.

    Raises:
        Beyond: for a law whose distribution function has no known form.
    """
    scale = enclose(placed.scale)
    upward = exact.sign(placed.scale) > 0
    ends = [None if edge is None else exact.div(edge, placed.scale) for edge in (low, high)]
    begin, end = ends if upward else ends[::-1]
    below, above = _tails(placed.law, begin, end)
    if not upward:
        below, above = above, below
    return (lambda y, analytic: below(y / scale, analytic)), (lambda y, analytic: above(y / scale, analytic))


def window_within(placed: Placed, window: tuple[Edge, Edge], interval: tuple[Edge, Edge]) -> Chance:
    """Return the chance that ``t + value`` lies in a window, for t in an interval in which no end of the window meets a break of the value's law."""
    tails = [None if end is None else tails_within(placed, *_mirrored(end, interval)) for end in window]
    first, last = (None if end is None else enclose(end) for end in window)
    lower, upper = tails
    if lower is None or first is None:
        if upper is None or last is None:
            return _certain
        return lambda t, analytic: upper[0](last - t, analytic)
    if upper is None or last is None:
        return lambda t, analytic: lower[1](first - t, analytic)
    return lambda t, analytic: upper[0](last - t, analytic) - lower[0](first - t, analytic)


def _mirrored(end: exact.Number, interval: tuple[Edge, Edge]) -> tuple[Edge, Edge]:
    """Return where ``end − t`` lies for t in an interval."""
    low, high = interval
    return None if high is None else exact.sub(end, high), None if low is None else exact.sub(end, low)


def _tails(law: Law, low: Edge, high: Edge) -> tuple[Chance, Chance]:
    """Return the chances of z below and above a place in an interval without breaks inside."""
    begin, end = law.ends
    if begin is not None and high is not None and exact.compare(high, begin) <= 0:
        return _impossible, _certain
    if end is not None and low is not None and exact.compare(end, low) <= 0:
        return _certain, _impossible
    if isinstance(law, Sum) or (law.name in ("gamma", "beta") and is_summed(law)):
        return _of_sum(law if isinstance(law, Sum) else Sum(parts=(Placed(law, 0, 1, *law.ends),)), low, high)
    values = law.values
    match law.name:
        case "normal":
            root = (2 * values[0]).sqrt()
            return (lambda z, _: (-z / root).erfc() / 2), (lambda z, _: (z / root).erfc() / 2)
        case "laplace":
            return _of_laplace(values[0], high is not None and exact.compare(high, 0) <= 0)
        case "uniform":
            return (lambda z, _: z), (lambda z, _: 1 - z)
        case "exponential":
            return (lambda z, _: 1 - (-z).exp()), (lambda z, _: (-z).exp())
        case "triangular":
            mode = values[0]
            if high is not None and exact.compare(high, law.parameters[0]) <= 0:
                return (lambda z, _: z * z / mode), (lambda z, _: 1 - z * z / mode)
            rest = 1 - mode
            return (lambda z, _: 1 - (1 - z) * (1 - z) / rest), (lambda z, _: (1 - z) * (1 - z) / rest)
        case "gamma":
            shape = values[0]
            below = _from_end(law, lambda z: z.gamma_lower(shape, regularized=1))
            return below, lambda z, analytic: 1 - below(z, analytic)
        case "beta":
            a, b = values
            below = _from_end(law, lambda z: z.beta_lower(a, b, regularized=1), arb(1))
            return below, lambda z, analytic: 1 - below(z, analytic)
        case "lognormal":
            root = (2 * values[0]).sqrt()
            below = _from_end(law, lambda z: (-z.log() / root).erfc() / 2)
            return below, lambda z, analytic: 1 - below(z, analytic)
        case "student_t":
            return _of_student(law)
        case _:
            raise Beyond("a law without a known distribution function")


def _of_laplace(scale: arb, is_left: bool) -> tuple[Chance, Chance]:
    if is_left:
        return (lambda z, _: (z / scale).exp() / 2), (lambda z, _: 1 - (z / scale).exp() / 2)
    return (lambda z, _: 1 - (-z / scale).exp() / 2), (lambda z, _: (-z / scale).exp() / 2)


def _of_student(law: Law) -> tuple[Chance, Chance]:
    """The hypergeometric form about the middle of a ball, and around it as far as the density, at most, lets it change."""
    df, height, log_density = law.values[0], law.log_constant.exp(), law.log_within(None, None)

    def offset(z: acb, analytic: bool) -> acb:
        if analytic and not (1 + z * z / df).real > 0:
            return acb(arb.nan())  # may be beyond the branch points at ±i √df
        middle = acb(z.real.mid(), z.imag.mid())
        inner = (-middle * middle / df).hypgeom_2f1(acb(1) / 2, acb((df + 1) / 2), acb(3) / 2)
        change = (abs(z - middle) * abs(log_density(z, analytic).exp())).upper()
        return middle * height * acb(inner) + acb(arb(0, change), arb(0, change))

    return (lambda z, a: acb(1) / 2 + offset(z, a)), (lambda z, a: acb(1) / 2 - offset(z, a))


def _from_end(law: Law, at: Callable[[acb], acb], top: arb | None = None) -> Chance:
    """Return a distribution function with branch points at 0, where it is 0, and perhaps at ``top``, where it is 1.

    Args:
        law: whose density tells how far the function changes within a ball.
        at: its value at a point.
        top: the upper end of the support.
    """
    log_density = law.log_within(*law.ends)

    def below(z: acb, analytic: bool) -> acb:
        inside = top is None or bool(z.real < top)
        if z.real > 0 and inside:
            middle = acb(z.real.mid(), z.imag.mid())
            change = (abs(z - middle) * abs(log_density(z, analytic).exp())).upper()
            return at(middle) + acb(arb(0, change), arb(0, change))
        if analytic:
            return acb(arb.nan())
        least = at(acb(z.real.lower())).real if z.real > 0 else arb(0)
        far = z.real.upper()
        most = at(acb(far)).real if inside and far > 0 else arb(0) if inside else arb(1)
        return acb(least.union(most))

    return below


def _of_sum(law: Sum, low: Edge, high: Edge) -> tuple[Chance, Chance]:
    held = [each for each in law.stretches if _covers(each, low, high)]
    if not held:
        raise Beyond("a place that may lie on either side of a break of a density")
    stretch = held[0]
    terms = antiderivative(stretch.terms)
    if stretch.low is None:
        return (lambda z, _: value_of(terms, z)), (lambda z, _: 1 - value_of(terms, z))
    if stretch.high is None:
        return (lambda z, _: 1 + value_of(terms, z)), (lambda z, _: -value_of(terms, z))
    start = law.probability(None, stretch.low) - value_of(terms, acb(enclose(stretch.low))).real
    return (lambda z, _: start + value_of(terms, z)), (lambda z, _: 1 - start - value_of(terms, z))


def _covers(stretch: Stretch, low: Edge, high: Edge) -> bool:
    above = stretch.low is None or (low is not None and exact.compare(stretch.low, low) <= 0)
    return above and (stretch.high is None or (high is not None and exact.compare(high, stretch.high) <= 0))
