"""Regions in which a budget holds, as words, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from fractions import Fraction

from seepage.measures.digits import rounded
from seepage.measures.result import Json
from seepage.report.finding_json import SCHEMA
from seepage.report.findings import printable
from seepage.report.tuning import best_lines, number_words, proof_json
from seepage.tuning.goal import Best
from seepage.tuning.regions import Box, Region, Told, Values

_KINDS: tuple[Told, ...] = ("holds", "violated", "border")


def region_lines(found: Region) -> Iterator[str]:
    """Yield how much of the rectangle is proved, the largest box in which the budget holds, and the best point."""
    first, second = found.parameters
    proved, refuted, border = (rounded(float(100 * found.share(kind)), 3) for kind in _KINDS)
    yield printable(f"{found.budget} is proved for {proved} % of the values of {first} and {second}")
    yield f"  proved to be violated for {refuted} %, not decided for {border} % around the border, in {len(found.boxes)} boxes"
    inside = [box for box in found.boxes if box.told == "holds"]
    if inside:
        box = max(inside, key=lambda each: (each.area, [-end for end in each.low]))
        yield printable(f"  the largest box in which it holds: {_box_words(found, box)}")
    if found.best is not None:
        yield from _best_lines(found.best, found)


def _box_words(found: Region, box: Box) -> str:
    ends = zip(found.parameters, box.low, box.high, strict=True)
    return ", ".join(f"{name} in [{number_words(low)}, {number_words(high)}]" for name, low, high in ends)


def _best_lines(best: Best[Values], found: Region) -> Iterator[str]:
    at = ", ".join(f"{name} = {number_words(value)}" for name, value in zip(found.parameters, best.at, strict=True))
    yield from best_lines(best, at, "wherever the budget may hold")


def region_json(found: Region) -> dict[str, Json]:
    """Return it as data; exact values as fractions in text."""
    best = found.best
    return {
        "schema": SCHEMA,
        "budget": found.budget,
        "parameters": list(found.parameters),
        "shares": {kind: str(found.share(kind)) for kind in _KINDS},
        "boxes": [{"low": _exact(box.low), "high": _exact(box.high), "told": box.told} for box in found.boxes],
        "best": None if best is None else {"at": _exact(best.at), **proof_json(best)},
    }


def _exact(values: Values) -> list[Json]:
    return [str(value) for value in values]


def region_csv(found: Region) -> str:
    """Return the boxes as a table: the ends of each parameter in decimals, and what is told."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*(f"{name} {end}" for name in found.parameters for end in ("low", "high")), "told"])
    for box in found.boxes:
        ends = (end for pair in zip(box.low, box.high, strict=True) for end in pair)
        writer.writerow([*map(_decimal, ends), box.told])
    return text.getvalue().removesuffix("\n")


def _decimal(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else repr(float(value))
