"""Each measure of the language has a row, and each functional of laws a file that answers it."""

from __future__ import annotations

from seepage.measures.functionals.table import ANSWERS
from seepage.measures.planning.table import MEASURES, SEPARATORS
from seepage.syntax.vocabulary.measures import MEASURES as WORDS


def test_words_and_rows_are_of_the_same_measures() -> None:
    assert set(WORDS) == set(MEASURES)
    for name, word in WORDS.items():
        leads = {one.lead for one in word.parameters[1:]}
        assert SEPARATORS[MEASURES[name].shape] in {*leads, None}, name


def test_each_functional_of_laws_is_answered() -> None:
    asked = {row.functional for row in MEASURES.values() if row.reads_prior and not row.is_of_guesses}

    assert set(ANSWERS) == asked
