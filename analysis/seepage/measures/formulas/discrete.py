r"""Closed forms of discrete measures in the parameters of the program.

The joint distribution comes as polynomials in the parameters and in atoms (:mod:`seepage.engines.forward.polynomials`). Several ways
of writing a measure are tried (:mod:`seepage.measures.formulas.symbolic`), in the parameters themselves and with names for the expressions of
the program (``q := e^eps/(e^eps + 1)``), and the one with the least to read is kept, if it is short enough. **A formula is
returned only after a check**: at points of the domain, some random, some near its ends, and the one at which the number was asked
for, its value, found from the formula, agrees to forty digits with the measure of the joint distribution at that point, found by
the numeric measures (:mod:`seepage.measures.formulas.question`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

from flint import arb, fmpq_mpoly

from seepage.algebra import Alphabet, NoAlgebra, Quotient, alphabet_of, composed, minus, over, plus, scaled, times
from seepage.deadline import Deadline
from seepage.diagnostics import Fault
from seepage.engines.forward.coefficients import Polynomial
from seepage.engines.outcome import DiscreteJoint
from seepage.exact import ArithmeticFault, Number, precision, to_fraction
from seepage.measures.enclosure import Enclosure
from seepage.measures.formulas.circuit import Circuit, worded_circuit
from seepage.measures.formulas.condition import ZERO_LOG_ZERO, Condition
from seepage.measures.formulas.conditions import Elsewhere, conditions_for, vanishes
from seepage.measures.formulas.definedness import Demands, strongest
from seepage.measures.formulas.guessing import chosen
from seepage.measures.formulas.notation import value_of_quotient
from seepage.measures.formulas.question import (
    WORK_BITS,
    Question,
    agrees,
    is_inside,
    letters_at,
    measured,
    points_of,
    ring_of,
)
from seepage.measures.formulas.symbolic import BinarySum, LogarithmSum, Unit, conditional
from seepage.measures.formulas.symbolic_table import Probabilities, Table, Values, add_divergence, marginal
from seepage.measures.formulas.wording import Worded, Wording, worded
from seepage.measures.formulas.writing import Writing, plain_writing, with_names
from seepage.measures.guessing.gains import Gain
from seepage.measures.planning.table import MEASURES
from seepage.measures.result import Formula
from seepage.semantics.checked import Domain
from seepage.semantics.expressions import plain_names

Form: TypeAlias = LogarithmSum | BinarySum | Quotient

_OUTCOMES = 64
_NAMES = ("H", "I", "KL", "P", "E", "Var", "V", "Hmin", "Lmin", "G")
_LEAST_CHECKS = 3  # where most points of the domain are excluded
_KEPT = 8  # distributions, in each alphabet
_ANYWHERE: Mapping[str, Domain] = MappingProxyType({})
_NOWHERE: Mapping[str, Number] = MappingProxyType({})
_ZERO_LOG_ZERO_OVER_ZERO = Condition("0·log(0/0) = 0")


@dataclass(frozen=True, slots=True)
class Searched:
    """What was found for a question, and with what it was checked.

    Attributes:
        found: the formula; how long it would be, if that is too long to read; None if it cannot be written.
        question: where its points are.
        form: of the formula or circuit; None if there is none.
        writing: whose letters the form is in.
        divisors: what must not be 0 where the formula is read, in the letters of the parameters alone.
        demands: what the program demands of the parameters, wherever the formula is read.
        elsewhere: whether there are formulas, which hold at other values of the parameters only.
    """

    found: Formula | TooLong | None
    question: Question | None = None
    form: Form | Circuit | None = None
    writing: Writing | None = None
    divisors: tuple[fmpq_mpoly, ...] = ()
    demands: Demands | None = None
    elsewhere: bool = False

    def has_value_at(self, point: Mapping[str, Number]) -> bool:
        """Tell whether the formula divides by nothing that is 0 at values of the parameters, and its conditions hold there."""
        if self.writing is None:
            return True
        alphabet = self.writing.plain.alphabet
        if not {name for letter in alphabet.letters for name in plain_names(letter.meaning)} <= point.keys():
            return True
        with precision(WORK_BITS):
            if self.demands is not None and not self.demands.hold_at(point):
                return False
            return not vanishes(self.divisors, letters_at(alphabet, point))

    def holds_at(self, point: Mapping[str, Number]) -> bool:
        """Tell whether the formula has the measure's value at further values of the parameters too, where the measure has one.

        All else about the question is as it was: only values outside of the domains' inside are passed over.
        """
        if not self.has_value_at(point):
            return False
        if self.question is None or self.form is None or self.writing is None:
            return True
        names = {name for joint in (self.question.joint, self.question.other) for name in ring_of(joint).parameters}
        if not names <= point.keys() or not is_inside(self.question, point):
            return True
        with precision(WORK_BITS):
            return agrees(
                [_value(self.form, letters_at(self.writing.alphabet, point))], [measured(self.question, point)]
            )


@dataclass(frozen=True, slots=True)
class TooLong:
    """A measure of which no formula is short enough to read.

    Attributes:
        terms: how many there are.
        circuit: the probabilities with names, and the measure in these, if that fits a screen.
    """

    terms: int
    circuit: Formula | None = None


def searched(
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
    taken: Sequence[str] = (),
    deadline: Deadline | None = None,
    gain: Gain | None = None,
) -> Searched:
    """Search for a measure as a formula in the parameters, to be checked at other values of them too.

    Args:
        name: ``H`` (of x given the variables y), ``I`` (of x and y given z), ``KL`` (of x in ``joint`` from y in ``other``), ``P`` or ``E``
            (the mean of the one variable x), ``Var`` (its variance), or ``V``, ``Hmin``, ``Lmin`` and ``G`` (of guessing x when y are seen).
        joint: with weights in a ring made by ``polynomials``.
        x: variables.
        y: variables.
        z: variables.
        unit: of ``H``, ``I`` and ``KL``.
        other: the second distribution of ``KL``; the same as the first if None.
        domains: of the parameters, for side conditions and for the points of the check.
        at: the values of the parameters that the number beside the formula is for.
        observed: further distributions, whose whole masses must not be 0.
        taken: names that definitions must not give, beside those of the variables and parameters.
        deadline: after which no further way of writing is tried.
        gain: of the attacker, for ``V``, ``Hmin``, ``Lmin`` and ``G``.

    Raises:
        ValueError: for another name, or weights in another ring.
    """
    if name not in _NAMES:
        raise ValueError(f"no formulas for {name!r}; expected one of {', '.join(_NAMES)}")
    question = Question(
        MEASURES[name], joint, other or joint, tuple(x), tuple(y), tuple(z), domains, at, deadline, gain
    )
    outcomes = max(len(joint.masses), len(question.other.masses))
    if not joint.masses or outcomes > _OUTCOMES:
        return Searched(TooLong(outcomes) if joint.masses else None)
    names = (*taken, *question.joint.variables, *question.other.variables)
    try:
        return _readable(question, unit, observed, names)
    except Elsewhere:
        return Searched(None, elsewhere=True)
    except (NoAlgebra, Fault, ArithmeticFault):
        return Searched(None)


def _readable(
    question: Question,
    unit: Unit,
    observed: Sequence[DiscreteJoint[Polynomial]],
    taken: Sequence[str],
) -> Searched:
    first, second = ring_of(question.joint), ring_of(question.other)
    parameters = tuple(dict.fromkeys((*first.parameters, *second.parameters)))
    points = list(points_of(question))
    demands = _demands(question, parameters, points, observed)
    if demands is None:
        return Searched(None)
    if demands.domains != question.domains:
        question = replace(question, domains=demands.domains)
        points = list(points_of(question))
    if len(points) < _LEAST_CHECKS:
        return Searched(None)
    plain = plain_writing(question, parameters, points[0])
    further: tuple[Condition, ...] = ()
    if question.gain is not None:
        at = points[0] if any(name not in question.at for name in parameters) else question.at
        with precision(WORK_BITS):
            question, further = chosen(question, plain_writing(question, parameters, at), question.gain, points[0])
        points = list(points_of(question))
        if len(points) < _LEAST_CHECKS:
            return Searched(None)
        plain = plain_writing(question, parameters, points[0])
    wording = Wording(unit, (*taken, *parameters))
    with precision(WORK_BITS):
        # Where an observation cannot pass there is no measure, though a formula may have a value.
        masses = [_mass(joint, plain).numerator for joint in (question.joint, question.other)]
        found: list[tuple[int, float, Searched]] = []
        elsewhere = False
        truths: list[Enclosure] = []
        for form, writing, spelled in _spelled(question, plain, points[0], wording):
            truths = truths or [measured(question, point) for point in points]
            if agrees([_value(form, letters_at(writing.alphabet, point)) for point in points], truths):
                divisors = _divisors(form, masses, writing)
                conditions = strongest(
                    (*further, *demands.stated, *_conditions(form, divisors, writing, question.domains))
                )
                one = Searched(None, question, form, writing, divisors, demands)
                if not one.has_value_at(question.at):
                    elsewhere = True
                    continue
                blocked = sum(condition != ZERO_LOG_ZERO for condition in conditions)
                formula = spelled.formula(conditions)
                found.append((blocked, spelled.weight, replace(one, found=formula)))
        if found or truths:
            return min(found, key=lambda one: one[:2])[2] if found else Searched(None, elsewhere=elsewhere)
        try:
            return _too_long(question, plain, points, wording, (masses, further, demands))
        except NoAlgebra:
            return Searched(TooLong(_cells(question)) if question.measure.is_sum_of_logarithms else None)


def _too_long(
    question: Question,
    plain: Writing,
    points: Sequence[Mapping[str, Number]],
    wording: Wording,
    demanded: tuple[Sequence[fmpq_mpoly], Iterable[Condition], Demands],
) -> Searched:
    """Return how long a formula would be, with a circuit if that fits; ``demanded`` are masses that must not vanish, and further demands.

    Raises:
        NoAlgebra: if that cannot be told.
    """
    if not question.measure.is_sum_of_logarithms:
        return Searched(TooLong(_length(question, plain)))
    *_, writing = with_names(plain, question, points[0], wording.taken)
    circuit = _circuit(question, writing)
    spelled = worded_circuit(circuit, writing, wording)
    if spelled is None:
        return Searched(TooLong(circuit.terms))
    truths = [measured(question, point) for point in points]
    if not agrees([_value(circuit, letters_at(writing.alphabet, point)) for point in points], truths):
        raise NoAlgebra("a circuit that fails its check")
    masses, further, demands = demanded
    divisors = _divisors(circuit, masses, writing)
    conditions = strongest((*further, *demands.stated, *_conditions(circuit, divisors, writing, question.domains)))
    if circuit.divergences and ZERO_LOG_ZERO in conditions:  # both probabilities of a quotient may vanish
        conditions = (*conditions, _ZERO_LOG_ZERO_OVER_ZERO)
    too_long = TooLong(circuit.terms, spelled.formula(conditions))
    named = Searched(too_long, question, circuit, writing, divisors, demands)
    return named if named.has_value_at(question.at) else Searched(TooLong(circuit.terms))


def _spelled(
    question: Question, plain: Writing, point: Mapping[str, Number], wording: Wording
) -> Iterator[tuple[Form, Writing, Worded]]:
    """Yield the ways of writing a measure that are short enough, while there is time."""
    try:
        for writing in with_names(plain, question, point, wording.taken):
            for form in _forms(question, writing):
                spelled = worded(form, writing, wording)
                if spelled is not None:
                    yield form, writing, spelled
    except NoAlgebra:
        return


def _demands(
    question: Question,
    parameters: Sequence[str],
    points: Sequence[Mapping[str, Number]],
    observed: Sequence[DiscreteJoint[Polynomial]],
) -> Demands | None:
    """Return what must hold for the programs to have a meaning; None if no point is known where they have one."""
    if not points:
        return None
    demands = Demands(parameters, dict(question.domains), points[0])
    rings = [ring_of(joint) for joint in (question.joint, question.other, *observed)]
    demands.probabilities(dict.fromkeys(expression for ring in rings for expression in ring.probabilities))
    for joint in observed:
        alphabet = alphabet_of(parameters, ring_of(joint).atoms)
        generators = [alphabet.parameter(name) for name in ring_of(joint).parameters]
        generators += [alphabet.translate(atom) for atom in ring_of(joint).atoms]
        demands.not_zero(composed(joint.mass, generators, alphabet), alphabet)
    return demands


# --- forms ------------------------------------------------------------------------------------------------------------


def _forms(question: Question, writing: Writing) -> Iterator[Form]:
    alphabet, notation = writing.alphabet, writing.notation
    p = _table(question, question.joint, writing)
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
            q = _table(question, question.other, writing)
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


def _circuit(question: Question, writing: Writing) -> Circuit:
    """Return an entropy, an information or a divergence as a sum over outcomes."""
    p = _probabilities(question, question.joint, writing)
    result = Circuit()
    if question.measure.functional == "divergence":
        ours = marginal(p.table, _places(question, question.x))
        places = [question.other.variables.index(name) for name in question.y]
        theirs = marginal(_table(question, question.other, writing), places)
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


def _cells(question: Question) -> int:
    """Return how many probabilities an entropy, an information or a divergence is a sum over."""
    is_divergence = question.measure.functional == "divergence"
    parts = [question.x] if is_divergence else [of for of, _ in question.entropies if of]
    return sum(len(question.joint.support(tuple(dict.fromkeys(of)))) for of in parts)


def _length(question: Question, writing: Writing) -> int:
    """Return how many terms a moment has as a quotient of polynomials."""
    table = _table(question, question.joint, writing)
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


def _table(question: Question, joint: DiscreteJoint[Polynomial], writing: Writing) -> Table:
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
    whole = _mass(joint, writing)
    if whole == writing.alphabet.number(1):
        return masses
    return {values: over(mass, whole) for values, mass in masses.items()}


def _mass(joint: DiscreteJoint[Polynomial], writing: Writing) -> Quotient:
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


def _value(form: Form | Circuit, letters: Sequence[arb]) -> arb:
    return value_of_quotient(form, letters) if isinstance(form, Quotient) else form.value(letters)


def _divisors(form: Form | Circuit, masses: Sequence[fmpq_mpoly], writing: Writing) -> tuple[fmpq_mpoly, ...]:
    """Return what must not be 0 for a form to have a value, in the parameters themselves, constants left out."""
    divisors = [form.denominator] if isinstance(form, Quotient) else form.divisors()
    shown = (part for each in divisors for part in writing.in_parameters(each))
    return tuple(each for each in (*masses, *shown) if not each.is_constant())


def _conditions(
    form: Form | Circuit, divisors: Sequence[fmpq_mpoly], writing: Writing, domains: Mapping[str, Domain]
) -> tuple[Condition, ...]:
    """Return the conditions under which a form has a value, in the parameters themselves."""
    arguments = [] if isinstance(form, Quotient) else form.arguments()
    inside = [part for each in arguments for part in writing.in_parameters(each)]
    return conditions_for(divisors, inside, writing.plain, domains)
