"""The names in ``show`` and ``require``: what they must be, and which ranges a budget needs; and their units, which are known before any number is.

The unit of a measure is a power of bits or nats: 1 for entropies and informations, 0 for chances, means and variances. Combinations follow the rules of
dimensions; a static number takes the unit of what it is added to. Measures in natural units are left to the analysis.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum, auto
from typing import Literal, TypeAlias, assert_never

from seepage import rules
from seepage.diagnostics import Diagnostic, Edit, Fix, Label
from seepage.exact import CannotDecide, compare
from seepage.semantics.calls import check_function
from seepage.semantics.checked import Domain, RequireSymbol, ShowSymbol, Symbols
from seepage.semantics.declarations import described_domain, interval_value
from seepage.semantics.expressions import nodes, plain_names
from seepage.semantics.nearest import nearest, respelled
from seepage.source import Span
from seepage.syntax import walk
from seepage.syntax.tree import (
    Call,
    Expression,
    GainName,
    GainTable,
    Index,
    MeasureArithmetic,
    MeasureCall,
    MeasureExpression,
    MeasureNegation,
    MeasureOptimum,
    MetricName,
    MetricTable,
    Name,
    NeighbourTable,
    Range,
)
from seepage.syntax.vocabulary.measures import MEASURES

_POWERS: Mapping[str, int] = {
    name: 1 if word.unit == "information" else 0 for name, word in MEASURES.items() if word.unit != "natural"
}


class _Other(Enum):
    STATIC = auto()
    UNKNOWN = auto()


_Power: TypeAlias = int | Literal[_Other.STATIC, _Other.UNKNOWN]


def _check_units(symbol: ShowSymbol | RequireSymbol) -> Iterator[Diagnostic]:
    """Yield what is surely wrong with the units of a ``show`` or ``require``: one fault, the first that the analysis would meet."""
    node = symbol.node
    found: list[Diagnostic] = []
    power = _power(node.measure, symbol.start, found)
    if found:
        yield found[0]
    elif isinstance(power, int) and power not in (0, 1):
        message = "found a product or quotient of units, expected one unit or none"
        yield Diagnostic(rules.UNITS_DO_NOT_FIT, node.measure.span.shift(symbol.start), message)
    elif power == 0 and node.unit is not None:
        yield _no_unit(symbol, node.unit)


def _no_unit(symbol: ShowSymbol | RequireSymbol, unit: str) -> Diagnostic:
    measure = symbol.node.measure
    what = f"'{measure.name}'" if isinstance(measure, MeasureCall) else "the measure"
    fixes: tuple[Fix, ...] = ()
    if isinstance(symbol, ShowSymbol):
        behind = Span(measure.span.shift(symbol.start).end, symbol.span.end)
        fixes = (Fix(f"remove 'in {unit}'", (Edit(behind, ""),), automatic=True),)
    return Diagnostic(
        rules.UNITS_DO_NOT_FIT, symbol.span, f"{what} has no unit: found {unit}, expected none", fixes=fixes
    )


def _power(measure: MeasureExpression, start: int, found: list[Diagnostic]) -> _Power:
    """Return the power of the unit in a measure; measures nest no deeper than the parser allows."""
    match measure:
        case MeasureCall(name=name):
            return _POWERS.get(name, _Other.UNKNOWN)
        case MeasureNegation(operand=operand) | MeasureOptimum(operand=operand):
            return _power(operand, start, found)
        case MeasureArithmetic(operator=operator, left=left, right=right):
            powers = _power(left, start, found), _power(right, start, found)
            return _combined(operator, *powers, measure.span.shift(start), found)
        case _:
            return _Other.STATIC


def _combined(operator: str, left: _Power, right: _Power, place: Span, found: list[Diagnostic]) -> _Power:
    if left is _Other.UNKNOWN or right is _Other.UNKNOWN or operator == "^":
        return _Other.STATIC if left is _Other.STATIC and right is _Other.STATIC else _Other.UNKNOWN
    if left is _Other.STATIC and right is _Other.STATIC:
        return _Other.STATIC
    if operator in ("+", "-"):
        if isinstance(left, int) and isinstance(right, int) and left != right:
            message = "found measures with different units, expected the same unit on both sides"
            found.append(Diagnostic(rules.UNITS_DO_NOT_FIT, place, message))
            return _Other.UNKNOWN
        return left if isinstance(left, int) else right
    one, other = (power if isinstance(power, int) else 0 for power in (left, right))
    return one + other if operator == "*" else one - other


def check_measures(symbols: Symbols) -> Iterator[Diagnostic]:
    """Yield what is wrong with names in all ``show`` and ``require`` declarations."""
    for shown in symbols.shows:
        yield from check_measure(shown.node.measure, shown.start, symbols)
        yield from _check_units(shown)
    for required in symbols.requires:
        yield from check_measure(required.node.measure, required.start, symbols)
        yield from _check_units(required)
        yield from _static(required.node.bound, required.start, symbols)
        yield from _ranges(required, symbols)


def check_measure(measure: MeasureExpression, start: int, symbols: Symbols) -> Iterator[Diagnostic]:
    """Yield what is wrong with the names of one measure (also of one typed on a command line, with ``start`` 0)."""
    stack: list[MeasureExpression] = [measure]
    while stack:
        node = stack.pop()
        match node:
            case MeasureCall():
                yield from _call(node, start, symbols)
            case MeasureArithmetic(left=left, right=right):
                stack.extend((right, left))
            case MeasureNegation(operand=operand) | MeasureOptimum(operand=operand):
                stack.append(operand)
            case _:
                yield from _static(node, start, symbols)


def names_in(measure: walk.Node) -> Iterator[tuple[Span, str]]:
    """Yield every name in a measure, or a part of one, with its place, relative to the piece: whatever part of it names it, gains and arguments included."""
    for node in walk.nodes(measure):
        if isinstance(node, Name):
            yield node.span, node.id
        elif isinstance(node, Index):
            yield node.name_span, node.array


def _call(call: MeasureCall, start: int, symbols: Symbols) -> Iterator[Diagnostic]:
    if MEASURES[call.name].is_of_value:
        for expression in call.left:
            yield from _expression(expression, start, symbols)
    else:
        for expression in (*call.left, *call.right):
            yield from _variable(expression, start, symbols)
    for condition in (*call.given, *call.right_given):
        alone = isinstance(condition, Name) and not MEASURES[call.name].is_of_value
        yield from (_variable if alone else _expression)(condition, start, symbols)
    numbers = (*(argument.value for argument in call.named), *_numbers_of(call.gain), *numbers_of_relation(call))
    for expression in numbers:
        yield from _static(expression, start, symbols)


def _numbers_of(gain: GainTable | GainName | None) -> tuple[Expression, ...]:
    """Return the expressions that a gain is written with, all of them static."""
    match gain:
        case GainName(arguments=arguments):
            return arguments
        case GainTable(entries=entries):
            return tuple(part for guess, value, number in entries for part in (*guess, *value, number))
        case None:
            return ()
        case _:
            assert_never(gain)


def numbers_of_relation(call: MeasureCall) -> tuple[Expression, ...]:
    """Return the expressions with which it is written which inputs are compared, all of them static."""
    match call.relation:
        case MetricTable(entries=entries):
            return tuple(part for one, other, distance in entries for part in (*one, *other, distance))
        case NeighbourTable(entries=pairs):
            return tuple(part for one, other in pairs for part in (*one, *other))
        case MetricName() | None:
            return ()
        case _:
            assert_never(call.relation)


def _variable(expression: Expression, start: int, symbols: Symbols) -> Iterator[Diagnostic]:
    """A bare name here is a variable or a whole array."""
    if isinstance(expression, Name):
        name, span = expression.id, expression.span.shift(start)
        if name in symbols.declarations:
            message = f"'{name}' is a known number: a measure speaks of variables"
            yield Diagnostic(rules.MALFORMED_MEASURE, span, message)
        elif name not in symbols.variables:
            yield _unknown(name, span, symbols)
        return
    yield from _expression(expression, start, symbols)


def _expression(expression: Expression, start: int, symbols: Symbols) -> Iterator[Diagnostic]:
    for node in nodes(expression):
        if isinstance(node, Call):
            yield from check_function(node, start)
        if not isinstance(node, Name | Index):
            continue
        name = node.id if isinstance(node, Name) else node.array
        span = (node.span if isinstance(node, Name) else node.name_span).shift(start)
        if name in symbols.declarations:
            if isinstance(node, Index):
                message = f"'{name}' is a known number, found with an index, expected an array"
                yield Diagnostic(rules.ARRAY_OR_NUMBER, span, message)
        elif name not in symbols.variables:
            yield _unknown(name, span, symbols)
        elif symbols.variables[name].is_array != isinstance(node, Index):
            found = "a number, found with an index, expected an array"
            if symbols.variables[name].is_array:
                found = f"an array: found all its elements, expected one number; write '{name}[…]'"
            yield Diagnostic(rules.ARRAY_OR_NUMBER, span, f"'{name}' is {found}")


def _static(expression: Expression, start: int, symbols: Symbols) -> Iterator[Diagnostic]:
    """A number in a measure expression or a budget is made of constants and parameters."""
    for node in nodes(expression):
        if isinstance(node, Call):
            yield from check_function(node, start)
    for place, name in names_in(expression):
        if name in symbols.declarations:
            continue
        span = place.shift(start)
        if name in symbols.variables:
            message = f"'{name}' is a variable: found a random value, expected numbers, constants and parameters"
            yield Diagnostic(rules.MALFORMED_MEASURE, span, message)
        else:
            yield _unknown(name, span, symbols)


def _unknown(name: str, span: Span, symbols: Symbols) -> Diagnostic:
    guess = nearest(name, [*symbols.variables, *symbols.declarations])
    hint = "no statement assigns it" if guess is None else f"did you mean '{guess}'?"
    return Diagnostic(rules.UNKNOWN_IN_MEASURE, span, f"unknown name '{name}': {hint}", fixes=respelled(span, guess))


# --- ranges -----------------------------------------------------------------------------------------------------------


def _ranges(required: RequireSymbol, symbols: Symbols) -> Iterator[Diagnostic]:
    node, start = required.node, required.start
    seen: dict[str, Span] = {}
    for one in node.ranges:
        span = one.name_span.shift(start)
        if one.name in seen:
            labels = (Label(seen[one.name], "given here first"),)
            message = f"the range of '{one.name}' is given twice"
            yield Diagnostic(rules.DUPLICATE_DECLARATION, span, message, labels=labels)
        seen[one.name] = span
        yield from _range(one, start, symbols)
    used = {*plain_names(node.bound), *(name for _, name in names_in(node.measure))}
    for name in sorted(used & symbols.params.keys() - seen.keys()):
        if symbols.params[name].default is None:
            message = f"parameter '{name}' has no default: give it one, or the budget a range 'over {name} in [a, b]'"
            labels = (Label(symbols.params[name].span, f"'{name}' is declared here"),)
            fixes = _ranged(required, name, symbols)
            yield Diagnostic(rules.PARAMETER_NEEDS_RANGE, required.span, message, labels=labels, fixes=fixes)


def _ranged(required: RequireSymbol, name: str, symbols: Symbols) -> tuple[Fix, ...]:
    """Return the fix that asks for all of a parameter's domain, if it has one."""
    domain = symbols.params[name].domain
    if domain is None:
        return ()
    written = f"{name} in {described_domain(domain)}"
    text = f", {written}" if required.node.ranges else f" over {written}"
    end = Span(required.span.end, required.span.end)
    return (Fix(f"require it for all of the domain: '{written}'", (Edit(end, text),), automatic=False),)


