"""What the hover on a ``param`` says: which measures depend on it, and how much leaks at each of its values."""

from __future__ import annotations

from collections.abc import Iterator

from seepage import exact
from seepage.diagnostics import Fault
from seepage.engines.select import samples_continuous
from seepage.measures.asking import Asking
from seepage.measures.evaluate import measure_of
from seepage.measures.facts import ParameterFacts, Plot, PlotPoint
from seepage.measures.planning.table import row_of
from seepage.measures.plot_points import plot_of, points_over
from seepage.measures.plotting import curve
from seepage.measures.result import Certainty
from seepage.semantics.checked import Checked, ParamSymbol, RequireSymbol, ShowSymbol
from seepage.semantics.core import CoreProgram
from seepage.semantics.expressions import plain_names
from seepage.semantics.measure_names import names_in
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import names_read
from seepage.syntax.spell import spell
from seepage.syntax.tree import MeasureCall, MeasureExpression


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
    points = points_over(symbol.domain)
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
