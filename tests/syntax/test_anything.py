"""Whatever the text: no exception, findings in the text, and the same tree for the same text."""

from __future__ import annotations

import random
from dataclasses import fields, is_dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.syntax.programs import PROGRAMS, WORDS

from seepage.rules import MISSING_BRACE, UNKNOWN_CHARACTER
from seepage.source import SourceFile, Span
from seepage.syntax.comments import blank_comments
from seepage.syntax.parse import parse, parse_expression, parse_measure
from seepage.syntax.pieces import cut
from seepage.syntax.tokens import scan
from seepage.syntax.tree import For, If, ParseResult, Placed

texts = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=40).map("".join),
)


def parsed(text: str) -> ParseResult:
    """Parse, and check what holds of every result."""
    source = SourceFile("test.seep", text)
    result = parse(source)
    for one in result.diagnostics:
        spans = [
            one.span,
            *(label.span for label in one.labels),
            *(edit.span for fix in one.fixes for edit in fix.edits),
        ]
        assert all(span.end <= len(text) for span in spans), one
        assert one.message
        assert not one.message.endswith(".")
    starts = [one.span.start for one in result.diagnostics]
    assert starts == sorted(starts)
    for item in result.tree.walk():
        assert item.span.end <= len(text)
        match item:
            case Placed(node, start):
                assert all(span.shift(start).end <= len(text) for span in spans_in(node))
            case For(block=block, header=header):
                assert (
                    item.span.start <= header.start <= header.end <= block.span.start <= block.span.end <= item.span.end
                )
            case If(arms):
                assert all(arm.header.end <= arm.block.span.start for arm in arms)
    return result


def spans_in(node: object) -> list[Span]:
    """Return every span of a small tree."""
    if isinstance(node, Span):
        return [node]
    if isinstance(node, tuple):
        return [span for one in node for span in spans_in(one)]
    if is_dataclass(node):
        return [span for field in fields(node) for span in spans_in(getattr(node, field.name))]
    return []


@settings(max_examples=400, deadline=None, derandomize=True)
@given(texts)
def test_any_text_parses(text: str) -> None:
    result = parsed(text)

    assert parse(SourceFile("test.seep", text)) == result


@settings(max_examples=200, deadline=None, derandomize=True)
@given(texts)
def test_any_expression_and_measure_is_read_or_reported(text: str) -> None:
    for read in (parse_expression, parse_measure):
        made, diagnostics = read(text)
        assert (made is None) == bool(diagnostics)
        assert all(one.span.end <= len(text) for one in diagnostics)


def mutated(program: str, chance: random.Random) -> str:
    """Return the program after a few random edits: deletions, insertions, swaps of pieces of text."""
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(program) + 1)
        end = min(len(program), at + chance.choice([0, 1, 1, 3, 20]))
        inserted = chance.choice(["", "", chance.choice(WORDS), f" {chance.choice(WORDS)} "])
        program = program[:at] + inserted + program[end:]
    return program


@pytest.mark.parametrize("seed", range(12))
def test_programs_with_random_edits_parse(seed: int) -> None:
    chance = random.Random(seed)

    for program in chance.sample(PROGRAMS, 25):
        parsed(mutated(program, chance))


@pytest.mark.parametrize("index", range(0, len(PROGRAMS), 9))
def test_every_beginning_of_a_program_parses(index: int) -> None:
    program = PROGRAMS[index][:300]

    for end in range(len(program)):
        parsed(program[:end])


@settings(max_examples=300, deadline=None, derandomize=True)
@given(texts)
def test_pieces_hold_every_token_once(text: str) -> None:
    blanked = blank_comments(text).text

    tokens = scan(blanked)
    pieces = cut(blanked)

    assert len(blanked) == len(text)
    assert "".join(blanked[token.start : token.end] for token in tokens) == "".join(
        one for one in blanked if one not in " \t\n\r\f\v"
    )
    inside = [(token.type, token.start + piece.start) for piece in pieces for token in scan(piece.text)]
    assert inside == [(token.type, token.start) for token in tokens]


def test_deleting_any_single_token_of_a_program_gives_a_finding_nearby_or_another_program() -> None:
    text = "param p in [0, 1] = 1/2\nx ~ bernoulli(p)\nif x == 1 { y := 2 } else { y := 3 }\nshow H(x | y)\n"
    for token in scan(text):
        shorter = text[: token.start] + text[token.end :]
        result = parsed(shorter)
        lines = {SourceFile("", shorter).position(one.span.start)[0] for one in result.diagnostics}
        line = SourceFile("", text).position(token.start)[0]
        assert not lines or any(abs(found - line) <= 1 for found in lines), shorter


@pytest.mark.parametrize("blank", "\u00a0\u1680\u2003\u2028\u2029\u205f\u3000\x85\x1c\x1d\x1e\x1f")
@pytest.mark.parametrize(
    "text", ["if a {\n?if b {\n  x := 1\n }\n", "if a {\n?", "if a {\n x := 1\n?else {\n", "if a {\n?show?E(x)\n"]
)
def test_blanks_that_are_no_white_space_of_the_language_are_characters_like_others(text: str, blank: str) -> None:
    result = parsed(text.replace("?", blank))

    assert any(one.rule is UNKNOWN_CHARACTER for one in result.diagnostics)
    assert any(one.rule is MISSING_BRACE for one in result.diagnostics)
