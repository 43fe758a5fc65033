"""Python functions with numbers that were found by enumerating every draw, or in closed form; asked through the library."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from seepage.functions import FunctionProgram, load_function
from seepage.python.marks import read
from seepage.source import Span

Case = Mapping[str, Any]
CASES: dict[str, Case] = {
    case["name"]: case
    for case in tomllib.loads((Path(__file__).parent / "cases.toml").read_text(encoding="utf-8"))["case"]
}
ASKS = [(name, number) for name, case in CASES.items() for number, _ in enumerate(case["asks"])]


@cache
def program_of(name: str) -> FunctionProgram:
    """Return the function of a case."""
    case = CASES[name]
    keys = {"assertions" if key == "assert" else key: value for key, value in case["marks"].items()}
    mark, wrong = read(keys, Span(0, 0))
    assert not wrong
    return load_function(case["code"], f"{name}.py", case["function"], mark)


@pytest.mark.parametrize(("name", "number"), ASKS)
def test_a_function_has_the_number_of_its_case(name: str, number: int) -> None:
    asked = CASES[name]["asks"][number]
    value = float(Fraction(asked["value"]))

    result = program_of(name).measure(asked["measure"], unit="nats" if asked["unit"] == "nats" else "bits")

    assert result.value == pytest.approx(value, rel=1e-10, abs=1e-10)
    assert result.lower - 1e-10 <= value <= result.upper + 1e-10
