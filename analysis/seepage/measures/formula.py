r"""Closed forms of discrete measures in the parameters of the program.

The joint distribution comes as polynomials in the parameters and in atoms (:mod:`seepage.engines.forward.polynomials`). Two ways of
writing a measure are tried (:mod:`seepage.measures.symbolic`), and the more readable one is kept, if it is short enough. **A formula is
returned only after a check**: at points of the domain, some random, some near its ends, and the one at which the number was asked
for, its value, found from the formula, agrees to forty digits with the measure of the joint distribution at that point, found by
the numeric measures.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import TypeAlias

from flint import arb, fmpq_mpoly

from seepage.algebra import Alphabet, NoAlgebra, Quotient, alphabet_of, composed, over, plus, times
from seepage.diagnostics import Fault
from seepage.engines.forward.coefficients import Polynomial, Polynomials, balls
from seepage.engines.outcome import DiscreteJoint
from seepage.exact import ArithmeticFault, Number, enclose, number, precision, to_fraction
from seepage.measures.conditions import conditions_for
from seepage.measures.definedness import Demands, strongest
from seepage.measures.divergence import divergence
from seepage.measures.enclosure import Enclosure
from seepage.measures.entropy import conditional_entropy
from seepage.measures.mutual_information import mutual_information
from seepage.measures.notation import Notation, value_of_quotient
from seepage.measures.probability import expectation
from seepage.measures.result import Formula
from seepage.measures.signs import EVERYWHERE, Signs
from seepage.measures.symbolic import BinarySum, LogarithmSum, Unit, conditional
from seepage.measures.weights import BITS
from seepage.semantics.checked import Domain
from seepage.semantics.evaluate import evaluate
from seepage.syntax import tree

Values: TypeAlias = tuple[Number, ...]
Table: TypeAlias = Mapping[Values, Quotient]

_READABLE = 200  # characters of a formula
_OUTCOMES = 64
_CHECKS = 8
_LEAST_CHECKS = 3  # where most points of the domain are excluded
_STEPS = 997
_RANDOM = 5  # points before those near the ends
_TRIALS = 60
_WORK_BITS = 1024  # a formula may subtract large terms; the check needs forty digits of the difference
_ANYWHERE: Mapping[str, Domain] = MappingProxyType({})
_NOWHERE: Mapping[str, Number] = MappingProxyType({})
_ZERO_LOG_ZERO = "0·log 0 = 0"


@dataclass(frozen=True, slots=True)
class _Question:
    """A measure of some joint distribution(s) and where its parameters may lie."""

    name: str
    joint: DiscreteJoint[Polynomial]
    other: DiscreteJoint[Polynomial]
    x: tuple[str, ...]
    y: tuple[str, ...]
    z: tuple[str, ...]
    domains: Mapping[str, Domain]
    at: Mapping[str, Number]


@dataclass(frozen=True, slots=True)
class _Candidate:
    form: LogarithmSum | BinarySum | Quotient
    order: int  # what to prefer among equals, smaller first


def formula_of(
    name: str,
    joint: DiscreteJoint[Polynomial],
    x: Sequence[str],
    y: Sequence[str] = (),
    z: Sequence[str] = (),
    unit: Unit = "bits",
    *,
    other: DiscreteJoint[Polynomial] | None = None,
    domains: Mapping[str, Domain] = _ANYWHERE,
    at: Mapping[str, Number] = _NOWHERE,
    observed: Sequence[DiscreteJoint[Polynomial]] = (),
) -> Formula | None:
    """Return a measure as a formula in the parameters, None if there is none short enough to read.

    Args:
        name: ``H`` (of x given the variables y), ``I`` (of x and y given z), ``KL`` (of x in ``joint`` from y in ``other``), ``P`` or ``E``
            (the mean of the one variable x).
        joint: with weights in a ring made by ``polynomials``.
        x: variables.
        y: variables.
        z: variables.
        unit: of ``H``, ``I`` and ``KL``.
        other: the second distribution of ``KL``; the same as the first if None.
        domains: of the parameters, for side conditions and for the points of the check.
        at: the values of the parameters that the number beside the formula is for.
        observed: further distributions, whose whole masses must not be 0.

    Raises:
        ValueError: for another name, or weights in another ring.
    """
    if name not in ("H", "I", "KL", "P", "E"):
        raise ValueError(f"no formulas for {name!r}; expected H, I, KL, P or E")
    question = _Question(name, joint, other or joint, tuple(x), tuple(y), tuple(z), domains, at)
    if not 0 < len(joint.masses) <= _OUTCOMES or len(question.other.masses) > _OUTCOMES:
        return None
    try:
        return _readable(question, unit, observed)
    except (NoAlgebra, Fault, ArithmeticFault):
        return None


def _readable(question: _Question, unit: Unit, observed: Sequence[DiscreteJoint[Polynomial]]) -> Formula | None:
    first, second = _ring(question.joint), _ring(question.other)
    parameters = tuple(dict.fromkeys((*first.parameters, *second.parameters)))
    demands = _demands(question, parameters, observed)
    if demands is None:
        return None
    question = replace(question, domains=demands.domains)
    points = list(_points(question))
    if len(points) < _LEAST_CHECKS:
        return None
    alphabet = alphabet_of(parameters, [*first.atoms, *second.atoms])
    samples = [_letters(alphabet, point) for point in points]
    notation, latex = Notation(alphabet, samples[0], "text"), Notation(alphabet, samples[0], "latex")
    found: list[tuple[int, int, int, Formula]] = []
    truths = [_measured(question, point) for point in points]
    with precision(_WORK_BITS):
        # Where an observation cannot pass there is no measure, though a formula may have a value.
        masses = [_mass(joint, alphabet).numerator for joint in (question.joint, question.other)]
        for candidate in _candidates(question, alphabet, notation):
            text = _spelled(candidate.form, notation, unit)
            if len(text) <= _READABLE and _agrees(candidate.form, truths, samples):
                own = _conditions(candidate.form, masses, notation, question.domains)
                conditions = strongest((*demands.stated, *own))
                spelled = Formula(text, _spelled(candidate.form, latex, unit), conditions)
                blocked = sum(condition != _ZERO_LOG_ZERO for condition in conditions)
                found.append((blocked, candidate.order, len(text), spelled))
    return min(found, key=lambda one: one[:3])[3] if found else None


def _demands(
    question: _Question, parameters: Sequence[str], observed: Sequence[DiscreteJoint[Polynomial]]
) -> Demands | None:
    """Return what must hold for the programs to have a meaning; None if no point is found where they have one."""
    point = next(_points(question), None)
    if point is None:
        return None
    demands = Demands(parameters, dict(question.domains), point)
    rings = [_ring(joint) for joint in (question.joint, question.other, *observed)]
    demands.probabilities(dict.fromkeys(expression for ring in rings for expression in ring.probabilities))
    for joint in observed:
        alphabet = alphabet_of(parameters, _ring(joint).atoms)
        demands.not_zero(_mass(joint, alphabet), alphabet)
    return demands


def _ring(joint: DiscreteJoint[Polynomial]) -> Polynomials:
    if not isinstance(joint.ring, Polynomials):
        raise ValueError(f"formulas need weights that are polynomials, got {type(joint.ring).__name__}")
    return joint.ring


# --- candidates -------------------------------------------------------------------------------------------------------


def _candidates(question: _Question, alphabet: Alphabet, notation: Notation) -> Iterator[_Candidate]:
    p = _table(question.joint, alphabet)
    places = question.joint.variables.index
    x, y, z = (tuple(places(name) for name in names) for names in (question.x, question.y, question.z))
    log = LogarithmSum(alphabet, notation.sample, Signs(alphabet, question.domains))
    match question.name:
        case "H":
            _add_entropy(log, p, (*x, *y), 1)
            _add_entropy(log, p, y, -1)
            # The paper writes entropies as sums of logarithms, and so do we where they are short.
            yield _Candidate(log, 0 if not y else 1)
            yield from _binary(alphabet, notation, p, [(1, x, y)])
            if y:
                yield from _binary(alphabet, notation, p, [(1, x, ()), (1, y, x), (-1, y, ())])
        case "I":
            for of, sign in (((*x, *z), 1), ((*y, *z), 1), ((*x, *y, *z), -1), (z, -1)):
                _add_entropy(log, p, of, sign)
            yield _Candidate(log, 1)
            yield from _binary(alphabet, notation, p, [(1, y, z), (-1, y, (*x, *z))])
            yield from _binary(alphabet, notation, p, [(1, x, z), (-1, x, (*y, *z))])
        case "KL":
            q = _table(question.other, alphabet)
            theirs = tuple(question.other.variables.index(name) for name in question.y)
            if _add_divergence(log, _marginal(p, x), _marginal(q, theirs)):
                yield _Candidate(log, 0)
        case _:
            yield _Candidate(_mean(p, x[0], alphabet), 0)


def _table(joint: DiscreteJoint[Polynomial], alphabet: Alphabet) -> Table:
    """Return the normalised masses as rational functions; those that vanish identically are left out."""
    generators = _generators(joint, alphabet)
    masses = {values: composed(mass, generators, alphabet) for values, mass in joint.masses.items()}
    masses = {values: mass for values, mass in masses.items() if not mass.is_zero}
    whole = _mass(joint, alphabet)
    if whole == alphabet.number(1):
        return masses
    return {values: over(mass, whole) for values, mass in masses.items()}


def _mass(joint: DiscreteJoint[Polynomial], alphabet: Alphabet) -> Quotient:
    return composed(joint.mass, _generators(joint, alphabet), alphabet)


def _generators(joint: DiscreteJoint[Polynomial], alphabet: Alphabet) -> list[Quotient]:
    ring = _ring(joint)
    parameters = [alphabet.parameter(name) for name in ring.parameters]
    return parameters + [alphabet.translate(atom) for atom in ring.atoms]


def _marginal(table: Table, places: Sequence[int]) -> dict[Values, Quotient]:
    result: dict[Values, Quotient] = {}
    for values, mass in table.items():
        key = tuple(values[place] for place in places)
        result[key] = plus(result[key], mass) if key in result else mass
    return result


def _add_entropy(log: LogarithmSum, table: Table, places: Sequence[int], sign: int) -> None:
    for mass in _marginal(table, places).values():
        log.add(times(log.alphabet.number(-sign), mass), mass)


def _add_divergence(log: LogarithmSum, p: Table, q: Table) -> bool:
    """Add Σ p log(p/q); tell whether it is finite."""
    if not p.keys() <= q.keys():
        return False
    for values, mass in p.items():
        log.add(mass, mass)
        log.add(times(log.alphabet.number(-1), mass), q[values])
    return True


def _binary(
    alphabet: Alphabet, notation: Notation, table: Table, parts: Sequence[tuple[int, Sequence[int], Sequence[int]]]
) -> Iterator[_Candidate]:
    """Yield Σ ± H(of | given) as binary entropies, if every conditional distribution has at most two values."""
    result = BinarySum(alphabet, notation)
    for sign, of, given in parts:
        groups: dict[Values, list[Quotient]] = {}
        for values, mass in _marginal(table, (*given, *of)).items():
            groups.setdefault(values[: len(given)], []).append(mass)
        for shares in groups.values():
            if len(shares) > 2:
                return
            if len(shares) == 2:
                mass, fractions = conditional(shares)
                result.add(times(alphabet.number(sign), mass), fractions[0])
    yield _Candidate(result, 1)


def _mean(table: Table, place: int, alphabet: Alphabet) -> Quotient:
    result = alphabet.number(0)
    for (value,), mass in _marginal(table, (place,)).items():
        fraction = to_fraction(value)
        if fraction is None:
            raise NoAlgebra("an irrational value")
        result = plus(result, times(alphabet.number(fraction), mass))
    return result


# --- words ------------------------------------------------------------------------------------------------------------


def _spelled(form: LogarithmSum | BinarySum | Quotient, notation: Notation, unit: Unit) -> str:
    match form:
        case LogarithmSum():
            return form.spell(notation, unit)
        case BinarySum():
            meanings = (letter.meaning for letter in notation.alphabet.letters)
            taken = {meaning.id for meaning in meanings if isinstance(meaning, tree.Name)}
            h, x = (next(name for name in names if name not in taken) for names in ("hbH", "xuvw"))
            return form.spell(notation, unit, h, x)
        case Quotient():
            return notation.quotient(form).text


def _conditions(
    form: LogarithmSum | BinarySum | Quotient,
    masses: Sequence[fmpq_mpoly],
    notation: Notation,
    domains: Mapping[str, Domain],
) -> tuple[str, ...]:
    if isinstance(form, Quotient):
        return conditions_for([*masses, form.denominator], [], notation, domains)
    return conditions_for([*masses, *form.divisors()], form.arguments(), notation, domains)


# --- the check --------------------------------------------------------------------------------------------------------


def _points(question: _Question) -> Iterator[Mapping[str, Number]]:
    """Yield random points of the domains at which every mass is positive, always the same ones, and some near the ends."""
    rings = (_ring(question.joint), _ring(question.other))
    names = list(dict.fromkeys(name for ring in rings for name in ring.parameters))
    if all(name in question.at for name in names):
        last = [{name: question.at[name] for name in names}]
    else:
        last = []
    choose = random.Random(20_240)
    count = 0
    for trial in range(_TRIALS):
        ends = count >= _RANDOM
        point = {
            name: _between(
                question.domains.get(name, EVERYWHERE),
                choose.choice((1, _STEPS - 1)) if ends and trial % 2 else choose.randrange(1, _STEPS),
            )
            for name in names
        }
        if _inside(question, point):
            count += 1
            yield point
        if count == _CHECKS:
            break
    yield from (point for point in last if _inside(question, point))


def _inside(question: _Question, point: Mapping[str, Number]) -> bool:
    try:
        return all(
            ring.enclose(mass, ring.values_at(point), BITS) > 0
            for ring, joint in ((_ring(joint), joint) for joint in (question.joint, question.other))
            for mass in joint.masses.values()
        )
    except (Fault, ArithmeticFault):
        return False


def _between(domain: Domain, share: int) -> Number:
    low, high = (None if end is None else _rational(end) for end in (domain.low, domain.high))
    if low is None and high is None:
        low, high = Fraction(0), Fraction(1)
    elif low is None and high is not None:
        low = high - 3
    elif low is not None and (high is None or high - low > 20):
        high = low + 3
    if low is None or high is None:
        raise AssertionError("an end is missing")
    return number(low + (high - low) * Fraction(share, _STEPS))


def _rational(end: Number) -> Fraction:
    fraction = to_fraction(end)
    return Fraction(float(enclose(end).mid())) if fraction is None else fraction


def _letters(alphabet: Alphabet, point: Mapping[str, Number]) -> tuple[arb, ...]:
    return tuple(enclose(evaluate(letter.meaning, point), _WORK_BITS) for letter in alphabet.letters)


def _agrees(
    form: LogarithmSum | BinarySum | Quotient,
    truths: Sequence[Enclosure],
    samples: Sequence[tuple[arb, ...]],
) -> bool:
    """Tell whether a formula has the measure's value at some points, to forty digits."""
    for truth, letters in zip(truths, samples, strict=True):
        value = value_of_quotient(form, letters) if isinstance(form, Quotient) else form.value(letters)
        if not abs(value - truth.value) < arb(10) ** -40 * (1 + abs(truth.value)):
            return False
    return True


def _measured(question: _Question, point: Mapping[str, Number]) -> Enclosure:
    p, q = _at(question.joint, point), _at(question.other, point)
    match question.name:
        case "H":
            return conditional_entropy(p, question.x, question.y)
        case "I":
            return mutual_information(p, question.x, question.y, question.z)
        case "KL":
            return divergence(p, question.x, q, question.y)
        case _:
            return expectation(p, question.x[0])


def _at(joint: DiscreteJoint[Polynomial], point: Mapping[str, Number]) -> DiscreteJoint[arb]:
    ring = _ring(joint)
    values = ring.values_at(point)
    masses = {key: ring.enclose(mass, values, 2 * BITS) for key, mass in joint.masses.items()}
    return DiscreteJoint(joint.variables, balls(2 * BITS), masses, ring.enclose(joint.mass, values, 2 * BITS))
