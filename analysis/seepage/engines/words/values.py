"""Values of a program of words: words, quotients, and what is written of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias, cast, get_args

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.words.circuit import NOWHERE, ONE, ZERO, Beyond, Form, Plain
from seepage.exact import Irrational, Number, show_count
from seepage.syntax import tree
from seepage.syntax.tree import Expression

LONGEST = 4_096
"""Digits of a word."""


@dataclass(frozen=True, slots=True)
class Word:
    """An integer by its binary digits, the lowest first; those beyond are all equal to the sign, which is 1 for negative ones."""

    digits: tuple[Form, ...]
    sign: Form = ZERO

    def digit(self, place: int) -> Form:
        """Return a digit."""
        return self.digits[place] if place < len(self.digits) else self.sign


@dataclass(frozen=True, slots=True)
class Quotient:
    """A word divided by a whole number above 1."""

    word: Word
    divisor: int


Operand: TypeAlias = Number | Plain | Word
"""Of a definition; a word is a single digit then."""

Value: TypeAlias = Operand | Quotient


def word_of(digits: Sequence[Form], sign: Form = ZERO) -> Word:
    """Return a word without leading digits that the sign tells."""
    length = len(digits)
    while length and digits[length - 1] == sign:
        length -= 1
    if length > LONGEST:
        raise Beyond(f"a word of {show_count(length)} digits")
    return Word(tuple(digits[:length]), sign)


def constant_word(value: int) -> Word:
    """Return a known integer as a word."""
    sign = ONE if value < 0 else ZERO
    length = value.bit_length()
    if length > LONGEST:
        raise Beyond(f"a number of {show_count(length)} digits")
    return word_of([value >> place & 1 for place in range(length)], sign)


def known(word: Word) -> int | None:
    """Return the number that a word is, None where a digit is not known."""
    if any(digit not in (ZERO, ONE) for digit in (*word.digits, word.sign)):
        return None
    return sum(digit << place for place, digit in enumerate(word.digits)) - (word.sign << len(word.digits))


def open_digits(word: Word) -> tuple[Form, ...]:
    """Return the digits that are not known, the sign among them, each once."""
    return tuple(dict.fromkeys(each for each in (*word.digits, word.sign) if each not in (ZERO, ONE)))


def truth_word(form: Form) -> Value:
    """Return a truth as a value."""
    return form if form in (ZERO, ONE) else Word((form,))


def shifted(word: Word, places: int) -> Word:
    """Return a word times a power of two, rounded down for a negative one."""
    if places >= 0:
        return word_of((ZERO,) * places + word.digits, word.sign)
    return word_of(word.digits[-places:], word.sign)


def number_of(word: Word, at: Mapping[Form, Number]) -> int:
    """Return the number that a word is where its unknown digits have values."""
    values = [digit if digit in (ZERO, ONE) else at[digit] for digit in (*word.digits, word.sign)]
    whole = [value for value in values if isinstance(value, int)]
    return sum(value << place for place, value in enumerate(whole[:-1])) - (whole[-1] << len(word.digits))


def simplest(word: Word) -> Value:
    """Return a word, or the number that it is."""
    number = known(word)
    return word if number is None else number


def quotient(word: Word, divisor: int) -> Value:
    """Return a word over a whole number, in low terms as far as powers of two go."""
    while divisor % 2 == 0 and word.digit(0) == ZERO:
        word, divisor = shifted(word, -1), divisor // 2
    number = known(word)
    if number is not None:
        return normal(Fraction(number, divisor))
    return word if divisor == 1 else Quotient(word, divisor)


def defined_number(value: Number | None) -> Number:
    """Return a number that must have a value."""
    if value is None:
        raise Beyond("a value that is undefined")
    return value


def normal(value: Fraction) -> int | Fraction:
    """Return a rational number, a whole one as such."""
    return exact.number(value)


# --- expressions ------------------------------------------------------------------------------------------------------


def literal(value: Number) -> Expression:
    """Return a number as an expression."""
    if isinstance(value, Irrational):
        raise Beyond("an irrational number")
    return tree.Number(Fraction(value), NOWHERE)


def binary(operator: tree.BinaryOperator, a: Expression, b: Expression) -> Expression:
    """Return two expressions joined."""
    return tree.Binary(operator, a, b, NOWHERE)


def over(a: Expression, divisor: int) -> Expression:
    """Return an expression divided by a number."""
    return binary("/", a, literal(divisor))


def chosen(condition: Expression, a: Expression, b: Expression) -> Expression:
    """Return a conditional expression."""
    return tree.Conditional(condition, a, b, NOWHERE)


def operation(name: str, parts: Sequence[Expression]) -> Expression:
    """Return an operation of ``OPERATIONS`` as an expression."""
    match name, parts:
        case "negate", (inner,):
            return tree.Unary("-", inner, NOWHERE)
        case "not", (inner,):
            return tree.Unary("not", inner, NOWHERE)
        case "choose", (condition, a, b):
            return chosen(condition, a, b)
        case _, (a, b) if name in get_args(tree.BinaryOperator):
            return binary(cast("tree.BinaryOperator", name), a, b)
        case _:
            return tree.Call(name, tuple(parts), NOWHERE, NOWHERE)
