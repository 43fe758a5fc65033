from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.outcome import DiscreteJoint
from seepage.exact import Number, enclose
from seepage.measures.discrete.whole_bits import (
    closed_divergence,
    closed_information,
    divergence_bits,
    information_bits,
)

PAIRS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=16)


def joint_of(pairs: list[tuple[int, int]]) -> DiscreteJoint[fmpq]:
    """Return the distribution of a pair drawn uniformly from a list."""
    masses: dict[tuple[Number, ...], fmpq] = {pair: fmpq(count, len(pairs)) for pair, count in Counter(pairs).items()}
    return DiscreteJoint(("x", "y"), RATIONALS, masses, fmpq(1))


def entropy(values: list[object]) -> float:
    counts = Counter(values).values()
    return -sum(n / len(values) * math.log2(n / len(values)) for n in counts)


@given(PAIRS)
def test_what_is_found_is_the_information(pairs: list[tuple[int, int]]) -> None:
    bits = information_bits(joint_of(pairs), ((1, ("x",)), (1, ("y",)), (-1, ("x", "y"))))

    expected = entropy([x for x, _ in pairs]) + entropy([y for _, y in pairs]) - entropy(list(pairs))
    if bits is not None:
        assert float(bits) == pytest.approx(expected, abs=1e-12)
    else:
        assert not math.isclose(expected, 0.0, abs_tol=1e-15)


@given(PAIRS)
def test_a_closed_form_is_the_information(pairs: list[tuple[int, int]]) -> None:
    closed = closed_information(joint_of(pairs), ((1, ("x", "y")), (-1, ("y",))))

    expected = (entropy(list(pairs)) - entropy([y for _, y in pairs])) * math.log(2)
    assert (0.0 if closed is None else float(enclose(closed).mid())) == pytest.approx(expected, abs=1e-12)


@given(PAIRS, PAIRS)
def test_a_closed_form_is_the_divergence(first: list[tuple[int, int]], second: list[tuple[int, int]]) -> None:
    closed = closed_divergence(joint_of(first), ("x",), joint_of(second), ("x",))

    p, q = (Counter(x for x, _ in pairs) for pairs in (first, second))
    if p.keys() <= q.keys():
        ratios = {x: n * len(second) / (len(first) * q[x]) for x, n in p.items()}
        expected = sum(n / len(first) * math.log(ratios[x]) for x, n in p.items())
        assert (0.0 if closed is None else float(enclose(closed).mid())) == pytest.approx(expected, abs=1e-12)
    else:
        assert closed is None


@pytest.mark.parametrize("size", [1, 2, 4, 8, 16])
def test_uniform_values_have_a_whole_number_of_bits(size: int) -> None:
    joint = joint_of([(i, 0) for i in range(size)])

    assert information_bits(joint, ((1, ("x",)),)) == int(math.log2(size))


def test_factors_other_than_two_may_cancel() -> None:
    """Three equally likely blocks of which a bit is told: I = H(o) has logarithms of 3 in both entropies, not in the difference."""
    joint = joint_of([(i, i % 2) for i in range(6)])

    assert information_bits(joint, ((1, ("x",)), (-1, ("x",)), (1, ("y",)))) == 1
    assert information_bits(joint, ((1, ("x", "y")), (-1, ("y",)))) is None
    assert information_bits(joint, ((1, ("x",)),)) is None


def test_a_divergence_of_powers_of_two_is_exact() -> None:
    p, q = joint_of([(0, 0)]), joint_of([(0, 0), (1, 0), (2, 0), (3, 0)])

    assert divergence_bits(p, ("x",), q, ("x",)) == 2
    assert divergence_bits(q, ("x",), p, ("x",)) is None
    assert divergence_bits(q, ("x",), q, ("x",)) == Fraction(0)
