"""What objects show of themselves in notebooks: programs, analyses, plots and derivations as HTML in the fonts and colours of the page, and plots as charts.

The classes stand below this package; they get here by :mod:`seepage.notebook`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from html import escape
from typing import TYPE_CHECKING

from seepage.analysis import Analysis
from seepage.diagnostics import Diagnostic, Severity
from seepage.exploration import Plot
from seepage.measures.posterior import Chance, Posterior
from seepage.measures.result import Json
from seepage.measures.told_derivation import Explanation
from seepage.measures.told_plan import How
from seepage.notebook import MOST_ROWS, lines_html, table_html
from seepage.program import Program
from seepage.report.charts import Grid, chart
from seepage.report.derivation import derivation_text
from seepage.report.derivation_lines import Line, derivation_sections
from seepage.report.findings import diagnostics_text
from seepage.report.json import answer_json, row_json
from seepage.report.layout import HEADER, kept_columns
from seepage.report.plan import plan_text
from seepage.report.plot import aligned, plot_json, plot_table
from seepage.report.svg import page_svg
from seepage.report.text import analysis_text, answer_lines, table_cells
from seepage.report.where import where_lines
from seepage.source import SourceFile
from seepage.sweeping import Sweep
from seepage.where import Where

if TYPE_CHECKING:
    from altair import Chart, LayerChart
    from matplotlib.figure import Figure

_NO_SOURCE = SourceFile("", "")
_INDENT = 1.5  # em, of a line of a derivation in a branch


def told_findings(findings: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return findings without hints, which are for editors."""
    return tuple(each for each in findings if each.severity is not Severity.HINT)


# --- text and data ----------------------------------------------------------------------------------------------------


@singledispatch
def text(shown: object) -> str:
    """Return an object as lines of text."""
    return repr(shown)


@text.register
def _(shown: Analysis) -> str:
    return analysis_text(shown.source or _NO_SOURCE, shown)


@text.register
def _(shown: Plot) -> str:
    return "\n".join(plot_table(shown, shown.measure, shown.parameters, shown.source))


@text.register
def _(shown: Explanation) -> str:
    return derivation_text(shown)


@text.register
def _(shown: How) -> str:
    return plan_text(shown)


@text.register
def _(shown: Where) -> str:
    return "\n".join(where_lines(shown, shown.source))


@text.register
def _(shown: Posterior) -> str:
    return "\n".join(aligned([_posterior_heads(shown), *_posterior_rows(shown)]))


def _posterior_heads(shown: Posterior) -> list[str]:
    return ["seen", "probability", *shown.secrets]


def _posterior_rows(shown: Posterior) -> list[list[str]]:
    def row(head: str, chance: str, chances: Sequence[Chance]) -> list[str]:
        return [head, chance, *(f"{float(each.probability.value.mid()):.6g}" for each in chances)]

    after = [
        row(each.output.value, f"{float(each.output.probability.value.mid()):.6g}", each.posterior)
        for each in shown.outputs
    ]
    return [row("before", "", shown.prior), *after]


@singledispatch
def data(shown: object) -> dict[str, Json]:
    """Return an object as values that JSON holds."""
    raise AssertionError(f"{type(shown).__name__} is no data")


@data.register
def _(plot: Plot) -> dict[str, Json]:
    return plot_json(plot, plot.measure, plot.parameters, plot.source)


@data.register
def _(analysis: Analysis) -> dict[str, Json]:
    source = analysis.source or _NO_SOURCE
    return {
        "answers": [answer_json(each, source) for each in analysis.answers],
        "table": [row_json(each, source) for each in analysis.table],
        "findings": [each.message for each in told_findings(analysis.diagnostics)],
        "seconds": analysis.seconds,
        "note": analysis.note,
    }


# --- pages ------------------------------------------------------------------------------------------------------------


@singledispatch
def html(shown: object) -> str:
    """Return an object as a part of a page; all text of people is escaped."""
    return lines_html(text(shown))


