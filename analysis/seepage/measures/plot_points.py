"""Which values of a parameter the plot in its hover shows, and of which measure.

Plots that are quick are part of the analysis (:mod:`seepage.measures.parameter_facts`); of the others, :func:`later_plot` says what
somebody who looks would wait for. No engine is loaded for that.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from seepage import exact
from seepage.data_classes import dataclass
from seepage.exact import ArithmeticFault, Number
from seepage.measures.facts import ParameterFacts, Plot, PlotPoint
from seepage.measures.result import Unit
from seepage.semantics.checked import Domain

_STEPS, _FEW_STEPS = 24, 12
_PATIENCE_SECONDS = 4.0


@dataclass(frozen=True, slots=True)
class LaterPlot:
    """A measure that is to be plotted between two values of a parameter, both included, at so many evenly spaced points."""

    measure: str
    low: Number
    high: Number
    points: int


def points_over(domain: Domain | None, steps: int = _STEPS) -> tuple[Number, ...]:
    """Return values evenly spaced over a finite domain, its closed ends included; none of an infinite one."""
    if domain is None or domain.low is None or domain.high is None:
        return ()
    try:
        step = exact.div(exact.sub(domain.high, domain.low), steps)
        values = [exact.add(domain.low, exact.mul(step, number)) for number in range(steps)]
        return tuple(value for value in (*values, domain.high) if domain.contains(value))
    except ArithmeticFault:
        return ()


def later_plot(
    facts: ParameterFacts, domain: Domain | None, leak: str, seconds: Mapping[str, float]
) -> LaterPlot | None:
    """Return what to plot: the leakage of the first secret, else an information that is asked for; None if all of them take long.

    Args:
        facts: of the parameter.
        domain: of the parameter.
        leak: the leakage of the first secret, as it is written.
        seconds: what measures took at one value, by their text.
    """
    asked = sorted(facts.informations, key=lambda text: text != leak)
    for text in (text for text in asked if text in seconds):
        for steps in (_STEPS, _FEW_STEPS):
            values = points_over(domain, steps)
            if len(values) > 1 and seconds[text] * len(values) <= _PATIENCE_SECONDS:
                return LaterPlot(text, values[0], values[-1], len(values))
    return None


def plot_of(measure: str, unit: Unit, points: Iterable[PlotPoint], most: int, *, approximate: bool) -> Plot | None:
    """Return the plot of those points that have finite bounds; None if they are not more than half of the ``most`` that there could be."""
    known = tuple(one for one in points if math.isfinite(one.lower) and math.isfinite(one.upper))
    return Plot(measure, unit, known, approximate) if len(known) > most // 2 else None
