"""Plots for hovers of parameters that the analysis left out since they take long: drawn when somebody looks, there when they look again."""

from __future__ import annotations

import math
from collections.abc import Coroutine, Iterator
from typing import Any

from lsprotocol.types import LSPErrorCodes
from pygls.exceptions import JsonRpcException

from seepage.exact import spelled
from seepage.measures.facts import Plot, PlotPoint
from seepage.measures.parameter_facts import LaterPlot, later_plot, plot_of
from seepage.measures.result import Certainty
from seepage.semantics.checked import ParamSymbol
from seepage_lsp.explorations import Explorations
from seepage_lsp.questions import AxisQuestion, Exploration, PlotQuestion
from seepage_lsp.workspace import Document, Drawing, Snapshot, Status

# Points may take longer than the one that the estimate is from.
_MOST_SECONDS = 10.0


def wanted(snapshot: Snapshot, symbol: ParamSymbol) -> LaterPlot | None:
    """Return the plot that the analysis of this very text left out; None if it has one, has not ended, or none would come soon."""
    known = snapshot.analysis
    if known is None or not snapshot.is_current or snapshot.status is not Status.DONE or symbol.name in snapshot.plots:
        return None
    facts = next((one for one in known.parameters if one.name == symbol.name), None)
    if facts is None or facts.plot is not None:
        return None
    leaks = [row.information for row in known.table if row.headline and row.information is not None]
    results = (*leaks, *(answer.result for answer in known.answers if answer.result is not None))
    seconds = {result.measure: result.seconds for result in results}
    return later_plot(facts, symbol.domain, leaks[0].measure if leaks else "", seconds)


def begin(
    document: Document, snapshot: Snapshot, parameter: str, plot: LaterPlot, explorations: Explorations
) -> Coroutine[Any, Any, None]:
    """Return the drawing of a plot for the text and settings of a snapshot; the document says from now on that it is on its way."""
    if document.drawn is None or document.drawn[0] != snapshot.inputs:
        document.drawn = (snapshot.inputs, {})
    document.drawn[1][parameter] = Drawing(on_its_way=True)
    settings = snapshot.settings
    axis = AxisQuestion(parameter, spelled(plot.low), spelled(plot.high), plot.points, logarithmic=False)
    question, seconds = PlotQuestion(plot.measure, (axis,)), min(settings.time_limit, _MOST_SECONDS)
    exploration = Exploration(document.source, settings.unit, dict(settings.parameters), {}, question, seconds)
    return _draw(document.drawn[1], parameter, plot, explorations.ask(document.uri, f"hover {parameter}", exploration))


async def _draw(
    drawn: dict[str, Drawing], parameter: str, plot: LaterPlot, answer: Coroutine[Any, Any, dict[str, object]]
) -> None:
    try:
        drawn[parameter] = Drawing(_plot(plot, await answer))
    except JsonRpcException as error:
        drawn[parameter] = Drawing()  # nobody waits for it: there is none
        if error.code != LSPErrorCodes.RequestFailed:
            del drawn[parameter]  # the text changed; where it changes back, the next look draws it


def _plot(plot: LaterPlot, answer: Any) -> Plot | None:
    points, (axis,) = answer["points"], answer["axes"]
    approximate = any(point["certainty"] == Certainty.APPROXIMATE for point in points)
    return plot_of(plot.measure, answer["unit"], _points(axis["values"], points), plot.points, approximate=approximate)


def _points(values: list[float], points: list[dict[str, Any]]) -> Iterator[PlotPoint]:
    for at, point in zip(values, points, strict=True):
        if point["fault"] is None:
            value = None if point["value"] is None else _float(point["value"])
            yield PlotPoint(at, _float(point["lower"]), value, _float(point["upper"]))


def _float(number: float | str) -> float:
    return math.inf if isinstance(number, str) else number  # infinite either way: such points are left out
