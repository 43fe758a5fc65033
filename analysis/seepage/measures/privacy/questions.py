"""``DP`` and ``Delta``: from the call as written to a quantity, with the worst pair and the worst output."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import TypeAlias

from flint import arb

from seepage import exact, rules
from seepage.data_classes import dataclass
from seepage.deadline import sooner
from seepage.diagnostics import Fault
from seepage.engines.outcome import MixtureJoint
from seepage.exact import ArithmeticFault, Irrational, Number, precision
from seepage.measures.channels.asked_channel import AskedChannel, Bounded, Exact
from seepage.measures.channels.channel import Channel, alike_inputs, in_balls, is_exact
from seepage.measures.channels.closed_weights import logarithm
from seepage.measures.channels.words import Words, averaged, shown
from seepage.measures.clock import OutOfTime
from seepage.measures.discrete.classes import lacks_pairs, number_of_values
from seepage.measures.discrete.weights import BITS, Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.engine import ENGINES
from seepage.measures.formulas.unbounded_ratios import unbounded_pair
from seepage.measures.gaussian.privacy_questions import Told, worst_excess, worst_loss
from seepage.measures.gaussian.tuples import COARSE
from seepage.measures.joints import need_no_fault
from seepage.measures.notes import Note, NoteKind
from seepage.measures.pivot.privacy import excess_by_paths, loss_by_paths
from seepage.measures.privacy import bounds as privacy_bounds
from seepage.measures.privacy import exact as privacy
from seepage.measures.privacy.bounds import UNBOUNDED, UNBOUNDED_TAIL, Bounds
from seepage.measures.privacy.closeness import is_per_unit, metric_of
from seepage.measures.privacy.exact import Worst
from seepage.measures.privacy.formula import exact_loss, loss_formula
from seepage.measures.privacy.neighbours import Closeness, Neighbourhood, Stated, TooManyNeighbours, neighbourhoods
from seepage.measures.privacy.noise_questions import told_by_noise
from seepage.measures.privacy.per_unit import loss_per_unit
from seepage.measures.privacy.release_formula import reads_parameters
from seepage.measures.privacy.release_questions import BEHIND_NOISE, Released, limit_of, released_loss
from seepage.measures.privacy.spherical import spherical_loss
from seepage.measures.privacy.statistics import by_statistics
from seepage.measures.privacy.supports import apart
from seepage.measures.quantity import NOWHERE, Quantity, Witness
from seepage.measures.result import Certainty
from seepage.measures.scope import fail
from seepage.syntax.spell import spell

STAND_IN = Note(
    "the estimate is that of normal laws of the same means and variances: nothing is known of how far it is off",
    NoteKind.STAND_IN,
)

_MOST_STEPS = 3_000_000  # ordered pairs of neighbours, times the outputs of each
_MOST_PAIRS = 64  # stated neighbours whose tails are compared
_IRRATIONAL_STEPS = 20_000  # of them in closed form; beyond, balls must do
_SHARE = 1 / 2  # of the time, for closed forms where balls can do it
_ONE_VALUE = Note("no two values are neighbours, so there is nothing to tell apart")

Neighbourhoods: TypeAlias = Sequence[Neighbourhood]


@dataclass(frozen=True, slots=True)
class _Question:
    """One supremum, in closed form and in balls; ``paired`` tells whether it looks at pairs of neighbours one by one."""

    exactly: Callable[[Channel[Number], Neighbourhoods], Worst]
    bounded: Callable[[Channel[arb], Neighbourhoods], Bounds]
    paired: bool
    irrational: bool


@dataclass(frozen=True, slots=True)
class _Found:
    """The greatest value over all z: exactly (``value``, None for infinity) or by bounds, the pair, and the values of z.

    ``cut`` tells whether outputs of an infinite support were cut off; ``channels`` are those that were looked at, for each value of z, where their
    inputs and outputs are values of the program.
    """

    bounds: Bounds
    given: Values
    value: Number | None
    exact: bool
    cut: bool = False
    channels: Exact | Bounded = field(default_factory=dict)


def privacy_loss(asked: AskedChannel) -> Quantity:
    """Evaluate ``DP``: the smallest ε for which a channel is (ε, δ)-differentially private, in natural units.

    Raises:
        Fault: of the program, or of the measure at its place.
    """
    delta = asked.argument("delta") or 0
    if exact.sign(delta) < 0 or exact.compare(delta, 1) > 0:
        asked.unfit("delta", exact.show(delta), "a number from 0 to 1")
    closeness, metric = asked.closeness(), metric_of(asked.evaluation.scope, asked.call)
    if asked.is_useless():
        return Quantity(Enclosure.of_number(0), 0, "dependence")
    if metric is not None and is_per_unit(asked.call):
        return loss_per_unit(asked, metric, delta, lambda near: _privacy_loss(asked, near, delta))
    return _privacy_loss(asked, closeness, delta)


def _privacy_loss(asked: AskedChannel, closeness: Closeness, delta: Number) -> Quantity:
    """Evaluate ``DP`` over neighbours.

    Raises:
        Fault: of the program, or of the measure at its place.
    """
    asked, closeness = by_statistics(asked, closeness)
    if (told := told_by_noise(asked, closeness, delta=delta)) is not None:
        quantity = replace(_of_told(asked, told), engine="noise")
        released = released_loss(asked, closeness) if delta == 0 and asked.evaluation.formulas else None
        return quantity if released is None else _below(quantity, released, delta)
    if delta == 0 and (spherical := spherical_loss(asked, closeness)) is not None:
        return _of_released(asked, spherical)
    joint = _mixture(asked, lambda: loss_by_paths(asked, closeness, delta))
    if isinstance(joint, Told):
        return replace(_of_told(asked, joint), engine="paths")
    if joint is not None:
        return _continuous_loss(asked, joint, closeness, delta)
    if delta == 0 and closeness is None and _tells_apart(asked):
        infinite = arb.pos_inf()
        return Quantity(Enclosure(infinite, infinite, infinite, Certainty.EXACT), 0, "discrete")
    released = released_loss(asked, closeness)
    if released is None:
        return _loss(asked, closeness, delta)
    if delta == 0 and released.exact and released.noises > 1:
        return _of_released(asked, released)
    try:
        quantity = _loss(asked, closeness, delta)
    except (Fault, OutOfTime) as fault:
        if isinstance(fault, Fault) and fault.diagnostic.rule not in (rules.BUDGET_EXCEEDED, rules.TIME_LIMIT):
            raise
        return _of_released(asked, replace(released, exact=False, formula=None))
    return _below(quantity, released, delta)


def _mixture(asked: AskedChannel, by_paths: Callable[[], Told | None]) -> MixtureJoint | Told | None:
    """Return the joint of continuous outputs, or the answer by exact laws where no normal law can stand for one of them; None for discrete ones.

    Raises:
        Fault: of the program.
    """
    try:
        return asked.mixture()
    except Fault:
        told = None if asked.evaluation.inquiry.by_paths else by_paths()
        if told is None:
            raise
        return told


def _continuous_loss(asked: AskedChannel, joint: MixtureJoint, closeness: Closeness, delta: Number) -> Quantity:
    """Evaluate ``DP`` of continuous outputs: by exact laws where normal ones only stand for them."""
    released = released_loss(asked, closeness)
    if delta == 0 and released is not None and released.exact:
        return _of_released(asked, released)
    if joint.approximations and (told := loss_by_paths(asked, closeness, delta, limit_of(released))) is not None:
        quantity = replace(_of_told(asked, told), engine="paths")
    else:
        told = worst_loss(asked, joint, closeness, delta)
        if not told.enclosure.upper.is_finite() and told.enclosure.lower.is_finite() and not joint.approximations:
            told = _within(told, loss_by_paths(asked, closeness, delta, limit_of(released)))
        quantity = _of_mixture(asked, joint, told)
    return quantity if released is None else _below(quantity, released, delta)


def _within(told: Told, other: Told | None) -> Told:
    """Return what is known of a supremum from two sides, with the worst pair of the one that tells more of it."""
    if other is None:
        return told
    one, two = told.enclosure, other.enclosure
    leader = other if two.lower > one.lower or not one.lower > 0 else told
    lower, upper = one.lower.max(two.lower), one.upper.min(two.upper)
    value = (lower + upper) / 2 if upper.is_finite() else lower
    notes = (
        tuple(note for note in two.notes if note.kind is not NoteKind.NO_UPPER_BOUND)
        if upper.is_finite()
        else two.notes
    )
    return replace(leader, enclosure=Enclosure.bounded(value, lower, upper, Certainty.CERTIFIED, notes=notes))


def _of_released(asked: AskedChannel, released: Released) -> Quantity:
    """Return the loss that is read from the text, or 0 to it.

    Raises:
        Fault: what is wrong with the statements that the measure depends on.
    """
    inquiry = asked.evaluation.inquiry
    need_no_fault(inquiry, inquiry.scope.core, (*asked.x, *asked.y, *asked.z))
    with precision(BITS):
        upper = exact.enclose(released.loss, BITS).upper()
    bounded = Enclosure.bounded(upper, arb(0), upper, Certainty.CERTIFIED, notes=(BEHIND_NOISE,))
    enclosure = Enclosure.of_number(released.loss) if released.exact else bounded
    bounds = Bounds(enclosure.lower, enclosure.upper, released.of, released.against)
    quantity = _quantity(asked, enclosure, _Found(bounds, released.given, None, exact=released.exact))
    witness = quantity.witness if released.exact else NOWHERE
    return replace(quantity, engine="noise", formula=released.formula, witness=witness)


def _below(quantity: Quantity, released: Released, delta: Number) -> Quantity:
    """Return a loss with the upper bound that is read from the text, and its formula where it is the loss."""
    known = quantity.enclosure
    if delta == 0 and released.exact and quantity.formula is None:
        quantity = replace(quantity, formula=released.formula)
    with precision(BITS):
        upper = exact.enclose(released.loss, BITS).upper()
    if known.certainty is Certainty.EXACT or not upper < known.upper:
        return quantity
    notes = (
        *(note for note in known.notes if note.kind not in (NoteKind.NO_UPPER_BOUND, NoteKind.STAND_IN)),
        BEHIND_NOISE,
    )
    enclosure = Enclosure.bounded(known.value, known.lower, upper, Certainty.CERTIFIED, notes=notes)
    engine = max(quantity.engine, "noise", key=ENGINES.index)
    return replace(quantity, enclosure=enclosure, engine=engine, because=())


def _loss(asked: AskedChannel, closeness: Closeness, delta: Number) -> Quantity:
    """Evaluate ``DP`` on the channel as an engine finds it."""
    budget, names = asked.evaluation.inquiry.budget, (asked.x, asked.y, asked.z)
    if delta == 0:
        question = _Question(
            lambda channel, near: privacy.greatest_ratio(channel, near, budget),
            lambda channel, near: privacy_bounds.ratio_bounds(channel, near, budget),
            paired=False,
            irrational=False,
        )
    else:
        question = _Question(
            lambda channel, near: privacy.least_factor(channel, near, delta, budget),
            lambda channel, near: privacy_bounds.factor_bounds(channel, near, exact.enclose(delta, BITS), budget),
            paired=True,
            irrational=isinstance(delta, Irrational),
        )
    found = _supremum(asked, closeness, question)
    if not found.exact:
        if (
            delta == 0
            and not found.cut
            and (known := exact_loss(asked.evaluation.inquiry, names, closeness)) is not None
        ):
            return _quantity(asked, Enclosure.of_number(known), found)
        bounds = found.bounds.logarithm()
        if found.cut and (told := _apart(asked, found, closeness, delta)) is not None:
            infinite = arb.pos_inf()
            endless = replace(found, bounds=replace(found.bounds, of=told[0], against=told[1], at=None))
            return _quantity(asked, Enclosure(infinite, infinite, infinite, Certainty.EXACT), endless)
        if delta == 0 and found.cut and _is_endless(asked, bounds, closeness):
            infinite = arb.pos_inf()
            endless = replace(found, bounds=replace(found.bounds, at=None))
            return _quantity(asked, Enclosure(infinite, infinite, infinite, Certainty.EXACT), endless)
        return _quantity(asked, bounds.enclosure(_unbounded(bounds, found.cut)), found)
    if found.value is None:
        infinite = arb.pos_inf()
        return _quantity(asked, Enclosure(infinite, infinite, infinite, Certainty.EXACT), found)
    quantity = _quantity(asked, _of_logarithm(found.value), found)
    if delta != 0 or not asked.evaluation.formulas or found.value == 1:
        return quantity
    if reads_parameters(asked.call, asked.evaluation.scope.core.parameters):
        return quantity  # other values may make other inputs neighbours
    closed = loss_formula(asked.evaluation.inquiry, names, closeness, asked.evaluation.domains, found.value)
    return replace(quantity, formula=closed)


def _apart(asked: AskedChannel, found: _Found, closeness: Closeness, delta: Number) -> tuple[Values, Values] | None:
    """Return two neighbours of which one is proved to have outputs that the other never has, more of them than ``delta`` allows."""
    core, names, budget = asked.evaluation.scope.core, (asked.x, asked.y), asked.evaluation.inquiry.budget
    limit = exact.enclose(delta, BITS).upper()
    for channel in found.channels.values():
        near = _near(asked, channel, closeness)
        told = apart(core, names, in_balls(channel), near, limit, asked.evaluation.scope.parameters, budget)
        if told is not None:
            return told
    return None


def _is_endless(asked: AskedChannel, bounds: Bounds, closeness: Closeness) -> bool:
    """Tell whether the tails of two neighbours' outputs are known to have no greatest ratio; the order of stated neighbours counts."""
    if bounds.of is None or bounds.against is None or asked.z:
        return False
    scope, found = asked.evaluation.scope, (bounds.of, bounds.against)
    pairs = closeness.pairs[:_MOST_PAIRS] if isinstance(closeness, Stated) else (found, (bounds.against, bounds.of))
    return any(unbounded_pair(scope.core, asked.x, asked.y, near, scope.parameters) for near in pairs)


