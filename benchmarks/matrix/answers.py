"""What became of each question: found in processes of their own, kept as data, compared with what was found before."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import seepage
from benchmarks.matrix.questions import Cell

DATA = Path(__file__).with_name("cells.json")
LIMIT = 10.0  # seconds of processor time for one question

Kind: TypeAlias = Literal["exact", "certified", "bounded", "not"]
_KINDS: Mapping[seepage.Certainty, Kind] = {
    seepage.Certainty.EXACT: "exact",
    seepage.Certainty.CERTIFIED: "certified",
    seepage.Certainty.APPROXIMATE: "bounded",
}
_RANK: Mapping[Kind, int] = {"not": 0, "bounded": 1, "certified": 2, "exact": 3}
_TIGHT = 1e-3  # relative width up to which a certified number counts as one; wider ones are bounds
_ROUNDING = 1e-9  # relative; doubles of different ways differ by this, and no reader sees it


@dataclass(frozen=True, slots=True)
class Found:
    """What was found.

    Attributes:
        kind: exact, certified, bounded (bounds that are wide, or hold while the number is approximate), or not.
        lower: guaranteed; infinite where there is no bound, and 0 for budgets.
        upper: guaranteed.
        way: the engine; of a budget, its verdict; of what has no number, the code of the finding.
        seconds: of processor time.
    """

    kind: Kind
    lower: float
    upper: float
    way: str
    seconds: float


def find(cell: Cell) -> Found:
    """Ask a question."""
    program = seepage.parse(cell.program)
    started = time.process_time()
    if cell.measure.startswith("require"):
        return _verdict(cell, started)
    try:
        result = program.measure(cell.measure, seconds=LIMIT)
    except seepage.MeasureError as error:
        return Found("not", -math.inf, math.inf, error.diagnostic.rule.code, _since(started))
    seconds = _since(started)
    kind = _KINDS[result.certainty]
    if kind == "certified" and not _is_tight(result.lower, result.upper):
        kind = "bounded"
    if kind == "bounded" and math.isinf(result.lower) and math.isinf(result.upper):
        kind = "not"
    return Found(kind, result.lower, result.upper, result.engine, seconds)


def _verdict(cell: Cell, started: float) -> Found:
    (answer,) = seepage.parse(f"{cell.program}{cell.measure}\n").analyze(seconds=LIMIT).answers
    kind: Kind = "certified" if answer.verdict in ("holds", "violated") else "not"
    return Found(kind, 0.0, 0.0, str(answer.verdict), _since(started))


def _since(started: float) -> float:
    return round(time.process_time() - started, 4)


def _is_tight(lower: float, upper: float) -> bool:
    return lower == upper or (math.isfinite(upper - lower) and upper - lower <= _TIGHT * max(abs(lower), abs(upper)))


def find_all(cells: Iterable[Cell], processes: int) -> Iterator[tuple[Cell, Found]]:
    """Ask all questions, in order."""
    wanted = list(cells)
    with ProcessPoolExecutor(processes) as pool:
        yield from zip(wanted, pool.map(find, wanted, chunksize=1), strict=True)


def worse(old: Found, new: Found) -> str:
    """Return in which way a cell got worse; empty if it did not.

    >>> before = Found("exact", 1.0, 1.0, "discrete", 0.1)
    >>> worse(before, Found("bounded", 0.5, 2.0, "discrete", 0.1))
    'was exact, is bounded'
    >>> worse(before, Found("exact", 2.0, 2.0, "discrete", 0.1))
    'was 1.0 … 1.0, is 2.0 … 2.0: one of the two is wrong'
    """
    if old.way != new.way and {old.way, new.way} >= {"holds", "violated"}:
        return f"was {old.way}, is {new.way}: one of the two is wrong"
    room = _ROUNDING * max(1.0, *(abs(each) for each in (old.lower, new.upper) if math.isfinite(each)), 0.0)
    if new.lower > old.upper + room or new.upper < old.lower - room:
        return f"was {old.lower} … {old.upper}, is {new.lower} … {new.upper}: one of the two is wrong"
    if _RANK[new.kind] < _RANK[old.kind]:
        return f"was {old.kind}, is {new.kind}"
    if new.kind == "bounded" and (new.lower < old.lower - room or new.upper > old.upper + room):
        return f"was {old.lower} … {old.upper}, is {new.lower} … {new.upper}"
    return ""


def frozen() -> dict[str, Found]:
    """Return what was found when the data were made, by the key of the question."""
    rows = json.loads(DATA.read_text(encoding="utf-8"))
    return {row.pop("key"): Found(**{**row, **{end: float(row[end]) for end in ("lower", "upper")}}) for row in rows}


def freeze(found: Mapping[str, Found]) -> None:
    """Keep what was found: a line for each question, so that a change of one is a change of one line."""
    lines = [json.dumps({"key": key, **_row(each)}, ensure_ascii=False) for key, each in found.items()]
    DATA.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def _row(found: Found) -> dict[str, str | float]:
    row = asdict(found)
    for end in ("lower", "upper"):
        row[end] = str(row[end]) if math.isinf(row[end]) else row[end]
    return row
