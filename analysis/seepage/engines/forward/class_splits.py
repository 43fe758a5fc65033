"""How a state of classes becomes several: a source is split into parts or digits, and sources that nothing reads are gone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from seepage import exact
from seepage.distributions.gaussian import Affine, Sizes, Slot, State
from seepage.engines.forward.class_forms import Part, Stuck, combined, rational


def split(state: State, source: int, part: Part) -> State:
    """Return the state in which a source has only the values of a part; one with a single value is a number.

    Raises:
        Stuck: if the source is tied to others.
    """
    after = replaced(state, source, part.start, ((source, part.step),) if part.count > 1 else ())
    return tuple(_resized(value, {source: part.count}) if isinstance(value, Sizes) else value for value in after)


def factored(state: State, source: int, modulus: int, slot: int) -> tuple[tuple[State, Fraction], ...]:
    """Return the parts k = modulus · q + r, two independent sources, and what is left of k above, with their shares of the source.

    Raises:
        Stuck: if the source is tied to others, but by bit_xor and with a power of 2 for its modulus.
    """
    sizes = state[slot]
    assert isinstance(sizes, Sizes)
    if any(source in tie.members for tie in sizes.ties):
        return ((_with_bits_apart(state, source, modulus, slot), Fraction(1)),)
    size, new = sizes.counts[source], len(sizes.counts)
    blocks, rest = divmod(size, modulus)
    digits = ((source, modulus), (new, 1)) if blocks > 1 else ((new, 1),)
    after = replaced(state, source, 0, digits)
    whole = (*after[:slot], _resized(sizes, {source: blocks}, (modulus,)), *after[slot + 1 :])
    parts = [(whole, Fraction(blocks * modulus, size))]
    if rest:
        parts.append((split(state, source, Part(blocks * modulus, 1, rest)), Fraction(rest, size)))
    return tuple(parts)


def _with_bits_apart(state: State, source: int, modulus: int, slot: int) -> State:
    """Return a state in which sources that are tied by bit_xor are two digits each: those above, and those below, are tied likewise."""
    sizes = state[slot]
    assert isinstance(sizes, Sizes)
    tie, *others = (tie for tie in sizes.ties if source in tie.members)
    if tie.operator != "bit_xor" or modulus.bit_count() != 1 or not 1 < modulus < tie.modulus:
        raise Stuck
    if others or any(set(tie.members) & set(other.members) for other in sizes.ties if other is not tie):
        raise Stuck
    counts, below = list(sizes.counts), dict[int, int]()
    for member in tie.members:
        below[member] = len(counts)
        state = replaced(state, member, 0, ((member, modulus), (below[member], 1)))
        counts[member] //= modulus
        counts.append(modulus)
    upper = replace(tie, modulus=tie.modulus // modulus)
    ties = (*(other for other in sizes.ties if other is not tie), upper, replace(tie.renamed(below), modulus=modulus))
    return (*state[:slot], Sizes(tuple(counts), ties), *state[slot + 1 :])


def digit_of(parts: Sequence[Part]) -> int:
    """Return the modulus m of parts that tell one of the digits of k = m q + r.

    Raises:
        Stuck: if they tell neither.
    """
    if (
        all(part.step == parts[0].step and part.start == place for place, part in enumerate(parts))
        and parts[0].step > 1
    ):
        return parts[0].step
    if all(part.step == 1 and part.count == parts[0].count for part in parts):
        return parts[0].count
    raise Stuck


def _resized(sizes: Sizes, changed: Mapping[int, int], new: tuple[int, ...] = ()) -> Sizes:
    if any(source in changed for tie in sizes.ties for source in tie.members):
        raise Stuck
    return Sizes((*(changed.get(i, size) for i, size in enumerate(sizes.counts)), *new), sizes.ties)


def replaced(state: State, source: int, start: int, digits: tuple[tuple[int, int], ...]) -> State:
    """Return the state with start + Σ step · digit for a source."""

    def within(value: Slot) -> Slot:
        slope = dict(value.terms).get(source) if isinstance(value, Affine) else None
        if slope is None:
            return value
        assert isinstance(value, Affine)
        others = [term for term in value.terms if term[0] != source]
        constant = exact.add(value.constant, exact.mul(slope, start))
        return combined(constant, (*others, *((digit, exact.mul(slope, step)) for digit, step in digits)))

    return tuple(within(value) for value in state)


def canonical(state: State, slot: int) -> State:
    """Return the state with its sources numbered by first use; those that no variable depends on are gone, and ties that miss one with them."""
    number: dict[int, int] = {}
    for value in state:
        if isinstance(value, Affine):
            for source, _ in value.terms if len(value.terms) == 1 else rational(value)[1]:
                number.setdefault(source, len(number))
    sizes = state[slot]
    assert isinstance(sizes, Sizes)
    renamed = [
        combined(value.constant, ((number[source], slope) for source, slope in value.terms))
        if isinstance(value, Affine)
        else value
        for value in state
    ]
    ties = tuple(tie.renamed(number) for tie in sizes.ties if all(source in number for source in tie.members))
    renamed[slot] = Sizes(tuple(sizes.counts[source] for source in number), ties)
    return tuple(renamed)