def excess(asked: AskedChannel) -> Quantity:
    """Evaluate ``Delta``: the smallest δ for which a channel is (ε, δ)-differentially private at a claimed ε.

    Raises:
        Fault: of the program, or of the measure at its place.
    """
    epsilon = asked.argument("eps")
    if epsilon is None:
        fail(rules.UNFIT_MEASURE, asked.place, "'Delta' without a claimed 'eps': write Delta(x -> y, eps=1)")
    if exact.sign(epsilon) < 0:
        asked.unfit("eps", exact.show(epsilon), "a number that is at least 0")
    closeness, budget = asked.closeness(), asked.evaluation.inquiry.budget
    if asked.is_useless():
        return Quantity(Enclosure.of_number(0), 0, "dependence")
    factor = exact.exp_(epsilon)
    asked, closeness = by_statistics(asked, closeness)
    if (told := told_by_noise(asked, closeness, epsilon=epsilon)) is not None:
        return replace(_of_told(asked, told), engine="noise")
    joint = _mixture(asked, lambda: excess_by_paths(asked, closeness, epsilon))
    if isinstance(joint, Told):
        return replace(_of_told(asked, joint), engine="paths")
    if joint is not None:
        limit = limit_of(released_loss(asked, closeness))
        if joint.approximations and (told := excess_by_paths(asked, closeness, epsilon, limit)) is not None:
            return replace(_of_told(asked, told), engine="paths")
        told = worst_excess(asked, joint, closeness, factor)
        if told.enclosure.upper - told.enclosure.lower > COARSE and not joint.approximations:
            told = _within(told, excess_by_paths(asked, closeness, epsilon, limit))
        return _of_mixture(asked, joint, told)
    question = _Question(
        lambda channel, near: privacy.worst_excess(channel, near, factor, budget),
        lambda channel, near: privacy_bounds.excess_bounds(channel, near, exact.enclose(factor, BITS), budget),
        paired=True,
        irrational=isinstance(factor, Irrational),
    )
    found = _supremum(asked, closeness, question)
    if found.exact and found.value is not None:
        return _quantity(asked, Enclosure.of_number(found.value), found)
    return _quantity(asked, found.bounds.enclosure(), found)


