"""What a sum tells of many alike secrets, by how often each value comes, against enumeration and closed forms."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import product
from math import comb, inf, isclose, log, log2

import pytest
from tests.measures.planning.brute_force import (
    Law,
    blind,
    entropy,
    guesses,
    information,
    loss,
    marginal,
    min_capacity,
    within,
)
from tests.measures.planning.programs import release, table

import seepage
from seepage.measures.planning import counts, planner
from seepage.measures.planning.plan import Step

POLL = """
secret answer
output count
for i in 1..{n} {{
    answer[i] ~ bernoulli(3/10)
    honest ~ bernoulli({honest})
    count := count + (if honest then answer[i] else 1 - answer[i])
}}
"""


@contextmanager
def by_counts_only() -> Iterator[None]:
    """Have small questions answered by counts, too, and by nothing else."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counts, "_MANY_BITS", -1.0)
        patch.setattr(counts, "_MANY_BITS_OF_FEW", -1.0)
        patch.setattr(planner, "is_small", lambda _: False)
        yield


def has(step: Step, name: str) -> bool:
    return (step.name == name and step.outcome == "answered") or any(has(each, name) for each in step.steps)


@pytest.mark.variation(of="test_a_count_of_many_answers")
def test_all_measures_of_random_sums_are_those_of_enumeration() -> None:
    random_ = random.Random(17)
    answered = 0
    for _ in range(25):
        values, kinds = random_.choice([2, 2, 3]), random_.choice([1, 1, 2])
        people, noise = random_.choice([2, 3]), random_.choice([0, 0, 1])
        image = random_.choice(["", "o := o / 3\n", "o := o % 2\n", "t := 2*o + 1\no := floor(t / 3)\n"])
        laws = []
        for _ in range(kinds):
            rows = [[Fraction(random_.randint(0, 3)) for _ in range(2)] for _ in range(values)]
            rows = [[each / sum(row) for each in row] if sum(row) else [Fraction(1), Fraction(0)] for row in rows]
            weights = [random_.randint(1, 3) for _ in range(values)]
            laws.append(([Fraction(each, sum(weights)) for each in weights], rows))
        text = "secret x\noutput o\n"
        for number in range(people):
            prior, rows = laws[number % kinds]
            text += f"x[{number}] ~ {table(prior)}\n{release(f'x[{number}]', f'z{number}', rows)}\no := o + z{number}\n"
        text += "e ~ bernoulli(1/5)\no := o + 2*e\n" * noise + image
        law: Law = {}
        for x in product(range(values), repeat=people):
            for z in product(range(2), repeat=people):
                for e in range(1 + noise):
                    mass = Fraction(1) if not noise else Fraction(1 + 3 * (1 - e), 5)
                    for number in range(people):
                        prior, rows = laws[number % kinds]
                        mass *= prior[x[number]] * rows[x[number]][z[number]]
                    total = sum(z) + 2 * e
                    seen = {"": total, "o := o / 3\n": total, "o := o % 2\n": total % 2}.get(
                        image, (2 * total + 1) // 3
                    )
                    if mass:
                        law[x, (seen,)] = law.get((x, (seen,)), Fraction(0)) + mass
        expected = {
            "I(x; o)": information(law),
            "H(x | o)": entropy(law.values()) - entropy(marginal(law, 1).values()),
            "V(x | o)": float(within(law, 1)),
            "Hmin(x | o)": -log2(within(law, 1)),
            "Guess(x | o)": float(guesses(law)),
            "Lmin(x -> o)": log2(within(law, 1) / within(blind(law), 1)),
            "Cmin(x -> o)": log2(min_capacity(law)),
            "DP(x -> o)": loss(law),
            "DP(x -> o, distance=1)": loss(law, 1),
            "DP(x -> o, distance=2)": loss(law, 2),
        }
        program = seepage.parse(text)
        with by_counts_only():
            for measure, right in expected.items():
                found = program.measure(measure)
                answered += any(has(each, "counts of alike secrets") for each in found.plan)
                assert found.lower - 1e-9 <= right <= found.upper + 1e-9, (measure, right, found, text)
                assert right == inf or found.upper - found.lower < 1e-9, (measure, right, found, text)
    assert answered > 150


