"""Findings in procedures stand at the statement where every call has them, and at the call where they are of its arguments."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.semantics.test_incremental_check import checked_after

from seepage.diagnostics import Edit
from seepage.semantics.check import check
from seepage.source import SourceFile, Span
from seepage.syntax.incremental import parse_text


def found(text: str) -> list[tuple[str, str, list[str]]]:
    """Return code, text at the place and texts at related places of each error."""
    source = SourceFile("a.seep", text)
    return [
        (one.rule.code, source[one.span], [source[label.span] for label in one.labels])
        for one in check(source).diagnostics
        if one.is_error
    ]


@pytest.mark.parametrize(
    ("body", "code", "place"),
    [
        ("y := qqq + 1", "SEEP101", "qqq"),
        ("y ~ fliip(1/2)", "SEEP110", "fliip"),
        ("y ~ flip(3/2)", "SEEP420", "3/2"),
        ("y ~ flip(1/2, 1/3)", "SEEP111", "flip(1/2, 1/3)"),
        ("y := x + logg(2)", "SEEP112", "logg"),
    ],
)
def test_what_every_call_has_stands_at_the_statement_once(body: str, code: str, place: str) -> None:
    text = f"def f(x) {{ {body}  return x + y }}\no ~ f(3)\np ~ f(o)\nq ~ f(0)\n"

    (one,) = found(text)

    assert (one[0], one[1]) == (code, place)


def test_through_another_procedure_it_stands_there_too() -> None:
    text = "def g(k) { y ~ f(k)  return y }\ndef f(x) { y ~ flip(5/2)  return x + y }\no ~ g(3)\np ~ f(1)\n"

    assert found(text) == [("SEEP420", "5/2", [])]


def test_what_is_of_the_arguments_stands_at_the_call_with_the_statement_beside() -> None:
    text = "def f(x) { v ~ uniform_int(x, 2)  return v }\no ~ f(3)\np ~ f(1)\n"

    assert found(text) == [("SEEP422", "o ~ f(3)", ["uniform_int(x, 2)"])]


def test_at_a_call_no_fix_of_the_procedure_is_offered() -> None:
    (one,) = [
        each
        for each in check(SourceFile("a.seep", "def f(x) { v ~ uniform_int(x, 2)  return v }\no ~ f(3)\n")).diagnostics
        if each.is_error
    ]

    assert one.fixes == ()


STATEMENTS = [
    "def f(k) { w ~ flip(k); v ~ foo(1); return w + u }\n",
    "def f(k) { w ~ flip(k) // said\n return w }\n",
    "def g(k) { w ~ f(k); t ~ flip(5/2)\nv := w + 1; return v }\n",
    "def h(k) { observe k > s; return k }\n",
    "x ~ f(3)\n",
    "y ~ g(x)\n",
    "s ~ h(2)\n",
    "z := x + y\n",
    "const u = 1\n",
    "// a remark\n",
    "if z == 1 { y ~ f(1/2) }\n",
    "show P(z == 1)\n",
]


def some_change(text: str, chance: random.Random) -> Edit:
    lines = [*(match.start() for match in re.finditer(r"^", text, re.MULTILINE)), len(text)]
    at = chance.randrange(len(lines))
    if chance.random() < 0.5:
        return Edit(Span(lines[at], lines[at]), chance.choice(STATEMENTS))
    place = chance.randrange(len(text) + 1)
    return Edit(Span(place, min(len(text), place + chance.randrange(3))), chance.choice(("", "k", " ", "2", "\n")))


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_after_changes_they_stand_where_they_do_from_the_start(seed: int) -> None:
    chance = random.Random(seed)
    parsed = parse_text("".join(chance.choices(STATEMENTS, k=chance.randint(3, 9))))
    checked = checked_after(parsed, None)
    for _ in range(8):
        parsed = parsed.edit(some_change(parsed.text, chance))
        checked = checked_after(parsed, checked)
        again = check(SourceFile("a.seep", parsed.text))
        assert [one.labels for one in checked.diagnostics] == [one.labels for one in again.diagnostics]
