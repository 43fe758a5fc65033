"""Measures that this process found in earlier versions of a text, or in other texts, and that hold in the present one as they are.

A measure depends on its slice: on the statements that reach its variables, on what they read, on its own words, and on the constants that
these may name. Where all of that is equal, whatever else was edited, so is the number with its bounds, its formula and its notes. What has a place in the text
(statements that broke exactness) is never kept, nor is what the clock may have cut short.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from threading import Lock
from typing import TypeAlias

from seepage import exact
from seepage.data_classes import dataclass
from seepage.deadline import processor_seconds, watched
from seepage.engines.forward.class_widths import least_width
from seepage.engines.outcome import Budget
from seepage.measures.asking import Asking
from seepage.measures.evaluation import Evaluation
from seepage.measures.facts import LeakageRow
from seepage.measures.planning.table import row_of
from seepage.measures.program_meaning import Meaning, meaning_of, numbers_of
from seepage.measures.quantity import Quantity
from seepage.measures.result import Result
from seepage.measures.scope import Scope
from seepage.semantics.checked import Domain
from seepage.semantics.core import CoreObserve, CoreProgram
from seepage.semantics.measure_names import names_in
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import names_read, walk
from seepage.syntax.tree import MeasureCall

Key: TypeAlias = tuple[object, ...]

# Measures of the joint distribution of what they name. The others may look at the whole program: at noise and where it comes from.
_KEPT = 512
_TABLE_SECONDS = 1.0  # a table that takes longer may have met one of its own limits
_SHARE = 0.5  # of the time given, after which the clock may have cut a bound short


@dataclass(frozen=True, slots=True)
class _Kept:
    """A quantity, or the rows of a table each with the number of its secret, and the names that must be taken for it to hold: none if no
    formula of it gives names, which others forbid.
    """

    value: Quantity | tuple[tuple[int, LeakageRow], ...]
    names: frozenset[str]


_known: dict[Key, _Kept] = {}
_one_at_a_time = Lock()


def reused(evaluation: Evaluation, call: MeasureCall, compute: Callable[[], Quantity]) -> Quantity:
    """Return a measure that was found for an equal slice, or what ``compute`` finds, which is kept for others."""
    if (
        not evaluation.inquiry.memory.reuse or evaluation.scope.core.rounds
    ):  # statements do not say how often they count
        return compute()
    key, taken = _key_of(evaluation, call), _taken(evaluation.scope)
    found = _found(key)
    if isinstance(found, _Kept) and isinstance(found.value, Quantity) and found.names in (frozenset(), taken):
        return found.value
    given = _left(evaluation.inquiry.budget)
    with watched() as watch:
        quantity = compute()
    if not watch.cut and _in_time(given, evaluation.inquiry.budget):
        if quantity.search is not None:
            evaluation.inquiry.memory.later.kept[call, evaluation.unit] = key
        else:
            _keep_quantity(key, quantity, taken)
    return quantity


def remember(evaluation: Evaluation, call: MeasureCall, quantity: Quantity) -> None:
    """Keep a measure for which :func:`reused` had no formula yet."""
    _keep_quantity(
        evaluation.inquiry.memory.later.kept.get((call, evaluation.unit)), quantity, _taken(evaluation.scope)
    )


def _keep_quantity(key: Key | None, quantity: Quantity, taken: frozenset[str]) -> None:
    if key is not None and not quantity.because:
        names_given = quantity.formula is not None and bool(quantity.formula.definitions)
        _keep(key, _Kept(quantity, taken if names_given else frozenset()))


def _key_of(evaluation: Evaluation, call: MeasureCall) -> Key | None:
    # All that an evaluation holds: a setting that it gets one day counts without being named here.
    settings = (getattr(evaluation, one.name) for one in fields(evaluation) if one.name not in ("inquiry", "domains"))
    names = tuple(dict.fromkeys(name for _, name in names_in(call)))
    whole = not row_of(call).is_of_a_joint
    how = ("measure", call, *settings)
    return _key(how, evaluation.scope, names, evaluation.domains, evaluation.inquiry.budget, whole=whole)


def reused_table(asking: Asking, compute: Callable[[], tuple[LeakageRow, ...]]) -> tuple[LeakageRow, ...]:
    """Return a leakage table that was found for equal slices of its secrets and outputs, its rows where these are declared now, or compute it.

    One whose formulas are still to be found is kept by :func:`kept_table`, once they are.
    """
    if not asking.memory.reuse or asking.method is not None:
        return compute()
    secrets, key = asking.checked.symbols.secrets, _key_of_table(asking)
    found = _found(key)
    if (
        isinstance(found, _Kept)
        and isinstance(found.value, tuple)
        and found.names in (frozenset(), _taken(asking.scope()))
    ):
        params = {name: exact.show(number) for name, number in asking.parameters.items()}
        return tuple(replace(_under(row, params), span=secrets[of].span) for of, row in found.value)
    given, started = _left(asking.budget), processor_seconds()
    with watched() as watch:
        rows = compute()
    if not watch.cut and _in_time(given, asking.budget) and processor_seconds() - started < _TABLE_SECONDS:
        asking.memory.later.tables.add(asking.unit)
        if not asking.memory.later.defers:
            kept_table(asking, rows)
    return rows


def kept_table(asking: Asking, rows: tuple[LeakageRow, ...]) -> tuple[LeakageRow, ...]:
    """Keep a leakage table for other texts, if it was computed quickly enough, and return it."""
    results = [result for row in rows for result in _results(row)]
    key = _key_of_table(asking) if asking.memory.reuse and asking.unit in asking.memory.later.tables else None
    if key is not None and not any(result.because for result in results):
        places = {symbol.span: number for number, symbol in enumerate(asking.checked.symbols.secrets)}
        gives = any(result.formula is not None and result.formula.definitions for result in results)
        kept = tuple((places[row.span], row) for row in rows)
        _keep(key, _Kept(kept, _taken(asking.scope()) if gives else frozenset()))
    return rows


def _key_of_table(asking: Asking) -> Key | None:
    symbols = asking.checked.symbols
    secrets, outputs = ([symbol.name for symbol in of] for of in (symbols.secrets, symbols.outputs))
    domains = {name: symbol.domain for name, symbol in symbols.params.items() if symbol.domain is not None}
    names = tuple(dict.fromkeys(name.split("[")[0] for name in (*secrets, *outputs)))
    how = ("table", asking.unit, tuple(secrets), tuple(outputs))
    return _key(how, asking.scope(), names, domains, asking.budget, whole=False)


def forget() -> None:
    """Forget all measures."""
    with _one_at_a_time:
        _known.clear()


def _found(key: Key | None) -> _Kept | None:
    with _one_at_a_time:
        return None if key is None else _known.get(key)


def _keep(key: Key, kept: _Kept) -> None:
    with _one_at_a_time:
        _known.pop(key, None)
        while len(_known) >= _KEPT:
            del _known[next(iter(_known))]
        _known[key] = kept


def _left(budget: Budget) -> float:
    return math.inf if budget.deadline is None else budget.deadline.left()


def _in_time(given: float, budget: Budget) -> bool:
    """Tell whether a computation that ends now took no more than its share of the seconds that it was given."""
    return math.isinf(given) or _left(budget) > (1 - _SHARE) * given


def _taken(scope: Scope) -> frozenset[str]:
    """Return the names that formulas may not give."""
    return frozenset(scope.taken)


def _results(row: LeakageRow) -> Iterator[Result]:
    for part in (row, row.worst, row.least_left):
        if part is not None:
            yield from (value for one in fields(part) if isinstance(value := getattr(part, one.name), Result))


def _under(row: LeakageRow, params: Mapping[str, str]) -> LeakageRow:
    """Return a row whose results say other values of the parameters, on none of which they depend where these differ."""

    def told(result: Result | None) -> Result | None:
        return None if result is None else replace(result, params=params)

    worst, least = row.worst, row.least_left
    return replace(
        row,
        information=told(row.information),
        percent=told(row.percent),
        guess_before=told(row.guess_before),
        guess_after=told(row.guess_after),
        worst=None if worst is None else replace(worst, divergence=replace(worst.divergence, params=params)),
        least_left=None if least is None else replace(least, entropy=replace(least.entropy, params=params)),
    )


# --- what a measure depends on ----------------------------------------------------------------------------------------


def _key(
    how: Key, scope: Scope, names: Sequence[str], domains: Mapping[str, Domain], budget: Budget, *, whole: bool
) -> Key | None:
    """Return all that a measure of some names depends on; None if it asks for what is not there.

    Args:
        how: the measure and all that is no part of the program.
        scope: the meaning of names.
        names: those in the measure.
        domains: of the parameters.
        budget: its limits count, its deadline does not.
        whole: whether the measure looks at more of the program than the slice of its names.
    """
    core = scope.core
    plain = [name for name in names if name not in scope.constants and name not in core.parameters]
    try:
        elements = tuple((name, core.elements(name)) for name in plain)
    except ValueError:
        return None
    asked = tuple(dict.fromkeys(element for _, found in elements for element in found))
    # Classes of huge ranges are tried where such a range stands anywhere, and formulas say where all observations can pass.
    sliced = slice_program(core, asked)
    huge = bool(least_width(core.statements, scope.parameters))
    whole = whole or huge or _observations(sliced) != _observations(core)
    meant = meaning_of(core) if whole else _meaning_of_slice(core, sliced, plain)
    read = {*names_read(sliced.statements), *names}
    counted = [name for name in core.parameters if whole or name in read]
    return (
        *how,
        replace(budget, deadline=None),
        tuple(sorted(scope.constants.items(), key=_first)),  # all: measures may read them anywhere, and few are edited
        tuple((name, scope.parameters.get(name), domains.get(name)) for name in counted),
        elements,
        whole,
        meant,
    )


def _meaning_of_slice(core: CoreProgram, sliced: CoreProgram, plain: Sequence[str]) -> Meaning:
    """Return what a measure of some names depends on where that is their slice."""
    bases = {name.split("[")[0] for name in (*sliced.variables, *plain)}
    return (
        core.parameters,
        tuple(sorted(core.written_twice)),
        tuple((name, indices) for name, indices in sorted(core.arrays.items()) if name in bases),
        tuple((name, meant) for name, meant in sorted(core.aliases.items()) if name.split("[")[0] in bases),
        numbers_of(sliced.statements),
    )


def _first(pair: tuple[str, object]) -> str:
    return pair[0]


def _observations(core: CoreProgram) -> int:
    return sum(isinstance(each, CoreObserve) for each in walk(core.statements))
