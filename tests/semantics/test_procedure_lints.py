"""What is odd in a procedure is told at its statements, whatever it is called with, and is found again after changes elsewhere."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.semantics.test_incremental_check import checked_after

from seepage.diagnostics import Edit
from seepage.semantics.check import check
from seepage.source import SourceFile, Span
from seepage.syntax.incremental import parse_text

AROUND = "\noutput o\ns ~ uniform_int(0, 3)\no ~ f(s)\n"


def found(text: str) -> list[tuple[str, str, str]]:
    """Return code, text at the place and message of each finding."""
    source = SourceFile("a.seep", text)
    return [(one.rule.code, source[one.span], one.message) for one in check(source).diagnostics]


@pytest.mark.parametrize(
    ("statements", "code", "place", "message"),
    [
        ("d ~ flip(1/2)", "SEEP150", "d", "nothing reads 'd'"),
        ("t := a t := t + 1 d := t", "SEEP150", "d", "nothing reads 'd'"),
        ("a := a + 1 d := 2 a := d a := 3", "SEEP250", "a := a + 1", "depends on this value of 'a'"),
        ("observe a == a or 3 > 2", "SEEP253", "observe a == a or 3 > 2", "'a == a or 3 > 2' is true"),
        ("t ~ flip(1/2) if t > 1 { a := 5 }", "SEEP255", "{ a := 5 }", "'t > 1' is never true"),
    ],
)
def test_it_stands_at_the_statement(statements: str, code: str, place: str, message: str) -> None:
    told = found(f"def f(a) {{ {statements}  return a }}{AROUND}")
    assert [(code, place)] == [each[:2] for each in told if each[0] == code][:1]
    assert any(message in each[2] for each in told)


@pytest.mark.parametrize(
    "body",
    [
        "observe a < 10  return a",  # true of these arguments, not of all
        "if a > 5 { return 1 }  return a",
        "n := 0 for i in 1..3 { n := n + a }  return n",
        "n ~ uniform_int(0, 2)  if n == 1 { return 2 }  return n + a",
        "a := a + 1  return a",
    ],
)
def test_what_is_odd_for_some_arguments_only_is_not_told(body: str) -> None:
    assert found(f"def f(a) {{ {body} }}{AROUND}") == []


def test_what_a_procedure_calls_is_told_there() -> None:
    text = f"def g(b) {{ d := b + 1  return b }}\ndef f(a) {{ c ~ g(a)  return c }}{AROUND}"
    assert [each[:2] for each in found(text.replace("return b }", "e ~ flip(1/2) return b + e }"))] == [
        ("SEEP150", "d")
    ]


def test_no_fix_asks_for_a_variable_of_a_procedure() -> None:
    source = SourceFile("a.seep", f"def f(a) {{ d ~ flip(1/2)  return a }}{AROUND}")
    (one,) = check(source).diagnostics
    assert [fix.title for fix in one.fixes] == ["remove 'd'"]


BODIES = ["d := a", "t := a", "t := t + 1", "a := t", "observe a >= 0", "observe t == t", "e ~ g(a)", "d ~ flip(k)"]


@given(st.integers(0, 2**32))
def test_after_changes_it_is_what_it_is_from_the_start(seed: int) -> None:
    chance = random.Random(seed)

    def procedure(name: str) -> str:
        return f"def {name}(a) {{ t := 0 {'  '.join(chance.choices(BODIES[: None if name == 'f' else -2], k=4))}  return a }}\n"

    text = f"const k = 1/3\n{procedure('g')}{procedure('f')}{AROUND}show E(o)\n"
    parsed = parse_text(text)
    checked = checked_after(parsed, None)
    for _ in range(6):
        old = chance.choice([*re.finditer(r"\b(?:[adet] :=|observe|k = 1/3|k = 1/4|s :=|// x)", parsed.text)])
        new = {"k = 1/3": "k = 1/4", "k = 1/4": "k = 1/3"}.get(old[0], chance.choice([old[0], f"d := 1 {old[0]}"]))
        parsed = parsed.edit(Edit(Span(*old.span()), new))
        checked = checked_after(parsed, checked)
