"""Fixes that need the whole file: where to declare a missing name, assign one that is read too early, or ask in place of observing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from seepage import rules
from seepage.diagnostics import Cause, Diagnostic, Edit, Fix
from seepage.semantics.checked import Symbols
from seepage.semantics.evaluate import spelled
from seepage.semantics.expressions import without_parentheses
from seepage.semantics.removal import remove
from seepage.source import SourceFile, Span
from seepage.syntax.tree import (
    Argument,
    Assign,
    Binary,
    Expression,
    Family,
    For,
    Item,
    Module,
    Number,
    Observe,
    Param,
    Placed,
    Sample,
    Unary,
    array_of,
    blocks_of,
    start_of,
)


def mended(finding: Diagnostic, tree: Module, symbols: Symbols, source: SourceFile) -> Diagnostic:
    """Return a finding with the fixes that its place in the file allows; one that has fixes already keeps those.

    None of them is applied unasked: which one is meant only the author knows.
    """
    if finding.fixes:
        return finding
    match finding.rule.code:
        case rules.UNKNOWN_NAME.code:
            fixes = _declared(finding, tree, source)
        case rules.READ_BEFORE_ASSIGNMENT.code:
            fixes = _assigned(finding, tree, symbols, source)
        case rules.OBSERVED_OUTPUT.code:
            fixes = _asked(finding, tree, symbols, source)
        case rules.NOT_STATIC.code:
            fixes = _made_constant(finding, tree, symbols)
        case rules.CANNOT_ASSIGN.code:
            fixes = _undeclared(finding, tree, source)
        case rules.EQUALITY_OF_CONTINUOUS.code:
            fixes = _whole_numbers(finding, tree)
        case _:
            return finding
    return replace(finding, fixes=fixes) if fixes else finding


def _undeclared(finding: Diagnostic, tree: Module, source: SourceFile) -> tuple[Fix, ...]:
    """Remove the declaration of a parameter that is drawn or assigned: as in Stan, where what is drawn is declared, too."""
    declared = [_item_at(tree, label.span) for label in finding.labels]
    spans = [each.span for each in declared if isinstance(each, Placed) and isinstance(each.node, Param)]
    return (remove("remove the declaration of the parameter", spans, source.text),) if spans else ()


def _whole_numbers(finding: Diagnostic, tree: Module) -> tuple[Fix, ...]:
    """Draw whole numbers where all that an equality compares is drawn from intervals between whole numbers: such values can be equal."""
    edits: dict[Span, str] = {}
    for label in finding.labels:
        item = _innermost_at(tree.items, label.span)
        match item:
            case Placed(
                node=Sample(distribution=Family("uniform", (Argument(value=low), Argument(value=high))) as law)
            ):
                if not (_is_whole(low) and _is_whole(high)):
                    return ()
                edits[law.name_span.shift(item.start)] = f"uniform_int({spelled(low)}, {spelled(high)})"
            case _:
                return ()
    changes = tuple(Edit(place, "uniform_int") for place in edits)
    return (Fix(f"draw whole numbers: '{next(iter(edits.values()))}'", changes),) if edits else ()


def _is_whole(value: Expression) -> bool:
    match value:
        case Number(number):
            return number.denominator == 1
        case Unary("-", Number(number)):
            return number.denominator == 1
        case _:
            return False


def _innermost_at(items: Sequence[Item], span: Span) -> Item | None:
    """Return the statement at a place, looking into blocks."""
    found = bisect_right(items, span.start, key=start_of) - 1
    item = items[found] if found >= 0 else None
    match item:
        case None | Placed():
            return item
        case For(block=block):
            return _innermost_at(block.items, span)
        case _:
            inner = [block for block in blocks_of(item) if block.span.start <= span.start <= block.span.end]
            return _innermost_at(inner[0].items, span) if inner else None


def _declared(finding: Diagnostic, tree: Module, source: SourceFile) -> tuple[Fix, ...]:
    """Declare a name as a parameter, at the top of the file, or assign it before the statement that reads it."""
    name, item = source[finding.span], _item_at(tree, finding.span)
    if not name.isidentifier() or item is None or finding.cause is Cause.LOOP_OUTSIDE:
        return ()
    parameter = Fix(f"declare 'param {name}'", (Edit(Span(0, 0), f"param {name}\n"),), automatic=False)
    start = start_of(item)
    variable = Fix(f"assign '{name} := 0' before", (Edit(Span(start, start), f"{name} := 0\n"),), automatic=False)
    return (parameter,) if isinstance(item, Placed) and not _is_statement(item) else (parameter, variable)


def _assigned(finding: Diagnostic, tree: Module, symbols: Symbols, source: SourceFile) -> tuple[Fix, ...]:
    """Assign the 0 that a variable has before its first assignment, before the outermost statement that reads it."""
    name, item = source[finding.span], _item_at(tree, finding.span)
    variable = symbols.variables.get(name)
    if item is None or variable is None or variable.is_array:
        return ()
    if any(array_of(one.name) == name for one in symbols.secrets):
        return ()  # the assignment would be the secret, or a second one of it
    start = start_of(item)
    return (Fix(f"assign '{name} := 0' before", (Edit(Span(start, start), f"{name} := 0\n"),), automatic=False),)


def _asked(finding: Diagnostic, tree: Module, symbols: Symbols, source: SourceFile) -> tuple[Fix, ...]:
    """Remove the observation of an output, or ask about a secret given what is observed."""
    item = _item_at(tree, finding.span)
    if not (isinstance(item, Placed) and isinstance(item.node, Observe)):
        return ()
    gone = remove("remove the observation", (item.span,), source.text)
    condition = without_parentheses(item.node.condition)
    if not symbols.secrets or not (isinstance(condition, Binary) and condition.operator == "=="):
        return (gone,)
    shown = f"show H({symbols.secrets[0].name} | {spelled(condition)})"
    return (gone, Fix(f"ask '{shown}' instead", (Edit(item.span, shown),), automatic=False))


def _made_constant(finding: Diagnostic, tree: Module, symbols: Symbols) -> tuple[Fix, ...]:
    """Declare a parameter that stands where a number must be known before the run as a constant of its default."""
    symbol = symbols.params.get(finding.subject) if finding.cause is Cause.PARAMETER else None
    item = None if symbol is None else _item_at(tree, symbol.span)
    if symbol is None or not (
        isinstance(item, Placed) and isinstance(item.node, Param) and item.node.default is not None
    ):
        return ()
    constant = f"const {symbol.name} = {spelled(item.node.default)}"
    return (Fix(f"declare '{constant}'", (Edit(item.span, constant),), automatic=False),)


def _item_at(tree: Module, span: Span) -> Item | None:
    """Return the outermost statement or declaration that holds a place."""
    found = bisect_right(tree.items, span.start, key=start_of) - 1
    return tree.items[found] if found >= 0 and span.end <= tree.items[found].span.end else None


def _is_statement(item: Placed) -> bool:
    return isinstance(item.node, Assign | Sample | Observe)