@html.register
def _(shown: Program) -> str:
    source = shown.source
    lines = source.text.splitlines()
    wide = len(str(len(lines)))
    numbered = [f"{number:>{wide}}  {line}" for number, line in enumerate(lines[:MOST_ROWS], 1)]
    more = [f"… and {len(lines) - MOST_ROWS} more lines"] if len(lines) > MOST_ROWS else []
    heading = f"<div><code>{escape(repr(shown)[1:-1])}</code></div>"
    return heading + lines_html("\n".join((*numbered, *more))) + _findings(source, shown.diagnostics)


def _findings(source: SourceFile, findings: Sequence[Diagnostic]) -> str:
    return lines_html(diagnostics_text(source, told_findings(findings)))


@html.register
def _(shown: Analysis) -> str:
    source, parts = shown.source or _NO_SOURCE, []
    parts.append(_findings(source, shown.diagnostics))
    parts.append(lines_html("\n".join(line for answer in shown.answers for line in answer_lines(answer, source))))
    if shown.table:
        rows = [table_cells(row, source) for row in shown.table]
        filled = kept_columns(rows)
        heads = [HEADER[place] for place in filled]
        parts.append(table_html(heads, [[row[place] for place in filled] for row in rows], "What leaks"))
    if shown.note:
        parts.append(f"<p><small>{escape(shown.note)}</small></p>")
    return "".join(parts)


@html.register
def _(shown: Posterior) -> str:
    return table_html(_posterior_heads(shown), _posterior_rows(shown), "What is believed before and after")


@html.register
def _(shown: Plot) -> str:
    return page_svg(shown, shown.measure, shown.parameters, shown.source)


@html.register
def _(shown: Explanation) -> str:
    parts = [f"<div><code>{escape(shown.measure)}</code>, {escape(shown.source)}</div>"]
    for section in derivation_sections(shown):
        lines = "".join(map(_derived, section.lines))
        parts.append(f"<details open><summary>{escape(section.title)}</summary>{lines}</details>")
    return "".join(parts)


def _derived(line: Line) -> str:
    body = line.mathml or escape(line.text)
    if line.kind == "statement":
        body = f"<code>{escape(line.text)}</code>"
    elif line.kind == "why":
        body = f"<small>{escape(line.text)}</small>"
    return f'<div style="margin-left: {_INDENT * (line.depth + 1):g}em">{body}</div>'


def latex(shown: object) -> str:
    """Return a derivation as LaTeX."""
    assert isinstance(shown, Explanation)
    return derivation_text(shown, "latex")


# --- charts -----------------------------------------------------------------------------------------------------------


_MOST_CURVES = 8


def grid_of(drawn: object) -> Grid:
    """Return what is drawn of a plot or a sweep.

    Raises:
        ValueError: if more than two parameters vary, or a sweep is not complete.
    """
    if isinstance(drawn, Plot):
        return Grid(drawn.measure, drawn.parameters, drawn.unit, drawn.values, drawn.rows, drawn.source)
    assert isinstance(drawn, Sweep)
    names, values = drawn.parameters, tuple(drawn.values.values())
    if len(names) > 2:
        raise ValueError(f"found {len(names)} parameters that vary, expected one or two; to_pandas() has all of them")
    if not drawn.complete:
        raise ValueError(f"found {len(drawn)} of the points, expected all of them: table.resume() does the rest")
    points, width = drawn.points, len(values[-1])
    rows = [points[start : start + width] for start in range(0, len(points), width)]
    few = len(names) == 2 and min(map(len, values)) <= _MOST_CURVES
    if few and len(values[0]) > len(values[1]):  # the longer axis is drawn across
        names, values, rows = names[::-1], values[::-1], [*zip(*rows, strict=True)]
    return Grid(drawn.measure, names, drawn.unit, values, tuple(rows), drawn.source, few)


def altair_chart(drawn: object) -> Chart | LayerChart:
    """Return a plot or a sweep as a chart of Altair; raises as :meth:`seepage.notebook.Drawable.to_altair`."""
    return chart(grid_of(drawn))


def matplotlib_figure(drawn: object) -> Figure:
    """Return a plot or a sweep as a figure of Matplotlib; raises as :meth:`seepage.notebook.Drawable.to_matplotlib`."""
    from seepage.frames import needed
    from seepage.report.picture import plot_figure

    needed("matplotlib", "plot")
    grid = grid_of(drawn)
    return plot_figure(grid, grid.measure, grid.parameters, grid.source, curves=grid.curves)