def _tells_apart(asked: AskedChannel) -> bool:
    """Tell whether inputs from a huge range have outputs that others of them never have."""
    huge = asked.classes()
    return huge is not None and lacks_pairs(huge, asked.x, asked.y, asked.z)


# --- the supremum -----------------------------------------------------------------------------------------------------


def _supremum(asked: AskedChannel, closeness: Closeness, question: _Question) -> _Found:
    """Return the supremum over all values of z, in closed form if that can be decided."""
    if (compared := asked.compared()) is None:
        by_given = asked.channels()
        return replace(_greatest(asked, closeness, question, by_given), channels=by_given)
    found = _greatest(asked, closeness, question, compared)
    return replace(found, bounds=replace(found.bounds, of=None, against=None, at=None))


def _greatest(asked: AskedChannel, closeness: Closeness, question: _Question, by_given: Exact | Bounded) -> _Found:
    near = {given: _near(asked, channel, closeness) for given, channel in by_given.items()}
    steps = sum(_steps(channel, near[given]) for given, channel in by_given.items()) if question.paired else 0
    if steps > _MOST_STEPS:
        message = f"{steps:,} comparisons of outputs of neighbours, more than {_MOST_STEPS:,}"
        fail(rules.BUDGET_EXCEEDED, asked.place, message, "name a 'distance', or an input with fewer values")
    exact_ones, others = _split(by_given)
    if not others and (steps <= _IRRATIONAL_STEPS or not (question.irrational or _has_irrational(exact_ones))):
        deadline = asked.evaluation.inquiry.budget.deadline
        try:
            with exact.arithmetic_until(sooner(deadline, share=_SHARE)):
                return _exactly(exact_ones, near, question)
        except ArithmeticFault:
            pass  # balls do not need to decide
    balls = {**others, **{given: in_balls(channel) for given, channel in exact_ones.items()}}
    return _bounded(balls, near, question)


