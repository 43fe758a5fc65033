"""Ranges of parameters that stand in comparisons, cut at the break points: on each part all comparisons have one outcome in each run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from seepage.diagnostics import Fault
from seepage.engines.forward.polynomials import NoPolynomial
from seepage.exact import Number
from seepage.measures.asking import Asking
from seepage.measures.call_parts import condition_of, event_of
from seepage.measures.formulas.closed_form import watched
from seepage.measures.formulas.guards import NotByCases, cases_of, rewritten, what_matters
from seepage.measures.formulas.substitution import substituted_parameters
from seepage.measures.joints import observing
from seepage.measures.planning.table import row_of
from seepage.measures.ranges.required import Requirement
from seepage.measures.scope import Scope, core_expression, is_plain, variables
from seepage.semantics.checked import Domain, RequireSymbol
from seepage.semantics.core import CoreAssign, CoreProgram
from seepage.semantics.expressions import plain_names
from seepage.syntax.tree import (
    Binary,
    Call,
    Conditional,
    Expression,
    MeasureArithmetic,
    MeasureCall,
    MeasureExpression,
    MeasureNegation,
    MeasureOptimum,
    Name,
)

_MOST = 64

_Cell: TypeAlias = tuple[CoreProgram, Mapping[str, Domain]]


def cells_of(required: Requirement) -> list[Requirement] | None:
    """Return a budget on parts of its ranges, each of a program without comparisons of parameters that means the same there; None for no such parts.

    Events, and expressions whose value is asked, are statements of these programs.
    """
    try:
        asking, symbol = _with_statements(required.asking, required.symbol)
        ranges = required.ranges
        scope = asking.scope(symbol.start)
        names = tuple(dict.fromkeys(_asked_names(scope, symbol.node.measure)))
        core = rewritten(asking.core, lambda node: _without_extremes(node, asking.core))
        passing = watched(core)
        entered = {
            *substituted_parameters(core, names),
            *(() if passing is None else substituted_parameters(passing)),
        }
        entering = [name for name in ranges if name in entered]
        if not entering:
            return None
        cells = _cells(asking, what_matters(core, names), ranges, entering)
    except (NotByCases, NoPolynomial, Fault):
        return None
    return [Requirement(replace(asking, core=core), symbol, inside, required.judge) for core, inside in cells]


def _cells(asking: Asking, core: CoreProgram, ranges: Mapping[str, Domain], entering: Sequence[str]) -> list[_Cell]:
    """Cut ranges along parameters, in an order in which no cut depends on a parameter that is not cut yet: it may be another at other values.

    Raises:
        NotByCases: if there is no such order, or there are too many parts.
        NoPolynomial: if the program cannot be run symbolically.
        Fault: if a run fails.
    """
    fixed = {name: value for name, value in asking.parameters.items() if name not in ranges}
    cells: list[_Cell] = [(core, ranges)]
    waiting = list(entering)
    while waiting:
        for name in waiting:
            try:
                cut = [part for core, inside in cells for part in _cut(core, name, inside, fixed, asking)]
            except NotByCases:
                continue
            cells = cut
            waiting.remove(name)
            break
        else:
            raise NotByCases
        if len(cells) > _MOST:
            raise NotByCases
    return cells


def _without_extremes(node: Expression, core: CoreProgram) -> Expression:
    """Return ``min`` and ``max`` of parameters as comparisons."""
    match node:
        case Call(function="min" | "max" as function, arguments=(first, *others)) if set(plain_names(node)) <= set(
            core.parameters
        ):
            for other in others:
                arms = (first, other) if function == "min" else (other, first)
                first = Conditional(Binary("<", first, other, node.span), *arms, node.span)
            return first
        case _:
            return node


def _with_statements(asking: Asking, symbol: RequireSymbol) -> tuple[Asking, RequireSymbol]:
    """Return a program that observes the event of a measure and assigns the expressions that it asks for, and the measure without them.

    Where measures are combined, those with an event stay as they are: the others are not under it.
    """
    measure, scope = symbol.node.measure, asking.scope(symbol.start)
    core = asking.core
    if isinstance(measure, MeasureCall) and measure.given:
        event = None
        if row_of(measure).is_of_value:
            event = event_of(scope, measure, measure.given)
        elif row_of(measure).is_of_entropies:
            _, event = condition_of(scope, measure)
        if event is not None:
            core, measure = observing(scope, event), replace(measure, given=())
    values: list[CoreAssign] = []
    measure = _naming(scope, measure, values)
    ghosts = tuple(each.target.id for each in values if isinstance(each.target, Name))
    core = replace(core, statements=(*core.statements, *values), variables=(*core.variables, *ghosts))
    return replace(asking, core=core), replace(symbol, node=replace(symbol.node, measure=measure))


def _naming(scope: Scope, measure: MeasureExpression, values: list[CoreAssign]) -> MeasureExpression:
    """Return a measure that asks for variables in place of expressions, and add their assignments."""
    match measure:
        case MeasureCall(left=(expression,), given=()) if row_of(measure).is_of_value:
            place = expression.span.shift(scope.offset)
            ghost = f"value{len(values)}@asked"
            values.append(CoreAssign(Name(ghost, place), core_expression(scope, expression), place))
            return replace(measure, left=(Name(ghost, expression.span),))
        case MeasureNegation(operand=operand) | MeasureOptimum(operand=operand):
            return replace(measure, operand=_naming(scope, operand, values))
        case MeasureArithmetic(left=left, right=right):
            return replace(measure, left=_naming(scope, left, values), right=_naming(scope, right, values))
        case _:
            return measure


def _cut(
    core: CoreProgram, name: str, ranges: Mapping[str, Domain], at: Mapping[str, Number], asking: Asking
) -> Iterator[_Cell]:
    for decided, domain in cases_of(core, name, ranges[name], at, asking.budget):
        yield decided, {**ranges, name: domain}


def _asked_names(scope: Scope, measure: MeasureExpression) -> Iterator[str]:
    """Yield the variables of a measure, but those of events."""
    match measure:
        case MeasureCall():
            for part in (measure.left, measure.right, measure.given, measure.right_given):
                plain = tuple(each for each in part if is_plain(scope, each))
                yield from variables(scope, plain) if len(plain) == len(part) else scope.core.variables
        case MeasureNegation(operand=operand) | MeasureOptimum(operand=operand):
            yield from _asked_names(scope, operand)
        case MeasureArithmetic(left=left, right=right):
            yield from _asked_names(scope, left)
            yield from _asked_names(scope, right)
        case _:
            pass
