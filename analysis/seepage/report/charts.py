"""A measure over one parameter or two as a chart of Altair (the extra ``plot``)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from seepage.data_classes import dataclass
from seepage.exact import Number
from seepage.frames import needed
from seepage.measures.plotting import Plotted
from seepage.report.plot import coordinate, is_approximate
from seepage.report.svg import warning
from seepage.source import SourceFile

if TYPE_CHECKING:
    from altair import Chart, LayerChart

_NUMBERS = ("lower", "value", "upper")


@dataclass(frozen=True, slots=True)
class Grid:
    """A plot or a sweep over one parameter or two, as charts draw it.

    Attributes:
        measure: as it was asked.
        parameters: that vary.
        unit: of the numbers.
        values: of each parameter.
        rows: one, or one for each value of the first parameter.
        source: the program.
        curves: whether two parameters are drawn as a curve for each value of one; else they are a map.
    """

    measure: str
    parameters: tuple[str, ...]
    unit: str
    values: tuple[tuple[Number, ...], ...]
    rows: tuple[tuple[Plotted, ...], ...]
    source: SourceFile
    curves: bool = False


def chart(grid: Grid) -> Chart | LayerChart:
    """Return a curve in its band of bounds, a curve for each value of a parameter, or a map of shades.

    Points without finite bounds leave a gap, those without a number one in the line; approximate ones are dashed, and why they are stands above.

    Raises:
        ImportError: if Altair is not installed; the message says what to install.
    """
    altair: Any = needed("altair", "plot")
    rows = _rows(grid)
    told = warning(grid, grid.parameters, grid.source)
    title = altair.Title(grid.measure, subtitle=[told] if told else [])
    label = grid.measure + (f" ({grid.unit})" if grid.unit else "")
    titles = {
        **{_column(index): name for index, name in enumerate(grid.parameters)},
        **{each: each for each in _NUMBERS},
    }
    tooltip = [altair.Tooltip(f"{name}:Q", title=title) for name, title in titles.items()]
    tooltip.append(altair.Tooltip("certainty:N"))
    base = altair.Chart(altair.InlineData(values=rows, name="points"))
    if len(grid.parameters) == 2 and not grid.curves:
        shades: Chart = base.mark_rect().encode(
            x=altair.X("second:O", title=grid.parameters[1], axis=altair.Axis(format=".4~g", labelOverlap=True)),
            y=altair.Y("first:O", title=grid.parameters[0], sort="descending", axis=altair.Axis(format=".4~g", labelOverlap=True)),
            color=altair.Color("value:Q", title=label),
            tooltip=tooltip,
        )  # fmt: skip
        return shades.properties(title=title)
    across = _column(len(grid.parameters) - 1)
    x = altair.X(f"{across}:Q", title=grid.parameters[-1], scale=altair.Scale(zero=False, nice=False))
    colour = {"color": altair.Color("first:N", title=grid.parameters[0])} if grid.curves else {}
    band = base.mark_area(opacity=0.25).encode(
        x=x, y=altair.Y("lower:Q", title=label), y2="upper:Q", detail="part:N", **colour
    )
    dash = altair.condition("datum.certainty == 'approximate'", altair.value([5, 4]), altair.value([1, 0]))
    line = base.mark_line(point=altair.OverlayMarkDef(size=12)).encode(
        x=x, y=altair.Y("value:Q", title=label), detail="part:N", strokeDash=dash, tooltip=tooltip, **colour
    )
    layers: LayerChart = band + line
    return layers.properties(title=title)


def _rows(grid: Grid) -> list[dict[str, Any]]:
    """Return the points that are drawn; ``part`` counts the stretches between gaps, and between exact and approximate points."""
    rows: list[dict[str, Any]] = []
    part = 0
    places = [[coordinate(value) for value in values] for values in grid.values]
    ups = [[up] for up in places[0]] if len(places) == 2 else [[]]
    for up, row in zip(ups, grid.rows, strict=True):
        last: bool | None = None
        for across, point in zip(places[-1], row, strict=True):
            if point.fault or not (math.isfinite(point.lower) and math.isfinite(point.upper)):
                last = None
                continue
            if last is not is_approximate(point):
                part, last = part + 1, is_approximate(point)
            at = {_column(index): value for index, value in enumerate((*up, across))}
            certainty = None if point.certainty is None else point.certainty.value
            rows.append(
                {**at, "lower": point.lower, "value": point.value, "upper": point.upper, "certainty": certainty, "part": part}
            )  # fmt: skip
    return rows


def _column(index: int) -> str:
    """Return the name of a parameter in the data: those of programs may be called as columns are."""
    return ("first", "second")[index]
