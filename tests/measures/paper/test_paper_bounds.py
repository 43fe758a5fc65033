"""The paper's named methods against its formulas, computed anew in floats."""

import math
from collections.abc import Sequence
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.gaussian.gaussian_mixtures import Part, joint, scalar_mixture

import seepage
from seepage.measures.gaussian.divergence import divergence
from seepage.measures.gaussian.entropy import conditional_entropy, entropy
from seepage.measures.gaussian.information import mutual_information
from seepage.measures.paper import bounds as paper_bounds
from seepage.measures.paper.bounds import NotCovered
from seepage.measures.result import Method

Vector = tuple[float, tuple[float, ...], tuple[tuple[float, ...], ...]]

ROUNDING = 1e-12  # of a few dozen floats near 1

# x is N(0, 1) and y = x + N(0, 1) with probability 1/2, y = N(2, 1/4) with 1/4, y = -x + N(0, 1/4) with 1/4.
PAIR = joint(
    (Fraction(1, 2), {"x": (0, {"s": 1}), "y": (0, {"s": 1, "n": 1})}, {"s": 1, "n": 1}),
    (Fraction(1, 4), {"x": (0, {"s": 1}), "y": (2, {"n": 1})}, {"s": 1, "n": Fraction(1, 4)}),
    (Fraction(1, 4), {"x": (0, {"s": 1}), "y": (0, {"s": -1, "n": 1})}, {"s": 1, "n": Fraction(1, 4)}),
)
BOTH: list[Vector] = [
    (0.5, (0, 0), ((1, 1), (1, 2))),
    (0.25, (0, 2), ((1, 0), (0, 0.25))),
    (0.25, (0, 0), ((1, -1), (-1, 1.25))),
]
X: list[Vector] = [(1.0, (0,), ((1,),))]
Y: list[Vector] = [(0.5, (0,), ((2,),)), (0.25, (2,), ((0.25,),)), (0.25, (0,), ((1.25,),))]


def own(a: Vector) -> float:
    return 0.5 * math.log(np.linalg.det(2 * math.pi * math.e * np.array(a[2])))


def z(a: Vector, b: Vector) -> float:
    total, apart = np.array(a[2]) + np.array(b[2]), np.array(a[1]) - np.array(b[1])
    return math.exp(-0.5 * apart @ np.linalg.inv(total) @ apart) / math.sqrt(np.linalg.det(2 * math.pi * total))


def kl(a: Vector, b: Vector) -> float:
    inverse, apart = np.linalg.inv(np.array(b[2])), np.array(a[1]) - np.array(b[1])
    logs = math.log(np.linalg.det(np.array(b[2])) / np.linalg.det(np.array(a[2])))
    return 0.5 * float(logs + np.trace(inverse @ np.array(a[2])) - len(apart) + apart @ inverse @ apart)


def moments(f: list[Vector]) -> float:
    mean = sum(w * np.array(m) for w, m, _ in f)
    covariance = sum(w * (np.array(s) + np.outer(np.array(m) - mean, np.array(m) - mean)) for w, m, s in f)
    return 0.5 * math.log(np.linalg.det(2 * math.pi * math.e * np.asarray(covariance)))


def huber(f: list[Vector]) -> tuple[float, float]:
    if len(f) == 1:
        return own(f[0]), own(f[0])
    lower = -sum(a[0] * math.log(sum(b[0] * z(a, b) for b in f)) for a in f)
    return lower, min(moments(f), sum(a[0] * (own(a) - math.log(a[0])) for a in f))


def likelihood(f: list[Vector], g: list[Vector]) -> tuple[float, float]:
    """The bounds of L_f(g) with the paper's best φ put into its formula."""
    lower = 0.0
    for a in f:
        total = sum(b[0] * math.exp(-kl(a, b)) for b in g)
        for b in g:
            share = b[0] * math.exp(-kl(a, b)) / total
            lower += a[0] * share * (math.log(b[0] / share) - own(a) - kl(a, b))
    return lower, sum(a[0] * math.log(sum(b[0] * z(a, b) for b in g)) for a in f)


