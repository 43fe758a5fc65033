"""What leaks beside what is lost, as a table and as a drawing: the loss over the leak."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass
from fractions import Fraction

from seepage.exact import Number, number
from seepage.measures.plotting import Plotted
from seepage.report.findings import printable
from seepage.report.svg import plot_svg
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
    units = [point.leak.unit for point in found.points if point.leak.unit]
    name = found.leak + (f" ({units[0]})" if units else "")
    losses = tuple(drawn[each] for each in across)
    curve = _Curve(losses[0].unit or "", (tuple(number(Fraction(each)) for each in across),), (losses,))
    return plot_svg(curve, found.loss, (name,), source)
