"""The law of fixing: what one slip made of a program is turned back into that program, or shows no numbers after it."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from dataclasses import fields, is_dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fixing.slips import slips
from tests.semantics.random_programs import programs
from tests.syntax.programs import PROGRAMS

from seepage.fixing import fix_all
from seepage.semantics.blocking import blocking
from seepage.semantics.check import check
from seepage.source import SourceFile
from seepage.syntax.tree import Assign, Const, Item, Module, Name, Parenthesized, Placed, Require, Show

DEEP = os.environ.get("SEEPAGE_DEEP") == "1"
_OPERATORS = """\
param p in [0, 1] = 1/3
const n = 3
secret key, noise
output o, total
key ~ uniform_int(0, 3)
noise ~ flip(p)
/// what leaves
o := 2 * key + n^2 - noise / 4 // and no more
total := 0; count := 7
for i in 1..n {
    total := total - (i - 1)
    total := total * (key + 1)
    count := count / (2 + 1); count := count + key
    if key == i and noise != 0 or not (i <= 2) { total := total + 1 } else if key >= 2 { skip } else { o := -o }
}
table ~ {0: 1/2, 1: 1/4, 2: 1/4}
mixed ~ 1/3*normal(0, 4) + 2/3*normal(mean=1, std=2)
a[1] := if key < 2 then min(key, 1) else max(1, 2, 5 % 3)
a[2] := a[1] xor noise
observe total >= 0
show H(key | o)
show I(key; o, total) in bits
show P(o == 3) + E(total)
require I(key; o) <= 2 bits over p in [0, 1]
"""
TEXTS = [_OPERATORS, *(text for text in PROGRAMS if len(text) < 1_000)]


def shape(node: object) -> object:
    """Return what a part of a tree says, whatever its places and parentheses."""
    match node:
        case Parenthesized(inner):
            return shape(inner)
        case Placed(leaf):
            return shape(leaf)
        case Const(name, value, name_span, span):
            # 'k = 3' that lost its word assigns the same number.
            return shape(Assign(Name(name, name_span), value, span))
        case str():
            return node
        case Sequence():
            return [shape(one) for one in node]
    if is_dataclass(node):
        return type(node).__name__, [shape(getattr(node, one.name)) for one in fields(node) if one.compare]
    return node


def without_questions(tree: Module) -> list[Item]:
    return [one for one in tree.items if not (isinstance(one, Placed) and isinstance(one.node, Show | Require))]


def assert_law(text: str, slip: str) -> None:
    """Check that the fixes of a slip bring the text back wherever they lead to a program with numbers."""
    result = fix_all(SourceFile("test.seep", slip))
    if not result.mended:
        return
    meant, made = check(SourceFile("test.seep", text)), check(SourceFile("test.seep", result.text))
    if any(blocking(made)):
        return
    whole = not any(one.is_error for one in made.diagnostics)
    got, expected = (one.tree.items if whole else without_questions(one.tree) for one in (made, meant))
    titles = [one.fixes[0].title for one in result.mended]
    assert shape(got) == shape(expected), f"{slip!r} became {result.text!r} by {titles}"


def some(text: str, most: int, seed: int) -> list[str]:
    found = list(dict.fromkeys(slips(text)))
    return found if len(found) <= most else random.Random(seed).sample(found, most)


@pytest.mark.variation(of="test_a_slip_in_a_known_program_is_mended_or_left")
def test_a_slip_in_a_program_of_everything_is_mended_or_left() -> None:
    for slip in some(_OPERATORS, 10_000 if DEEP else 400, 1):
        assert_law(_OPERATORS, slip)


@pytest.mark.family(every=3)
@pytest.mark.parametrize("text", TEXTS)
def test_a_slip_in_a_known_program_is_mended_or_left(text: str) -> None:
    for slip in some(text, 200 if DEEP else 4, len(text)):
        assert_law(text, slip)


@given(programs(), st.data())
def test_a_slip_in_any_program_is_mended_or_left(text: str, data: st.DataObject) -> None:
    assert_law(text, data.draw(st.sampled_from(list(slips(text)))))


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("x := 7\nx -= 3 - 1\n", "x := 7\nx := x - (3 - 1)\n"),
        ("x := 7\nx *= 1 + 2\n", "x := 7\nx := x * (1 + 2)\n"),
        ("x := 7\nx /= 1 + 2\n", "x := 7\nx := x / (1 + 2)\n"),
        ("x = 7\nobserve x ≤ 7\n", "x := 7\nobserve x <= 7\n"),
        ("x := normal(0, 1)\n", "x ~ normal(0, 1)\n"),
    ],
)
def test_the_law_is_not_kept_by_doing_nothing(slip: str, meant: str) -> None:
    result = fix_all(SourceFile("test.seep", slip))

    assert shape(check(SourceFile("test.seep", result.text)).tree) == shape(check(SourceFile("test.seep", meant)).tree)
