"""Which variables are still read: what a forward run may forget, and where.

A variable is live where some later statement may read the value it has, or where it is asked for at the end. Forgetting the
others at once is what keeps a count of n coins at n + 1 states instead of 2^n.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from seepage.data_classes import dataclass
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
from seepage.semantics.evaluate import names_of
from seepage.semantics.statements import walk
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression


@dataclass(frozen=True, slots=True)
class Block:
    """Statements in a row; ``forget`` is dropped before the first (what only the other branch reads)."""

    forget: frozenset[str]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A statement with what it needs to know of the rest.

    Attributes:
        statement: as in the core program.
        reads: the variables it reads (of an ``if``, its condition only).
        forget: variables that nothing reads after it.
        branches: consequent and alternative of an ``if``; of a loop one round and what runs go on with that never end; of a local draw
            its statements; else empty.
        writes: of a loop or local draw, the variables that it may write and that are read after it.
    """

    statement: CoreStatement
    reads: tuple[str, ...]
    forget: frozenset[str]
    branches: tuple[Block, ...] = ()
    writes: tuple[str, ...] = ()


def plan(core: CoreProgram, asked: Iterable[str]) -> Block:
    """Return the program with every variable's last uses marked; ``asked`` stay live to the end."""
    live = set(asked)
    variables = frozenset(core.variables)
    steps = _block(core.statements, live, core.arrays, variables)
    return Block(frozenset(), steps)


def _block(
    statements: tuple[CoreStatement, ...],
    live: set[str],
    arrays: Mapping[str, tuple[int, ...]],
    variables: frozenset[str],
) -> tuple[Step, ...]:
    """Annotate statements backwards; ``live`` goes from what is live after them to what is live before them."""
    steps: list[Step] = []
    for statement in reversed(statements):
        match statement:
            case CoreAssign(target=target, value=value):
                reads = read_names(target, (value,), arrays, variables)
                steps.append(_write(statement, target, reads, live, arrays))
            case CoreSample(target=target, distribution=distribution):
                reads = read_names(target, parts_of(distribution), arrays, variables)
                steps.append(_write(statement, target, reads, live, arrays))
            case CoreObserve(condition=condition):
                reads = read_names(None, (condition,), arrays, variables)
                steps.append(Step(statement, reads, frozenset(name for name in reads if name not in live)))
                live.update(reads)
            case CoreIf():
                steps.append(_branch(statement, live, arrays, variables))
            case CoreWhile():
                steps.append(_loop(statement, live, arrays, variables))
            case CoreLocal():
                steps.append(_local(statement, live, arrays, variables))
            case _:
                assert_never(statement)
    steps.reverse()
    return tuple(steps)


def _write(
    statement: CoreStatement,
    target: tree.Target,
    reads: tuple[str, ...],
    live: set[str],
    arrays: Mapping[str, tuple[int, ...]],
) -> Step:
    written = written_names(target, arrays)
    forget = frozenset(name for name in (*reads, *written) if name not in live)
    if isinstance(target, tree.Name):
        live.discard(target.id)  # an element picked at random keeps the others' values, so those stay live
    live.update(reads)
    return Step(statement, reads, forget)


def _branch(
    statement: CoreIf, live: set[str], arrays: Mapping[str, tuple[int, ...]], variables: frozenset[str]
) -> Step:
    """Annotate a branch; a chain of ``else if`` from its end, without recursion along the chain."""
    chain = [statement]
    while len(rest := chain[-1].alternative) == 1 and isinstance(rest[0], CoreIf):
        chain.append(rest[0])
    after, below = frozenset(live), set(live)
    steps = _block(chain[-1].alternative, below, arrays, variables)
    for one in reversed(chain):
        first = set(after)
        consequent = _block(one.consequent, first, arrays, variables)
        reads = read_names(None, (one.condition,), arrays, variables)
        before = first.union(below, reads)
        blocks = (Block(frozenset(before - first), consequent), Block(frozenset(before - below), steps))
        steps, below = (Step(one, reads, frozenset(), blocks),), before
    live.clear()
    live.update(below)
    return steps[0]


def _loop(loop: CoreWhile, live: set[str], arrays: Mapping[str, tuple[int, ...]], variables: frozenset[str]) -> Step:
    """Annotate a loop: what is live before a round is what one more round, or what follows, reads of what it touches."""
    after = frozenset(live)
    writes = _written((*loop.body, *(loop.never or ())), arrays) & after
    head, otherwise = set(writes), set(writes)
    unending = _block(loop.never or (), otherwise, arrays, variables)
    head.update(read_names(None, (loop.condition,), arrays, variables))
    while True:
        start = set(head)
        steps = _block(loop.body, start, arrays, variables)
        if start <= head:
            break
        head |= start
    reads = head | otherwise
    live.update(reads)
    blocks = (Block(frozenset(head - start), steps), Block(frozenset(reads - otherwise), unending))
    return Step(loop, tuple(sorted(reads)), frozenset(live - after), blocks, tuple(sorted(writes)))


def _local(local: CoreLocal, live: set[str], arrays: Mapping[str, tuple[int, ...]], variables: frozenset[str]) -> Step:
    """Annotate a local draw."""
    after = frozenset(live)
    writes = _written(local.body, arrays) & after
    reads = set(writes)
    steps = _block(local.body, reads, arrays, variables)
    _block(local.body, live, arrays, variables)  # what it surely writes was not live before it
    live |= reads
    return Step(
        local, tuple(sorted(reads)), frozenset(live - after), (Block(frozenset(), steps),), tuple(sorted(writes))
    )


def _written(statements: tuple[CoreStatement, ...], arrays: Mapping[str, tuple[int, ...]]) -> set[str]:
    targets = (each.target for each in walk(statements) if isinstance(each, CoreAssign | CoreSample))
    return {name for target in targets for name in written_names(target, arrays)}


def written_names(target: tree.Target, arrays: Mapping[str, tuple[int, ...]]) -> tuple[str, ...]:
    """Return the variables that an assignment to ``target`` may write."""
    match target:
        case tree.Name(id=name):
            return (name,)
        case tree.Index(array=array):
            return tuple(f"{array}[{i}]" for i in arrays.get(array, ()))
        case _:
            assert_never(target)


def read_names(
    target: tree.Target | None,
    expressions: Iterable[Expression],
    arrays: Mapping[str, tuple[int, ...]],
    variables: frozenset[str],
) -> tuple[str, ...]:
    """Return the variables that expressions (and the index of a target) read, in order; a random index reads all elements."""
    found: dict[str, None] = {}
    if isinstance(target, tree.Index):
        expressions = (target.index, *expressions)
    for expression in expressions:
        for name in names_of(expression):
            if name in variables:
                found[name] = None
            elif name in arrays:
                found.update((f"{name}[{i}]", None) for i in arrays[name])
    return tuple(found)


def parts_of(distribution: Distribution) -> tuple[Expression, ...]:
    """Return every expression in a distribution."""
    match distribution:
        case tree.Family(arguments=arguments):
            return tuple(argument.value for argument in arguments)
        case tree.Table(entries=entries):
            return tuple(part for entry in entries for part in entry)
        case tree.Mixture(parts=parts):
            return tuple(one for weight, part in parts for one in (weight, *parts_of(part)))
        case tree.Rows():
            return ()
        case _:
            assert_never(distribution)
