"""The grammar has no conflicts, and our tokens are those that lark would cut."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from lark import Lark, Token

from seepage.syntax.build import STARTS
from seepage.syntax.comments import blank_comments
from seepage.syntax.table_maker import grammar
from seepage.syntax.tokens import SYMBOLS, scan
from seepage.syntax.vocabulary.keywords import KEYWORDS

PROGRAMS = [
    case["program"]
    for path in sorted((Path(__file__).parents[1] / "cases").glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8")).get("case", [])
    if "program" in case
]


@pytest.fixture(scope="module")
def strict() -> Lark:
    """The grammar under lark's own lexer; strict mode raises on any conflict of rules or terminals."""
    return Lark(grammar(), parser="lalr", lexer="basic", strict=True, start=list(STARTS), keep_all_tokens=True)


def test_terminals_are_those_of_the_scanner(strict: Lark) -> None:
    named = {terminal.name for terminal in strict.terminals}

    # NAMED, OPEN and the words that are names elsewhere are told apart after scanning.
    expected = {word.upper() for word in KEYWORDS} | set(SYMBOLS.values()) | {"NAME", "NUMBER", "STRING"}
    assert {name for name in named if not name.startswith("__")} == expected


def test_both_lexers_cut_the_cases_alike(strict: Lark) -> None:
    for program in PROGRAMS:
        text = blank_comments(program).text

        theirs = [
            (token.type, token.start_pos, token.end_pos) for token in strict.lex(text) if isinstance(token, Token)
        ]
        ours = [(token.type, token.start, token.end) for token in scan(text)]

        assert ours == theirs


def test_parsing_needs_no_development_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lark.lexer.has_interegular", False)

    lark = Lark(grammar(), parser="lalr", lexer="basic", start=list(STARTS), keep_all_tokens=True)

    assert lark.parse("x := 1", start="leaf")
