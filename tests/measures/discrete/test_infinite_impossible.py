"""Observations that no run passes, beside an infinite law: there is no posterior, so no number and no verdict."""

from __future__ import annotations

from fractions import Fraction

import pytest

from seepage import parse
from seepage.program import MeasureError

PROGRAM = "param q in [0, 1] = 1/4\nsecret s\noutput o\ns ~ geometric(1/2)\nb ~ bernoulli(1/3)\no := s\n"
ASKED = "show H(s)\nrequire H(s) <= 3\nrequire H(s) <= 1\n"


@pytest.mark.parametrize(
    ("condition", "rule"),
    [
        ("b > 1", "SEEP410"),
        ("b > b", "SEEP410"),
        ("q > 1/2", "SEEP410"),
        ("s < 0", "SEEP410"),
        ("s < b - 1", "SEEP410"),
        ("s * s == 2", "SEEP402"),
    ],
)
def test_beside_an_infinite_law_what_no_run_passes_leaves_no_number_and_no_verdict(condition: str, rule: str) -> None:
    asked = parse(f"{PROGRAM}observe {condition}\n{ASKED}")

    answers = asked.analyze().answers
    assert [each.result for each in answers] == [None, None, None]
    assert [each.verdict for each in answers] == [None, "cannot tell", "cannot tell"]
    with pytest.raises(MeasureError) as met:
        asked.measure("H(s)")
    assert met.value.diagnostic.rule.code == rule


def test_where_some_run_passes_the_measures_stay() -> None:
    # H(s) is 2 bits: 1/2 of the runs need one coin, and the others one and what is left.
    answers = parse(f"{PROGRAM}observe b > 0\n{ASKED}").analyze().answers

    assert [each.verdict for each in answers] == [None, "holds", "violated"]


@pytest.mark.parametrize(
    ("program", "rule"),
    [
        ("if b == 1 { observe s < 0 } else { observe s + 1 < b }", "SEEP410"),
        ("if b == 1 { observe s > 10000 } else { observe s < 0 }", "SEEP402"),
        ("if b == 1 { observe s < 0 } else { observe s > 10000 }", "SEEP402"),
        ("if b > 1 { s := -1 } observe s < 0", "SEEP410"),
        ("if b == 1 { s := 0 - s } observe s < 0 and s % 1 == 1/2", "SEEP402"),
        ("a[0] := 0; a[1] := 0; a[b] := s; observe a[1] < 0", "SEEP402"),
    ],
)
def test_only_what_ranges_prove_on_every_path_is_called_impossible(program: str, rule: str) -> None:
    with pytest.raises(MeasureError) as met:
        parse(f"s ~ geometric(1/2)\nb ~ bernoulli(1/3)\n{program}\n").measure("H(b)")

    assert met.value.diagnostic.rule.code == rule


def test_an_event_that_an_infinite_law_never_meets_is_impossible() -> None:
    with pytest.raises(MeasureError, match="impossible event"):
        parse("s ~ poisson(90)\ne ~ poisson(90)\no := s + e\n").measure("H(s | o < 0)")


UNDECIDED = "s ~ bernoulli(1/4)\nx := s + exp(sqrt(2) + sqrt(3)) > exp(sqrt(2)) * exp(sqrt(3))\nb ~ bernoulli(1/3)\n"


def test_what_is_not_decided_leaves_measures_that_do_not_depend_on_it() -> None:
    program = parse(f"{UNDECIDED}observe b == 1 or s == 1\nshow P(s)\nshow H(x)\nrequire P(s) >= 1/2\n")

    first, second, budget = program.analyze().answers
    assert first.result is not None
    assert first.result.exact == Fraction(1, 2)  # 1/4 against 3/4 * 1/3
    assert second.result is None
    assert budget.verdict == "holds"
    assert program.measure("P(s)").exact == Fraction(1, 2)


@pytest.mark.parametrize("observed", ["x", "x == 1 or b == 1", "t > 0"])
def test_what_an_observation_depends_on_is_to_be_decided(observed: str) -> None:
    program = parse(f"{UNDECIDED}t := x + b\nu ~ bernoulli(1/2)\nobserve {observed}\nshow P(u)\nrequire P(u) <= 1\n")

    assert [answer.result for answer in program.analyze().answers] == [None, None]
    assert program.analyze().answers[1].verdict == "cannot tell"
    with pytest.raises(MeasureError) as met:
        program.measure("P(u)")
    assert met.value.diagnostic.rule.code == "SEEP402"
