r"""A measure minus its budget as a function of the parameters, enclosed with its slopes on boxes of their values.

.. math:: G(\theta) = r(\ell) + \sum_k c_k(\ell) \log f_k(\ell), \qquad \ell = \ell(\theta)

with rational functions r and c of letters, and polynomials f that are nowhere negative in the domains
(:class:`seepage.measures.formulas.symbolic.LogarithmSum`). A letter is a parameter or an expression of parameters, such as the probability
``exp(eps) / (exp(eps) + 1)``, in which everything else is a polynomial. Entropies and informations are sums of terms :math:`P \log P`, so
each f divides its c there, :math:`c = d f`, and the term is :math:`d\,\eta(f)` with :math:`\eta(t) = t \log t`, finite at 0. The
slope in a letter is :math:`r' + \sum_k (c_k' \log f_k + d_k f_k')`, all derivatives taken symbolically, so what cancels is gone before a
number is put in; the chain rule gives the slope in a parameter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property

from flint import arb, fmpq_mpoly

from seepage.algebra import Alphabet, NoAlgebra, Quotient, alphabet_of, over, plus, quotient, times
from seepage.data_classes import dataclass
from seepage.engines import intervals
from seepage.engines.intervals import Box, Interval, range_of
from seepage.measures.formulas.symbolic import LogarithmSum
from seepage.measures.ranges.algebra import Enclosing, derivative
from seepage.semantics.expressions import plain_names
from seepage.syntax import tree
from seepage.syntax.tree import Expression

_ZERO: Interval = (arb(0), arb(0))
_ONE: Interval = (arb(1), arb(1))


@dataclass(frozen=True)
class Logarithm:
    """``coefficient · log(argument)``; ``share`` is the coefficient over the argument where it has no new pole there."""

    coefficient: Quotient
    argument: fmpq_mpoly
    share: Quotient | None


@dataclass(frozen=True)
class Slope:
    """The derivative in one letter: ``rest + Σ coefficient · log(argument)``."""

    rest: Quotient
    logarithms: tuple[tuple[Quotient, fmpq_mpoly], ...]


@dataclass(frozen=True)
class Inner:
    """A letter that is an expression of parameters: a rational function of parameters and exponentials, with its derivatives."""

    meaning: Expression
    alphabet: Alphabet
    value: Quotient
    slopes: Mapping[str, Quotient | None]
    enclosing: Enclosing = field(default_factory=Enclosing, compare=False, repr=False)

    def range(self, box: Box) -> Interval:
        """Enclose its values on a box."""
        return self.enclosing.quotient(self.value, self._letters(box))

    def slope(self, name: str, box: Box) -> Interval:
        """Enclose its derivative in a parameter on a box."""
        if name not in self.slopes:
            return _ZERO
        slope = self.slopes[name]
        return intervals.WHOLE if slope is None else self.enclosing.quotient(slope, self._letters(box))

    def _letters(self, box: Box) -> dict[int, Interval]:
        return {place: range_of(letter.meaning, box) for place, letter in enumerate(self.alphabet.letters)}


def inner_of(meaning: Expression, parameters: Sequence[str]) -> Inner | None:
    """Return a letter's meaning taken apart; None if that cannot be done."""
    names = [name for name in parameters if name in set(plain_names(meaning))]
    try:
        alphabet = alphabet_of(names, [meaning])
        value = alphabet.translate(meaning)
    except NoAlgebra:
        return None
    slopes: dict[str, Quotient | None] = {}
    for name in names:
        try:
            slopes[name] = derivative(value, name, alphabet)
        except NoAlgebra:
            slopes[name] = None
    return Inner(meaning, alphabet, value, slopes)


