"""A secret that has two values: one finding for all elements of an array, and only measures that name it are without numbers."""

from __future__ import annotations

import pytest

from seepage import MeasureError, parse, rules
from seepage.diagnostics import Diagnostic
from seepage.pipeline import Analysis
from seepage.program import Program

SHUFFLE = """secret a
output o
for i in 1..4 { a[i] ~ uniform_int(0, 3) }
for i in 1..3 { j ~ uniform_int(1, 4); t := a[i]; a[i] := a[j]; a[j] := t }
o := a[1]
z ~ flip(1/2)
show H(z)
show H(o)
show I(a; o)
show H(a[2])
"""
TWICE = "secret s, u\noutput o\ns ~ flip(1/2)\nu ~ flip(1/2)\no := s\ns := 0\n"


def twice(program: Program, analysis: Analysis) -> list[Diagnostic]:
    found = dict.fromkeys((*program.diagnostics, *analysis.diagnostics))
    return [each for each in found if each.rule is rules.SECRET_ASSIGNED_TWICE]


def test_the_elements_of_an_array_are_one_finding() -> None:
    program = parse(SHUFFLE)
    analysis = program.analyze()

    (found,) = twice(program, analysis)

    assert "secret 'a' is assigned more than once, in 4 of its elements" in found.message
    assert [label.message for label in found.labels] == ["assigned here", "assigned again here", "assigned again here"]


def test_measures_that_do_not_name_the_secret_keep_their_numbers() -> None:
    # A shuffled element is as uniform as each was: 2 bits.
    analysis = parse(SHUFFLE).analyze()

    assert [each.result and each.result.exact for each in analysis.answers] == [1, 2, None, None]
    assert all(each.diagnostic and each.diagnostic.rule is rules.SECRET_ASSIGNED_TWICE for each in analysis.answers[2:])
    assert [(row.secret, row.information) for row in analysis.table] == [("a", None)]


@pytest.mark.parametrize("values", ["s := 0\n", "if u { s := 0 }\n", "const k = 1\nif k == 1 { s := 0 }\n"])
def test_another_secret_keeps_its_row_its_measures_and_its_budget(values: str) -> None:
    text = TWICE.replace("s := 0\n", values) + "show H(s)\nshow I(u; o)\nrequire H(u) <= 1 bits\n"
    program = parse(text)
    analysis = program.analyze()

    assert len(twice(program, analysis)) == 1
    assert [each.result and each.result.exact for each in analysis.answers] == [None, 0, 1]
    assert analysis.answers[2].verdict == "holds"
    assert [(row.secret, row.information and row.information.exact) for row in analysis.table] == [
        ("s", None),
        ("u", 0),
    ]


def test_single_measures_agree() -> None:
    program = parse(TWICE)

    assert program.measure("H(o)").exact == 1
    assert program.measure("I(u; o)").exact == 0
    for measure in ("H(s)", "I(s; o)", "P(s == 1)", "H(o | s == 0)"):
        with pytest.raises(MeasureError) as caught:
            program.measure(measure)
        assert caught.value.diagnostic.rule is rules.SECRET_ASSIGNED_TWICE


def test_a_budget_over_a_range_that_names_the_secret_is_undecided_and_one_that_does_not_is_decided() -> None:
    text = (
        "param p in [0, 1] = 1/2\nsecret s\noutput o\ns ~ flip(p)\no := s\nif o { s := 0 }\n"
        "require H(o) <= 1 bits over p in [0, 1]\nrequire H(s) <= 1 bits over p in [0, 1]\n"
    )

    assert [each.verdict for each in parse(text).analyze().answers] == ["holds", "cannot tell"]