def _exactly(
    by_given: Mapping[Values, Channel[Number]], near: Mapping[Values, Neighbourhoods], question: _Question
) -> _Found:
    worst: Worst | None = None
    where: Values = ()
    for given, channel in by_given.items():
        found = question.exactly(channel, near[given])
        if worst is None or _is_greater(found, worst):
            worst, where = found, given
        if worst.value is None:
            break
    if worst is None:
        raise AssertionError("a channel without inputs")
    nothing = arb(0)
    return _Found(Bounds(nothing, nothing, worst.of, worst.against, worst.at), where, worst.value, exact=True)


def _is_greater(one: Worst, other: Worst) -> bool:
    if one.value is None or other.value is None or one.of is None or other.of is None:
        return one.value is None or (other.of is None and one.of is not None)
    return exact.compare(one.value, other.value) > 0


def _bounded(
    by_given: Mapping[Values, Channel[arb]], near: Mapping[Values, Neighbourhoods], question: _Question
) -> _Found:
    joined: Bounds | None = None
    where: Values = ()
    for given, channel in by_given.items():
        found = question.bounded(channel, near[given])
        before, joined = joined, found if joined is None else joined.joined(found)
        if before is None or (joined.of, joined.against) != (before.of, before.against):
            where = given
    if joined is None:
        raise AssertionError("a channel without inputs")
    cut = any(channel.missing for channel in by_given.values())
    return _Found(joined, where, None, exact=False, cut=cut)