def ends(found: paper_bounds.PaperBounds) -> tuple[float, float]:
    assert found.alone is not None
    return float(found.alone.lower), float(found.alone.upper)


def test_huber_bounds_entropies_and_their_differences_by_proposition_hbounds() -> None:
    both, given_y, alone = huber(BOTH), huber(Y), huber(X)

    assert ends(paper_bounds.entropy(PAIR, ("y",), (), Method.HUBER)) == pytest.approx(given_y, abs=ROUNDING)
    assert ends(paper_bounds.entropy(PAIR, ("x",), ("y",), Method.HUBER)) == pytest.approx(
        (both[0] - given_y[1], both[1] - given_y[0]), abs=ROUNDING
    )
    assert ends(paper_bounds.information(PAIR, ("x",), ("y",), Method.HUBER)) == pytest.approx(
        (alone[0] + given_y[0] - both[1], alone[1] + given_y[1] - both[0]), abs=ROUNDING
    )


def test_hershey_bounds_divergence_and_information_by_proposition_lbounds() -> None:
    f, g = PAIR, scalar_mixture((Fraction(1, 2), 0, 2), (Fraction(1, 2), 1, 1))
    target: list[Vector] = [(0.5, (0,), ((2,),)), (0.5, (1,), ((1,),))]
    entropy_low, entropy_high = huber(Y)
    low, high = likelihood(Y, target)
    assert ends(paper_bounds.divergence(f, ("y",), g, ("x",), Method.HERSHEY)) == pytest.approx(
        (-entropy_high - high, -entropy_low - low), abs=ROUNDING
    )

    own_low, own_high = likelihood(Y, Y)
    joint_low, joint_high = huber(BOTH)
    assert ends(paper_bounds.information(f, ("x",), ("y",), Method.HERSHEY)) == pytest.approx(
        (-joint_high + own(X[0]) - own_high, -joint_low + own(X[0]) - own_low), abs=ROUNDING
    )
    assert ends(paper_bounds.entropy(f, ("y",), (), Method.HERSHEY)) == pytest.approx(
        (-own_high, -own_low), abs=ROUNDING
    )


def test_the_variational_bound_is_below_the_papers_first_guess_and_no_further_step_lowers_it_much() -> None:
    target: list[Vector] = [(0.5, (0,), ((2,),)), (0.5, (1,), ((1,),))]
    g = scalar_mixture((Fraction(1, 2), 0, 2), (Fraction(1, 2), 1, 1))
    low, found = ends(paper_bounds.divergence(PAIR, ("y",), g, ("x",), Method.VARIATIONAL))

    first = sum(a[0] * b[0] * kl(a, b) for a in Y for b in target)
    phi = np.array([[a[0] * b[0] for b in target] for a in Y])
    kernel = np.array([[math.exp(-kl(a, b)) for b in target] for a in Y])
    for _ in range(200):
        psi = phi / phi.sum(axis=0) * np.array([b[0] for b in target])
        phi = psi * kernel
        phi *= np.array([[a[0]] for a in Y]) / phi.sum(axis=1, keepdims=True)
    least = float((phi * np.log(phi / psi / kernel)).sum())

    assert low == 0
    assert found < first
    assert least - ROUNDING <= found <= least + 0.01  # twenty rounds of the alternation, which converges from above


def test_measures_that_a_method_has_no_formula_for_are_refused() -> None:
    with pytest.raises(NotCovered, match="'hershey' or 'variational'"):
        paper_bounds.divergence(PAIR, ("x",), PAIR, ("y",), Method.HUBER)
    with pytest.raises(NotCovered, match="'huber' or 'hershey'"):
        paper_bounds.entropy(PAIR, ("x",), (), Method.VARIATIONAL)


