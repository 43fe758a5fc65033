"""The page for people who compute: what it types is run, in one session, and prints what it shows."""

from __future__ import annotations

import doctest

import pytest
from tests.docs.blocks import ROOT, blocks

PAGE = "docs/library.md"


def test_its_lines_print_what_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    session: dict[str, object] = {}
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)

    for block in blocks(PAGE, "python"):
        example = doctest.DocTestParser().get_doctest(block.text, session, PAGE, PAGE, block.line - 1)
        runner.run(example, out=told.append, clear_globs=False)
        session.update(example.globs)

    assert told == []
    assert runner.summarize(verbose=False).attempted > 10
