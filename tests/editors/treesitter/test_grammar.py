"""The grammar for tree-sitter reads what our parser reads, cuts the same tokens, and has an error where our parser has one."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.editors.required import have
from tests.editors.treesitter import identifiers, oracle
from tests.editors.treesitter.building import GRAMMAR, leaves, node, root
from tests.editors.treesitter.texts import changed, written
from tests.editors.treesitter.two_ways import TWO_WAYS
from tree_sitter import Node, Parser

from seepage.syntax.tokens import SYMBOLS
from seepage.syntax.vocabulary.measures import MEASURES

ROUNDS = 5_000 if os.environ.get("SEEPAGE_DEEP") == "1" else 30
COMMENTS = ("line_comment", "documentation", "block_comment")
# Terminals of ours that are written alike, by what the grammar calls them.
SPLIT = {"MAXIMUM": "max", "MINIMUM": "min", "UNIT_IN": "in", "NAMED": "="}
NAMED = {"NAME": "identifier", "NUMBER": "number", "STRING": "string"}
SIGNS = {terminal: sign for sign, terminal in SYMBOLS.items()}


def agree(parser: Parser, text: str) -> Node:
    """Hold the grammar to our parser: what one cannot read has an error in the other."""
    found, read = oracle.errors(text), root(parser, text)
    if read.has_error:
        assert found, text
    else:
        assert not oracle.is_unreadable(text, found), (text, found)
    return read


@pytest.mark.parametrize("text", TWO_WAYS)
def test_both_agree_on_what_reads_in_two_ways(parser: Parser, text: str) -> None:
    agree(parser, text)


@pytest.mark.parametrize("measure", MEASURES)
def test_both_agree_which_measures_have_named_arguments(parser: Parser, measure: str) -> None:
    agree(parser, f"show {measure}(x, y = 1)")


def test_both_agree_on_every_program_and_every_broken_text(parser: Parser) -> None:
    errors = [agree(parser, text).has_error for text in written()]

    assert any(errors)
    assert not all(errors)


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_both_agree_on_random_changes(parser: Parser, seed: int) -> None:
    for text in changed(seed, 40):
        read = agree(parser, text)
        if not read.has_error:
            alike(read, text)


@pytest.mark.parametrize("seed", range(5))
def test_operators_bind_alike(parser: Parser, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(40):
        text = f"x := {expression(chance, 4)}"
        if not (read := agree(parser, text)).has_error:
            alike(read, text)


def expression(chance: random.Random, depth: int) -> str:
    """Return a random expression; about one in two can be read."""
    if depth == 0 or chance.random() < 0.2:
        return chance.choice(["a", "1", "f(b)", "c[1]"])
    left, right = expression(chance, depth - 1), expression(chance, depth - 1)
    arithmetic = [f"{left} {chance.choice('+-*/%^')} {right}"] * 4
    logic = [f"{left} {chance.choice(['and', 'or', 'xor', '==', '<'])} {right}"] * 2
    signs = [f"-{left}", f"!{left}", f"not {left}", f"({left})", f"{left} in {{{right}}}"]
    return chance.choice([*arithmetic, *logic, *signs, f"if {left} then {right} else {left}"])


def test_both_read_the_same(parser: Parser) -> None:
    readable = [(read, text) for text in written() if not (read := root(parser, text)).has_error]

    assert readable
    for read, text in readable:
        alike(read, text)


def test_errors_stand_where_ours_do(parser: Parser) -> None:
    """Each reader stops where it knows, so that a few stand elsewhere: the share is that of these texts, which are the same each time."""
    near: list[bool] = []
    for text in changed(0, 200):
        told = [one.span for one in oracle.errors(text) if oracle.is_unreadable(text, [one])]
        if told:
            offsets = offsets_of(text)
            theirs = [(offsets[one.start_byte], offsets[one.end_byte]) for one in errors(root(parser, text))]
            lines = {line for start, end in theirs for line in lines_of(text, start, end)}
            near.append(any(lines.intersection(lines_of(text, one.start, one.end)) for one in told))

    assert len(near) > 100
    assert sum(near) > 0.95 * len(near)


def errors(node: Node) -> Iterator[Node]:
    """Yield what is wrong, the outermost first."""
    if node.is_error or node.is_missing:
        yield node
    elif node.has_error:
        for child in node.children:
            yield from errors(child)


def lines_of(text: str, start: int, end: int) -> range:
    return range(text.count("\n", 0, start), text.count("\n", 0, end) + 1)


def alike(read: Node, text: str) -> None:
    """Hold tokens, comments and operations of the grammar to ours: kinds and ranges."""
    found = [one for one in leaves(read) if one.type != "source_file"]
    offsets = offsets_of(text)
    theirs = [(one.type, offsets[one.start_byte], offsets[one.end_byte]) for one in found]

    assert [one for one in theirs if one[0] not in COMMENTS] == [*ours(text)], text
    assert [one for one in theirs if one[0] in COMMENTS] == [*our_comments(text)], text
    assert sorted(operations(read, offsets)) == sorted(oracle.operations(text)), text


def operations(read: Node, offsets: dict[int, int]) -> Iterator[tuple[str, int, int]]:
    """Yield each operator with the range of its operation, which tells how tightly it binds."""
    stack = [read]
    while stack:
        one = stack.pop()
        stack.extend(one.children)
        if one.type in ("binary", "unary", "member", "conditional"):
            operator = one.child_by_field_name("operator")
            yield operator.type if operator else "if", offsets[one.start_byte], offsets[one.end_byte]


def ours(text: str) -> Iterator[tuple[str, int, int]]:
    for token in oracle.tokens(text):
        kind = NAMED.get(token.type) or SIGNS.get(token.type) or SPLIT.get(token.type) or token.type.lower()
        yield kind, token.start, token.end


def our_comments(text: str) -> Iterator[tuple[str, int, int]]:
    for one in oracle.comments(text):
        kind = "documentation" if one.documentation is not None else "line_comment"
        yield "block_comment" if text.startswith("/*", one.start) else kind, one.start, one.end


def offsets_of(text: str) -> dict[int, int]:
    """Return the offset of each byte that begins a character, and of the end."""
    found, at = {}, 0
    for number, character in enumerate(text):
        found[at] = number
        at += len(character.encode())
    return {**found, at: len(text)}


def test_an_edit_is_read_as_the_text_after_it(parser: Parser) -> None:
    chance = random.Random(7)
    words = ["x", " ", "\n", "given", "/*", "*/", "secret", "{", "}", ";", ":=", "[", "]"]

    for text in chance.sample(written(), 60):
        before = text.encode()
        tree = parser.parse(before)
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice([0, 0, 1, 5]))
        after = text[:start] + chance.choice(words) + text[end:]
        first, last = len(text[:start].encode()), len(text[:end].encode())
        new = len(after.encode()) - (len(before) - last)
        tree.edit(first, last, new, point(before, first), point(before, last), point(after.encode(), new))

        assert str(parser.parse(after.encode(), tree).root_node) == str(root(parser, after)), after


def point(text: bytes, at: int) -> tuple[int, int]:
    return text.count(b"\n", 0, at), at - (text.rfind(b"\n", 0, at) + 1)


@pytest.mark.skipif(unicodedata.unidata_version != "14.0.0", reason="the table is that of Unicode 14")
def test_names_hold_the_characters_that_ours_hold() -> None:
    assert identifiers.PATH.read_text(encoding="utf-8") == identifiers.table()


def test_what_was_generated_is_of_this_grammar() -> None:
    command = [have(node), str(Path(__file__).parent / "read_grammar.js"), str(GRAMMAR / "grammar.js")]
    stated = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    generated = json.loads((GRAMMAR / "src" / "grammar.json").read_text(encoding="utf-8"))

    assert {part: generated[part] for part in stated} == stated


def test_the_scanner_counts_tokens_as_the_grammar_does() -> None:
    generated = json.loads((GRAMMAR / "src" / "grammar.json").read_text(encoding="utf-8"))
    listed = re.search(r"enum Token \{(.*?)\}", (GRAMMAR / "src" / "scanner.c").read_text(encoding="utf-8"), re.DOTALL)
    signs = {"~": "tilde", ";": "semicolon", ".": "dot"}
    names = [one.get("name") or one["value"] for one in generated["externals"]]

    assert listed is not None
    assert re.findall(r"\w+", listed[1].lower()) == [signs.get(name, name.removeprefix("_")) for name in names]
