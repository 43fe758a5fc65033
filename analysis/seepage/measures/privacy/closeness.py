"""Which inputs of a channel are neighbours, as a call says it: ``distance=k``, ``neighbours={(v, w), …}``, ``metric=m`` with a distance."""

from __future__ import annotations

from collections.abc import Collection
from typing import NoReturn

from seepage import exact, rules
from seepage.exact import Number
from seepage.measures.discrete.weights import Values
from seepage.measures.privacy.metrics import NAMED, Metric, Named, Tabled
from seepage.measures.privacy.neighbours import Apart, Closeness, Differing, Stated, Within
from seepage.measures.scope import Scope, fail, static_number, variables
from seepage.syntax.spell import spell
from seepage.syntax.tree import Expression, MeasureCall, MetricName, MetricTable, Name, NeighbourTable


def closeness_of(scope: Scope, call: MeasureCall) -> Closeness:
    """Return which inputs are neighbours; all pairs where the call does not say it.

    Args:
        scope: the meaning of names in the measure.
        call: of a channel.

    Raises:
        Fault: if the distance is none, or a stated value does not fit the inputs.
    """
    if isinstance(call.relation, NeighbourTable):
        return Stated(_stated(scope, call, call.relation))
    distance = _distance(scope, call)
    metric = metric_of(scope, call)
    if distance is None:
        return None
    is_number = _is_number(scope, call)
    if metric is not None and not (is_number and isinstance(metric, Named) and metric.of_line):
        return Within(metric, distance)
    if is_number:
        return Apart(distance)
    if not isinstance(distance, int):
        expected = "a whole number: how many elements of a tuple or an array may differ"
        _unfit(scope, call, "distance", distance, expected)
    return Differing(distance)


def metric_of(scope: Scope, call: MeasureCall) -> Metric | None:
    """Return how far inputs are apart; None where the call states no metric.

    Raises:
        Fault: if a distance of a table is none, or a value does not fit the inputs.
    """
    match call.relation:
        case MetricName(name=name):
            return NAMED[name]
        case MetricTable(entries=entries):
            return Tabled(_distances(scope, call, entries))
        case _:
            return None


def is_per_unit(call: MeasureCall) -> bool:
    """Tell whether a loss is asked for each unit of distance: a metric, and no distance up to which inputs are neighbours."""
    is_measured = isinstance(call.relation, MetricName | MetricTable)
    return is_measured and not any(one.name == "distance" for one in call.named)


def need_possible(scope: Scope, call: MeasureCall, inputs: Collection[Values]) -> None:
    """Fail at a stated value that none of the inputs is, which are all that there are.

    Raises:
        Fault: as said.
    """
    match call.relation:
        case NeighbourTable(entries=entries):
            stated = [each for pair in entries for each in pair]
        case MetricTable(entries=rows):
            stated = [each for one, other, _ in rows for each in (one, other)]
        case _:
            return
    for written in stated:
        value = _value(scope, call, written)
        if value not in inputs and not any(all(map(_is_equal, value, one)) for one in inputs):
            names = ", ".join(spell(one) for one in call.left)
            message = f"found {_shown(value)}, expected a value that '{names}' may have"
            fail(rules.UNFIT_MEASURE, written[0].span.shift(scope.offset), message)


def _is_equal(one: Number, other: Number) -> bool:
    return exact.compare(one, other) == 0


def _distance(scope: Scope, call: MeasureCall) -> Number | None:
    for one in call.named:
        if one.name == "distance":
            distance = static_number(scope, one.value)
            if exact.sign(distance) <= 0:
                _unfit(scope, call, "distance", distance, "a positive number")
            return distance
    return None


def _unfit(scope: Scope, call: MeasureCall, name: str, found: Number, expected: str) -> NoReturn:
    place = next(one.span for one in call.named if one.name == name)
    message = f"found {name} = {exact.show(found)}, expected {expected}"
    fail(rules.UNFIT_MEASURE, place.shift(scope.offset), message)


def _is_number(scope: Scope, call: MeasureCall) -> bool:
    """Tell whether the inputs are numbers: one plain variable, or one element of an array."""
    match call.left:
        case (Name(id=name),):
            return name not in scope.core.arrays
        case (_,):
            return True
        case _:
            return False


def _stated(scope: Scope, call: MeasureCall, table: NeighbourTable) -> tuple[tuple[Values, Values], ...]:
    found: dict[tuple[Values, Values], None] = {}
    for one, other in table.entries:
        pair = _value(scope, call, one), _value(scope, call, other)
        if pair[0] == pair[1]:
            place = one[0].span.shift(scope.offset)
            fail(rules.UNFIT_MEASURE, place, f"found {_shown(pair[0])} beside itself, expected two different values")
        found[pair] = None
    return tuple(found)


def _distances(
    scope: Scope,
    call: MeasureCall,
    entries: tuple[tuple[tuple[Expression, ...], tuple[Expression, ...], Expression], ...],
) -> dict[tuple[Values, Values], Number]:
    found: dict[tuple[Values, Values], Number] = {}
    for one, other, written in entries:
        pair = _value(scope, call, one), _value(scope, call, other)
        distance, place = static_number(scope, written), written.span.shift(scope.offset)
        if exact.sign(distance) <= 0:
            message = f"found a distance of {exact.show(distance)}, expected a positive number"
            fail(rules.UNFIT_MEASURE, place, message)
        known = found.get(pair, found.get((pair[1], pair[0])))
        if pair[0] == pair[1] or (known is not None and exact.compare(known, distance) != 0):
            message = (
                "found a distance of a value from itself" if known is None else "found a second distance of two values"
            )
            fail(
                rules.UNFIT_MEASURE,
                place,
                f"{message}, expected one for each two different values, whatever their order",
            )
        found[pair] = distance
    return found


def _value(scope: Scope, call: MeasureCall, written: tuple[Expression, ...]) -> Values:
    width = len(variables(scope, call.left))
    if len(written) != width:
        place = written[0].span.shift(scope.offset)
        message = f"found a value of {len(written)} numbers, expected {width}, one for each input"
        fail(rules.UNFIT_MEASURE, place, message)
    return tuple(static_number(scope, each) for each in written)


def _shown(values: Values) -> str:
    return ", ".join(map(exact.show, values))
