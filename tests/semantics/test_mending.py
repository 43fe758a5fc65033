"""Fixes of findings about names, calls, ranges and observations: the text before, the text after, and that the finding is gone."""

from __future__ import annotations

import pytest

import seepage
from seepage import rules
from seepage.diagnostics import Diagnostic, Fix, Rule
from seepage.fixing import fix_all
from seepage.semantics.check import check
from seepage.source import SourceFile


def found(text: str, rule: Rule) -> list[Diagnostic]:
    return [one for one in check(SourceFile("test.seep", text)).diagnostics if one.rule is rule]


def with_fix(text: str, fix: Fix) -> str:
    for edit in sorted(fix.edits, key=lambda edit: edit.span, reverse=True):
        text = text[: edit.span.start] + edit.replacement + text[edit.span.end :]
    return text


HEAD = "secret s\noutput o\ns ~ flip(1/2)\no := s\n"
CASES = [
    (
        rules.NOT_STATIC,
        "param n in [1, 9] = 3\nfor i in 1..n { x := x + i }\n",
        "declare 'const n = 3'",
        "const n = 3\nfor i in 1..n { x := x + i }\n",
    ),
    (rules.UNITS_DO_NOT_FIT, "x := 1\nshow P(x == 1) in nats\n", "remove 'in nats'", "x := 1\nshow P(x == 1)\n"),
    (rules.UNKNOWN_NAME, "x := k + 1\n", "declare 'param k'", "param k\nx := k + 1\n"),
    (rules.UNKNOWN_NAME, "y := 1\nx := k + y\n", "assign 'k := 0' before", "y := 1\nk := 0\nx := k + y\n"),
    (rules.UNKNOWN_NAME, "count := 1\nx := coutn\n", "write 'count'", "count := 1\nx := count\n"),
    (rules.READ_BEFORE_ASSIGNMENT, "x := y + 1\ny := 2\n", "assign 'y := 0' before", "y := 0\nx := y + 1\ny := 2\n"),
    (
        rules.READ_BEFORE_ASSIGNMENT,
        "for i in 1..3 { x := x + i }\n",
        "assign 'x := 0' before",
        "x := 0\nfor i in 1..3 { x := x + i }\n",
    ),
    (rules.OBSERVED_OUTPUT, HEAD + "observe(o == 1)\n", "remove the observation", HEAD),
    (
        rules.OBSERVED_OUTPUT,
        HEAD + "observe(o == 1)\n",
        "ask 'show H(s | o == 1)' instead",
        HEAD + "show H(s | o == 1)\n",
    ),
    (
        rules.EQUALITY_OF_CONTINUOUS,
        "x ~ uniform(0, 9)\nfor i in 1..2 {\n  g ~ uniform(-1, 9)\n  o[i] := g == x\n}\n",
        "draw whole numbers: 'uniform_int(-1, 9)'",
        "x ~ uniform_int(0, 9)\nfor i in 1..2 {\n  g ~ uniform_int(-1, 9)\n  o[i] := g == x\n}\n",
    ),
    (
        rules.EQUALITY_OF_CONTINUOUS,
        "x ~ uniform(0, 9)\no := x == 3\n",
        "draw whole numbers: 'uniform_int(0, 9)'",
        "x ~ uniform_int(0, 9)\no := x == 3\n",
    ),
    (rules.INVALID_PARAMETER, "x ~ uniform_int(3, 1)\n", "swap the ends", "x ~ uniform_int(1, 3)\n"),
    (rules.INVALID_PARAMETER, "x ~ uniform_int(b=1, a=3)\n", "swap the ends", "x ~ uniform_int(b=3, a=1)\n"),
    (rules.WRONG_ARGUMENTS, "x ~ normal(0, sd=2)\n", "write 'std'", "x ~ normal(0, std=2)\n"),
    (rules.WRONG_ARGUMENTS, "x ~ normal(mu=0, variance=2)\n", "write 'mean'", "x ~ normal(mean=0, variance=2)\n"),
    (rules.WRONG_ARGUMENTS, "x ~ binomial(n=2, prob=1/2)\n", "write 'p'", "x ~ binomial(n=2, p=1/2)\n"),
    (
        rules.WRONG_ARGUMENTS,
        "x ~ discrete_laplace(1, 2)\n",
        "name it: 'centre=…'",
        "x ~ discrete_laplace(1, centre=2)\n",
    ),
    (rules.WRONG_ARGUMENTS, "x ~ gamma(2, scale=3)\n", "give the rate, 1 / scale", "x ~ gamma(2, rate=1/3)\n"),
    (
        rules.WRONG_ARGUMENTS,
        "a := 2\nx ~ gamma(2, scale=a + 1)\n",
        "give the rate, 1 / scale",
        "a := 2\nx ~ gamma(2, rate=1/(a + 1))\n",
    ),
    (rules.WRONG_ARGUMENTS, "x ~ normal(0, scale=3)\n", "write 'std'", "x ~ normal(0, std=3)\n"),
    (rules.UNKNOWN_FUNCTION, "x := 2 / log2(8)\n", "write '(log(8) / log(2))'", "x := 2 / (log(8) / log(2))\n"),
    (rules.UNKNOWN_FUNCTION, "x := 2 * expm1(8)\n", "write '(exp(8) - 1)'", "x := 2 * (exp(8) - 1)\n"),
    (
        rules.UNKNOWN_FUNCTION,
        "x := clamp(8 - 1, 0, 5)\n",
        "write 'min(max(8 - 1, 0), 5)'",
        "x := min(max(8 - 1, 0), 5)\n",
    ),
    (rules.UNKNOWN_FUNCTION, "x := pow(1 + 1, 3)\n", "write '((1 + 1)^(3))'", "x := ((1 + 1)^(3))\n"),
    (rules.UNKNOWN_DISTRIBUTION, "x ~ gauss(0, 2)\n", "write 'normal(0, std=2)'", "x ~ normal(0, std=2)\n"),
    (
        rules.UNKNOWN_DISTRIBUTION,
        "x ~ discrete_uniform(1, 3)\n",
        "write 'uniform_int(1, 3)'",
        "x ~ uniform_int(1, 3)\n",
    ),
    (
        rules.UNKNOWN_DISTRIBUTION,
        "x ~ discrete_normal(1, 3)\n",
        "write 'discrete_gaussian(3, centre=1)'",
        "x ~ discrete_gaussian(3, centre=1)\n",
    ),
    (
        rules.NOT_BOOLEAN,
        "n := 1\nif (if n == 1 then 2 else 3) { x := 1 }\n",
        "write '(if n == 1 then 2 else 3) != 0'",
        "n := 1\nif ((if n == 1 then 2 else 3) != 0) { x := 1 }\n",
    ),
    (
        rules.NOT_BOOLEAN,
        "n := 1\nx := !(if n == 1 then 2 else 3)\n",
        "write '(if n == 1 then 2 else 3) != 0'",
        "n := 1\nx := !((if n == 1 then 2 else 3) != 0)\n",
    ),
    (
        rules.PARAMETER_NEEDS_RANGE,
        "param p in [0, 1]\nx ~ bernoulli(p)\nrequire P(x) <= p\n",
        "require it for all of the domain: 'p in [0, 1]'",
        "param p in [0, 1]\nx ~ bernoulli(p)\nrequire P(x) <= p over p in [0, 1]\n",
    ),
    (
        rules.RANGE_OUTSIDE_DOMAIN,
        "param p in [0, 1] = 1/2\nx ~ bernoulli(p)\nrequire P(x) <= 1 over p in [0, 2]\n",
        "write the domain '[0, 1]'",
        "param p in [0, 1] = 1/2\nx ~ bernoulli(p)\nrequire P(x) <= 1 over p in [0, 1]\n",
    ),
    (rules.NOT_BOOLEAN, "n := 2\nx := !n\n", "write 'n != 0'", "n := 2\nx := !(n != 0)\n"),
    (rules.NOT_BOOLEAN, "n := 2\nx := not n + 1\n", "write 'n + 1 != 0'", "n := 2\nx := not n + 1 != 0\n"),
    (
        rules.READING_OF_CONDITION,
        "b ~ flip(1/2)\nx := b\nshow H(x | b)\n",
        "condition on the event 'b == 1'",
        "b ~ flip(1/2)\nx := b\nshow H(x | (b))\n",
    ),
    (
        rules.READING_OF_CONDITION,
        "b ~ flip(1/2)\nx := b\nshow H(x | (b))\n",
        "give the variable 'b'",
        "b ~ flip(1/2)\nx := b\nshow H(x | b)\n",
    ),
]


