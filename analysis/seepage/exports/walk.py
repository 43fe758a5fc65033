"""What statements write, and the symbols in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seepage.exact.symbols import symbol_of
from seepage.exports.plain import Plain
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreSample, CoreStatement, CoreWhile
from seepage.semantics.expressions import arguments_of, nodes
from seepage.syntax.tree import Expression, Name, Number


def every(statements: Sequence[CoreStatement]) -> Iterator[CoreStatement]:
    """Yield statements and those in them."""
    for one in statements:
        yield one
        match one:
            case CoreIf(_, consequent, alternative):
                yield from every(consequent)
                yield from every(alternative)
            case CoreWhile(_, body):
                yield from every(body)


def written(statements: Sequence[CoreStatement]) -> list[str]:
    """Return the variables that statements write, in order."""
    found = [
        one.target.id
        for one in every(statements)
        if isinstance(one, CoreAssign | CoreSample) and isinstance(one.target, Name)
    ]
    return list(dict.fromkeys(found))


def symbols_of(program: Plain) -> list[str]:
    """Return the symbols of a program, in order."""
    found = [
        symbol
        for one in every(program.statements)
        for expression in _expressions(one)
        for each in nodes(expression)
        if isinstance(each, Number) and (symbol := symbol_of(each.value)) is not None
    ]
    return list(dict.fromkeys(found))


def _expressions(one: CoreStatement) -> Iterator[Expression]:
    match one:
        case CoreAssign(_, value):
            yield value
        case CoreSample(_, law):
            yield from arguments_of(law)
        case CoreObserve(condition) | CoreIf(condition) | CoreWhile(condition):
            yield condition
        case _:
            return
