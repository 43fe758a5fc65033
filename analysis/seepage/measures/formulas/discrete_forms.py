"""A measure of a joint distribution as formulas in the parameters: all the forms it can be written in, one after the other, with what they divide by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from flint import arb, fmpq_mpoly

from seepage.algebra import Alphabet, NoAlgebra, Quotient, composed, minus, over, plus, scaled, times
from seepage.engines.forward.coefficients import Polynomial
from seepage.engines.outcome import DiscreteJoint
from seepage.exact import to_fraction
from seepage.measures.formulas.circuit import Circuit
from seepage.measures.formulas.condition import Condition
from seepage.measures.formulas.conditions import conditions_for
from seepage.measures.formulas.notation import value_of_quotient
from seepage.measures.formulas.question import Question
from seepage.measures.formulas.symbolic import BinarySum, LogarithmSum, conditional
from seepage.measures.formulas.symbolic_table import Probabilities, Table, Values, add_divergence, marginal
from seepage.measures.formulas.writing import Writing
from seepage.semantics.checked import Domain

Form: TypeAlias = LogarithmSum | BinarySum | Quotient

_KEPT = 8  # distributions, in each alphabet


def forms(question: Question, writing: Writing) -> Iterator[Form]:
    """Yield the forms of the measure of a question, the shortest kinds first."""
    alphabet, notation = writing.alphabet, writing.notation
    p = table_of(question, question.joint, writing)
    places = question.joint.variables.index
    x, y, z = (tuple(places(name) for name in names) for names in (question.x, question.y, question.z))
    log = LogarithmSum(alphabet, notation.sample, writing)
    measure = question.measure
    match measure.functional:
        case "entropy" if measure.is_entropy:
            yield from _binary(question, writing, p, [(1, x, y)])
            if y:
                yield from _binary(question, writing, p, [(1, x, ()), (1, y, x), (-1, y, ())])
            if (entropy := _entropies(question, writing, measure.entropies(x, y))) is not None:
                yield entropy
        case "entropy":
            yield from _binary(question, writing, p, [(1, y, z), (-1, y, (*x, *z))])
            yield from _binary(question, writing, p, [(1, x, z), (-1, x, (*y, *z))])
            if (entropy := _entropies(question, writing, measure.entropies(x, y, z))) is not None:
                yield entropy
        case "divergence":
            q = table_of(question, question.other, writing)
            theirs = tuple(question.other.variables.index(name) for name in question.y)
            if add_divergence(log, marginal(p, x), marginal(q, theirs)):
                yield log
        case "variance":
            mean, square = (_moment(p, x[0], power, alphabet) for power in (1, 2))
            yield minus(square, times(mean, mean))
        case "gain":
            yield from _guesses(question, p, log, writing)
        case _:
            yield _moment(p, x[0], 1, alphabet)


def _guesses(question: Question, table: Table, log: LogarithmSum, writing: Writing) -> Iterator[Form]:
    before, after = _expected(question, table, writing)
    number = writing.alphabet.number
    if question.measure.is_chance_to_guess:
        yield after
    elif question.measure.is_leakage:
        log.add(number(1), after)
        log.add(number(-1), before)
        yield log
    else:
        log.add(number(-1), after)
        yield log


def _expected(question: Question, table: Table, writing: Writing) -> tuple[Quotient, Quotient]:
    """Return what the guesses of a question gain before and after something is seen."""
    if question.choice is None:
        raise NoAlgebra("no guesses are chosen")
    before = after = writing.alphabet.number(0)
    of, given = _places(question, question.x), _places(question, question.y)
    for values, mass in table.items():
        question.check_clock()
        x, y = (tuple(values[place] for place in places) for places in (of, given))
        first, second = question.choice.before.get(x), question.choice.after[y].get(x)
        before = before if first is None else plus(before, times(writing.alphabet.number(first), mass))
        after = after if second is None else plus(after, times(writing.alphabet.number(second), mass))
    return before, after


def circuit_of(question: Question, writing: Writing) -> Circuit:
    """Return an entropy, an information or a divergence as a sum over outcomes."""
    p = _probabilities(question, question.joint, writing)
    result = Circuit()
    if question.measure.functional == "divergence":
        ours = marginal(p.table, _places(question, question.x))
        places = [question.other.variables.index(name) for name in question.y]
        theirs = marginal(table_of(question, question.other, writing), places)
        if not ours.keys() <= theirs.keys():
            raise NoAlgebra("the divergence is infinite")
        result.divergences += [(mass, theirs[values]) for values, mass in ours.items() if mass != theirs[values]]
        return result
    for of, sign in question.entropies:
        for mass, count in p.shares(tuple(_places(question, of))):
            question.check_clock()
            result.add(mass, sign * count)
    return result


def _places(question: Question, names: Sequence[str]) -> list[int]:
    return [question.joint.variables.index(name) for name in dict.fromkeys(names)]


def cells_of(question: Question) -> int:
    """Return how many probabilities an entropy, an information or a divergence is a sum over."""
    is_divergence = question.measure.functional == "divergence"
    parts = [question.x] if is_divergence else [of for of, _ in question.entropies if of]
    return sum(len(question.joint.support(tuple(dict.fromkeys(of)))) for of in parts)


def length_of(question: Question, writing: Writing) -> int:
    """Return how many terms a moment has as a quotient of polynomials."""
    table = table_of(question, question.joint, writing)
    if question.gain is not None:
        return sum(len(part.numerator) for part in _expected(question, table, writing))
    place = question.joint.variables.index(question.x[0])
    mean = _moment(table, place, 2 if question.measure.functional == "variance" else 1, writing.alphabet)
    return len(mean.numerator) + (0 if mean.denominator.is_constant() else len(mean.denominator))


def _probabilities(question: Question, joint: DiscreteJoint[Polynomial], writing: Writing) -> Probabilities:
    """Return a distribution in the letters of a writing, the same one for all measures that ask for it."""
    if id(joint) not in writing.found:
        if len(writing.found) >= _KEPT:
            del writing.found[next(iter(writing.found))]
        writing.found[id(joint)] = Probabilities(joint, _normalised(question, joint, writing))
    return writing.found[id(joint)]


def table_of(question: Question, joint: DiscreteJoint[Polynomial], writing: Writing) -> Table:
    """Return the probabilities of all that is asked, as quotients in the letters of a writing."""
    return _probabilities(question, joint, writing).table


def _normalised(question: Question, joint: DiscreteJoint[Polynomial], writing: Writing) -> Table:
    """Return the normalised masses as rational functions; those that vanish identically are left out."""
    generators = writing.generators(joint)
    different: dict[str, Quotient] = {}
    masses: dict[Values, Quotient] = {}
    for values, polynomial in joint.masses.items():
        question.check_clock()
        key = str(polynomial)  # many may be equal
        if key not in different:
            different[key] = composed(polynomial, generators, writing.alphabet)
        if not different[key].is_zero:
            masses[values] = different[key]
    whole = mass_of(joint, writing)
    if whole == writing.alphabet.number(1):
        return masses
    return {values: over(mass, whole) for values, mass in masses.items()}


def mass_of(joint: DiscreteJoint[Polynomial], writing: Writing) -> Quotient:
    """Return the probability that a run passes, as a quotient in the letters of a writing."""
    return composed(joint.mass, writing.generators(joint), writing.alphabet)


def _entropies(question: Question, writing: Writing, parts: Sequence[tuple[Sequence[int], int]]) -> LogarithmSum | None:
    """Return Σ ± H(of) over the parts; None if that cannot be written."""
    result = LogarithmSum(writing.alphabet, writing.notation.sample, writing)
    for of, sign in parts:
        entropy = _entropy(question, writing, tuple(of))
        if entropy is None:
            return None
        result.add_multiple(sign, entropy)
    return result


def _entropy(question: Question, writing: Writing, of: tuple[int, ...]) -> LogarithmSum | None:
    """Return the joint entropy of the variables at some places, found once; None if it cannot be written."""
    known = _probabilities(question, question.joint, writing)
    if of not in known.entropies:
        result = LogarithmSum(writing.alphabet, writing.notation.sample, writing)
        known.entropies[of] = result if _add_surprises(question, result, known.shares(of)) else None
    return known.entropies[of]


def _add_surprises(question: Question, log: LogarithmSum, shares: Iterable[tuple[Quotient, int]]) -> bool:
    """Add ``−count · P · log P`` for each probability; tell whether that can be written."""
    for mass, count in shares:
        question.check_clock()
        try:
            log.add(scaled(-count, mass), mass)
        except NoAlgebra:
            return False
    return True


def _binary(
    question: Question, writing: Writing, table: Table, parts: Sequence[tuple[int, Sequence[int], Sequence[int]]]
) -> Iterator[BinarySum]:
    """Yield Σ ± H(of | given) as binary entropies, if every conditional distribution has at most two values."""
    result = BinarySum(writing.alphabet, writing.notation)
    for sign, of, given in parts:
        groups: dict[Values, list[Quotient]] = {}
        for values, mass in marginal(table, (*given, *of)).items():
            groups.setdefault(values[: len(given)], []).append(mass)
        if any(len(shares) > 2 for shares in groups.values()):
            return
        for shares in groups.values():
            question.check_clock()
            if len(shares) == 2:
                mass, fractions = conditional(shares)
                result.add(times(writing.alphabet.number(sign), mass), fractions[0])
    yield result


def _moment(table: Table, place: int, power: int, alphabet: Alphabet) -> Quotient:
    result = alphabet.number(0)
    for (value,), mass in marginal(table, (place,)).items():
        fraction = to_fraction(value)
        if fraction is None:
            raise NoAlgebra("an irrational value")
        result = plus(result, times(alphabet.number(fraction**power), mass))
    return result


def value_of_form(form: Form | Circuit, letters: Sequence[arb]) -> arb:
    """Return a ball around the value of a form where its letters have values."""
    return value_of_quotient(form, letters) if isinstance(form, Quotient) else form.value(letters)


def divisors_of(form: Form | Circuit, masses: Sequence[fmpq_mpoly], writing: Writing) -> tuple[fmpq_mpoly, ...]:
    """Return what must not be 0 for a form to have a value, in the parameters themselves, constants left out."""
    divisors = [form.denominator] if isinstance(form, Quotient) else form.divisors()
    shown = (part for each in divisors for part in writing.in_parameters(each))
    return tuple(each for each in (*masses, *shown) if not each.is_constant())


def conditions_of(
    form: Form | Circuit, divisors: Sequence[fmpq_mpoly], writing: Writing, domains: Mapping[str, Domain]
) -> tuple[Condition, ...]:
    """Return the conditions under which a form has a value, in the parameters themselves."""
    arguments = [] if isinstance(form, Quotient) else form.arguments()
    inside = [part for each in arguments for part in writing.in_parameters(each)]
    return conditions_for(divisors, inside, writing.plain, domains)
