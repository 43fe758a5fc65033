r"""Functions that touch their bound: of one sign on a box, though they and some of their derivatives vanish somewhere in it.

Where :math:`G` and its derivatives in :math:`\theta` below the k-th are 0 by algebra at :math:`\theta = c`, by Taylor's theorem

.. math:: G(\theta) = \frac{(\theta - c)^k}{k!} \, \partial_\theta^k G(\xi)

for some :math:`\xi` between c and θ: so G has the sign of its k-th derivative if k is even, as information is 0 at :math:`p = 1/2` and more
elsewhere (k = 2), and on each side of c the sign that follows if k is odd. c is a number, or depends on the other parameters:
:math:`KL(x \,\|\, y)` is 0 at :math:`q = p`. The k-th derivative may touch 0 in its turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from typing import TypeAlias

from flint import fmpq_mpoly

from seepage import exact
from seepage.algebra import Alphabet, NoAlgebra, Quotient, alphabet_of, composed, over, plus, times
from seepage.data_classes import dataclass
from seepage.engines.intervals import Box, box_of
from seepage.engines.outcome import Budget
from seepage.engines.signs import Signs
from seepage.exact import ArithmeticFault, Number
from seepage.measures.formulas.fixed_parameters import fixed
from seepage.measures.formulas.symbolic import LogarithmSum
from seepage.measures.ranges.algebra import derivative
from seepage.measures.ranges.form import Form, Logarithm, form_of
from seepage.measures.scope import spelled_number
from seepage.semantics.checked import Domain
from seepage.semantics.expressions import plain_names
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression

_NOWHERE = Span(0, 0)
_ORDERS = 4  # the greatest k
_DEPTH = 2  # functions that touch 0 because their derivatives do
_NEAR = 3  # the width of a range over the distance to a number that is not in a cell
_TERMS = 400  # of a function that is differentiated

Sides: TypeAlias = Mapping[str, tuple[Number, Number]]
"""The ends of a box, exactly."""
Guesses: TypeAlias = Mapping[str, Sequence[Number]]


def slope_sign(form: Form, name: str, end: Number, box: Box, ranges: Mapping[str, Domain], *, upper: bool) -> int:
    """Return the sign that the slope in a parameter has everywhere in a box but at one end of its side, where it is 0; 0 if it is not known to have one.

    Args:
        form: the function, in parameters and exponentials alone.
        name: of the parameter.
        end: an end of its side of the box.
        box: of the parameters of the form.
        ranges: of all parameters.
        upper: whether it is the upper end.
    """
    try:
        slope = derived(form, name)
        if not _vanishes_at(slope, name, spelled_number(end, _NOWHERE), ranges):
            return 0
        low, high = derived(slope, name).value(form.letters(box))
        if not _is_smooth(form, box):
            return 0
    except NoAlgebra:
        return 0
    bend = 1 if low > 0 else -1 if high < 0 else 0
    # From a lower end on the slope goes with the bend, towards an upper end against it.
    return -bend if upper else bend


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a parameter has a value: a number, or ``rate · other + shift`` of another parameter."""

    name: str
    shift: Number
    other: str = ""
    rate: int = 0

    @property
    def value(self) -> Expression:
        """The value, as an expression."""
        if not self.other:
            return spelled_number(self.shift, _NOWHERE)
        other = tree.Name(self.other, _NOWHERE)
        return other if self.rate > 0 else tree.Binary("-", spelled_number(self.shift, _NOWHERE), other, _NOWHERE)

    def ends(self, sides: Sides) -> tuple[Number, Number]:
        """Return the least and the greatest value on a box."""
        if not self.other:
            return self.shift, self.shift
        low, high = sides[self.other]
        return (low, high) if self.rate > 0 else (exact.sub(self.shift, high), exact.sub(self.shift, low))


