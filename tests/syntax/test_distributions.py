"""Distributions: families, tables, mixtures."""

from __future__ import annotations

from seepage.syntax.tree import Argument, Distribution, Family, Mixture, Sample, Table

from .trees import NOWHERE, binary, leaf, name, number, unary


def drawn(text: str) -> Distribution:
    sample = leaf(f"x ~ {text}")
    assert isinstance(sample, Sample)
    return sample.distribution


def positional(value: int) -> Argument:
    return Argument(None, number(value), NOWHERE)


NORMAL = Family("normal", (positional(0), positional(1)), NOWHERE, NOWHERE)
POINT = Table(((number(0), number(1)),), NOWHERE)
HALF = binary(number(1), "/", number(2))


def test_arguments_are_positional_or_named() -> None:
    assert drawn("normal(0, 1)") == NORMAL
    assert drawn("normal(0, std = 2)") == Family(
        "normal", (positional(0), Argument("std", number(2), NOWHERE)), NOWHERE, NOWHERE
    )


def test_a_named_argument_may_be_a_comparison() -> None:
    made = drawn("flip(p = a == b)")

    assert made == Family("flip", (Argument("p", binary(name("a"), "==", name("b")), NOWHERE),), NOWHERE, NOWHERE)


def test_an_unknown_family_is_left_to_the_checker() -> None:
    assert drawn("triangle(0, 1)") == Family("triangle", (positional(0), positional(1)), NOWHERE, NOWHERE)


def test_a_table_lists_values_with_probabilities() -> None:
    assert drawn("{0: 1}") == POINT
    assert drawn("{-1: 1/2, a: 1/2,}") == Table(((unary("-", number(1)), HALF), (name("a"), HALF)), NOWHERE)


def test_a_sum_is_a_mixture() -> None:
    assert drawn("1/2*normal(0, 1) + 1/2*{0: 1}") == Mixture(((HALF, NORMAL), (HALF, POINT)), NOWHERE)


def test_a_part_without_a_weight_weighs_one() -> None:
    assert drawn("normal(0, 1) + 0*{0: 1}") == Mixture(((number(1), NORMAL), (number(0), POINT)), NOWHERE)


def test_a_weight_may_be_a_product() -> None:
    made = drawn("p*q*normal(0, 1) + (1 - p)*exp(q)*{0: 1}")

    assert isinstance(made, Mixture)
    assert made.parts[0] == (binary(name("p"), "*", name("q")), NORMAL)
    assert made.parts[1][1] == POINT


def test_mixtures_nest_by_name() -> None:
    inner = Mixture(((HALF, NORMAL), (HALF, POINT)), NOWHERE)

    made = drawn("mixture(1/2: mixture(1/2: normal(0, 1), 1/2: {0: 1}), 1/2: normal(0, 1))")

    assert made == Mixture(((HALF, inner), (HALF, NORMAL)), NOWHERE)
