"""Mechanisms of the literature as they are first written, against their channels written out by hand."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath
import pytest
from tests.measures.formulas.formula_reading import read_text
from tests.measures.ranges.range_answers import answer

from seepage import parse

EXP = mpmath.exp
Row = Mapping[Any, Any]
Channel = Mapping[Any, Row]


def loss(rows: Channel, near: Callable[[Any, Any], bool] = lambda a, b: True) -> Any:
    """Return the greatest log-ratio of the chances of an output for two neighbours."""
    pairs = [(a, b) for a in rows for b in rows if a != b and near(a, b)]
    return max(mpmath.log(rows[a][o] / rows[b][o]) for a, b in pairs for o in rows[a])


def one_apart(a: Any, b: Any) -> bool:
    return bool(sum(map(operator.ne, a, b)) <= 1)


# --- formulas ---------------------------------------------------------------------------------------------------------

VOTE = """param eps in [0, 5] = 1
for i in 1..3 { v[i] ~ uniform_int(0, 2) }
for k in 0..2 { c[k] := 0 }
for i in 1..3 { for k in 0..2 { c[k] := c[k] + (v[i] == k) } }
for k in 0..2 { w[k] := exp(eps * c[k] / 2) }
t := w[0] + w[1] + w[2]
o ~ {0: w[0]/t, 1: w[1]/t, 2: w[2]/t}
"""
SUBSAMPLED = """param eps in [0, 5] = 1
param q in [0, 1] = 1/10
r ~ flip(1/2)
chosen ~ flip(q)
keep ~ flip(exp(eps)/(exp(eps) + 1))
x := if chosen then r else 0
o := if keep then x else 1 - x
"""
UNRELATED = """param t in [0, 1] = 3/4
param u in (0, 1) = 1/3
s ~ flip(1/2)
other ~ flip(u)
truthfully ~ flip(t)
o := if truthfully then s else other
"""
ROUNDED = """param eps in (0, 5] = 1
x ~ uniform_int(-4, 4)
o ~ flip(1/2 + x/4 * (exp(eps) - 1)/(2*(exp(eps) + 1)))
"""
HADAMARD = """param eps in [0, 5] = 1
s ~ uniform_int(0, 7)
j ~ uniform_int(0, 7)
bit := ((s % 2) * (j % 2) + (floor(s/2) % 2) * (floor(j/2) % 2) + floor(s/4) * floor(j/4)) % 2
keep ~ flip(exp(eps)/(exp(eps) + 1))
a := if keep then bit else 1 - bit
"""
FLIPPING = """param eps in [0, 5] = 1
for k in 0..2 { u[k] ~ uniform_int(0, 1) }
best := max(u[0], max(u[1], u[2]))
order ~ uniform_int(0, 5)
first := floor(order / 2)
second := (first + 1 + order % 2) % 3
third := 3 - first - second
for k in 0..2 { heads[k] ~ flip(exp(eps * (u[k] - best) / 2)) }
o := if heads[first] then first else if heads[second] then second else third
"""


def vote(eps: Any) -> Any:
    rows = {}
    for votes in product(range(3), repeat=3):
        weights = [EXP(eps * votes.count(k) / 2) for k in range(3)]
        rows[votes] = {k: weights[k] / sum(weights) for k in range(3)}
    return loss(rows, one_apart)


def subsampled(eps: Any, q: Any) -> Any:
    keep = EXP(eps) / (EXP(eps) + 1)
    one = q * keep + (1 - q) * (1 - keep)
    return loss({0: {1: 1 - keep, 0: keep}, 1: {1: one, 0: 1 - one}})


def unrelated(t: Any, u: Any) -> Any:
    yes = {s: t * s + (1 - t) * u for s in (0, 1)}
    return loss({s: {1: yes[s], 0: 1 - yes[s]} for s in (0, 1)})


def rounded(eps: Any) -> Any:
    tilt = (EXP(eps) - 1) / (EXP(eps) + 1) / 2
    yes = {x: mpmath.mpf(1) / 2 + mpmath.mpf(x) / 4 * tilt for x in range(-4, 5)}
    return loss({x: {1: p, 0: 1 - p} for x, p in yes.items()})


def hadamard(eps: Any) -> Any:
    keep = EXP(eps) / (EXP(eps) + 1)
    rows = {
        s: {(j, a): (keep if a == (s & j).bit_count() % 2 else 1 - keep) / 8 for j in range(8) for a in (0, 1)}
        for s in range(8)
    }
    return loss(rows)


def flipping(eps: Any) -> Any:
    rows = {}
    for u in product(range(2), repeat=3):
        row = dict.fromkeys(range(3), mpmath.mpf(0))
        heads = [EXP(eps * (each - max(u)) / 2) for each in u]
        for order in [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]:
            left = mpmath.mpf(1) / 6
            for k in order[:2]:
                row[k] += left * heads[k]
                left *= 1 - heads[k]
            row[order[2]] += left
        rows[u] = row
    return loss(rows, one_apart)


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    ("text", "measure", "by_hand", "points"),
    [
        (VOTE, "DP(v -> o, distance=1)", vote, [{"eps": "1/5"}, {"eps": "1"}, {"eps": "4"}]),
        (SUBSAMPLED, "DP(r -> o)", subsampled, [{"eps": "1", "q": "1/10"}, {"eps": "3", "q": "9/10"}]),
        (UNRELATED, "DP(s -> o)", unrelated, [{"t": "1/2", "u": "1/3"}, {"t": "1/9", "u": "1/7"}]),
        (UNRELATED, "DP(s -> o)", unrelated, [{"t": "1/2", "u": "3/5"}]),
        (ROUNDED, "DP(x -> o)", rounded, [{"eps": "1"}, {"eps": "9/2"}]),
        (HADAMARD, "DP(s -> j, a)", hadamard, [{"eps": "1"}, {"eps": "2"}]),
        (FLIPPING, "DP(u -> o, distance=1)", flipping, [{"eps": "1/3"}, {"eps": "2"}]),
    ],
)
def test_the_loss_has_a_formula(
    text: str, measure: str, by_hand: Callable[..., Any], points: list[dict[str, str]]
) -> None:
    program = parse(text)

    formula = program.measure(measure, params=points[0]).formula

    assert formula is not None
    for point in points:
        values = {name: Fraction(value) for name, value in point.items()}
        truth = by_hand(**{name: mpmath.mpf(value.numerator) / value.denominator for name, value in values.items()})
        found = program.measure(measure, params=point)
        assert abs(read_text(formula, values) - truth) < 1e-12
        assert found.lower - 1e-12 <= truth <= found.upper + 1e-12


def test_amplification_by_subsampling_is_read_off() -> None:
    found = parse(SUBSAMPLED).measure("DP(r -> o)").formula

    assert found is not None
    assert (found.text, found.conditions) == ("ln(q·e^eps − q + 1)", ())


def test_a_condition_says_which_answer_tells_more() -> None:
    found = [parse(UNRELATED).measure("DP(s -> o)", params={"u": u}).formula for u in ("1/3", "2/3")]

    assert all(each is not None for each in found)
    assert "u ≤ 1/2" in (found[0].conditions if found[0] else ())
    assert "u ≥ 1/2" in (found[1].conditions if found[1] else ())


# --- over ranges ------------------------------------------------------------------------------------------------------

SHUFFLED = """param eps in [0, 5] = 1
o := 0
for i in 1..8 {
    r[i] ~ flip(1/2)
    keep ~ flip(exp(eps)/(exp(eps) + 1))
    o := o + (if keep then r[i] else 1 - r[i])
}
"""


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    ("text", "requirement", "verdict"),
    [
        (VOTE, "DP(v -> o, distance=1) <= eps over eps in [0, 5]", "holds"),
        (VOTE, "DP(v -> o, distance=1) <= eps/2 over eps in [0, 5]", "violated"),
        (SUBSAMPLED, "DP(r -> o) <= log(1 + q*(exp(eps) - 1)) over eps in [0, 5], q in [0, 1]", "holds"),
        (SUBSAMPLED, "DP(r -> o) <= log(1 + q*(exp(eps) - 1)/2) over eps in [0, 5], q in [0, 1]", "violated"),
        (SUBSAMPLED, "DP(r -> o) < log(1 + q*(exp(eps) - 1)) over eps in [1, 5], q in [1/2, 1]", "violated"),
        (ROUNDED, "DP(x -> o) <= eps over eps in (0, 5]", "holds"),
        (ROUNDED, "DP(x -> o) < eps over eps in (0, 5]", "violated"),
        (HADAMARD, "DP(s -> j, a) <= eps over eps in [0, 5]", "holds"),
        (FLIPPING, "DP(u -> o, distance=1) <= eps over eps in [0, 5]", "holds"),
        (SHUFFLED, "DP(r -> o, distance=1) <= eps over eps in [0, 5]", "holds"),
    ],
)
def test_a_budget_is_decided(text: str, requirement: str, verdict: str) -> None:
    assert answer(text, requirement)[0] == verdict
