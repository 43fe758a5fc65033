"""What the hover on a ``param`` says: which measures depend on it, and how much leaks at each of its values: at which, and of which measure.

Plots that are quick are part of the analysis; of the others, :func:`later_plot` says what somebody who looks would wait for. No engine is loaded for that.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from seepage import exact
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.engines.select import samples_continuous
from seepage.exact import ArithmeticFault, Number
from seepage.measures.asking import Asking
from seepage.measures.evaluate import measure_of
from seepage.measures.facts import ParameterFacts, Plot, PlotPoint
from seepage.measures.planning.table import row_of
from seepage.measures.plotting import curve
from seepage.measures.result import Certainty, Unit
from seepage.semantics.checked import Checked, Domain, ParamSymbol, RequireSymbol, ShowSymbol
from seepage.semantics.core import CoreProgram
from seepage.semantics.expressions import plain_names
from seepage.semantics.measure_names import names_in
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import names_read
from seepage.syntax.spell import spell
from seepage.syntax.tree import MeasureCall, MeasureExpression

_STEPS, _FEW_STEPS = 24, 12
_PATIENCE_SECONDS = 4.0


@dataclass(frozen=True, slots=True)
class LaterPlot:
    """A measure that is to be plotted between two values of a parameter, both included, at so many evenly spaced points."""

    measure: str
    low: Number
    high: Number
    points: int


def _points_over(domain: Domain | None, steps: int = _STEPS) -> tuple[Number, ...]:
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
            values = _points_over(domain, steps)
            if len(values) > 1 and seconds[text] * len(values) <= _PATIENCE_SECONDS:
                return LaterPlot(text, values[0], values[-1], len(values))
    return None


def plot_of(measure: str, unit: Unit, points: Iterable[PlotPoint], most: int, *, approximate: bool) -> Plot | None:
    """Return the plot of those points that have finite bounds; None if they are not more than half of the ``most`` that there could be."""
    known = tuple(one for one in points if math.isfinite(one.lower) and math.isfinite(one.upper))
    return Plot(measure, unit, known, approximate) if len(known) > most // 2 else None


def parameter_facts(asking: Asking, *, plots: bool) -> tuple[ParameterFacts, ...]:
    """Return the facts of each parameter, in the order of the text.

    Args:
        asking: the program; its deadline is for all plots together.
        plots: whether to plot the leakage of the first secret. Only discrete programs are, over finite domains: other plots take long.
    """
    symbols = asking.checked.symbols
    asked = list(_measures(asking.checked))
    reading = [(spell(measure), _reads(asking.core, measure, bound)) for measure, bound in asked]
    informations = {
        spell(measure) for measure, _ in asked if isinstance(measure, MeasureCall) and row_of(measure).is_information
    }
    headline = _headline(asking.checked)
    if headline:
        leak = measure_of(headline)
        reading.append((headline, _reads(asking.core, leak, ())))
        informations.add(headline)
    found: list[ParameterFacts] = []
    for name, symbol in symbols.params.items():
        measures = tuple(dict.fromkeys(text for text, read in reading if name in read))
        wanted = plots and headline in measures
        plot = _plot(asking, symbol, headline) if wanted else None
        found.append(ParameterFacts(name, measures, plot, tuple(text for text in measures if text in informations)))
    return tuple(found)


def _measures(checked: Checked) -> Iterator[tuple[MeasureExpression, tuple[str, ...]]]:
    """Yield each measure that is asked for, with the names in the bound that it is compared with."""
    questions: list[ShowSymbol | RequireSymbol] = [*checked.symbols.shows, *checked.symbols.requires]
    for question in sorted(questions, key=lambda one: one.span):
        match question:
            case ShowSymbol(node=shown):
                yield shown.measure, ()
            case RequireSymbol(node=required):
                yield required.measure, tuple(plain_names(required.bound))


def _headline(checked: Checked) -> str:
    secrets, outputs = checked.symbols.secrets, checked.symbols.outputs
    return f"I({secrets[0].name}; {', '.join(output.name for output in outputs)})" if secrets and outputs else ""


def _reads(core: CoreProgram, measure: MeasureExpression, bound: tuple[str, ...]) -> frozenset[str]:
    """Return the names that a measure depends on: those that its slice reads, and those that it is written with."""
    written = [*(name for _, name in names_in(measure)), *bound]
    variables = tuple(variable for name in dict.fromkeys(written) for variable in core.written(name))
    return frozenset((*written, *names_read(slice_program(core, variables).statements)))


def _plot(asking: Asking, symbol: ParamSymbol, text: str) -> Plot | None:
    points = _points_over(symbol.domain)
    if not points or asking.budget.expired() or samples_continuous(asking.core.statements):
        return None
    try:
        plotted = curve(asking, measure_of(text), symbol.name, points)
    except Fault:
        return None
    known = (
        PlotPoint(float(exact.enclose(one.at[0])), one.lower, one.value, one.upper) for one in plotted if not one.fault
    )
    approximate = any(one.certainty is Certainty.APPROXIMATE for one in plotted)
    return plot_of(text, asking.unit, known, len(points), approximate=approximate)
