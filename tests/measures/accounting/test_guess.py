"""The chance to guess a secret with two values behind many unlike outputs, against enumeration and closed forms."""

from __future__ import annotations

import math
from statistics import NormalDist

import pytest

import seepage

UNLIKE = """
const n = {count}
secret s
output o
s ~ bernoulli({prior})
for i in 1..n {{ lie ~ flip(1/4 + i/100); o[i] := s xor lie }}
"""
NOISY = """
const n = 300
secret s
output o
s ~ bernoulli(1/3)
for i in 1..n { o[i] ~ normal(s, 100 + i) }
"""


def enumerated(count: int, prior: float) -> float:
    rows = [(prior, 1 - prior)]
    for at in range(1, count + 1):
        lie = 1 / 4 + at / 100
        rows = [pair for p, q in rows for pair in ((p * (1 - lie), q * lie), (p * lie, q * (1 - lie)))]
    return math.fsum(map(max, rows))


@pytest.mark.parametrize("prior", ["1/2", "9/10"])
def test_nineteen_unlike_answers(prior: str) -> None:
    program = seepage.parse(UNLIKE.format(count=19, prior=prior))
    one, other = (int(each) for each in prior.split("/"))

    chance, guesses = program.measure("V(s | o)"), program.measure("Guess(s | o)")

    truth = enumerated(19, one / other)
    assert chance.lower - 1e-12 <= truth <= chance.upper + 1e-12
    assert chance.upper - chance.lower < 1e-3
    assert guesses.lower - 1e-12 <= 2 - truth <= guesses.upper + 1e-12


def test_three_hundred_unlike_values_behind_normal_noise() -> None:
    found = seepage.parse(NOISY).measure("V(s | o)")

    far = math.sqrt(math.fsum(1 / (100 + at) for at in range(1, 301)))
    claimed, below = math.log(2), NormalDist().cdf
    excess = below(far / 2 - claimed / far) - 2 * below(-far / 2 - claimed / far)
    assert found.certainty == "certified"
    assert found.value == pytest.approx(2 / 3 + excess / 3, abs=1e-9)


def test_sixty_unlike_answers_are_certified() -> None:
    found = seepage.parse(UNLIKE.replace("i/100", "i/1000").format(count=60, prior="2/5")).measure("V(s | o)")

    assert found.certainty == "certified"
    assert found.upper - found.lower < 1e-3
    assert 0.9 < found.lower < found.upper < 1
