r"""Joints of variables some of which are uniform over huge ranges: entries that stand for many equally likely values.

An entry's coordinate is a number, or all values :math:`c + q k` of a class. Entries are split until on each variable any two classes are equal or disjoint; then a
class is a symbol, the joint of symbols is an ordinary one, and given the symbols the values are uniform: each measure is that of the symbols, plus logarithms of
counts. Values of several sources, :math:`c + m q + r`, are compared digit by digit: first all :math:`\lfloor v / m \rfloor`, then all :math:`v \bmod m`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import field
from fractions import Fraction
from itertools import product
from math import lcm, prod
from typing import Generic, TypeAlias, TypeVar

from flint import fmpq

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Fault
from seepage.distributions.gaussian import Affine, Sizes, State
from seepage.engines.forward.class_faults import Beyond
from seepage.engines.forward.class_forms import (
    Factor,
    Form,
    Part,
    Split,
    Stuck,
    ends,
    floor_of,
    intervals,
    rational,
    residues,
    scaled,
    sum_of,
)
from seepage.engines.forward.class_relations import count_of, progression, read_sources, sizes_of, symbol_of, told_apart
from seepage.engines.forward.class_splits import canonical, factored, split
from seepage.engines.forward.class_widths import WIDE, least_width
from seepage.engines.forward.classes import Classes
from seepage.engines.forward.coefficients import Balls
from seepage.engines.forward.liveness import Step, plan
from seepage.engines.forward.run import Machine
from seepage.engines.forward.states import GAUSSIAN, States, project
from seepage.engines.outcome import Budget, DiscreteJoint, Ring
from seepage.exact import Irrational, Number, add, mul, precision, show_count, to_fraction
from seepage.rules import BUDGET_EXCEEDED, IMPOSSIBLE_OBSERVATION, TIME_LIMIT
from seepage.semantics.core import CoreObserve, CoreProgram
from seepage.source import Span

C = TypeVar("C")
Key: TypeAlias = tuple[Number, ...]

Meaning: TypeAlias = "Number | Progression"

_ENTRIES = 20_000  # after splitting
_ROUNDS = 8


SIDE = "side@asked"  # no name of the language holds an @


class TooManyValues(Fault):
    """What is asked for has too many values, which no statement is to blame for."""


@dataclass(frozen=True, slots=True)
class Progression:
    """The values low + Σ step · j, all different, for j below ``count`` of each of the ``digits`` (step, count); steps are positive."""

    low: Fraction
    digits: tuple[tuple[Fraction, int], ...]


@dataclass(frozen=True, slots=True)
class ClassJoint(Generic[C]):
    """A joint over symbols.

    Attributes:
        symbols: the joint; a coordinate is the number of its symbol, the last ones tell whether two variables of ``compared`` are equal.
        sources: for each entry and variable the sources that the values come from, none for a single value.
        sizes: for each entry how many values each of its sources has, and which determine each other.
        meanings: for each variable what each symbol stands for, by its number.
        compared: coordinates that tell more of two variables than each alone does, with the two.
        apart: for each entry groups of sources that have different values.
    """

    symbols: DiscreteJoint[C]
    sources: Mapping[Key, tuple[frozenset[int], ...]]
    sizes: Mapping[Key, Sizes]
    meanings: tuple[tuple[Meaning, ...], ...]
    compared: Mapping[str, frozenset[str]] = field(default_factory=dict)
    apart: Mapping[Key, tuple[frozenset[int], ...]] = field(default_factory=dict)

    def shown(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return all coordinates of the joint of symbols that some variables show."""
        return (*names, *(name for name, two in self.compared.items() if two.issubset(names)))

    def count(self, key: Key, places: Sequence[int]) -> int:
        """Return how many equally likely values an entry has on some coordinates."""
        sources = self.sources[key]
        used = frozenset[int]().union(*(sources[place] for place in places if place < len(sources)))
        return count_of(self.sizes[key], self.apart.get(key, ()), used)

    def meaning(self, key: Key, place: int) -> Meaning:
        """Return what the symbol at a coordinate of an entry stands for."""
        symbol = key[place]
        assert isinstance(symbol, int)
        return self.meanings[place][symbol]


