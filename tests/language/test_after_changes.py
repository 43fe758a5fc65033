"""A text beyond the core after changes is what it is from the start: the same core, the same findings, the same check."""

from __future__ import annotations

import random
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.semantics.test_incremental_check import small_runs
from tests.syntax.edits import change

from seepage.diagnostics import Edit
from seepage.semantics.check import check_parsed
from seepage.semantics.checked import Checked
from seepage.source import SourceFile, Span
from seepage.syntax.incremental import ParsedText, parse_text
from seepage.syntax.lowering.lower import Lowered

CASES = tomllib.loads((Path(__file__).parent / "language-2.toml").read_text(encoding="utf-8"))["case"]
PROGRAMS = [case["program"] for case in CASES if "program" in case]
STATEMENTS = [
    "a := [1, 2, x]\n",
    "a := b\n",
    "b := a\n",
    "b := sort(a)\n",
    "b[3] := 1\n",
    "c := sum(v for v in a if v > 1)\n",
    "x := w[y]\n",
    "x := w[1]\n",
    "const w = [1, 2, 4]\n",
    "const w = [5, k]\n",
    "const k = 2\n",
    "const k = 3\n",
    "y ~ weights(w)\n",
    "y ~ uniform_of(w)\n",
    "y ~ uniform_int(0, k) given y != x\n",
    "p.age := x\n",
    "p.age := p.size + 1\n",
    "q := p\n",
    "secret p\n",
    "output q, a\n",
    "enum hue { red, green }\n",
    "enum hue { red, blue }\n",
    "z ~ uniform_of(hue)\n",
    'z := if x then "red" else green\n',
    "x := z + 1\n",
    "def f(u) { n ~ flip(1/2) return u + n }\n",
    "def f(u) { return u * k }\n",
    "def g(u, v) { n ~ f(u) observe n > v return n, v }\n",
    "def g(u, v) { return f(u), x }\n",
    "x ~ f(y)\n",
    "x := f(y)\n",
    "x, y ~ g(1, 2)\n",
    "for i in 0..k { a[i] := i if a[i] == 2 { break } }\n",
    "for i in 1..2 { x ~ f(i) }\n",
    "x ~ permutation(3)\n",
    "observe x in {1, 2..k, a}\n",
    "if y { x := a[0] } else { b := a }\n",
    "show I(p; q)\n",
    "show P(z == red)\n",
    "repeat { x ~ flip(1/2) } until x == 1\n",
    "until x\n",
    "never { x := 2 }\n",
    "while x == 1 { x ~ flip(1/3) }\n",
    "x := 1\n",
    "y := x + 1\n",
    "// nothing\n",
    "x := \n",
]
_MADE = re.compile(r"@(\d+)")


def described(parsed: ParsedText, checked: Checked) -> list[str]:
    """Return everything about a text in words; variables that no text names are numbered in the order in which they stand there."""
    numbers: dict[str, str] = {}
    context = parsed.result.context
    known = (
        sorted((name, sorted(map(repr, paths))) for name, paths in context.facts.shapes.items() if "@" not in name)
        if isinstance(context, Lowered)
        else None
    )
    said = [repr(parsed.result), repr(known), *map(repr, checked.diagnostics), repr(dict(checked.symbols.variables))]
    if isinstance(context, Lowered):
        said.append(repr(sorted(one for one in context.symbolic if "@" not in one)))
    return [_MADE.sub(lambda match: numbers.setdefault(match[0], f"@{len(numbers)}"), one) for one in said]


def some_text(chance: random.Random) -> str:
    if chance.randrange(4) == 0:
        return str(chance.choice(PROGRAMS))[:1_500]
    return "".join(chance.choices(STATEMENTS, k=chance.randint(2, 18)))


def some_change(text: str, chance: random.Random) -> Edit:
    lines = [match.start() for match in re.finditer(r"^", text, re.MULTILINE)]
    at = chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            return Edit(Span(lines[at], lines[at]), chance.choice(STATEMENTS))
        case 1:
            return Edit(Span(lines[at], ([*lines, len(text)])[at + 1]), chance.choice(["", chance.choice(STATEMENTS)]))
        case 2:
            names = [*re.finditer(r"\b\w+\b", text)]
            old, new = (chance.choice(names), chance.choice(names)) if names else (None, None)
            return Edit(Span(*old.span()), new[0]) if old and new else change(text, chance)
        case _:
            return change(text, chance)


def assert_is_as_from_the_start(parsed: ParsedText, checked: Checked) -> None:
    source = SourceFile("a.seep", parsed.text)
    whole = parse_text(parsed.text)
    assert described(parsed, checked) == described(whole, check_parsed(source, whole.result)), parsed.text


@given(st.integers(0, 2**32))
def test_a_text_after_changes_is_what_it_is_from_the_start(seed: int) -> None:
    chance = random.Random(seed)
    parsed = parse_text(some_text(chance))
    with small_runs(chance):
        checked = check_parsed(SourceFile("a.seep", parsed.text), parsed.result)
        for _ in range(6):
            parsed = parsed.edit(some_change(parsed.text, chance))
            checked = check_parsed(SourceFile("a.seep", parsed.text), parsed.result, checked)
            assert_is_as_from_the_start(parsed, checked)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_typed_line_by_line_is_what_it_is_from_the_start(program: str) -> None:
    parsed = parse_text("")
    checked = check_parsed(SourceFile("a.seep", ""), parsed.result)
    for line in program.splitlines(keepends=True):
        end = len(parsed.text)
        parsed = parsed.edit(Edit(Span(end, end), line))
        checked = check_parsed(SourceFile("a.seep", parsed.text), parsed.result, checked)
    assert_is_as_from_the_start(parsed, checked)


def test_a_change_lowers_again_what_names_what_changed() -> None:
    others = "".join(f"z{at} := {at}\n" for at in range(9))
    text = f"{others}const k = 2\ndef f(u) {{ return u * k }}\n{others}a := [1, 2]\nb := a\nx := f(3)\ny := 1\n{others}"
    parsed = parse_text(text)
    for old, new in (
        ("k = 2", "k = 5"),
        ("* k", "+ k"),
        ("[1, 2]", "[1, 2, 3]"),
        ("[1, 2, 3]", "[1]"),
        ("y := 1", "y := 2"),
    ):
        at = parsed.text.index(old)
        before = parsed.result.context
        parsed = parsed.edit(Edit(Span(at, at + len(old)), new))
        assert isinstance(before, Lowered)
        assert isinstance(parsed.result.context, Lowered)
        now, then = parsed.result.context.divided, before.divided
        assert now is not None
        assert then is not None
        kept = [one for one in now.groups if any(one is other for other in then.groups)]
        assert len(kept) >= 9
        checked = check_parsed(SourceFile("a.seep", parsed.text), parsed.result)
        assert_is_as_from_the_start(parsed, checked)
