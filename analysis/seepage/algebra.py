r"""Rational functions of a program's parameters, for display: exact, with greatest common divisors and factors.

Every function here is a quotient of polynomials over the rationals in *letters*. A letter is a parameter, an exponential
:math:`e^{b m}` of a monomial m of parameters (one letter for each m, b the greatest common divisor of the coefficients that occur, so
that ``exp(-eps)`` is the inverse of ``exp(eps)`` and ``exp(2*eps)`` its square), or any other expression of parameters, kept as it is.
Letters are treated as independent; what that misses is a simplification, never an error.
Expressions are translated node by node; no text is ever parsed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Literal, TypeAlias

from flint import fmpq, fmpq_mpoly, fmpq_mpoly_ctx, fmpq_poly

from seepage.data_classes import dataclass
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression

Monomial: TypeAlias = tuple[tuple[str, int], ...]  # parameters with their powers, by name; () is 1
_NOWHERE = Span(0, 0)
_LETTERS = 12


class NoAlgebra(Exception):
    """An expression is no rational function of bearable size; the reason is for people."""


class NoLetter(NoAlgebra):
    """A function of the parameters is no letter of an alphabet."""

    def __init__(self, function: Expression) -> None:
        super().__init__("a function of the parameters that is no letter here")
        self.function = function


@dataclass(frozen=True, slots=True)
class Letter:
    """An indeterminate: what it stands for, for an exponential the base exponent b and the monomial m of ``e^(b·m)``; a name given to it."""

    kind: Literal["parameter", "exponential", "other"]
    meaning: Expression
    rate: Fraction = Fraction(1)
    monomial: Monomial = ()
    name: str = ""

    @property
    def is_exponential(self) -> bool:
        """Whether it is an exponential of a monomial."""
        return self.kind == "exponential"


@dataclass(frozen=True, slots=True)
class Alphabet:
    """The letters of one formula and the polynomials over them."""

    letters: tuple[Letter, ...]
    context: fmpq_mpoly_ctx
    highest: int = 64  # power of an exponential

    def number(self, value: Fraction | int) -> Quotient:
        """Return a rational number."""
        value = Fraction(value)
        return Quotient(self.context.constant(value.numerator), self.context.constant(value.denominator))

    def monomial(self, monomial: Monomial) -> Quotient:
        """Return a monomial of parameters, all of which are letters."""
        result = self.number(1)
        for name, power in monomial:
            result = times(result, raised(self.parameter(name), power))
        return result

    def parameter(self, name: str) -> Quotient:
        """Return a parameter, which is a letter."""
        return self._letter(tree.Name(name, _NOWHERE))

    def letter(self, place: int) -> Quotient:
        """Return a letter by its place."""
        return Quotient(self.context.gen(place), self.context.constant(1))

    def _letter(self, meaning: Expression) -> Quotient:
        for place, letter in enumerate(self.letters):
            if not letter.is_exponential and letter.meaning == meaning:
                return Quotient(self.context.gen(place), self.context.constant(1))
        raise NoLetter(meaning)

    def translate(self, expression: Expression) -> Quotient:
        """Return an expression of the parameters as a rational function.

        Raises:
            NoAlgebra: if it divides by zero, a power is too high, or a part is no letter.
        """
        match expression:
            case tree.Number(value=value):
                return self.number(value)
            case tree.Boolean(value=flag):
                return self.number(int(flag))
            case tree.Parenthesized(inner=inner):
                return self.translate(inner)
            case tree.Unary(operator="-", operand=operand):
                return times(self.number(-1), self.translate(operand))
            case tree.Binary(operator="+", left=left, right=right):
                return plus(self.translate(left), self.translate(right))
            case tree.Binary(operator="-", left=left, right=right):
                return minus(self.translate(left), self.translate(right))
            case tree.Binary(operator="*", left=left, right=right):
                return times(self.translate(left), self.translate(right))
            case tree.Binary(operator="/", left=left, right=right):
                return over(self.translate(left), self.translate(right))
            case tree.Binary(operator="^", left=left) if (power := _whole_power(expression)) is not None:
                return raised(self.translate(left), power)
            case tree.Call() if (form := exponent_of(expression)) is not None:
                return self._exponential(expression, form)
            case _:
                return self._letter(expression)

    def _exponential(self, expression: Expression, form: Mapping[Monomial, Fraction]) -> Quotient:
        places = {letter.monomial: place for place, letter in enumerate(self.letters) if letter.is_exponential}
        result = self.number(1)
        for monomial, rate in form.items():
            power = rate / self.letters[places[monomial]].rate if monomial in places else Fraction(1, 2)
            if power.denominator != 1:
                raise NoLetter(expression)
            result = times(result, raised(self.letter(places[monomial]), int(power), self.highest))
        return result


@dataclass(frozen=True, slots=True, eq=False)
class Quotient:
    """``numerator / denominator``, made by the functions of this module: whole coefficients, no common divisor."""

    numerator: fmpq_mpoly
    denominator: fmpq_mpoly

    def __eq__(self, other: object) -> bool:
        """Equality as rational functions."""
        if not isinstance(other, Quotient):
            return NotImplemented
        return bool(self.numerator * other.denominator == other.numerator * self.denominator)

    def __hash__(self) -> int:
        raise TypeError("a quotient has no hash: its sign is not normalised")

    def __add__(self, other: Quotient) -> Quotient:
        return plus(self, other)

    def __truediv__(self, other: Quotient) -> Quotient:
        return over(self, other)

    @property
    def is_zero(self) -> bool:
        """Whether it is 0."""
        return self.numerator.is_zero()

    def constant(self) -> Fraction | None:
        """Return its value if it has no letter."""
        if self.numerator.is_constant() and self.denominator.is_constant():
            value = fmpq(_constant_of(self.numerator)) / fmpq(_constant_of(self.denominator))
            return Fraction(int(value.p), int(value.q))
        return None


def _constant_of(polynomial: fmpq_mpoly) -> fmpq:
    return fmpq(0) if polynomial.is_zero() else polynomial.coefficient(0)


def quotient(numerator: fmpq_mpoly, denominator: fmpq_mpoly) -> Quotient:
    """Return a reduced quotient.

    Raises:
        NoAlgebra: if the denominator is zero.
    """
    if denominator.is_zero():
        raise NoAlgebra("a division by zero")
    if not denominator.is_constant() and not numerator.is_constant():
        common = numerator.gcd(denominator)
        if not common.is_constant():
            numerator, denominator = numerator // common, denominator // common
    scale = content(denominator)
    if scale != 1:
        numerator, denominator = numerator * (1 / scale), denominator * (1 / scale)
    below = fmpq(content(numerator).q)
    # Whole coefficients above, and what is left of the content below.
    return Quotient(numerator, denominator) if below == 1 else Quotient(numerator * below, denominator * below)


def content(polynomial: fmpq_mpoly) -> fmpq:
    """Return the positive rational c for which the polynomial over c has coprime whole coefficients; 1 for zero."""
    if polynomial.is_zero():
        return fmpq(1)
    coefficients = fmpq_poly(polynomial.coeffs())
    return fmpq(coefficients.numer().content(), coefficients.denom())


def plus(a: Quotient, b: Quotient) -> Quotient:
    """Return a + b."""
    if a.denominator == b.denominator:
        return quotient(a.numerator + b.numerator, a.denominator)
    return quotient(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)


def minus(a: Quotient, b: Quotient) -> Quotient:
    """Return a − b."""
    if a.denominator == b.denominator:
        return quotient(a.numerator - b.numerator, a.denominator)
    return quotient(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator)


def times(a: Quotient, b: Quotient) -> Quotient:
    """Return a · b."""
    return quotient(a.numerator * b.numerator, a.denominator * b.denominator)


def scaled(number: int, value: Quotient) -> Quotient:
    """Return a whole multiple: only whole numbers can cancel."""
    common = gcd(number, int(content(value.denominator).p))
    return Quotient(value.numerator * (number // common), value.denominator * fmpq(1, common))


def over(a: Quotient, b: Quotient) -> Quotient:
    """Return a / b.

    Raises:
        NoAlgebra: if b is 0.
    """
    return quotient(a.numerator * b.denominator, a.denominator * b.numerator)


def raised(a: Quotient, power: int, highest: int = 64) -> Quotient:
    """Return a to a whole power.

    Raises:
        NoAlgebra: if the power is beyond ±``highest``, or negative of 0.
    """
    if abs(power) > highest:
        raise NoAlgebra("a power too high to read")
    if power < 0:
        return quotient(a.denominator ** (-power), a.numerator ** (-power))
    return quotient(a.numerator**power, a.denominator**power)


def composed(polynomial: fmpq_mpoly, generators: Sequence[Quotient], alphabet: Alphabet) -> Quotient:
    """Return a polynomial with rational functions in the place of its first generators; it holds no others.

    Over the common denominator: the generator n/d of degree k in the polynomial gives powers of n times complementary powers of d.
    """
    degrees = [max(int(degree), 0) for degree in polynomial.degrees()[: len(generators)]]  # −1 of the polynomial 0
    powers = [
        [value.numerator**power * value.denominator ** (degree - power) for power in range(degree + 1)]
        for value, degree in zip(generators, degrees, strict=False)
    ]
    used = [place for place, degree in enumerate(degrees) if degree]
    top = alphabet.context.constant(0)
    for exponents, coefficient in polynomial.terms():
        term = alphabet.context.constant(coefficient)
        for place in used:
            term *= powers[place][int(exponents[place])]
        top += term
    bottom = alphabet.context.constant(1)
    for value, degree in zip(generators, degrees, strict=True):
        bottom *= value.denominator**degree
    return quotient(top, bottom)


# --- collecting letters -----------------------------------------------------------------------------------------------


def alphabet_of(
    parameters: Sequence[str], expressions: Iterable[Expression], most: int = _LETTERS, highest: int = 64
) -> Alphabet:
    """Return the letters that translate some expressions of parameters.

    Args:
        parameters: the first letters.
        expressions: what is to be translated.
        most: letters.
        highest: power of an exponential.

    Raises:
        NoAlgebra: if there are too many.
    """
    others: dict[Expression, None] = {}
    rates: dict[Monomial, set[Fraction]] = {}
    for expression in expressions:
        for found in _irreducible(expression):
            form = exponent_of(found)
            if form is None:
                others[found] = None
            else:
                for monomial, rate in form.items():
                    rates.setdefault(monomial, set()).add(rate)
    letters = [Letter("parameter", tree.Name(name, _NOWHERE)) for name in parameters]
    for monomial, values in rates.items():
        base = _common(values)
        letters.append(Letter("exponential", exponential_of(monomial, base), base, monomial))
    letters.extend(Letter("other", expression) for expression in others if not _is_parameter(expression, parameters))
    return _alphabet(letters, most, highest)


def named_alphabet(parameters: Sequence[str], expressions: Mapping[str, Expression]) -> Alphabet:
    """Return the parameters as letters and after them some expressions, each a letter by a name of its own, whatever it holds.

    Raises:
        NoAlgebra: if there are too many.
    """
    letters = [Letter("parameter", tree.Name(name, _NOWHERE)) for name in parameters]
    letters.extend(Letter("other", expression, name=name) for name, expression in expressions.items())
    return _alphabet(letters)


def _alphabet(letters: Sequence[Letter], most: int = _LETTERS, highest: int = 64) -> Alphabet:
    if len(letters) > most:
        raise NoAlgebra("too many different functions of the parameters")
    context = fmpq_mpoly_ctx.get([f"x{i}" for i in range(len(letters))] or ["x0"], "deglex")
    return Alphabet(tuple(letters), context, highest)


def _is_parameter(expression: Expression, parameters: Sequence[str]) -> bool:
    return isinstance(expression, tree.Name) and expression.id in parameters


def _common(values: Iterable[Fraction]) -> Fraction:
    """Return the largest positive rational of which all values are whole multiples."""
    listed = list(values)
    below = lcm(*(value.denominator for value in listed))
    return Fraction(gcd(*(int(value * below) for value in listed)), below)


def exponential_of(monomial: Monomial, rate: Fraction) -> Expression:
    """Return ``e^(rate·m)`` of a monomial m."""
    exponent: Expression = tree.Number(rate, _NOWHERE)
    for name, power in monomial:
        for _ in range(power):
            exponent = tree.Binary("*", exponent, tree.Name(name, _NOWHERE), _NOWHERE)
    return tree.Call("exp", (exponent,), _NOWHERE, _NOWHERE)


def exponent_of(expression: Expression) -> dict[Monomial, Fraction] | None:
    """Return the exponent of an exponential of a polynomial of names, None for anything else."""
    match expression:
        case tree.Call(function="exp", arguments=(argument,)):
            return _polynomial_form(argument)
        case _:
            return None


def _irreducible(expression: Expression) -> Iterator[Expression]:
    """Yield the parts of an expression that are no sums, products, quotients or whole powers of parts."""
    match expression:
        case tree.Number() | tree.Boolean():
            pass
        case tree.Parenthesized(inner=inner) | tree.Unary(operator="-", operand=inner):
            yield from _irreducible(inner)
        case tree.Binary(operator="+" | "-" | "*" | "/", left=left, right=right):
            yield from _irreducible(left)
            yield from _irreducible(right)
        case tree.Binary(operator="^", left=left) if _whole_power(expression) is not None:
            yield from _irreducible(left)
        case _:
            yield expression


def _whole_power(expression: tree.Binary) -> int | None:
    exponent = expression.right
    sign = 1
    while isinstance(exponent, tree.Unary | tree.Parenthesized):
        if isinstance(exponent, tree.Unary):
            if exponent.operator != "-":
                return None
            sign, exponent = -sign, exponent.operand
        else:
            exponent = exponent.inner
    if isinstance(exponent, tree.Number) and exponent.value.denominator == 1 and abs(exponent.value) <= 64:
        return sign * int(exponent.value)
    return None


def _polynomial_form(expression: Expression) -> dict[Monomial, Fraction] | None:
    """Return an exponent as a polynomial of names, None if it is none; zero terms are left out."""
    match expression:
        case tree.Number(value=value):
            return {(): value} if value else {}
        case tree.Name(id=name):
            return {((name, 1),): Fraction(1)}
        case tree.Parenthesized(inner=inner):
            return _polynomial_form(inner)
        case tree.Unary(operator="-", operand=operand):
            form = _polynomial_form(operand)
            return None if form is None else {monomial: -rate for monomial, rate in form.items()}
        case tree.Binary(operator="+" | "-" | "*" | "/", left=left, right=right):
            first, second = _polynomial_form(left), _polynomial_form(right)
            return None if first is None or second is None else _combined(expression.operator, first, second)
        case tree.Binary(operator="^", left=left) if 0 <= (power := _whole_power(expression) or 0) <= 8:
            base = _polynomial_form(left) if _whole_power(expression) is not None else None
            result: dict[Monomial, Fraction] | None = {(): Fraction(1)}
            for _ in range(power):
                result = None if result is None or base is None else _combined("*", result, base)
            return None if base is None else result
        case _:
            return None


def _combined(
    operator: str, a: Mapping[Monomial, Fraction], b: Mapping[Monomial, Fraction]
) -> dict[Monomial, Fraction] | None:
    result: dict[Monomial, Fraction] = {}
    if operator == "/":
        if set(b) != {()}:
            return None
        return {monomial: rate / b[()] for monomial, rate in a.items()}
    if operator == "*":
        for first, u in a.items():
            for second, v in b.items():
                powers = dict(first)
                for name, power in second:
                    powers[name] = powers.get(name, 0) + power
                key = tuple(sorted(powers.items()))
                result[key] = result.get(key, Fraction(0)) + u * v
    else:
        result = dict(a)
        for monomial, rate in b.items():
            result[monomial] = result.get(monomial, Fraction(0)) + (rate if operator == "+" else -rate)
    return {monomial: rate for monomial, rate in result.items() if rate}