@dataclass(frozen=True, slots=True)
class ClassStates(Generic[C]):
    """Final states: the slot of the sizes of their sources, then what was asked for. ``place`` is where their own faults are reported."""

    states: States[C]
    ring: Ring[C]
    place: Span

    def has_classes(self) -> bool:
        """Tell whether some value is a class."""
        return any(isinstance(value, Affine) for state in self.states.weights for value in state)

    def single_values(self, limit: int) -> DiscreteJoint[C]:
        """Return the joint with every value on its own.

        Raises:
            TooManyValues: if they are more than ``limit``.
        """
        ring, weights = self.ring, self.states.weights
        size = sum(prod(each.stop for each in _choices(state)) for state in weights)
        if size > limit:
            message = f"what is asked has {show_count(size)} values, one by one, the limit is {limit:,}"
            notes = ("asking for variables with fewer values, or a smaller range, would help",)
            raise TooManyValues(Diagnostic(BUDGET_EXCEEDED, self.place, message, notes=notes))
        masses: dict[Key, C] = {}
        total = ring.zero
        for state, weight in weights.items():
            total = ring.add(total, weight)
            choices = _choices(state)
            each = ring.multiply(weight, ring.rational(1, prod(each.stop for each in choices)))
            for chosen in product(*choices):
                values = _with_targets(state, chosen)
                key = tuple(_at(value, values) for value in state[1:])
                masses[key] = ring.add(masses[key], each) if key in masses else each
        return DiscreteJoint(self.states.layout[1:], ring, _possible(masses, ring), total)

    def symbolic(self) -> ClassJoint[C]:
        """Return the joint over symbols.

        Raises:
            Beyond: if classes overlap in ways that splitting does not settle.
        """
        ring, layout = self.ring, self.states.layout
        try:
            radices, weights = _digits(self.states.weights, len(layout), ring)
            weights = _refined(weights, len(layout) - 1 + sum(map(len, radices)) + 1, ring)
            weights, compared = told_apart(weights, ring, _ENTRIES)
            columns = _columns(compared.pairs(), radices, layout[1:])
        except Stuck:
            raise _unsettled(self.place) from None
        names: list[dict[Key, int]] = [{} for _ in radices]
        meanings: list[list[Meaning]] = [[] for _ in radices]
        masses: dict[Key, C] = {}
        sources: dict[Key, tuple[frozenset[int], ...]] = {}
        sizes: dict[Key, Sizes] = {}
        apart: dict[Key, tuple[frozenset[int], ...]] = {}
        total = ring.zero
        for state, weight in weights.items():
            total = ring.add(total, weight)
            groups = list(_grouped(state, radices))
            for digits, radix, known, meant in zip(groups, radices, names, meanings, strict=True):
                symbol = tuple(symbol_of(digit, state) for digit in digits)
                if symbol not in known:
                    known[symbol] = len(known)
                    meant.append(_meaning(digits, radix, state))
            shown = (
                known[tuple(symbol_of(digit, state) for digit in digits)]
                for digits, known in zip(groups, names, strict=True)
            )
            key = (*shown, *(compared.relation(state, pair) for pair in columns))
            masses[key] = ring.add(masses[key], weight) if key in masses else weight
            sources[key] = tuple(
                frozenset(source for digit in digits for source in read_sources(digit)) for digits in groups
            )
            sizes[key], apart[key] = sizes_of(state), compared.apart(state)
        told = {f"{'='.join(sorted(two))}@{number}": two for number, two in enumerate(columns.values())}
        symbols = DiscreteJoint((*layout[1:], *told), ring, _possible(masses, ring), total)
        return ClassJoint(symbols, sources, sizes, tuple(map(tuple, meanings)), told, apart)


