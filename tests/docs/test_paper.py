"""The paper is named whole where people look for it, and its two ways are told in a sentence each where their names are shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from seepage.measures.engine import SENTENCES

ROOT = Path(__file__).parents[2]
AUTHORS = (("Philipp", "Schröer"), ("Francesca", "Randone"), ("Raúl", "Pardo"), ("Andrzej", "Wąsowski"))
TITLE = "Symbolic Quantitative Information Flow for Probabilistic Programs"


@pytest.mark.parametrize("page", ["README.md", "docs/measures.md", "CITATION.cff"])
def test_the_paper_is_named_with_its_authors_and_its_title(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")

    assert TITLE in text
    for given, family in AUTHORS:
        assert f"{given} {family}" in text or f"family-names: {family}\n        given-names: {given}" in text


def test_the_two_ways_of_the_paper_are_told_in_a_sentence_each() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")

    assert "**WPE**, *weakest pre-expectations*: " in readme
    assert "**SOGA**, *second order Gaussian approximation*: " in readme
    assert SENTENCES["soga"].startswith("second order Gaussian approximation: ")
