from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol.types import Position, Range

from seepage.source import SourceFile, Span
from seepage_lsp.positions import Encoding, Lines, choose_encoding, code_points, units

ENCODINGS = list(Encoding)
# An astral letter, CJK, a combining mark, line ends of the protocol and things that only look like line ends.
ALPHABET = [
    "a",
    "b",
    " ",
    "é",
    "e\u0301",
    "漢",
    "😀",
    "𝒳",
    "\n",
    "\r",
    "\r\n",
    "\u2028",
    "\x85",
    "\x0b",
    "\x0c",
    "\ud83d",
    "\u200f",
]
texts = st.lists(st.sampled_from(ALPHABET), max_size=12).map("".join)


def place(line: int, character: int) -> Position:
    return Position(line=line, character=character)


def reference_units(text: str, encoding: Encoding) -> int:
    """Count by the definition of the encodings, one code point at a time."""
    codes = [ord(character) for character in text]
    if encoding is Encoding.UTF8:
        return sum(1 + (code > 0x7F) + (code > 0x7FF) + (code > 0xFFFF) for code in codes)
    return sum(1 + (code > 0xFFFF and encoding is Encoding.UTF16) for code in codes)


def reference_lines(text: str) -> list[str]:
    """Cut after each line end, keeping it."""
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z|\Z", text)[: len(re.findall(r"\r\n|\r|\n", text)) + 1]


def reference_offset(text: str, position: Position, encoding: Encoding) -> int:
    """Walk to a position: line by line, then character by character."""
    lines = reference_lines(text)
    if position.line >= len(lines):
        return len(text)
    offset = sum(len(line) for line in lines[: position.line])
    left = position.character
    for character in lines[position.line].rstrip("\r\n"):
        left -= reference_units(character, encoding)
        if left < 0:
            break
        offset += 1
    return offset


@pytest.mark.parametrize(("encoding", "expected"), [(Encoding.UTF8, 7), (Encoding.UTF16, 4), (Encoding.UTF32, 3)])
def test_an_astral_letter_before_a_place_counts_by_encoding(encoding: Encoding, expected: int) -> None:
    lines = Lines.of("x\n𝒳é:=1", encoding)

    position = lines.position(2 + 3)

    assert position == place(1, expected)
    assert lines.offset(position) == 5


@pytest.mark.conforms(16)
@pytest.mark.parametrize("encoding", [Encoding.UTF8, Encoding.UTF16])
def test_a_position_inside_a_character_means_its_start(encoding: Encoding) -> None:
    assert Lines.of("a😀b", encoding).offset(place(0, 2)) == 1


@pytest.mark.conforms(17)
@pytest.mark.parametrize("lookalike", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"])
def test_only_the_three_line_ends_of_the_protocol_end_a_line(lookalike: str) -> None:
    lines = Lines.of(f"a{lookalike}b\rc\r\nd\ne", Encoding.UTF16)

    assert lines.starts == SourceFile("", lines.text).line_starts
    assert lines.position(len(lines.text)) == place(3, 1)


@pytest.mark.conforms(19)
def test_positions_outside_are_moved_inside() -> None:
    lines = Lines.of("ab\r\ncd", Encoding.UTF16)

    assert lines.offset(place(0, 99)) == 2
    assert lines.offset(place(1, 99)) == 6
    assert lines.offset(place(7, 0)) == 6
    assert Lines.of("", Encoding.UTF8).offset(place(3, 3)) == 0


def test_an_offset_inside_a_line_end_is_the_end_of_its_line() -> None:
    assert Lines.of("ab\r\ncd", Encoding.UTF16).position(3) == place(0, 2)


def test_a_reversed_range_is_turned_round() -> None:
    lines = Lines.of("abc", Encoding.UTF16)

    assert lines.span(Range(start=place(0, 2), end=place(0, 1))) == Span(1, 2)


def test_the_first_known_encoding_of_the_client_is_taken() -> None:
    assert choose_encoding(["utf-7", "utf-32", "utf-8"]) is Encoding.UTF32
    assert choose_encoding(["utf-7"]) is Encoding.UTF16
    assert choose_encoding(None) is Encoding.UTF16


def test_a_long_line_is_measured_fast() -> None:
    line = "é" * 1_000_000

    assert code_points(line, 999_999, Encoding.UTF16) == 999_999


@given(texts, st.sampled_from(ENCODINGS))
def test_units_are_those_of_the_encodings(text: str, encoding: Encoding) -> None:
    if encoding is Encoding.UTF16 or "\ud83d" not in text:
        assert units(text, encoding) == reference_units(text, encoding)


@given(texts, st.sampled_from(ENCODINGS), st.integers(0, 5), st.integers(0, 20))
def test_offsets_agree_with_walking(text: str, encoding: Encoding, line: int, character: int) -> None:
    position = place(line, character)

    assert Lines.of(text, encoding).offset(position) == reference_offset(text, position, encoding)


@given(texts, st.sampled_from(ENCODINGS))
def test_every_offset_outside_line_ends_comes_back(text: str, encoding: Encoding) -> None:
    lines = Lines.of(text, encoding)

    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] != "\r\n":
            assert lines.offset(lines.position(offset)) == offset


edits = st.tuples(st.integers(0, 5), st.integers(0, 9), st.integers(0, 5), st.integers(0, 9), texts)


@pytest.mark.conforms(23)
@settings(max_examples=250)
@given(texts, st.sampled_from(ENCODINGS), st.lists(edits, max_size=6))
def test_random_edits_agree_with_replacing_in_the_whole_text(
    text: str, encoding: Encoding, changes: list[tuple[int, int, int, int, str]]
) -> None:
    lines, expected = Lines.of(text, encoding), text
    for line, character, other_line, other_character, replacement in changes:
        ends = place(line, character), place(other_line, other_character)
        low, high = sorted(reference_offset(expected, end, encoding) for end in ends)
        expected = expected[:low] + replacement + expected[high:]

        lines = lines.replace(Range(start=ends[0], end=ends[1]), replacement)

        assert lines == Lines.of(expected, encoding)
