"""What the process that explores runs: questions about programs, of which it remembers the last few."""

from __future__ import annotations

from collections import OrderedDict
from typing import assert_never

from seepage.diagnostics import Fault
from seepage.exact import Number, nearest_float
from seepage.exploration import Axis, Explored, Plot
from seepage.measures.parameters import need_parameters, read_number
from seepage.measures.plotting import Plotted
from seepage.measures.posterior import Chance, Posterior
from seepage.measures.rounding import float_ends
from seepage.pipeline import check
from seepage.report.derivation import derivation_text
from seepage.report.derivation_lines import Line, derivation_sections
from seepage.report.json import Json, number_json, result_json, row_json, value_json
from seepage.semantics.checked import Checked
from seepage.source import SourceFile
from seepage_lsp.analysis import read_values
from seepage_lsp.questions import (
    ChangesQuestion,
    ExplainQuestion,
    Exploration,
    MeasureQuestion,
    PlotQuestion,
    PosteriorQuestion,
    RangeQuestion,
    Refused,
    WhereQuestion,
    WorstQuestion,
)

_KEPT = 4
# By text; a new version of a document is a new text, and the oldest is forgotten.
_known: OrderedDict[SourceFile, Explored] = OrderedDict()


def explore(exploration: Exploration, tell: object = None) -> dict[str, Json] | Refused:
    """Return the answer as JSON, in which a ``span`` is a pair of offsets into the text; or why there is none."""
    explored = _explored(exploration.source)
    try:
        return _answered(exploration, explored)
    except Fault as fault:
        return Refused(_sentence(fault, explored.checked))
    except ValueError as error:
        return Refused(str(error))


def _explored(source: SourceFile) -> Explored:
    if source not in _known:
        _known[source] = Explored(check(source))
    _known.move_to_end(source)
    while len(_known) > _KEPT:
        _known.popitem(last=False)
    return _known[source]


def _answered(asked: Exploration, explored: Explored) -> dict[str, Json] | Refused:
    values = _values(asked, explored.checked)
    source = asked.source
    match asked.question:
        case MeasureQuestion(measure=measure):
            return {"result": result_json(explored.measure(measure, values, asked.unit, asked.seconds), source)}
        case ExplainQuestion(measure=measure):
            explanation = explored.explain(measure, values, asked.unit, asked.seconds)
            sections = derivation_sections(explanation)
            return {
                "title": f"{explanation.measure}, {explanation.source}",
                "sections": [
                    {"title": each.title, "lines": [_line(line, source) for line in each.lines]} for each in sections
                ],
                "markdown": derivation_text(explanation, "markdown"),
                "latex": derivation_text(explanation, "latex"),
                "text": derivation_text(explanation, "text"),
            }
        case PlotQuestion(measure=measure, over=over):
            constants = explored.checked.symbols.consts
            axes = [
                Axis(
                    one.parameter,
                    read_number(one.low, constants),
                    read_number(one.high, constants),
                    one.points,
                    one.logarithmic,
                )
                for one in over
            ]
            return _plot(explored.plot(measure, axes, values, asked.unit, asked.seconds), axes)
        case PosteriorQuestion(secret=secret, output=output):
            return _posterior(explored.posterior(secret, _named(output, explored), values, asked.seconds, many=True))
        case WorstQuestion(secret=secret, output=output):
            row = row_json(explored.worst(secret, _named(output, explored), values, asked.unit, asked.seconds), source)
            return {name: row[name] for name in ("worst", "least_left", "note")}
        # What these need is loaded where they are asked: a process that answers a slider is ready sooner.
        case WhereQuestion(measure=measure):
            from seepage_lsp.locating import told_where

            return told_where(explored.checked, measure, values, asked.unit, asked.seconds)
        case RangeQuestion():
            from seepage_lsp.locating import told_range

            return told_range(explored.checked, asked.question, values, asked.seconds)
        case ChangesQuestion():
            from seepage_lsp.comparing import changes

            return changes(asked, asked.question)
        case _:
            assert_never(asked.question)


def _named(output: str, explored: Explored) -> str:
    """Return outputs by their names, separated by commas."""
    every = output in ("", "all outputs")
    return ", ".join(symbol.name for symbol in explored.checked.symbols.outputs) if every else output


def _values(asked: Exploration, checked: Checked) -> dict[str, Number]:
    """Return the values in force; raises ``ValueError`` for one of the question that names no parameter or is no number."""
    values, _ = read_values(checked, asked.settings)
    need_parameters(checked, asked.parameters)
    return values | {name: read_number(text, checked.symbols.consts) for name, text in asked.parameters.items()}


def _sentence(fault: Fault, checked: Checked) -> str:
    diagnostic = fault.diagnostic
    start = diagnostic.span.start
    if start < len(checked.source.text):
        line, _ = checked.source.position(start)
        return f"{diagnostic.message} (line {line})"
    return diagnostic.message


def _line(line: Line, source: SourceFile) -> dict[str, Json]:
    inside = line.span is not None and line.span.end <= len(source.text)
    return {
        "kind": line.kind,
        "text": line.text,
        "mathml": line.mathml or None,
        "depth": line.depth,
        "span": [line.span.start, line.span.end] if line.span is not None and inside else None,
        "folds": line.folds,
    }


def _plot(plot: Plot, axes: list[Axis]) -> dict[str, Json]:
    drawn: dict[str, Json] = {
        "unit": plot.unit,
        "axes": [
            {"parameter": axis.parameter, "values": [number_json(nearest_float(value)) for value in values]}
            for axis, values in zip(axes, plot.values, strict=True)
        ],
    }
    if len(axes) == 1:
        return {**drawn, "points": [_point(point) for point in plot.rows[0]]}
    return {**drawn, "rows": [[_point(point) for point in row] for row in plot.rows]}


def _point(point: Plotted) -> dict[str, Json]:
    if point.fault:
        return {"lower": None, "value": None, "upper": None, "certainty": None, "fault": point.fault}
    numbers: dict[str, float | None] = {"lower": point.lower, "value": point.value, "upper": point.upper}
    return {
        **{name: value_json(number) for name, number in numbers.items()},
        "certainty": point.certainty,
        "fault": None,
    }


def _posterior(found: Posterior) -> dict[str, Json]:
    return {
        "prior": [_chance(one) for one in found.prior],
        "outputs": [
            {**_chance(seen.output), "posterior": [_chance(one) for one in seen.posterior]} for seen in found.outputs
        ],
        "note": found.note or None,
    }


def _chance(chance: Chance) -> dict[str, Json]:
    lower, value, upper = float_ends(chance.probability)
    return {"value": chance.value, "probability": {"lower": lower, "value": value, "upper": upper}}
