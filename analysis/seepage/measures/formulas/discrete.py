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
from dataclasses import replace
from types import MappingProxyType

from flint import fmpq_mpoly

from seepage.algebra import NoAlgebra, alphabet_of, composed
from seepage.data_classes import dataclass
from seepage.deadline import Deadline
from seepage.diagnostics import Fault
from seepage.engines.forward.coefficients import Polynomial
from seepage.engines.outcome import DiscreteJoint
from seepage.exact import ArithmeticFault, Number, precision
from seepage.measures.enclosure import Enclosure
from seepage.measures.formulas.circuit import Circuit, worded_circuit
from seepage.measures.formulas.condition import ZERO_LOG_ZERO, Condition
from seepage.measures.formulas.conditions import Elsewhere, vanishes
from seepage.measures.formulas.definedness import Demands, strongest
from seepage.measures.formulas.discrete_forms import (
    Form,
    cells_of,
    circuit_of,
    conditions_of,
    divisors_of,
    forms,
    length_of,
    mass_of,
    value_of_form,
)
from seepage.measures.formulas.guessing import chosen
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
from seepage.measures.formulas.symbolic import Unit
from seepage.measures.formulas.wording import Worded, Wording, worded
from seepage.measures.formulas.writing import Writing, plain_writing, with_names
from seepage.measures.guessing.gains import Gain
from seepage.measures.planning.table import MEASURES
from seepage.measures.result import Formula
from seepage.semantics.checked import Domain
from seepage.semantics.expressions import plain_names

_OUTCOMES = 64
_FUNCTIONALS = frozenset({"entropy", "divergence", "chance", "mean", "variance", "gain"})
_NAMES = tuple(name for name, row in MEASURES.items() if row.reads_prior and row.functional in _FUNCTIONALS)
_LEAST_CHECKS = 3  # where most points of the domain are excluded
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
                [value_of_form(self.form, letters_at(self.writing.alphabet, point))], [measured(self.question, point)]
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
        masses = [mass_of(joint, plain).numerator for joint in (question.joint, question.other)]
        found: list[tuple[int, float, Searched]] = []
        elsewhere = False
        truths: list[Enclosure] = []
        for form, writing, spelled in _spelled(question, plain, points[0], wording):
            truths = truths or [measured(question, point) for point in points]
            if agrees([value_of_form(form, letters_at(writing.alphabet, point)) for point in points], truths):
                divisors = divisors_of(form, masses, writing)
                conditions = strongest(
                    (*further, *demands.stated, *conditions_of(form, divisors, writing, question.domains))
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
            return Searched(TooLong(cells_of(question)) if question.measure.is_sum_of_logarithms else None)


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
        return Searched(TooLong(length_of(question, plain)))
    *_, writing = with_names(plain, question, points[0], wording.taken)
    circuit = circuit_of(question, writing)
    spelled = worded_circuit(circuit, writing, wording)
    if spelled is None:
        return Searched(TooLong(circuit.terms))
    truths = [measured(question, point) for point in points]
    if not agrees([value_of_form(circuit, letters_at(writing.alphabet, point)) for point in points], truths):
        raise NoAlgebra("a circuit that fails its check")
    masses, further, demands = demanded
    divisors = divisors_of(circuit, masses, writing)
    conditions = strongest((*further, *demands.stated, *conditions_of(circuit, divisors, writing, question.domains)))
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
            for form in forms(question, writing):
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