def side_by_side(first: ClassStates[C], second: ClassStates[C]) -> ClassJoint[C]:
    """Return the joint of ``SIDE``, 0 or 1, and the variables of two runs, which are named as those of the first.

    Equal symbols stand for equal sets of values on both sides; each side has the mass that its run has.

    Raises:
        Beyond: as :meth:`ClassStates.symbolic`.
    """
    weights = {
        (state[0], side, *state[1:]): weight
        for side, run in enumerate((first, second))
        for state, weight in run.states.weights.items()
    }
    layout = (GAUSSIAN, SIDE, *first.states.layout[1:])
    return ClassStates(States(layout, weights), first.ring, first.place).symbolic()


def run_classes(
    core: CoreProgram, asked: tuple[str, ...], parameters: Mapping[str, Number], ring: Ring[C], budget: Budget
) -> ClassStates[C]:
    """Return the final states over ``asked``.

    Args:
        core: the program, sliced and sunk.
        asked: plain variables.
        parameters: values of the program's parameters.
        ring: of the weights.
        budget: limits.

    Raises:
        Fault: as :func:`seepage.engines.forward.run.run`; :class:`Beyond` where classes do not say it.
    """
    kind: object = ring
    with precision(kind.bits) if isinstance(kind, Balls) else nullcontext():
        rules = Classes(ring, budget, least_width(core.statements, parameters) or WIDE + 1)
        machine = _Machine(core, parameters, ring, budget, rules)
        start: States[C] = States((GAUSSIAN,), {(Sizes(),): ring.one})
        try:
            states = machine.start(plan(core, (GAUSSIAN, *asked)), start)
        except Fault as fault:
            if rules.signed and fault.diagnostic.rule not in (BUDGET_EXCEEDED, TIME_LIMIT, IMPOSSIBLE_OBSERVATION):
                raise _unreached(fault) from fault
            raise
        final = rules.tidy(project(states, (GAUSSIAN, *asked), ring.add))
        if rules.signed:
            final = _summed(final, machine)
    return ClassStates(final, ring, core.statements[-1].span if core.statements else Span(0, 0))


class _Machine(Machine[C]):
    """A run in which shares may be negative: nothing is left of it where they add up to 0, although states are."""

    def observe(self, step: Step, statement: CoreObserve, states: States[C]) -> States[C]:
        """Keep the states that pass an observation; none where no run does."""
        passed = super().observe(step, statement, states)
        if passed.weights and self.ring.is_zero(_total(passed, self.ring)):
            self.killer = statement
            return States(passed.layout, {})
        return passed


def _total(states: States[C], ring: Ring[C]) -> C:
    total = ring.zero
    for weight in states.weights.values():
        total = ring.add(total, weight)
    return total


def _summed(states: States[C], machine: Machine[C]) -> States[C]:
    """Return the states of a run with negative shares.

    Raises:
        Fault: if nothing is left of it; :class:`Beyond` if that is not known.
    """
    ring = machine.ring
    total = _total(states, ring)
    if not isinstance(total, fmpq):
        place = machine.core.statements[-1].span
        message = "equality of two values from huge ranges is known only where all probabilities are rational"
        raise Beyond(Diagnostic(BUDGET_EXCEEDED, place, message, notes=("rational probabilities would help",)))
    if ring.is_zero(total):
        raise machine.vanished()
    possible = {state: weight for state, weight in states.weights.items() if not ring.is_zero(weight)}
    return States(states.layout, possible)


def _unreached(fault: Fault) -> Beyond:
    """Return what is known of a fault that may be one of a part that no run reaches."""
    message = (
        f"where two values from huge ranges are equal is not known well enough to exclude: {fault.diagnostic.message}"
    )
    return Beyond(Diagnostic(BUDGET_EXCEEDED, fault.diagnostic.span, message, notes=("a smaller range would help",)))


def _choices(state: State) -> list[range]:
    """Return the values of each source; of one that others determine a single one stands for what it is then."""
    sizes = sizes_of(state)
    targets = {tie.target for tie in sizes.ties}
    return [range(1 if source in targets else count) for source, count in enumerate(sizes.counts)]


