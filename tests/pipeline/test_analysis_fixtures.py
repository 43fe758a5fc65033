"""Marked-up programs, as those of the checks: everything that an analysis finds stands below its place, and nothing else is found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.semantics.test_check_fixtures import Finding, marked

from seepage.files import Folder
from seepage.pipeline import Options, analyze, check
from seepage.rules import RULES
from seepage.source import SourceFile

FIXTURES = Path(__file__).parents[1] / "fixtures"
PROGRAMS = {
    f"{path.stem}-{number}": text
    for path in sorted((FIXTURES / "analysis").glob("*.seep"))
    for number, text in enumerate(re.split(r"^// ---.*\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE))
}
NOT_IN_A_FILE = {
    "SEEP004": "needs a text of more than a million characters",
    "SEEP005": "needs a statement of more than 100,000 characters",
    "SEEP006": "needs two hundred levels",
    "SEEP007": "is of a file that is no text; the command line finds it",
    "SEEP506": "needs a value that is given from outside",
    "SEEP513": "needs a time limit, and time",
    "SEEP590": "needs a baseline to compare with",
    "SEEP591": "needs a baseline to compare with",
    "SEEP592": "needs a baseline to compare with",
    **dict.fromkeys(
        ("SEEP701", "SEEP702", "SEEP703", "SEEP704", "SEEP705", "SEEP706", "SEEP707"),
        "is of Python functions: tests/python",
    ),
    "SEEP904": "needs a folder that is not trusted: tests/language/test_modules.py",
    "SEEP981": "is of an editor that checks no text of this length",
    "SEEP982": "is of a process that broke",
}


def reported(text: str) -> set[Finding]:
    checked = check(SourceFile("fixture.seep", text, files=Folder(str(FIXTURES / "semantics" / "beside"))))
    analysis = analyze(checked, Options(seconds=20))
    found: set[Finding] = set()
    for one in (*checked.diagnostics, *analysis.diagnostics):
        line, column = checked.source.position(one.span.start)
        end_line, end_column = checked.source.position(one.span.end)
        assert line == end_line, f"{one.message} spans lines"
        found.add((line, column, end_column, one.severity.value, one.rule.code, one.message))
    return found


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_an_analysis_finds_is_what_is_marked(name: str) -> None:
    assert reported(PROGRAMS[name]) == marked(PROGRAMS[name])


def test_every_rule_has_a_fixture_or_a_reason_why_none_can_show_it() -> None:
    texts = [path.read_text(encoding="utf-8") for path in FIXTURES.rglob("*.seep")]
    shown = {code for text in texts for code in re.findall(r"^\s*//.*?\b(SEEP\d+)\b", text, re.MULTILINE)}

    assert set(RULES) - shown == set(NOT_IN_A_FILE)
