"""A measure over one or two parameters as a table, as CSV, and as JSON; drawn in :mod:`seepage.report.svg`."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Protocol

from seepage import exact
from seepage.diagnostics import Reason
from seepage.exact import Number
from seepage.measures.digits import justified, rounded
from seepage.measures.result import Certainty
from seepage.report.finding_json import SCHEMA
from seepage.report.findings import printable
from seepage.report.json import Json, number_json, reason_json, value_json
from seepage.source import SourceFile

_DIGITS = 6


class Point(Protocol):
    """A measure at one point, as :class:`seepage.measures.plotting.Plotted` has it."""

    @property
    def at(self) -> tuple[Number, ...]:
        """The values of the parameters."""
        ...

    @property
    def lower(self) -> float:
        """Guaranteed."""
        ...

    @property
    def value(self) -> float | None:
        """The number to draw, None where there is none."""
        ...

    @property
    def upper(self) -> float:
        """Guaranteed."""
        ...

    @property
    def fault(self) -> str:
        """Why there is no number."""
        ...

    @property
    def certainty(self) -> Certainty | None:
        """How far to trust the numbers."""
        ...

    @property
    def because(self) -> Sequence[Reason]:
        """The statements that broke exactness."""
        ...


class Drawn(Protocol):
    """What is plotted, as :class:`seepage.exploration.Plot` has it."""

    @property
    def unit(self) -> str:
        """Of the numbers."""
        ...

    @property
    def values(self) -> tuple[tuple[Number, ...], ...]:
        """Of each axis."""
        ...

    @property
    def rows(self) -> Sequence[Sequence[Point]]:
        """The points: one row, or one for each value of the first parameter."""
        ...


def plot_table(plot: Drawn, measure: str, names: Sequence[str], source: SourceFile) -> Iterator[str]:
    """Yield the points as lines of a table, and below it why some are approximate."""
    unit = f" ({plot.unit})" if plot.unit else ""
    cells = [(*names, f"{measure}{unit}")]
    for point in _points(plot):
        cells.append((*(_shown(value) for value in point.at), point_words(point)))
    yield from aligned(cells)
    yield from (printable(f"approximate because of line {line}: {message}") for line, message in reasons(plot, source))


def point_words(point: Point) -> str:
    """Return the number of a point with how far to trust it, or why there is none."""
    return _number(point) + ("" if point.certainty is None else f" · {point.certainty}")


def aligned(cells: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows of cells as lines of a table, a rule below the first one."""
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    for number, line in enumerate(cells):
        yield printable("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
        if number == 0:
            yield "  ".join("─" * width for width in widths)


def reasons(plot: Drawn, source: SourceFile) -> list[tuple[int, str]]:
    """Return why points are approximate, each reason once: the line of the statement, and what it breaks."""
    found = {(source.position(each.span.start)[0], each.message) for point in _points(plot) for each in point.because}
    return sorted(found)


def is_approximate(point: Point) -> bool:
    """Tell whether the value of a point describes an approximation, which may be far off."""
    return point.certainty is Certainty.APPROXIMATE


def plot_csv(plot: Drawn, names: Sequence[str], source: SourceFile) -> str:
    """Return the points as comma-separated values: the parameters in decimals, ``lower``, ``value``, ``upper``, ``certainty``, ``because``, ``fault``."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*names, "lower", "value", "upper", "certainty", "because", "fault"])
    for point in _points(plot):
        numbers = ("", "", "") if point.fault else map(_cell, (point.lower, point.value, point.upper))
        lines = sorted({source.position(each.span.start)[0] for each in point.because})
        because = "; ".join(f"line {line}" for line in lines)
        status = (point.certainty or "", because, printable(point.fault))
        writer.writerow([*(repr(coordinate(value)) for value in point.at), *numbers, *status])
    return text.getvalue().removesuffix("\n")


def plot_json(plot: Drawn, measure: str, names: Sequence[str], source: SourceFile) -> dict[str, Json]:
    """Return the points; ``at`` has the exact values of the parameters."""
    return {
        "schema": SCHEMA,
        "measure": measure,
        "unit": plot.unit,
        "parameters": list(names),
        "points": [
            {
                "at": [exact.spelled(value) for value in point.at],
                "lower": None if point.fault else number_json(point.lower),
                "value": None if point.fault else value_json(point.value),
                "upper": None if point.fault else number_json(point.upper),
                "certainty": point.certainty,
                "because": [reason_json(each, source) for each in point.because],
                "fault": point.fault or None,
            }
            for point in _points(plot)
        ],
    }


def _cell(number: float | None) -> str:
    return "" if number is None else repr(number)


def coordinate(value: Number) -> float:
    """Return a value of a parameter as the nearest double."""
    return float(exact.enclose(value).mid())


def _points(plot: Drawn) -> Iterator[Point]:
    for row in plot.rows:
        yield from row


def _shown(value: Number) -> str:
    text = exact.show(value)
    return text if len(text) <= _DIGITS + 2 else rounded(coordinate(value), _DIGITS)


def _number(point: Point) -> str:
    if point.fault:
        return point.fault
    known = justified(point.lower, point.value, point.upper, _DIGITS)
    if known is not None:
        return known
    ends = f"{rounded(point.lower, _DIGITS, 'down')} … {rounded(point.upper, _DIGITS, 'up')}"
    if is_approximate(point) and point.value is not None:
        return f"{ends}, estimate {rounded(point.value, _DIGITS)}"
    return ends
