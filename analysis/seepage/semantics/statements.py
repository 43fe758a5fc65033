"""Walks over the statements of a core program: all of them, what they write, what they read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from seepage.semantics.core import (
    CoreAssign,
    CoreIf,
    CoreLocal,
    CoreObserve,
    CoreProgram,
    CoreSample,
    CoreStatement,
    CoreWhile,
)
from seepage.semantics.expressions import arguments_of, nodes, plain_names
from seepage.semantics.memo import Memo
from seepage.syntax.tree import Expression, Index, Name, Number

_INSIDE: Memo[tuple[CoreStatement, ...]] = Memo()


def walk(statements: Iterable[CoreStatement]) -> Iterator[CoreStatement]:
    """Yield every statement, a branch before what its arms hold, in the order of the text."""
    for statement in statements:
        if isinstance(statement, CoreIf):  # tables of chances are large, and walked through often
            yield from _INSIDE.of(statement) or _INSIDE.keep(statement, tuple(_walked(statement)))
        else:
            yield from _walked(statement)


def _walked(root: CoreStatement) -> Iterator[CoreStatement]:
    stack = [root]
    while stack:
        statement = stack.pop()
        yield statement
        if not isinstance(statement, CoreSample | CoreAssign):  # the most frequent ones, without blocks
            for block in reversed(blocks_of(statement)):
                stack.extend(reversed(block))


def blocks_of(statement: CoreStatement) -> tuple[tuple[CoreStatement, ...], ...]:
    """Return the blocks that a statement holds, in the order of the text."""
    match statement:
        case CoreIf(consequent=consequent, alternative=alternative):
            return (consequent, alternative)
        case CoreWhile(body=body, never=never):
            return (body,) if never is None else (body, never)
        case CoreLocal(body=body):
            return (body,)
        case _:
            return ()


def has_loops(core: CoreProgram) -> bool:
    """Tell whether a program has loops of unknown length, or local draws, which are to be settled first."""
    return any(isinstance(each, CoreWhile | CoreLocal) for each in walk(core.statements))


def written_variables(statements: Iterable[CoreStatement]) -> tuple[str, ...]:
    """Return the plain variables that statements write, in order of first appearance; elements picked at random are not among them."""
    return tuple(
        dict.fromkeys(
            statement.target.id
            for statement in walk(statements)
            if isinstance(statement, CoreAssign | CoreSample) and isinstance(statement.target, Name)
        )
    )


def may_write(core: CoreProgram, statements: Iterable[CoreStatement]) -> frozenset[str]:
    """Return the plain variables that statements may write: all elements of an array where a random index picks one."""
    targets = (each.target for each in walk(statements) if isinstance(each, CoreAssign | CoreSample))
    return core.expanded(target.id if isinstance(target, Name) else target.array for target in targets)


def names_read(statements: Iterable[CoreStatement]) -> Iterator[str]:
    """Yield the names that statements read, with repetitions: variables, arrays by their own name, parameters."""
    for statement in walk(statements):
        for expression in expressions_of(statement):
            if not isinstance(expression, Number):
                yield from plain_names(expression)


def expressions_of(statement: CoreStatement) -> Iterator[Expression]:
    """Yield what a statement itself evaluates: the index of a random target, too; of a branch or loop its condition only."""
    match statement:
        case CoreAssign(target=target, value=value):
            yield from _index(target)
            yield value
        case CoreSample(target=target, distribution=distribution):
            yield from _index(target)
            yield from arguments_of(distribution)
        case CoreObserve(condition=condition) | CoreIf(condition=condition) | CoreWhile(condition=condition):
            yield condition
        case CoreLocal():
            pass
        case _:
            assert_never(statement)


def reads_elements(statements: Iterable[CoreStatement]) -> bool:
    """Tell whether an element that is picked at random is read anywhere."""
    every = (each for statement in walk(statements) for each in expressions_of(statement))
    return any(isinstance(node, Index) for each in every for node in nodes(each))


def _index(target: Name | Index) -> Iterator[Expression]:
    if isinstance(target, Index):
        yield target.index


def read_before(statements: Sequence[CoreStatement], after: Iterable[str]) -> set[str]:
    """Return the names whose values some statements, and all that follows them, may read, if what follows reads ``after``."""
    live = set(after)
    for statement in reversed(statements):
        match statement:
            case CoreIf(consequent=consequent, alternative=alternative):
                live = read_before(consequent, live) | read_before(alternative, live)
            case CoreWhile():
                live = _read_before_loop(statement, live)
            case CoreLocal(body=body):
                live = read_before(body, live)
            case CoreAssign(target=Name(id=name)) | CoreSample(target=Name(id=name)):
                live.discard(name)
            case _:
                pass
        for expression in expressions_of(statement):
            live.update(plain_names(expression))
    return live


def _read_before_loop(loop: CoreWhile, after: set[str]) -> set[str]:
    """Return what a loop, and all that follows it, may read: what one more round reads is added until nothing is new."""
    live = after | read_before(loop.never or (), after) | set(plain_names(loop.condition))
    while not (more := read_before(loop.body, live)) <= live:
        live |= more
    return live
