"""Marked-up programs: every finding of ``check`` stands below its place, and nothing else is found.

A line ``// ^^^ error[SEEP101]: message`` speaks of the last code line above it; the carets stand under the range. Where the range begins in
the first column the line begins ``//^`` and the slashes count as carets. ``// ---`` separates programs in a file. They stand in a folder with the modules in
``beside``.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from seepage.files import Folder
from seepage.rules import RULES
from seepage.semantics.check import check
from seepage.source import SourceFile

FIXTURES = Path(__file__).parents[1] / "fixtures" / "semantics"
PROGRAMS = {
    f"{path.stem}-{number}": text
    for path in sorted(FIXTURES.glob("*.seep"))
    for number, text in enumerate(re.split(r"^// ---.*\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE))
}
MARK = re.compile(r"^(?P<before>\s*//\s*?)(?P<carets> *\^+) (?P<severity>\w+)\[(?P<code>SEEP\d+)\]: (?P<message>.*)$")

Finding = tuple[int, int, int, str, str, str]  # line, first column, column after it, severity, code, message


def marked(text: str) -> set[Finding]:
    found: set[Finding] = set()
    code_line = 0
    for number, line in enumerate(text.splitlines(), start=1):
        match = MARK.match(line)
        if match is None:
            code_line = number
            continue
        start = line.index("^")
        start = 0 if line.startswith("//^") else start
        found.add((code_line, start + 1, match.end("carets") + 1, match["severity"], match["code"], match["message"]))
    return found


def reported(text: str) -> set[Finding]:
    source = SourceFile("fixture.seep", text, files=Folder(str(FIXTURES / "beside")))
    found: set[Finding] = set()
    for one in check(source).diagnostics:
        line, column = source.position(one.span.start)
        end_line, end_column = source.position(one.span.end)
        assert line == end_line, f"{one.message} spans lines"
        found.add((line, column, end_column, one.severity.value, one.rule.code, one.message))
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_findings_are_those_that_are_marked(name: str) -> None:
    assert reported(PROGRAMS[name]) == marked(PROGRAMS[name])


@pytest.mark.parametrize("code", [code for code in sorted(RULES) if "SEEP100" <= code < "SEEP400"])
def test_a_rule_of_checking_has_a_fixture(code: str) -> None:
    assert any(f"[{code}]" in text for text in PROGRAMS.values())


@pytest.mark.parametrize("code", [code for code in sorted(RULES) if "SEEP100" <= code < "SEEP400"])
def test_the_example_of_a_rule_shows_it(code: str) -> None:
    example = RULES[code].example

    assert code in {finding[4] for finding in reported(example)}
