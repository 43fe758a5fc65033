"""The pieces accept what a grammar of the whole file accepts: the parser by pieces against plain LALR on random programs."""

from __future__ import annotations

import random
import re
import tomllib
from pathlib import Path

import pytest
from lark import Lark, UnexpectedInput

from seepage.source import SourceFile
from seepage.syntax.comments import blank_comments
from seepage.syntax.parse import parse
from seepage.syntax.table_maker import grammar
from seepage.syntax.tokens import scan

from . import test_half_typed as half_typed

# What parses, and is reported for what it says: it is no matter of the grammar.
NOT_OF_THE_GRAMMAR = {
    "SEEP006",
    "SEEP012",
    "SEEP013",
    "SEEP020",
    *(f"SEEP02{digit}" for digit in range(1, 7)),
    "SEEP030",
}
WHOLE = """
program: SEMICOLON* (item SEMICOLON*)*
?item: leaf | branch | loop
block: LBRACE SEMICOLON* (item SEMICOLON*)* RBRACE
branch: IF expression block (ELSE IF expression block)* (ELSE block)?
loop: FOR NAME IN expression DOTS expression block
"""
PROGRAMS = [
    blank_comments(case["program"]).text
    for path in sorted((Path(__file__).parents[1] / "cases").glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8")).get("case", [])
    if "program" in case
]


@pytest.fixture(scope="module")
def whole() -> Lark:
    """The grammar of a file, made of the rules for leaves and expressions; strict, so it is unambiguous, too."""
    rules, _, rest = grammar().partition("?header:")
    rest = rest[rest.index("targets:") :]
    text = (rules + WHOLE + rest).replace("NAMED", "EQUAL").replace("%declare EQUAL OPEN UNIT_IN", "%declare")
    text += "UNIT_IN.2: /in(?=[ \\t\\n]+(bits|nats))/\n"
    return Lark(text, parser="lalr", lexer="basic", strict=True, start="program")


def accepts(whole: Lark, text: str) -> bool:
    try:
        whole.parse(text)
    except UnexpectedInput:
        return False
    return True


def agree(whole: Lark, text: str) -> None:
    codes = {one.rule.code for one in parse(SourceFile("test.seep", text)).diagnostics}
    if accepts(whole, text):
        assert codes <= NOT_OF_THE_GRAMMAR, text
    else:
        assert codes, text


def test_both_accept_the_cases(whole: Lark) -> None:
    for program in PROGRAMS:
        assert accepts(whole, program)
        agree(whole, program)


def test_both_agree_on_half_typed_programs(whole: Lark) -> None:
    texts = [program.text for program in half_typed.PROGRAMS]
    fixed = [program.fixed for program in half_typed.PROGRAMS if program.fixed is not None]

    for text in [*texts, *fixed]:
        # The terminal for names leaves it to the scanner which characters beyond ASCII are letters; and the grammar of calls does not
        # know that a ';' separates statements wherever no measure is open.
        if text.isascii() and (text.startswith("show") or not re.search(r"\([^()]*;", text)):
            agree(whole, blank_comments(text).text)


@pytest.mark.parametrize("seed", range(15))
def test_both_agree_on_programs_with_random_edits(whole: Lark, seed: int) -> None:
    chance = random.Random(seed)
    words = [token.value for program in PROGRAMS for token in scan(program)]

    for program in chance.sample(PROGRAMS, 20):
        # A few lines of a program, a few tokens deleted, inserted, swapped; blanks keep the tokens apart.
        tokens = [token.value for token in scan(program)]
        first = chance.randrange(max(1, len(tokens) - 30))
        tokens = tokens[first : first + chance.randrange(5, 60)]
        for _ in range(chance.randrange(4)):
            at = chance.randrange(len(tokens) + 1)
            tokens[at : at + chance.randrange(3)] = chance.sample(words, chance.randrange(3))
        agree(whole, chance.choice([" ", "\n"]).join(tokens))
