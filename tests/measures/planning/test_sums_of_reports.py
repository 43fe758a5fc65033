"""What a sum of reports tells: bounds from its terms and its extremes, against enumeration where that is small and closed forms where it is not."""

from __future__ import annotations

import math
import random

import pytest

import seepage
from seepage.measures.one_law import by_one_law
from seepage.measures.planning import counts
from seepage.measures.planning.planner import answer
from seepage.measures.planning.reductions.extremes import EXTREMES
from seepage.measures.planning.reductions.terms import TERMS
from seepage.measures.planning.reductions.unseen import UNSEEN

from .test_statistic import question

POLL = """
const n = {n}
secret answer
output count
count := 0
for i in 1..n {{
    answer[i] ~ bernoulli(3/10)
    honest ~ bernoulli({honest})
    reported := if honest then answer[i] else 1 - answer[i]
    count := count + reported
}}
"""
REPORTS = [
    "(if t[{i}] then r[{i}] else 1 - r[{i}])",
    "r[{i}]*t[{i}]",
    "r[{i}] + 2*t[{i}]",
    "(r[{i}] or t[{i}])",
    "t[{i}] - r[{i}]",
]
MEASURES = ["DP(r -> o)", "DP(r -> o, distance=1)", "DP(r -> o, distance=2)", "I(r; o)", "V(r | o)", "H(r | o)", "Guess(r | o)", "Lmin(r -> o)", "Cmin(r -> o)"]  # fmt: skip


def h(p: float) -> float:
    return -p * math.log2(p) - (1 - p) * math.log2(1 - p)


def test_bounds_from_terms_and_extremes_hold_on_random_programs() -> None:
    chance, seen = random.Random(5), 0
    for _ in range(40):
        count = chance.randint(2, 3)
        body = "".join(
            f"r[{i}] ~ {chance.choice(['flip(1/3)', 'flip(2/5)'])}\nt[{i}] ~ {chance.choice(['flip(1/4)', 'flip(1/2)'])}\n"
            for i in range(1, count + 1)
        )
        steps = "".join(
            f"o := {chance.choice(['o + ', 'o - ', 'o + 2*'])}{chance.choice(REPORTS).format(i=i)}\n"
            for i in range(1, count + 1)
        )
        text, measure = f"secret r\noutput o\n{body}{steps}", chance.choice(MEASURES)
        asked = question(text, measure)
        truth = by_one_law(asked.evaluation, asked.call).enclosure
        for reduction in (TERMS, EXTREMES, UNSEEN):
            reduced = reduction.apply(asked)
            if reduced is None:
                continue
            claim = reduced.fold([answer(each, []) for each in reduced.questions])
            if claim is None:
                continue
            seen += 1
            if reduced.relation == "<=":
                assert not claim.enclosure.upper < truth.lower, (text, measure)
            else:
                assert reduced.relation == ">="
                assert not claim.enclosure.lower > truth.upper, (text, measure)
    assert seen > 15


@pytest.mark.parametrize("n", [50, 300])
def test_the_count_of_many_randomized_answers(n: int) -> None:
    program = seepage.parse(POLL.format(n=n, honest="exp(1)/(1 + exp(1))"))

    for measure, truth in [("DP(answer -> count, distance=1)", 1.0), ("DP(answer -> count, distance=3)", 3.0)]:
        found = program.measure(measure)
        assert found.lower - 1e-12 <= truth <= found.upper + 1e-12
        assert found.upper - found.lower < 1e-9


def test_a_sum_tells_at_most_what_its_terms_tell() -> None:
    found = seepage.parse(POLL.format(n=50, honest="3/4")).measure("I(answer; count)")
    lie, yes = 1 / 4, 3 / 10
    seen = yes * (1 - lie) + (1 - yes) * lie

    assert found.lower >= 0
    assert found.upper <= 50 * (h(seen) - h(lie)) + 1e-9


@pytest.mark.variation(of="test_the_count_of_many_randomized_answers")
def test_what_a_count_leaves_unknown_lies_between_its_terms_and_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "_MOST_TYPES", 0)  # else the counts of answers tell it
    program = seepage.parse(POLL.format(n=50, honest="3/4"))
    chance, left = program.measure("V(answer | count)"), program.measure("H(answer | count)")

    assert chance.lower == pytest.approx(0.7**50, rel=1e-9)
    assert chance.upper == pytest.approx(
        (0.75 * 0.7 + 0.75 * 0.3) ** 50, rel=1e-9
    )  # a report of 0 or 1 is believed or not
    assert left.lower == pytest.approx(50 * (h(0.3) - (h(0.7 * 0.25 + 0.3 * 0.75) - h(0.25))), rel=1e-9)
    assert left.upper == pytest.approx(50 * h(0.3), rel=1e-9)


def test_a_term_that_one_answer_never_sends_tells_all() -> None:
    text = POLL.format(n=40, honest="3/4").replace(
        "if honest then answer[i] else 1 - answer[i]", "answer[i] and honest"
    )

    assert seepage.parse(text).measure("DP(answer -> count, distance=1)").lower == math.inf


@pytest.mark.parametrize("spelled", ["sum(y)", "count(y[i] == 1 for i in 1..50)", "1 + sum(y) - 1", "50 - count(y[i] == 0 for i in 1..50)"])  # fmt: skip
def test_a_count_of_reports_is_the_same_however_it_is_spelled(spelled: str) -> None:
    """Each report is turned with a chance of 1 / (1 + e): who sees only their number is told ln e of one of them at the most."""
    text = f"""secret r[50]
output c
for i in 1..50 {{
    r[i] ~ flip(1/2)
    lie[i] ~ flip(1/(1 + exp(1)))
    y[i] := r[i] xor lie[i]
}}
c := {spelled}
"""
    assert seepage.parse(text).measure("DP(r -> c, distance=1)").value == pytest.approx(1)
