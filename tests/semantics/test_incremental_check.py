"""A check after a change, which uses the one before, says what a check from the start says: findings, kinds, names, exactness."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.syntax.edits import change
from tests.syntax.programs import PROGRAMS

from seepage.diagnostics import Edit
from seepage.semantics import runs
from seepage.semantics.check import check_parsed
from seepage.semantics.checked import Checked
from seepage.source import SourceFile, Span
from seepage.syntax.incremental import ParsedText, parse_text

FIXTURES = [
    path.read_text(encoding="utf-8")
    for path in sorted((Path(__file__).parents[1] / "fixtures" / "semantics").glob("*.seep"))
]
NAME = re.compile(r"[^\W\d]\w*")
STATEMENTS = [
    "x := 1\n",
    "x := x + 1\n",
    "x ~ normal(0, 1)\n",
    "y := x * x\n",
    "y ~ normal(x, y)\n",
    "a[1] := x\n",
    "a[i] := y\n",
    "observe x == 1\n",
    "observe y > 0\n",
    "for i in 1..3 { x := x + i; a[i] := x }\n",
    "for x in 1..3 { y := x }\n",
    "if x == 1 { y := 2 } else if y { z ~ flip(0.5) } else { x ~ normal(0, 1) }\n",
    "if x { x := y * x }\n",
    "const x = 2\n",
    "param y in [0, 1] = 0.5\n",
    "secret x\n",
    "output y\n",
    "show I(x; y)\n",
    "z := foo(x)\n",
    "y ~ bernoulli(x)\n",
    "y ~ bernoulli(3)\n",
    "a := 3\n",
    "y := a[7] + 1 / 0\n",
    "if x > y { y ~ flip(3/2); z := 1 / 0 }\n",
    "z ~ normal(0, 2 * log(1.25 / 0.1) / y^2)\n",
    "def f(k) { w ~ flip(k); v ~ foo(1); return w + u }\n",
    "def g(k) { w ~ f(k); t ~ flip(5/2)\nv := w + s; return v }\n",
    "x ~ f(3)\n",
    "y ~ g(x)\n",
    "a[1] ~ g(1/2)\n",
]


def some_program(chance: random.Random) -> str:
    """Return a program of a case or a fixture, or statements in no order."""
    match chance.randrange(4):
        case 0:
            return str(chance.choice(PROGRAMS))[:1_500]
        case 1:
            return chance.choice(FIXTURES)[:2_500]
        case _:
            return "".join(chance.choices(STATEMENTS, k=chance.randint(2, 25)))


def some_change(text: str, chance: random.Random) -> Edit:
    """Return a change that means something: a name for another, a statement more or less, a block around others; or any change."""
    lines = [match.start() for match in re.finditer(r"^", text, re.MULTILINE)]
    names = [*NAME.finditer(text)]
    match chance.randrange(6):
        case 0 if names:
            old, new = chance.choice(names), chance.choice(names)
            return Edit(Span(*old.span()), new[0])
        case 1:
            at = chance.choice(lines)
            return Edit(Span(at, at), chance.choice(STATEMENTS))
        case 2:
            at = chance.randrange(len(lines))
            return Edit(Span(lines[at], ([*lines, len(text)])[at + 1]), "")
        case 3:
            at = chance.randrange(len(lines))
            line = text[lines[at] : ([*lines, len(text)])[at + 1]]
            to = chance.choice(lines)
            return Edit(Span(to, to), line)
        case 4:
            start, end = sorted(chance.choices([*lines, len(text)], k=2))
            head = chance.choice(["if x == 1 {\n", "for i in 1..2 {\n", "for j in 1..n {\n"])
            return Edit(Span(start, end), f"{head}{text[start:end]}}}\n")
        case _:
            return change(text, chance)


def described(checked: Checked) -> str:
    """Return everything about a check in words, as nodes are equal wherever they stand."""
    symbols = checked.symbols
    return "\n".join(
        [
            *map(repr, checked.diagnostics),
            repr(dict(checked.kinds)),
            repr(checked.classification),
            repr(symbols),
            repr(checked.tree),
        ]
    )


def checked_after(parsed: ParsedText, before: Checked | None) -> Checked:
    """Check a text, after another one if there is one, and compare it with a check from the start."""
    source = SourceFile("a.seep", parsed.text)
    checked = check_parsed(source, parsed.result, before)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "MOST", 1)  # what runs remember is not asked for
        assert described(checked) == described(check_parsed(source, parsed.result))
    return checked


@contextmanager
def small_runs(chance: random.Random) -> Iterator[None]:
    """Divide blocks into runs of few statements, so that a short program has many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "MOST", chance.choice((1, 2, 3, 5, 8, runs.MOST)))
        yield


