"""Bounds at line ends and names of parameters, each where it is wanted."""

from __future__ import annotations

import pytest
from lsprotocol.types import InlayHintKind, Position, Range
from tests.server.snapshots import PLAIN, coin, snapshot
from tests.server.wire import Wire

from seepage_lsp.client import Client
from seepage_lsp.features.inlay_hints import inlay_hints
from seepage_lsp.positions import Encoding
from seepage_lsp.settings import Settings
from seepage_lsp.workspace import Snapshot

EVERYWHERE = Range(start=Position(line=0, character=0), end=Position(line=99, character=0))
LENSES = Client(lenses=True)
A = "file:///a.seep"


def labels(seen: Snapshot, client: Client = PLAIN, within: Range = EVERYWHERE) -> list[str]:
    return [str(hint.label) for hint in inlay_hints(seen, within, client)]


def test_bounds_stand_at_line_ends() -> None:
    hints = inlay_hints(snapshot(analysis=coin()), EVERYWHERE, PLAIN)

    assert [(hint.position.line, hint.position.character, hint.label) for hint in hints] == [
        (3, 8, "1 bit leak · exact"),
        (4, 8, "H = 0.75 bits · exact"),
        (7, 12, "1 bit · exact"),
        (8, 27, "violated · 1 bit · exact"),
    ]


def test_only_the_lines_asked_for_have_hints() -> None:
    within = Range(start=Position(line=4, character=5), end=Position(line=7, character=0))

    assert [hint.position.line for hint in inlay_hints(snapshot(analysis=coin()), within, PLAIN)] == [4, 7]


@pytest.mark.parametrize(
    ("settings", "client", "count"),
    [
        (Settings(), PLAIN, 4),
        (Settings(), LENSES, 0),
        (Settings(hint_results=True), LENSES, 4),
        (Settings(hint_results=True, code_lens=False), LENSES, 4),
        (Settings(hint_results=False), PLAIN, 0),
        (Settings(code_lens=False), PLAIN, 0),
    ],
)
def test_bounds_stand_where_there_are_no_lenses_or_where_they_are_wanted(
    settings: Settings, client: Client, count: int
) -> None:
    assert len(labels(snapshot(analysis=coin(), settings=settings), client)) == count


@pytest.mark.parametrize("encoding", list(Encoding))
def test_parameters_of_distributions_are_named(encoding: Encoding) -> None:
    (mean, variance) = inlay_hints(snapshot("/* 𝒳 */ x ~ normal(10, 1)\n", encoding=encoding), EVERYWHERE, PLAIN)

    width = {Encoding.UTF8: 3, Encoding.UTF16: 1, Encoding.UTF32: 0}[encoding]
    assert (mean.position.character, mean.label, mean.kind) == (19 + width, "mean:", InlayHintKind.Parameter)
    assert (variance.position.character, variance.label, variance.padding_right) == (23 + width, "variance:", True)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x ~ normal(1, variance=2)\n", ["mean:"]),
        ("mean := 1\nx ~ normal(mean, 2)\n", ["variance:"]),
        ("x ~ flip(1/2)\n", []),
        ("x ~ uniform_int(1, 6)\n", []),
        ("x ~ 1/2*normal(0, 1) + 1/2*binomial(3, 1/4)\n", ["mean:", "variance:", "n:", "p:"]),
        ("for i in 1..2 { x[i] ~ normal(i, 1) }\n", ["mean:", "variance:"]),
        ("x ~ normal(1, \n", []),
        ("x ~ unknown(1, 2)\n", []),
    ],
)
def test_only_names_that_say_something_are_shown(text: str, shown: list[str]) -> None:
    assert labels(snapshot(text)) == shown


def test_names_can_be_switched_off() -> None:
    assert labels(snapshot("x ~ normal(0, 1)\n", settings=Settings(hint_names=False))) == []


def test_hints_follow_the_settings_at_once(wire: Wire) -> None:
    hints = {"textDocument": {"inlayHint": {}, "codeLens": {}}, "workspace": {"inlayHint": {"refreshSupport": True}}}
    wire.initialize({"capabilities": hints})
    wire.open("secret x\nx ~ normal(0, 1)\n")
    asked = {
        "textDocument": {"uri": A},
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}},
    }

    before = wire.result("textDocument/inlayHint", asked)
    changed = {"seepage": {"inlayHints": {"results": True, "parameterNames": False}}}
    wire.notify("workspace/didChangeConfiguration", {"settings": changed})
    wire.wait_new("workspace/inlayHint/refresh")
    after = wire.result("textDocument/inlayHint", asked)

    assert [hint["label"] for hint in before] == ["mean:", "variance:"]
    assert [hint["position"]["line"] for hint in after] == [0]


@pytest.mark.parametrize(
    ("loop", "said"),
    [
        ("for i in 0..3 { x := i }", ["4 rounds"]),
        ("for i in 1..3 { x := i }", []),
        ("const n = 5\nfor i in 0..n - 1 { x := i }", ["5 rounds"]),
        ("for i in 3..3 { x := i }", ["1 round"]),
        ("for i in 0..2 { for j in i..2 { x := j } }", ["3 rounds"]),
    ],
)
def test_rounds_of_loops_are_told_where_the_last_number_does_not_say_them(loop: str, said: list[str]) -> None:
    assert labels(snapshot(f"{loop}\n"), LENSES) == said
