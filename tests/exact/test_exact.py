"""Exact numbers, against mpmath at 60 digits and against identities of analysis."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import mpmath
import pytest
from flint import ctx
from hypothesis import assume, given
from hypothesis import strategies as st

from seepage import exact
from seepage.exact import CannotDecide, Irrational, Number, TooLarge, Undefined

E = exact.exp_(1)
small = st.fractions(min_value=-20, max_value=20, max_denominator=30)


def as_mpf(value: Number) -> mpmath.mpf:
    with mpmath.workdps(60):
        ball = exact.enclose(value, 300)
        return mpmath.mpf(ball.mid().str(50, radius=False))


@given(small, small)
def test_rationals_agree_with_fractions(a: Fraction, b: Fraction) -> None:
    x, y = exact.number(a), exact.number(b)

    assert exact.add(x, y) == a + b
    assert exact.sub(x, y) == a - b
    assert exact.mul(x, y) == a * b
    assert exact.compare(x, y) == (a > b) - (a < b)
    assert exact.floor_(x) == a.__floor__()
    assert exact.ceil_(x) == a.__ceil__()


@given(small, small)
def test_modulo_is_a_minus_b_floor_a_over_b(a: Fraction, b: Fraction) -> None:
    assume(b != 0)

    assert exact.modulo(exact.number(a), exact.number(b)) == a - b * (a / b).__floor__()


@given(small.filter(bool), small.filter(bool))
def test_the_exponential_turns_sums_into_products(a: Fraction, b: Fraction) -> None:
    product = exact.mul(exact.exp_(exact.number(a)), exact.exp_(exact.number(b)))

    assert product == exact.exp_(exact.number(a + b))
    assert hash(product) == hash(exact.exp_(exact.number(a + b)))


@given(st.integers(1, 10_000), st.integers(1, 10_000))
def test_the_logarithm_turns_products_into_sums(a: int, b: int) -> None:
    assert exact.add(exact.log_(a), exact.log_(b)) == exact.log_(a * b)
    assert exact.exp_(exact.log_(a)) == a


@given(st.integers(0, 100_000))
def test_square_roots_square_to_their_argument(a: int) -> None:
    root = exact.sqrt_(a)

    assert exact.mul(root, root) == a


@given(small.filter(lambda q: q > 0), small)
def test_powers_agree_with_mpmath(a: Fraction, b: Fraction) -> None:
    with mpmath.workdps(60):
        expected = mpmath.mpf(a.numerator) / a.denominator
        expected = expected ** (mpmath.mpf(b.numerator) / b.denominator)
        got = as_mpf(exact.power(exact.number(a), exact.number(b)))

        assert abs(got - expected) <= abs(expected) * mpmath.mpf(10) ** -45


def test_probabilities_of_a_randomized_answer_sum_to_one() -> None:
    keep = exact.div(E, exact.add(E, 1))
    lie = exact.div(1, exact.add(E, 1))

    assert exact.add(keep, lie) == 1
    assert isinstance(exact.add(keep, lie), int)


def test_equal_values_written_differently_are_one_key() -> None:
    direct = exact.div(E, exact.add(E, 1))
    expanded = exact.div(exact.mul(E, E), exact.add(exact.mul(E, E), E))

    assert len({direct, expanded}) == 1


def test_an_irrational_is_never_equal_to_a_rational() -> None:
    assert Fraction(271828, 100000) != E
    assert exact.compare(E, Fraction(2718281828459045, 10**15)) == 1


def test_nearby_values_are_told_apart() -> None:
    tiny = exact.add(E, Fraction(1, 10**200))

    assert exact.compare(E, tiny) == -1
    assert exact.floor_(exact.mul(10**30, E)) == 2718281828459045235360287471352


@pytest.mark.parametrize(
    ("compute", "reason"),
    [
        (lambda: exact.div(1, 0), "division by zero"),
        (lambda: exact.log_(0), "logarithm of zero"),
        (lambda: exact.log_(-1), "logarithm of a negative number"),
        (lambda: exact.sqrt_(-1), "square root of a negative number"),
        (lambda: exact.power(0, -1), "division by zero"),
        (lambda: exact.bit_and(-1, 2), "not a non-negative integer"),
        (lambda: exact.div(1, exact.sub(exact.log_(4), exact.mul(2, exact.log_(2)))), "division by zero"),
    ],
)
def test_undefined_values_are_faults_with_a_reason(compute: object, reason: str) -> None:
    assert callable(compute)

    with pytest.raises(Undefined, match=reason):
        compute()


@pytest.mark.parametrize(
    "compute", [lambda: exact.power(10, 10**10), lambda: exact.shift_left(1, 10**9), lambda: exact.exp_(10**9)]
)
def test_huge_numbers_are_refused_at_once(compute: object) -> None:
    assert callable(compute)

    with pytest.raises(TooLarge):
        compute()


def test_powers_with_irrational_exponents_are_related() -> None:
    left = exact.power(exact.add(E, 1), exact.log_(2))
    right = exact.power(2, exact.log_(exact.add(E, 1)))

    assert isinstance(left, Irrational)
    assert exact.compare(left, right) == 0


def test_what_neither_algebra_nor_balls_settle_is_not_guessed() -> None:
    # √(2 + √3) = (√6 + √2)/2, a denesting that the generators do not know.
    nested = exact.sqrt_(exact.add(2, exact.sqrt_(3)))
    denested = exact.div(exact.add(exact.sqrt_(6), exact.sqrt_(2)), 2)

    with pytest.raises(CannotDecide, match="cannot decide"):
        exact.compare(nested, denested)


def test_threads_leave_the_precision_as_it_was() -> None:
    before = ctx.prec

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda bits: exact.enclose(E, bits), [64 + 8 * i for i in range(200)]))

    assert ctx.prec == before


@given(small.filter(bool))
def test_numbers_survive_pickling(a: Fraction) -> None:
    value = exact.add(exact.exp_(exact.number(a)), exact.log_(7))

    assert pickle.loads(pickle.dumps(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (exact.log_(12), "2*log(2) + log(3)"),
        (exact.sqrt_(8), "2*sqrt(2)"),
        (exact.div(E, exact.add(E, 1)), "exp(1)/(exp(1) + 1)"),
        (exact.number(Fraction(1, 3)), "1/3"),
    ],
)
def test_numbers_are_spelled_as_seep_spells_them(value: Number, text: str) -> None:
    assert exact.show(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (exact.number(2**15_000), "about 2.81796e4515"),
        (exact.number(Fraction(-1, 2**15_000)), "about -3.54867e-4516"),
        (exact.mul(exact.sqrt_(2), 2**15_000), "about 3.98520e4515"),
    ],
    ids=["integer", "fraction", "irrational"],
)
def test_numbers_too_long_to_read_are_shown_with_six_digits(value: Number, text: str) -> None:
    with mpmath.workdps(30):
        shown = mpmath.mpf(text.removeprefix("about "))
        squared = mpmath.mpf(2) ** (-30_000 if shown < 0 else 30_001 if "3.98" in text else 30_000)
        assert mpmath.almosteq(shown**2, squared, rel_eps=1e-5)
    assert exact.show(value) == text
    assert len(exact.spelled(value)) > 4_500


def test_the_size_of_a_refused_number_is_told_in_a_few_letters() -> None:
    with pytest.raises(exact.TooLarge, match=r"^a number of about 10\^4\d\d\d digits$"):
        exact.power(2**15_000, 2**15_000)
