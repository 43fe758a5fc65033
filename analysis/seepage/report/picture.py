"""A measure over one parameter or two as a picture of pixels or for print, PNG or PDF, drawn by Matplotlib (the extra ``plot``)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from seepage.report.findings import printable
from seepage.report.plot import Drawn, Point, coordinate, is_approximate
from seepage.report.svg import cell_edges, has_value, stretches, warning
from seepage.source import SourceFile

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_INCHES, _DOTS = (6.4, 4.0), 150
_COLOUR = "#1f5fa8"


class NoMatplotlib(Exception):
    """Pictures need Matplotlib, which is not installed; the text says how to get it."""


def plot_picture(
    plot: Drawn, measure: str, names: Sequence[str], source: SourceFile, form: Literal["png", "pdf"]
) -> bytes:
    """Return a picture as the bytes of a file: a curve in its band of bounds, or a map of shades.

    Args:
        plot: the points; those without a finite number leave a gap, approximate ones are dashed or said to be so.
        measure: as it is written, for the label.
        names: of one parameter, or two: the second is drawn across.
        source: the program, whose lines the warning names.
        form: of the file.

    Raises:
        NoMatplotlib: if the library is not installed.
    """
    figure = plot_figure(plot, measure, names, source)
    file = io.BytesIO()
    # Without dates and versions, so that the same numbers make the same file.
    metadata = {"Software": None} if form == "png" else {"CreationDate": None, "Producer": None, "Creator": None}
    figure.savefig(file, format=form, dpi=_DOTS, metadata=metadata)
    return file.getvalue()


def plot_figure(plot: Drawn, measure: str, names: Sequence[str], source: SourceFile, *, curves: bool = False) -> Figure:
    """Return a figure; arguments as of :func:`plot_picture`, and whether two parameters are drawn as a curve for each value of the first.

    Raises:
        NoMatplotlib: if the library is not installed.
    """
    figure = _figure()
    axes = figure.add_subplot()
    label = measure + (f" ({plot.unit})" if plot.unit else "")
    if len(names) == 2 and not curves:
        _map(figure, axes, plot, label)
    else:
        _curves(axes, plot, names[0])
    axes.set_xlabel(_plain(names[-1]))
    axes.set_ylabel(_plain(label if len(names) == 1 or curves else names[0]))
    if told := warning(plot, names, source):
        figure.text(0.01, 0.01, _plain(told), fontsize="x-small")
    return figure


def _figure() -> Figure:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise NoMatplotlib("PNG and PDF need Matplotlib: pip install 'seepage[plot]'; SVG needs nothing") from None
    return Figure(figsize=_INCHES, layout="constrained")


def _curves(axes: Axes, plot: Drawn, name: str) -> None:
    """Draw a curve for each row; several have colours and names."""
    across = [coordinate(value) for value in plot.values[-1]]
    if across[0] < across[-1]:
        axes.set_xlim(across[0], across[-1])
    axes.grid(visible=True, color="#dddddd")
    for number, row in enumerate(plot.rows):
        colour = _COLOUR if len(plot.rows) == 1 else f"C{number}"
        told = f"{name} = {coordinate(plot.values[0][number]):.4g}" if len(plot.rows) > 1 else ""
        for stretch in stretches(across, row):
            xs, points = [x for x, _ in stretch], [point for _, point in stretch]
            axes.fill_between(xs, [p.lower for p in points], [p.upper for p in points], color=colour, alpha=0.2, lw=0)
            line = "--" if is_approximate(points[0]) else "-"
            values, marker = [_value(p) for p in points], "o" if len(xs) == 1 else None
            axes.plot(xs, values, line, color=colour, marker=marker, label=_plain(told))
            told = ""  # once in the legend
    if len(plot.rows) > 1:
        axes.legend()
    if axes.get_ylim()[0] > 0:
        axes.set_ylim(bottom=0)


def _map(figure: Figure, axes: Axes, plot: Drawn, label: str) -> None:
    up, across = ([coordinate(value) for value in values] for values in plot.values)
    shades = [[_value(point) if has_value(point) else float("nan") for point in row] for row in plot.rows]
    (left, right), (bottom, top) = cell_edges(across), cell_edges(up)
    image = axes.imshow(
        shades, origin="lower", aspect="auto", extent=(left, right, bottom, top), cmap="Blues", interpolation="nearest"
    )
    figure.colorbar(image, ax=axes, label=_plain(label))


def _plain(text: str) -> str:
    """Return a text that Matplotlib writes as it stands: a dollar sign would begin mathematics."""
    return printable(text).replace("$", r"\$")


def _value(point: Point) -> float:
    """Return the number to draw, one that leaves a gap where there is none."""
    return float("nan") if point.value is None else point.value
