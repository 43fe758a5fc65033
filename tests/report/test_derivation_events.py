"""Derivations of measures under events: what they are said to be of, and that the formulas have the values they should."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from tests.report.test_derivation import number

from seepage import parse
from seepage.measures.formulas.text import text_of
from seepage.report.derivation import derivation_text
from seepage.report.derivation_words import with_fractions

TEXT = (
    "for i in 0..2 { r[i] ~ bernoulli(1/3) }\no := 0\n"
    "for i in 0..2 { a ~ flip(1/2)\n if a { o := o + r[i] } else { c ~ flip(1/4)\n o := o + c } }\nu := o >= 1\n"
)
PROGRAM = parse(TEXT)


def runs() -> list[tuple[tuple[int, ...], int, Fraction]]:
    """Return records, output and probability of every run, from the text by hand."""
    found = []
    chances = {1: Fraction(1, 3), 0: Fraction(2, 3)}
    for records in product((0, 1), repeat=3):
        for answers in product((("r", Fraction(1, 2)), ("1", Fraction(1, 8)), ("0", Fraction(3, 8))), repeat=3):
            weight, output = Fraction(1), 0
            for record, (answer, chance) in zip(records, answers, strict=True):
                weight *= chances[record] * chance
                output += record if answer == "r" else int(answer)
            found.append((records, output, weight))
    return found


def law(record: int, value: int) -> dict[int, Fraction]:
    weights: dict[int, Fraction] = {}
    for records, output, weight in runs():
        if records[record] == value:
            weights[output] = weights.get(output, Fraction(0)) + weight
    total = sum(weights.values())
    return {output: weight / total for output, weight in weights.items()}


@pytest.mark.parametrize(
    ("measure", "line"),
    [
        ("E(o | r[1] == 1)", "E(o | r[1] = 1) = ⟦cwp⟦S₁⟧(o, 1)⟧, S₁ = S; observe r[1] = 1"),
        ("P(o == 2 | u)", "P(o = 2 | u) = ⟦cwp⟦S₁⟧([o = 2], 1)⟧, S₁ = S; observe u"),
        (
            "H(o | u and o != 2)",
            "H(o | u ∧ o ≠ 2) = ⟦cwp⟦S₁⟧(−log ⟦cwp⟦S₁⟧([o̲ = o], 1)⟧[o̲ ↦ o], 1)⟧, S₁ = S; observe u ∧ o ≠ 2",
        ),
        ("I(r[0]; o | u == 1)", "I(r[0]; o | u = 1) = H(r[0] | u = 1) − H(r[0] | o, u = 1), S₁ = S; observe u = 1"),
        (
            "KL(o | u || o)",
            "KL(o | u ‖ o) = ⟦cwp⟦S₁⟧(log (⟦cwp⟦S₁⟧([o̲ = o], 1)⟧ / ⟦cwp⟦S⟧([o̲ = o], 1)⟧)[o̲ ↦ o], 1)⟧, S₁ = S; observe u",
        ),
    ],
)
def test_the_heading_names_the_event(measure: str, line: str) -> None:
    assert line in derivation_text(PROGRAM.explain(measure)).splitlines()[2]


def test_a_divergence_under_two_events_is_the_one_of_the_laws_counted_by_hand() -> None:
    here, there = law(1, 1), law(1, 0)
    expected = sum(float(p) * math.log2(p / there[output]) for output, p in here.items())

    found = PROGRAM.explain("KL(o | r[1] == 1 || o | r[1] == 0)")

    formula = found.conclusions[-1].formula
    assert formula is not None
    assert number(text_of(formula)) == pytest.approx(expected, rel=1e-12)
    assert found.result.value == pytest.approx(expected, rel=1e-9)


def test_a_divergence_from_a_law_that_lacks_a_value_is_infinite() -> None:
    found = PROGRAM.explain("KL(o || o | u)")

    assert "infinite" in found.conclusions[-1].why
    assert found.result.value == math.inf


def test_an_expectation_under_an_event_is_the_one_counted_by_hand() -> None:
    expected = sum(output * weight for output, weight in law(1, 1).items())

    formula = PROGRAM.explain("E(o | r[1] == 1)").conclusions[-1].formula

    assert formula is not None
    assert Fraction(text_of(formula)) == expected


def test_three_records_under_one_event_fit_on_two_screens() -> None:
    text = derivation_text(PROGRAM.explain("E(o | r[1] == 1)"))

    assert len(text.splitlines()) < 100
    for noise in ("⟨ [1]", "· 1", "+ 1 + 1", "·(0)", "[a = a]", " xor ", "0.5", "·(o)"):
        assert noise not in text


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("flip(0.5)", "flip(1/2)"),
        ("x^0.5", "x^(1/2)"),
        ("x / 0.25", "x / (1/4)"),
        ("0.5^x", "(1/2)^x"),
        ("bernoulli(1 / 3)", "bernoulli(1/3)"),
        ("x1 / 3", "x1 / 3"),
    ],
)
def test_fractions_are_fractions_and_keep_their_place(code: str, shown: str) -> None:
    assert with_fractions(code) == shown
