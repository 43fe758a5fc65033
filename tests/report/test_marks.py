"""Values and names may be any text: none of them does anything in Markdown, and derivations show them as they are."""

from __future__ import annotations

import re

import pytest

from seepage import parse
from seepage.program import Program
from seepage.report.derivation import Form, derivation_text
from seepage.report.markdown import describe_answer, describe_row
from seepage.report.marks import escaped, inline_code

PICTURE = "![x](https://example.org/b.png) <img src=x>"
PROGRAM = 'secret r; output o; r ~ uniform_of("a``b` PICTURE", "not c-0.5 <!-- e"); o := r; show DP(r -> o); show E(y); y ~ flip(if r == "a``b` PICTURE" then 2 else 0)'


def program() -> Program:
    return parse(PROGRAM.replace("; ", "\n").replace("PICTURE", PICTURE))


def without_code(markdown: str) -> str:
    """Return what of Markdown is no code, as its rule has it: as many accents end code as begin it."""
    return re.sub(r"(?s)(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", "", markdown)


@pytest.mark.parametrize("text", ["a", "`", "a``b", "``` x", "x `", "<b>", ""])
def test_code_ends_where_it_should(text: str) -> None:
    assert without_code(f"before {inline_code(text)} behind").split() == ["before", "behind"]


def test_a_sentence_has_no_marks() -> None:
    assert escaped(f"a_b *c*\n{PICTURE} `d` &lt;") == (
        r"a\_b \*c\* !\[x\](https://example.org/b.png) \<img src=x\> \`d\` \&lt;"
    )


def test_symbols_do_nothing_in_hovers() -> None:
    analysis = program().analyze()
    pages = [*map(describe_answer, analysis.answers), *map(describe_row, analysis.table)]

    assert "a``b`" in pages[0]
    assert len(pages) == 3
    for page in pages:
        assert re.search(r"!\[x|<img|<!--", re.sub(r"\\.", "", without_code(page))) is None


@pytest.mark.parametrize("form", ["text", "latex", "markdown"])
def test_symbols_are_no_code_in_derivations(form: Form) -> None:
    told = derivation_text(program().explain('P(o == "not c-0.5 <!-- e")'), form)

    assert '[o = "not c-0.5 <!-- e"]' in told or r'\text{"not c-0.5 {<}{!}-- e"}' in told
    assert "¬" not in told
    assert "'e'" not in told
