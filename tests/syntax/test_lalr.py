"""Our loop over the parse table against lark's own: the same nodes, and the same place and terminals where reading stops."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, cast

import pytest
from lark import Lark
from lark.exceptions import UnexpectedToken
from tests.syntax.programs import PROGRAMS

from seepage.syntax.build import STARTS, Start, Unexpected, read
from seepage.syntax.comments import blank_comments
from seepage.syntax.lexical import prepare
from seepage.syntax.pieces import cut
from seepage.syntax.table_maker import parser, saved, written
from seepage.syntax.tokens import Token, scan


@cache
def lark() -> Lark:
    return parser()


def read_by_lark(tokens: Sequence[Token], start: Start) -> object:
    read_so_far = 0

    def feed() -> Any:
        nonlocal read_so_far
        for token in tokens:
            read_so_far += 1
            yield token

    try:
        return lark().parse(cast("Any", feed()), start=start)
    except UnexpectedToken as error:
        return Unexpected(read_so_far - (error.token.type != "$END"), frozenset(error.expected))


def described(result: object) -> object:
    """Return what to compare: nodes are equal in shape wherever they stand, their words are not."""
    return result if isinstance(result, Unexpected) else repr(result)


def garbled(tokens: list[Token], chance: random.Random) -> list[Token]:
    """Return the tokens of a piece, some of them left out, doubled or replaced by another token of the piece."""
    return [
        one
        for token in tokens
        for one in chance.choices(
            ([token], [], [token, token], [chance.choice(tokens)._replace(start=token.start, end=token.end)]),
            weights=(20, 1, 1, 1),
        )[0]
    ]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("seed", range(4))
def test_tokens_are_read_as_lark_reads_them(start: Start, seed: int) -> None:
    chance = random.Random(seed)
    pieces = [piece for program in chance.sample(PROGRAMS, 20) for piece in cut(blank_comments(program).text)]

    for piece in pieces:
        tokens, *_ = prepare(scan(piece.text))
        for given in (tokens, tokens[1:], garbled(tokens, chance)):
            assert described(read(given, start)) == described(read_by_lark(given, start))


def test_the_saved_table_is_that_of_the_grammar() -> None:
    table = files("seepage.syntax").joinpath("grammar_table.json").read_text("utf-8")

    assert table == written(saved(lark())), "run 'python -m seepage.syntax.table_maker'"


def test_reading_a_program_loads_no_lark() -> None:
    script = "import sys, seepage; seepage.parse('x := 1').diagnostics; print([name for name in sys.modules if name.startswith('lark')])"

    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert found.stdout == "[]\n"
