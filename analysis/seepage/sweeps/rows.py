"""What is known of one number of a sweep, as data that is checked when it is read."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from seepage.data_classes import dataclass

_KEY = re.compile(r"[0-9a-f]{16}-[0-9a-f]{16}")
_CERTAINTIES = ("exact", "certified", "approximate")
_UNITS = ("bits", "nats", "")
_LONGEST = 2_000  # characters of a text


@dataclass(frozen=True, slots=True)
class Row:
    """A measure at one point.

    Attributes:
        key: what it is known by (:meth:`seepage.sweeps.study.Study.numbers`).
        at: the values of what varies, as programs spell them.
        measure: as written.
        lower: guaranteed; NaN, as the other numbers, where there is a fault.
        value: between the two; None where only they are known.
        upper: guaranteed.
        certainty: how far to trust the numbers; empty where there are none.
        unit: of the numbers; empty without one, and where there are none.
        because: lines that made the number approximate, as text.
        fault: why there is no number; empty where there is one.
        limit: the seconds after which more was given up, so that a larger limit may tell more; None if time was no reason.
    """

    key: str
    at: tuple[str, ...]
    measure: str
    lower: float
    value: float | None
    upper: float
    certainty: str
    unit: str
    because: str
    fault: str
    limit: float | None

    def __post_init__(self) -> None:
        if not _KEY.fullmatch(self.key):
            raise ValueError("found no key where one must be")
        texts = (*self.at, self.measure, self.because, self.fault)
        if any(len(text) > _LONGEST for text in texts):
            raise ValueError("found a text that is too long")
        if self.fault:
            return
        if self.certainty not in _CERTAINTIES or self.unit not in _UNITS:
            raise ValueError("found another certainty or unit than there are")
        if not self.lower <= (self.lower if self.value is None else self.value) <= self.upper:
            raise ValueError("found numbers that do not ascend")
        if self.limit is not None and not self.limit > 0:
            raise ValueError("found a limit that is none")

    def is_settled(self, seconds: float) -> bool:
        """Tell whether a limit of so many seconds would tell no more."""
        return self.limit is None or self.limit >= seconds


def row_of(at: tuple[str, ...], fields: Mapping[str, object]) -> Row:
    """Return the row that fields hold, as JSON or CSV have them.

    Raises:
        ValueError: they hold none.
    """
    fault = _text(fields.get("fault") or "")
    value = fields.get("value")
    limit = fields.get("limit")
    nothing = math.nan
    return Row(
        _text(fields.get("key")),
        at,
        _text(fields.get("measure")),
        nothing if fault else _number(fields.get("lower")),
        None if fault or value in (None, "") else _number(value),
        nothing if fault else _number(fields.get("upper")),
        _text(fields.get("certainty") or ""),
        _text(fields.get("unit") or ""),
        _text(fields.get("because") or ""),
        fault,
        None if limit in (None, "") else _number(limit),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("found no text where one must be")
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("found no number where one must be")
    number = float(value)  # of a text, too: "inf"
    if math.isnan(number):
        raise ValueError("found no number where one must be")
    return number
