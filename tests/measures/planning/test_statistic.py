"""Losses of many inputs behind a sum: the reduction against the enumeration of all inputs, and closed forms where these are too many."""

from __future__ import annotations

import math
import random

import pytest

import seepage
from seepage.measures.asking import Asking
from seepage.measures.evaluate import measure_of
from seepage.measures.evaluation import Evaluation
from seepage.measures.one_law import by_one_law
from seepage.measures.planning.planner import answer
from seepage.measures.planning.question import Question, question_of
from seepage.measures.planning.reductions import statistic
from seepage.measures.planning.reductions.statistic import STATISTIC
from seepage.pipeline import asking_of
from seepage.semantics.unroll import unroll
from seepage.syntax.tree import MeasureCall

COUNT = "const n = {n}\nsecret r\noutput o\ns := 0\nfor i in 1..n {{ r[i] ~ flip(1/2); s := s + r[i] }}\ne ~ {noise}\no := s + e\n"


def question(text: str, measure: str) -> Question:
    checked = seepage.parse(text).checked
    asking: Asking = asking_of(checked, unroll(checked), {}, "bits", 60.0)
    call = measure_of(measure)
    assert isinstance(call, MeasureCall)
    found = question_of(Evaluation(asking.inquiry(), "bits", False, {}, (), None), call)
    assert found is not None
    return found


def both(text: str, measure: str) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """Return the bounds by the reduction and by one law; None where the reduction does not apply."""
    asked = question(text, measure)
    reduced = STATISTIC.apply(asked)
    if reduced is None:
        return None
    (posed,) = reduced.questions
    claims = reduced.fold([answer(posed, [])]), by_one_law(asked.evaluation, asked.call)
    first, second = (
        (float(claim.enclosure.lower), float(claim.enclosure.upper)) for claim in claims if claim is not None
    )
    return first, second


NOISES = ["discrete_laplace(2)", "laplace(0, 2)", "uniform_int(-4, 4)", "normal(0, 4)"]
SECOND = ["o := t + e", "o := 2*t - e", "o := t + e; p := e", "o := min(max(t + e, 0), 3)", "o := t + e > 2"]
MEASURES = ["DP(r -> o)", "DP(r -> o, distance=1)", "DP(r -> o, distance=2)", "Delta(r -> o, eps=1/4, distance=1)", "DP(r -> o, delta=1/5, distance=2)"]  # fmt: skip


@pytest.mark.variation(of="test_a_count_of_many_behind_laplace_noise")
def test_what_is_asked_of_the_sum_is_what_is_asked_of_all_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistic, "FEW", 1)  # few enough to be enumerated, too
    chance, seen = random.Random(3), 0
    for _ in range(36):
        count = chance.randint(2, 3)
        laws = chance.choice(
            [["flip(1/3)", "uniform_int(0, 2)"], ["uniform_of(0, 2, 4)"], ["flip(1/2)"], ["uniform_of(0, 1, 5)"]]
        )
        draws = "".join(f"r[{i}] ~ {chance.choice(laws)}\n" for i in range(1, count + 1))
        factor = chance.choice(["", "2*", "-"])
        terms = " + ".join(f"({factor}r[{i}])" for i in range(1, count + 1))
        text = f"secret r\noutput o\n{draws}t := {chance.choice([0, 3])} + {terms}\ne ~ {chance.choice(NOISES)}\n{chance.choice(SECOND)}\n"
        found = both(text, chance.choice(MEASURES))
        if found is None:
            continue
        seen += 1
        (low, high), (lower, upper) = found
        assert low <= upper + 1e-9 * max(1.0, abs(upper)) if math.isfinite(upper) else True, text
        assert lower <= high + 1e-9 * max(1.0, abs(high)) if math.isfinite(high) else True, text
    assert seen > 12


@pytest.mark.parametrize("n", [32, 1_000])
def test_a_count_of_many_behind_laplace_noise(n: int) -> None:
    program = seepage.parse(COUNT.format(n=n, noise="laplace(0, 2)"))

    for measure, truth in [
        ("DP(r -> o, distance=1)", 0.5),
        ("DP(r -> o, distance=3)", 1.5),
        ("Delta(r -> o, distance=1, eps=1/4)", 1 - math.exp(-(1 / 2 - 1 / 4) / 2)),
    ]:
        found = program.measure(measure)
        assert found.lower - 1e-12 <= truth <= found.upper + 1e-12, measure
        assert found.upper - found.lower < 1e-9


@pytest.mark.variation(of="test_a_count_of_many_behind_laplace_noise")
def test_a_count_of_many_behind_geometric_noise_that_is_clamped_or_not() -> None:
    text = COUNT.format(n=32, noise="discrete_laplace(2)")

    assert seepage.parse(text).measure("DP(r -> o, distance=1)").value == pytest.approx(0.5, abs=1e-9)
    assert seepage.parse(text).measure("DP(r -> o)").value == pytest.approx(16, abs=1e-9)


@pytest.mark.parametrize(
    "text",
    [
        # The inputs are not independent, the sum skips a value, or the outputs read the inputs otherwise.
        "r[1] ~ flip(1/2)\nr[2] ~ flip((1 + r[1])/3)\nt := r[1] + r[2]\ne ~ laplace(0, 1)\no := t + e\n",
        "r[1] ~ uniform_of(0, 1, 3)\nr[2] ~ flip(1/2)\nt := r[1] + r[2]\ne ~ laplace(0, 1)\no := t + e\n",
        "r[1] ~ flip(1/2)\nr[2] ~ flip(1/2)\nt := r[1] + r[2]\ne ~ laplace(0, 1)\no := t + e + r[1]/3\n",
        "r[1] ~ flip(1/2)\nr[2] ~ flip(1/2)\nobserve r[1] or r[2]\nt := r[1] + r[2]\ne ~ laplace(0, 1)\no := t + e\n",
    ],
)
def test_other_programs_are_left_alone(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistic, "FEW", 1)
    assert STATISTIC.apply(question(f"secret r\noutput o\n{text}", "DP(r -> o, distance=1)")) is None


@pytest.mark.parametrize(
    ("measure", "truth"), [("Renyi(r -> o, alpha=2, distance=3)", 9 / 4), ("zCDP(r -> o, distance=1)", 1 / 8)]
)
def test_divergences_of_a_count_behind_normal_noise(measure: str, truth: float) -> None:
    text = (
        "secret r\noutput o\nc := 0\nfor i in 1..200 { r[i] ~ flip(1/3); c := c + r[i] }\nz ~ normal(0, 4)\no := c + z"
    )
    found = seepage.parse(text).measure(measure)
    assert found.lower - 1e-12 <= truth <= found.upper + 1e-12
    assert found.upper - found.lower < 1e-9
