r"""Joints of variables some of which are uniform over huge ranges: entries that stand for many equally likely values.

An entry's coordinate is a number, or all values :math:`c + q k` of a class. Entries are split until on each variable any two classes are equal or disjoint; then a
class is a symbol, the joint of symbols is an ordinary one, and given the symbols the values are uniform: each measure is that of the symbols, plus logarithms of
counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm, prod
from typing import Generic, TypeAlias, TypeVar

from flint import fmpq

from seepage.diagnostics import Diagnostic, Fault
from seepage.distributions.gaussian import Affine, Sizes, State
from seepage.engines.forward.classes import Beyond, Classes, Part, canonical, intervals, residues, split
from seepage.engines.forward.coefficients import Balls
from seepage.engines.forward.liveness import plan
from seepage.engines.forward.run import Machine
from seepage.engines.forward.states import GAUSSIAN, States, project
from seepage.engines.outcome import Budget, DiscreteJoint, Ring
from seepage.exact import Irrational, Number, add, mul, precision, to_fraction
from seepage.rules import BUDGET_EXCEEDED, TIME_LIMIT
from seepage.semantics.core import CoreProgram
from seepage.source import Span

C = TypeVar("C")
Key: TypeAlias = tuple[Number, ...]

Meaning: TypeAlias = "Number | Progression"

_ENTRIES = 20_000  # after splitting
_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Progression:
    """The values low + step · j for j below ``count``, at least two; ``step`` is positive."""

    low: Fraction
    step: Fraction
    count: int


@dataclass(frozen=True, slots=True)
class ClassJoint(Generic[C]):
    """A joint over symbols.

    Attributes:
        symbols: the joint; a coordinate is the number of its symbol.
        sources: for each entry and coordinate the source that the values come from, None for a single value.
        sizes: for each entry how many values each of its sources has.
        meanings: for each coordinate what each symbol stands for, by its number.
    """

    symbols: DiscreteJoint[C]
    sources: Mapping[Key, tuple[int | None, ...]]
    sizes: Mapping[Key, tuple[int, ...]]
    meanings: tuple[tuple[Meaning, ...], ...]

    def count(self, key: Key, places: Sequence[int]) -> int:
        """Return how many equally likely values an entry has on some coordinates."""
        used = {source for place in places if (source := self.sources[key][place]) is not None}
        return prod(self.sizes[key][source] for source in used)

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
            Fault: if they are more than ``limit``.
        """
        ring, weights = self.ring, self.states.weights
        size = sum(prod(_sizes(state)) for state in weights)
        if size > limit:
            message = f"what is asked has {size:,} values, one by one, the limit is {limit:,}"
            notes = ("asking for variables with fewer values, or a smaller range, would help",)
            raise Fault(Diagnostic(BUDGET_EXCEEDED, self.place, message, notes=notes))
        masses: dict[Key, C] = {}
        total = ring.zero
        for state, weight in weights.items():
            total = ring.add(total, weight)
            each = ring.multiply(weight, ring.rational(1, prod(_sizes(state))))
            for chosen in product(*(range(count) for count in _sizes(state))):
                key = tuple(_at(value, chosen) for value in state[1:])
                masses[key] = ring.add(masses[key], each) if key in masses else each
        return DiscreteJoint(self.states.layout[1:], ring, _possible(masses, ring), total)

    def symbolic(self) -> ClassJoint[C]:
        """Return the joint over symbols.

        Raises:
            Beyond: if classes overlap in ways that splitting does not settle.
        """
        ring, layout = self.ring, self.states.layout
        weights = _refined(dict(self.states.weights), len(layout), ring, self.place)
        names: list[dict[object, int]] = [{} for _ in layout[1:]]
        masses: dict[Key, C] = {}
        sources: dict[Key, tuple[int | None, ...]] = {}
        sizes: dict[Key, tuple[int, ...]] = {}
        relations: dict[tuple[int, int, Number, Number], object] = {}
        total = ring.zero
        for state, weight in weights.items():
            parts = zip(names, state[1:], strict=True)
            key = tuple(known.setdefault(_symbol(value, state), len(known)) for known, value in parts)
            masses[key] = ring.add(masses[key], weight) if key in masses else weight
            total = ring.add(total, weight)
            sources[key] = tuple(value.terms[0][0] if isinstance(value, Affine) else None for value in state[1:])
            sizes[key] = _sizes(state)
            for i, j, relation in _relations(state):
                if relations.setdefault((i, j, key[i], key[j]), relation) != relation:
                    raise _unsettled(self.place)
        meanings = tuple(tuple(map(_meaning, known)) for known in names)
        symbols = DiscreteJoint(layout[1:], ring, _possible(masses, ring), total)
        return ClassJoint(symbols, sources, sizes, meanings)


def run_classes(
    core: CoreProgram, asked: tuple[str, ...], parameters: Mapping[str, Number], ring: Ring[C], budget: Budget
) -> ClassStates[C]:
    """Return the final states over ``asked``.

    Raises:
        Fault: as :func:`seepage.engines.forward.run.run`; :class:`Beyond` where classes do not say it.
    """
    kind: object = ring
    with precision(kind.bits) if isinstance(kind, Balls) else nullcontext():
        rules = Classes(ring, budget)
        machine = Machine(core, parameters, ring, budget, rules)
        start: States[C] = States((GAUSSIAN,), {(Sizes(),): ring.one})
        try:
            states = machine.start(plan(core, (GAUSSIAN, *asked)), start)
        except Fault as fault:
            if rules.signed and fault.diagnostic.rule not in (BUDGET_EXCEEDED, TIME_LIMIT):
                raise _unreached(fault) from fault
            raise
        final = rules.tidy(project(states, (GAUSSIAN, *asked), ring.add))
        if rules.signed:
            final = _summed(final, ring, core)
    return ClassStates(final, ring, core.statements[-1].span if core.statements else Span(0, 0))


