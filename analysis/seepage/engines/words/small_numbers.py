"""Small numbers: what has few values is told as a number, a function of other small numbers and of digits, worked out for all of their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from seepage import exact
from seepage.engines.factors.operations import OPERATIONS
from seepage.engines.words.circuit import ONE, ZERO, Beyond, Circuit, Definition, Digit, Form, Plain
from seepage.engines.words.values import (
    Operand,
    Quotient,
    Value,
    Word,
    binary,
    constant_word,
    literal,
    normal,
    number_of,
    open_digits,
    operation,
    over,
    word_of,
)
from seepage.exact import Number
from seepage.syntax import tree
from seepage.syntax.tree import Expression

FEW = 4_096
"""Values up to which a number is told as a number."""

CELLS_OF_FEW = 16
"""Times as many combinations of operands of small numbers are gone through."""


class SmallNumbers:
    """Values as words and as small numbers of a circuit.

    Attributes:
        circuit: grows.
        few: values up to which a number stays a number.
        lowest: of small numbers that are sums, the lowest digits, which are those of the summands added up.
    """

    def __init__(self, circuit: Circuit, few: int = FEW) -> None:
        self.circuit, self.few = circuit, few
        self.lowest: dict[Plain, Form] = {}

    # --- from one kind of value to another ----------------------------------------------------------------------------

    def word(self, value: Value) -> Word:
        """Return an integer as a word.

        Raises:
            Beyond: for what may not be whole.
        """
        match value:
            case Word():
                return value
            case int():
                return constant_word(value)
            case Plain():
                return self._digits(value)
            case _:
                raise Beyond("a value that may not be a whole number")

    def _digits(self, number: Plain) -> Word:
        whole = [each for each in number.domain if isinstance(each, int)]
        if len(whole) < len(number.domain):
            raise Beyond("a value that may not be a whole number")
        length = max(each.bit_length() for each in whole)

        def digit(at: int) -> Form:
            if at == 0 and number in self.lowest:
                return self.lowest[number]
            column = {each >> at & 1 for each in whole}
            return column.pop() if len(column) == 1 else self.circuit.atom(Digit(number, at))

        return word_of([digit(at) for at in range(length)], digit(length))

    def scaled(self, value: Value) -> tuple[Word, int]:
        """Return a rational value as a word and what it is divided by."""
        match value:
            case Quotient(word=word, divisor=divisor):
                return word, divisor
            case Fraction():
                return constant_word(value.numerator), value.denominator
            case _:
                return self.word(value), 1

    def count(self, value: Value) -> int:
        """Return how many values there are at most."""
        match value:
            case Plain(domain=domain):
                return len(domain)
            case Word():
                return 1 << len(open_digits(value))
            case Quotient(word=word):
                return 1 << len(open_digits(word))
            case _:
                return 1

    def values(self, value: Value) -> tuple[Number, ...]:
        """Return what a value of few values may be."""
        match value:
            case Plain(domain=domain):
                return domain
            case Word():
                unknown = open_digits(value)
                rows = (dict(zip(unknown, bits, strict=True)) for bits in product((0, 1), repeat=len(unknown)))
                return tuple(dict.fromkeys(number_of(value, row) for row in rows))
            case Quotient(word=word, divisor=divisor):
                return tuple(normal(Fraction(each, divisor)) for each in self.values(word) if isinstance(each, int))
            case _:
                return (value,)

    def operand(self, value: Value) -> Operand:
        """Return a value of few values as what a definition reads: a digit, a number, or a constant."""
        match value:
            case Word(digits=(_,), sign=0):
                return value
            case Word():
                return self._gathered(value)
            case Quotient(word=word, divisor=divisor):
                inner = self._gathered(word)
                found = self.computed(
                    [inner], lambda each: exact.div(each[0], divisor), lambda parts: over(parts[0], divisor)
                )
                if found is None or isinstance(found, Quotient):
                    raise Beyond("a fraction of many values")
                return found
            case _:
                return value

    def _gathered(self, word: Word) -> Operand:
        """Return a word of few values as a number."""
        unknown = open_digits(word)
        if not unknown:
            return number_of(word, {})

        def written(parts: Sequence[Expression]) -> Expression:
            at = dict(zip(unknown, parts, strict=True))
            whole: Expression = literal(number_of(word, dict.fromkeys(unknown, 0)))
            for place, digit in enumerate((*word.digits, word.sign)):
                if digit in at:
                    factor = -(1 << place) if place == len(word.digits) else 1 << place
                    whole = binary("+", whole, binary("*", literal(factor), at[digit]))
            return whole

        return self.circuit.number(Definition(unknown, written), self.values(word))

    def truth(self, value: Value) -> Form:
        """Return a truth as a digit.

        Raises:
            Beyond: for what may be neither 0 nor 1.
        """
        match value:
            case Word(digits=(single,), sign=0):
                return single
            case int() if value in (ZERO, ONE):
                return value
            case Plain(domain=domain) if set(domain) <= {0, 1}:
                return self.word(value).digit(0)
            case _:
                raise Beyond("a condition that may be neither true nor false")

    # --- small numbers ------------------------------------------------------------------------------------------------

    def is_small(self, *values: Value) -> bool:
        """Tell whether an operation goes through few combinations of values."""
        counts = [self.count(each) for each in values]
        return max(counts) <= self.few and prod(counts) <= self.few * CELLS_OF_FEW

    def computed(
        self,
        operands: Sequence[Operand],
        compute: Callable[[Sequence[Number]], Number | None],
        written: Callable[[Sequence[Expression]], Expression],
    ) -> Value | None:
        """Return a function of small numbers, worked out for all of their values; None where it has too many.

        Args:
            operands: what it is a function of.
            compute: its value at values of the operands, None where it has none.
            written: it as an expression of the operands'.

        Raises:
            Beyond: if it has no value somewhere.
        """
        made = dict.fromkeys(compute(each) for each in product(*(self.values(one) for one in operands)))
        if None in made:
            raise Beyond("a value that may be undefined")
        domain = tuple(each for each in made if each is not None)
        if len(domain) == 1:
            return domain[0]
        if len(domain) > self.few:
            return None
        return self.defined(operands, written, domain)

    def defined(
        self,
        operands: Sequence[Operand],
        written: Callable[[Sequence[Expression]], Expression | tree.Distribution],
        domain: tuple[Number, ...],
        table: Mapping[int, Number] | None = None,
        is_drawn: bool = False,
    ) -> Value:
        """Return a new small number, a digit if it is 0 or 1; arguments as of :class:`Definition`."""
        read = [each for each in operands if isinstance(each, Word | Plain)]

        def whole(parts: Sequence[Expression]) -> Expression | tree.Distribution:
            left = iter(parts)
            return written([next(left) if isinstance(each, Word | Plain) else literal(each) for each in operands])

        inputs = tuple(each if isinstance(each, Plain) else each.digits[0] for each in read)
        plain = self.circuit.number(Definition(inputs, whole, table, is_drawn), domain)
        return Word((self.circuit.atom(Digit(plain, 0)),)) if set(domain) == {0, 1} else plain

    def small(self, name: str, *values: Value) -> Value | None:
        """Return what an operation makes of small numbers; None where there are too many."""
        if not self.is_small(*values):
            return None
        return self.computed(
            [self.operand(each) for each in values],
            lambda each: OPERATIONS[name](*each),
            lambda parts: operation(name, parts),
        )
