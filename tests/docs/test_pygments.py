"""The colours of Pygments: on all programs that are there, every name has the colour of what it means."""

from __future__ import annotations

import re

import pytest
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Error, Keyword, Name, String, _TokenType
from tests.docs.blocks import ROOT

from seepage.pipeline import check
from seepage.pygments_lexer import SeepLexer
from seepage.source import SourceFile
from seepage.symbols.classify import Category, classify
from seepage.syntax.vocabulary.table import WORDS

CALLED = {
    Category.DISTRIBUTION: Name.Function.Magic,
    Category.MEASURE: Name.Function.Magic,
    Category.FUNCTION: Name.Builtin,
}
PROGRAMS = [
    *((path.name, path.read_text(encoding="utf-8")) for path in sorted((ROOT / "examples").glob("*.seep"))),
    *(
        (f"language.md, {number}", text)
        for number, text in enumerate(
            re.findall(r"```seep\n(.*?)```", (ROOT / "docs/language.md").read_text(encoding="utf-8"), re.DOTALL)
        )
    ),
]


def _at(text: str) -> dict[int, tuple[_TokenType, str]]:
    return {start: (kind, value) for start, kind, value in SeepLexer().get_tokens_unprocessed(text)}


def test_it_is_found_by_name_and_by_file() -> None:
    assert isinstance(get_lexer_by_name("seep"), SeepLexer)
    assert isinstance(get_lexer_for_filename("x.seep"), SeepLexer)


@pytest.mark.parametrize("text", [text for _, text in PROGRAMS], ids=[name for name, _ in PROGRAMS])
def test_every_name_has_the_colour_of_what_it_means(text: str) -> None:
    found = _at(text)

    assert "".join(value for _, value in found.values()) == text
    assert [value for kind, value in found.values() if kind is Error] == []
    for one in classify(check(SourceFile("program.seep", text))):
        kind, value = found[one.span.start]
        gain = one.category is Category.FUNCTION and WORDS[value].sort in ("gain", "metric")
        assert value == text[one.span.start : one.span.end]
        assert kind is (Name if gain else CALLED.get(one.category, Name)), (value, one.category)


@pytest.mark.parametrize(
    ("text", "keywords"),
    [
        ("table := 3\nweight ~ flip(1/2)\nuntil[1] := table\nfrom, as ~ f(1)", []),
        ("repeat { x ~ flip(1/2) } until x", ["repeat", "until"]),
        ("y ~ normal(0, 1) given y > 0", ["given"]),
        ("def f(a) { return a }", ["def", "return"]),
        ('import "seep:mechanisms" as m', ["import", "as"]),
        ("for i in 0..3 { break; continue }", ["for", "in", "break", "continue"]),
        ("show H(x | y) over table", ["show", "over"]),
    ],
)
def test_words_are_keywords_only_where_they_stand_as_such(text: str, keywords: list[str]) -> None:
    assert [value for kind, value in _at(text).values() if kind is Keyword] == keywords


def test_comments_nest_and_documentation_differs() -> None:
    kinds = [(kind, value) for kind, value in _at("/* a /* b */ c */ /// d\n// e").values() if value.strip()]

    assert {kind for kind, value in kinds[:-2]} == {Comment.Multiline}
    assert kinds[-2:] == [(String.Doc, "/// d"), (Comment.Single, "// e")]
