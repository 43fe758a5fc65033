"""The formatter keeps what a program means and says, and has nothing to do the second time."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.semantics.random_programs import programs

from seepage.files import Folder
from seepage.source import SourceFile, Span
from seepage.syntax.parse import parse
from seepage.syntax.printer import applied, format_range, format_text
from seepage.syntax.tree import Module, Placed

from .mangled import PROGRAMS, ROOT, mangled

CALM = [0.5, 0.9, 0.97]


def formatted(text: str) -> str:
    result = format_text(text)
    assert result.errors == (), text
    return applied(text, result.edits)


def tree(text: str) -> tuple[Module, list[str]]:
    result = parse(SourceFile("test.seep", text, files=Folder(str(ROOT / "examples"))))
    assert not any(one.is_error for one in result.diagnostics), text
    return result.tree, [item.documentation for item in result.tree.walk() if isinstance(item, Placed)]


def comments(text: str) -> list[str]:
    """Every comment of a text, read without the parser; blanks at the end of a line comment do not count."""
    found: list[str] = []
    at = 0
    while (opening := re.compile(r"//|/\*").search(text, at)) is not None:
        end = opening.end()
        if opening.group() == "//":
            end += len(re.split(r"[\r\n]", text[end:], maxsplit=1)[0])
        else:
            depth = 1
            while depth:
                mark = text[end : end + 2]
                depth += {"/*": 1, "*/": -1}.get(mark, 0)
                end += 2 if mark in ("/*", "*/") else 1
        found.append(text[opening.start() : end].rstrip(" \t\f"))
        at = end
    return found


def joined_by_accident(text: str) -> list[str]:
    found = parse(SourceFile("test.seep", text)).diagnostics
    return [one.message for one in found if one.rule.code == "SEEP030"]


def holds_the_laws(text: str) -> None:
    once = formatted(text)

    assert tree(once) == tree(text), (text, once)
    assert comments(once) == comments(text), (text, once)
    assert formatted(once) == once, (text, once)
    assert joined_by_accident(once) == joined_by_accident(text), (text, once)
    assert once.endswith(("\n", "\r"))
    assert not re.search(r"[ \t]$|\n\n\n", once, re.MULTILINE), once


@pytest.mark.family(every=3)
@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_a_known_program_keeps_its_tree_and_comments(number: int) -> None:
    holds_the_laws(PROGRAMS[number])


@pytest.mark.parametrize("calm", CALM)
@pytest.mark.parametrize("number", range(0, len(PROGRAMS), 5))
def test_a_known_program_written_differently_keeps_its_tree_and_comments(number: int, calm: float) -> None:
    holds_the_laws(mangled(PROGRAMS[number], random.Random(number), calm))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(programs(), st.integers(0, 10**6), st.sampled_from(CALM))
def test_a_random_program_keeps_its_tree_and_comments(text: str, seed: int, calm: float) -> None:
    holds_the_laws(text)
    holds_the_laws(mangled(text, random.Random(seed), calm))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("param   p in(0,1]=1/2", "param p in (0, 1] = 1/2"),
        ("x~normal( 0,std = 2 )", "x ~ normal(0, std=2)"),
        ("x:=-a^-2/b^ 2*!c", "x := -a^-2 / b^2 * !c"),
        ("x := 2^1/2 + 1/2/3 + 1 / 2", "x := 2^1 / 2 + 1/2 / 3 + 1/2"),
        ("x~{0:1/2,1:1/2}", "x ~ {0: 1/2, 1: 1/2}"),
        ("observe (x==1)", "observe(x == 1)"),
        ("observe(x==1)and y", "observe (x == 1) and y"),
        ("p.age:=q[1].x+1", "p.age := q[1].x + 1"),
        ("for i in 1 .. n{skip}", "for i in 1..n { skip }"),
        ("for i in 1..n-1{skip}", "for i in 1 .. n - 1 { skip }"),
        ("x := if not(a)then(1)else[2]", "x := if not (a) then (1) else [2]"),
        ("x := if not(a)then(1)else(2)", "x := if not (a) then (1) else (2)"),
        ("show I(x,y ;z|( b ))/H( x )in  nats", "show I(x, y; z | (b)) / H(x) in nats"),
        ("show KL(x|o==9||x)", "show KL(x | o == 9 || x)"),
        ("require DP(x->y,distance=1|z)<=-1", "require DP(x -> y, distance=1 | z) <= -1"),
        ("a := 1 ;b := 2;", "a := 1; b := 2"),
        ("a := 1 b := 2", "a := 1\nb := 2"),
        ("if a{x := 1;}\nelse{x := 2}", "if a { x := 1 } else { x := 2 }"),
        ("if a{x := 1 y := 2}", "if a {\n    x := 1\n    y := 2\n}"),
        ("if a\n{x := 1\n}\nelse\n    if b\n{}", "if a {\n    x := 1\n} else if b {}"),
        ("x := 1 // c\n\n\n\n  //d", "x := 1  // c\n\n//d"),
        ("x := a // 2", "x := a // 2"),
        ("x ~ {\n0: p,\n1: f(\np)\n}", "x ~ {\n    0: p,\n    1: f(\n        p)\n}"),
        ("x := a\n  - b", "x := a\n    - b"),
        ("/// d\n;x := 1", "/// d\n\nx := 1"),
        ("; /// d\nx := 1", "/// d\n\nx := 1"),
        ("\n\n{", None),
        ("", ""),
        (" \n", ""),
        ("// only", "// only\n"),
    ],
)
def test_the_style(written: str, expected: str | None) -> None:
    result = format_text(written)

    assert (result.errors == ()) is (expected is not None)
    assert applied(written, result.edits).rstrip("\n") == (written if expected is None else expected.rstrip("\n"))


def test_statements_that_do_not_fit_on_a_line_get_lines_of_their_own() -> None:
    fits = "a := 1; " * 11 + "bc := 123456\n"
    block = f"if c {{ {fits.strip()} }}\n"
    longer = fits.replace("bc", "bcd")

    assert formatted(fits) == fits
    assert len(fits.strip()) == 100
    assert formatted(block) == "if c {\n    " + fits.replace("; ", "\n    ") + "}\n"
    assert formatted(longer) == longer.replace("; ", "\n")


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_line_ends_are_those_of_the_text(line_end: str) -> None:
    assert formatted(f"if a {{{line_end}x := 1}}") == f"if a {{{line_end}    x := 1{line_end}}}{line_end}"


@pytest.mark.parametrize(
    ("written", "line_end"),
    [
        ("\r\nx := 1 /* a\n  b */\ny := 2\r\nz := 3\n", "\r\n"),
        ("\r\nx := 1\ny := 2\nz := 3\n", "\n"),
        ("x := 1 /* a\r b */", "\r"),
        ("x := 1 /* a\r b\r c\r */\ny := 2", "\n"),
    ],
)
def test_line_ends_that_are_mixed_become_those_that_are_most_outside_of_comments(written: str, line_end: str) -> None:
    once = formatted(written)

    outside = re.sub(r"/\*.*?\*/", "", once, flags=re.DOTALL)
    assert set(re.findall(r"\r\n|\r|\n", outside)) == {line_end}
    assert comments(once) == comments(written)
    assert formatted(once) == once


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("x := a\n-b", "x := a\n- b\n"),
        ("if c {\nx := a\n(b)\n+ 1\n-2\n}", "if c {\n    x := a\n    (b)\n        + 1\n    - 2\n}\n"),
        ("if a { } else\nif b { }", "if a {} else\nif b {}\n"),
    ],
)
def test_a_line_that_joins_the_one_above_perhaps_by_accident_is_still_warned_of(written: str, expected: str) -> None:
    warned = joined_by_accident(written)
    result = format_text(written)

    assert applied(written, result.edits) == expected
    assert warned
    assert joined_by_accident(expected) == warned


def test_a_byte_order_mark_stays() -> None:
    assert formatted("\ufeff  x:=1") == "\ufeffx := 1\n"
    assert formatted("\ufeff") == "\ufeff"


def test_a_text_with_syntax_errors_is_left_alone() -> None:
    result = format_text("x:=1\ny := ")

    assert result.edits == ()
    assert [one.rule.code for one in result.errors] == ["SEEP011"]


def test_what_is_wrong_with_a_table_is_no_matter_of_style() -> None:
    assert formatted('table t from "t.csv"\nr~t\nx:=r.a') == 'table t from "t.csv"\nr ~ t\nx := r.a\n'


def test_a_range_touches_the_lines_it_lies_on_only() -> None:
    text = "a:=1\nb:=2\n\n\n\nc:=3\n"
    at = text.index("b")

    assert applied(text, format_range(text, Span(at, at))) == "a:=1\nb := 2\n\n\n\nc:=3\n"
    assert applied(text, format_range(text, Span(0, len(text)))) == formatted(text)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("above", ["", "  ", "END", "ENDENDEND"])
def test_a_range_is_formatted_from_the_start_of_its_first_line_on(above: str, end: str) -> None:
    before = f"a:=1{above}END".replace("END", end)
    text = f"{before}   b:=2{end}"

    edits = format_range(text, Span(len(before) + 3, len(text)))

    assert min(edit.span.start for edit in edits) == len(before)
    assert applied(text, edits) == f"{before}b := 2{end}"


@pytest.mark.parametrize("seed", range(60))
def test_a_range_of_a_mangled_program_keeps_its_meaning_and_what_stands_above(seed: int) -> None:
    chance = random.Random(seed)
    text = mangled(chance.choice(PROGRAMS), chance, chance.choice(CALM))
    start = chance.randrange(len(text))
    first = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1

    edits = format_range(text, Span(start, chance.randrange(start, len(text) + 1)))

    assert [edit for edit in edits if edit.span.start < first and "\n" in edit.replacement] == []
    assert tree(applied(text, edits)) == tree(text)


def test_a_range_of_a_broken_text_is_formatted_where_statements_are_whole() -> None:
    text = "if a {\nb:=2\nc := \n  d:=3\n"

    assert applied(text, format_range(text, Span(0, len(text)))) == "if a {\nb := 2\nc := \n  d := 3\n"
