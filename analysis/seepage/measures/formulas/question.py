"""What a formula is asked for, at which points it is checked, and what the measure is there by the numeric measures."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction

from flint import arb, fmpq_mpoly

from seepage.algebra import Alphabet, NoAlgebra
from seepage.data_classes import dataclass
from seepage.deadline import Deadline
from seepage.diagnostics import Fault
from seepage.engines.forward.coefficients import Polynomial, Polynomials, balls
from seepage.engines.outcome import DiscreteJoint
from seepage.engines.signs import EVERYWHERE
from seepage.exact import ArithmeticFault, Number, enclose, number, precision, to_fraction
from seepage.measures.discrete.divergence import divergence
from seepage.measures.discrete.entropy import conditional_entropy
from seepage.measures.discrete.mutual_information import mutual_information
from seepage.measures.discrete.probability import expectation
from seepage.measures.discrete.variance import variance
from seepage.measures.discrete.weights import BITS
from seepage.measures.enclosure import Enclosure
from seepage.measures.formulas.notation import Prepared, value_of
from seepage.measures.guessing.gains import ONE_TRY, Gain
from seepage.measures.guessing.vulnerability import conditional_vulnerability
from seepage.measures.planning.table import Measure
from seepage.semantics.checked import Domain
from seepage.semantics.evaluate import evaluate

WORK_BITS = 1024  # a formula may subtract large terms; the check needs forty digits of the difference

_CHECKS = 8
_STEPS = 997
_RANDOM = 5  # points before those near the ends
_TRIALS = 60
_KEPT = 8  # distributions


@dataclass(frozen=True, slots=True)
class Choice:
    """The guesses of an attacker: what each value of the secret gains with the best one.

    Attributes:
        before: nothing seen.
        after: for each value of what is seen.
    """

    before: Mapping[tuple[Number, ...], Fraction]
    after: Mapping[tuple[Number, ...], Mapping[tuple[Number, ...], Fraction]]


@dataclass(frozen=True, slots=True)
class Region:
    """Where some polynomials in the letters of an alphabet are positive; at its edge, too, guesses stay best."""

    alphabet: Alphabet
    positive: tuple[fmpq_mpoly, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A measure of some joint distribution(s) and where its parameters may lie."""

    measure: Measure
    joint: DiscreteJoint[Polynomial]
    other: DiscreteJoint[Polynomial]
    x: tuple[str, ...]
    y: tuple[str, ...]
    z: tuple[str, ...]
    domains: Mapping[str, Domain]
    at: Mapping[str, Number]
    deadline: Deadline | None = None
    gain: Gain | None = None  # of an attacker
    choice: Choice | None = None
    region: Region | None = None

    @property
    def entropies(self) -> Sequence[tuple[tuple[str, ...], int]]:
        """The variables whose joint entropies, with signs, sum to an entropy or an information."""
        return self.measure.entropies(self.x, self.y, self.z)

    def check_clock(self) -> None:
        """Give up once the deadline has passed.

        Raises:
            NoAlgebra: then.
        """
        if self.deadline is not None and self.deadline.passed():
            raise NoAlgebra("no time is left")


def ring_of(joint: DiscreteJoint[Polynomial]) -> Polynomials:
    """Return the ring of polynomials in which a distribution's weights are.

    Raises:
        ValueError: if they are in another ring.
    """
    if not isinstance(joint.ring, Polynomials):
        raise ValueError(f"formulas need weights that are polynomials, got {type(joint.ring).__name__}")
    return joint.ring


def points_of(question: Question) -> Iterator[Mapping[str, Number]]:
    """Yield random points of the domains at which every mass is positive, always the same ones, and some near the ends."""
    rings = (ring_of(question.joint), ring_of(question.other))
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
        if is_inside(question, point):
            count += 1
            yield point
        if count == _CHECKS:
            break
    yield from (point for point in last if is_inside(question, point))


