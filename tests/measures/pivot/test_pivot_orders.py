"""Programs that compare noisy values with each other, against quadrature with numpy: report noisy max, sparse vector, tournaments."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

import seepage
from seepage.measures.result import Certainty, Result

Array = NDArray[np.float64]
Values = tuple[int, ...]

NODES, WEIGHTS = np.polynomial.legendre.leggauss(60)
FAR = 80.0


def integral(of: Callable[[Array], Array], kinks: Sequence[float]) -> float:
    """Integrate a function that is analytic between some places, piece by piece."""
    marks = sorted({-FAR, FAR, *(k + d for k in kinks for d in (-20, -6, -2, 0, 2, 6, 20))})
    return sum(
        (b - a) / 2 * float(WEIGHTS @ of((a + b) / 2 + (b - a) / 2 * NODES)) for a, b in itertools.pairwise(marks)
    )


def laplace(x: Array, scale: float) -> Array:
    return np.asarray(np.exp(-abs(x) / scale) / (2 * scale))


def laplace_below(x: Array, scale: float) -> Array:
    return np.where(x < 0, np.exp(np.minimum(x, 0) / scale) / 2, 1 - np.exp(-np.maximum(x, 0) / scale) / 2)


def normal(x: Array, scale: float) -> Array:
    return np.asarray(np.exp(-x * x / (2 * scale**2)) / (scale * math.sqrt(2 * math.pi)))


def normal_below(x: Array, scale: float) -> Array:
    return np.array([math.erfc(-each / (scale * math.sqrt(2))) / 2 for each in x])


def exponential(x: Array, scale: float) -> Array:
    return np.where(x > 0, np.exp(-np.maximum(x, 0) / scale) / scale, 0)


def exponential_below(x: Array, scale: float) -> Array:
    return np.where(x > 0, 1 - np.exp(-np.maximum(x, 0) / scale), 0)


LAWS: Mapping[str, tuple[Callable[[Array, float], Array], Callable[[Array, float], Array]]] = {
    "laplace(0, 2)": (laplace, laplace_below),
    "normal(0, 4)": (normal, normal_below),
    "exponential(1/2)": (exponential, exponential_below),
}


def greatest(counts: Values, noise: str, winner: int) -> float:
    """Return the chance that a count has the greatest value with noise of scale 2."""
    density, below = LAWS[noise]

    def of(x: Array) -> Array:
        product = density(x - counts[winner], 2)
        for at, count in enumerate(counts):
            if at != winner:
                product = product * below(x - count, 2)
        return np.asarray(product)

    return integral(of, [float(count) for count in counts])


def channel(noise: str, values: Sequence[int], count: int) -> dict[Values, list[float]]:
    """Return the chances of all winners given the counts."""
    return {
        counts: [greatest(counts, noise, winner) for winner in range(count)]
        for counts in itertools.product(values, repeat=count)
    }


def program(noise: str, most: int, count: int, choice: str) -> str:
    return f"""
        for i in 1..{count} {{ c[i] ~ uniform_int(0, {most})  y[i] ~ {noise}  z[i] := c[i] + y[i] }}
        {choice}
    """


AT_ONCE = "o := if z[1] > z[2] and z[1] > z[3] then 1 else if z[2] > z[3] then 2 else 3"
NESTED = (
    "if z[1] >= z[2] { if z[1] >= z[3] { o := 1 } else { o := 3 } } else { if z[2] >= z[3] { o := 2 } else { o := 3 } }"
)
TOURNAMENT = """
    best := z[1]  o := 1
    for i in 2..3 { if z[i] > best { best := z[i]  o := i } }
