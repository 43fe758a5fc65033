"""A measure over one parameter as a curve with its band of guaranteed bounds, over two as a map of shades: one SVG file without anything else."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from xml.sax.saxutils import escape

from seepage.data_classes import dataclass
from seepage.report.findings import printable
from seepage.report.plot import Drawn, Point, coordinate, is_approximate, reasons
from seepage.source import SourceFile

_WIDTH, _HEIGHT = 640, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 72, 20, 36, 52
_HEADROOM = 26  # above a curve without a title: the name of a budget at its upper end
_TICKS = 5
_STYLE: Mapping[str, str] = {
    "text": "font:12px sans-serif;fill:#333",
    ".axis": "stroke:#333;fill:none",
    ".grid": "stroke:#ddd",
    ".curve": "stroke:#1f5fa8;stroke-width:2;fill:none",
    ".band": "fill:#1f5fa8;fill-opacity:.2;stroke:none",
    ".dot": "fill:#1f5fa8",
    ".guess": "stroke-dasharray:5 4",
}
# In a page of others a style is one of the whole page, and ink has the colour of its text: all that is drawn says so itself.
_IN_PAGE: Mapping[str, str] = {
    "text": "font:12px sans-serif;fill:currentColor",
    ".axis": "stroke:currentColor;fill:none",
    ".grid": "stroke:currentColor;stroke-opacity:.15",
    ".curve": "stroke:#4c8bd6;stroke-width:2;fill:none",
    ".band": "fill:#4c8bd6;fill-opacity:.25;stroke:none",
    ".dot": "fill:#4c8bd6",
}


@dataclass(frozen=True, slots=True)
class Marks:
    """What is drawn beside a curve.

    Attributes:
        here: a value of the parameter that is looked at.
        budget: what the measure must not pass.
        holds: between which values of the parameter it does not.
    """

    here: float | None = None
    budget: float | None = None
    holds: tuple[float, float] | None = None


_NO_MARKS = Marks()


def curve_svg(across: Sequence[float], points: Sequence[Point], name: str, marks: Marks, label: str) -> str:
    """Return a curve as a part of a page, which has the colours: classes ``axis grid curve band dot guess zone budget here``; ``label`` says what is seen."""
    opening = f'<svg class="plot" viewBox="0 {_TOP - _HEADROOM} {_WIDTH} {_HEIGHT - _TOP + _HEADROOM}" role="img" aria-label="{_text(label)}">'
    return "\n".join((opening, *_curve(across, points, name, marks), "</svg>"))


def plot_svg(plot: Drawn, measure: str, names: Sequence[str], source: SourceFile) -> str:
    """Return a drawing; points without a finite number leave a gap, approximate ones are dashed or said to be so, with the reason below."""
    return _drawing(plot, measure, names, source, _STYLE, f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>')


def page_svg(plot: Drawn, measure: str, names: Sequence[str], source: SourceFile) -> str:
    """Return the same drawing as a part of a page, which is light or dark: it has no paper of its own."""
    scoped = {f".seepage-plot {selector}": style for selector, style in {**_STYLE, **_IN_PAGE}.items()}
    return _drawing(plot, measure, names, source, scoped, "")


def _drawing(
    plot: Drawn, measure: str, names: Sequence[str], source: SourceFile, style: Mapping[str, str], paper: str
) -> str:
    label = measure + (f" ({plot.unit})" if plot.unit else "")
    across = [coordinate(value) for value in plot.values[0]]
    body = _curve(across, plot.rows[0], names[0]) if len(names) == 1 else _map(plot, names)
    told = warning(plot, names, source)
    rules = "".join(f"{selector}{{{rule}}}" for selector, rule in style.items())
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="seepage-plot" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" style="max-width: 100%" role="img" aria-label="{_text("; ".join(filter(None, (label, told))))}">',
        f"<style>{rules}</style>",
        *([paper] if paper else []),
        f'<text x="{_LEFT}" y="22">{_text(label)}</text>',
        *body,
        *([f'<text x="{_LEFT}" y="{_HEIGHT - 2}">{_text(told)}</text>'] if told else []),
        "</svg>",
    ]
    return "\n".join(lines)


def warning(plot: Drawn, names: Sequence[str], source: SourceFile) -> str:
    """Return that some points are approximate, and because of which lines; empty if none is."""
    if not any(is_approximate(point) for row in plot.rows for point in row):
        return ""
    lines = sorted({line for line, _ in reasons(plot, source)})
    because = f" because of line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))}" if lines else ""
    every = all(is_approximate(point) for row in plot.rows for point in row if not point.fault)
    return f"{'approximate' if every else 'dashed: approximate' if len(names) == 1 else 'partly approximate'}{because}: only the bounds are known"


def _curve(across: Sequence[float], points: Sequence[Point], name: str, marks: Marks = _NO_MARKS) -> Iterator[str]:
    known = [end for point in points if is_bounded(point) for end in (point.lower, point.upper)]
    low, high = _span([*known, *([] if marks.budget is None else [marks.budget])])
    yield from _zone(marks, (across[0], across[-1]))
    yield from _axes(name, (across[0], across[-1]), (low, high))

    def place(x: float, y: float) -> str:
        return f"{_x(x, across[0], across[-1]):.2f},{_y(y, low, high):.2f}"

    for run in stretches(across, points):
        upper = [place(x, point.upper) for x, point in run]
        lower = [place(x, point.lower) for x, point in reversed(run)]
        yield f'<polygon class="band" points="{" ".join((*upper, *lower))}"/>'
    for run in stretches(across, points, has_value):
        style = "curve guess" if is_approximate(run[0][1]) else "curve"
        drawn = [place(x, point.value) for x, point in run if point.value is not None]
        yield f'<polyline class="{style}" points="{" ".join(drawn)}"/>'
        if len(drawn) == 1:
            x, y = drawn[0].split(",")
            yield f'<circle class="dot" cx="{x}" cy="{y}" r="3"/>'

    yield from _lines(marks, (across[0], across[-1]), (low, high))


def _zone(marks: Marks, across: tuple[float, float]) -> Iterator[str]:
    """Draw where the budget holds."""
    if marks.holds is not None:
        left, right = (_x(value, *across) for value in marks.holds)
        tall = _HEIGHT - _TOP - _BOTTOM
        yield f'<rect class="zone" x="{left:.2f}" y="{_TOP}" width="{right - left:.2f}" height="{tall}"/>'


def _lines(marks: Marks, across: tuple[float, float], up: tuple[float, float]) -> Iterator[str]:
    """Draw the budget as a level line, and what is looked at as one upright."""
    if marks.budget is not None:
        y, right = _y(marks.budget, *up), _WIDTH - _RIGHT
        yield f'<line class="budget" x1="{_LEFT}" x2="{right}" y1="{y:.2f}" y2="{y:.2f}"/>'
        yield f'<text class="budget-name" x="{right}" y="{y - 6:.2f}" text-anchor="end">budget {marks.budget:.6g}</text>'
    if marks.here is not None and across[0] <= marks.here <= across[1]:
        x = _x(marks.here, *across)
        yield f'<line class="here" x1="{x:.2f}" x2="{x:.2f}" y1="{_TOP}" y2="{_HEIGHT - _BOTTOM}"/>'


def _map(plot: Drawn, names: Sequence[str]) -> Iterator[str]:
    """Draw the second parameter across, the first one upwards; dark is much."""
    up, across = ([coordinate(value) for value in values] for values in plot.values)
    known = [point.value for row in plot.rows for point in row if is_bounded(point) and point.value is not None]
    low, high = (min(known), max(known)) if known else (0.0, 0.0)
    wide, tall = (_WIDTH - _LEFT - _RIGHT) / len(across), (_HEIGHT - _TOP - _BOTTOM) / len(up)
    yield from _axes(names[1], cell_edges(across), cell_edges(up), names[0])
    for number, row in enumerate(plot.rows):
        for column, point in enumerate(row):
            if is_bounded(point) and point.value is not None:
                shade = _shade(point.value, low, high)
                x, y = _LEFT + column * wide, _HEIGHT - _BOTTOM - (number + 1) * tall
                title = _text(
                    f"{names[0]} = {up[number]:.6g}, {names[1]} = {across[column]:.6g}: {point.value:.6g}{' (approximate)' if is_approximate(point) else ''}"
                )
                yield (
                    f'<rect x="{x:.2f}" y="{y:.2f}" width="{wide + 0.3:.2f}" height="{tall + 0.3:.2f}" fill="{shade}">'
                    f"<title>{title}</title></rect>"
                )
    yield f'<text x="{_WIDTH - _RIGHT}" y="22" text-anchor="end">light {low:.4g} to dark {high:.4g}</text>'


def cell_edges(centres: Sequence[float]) -> tuple[float, float]:
    """Return the outer edges of cells around evenly spaced centres."""
    half = (centres[-1] - centres[0]) / (len(centres) - 1) / 2
    return centres[0] - half, centres[-1] + half


def _axes(name: str, across: tuple[float, float], up: tuple[float, float], upward: str = "") -> Iterator[str]:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    for value in _ticks(*up):
        y = _y(value, *up)
        yield f'<line class="grid" x1="{_LEFT}" x2="{right}" y1="{y:.2f}" y2="{y:.2f}"/>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4:.2f}" text-anchor="end">{value:.6g}</text>'
    for value in _ticks(*across):
        x = _x(value, *across)
        yield f'<line class="axis" x1="{x:.2f}" x2="{x:.2f}" y1="{bottom}" y2="{bottom + 5}"/>'
        yield f'<text x="{x:.2f}" y="{bottom + 20}" text-anchor="middle">{value:.6g}</text>'
    yield f'<polyline class="axis" points="{_LEFT},{_TOP} {_LEFT},{bottom} {right},{bottom}"/>'
    yield f'<text x="{(_LEFT + right) / 2:.2f}" y="{bottom + 40}" text-anchor="middle">{_text(name)}</text>'
    if upward:
        yield f'<text x="16" y="{(_TOP + bottom) / 2:.2f}">{_text(upward)}</text>'


def stretches(
    across: Sequence[float], points: Sequence[Point], drawn: Callable[[Point], bool] | None = None
) -> Iterator[list[tuple[float, Point]]]:
    """Yield the stretches of points that are ``drawn``, by default all with bounds, approximate ones apart from others."""
    run: list[tuple[float, Point]] = []
    for x, point in zip(across, points, strict=True):
        if (drawn or is_bounded)(point):
            if run and is_approximate(run[-1][1]) != is_approximate(point):
                yield run
                run = []
            run.append((x, point))
        elif run:
            yield run
            run = []
    if run:
        yield run


def is_bounded(point: Point) -> bool:
    """Tell whether the bounds of a point are finite, so that they are drawn."""
    return not point.fault and math.isfinite(point.lower) and math.isfinite(point.upper)


def has_value(point: Point) -> bool:
    """Tell whether a point has one finite number to draw."""
    return is_bounded(point) and point.value is not None


def _span(known: Sequence[float]) -> tuple[float, float]:
    """Return what the upward axis spans: from 0 where no value is negative, and never nothing."""
    if not known:
        return 0.0, 1.0
    low, high = min(0.0, *known), max(known)
    return (low, high) if high > low else (low, low + 1.0)


def _ticks(low: float, high: float) -> Iterator[float]:
    """Yield round numbers from ``low`` to ``high``."""
    raw = (high - low) / _TICKS
    size = 10.0 ** math.floor(math.log10(raw)) if raw > 0 else 1.0
    step = next(factor * size for factor in (1.0, 2.0, 5.0, 10.0) if factor * size >= raw * (1 - 1e-9))
    number = math.ceil(low / step - 1e-9)
    while number * step <= high + step * 1e-9:
        yield number * step + 0.0
        number += 1


def _x(value: float, low: float, high: float) -> float:
    return _LEFT + (value - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT)


def _y(value: float, low: float, high: float) -> float:
    return _HEIGHT - _BOTTOM - (value - low) / (high - low) * (_HEIGHT - _TOP - _BOTTOM)


def _shade(value: float, low: float, high: float) -> str:
    part = (value - low) / (high - low) if high > low else 0.0
    light, dark = (236, 243, 251), (13, 52, 102)
    mixed = (round(a + (b - a) * part) for a, b in zip(light, dark, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def _text(text: str) -> str:
    return escape(printable(text), {'"': "&quot;"})
