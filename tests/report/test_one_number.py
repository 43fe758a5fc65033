"""One number where there is one: the truth of each program is had another way, and all reports agree on whether one number stands for it."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from itertools import pairwise
from typing import Any, cast

import numpy
import pytest

import seepage
from seepage.measures.facts import Answer
from seepage.measures.result import Certainty, Result
from seepage.pipeline import Analysis
from seepage.program import Program
from seepage.report.json import analysis_json
from seepage.report.markdown import describe_answer, lens_text
from seepage.report.text import analysis_text

POISSON = "s ~ uniform_int(0, 1)\nn ~ poisson(2)\no := s + n\n"
FIVE_BITS = "for i in 0..4 { q[i] ~ flip(1/2) }\nn ~ laplace(0, 9)\nv := q[0] + q[1] + q[2] + q[3] + q[4] + n\n"
ROUNDED = "x ~ normal(0, 1)\nn ~ normal(0, 1)\no := floor(x + n)\n"
RUNNING = (
    "for i in 0..2 { s[i] ~ flip(1/2)\nn[i] ~ laplace(0, 10) }\n"
    "o[0] := s[0] + n[0]\no[1] := o[0] + s[1] + n[1]\no[2] := o[1] + s[2] + n[2]\n"
)
CLAMPED = "x ~ exponential(1/2)\nn ~ normal(0, 1)\no := max(0, min(1, x + n))\n"
# Three continuous values that act through more than one combination: nobody tells more than bounds.
WIDE = (
    "param b in [1, 9] = 5\nsecret q\noutput v\nfor i in 1..3 { q[i] ~ bernoulli(1/2)\nn[i] ~ laplace(0, b) }\nm ~ laplace(0, b)\n"
    "v[1] := q[1] + q[2] + n[1]\nv[2] := q[2] + q[3] + n[2]\nv[3] := q[1] - q[3] + n[3]\nv[4] := q[1] + m\n"
)


def guessed() -> float:
    """The chance to guess five fair bits: their sum is best guessed by the nearest of 0 … 5, each behind a Laplace density of scale 9."""
    return float((1 + 5 * (1 - math.exp(-1 / 18))) / 32)


def legendre(low: float, high: float, cells: int) -> list[tuple[float, float]]:
    """Return places and weights to integrate with from ``low`` to ``high``."""
    nodes, weights = (list(map(float, part)) for part in numpy.polynomial.legendre.leggauss(40))
    half = (high - low) / cells / 2
    return [
        (low + half * (2 * cell + 1 + node), half * weight)
        for cell in range(cells)
        for node, weight in zip(nodes, weights, strict=True)
    ]


def below(mean: float, at: float) -> float:
    """The chance of a normal value of variance 1 to be below a place."""
    return math.erfc((mean - at) / math.sqrt(2)) / 2


def rounded() -> float:
    """H(o) − H(o | x) of the rounded sum, by quadrature over x."""

    def entropy(mean: float, deviation: float) -> float:
        places = [below(mean / deviation, at / deviation) for at in range(-20, 21)]
        chances = [after - before for before, after in pairwise(places)]
        return -sum(one * math.log2(one) for one in chances if one > 0)

    density = [(x, weight * math.exp(-x * x / 2) / math.sqrt(2 * math.pi)) for x, weight in legendre(-9, 9, 4)]
    return entropy(0, math.sqrt(2)) - sum(weight * entropy(x, 1) for x, weight in density)


def clamped() -> float:
    """The information of the clamped sum, by quadrature over its two atoms and its density between them."""

    def density(o: float) -> float:  # of the sum of an exponential value of rate 1/2 and a normal one
        return math.exp((1 / 4 - o) / 2) * math.erfc((1 / 2 - o) / math.sqrt(2)) / 4

    def told(chance: float, whole: float) -> float:
        return chance * math.log2(chance / whole) if chance > 0 else 0.0

    prior = [(x, weight * math.exp(-x / 2) / 2) for x, weight in legendre(0, 60, 20)]
    low = sum(weight * below(x, 0) for x, weight in prior)
    high = sum(weight * below(-x, -1) for x, weight in prior)
    between = [(o, weight, density(o)) for o, weight in legendre(0, 1, 1)]
    seen = (
        told(below(x, 0), low)
        + told(below(-x, -1), high)
        + sum(
            part * told(math.exp(-((o - x) ** 2) / 2) / math.sqrt(2 * math.pi), all_of) for o, part, all_of in between
        )
        for x, _ in prior
    )
    return sum(weight * one for (_, weight), one in zip(prior, seen, strict=True))


CASES: list[tuple[str, str, Callable[[], float]]] = [
    # An output that only one of the secrets has: whoever sees it is sure, with chance exp(−2) > 1/10.
    (POISSON, "DP(s -> o)", lambda: math.inf),
    (POISSON, "DP(s -> o, delta=1/10)", lambda: math.inf),
    # The sum over k of 4^k 2^(−k − 1).
    ("g ~ geometric(1/2)\n", "Var(2^g)", lambda: math.inf),
    (FIVE_BITS, "V(q | v)", guessed),
    (ROUNDED, "I(x; o)", rounded),
    # Each of the sums is released as a new value with Laplace noise of scale 10 added to what is known.
    (RUNNING, "DP(s -> o, distance=1)", lambda: 0.1),
    (CLAMPED, "I(x; o)", clamped),
]


def everywhere(program: Program, measure: str) -> tuple[Result, str, dict[str, Any], Analysis]:
    """Return the answer to ``show measure`` with what text and JSON say of it."""
    asked = seepage.parse(f"{program.checked.source.text}show {measure}\n")
    analysis = asked.analyze()
    (answer,) = analysis.answers
    assert answer.result is not None
    told = cast("dict[str, Any]", analysis_json(asked.source, (), analysis))["answers"][0]["result"]
    return answer.result, analysis_text(asked.source, analysis), told, analysis


@pytest.mark.parametrize(("text", "measure", "truth"), CASES, ids=[measure for _, measure, _ in CASES])
def test_the_number_is_the_truth_in_text_and_json(text: str, measure: str, truth: Callable[[], float]) -> None:
    result, shown, told, _ = everywhere(seepage.parse(text), measure)
    expected = truth()

    assert result.certainty in (Certainty.EXACT, Certainty.CERTIFIED)
    assert not result.estimated
    if math.isinf(expected):
        assert result.lower == result.value == math.inf
        assert (told["value"], told["certainty"]) == ("inf", "exact")
        assert "= ∞ · exact" in shown
    else:
        assert result.lower - 1e-9 <= expected <= result.upper + 1e-9
        assert result.value == pytest.approx(expected, abs=1e-8)
        assert told["value"] == result.value
        number = shown.partition(f"show {measure} = ")[2].partition(" ")[0]
        assert float(number) == pytest.approx(expected, abs=1e-8)


def lenses(answer: Answer, program: Program) -> str:
    return f"{lens_text(answer, program.source)}\n{describe_answer(answer, program.source)}"


def test_bounds_that_are_wide_are_told_without_a_number_in_every_report() -> None:
    program = seepage.parse(WIDE)
    result, shown, told, analysis = everywhere(program, "V(q | v)")
    swept = program.sweep("V(q | v)", b=[5]).to_csv().splitlines()
    row = dict(zip(swept[0].split(","), swept[1].split(","), strict=True))

    assert (result.value, told["value"], told["estimated"], row["value"]) == (None, None, False, "")
    assert (result.lower, result.upper) == (told["lower"], told["upper"]) == (0.125, 1.0)
    for text in (shown, lenses(analysis.answers[0], program)):
        assert "0.125 ≤ V ≤ 1" in text
        assert "estimate" not in text
    assert analysis.table[0].guess_after is not None
    assert analysis.table[0].guess_after.value is None


def test_what_no_double_holds_is_told_as_what_it_is() -> None:
    text = "x ~ bernoulli(1/10^435)\n"
    result, shown, told, _ = everywhere(seepage.parse(text), "P(x)")

    assert Decimal(told["value"]) == Decimal("1e-435")
    assert "1e-435 · exact" in shown
    assert result.certainty is Certainty.EXACT