def is_inside(question: Question, point: Mapping[str, Number]) -> bool:
    """Tell whether every mass is positive at a choice of the parameters, and what a question wants positive is."""
    try:
        for joint in {id(joint): joint for joint in (question.joint, question.other)}.values():
            if not all(mass > 0 for mass in _Evaluator.of(joint).at(point).masses.values()):
                return False
        if question.region is not None:
            letters = letters_at(question.region.alphabet, point)
            return all(value_of(each, letters) > 0 for each in question.region.positive)
    except (Fault, ArithmeticFault):
        return False
    return True


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


def letters_at(alphabet: Alphabet, point: Mapping[str, Number]) -> tuple[arb, ...]:
    """Return the values of letters at a choice of the parameters."""
    return tuple(enclose(evaluate(letter.meaning, point), WORK_BITS) for letter in alphabet.letters)


def agrees(values: Sequence[arb], truths: Sequence[Enclosure]) -> bool:
    """Tell whether numbers (nats) are a measure's values, to forty digits."""
    return all(
        abs(value - truth.value) < arb(10) ** -40 * (1 + abs(truth.value))
        for value, truth in zip(values, truths, strict=True)
    )


def measured(question: Question, point: Mapping[str, Number]) -> Enclosure:
    """Return the measure at a choice of the parameters, by the numeric measures."""
    p, q = _Evaluator.of(question.joint).at(point), _Evaluator.of(question.other).at(point)
    measure = question.measure
    match measure.functional:
        case "entropy" if measure.is_entropy:
            return conditional_entropy(p, question.x, question.y)
        case "entropy":
            return mutual_information(p, question.x, question.y, question.z)
        case "divergence":
            return divergence(p, question.x, q, question.y)
        case "variance":
            return variance(p, question.x[0])
        case "gain":
            return _guessed(question, p)
        case _:
            return expectation(p, question.x[0])


def _guessed(question: Question, p: DiscreteJoint[arb]) -> Enclosure:
    gain = question.gain or ONE_TRY
    after = conditional_vulnerability(p, question.x, question.y, gain)
    if question.measure.is_chance_to_guess:
        return after
    if not question.measure.is_leakage:
        return Enclosure.of_ball(-after.value.log())
    return Enclosure.of_ball((after.value / conditional_vulnerability(p, question.x, (), gain).value).log())


@dataclass(frozen=True, slots=True)
class _Evaluator:
    """A distribution to be evaluated at many points: what is written alike is evaluated once.

    Attributes:
        joint: the distribution.
        weights: the different ones, the mass of all among them.
        places: of the weights of outcomes, in order, and of the whole mass.
        known: by the values of the parameters.
    """

    joint: DiscreteJoint[Polynomial]
    weights: tuple[Prepared, ...]
    places: tuple[int, ...]
    known: dict[object, DiscreteJoint[arb]] = field(default_factory=dict)

    @classmethod
    def of(cls, joint: DiscreteJoint[Polynomial]) -> _Evaluator:
        """Return the evaluator of a distribution, the same one for a while: several measures ask the same of it."""
        if id(joint) not in _EVALUATORS:
            if len(_EVALUATORS) >= _KEPT:
                del _EVALUATORS[next(iter(_EVALUATORS))]
            numbers: dict[str, int] = {}
            weights: list[Prepared] = []
            places: list[int] = []
            for mass in (*joint.masses.values(), joint.mass):
                places.append(numbers.setdefault(str(mass), len(numbers)))
                if places[-1] == len(weights):
                    weights.append(Prepared(mass))
            _EVALUATORS[id(joint)] = cls(joint, tuple(weights), tuple(places))
        return _EVALUATORS[id(joint)]

    def at(self, point: Mapping[str, Number]) -> DiscreteJoint[arb]:
        """Return the distribution at a choice of the parameters."""
        key = tuple(point.items())
        if key not in self.known:
            values = [enclose(value, 2 * BITS) for value in ring_of(self.joint).values_at(point)]
            with precision(2 * BITS):
                found = [weight.at(values) for weight in self.weights]
            *masses, whole = (found[place] for place in self.places)
            listed = dict(zip(self.joint.masses, masses, strict=True))
            self.known[key] = DiscreteJoint(self.joint.variables, balls(2 * BITS), listed, whole)
        return self.known[key]


_EVALUATORS: dict[int, _Evaluator] = {}  # each holds its distribution, so that the number stays its own
