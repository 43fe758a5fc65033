"""Programs of the second part of the language with verified answers; those that this version refuses are refused plainly."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, cast

import pytest

import seepage

CASES: Mapping[str, Mapping[str, Any]] = {
    case["name"]: case
    for case in tomllib.loads((Path(__file__).parent / "language-2.toml").read_text(encoding="utf-8"))["case"]
}
# What waits for later work, by the beginning of the name.
LATER = {
    "while-transient-walk": "loops with infinitely many states",
    "def-pure": "recursion with random arguments",
}
REFUSED = [name for name in CASES if name.startswith(tuple(LATER))]
EXPECTATIONS = [
    (name, number) for name, case in CASES.items() if name not in REFUSED for number, _ in enumerate(case["expect"])
]


@cache
def program_of(name: str) -> seepage.Program:
    """Return the program of a case, which stands in a folder with its files."""
    with TemporaryDirectory() as folder:
        for each, text in {**CASES[name].get("files", {}), "main.seep": CASES[name]["program"]}.items():
            Path(folder, each).write_text(text, encoding="utf-8")
        return seepage.load(Path(folder, "main.seep"))


@pytest.mark.family(every=3)
@pytest.mark.parametrize(("name", "number"), EXPECTATIONS)
def test_the_answer_is_the_verified_one(name: str, number: int) -> None:
    expected = CASES[name]["expect"][number]
    unit = cast("Literal['bits', 'nats']", expected["unit"] or "bits")

    result = program_of(name).measure(expected["measure"], params=expected.get("set", {}), unit=unit)

    assert result.unit == expected["unit"]
    assert result.value is not None
    assert result.certainty is not seepage.Certainty.APPROXIMATE
    if math.isinf(expected["value"]):
        assert result.value == expected["value"]
    else:
        assert abs(result.value - expected["value"]) <= expected["tolerance"]


@pytest.mark.parametrize("name", [name for name in CASES if name not in REFUSED])
def test_a_program_with_answers_has_no_error(name: str) -> None:
    assert not [one.message for one in program_of(name).diagnostics if one.is_error]


@pytest.mark.parametrize("name", REFUSED)
def test_what_waits_for_later_work_is_refused(name: str) -> None:
    program = program_of(name)
    errors = [one.rule.code for one in (*program.diagnostics, *program.analyze().diagnostics) if one.is_error]

    assert {"SEEP901", "SEEP903", "SEEP118"} & {*errors}