def _near(asked: AskedChannel, channel: Channel[Number] | Channel[arb], closeness: Closeness) -> Neighbourhoods:
    try:
        return neighbourhoods(tuple(channel.rows), closeness, alike_inputs(channel, asked.evaluation.inquiry.budget))
    except TooManyNeighbours as many:
        fail(rules.BUDGET_EXCEEDED, asked.place, f"too many neighbours: {many.reason}")


def _steps(channel: Channel[Number] | Channel[arb], near: Neighbourhoods) -> int:
    sizes = {one: len(row) for one, row in channel.rows.items()}
    return sum((len(each.against) - each.is_mutual) * sum(sizes[one] for one in each.of) for each in near)


def _split(
    by_given: Mapping[Values, Channel[Number]] | Mapping[Values, Channel[arb]],
) -> tuple[dict[Values, Channel[Number]], dict[Values, Channel[arb]]]:
    closed: dict[Values, Channel[Number]] = {}
    balls: dict[Values, Channel[arb]] = {}
    channel: Channel[Number] | Channel[arb]
    for given, channel in by_given.items():
        if is_exact(channel):
            closed[given] = channel
        else:
            balls[given] = in_balls(channel)
    return closed, balls


def _has_irrational(by_given: Mapping[Values, Channel[Number]]) -> bool:
    rows = (row for channel in by_given.values() for row in channel.rows.values())
    return any(isinstance(probability, Irrational) for row in rows for probability in row.values())