def by_a_sum(parts: Sequence[tuple[Fraction, int, Fraction | int]]) -> float:
    x = np.arange(-40, 40, 0.02)
    f = sum(
        float(w) * np.exp(-((x - m) ** 2) / (2 * float(v))) / math.sqrt(2 * math.pi * float(v)) for w, m, v in parts
    )
    return float(-(f * np.log(np.maximum(f, 1e-300))).sum() * 0.02)


def test_the_merged_group_of_the_paper_is_no_bound_and_the_sound_one_is() -> None:
    # 0.15·N(±3, 1) + 0.7·N(0, 0.49): with the outer two replaced by their Gaussian, the entropy falls below the mixture's.
    parts = ((Fraction(3, 20), -3, 1), (Fraction(3, 20), 3, 1), (Fraction(7, 10), 0, Fraction(49, 100)))
    truth, claimed = by_a_sum(parts), by_a_sum(((Fraction(3, 10), 0, 10), parts[2]))
    low, high = ends(paper_bounds.entropy(scalar_mixture(*parts), ("x",), (), Method.HUBER))

    assert claimed < truth - 0.05
    assert low < truth < high


def test_results_keep_to_what_holds_of_every_law() -> None:
    by_huber = paper_bounds.information(PAIR, ("x",), ("y",), Method.HUBER).enclosure
    given_y = paper_bounds.entropy(PAIR, ("x",), ("y",), Method.HUBER).enclosure

    assert float(by_huber.lower) == 0
    assert float(given_y.upper) <= own(X[0]) + ROUNDING


parts_of_mixtures = st.lists(
    st.tuples(st.integers(1, 5), st.integers(-4, 4), st.integers(-3, 3), st.integers(-2, 2), st.integers(1, 8)),
    min_size=1,
    max_size=5,
)


@given(parts_of_mixtures, st.sampled_from(list(Method)))
@settings(max_examples=6, deadline=None)
def test_methods_contain_what_quadrature_finds(parts: list[tuple[int, int, int, int, int]], method: Method) -> None:
    whole = sum(part[0] for part in parts)
    weighed: list[Part] = [
        (
            Fraction(w, whole),
            {"s": m % 2, "x": (m, {"a": 1}), "y": (n, {"a": k, "b": 1})},
            {"a": Fraction(v, 2), "b": Fraction(9 - v, 4)},
        )
        for w, m, n, k, v in parts
    ]
    law = joint(*weighed)
    pairs = []
    for x in (("x",), ("s",), ("s", "x")):
        pairs.append((paper_bounds.information(law, x, ("y",), method), mutual_information(law, x, ("y",))))
    if method is not Method.HUBER:
        pairs.append((paper_bounds.divergence(law, ("x",), law, ("y",), method), divergence(law, ("x",), law, ("y",))))
    if method is not Method.VARIATIONAL:
        pairs.append((paper_bounds.entropy(law, ("x", "y"), (), method), entropy(law, ("x", "y"))))
        pairs.append((paper_bounds.entropy(law, ("s",), ("y",), method), conditional_entropy(law, ("s",), ("y",))))
        pairs.append((paper_bounds.entropy(law, ("x",), ("y",), method), conditional_entropy(law, ("x",), ("y",))))
    for found, tight in pairs:
        assert found.enclosure.lower <= tight.upper
        assert tight.lower <= found.enclosure.upper
        if found.alone is not None:
            assert found.alone.lower <= tight.upper
            assert tight.lower <= found.alone.upper


def test_a_method_bounds_what_a_discrete_secret_leaks_by_its_entropy_where_a_normal_stands_for_the_noise() -> None:
    program = seepage.parse("s ~ bernoulli(1/3)\nz ~ laplace(0, 1)\no := s + z\n")
    result = program.measure("I(s; o)", method="huber")
    entropy = -(mpmath.log(mpmath.mpf(1) / 3, 2) / 3 + 2 * mpmath.log(mpmath.mpf(2) / 3, 2) / 3)
    assert abs(result.upper - float(entropy)) < 1e-12
