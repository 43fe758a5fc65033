"""Outputs that one input has and another never has, by proof: the channel is not absolutely continuous, and its loss infinite.

A window of an infinite support shows runs that exist. That another input has no run with such an output is proved by the ranges of the program's values
where that input is fixed, which hold for its whole support: ``s + n`` with n of ``poisson(2)`` is never below s; and by the parts behind the whole number
that values may have: ``max(n, 0) + s/7`` is never whole for s = 1. With a ``delta``, outputs of more probability than that must be impossible (Dwork and Roth 2014, definition 2.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from flint import arb

from seepage import exact
from seepage.engines.forward.never import ranges_after
from seepage.engines.forward.remainders import Parts, parts_after
from seepage.engines.outcome import Budget
from seepage.exact import Number
from seepage.measures.channels.channel import Channel
from seepage.measures.discrete.weights import Values
from seepage.measures.privacy.neighbours import Neighbourhood, pairs
from seepage.semantics.core import CoreAssign, CoreProgram, CoreSample
from seepage.semantics.ranges import Range
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import may_write
from seepage.source import Span
from seepage.syntax import tree

_Reach: TypeAlias = tuple[Range, Parts]
_NOWHERE = Span(0, 0)
_MOST_INPUTS = 1_000


def apart(
    core: CoreProgram,
    names: tuple[tuple[str, ...], tuple[str, ...]],
    channel: Channel[arb],
    neighbourhoods: Sequence[Neighbourhood],
    delta: arb,
    parameters: Mapping[str, Number],
    budget: Budget,
) -> tuple[Values, Values] | None:
    """Return two neighbours of which the first has outputs of more than ``delta`` in all that the second never has; None where none are proved in time.

    Args:
        core: the program of the channel.
        names: of the inputs and of the outputs.
        channel: what windows of infinite supports show of it.
        neighbourhoods: which inputs are neighbours.
        delta: at least 0.
        parameters: their values.
        budget: its deadline ends the search.
    """
    x, y = names
    core = slice_program(core, (*x, *y))
    if len(channel.rows) > _MOST_INPUTS or not all(_is_written_once(core, name) for name in x):
        return None
    reaches = {one: _reaches(core, dict(zip(x, one, strict=True)), y, parameters) for one in channel.rows}
    for of, against in pairs(neighbourhoods):
        if budget.expired():
            return None
        reached, row = reaches[against], channel.rows[of]
        if reached is None:
            continue
        never = sum((mass.lower() for output, mass in row.items() if not _can_be(output, reached)), arb(0))
        if never > delta:
            return of, against
    return None


def _reaches(
    core: CoreProgram, fixed: Mapping[str, Number], y: tuple[str, ...], parameters: Mapping[str, Number]
) -> list[_Reach] | None:
    """Return where outputs lie where inputs have some values, None where no run gets to the end."""
    statements = tuple(
        replace(each, value=_number(fixed[each.target.id]))
        if isinstance(each, CoreAssign) and isinstance(each.target, tree.Name) and each.target.id in fixed
        else CoreAssign(each.target, _number(fixed[each.target.id]), _NOWHERE)
        if isinstance(each, CoreSample) and isinstance(each.target, tree.Name) and each.target.id in fixed
        else each
        for each in core.statements
    )
    fixed_core = replace(core, statements=statements)
    found = ranges_after(fixed_core, parameters)
    if found is None:
        return None
    parts = parts_after(fixed_core, parameters)
    return [(found.get(name, (0, 0)), parts.get(name)) for name in y]


def _number(value: Number) -> tree.Expression:
    fraction = exact.to_fraction(value)
    if fraction is None:
        raise exact.CannotDecide("an input in closed form")
    return tree.Number(fraction, _NOWHERE)


def _is_written_once(core: CoreProgram, name: str) -> bool:
    """Tell whether one statement outside of all branches writes a variable, and nothing else does."""
    outside = [each for each in core.statements if name in may_write(core, (each,))]
    match outside:
        case [CoreAssign(target=tree.Name()) | CoreSample(target=tree.Name())]:
            return True
        case _:
            return False


def _can_be(output: Values, reached: Sequence[_Reach]) -> bool:
    return all(_holds(reach, value) for reach, value in zip(reached, output, strict=True))


def _holds(reach: _Reach, value: Number) -> bool:
    (low, high), parts = reach
    below = low is not None and exact.compare(value, low) < 0
    above = high is not None and exact.compare(value, high) > 0
    fraction = exact.to_fraction(value)
    between = parts is not None and fraction is not None and fraction % 1 not in parts
    return not (below or above or between)
