"""What is outside of the exact fragment is information; it is a warning where a number that is asked for suffers from it, and names that."""

from __future__ import annotations

from pathlib import Path

import pytest

from seepage.configuration import configured
from seepage.diagnostics import Severity, ordered
from seepage.program import parse
from seepage.semantics.classify import INEXACT

EXAMPLES = Path(__file__).parents[2] / "examples"
MIXED = "x ~ normal(0, 1)\nz ~ normal(0, 1)\ny := exp(x * z) * z\no := exp(x)\nshow I(x; o)\nshow E(y)\n"


def loud(text: str) -> list[tuple[int, str]]:
    program = parse(text)
    found = ordered(program.diagnostics, program.analyze(seconds=20).diagnostics)
    return [
        (each.span.start, each.message)
        for each in found
        if each.severity is Severity.WARNING and each.rule.code in INEXACT
    ]


def test_a_program_with_certified_numbers_has_no_warning() -> None:
    assert not loud((EXAMPLES / "report-noisy-max.seep").read_text("utf-8"))


def test_a_warning_names_the_numbers_that_are_only_approximate() -> None:
    found = loud(MIXED)

    assert found
    assert all(message.endswith("this leaves 'E(y)' only approximate") for _, message in found)
    assert all(MIXED.index("y := ") < start < MIXED.index("o := ") for start, _ in found)


@pytest.mark.parametrize(
    "line",
    ["o ~ laplace(x, 1/2)", "o := x * x * x + x * x", "o := if x > 0 and x > 1 then 1 else if x < -1 then 2 else 0"],
)
def test_a_statement_has_one_finding_of_a_kind(line: str) -> None:
    found = [each.rule.code for each in parse(f"x ~ normal(0, 1)\n{line}\n").diagnostics if each.rule.code in INEXACT]

    assert len(found) == 1


def test_one_setting_keeps_the_strict_view() -> None:
    program = parse("x ~ laplace(0, 1)\nshow H(x)\n")
    found = configured(program.diagnostics, dict.fromkeys(INEXACT, "warning"))

    assert [each.severity for each in found if each.rule.code in INEXACT] == [Severity.WARNING]
