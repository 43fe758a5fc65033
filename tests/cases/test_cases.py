"""Every program with a verified answer, measured through the public interface.

What needs later work stands in ``deferred.toml``, by name and with its reason; an entry that would pass, that names nothing, or that fails
for another reason than that it is not supported yet or not certified, is a failure, so that none is forgotten and none hides a defect.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

import pytest
from click.testing import CliRunner

import seepage
from seepage.cli.main import cli

HERE = Path(__file__).parent
SECONDS = 20.0
DEFERRED_SECONDS = 1.0  # long enough for a measure that this version answers at all

Case = Mapping[str, Any]  # a table of the TOML files


def read_cases() -> dict[str, Case]:
    """Return all cases by name."""
    files = [path for path in sorted(HERE.glob("*.toml")) if path.name != "deferred.toml"]
    cases = [case for path in files for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]]
    assert len({case["name"] for case in cases}) == len(cases), "two cases have one name"
    return {case["name"]: case for case in cases}


CASES = read_cases()
EXPECTATIONS = [(name, number) for name, case in CASES.items() for number, _ in enumerate(case.get("expect", ()))]
ERROR_CASES = [name for name, case in CASES.items() if "expect_error" in case]
DEFERRED = tomllib.loads((HERE / "deferred.toml").read_text(encoding="utf-8")).get("deferred", [])


def reason_to_defer(name: str, measure: str) -> str | None:
    """Return why an expectation waits for later work; an entry without measures is about the whole case."""
    for entry in DEFERRED:
        if entry["case"] == name and ("measures" not in entry or measure in entry["measures"]):
            return str(entry["reason"])
    return None


def codes_of_deferral(name: str, measure: str) -> tuple[str, ...]:
    """Return with which codes a deferred expectation may fail: that it is not supported yet, or those that its entry names."""
    entries = (each for each in DEFERRED if each["case"] == name and measure in each.get("measures", [measure]))
    return next((tuple(each.get("codes", ["SEEP901"])) for each in entries), ())


@cache
def program_of(name: str) -> seepage.Program:
    return seepage.parse(CASES[name]["program"], f"{name}.seep")


def shortfall(name: str, number: int, seconds: float) -> str | None:
    """Return what is wrong with the answer to an expectation, None if it is right."""
    expected = CASES[name]["expect"][number]
    unit = cast("Literal['bits', 'nats']", expected["unit"] or "bits")
    try:
        result = program_of(name).measure(
            expected["measure"], params=expected.get("set", {}), unit=unit, seconds=seconds
        )
    except seepage.MeasureError as error:
        return f"{error.diagnostic.rule.code} at {error.line}:{error.column}: {error.diagnostic.message}"
    return wrong(result, expected)


def wrong(result: seepage.Result, expected: Case) -> str | None:
    value, tolerance = float(expected["value"]), float(expected["tolerance"])
    if result.unit != expected["unit"]:
        return f"unit {result.unit!r}, expected {expected['unit']!r}"
    if not result.lower - tolerance <= value <= result.upper + tolerance:
        return f"bounds [{result.lower!r}, {result.upper!r}] leave out {value!r}"
    if result.certainty is seepage.Certainty.APPROXIMATE:
        return f"approximate: {result.value!r}, expected {value!r}"
    if math.isinf(value):
        return None if result.value == value else f"{result.value!r}, expected {value!r}"
    if result.value is None:
        return f"None, only bounds [{result.lower!r}, {result.upper!r}], expected {value!r}"
    if abs(result.value - value) > tolerance:
        return f"{result.value!r}, expected {value!r} within {tolerance!r}"
    return None


def identifiers() -> Iterator[str]:
    for name, number in EXPECTATIONS:
        expected = CASES[name]["expect"][number]
        given = ",".join(f"{key}={value}" for key, value in expected.get("set", {}).items())
        yield f"{name}-{expected['measure']}{'-' + given if given else ''}-{expected['unit'] or 'none'}"


@pytest.mark.family(every=3)
@pytest.mark.parametrize(("name", "number"), EXPECTATIONS, ids=list(identifiers()))
def test_the_answer_is_the_verified_one(name: str, number: int) -> None:
    reason = reason_to_defer(name, CASES[name]["expect"][number]["measure"])

    found = shortfall(name, number, SECONDS if reason is None else DEFERRED_SECONDS)

    if reason is None:
        assert found is None
    else:
        assert found is not None, f"passes although it is deferred ({reason}): take it out of deferred.toml"
        assert found.startswith(codes_of_deferral(name, CASES[name]["expect"][number]["measure"])), found


@pytest.mark.parametrize("name", [name for name in CASES if name not in ERROR_CASES])
def test_a_program_with_answers_has_no_error(name: str) -> None:
    errors = [diagnostic.message for diagnostic in program_of(name).diagnostics if diagnostic.is_error]

    whole = any(entry["case"] == name and "measures" not in entry for entry in DEFERRED)
    assert not errors or whole


def test_deferred_entries_name_expectations_and_a_reason() -> None:
    for entry in DEFERRED:
        measures = {expected["measure"] for expected in CASES[entry["case"]].get("expect", ())}

        assert set(entry.get("measures", ())) <= measures
        assert entry["reason"]


# What a diagnostic must say in its own words: these, in any order.
WORDS = {
    "error-impossible-observation": ("impossible observation",),
    "error-probability-constant": ("probability", "19/2"),
    "error-division-by-zero": ("division by zero", "y = 0"),
    "error-logarithm-of-zero": ("logarithm of zero",),
    "error-secret-assigned-twice": ("assigned more than once",),
    "error-index-out-of-range": ("4", "outside"),
    "error-number-as-condition": ("condition", "boolean"),
    "error-weights-below-one": ("sum to 2/3",),
    "error-loop-variable-shadows": ("loop variable", "'i'"),
    "error-parameter-assigned": ("parameter", "'p'"),
    "error-loop-bound-random": ("static",),
    "error-impossible-event": ("impossible event",),
    "error-budget-exceeded": ("budget exceeded", "0.18872"),
    "error-nonlinear-equality": ("linear",),
}


@pytest.mark.parametrize("name", ERROR_CASES)
def test_the_fault_is_reported_at_its_place(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    path = tmp_path / "program.seep"
    path.write_text(case["program"], encoding="utf-8")

    run = CliRunner().invoke(cli, ["check", "--format", "json", str(path)])

    assert run.exit_code == 1
    errors = [each for each in json.loads(run.stdout)["diagnostics"] if each["severity"] == "error"]
    for expected in case["expect_error"]:
        start = case["program"].index(expected["at"])
        snippet = (start, start + len(expected["at"]))
        there = [each for each in errors if touches(case["program"], each, snippet)]
        assert any(all(word in each["message"] for word in words_of(name)) for each in there), errors


def words_of(name: str) -> tuple[str, ...]:
    return WORDS.get(name, ())


def touches(text: str, diagnostic: Case, snippet: tuple[int, int]) -> bool:
    """Tell whether a diagnostic's range covers the snippet or lies in it."""
    lines = text.splitlines(keepends=True)

    def offset(line: int, column: int) -> int:
        return sum(map(len, lines[: line - 1])) + column - 1

    start = offset(diagnostic["line"], diagnostic["column"])
    end = offset(diagnostic["end_line"], diagnostic["end_column"])
    covers = start <= snippet[0] and end >= snippet[1]
    return covers or (snippet[0] <= start and end <= snippet[1])


def test_every_error_case_says_what_its_message_must_hold() -> None:
    assert set(WORDS) == set(ERROR_CASES)
