r"""The way "counts of alike secrets": what a sum tells of many alike, independent secrets is read from how often each value comes among them.

With T the counts: :math:`I(x; o) = I(T; o)`, C, :math:`C_{\min}` and losses are those of the channel from T, :math:`V(x \mid o) = \sum_o \max_T K(T, o) \max_{s \in T} p(s)`,
guesses go type by type in runs of equal chance, and :math:`H(x \mid o) = H(T \mid o) + \mathrm{E} \log |T|`. Neighbours in k secrets are k moves between types apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cmp_to_key
from math import log2

from flint import arb, fmpq

from seepage.data_classes import dataclass
from seepage.engines.forward.coefficients import RATIONALS, balls
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.exact import Number, precision
from seepage.exact import number as normal
from seepage.measures.arithmetic import WORKING_BITS
from seepage.measures.channels import capacity as capacities
from seepage.measures.channels.channel import channels, in_balls
from seepage.measures.clock import timed
from seepage.measures.discrete.entropy import conditional_entropy, non_negative
from seepage.measures.discrete.mutual_information import mutual_information
from seepage.measures.enclosure import Enclosure
from seepage.measures.guessing.gains import ONE_TRY, Gain
from seepage.measures.guessing.questions import guessing_by_sight
from seepage.measures.joints import joint_of
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.estimate import LARGE, bits_of
from seepage.measures.planning.parts import parts_of
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.statistic import places_of
from seepage.measures.planning.reductions.terms import SumOfTerms, sum_asked
from seepage.measures.planning.refusal import Refusal
from seepage.measures.planning.types_of_secrets import AlikeSecrets, NoTypes, Type, Types, alike_secrets, larger, sum_of
from seepage.measures.quantity import Quantity
from seepage.measures.units import companion, in_unit
from seepage.semantics.slice import slice_program

_FUNCTIONALS = frozenset({"entropy", "gain", "tries", "loss"})
_MANY_BITS, _MANY_BITS_OF_FEW = LARGE, 200.0  # of draws, from which on one law is not the better way
_FEW = 4  # secrets, of which one law keeps few states
_MOST_ENTRIES = 250_000
_MOST_TYPES = 4_000
_MOST_NEIGHBOURS, _MOST_RATIOS = 1_000, 1_000_000  # types that are compared in pairs; comparisons
_MOST_OF_A_CAPACITY = 20_000
_MOST_PARTS = 20_000
_MOST_DIGITS = 64.0  # bits of one of many factors
_T, _O = "@type", "@sum"  # no name of the language holds an @


def applies(question: Question) -> bool:
    """Tell whether a question is about what one output tells of many draws."""
    if (
        question.measure.functional not in _FUNCTIONALS
        or question.measure.chooses_gain
        or question.given
        or len(question.y) != 1
        or question.call.gain is not None
    ):
        return False
    if any(each.name != "distance" for each in question.call.named):
        return False
    bits = bits_of(slice_program(question.core, question.names).statements)
    return bits > (_MANY_BITS if len(question.x) > _FEW else _MANY_BITS_OF_FEW)


def by_counts(question: Question) -> Claim | Refusal:
    """Answer by the law of the sum given how often each value comes.

    Raises:
        Fault: of the program, in the slice of a part.
    """
    try:
        return _answered(question)
    except NoTypes as no:
        return Refusal("does not apply", f"not answered by counts: {no.reason}")


def _answered(question: Question) -> Claim:
    found = sum_asked(question)
    if found is None:
        raise NoTypes("the output is no sum of independent terms")
    with precision(2 * WORKING_BITS):
        parts = _parts(question, found)
    with precision(_bits(parts)):
        types = Types(parts, not (question.measure.is_entropy or question.measure.functional == "tries"))
        if types.width * types.count() > _MOST_ENTRIES or types.count() > _MOST_TYPES:
            raise NoTypes(f"there are {types.count():,} combinations of counts with {types.width:,} sums each")
        law = _Law.of(types, found, question.evaluation.inquiry.budget)
        return _told(question, law)


def _bits(parts: Iterable[AlikeSecrets]) -> int:
    """Return a precision at which the least chance of a sum is not lost beside the greatest."""
    bits = 2.0 * WORKING_BITS
    for part in parts:
        least = min(float(arb(mass)) for row in part.rows.values() for mass in row.values())
        bits += part.count * min(_MOST_DIGITS, -log2(least)) if least > 0 else part.count * _MOST_DIGITS
    return int(bits)


def _parts(question: Question, found: SumOfTerms) -> list[AlikeSecrets]:
    """Return the kinds of parts of secrets and terms."""
    posed = question.of(found.core, question.x, found.terms, measure="I")
    names = (*posed.x, *posed.y)
    parts = parts_of(posed, names, (), False, False)
    if parts is None or parts.count > _MOST_PARTS:
        raise NoTypes("its terms are no independent parts, or too many")
    joints = ((kind, joint_of(posed.evaluation.inquiry, posed.core, (*kind.x, *kind.y))) for kind in parts.kinds)
    alike: list[AlikeSecrets] = []
    for kind, joint in joints:
        if not isinstance(joint, DiscreteJoint) or joint.cut is not None:
            raise NoTypes("a term is continuous, or has infinitely many values")
        if question.measure.is_loss and len(kind.x) > 1:
            raise NoTypes("a term depends on several secrets")
        alike.append(alike_secrets(joint, kind.x, kind.count))
    are_balls = any(isinstance(mass, arb) for part in alike for mass in part.chances.values())
    return [_in_balls(part) for part in alike] if are_balls else alike


def _in_balls(part: AlikeSecrets) -> AlikeSecrets:
    chances = {value: arb(mass) for value, mass in part.chances.items()}
    rows = {value: {told: arb(mass) for told, mass in row.items()} for value, row in part.rows.items()}
    return AlikeSecrets(part.count, chances, rows)


@dataclass(frozen=True, slots=True)
class _Law:
    """The types, and the law of the output given each: a row each, of as many entries as there are outputs.

    Attributes:
        types: of the secrets.
        outputs: values of the output.
        rows: for each type the chance of each output.
        is_ball: whether chances are balls.
        budget: its deadline counts.
    """

    types: tuple[Type, ...]
    outputs: tuple[Number, ...]
    rows: tuple[tuple[fmpq | arb, ...], ...]
    is_ball: bool
    budget: Budget

    @staticmethod
    def of(types: Types, found: SumOfTerms, budget: Budget) -> _Law:
        """Work out all rows."""
        outputs: dict[Number, list[int]] = {}
        for step in types.possible():
            outputs.setdefault(found.image(normal(types.value(step))), []).append(step)
        every = tuple(timed(types, budget))
        rows = tuple(tuple(sum_of([each.law[step] for step in steps]) for steps in outputs.values()) for each in every)
        return _Law(every, tuple(outputs), rows, types.is_ball, budget)

    def joint(self, weights: Iterable[fmpq | arb]) -> DiscreteJoint[fmpq] | DiscreteJoint[arb]:
        """Return the joint of the type and the output, of types with some weights."""
        masses: dict[tuple[Number, ...], fmpq | arb] = {
            (place, output): weight * chance
            for place, (weight, row) in enumerate(zip(weights, self.rows, strict=True))
            for output, chance in zip(self.outputs, row, strict=True)
            if not _is_nothing(chance)
        }
        if self.is_ball:
            in_balls_ = {values: arb(mass) for values, mass in masses.items()}
            return DiscreteJoint((_T, _O), balls(WORKING_BITS), in_balls_, arb(1))
        rational = {values: fmpq(mass) for values, mass in masses.items() if isinstance(mass, fmpq)}
        return DiscreteJoint((_T, _O), RATIONALS, rational, fmpq(1))


def _is_nothing(chance: fmpq | arb) -> bool:
    return bool(chance.is_zero()) if isinstance(chance, arb) else chance == 0


def _told(question: Question, law: _Law) -> Claim:
    measure, unit, budget = question.measure, question.evaluation.unit, law.budget
    if measure.functional == "gain" and measure.reads_prior:
        return guessing_by_sight(question.evaluation, question.call, _Sight(law))
    chances = [each.chance for each in law.types]
    match measure.functional:
        case "entropy" if measure.is_information:
            return in_unit(unit, mutual_information(law.joint(chances), (_T,), (_O,), (), budget), None)
        case "entropy" if measure.is_entropy:
            given = conditional_entropy(law.joint(chances), (_T,), (_O,), budget)
            within = sum((arb(each.chance) * arb(each.arrangements).log() for each in law.types), arb(0))
            whole = non_negative(arb(given.lower).union(arb(given.upper)) + within)
            return in_unit(unit, replace(whole, certainty=given.certainty), None)
        case "loss":
            return _loss(question, law)
        case "tries":
            return _guesses(law)
        case _:
            return _capacity(question, law)


def _capacity(question: Question, law: _Law) -> Claim:
    unit = question.evaluation.unit
    if question.measure.functional == "gain":
        greatest = [_greatest(column) for column in zip(*law.rows, strict=True)]
        total = sum(map(arb, greatest), arb(0))
        return in_unit(unit, non_negative(total.log()), None)
    if len(law.types) * len(law.outputs) > _MOST_OF_A_CAPACITY:
        raise NoTypes("too many combinations of counts to look for a best prior")
    joint = law.joint([fmpq(1, len(law.types))] * len(law.types))
    (channel,) = channels(joint, (_T,), (_O,), (), law.budget).values()
    found = capacities.capacity(channel, in_balls(channel), True, law.budget)
    return in_unit(unit, found.nats, None, found.bits)


def _greatest(column: Sequence[fmpq | arb]) -> fmpq | arb:
    best = column[0]
    for each in column[1:]:
        best = larger(best, each)
    return best


# --- losses of privacy ------------------------------------------------------------------------------------------------


def _loss(question: Question, law: _Law) -> Claim:
    """Return the greatest logarithm of a ratio of chances of one output, of types that are near enough."""
    moves = places_of(question)
    if moves is None or len(question.x) < 2:
        raise NoTypes("neighbours are not told in numbers of secrets")
    near = None if moves >= len(question.x) else _near(law, moves)
    with precision(WORKING_BITS):
        greatest = arb(0)
        for column in timed(zip(*law.rows, strict=True), law.budget):
            possible = [not _is_nothing(each) for each in column]
            if any(
                isinstance(each, arb) and some and not each > 0 for each, some in zip(column, possible, strict=True)
            ):
                raise NoTypes("whether a chance is 0 is not decided")
            told = [arb(each).log() if some else None for each, some in zip(column, possible, strict=True)]
            greatest = greatest.max(_spread(told) if near is None else _spread_of_near(told, near))
            if not greatest.is_finite():
                return Quantity(Enclosure.of_ball(arb.pos_inf()), 0, "discrete")
        return Quantity(non_negative(greatest), 0, "discrete")


def _near(law: _Law, moves: int) -> list[tuple[int, int]]:
    """Return the pairs of types that are at most so many moves apart."""
    count = len(law.types)
    if count > _MOST_NEIGHBOURS:
        raise NoTypes("too many pairs of neighbours")
    near = [
        (one, other)
        for one in range(count)
        for other in range(one)
        if _moves(law.types[one], law.types[other]) <= moves
    ]
    if len(near) * len(law.outputs) > _MOST_RATIOS:
        raise NoTypes("too many pairs of neighbours")
    return near


def _spread_of_near(told: Sequence[arb | None], near: Iterable[tuple[int, int]]) -> arb:
    """Return the greatest difference of logarithms of neighbours; None stands for that of 0."""
    greatest = arb(0)
    for one, other in near:
        greatest = greatest.max(_spread((told[one], told[other])))
    return greatest


def _spread(told: Sequence[arb | None]) -> arb:
    """Return the greatest difference of any of the logarithms."""
    known = [each for each in told if each is not None]
    if len(known) < len(told):
        return arb.pos_inf() if known else arb(0)
    greatest, least = known[0], known[0]
    for each in known[1:]:
        greatest, least = greatest.max(each), least.min(each)
    return greatest - least


def _moves(one: Type, other: Type) -> int:
    """Return how many secrets must change to get from one type to another."""
    return sum(
        sum(abs(a - b) for a, b in zip(mine, others, strict=True)) // 2
        for mine, others in zip(one.counts, other.counts, strict=True)
    )


# --- guesses ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Sight:
    """What can be expected of guesses at the secrets."""

    law: _Law

    def secret(self) -> DiscreteJoint[fmpq]:
        """Return the law of no variable: that of the secrets is not built."""
        return DiscreteJoint((), RATIONALS, {(): fmpq(1)}, fmpq(1))

    def expected_gain(self, y: Sequence[str], gain: Gain, budget: Budget) -> Enclosure:
        """Return the chance of the best guess after the sum is seen, or nothing."""
        if gain != ONE_TRY:
            raise NoTypes("a gain other than one right guess")
        best = [each.greatest for each in self.law.types]
        if not y:
            return _enclosed(_greatest(best))
        chances = [
            _greatest([each * chance for each, chance in zip(best, column, strict=True)])
            for column in timed(zip(*self.law.rows, strict=True), budget)
        ]
        return _enclosed(sum_of(chances))

    def guesses(self, y: Sequence[str], budget: Budget) -> Enclosure:
        """Raise ``NoTypes``: guesses are counted otherwise."""
        raise NoTypes("the number of guesses")


def _guesses(law: _Law) -> Claim:
    """Return how many guesses are needed: likeliest first, all secrets of a type one after the other."""
    if law.is_ball:
        raise NoTypes("guesses in the order of chances that are no rationals")
    counts = [each.arrangements for each in law.types]
    before = [fmpq(each.chance) / each.arrangements for each in law.types if isinstance(each.chance, fmpq)]
    found = fmpq(0)
    for column in timed(zip(*law.rows, strict=True), law.budget):
        chances = [fmpq(each) for each in column if isinstance(each, fmpq)]
        found += _ranked(zip((one * seen for one, seen in zip(before, chances, strict=True)), counts, strict=True))
    alone = _enclosed(_ranked(zip(before, counts, strict=True)))
    told = Quantity(_enclosed(found), 0, "discrete")
    return replace(told, companions=(companion("guesses before", "", alone),))


def _ranked(runs: Iterable[tuple[fmpq, int]]) -> fmpq:
    """Return the sum of chances times their rank, of runs of equal chances."""
    found, before = fmpq(0), 0
    for chance, count in sorted(runs, key=cmp_to_key(_likelier)):
        found += chance * (count * before + count * (count + 1) // 2)
        before += count
    return found


def _likelier(one: tuple[fmpq, int], other: tuple[fmpq, int]) -> int:
    return -1 if one[0] > other[0] else int(one[0] < other[0])


def _enclosed(chance: fmpq | arb) -> Enclosure:
    if isinstance(chance, arb):
        return Enclosure.of_ball(chance)
    return Enclosure.of_rational(Fraction(int(chance.p), int(chance.q)))
