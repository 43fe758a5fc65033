r"""A measure minus its budget as a function of the parameters, enclosed with its slopes on boxes of their values.

.. math:: G(\theta) = r(\theta) + \sum_k c_k(\theta) \log f_k(\theta)

with rational functions r and c over an alphabet, and polynomials f that are nowhere negative in the domains
(:class:`seepage.measures.symbolic.LogarithmSum`). Entropies and informations are sums of terms :math:`P \log P`, so each f divides its c
there, :math:`c = d f`, and the term is :math:`d\,\eta(f)` with :math:`\eta(t) = t \log t`, finite at 0. The slope in a parameter is
:math:`r' + \sum_k (c_k' \log f_k + d_k f_k')`, all derivatives taken symbolically, so what cancels is gone before a number is put in.

On a box the value is enclosed term by term, and once more by the mean value theorem
:math:`G(\theta) \in G(m) + \sum_i G_i(\text{box}) (\theta_i - m_i)`; both hold, so the tighter ends are taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from flint import arb, fmpq_mpoly

from seepage.algebra import Alphabet, Letter, NoAlgebra, Quotient, over, plus, quotient, times
from seepage.measures import intervals
from seepage.measures.intervals import Box, Interval, range_of, range_of_polynomial
from seepage.measures.symbolic import LogarithmSum
from seepage.semantics.expressions import plain_names
from seepage.syntax import tree

_DEPTH = 6  # letters fixed at their ends, one after the other, to enclose a polynomial
_ZERO: Interval = (arb(0), arb(0))


@dataclass(frozen=True)
class Logarithm:
    """``coefficient · log(argument)``; ``share`` is the coefficient over the argument where it has no new pole there."""

    coefficient: Quotient
    argument: fmpq_mpoly
    share: Quotient | None


@dataclass(frozen=True)
class Slope:
    """The derivative in one parameter: ``rest + Σ coefficient · log(argument)``."""

    rest: Quotient
    logarithms: tuple[tuple[Quotient, fmpq_mpoly], ...]


@dataclass(frozen=True)
class Form:
    """A function of parameters; all ends and values are in nats, or have no unit."""

    alphabet: Alphabet
    parameters: tuple[str, ...]
    rest: Quotient
    logarithms: tuple[Logarithm, ...]
    known: dict[tuple[fmpq_mpoly, int], fmpq_mpoly] = field(default_factory=dict, compare=False, repr=False)

    @property
    def is_zero(self) -> bool:
        """Whether it is 0 by algebra; a form that is not may still be 0."""
        return self.rest.is_zero and not self.logarithms

    @cached_property
    def slopes(self) -> Mapping[str, Slope | None]:
        """The derivative in each parameter; None where the alphabet cannot express it."""
        result: dict[str, Slope | None] = {}
        for name in self.parameters:
            try:
                result[name] = self._slope(name)
            except NoAlgebra:
                result[name] = None
        return result

    def _slope(self, name: str) -> Slope:
        rest = derivative(self.rest, name, self.alphabet)
        logarithms: list[tuple[Quotient, fmpq_mpoly]] = []
        for term in self.logarithms:
            inner = derivative(Quotient(term.argument, self.alphabet.context.constant(1)), name, self.alphabet)
            outer = derivative(term.coefficient, name, self.alphabet)
            shared = term.share or over(term.coefficient, Quotient(term.argument, self.alphabet.context.constant(1)))
            rest = plus(rest, times(shared, inner))
            if not outer.is_zero:
                logarithms.append((outer, term.argument))
        return Slope(rest, tuple(logarithms))

    def value(self, box: Box) -> Interval:
        """Enclose the values on a box, term by term."""
        letters = self._letters(box)
        total = self._quotient(self.rest, letters)
        for term in self.logarithms:
            argument = self._polynomial(term.argument, letters)
            if term.share is not None:
                part = intervals.times(self._quotient(term.share, letters), eta(argument))
            else:
                part = intervals.times(self._quotient(term.coefficient, letters), logarithm(argument))
            total = intervals.plus(total, part)
        return total

    def slope(self, name: str, box: Box) -> Interval:
        """Enclose the derivative in a parameter on a box; where an argument is 0 at an end, in the rest of the box."""
        slope = self.slopes[name]
        if slope is None:
            return intervals.WHOLE
        letters = self._letters(box)
        total = self._quotient(slope.rest, letters)
        for coefficient, argument in slope.logarithms:
            part = intervals.times(self._quotient(coefficient, letters), logarithm(self._polynomial(argument, letters)))
            total = intervals.plus(total, part)
        return total

    def _letters(self, box: Box) -> dict[int, Interval]:
        return {place: range_of(letter.meaning, box) for place, letter in enumerate(self.alphabet.letters)}

    def _partial(self, polynomial: fmpq_mpoly, place: int) -> fmpq_mpoly:
        key = (polynomial, place)
        if key not in self.known:
            self.known[key] = polynomial.derivative(place)
        return self.known[key]

    def _polynomial(self, polynomial: fmpq_mpoly, letters: Mapping[int, Interval], depth: int = 0) -> Interval:
        """Enclose a polynomial: a letter in which it is monotonous, or of degree 1, takes its ends only."""
        if len(polynomial) <= 1 or depth == _DEPTH:
            return range_of_polynomial(polynomial, letters)
        degrees = polynomial.degrees()
        for place, (low, high) in letters.items():
            if not degrees[place] or not _is_wide(low, high):
                continue
            rising = degrees[place] == 1
            if not rising:
                slope = range_of_polynomial(self._partial(polynomial, place), letters)
                rising = bool(slope[0] >= 0) or bool(slope[1] <= 0)
            if rising:
                ends = [self._polynomial(polynomial, {**letters, place: (end, end)}, depth + 1) for end in (low, high)]
                return intervals.hull([end for interval in ends for end in interval])
        return range_of_polynomial(polynomial, letters)

    def _quotient(self, value: Quotient, letters: Mapping[int, Interval], depth: int = 0) -> Interval:
        """Enclose a rational function in the same way."""
        if value.denominator.is_constant():
            top = self._polynomial(value.numerator, letters)
            return intervals.times(top, intervals.inverse(range_of_polynomial(value.denominator, letters)))
        bottom = self._polynomial(value.denominator, letters)
        if depth < _DEPTH and not value.numerator.is_zero() and (bottom[0] > 0 or bottom[1] < 0):
            degrees = [max(pair) for pair in zip(value.numerator.degrees(), value.denominator.degrees(), strict=True)]
            for place, (low, high) in letters.items():
                if not degrees[place] or not _is_wide(low, high):
                    continue
                turn = range_of_polynomial(self._turn(value, place), letters)
                if turn[0] >= 0 or turn[1] <= 0:
                    ends = [self._quotient(value, {**letters, place: (end, end)}, depth + 1) for end in (low, high)]
                    return intervals.hull([end for interval in ends for end in interval])
        return intervals.times(self._polynomial(value.numerator, letters), intervals.inverse(bottom))

    def _turn(self, value: Quotient, place: int) -> fmpq_mpoly:
        """Return a polynomial with the sign of a quotient's derivative in a letter."""
        key = (value.numerator * value.denominator, -1 - place)
        if key not in self.known:
            top, bottom = value.numerator, value.denominator
            self.known[key] = top.derivative(place) * bottom - top * bottom.derivative(place)
        return self.known[key]