def _range(one: Range, start: int, symbols: Symbols) -> Iterator[Diagnostic]:
    name_span = one.name_span.shift(start)
    if one.name not in symbols.params:
        what = "is no parameter" if one.name in symbols.declarations or one.name in symbols.variables else "is unknown"
        guess = nearest(one.name, symbols.params)
        hint = "" if guess is None else f": did you mean '{guess}'?"
        message = f"'{one.name}' {what}, expected a parameter in a range{hint}"
        yield Diagnostic(rules.UNKNOWN_NAME, name_span, message, fixes=respelled(name_span, guess))
        return
    problems: list[Diagnostic] = []
    interval = interval_value(one.interval, start, symbols.consts, problems)
    yield from problems
    domain = symbols.params[one.name].domain
    if interval is not None and domain is not None and not _within(interval, domain):
        message = f"the range {described_domain(interval)} of '{one.name}' is not inside its domain {described_domain(domain)}"
        labels = (Label(symbols.params[one.name].span, "the domain is declared here"),)
        place, whole = one.interval.span.shift(start), described_domain(domain)
        fixes = (Fix(f"write the domain '{whole}'", (Edit(place, whole),), automatic=False),)
        yield Diagnostic(rules.RANGE_OUTSIDE_DOMAIN, place, message, labels=labels, fixes=fixes)


def _within(inner: Domain, outer: Domain) -> bool:
    try:
        if outer.low is not None:
            if inner.low is None:
                return False
            order = compare(inner.low, outer.low)
            if order < 0 or (order == 0 and inner.low_closed and not outer.low_closed):
                return False
        if outer.high is not None:
            if inner.high is None:
                return False
            order = compare(inner.high, outer.high)
            if order > 0 or (order == 0 and inner.high_closed and not outer.high_closed):
                return False
    except CannotDecide:
        return True
    return True
