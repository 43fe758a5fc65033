r"""Arithmetic of words: each operation as forms where it is linear, else as a chain of gates from the lowest digit up, or of small numbers.

A word is in two's complement, so that differences may be negative: :math:`\sum_{i<n} d_i 2^i - 2^n s` for its digits d and its sign s. Sums and
differences are chains of carries, comparisons the carry of a difference, remainders and quotients those of long division, whose state is the remainder so far.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import groupby
from math import lcm
from types import MappingProxyType
from typing import TypeAlias, cast

from seepage import exact
from seepage.engines.factors.operations import OPERATIONS
from seepage.engines.words.circuit import ONE, ZERO, Beyond, Circuit, Form, Plain, known_majority
from seepage.engines.words.small_numbers import CELLS_OF_FEW, SmallNumbers
from seepage.engines.words.values import (
    LONGEST,
    Operand,
    Quotient,
    Value,
    Word,
    binary,
    chosen,
    constant_word,
    defined_number,
    known,
    literal,
    normal,
    open_digits,
    quotient,
    shifted,
    simplest,
    truth_word,
    word_of,
)
from seepage.exact import Irrational, Number, show_count
from seepage.syntax.tree import Expression

_SHORT_FACTOR = 8  # digits of the shorter one of two factors, neither of which is known


class Arithmetic(SmallNumbers):
    """Operations on values, which add gates and numbers to a circuit."""

    # --- operations by their names ------------------------------------------------------------------------------------

    def apply(self, name: str, *values: Value) -> Value:
        """Return what an operation of ``OPERATIONS`` makes of values.

        Raises:
            Beyond: if it is none of words, or has no value somewhere.
        """
        constants = [each for each in values if not isinstance(each, Word | Plain | Quotient)]
        if len(constants) == len(values):
            return defined_number(OPERATIONS[name](*constants))
        rule = _RULES.get(name)
        if rule is None or any(isinstance(each, Plain) for each in values) or self._counts(name, values):
            if name == "%" and values[1] == 2 and isinstance(values[0], Plain) and values[0] in self.lowest:
                return truth_word(self.lowest[values[0]])
            found = self.small(name, *values)
            if found is not None:
                self._note_lowest(name, values, found)
                return found
        if rule is None:
            raise Beyond(f"'{name}' of a value with many values")
        return rule(self, *values)

    def _note_lowest(self, name: str, values: Sequence[Value], found: Value) -> None:
        """Note the lowest digit of a sum or difference of whole numbers."""
        summands = [each for each in values if self._is_whole(each)]
        if name in ("+", "-") and isinstance(found, Plain) and len(summands) == len(values):
            digits = [self.word(each).digit(0) for each in summands]
            self.lowest[found] = digits[0] ^ digits[1]

    def _is_whole(self, value: Value) -> bool:
        if isinstance(value, Plain):
            return all(isinstance(each, int) for each in value.domain)
        return isinstance(value, Word | int)

    def _counts(self, name: str, values: Sequence[Value]) -> bool:
        """Tell whether an operation adds single digits up, with carries: what counts them is better told as a number."""
        if name not in ("+", "-"):
            return False
        first, second = (self.scaled(each)[0] for each in values)
        if min(len(first.digits), len(second.digits)) > 1:
            return False
        carry = minus = ONE if name == "-" else ZERO
        for place in range(max(len(first.digits), len(second.digits)) + 1):
            told = known_majority(first.digit(place), second.digit(place) ^ minus, carry)
            if told is None:
                return True
            carry = told
        return False

    # --- sums ---------------------------------------------------------------------------------------------------------

    def add(self, a: Value, b: Value) -> Value:
        """Return a + b."""
        return self._combined(a, b, ZERO)

    def subtract(self, a: Value, b: Value) -> Value:
        """Return a − b."""
        return self._combined(a, b, ONE)

    def negate(self, a: Value) -> Value:
        """Return −a."""
        return self.subtract(0, a)

    def _combined(self, a: Value, b: Value, minus: Form) -> Value:
        (first, one), (second, other) = self.scaled(a), self.scaled(b)
        common = lcm(one, other)
        first, second = self.times(first, common // one), self.times(second, common // other)
        return quotient(self._sum(first, second, minus), common)

    def _sum(self, a: Word, b: Word, minus: Form = ZERO) -> Word:
        """Return a + b, or a − b = a + (−1 − b) + 1: two more digits than the longer one hold it."""
        carry, digits = minus, list[Form]()
        for place in range(max(len(a.digits), len(b.digits)) + 2):
            one, other = a.digit(place), b.digit(place) ^ minus
            digits.append(one ^ other ^ carry)
            carry = self.circuit.majority(one, other, carry)
        return word_of(digits[:-1], digits[-1])

    # --- products -----------------------------------------------------------------------------------------------------

    def times(self, word: Word, factor: int) -> Word:
        """Return a word times a known whole number."""
        result, rest = constant_word(0), abs(factor)
        for place in range(rest.bit_length()):
            if rest >> place & 1:
                result = self._sum(result, shifted(word, place))
        return self._sum(constant_word(0), result, ONE) if factor < 0 else result

    def multiply(self, a: Value, b: Value) -> Value:
        """Return a · b, one of which is known, or has few digits."""
        (first, one), (second, other) = self.scaled(a), self.scaled(b)
        if len(open_digits(first)) < len(open_digits(second)):
            first, second = second, first
        if (factor := known(second)) is not None:
            return quotient(self.times(first, factor), one * other)
        if len(second.digits) > _SHORT_FACTOR:
            raise Beyond("a product of two values, each with many values")
        result = constant_word(0)
        for place, digit in enumerate((*second.digits, second.sign)):
            term = shifted(self.selected(digit, first, constant_word(0)), place)
            result = self._sum(result, term, ONE if place == len(second.digits) else ZERO)
        return quotient(result, one * other)

    def divide(self, a: Value, b: Value) -> Value:
        """Return a / b for a known b."""
        if not isinstance(b, int | Fraction):
            raise Beyond("a division by what is not known, of a value with many values")
        if b == 0:
            raise Beyond("a division by 0")
        return self.multiply(a, normal(1 / Fraction(b)))

    def remainder(self, a: Value, b: Value) -> Value:
        """Return a modulo a known b > 0."""
        word = self.word(a)
        return self._divided(word, _divisor(b))[1]

    def floor(self, a: Value) -> Value:
        """Return the greatest whole number that is not above a."""
        word, divisor = self.scaled(a)
        return self._divided(word, divisor)[0]

    def ceil(self, a: Value) -> Value:
        """Return the smallest whole number that is not below a."""
        return self.negate(self.floor(self.negate(a)))

    def _divided(self, word: Word, divisor: int) -> tuple[Word, Word]:
        """Return quotient and remainder: of the divisor the powers of two are digits that are cut off, the rest is long division from the highest digit down."""
        twos = (divisor & -divisor).bit_length() - 1
        odd = divisor >> twos
        above, below = shifted(word, -twos), word_of([word.digit(place) for place in range(twos)])
        if odd == 1:
            return above, below
        offset = 0 if above.sign == ZERO else 1 << len(above.digits)
        above = self._sum(above, constant_word(offset * odd))  # which is not negative
        if len(above.digits) * odd > self.few * CELLS_OF_FEW:
            raise Beyond(f"a remainder modulo {show_count(divisor)} of a value with many values")
        digits, state = list[Form](), cast("Operand", 0)
        for digit in reversed(above.digits):
            state, bit = self._long_division(state, digit, odd)
            digits.append(bit)
        whole = self._sum(word_of(digits[::-1]), constant_word(offset), ONE)
        return whole, self._sum(below, shifted(self.word(state), twos))

    def _long_division(self, state: Operand, digit: Form, divisor: int) -> tuple[Operand, Form]:
        """Return the remainder and the digit of the quotient after one more digit."""
        read: list[Operand] = [state, digit if digit in (ZERO, ONE) else Word((digit,))]

        def doubled(parts: Sequence[Expression]) -> Expression:
            return binary("+", binary("*", literal(2), parts[0]), parts[1])

        def reached(each: Sequence[Number]) -> Number:
            return int(exact.compare(exact.add(exact.mul(2, each[0]), each[1]), divisor) >= 0)

        rest = self.computed(
            read,
            lambda each: exact.modulo(exact.add(exact.mul(2, each[0]), each[1]), divisor),
            lambda parts: binary("%", doubled(parts), literal(divisor)),
        )
        bit = self.computed(read, reached, lambda parts: binary(">=", doubled(parts), literal(divisor)))
        if rest is None or bit is None or isinstance(rest, Quotient):
            raise Beyond(f"a remainder modulo {show_count(divisor)} of a value with many values")
        return self.operand(rest), self.truth(bit)

    # --- comparisons --------------------------------------------------------------------------------------------------

    def _common(self, a: Value, b: Value) -> tuple[Word, Word]:
        """Return two values as words, both times a common denominator."""
        (first, one), (second, other) = self.scaled(a), self.scaled(b)
        common = lcm(one, other)
        return self.times(first, common // one), self.times(second, common // other)

    def is_below(self, word: Word, number: int) -> Form:
        """Tell whether a word that is not negative is below a known number above 0, by a chain from the lowest digit up: other words go on beside it digit by digit."""
        less = ZERO
        for place in range(max(len(word.digits), number.bit_length())):
            less = self.circuit.majority(word.digit(place) ^ ONE, number >> place & 1, less)
        return less

    def less(self, a: Value, b: Value) -> Form:
        """Tell whether a < b."""
        first, second = self._common(a, b)
        places = range(max(len(first.digits), len(second.digits)))
        less = self._carried([(first.digit(place) ^ ONE, second.digit(place)) for place in places])
        return self.circuit.majority(first.sign, second.sign ^ ONE, less)

    def _carried(self, pairs: Sequence[tuple[Form, Form]]) -> Form:
        """Return the last carry of a sum. Equal digits of a known number are taken together, the highest first: shifted words share what these make."""
        carry = ZERO
        for constant, run in groupby(pairs, _constant_of):
            if constant is None:
                for one, other in run:
                    carry = self.circuit.majority(one, other, carry)
            elif constant != carry:
                join = self.circuit.either if constant == ONE else self.circuit.both
                others = [other if one == constant else one for one, other in run]
                carry = join(reduce(join, reversed(others)), carry)
        return carry

    def equal(self, a: Value, b: Value) -> Form:
        """Tell whether a == b."""
        first, second = self._common(a, b)
        equal = ONE
        for place in reversed(range(max(len(first.digits), len(second.digits)) + 1)):
            equal = self.circuit.both(equal, first.digit(place) ^ second.digit(place) ^ ONE)
        return equal

    # --- digits -------------------------------------------------------------------------------------------------------

    def digitwise(self, a: Value, b: Value, combine: Callable[[Form, Form], Form]) -> Value:
        """Return a word whose digits are made of those of two others, which must not be negative."""
        first, second = self._unsigned(a), self._unsigned(b)
        longest = max(len(first.digits), len(second.digits))
        return simplest(word_of([combine(first.digit(place), second.digit(place)) for place in range(longest)]))

    def _unsigned(self, value: Value) -> Word:
        word = self.word(value)
        if word.sign != ZERO:
            raise Beyond("binary digits of what may be negative")
        return word

    def shift(self, a: Value, by: Value, left: bool) -> Value:
        """Return a word shifted to the left or right, by a number of places that may itself be a word."""
        word, places = self._unsigned(a), self._unsigned(by)
        for number, digit in enumerate(places.digits):
            distance = 1 << number
            if left and distance > LONGEST:
                raise Beyond("a shift to the left by many places")
            moved = shifted(word, distance if left else -min(distance, LONGEST + 1))
            word = self.selected(digit, moved, word)
        return simplest(word)

    def popcount(self, a: Value) -> Value:
        """Return how many digits of a word are 1."""
        total: Value = 0
        for digit in self._unsigned(a).digits:
            total = self.apply("+", total, truth_word(digit))
        return total

    # --- choices ------------------------------------------------------------------------------------------------------

    def selected(self, condition: Form, a: Word, b: Word) -> Word:
        """Return one of two words."""
        longest = max(len(a.digits), len(b.digits))
        digits = [self.circuit.choice(condition, a.digit(place), b.digit(place)) for place in range(longest + 1)]
        return word_of(digits[:-1], digits[-1])

    def choose(self, condition: Value, a: Value, b: Value) -> Value:
        """Return a where a condition holds, else b."""
        form = self.truth(condition)
        if form in (ZERO, ONE) or a == b:
            return a if form == ONE else b
        is_number = any(isinstance(each, Plain | Irrational) for each in (a, b))
        if is_number and self.is_small(a, b):
            one, other = self.operand(a), self.operand(b)
            domain = tuple(dict.fromkeys((*self.values(one), *self.values(other))))
            if len(domain) <= self.few:
                return self.defined([Word((form,)), one, other], lambda parts: chosen(*parts), domain)
        (first, one_divisor), (second, other_divisor) = self.scaled(a), self.scaled(b)
        common = lcm(one_divisor, other_divisor)
        both = self.times(first, common // one_divisor), self.times(second, common // other_divisor)
        return quotient(self.selected(form, *both), common)


def _constant_of(pair: tuple[Form, Form]) -> Form | None:
    return next((each for each in pair if each in (ZERO, ONE)), None)


def _divisor(value: Value) -> int:
    if not isinstance(value, int):
        raise Beyond("a remainder modulo what is not known, of a value with many values")
    if value <= 0:
        raise Beyond("a remainder modulo what is not positive")
    return value


Rule: TypeAlias = Callable[..., Value]


def _truths(combine: Callable[[Circuit, Form, Form], Form]) -> Rule:
    return lambda self, a, b: truth_word(combine(self.circuit, self.truth(a), self.truth(b)))


def _digits(combine: Callable[[Circuit, Form, Form], Form]) -> Rule:
    return lambda self, a, b: self.digitwise(a, b, lambda one, other: combine(self.circuit, one, other))


def _xor(_: Circuit, a: Form, b: Form) -> Form:
    return a ^ b


_RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "+": Arithmetic.add,
        "-": Arithmetic.subtract,
        "*": Arithmetic.multiply,
        "/": Arithmetic.divide,
        "%": Arithmetic.remainder,
        "negate": Arithmetic.negate,
        "floor": Arithmetic.floor,
        "ceil": Arithmetic.ceil,
        "abs": lambda self, a: self.choose(truth_word(self.less(a, 0)), self.negate(a), a),
        "<": lambda self, a, b: truth_word(self.less(a, b)),
        ">": lambda self, a, b: truth_word(self.less(b, a)),
        "<=": lambda self, a, b: truth_word(self.less(b, a) ^ ONE),
        ">=": lambda self, a, b: truth_word(self.less(a, b) ^ ONE),
        "==": lambda self, a, b: truth_word(self.equal(a, b)),
        "!=": lambda self, a, b: truth_word(self.equal(a, b) ^ ONE),
        "and": _truths(Circuit.both),
        "or": _truths(Circuit.either),
        "xor": _truths(_xor),
        "not": lambda self, a: truth_word(self.truth(a) ^ ONE),
        "choose": Arithmetic.choose,
        "min": lambda self, a, b: self.choose(truth_word(self.less(b, a)), b, a),
        "max": lambda self, a, b: self.choose(truth_word(self.less(a, b)), b, a),
        "bit_xor": _digits(_xor),
        "bit_and": _digits(Circuit.both),
        "bit_or": _digits(Circuit.either),
        "shift_left": lambda self, a, by: self.shift(a, by, True),
        "shift_right": lambda self, a, by: self.shift(a, by, False),
        "popcount": Arithmetic.popcount,
    }
)
"""How words are computed with, by the names of operations; what is missing, as ``exp``, has small numbers only."""
