"""The outputs that tell most and leave least of a secret of many values, against enumeration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from math import log2

import pytest
from flint import fmpz

import seepage
from seepage.engines.outcome import Budget
from seepage.measures.discrete import posteriors
from seepage.measures.enclosure import Enclosure

SIZE = 6_000  # above it, uniform secrets are classes of values
CASES: dict[str, tuple[str, str, Callable[[int, int], Hashable]]] = {
    "quotient": ("o := floor(s / 7)", "o", lambda s, _: s // 7),
    "remainder": ("o := s % 9", "o", lambda s, _: s % 9),
    "itself": ("o := s", "o", lambda s, _: s),
    "shifted": ("o := 3 - 2*s", "o", lambda s, _: 3 - 2 * s),
    "threshold": ("if s < 17 { o := 1 } else { o := 0 }", "o", lambda s, _: int(s < 17)),
    "some of it": ("if s < 5900 { o := 0 } else { o := s }", "o", lambda s, _: 0 if s < 5900 else s),
    "noisy": ("o := floor(s / 6) + b", "o", lambda s, b: s // 6 + b),
    "sometimes": ("if b == 1 { o := floor(s / 100) } else { o := 0 }", "o", lambda s, b: s // 100 if b else 0),
    "sometimes all": ("if b == 1 { o := s } else { o := 0 - 1 }", "o", lambda s, b: s if b else -1),
    "two": ("o := floor(s / 100)\nu := s % 3", "o, u", lambda s, _: (s // 100, s % 3)),
}


@pytest.mark.family(every=4)
@pytest.mark.parametrize("case", CASES)
def test_the_worst_outputs_are_those_of_enumeration(case: str) -> None:
    """b is 1 with probability 1/4; given an output v, x has the weights 3 and 1 of its pairs (x, b), over the number of pairs."""
    statements, outputs, seen = CASES[case]
    text = f"secret s\noutput {outputs}\ns ~ uniform_int(0, {SIZE - 1})\nb ~ bernoulli(1/4)\n{statements}\n"
    posterior: dict[Hashable, Counter[int]] = {}
    for s in range(SIZE):
        for b, weight in ((0, 3), (1, 1)):
            posterior.setdefault(seen(s, b), Counter())[s] += weight
    left = {value: _entropy(weights) for value, weights in posterior.items()}
    most_told, least_left = log2(SIZE) - min(left.values()), min(left.values())

    row = seepage.parse(text).analyze().table[0]

    assert row.worst is not None
    assert row.least_left is not None
    told, rest = row.worst.divergence, row.least_left.entropy
    assert told.lower - 1e-9 <= most_told <= told.upper + 1e-9
    assert rest.lower - 1e-9 <= least_left <= rest.upper + 1e-9
    assert told.upper - told.lower < 1e-9
    for words in (row.worst.output, row.least_left.output):
        numbers = [int(part.split("=")[1]) for part in words.split(", ")]
        assert left[numbers[0] if len(numbers) == 1 else tuple(numbers)] == pytest.approx(least_left, abs=1e-9)


def test_an_output_that_tells_nothing_on_average_tells_nothing_at_its_worst() -> None:
    """The chance of a true answer is irrational, so that chances are balls, but noise alone is seen."""
    text = "secret a\noutput o\na ~ bernoulli(1/2)\nt ~ bernoulli(exp(1) / (exp(1) + 1))\nb ~ bernoulli(1/3)\nif t { o := b } else { o := !b }\n"

    row = seepage.parse(text).analyze().table[0]

    assert row.worst is not None
    assert (row.worst.divergence.lower, row.worst.divergence.upper) == (0, 0)


def _entropy(weights: Counter[int]) -> float:
    mass = sum(weights.values())
    return -sum(weight / mass * log2(weight / mass) for weight in weights.values())


def test_outputs_with_like_posteriors_are_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 2,000 outputs of two secrets each, all posteriors are alike."""
    counted: list[int] = []
    measure = posteriors._entropy

    def counting(parts: Sequence[fmpz], budget: Budget) -> Enclosure:
        counted.append(len(parts))
        return measure(parts, budget)

    monkeypatch.setattr(posteriors, "_entropy", counting)
    (row,) = seepage.parse("secret s\noutput o\ns ~ uniform_int(1, 4000)\no := floor((s + 1) / 2)\n").analyze().table

    assert row.least_left is not None
    assert row.least_left.entropy.exact == 1
    assert len(counted) <= 2
