"""The answer to a task of a sweep, in a process of its own: the part that computes, and so loads the engines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from seepage.configuration import program_files
from seepage.constants import with_constants
from seepage.deadline import processor_seconds, watched
from seepage.diagnostics import Fault
from seepage.exact import Number
from seepage.exploration import Explored
from seepage.measures.parameters import read_number
from seepage.measures.plotting import Plotted
from seepage.measures.result import Json, number_json, value_json
from seepage.pipeline import check
from seepage.source import SourceFile, Span

_programs: dict[tuple[str, str, tuple[tuple[str, str], ...]], Explored] = {}  # of this process: the last one


def answered(value: Mapping[str, Any]) -> Mapping[str, Json]:
    """Return the numbers of some points with the same constants, and the seconds that they took, as JSON values.

    Args:
        value: of a :class:`seepage.sweeps.running.Chunk`.

    Raises:
        ValueError: a constant that the program does not have, or that cannot have its value.
    """
    started = processor_seconds()
    explored = _explored(value["name"], value["text"], tuple((name, number) for name, number in value["constants"]))
    points = [tuple(read_number(each, {}) for each in point) for point in value["points"]]
    params = {name: read_number(each, {}) for name, each in value["params"].items()}
    rows: list[Json] = []
    for measure in value["measures"]:
        told = _told(explored, measure, value["names"], points, params, value["unit"], value["limit"])
        rows.append(list(told))
    return {"rows": rows, "seconds": processor_seconds() - started}


def _explored(name: str, text: str, constants: tuple[tuple[str, str], ...]) -> Explored:
    key = (name, text, constants)
    if key not in _programs:
        checked = check(SourceFile(name, text, files=program_files(name)))
        values = {each: read_number(value, {}) for each, value in constants}
        _programs.clear()
        _programs[key] = Explored(with_constants(checked, values))
    return _programs[key]


def _told(
    explored: Explored,
    measure: str,
    names: Sequence[str],
    points: Sequence[tuple[Number, ...]],
    params: Mapping[str, Number],
    unit: Any,
    seconds: float,
) -> Iterator[Json]:
    """Yield what is told of each point; a fault of the program as a whole is told of all of them."""
    try:
        found = _points(explored, measure, names, points, params, unit, seconds)
        for _ in points:
            with watched() as watch:
                point = next(found)
            yield _row(point, explored, seconds if watch.cut else None)
    except Fault as fault:
        for _ in points:
            yield {"fault": fault.diagnostic.message}


def _points(
    explored: Explored,
    measure: str,
    names: Sequence[str],
    points: Sequence[tuple[Number, ...]],
    params: Mapping[str, Number],
    unit: Any,
    seconds: float,
) -> Iterator[Plotted]:
    if names:
        return explored.points(measure, names, points, params, unit, seconds)
    result = explored.measure(measure, params, unit, seconds)
    return iter([_plotted(result)])


def _plotted(result: Any) -> Plotted:
    from seepage.measures.plotting import plotted

    return plotted((), result)


def _row(point: Plotted, explored: Explored, limit: float | None) -> dict[str, Json]:
    if point.fault:
        return {"fault": point.fault, "limit": limit}
    lines = sorted({_line(explored, each.span) for each in point.because})
    return {
        "lower": number_json(point.lower),
        "value": value_json(point.value),
        "upper": number_json(point.upper),
        "certainty": None if point.certainty is None else point.certainty.value,
        "unit": point.unit or "",
        "because": "; ".join(f"line {line}" for line in lines),
        "limit": limit,
    }


def _line(explored: Explored, span: Span) -> int:
    return explored.checked.source.position(span.start)[0]
