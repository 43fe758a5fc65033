r"""Distribution functions of laws over complex balls, analytic between the breaks of their densities: what integrals of chances need.

Formulas of the real line (:meth:`seepage.laws.law.Law.above`) continued, as :meth:`~seepage.laws.law.Law.tails_within` has them.
"""

from __future__ import annotations

from collections.abc import Callable

from flint import acb

from seepage import exact
from seepage.engines.pivot.segments import Placed
from seepage.engines.pivot.sums import Stretch, Sum, antiderivative, is_summed, value_of
from seepage.exact import enclose
from seepage.laws.forms import Beyond
from seepage.laws.law import Chance, Edge, Law, Log, logarithm_of


def _certain(_place: acb, _analytic: bool) -> acb:
    return acb(1)


def _impossible(_place: acb, _analytic: bool) -> acb:
    return acb(0)


def tails_within(placed: Placed, low: Edge, high: Edge) -> tuple[Chance, Chance]:
    """Return the chances that a value of a whole law is below, and above, a place y in an interval that holds no break inside.

    Args:
        placed: a whole law, moved and stretched.
        low: the lower end of the interval, None for none.
        high: the upper end, likewise.

    Raises:
        Beyond: for a law whose distribution function has no known form.
    """
    return _placed(_tails, placed, low, high)


def _placed(
    tails: Callable[[Law, Edge, Edge], tuple[Chance, Chance]], placed: Placed, low: Edge, high: Edge
) -> tuple[Chance, Chance]:
    """Return what is known of the tails of a law as functions of a value."""
    scale = enclose(placed.scale)
    upward = exact.sign(placed.scale) > 0
    ends = [None if edge is None else exact.div(edge, placed.scale) for edge in (low, high)]
    begin, end = ends if upward else ends[::-1]
    below, above = tails(placed.law, begin, end)
    if not upward:
        below, above = above, below
    return (lambda y, analytic: below(y / scale, analytic)), (lambda y, analytic: above(y / scale, analytic))


def window_within(placed: Placed, window: tuple[Edge, Edge], interval: tuple[Edge, Edge]) -> Chance:
    """Return the chance that ``t + value`` lies in a window, for t in an interval in which no end of the window meets a break of the value's law.

    Args:
        placed: the law of the value, moved and stretched.
        window: its ends, None for none.
        interval: in which t lies, likewise.
    """
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


def log_window_within(placed: Placed, window: tuple[Edge, Edge], interval: tuple[Edge, Edge]) -> Log:
    """Return the logarithm of :func:`window_within`: of a window with one end also where the chance is too small to be told from 0."""
    ends = [at for at, edge in enumerate(window) if edge is not None]
    if len(ends) != 1 or (end := window[ends[0]]) is None:
        return logarithm_of(window_within(placed, window, interval))
    log, place = _placed(_log_tails, placed, *_mirrored(end, interval))[1 - ends[0]], enclose(end)
    return lambda t, analytic: log(place - t, analytic)


def _log_tails(law: Law, low: Edge, high: Edge) -> tuple[Log, Log]:
    """Return the logarithms of :func:`_tails`."""
    begin, end = law.ends
    inside = (begin is None or (low is not None and exact.compare(begin, low) <= 0)) and (
        end is None or (high is not None and exact.compare(high, end) <= 0)
    )
    if inside and not isinstance(law, Sum) and not (law.has_branch_point and is_summed(law)):
        return law.log_tails_within(low, high)
    below, above = _tails(law, low, high)
    return logarithm_of(below), logarithm_of(above)


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
    if isinstance(law, Sum):
        return _of_sum(law, low, high)
    if law.has_branch_point and is_summed(law):  # polynomials times exponentials have none
        return _of_sum(Sum(parts=(Placed(law, 0, 1, *law.ends),)), low, high)
    return law.tails_within(low, high)


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
