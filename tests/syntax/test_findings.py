"""Findings stand where they should: the sources under ``tests/fixtures/syntax`` carry what is expected of each line.

Under a line of a program, ``// ^^^ code: words`` says that a finding with this code has exactly the marked range and a message
with these words; ``// @0-3 code: words`` marks a range by its columns. Nothing else may be found.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from seepage.diagnostics import Diagnostic
from seepage.rules import RULES
from seepage.semantics.check import check
from seepage.source import SourceFile
from seepage.syntax.parse import parse

FIXTURES = sorted((Path(__file__).parents[1] / "fixtures" / "syntax").glob("*.seep"))
MARK = re.compile(r"[ \t]*//[ \t]*(?:(\^+)|@(\d+)-(\d+))[ \t]+(SEEP\d+): (.*)")
# These need texts of a size that no fixture has, and are shown in test_limits.py.
BY_SIZE = {"SEEP004", "SEEP005", "SEEP006"}
OF_FILES = {"SEEP007"}  # found before there is a text, by the command line


def split(text: str) -> tuple[str, list[tuple[int, int, int, str, str]]]:
    """Return the program, its marks blanked, and (line, first column, last column, code, words) of each mark."""
    kept: list[str] = []
    marks: list[tuple[int, int, int, str, str]] = []
    line = 0
    for number, row in enumerate(text.splitlines(keepends=True)):
        if (match := MARK.match(row)) is None:
            kept.append(row)
            line = number
            continue
        carets, first, last, code, words = match.groups()
        start, end = (match.start(1), match.end(1)) if carets else (int(first), int(last))
        marks.append((line, start, end, code, words))
        kept.append("\n")
    return "".join(kept), marks


def placed(source: SourceFile, one: Diagnostic) -> tuple[int, int, int, str]:
    line, column = source.position(one.span.start)
    return line - 1, column - 1, column - 1 + one.span.end - one.span.start, one.rule.code


def fixed(text: str, one: Diagnostic) -> str:
    """Apply the first fix."""
    for edit in sorted(one.fixes[0].edits, key=lambda edit: edit.span.start, reverse=True):
        text = text[: edit.span.start] + edit.replacement + text[edit.span.end :]
    return text


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_findings_are_those_that_are_marked(path: Path) -> None:
    text, marks = split(path.read_text(encoding="utf-8"))
    source = SourceFile(path.name, text)

    found = parse(source).diagnostics

    assert [placed(source, one) for one in found] == sorted(mark[:4] for mark in marks)
    for one, mark in zip(found, sorted(marks), strict=True):
        assert mark[4] in one.message


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_each_fix_removes_its_finding(path: Path) -> None:
    text, _ = split(path.read_text(encoding="utf-8"))
    found = parse(SourceFile(path.name, text)).diagnostics

    for one in found:
        if one.fixes:
            left = parse(SourceFile(path.name, fixed(text, one))).diagnostics
            same = [o for o in left if (o.rule, o.span.start, o.message) == (one.rule, one.span.start, one.message)]
            assert not same or len(left) < len(found), fixed(text, one)
            assert len(left) <= len(found), fixed(text, one)


def test_every_rule_of_the_parser_has_a_fixture() -> None:
    marked = {mark[3] for path in FIXTURES for mark in split(path.read_text(encoding="utf-8"))[1]}

    assert {code for code in RULES if code < "SEEP050"} - BY_SIZE - OF_FILES - marked == set()


def test_a_keyword_that_is_used_as_a_name_is_told_once_and_renamed_everywhere() -> None:
    text = "secret bits\noutput o, bits_\nbits ~ flip(1/2)\no := bits + 1\nbits_ := 2\nshow I(bits; o)\n"

    (found,) = parse(SourceFile("test.seep", text)).diagnostics

    assert found.rule.code == "SEEP014"
    assert [text[label.span.start : label.span.end] for label in found.labels] == ["bits"] * 3
    (fix,) = found.fixes
    renamed = text
    for edit in sorted(fix.edits, key=lambda one: -one.span.start):
        renamed = renamed[: edit.span.start] + edit.replacement + renamed[edit.span.end :]
    assert parse(SourceFile("test.seep", renamed)).diagnostics == ()
    assert renamed.count("bits__") == 4


@pytest.mark.parametrize("text", ["x = [1, 2]\n", "a := [1, 2]\nb = a\n", "a := [1, 2]\nx = sum(a)\n", "x = 3\n"])
def test_an_equals_sign_alone_assigns_nothing_whatever_stands_behind_it(text: str) -> None:
    found = parse(SourceFile("a", text)).diagnostics

    assert [(one.rule.code, one.is_error) for one in found] == [("SEEP015", True)]


@pytest.mark.parametrize("letter", ["a", "é", "\U0001f600"])
def test_a_symbol_is_read_up_to_500_characters_whatever_these_are(letter: str) -> None:
    longest, longer = (check(SourceFile("a", f'x := "{letter * count}"\nshow P(x == "b")\n')) for count in (500, 501))

    assert longest.diagnostics == ()
    assert [one.message for one in longer.diagnostics] == ["the symbol has 501 characters, at most 500 are read"]
