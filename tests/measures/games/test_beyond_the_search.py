"""Games that no search finishes: infinitely many answers, or too many values. Bounds hold against the best strategy, found by formulas of its own."""

from __future__ import annotations

import math
from itertools import product

import pytest

import seepage

_WIDEST = 15  # answers beyond have a chance below e^-40
NOISY = """
secret b
output answer
b[1] ~ flip(1/2)
b[2] ~ flip(1/4)
for q in 1..2 {
    attacker group[q] in 1..3
    noise[q] ~ discrete_laplace(1/3)
    answer[q] := noise[q] + (group[q] % 2) * b[1] + floor(group[q] / 2) * b[2]
}
"""


def noise(value: int) -> float:
    """Return the chance of a value of discrete Laplace noise of scale 1/3."""
    return math.tanh(3 / 2) * math.exp(-3 * abs(value))


def best_of_two_rounds(uncertain: bool) -> float:
    """Return the largest chance to guess, or the largest information, of one who chooses the second group after the first answer."""
    prior = {(one, two): (1 / 2) * (1 / 4 if two else 3 / 4) for one, two in product((0, 1), repeat=2)}
    answers = range(-_WIDEST, _WIDEST + 3)

    def after(belief: dict[tuple[int, int], float], group: int) -> list[dict[tuple[int, int], float]]:
        def law(answer: int, value: tuple[int, int]) -> float:
            return noise(answer - (group % 2) * value[0] - (group // 2) * value[1])

        return [{value: mass * law(answer, value) for value, mass in belief.items()} for answer in answers]

    def end(belief: dict[tuple[int, int], float]) -> float:
        whole = math.fsum(belief.values())
        if uncertain:
            return -math.fsum(mass * math.log2(whole / mass) for mass in belief.values())
        return max(belief.values())

    reached = max(
        math.fsum(
            max(math.fsum(end(last) for last in after(belief, second)) for second in (1, 2, 3))
            for belief in after(prior, first)
        )
        for first in (1, 2, 3)
    )
    return reached - end(prior) if uncertain else reached


@pytest.mark.parametrize("measure", ["I(b; answer)", "V(b | answer)"])
def test_behind_noise_without_an_end_the_best_strategy_lies_within_the_bounds(measure: str) -> None:
    result = seepage.parse(NOISY).measure(measure)
    best = best_of_two_rounds(measure.startswith("I"))

    assert result.value is None
    assert result.lower <= best + 1e-9
    assert best <= result.upper
    assert result.lower > 0.9 * best  # what choosing beforehand comes to
    assert result.strategy is not None
    assert "infinitely many" in result.strategy.only_bounds


def test_the_leakage_table_tells_bounds_where_another_strategy_may_be_better() -> None:
    analysis = seepage.parse(f"{NOISY}require I(b; answer) <= 1.7 bits\nrequire I(b; answer) <= 0.1 bits\n").analyze()
    (row,) = analysis.table
    best, guess = best_of_two_rounds(True), best_of_two_rounds(False)

    assert row.information is not None
    assert row.information.value is None
    assert row.information.lower <= best <= row.information.upper
    assert row.guess_after is not None
    assert row.guess_after.lower - 1e-9 <= guess <= row.guess_after.upper
    assert row.percent is not None
    assert row.percent.upper == 100
    assert [answer.verdict for answer in analysis.answers] == ["cannot tell", "violated"]


def test_a_search_that_reaches_a_limit_ends_in_bounds() -> None:
    """Two questions among 600 tell two bits at best, which is what two answers can tell at most; asked at once, a quarter of a bit less or so."""
    text = "secret s\noutput o\ns ~ uniform_int(0, 599)\nfor i in 1..2 { attacker q[i] in 0..599  o[i] := s <= q[i] }\n"
    result = seepage.parse(text).measure("I(s; o)")

    assert 1.4 < result.lower <= 2 <= result.upper < 2.01
