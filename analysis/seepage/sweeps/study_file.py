"""A sweep that is written down in TOML, to be run again: the same words as on the command line."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Literal

from seepage.data_classes import dataclass

_KEYS = ("program", "measures", "over", "points", "set", "unit", "time_limit", "output")


class WrongStudy(ValueError):
    """A file that describes no sweep; the message says why, in one line."""


@dataclass(frozen=True, slots=True)
class StudyFile:
    """What a file says; None where it says nothing.

    Attributes:
        program: path of the program, from the folder of the file.
        measures: as written.
        over: the values of what varies, as on the command line.
        points: of each range.
        set: values of other parameters.
        unit: of entropies.
        time_limit: seconds for each number.
        output: path of the results, from the folder of the file.
    """

    program: str
    measures: tuple[str, ...]
    over: Mapping[str, str]
    points: int | None
    set: Mapping[str, str]
    unit: Literal["bits", "nats"] | None
    time_limit: float | None
    output: str | None


def read_study_file(text: str) -> StudyFile:
    """Return what a TOML text says.

    Raises:
        WrongStudy: it is no TOML, has other keys than there are, or a value of another kind.
    """
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise WrongStudy(f"it is no TOML: {error}") from None
    unknown = [key for key in table if key not in _KEYS]
    if unknown:
        raise WrongStudy(f"found '{unknown[0][:60]}', expected one of: {', '.join(_KEYS)}")
    measures = table.get("measures")
    unit = table.get("unit")
    points = table.get("points")
    if unit not in (None, "bits", "nats"):
        raise WrongStudy("found another unit, expected 'bits' or 'nats'")
    if points is not None and (isinstance(points, bool) or not isinstance(points, int)):
        raise WrongStudy("expected 'points' to be a whole number")
    return StudyFile(
        _text(table.get("program"), "program"),
        tuple(_text(each, "measures") for each in (measures if isinstance(measures, list) else [measures])),
        {name: _values(value, f"over.{name}") for name, value in _table(table.get("over"), "over").items()},
        points,
        {name: _values(value, f"set.{name}") for name, value in _table(table.get("set", {}), "set").items()},
        unit,
        _seconds(table.get("time_limit")),
        None if "output" not in table else _text(table["output"], "output"),
    )


def _table(value: object, key: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise WrongStudy(f"expected a table '{key}'")
    return value


def _text(value: object, key: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise WrongStudy(f"expected '{key}' to be a text")
    return value


def _values(value: object, key: str) -> str:
    """Return values as the command line has them: a text, a number, or a list of these."""
    many = value if isinstance(value, list) else [value]
    if not many or any(isinstance(each, bool) or not isinstance(each, str | int | float) for each in many):
        raise WrongStudy(f"expected '{key}' to be a number, a text, or a list of these")
    return ",".join(map(str, many))


def _seconds(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0.1:
        raise WrongStudy("expected 'time_limit' to be a number of seconds, at least 0.1")
    return float(value)
