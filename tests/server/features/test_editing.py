"""Formatting, renaming, signatures, folding, selections and colours, as the protocol has them."""

from __future__ import annotations

import pytest
from lsprotocol.types import Position, Range, TextDocumentEdit, TextEdit, WorkspaceEdit
from tests.server.snapshots import PLAIN, TEXT, VSCODE, at, place, snapshot

from seepage.symbols.classify import Modifier
from seepage.symbols.rename import CannotRename
from seepage_lsp.features.folding import folding_ranges
from seepage_lsp.features.formatting import formatting, range_formatting
from seepage_lsp.features.navigation import references, selection_ranges
from seepage_lsp.features.rename import prepare_rename, rename
from seepage_lsp.features.semantic_legend import LEGEND
from seepage_lsp.features.semantic_tokens import semantic_tokens
from seepage_lsp.features.signature_help import signature_help
from seepage_lsp.features.symbols import document_symbols
from seepage_lsp.positions import Encoding, Lines

LOOPS = "for i in 1..2 {\n    x := i\n}\n// a\n// b\nfor i in 1..3 { y := i }\n"
UGLY = "/* 𝒳 */ x:=1\nif x==1{\ny:=2}\n"


def made(text: str, edits: list[TextEdit], encoding: Encoding = Encoding.UTF16) -> str:
    lines = Lines.of(text, encoding)
    for edit in sorted(edits, key=lambda one: lines.offset(one.range.start), reverse=True):
        span = lines.span(edit.range)
        text = text[: span.start] + edit.new_text + text[span.end :]
    return text


def edits_of(change: WorkspaceEdit | None) -> list[TextEdit]:
    assert change is not None
    (only,) = change.document_changes or ()
    assert isinstance(only, TextDocumentEdit)
    return [edit for edit in only.edits if isinstance(edit, TextEdit)]


@pytest.mark.parametrize("encoding", Encoding)
def test_a_document_is_formatted(encoding: Encoding) -> None:
    edits = formatting(snapshot(UGLY, encoding=encoding))

    assert made(UGLY, edits, encoding) == "/* 𝒳 */ x := 1\nif x == 1 {\n    y := 2\n}\n"


def test_a_range_is_formatted() -> None:
    edits = range_formatting(snapshot(UGLY), place("x:=1", UGLY))

    assert made(UGLY, edits) == UGLY.replace("x:=1", "x := 1")


def test_a_document_with_syntax_errors_is_left_alone() -> None:
    assert formatting(snapshot("x:=\n")) == []


def test_renaming_names_the_version_where_the_client_looks_at_it() -> None:
    change = rename(snapshot(), at("r ~"), "answer", VSCODE)

    assert made(TEXT, edits_of(change)).count("answer") == 5
    assert change is not None
    assert rename(snapshot(), at("r ~"), "answer", PLAIN) == WorkspaceEdit(
        changes={"untitled:a": edits_of(change)},
    )


def test_a_loop_variable_is_renamed_in_its_loop_only() -> None:
    change = rename(snapshot(LOOPS), at("i in 1..3", LOOPS), "j", VSCODE)

    assert made(LOOPS, edits_of(change)) == LOOPS.replace("for i in 1..3 { y := i }", "for j in 1..3 { y := j }")
    assert len(references(snapshot(LOOPS), at("i in 1..3", LOOPS), include_declaration=True)) == 2


def test_what_can_be_renamed_is_told_beforehand() -> None:
    assert prepare_rename(snapshot(), at("r ~")) == Range(start=at("r ~"), end=at("r ~", shift=1))
    with pytest.raises(CannotRename):
        prepare_rename(snapshot(), at("show"))


def test_signatures_mark_the_argument_that_is_typed() -> None:
    text = "x ~ normal(1, "

    found = signature_help(snapshot(text), Position(line=0, character=len(text)), PLAIN)

    assert found is not None
    assert (found.signatures[0].label, found.active_parameter) == ("normal(mean, variance)", 1)
    assert "variance" in str(found.signatures[0].documentation)
    assert signature_help(snapshot(text), Position(line=0, character=0), PLAIN) is None


def test_blocks_and_comments_fold() -> None:
    assert [(one.start_line, one.end_line, one.kind) for one in folding_ranges(snapshot(LOOPS), PLAIN)] == [
        (0, 2, None),
        (3, 4, "comment"),
    ]


def test_selections_grow() -> None:
    (chain,) = selection_ranges(snapshot(LOOPS), [at("i\n", LOOPS)])

    assert chain.range == Range(start=at("i\n", LOOPS), end=at("i\n", LOOPS, shift=1))
    assert chain.parent is not None
    assert chain.parent.range == place("x := i", LOOPS)


def test_blocks_hold_what_they_define() -> None:
    nested = document_symbols(snapshot(LOOPS), VSCODE)
    flat = document_symbols(snapshot(LOOPS), PLAIN)

    assert [symbol.name for symbol in nested] == ["for i in 1..2", "for i in 1..3"]
    assert [symbol.name for symbol in flat] == ["x", "y"]


@pytest.mark.parametrize("encoding", Encoding)
def test_colours_stand_where_the_names_are(encoding: Encoding) -> None:
    lines = Lines.of(TEXT, encoding)
    line = character = 0
    found: list[tuple[str, str, set[str]]] = []
    data = semantic_tokens(snapshot(encoding=encoding)).data
    for down, right, length, type_, bits in zip(*(data[start::5] for start in range(5)), strict=True):
        line, character = line + down, right if down else character + right
        start = lines.offset(Position(line, character))
        end = lines.offset(Position(line, character + length))
        modifiers = {word for index, word in enumerate(LEGEND.token_modifiers) if bits >> index & 1}
        found.append((TEXT[start:end], LEGEND.token_types[type_], modifiers))

    assert found[0] == ("p", "parameter", {"declaration", "readonly"})
    assert ("r", "variable", {"declaration", "secret", "discrete"}) in found
    assert ("o", "variable", {"output", "discrete"}) in found
    assert ("bernoulli", "class", {"defaultLibrary"}) in found
    assert ("I", "macro", {"defaultLibrary"}) in found


def test_every_modifier_is_in_the_legend() -> None:
    assert {one.value for one in Modifier} <= set(LEGEND.token_modifiers)