@given(st.integers(0, 2**32))
def test_a_check_after_changes_says_what_one_from_the_start_says(seed: int) -> None:
    chance = random.Random(seed)
    parsed = parse_text(some_program(chance))
    with small_runs(chance):
        checked = checked_after(parsed, None)
        for _ in range(8):
            parsed = parsed.edit(some_change(parsed.text, chance))
            checked = checked_after(parsed, checked)


@given(st.integers(0, 2**32))
def test_a_check_may_follow_any_other(seed: int) -> None:
    chance = random.Random(seed)
    texts = [parse_text(some_program(chance))]
    texts += [texts[0].edit(some_change(texts[0].text, chance)) for _ in range(3)]
    with small_runs(chance):
        checks = [checked_after(texts[0], None)]
        for _ in range(6):
            checks.append(checked_after(chance.choice(texts), chance.choice(checks)))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x := a\n", "x := 1\n"),
        ("const n = 2\nx ~ bernoulli(n)\n", "const n = 1\nx ~ bernoulli(n)\n"),  # a literal elsewhere decides
        (
            "const n = 2\nx ~ bernoulli(n)\n",
            "n := 2\nx ~ bernoulli(n)\n",
        ),  # a variable of the same value is no constant
        ("x := y\ny := x\n", "y := x\nx := y\n"),  # which one is read too early
        ("x := 1\ny := x * x\n", "x ~ normal(0, 1)\ny := x * x\n"),
        ("x ~ normal(0, 1)\ny := x * x\n", "z := 1\nx ~ normal(0, 1)\ny := x * x\n"),  # the label moves
        ("x ~ normal(0, 1)\ny := x\nz := y * y\n", "y := 1\nz := y * y\n"),
        ("x := i\n", "for i in 1..3 { x := i\n }"),
        ("for i in 1..3 { i := 2 }\n", "i := 1\nfor i in 1..3 { i := 2 }\n"),
        ("x := 1\nobserve x == 1\n", "x := 2\nobserve x == 1\n"),
        ("y := x\nz := x\nx := 1\n", "z := x\nx := 1\n"),  # reported once, now at another place
        ("a[1] := 1\nx := a[2]\n", "a[2] := 1\nx := a[2]\n"),
        ("secret x\nx := 1\noutput y\ny := x\n", "secret x\nx ~ flip(0.5)\noutput y\ny := x\n"),
        (
            "p := 1\nx := p\n",
            "p := 1\n\N{CYRILLIC SMALL LETTER ER} := 2\nx := p\n",
        ),  # a name that looks like another one
        ("x := 1 // a\ny := x\n", "x := 1 // a\N{FIRST STRONG ISOLATE}\ny := x\n"),
    ],
)
def test_a_change_that_reaches_far_is_seen_everywhere(before: str, after: str) -> None:
    for one, other in ((before, after), (after, before)):
        parsed = parse_text(one)
        checked_after(parsed.becoming(other), checked_after(parsed, None))


def test_many_statements_typed_at_one_place_are_found_again() -> None:
    parsed = parse_text("x ~ normal(0, 1)\ny := x * x\n")
    checked = checked_after(parsed, None)
    at = parsed.text.index("y")
    for step in range(300):
        parsed = parsed.edit(Edit(Span(at, at), "z := x\n"))
        checked = check_parsed(SourceFile("a.seep", parsed.text), parsed.result, checked)
        if step % 50 == 0:
            checked_after(parsed, checked)

    checked_after(parsed, checked)


def test_statements_typed_at_the_top_one_after_the_other_are_found_again() -> None:
    parsed = parse_text("x := 1\ny := x\n")
    checked = checked_after(parsed, None)
    for count in range(1, 12):
        parsed = parsed.edit(Edit(Span(0, 0), f"z{count} := {count}\n" * (1 + count % 3)))
        checked = checked_after(parsed, checked)