@pytest.mark.parametrize(("rule", "before", "title", "after"), CASES)
def test_a_fix_writes_what_it_says_and_breaks_nothing(rule: Rule, before: str, title: str, after: str) -> None:
    fixes = [fix for one in found(before, rule) for fix in one.fixes if fix.title == title]

    assert [with_fix(before, fix) for fix in fixes] == [after]
    errors = {one.rule for one in check(SourceFile("test.seep", before)).diagnostics if one.is_error}
    assert {one.rule for one in check(SourceFile("test.seep", after)).diagnostics if one.is_error} <= errors
    assert rule is rules.READING_OF_CONDITION or found(after, rule) == []


def test_a_number_that_is_read_too_early_stays_what_it_is() -> None:
    before = "for i in 1..3 { x := x + i }\nshow E(x)\n"
    (one,) = found(before, rules.READ_BEFORE_ASSIGNMENT)

    results = [seepage.parse(text).measure("E(x)").exact for text in (before, with_fix(before, one.fixes[0]))]

    assert results == [6, 6]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x ~ normal(0, sd=2)\n", "x ~ normal(0, std=2)\n"),
        ("x ~ uniform_int(3, 1)\n", "x ~ uniform_int(3, 1)\n"),
        ("x := k\n", "x := k\n"),
        ("x := y\ny := 2\n", "x := y\ny := 2\n"),
        ("const n = 0\nx ~ uniform_int(1, n)\n", "const n = 0\nx ~ uniform_int(1, n)\n"),
        (HEAD + "observe(o == 1)\n", HEAD + "observe(o == 1)\n"),
    ],
)
def test_only_what_is_clear_is_applied_unasked(text: str, expected: str) -> None:
    assert fix_all(SourceFile("test.seep", text)).text == expected


