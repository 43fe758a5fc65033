"""The pages for people who compute: what they type is run, in one session each, and prints what they show."""

from __future__ import annotations

import doctest

import pytest
from tests.docs.blocks import ROOT, blocks

PAGES = {"docs/library.md": 10, "docs/cookbook.md": 30, "docs/coming-from.md": 10}  # at least so many blocks or lines


@pytest.mark.parametrize(("page", "least"), PAGES.items())
def test_its_lines_print_what_it_shows(page: str, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    session: dict[str, object] = {}
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)

    for block in blocks(page, "python"):
        example = doctest.DocTestParser().get_doctest(block.text, session, page, page, block.line - 1)
        runner.run(example, out=told.append, clear_globs=False)
        session.update(example.globs)

    assert told == []
    assert runner.summarize(verbose=False).attempted >= least


def test_the_cookbook_has_thirty_recipes() -> None:
    headings = [
        line for line in (ROOT / "docs" / "cookbook.md").read_text(encoding="utf-8").splitlines() if line[:3] == "## "
    ]

    assert len(headings) == len(set(headings)) == 30
