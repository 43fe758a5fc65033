"""Every program with verified answers is a program of the language."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from seepage.source import SourceFile
from seepage.syntax.parse import parse, parse_measure
from seepage.syntax.spell import spell

CASES = [
    case
    for path in sorted((Path(__file__).parents[1] / "cases").glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8")).get("case", [])
    if "program" in case
]
MEASURES = sorted({expect["measure"] for case in CASES for expect in case.get("expect", [])})


def test_the_cases_are_found() -> None:
    assert len(CASES) >= 100
    assert len(MEASURES) >= 100


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_a_case_parses_without_findings(case: dict[str, str]) -> None:
    result = parse(SourceFile(case["name"], case["program"]))

    assert result.diagnostics == ()
    assert result.tree.items


@pytest.mark.parametrize("text", MEASURES)
def test_a_measure_of_a_case_parses_and_is_spelled_back(text: str) -> None:
    made, diagnostics = parse_measure(text)

    assert diagnostics == ()
    assert made is not None
    assert parse_measure(spell(made)) == (made, ())
