"""What many unlike outputs tell of a secret with two values, against enumeration, quadrature and closed forms."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import pytest
from numpy.typing import NDArray

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


def channel(count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the chances of all sequences of answers, for either value of the secret."""
    a = b = np.ones(1)
    for at in range(1, count + 1):
        lie = 1 / 4 + at / 100
        a, b = np.concatenate((a * (1 - lie), a * lie)), np.concatenate((b * lie, b * (1 - lie)))
    return a, b


def enumerated(count: int, prior: float) -> float:
    a, b = channel(count)
    return float(np.maximum(prior * a, (1 - prior) * b).sum())


@pytest.mark.parametrize("prior", ["1/2", "9/10"])
def test_nineteen_unlike_answers(prior: str) -> None:
    program = seepage.parse(UNLIKE.format(count=19, prior=prior))
    one, other = (int(each) for each in prior.split("/"))

    chance, guesses = program.measure("V(s | o)"), program.measure("Guess(s | o)")

    truth = enumerated(19, one / other)
    assert chance.lower - 1e-12 <= truth <= chance.upper + 1e-12
    assert chance.upper - chance.lower < 1e-3
    assert guesses.lower - 1e-12 <= 2 - truth <= guesses.upper + 1e-12


@pytest.mark.variation(of="test_all_measures_of_nineteen_unlike_answers")
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


def test_all_measures_of_nineteen_unlike_answers() -> None:
    p, q = 1 / 3, 2 / 3
    a, b = channel(19)

    def information(t: float) -> float:
        whole = t * a + (1 - t) * b
        return float((t * a * np.log2(a / whole) + (1 - t) * b * np.log2(b / whole)).sum())

    chance = float(np.maximum(p * a, q * b).sum())
    before = -p * math.log2(p) - q * math.log2(q)
    program = seepage.parse(UNLIKE.format(count=19, prior="1/3"))
    truths = {
        "I(s; o)": information(p),
        "H(s | o)": before - information(p),
        "Hmin(s | o)": -math.log2(chance),
        "Lmin(s -> o)": math.log2(chance / q),
        "C(s -> o)": information(1 / 2),  # the channel is the same with its inputs exchanged
        "Cmin(s -> o)": math.log2(float(np.maximum(a, b).sum())),
        "DP(s -> o)": math.fsum(math.log((1 - lie) / lie) for lie in (1 / 4 + at / 100 for at in range(1, 20))),
    }
    for measure, truth in truths.items():
        found = program.measure(measure)
        assert found.lower - 1e-12 <= truth <= found.upper + 1e-12, measure
        assert found.upper - found.lower <= 3e-4 * truth, measure


MIXED = """
secret s
output o, p, r
s ~ flip(1/3)
o ~ laplace(s, 2)
p ~ normal(s, 4)
lie ~ flip(1/4)
r := s xor lie
"""


@pytest.mark.variation(of="test_all_measures_of_nineteen_unlike_answers")
def test_laplace_beside_normal_beside_discrete_outputs() -> None:
    """Against a midpoint sum over both continuous outputs."""

    def density(x: float, y: float, s: int) -> float:
        return math.exp(-abs(x - s) / 2) / 4 * math.exp(-((y - s) ** 2) / 8) / math.sqrt(8 * math.pi)

    step, told, least, right = 0.125, 0.0, 0.0, 0.0
    for i in range(-240, 250):
        for j in range(-112, 122):
            x, y = (i + 0.5) * step, (j + 0.5) * step
            one, other = (density(x, y, s) * step * step for s in (1, 0))
            for truth in (3 / 4, 1 / 4):
                a, b = one * truth / 3, other * (1 - truth) * 2 / 3
                told += a * math.log2(a / (a + b) * 3) + b * math.log2(b / (a + b) * 3 / 2)
                right += max(a, b)
                least += max(a * 3, b * 3 / 2)
    program = seepage.parse(MIXED)
    for measure, truth in (
        ("I(s; o, p, r)", told),
        ("H(s | o, p, r)", math.log2(3) - 2 / 3 - told),
        ("V(s | o, p, r)", right),
        ("Hmin(s | o, p, r)", -math.log2(right)),
        ("Guess(s | o, p, r)", 2 - right),
        ("Lmin(s -> o, p, r)", math.log2(right * 3 / 2)),
        ("Cmin(s -> o, p, r)", math.log2(least)),
    ):
        found = program.measure(measure)
        assert found.certainty == "certified", measure
        assert found.lower - 1e-3 <= truth <= found.upper + 1e-3, measure
        assert found.upper - found.lower < 1e-3, measure


def test_outputs_that_tell_nothing_have_a_capacity_of_none() -> None:
    text = "secret s\noutput o\ns ~ flip(1/2)\nfor i in 1..25 { a ~ flip(i/50); b ~ flip(1/3); o[i] := if a then b else s - s }"
    found = seepage.parse(text).measure("C(s -> o)")
    assert (found.lower, found.upper) == (0, 0)


@pytest.mark.variation(of="test_all_measures_of_nineteen_unlike_answers")
def test_a_hundred_unlike_answers_tell_what_their_summed_losses_do() -> None:
    lies = [1 / 2 - 1 / (at + 20) for at in range(1, 101)]
    text = "secret s\noutput o\ns ~ flip(1/3)\nfor i in 1..100 { lie ~ flip(1/2 - 1/(i + 20)); o[i] := s xor lie }"

    found = seepage.parse(text).measure("I(s; o)")

    step = 5e-4  # the sum of losses on a grid, each loss between two points of it, so that its mean stays
    law = np.ones(1)
    for lie in lies:
        place = math.log((1 - lie) / lie) / step
        steps, share = math.floor(place), place % 1
        one = np.zeros(2 * steps + 3)
        one[[0, 1, -2, -1]] = lie * share, lie * (1 - share), (1 - lie) * (1 - share), (1 - lie) * share
        law = np.fft.irfft(np.fft.rfft(law, 1 << 16) * np.fft.rfft(one, 1 << 16), 1 << 16)
    law = law[: sum(2 * math.floor(math.log((1 - lie) / lie) / step) + 2 for lie in lies) + 1]
    law = np.maximum(law, 1e-18)  # the transform leaves noise of this size where nothing is
    other = law[::-1]
    mean = law / 3 + 2 / 3 * other
    truth = float((law * np.log2(law / mean)).sum() / 3 + (other * np.log2(other / mean)).sum() * 2 / 3)
    assert found.value == pytest.approx(truth, abs=2e-6)
    assert found.upper - found.lower < 1e-6
