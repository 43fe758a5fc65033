"""Statements: each takes a world to the worlds that go on after it; those that return, raise or leave a loop are put aside."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from seepage.python import (
    assignments,
    contexts,
    definitions,
    exits,
    following,
    iteration,
    loops,
    names,
    patterns,
    truths,
)
from seepage.python.module import MODULES
from seepage.python.module_values import library_value
from seepage.python.run import Run
from seepage.python.world import World


def block(run: Run, body: Sequence[ast.stmt], world: World) -> list[World]:
    """Follow statements one after the other."""
    base, depth, start = world.code, world.depth, len(run.abrupt)
    running = [world]
    for statement in body:
        after: list[World] = []
        for one in running:
            code, level, mark = one.code, one.depth, len(run.abrupt)
            run.at = run.places.span(statement)
            ends = execute(run, statement, one)
            run.at = run.places.span(statement)
            after += run.join(code, level, ends, run.abrupt[mark:])
        running = run.join(base, depth, after, run.abrupt[start:]) if len(after) > 1 else after
        if not running:
            break
    return running


_UNCOUNTED = (
    ast.If,
    ast.While,
    ast.For,
    ast.Try,
    ast.FunctionDef,
    ast.ClassDef,
    ast.Pass,
    ast.Match,
    ast.With,
    ast.Global,
    ast.Nonlocal,
)


def execute(run: Run, node: ast.stmt, world: World) -> list[World]:
    """Follow one statement."""
    docstring = (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    )
    if not isinstance(node, _UNCOUNTED) and not docstring:
        run.count(world)
    match node:
        case ast.Assign(targets, value):
            return assignments.assignment(run, targets, value, world)
        case ast.AnnAssign(target=target, value=value):
            return [world] if value is None else assignments.assignment(run, [target], value, world)
        case ast.AugAssign():
            return assignments.augmented(run, node, world)
        case ast.Return(value):
            return exits.returned(run, value, world)
        case ast.If(test, body, orelse):
            return _if(run, test, body, orelse, world)
        case ast.For():
            return loops.for_loop(run, node, world)
        case ast.While():
            return loops.while_loop(run, node, world)
        case ast.Expr(value):
            return [world] if docstring else _alone(run, value, world)
        case ast.Pass() | ast.Global() | ast.Nonlocal():
            return [world]
        case ast.Break() | ast.Continue():
            world.outcome = "break" if isinstance(node, ast.Break) else "continue"
            run.abrupt.append(world)
            return []
        case ast.Raise():
            return exits.raised(run, node, world)
        case ast.Assert(test, message):
            return exits.asserted(run, test, message, world)
        case ast.Try():
            return exits.guarded(run, node, world)
        case ast.FunctionDef():
            names.bind(run, node, node.name, definitions.define(run, node, run.frames[-1], world), world)
            return [world]
        case ast.With():
            return contexts.followed(run, node, world)
        case ast.Match():
            return patterns.followed(run, node, world)
        case ast.Delete(targets):
            return assignments.delete(run, targets, world)
        case ast.Import(aliases) | ast.ImportFrom(names=aliases) if _is_plain_import(run, node):
            for each in aliases:
                path = f"{node.module}.{each.name}" if isinstance(node, ast.ImportFrom) else each.name
                names.bind(run, node, each.asname or each.name, library_value(run, path), world)
            return [world]
        case ast.Import() | ast.ImportFrom():
            run.refuse(node, "this import inside of a function is not analysed; import at the top of the file")
            return [world]
        case _:
            run.refuse(node, f"'{_WORDS.get(type(node), 'this statement')}' is not analysed")
            return [world]


def _alone(run: Run, value: ast.expr, world: World) -> list[World]:
    """Follow an expression that is a statement: what it gives is dropped, or handed on by a generator."""
    if isinstance(value, ast.Yield) and run.frames[-1] in run.yields:
        return iteration.yielded(run, value, world)
    if isinstance(value, ast.YieldFrom) and run.frames[-1] in run.yields:
        return iteration.yielded_from(run, value, world)
    worlds = following.evaluate(run, value, world)
    for one in worlds:
        one.pop()
    return worlds


def _is_plain_import(run: Run, node: ast.Import | ast.ImportFrom) -> bool:
    """Whether an import binds names of modules that are followed, and of no file beside."""
    if isinstance(node, ast.Import):
        modules = [one.name for one in node.names]
        plain = all(one.asname or "." not in one.name for one in node.names)
    else:
        modules = [node.module or ""]
        plain = not node.level and all(one.name != "*" for one in node.names)
    first = {each.partition(".")[0] for each in modules}
    return plain and not first & run.module.replaced and first <= MODULES


_WORDS: dict[type[ast.stmt], str] = {
    ast.AsyncWith: "async with",
    ast.AsyncFor: "async for",
    ast.AsyncFunctionDef: "async def",
    ast.ClassDef: "class inside of a function",
}


# --- branches -----------------------------------------------------------------------------------------------


def _if(run: Run, test: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt], world: World) -> list[World]:
    run.count(world)
    after: list[World] = []
    for one, held in truths.held_in(run, test, world):
        after += block(run, body if held else orelse, one)
    return after
