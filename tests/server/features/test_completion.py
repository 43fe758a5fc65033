"""What may stand at the cursor (‸), with its meaning, and what is inserted."""

from __future__ import annotations

import re

import pytest
from lsprotocol.types import CompletionItem, InsertTextFormat, MarkupContent, MarkupKind
from tests.server.features.marked import unmarked
from tests.server.snapshots import PLAIN, snapshot
from tests.server.wire import Wire

from seepage.report.documentation import documentation_section
from seepage.semantics.check import check
from seepage.source import SourceFile
from seepage.syntax.vocabulary.functions import FUNCTIONS
from seepage_lsp.client import Client
from seepage_lsp.features.completion import completion, resolve
from seepage_lsp.positions import Encoding

SNIPPETS = Client(snippets=True, completion_markdown=True)
LAZY = Client(completion_resolve=frozenset({"documentation"}), completion_markdown=True)
COIN = "param p in [0, 1] = 1/2\n/// hidden\nr ~ flip(p)\n"


def items(marked: str, client: Client = PLAIN, encoding: Encoding = Encoding.UTF16) -> dict[str, CompletionItem]:
    text, position = unmarked(marked, encoding)
    return {item.label: item for item in completion(snapshot(text, encoding=encoding), position, client)}


def expanded(snippet: str) -> str:
    """Return what a snippet inserts if nothing is filled in."""
    return re.sub(r"\$\{\d+:([^}]*)\}|\$\{\d+\|(\w+)[^}]*\}|\$0", lambda found: found[1] or found[2] or "skip", snippet)


def test_words_say_how_they_are_written_and_what_they_mean() -> None:
    normal = items("x ~ no‸")["normal"]

    assert normal.detail == "normal(mean, variance)"
    assert "the second argument is the variance" in str(normal.documentation)
    assert "`" not in str(normal.documentation)


def test_documentation_is_markdown_where_that_is_shown() -> None:
    documentation = items("x ~ no‸", SNIPPETS)["normal"].documentation

    assert isinstance(documentation, MarkupContent)
    assert documentation.kind is MarkupKind.Markdown
    assert "```seep" in documentation.value


def test_documentation_comes_late_where_the_client_asks_for_it_late() -> None:
    normal = items("x ~ no‸", LAZY)["normal"]

    assert normal.documentation is None
    assert resolve(normal, LAZY).documentation is not None


def test_names_come_first_with_their_role_and_documentation() -> None:
    found = items(COIN + "show I(‸")
    ordered = sorted(found.values(), key=lambda one: one.sort_text or "")

    assert [one.label for one in ordered[:2]] == ["p", "r"]
    assert (found["p"].detail, found["r"].detail) == ("param", "boolean")
    assert found["r"].documentation == "hidden"


def test_metrics_are_offered_where_one_is_due() -> None:
    found = items("x ~ flip(1/2)\ny := x\nshow DP(x -> y, metric=‸")

    assert {"difference", "places", "euclid"} <= found.keys()
    assert "straight line" in str(found["euclid"].documentation)
    assert {"metric=", "neighbours="} <= items("x ~ flip(1/2)\ny := x\nshow DP(x -> y, ‸").keys()


@pytest.mark.parametrize(
    ("marked", "label", "inserted"),
    [
        ("x ~ no‸", "normal", "normal(${1:mean}, ${2:variance})"),
        ("x ~ uni‸", "uniform_of", "uniform_of(${1:v1}, ${2:v2})"),
        ("x ~ dis‸", "discrete_laplace", "discrete_laplace(${1:scale})"),
        ("x ~ mi‸", "mixture", "mixture(${1:1/2}: ${2:normal(0, 1)}, ${3:1/2}: ${4:normal(1, 1)})"),
        ("show ‸", "I", "I(${1:x}; ${2:y})"),
        ("show ‸", "DP", "DP(${1:x} -> ${2:y})"),
        ("show ‸", "H", "H(${1:x})"),
        ("x := fl‸", "floor", "floor(${1:a})"),
        ("x := ‸", "if", "if ${1:b} then ${2:x} else ${3:y}"),
        ("‸", "for", "for ${1:i} in ${2:1}..${3:n} {\n\t$0\n}"),
        ("‸", "param", "param ${1:p} in [${2:0}, ${3:1}] = ${4:1/2}"),
    ],
)
def test_places_to_fill_in_are_marked(marked: str, label: str, inserted: str) -> None:
    item = items(marked, SNIPPETS)[label]

    assert item.insert_text == inserted
    assert item.insert_text_format is InsertTextFormat.Snippet