def _with_targets(state: State, chosen: Sequence[int]) -> Sequence[int]:
    targets = {tie.target: tie.value(chosen) for tie in sizes_of(state).ties}
    return [targets.get(source, value) for source, value in enumerate(chosen)] if targets else chosen


def _at(value: object, chosen: Sequence[int]) -> Number:
    if isinstance(value, Affine):
        result = value.constant
        for source, slope in value.terms:
            result = add(result, mul(slope, chosen[source]))
        return result
    assert isinstance(value, int | Fraction | Irrational)
    return value


def _possible(masses: dict[Key, C], ring: Ring[C]) -> dict[Key, C]:
    """Return the masses other than 0, which a sum over parts with a negative share may come to."""
    return {key: mass for key, mass in masses.items() if not ring.is_zero(mass)}


def _digits(weights: Mapping[State, C], width: int, ring: Ring[C]) -> tuple[list[tuple[Fraction, ...]], dict[State, C]]:
    """Return for each coordinate the radices of its digits, the greatest first, and the states with all digits for coordinates.

    Raises:
        Stuck: if some value has no such digits.
    """
    found: list[set[Fraction]] = [set() for _ in range(width - 1)]
    for state in weights:
        for known, value in zip(found, state[1:], strict=True):
            if isinstance(value, Affine) and len(value.terms) > 1:
                known.update(abs(slope) for _, slope in rational(value)[1][:-1])
    radices = [tuple(sorted(known, reverse=True)) for known in found]
    waiting, after = list(weights.items()), dict[State, C]()
    while waiting:
        state, weight = waiting.pop()
        counts = sizes_of(state).counts
        try:
            digits = [
                digit
                for value, radix in zip(state[1:], radices, strict=True)
                for digit in _digits_of(_form(value), radix, counts)
            ]
        except Split as need:
            parts = [(split(state, need.source, one), Fraction(one.count, counts[need.source])) for one in need.parts]
        except Factor as need:
            parts = list(factored(state, need.source, need.modulus, 0))
        else:
            key = canonical((state[0], *digits), 0)
            after[key] = ring.add(after[key], weight) if key in after else weight
            continue
        waiting.extend((one, _share(weight, share, ring)) for one, share in parts)
        if len(waiting) + len(after) > _ENTRIES:
            raise Stuck
    return radices, after


def _digits_of(value: Form, radices: Sequence[Fraction], counts: Sequence[int]) -> Iterator[Form]:
    for radix in radices:
        digit = floor_of(scaled(value, 1 / radix), counts)
        yield digit
        value = sum_of(value, scaled(digit, -radix))
    if isinstance(value, Affine) and len(value.terms) > 1:
        raise Stuck
    yield value


def _form(value: object) -> Form:
    assert isinstance(value, int | Fraction | Irrational | Affine)
    return value


def _grouped(state: State, radices: Sequence[tuple[Fraction, ...]]) -> Iterator[tuple[Form, ...]]:
    """Yield the digits of each coordinate."""
    place = 1
    for radix in radices:
        yield tuple(map(_form, state[place : place + len(radix) + 1]))
        place += len(radix) + 1


def _columns(
    pairs: Iterable[tuple[int, int]], radices: Sequence[tuple[Fraction, ...]], names: Sequence[str]
) -> dict[tuple[int, int], frozenset[str]]:
    """Return the two variables of each pair of digits.

    Raises:
        Stuck: for two digits of one variable.
    """
    owners = [name for name, radix in zip(names, radices, strict=True) for _ in range(len(radix) + 1)]
    columns = {(i, j): frozenset((owners[i - 1], owners[j - 1])) for i, j in pairs}
    if any(len(two) < 2 for two in columns.values()):
        raise Stuck
    return columns


def _share(weight: C, share: Fraction, ring: Ring[C]) -> C:
    return ring.multiply(weight, ring.rational(share.numerator, share.denominator))


