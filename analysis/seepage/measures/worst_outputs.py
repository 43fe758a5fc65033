"""The single outputs that tell most of a secret and leave least of it, of joints value by value and over classes of values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeAlias

from flint import arb, fmpq

from seepage.data_classes import dataclass
from seepage.engines.forward.class_joint import ClassJoint, Progression
from seepage.engines.outcome import Budget
from seepage.exact import Number, number
from seepage.measures.arithmetic import add
from seepage.measures.clock import timed
from seepage.measures.discrete import classes
from seepage.measures.discrete.divergence import posterior_divergences
from seepage.measures.discrete.posteriors import given_value, posterior_entropies
from seepage.measures.discrete.weights import ByShape, Values
from seepage.measures.discrete.whole_bits import divergence_bits, information_bits
from seepage.measures.enclosure import Enclosure
from seepage.measures.guessing.vulnerability import Discrete

Classes: TypeAlias = ClassJoint[fmpq] | ClassJoint[arb]


@dataclass(frozen=True, slots=True)
class Extreme:
    """An output at which something is extreme.

    Attributes:
        values: of the output variables.
        nats: what is extreme there.
        bits: the same in bits, where that is rational and known.
    """

    values: Values
    nats: Enclosure
    bits: Fraction | None


def most_told(joint: Discrete | Classes, x: Sequence[str], y: Sequence[str], budget: Budget) -> Extreme:
    r"""Return the value v of ``y`` with the greatest divergence of ``x`` given ``y`` = v from ``x``.

    Over classes it is the divergence of the symbols, and what x and y tell of each other within the class of v: where x has :math:`c_x` values, y
    :math:`c_y` and both together :math:`c_{xy}`, each value of x has the chance of its symbol over :math:`c_x` before and over
    :math:`c_{xy} / c_y` after, the same for each v of the class.

    Raises:
        ValueError: as :func:`posterior_divergences`.
        OutOfTime: past the budget's deadline.
    """
    if not isinstance(joint, ClassJoint):
        values, nats = max(posterior_divergences(joint, x, y, budget), key=_of_value)
        return Extreme(values, nats, divergence_bits(given_value(joint, y, values), x, joint, x))
    shown, groups = joint.shown(x), _groups(joint, y)
    within = ByShape[Classes, tuple[Enclosure, Fraction | None]](
        lambda part: classes.information(part, x, y, (), budget)
    )
    found: list[tuple[Values, Enclosure, Fraction | None]] = []
    for value, nats in posterior_divergences(joint.symbols, shown, joint.shown(y), budget):
        more, bits = within.of(_shape(groups[value], (x, y, (*x, *y))), groups[value])
        found.append((value, add(nats, more), bits))
    value, nats, bits = max(found, key=_of_value)
    between = None if bits is None else divergence_bits(groups[value].symbols, shown, joint.symbols, shown)
    return Extreme(_values(joint, y, value), nats, None if bits is None or between is None else bits + between)


def least_left(joint: Discrete | Classes, x: Sequence[str], y: Sequence[str], budget: Budget) -> Extreme:
    """Return the value v of ``y`` with the least entropy of ``x`` given ``y`` = v, the same for each v of a class.

    Raises:
        ValueError: as :func:`posterior_entropies`.
        OutOfTime: past the budget's deadline.
    """
    if not isinstance(joint, ClassJoint):
        values, nats = min(posterior_entropies(joint, x, y, budget), key=_of_value)
        return Extreme(values, nats, information_bits(given_value(joint, y, values), ((1, tuple(x)),)))
    within = ByShape[Classes, tuple[Enclosure, Fraction | None]](
        lambda part: classes.conditional_entropy(part, x, y, budget)
    )
    groups = timed(_groups(joint, y).items(), budget)
    found = [(value, *within.of(_shape(part, (y, (*x, *y))), part)) for value, part in groups]
    value, nats, bits = min(found, key=_of_value)
    return Extreme(_values(joint, y, value), nats, bits)


def are_told(joint: Classes, x: Sequence[str], y: Sequence[str]) -> bool:
    """Tell whether the outputs of classes can be looked at so: nothing is known of x and y only together, and of no output two values vary together."""
    apart = {*joint.shown(x), *joint.shown(y)}
    places = joint.symbols.positions(tuple(dict.fromkeys(y)))
    return apart.issuperset(joint.shown((*x, *y))) and all(
        sum(isinstance(joint.meaning(key, place), Progression) for place in places) <= 1 for key in joint.symbols.masses
    )


def _of_value(found: tuple[Values, Enclosure] | tuple[Values, Enclosure, Fraction | None]) -> float:
    return float(found[1].value)


def _values(joint: Classes, y: Sequence[str], value: Values) -> Values:
    """Return values of the outputs in classes, of each the least."""
    found: list[Number] = []
    for place, symbol in zip(joint.symbols.positions(y), value, strict=False):  # coordinates that compare come last
        assert isinstance(symbol, int)
        meaning = joint.meanings[place][symbol]
        found.append(number(meaning.low) if isinstance(meaning, Progression) else meaning)
    return tuple(found)


def _groups(joint: Classes, y: Sequence[str]) -> dict[Values, Classes]:
    """Return the parts of a joint in which the outputs have one symbol."""
    places = joint.symbols.positions(joint.shown(y))
    groups: dict[Values, dict[Values, Any]] = {}
    for key, mass in joint.symbols.masses.items():
        groups.setdefault(tuple([key[place] for place in places]), {})[key] = mass
    every: Any = joint
    return {
        value: replace(
            every, symbols=replace(every.symbols, masses=masses, mass=sum(masses.values(), every.symbols.ring.zero))
        )
        for value, masses in groups.items()
    }


def _shape(part: Classes, counted: Sequence[Sequence[str]]) -> list[tuple[Any, ...]]:
    """Return the mass of each entry with its symbols and numbers of values: what a part tells is a function of these."""
    places = [part.symbols.positions(part.shown(names)) for names in counted]
    first: dict[Values, int] = {}
    rows: list[tuple[Any, ...]] = []
    for key, mass in part.symbols.masses.items():
        symbol = first.setdefault(tuple([key[place] for place in places[-1]]), len(first))
        counts = [part.count(key, where) for where in places]
        rows.append((mass.p, mass.q, symbol, *counts) if isinstance(mass, fmpq) else (mass, symbol, *counts))
    return rows
