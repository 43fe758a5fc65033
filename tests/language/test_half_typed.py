"""Each construct, typed letter by letter in the middle of a program: what follows keeps its names, its procedures, its measures and its findings."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from seepage.diagnostics import Edit
from seepage.semantics.check import check
from seepage.source import SourceFile, Span
from seepage.syntax.incremental import parse_text
from seepage.syntax.lowering.lower import Lowered

BEFORE = """enum colour { red, green }
secret s
output o
output after
s ~ uniform_int(0, 3)
def noisy(x) {
  n ~ uniform_int(-1, 1)
  observe x + n >= 0
  return x + n
}
a := [1, 2, s]
"""
AFTER = """
def later(x) {
  return x + 1
}
z ~ flip(1/2)
b := later(s)
if z == 1 {
  c := b + 1
}
o := c + z
after := misspelt + 1
require I(s; o) <= 2 bits
show I(s; o)
"""
CONSTRUCTS = (
    "w := 0\nwhile w < 3 {\n  w := w + 1\n} never {\n  w := 9\n}",
    "repeat {\n  w ~ flip(1/3)\n} until w == 1 never {\n  w := 2\n}",
    "for i in 1..3 {\n  if i == 2 { break }\n  continue\n}",
    "for i in a { q[i] := i }",
    "def f(u, v) {\n  y ~ flip(1/2)\n  observe u > y\n  return u + v, y\n}",
    "e, g ~ pair(s)",
    "y ~ uniform_int(0, 3) given y >= s",
    "p.age := 3",
    'k := "red"',
    "enum size { small, large }",
    "m := s in {1, 4..6, 8}",
    "l := [v * 2 for v in a if v > 0]",
    "t := sum(v for v in a)",
    "l := a[0..1]",
    "l := [[1, 2], [3, 4]]\nu := l[1, 0]",
    "const t = [1, 2, 3]",
    'table people from "people.csv" weight n',
    'import "seep:mechanisms" as m',
    'import rr from "seep:mechanisms"',
    "attacker g in 0..3",
    "show max P(o == s)",
)


def prefixes(text: str) -> Iterator[str]:
    """Yield what stands there after each letter, as far as it is not only more of a name."""
    yield from (text[:end] for end in range(1, len(text) + 1) if not re.fullmatch(r"\w\w", text[end - 1 : end + 1]))


def lost(begun: str, following: str) -> list[str]:
    """Return what is lost of the rest of a program, and what is said of it that is not wrong with it."""
    checked = check(SourceFile("test.seep", begun + following))
    found = [one for one in checked.diagnostics if one.span.start >= len(begun)]
    own = [one for one in found if "misspelt" in one.message]
    assert isinstance(checked.context, Lowered)
    names = {*checked.symbols.variables, *checked.context.facts.procedures}
    return [
        *({"s", "o", "a", "z", "b", "c", "noisy", "later"} - names),
        *(("misspelt",) if len(own) != 1 else ()),
        *(("show",) if not checked.symbols.shows else ()),
        *(("require",) if len(checked.symbols.requires) != 1 else ()),
        *(("output",) if [one.name for one in checked.symbols.outputs] != ["o", "after"] else ()),
        *(one.message for one in found if one not in own),
    ]


@pytest.mark.parametrize("text", CONSTRUCTS)
def test_what_follows_is_kept_at_the_top(text: str) -> None:
    for prefix in prefixes(text):
        assert not lost(BEFORE + prefix, AFTER), prefix


@pytest.mark.parametrize("text", CONSTRUCTS)
def test_what_follows_is_kept_in_a_procedure(text: str) -> None:
    for prefix in [*prefixes(text.replace("\n", "\n  "))][::2]:
        assert not lost(f"{BEFORE}def around(u) {{\n  {prefix}", f"\n  return 1\n}}{AFTER}"), prefix


def test_what_follows_is_kept_before_everything() -> None:
    for text in CONSTRUCTS:
        for prefix in [*prefixes(text)][::3]:
            assert not lost(prefix, f"\n{BEFORE}{AFTER}"), prefix


@pytest.mark.parametrize("text", [one for one in CONSTRUCTS if one.startswith(("table", "import", "attacker"))])
def test_after_each_letter_everything_is_said_that_is_said_of_the_whole(text: str) -> None:
    typed = parse_text(BEFORE + AFTER)
    for at, letter in enumerate(text, len(BEFORE)):
        typed = typed.edit(Edit(Span(at, at), letter))

        assert typed.result.diagnostics == parse_text(typed.text).result.diagnostics, typed.text[len(BEFORE) : at + 1]


@pytest.mark.parametrize(
    "text", ["x := 1 +\n  table\ny := 2\n", "x := (1 +\n  repeat\n)\ny := 2\n", "x := return +\n  break * 2\ny := 2\n"]
)
def test_a_variable_named_by_such_a_word_goes_on_with_an_expression(text: str) -> None:
    named = "".join(f"{word} := 1\n" for word in ("table", "repeat", "return", "break"))

    assert not [one for one in check(SourceFile("test.seep", named + text)).diagnostics if one.is_error]