@pytest.mark.parametrize("mode", ["secret", "secret initial", "secret final"])
def test_what_is_read_too_early_is_not_assigned_if_that_would_be_the_secret(mode: str) -> None:
    text = f"{mode} x\noutput o\no := x\nx ~ flip(1/2)\nshow H(x)\n"

    assert all(one.fixes == () for one in found(text, rules.READ_BEFORE_ASSIGNMENT))


@pytest.mark.parametrize(
    "text",
    [
        "key1 ~ flip(1/2)\nkey2 ~ flip(1/2)\no := key3\n",
        "key1 ~ flip(1/2)\no := key2\n",
        "abx := 1\naby := 1\no := abz\n",
        "x := bit_nor(1, 2)\n",
        "x := sin(2)\n",
        "x ~ multinomial(3, 1/2)\n",
    ],
)
def test_no_name_is_guessed_where_another_is_as_likely(text: str) -> None:
    (one,) = (one for one in check(SourceFile("test.seep", text)).diagnostics if one.is_error)

    assert "did you mean" not in one.message
    assert all(not fix.automatic for fix in one.fixes)


@pytest.mark.parametrize(
    ("known", "written", "meant"),
    [("o", "oo", "o"), ("oo", "o", "oo"), ("o", "ot", None), ("o", "r", None), ("o", "ooo", None), ("o", "o2", None)],
)
def test_a_letter_typed_twice_is_guessed_and_no_other_short_name(known: str, written: str, meant: str | None) -> None:
    text = f"secret s\noutput {known}\ns ~ flip(1/2)\n{known} := s\nshow I(s; {written})\n"
    (one,) = found(text, rules.UNKNOWN_IN_MEASURE)

    assert [fix.title for fix in one.fixes] == ([] if meant is None else [f"write '{meant}'"])
    assert all(not fix.automatic for fix in one.fixes)
    for fix in one.fixes:
        assert f"show I(s; {known})" in with_fix(text, fix)


def test_a_loop_variable_after_its_loop_is_not_to_be_declared() -> None:
    (one,) = found("for i in 1..2 { skip }\nx := i\n", rules.UNKNOWN_NAME)

    assert one.fixes == ()


@pytest.mark.parametrize("operator", ["~", ":="])
def test_values_in_a_declaration_of_several_names_are_one_slip(operator: str) -> None:
    value = "flip(1/2)" if operator == "~" else "1"
    text = f"secret x, y {operator} {value}\noutput o\no := x + y\nz := u\nshow H(x) + H(v)\n"
    slip, *others = check(SourceFile("test.seep", text)).diagnostics

    assert slip.rule is rules.UNEXPECTED
    assert [(one.rule, text[one.span.start : one.span.end]) for one in others] == [
        (rules.UNKNOWN_NAME, "u"),
        (rules.UNKNOWN_IN_MEASURE, "v"),
    ]
    fixed = with_fix(text, slip.fixes[0])
    assert fixed.startswith(f"secret x, y\nx {operator} {value}\ny {operator} {value}\noutput o\n")
    assert [one.rule for one in check(SourceFile("test.seep", fixed)).diagnostics if one.is_error] == [
        rules.UNKNOWN_NAME,
        rules.UNKNOWN_IN_MEASURE,
    ]


@pytest.mark.parametrize(
    "text",
    [
        "x ~ uniform(0, 1/2)\no := x == 0\n",
        "x ~ normal(0, 1)\no := x == 0\n",
        "x ~ uniform(0, 9)\ny ~ normal(0, 1)\no := x == y\n",
        "param a in [0, 9] = 1\nx ~ uniform(a, 9)\no := x == 3\n",
    ],
)
def test_whole_numbers_are_offered_only_where_all_that_is_compared_lies_between_whole_numbers(text: str) -> None:
    assert [one.fixes for one in found(text, rules.EQUALITY_OF_CONTINUOUS)] == [()]