@dataclass(slots=True)
class Touching:
    """What is known of a function and its derivatives, for all boxes that it is asked about.

    Attributes:
        ranges: of all parameters.
        budget: its deadline, past which nothing is proved.
        zeros: numbers at which a function was seen to vanish.
        found: by the identity of a function, which is kept beside it, and the place: the least k and the k-th derivative, None if there is none.
    """

    ranges: Mapping[str, Domain]
    budget: Budget
    zeros: dict[str, set[Number]] = field(default_factory=dict)
    found: dict[tuple[int, _Place], tuple[Form, tuple[int, Form] | None]] = field(default_factory=dict)

    def is_below(self, form: Form, sides: Sides, guesses: Guesses, *, strict: bool) -> bool:
        """Tell whether a function is proved to be nowhere positive on a box (``strict``: negative at all points of the ranges in it).

        Args:
            form: the function, in parameters and exponentials alone.
            sides: of the parameters on which it depends, within the ranges.
            guesses: for some of them, numbers at which it may vanish.
            strict: as above.
        """
        try:
            return self._has_sign(form, -1, sides, guesses, strict, _DEPTH)
        except (NoAlgebra, ArithmeticFault):
            return False

    def _has_sign(self, form: Form, sign: int, sides: Sides, guesses: Guesses, strict: bool, depth: int) -> bool:
        """Tell whether ``sign`` times a function is nowhere negative on a box (``strict``: positive)."""
        low, high = form.value(form.letters(box_of(sides)))
        if strict and (low > 0 if sign > 0 else high < 0):
            return True
        if not strict and (low >= 0 if sign > 0 else high <= 0):
            return True
        if not depth or len(form.rest.numerator) + len(form.logarithms) > _TERMS:
            return False
        for place in self._places(sides, guesses):
            if self.budget.expired():
                return False
            if strict and not self._is_left_out(place, sides):
                continue
            wide, side = self._around(place, sides)
            touch = self._touch(form, place)
            if touch is None or not _is_smooth(form, box_of(wide)):
                continue
            order, bend = touch
            turned = sign if order % 2 == 0 else sign * side
            if turned and self._has_sign(bend, turned, wide, guesses, strict, depth - 1):
                return True
        return False

    def _places(self, sides: Sides, guesses: Guesses) -> Iterator[_Place]:
        """Yield where a function may vanish: at ends of the ranges near a box, where parameters agree or add up to 1, at guesses."""
        for name, (low, high) in sides.items():
            if low == high:
                continue
            domain = self.ranges[name]
            ends = [end for end in (domain.low, domain.high) if end is not None and self._is_near(name, end, low, high)]
            known = [zero for zero in self.zeros.get(name, ()) if self._is_near(name, zero, low, high)]
            for number in dict.fromkeys([*ends, *known, *guesses.get(name, ())]):
                yield _Place(name, number)
            for other in sides:
                if other != name:
                    yield _Place(name, 0, other, 1)
                    yield _Place(name, 1, other, -1)

    def _is_near(self, name: str, zero: Number, low: Number, high: Number) -> bool:
        domain = self.ranges[name]
        if domain.low is None or domain.high is None:
            return True
        distance = exact.maximum(exact.sub(zero, low), exact.sub(high, zero))
        return exact.compare(exact.mul(_NEAR, distance), exact.sub(domain.high, domain.low)) <= 0

    @staticmethod
    def _around(place: _Place, sides: Sides) -> tuple[Sides, int]:
        """Return a box with the place in it, and on which side of the place the box lies (0: on both)."""
        low, high = sides[place.name]
        least, most = place.ends(sides)
        side = 1 if exact.compare(most, low) <= 0 else -1 if exact.compare(high, least) <= 0 else 0
        return {**sides, place.name: (exact.minimum(low, least), exact.maximum(high, most))}, side

    def _is_left_out(self, place: _Place, sides: Sides) -> bool:
        """Tell whether no point of the ranges in a box lies at a place: at most one end does, that is not in them."""
        domain = self.ranges[place.name]
        low, high = sides[place.name]
        least, most = place.ends(sides)
        other = self.ranges.get(place.other)
        for inner, outer, open_end, far in (
            (low, most, not domain.low_closed, 1),
            (high, least, not domain.high_closed, -1),
        ):
            order = exact.compare(inner, outer) * far
            if order > 0:
                return True
            if order == 0 and inner == (domain.low if far > 0 else domain.high) and open_end:
                return True
            if order == 0 and other is not None:
                top = (place.rate > 0) == (far > 0)  # the end of the other parameter that leads there
                end, closed = (other.high, other.high_closed) if top else (other.low, other.low_closed)
                if not closed and end is not None and sides[place.other][1 if top else 0] == end:
                    return True
        return False

    def _touch(self, form: Form, place: _Place) -> tuple[int, Form] | None:
        key = (id(form), place)
        if key not in self.found:
            self.found[key] = form, (touch := self._derivative_that_stays(form, place))
            if touch is not None and not place.other:
                self.zeros.setdefault(place.name, set()).add(place.shift)
        return self.found[key][1]

    def _derivative_that_stays(self, form: Form, place: _Place) -> tuple[int, Form] | None:
        """Return the least k of which the k-th derivative in a parameter does not vanish at a place by algebra, and it; None if k is 0, or too great."""
        current = form
        for order in range(_ORDERS + 1):
            try:
                if not _vanishes_at(current, place.name, place.value, self.ranges):
                    return (order, current) if order else None
                current = derived(current, place.name)
            except NoAlgebra:
                return None
        return None


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction with the least denominator between two numbers, ends included (by continued fractions)."""
    whole = -(-low.numerator // low.denominator)
    if whole <= high:
        return Fraction(whole)
    below = whole - 1
    return below + 1 / simplest(1 / (high - below), 1 / (low - below))


def derived(form: Form, name: str) -> Form:
    """Return the derivative in a parameter.

    Raises:
        NoAlgebra: for letters that are neither parameters nor exponentials.
    """
    one = form.alphabet.context.constant(1)
    rest = derivative(form.rest, name, form.alphabet)
    logarithms: list[Logarithm] = []
    for term in form.logarithms:
        argument = Quotient(term.argument, one)
        share = term.share or over(term.coefficient, argument)
        rest = plus(rest, times(share, derivative(argument, name, form.alphabet)))
        outer = derivative(term.coefficient, name, form.alphabet)
        if not outer.is_zero:
            logarithms.append(Logarithm(outer, term.argument, None))
    return replace(form, rest=rest, logarithms=tuple(logarithms))


def _vanishes_at(form: Form, name: str, value: Expression, ranges: Mapping[str, Domain]) -> bool:
    """Tell whether a function is 0 by algebra where a parameter has a value, whatever the others are."""
    meanings = [fixed(letter.meaning, {name: value}) for letter in form.alphabet.letters]
    alphabet = alphabet_of([each for each in form.parameters if each != name], meanings)
    generators = [alphabet.translate(each) for each in meanings]

    def at(polynomial: fmpq_mpoly) -> Quotient:
        return composed(polynomial, generators, alphabet)

    total = LogarithmSum(alphabet, (), Signs(alphabet, ranges), for_people=False)
    total.linear = over(at(form.rest.numerator), at(form.rest.denominator))
    for term in form.logarithms:
        coefficient, argument = (
            over(at(term.coefficient.numerator), at(term.coefficient.denominator)),
            at(term.argument),
        )
        if coefficient.is_zero:
            continue
        if argument.is_zero:
            return False
        total.add(coefficient, argument)
    return form_of(total, ()).is_zero


def _is_smooth(form: Form, box: Box) -> bool:
    """Tell whether no argument of a logarithm, and no divisor, is 0 inside a box; on its border they may be.

    Of a factor that is linear in each letter and has one sign, the least value lies on the border alone (it is harmonic).
    """
    letters = form.letters(box)
    divided = [
        form.rest,
        *(each for term in form.logarithms for each in (term.coefficient, term.share) if each is not None),
    ]
    for polynomial in [*(term.argument for term in form.logarithms), *(each.denominator for each in divided)]:
        if polynomial.is_constant():
            continue
        for factor, _ in polynomial.factor()[1]:
            low, high = form.enclosing.polynomial(factor, letters)
            if low > 0 or high < 0:
                continue
            if not (_is_multilinear(factor, form.alphabet) and (low >= 0 or high <= 0)):
                return False
    return True


def _is_multilinear(polynomial: fmpq_mpoly, alphabet: Alphabet) -> bool:
    """Tell whether a polynomial is linear in each of its letters, and these depend on different parameters."""
    degrees = polynomial.degrees()
    used = [letter.meaning for letter, degree in zip(alphabet.letters, degrees, strict=True) if degree]
    names = [name for meaning in used for name in set(plain_names(meaning))]
    return max(degrees) <= 1 and len(names) == len(set(names))
