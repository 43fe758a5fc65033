"""Bounds for compositions of random discrete pairs, with outputs that one input never has, on coarse grids, against enumeration."""

import math
import os
import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import pytest

from seepage.measures.accounting import account
from seepage.measures.accounting import information as account_of_information
from seepage.measures.accounting.account import Releases, excess, loss
from seepage.measures.accounting.discrete import Discrete
from seepage.measures.accounting.information import capacity, information

_PROGRAMS = 40 if os.environ.get("SEEPAGE_DEEP") else 4
_WEIGHTS = (0, 0, 1, 2, 3, 5, 8, 13, 40)


def _law(rng: random.Random, size: int) -> list[Fraction]:
    weights = [0] * size
    while not any(weights):
        weights = [rng.choice(_WEIGHTS) for _ in range(size)]
    return [Fraction(weight, sum(weights)) for weight in weights]


def _pair(rng: random.Random) -> Discrete:
    size = rng.randint(1, 5)
    both = zip(_law(rng, size), _law(rng, size), strict=True)
    return Discrete(tuple((p, q) for p, q in both if p or q))


def _enumerated(parts: Sequence[tuple[Discrete, int]]) -> list[tuple[float, float]]:
    outputs: Counter[tuple[Fraction, Fraction]] = Counter({(Fraction(1), Fraction(1)): 1})
    for pair, count in parts:
        for _ in range(count):
            longer: Counter[tuple[Fraction, Fraction]] = Counter()
            for (p, q), times in outputs.items():
                for a, b in pair.outputs:
                    longer[p * Fraction(str(a)), q * Fraction(str(b))] += times
            outputs = longer
    return [(float(p * times), float(q * times)) for (p, q), times in outputs.items()]


def _excess(outputs: Sequence[tuple[float, float]], epsilon: float) -> float:
    return math.fsum(max(0.0, p - math.exp(epsilon) * q) for p, q in outputs)


@pytest.mark.family(every=3)
@pytest.mark.parametrize("seed", range(_PROGRAMS))
def test_bounds_hold_for_random_pairs(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(50):
        parts = tuple((_pair(rng), rng.randint(1, 3)) for _ in range(rng.randint(1, 2)))
        outputs, releases = _enumerated(parts), Releases(parts)
        monkeypatch.setattr(account, "_FINENESS", (rng.choice([1.0, 2.0, 4.0, 8.0]),))
        epsilon = Fraction(rng.choice([0, 1, 5, 10, 20, 37]), 10)
        found, true = excess(releases, epsilon), _excess(outputs, float(epsilon))
        assert found.lower <= true * (1 + 1e-12) + 1e-15, (parts, epsilon)
        assert found.upper >= true * (1 - 1e-12) - 1e-15, (parts, epsilon)
        delta = Fraction(rng.choice([1, 10, 100, 1000, 100000]), 10**6)
        found = loss(releases, delta)
        if math.isinf(found.lower):
            assert sum(p for p, q in outputs if q == 0) > delta, (parts, delta)
        elif found.lower > 0:
            assert _excess(outputs, found.lower) >= float(delta) * (1 - 1e-10), (parts, delta)
        if math.isfinite(found.upper):
            assert _excess(outputs, found.upper) <= float(delta) * (1 + 1e-10) + 1e-15, (parts, delta)


def test_bounds_of_random_pairs_are_close() -> None:
    """A fine grid tells most digits: what is only safe would be of no use."""
    rng, wide = random.Random(1), 0
    for _ in range(20):
        parts = tuple((_pair(rng), rng.randint(1, 3)) for _ in range(rng.randint(1, 2)))
        found = excess(Releases(parts), Fraction(1, 2))
        wide += found.upper - found.lower > 0.02 * found.upper + 1e-9
    assert wide <= 2


@pytest.mark.family(every=3)
@pytest.mark.parametrize("seed", range(_PROGRAMS))
def test_informations_and_capacities_hold_for_random_pairs(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    rng = random.Random(1_000 + seed)
    for _ in range(25):
        parts = tuple((_pair(rng), rng.randint(1, 3)) for _ in range(rng.randint(1, 2)))
        outputs, releases = _enumerated(parts), Releases(parts)
        monkeypatch.setattr(account_of_information, "_FINENESS", (rng.choice([1.0, 2.0, 8.0, 16.0]),))
        p = rng.choice([1, 10, 50, 90, 999]) / 1000
        found, true = information(releases, p, 1 - p, 0.0, lambda: None), _information(outputs, p)
        assert found.lower <= true * (1 + 1e-12) + 1e-15, (parts, p)
        assert found.upper >= true * (1 - 1e-12) - 1e-15, (parts, p)
        most = capacity(releases, 0.0, lambda: None)
        assert most.upper >= max(_information(outputs, at / 20) for at in range(1, 20)) * (1 - 1e-12) - 1e-15, parts
        one = max(_information(outputs, at / 2000) for at in range(1, 2000))
        assert most.lower <= one * (1 + 1e-4) + 1e-15, parts


def _information(outputs: Sequence[tuple[float, float]], p: float) -> float:
    terms: list[float] = []
    for a, b in outputs:
        mean = p * a + (1 - p) * b
        terms += [share * chance * math.log(chance / mean) for share, chance in ((p, a), (1 - p, b)) if chance]
    return math.fsum(terms)


def test_informations_of_random_pairs_are_close() -> None:
    rng = random.Random(2)
    for _ in range(10):
        parts = tuple((_pair(rng), rng.randint(1, 3)) for _ in range(2))
        found = information(Releases(parts), 0.25, 0.75, 1e-6, lambda: None)
        assert found.upper - found.lower <= 1e-4 * found.upper + 1e-12, parts