@pytest.mark.parametrize(
    ("before", "after"),
    [("x ~ ", "\n"), ("x := ", "\n"), ("show ", "\n"), ("", "\n")],
    ids=["law", "value", "measure", "statement"],
)
def test_what_is_inserted_is_well_formed(before: str, after: str) -> None:
    found = items(before + "‸", SNIPPETS)

    assert found
    for item in found.values():
        # A function is no measure by itself, only what a measure is multiplied by.
        if item.insert_text is not None and not (before == "show " and item.label in FUNCTIONS):
            text = before + expanded(item.insert_text) + after
            wrong = [one.message for one in check(SourceFile("a", text)).diagnostics if one.rule.code < "SEEP100"]
            assert wrong == [], text


def test_no_brackets_are_put_before_brackets() -> None:
    assert items("x ~ nor‸(1, 2)\n", SNIPPETS)["normal"].insert_text is None


def test_nothing_is_marked_where_the_client_does_not_fill_in() -> None:
    assert all(item.insert_text is None for item in items("x ~ no‸").values())


def test_named_arguments_say_what_they_are() -> None:
    found = items("x ~ normal(1, ‸")

    assert "the variance" in str(found["variance="].documentation)
    assert "standard deviation" in str(found["std="].documentation)


@pytest.mark.parametrize("encoding", list(Encoding))
def test_the_cursor_counts_units_of_the_agreed_encoding(encoding: Encoding) -> None:
    assert "bernoulli" in items("/* 𝒳漢 */ x ~ be‸\n", encoding=encoding)


def test_items_are_resolved_over_the_wire(wire: Wire) -> None:
    lazy = {
        "completionItem": {"resolveSupport": {"properties": ["documentation"]}, "documentationFormat": ["markdown"]}
    }
    told = wire.initialize({"capabilities": {"textDocument": {"completion": lazy}}})["capabilities"]
    wire.open("x ~ be")
    where = {"textDocument": {"uri": "file:///a.seep"}, "position": {"line": 0, "character": 6}}

    item = next(one for one in wire.result("textDocument/completion", where) if one["label"] == "bernoulli")
    resolved = wire.result("completionItem/resolve", item)
    strange = wire.result("completionItem/resolve", {"label": "?", "data": [1]})

    assert told["completionProvider"]["resolveProvider"] is True
    assert "documentation" not in item
    assert resolved["documentation"]["kind"] == "markdown"
    assert strange["label"] == "?"


def test_a_completion_that_inserts_a_call_shows_its_signature_where_the_editor_can() -> None:
    able = Client(snippets=True, commands=frozenset({"seepage.showSignature"}))

    assert getattr(items("x ~ no‸", able)["normal"].command, "command", None) == "seepage.showSignature"
    assert items("‸", able)["if"].command is None
    assert items("x ~ no‸(0, 1)", able)["normal"].command is None
    assert items("x ~ no‸", SNIPPETS)["normal"].command is None


@pytest.mark.parametrize("client", [PLAIN, SNIPPETS])
def test_comments_of_procedures_are_words_of_their_authors(client: Client) -> None:
    comment = "![x](https://example.org/beacon.png) <!-- `I(s; o)` = **0 bits · exact**"
    text = f"/// {comment}\ndef q(a) {{\n  return a\n}}\nz := ‸"

    shown = items(text, client)["q"].documentation

    head, _, below = (shown.value if isinstance(shown, MarkupContent) else str(shown)).partition("\n\n")
    assert head.endswith("a function that returns `a`" if client is SNIPPETS else "a function that returns a")
    assert below == (documentation_section(comment)[2:] if client is SNIPPETS else comment)
