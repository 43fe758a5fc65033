"""The examples in docstrings, run as they stand there."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import seepage

ROOT = Path(seepage.__path__[0])
WITH_EXAMPLES = [path for path in sorted(ROOT.rglob("*.py")) if ">>> " in path.read_text(encoding="utf-8")]


def test_there_are_some() -> None:
    assert ROOT / "__init__.py" in WITH_EXAMPLES


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_an_example_gives_what_is_written_below_it(path: Path) -> None:
    name = ".".join(["seepage", *path.relative_to(ROOT).with_suffix("").parts]).removesuffix(".__init__")

    done = doctest.testmod(importlib.import_module(name))

    assert done.attempted > 0
    assert done.failed == 0