# --- in words ---------------------------------------------------------------------------------------------------------


def _of_logarithm(factor: Number) -> Enclosure:
    """Return the logarithm of a factor that is at least 1, in closed form if that is not too large."""
    try:
        return Enclosure.of_number(logarithm(factor))
    except ArithmeticFault:
        with precision(BITS):
            return Enclosure.of_ball(exact.enclose(factor, BITS).log())


def _unbounded(bounds: Bounds, cut: bool) -> tuple[Note, ...]:
    if not bounds.lower.is_finite() or bounds.upper.is_finite():
        return ()
    return (UNBOUNDED_TAIL if cut else UNBOUNDED,)


def _of_mixture(asked: AskedChannel, joint: MixtureJoint, told: Told) -> Quantity:
    if joint.approximations:
        # Where and why a supremum is reached is true of the normal laws that stand for others, not of the program.
        plain = replace(told.enclosure, notes=(STAND_IN,))
        return Quantity(plain, 0, "soga", because=joint.approximations)
    return replace(_of_told(asked, told), engine="soga", because=joint.approximations)


def _of_told(asked: AskedChannel, told: Told) -> Quantity:
    bounds = Bounds(told.enclosure.lower, told.enclosure.upper, told.of, told.against, told.at)
    if told.shift is None:
        return _quantity(asked, told.enclosure, _Found(bounds, told.given, None, exact=False))
    averages = averaged(asked.evaluation.scope, asked.evaluation.secrets, asked.named, asked.y, asked.z)
    notes = told.enclosure.notes if averages is None else (*told.enclosure.notes, Note(averages))
    names = ", ".join(spell(one) for one in asked.call.left)
    witness = f"two values of {names} at distance {shown(told.shift)}" if told.shift != 0 else ""
    return Quantity(replace(told.enclosure, notes=notes), 0, "discrete", witness=Witness(witness))


def _quantity(asked: AskedChannel, enclosure: Enclosure, found: _Found) -> Quantity:
    scope, call, bounds = asked.evaluation.scope, asked.call, found.bounds
    notes = list(enclosure.notes)
    averages = averaged(scope, asked.evaluation.secrets, asked.named, asked.y, asked.z)
    if averages is not None:
        notes.append(Note(averages))
    if bounds.of is None or bounds.against is None:
        huge = asked.classes()
        if huge is None or number_of_values(huge, asked.x) == 1:
            notes.append(_ONE_VALUE)
        return Quantity(replace(enclosure, notes=tuple(notes)), 0, "discrete")
    words = Words(scope)
    of, against = asked.as_named(bounds.of, bounds.against)
    witness = words.assignment(call.left, of, against) + " against " + words.assignment(call.left, against, of)
    output = "" if bounds.at is None else words.assignment(call.right, bounds.at)
    given = words.assignment(call.given, found.given) if call.given else ""
    return Quantity(replace(enclosure, notes=tuple(notes)), 0, "discrete", witness=Witness(witness, output, given))


def told_of_pair(asked: AskedChannel, enclosure: Enclosure, of: Values | None, against: Values | None) -> Quantity:
    """Return a loss or an excess with the pair of inputs at which it is the greatest, None if there are no two."""
    return _quantity(
        asked, enclosure, _Found(Bounds(enclosure.lower, enclosure.upper, of, against), (), None, exact=False)
    )
