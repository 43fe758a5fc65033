"""Each sentence has a test."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.conformance.items import ITEMS, Item
from tests.server.conformance.recording import MARK

SERVER = Path(__file__).parents[1]
REPOSITORY = SERVER.parents[1]


def marks(path: Path) -> Iterator[int]:
    """Yield the numbers in the marks of a file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == MARK:
            for argument in node.args:
                assert isinstance(argument, ast.Constant), ast.unparse(node)
                assert isinstance(argument.value, int), ast.unparse(node)
                yield argument.value


MARKED = {number for path in SERVER.rglob("test_*.py") for number in marks(path)}


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: str(item.number))
def test_every_item_has_a_test(item: Item) -> None:
    assert item.number in MARKED or item.elsewhere, f"nothing shows that {item.sentence}"
    for file in item.elsewhere:
        assert REPOSITORY.joinpath(file).exists()


def test_every_mark_is_the_number_of_an_item() -> None:
    assert MARKED - {item.number for item in ITEMS} == set()
