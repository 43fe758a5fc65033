"""An interval of which nothing but the ends is known shows no number beside them; the panel writes numbers in the same words."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from seepage.measures.result import Certainty, Result
from seepage.report.numbers import number_text

_TEXTS = Path(__file__).parents[2] / "vscode-extension" / "test" / "panel-number-texts.json"


def _result(lower: Any, value: Any, upper: Any, estimated: bool, certainty: str, unit: Any) -> Result:
    ends = (lower, value, upper)
    written: tuple[Decimal, Decimal | None, Decimal] | None = None
    if isinstance(lower, str) and "e" in lower:
        written = (Decimal(lower), None if value is None else Decimal(value), Decimal(upper))
    low, middle, high = (None if end is None else float(end) for end in ends)
    assert low is not None
    assert high is not None
    return Result(
        "I(r; o)",
        unit,
        middle,
        low,
        high,
        Certainty(certainty),
        "paths",
        symbol="I",
        beyond=written,
        estimated=estimated,
    )


@pytest.mark.parametrize("row", json.loads(_TEXTS.read_text("utf-8")), ids=lambda row: str(row[-1]))
def test_numbers_are_written_as_in_the_panel(row: list[Any]) -> None:
    *told, most, text = row

    assert number_text(_result(*told), most) == text
