"""Measures, budgets and laws in words: with what the program says in them, and with nothing left to fill in."""

from __future__ import annotations

import pytest

from seepage.program import parse
from seepage.report.asked_words import measure_words, require_words
from seepage.report.law_words import law_words
from seepage.syntax.tree import Placed, Sample
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS
from seepage.syntax.vocabulary.measures import MEASURES


@pytest.mark.parametrize("name", MEASURES)
def test_each_measure_has_words_for_what_it_is_of(name: str) -> None:
    word = MEASURES[name]
    has_right = any(each.lead in (";", "->", "||") for each in word.parameters)

    assert "{x}" in word.phrase
    assert ("{y}" in word.phrase) == has_right
    (shown,) = parse(word.example).checked.symbols.shows
    assert "{" not in measure_words(shown.node.measure)


@pytest.mark.parametrize("name", sorted(set(DISTRIBUTIONS) - {"mixture"}))
def test_each_law_has_words_without_marks(name: str) -> None:
    program = parse(DISTRIBUTIONS[name].example)
    (law,) = [
        each.node.distribution
        for each in program.checked.tree.walk()
        if isinstance(each, Placed) and isinstance(each.node, Sample)
    ][:1]

    assert "`" not in law_words(law)


@pytest.mark.parametrize(
    ("budget", "expected"),
    [
        ("I(s; o) <= 0.1 bits", "what can be learnt about s from o is at most 0.1 bits"),
        ("I(s; o) < 1", "what can be learnt about s from o is less than 1 bit"),
        ("V(s | o, t) >= p", "the chance to guess s in one try, once o and t are known, is at least p"),
        ("KL(s | o == 1 || s) <= 1 bits", "the divergence of s, if o == 1, from s is at most 1 bit"),
        ("KL(s || s | o == 1) <= 1 bits", "the divergence of s from s, if o == 1, is at most 1 bit"),
        ("P(s == 1 | o == 1) > 1/2", "the probability that s == 1, if o == 1, is more than 1 / 2"),
        ("I(s; o) <= p over p in (0, 1]", "what can be learnt about s from o is at most p bits, for all p in (0, 1]"),
        (
            "DP(s -> o, delta=0.1) <= 2",
            "the ε of differential privacy of o with regard to s, with delta = 0.1, is at most 2",
        ),
    ],
)
def test_a_budget_is_a_sentence(budget: str, expected: str) -> None:
    program = parse(f"param p in [0, 1] = 1/2\ns ~ flip(p)\nt ~ flip(p)\no := s\nrequire {budget}\n")
    (require,) = program.checked.symbols.requires

    assert require_words(require.node) == expected
