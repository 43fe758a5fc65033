"""Measures of an attacker who guesses: ``V``, ``Hmin``, ``Guess``, ``Lmin`` and ``G``, from the call as written to a quantity.

Each compares what can be expected before the outputs are seen with what can be expected after (measures.md, "Definitions not in the paper"). The secret must be
discrete; outputs may be anything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Protocol, TypeAlias

from flint import arb, fmpq

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.engines.forward.tables import TableMasses
from seepage.engines.outcome import Budget, DiscreteJoint, Joint, MixtureJoint
from seepage.engines.select import solve_paths, solve_window
from seepage.exact import precision
from seepage.measures.arithmetic import WORKING_BITS, subtract
from seepage.measures.asking import InformationUnit
from seepage.measures.call_parts import condition_of
from seepage.measures.discrete.weights import Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.evaluation import Evaluation, formula
from seepage.measures.formulas.form import NO_FORMULA, ClosedForm
from seepage.measures.gaussian import guessing as gaussian_guessing
from seepage.measures.gaussian.sum import clip, note
from seepage.measures.guessing import class_guessing
from seepage.measures.guessing.entropy import guessing_entropy
from seepage.measures.guessing.gain_reading import gain_of
from seepage.measures.guessing.gains import ONE_TRY, Gain, Tries
from seepage.measures.guessing.vulnerability import conditional_vulnerability, same_guess
from seepage.measures.joints import classes_of, joint_of, need_no_fault, observing
from seepage.measures.notes import Note
from seepage.measures.pivot.guessing import Sight as PathSight
from seepage.measures.planning.table import row_of
from seepage.measures.quantity import Quantity
from seepage.measures.result import Companion
from seepage.measures.scope import fail, variables
from seepage.measures.units import companion, in_unit, without_unit
from seepage.semantics.core import CoreProgram
from seepage.semantics.measure_names import names_in
from seepage.semantics.slice import independent
from seepage.source import Span
from seepage.syntax.tree import GainName, MeasureCall

_GIVES_UP = frozenset({rules.BUDGET_EXCEEDED, rules.TIME_LIMIT, rules.NOT_SUPPORTED})
_SHAPES = {
    "V": "V(x | y)",
    "Hmin": "Hmin(x | y)",
    "Guess": "Guess(x | y)",
    "Lmin": "Lmin(x -> y)",
    "G": "G(x -> y, gain)",
}

Expected: TypeAlias = Callable[[Joint, tuple[str, ...]], Enclosure]
"""What the attacker can expect from a joint after he sees some variables."""

ToldAs: TypeAlias = Callable[[CoreProgram, tuple[str, ...], tuple[str, ...]], CoreProgram]
"""Puts in the place of asked variables, but for those that are kept, what tells the same."""


class Sight(Protocol):
    """What can be expected where no joint law is at hand."""

    def secret(self) -> Joint:
        """Return the law of the secret, or of nothing."""
        ...

    def expected_gain(self, y: tuple[str, ...], gain: Gain, budget: Budget) -> Enclosure:
        """Return the greatest expected gain from a guess after ``y`` is seen."""
        ...

    def guesses(self, y: tuple[str, ...], budget: Budget) -> Enclosure:
        """Return the expected number of guesses after ``y`` is seen."""
        ...


@dataclass(frozen=True, slots=True)
class _Question:
    """A measure about guessing ``x`` when ``y`` is seen, at the end of a program; by another sight than its joint law where one is given."""

    evaluation: Evaluation
    call: MeasureCall
    core: CoreProgram
    x: tuple[str, ...]
    y: tuple[str, ...]
    paths: Sight | None = None


@dataclass(frozen=True, slots=True)
class _Sight:
    """What an attacker can expect before and after he sees the outputs, and the joint that it rests on.

    Attributes:
        before: whatever he sees ignored.
        after: at least as good for him, where more is better.
        joint: None where dependence alone proved that seeing the outputs changes nothing.
        unchanged: whether both are provably the same.
        gain: of the attacker, if a formula may be looked for.
    """

    before: Enclosure
    after: Enclosure
    joint: Joint
    unchanged: bool
    gain: Gain | None = None


def guessing(evaluation: Evaluation, call: MeasureCall) -> Quantity:
    """Evaluate one of V, Hmin, Guess, Lmin, G.

    Raises:
        Fault: a fault of the program in the slice of the measure, or of the measure itself at its place.
        OutOfTime: past the budget's deadline.
    """
    return _answer(_question(evaluation, call))


def guessing_by_paths(evaluation: Evaluation, call: MeasureCall, told_as: ToldAs) -> Quantity:
    """Evaluate one of V, Hmin, Guess, Lmin, G by the exact laws of paths, of what tells the same as the outputs.

    Raises:
        Beyond: if these are not known.
        Fault: as :func:`guessing`.
    """
    question = _question(replace(evaluation, formulas=False), call)
    inquiry = evaluation.inquiry
    names, parameters = (*question.x, *question.y), inquiry.scope.parameters
    core = told_as(question.core, names, question.x)
    known = solve_window(core, names, parameters, inquiry.budget)
    paths = solve_paths(core, names, parameters, inquiry.budget) if known is None else known.paths
    cut = None if known is None else known.cut
    by_paths = replace(question, paths=PathSight(paths, question.x, question.y, cut))
    return replace(_answer(by_paths), engine="paths")


def guessing_by_sight(evaluation: Evaluation, call: MeasureCall, sight: Sight) -> Quantity:
    """Evaluate one of V, Hmin, Guess, Lmin, G by what a sight tells.

    Raises:
        Fault: as :func:`guessing`.
    """
    return _answer(replace(_question(replace(evaluation, formulas=False), call), paths=sight))


def _answer(question: _Question) -> Quantity:
    measure = row_of(question.call)
    if measure.is_leakage:
        return _leakage(question)
    if measure.functional == "tries":
        return _guesses(question)
    return _chance(question) if measure.is_chance_to_guess else _min_entropy(question)


def _question(evaluation: Evaluation, call: MeasureCall) -> _Question:
    scope, measure = evaluation.scope, row_of(call)
    if not call.left or call.named or (call.gain is not None) != measure.chooses_gain:
        place = call.span.shift(scope.offset)
        fail(rules.UNFIT_MEASURE, place, f"found another shape of '{call.name}', expected {_SHAPES[call.name]}")
    x = variables(scope, call.left)
    if measure.is_leakage:
        return _Question(evaluation, call, scope.core, x, variables(scope, call.right))
    given, event = condition_of(scope, call)
    return _Question(evaluation, call, observing(scope, event), x, given)


# --- one function a measure -------------------------------------------------------------------------------------------


def _chance(question: _Question) -> Quantity:
    seen = _seen(question, ONE_TRY)
    quantity = without_unit(seen.after, seen.joint, _formula(question, seen, ONE_TRY))
    return replace(quantity, companions=_beside(question, ("chance before", seen.before)))


def _min_entropy(question: _Question) -> Quantity:
    seen = _seen(question, ONE_TRY)
    nats, bits = _logarithm(seen.after, -1)
    quantity = in_unit(question.evaluation.unit, nats, seen.joint, bits, _formula(question, seen, ONE_TRY))
    return replace(quantity, companions=_beside(question, ("chance to guess", seen.after)))


def _guesses(question: _Question) -> Quantity:
    """Evaluate Guess; seeing something never makes more guesses necessary."""
    budget = question.evaluation.inquiry.budget
    uncut: Joint | None = None

    def expected(joint: Joint, y: tuple[str, ...]) -> Enclosure:
        if question.paths is not None:
            return question.paths.guesses(y, budget)
        if isinstance(joint, MixtureJoint):
            return gaussian_guessing.guessing_entropy(joint, question.x, y, budget)
        values = None if uncut is None or joint.cut is None else len(_support(uncut, question.x))
        return guessing_entropy(joint, question.x, y, values, budget)

    seen = _among_classes(question, None)
    if seen is None:
        alone, unchanged = _secret(question)
        if isinstance(alone, DiscreteJoint) and alone.cut is None:
            uncut = alone
        seen = _sight(question, alone, unchanged, expected)
    with precision(WORKING_BITS):
        after = seen.after if seen.after.exact is not None else clip(seen.after, upper=seen.before.upper)
    quantity = without_unit(after, seen.joint)
    return replace(quantity, companions=_beside(question, ("guesses before", seen.before)))


def _leakage(question: _Question) -> Quantity:
    """Evaluate Lmin, or G: the logarithm of how many times more the attacker can expect."""
    seen = _seen(question, None)
    closed = _formula(question, seen, seen.gain)
    place = question.call.span.shift(question.evaluation.scope.offset)
    ratio = replace(Enclosure.of_rational(Fraction(1)), notes=seen.after.notes) if seen.unchanged else None
    return leakage_of(
        question.call, place, question.evaluation.unit, seen.before, seen.after, seen.joint, closed, ratio
    )


def leakage_of(
    call: MeasureCall,
    place: Span,
    unit: InformationUnit,
    before: Enclosure,
    after: Enclosure,
    joint: Joint | None = None,
    closed: ClosedForm = NO_FORMULA,
    known_ratio: Enclosure | None = None,
) -> Quantity:
    """Return Lmin, or G, from what the attacker can expect.

    Args:
        call: the measure.
        place: its absolute range.
        unit: of the result.
        before: what he can expect before he sees the outputs.
        after: likewise, after; at least as much.
        joint: from which both come.
        closed: the formula.
        known_ratio: of the two, where dependence proves it.

    Raises:
        Fault: if nothing can be expected before, or that is not known.
    """
    of_gain = row_of(call).chooses_gain
    what = "g-vulnerability" if of_gain else "chance to guess"
    if before.upper <= 0:
        fail(rules.UNDEFINED_MEASURE, place, f"the measure has no value: the prior {what} is not above 0")
    if not before.value > 0 or not after.value > 0:
        fail(rules.CANNOT_DECIDE, place, f"cannot tell whether the prior {what} is above 0")
    ratio = _ratio(before, after) if known_ratio is None else known_ratio
    nats, bits = _logarithm(ratio, 1)
    quantity = in_unit(unit, nats, joint, bits, closed)
    names = ("prior g-vulnerability", "posterior g-vulnerability") if of_gain else ("chance before", "after")
    companions = [companion(names[0], "", before), companion(names[1], "", after)]
    if of_gain:
        gained = Enclosure.of_rational(Fraction(0)) if known_ratio is not None else _gained(before, after)
        companions += [companion("multiplicative leakage", "", ratio), companion("additive leakage", "", gained)]
    return replace(quantity, companions=tuple(companions))


def _ratio(before: Enclosure, after: Enclosure) -> Enclosure:
    """Return after / before, which is at least 1; ``before`` is positive."""
    if before.exact is not None and after.exact is not None:
        return replace(Enclosure.of_rational(after.exact / before.exact), notes=after.notes)
    with precision(WORKING_BITS):
        lower = (after.lower / before.upper).lower() if after.lower > 0 else arb(0)
        upper = (after.upper / before.lower).upper() if before.lower > 0 else arb.pos_inf()
        lower = lower if lower > 1 else arb(1)
        share, known = after.value / before.value, (after.certainty, None, after.notes, after.estimated)
        return Enclosure.bounded(share, lower, upper, *known)


def _gained(before: Enclosure, after: Enclosure) -> Enclosure:
    """Return after − before, which is at least 0."""
    found = subtract(after, before)
    with precision(WORKING_BITS):
        return found if found.exact is not None else clip(found, lower=arb(0))


def _logarithm(number: Enclosure, sign: int) -> tuple[Enclosure, Fraction | None]:
    """Return plus or minus the logarithm of a number at least 0, in nats; and in bits where that is rational, which is for powers of 2 only."""
    with precision(WORKING_BITS):
        if number.exact is not None:
            ball = sign * (arb(number.exact.numerator) / arb(number.exact.denominator)).log()
            found = Enclosure.of_ball(ball, Fraction(0) if number.exact == 1 else None)
            return replace(found, certainty=number.certainty, notes=number.notes), _power_of_two(number.exact, sign)
        low, middle, high = (
            end.log() if end > 0 else arb.neg_inf() for end in (number.lower, number.value, number.upper)
        )
        if sign < 0:
            low, middle, high = -high, -middle, -low
        known = (number.certainty, None, number.notes, number.estimated)
        return Enclosure.bounded(middle, low.lower(), high.upper(), *known), None


def _power_of_two(number: Fraction, sign: int) -> Fraction | None:
    whole = max(number.numerator, number.denominator)
    if min(number.numerator, number.denominator) != 1 or whole & (whole - 1):
        return None
    return Fraction(sign * (number.numerator.bit_length() - number.denominator.bit_length()))


# --- before and after -------------------------------------------------------------------------------------------------


def _seen(question: _Question, gain: Gain | None) -> _Sight:
    """Return what can be expected of a gain, by default that of the call, before and after the outputs are seen."""
    evaluation, x = question.evaluation, question.x
    if (tries := _tries(question, gain)) and (among := _among_classes(question, tries)) is not None:
        return among
    alone, unchanged = _secret(question)
    sayings: tuple[str, ...] = ()
    if gain is None and row_of(question.call).chooses_gain:
        finite = alone.cut is None
        gain, sayings = gain_of(evaluation.scope, question.call, _support(alone, x), finite)
    chosen = ONE_TRY if gain is None else gain

    def expected(joint: Joint, y: tuple[str, ...]) -> Enclosure:
        if question.paths is not None:
            return question.paths.expected_gain(y, chosen, evaluation.inquiry.budget)
        if isinstance(joint, MixtureJoint):
            return gaussian_guessing.expected_gain(joint, x, y, chosen, evaluation.inquiry.budget)
        return conditional_vulnerability(joint, x, y, chosen, evaluation.inquiry.budget)

    seen = _sight(question, alone, unchanged, expected)
    if (
        question.paths is None
        and isinstance(seen.joint, DiscreteJoint)
        and chosen == ONE_TRY
        and seen.after.exact is None
        and question.y
    ):
        unchanged = unchanged or same_guess(seen.joint, x, question.y, evaluation.inquiry.budget)
    with precision(WORKING_BITS):
        after = seen.before if unchanged else seen.after
        most = arb(1) if isinstance(chosen, Tries) else None
        after = after if after.exact is not None else clip(after, seen.before.lower, most)
    return replace(seen, after=note(after, *map(Note, sayings)), unchanged=unchanged, gain=chosen)


def _tries(question: _Question, gain: Gain | None) -> int:
    """Return how many tries an attacker has whose gain is that of a right guess, else 0."""
    if gain is None and isinstance(question.call.gain, GainName) and question.call.gain.name in ("guess", "tries"):
        gain, _ = gain_of(question.evaluation.scope, question.call, (), True)
    measure = row_of(question.call)
    if isinstance(gain, Tries):
        return gain.count
    return 1 if gain is None and measure.is_leakage and not measure.chooses_gain else 0


def _among_classes(question: _Question, tries: int | None) -> _Sight | None:
    """Return what can be expected where variables are uniform over huge ranges, None for the number of guesses; None where they are not."""
    if question.paths is not None:
        return None
    inquiry, core, x, y = question.evaluation.inquiry, question.core, question.x, question.y
    unchanged = not y or independent(core, x, y)
    joint = classes_of(inquiry, core, x if unchanged else (*x, *y))
    if joint is None:
        return None
    if unchanged and y:
        joint_of(inquiry, core, ())  # an event that is independent, too, may still be impossible
        need_no_fault(inquiry, core, (*x, *y))

    def expected(seen: tuple[str, ...]) -> Enclosure:
        if tries is None:
            return class_guessing.guesses(joint, x, seen, inquiry.budget)
        return class_guessing.chance_within(joint, x, seen, tries, inquiry.budget)

    before = expected(())
    return _Sight(before, before if unchanged else expected(y), joint.symbols, unchanged)


def _sight(question: _Question, alone: Joint, unchanged: bool, expected: Expected) -> _Sight:
    before = expected(alone, ())
    if unchanged:
        return _Sight(before, before, alone, unchanged)
    if question.paths is not None:
        return _Sight(before, expected(alone, question.y), alone, unchanged)
    joint = _both(question)
    discrete = gaussian_guessing.as_discrete(joint) if isinstance(joint, MixtureJoint) else joint
    return _Sight(before, expected(joint if discrete is None else discrete, question.y), joint, unchanged)


def _both(question: _Question) -> Joint:
    return joint_of(question.evaluation.inquiry, question.core, (*question.x, *question.y))


def _secret(question: _Question) -> tuple[Joint, bool]:
    """Return a joint from which the secret alone is best known, and whether the program shows that the outputs say nothing of it."""
    inquiry, core, x, y = question.evaluation.inquiry, question.core, question.x, question.y
    unchanged = not y or independent(core, x, y)
    if question.paths is not None:
        return question.paths.secret(), unchanged
    if unchanged:
        alone = joint_of(inquiry, core, x)
        if y:
            joint_of(inquiry, core, ())  # an event that is independent, too, may still be impossible
            need_no_fault(inquiry, core, (*x, *y))
        return _discrete(question, alone), unchanged
    both = _both(question)
    if _is_rational(both):
        return both, unchanged
    # Alone the secret may have rational masses, or a support that nothing was cut from.
    try:
        alone = joint_of(inquiry, core, x)
    except Fault as fault:
        if fault.diagnostic.rule not in _GIVES_UP:
            raise
        alone = both
    return _discrete(question, alone), unchanged


def _is_rational(joint: Joint) -> bool:
    if isinstance(joint, DiscreteJoint) and isinstance(joint.masses, TableMasses):
        return joint.cut is None and joint.masses.is_rational
    return (
        isinstance(joint, DiscreteJoint)
        and joint.cut is None
        and all(isinstance(mass, fmpq) for mass in joint.masses.values())
    )


def _discrete(question: _Question, joint: Joint) -> Joint:
    """Return a joint of the secret, which must be discrete; a mixture of atoms as the discrete joint that it is."""
    if not isinstance(joint, MixtureJoint):
        return joint
    for expression in question.call.left:
        names = variables(question.evaluation.scope, (expression,))
        if not gaussian_guessing.has_atoms_only(joint, names):
            place = expression.span.shift(question.evaluation.scope.offset)
            fail(
                rules.UNFIT_MEASURE,
                place,
                f"found a continuous variable, expected a discrete one: '{question.call.name}' is about guessing a value",
            )
    found = gaussian_guessing.as_discrete(joint)
    return joint if found is None else found


def _support(joint: Joint, x: tuple[str, ...]) -> frozenset[Values]:
    """Return the values of the secret."""
    if isinstance(joint, MixtureJoint):
        places = [joint.variables.index(name) for name in x]
        every = (tuple(component.values[place] for place in places) for component in joint.components)
        return frozenset(tuple(part for part in value if part is not None) for value in every)
    return frozenset(joint.support(x))


def _formula(question: _Question, seen: _Sight, gain: Gain | None) -> ClosedForm:
    """Return the formula of a measure of discrete variables."""
    if gain is None or not isinstance(seen.joint, DiscreteJoint) or not {*question.y} <= {*seen.joint.variables}:
        return NO_FORMULA
    known, written = question.evaluation.scope.core.parameters, question.call.gain
    read = set() if written is None else {name for _, name in names_in(written)} & {*known}
    if read:  # a gain is taken at their values: no condition of a formula would say so
        return ClosedForm(None, (Note(f"no formula: the gain depends on '{min(read)}'"),))
    return formula(question.evaluation, question.call.name, question.core, question.x, question.y, gain=gain)


# --- what stands beside -----------------------------------------------------------------------------------------------


def _beside(question: _Question, *named: tuple[str, Enclosure]) -> tuple[Companion, ...]:
    """Return companions of a conditional measure; a prior one is its own."""
    if not question.y and not row_of(question.call).dimension:
        return ()
    return tuple(companion(name, "", enclosure) for name, enclosure in named)
