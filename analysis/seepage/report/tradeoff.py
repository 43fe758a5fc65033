"""What leaks beside what is lost, as a table and as a drawing: the loss over the leak."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from seepage.data_classes import dataclass
from seepage.exact import Number, number
from seepage.measures.plotting import Plotted
from seepage.report.findings import printable
from seepage.report.picture import plot_picture
from seepage.report.plot import aligned, point_words
from seepage.report.svg import plot_svg
from seepage.report.tuning import number_words
from seepage.source import SourceFile
from seepage.tuning.tradeoff import TradeOff


class NothingToDraw(Exception):
    """There are not two points with different leaks."""


def trade_off_csv(found: TradeOff) -> str:
    """Return a row for each value: it in decimals, bounds and value of both measures, certainties, and why there is no number."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns = [f"{which} {column}" for which in ("leak", "loss") for column in ("lower", "value", "upper", "certainty")]
    writer.writerow([found.name, *columns, "fault"])
    for point in found.points:
        faults = "; ".join(printable(each.fault) for each in (point.leak, point.loss) if each.fault)
        at = str(point.at) if point.at.denominator == 1 else repr(float(point.at))
        writer.writerow([at, *_cells(point.leak), *_cells(point.loss), faults])
    return text.getvalue().removesuffix("\n")


def _cells(point: Plotted) -> list[str]:
    if point.fault:
        return [""] * 4
    value = "" if point.value is None else repr(point.value)
    return [repr(point.lower), value, repr(point.upper), "" if point.certainty is None else point.certainty.value]


@dataclass(frozen=True, slots=True)
class _Curve:
    """The loss over the leak, as :class:`seepage.report.plot.Drawn`."""

    unit: str
    values: tuple[tuple[Number, ...], ...]
    rows: tuple[tuple[Plotted, ...], ...]


def trade_off_svg(found: TradeOff, source: SourceFile) -> str:
    """Return a drawing of the loss over the leak, the bounds of the loss as a band.

    Raises:
        NothingToDraw: fewer than two different leaks are known.
    """
    curve, name = _curve(found)
    return plot_svg(curve, found.loss, (name,), source)


def trade_off_picture(found: TradeOff, source: SourceFile, form: Literal["png", "pdf"]) -> bytes:
    """Return the same drawing as a file.

    Raises:
        NothingToDraw: fewer than two different leaks are known.
        NoMatplotlib: the library is not installed.
    """
    curve, name = _curve(found)
    return plot_picture(curve, found.loss, (name,), source, form)


def trade_off_table(found: TradeOff) -> Iterator[str]:
    """Yield a line for each value, with both measures."""
    units = [next((f" ({each.unit})" for each in many if each.unit), "") for many in (found.leaks, found.losses)]
    cells = [(found.name, f"{found.leak}{units[0]}", f"{found.loss}{units[1]}")]
    cells += [(number_words(each.at), point_words(each.leak), point_words(each.loss)) for each in found.points]
    yield from aligned(cells)


def _curve(found: TradeOff) -> tuple[_Curve, str]:
    """Return the loss over the leak, and what the leak is called."""
    drawn: dict[float, Plotted] = {}
    for point in sorted(found.points, key=lambda each: each.at):
        if (
            not point.leak.fault
            and not point.loss.fault
            and point.leak.value is not None
            and math.isfinite(point.leak.value)
        ):
            drawn.setdefault(point.leak.value, point.loss)
    if len(drawn) < 2:
        raise NothingToDraw
    across = sorted(drawn)
    units = [point.unit for point in found.leaks if point.unit]
    losses = tuple(drawn[each] for each in across)
    curve = _Curve(losses[0].unit or "", (tuple(number(Fraction(each)) for each in across),), (losses,))
    return curve, found.leak + (f" ({units[0]})" if units else "")
