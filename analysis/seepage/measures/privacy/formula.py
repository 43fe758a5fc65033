r"""The privacy loss as a formula in the parameters, and exactly where closed forms are too large: likelihood ratios as quotients of polynomials.

Where one ratio W(y|x) / W(y|x′) is at least as large as every other one, for all parameters in their domains or at the given ones, its logarithm is the
privacy loss. That of :math:`c\,e^{\ell}` for a number c and a polynomial :math:`\ell` of the parameters is :math:`\log c + \ell`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce

from flint import arb, fmpq

from seepage import exact
from seepage.algebra import (
    Alphabet,
    Monomial,
    NoAlgebra,
    Quotient,
    alphabet_of,
    composed,
    minus,
    over,
    plus,
    times,
)
from seepage.deadline import sooner
from seepage.diagnostics import Fault
from seepage.engines.forward.polynomials import NoPolynomial, Polynomial, Polynomials, polynomials
from seepage.engines.forward.run import run
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.engines.signs import Signs
from seepage.exact import ArithmeticFault, Number, precision
from seepage.measures.discrete.weights import BITS, Values
from seepage.measures.formulas.closed_form import check_sums, observations
from seepage.measures.formulas.conditions import conditions_for, vanishes
from seepage.measures.formulas.definedness import Demands, strongest
from seepage.measures.formulas.inlining import inlined
from seepage.measures.formulas.latex import latex_of
from seepage.measures.formulas.mathml import mathml_of
from seepage.measures.formulas.notation import Notation, value_of_quotient
from seepage.measures.formulas.text import text_of
from seepage.measures.formulas.tree import Logarithm, Node, Symbol, numeral, power_of, product_of, size, sum_of
from seepage.measures.joints import Inquiry
from seepage.measures.privacy.neighbours import Closeness, TooManyNeighbours, neighbourhoods, pairs
from seepage.measures.result import Formula
from seepage.semantics.checked import Domain
from seepage.semantics.core import CoreProgram
from seepage.semantics.evaluate import evaluate
from seepage.semantics.slice import sink, slice_program

_SECONDS = 0.7  # of the processor: a busy machine must not change what is found
_PATIENCE = 3.0  # seconds that may pass meanwhile
_LONGEST = 16  # of a ratio that people read
_DIFFERENT = 200  # ratios
_TRIED = 3
_CONDITIONS = 1  # that a ratio exceeds another one
_STATES = 600
_RATIOS = 1_500

Names = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
Exponent = tuple[Fraction, Mapping[Monomial, Fraction]]  # c and ℓ of c·e^ℓ


class _Clock:
    """The time for a formula."""

    def __init__(self, budget: Budget) -> None:
        self._budget = replace(budget, deadline=sooner(budget.deadline, _SECONDS))

    def is_over(self) -> bool:
        """Tell whether it is up."""
        return self._budget.expired()

    def check(self) -> None:
        """Raise :class:`NoAlgebra` if it is up."""
        if self.is_over():
            raise NoAlgebra("the time is up")


def loss_formula(
    inquiry: Inquiry, names: Names, closeness: Closeness, domains: Mapping[str, Domain], factor: Number
) -> Formula | None:
    """Return the privacy loss as a formula in the parameters, with conditions; None if none is found or a parameter has no value.

    It holds in the domains of the parameters, but where the chance of an input and an output vanishes: there are fewer inputs there.
    Where that is so at the values of the parameters it would not be the formula of the number beside it, and none is returned.

    Args:
        inquiry: what the measure was asked of.
        names: the variables x, y and z of the channel.
        closeness: which inputs are neighbours.
        domains: of the parameters.
        factor: e to the loss at the values of the parameters, as the channel has it there: the formula must give it.
    """
    core = inquiry.scope.core
    if not core.parameters or any(name not in inquiry.scope.parameters for name in core.parameters):
        return None
    budget = _budget(inquiry)
    try:
        program = _sliced(core, names)
        check_sums(program)
        if observations(core, budget) is not None:
            return None  # which inputs there are may depend on the parameters
        ring = polynomials(program)
        joint = run(program, _asked(names), {}, ring, budget)
        clock = _Clock(budget)
        alphabet, ratios = _ratios(joint, ring, names, closeness, clock)
        point = inquiry.scope.parameters
        demands = Demands(core.parameters, dict(domains), point)
        demands.probabilities(ring.probabilities)
        signs = Signs(alphabet, demands.domains)
        sample = tuple(exact.enclose(evaluate(letter.meaning, point), BITS) for letter in alphabet.letters)
        notation = Notation(alphabet, sample)
        distinct = _distinct(ratios)
        for ratio in _greatest(distinct, sample):
            node = _logarithm(ratio, notation)
            gaps = [minus(ratio, other) for other in distinct]
            open_ones = [gap for gap in gaps if clock.is_over() or not signs.never_negative(gap)]
            if node is None or len(open_ones) > _CONDITIONS:
                continue
            for gap in open_ones:
                demands.at_least_zero(gap, alphabet)
            masses = [part for mass in joint.masses.values() for part in _parts(mass, ring, alphabet)]
            with precision(BITS):
                known = value_of_quotient(ratio, sample).overlaps(exact.enclose(factor, BITS))
            if not known or vanishes(masses, sample) or not demands.hold_at(point):
                return None
            conditions = conditions_for(masses, (), notation, demands.domains)
            conditions = strongest((*demands.stated, *conditions))
            return Formula(text_of(node), latex_of(node), conditions, mathml_of(node), tree=node)
    except (Fault, NoPolynomial, NoAlgebra, TooManyNeighbours, ArithmeticFault):
        return None
    return None


def exact_loss(inquiry: Inquiry, names: Names, closeness: Closeness) -> Number | None:
    """Return the privacy loss at the given parameters, where the greatest ratio is a number times a power of e; None if that is not found."""
    budget = _budget(inquiry)
    try:
        program, ring = _sliced(inquiry.scope.core, names), Polynomials(())
        joint = run(program, _asked(names), inquiry.scope.parameters, ring, budget)
        alphabet, ratios = _ratios(joint, ring, names, closeness, _Clock(budget))
        letters = [exact.enclose(evaluate(letter.meaning, {}), BITS) for letter in alphabet.letters]
        with precision(BITS):
            values = [(value_of_quotient(ratio, letters), ratio) for ratio in ratios]
            best, greatest = max(values, key=lambda one: float(one[0].mid()))
            if any(not value < best and ratio != greatest for value, ratio in values):
                return None
        exponent = _exponent(greatest, alphabet)
    except (Fault, NoPolynomial, NoAlgebra, TooManyNeighbours, ArithmeticFault, OverflowError):
        return None
    if exponent is None or any(monomial for monomial in exponent[1]):
        return None
    factor, rates = exponent
    return exact.add(exact.log_(exact.number(factor)), exact.number(rates.get((), Fraction(0))))


def _budget(inquiry: Inquiry) -> Budget:
    return Budget(states=_STATES, deadline=sooner(inquiry.budget.deadline, _PATIENCE))


def _asked(names: Names) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for part in names for name in part))


def _sliced(core: CoreProgram, names: Names) -> CoreProgram:
    return sink(slice_program(inlined(core), _asked(names)))


def _ratios(
    joint: DiscreteJoint[Polynomial], ring: Polynomials, names: Names, closeness: Closeness, clock: _Clock
) -> tuple[Alphabet, list[Quotient]]:
    """Return all ratios of neighbours' chances of an output.

    Raises:
        NoAlgebra: if one is infinite, there are too many, or the time is up.
    """
    alphabet = alphabet_of(ring.parameters, ring.atoms)
    letters = _letters(ring, alphabet)
    places = [joint.positions(part) for part in names]
    found: dict[Values, dict[Values, dict[Values, Quotient]]] = {}
    for values, mass in joint.masses.items():
        one, to, given = (tuple([values[place] for place in part]) for part in places)
        row = found.setdefault(given, {}).setdefault(one, {})
        quotient = composed(mass, letters, alphabet)
        row[to] = plus(row[to], quotient) if to in row else quotient
        clock.check()
    ratios: list[Quotient] = []
    for ratio in (each for rows in found.values() for each in _of_rows(rows, closeness)):
        ratios.append(ratio)
        clock.check()
    if not ratios:
        raise NoAlgebra("there are no neighbours")
    return alphabet, ratios


def _letters(ring: Polynomials, alphabet: Alphabet) -> list[Quotient]:
    return [alphabet.parameter(name) for name in ring.parameters] + [alphabet.translate(atom) for atom in ring.atoms]


def _parts(mass: Polynomial, ring: Polynomials, alphabet: Alphabet) -> tuple[Polynomial, Polynomial]:
    quotient = composed(mass, _letters(ring, alphabet), alphabet)
    return quotient.numerator, quotient.denominator


def _of_rows(rows: Mapping[Values, Mapping[Values, Quotient]], closeness: Closeness) -> Iterator[Quotient]:
    totals = {one: reduce(plus, row.values()) for one, row in rows.items()}
    kinds: dict[object, int] = {}
    alike = {
        one: kinds.setdefault(frozenset((to, f"{p.numerator}/{p.denominator}") for to, p in row.items()), len(kinds))
        for one, row in rows.items()
    }
    seen: set[tuple[int, int]] = set()
    count = 0
    for one, other in pairs(neighbourhoods(tuple(rows), closeness, alike)):
        if (pair := (alike[one], alike[other])) in seen:
            continue
        seen.add(pair)
        scale = over(totals[other], totals[one])
        for to, chance in rows[one].items():
            count += 1
            if to not in rows[other] or count > _RATIOS:
                raise NoAlgebra("an infinite ratio, or too many ratios")
            yield times(over(chance, rows[other][to]), scale)


def _distinct(ratios: Sequence[Quotient]) -> list[Quotient]:
    found: dict[str, Quotient] = {}
    for ratio in ratios:
        found.setdefault(f"{ratio.numerator}/{ratio.denominator}", ratio)
        if len(found) > _DIFFERENT:
            raise NoAlgebra("too many different ratios")
    return list(found.values())


def _greatest(ratios: Sequence[Quotient], letters: Sequence[arb]) -> list[Quotient]:
    """Return those ratios that may be the greatest at values of the letters, but no more than a few."""
    with precision(BITS):
        values = [(value_of_quotient(ratio, letters), ratio) for ratio in ratios]
        best = max((value for value, _ in values), key=lambda value: float(value.mid()))
        return [ratio for value, ratio in values if not value < best][:_TRIED]


def _logarithm(ratio: Quotient, notation: Notation) -> Node | None:
    """Return the logarithm of a ratio: a polynomial if it is an exponential, None where it is too long to read, or is 0."""
    exponent = _exponent(ratio, notation.alphabet)
    if exponent is not None and exponent[0] == 1:
        return _spelled(exponent[1]) if exponent[1] else None
    node = notation.quotient(ratio)
    return Logarithm(node, "nats") if size(node) <= _LONGEST else None


def _exponent(ratio: Quotient, alphabet: Alphabet) -> Exponent | None:
    """Return c and ℓ if a ratio is c·e^ℓ."""
    if len(ratio.numerator) != 1 or len(ratio.denominator) != 1:
        return None
    factor, rates = Fraction(1), dict[Monomial, Fraction]()
    for polynomial, sign in ((ratio.numerator, 1), (ratio.denominator, -1)):
        ((powers, coefficient),) = polynomial.terms()
        number = fmpq(coefficient)
        factor *= Fraction(int(number.p), int(number.q)) ** sign
        for letter, power in zip(alphabet.letters, powers, strict=False):
            if power and not letter.is_exponential:
                return None
            if power:
                rates[letter.monomial] = rates.get(letter.monomial, Fraction(0)) + sign * int(power) * letter.rate
    return (factor, rates) if factor > 0 else None


def _spelled(rates: Mapping[Monomial, Fraction]) -> Node:
    terms: list[tuple[bool, Node]] = []
    for monomial, rate in rates.items():
        powers = [power_of(Symbol(name), numeral(power)) if power != 1 else Symbol(name) for name, power in monomial]
        terms.append(
            (rate < 0, product_of(numeral(abs(rate)), *powers) if abs(rate) != 1 or not powers else product_of(*powers))
        )
    return sum_of(sorted(terms, key=lambda term: term[0]))
