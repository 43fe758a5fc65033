"""Fixes applied to texts: which of them, how often, and that the results are programs with fewer faults."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.fixing import applicable, apply_fixes, fix_all
from seepage.rules import MALFORMED_NUMBER, RULES, UNEXPECTED
from seepage.semantics.check import check
from seepage.source import SourceFile, Span

ROOT = Path(__file__).parents[1]
FIXTURES = [
    program
    for path in sorted((ROOT / "fixtures").rglob("*.seep"))
    for program in re.split(r"^// ---.*\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
]
BROKEN = [*FIXTURES, *(rule.example for rule in RULES.values() if rule.example)]


def fixed(text: str) -> str:
    return fix_all(SourceFile("test.seep", text)).text


def finding(*fixes: Fix) -> Diagnostic:
    return Diagnostic(UNEXPECTED, Span(0, 0), "found something", fixes=fixes)


def fix(*edits: tuple[int, int, str]) -> Fix:
    return Fix("change it", tuple(Edit(Span(start, end), text) for start, end, text in edits))


# What a factor written without its '*' belongs to depends on what stands before.
_PRODUCTS = ("6 / -2x", "2 ** 2x", "2 ** -2x", "2^-2x", "7 % -2x", "6 / +2x", "6 / - 2x", "6 / not 2x", "6 / - -2x")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1\ny = x\n", "x := 1\ny := x\n"),
        ("x := 1\nobserve x = 1\n", "x := 1\nobserve x == 1\n"),
        (
            "c ~ flip(0.5)\nif c { x = 1 } else { x = 2; y = 3 }\n",
            "c ~ flip(0.5)\nif c { x := 1 } else { x := 2; y := 3 }\n",
        ),
        ("x ≔ 1\nobserve x ≠ 2 && x ≤ 3", "x := 1\nobserve x != 2 and x <= 3"),
        ("x := 1\n", "x := 1\n"),
        ("# why = (this)\nx := 1 # or {that\n", "// why = (this)\nx := 1 // or {that\n"),
        ("x := 7\nx -= 3 - 1\n", "x := 7\nx := x - (3 - 1)\n"),
        ("x := 7\nx *= 1 + 2", "x := 7\nx := x * (1 + 2)"),
        ("x := 7\nx /= 1 + 2;", "x := 7\nx := x / (1 + 2);"),
        ("x := 7\nx /= 1 * 2\n", "x := 7\nx := x / (1 * 2)\n"),
        ("x := 7\nx += 1 * 2\n", "x := 7\nx := x + 1 * 2\n"),
        ("x := 7\nx -= min(1 + 1, 2)\n", "x := 7\nx := x - min(1 + 1, 2)\n"),
        ("x := 7\nx -= if x == 1 then 2 else 3 // why\n", "x := 7\nx := x - (if x == 1 then 2 else 3) // why\n"),
        ("x := 7\nx *= -x // why\n", "x := 7\nx := x * (-x) // why\n"),
        ("x := 2\nif x := 2 { y := 1 }\n", "x := 2\nif x == 2 { y := 1 }\n"),
        ("const n := 2\n", "const n = 2\n"),
        ("x := 2\ny := 6 * 2x\n", "x := 2\ny := 6 * 2 * x\n"),
        ("x := 2\ny := max(1, 3 - 2x)\n", "x := 2\ny := max(1, 3 - 2 * x)\n"),
        ("i := 1\ny[1] := 1\ny[i] += 2\n", "i := 1\ny[1] := 1\ny[i] := y[i] + 2\n"),
        ("y[1] := 1\ny[1] /= 1 + 2\n", "y[1] := 1\ny[1] := y[1] / (1 + 2)\n"),
        ("x := 7\nx -= 1 /* a */ + 2 // b\n", "x := 7\nx := x - (1 /* a */ + 2) // b\n"),
        ("x := 7\nshow P(x = 7)\n", "x := 7\nshow P(x == 7)\n"),
        ("x := {0: 1/2, 1: 1/2}\n", "x ~ {0: 1/2, 1: 1/2}\n"),
        ("x := 1 // α\nobserve x ≠ 2 && x ≤ 3 /* β */\n", "x := 1 // α\nobserve x != 2 and x <= 3 /* β */\n"),
        ("b := 1\nif b {\n  x := 1\nelse {\n  x := 2\n}\n", "b := 1\nif b {\n  x := 1\n} else {\n  x := 2\n}\n"),
    ],
)
def test_what_is_clearly_meant_is_written(text: str, expected: str) -> None:
    assert fixed(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "total := 1\nx := totl + 1\n",
        "k ~ flip(1/2)\no := K\n",
        "x ~ Normal(0, 2)\n",
        "x := log2(8)\n",
        "x := log10(8)\n",
        "x := expm1(8)\n",
        "x := bit_nor(1, 2)\n",
        "x := sin(2)\n",
        "x ~ discrete_uniform(1, 3)\n",
        "x ~ discrete_normal(3)\n",
        "x ~ discrete_laplace(0, 1)\n",
        "x ~ multinomial(3, 1/2)\n",
        "x ~ gamma(shape=2, scale=3)\n",
        "x ~ uniform_int(low=1, high=3)\n",
        "x ~ uniform_int(10, 2)\n",
        "key1 ~ flip(1/2)\nkey2 ~ flip(1/2)\no := key3\n",
        "secret kye\nkey ~ flip(1/2)\n",
        "x := 1\nx == 1\n",
        "x := 1\nx =< 1\n",
        "x := 1\nx <-1\n",
        "x := 1\nx ^= 1 + 2\n",
        "x := 2\ny := 6 / 2x\n",
        "x := 2\ny := 2^2x\n",
        "x := 2\ny := x = 3\n",
        "x := 2\ny := x := 3\n",
        "x := 5\ny := x | 3\n",
        "x := 5\ny := x & 3\n",
        "x := 5\nobserve x => 3\n",
        "x := 1,000\n",
        "x := (1 + 2 * 3\n",
        "x := 1 + 2) * 3\n",
        "x := min(1, 2 + 3\n",
        "x ~ flip(1//2)\n",
        "x =- 1\n",
        "x := 1\nobserve x\n := 2\n",
        "param n\n := 2\n",
        "x := 1\nobserve x =! 1\n",
        "x := 1\ny := \u00adx\n",
        "x := 1\ny := x \\ 2\n",
        "x := 2 */ 3\ny := 1 */\n",
        "x := 1\n/* y := 2\nshow E(x)\n",
        "n := 2\nif n { x := 1 }\n",
        "x := 1\nif x == 1 {\n    y := 2\nshow E(x)\n",
        "if true {\n    x := 1\n}\n}\ny := 2\n",
        "x ~ 1/2\n",
        "a := 1\nx := a == a == a\n",
        "x := 1 # 2\n",
        "show P(x) in bit\n",
        "x := 2\ny := 2\nz := x.y\n",
        *(f"x := 2\nz := {product}\n" for product in _PRODUCTS),
        "x := 2\nz := 1\nz /= 2x\n",
        "x := 2\nz := 1\nz -= 2x\n",
        "f := 2\nx := 1.0f\n",
        "f := 2\nx := 2f\n",
        "x := 0.5*normal(0, 1) + 0.5*normal(2, 1)\n",
        "x := 1*normal(0, 1)\n",
        "z := 1\ny = z = 1\n",
        "a := 1\nx := 1\nb = a = x = 2\n",
        "const b = 1\nconst a = b = 1\n",
        "const b = 1\nparam a = b = 1\n",
        "x := 1\ny := exp(x = 2)\n",
        "x := 1\ny := max(x = 3, 2)\n",
        "x := 1\ny := max(3, x = 2)\n",
        "x := 1\ny := abs(x = 1)\n",
        "y := 1\nz := 1\nx := 1 +\nz += -y\n",
        "y := 1\nz := 1\nx := (1\nz += -y\n",
        "param p in [0, 1} = 1/2\n",
        "x := 1. .3\n",
        "x := 1. 3\n",
        "y ~ (normal(0, 1 /* std */))\n",
        "y ~ ( normal(0, 1) // noise\n)\n",
        "x := 1\ny := 0 < x /* keep me */ < 2\n",
        "x := 1\ny := 2 if x == 1 /* a */ else 3\n",
    ],
)
def test_a_guess_is_offered_and_never_applied(text: str) -> None:
    result = fix_all(SourceFile("test.seep", text))

    assert result.text == text
    assert not result.mended
    assert result.is_whole


def test_what_may_be_an_assignment_or_an_observation_is_offered_as_both() -> None:
    text = "x := 1\nx == 1\n"
    (one,) = check(SourceFile("test.seep", text)).diagnostics

    assert [fix.title for fix in one.fixes] == ["assign with ':='", "condition on it with 'observe'"]
    assert [apply_fixes(text, [replace(one, fixes=(fix,))]) for fix in one.fixes] == [
        "x := 1\nx := 1\n",
        "x := 1\nobserve x == 1\n",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("y := 6 / 2x\n", "y := 6 / (2 * x)\n"),
        ("y := 2^2x\n", "y := 2^(2 * x)\n"),
        ("y := 5 % 2x", "y := 5 % (2 * x)"),
        ("y := 6 / -2x", "y := 6 / -(2 * x)"),
        ("y := 2^-2x", "y := 2^-(2 * x)"),
    ],
)
def test_a_product_behind_an_operator_that_binds_it_is_offered_in_parentheses(text: str, expected: str) -> None:
    found = [one for one in check(SourceFile("test.seep", text)).diagnostics if one.rule is MALFORMED_NUMBER]

    assert apply_fixes(text, found) == expected


def test_more_errors_than_are_listed_are_mended() -> None:
    text = "".join(f"x{i} = {i}\n" for i in range(1500))

    result = fix_all(SourceFile("test.seep", text))

    assert result.text == text.replace("=", ":=")
    assert len(result.mended) == 1500


def test_a_finding_with_two_fixes_is_left_to_the_author() -> None:
    text = "secret s\ns := 0\ns := 1\n"

    (one,) = [one for one in check(SourceFile("test.seep", text)).diagnostics if len(one.fixes) == 2]

    assert applicable([one]) == ()
    assert fixed(text) == text


@pytest.mark.parametrize("slips", ["y = 2 = x", "y = if x = 1 then 2 else 3", "x += 2 ** x"])
def test_a_statement_with_several_slips_is_left_and_the_others_are_mended(slips: str) -> None:
    assert fixed(f"x = 1\n{slips}\nz = 1\n") == f"x := 1\n{slips}\nz := 1\n"


def test_fixes_that_are_offered_for_one_statement_are_right_together() -> None:
    text = "x := 2\nz := 1\nz /= 2x\n"

    for _ in range(2):  # they meet
        text = apply_fixes(text, check(SourceFile("test.seep", text)).diagnostics)

    assert text == "x := 2\nz := 1\nz := z / (2 * x)\n"


@pytest.mark.parametrize(
    "text", ["y ~ (normal(0, 1 /* std */))\nx = 1 // a\n", "z := 1\nx = 1 /* b */\ny := 0 < z /* a */ < 2\n"]
)
def test_a_fix_that_would_lose_a_comment_is_left_out_and_the_others_are_made(text: str) -> None:
    assert fixed(text) == text.replace("x =", "x :=")


def test_all_edits_of_a_fix_are_made_or_none() -> None:
    first, second = finding(fix((0, 1, "A"), (4, 5, "E"))), finding(fix((2, 3, "C"), (4, 5, "X")))

    assert apply_fixes("abcde", [first, second]) == "AbcdE"
    assert apply_fixes("abcde", [second, first]) == "abCdX"


def test_edits_that_meet_wait_for_another_round() -> None:
    assert apply_fixes("ab", [finding(fix((0, 1, ""))), finding(fix((1, 1, "x")))]) == "b"


def test_line_ends_of_a_fix_are_those_of_the_text() -> None:
    text = "x := 1\r\nif x == 1 {\r\n    y := 2\r\n"

    result = apply_fixes(text, check(SourceFile("test.seep", text)).diagnostics)

    assert not any(one.is_error for one in check(SourceFile("test.seep", result)).diagnostics)
    assert "\n" not in result.replace("\r\n", "")


def test_a_fix_that_guessed_wrong_is_left_out_and_the_others_are_made() -> None:
    # Written out, the first statement reads an unknown name: there are as many errors as before.
    text = "x := 1\nx += q\ny = 1\n"
    first = [one for one in check(SourceFile("test.seep", text)).diagnostics if one.span.start < text.index("y")]

    assert [fix.automatic for one in first for fix in one.fixes] == [True]
    assert errors(apply_fixes(text, first)) == errors(text)
    assert fixed(text) == "x := 1\nx += q\ny := 1\n"


@pytest.mark.family(every=3)
@pytest.mark.parametrize("text", BROKEN)
def test_fixing_ends_and_mends_more_than_it_breaks(text: str) -> None:
    result = fixed(text)

    assert fixed(result) == result
    assert errors(result) <= errors(text)


def errors(text: str) -> int:
    return sum(one.is_error for one in check(SourceFile("test.seep", text)).diagnostics)


def test_a_guess_may_lead_to_fewer_errors_by_what_is_beyond_doubt_then() -> None:
    """Each of the two leaves as many errors as there were: the block gets its braces behind it."""
    text = "def f(x: int) -> int:\n    return x + 1\nfor i in range(3):\n    if i == 2: break\n    y := f(i)\n"

    fixed = fix_all(SourceFile("a.seep", text), guesses=True)

    assert fixed.text == "def f(x) {\n    return x + 1\n}\nfor i in 0..2 {\n    if i == 2 { break }\n    y := f(i)\n}\n"
    assert fixed.left == ()