def form_of(total: LogarithmSum, parameters: Sequence[str]) -> Form:
    """Return what a sum of logarithms comes to."""
    one = total.alphabet.context.constant(1)
    found: list[Logarithm] = []
    for argument, coefficient in total.terms():
        share: Quotient | None = None
        if argument.is_constant():
            share = None
        else:
            divided = over(coefficient, Quotient(argument, one))
            if divided.denominator.gcd(argument).is_constant():
                share = divided
        found.append(Logarithm(coefficient, argument, share))
    return Form(total.alphabet, tuple(parameters), total.linear, tuple(found))


# --- derivatives ------------------------------------------------------------------------------------------------------


def derivative(value: Quotient, name: str, alphabet: Alphabet) -> Quotient:
    """Return the derivative of a rational function of letters in a parameter.

    Raises:
        NoAlgebra: if it holds a letter whose derivative is no rational function of letters.
    """
    result = alphabet.number(0)
    for place, letter in enumerate(alphabet.letters):
        top, bottom = value.numerator.derivative(place), value.denominator.derivative(place)
        if top.is_zero() and bottom.is_zero():
            continue
        inner = _letter_derivative(letter, place, name, alphabet)
        if inner is None or inner.is_zero:
            continue
        change = quotient(top * value.denominator - value.numerator * bottom, value.denominator * value.denominator)
        result = plus(result, times(change, inner))
    return result


def _letter_derivative(letter: Letter, place: int, name: str, alphabet: Alphabet) -> Quotient | None:
    """Return the derivative of a letter, None for 0."""
    if name not in plain_names(letter.meaning):
        return None
    if letter.kind == "parameter":
        return alphabet.number(1) if letter.meaning == tree.Name(name, letter.meaning.span) else None
    if letter.kind == "other":
        raise NoAlgebra("a function whose derivative is not expressed")
    result = alphabet.number(letter.rate)
    for other, power in letter.monomial:
        degree = power
        if other == name:
            result, degree = times(alphabet.number(power), result), power - 1
        for _ in range(degree):
            result = times(result, alphabet.parameter(other))
    return times(result, Quotient(alphabet.context.gen(place), alphabet.context.constant(1)))


# --- intervals --------------------------------------------------------------------------------------------------------


def eta(of: Interval) -> Interval:
    r"""Enclose :math:`t \log t` for t in an interval, of which only what is not negative counts; 0 at 0."""
    low, high = of
    ends = [_eta(low), _eta(high)]
    result = intervals.hull([end for pair in ends for end in pair])
    turn = (-arb(1)).exp()
    if not (low > turn or high < turn):
        return result[0].min(-turn), result[1]
    return result


def _eta(t: arb) -> Interval:
    if t <= 0:
        return _ZERO
    if not t.is_finite():
        return arb.pos_inf(), arb.pos_inf()
    if t > 0:
        value = t * t.log()
        if value.is_finite():
            return value, value
    upper = t.upper()  # a ball around 0: between the function's value at its upper end, if that is small, and 0
    turn = (-arb(1)).exp()
    return (upper * upper.log() if upper < turn else -turn), (arb(0) if upper < 1 else upper * upper.log())


def logarithm(of: Interval) -> Interval:
    """Enclose the logarithm of what is positive in an interval."""
    low, high = of
    bottom = low.log() if low > 0 and low.is_finite() else arb.neg_inf()
    top = high.upper().log() if high.is_finite() and high.upper() > 0 else arb.pos_inf()
    return bottom, top


def _is_wide(low: arb, high: arb) -> bool:
    return bool(low.is_finite()) and bool(high.is_finite()) and bool(low < high)
