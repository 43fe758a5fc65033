"""Variables that the core program keeps for its own use: the first value of a secret, and how often one was assigned.

``s@initial`` holds the value of the first assignment of ``s`` on each path, ``s@assigned`` whether there was one (where that is not static),
``s@writes`` how many assignments there were, at most 2. No name of a program holds an ``@``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from enum import IntEnum
from fractions import Fraction

from seepage.semantics.core import CoreAssign, CoreIf, CoreLocal, CoreSample, CoreStatement, CoreWhile
from seepage.semantics.expressions import nodes
from seepage.semantics.statements import walk
from seepage.source import Span
from seepage.syntax.tree import Binary, Call, Expression, Index, Name, Number

Statements = tuple[CoreStatement, ...]
Arrays = Mapping[str, tuple[int, ...]]


class _Written(IntEnum):
    """Whether a variable was assigned on the paths that lead to a place."""

    NEVER = 0
    PERHAPS = 1
    ALWAYS = 2


def with_initial_values(
    statements: Statements, variables: Iterable[str], arrays: Arrays
) -> tuple[Statements, dict[str, str]]:
    """Keep the value of the first assignment of each variable; return the statements and ``{s: s@initial}``."""
    aliases = {variable: f"{variable}@initial" for variable in variables}
    undecided: set[str] = set()

    def note(variable: str, written: _Written, _: Expression | None, __: Span) -> Statements:
        if written is _Written.PERHAPS:
            undecided.add(variable)
        return ()

    def keep(variable: str, written: _Written, picked: Expression | None, span: Span) -> Statements:
        first: Statements = (CoreAssign(Name(aliases[variable], span), Name(variable, span), span),)
        if variable in undecided:
            first += (CoreAssign(Name(f"{variable}@assigned", span), Number(Fraction(1), span), span),)
        condition = picked
        if written is _Written.PERHAPS:
            unassigned = Binary("==", Name(f"{variable}@assigned", span), Number(Fraction(0), span), span)
            condition = unassigned if picked is None else Binary("and", picked, unassigned, span)
        return first if condition is None else (CoreIf(condition, first, (), span),)

    def insert(add: Callable[[str, _Written, Expression | None, Span], Statements]) -> Statements:
        return _after_writes(statements, dict.fromkeys(aliases, _Written.NEVER), arrays, add)[0]

    insert(note)
    return insert(keep), aliases


def with_counters(
    statements: Statements, variables: Iterable[str], arrays: Arrays
) -> tuple[Statements, tuple[str, ...]]:
    """Count the assignments of those variables that some path of the text assigns twice; return the statements and the counters."""
    again: set[str] = set()

    def note(variable: str, written: _Written, _: Expression | None, __: Span) -> Statements:
        if written is not _Written.NEVER:
            again.add(variable)
        return ()

    def count(variable: str, _: _Written, picked: Expression | None, span: Span) -> Statements:
        counter = Name(f"{variable}@writes", span)
        one: Expression = Number(Fraction(1), span) if picked is None else picked
        most = Call("min", (Number(Fraction(2), span), Binary("+", counter, one, span)), span, span)
        return (CoreAssign(counter, most, span),)

    order = tuple(variables)
    _after_writes(statements, dict.fromkeys(order, _Written.NEVER), arrays, note, every=True)
    counted = tuple(variable for variable in order if variable in again)
    result, _ = _after_writes(statements, dict.fromkeys(counted, _Written.NEVER), arrays, count, every=True)
    return result, tuple(f"{variable}@writes" for variable in counted)


def _after_writes(
    statements: Statements,
    written: dict[str, _Written],
    arrays: Arrays,
    add: Callable[[str, _Written, Expression | None, Span], Statements],
    every: bool = False,
) -> tuple[Statements, dict[str, _Written]]:
    """Insert what ``add`` says after each assignment of the variables in ``written``.

    Args:
        statements: to rewrite.
        written: how far each variable is assigned before them.
        arrays: elements of each array, for random targets.
        add: gets the variable, how far it was assigned before, for a random target the condition that the index picks it,
            and the place of the assignment.
        every: also after assignments of a variable that is always assigned already.

    Returns:
        The statements, and how far each variable is assigned after them.
    """
    if not written:
        return statements, written
    written = dict(written)
    result: list[CoreStatement] = []
    for statement in statements:
        if isinstance(statement, CoreIf):
            touched = {
                variable: written[variable] for variable in _written_inside(statement, arrays) if variable in written
            }
            if not touched:
                result.append(statement)
                continue
            consequent, after_then = _after_writes(statement.consequent, touched, arrays, add, every)
            alternative, after_else = _after_writes(statement.alternative, touched, arrays, add, every)
            result.append(CoreIf(statement.condition, consequent, alternative, statement.span))
            for variable in touched:
                then, other = after_then[variable], after_else[variable]
                written[variable] = then if then is other else _Written.PERHAPS
            continue
        if isinstance(statement, CoreWhile):
            result.append(_after_writes_of_rounds(statement, written, arrays, add, every))
            continue
        if isinstance(statement, CoreLocal):
            body, written = _after_writes(statement.body, written, arrays, add, every)
            result.append(replace(statement, body=body))
            continue
        if isinstance(statement, CoreAssign | CoreSample) and isinstance(statement.target, Index):
            result.extend(_random_write(statement, statement.target, written, arrays, add, every))
            continue
        result.append(statement)
        if isinstance(statement, CoreAssign | CoreSample) and isinstance(statement.target, Name):
            variable = statement.target.id
            before = written.get(variable)
            if before is not None:
                if every or before is not _Written.ALWAYS:
                    result.extend(add(variable, before, None, statement.span))
                written[variable] = _Written.ALWAYS
    return tuple(result), written


def _after_writes_of_rounds(
    loop: CoreWhile,
    written: dict[str, _Written],
    arrays: Arrays,
    add: Callable[[str, _Written, Expression | None, Span], Statements],
    every: bool,
) -> CoreWhile:
    """Insert what ``add`` says in a loop: a round may be the first or come after others; ``written`` becomes what holds after the loop."""
    for variable in _written_inside(loop, arrays):
        if written.get(variable) is _Written.NEVER:
            written[variable] = _Written.PERHAPS
    body, _ = _after_writes(loop.body, written, arrays, add, every)
    never = None if loop.never is None else _after_writes(loop.never, written, arrays, add, every)[0]
    return replace(loop, body=body, never=never)


def _written_inside(statement: CoreIf | CoreWhile, arrays: Arrays) -> dict[str, None]:
    """Return the plain variables that a branch or loop may write, in the order of the text."""
    found: dict[str, None] = {}
    for each in walk((statement,)):
        if isinstance(each, CoreAssign | CoreSample):
            target = each.target
            if isinstance(target, Name):
                found[target.id] = None
            else:
                found.update((f"{target.array}[{i}]", None) for i in arrays.get(target.array, ()))
    return found


def _random_write(
    statement: CoreAssign | CoreSample,
    target: Index,
    written: dict[str, _Written],
    arrays: Arrays,
    add: Callable[[str, _Written, Expression | None, Span], Statements],
    every: bool,
) -> list[CoreStatement]:
    """Treat ``a[k] := e`` as a write of each element under the condition that k picks it (k as it was before the write)."""
    touched = [i for i in arrays.get(target.array, ()) if f"{target.array}[{i}]" in written]
    if not touched:
        return [statement]
    span, index = statement.span, target.index
    before: list[CoreStatement] = []
    if any(isinstance(node, Name | Index) for node in nodes(index)):
        kept = Name(f"{target.array}@index", span)
        before.append(CoreAssign(kept, index, span))
        index = kept
    after: list[CoreStatement] = []
    for i in touched:
        variable = f"{target.array}[{i}]"
        state = written[variable]
        if every or state is not _Written.ALWAYS:
            after.extend(add(variable, state, Binary("==", index, Number(Fraction(i), span), span), span))
            if state is _Written.NEVER:
                written[variable] = _Written.PERHAPS
    return [*before, statement, *after]
