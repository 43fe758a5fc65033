"""``DP`` and ``Delta`` of mechanisms that are read from the text: Laplace noise on discrete inputs, and outputs that shift with a continuous input.

An output :math:`a x + n` with noise n of a log-concave density has :math:`W(\\cdot|x)`, a family with monotone likelihood ratio, so the further x and x′ are apart
the larger is δ: the worst pair is as far apart as neighbours may be. The best sets of outputs are half-lines, which clamping keeps if x can be anything.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import reduce

from flint import arb

from seepage import exact
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.engines.outcome import DiscreteJoint
from seepage.engines.select import solve
from seepage.exact import ArithmeticFault, Irrational, Number, precision
from seepage.laws.laplace import Laplace
from seepage.laws.law import Law
from seepage.laws.normal import Normal
from seepage.measures.channels.asked_channel import AskedChannel
from seepage.measures.channels.channel import Channel, channels
from seepage.measures.clock import UNLIMITED
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian.privacy import FARTHEST_IN_CLOSED_FORM, least_epsilon, shift_excess, shift_profile
from seepage.measures.gaussian.privacy_questions import UNBOUNDED_LOSS, Told
from seepage.measures.joints import need_no_fault
from seepage.measures.notes import Note
from seepage.measures.privacy.laplace import (
    BITS,
    Places,
    closed_ratio,
    excess_bounds,
    ratio_bounds,
)
from seepage.measures.privacy.log_concave import TwoNoises
from seepage.measures.privacy.neighbours import Apart, Closeness, Stated, TooManyNeighbours, neighbourhoods, pairs
from seepage.measures.privacy.noise_reading import NotRead, Reading, Tracked, ends_of_law, resized
from seepage.measures.result import Certainty
from seepage.semantics.slice import slice_program

FAR_APART = Note(
    "without a 'distance' two values of the input may be any distance apart, and their outputs tell them apart"
)
CLAMPED = Note("clamping can only lower this: the upper bound is that of the output before")

_MOST_PAIRS = 2_000


def told_by_noise(
    asked: AskedChannel, closeness: Closeness, *, epsilon: Number | None = None, delta: Number = 0
) -> Told | None:
    """Return ``Delta`` at a claimed ``epsilon``, or else ``DP`` at a δ, of a program that is such a mechanism; None if it is not.

    Raises:
        Fault: of the program.
    """
    if len(asked.y) != 1:
        return None
    inquiry = asked.evaluation.inquiry
    names = (*asked.x, *asked.y, *asked.z)
    core = slice_program(inquiry.scope.core, names)
    question = _Question(epsilon, delta)
    for shifting in (True, False):
        if shifting and (len(asked.x) != 1 or asked.z):
            continue
        reading = Reading(inquiry.scope.parameters, asked.x[0] if shifting else None)
        try:
            reading.read(core)
            output = reading.values.get(asked.y[0])
            if output is None:
                raise NotRead
            found = (
                _of_shift(reading, output, closeness, question)
                if shifting
                else _of_places(reading, output, asked, closeness, question)
            )
        except (NotRead, Fault, ArithmeticFault):
            continue
        need_no_fault(inquiry, inquiry.scope.core, names)
        return found
    return None


@dataclass(frozen=True, slots=True)
class _Question:
    """``Delta`` at ``epsilon``, or ``DP`` at ``delta`` where that is None."""

    epsilon: Number | None
    delta: Number


def _point(number: Number) -> Enclosure:
    return Enclosure.of_number(number)


def _infinite() -> Enclosure:
    infinite = arb.pos_inf()
    return Enclosure(infinite, infinite, infinite, Certainty.EXACT)


# --- a continuous input -----------------------------------------------------------------------------------------------


def _of_shift(reading: Reading, output: Tracked, closeness: Closeness, question: _Question) -> Told:
    """Return the answer for an output that shifts with a continuous input.

    Raises:
        NotRead: if it does not.
    """
    unchanged = reading.values.get(reading.input or "") == Tracked({reading.input or "": 1})
    if (
        reading.law is None
        or not unchanged
        or not output.fixed
        or (closeness is not None and not isinstance(closeness, Apart | Stated))
    ):
        raise NotRead
    factor = output.terms.get(reading.input or "", 0)
    noise = _one_noise(reading, output)
    low, high = ends_of_law(reading.law, reading.parameters)
    width, line = None if low is None or high is None else exact.sub(high, low), low is high is None
    if isinstance(closeness, Stated):
        line = False  # the worst place for a pair may be another one
        width = _farthest(closeness, low, high)
    elif closeness is not None:
        width = closeness.distance if width is None else exact.minimum(width, closeness.distance)
    if factor == 0 or (width is not None and exact.sign(width) == 0):
        return Told(_point(0), shift=0)
    if width is None:
        return _any_distance(output, line, question)
    distance = exact.mul(exact.abs_(factor), width)
    found = _of_two(distance, noise, question) if isinstance(noise, TwoNoises) else _of_one(distance, noise, question)
    if output.clamped and not line and found.upper > 0:
        found = Enclosure.bounded(found.value, arb(0), found.upper, Certainty.CERTIFIED, notes=(*found.notes, CLAMPED))
    return Told(found, shift=width)


def _any_distance(output: Tracked, line: bool, question: _Question) -> Told:
    if output.clamped and not line:
        raise NotRead
    if question.epsilon is not None:
        return Told(replace(_point(1), notes=(FAR_APART,)), shift=0)
    if exact.compare(question.delta, 1) >= 0:
        return Told(_point(0), shift=0)
    return Told(replace(_infinite(), notes=(FAR_APART,)), shift=0)


def _one_noise(reading: Reading, output: Tracked) -> Law | TwoNoises:
    """Return all independent noise of the output as one.

    Raises:
        NotRead: if its law is not one that was drawn, normal, or Laplace's with a normal one.
    """
    laws = [
        resized(reading.noises[source], factor) for source, factor in output.terms.items() if source in reading.noises
    ]
    if len(laws) == 1:
        return laws[0]
    zero: Number = 0
    variance = reduce(exact.add, (law.variance for law in laws if law.is_normal), zero)
    match [law for law in laws if not law.is_normal]:
        case [] if laws:
            return Normal((variance,))
        case [Laplace(parameters=(scale,))]:
            return TwoNoises(variance, scale)
        case _:
            raise NotRead


def _farthest(stated: Stated, low: Number | None, high: Number | None) -> Number:
    """Return how far the values of a stated pair are apart at most.

    Raises:
        NotRead: if one of them lies outside the ends of the input.
    """
    for (value,) in (each for pair in stated.pairs for each in pair):
        if (low is not None and exact.compare(value, low) < 0) or (high is not None and exact.compare(value, high) > 0):
            raise NotRead
    return reduce(exact.maximum, (exact.abs_(exact.sub(one, other)) for (one,), (other,) in stated.pairs))


def _of_one(distance: Number, noise: Law, question: _Question) -> Enclosure:
    if question.epsilon is None and exact.compare(question.delta, 1) >= 0:
        return _point(0)
    if question.epsilon is not None:
        closed = noise.excess_of_shift(distance, question.epsilon)
    else:
        closed = noise.loss_of_shift(distance, question.delta)
    if closed is not None:
        return _point(closed)
    if not noise.is_normal:
        raise NotRead
    return _of_normal(distance, noise, question)


def _of_normal(distance: Number, noise: Law, question: _Question) -> Enclosure:
    with precision(BITS):
        shift = exact.enclose(distance, BITS) / exact.enclose(noise.variance, BITS).sqrt()
    if question.epsilon is not None:
        lower, upper = shift_excess(shift, exact.exp_(question.epsilon))
        return Enclosure.bounded((lower + upper) / 2, lower, upper)
    if question.delta == 0:
        return replace(_infinite(), notes=(UNBOUNDED_LOSS,))
    if isinstance(question.delta, Irrational):
        raise NotRead
    lower, upper = least_epsilon(
        shift_profile(shift),
        Fraction(question.delta),
        Fraction(0),
        UNLIMITED,
        farthest=FARTHEST_IN_CLOSED_FORM,
    )
    if not upper > 0:
        return _point(0)
    middle = (lower + upper) / 2 if upper.is_finite() else lower
    return Enclosure.bounded(middle, lower, upper, Certainty.CERTIFIED)


def _of_two(distance: Number, noise: TwoNoises, question: _Question) -> Enclosure:
    if question.epsilon is not None:
        return _between(*noise.excess(distance, question.epsilon))
    if question.delta == 0:
        return _point(exact.div(distance, noise.scale))
    if exact.compare(question.delta, 1) >= 0:
        return _point(0)
    if isinstance(question.delta, Irrational):
        raise NotRead
    lower, upper = noise.loss(distance, Fraction(question.delta), UNLIMITED)
    return _point(0) if not upper > 0 else _between(lower, upper)


# --- discrete inputs behind one Laplace noise -------------------------------------------------------------------------


def _of_places(
    reading: Reading, output: Tracked, asked: AskedChannel, closeness: Closeness, question: _Question
) -> Told:
    """Return the answer for discrete inputs whose output is a discrete place plus Laplace noise.

    Raises:
        NotRead: if it is not.
        Fault: of the program without its noise.
    """
    if len(output.terms) != 1 or not all(source in reading.noises for source in output.terms):
        raise NotRead
    noise = _one_noise(reading, output)
    if not isinstance(noise, Laplace):
        raise NotRead
    inquiry = asked.evaluation.inquiry
    if any(name in reading.values for name in (*asked.x, *asked.z)):
        raise NotRead
    core = replace(
        slice_program(inquiry.scope.core, (*asked.x, *asked.y, *asked.z)), statements=tuple(reading.statements)
    )
    joint = solve(core, (*asked.x, *asked.y, *asked.z), inquiry.scope.parameters, inquiry.budget)
    if not isinstance(joint, DiscreteJoint) or joint.cut is not None:
        raise NotRead
    worst = Told(_point(0))
    for given, channel in channels(joint, asked.x, asked.y, asked.z, inquiry.budget).items():
        found = _worst(channel, noise, output, closeness, question)
        if worst.of is None or found.enclosure.lower > worst.enclosure.lower:
            worst = replace(found, given=given, enclosure=joined(found.enclosure, worst.enclosure))
    return worst


def _worst(
    channel: Channel[Number] | Channel[arb], noise: Laplace, output: Tracked, closeness: Closeness, question: _Question
) -> Told:
    laws = {
        one: Places({place: weight for (place,), weight in row.items()}, noise.parameters[0], output.low, output.high)
        for one, row in channel.rows.items()
    }
    try:
        near = neighbourhoods(tuple(laws), closeness)
    except TooManyNeighbours:
        raise NotRead from None
    worst = Told(_point(0))
    for count, (of, against) in enumerate(pairs(near)):
        if count > _MOST_PAIRS:
            raise NotRead
        found = _of_pair(laws[of], laws[against], question)
        if worst.of is None or found.lower > worst.enclosure.lower:
            worst = Told(joined(found, worst.enclosure), of, against)
        else:
            worst = replace(worst, enclosure=joined(worst.enclosure, found))
    return worst


def joined(leader: Enclosure, other: Enclosure) -> Enclosure:
    """Return the greater of two numbers, the first of which has the greater lower bound."""
    same = (other.exact, other.closed) == (leader.exact, leader.closed) != (None, None)
    if other.upper <= leader.lower or same:
        return leader
    upper = other.upper if other.upper > leader.upper else leader.upper
    return Enclosure.bounded(leader.value, leader.lower, upper, leader.certainty, notes=leader.notes)


def _of_pair(one: Places, other: Places, question: _Question) -> Enclosure:
    distance = None
    if not (one.low is not None or one.high is not None):
        here, there = one.only(), other.only()
        distance = None if here is None or there is None else exact.abs_(exact.sub(here, there))
    if question.epsilon is not None:
        if distance is not None:
            return _point(Laplace((one.scale,)).excess_of_shift(distance, question.epsilon))
        return _between(*excess_bounds(one, other, exact.enclose(exact.exp_(question.epsilon), BITS)))
    if exact.compare(question.delta, 1) >= 0:
        return _point(0)
    if distance is not None:
        return _point(Laplace((one.scale,)).loss_of_shift(distance, question.delta))
    if question.delta == 0:
        closed = closed_ratio(one, other)
        return _between(*ratio_bounds(one, other)) if closed is None else _point(closed)
    if isinstance(question.delta, Irrational):
        raise NotRead

    def profile(epsilon: Fraction) -> tuple[arb, arb]:
        return excess_bounds(one, other, exact.enclose(exact.exp_(exact.number(epsilon)), BITS))

    lower, upper = least_epsilon(profile, Fraction(question.delta), Fraction(0), UNLIMITED)
    return _point(0) if not upper > 0 else _between(lower, upper)


def _between(lower: arb, upper: arb) -> Enclosure:
    if not upper.is_finite():
        return Enclosure(lower, lower, upper, Certainty.CERTIFIED)
    certainty = Certainty.EXACT if upper - lower <= arb(2) ** -100 else Certainty.CERTIFIED
    return Enclosure.bounded((lower + upper) / 2, lower, upper, certainty)
