"""Regular expressions read texts of anybody: the work of each grows with the text, and not with its square."""

from __future__ import annotations

import importlib
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import seepage
import seepage_lsp
import seepage_play

# Pieces that hostile texts repeat, and what stands after them so that a match fails at the end.
PIECES = ("a", "_", "_a ", " ", "\n", "1", "`", "``", "*", "**", "**a ", "/", "/*", "// ", "//1 ", "[", "[1", "(", "\\", "\\`", '"', "'",
          "http://", "<http://", "h", "é", "\r", "$", "else", "SEEP", "\0", "\t")  # fmt: skip
ENDS = ("", "\x01", "!")
SIZE, TIMES = 2_000, 4
# Linear work takes four times as long, quadratic sixteen; what takes less than this is not measured.
MOST_RATIO, LEAST_SECONDS = 10.0, 0.004


def modules() -> Iterator[str]:
    """The modules that compile an expression: those that only import one are not imported for that."""
    for package in (seepage, seepage_lsp, seepage_play):
        (root,) = package.__path__
        for path in sorted(Path(root).rglob("*.py")):
            if "re.compile(" in path.read_text(encoding="utf-8"):
                yield ".".join([package.__name__, *path.relative_to(root).with_suffix("").parts]).removesuffix(
                    ".__init__"
                )


def patterns() -> Iterator[tuple[str, re.Pattern[Any]]]:
    for module in modules():
        for name, value in vars(importlib.import_module(module)).items():
            if isinstance(value, re.Pattern):
                yield f"{module}.{name}", value


FOUND = dict(patterns())
# Used only from a given place on, or on the two hundred characters before a cursor: they do not search.
FROM_A_PLACE = {"seepage_lsp.features.hover._ELEMENT", "seepage.symbols.cursor._WORD_BEFORE", "seepage.syntax.comments._NUMBER_ONLY",
                "seepage.syntax.printer._LIKE_DIVISION", "seepage.syntax.layout._BLANK"}  # fmt: skip


def seconds(work: Callable[[str], object], text: str, times: int = 3) -> float:
    def once() -> float:
        begin = time.thread_time()
        work(text)
        return time.thread_time() - begin

    return min(once() for _ in range(times))


@pytest.mark.family(every=3)
@pytest.mark.parametrize("name", FOUND)
def test_work_grows_with_the_text(name: str) -> None:
    pattern = FOUND[name]

    def work(text: str) -> object:
        given = text.encode() if isinstance(pattern.pattern, bytes) else text
        return pattern.match(given) if name in FROM_A_PLACE else [None for _ in pattern.finditer(given)]

    for piece in PIECES:
        for end in ENDS:
            text = piece * (SIZE * TIMES) + end
            # Most take next to nothing, which one run shows.
            if seconds(work, text, 1) > LEAST_SECONDS and (long := seconds(work, text)) > LEAST_SECONDS:
                assert long < MOST_RATIO * max(seconds(work, piece * SIZE + end), LEAST_SECONDS / 16), (piece, end)


def test_the_expressions_that_read_texts_are_among_them() -> None:
    assert {name.rpartition(".")[2] for name in FOUND} >= {"_TOKEN", "_PIECES", "_SECTION", "_EMPHASIS", "_ADDRESS"}
    assert {*FOUND} >= FROM_A_PLACE
