"""What stands for a statement that is refused has no numbers, and slices begin at 0 wherever they go."""

from __future__ import annotations

import pytest

import seepage

REFUSED = [
    'x := "red"\ny := x + 1\nshow E(y)\n',
    "a ~ uniform_int(1, 3) given a > 3\nshow P(a == 1)\n",
    "def g() { w ~ uniform_int(1, 3) given w > 3\nobserve w == 1\nreturn w }\na ~ g()\nshow P(a == 1)\n",
]


@pytest.mark.parametrize("text", REFUSED)
def test_a_program_with_a_refused_statement_has_no_number(text: str) -> None:
    analysis = seepage.parse(text).analyze()

    assert all(answer.result is None for answer in analysis.answers)


@pytest.mark.parametrize(
    ("measure", "value"), [("E(b[0])", 7.0), ("E(b[1])", 1 / 8), ("E(sum(b))", 7.125), ("E(first(a[1..2]))", 1 / 2)]
)
def test_a_slice_begins_at_0(measure: str, value: float) -> None:
    program = (
        "def first(v) { return v[0] }\na[0] ~ flip(1/4)\na[1] ~ flip(1/2)\na[2] ~ flip(1/8)\nb := a[1..2]\nb[0] := 7\n"
    )
    if "first" in measure:
        program += "x := first(a[1..2])\n"
        measure = "E(x)"

    assert seepage.parse(program).measure(measure).value == pytest.approx(value)


def test_what_a_slice_shows_is_leaked() -> None:
    program = "secret s\noutput o\na[-1] ~ flip(1/2)\na[0] ~ flip(1/4)\ns := a[-1]\nc := a[-1..0]\no := c[0]\n"

    assert seepage.parse(program).measure("I(s; o)").value == pytest.approx(1)


def test_a_loop_without_end_in_a_branch_leaves_the_other_runs() -> None:
    program = seepage.parse(
        "secret s\noutput o\ns ~ uniform_int(0, 2)\no := 0\nif s == 2 { while true { skip } }\nif s == 1 { o := 1 }\n"
    )

    assert program.measure("I(s; o)").value == pytest.approx(1)
    assert program.measure("P(s == 2)").value == 0


@pytest.mark.parametrize(
    ("text", "code", "marked"),
    [
        ("x := 0\nrepeat { x ~ flip(1/2) }; until x == 1\n", "SEEP019", ";"),
        ("x := 0\nrepeat { x ~ flip(1/2) } until x == 1;\nnever { x := 2 }\n", "SEEP019", ";"),
        ("x := 0\nwhile x == 0 { x ~ flip(1/2) }; never { x := 2 }\n", "SEEP019", ";"),
        ("x := 0\nif x == 0 { enum c { a, b } }\n", "SEEP020", "enum"),
        ('x := 0\nif x == 0 { table t from "t.csv" }\n', "SEEP020", "table"),
        ("def g(y) { def f(y) { return y } return y }\nx := g(1)\n", "SEEP020", "def"),
    ],
)
def test_statements_are_not_cut_and_declarations_stand_at_the_top(text: str, code: str, marked: str) -> None:
    program = seepage.parse(text)
    (found,) = [one for one in program.diagnostics if one.is_error and one.rule.code == code]

    assert text[found.span.start : found.span.end] == marked
    if code == "SEEP019":  # the fix does all that is to be done
        (edit,) = found.fixes[0].edits
        assert not any(
            one.is_error for one in seepage.parse(text[: edit.span.start] + text[edit.span.end :]).diagnostics
        )
