"""How uncertain a secret is left by each single output: the other side of the worst case beside the average."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from flint import arb

from seepage.engines.forward.tables import TableMasses
from seepage.engines.outcome import Budget
from seepage.exact import precision
from seepage.measures.clock import UNLIMITED, timed
from seepage.measures.discrete.entropy import non_negative, split
from seepage.measures.discrete.large import Parts, large_table, left_after, sights, where
from seepage.measures.discrete.weights import BITS, ByShape, Values, W, Whole, grouped, total, weights_of
from seepage.measures.enclosure import Enclosure
from seepage.measures.guessing.vulnerability import Discrete


def posterior_entropies(
    joint: Discrete, x: Sequence[str], y: Sequence[str], budget: Budget = UNLIMITED
) -> Iterator[tuple[Values, Enclosure]]:
    """Yield for each value v of ``y`` the entropy of ``x`` given ``y`` = v, in nats; in time linear in the joint, once for values v with the same weights.

    What was cut off an infinite support is left out: the caller must not take these for bounds then.

    Raises:
        ValueError: if the joint distribution has no mass, or lacks a variable.
        OutOfTime: past the budget's deadline.
    """
    of, given = joint.positions(x), joint.positions(y)
    with precision(BITS):
        entropies = _by_columns(joint, of, given, budget)
        if entropies is None:
            found = weights_of(joint, budget)
            if isinstance(found, Whole):
                entropies = _entropies(grouped(found.weights, given, of), budget)
            else:
                entropies = _entropies(grouped(found.weights, given, of), budget)
    yield from entropies


def _by_columns(
    joint: Discrete, of: Sequence[int], given: Sequence[int], budget: Budget
) -> list[tuple[Values, Enclosure]] | None:
    """Return the same of a joint with very many outcomes, None of others."""
    table = large_table(joint)
    if table is None:
        return None

    @cache
    def left(parts: Parts) -> Enclosure:
        return non_negative(left_after(parts), arb(sum(count for *_, count in parts)).log())

    return [(value, left(parts)) for value, parts in timed(sights(table, of, given), budget)]


def _entropies(groups: Mapping[Values, Mapping[Values, W]], budget: Budget) -> list[tuple[Values, Enclosure]]:
    known = ByShape[Sequence[W], Enclosure](lambda parts: _entropy(parts, budget))
    each = ((value, list(posterior.values())) for value, posterior in timed(groups.items(), budget))
    return [(value, known.of([(part,) for part in parts], parts)) for value, parts in each]


def _entropy(posterior: Sequence[W], budget: Budget) -> Enclosure:
    mass = total(posterior)
    return non_negative(split(posterior, mass, budget) / arb(mass), arb(len(posterior)).log())


def given_value(joint: Discrete, y: Sequence[str], value: Values) -> Discrete:
    """Return the joint where ``y`` has a value, with the mass of that.

    Raises:
        ValueError: if the joint distribution lacks a variable.
    """
    places = joint.positions(y)
    table = large_table(joint)
    masses: Any
    if table is not None:
        masses = TableMasses(where(table, places, value))
    else:
        masses = {every: mass for every, mass in joint.masses.items() if tuple(every[at] for at in places) == value}
    mass: Any = sum(masses.values(), joint.ring.zero)
    return replace(joint, masses=masses, mass=mass)
