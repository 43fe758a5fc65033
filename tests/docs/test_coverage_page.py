"""The matrix of what is computed: its page is made from its data, its cells hold what is found today."""

from __future__ import annotations

import math

import pytest
from benchmarks.matrix.answers import Found, find, frozen, worse
from benchmarks.matrix.page import PAGE, page
from benchmarks.matrix.questions import SHAPES, cells
from tests.families import FULL

QUICK = 0.06  # seconds of processor time that a question took when the data were made
EVERY = 24 if FULL else 72  # of the quick ones; `python -m benchmarks.matrix` asks all


def test_the_page_is_made_from_the_data() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(frozen())


def test_the_data_have_a_cell_for_every_question() -> None:
    assert list(frozen()) == [cell.key for cell in cells()]


@pytest.mark.family(every=4)
@pytest.mark.parametrize("shape", [shape.name for shape in SHAPES])
def test_no_cell_gets_worse(shape: str) -> None:
    before = frozen()
    quick = [cell for cell in cells() if cell.key.startswith(f"{shape}/") and before[cell.key].seconds < QUICK]
    told = {cell.key: worse(before[cell.key], find(cell)) for cell in quick[::EVERY]}

    assert told
    assert {key: how for key, how in told.items() if how} == {}


EXACT = Found("exact", 1.0, 1.0, "discrete", 0.1)


@pytest.mark.parametrize(
    ("old", "new", "how"),
    [
        (EXACT, EXACT, ""),
        (EXACT, Found("certified", 1.0, 1.0, "paths", 0.1), "was exact, is certified"),
        (EXACT, Found("exact", 1.1, 1.1, "discrete", 0.1), "one of the two is wrong"),
        (EXACT, Found("not", -math.inf, math.inf, "SEEP902", 5.0), "was exact, is not"),
        (Found("bounded", 0.0, math.inf, "soga", 0.1), Found("bounded", 0.0, 2.0, "paths", 0.1), ""),
        (Found("bounded", 0.0, 2.0, "soga", 0.1), Found("bounded", 0.0, 3.0, "paths", 0.1), "is 0.0 … 3.0"),
        (Found("bounded", 0.0, 2.0, "soga", 0.1), EXACT, ""),
        (Found("not", -math.inf, math.inf, "SEEP902", 0.1), EXACT, ""),
        (Found("certified", 0.0, 0.0, "holds", 0.1), Found("certified", 0.0, 0.0, "violated", 0.1), "one of the two"),
    ],
)
def test_worse_is_a_lower_rank_wider_bounds_or_a_contradiction(old: Found, new: Found, how: str) -> None:
    assert (how in worse(old, new)) if how else (worse(old, new) == "")
