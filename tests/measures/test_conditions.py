"""A polynomial that is said to vanish nowhere vanishes at no point that is tried."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from seepage.algebra import alphabet_of
from seepage.diagnostics import Fault
from seepage.engines.intervals import range_of
from seepage.engines.signs import Signs
from seepage.exact import enclose, number
from seepage.semantics.checked import Domain
from seepage.semantics.evaluate import evaluate
from seepage.syntax.parse import parse_expression

UNIT = Domain(0, 1, low_closed=True, high_closed=True)
OPEN = Domain(0, 1, low_closed=False, high_closed=True)
POSITIVE = Domain(0, None, low_closed=True, high_closed=False)


def known(text: str, **domains: Domain) -> bool:
    parsed, _ = parse_expression(text)
    assert parsed is not None
    alphabet = alphabet_of(("p", "q", "eps"), [parsed])
    return Signs(alphabet, domains).never_zero(alphabet.translate(parsed).numerator)


@pytest.mark.parametrize(
    ("text", "domains"),
    [
        ("p", {"p": OPEN}),
        ("2 - p", {"p": UNIT}),
        ("exp(eps) + 1", {}),
        ("exp(eps)", {}),
        ("exp(eps) - 1", {"eps": OPEN}),
        ("p*exp(eps) - p + 1", {"p": UNIT, "eps": Domain(0, 10, low_closed=True, high_closed=True)}),
        ("exp(eps) + p - p*exp(eps)", {"p": UNIT, "eps": Domain(0, 10, low_closed=True, high_closed=True)}),
        ("exp(eps) + p - p*exp(eps)", {"p": UNIT, "eps": POSITIVE}),
        ("p + q + 1", {"p": POSITIVE, "q": UNIT}),
        ("p^2 + 1", {}),
        ("p^2 - p + 1", {}),
        ("p^2 + p + 1", {"p": UNIT}),
        ("p^3 - 2*p + 2", {"p": UNIT}),
        ("2 - p^2 - q^2*p + p*q", {"p": UNIT, "q": Domain(0, Fraction(1, 2), low_closed=True, high_closed=True)}),
        ("exp(p) - p", {"p": UNIT}),
        ("sqrt(p^2 + 1) + p", {"p": UNIT}),
    ],
)
def test_polynomials_that_vanish_nowhere(text: str, domains: dict[str, Domain]) -> None:
    assert known(text, **domains)


@pytest.mark.parametrize(
    ("text", "domains"),
    [
        ("p", {"p": UNIT}),
        ("1 - p", {"p": OPEN}),
        ("p", {}),
        ("exp(eps) - 1", {"eps": POSITIVE}),
        ("p + q - p*q", {"p": UNIT, "q": UNIT}),
        ("p*p - q", {"p": OPEN, "q": OPEN}),
        ("p^2 - p - 1", {}),
        ("p^3 - 2*p + 1/2", {"p": UNIT}),
        ("p^2 - 2*q^2", {"p": UNIT, "q": UNIT}),
        ("2*sqrt(p) - 1", {"p": UNIT}),
        ("p*exp(eps) - p + 1", {"p": UNIT}),
    ],
)
def test_polynomials_that_may_vanish(text: str, domains: dict[str, Domain]) -> None:
    assert not known(text, **domains)


@settings(deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=4, max_size=4))
def test_what_vanishes_somewhere_is_never_said_to_vanish_nowhere(coefficients: list[int]) -> None:
    a, b, c, d = coefficients
    steps = [Fraction(k, 12) for k in range(13)]
    signs = {(value > 0) - (value < 0) for p, q in product(steps, steps) for value in [a + b * p + c * q + d * p * q]}

    if known(f"{a} + {b}*p + {c}*q + {d}*p*q".replace("+ -", "- "), p=UNIT, q=UNIT):
        assert len(signs) == 1
        assert 0 not in signs


ENDS = st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1), Fraction(9, 4), Fraction(3)])
POWERS = [
    "p^(1/3)", "p^(5/2)", "(p + 1)^(1/2)", "p^q", "p^(q - 1)", "2^(-q)", "(1/2)^q", "(p*q)^(2/3)", "p^(-1/2)", "q^(p - q)",
    "p^(1/3)*(1 - p)", "sqrt(p)^q", "p^(66/65)",
]  # fmt: skip


@given(st.sampled_from(POWERS), st.tuples(ENDS, ENDS), st.tuples(ENDS, ENDS))
def test_ranges_of_powers_hold_their_values(text: str, p: tuple[Fraction, ...], q: tuple[Fraction, ...]) -> None:
    expression, _ = parse_expression(text)
    assert expression is not None
    sides = {"p": tuple(sorted(p)), "q": tuple(sorted(q))}

    low, high = range_of(expression, {name: (arb(fmpq_of(a)), arb(fmpq_of(b))) for name, (a, b) in sides.items()})

    shares = [Fraction(each, 4) for each in range(5)]
    grids = [[a + (b - a) * share for share in shares] for a, b in sides.values()]
    for at in product(*grids):
        try:
            value = enclose(evaluate(expression, dict(zip(sides, map(number, at), strict=True))))
        except Fault:
            continue
        assert not value < low
        assert not value > high


def fmpq_of(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


@pytest.mark.parametrize(("text", "most"), [("p^(1/3)", 1), ("p^q", 1), ("2^(-q)", 1), ("p^(3/2)", 1)])
def test_ranges_of_powers_end_where_the_powers_do(text: str, most: int) -> None:
    expression, _ = parse_expression(text)
    assert expression is not None

    _, high = range_of(expression, {"p": (arb(0), arb(1)), "q": (arb(0), arb(4))})

    assert high == most


SIDES = [Domain(0, 1, low_closed=low, high_closed=high) for low in (True, False) for high in (True, False)]


@given(
    st.lists(st.integers(-2, 2), min_size=4, max_size=4),
    st.sampled_from(SIDES),
    st.sampled_from(SIDES),
)
@settings(max_examples=300)
def test_what_is_straight_in_each_parameter_vanishes_exactly_where_its_corners_say(
    corners: list[int], p: Domain, q: Domain
) -> None:
    """Of degree 1 in each, with these values at the corners; a zero inside or on a side is found by its formula."""
    a, b, c, d = corners  # at (0, 0), (1, 0), (0, 1), (1, 1)
    text = f"{a} + ({b - a})*p + ({c - a})*q + ({d - c - b + a})*p*q"
    if not (b - a or d - c - b + a) or not (c - a or d - c - b + a):
        return
    steps = [Fraction(step, 12) for step in range(13)]
    inside = [(x, y) for x in steps for y in steps if p.contains(number(x)) and q.contains(number(y))]
    zeros = [(x, y) for x, y in inside if a * (1 - x) * (1 - y) + b * x * (1 - y) + c * (1 - x) * y + d * x * y == 0]

    if known(text, p=p, q=q):
        assert zeros == []


@pytest.mark.parametrize(
    ("text", "sides", "vanishes"),
    [
        ("p + q - 2*p*q", (SIDES[3], SIDES[3]), False),
        ("p + q - 2*p*q", (SIDES[0], SIDES[3]), False),
        ("p + q - 2*p*q", (SIDES[0], SIDES[0]), True),
        ("p*q", (SIDES[3], SIDES[3]), False),
        ("p*q", (SIDES[0], SIDES[3]), True),
        ("p - q", (SIDES[3], SIDES[3]), True),
    ],
)
def test_an_open_square_may_keep_off_the_corners(text: str, sides: tuple[Domain, Domain], vanishes: bool) -> None:
    assert known(text, p=sides[0], q=sides[1]) is not vanishes
