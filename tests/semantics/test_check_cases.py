"""What checking says of the programs with verified answers."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from seepage import rules
from seepage.diagnostics import Rule
from seepage.semantics.check import check
from seepage.semantics.checked import Checked, Kind
from seepage.semantics.classify import INEXACT
from seepage.source import SourceFile

CASES = {
    case["name"]: case
    for path in sorted((Path(__file__).parents[1] / "cases").glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8")).get("case", ())
}
CERTAIN: dict[str, Rule] = {
    "error-probability-constant": rules.NOT_A_PROBABILITY,
    "error-number-as-condition": rules.NOT_BOOLEAN,
    "error-weights-below-one": rules.PROBABILITIES_DO_NOT_SUM_TO_ONE,
    "error-loop-variable-shadows": rules.LOOP_VARIABLE_SHADOWS,
    "error-parameter-assigned": rules.CANNOT_ASSIGN,
    "error-loop-bound-random": rules.NOT_STATIC,
    "error-nonlinear-equality": rules.NONLINEAR_EQUALITY,
}


def checked(name: str) -> Checked:
    return check(SourceFile(f"{name}.seep", CASES[name]["program"]))


@pytest.mark.parametrize("name", sorted(CASES.keys() - CERTAIN.keys()))
def test_a_program_that_is_right_has_no_error(name: str) -> None:
    errors = [one for one in checked(name).diagnostics if one.is_error and one.rule is not rules.NOT_SUPPORTED]

    assert errors == []


@pytest.mark.parametrize("name", CERTAIN)
def test_a_certain_error_is_found_while_typing_at_its_place(name: str) -> None:
    result, (expected,) = checked(name), CASES[name]["expect_error"]
    errors = [one for one in result.diagnostics if one.is_error]

    at = CASES[name]["program"].index(expected["at"])
    assert [one.rule for one in errors] == [CERTAIN[name]]
    assert at <= errors[0].span.start
    assert errors[0].span.end <= at + len(expected["at"])


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "soga-exact" in case["tags"]])
def test_a_program_of_the_exact_fragment_is_classified_as_exact(name: str) -> None:
    assert checked(name).classification.inexact == ()


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "approximate-allowed" in case["tags"]])
def test_a_program_outside_the_exact_fragment_says_why(name: str) -> None:
    result = checked(name)

    assert result.classification.inexact
    reported = {(one.span, one.rule.code) for one in result.diagnostics if one.rule.code in INEXACT}
    assert {(one.span, one.code) for one in result.classification.inexact} <= reported


@pytest.mark.parametrize(
    ("name", "variable", "kind"),
    [
        ("rr-average-4", "r", Kind.BOOLEAN),
        ("rr-average-4", "o", Kind.DISCRETE),
        ("bit-through-noise", "s", Kind.BOOLEAN),
        ("bit-through-noise", "o", Kind.CONTINUOUS),
        ("atom-and-density", "x", Kind.MIXED),
        ("gaussian-average", "inc", Kind.CONTINUOUS),
        ("gaussian-average", "mu", Kind.MIXED),
        ("gaussian-average", "fem", Kind.BOOLEAN),
        ("laplace-mechanism-on-a-bit", "clamped", Kind.MIXED),
        ("sign-of-a-normal", "o", Kind.BOOLEAN),
        ("sum-of-two-hundred-normals", "o", Kind.CONTINUOUS),
        ("histogram-of-40", "count", Kind.DISCRETE),
    ],
)
def test_the_kind_of_a_variable_at_the_end(name: str, variable: str, kind: Kind) -> None:
    assert checked(name).kinds[variable] is kind


def test_a_million_iterations_cost_nothing_while_typing() -> None:
    once = check(SourceFile("a.seep", "o := 0\nfor i in 1..1000000 { for j in 1..1000000 { o := o + i * j } }\n"))

    assert once.diagnostics == ()


def test_occurrences_cover_every_use_of_a_name() -> None:
    text = "param p in [0, 1] = 1/2\nsecret r\nfor i in 1..2 { r[i] ~ bernoulli(p) }\nshow H(r[1] | r[2] == p)\n"

    found = check(SourceFile("a.seep", text)).symbols.occurrences

    assert [name for _, name in found] == ["p", "r", "i", "r", "i", "p", "r", "r", "p"]
    assert all(text[span.start : span.end] == name for span, name in found)


def test_symbols_hold_what_is_declared() -> None:
    text = (
        "/// the prior\nparam p in (0, 1] = 2/4\nconst n = m + 1\nconst m = 2\n"
        "/// what is hidden\nsecret initial x, y[2]\n/// a draw\nx ~ bernoulli(p)\ny[n - 1] := 1\noutput x\n"
    )

    symbols = check(SourceFile("a.seep", text)).symbols

    assert symbols.consts == {"m": 2, "n": 3}
    assert (symbols.params["p"].documentation, str(symbols.params["p"].default)) == ("the prior", "1/2")
    assert [(one.name, one.mode, one.documentation) for one in symbols.secrets] == [
        ("x", "initial", "what is hidden"),
        ("y[2]", "initial", "what is hidden"),
    ]
    assert symbols.variables["x"].documentation == "a draw"
    assert symbols.variables["y"].is_array
    assert [text[one.span.start : one.span.end] for one in symbols.outputs] == ["x"]
