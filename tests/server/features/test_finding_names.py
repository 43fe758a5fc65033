"""Links, folds with their kinds, and names over all open documents."""

from __future__ import annotations

from tests.server.snapshots import PLAIN, place, snapshot
from tests.server.wire import Wire

from seepage_lsp.client import Client
from seepage_lsp.features.document_links import document_links
from seepage_lsp.features.folding import folding_ranges

LINKED = "// see https://a.example/b(c), or (https://d.example).\nx := 1 /* 𝒳 SEEP101 SEEP000 */\n"


def test_addresses_in_comments_are_links() -> None:
    found = document_links(snapshot(LINKED), PLAIN)

    assert [one.target for one in found] == ["https://a.example/b(c)", "https://d.example"]
    assert found[1].range == place("https://d.example", LINKED)
    assert all(one.tooltip is None for one in found)


def test_codes_are_links_where_their_page_is_known() -> None:
    found = document_links(snapshot(LINKED), Client(documentation="file:///d.html", link_tooltips=True))

    assert found[-1].target == "file:///d.html#SEEP101"
    assert found[-1].range == place("SEEP101", LINKED)
    assert found[-1].tooltip


def test_marked_regions_fold_as_regions() -> None:
    text = "// region noise\nx ~ flip(1/2)\n// #region inner\ny := x\n// #endregion\n// endregion\n// endregion\n"

    kinds = [(one.start_line, one.end_line, one.kind) for one in folding_ranges(snapshot(text), PLAIN)]

    assert (0, 5, "region") in kinds
    assert (2, 4, "region") in kinds
    assert len([one for one in kinds if one[2] == "region"]) == 2


def test_kinds_that_a_client_does_not_know_are_left_out() -> None:
    text = "// a\n// b\nx := 1\n"

    assert [one.kind for one in folding_ranges(snapshot(text), PLAIN)] == ["comment"]
    assert [one.kind for one in folding_ranges(snapshot(text), Client(folding_kinds=frozenset({"region"})))] == [None]


def test_names_are_found_in_all_open_documents(ready: Wire) -> None:
    ready.open("param eps = 1\nx := eps\n", "file:///dir/a%20b.seep")
    ready.open("steps := 1\nexpenses := 2\nx := 3\n", "untitled:two")

    found = ready.result("workspace/symbol", {"query": "EPS"})
    everything = ready.result("workspace/symbol", {"query": ""})

    assert [(one["name"], one["containerName"]) for one in found] == [
        ("eps", "a b.seep"),
        ("steps", "untitled:two"),
        ("expenses", "untitled:two"),
    ]
    assert found[0]["location"]["range"]["start"] == {"line": 0, "character": 6}
    assert len(everything) == 5


def test_lenses_are_resolved_where_the_client_asks_for_that(wire: Wire) -> None:
    wire.initialize({"capabilities": {"textDocument": {"codeLens": {"resolveSupport": {"properties": ["command"]}}}}})
    wire.open("x ~ flip(1/2)\nsecret x\nshow H(x)\n")
    asked = {"textDocument": {"uri": "file:///a.seep"}}

    lenses = wire.result("textDocument/codeLens", asked)
    resolved = [wire.result("codeLens/resolve", lens) for lens in lenses]
    wire.change("x ~ flip(1/3)\nshow H(x)\n", 2)
    late = wire.result("codeLens/resolve", lenses[0])
    strange = wire.result("codeLens/resolve", {"range": lenses[0]["range"], "data": {"a": 1}})

    assert all("command" not in lens for lens in lenses)
    assert [lens["range"] for lens in resolved] == [lens["range"] for lens in lenses]
    assert all(lens["command"]["title"] for lens in resolved)
    assert late["command"]["title"] == "⟳ edited"
    assert strange["command"]["title"] == "⟳ edited"


def test_lenses_come_whole_to_other_clients(ready: Wire) -> None:
    ready.open("x ~ flip(1/2)\nshow H(x)\n")

    assert ready.lenses()