"""


def entropy(masses: Sequence[float]) -> float:
    return -sum(p * math.log2(p) for p in masses if p > 0)


def information(rows: Sequence[Sequence[float]]) -> float:
    """Return what the rows of a channel tell of equally likely inputs, in bits."""
    mean = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    return entropy(mean) - sum(map(entropy, rows)) / len(rows)


def assert_holds(found: Result, truth: float, width: float = 1e-9) -> None:
    assert found.certainty is not Certainty.APPROXIMATE
    assert found.upper - found.lower <= width
    assert found.lower - 1e-10 <= truth <= found.upper + 1e-10


# Each law by one way to write the choice, and each way with one law.
@pytest.mark.family(every=2)
@pytest.mark.parametrize(
    ("noise", "choice"),
    [*((noise, NESTED) for noise in LAWS), *(("laplace(0, 2)", choice) for choice in (AT_ONCE, TOURNAMENT))],
    ids=[*(f"nested-{noise}" for noise in LAWS), "at once", "tournament"],
)
def test_report_noisy_max(noise: str, choice: str) -> None:
    asked = seepage.parse(program(noise, 3, 3, choice))
    rows = channel(noise, range(4), 3)
    first = [[sum(rows[c][o] for c in rows if c[0] == value) / 16 for o in range(3)] for value in range(4)]

    assert_holds(asked.measure("I(c; o)"), information(list(rows.values())))
    assert_holds(asked.measure("I(c[1]; o)"), information(first))
    assert_holds(asked.measure("P(o == 1)"), 1 / 3)
    assert_holds(asked.measure("V(c[1] | o)"), sum(max(column) for column in zip(*first, strict=True)) / 4)
    assert_holds(asked.measure("H(o)"), math.log2(3))


@pytest.mark.parametrize("noise", LAWS)
def test_votes_counted_at_random_indices(noise: str) -> None:
    choice = """
        for i in 1..2 { v[i] ~ uniform_int(1, 3) }
        for j in 1..3 { c[j] := 0 }
        for i in 1..2 { c[v[i]] := c[v[i]] + 1 }
    """
    noisy = f"for j in 1..3 {{ y[j] ~ {noise}  z[j] := c[j] + y[j] }}\n{NESTED}"
    asked = seepage.parse(choice + noisy)
    rows = {
        votes: [greatest(tuple(votes.count(j) for j in (1, 2, 3)), noise, winner) for winner in range(3)]
        for votes in itertools.product((1, 2, 3), repeat=2)
    }
    first = [[sum(rows[v][o] for v in rows if v[0] == value) / 3 for o in range(3)] for value in (1, 2, 3)]

    assert_holds(asked.measure("I(v; o)"), information(list(rows.values())))
    assert_holds(asked.measure("I(v[1]; o)"), information(first))
    assert_holds(asked.measure("P(o == 1 | v[1] == 1)"), first[0][0])
    assert_holds(asked.measure("V(v | o)"), sum(max(column) for column in zip(*rows.values(), strict=True)) / 9)


@pytest.mark.family(every=5)
@pytest.mark.parametrize("count", [2, 4, 5, 6])
@pytest.mark.parametrize("noise", LAWS)
def test_the_greatest_of_several(noise: str, count: int) -> None:
    others = range(2, count + 1)
    choice = f"best := z[1]  o := 1  for i in 2..{count} {{ if z[i] > best {{ best := z[i]  o := i }} }}"
    text = "".join(f"y[{i}] ~ {noise}\n" for i in range(1, count + 1))
    text += "s ~ uniform_int(0, 2)\nz[1] := s + y[1]\n" + "".join(f"z[{i}] := y[{i}] + {i}/2\n" for i in others)
    density, below = LAWS[noise]

    def wins(value: int, winner: int) -> float:
        places = [float(value), *(i / 2 for i in others)]

        def of(x: Array) -> Array:
            product = density(x - places[winner], 2)
            for at, place in enumerate(places):
                product = product * (1 if at == winner else below(x - place, 2))
            return np.asarray(product)

        return integral(of, places)

    rows = [[wins(value, winner) for winner in range(count)] for value in range(3)]
    found = seepage.parse(text + choice).measure("I(s; o)")

    assert_holds(found, information(rows))


def assert_private(text: str, secret: str, rows: Mapping[Values, Sequence[float]]) -> None:
    """Hold DP over all pairs of inputs, and over neighbours, and Delta, to a table of chances."""
    asked = seepage.parse(text)
    every = list(itertools.permutations(rows, 2))
    near = (
        [(a, b) for a, b in every if sum(map(abs, np.subtract(a, b))) == 1]
        if len(next(iter(rows))) == 1
        else [(a, b) for a, b in every if sum(i != j for i, j in zip(a, b, strict=True)) == 1]
    )

    def loss(pairs: Sequence[tuple[Values, Values]]) -> float:
        return max(math.log(p / q) for a, b in pairs for p, q in zip(rows[a], rows[b], strict=True))

    excess = max(sum(max(0, p - math.exp(0.25) * q) for p, q in zip(rows[a], rows[b], strict=True)) for a, b in every)

    assert_holds(asked.measure(f"DP({secret} -> o)"), loss(every))
    assert_holds(asked.measure(f"DP({secret} -> o, distance=1)"), loss(near))
    assert_holds(asked.measure(f"Delta({secret} -> o, eps=1/4)"), excess)


@pytest.mark.parametrize("noise", LAWS)
def test_the_loss_of_report_noisy_max(noise: str) -> None:
    if noise.startswith("exponential"):
        text, rows = program(noise, 1, 3, NESTED), channel(noise, range(2), 3)
    else:
        text, rows = program(noise, 2, 3, AT_ONCE), channel(noise, range(3), 3)

    assert_private(text, "c", rows)


def above(counts: Values, threshold: float, answers: Values) -> float:
    """Return the chance of answers to several queries with Laplace noise of scale 4 against one threshold with noise of scale 2."""

    def of(x: Array) -> Array:
        product = laplace(x, 2)
        for count, answer in zip(counts, answers, strict=True):
            below = laplace_below(threshold + x - count, 4)
            product = product * (1 - below if answer else below)
        return np.asarray(product)

    return integral(of, [0.0, *(count - threshold for count in counts)])


@pytest.mark.variation(of="test_report_noisy_max")
@pytest.mark.parametrize("count", [2, 3])
def test_queries_against_one_noisy_threshold(count: int) -> None:
    text = f"""
        rho ~ laplace(0, 2)
        for i in 1..{count} {{ q[i] ~ uniform_int(0, 3)  nu[i] ~ laplace(0, 4)  o[i] := q[i] + nu[i] >= 2 + rho }}
    """
    answers = list(itertools.product((0, 1), repeat=count))
    rows = {
        counts: [above(counts, 2, each) for each in answers] for counts in itertools.product(range(4), repeat=count)
    }

    assert_holds(seepage.parse(text).measure("I(q; o)"), information(list(rows.values())))
    assert_private(text, "q", rows)


def test_report_noisy_max_of_eight_bits() -> None:
    asked = seepage.parse(program("laplace(0, 2)", 1, 8, TOURNAMENT.replace("2..3", "2..8")))
    wins = {  # by the count of the winner, and the number of others that are 1
        (own, ones): greatest((own, *(int(at < ones) for at in range(7))), "laplace(0, 2)", 0)
        for own in (0, 1)
        for ones in range(8)
    }
    told = sum(math.comb(7, ones) / 2**8 * 8 * p * math.log2(8 * p) for (_, ones), p in wins.items())
    own = [abs(math.log(wins[1, ones] / wins[0, ones])) for ones in range(8)]
    others = [abs(math.log(wins[bit, ones + 1] / wins[bit, ones])) for bit in (0, 1) for ones in range(7)]

    assert_holds(asked.measure("I(c; o)"), told)
    assert_holds(asked.measure("DP(c -> o, distance=1)"), max(*own, *others))


def test_the_first_of_eight_queries_above_a_noisy_threshold() -> None:
    asked = seepage.parse("""
        import "seep:mechanisms" as m
        for i in 1..8 { q[i] ~ flip(1/2) }
        o ~ m.above_threshold([q[i] for i in 1..8], 1, 1, 1)
    """)
    first: dict[tuple[int, int, Values], float] = {}  # by answers before, ones among them, and the one that is above
    for before in range(9):
        for ones, own in itertools.product(range(before + 1), [(0,), (1,)] if before < 8 else [()]):
            counts = (1,) * ones + (0,) * (before - ones) + own
            first[before, ones, own] = above(counts, 1, (0,) * before + (1,) * len(own))
    rows = [
        [first[at, sum(bits[:at]), bits[at : at + 1]] for at in range(9)]
        for bits in itertools.product((0, 1), repeat=8)
    ]
    table = np.array(rows)

    assert_holds(asked.measure("DP(q -> o)"), float(np.log(table.max(axis=0) / table.min(axis=0)).max()))


def test_a_loss_over_all_pairs_of_many_inputs() -> None:
    text = "q ~ uniform_int(0, 10)\nrho ~ laplace(0, 2)\nnu ~ laplace(0, 4)\no := q + nu >= 5 + rho"
    rows: dict[Values, list[float]] = {(q,): [above((q,), 5, (each,)) for each in (0, 1)] for q in range(11)}

    assert_private(text, "q", rows)


def test_measures_of_the_winner_agree_with_each_other() -> None:
    asked = seepage.parse(program("laplace(0, 2)", 3, 3, AT_ONCE))
    rows = list(channel("laplace(0, 2)", range(4), 3).items())
    first = np.array([[sum(row[o] for c, row in rows if c[0] == value) / 16 for o in range(3)] for value in range(4)])
    joint = first / 4

    assert_holds(asked.measure("E(o)"), 2)
    assert_holds(asked.measure("Var(o)"), 2 / 3)
    assert_holds(asked.measure("Cmin(c[1] -> o)"), math.log2(first.max(axis=0).sum()))
    assert_holds(asked.measure("Lmin(c[1] -> o)"), math.log2(joint.max(axis=0).sum() * 4))
    guesses = sum((at + 1) * p for column in joint.T for at, p in enumerate(sorted(column, reverse=True)))
    assert_holds(asked.measure("Guess(c[1] | o)"), float(guesses))
    given = joint[:, 0] / joint[:, 0].sum()
    assert_holds(asked.measure("KL(c[1] | o == 1 || c[1])"), float((given * np.log2(given * 4)).sum()))
    assert_holds(asked.measure("H(c[1] | o == 1)"), entropy(list(given)))
