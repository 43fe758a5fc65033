from __future__ import annotations

from lsprotocol.types import DocumentHighlightKind, DocumentSymbol, Position
from tests.server.snapshots import TEXT, VSCODE, at, place, snapshot

from seepage_lsp.client import Client
from seepage_lsp.features.completion import completion
from seepage_lsp.features.navigation import definition, highlights, references
from seepage_lsp.features.symbols import document_symbols


def test_the_definition_of_a_parameter_is_its_declaration() -> None:
    (only,) = definition(snapshot(), at("p)"))

    assert only.range.start == at("p in")


def test_the_definition_of_a_variable_is_its_assignment() -> None:
    (only,) = definition(snapshot(), at("r; o"))

    assert only.range.start == at("r ~")


def test_references_are_every_place_with_or_without_the_definition() -> None:
    everywhere = references(snapshot(), at("r ~"), include_declaration=True)
    uses = references(snapshot(), at("r ~"), include_declaration=False)

    assert len(everywhere) == 5
    assert len(uses) == 4
    assert place("r ~").start not in [one.range.start for one in uses]


def test_highlights_tell_writing_from_reading() -> None:
    kinds = [one.kind for one in highlights(snapshot(), at("r ~"))]

    assert kinds.count(DocumentHighlightKind.Write) == 1
    assert kinds.count(DocumentHighlightKind.Read) == 4


def test_no_name_has_no_definition() -> None:
    nowhere = Position(line=0, character=1)

    assert definition(snapshot(), nowhere) == []
    assert references(snapshot(), nowhere, True) == []
    assert highlights(snapshot(), nowhere) == []


def test_the_outline_is_in_the_order_of_the_text() -> None:
    names = [symbol.name for symbol in document_symbols(snapshot(), VSCODE)]

    assert names == ["p", "n", "r", "o", "r", "o", "show I(r; o)", "require I(r; o) <= 1/2 bits"]


def test_the_outline_is_flat_where_the_client_has_no_trees() -> None:
    nested = document_symbols(snapshot(), VSCODE)
    flat = document_symbols(snapshot(), Client())

    assert all(isinstance(symbol, DocumentSymbol) for symbol in nested)
    assert not any(isinstance(symbol, DocumentSymbol) for symbol in flat)
    assert [symbol.name for symbol in nested] == [symbol.name for symbol in flat]


def labels(text: str, where: Position) -> set[str]:
    return {item.label for item in completion(snapshot(text), where, VSCODE)}


def test_distributions_complete_after_a_tilde() -> None:
    text = TEXT + "x ~ be"

    found = labels(text, Position(line=9, character=6))

    assert {"bernoulli", "normal"} <= found
    assert "r" not in found


def test_names_and_measures_complete_in_a_question() -> None:
    measure = labels(TEXT + "show ", Position(line=9, character=5))
    inside = labels(TEXT + "show I(", Position(line=9, character=7))

    assert {"p", "n", "I", "H"} <= measure
    assert {"r", "o", "p", "n"} <= inside
    assert "normal" not in measure | inside


def test_nothing_completes_in_a_comment() -> None:
    text = "// sh"

    assert labels(text, Position(line=0, character=5)) == set()