def _summed(states: States[C], ring: Ring[C], core: CoreProgram) -> States[C]:
    """Return the states of a run with negative shares; what is left of it must be some run."""
    place = core.statements[-1].span
    total = ring.zero
    for weight in states.weights.values():
        total = ring.add(total, weight)
    if not isinstance(total, fmpq):
        message = "equality of two values from huge ranges is known only where all probabilities are rational"
        raise Beyond(Diagnostic(BUDGET_EXCEEDED, place, message, notes=("rational probabilities would help",)))
    if ring.is_zero(total):
        message = "whether some run passes all observations is not known where two values from huge ranges are compared"
        raise Beyond(Diagnostic(BUDGET_EXCEEDED, place, message, notes=("a smaller range would help",)))
    possible = {state: weight for state, weight in states.weights.items() if not ring.is_zero(weight)}
    return States(states.layout, possible)


def _unreached(fault: Fault) -> Beyond:
    """Return what is known of a fault that may be one of a part that no run reaches."""
    message = (
        f"where two values from huge ranges are equal is not known well enough to exclude: {fault.diagnostic.message}"
    )
    return Beyond(Diagnostic(BUDGET_EXCEEDED, fault.diagnostic.span, message, notes=("a smaller range would help",)))


def _sizes(state: State) -> tuple[int, ...]:
    sizes = state[0]
    assert isinstance(sizes, Sizes)
    return sizes.counts


def _at(value: object, chosen: Sequence[int]) -> Number:
    if isinstance(value, Affine):
        source, slope = value.terms[0]
        return add(value.constant, mul(slope, chosen[source]))
    assert isinstance(value, int | Fraction | Irrational)
    return value


def _possible(masses: dict[Key, C], ring: Ring[C]) -> dict[Key, C]:
    """Return the masses other than 0, which a sum over parts with a negative share may come to."""
    return {key: mass for key, mass in masses.items() if not ring.is_zero(mass)}


def _meaning(symbol: object) -> Meaning:
    assert isinstance(symbol, int | Fraction | Irrational | Progression)
    return symbol


def _symbol(value: object, state: State) -> object:
    """Return what is equal for equal sets of values."""
    if not isinstance(value, Affine):
        return value
    low, step, count = _progression(value, state)
    return Progression(low, step, count)


def _progression(value: Affine, state: State) -> tuple[Fraction, Fraction, int]:
    """Return least value, positive step and number of values of a class."""
    constant, slope = to_fraction(value.constant), to_fraction(value.terms[0][1])
    count = _sizes(state)[value.terms[0][0]]
    if constant is None or slope is None:
        raise _Irrational
    return (constant, slope, count) if slope > 0 else (constant + slope * (count - 1), -slope, count)


class _Irrational(Exception):
    """Classes of irrational values are not compared."""


def _relations(state: State) -> Iterator[tuple[int, int, object]]:
    """Yield for each two coordinates that are classes whether they rest on the same source, and in the same direction."""
    forms = [(place, value.terms[0]) for place, value in enumerate(state[1:]) if isinstance(value, Affine)]
    for i, (source, slope) in forms:
        for j, (other, other_slope) in forms:
            if i < j:
                fraction, other_fraction = to_fraction(slope), to_fraction(other_slope)
                assert fraction is not None
                assert other_fraction is not None
                yield i, j, (source == other, source == other and fraction * other_fraction > 0)


def _refined(weights: dict[State, C], width: int, ring: Ring[C], place: Span) -> dict[State, C]:
    """Split states until on each coordinate two classes are equal or disjoint."""
    for _ in range(_ROUNDS):
        changed = False
        for coordinate in range(1, width):
            try:
                pieces = _pieces(list(weights), coordinate)
            except _Irrational:
                raise _unsettled(place) from None
            if not pieces:
                continue
            changed = True
            after: dict[State, C] = {}
            for state, weight in weights.items():
                for part, share in pieces.get(state, [(state, Fraction(1))]):
                    key = canonical(part, 0)
                    mass = ring.multiply(weight, ring.rational(share.numerator, share.denominator))
                    after[key] = ring.add(after[key], mass) if key in after else mass
                if len(after) > _ENTRIES:
                    raise _unsettled(place)
            weights = after
        if not changed:
            return weights
    raise _unsettled(place)


def _pieces(states: Sequence[State], coordinate: int) -> dict[State, list[tuple[State, Fraction]]]:
    """Return the parts of those states that must be split on a coordinate."""
    classes = {state: value for state in states if isinstance(value := state[coordinate], Affine)}
    if not classes:
        return {}
    found = {state: _progression(value, state) for state, value in classes.items()}
    numbers = [fraction for state in states if (fraction := _rational(state[coordinate])) is not None]
    scale = lcm(*(part.denominator for low, step, _ in found.values() for part in (low, step)))
    modulus = lcm(*(int(step * scale) for _, step, _ in found.values()))
    if any(modulus // int(step * scale) > _ENTRIES for _, step, _ in found.values()):
        raise _Irrational
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