@dataclass(frozen=True)
class Form:
    """A function of parameters; in nats, or without a unit."""

    alphabet: Alphabet
    parameters: tuple[str, ...]
    rest: Quotient
    logarithms: tuple[Logarithm, ...]
    enclosing: Enclosing = field(default_factory=Enclosing, compare=False, repr=False)

    @property
    def is_zero(self) -> bool:
        """Whether it is 0 by algebra; a form that is not may still be 0."""
        return self.rest.is_zero and not self.logarithms

    @cached_property
    def _inner(self) -> tuple[Inner | None, ...]:
        return tuple(
            None if isinstance(letter.meaning, tree.Name) else inner_of(letter.meaning, self.parameters)
            for letter in self.alphabet.letters
        )

    @cached_property
    def _slopes(self) -> tuple[Slope | None, ...]:
        return tuple(self._slope(place) for place in range(len(self.alphabet.letters)))

    def _slope(self, place: int) -> Slope | None:
        one = self.alphabet.context.constant(1)
        rest = _partial(self.rest, place)
        logarithms: list[tuple[Quotient, fmpq_mpoly]] = []
        for term in self.logarithms:
            inner = Quotient(term.argument.derivative(place), one)
            shared = term.share or over(term.coefficient, Quotient(term.argument, one))
            rest = plus(rest, times(shared, inner))
            outer = _partial(term.coefficient, place)
            if not outer.is_zero:
                logarithms.append((outer, term.argument))
        return None if rest.is_zero and not logarithms else Slope(rest, tuple(logarithms))

    def letters(self, box: Box) -> dict[int, Interval]:
        """Enclose the letters on a box."""
        found: dict[int, Interval] = {}
        for place, (letter, inner) in enumerate(zip(self.alphabet.letters, self._inner, strict=True)):
            found[place] = range_of(letter.meaning, box) if inner is None else inner.range(box)
        return found

    def value(self, letters: Mapping[int, Interval]) -> Interval:
        """Enclose the values, term by term, where the letters lie in intervals (of :meth:`letters`)."""
        total = self.enclosing.quotient(self.rest, letters)
        for term in self.logarithms:
            argument = self.enclosing.polynomial(term.argument, letters)
            if term.share is not None:
                part = intervals.times(self.enclosing.quotient(term.share, letters), eta(argument))
            else:
                part = intervals.times(self.enclosing.quotient(term.coefficient, letters), logarithm(argument))
            total = intervals.plus(total, part)
        return total

    def slopes(self, names: Sequence[str], box: Box, letters: Mapping[int, Interval]) -> dict[str, Interval]:
        """Enclose the derivatives in some parameters on a box; where an argument is 0 at an end, in the rest of the box."""
        found = dict.fromkeys(names, _ZERO)
        logarithms: dict[int, Interval] = {}  # by the identity of the argument
        for place, slope in enumerate(self._slopes):
            if slope is None:
                continue
            changes = {name: self._letter_slope(place, name, box) for name in names}
            moved = {name: change for name, change in changes.items() if change != _ZERO}
            if not moved:
                continue
            total = self.enclosing.quotient(slope.rest, letters)
            for coefficient, argument in slope.logarithms:
                if id(argument) not in logarithms:
                    logarithms[id(argument)] = logarithm(self.enclosing.polynomial(argument, letters))
                part = intervals.times(self.enclosing.quotient(coefficient, letters), logarithms[id(argument)])
                total = intervals.plus(total, part)
            for name, change in moved.items():
                found[name] = intervals.plus(found[name], intervals.times(change, total))
        return found

    def _letter_slope(self, place: int, name: str, box: Box) -> Interval:
        letter, inner = self.alphabet.letters[place], self._inner[place]
        if isinstance(letter.meaning, tree.Name):
            return _ONE if letter.meaning.id == name else _ZERO
        if name not in set(plain_names(letter.meaning)):
            return _ZERO
        return intervals.WHOLE if inner is None else inner.slope(name, box)


def _partial(value: Quotient, place: int) -> Quotient:
    top, bottom = value.numerator.derivative(place), value.denominator.derivative(place)
    if bottom.is_zero():
        return quotient(top, value.denominator)
    return quotient(top * value.denominator - value.numerator * bottom, value.denominator * value.denominator)


def form_of(total: LogarithmSum, parameters: Sequence[str]) -> Form:
    """Return what a sum of logarithms comes to."""
    one = total.alphabet.context.constant(1)
    found: list[Logarithm] = []
    for argument, coefficient in total.terms():
        share: Quotient | None = None
        if not argument.is_constant():
            divided = over(coefficient, Quotient(argument, one))
            if divided.denominator.gcd(argument).is_constant():
                share = divided
        found.append(Logarithm(coefficient, argument, share))
    return Form(total.alphabet, tuple(parameters), total.linear, tuple(found))


# --- intervals --------------------------------------------------------------------------------------------------------


def eta(of: Interval) -> Interval:
    r"""Enclose :math:`t \log t` for t in an interval, of which only what is not negative counts; 0 at 0."""
    low, high = of
    if low is high and low > 0 and low.is_finite():
        value = low * low.log()
        return value, value
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
    if low is high and low > 0 and low.is_finite():
        value = low.log()
        return value, value
    bottom = low.log() if low > 0 and low.is_finite() else arb.neg_inf()
    top = high.upper().log() if high.is_finite() and high.upper() > 0 else arb.pos_inf()
    return bottom, top
