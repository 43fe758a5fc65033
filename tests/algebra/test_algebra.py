"""Rational functions in letters have the values of the expressions that they stand for."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from seepage.algebra import NoAlgebra, Quotient, alphabet_of, composed, minus, over, plus, quotient, raised, times
from seepage.diagnostics import Fault
from seepage.exact import Number, enclose, precision
from seepage.measures.formulas.notation import Notation, value_of_quotient
from seepage.semantics.evaluate import evaluate
from seepage.syntax.parse import parse_expression
from seepage.syntax.tree import Expression

PARAMETERS = ("p", "eps")


def expression(text: str) -> Expression:
    parsed, diagnostics = parse_expression(text)
    assert parsed is not None
    assert not diagnostics
    return parsed


def translated(text: str) -> Quotient:
    parsed = expression(text)
    return alphabet_of(PARAMETERS, [parsed]).translate(parsed)


def spelled(text: str) -> str:
    parsed = expression(text)
    alphabet = alphabet_of(PARAMETERS, [parsed])
    point: dict[str, Number] = {"p": Fraction(1, 3), "eps": Fraction(2, 3)}
    sample = tuple(enclose(evaluate(letter.meaning, point)) for letter in alphabet.letters)
    return Notation(alphabet, sample).text(alphabet.translate(parsed))


atoms = st.sampled_from(
    ["p", "eps", "2", "1/3", "exp(eps)", "exp(-eps)", "exp(2*eps)", "exp(eps/2)", "exp(p*eps - 1)", "sqrt(p)"]
)
expressions = st.recursive(
    atoms,
    lambda inner: st.one_of(
        *(st.builds(f"({{}}) {operator} ({{}})".format, inner, inner) for operator in "+-*/"),
        st.builds("({})^{}".format, inner, st.integers(-2, 2)),
        st.builds("-({})".format, inner),
    ),
    max_leaves=6,
)


@settings(deadline=None, max_examples=60)
@given(expressions, st.fractions(Fraction(1, 10), 2, max_denominator=20), st.fractions(-2, 2, max_denominator=20))
def test_translation_keeps_the_value(text: str, p: Fraction, eps: Fraction) -> None:
    parsed = expression(text)
    point: dict[str, Number] = {"p": p, "eps": eps}
    try:
        value = evaluate(parsed, point)
        alphabet = alphabet_of(PARAMETERS, [parsed])
        found = alphabet.translate(parsed)
    except (Fault, NoAlgebra):
        assume(False)

    letters = [enclose(evaluate(letter.meaning, point), 256) for letter in alphabet.letters]
    with precision(256):
        assert value_of_quotient(found, letters).overlaps(enclose(value, 256))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("exp(eps) / (exp(eps) + 1)", "1 / (1 + exp(-eps))"),
        ("exp(2*eps) - 1", "(exp(eps) - 1) * (exp(eps) + 1)"),
        ("exp(eps/2 + eps/2)", "exp(eps/4)^4"),
        ("exp(p*eps) * exp(-(p*eps))", "1"),
        ("exp((p + 1)^2 - p^2)", "exp(p) * exp(p + 1)"),
        ("(p^2 - 1) / (p - 1)", "p + 1"),
        ("sqrt(p) / sqrt(p)", "1"),
    ],
)
def test_equal_functions_are_found_equal(left: str, right: str) -> None:
    alphabet = alphabet_of(PARAMETERS, [expression(left), expression(right)])

    assert alphabet.translate(expression(left)) == alphabet.translate(expression(right))


def test_quotients_are_reduced_with_whole_coefficients() -> None:
    found = translated("(p/2 - p^2/2) / (3/4 * p)")

    # (p/2)(1 - p) / (3p/4) = 2(1 - p)/3
    assert sorted(abs(int(c.p)) for c in found.numerator.coeffs()) == [2, 2]
    assert found.denominator.is_constant()
    assert all(c.q == 1 for c in (*found.numerator.coeffs(), *found.denominator.coeffs()))


def test_a_division_by_zero_has_no_algebra() -> None:
    with pytest.raises(NoAlgebra, match="zero"):
        translated("1 / (p - p)")


def test_arithmetic_of_quotients() -> None:
    alphabet = alphabet_of(PARAMETERS, [])
    p, one = alphabet.parameter("p"), alphabet.number(1)
    odds = over(p, minus(one, p))

    assert plus(odds, one) == over(one, minus(one, p))
    assert times(odds, minus(one, p)) == p
    assert raised(odds, -2) == times(over(one, odds), over(one, odds))
    assert quotient(p.numerator * 6, p.denominator * 4).constant() is None
    assert minus(p, p).is_zero
    assert alphabet.number(Fraction(3, 4)).constant() == Fraction(3, 4)


def test_polynomials_compose_over_a_common_denominator() -> None:
    alphabet = alphabet_of(PARAMETERS, [])
    p, one = alphabet.parameter("p"), alphabet.number(1)
    x, y = alphabet.context.gen(0), alphabet.context.gen(1)

    # 2 x² y − y at x = 1/p, y = p/(1 − p)
    found = composed(2 * x**2 * y - y, [over(one, p), over(p, minus(one, p))], alphabet)

    assert found == over(minus(alphabet.number(2), times(p, p)), times(p, minus(one, p)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p*exp(eps)/(exp(eps) + 1) + (1 - p)/(exp(eps) + 1)", "(p·e^eps − p + 1)/(e^eps + 1)"),
        ("1 - p", "1 − p"),
        ("(1 - p)^3", "(1 − p)³"),
        ("p/3 - 1", "(p − 3)/3"),
        ("-p", "−p"),
        ("3/(4*p)", "3/(4·p)"),
        ("exp(-2*eps)", "1/e^(2·eps)"),
        ("exp(eps/2)", "e^(eps/2)"),
        ("exp(1)", "e"),
        ("p - p", "0"),
        ("5/4", "5/4"),
    ],
)
def test_functions_are_spelled_as_people_write_them(text: str, expected: str) -> None:
    assert spelled(text) == expected
