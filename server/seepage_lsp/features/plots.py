"""A small plot as an image inside of Markdown, with its numbers as text for those who do not see it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator
from html import escape

from seepage.measures.digits import FEW_DIGITS, rounded
from seepage.measures.facts import Plot

_WIDTH, _HEIGHT = 260, 110
_LEFT, _RIGHT, _TOP, _BOTTOM = 38, 8, 8, 22
# Mid grey and blue are read on light and on dark ground: an image does not know the editor's colours.
_GREY, _LINE, _BAND = "#888888", "#3b8eea", "#3b8eea40"
_NAMED = 5  # points whose numbers are told


def plot_markdown(parameter: str, plot: Plot) -> str:
    """Return an image of a curve, with numbers of it as the text in its place."""
    image = b64encode(plot_svg(parameter, plot).encode()).decode()
    return f"![{_escaped(plot_text(parameter, plot))}](data:image/svg+xml;base64,{image})"


def plot_text(parameter: str, plot: Plot) -> str:
    """Return some numbers of a curve: ``I(r; o) in bits over p: 0 at 0, 0.16 at 0.5, 0 at 1``."""
    last = len(plot.points) - 1
    chosen = sorted({round(last * number / (_NAMED - 1)) for number in range(_NAMED)})
    told = ", ".join(f"{_value(plot, number)} at {rounded(plot.points[number].at, FEW_DIGITS)}" for number in chosen)
    sure = " (approximate)" if plot.approximate else ""
    return f"{plot.measure} in {plot.unit} over {parameter}{sure}: {told}"


def _value(plot: Plot, number: int) -> str:
    point = plot.points[number]
    low, high = rounded(point.lower, FEW_DIGITS), rounded(point.upper, FEW_DIGITS)
    if low == high:
        return low
    if point.value is not None and point.upper - point.lower <= 10**-6 * max(abs(point.value), 1):
        return rounded(point.value, FEW_DIGITS)
    return f"{rounded(point.lower, FEW_DIGITS, 'down')} to {rounded(point.upper, FEW_DIGITS, 'up')}"


def plot_svg(parameter: str, plot: Plot) -> str:
    """Return a curve with its bounds as a band, axes with their ends."""
    low, high = plot.points[0].at, plot.points[-1].at
    bottom, top = min(0.0, *(one.lower for one in plot.points)), max(one.upper for one in plot.points)
    top = top if top > bottom else bottom + 1.0

    def place(at: float, value: float) -> str:
        x = _LEFT + (at - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT)
        y = _HEIGHT - _BOTTOM - (value - bottom) / (top - bottom) * (_HEIGHT - _TOP - _BOTTOM)
        return f"{x:.1f},{y:.1f}"

    band = [place(one.at, one.upper) for one in plot.points] + [place(one.at, one.lower) for one in plot.points[::-1]]
    curves = "".join(
        f'<polyline points="{" ".join(run)}" fill="none" stroke="{_LINE}" stroke-width="1.5"/>'
        for run in _runs(plot, place)
    )
    axes = f"{_LEFT},{_TOP} {_LEFT},{_HEIGHT - _BOTTOM} {_WIDTH - _RIGHT},{_HEIGHT - _BOTTOM}"
    labels = [
        (_LEFT - 4, _TOP + 8, "end", rounded(top, FEW_DIGITS)),
        (_LEFT - 4, _HEIGHT - _BOTTOM, "end", rounded(bottom, FEW_DIGITS)),
        (_LEFT, _HEIGHT - 6, "start", rounded(low, FEW_DIGITS)),
        ((_LEFT + _WIDTH - _RIGHT) // 2, _HEIGHT - 6, "middle", parameter),
        (_WIDTH - _RIGHT, _HEIGHT - 6, "end", rounded(high, FEW_DIGITS)),
        (_LEFT + 6, _TOP + 8, "start", f"{plot.measure}, {plot.unit}{', approximate' if plot.approximate else ''}"),
    ]
    texts = [f'<text x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>' for x, y, anchor, text in labels]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}">'
        f'<g font-family="sans-serif" font-size="10" fill="{_GREY}">{"".join(texts)}</g>'
        f'<polyline points="{axes}" fill="none" stroke="{_GREY}"/>'
        f'<polygon points="{" ".join(band)}" fill="{_BAND}"/>'
        f"{curves}</svg>"
    )


def _runs(plot: Plot, place: Callable[[float, float], str]) -> Iterator[list[str]]:
    """Yield the places of stretches of points that have one number to draw."""
    run: list[str] = []
    for point in plot.points:
        if point.value is not None:
            run.append(place(point.at, point.value))
        elif run:
            yield run
            run = []
    if run:
        yield run


def _escaped(text: str) -> str:
    return text.replace("[", "\\[").replace("]", "\\]")
