r"""The channel of a program with geometric noise, with all of its infinitely many outputs lumped into finitely many, exactly.

Outputs of tail states lie on half-lines :math:`a\,t + b`. On each, from some point on, the probabilities given x are :math:`C_x r^n`, for every x with the
same r: these outputs tell no more apart than one of them does. One output in their place, with probability :math:`C_x / (1 - r)`, is a sufficient
statistic, so that capacities, privacy loss, Delta and information are those of the program, and a supremum
is over its whole support.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from itertools import combinations

from seepage import exact
from seepage.data_classes import dataclass
from seepage.deadline import Deadline, sooner
from seepage.diagnostics import Fault
from seepage.exact import ArithmeticFault, Number
from seepage.measures.channels.channel import Channel, closed_channels
from seepage.measures.channels.closed_weights import CLOSED_FORMS
from seepage.measures.channels.tail_states import Affine, NoTail, States, TooNarrow, Value, run_tails, samples_infinite
from seepage.measures.clock import OutOfTime
from seepage.measures.discrete.weights import Values
from seepage.measures.joints import Inquiry
from seepage.semantics.core import CoreProgram, CoreSample
from seepage.semantics.slice import sink, slice_program
from seepage.semantics.statements import walk

_WIDTHS = (4, 12, 40)
_LONGEST = 400  # points of a half-line that are told apart


@dataclass(slots=True)
class _Line:
    """One half-line of outputs: the weight of the point n on it is ``weights[key][m] · r^(n − m)``, for n from m on, added up over m."""

    slopes: tuple[Number, ...]
    base: Values
    ratio: Number
    parts: list[tuple[Values, Values, int, Number]] = field(default_factory=list)  # z, x, m, weight


def tail_channels(
    inquiry: Inquiry, core: CoreProgram, x: tuple[str, ...], y: tuple[str, ...], z: tuple[str, ...]
) -> Mapping[Values, Channel[Number]] | None:
    """Return for each value of z a channel of which every measure is that of the program; None if the program is not of this kind."""
    asked = tuple(dict.fromkeys((*x, *y, *z)))
    sliced = slice_program(core, asked)
    if not any(
        isinstance(each, CoreSample) and samples_infinite(each.distribution) for each in walk(sliced.statements)
    ):
        return None
    budget = replace(inquiry.budget, deadline=_half_way(inquiry.budget.deadline))
    for width in _WIDTHS:
        try:
            with exact.arithmetic_until(budget.deadline):
                states = run_tails(sink(sliced), asked, inquiry.scope.parameters, width, budget)
                return closed_channels(_lumped(states, x, y, z)) if states else None
        except TooNarrow:
            continue
        except (NoTail, OutOfTime, ArithmeticFault, Fault):
            return None  # the engines say what is wrong, if something is
    return None


def _half_way(deadline: Deadline | None) -> Deadline | None:
    """Leave half of the time to the engines that cut the support, should this take too long; the number of states is limited anyway."""
    return sooner(deadline, share=1 / 2)


def _lumped(
    states: States, x: tuple[str, ...], y: tuple[str, ...], z: tuple[str, ...]
) -> dict[Values, dict[Values, dict[Values, Number]]]:
    found: dict[Values, dict[Values, dict[Values, Number]]] = {}
    lines: dict[tuple[tuple[Number, ...], Values], _Line] = {}
    for state, weight in states.items():
        values = dict(state.values)
        given, one = _plain(values, z), _plain(values, x)
        output = tuple(values.get(name, 0) for name in y)
        if state.ratio is None:
            _add(found, given, one, _plain(values, y), weight)
            continue
        slopes, base, start = _aligned(output)
        line = lines.setdefault((slopes, base), _Line(slopes, base, state.ratio))
        if line.ratio != state.ratio:
            raise NoTail("tails of one line that fall differently")
        line.parts.append((given, one, start, weight))
    _end(found, lines)
    return found


def _end(
    found: dict[Values, dict[Values, dict[Values, Number]]], lines: Mapping[tuple[tuple[Number, ...], Values], _Line]
) -> None:
    """Tell the points of all lines apart up to where nothing else lies on them, and put one output in the place of the rest."""
    _need_apart(lines)
    outputs = {output for rows in found.values() for row in rows.values() for output in row}
    outputs |= {_point(line, start) for line in lines.values() for _, _, start, _ in line.parts}
    for line in lines.values():
        last = max(start for _, _, start, _ in line.parts)
        taken = (_index_on(line, output) for output in outputs)
        last = max([last, *(index + 1 for index in taken if index is not None)])
        for given, one, start, weight in line.parts:
            if last - start > _LONGEST:
                raise NoTail("half-lines that begin far apart")
            for index in range(start, last):
                _add(found, given, one, _point(line, index), weight)
                weight = CLOSED_FORMS.multiply(weight, line.ratio)
            rest = exact.div(weight, exact.sub(1, line.ratio))
            _add(found, given, one, _point(line, last), rest)


def _need_apart(lines: Mapping[tuple[tuple[Number, ...], Values], _Line]) -> None:
    """Make sure that two lines of different slopes share no point, or run in opposite directions, so that they part from their starts on.

    Raises:
        NoTail: if that is not known.
    """
    for (slopes, base), (others, point) in combinations(lines, 2):
        fixed = any(
            a == b == 0 and here != there for a, b, here, there in zip(slopes, others, base, point, strict=True)
        )
        opposite = all(exact.add(a, b) == 0 for a, b in zip(slopes, others, strict=True))
        if slopes != others and not fixed and not opposite:
            raise NoTail("lines that may meet")


def _plain(values: Mapping[str, Value], names: tuple[str, ...]) -> Values:
    found: list[Number] = []
    for name in names:
        value = values.get(name, 0)
        if isinstance(value, Affine):
            raise NoTail("an input with infinitely many values")
        found.append(value)
    return tuple(found)


def _aligned(output: tuple[Value, ...]) -> tuple[tuple[Number, ...], Values, int]:
    """Return slopes, a base point and the start m such that the output at t is base + (m + t)·slopes."""
    slopes = tuple(value.slope if isinstance(value, Affine) else 0 for value in output)
    offsets = tuple(value.offset if isinstance(value, Affine) else value for value in output)
    place = next(place for place, slope in enumerate(slopes) if slope != 0)
    start = exact.floor_(exact.div(offsets[place], slopes[place]))
    base = tuple(exact.sub(offset, exact.mul(start, slope)) for offset, slope in zip(offsets, slopes, strict=True))
    return slopes, base, start


def _index_on(line: _Line, output: Values) -> int | None:
    """Return n if an output is the point n of a line."""
    place = next(place for place, slope in enumerate(line.slopes) if slope != 0)
    index = exact.div(exact.sub(output[place], line.base[place]), line.slopes[place])
    if isinstance(index, int) and _point(line, index) == output:
        return index
    return None


def _point(line: _Line, index: int) -> Values:
    pairs = zip(line.base, line.slopes, strict=True)
    return tuple(exact.add(base, exact.mul(index, slope)) for base, slope in pairs)


def _add(
    found: dict[Values, dict[Values, dict[Values, Number]]], given: Values, one: Values, to: Values, weight: Number
) -> None:
    row = found.setdefault(given, {}).setdefault(one, {})
    row[to] = CLOSED_FORMS.add(row[to], weight) if to in row else weight