@pytest.mark.parametrize("n", [40, 90])
def test_a_count_of_many_answers(n: int) -> None:
    program = seepage.parse(POLL.format(n=n, honest="3/4"))
    prior = [comb(n, t) * Fraction(3, 10) ** t * Fraction(7, 10) ** (n - t) for t in range(n + 1)]
    rows = []
    for t in range(n + 1):  # t honest answers of 1 with chance 3/4, n − t lies with chance 1/4
        ones = [comb(t, k) * 3**k for k in range(t + 1)]
        lies = [comb(n - t, k) * 3 ** (n - t - k) for k in range(n - t + 1)]
        row = [0] * (n + 1)
        for a, one in enumerate(ones):
            for b, lie in enumerate(lies):
                row[a + b] += one * lie
        rows.append([Fraction(each, 4**n) for each in row])
    outputs = [sum((p * row[o] for p, row in zip(prior, rows, strict=True)), Fraction(0)) for o in range(n + 1)]
    joint = (
        float(p * each) * (log2(each) - log2(outputs[o]))
        for p, row in zip(prior, rows, strict=True)
        for o, each in enumerate(row)
    )
    told = sum(joint)
    best = [Fraction(3, 10) ** t * Fraction(7, 10) ** (n - t) for t in range(n + 1)]
    chance = sum(max(row[o] * each for row, each in zip(rows, best, strict=True)) for o in range(n + 1))
    guess = Fraction(0)
    for o in range(n + 1):
        before = 0
        for weight, size in sorted(((rows[t][o] * best[t], comb(n, t)) for t in range(n + 1)), reverse=True):
            guess += weight * (size * before + Fraction(size * (size + 1), 2))
            before += size
    left = n * entropy([Fraction(3, 10), Fraction(7, 10)]) - told

    assert isclose(program.measure("I(answer; count)").number, told, rel_tol=1e-9)
    assert isclose(program.measure("H(answer | count)").number, left, rel_tol=1e-9)
    assert isclose(program.measure("V(answer | count)").number, chance, rel_tol=1e-12)
    assert isclose(program.measure("Guess(answer | count)").number, guess, rel_tol=1e-12)
    assert isclose(program.measure("DP(answer -> count, distance=1)").number, log(3), rel_tol=1e-12)


def test_chances_that_are_irrational_are_enclosed() -> None:
    program = seepage.parse(POLL.format(n=60, honest="exp(1)/(1 + exp(1))"))
    information_, loss_ = program.measure("I(answer; count)"), program.measure("DP(answer -> count, distance=2)")
    single = program.measure("I(answer[1]; count)")

    assert loss_.lower - 1e-12 <= 2 <= loss_.upper + 1e-12
    assert information_.upper - information_.lower < 1e-15
    assert single.upper - single.lower < 1e-15
    assert 60 * single.number <= information_.upper  # independent secrets behind any channel


def test_one_answer_among_many() -> None:
    n = 230
    found = seepage.parse(POLL.format(n=n, honest="3/4")).measure("I(answer[1]; count)")
    yes = Fraction(3, 10) * Fraction(3, 4) + Fraction(7, 10) * Fraction(1, 4)
    others = [comb(n - 1, k) * yes**k * (1 - yes) ** (n - 1 - k) for k in range(n)]
    rows = [
        [(others[k] if k < n else 0) * (1 - p) + (others[k - 1] if k else 0) * p for k in range(n + 1)]
        for p in (Fraction(1, 4), Fraction(3, 4))
    ]
    law: Law = {
        ((x,), (k,)): (Fraction(3, 10) if x else Fraction(7, 10)) * rows[x][k] for x in (0, 1) for k in range(n + 1)
    }
    outputs = marginal(law, 1)
    right = sum(float(mass) * (log2(rows[x[0]][k[0]]) - log2(outputs[k])) for (x, k), mass in law.items() if mass)

    assert any(has(each, "counts of alike secrets") for each in found.plan)
    assert isclose(found.number, right, rel_tol=1e-7)


def test_a_function_of_a_sum_needs_values_only_where_the_sum_has_some() -> None:
    text = "secret x\noutput o\nfor i in 1..30 {{ x[i] ~ flip(1/3); l ~ flip(1/4); c := c + 3*(x[i] xor l) }}\no := {image}\n"
    plain = seepage.parse(text.format(image="c")).measure("I(x; o)")
    one_to_one = seepage.parse(text.format(image="1/(c - 1)")).measure("I(x; o)")

    assert (one_to_one.lower, one_to_one.upper) == (plain.lower, plain.upper)
    with pytest.raises(seepage.MeasureError):
        seepage.parse(text.format(image="1/(c - 3)")).measure("I(x; o)")
