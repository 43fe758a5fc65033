"""Symbols where numbers are needed: engines count with numbers only, so nobody behind the transformation could tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from seepage.diagnostics import Diagnostic
from seepage.exact.symbols import symbol_of
from seepage.rules import SYMBOL_AS_NUMBER
from seepage.syntax import walk
from seepage.syntax.data.table import Column
from seepage.syntax.fixes import shifted, shortened
from seepage.syntax.raw import Raw, RawCall, RawNamed, RawTuple, children
from seepage.syntax.tree import (
    Assign,
    Binary,
    Call,
    Cell,
    Conditional,
    Const,
    Distribution,
    Expression,
    Family,
    For,
    GainName,
    If,
    Index,
    Item,
    MeasureArithmetic,
    MeasureCall,
    MeasureNegation,
    MeasureOptimum,
    MetricName,
    Mixture,
    Module,
    Name,
    Number,
    Param,
    Parenthesized,
    Placed,
    Require,
    Sample,
    Table,
    Unary,
    While,
    blocks_of,
)
from seepage.syntax.vocabulary.measures import MEASURES
from seepage.word import Domain

_NEEDS_NUMBERS = frozenset(("+", "-", "*", "/", "%", "^", "<", "<=", ">", ">="))
_OF_VALUES = ("uniform_of", "attacker")  # laws whose arguments are the values that they may come to
_OF_MEANS = frozenset(name for name, word in MEASURES.items() if word.parameters[0].domain is Domain.EXPRESSION)
_MEASURES = (MeasureArithmetic, MeasureCall, MeasureNegation, MeasureOptimum)
_BY_DISTANCE = "distance"
_METRICS_OF_NUMBERS = ("difference", "euclid")
_A_SYMBOL = "this may be a symbol, which is no number"

Holders: TypeAlias = Mapping[str, str]
"""What is said of the variables and arrays that hold a symbol, or a missing cell, in some run, as far as the text tells; perhaps of more."""


def holders(module: Module) -> Holders:
    """Return the variables and arrays that may hold a symbol, each with a sentence about one. Missing cells are told where they are met."""
    found: dict[str, str] = {}
    while True:
        before = len(found)
        for name, values in assigned(module):
            for value in values:
                if name not in found and (note := _note(value, found)) is not None:
                    found[name] = note
        if len(found) == before:
            return found


def assigned(module: Module) -> Iterator[tuple[str, Sequence[Expression]]]:
    """Yield what statements write, an array by its own name, with the values that may be written, as far as they are written out."""
    for one in _leaves(module.items):
        match one.node:
            case Assign(target=target, value=value):
                yield target.array if isinstance(target, Index) else target.id, (value,)
            case Sample(target=target, distribution=distribution):
                yield target.array if isinstance(target, Index) else target.id, tuple(_values(distribution))
            case Const(name=name, value=value):
                yield name, (value,)
            case _:
                pass


def misused(module: Module, symbolic: Holders) -> Iterator[Diagnostic]:
    """Yield a finding for each place that takes a symbol for a number.

    Args:
        module: in the words of the core.
        symbolic: the variables that may hold symbols.
    """
    for start, root in _roots(module.items):
        for node in walk.nodes(root):
            if (place := _misuse(node, symbolic)) is not None:
                yield shifted(_told(place, symbolic), start)


def misused_in_measure(raw: Raw, symbolic: Holders) -> Diagnostic | None:
    """Return what is wrong with a measure that is typed by hand."""
    stack = [raw]
    while stack:
        node = stack.pop()
        if (place := _misuse_in_measure(node, symbolic)) is not None:
            return _told(place, symbolic)
        stack.extend(children(node))
    return None


def _told(place: Expression | Raw, symbolic: Holders) -> Diagnostic:
    return Diagnostic(SYMBOL_AS_NUMBER, place.span, _note(place, symbolic) or _A_SYMBOL)


def _leaves(items: Sequence[Item]) -> Iterator[Placed]:
    for item in items:
        match item:
            case Placed():
                yield item
            case _:
                for block in blocks_of(item):
                    yield from _leaves(block.items)


def _roots(items: Sequence[Item]) -> Iterator[tuple[int, walk.Node]]:
    """Yield statements, and what headers ask, with where they stand."""
    for item in items:
        match item:
            case Placed(node=node, start=start):
                yield start, node
            case If(arms, otherwise):
                for arm in arms:
                    yield arm.start, arm.condition
                    yield from _roots(arm.block.items)
                if otherwise is not None:
                    yield from _roots(otherwise.items)
            case For(low=low, high=high, block=block, start=start):
                yield start, low
                yield start, high
                yield from _roots(block.items)
            case While(arm=arm):
                yield arm.start, arm.condition
                for block in blocks_of(item):
                    yield from _roots(block.items)


def _values(distribution: Distribution) -> Iterator[Expression]:
    """Yield what a draw may come to, as far as it is written out."""
    match distribution:
        case Family(name=name, arguments=arguments) if name in _OF_VALUES:
            yield from (one.value for one in arguments)
        case Table(entries=entries):
            yield from (value for value, _ in entries)
        case Mixture(parts=parts):
            for _, part in parts:
                yield from _values(part)
        case _:
            pass


def _note(node: Expression | Raw, symbolic: Holders) -> str | None:
    """Return what is said of a value that may be a symbol, None of any other."""
    match node:
        case Number(value=value):
            return None if symbol_of(value) is None else _A_SYMBOL
        case Cell(draw=draw, column=named):
            table, column = draw.table, draw.table.by_name[named]
            is_symbols = column.kind == "symbols"
            return f"'{column.name}' in '{table.named}' holds symbols{why_symbols(column)}" if is_symbols else None
        case Name(id=name) | Index(array=name):
            return symbolic.get(name)
        case Parenthesized(inner=inner):
            return _note(inner, symbolic)
        case Conditional(consequent=first, alternative=second):
            return _note(first, symbolic) or _note(second, symbolic)
        case _:
            return None


def why_symbols(column: Column) -> str:
    """Return why a column holds symbols, as the end of a sentence that says so; nothing for other columns, and where the file itself says it."""
    cell = column.not_a_number
    if cell is None:
        return ""
    return f", since '{shortened(cell.text)}' (line {cell.line:,}) is no number{cell.to_change}"


def needing_numbers(node: walk.Node | Raw) -> Sequence[Expression | Raw]:
    """Return the parts of a node that must be numbers."""
    match node:
        case Binary(operator=operator, left=left, right=right) if operator in _NEEDS_NUMBERS:
            return (left, right)
        case Unary(operator="-", operand=operand):
            return (operand,)
        case Call(function=name, arguments=arguments):
            return arguments if name not in MEASURES or name in _OF_MEANS else ()
        case Family(name=name, arguments=arguments) if name not in _OF_VALUES:
            return [one.value for one in arguments]
        case Param(domain=domain, default=default):
            ends = () if domain is None else (domain.low, domain.high)
            return ends if default is None else (*ends, default)
        case Require(bound=bound):
            return (bound,)
        case MeasureArithmetic(left=left, right=right):
            return [one for one in (left, right) if not isinstance(one, _MEASURES)]
        case MeasureNegation(operand=operand) if not isinstance(operand, _MEASURES):
            return (operand,)
        case MeasureCall(name=name, left=left):
            return left if name in _OF_MEANS or is_by_distance(node) else ()
        case RawCall(name=token, groups=groups) if token.value in _OF_MEANS:
            return groups[0]
        case _:
            return ()


def is_by_distance(call: MeasureCall) -> bool:
    """Tell whether a measure asks how far values are from each other."""
    gain, relation = call.gain, call.relation
    if isinstance(gain, GainName) and gain.name == _BY_DISTANCE:
        return True
    if relation is None:
        return any(one.name == _BY_DISTANCE for one in call.named)
    return isinstance(relation, MetricName) and relation.name in _METRICS_OF_NUMBERS


def _misuse(node: walk.Node | Raw, symbolic: Holders) -> Expression | Raw | None:
    """Return what may be a symbol where a node needs a number."""
    return next((one for one in needing_numbers(node) if _note(one, symbolic) is not None), None)


def _misuse_in_measure(node: Raw, symbolic: Holders) -> Expression | Raw | None:
    match node:
        case Call(function=name, arguments=arguments) if name in MEASURES:
            groups: Sequence[Sequence[Raw]] = (arguments,)
        case RawCall(name=token, groups=groups) if token.value in MEASURES:
            name = token.value
        case _:
            return _misuse(node, symbolic)
    named = [one for group in groups for one in group if isinstance(one, RawNamed)]
    metric = next((one.value for one in named if one.name.value == "metric"), None)
    by_distance = metric is None and any(one.name.value == _BY_DISTANCE for one in named)
    by_distance = by_distance or (isinstance(metric, Name) and metric.id in _METRICS_OF_NUMBERS)
    by_distance = by_distance or any(
        isinstance(one, Name) and one.id == _BY_DISTANCE for group in groups[1:] for one in group
    )
    if name not in _OF_MEANS and not by_distance:
        return None
    asked = (
        [part for one in groups[0] for part in (one.items if isinstance(one, RawTuple) else (one,))] if groups else []
    )
    return next((one for one in asked if _note(one, symbolic) is not None), None)
