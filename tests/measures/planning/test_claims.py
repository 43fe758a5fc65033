"""When a claim is as good as anybody asks for, and what two claims of one number say together."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from flint import arb

import seepage
from seepage import exact, rules
from seepage.diagnostics import Reason
from seepage.measures.enclosure import Enclosure
from seepage.measures.planning import planner
from seepage.measures.planning.claim import ContradictionError, is_fine, is_settled, meet
from seepage.measures.planning.question import Question
from seepage.measures.planning.ways import Cost, Way
from seepage.measures.quantity import Quantity
from seepage.measures.result import Certainty
from seepage.source import Span


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


def test_a_number_of_four_digits_is_worth_more_time_and_no_other_way() -> None:
    assert is_settled(certified(1, 1.0001))
    assert not is_fine(certified(1, 1.0001))
    assert is_fine(certified(1, 1 + 1e-7))
    assert is_fine(Quantity(Enclosure.of_rational(Fraction(1, 3)), 0, "discrete"))


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


def claim(lower: float, value: float, upper: float, certainty: Certainty, **known: Any) -> Quantity:
    enclosure = Enclosure.bounded(arb(value), arb(lower), arb(upper), certainty)
    return Quantity(replace(enclosure, **known), 0, "discrete", because=(Reason(Span(0, 1), "SEEP301", "a reason"),))


INFINITE = float("inf")


def test_a_bound_that_adds_nothing_leaves_the_estimate() -> None:
    estimated = claim(0, 0.5, 2, APPROXIMATE)
    bound = claim(-INFINITE, 2, 2, CERTIFIED)
    assert meet(estimated, bound) == meet(bound, estimated) == estimated
    rounded = claim(-INFINITE, 2, 2 - 1e-15, CERTIFIED)
    assert meet(estimated, rounded) == meet(rounded, estimated) == estimated
    endless, nothing = claim(0, 0.5, INFINITE, APPROXIMATE), claim(-INFINITE, 0, INFINITE, CERTIFIED)
    assert meet(endless, nothing) == meet(nothing, endless) == endless


EXACT, CERTIFIED, APPROXIMATE = Certainty.EXACT, Certainty.CERTIFIED, Certainty.APPROXIMATE


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (claim(0.5, 0.5, 0.5, EXACT), claim(0.25, 0.5, 0.5, CERTIFIED)),
        (claim(0, 0.5, 1, EXACT), claim(0.5, 0.5, 0.5, CERTIFIED)),  # by how it is known, not by width
        (claim(0, 0.5, 1, CERTIFIED), claim(0.5, 0.5, 0.5, APPROXIMATE)),
        (claim(0, 0.5, 1, CERTIFIED), claim(-1, 0.5, 1, CERTIFIED)),
        (claim(0, 0.5, 1e9, CERTIFIED), claim(-INFINITE, 0.5, 1e9, CERTIFIED)),
        (claim(0, 0.5, 1, APPROXIMATE), claim(0, 0.5, INFINITE, APPROXIMATE)),
    ],
)
def test_all_but_the_bounds_is_that_of_the_better_claim(better: Quantity, worse: Quantity) -> None:
    for met in (meet(better, worse), meet(worse, better)):
        assert met.enclosure.certainty is better.enclosure.certainty
        assert met.enclosure.lower == max(better.enclosure.lower, worse.enclosure.lower, key=float)
        assert met.enclosure.upper == min(better.enclosure.upper, worse.enclosure.upper, key=float)
        assert met.because == better.because


def test_the_first_claim_is_told_where_both_are_as_good() -> None:
    first, second = claim(0, 0.25, 1, CERTIFIED), claim(0, 0.75, 1, CERTIFIED)

    assert meet(first, second) is first
    assert meet(second, first) is second


@pytest.mark.parametrize("known", [{"exact": Fraction(1, 2)}, {"closed": exact.log_(2)}])
def test_what_is_known_exactly_is_told_as_it_is(known: dict[str, Any]) -> None:
    one = claim(0, 0.5, 1, EXACT, **known)

    assert meet(one, claim(0.5, 0.5, 0.5, CERTIFIED)) is one


def test_the_value_that_is_quoted_lies_between_bounds_that_meet() -> None:
    assert meet(claim(0, 0.25, 1, CERTIFIED), claim(0.5, 1, 2, CERTIFIED)).enclosure.value == 0.5


def test_narrow_bounds_of_two_approximate_claims_certify_the_number() -> None:
    met = meet(claim(0, 0.5, 0.5005, APPROXIMATE), claim(0.5, 0.75, 2, APPROXIMATE))

    assert met.enclosure.certainty is CERTIFIED
    assert met.because == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (claim(0, 0.5, 1, APPROXIMATE), claim(0.5, 0.75, 2, APPROXIMATE)),
        (claim(0, 0.5, INFINITE, APPROXIMATE), claim(0.5, 0.75, INFINITE, APPROXIMATE)),
        (claim(-INFINITE, 0.5, 1, APPROXIMATE), claim(-INFINITE, 0.5, 0.75, APPROXIMATE)),
    ],
)
def test_wide_bounds_of_approximate_claims_certify_nothing(one: Quantity, other: Quantity) -> None:
    met = meet(one, other)

    assert met.enclosure.certainty is APPROXIMATE
    assert met.because == one.because


def test_bounds_are_narrow_beside_a_large_number() -> None:
    met = meet(claim(0, 5000, 5002, APPROXIMATE), claim(5000, 5001, 6000, APPROXIMATE))

    assert met.enclosure.certainty is CERTIFIED


def test_a_gap_between_large_claims_may_be_rounding_and_one_between_small_ones_is_none() -> None:
    large = meet(claim(0, 1, 1e12, CERTIFIED), claim(1e12 + 0.5, 2e12, 3e12, CERTIFIED))

    assert large.enclosure.upper == 1e12
    with pytest.raises(ContradictionError):
        meet(claim(0, 0.1, 0.25, CERTIFIED), claim(0.2500001, 0.5, 1, CERTIFIED))
    with pytest.raises(ContradictionError):
        meet(claim(0, 1, 1e12, CERTIFIED), claim(1e12 + 2, 2e12, 3e12, CERTIFIED))


@pytest.mark.parametrize(
    ("one", "settled"),
    [
        (claim(0, 1, INFINITE, EXACT), True),
        (claim(0.5, 0.5, 0.5, APPROXIMATE), False),
        (claim(0.5, 0.5, INFINITE, CERTIFIED), False),
        (claim(-INFINITE, 0.5, 0.5, CERTIFIED), False),
    ],
)
def test_exact_claims_are_settled_and_others_by_finite_bounds(one: Quantity, settled: bool) -> None:
    assert is_settled(one) is settled


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
