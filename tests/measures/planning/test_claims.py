"""When a claim is as good as anybody asks for, and what two claims of one number say together."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb

import seepage
from seepage import rules
from seepage.measures.enclosure import Enclosure
from seepage.measures.planning import planner
from seepage.measures.planning.claim import ContradictionError, is_settled, meet
from seepage.measures.planning.question import Question
from seepage.measures.planning.ways import Cost, Way
from seepage.measures.quantity import Quantity
from seepage.measures.result import Certainty


@pytest.mark.parametrize(
    ("lower", "upper", "settled"),
    [
        (1.0, 1.0005, True),
        (1.0, 1.01, False),
        (1000.0, 1000.5, True),
        (0.0, 1e-4, False),  # narrow beside 1, and nothing is known of it
        (1e-5, 1.0005e-5, True),
        (1e-8, 1e-7, False),
        (0.0, 1e-18, True),
        (0.0, float("inf"), False),
    ],
)
def test_bounds_are_narrow_beside_the_number_itself(lower: float, upper: float, settled: bool) -> None:
    enclosure = Enclosure.bounded(arb(lower), arb(lower), arb(upper), Certainty.CERTIFIED)

    assert is_settled(Quantity(enclosure, 0, "discrete")) is settled


def certified(lower: float, upper: float) -> Quantity:
    return Quantity(Enclosure.bounded(arb(lower), arb(lower), arb(upper), Certainty.CERTIFIED), 0, "discrete")


def test_bounds_of_two_claims_are_met() -> None:
    both = meet(certified(0, 0.75), certified(0.5, 1)).enclosure

    assert (float(both.lower), float(both.upper)) == (0.5, 0.75)


@pytest.mark.parametrize(
    "one",
    [certified(0, 0.5), Quantity(Enclosure.of_rational(Fraction(1, 2)), 0, "discrete"), certified(-float("inf"), 0.5)],
)
def test_claims_that_exclude_each_other_are_a_contradiction(one: Quantity) -> None:
    with pytest.raises(ContradictionError):
        meet(one, certified(0.75, 1))
    with pytest.raises(ContradictionError):
        meet(certified(0.75, 1), one)


def test_ends_that_differ_by_rounding_are_no_contradiction() -> None:
    better = certified(0.5 + 1e-15, 1)

    assert meet(certified(0, 0.5), better) == better


def test_a_number_on_which_two_ways_differ_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    liar = Way("a liar", "", lambda _: True, lambda _: Cost(0.0, 0), lambda _: certified(7, 8))
    honest = Way("an honest way", "", lambda _: True, lambda _: Cost(1.0, 0), lambda _: certified(0, 2))
    monkeypatch.setattr(planner, "WAYS", (liar, honest))
    monkeypatch.setattr(planner, "REDUCTIONS", ())
    monkeypatch.setattr(planner, "is_small", never)
    program = seepage.parse("secret s\noutput o\ns ~ flip(1/2)\no := s\n")

    with pytest.raises(seepage.MeasureError) as caught:
        program.measure("I(s; o)")

    assert caught.value.diagnostic.rule is rules.ANALYSIS_BROKE
    assert "a liar: from 7 to 8" in caught.value.diagnostic.notes[0]
    assert "an honest way: from 0 to 2" in caught.value.diagnostic.notes[0]


def never(_: Question) -> bool:
    return False
