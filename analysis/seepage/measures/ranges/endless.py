r"""Ranges without an upper end, of a parameter that stands in exponentials only: :math:`u = e^{-g\theta}` lies in a range with two ends.

What the function does as :math:`\theta \to \infty` is then what it does at :math:`u = 0`, an end that is not in the range. Probabilities such as
``exp(eps) / (1 + exp(eps))`` become the rational functions ``1 / (1 + u)``, in lowest terms, so that they have values at that end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import replace
from fractions import Fraction
from typing import Generic, TypeVar

from flint import fmpq_mpoly

from seepage import exact
from seepage.algebra import Alphabet, NoAlgebra, Quotient, alphabet_of, composed, over
from seepage.data_classes import dataclass
from seepage.engines.forward.polynomials import Polynomial, Polynomials
from seepage.engines.outcome import DiscreteJoint
from seepage.exact import Number
from seepage.measures.ranges.guessing import GuessingProblem, Rows
from seepage.measures.ranges.problem import Problem
from seepage.measures.ranges.runs import ring_of
from seepage.measures.ranges.search import Cell, Outcome, Point
from seepage.semantics.checked import Domain
from seepage.semantics.expressions import plain_names
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression

_NOWHERE = Span(0, 0)


T = TypeVar("T", Problem, GuessingProblem)


@dataclass(frozen=True, slots=True)
class Bounded(Generic[T]):
    """A problem in u in the place of some parameters, under their names.

    Attributes:
        problem: the problem.
        rates: g of each.
    """

    problem: T
    rates: Mapping[str, Fraction]

    def point(self, point: Point) -> dict[str, Number]:
        """Return a point in the parameters themselves."""
        return {name: self._parameter(name, value) for name, value in point.items()}

    def outcome(self, found: Outcome) -> Outcome:
        """Return how a search ended, in the parameters themselves."""
        witness = None if found.witness is None else self.point(found.witness)
        return replace(found, witness=witness, remaining=tuple(self._cell(cell) for cell in found.remaining))

    def _cell(self, cell: Cell) -> Cell:
        return {
            name: (self._end(name, high), self._end(name, low)) if name in self.rates else (low, high)
            for name, (low, high) in cell.items()
        }

    def _end(self, name: str, end: Number | None) -> Number | None:
        return None if end is None or end == 0 else self._parameter(name, end)

    def _parameter(self, name: str, value: Number) -> Number:
        rate = self.rates.get(name)
        return value if rate is None else exact.mul(-1 / rate, exact.log_(value))


def bounded(problem: T) -> Bounded[T] | None:
    """Return a problem in u for its ranges that have no upper end; None if there are none, or a parameter stands elsewhere than in ``exp(a·θ)``."""
    names = [name for name, domain in problem.ranges.items() if domain.high is None and domain.low is not None]
    if not names or problem.is_cut or any(name in names for name in _read(problem)):
        return None
    joints = {id(joint): joint for joint in _joints(problem)}
    rings = {id(joint.ring): ring_of(joint) for joint in joints.values()}
    if any(_reads(joint, name) for joint in joints.values() for name in names):
        return None
    try:
        alphabet = alphabet_of(tuple(problem.ranges), [atom for ring in rings.values() for atom in ring.atoms])
        rates = {name: letter.rate for name in names for letter in alphabet.letters if letter.monomial == ((name, 1),)}
        if len(rates) < len(names):
            return None
        changed = {key: _changed(ring, alphabet, rates) for key, ring in rings.items()}
    except NoAlgebra:
        return None
    moved = {key: replace(joint, ring=changed[id(joint.ring)]) for key, joint in joints.items()}
    ranges = {name: _side(domain, rates[name]) if name in rates else domain for name, domain in problem.ranges.items()}
    if isinstance(problem, GuessingProblem):
        return Bounded(replace(problem, joint=moved[id(problem.joint)], ranges=ranges, forms={}), rates)
    parts = tuple(replace(part, joint=moved[id(part.joint)], other=moved[id(part.other)]) for part in problem.parts)
    return Bounded(replace(problem, parts=parts, ranges=ranges, forms={}), rates)


def _joints(problem: Problem | GuessingProblem) -> Iterator[DiscreteJoint[Polynomial]]:
    if isinstance(problem, GuessingProblem):
        yield problem.joint
        return
    for part in problem.parts:
        yield part.joint
        yield part.other


def _read(problem: Problem | GuessingProblem) -> Iterator[str]:
    """Yield the parameters that stand in the budget itself, in gains too."""
    yield from plain_names(problem.bound)
    if isinstance(problem, GuessingProblem):
        if isinstance(problem.gain, Rows):
            for expression in problem.gain.expressions():
                yield from plain_names(expression)
        return
    for _, constant in problem.constants:
        yield from plain_names(constant)


def _side(domain: Domain, rate: Fraction) -> Domain:
    if domain.low is None:
        raise AssertionError("a range without a lower end is not asked for")
    return Domain(0, exact.exp_(exact.mul(-rate, domain.low)), low_closed=False, high_closed=domain.low_closed)


def _reads(joint: DiscreteJoint[Polynomial], name: str) -> bool:
    """Tell whether the masses of a joint distribution read a parameter itself."""
    ring = ring_of(joint)
    if name not in ring.parameters:
        return False
    place = ring.parameters.index(name)
    return any(mass.degrees()[place] for mass in joint.masses.values())


def _changed(ring: Polynomials, alphabet: Alphabet, rates: Mapping[str, Fraction]) -> Polynomials:
    """Return a ring whose atoms are functions of u.

    Raises:
        NoAlgebra: if a parameter stands elsewhere than in an exponential of its own.
    """
    target = alphabet_of(
        [letter.meaning.id for letter in alphabet.letters if isinstance(letter.meaning, tree.Name)], []
    )
    generators: list[Quotient | None] = []
    for letter in alphabet.letters:
        name = letter.monomial[0][0] if len(letter.monomial) == 1 and letter.monomial[0][1] == 1 else ""
        if name in rates:
            generators.append(over(target.number(1), target.parameter(name)))
        elif any(each in rates for each in plain_names(letter.meaning)):
            generators.append(None)
        else:
            generators.append(target.translate(letter.meaning))

    def changed(atom: Expression) -> Expression:
        value = alphabet.translate(atom)
        for polynomial in (value.numerator, value.denominator):
            if any(degree and each is None for degree, each in zip(polynomial.degrees(), generators, strict=True)):
                raise NoAlgebra("a parameter stands elsewhere than in an exponential")
        known = [target.number(0) if each is None else each for each in generators]
        top, bottom = (composed(each, known, target) for each in (value.numerator, value.denominator))
        quotient = over(top, bottom)
        above, below = (_spelled(each, target) for each in (quotient.numerator, quotient.denominator))
        return tree.Binary("/", above, below, _NOWHERE)

    found = copy(ring)
    found.atoms = [changed(atom) for atom in ring.atoms]
    return found


def _spelled(polynomial: fmpq_mpoly, alphabet: Alphabet) -> Expression:
    total: Expression = tree.Number(Fraction(0), _NOWHERE)
    for exponents, coefficient in polynomial.terms():
        term: Expression = tree.Number(Fraction(int(coefficient.p), int(coefficient.q)), _NOWHERE)
        for letter, exponent in zip(alphabet.letters, exponents, strict=True):
            for _ in range(int(exponent)):
                term = tree.Binary("*", term, letter.meaning, _NOWHERE)
        total = tree.Binary("+", total, term, _NOWHERE)
    return total