def _meaning(digits: Sequence[Form], radices: Sequence[Fraction], state: State) -> Meaning:
    """Return the values that digits stand for."""
    value: Form = digits[-1]
    for digit, radix in zip(digits, radices, strict=False):
        value = sum_of(value, scaled(digit, radix))
    if not isinstance(value, Affine):
        return value
    counts = sizes_of(state).counts
    constant, terms = rational(value)
    return Progression(ends(constant, terms, counts)[0], tuple((abs(slope), counts[one]) for one, slope in terms))


def _refined(weights: dict[State, C], width: int, ring: Ring[C]) -> dict[State, C]:
    """Split states until on each coordinate two classes are equal or disjoint.

    Raises:
        Stuck: if that takes too many.
    """
    for _ in range(_ROUNDS):
        changed = False
        for coordinate in range(1, width):
            pieces = _pieces(list(weights), coordinate)
            if not pieces:
                continue
            changed = True
            after: dict[State, C] = {}
            for state, weight in weights.items():
                for part, share in pieces.get(state, [(state, Fraction(1))]):
                    key = canonical(part, 0)
                    mass = _share(weight, share, ring)
                    after[key] = ring.add(after[key], mass) if key in after else mass
                if len(after) > _ENTRIES:
                    raise Stuck
            weights = after
        if not changed:
            return weights
    raise Stuck


def _pieces(states: Sequence[State], coordinate: int) -> dict[State, list[tuple[State, Fraction]]]:
    """Return the parts of those states that must be split on a coordinate."""
    classes = {state: value for state in states if isinstance(value := state[coordinate], Affine)}
    if not classes:
        return {}
    found = {state: progression(value, state) for state, value in classes.items()}
    numbers = [fraction for state in states if (fraction := _rational(state[coordinate])) is not None]
    scale = lcm(*(part.denominator for low, step, _ in found.values() for part in (low, step)))
    modulus = lcm(*(int(step * scale) for _, step, _ in found.values()))
    if any(modulus // int(step * scale) > _ENTRIES for _, step, _ in found.values()):
        raise Stuck
    pieces: dict[State, list[tuple[State, Fraction]]] = {}
    for state, (_, step, count) in found.items():
        if int(step * scale) != modulus:
            pieces[state] = _split_all(state, coordinate, residues(count, modulus // int(step * scale)), count)
    if pieces:
        return pieces
    ends: dict[int, set[int]] = {}
    for low, _, count in found.values():
        first = int(low * scale)
        ends.setdefault(first % modulus, set()).update((first // modulus, first // modulus + count))
    for number in numbers:
        if (number * scale).denominator == 1:
            whole = int(number * scale)
            if whole % modulus in ends:
                ends[whole % modulus].update((whole // modulus, whole // modulus + 1))
    for state, (low, _, count) in found.items():
        first = int(low * scale)
        begin = first // modulus
        cuts = [end - begin for end in ends[first % modulus] if begin < end < begin + count]
        if cuts:
            value = classes[state]
            rising = (to_fraction(value.terms[0][1]) or 0) > 0
            places = cuts if rising else [count - cut for cut in cuts]
            pieces[state] = _split_all(state, coordinate, intervals(count, places), count)
    return pieces


def _rational(value: object) -> Fraction | None:
    return Fraction(value) if isinstance(value, int | Fraction) else None


def _split_all(state: State, coordinate: int, parts: Sequence[Part], count: int) -> list[tuple[State, Fraction]]:
    value = state[coordinate]
    assert isinstance(value, Affine)
    return [(split(state, value.terms[0][0], part), Fraction(part.count, count)) for part in parts]


def _unsettled(place: Span) -> Beyond:
    message = "the classes of values that are asked for overlap in too many ways"
    notes = ("asking for fewer variables at once, or a smaller range, would help",)
    return Beyond(Diagnostic(BUDGET_EXCEEDED, place, message, notes=notes))
