from __future__ import annotations

from lsprotocol.types import Position, Range

from seepage_lsp.features.inlay_hints import inlay_hints
from seepage_lsp.settings import Settings
from server.snapshots import coin, snapshot

EVERYWHERE = Range(start=Position(line=0, character=0), end=Position(line=99, character=0))


def test_bounds_stand_at_line_ends() -> None:
    hints = inlay_hints(snapshot(analysis=coin()), EVERYWHERE)

    assert [(hint.position.line, hint.position.character, hint.label) for hint in hints] == [
        (3, 8, "1 bit leak · exact"),
        (4, 8, "H = 0.75 bits · exact"),
        (7, 12, "1 bit · exact"),
        (8, 27, "violated · 1 bit · exact"),
    ]


def test_only_the_lines_asked_for_have_hints() -> None:
    within = Range(start=Position(line=4, character=5), end=Position(line=7, character=0))

    assert [hint.position.line for hint in inlay_hints(snapshot(analysis=coin()), within)] == [4, 7]


def test_hints_can_be_switched_off() -> None:
    assert inlay_hints(snapshot(analysis=coin(), settings=Settings(code_lens=False)), EVERYWHERE) == []
