"""Statements: each takes a world to the worlds that go on after it; those that return, raise or leave a loop are put aside."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from seepage.python import (
    assignments,
    comparisons,
    constants,
    contexts,
    definitions,
    exits,
    following,
    iteration,
    loops,
    names,
    truths,
)
from seepage.python.module import MODULES
from seepage.python.module_values import library_value
from seepage.python.run import Run
from seepage.python.terms import binary, number, truth_of
from seepage.python.values import BOOL, Num, Value
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
            if docstring:
                return [world]
            if isinstance(value, ast.Yield) and run.frames[-1] in run.yields:
                return iteration.yielded(run, value, world)
            if isinstance(value, ast.YieldFrom) and run.frames[-1] in run.yields:
                return iteration.yielded_from(run, value, world)
            worlds = following.evaluate(run, value, world)
            for one in worlds:
                one.pop()
            return worlds
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
            return _match(run, node, world)
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


def _match(run: Run, node: ast.Match, world: World) -> list[World]:
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    going: list[World] = []
    for one in following.evaluate(run, node.subject, world):
        one.temps.append(run.settle(one, one.pop(), "subject"))
        going.append(one)
    after: list[World] = []
    for case in node.cases:
        rest: list[World] = []
        for one in going:
            held = _pattern(run, case.pattern, one.temps[-1], one)
            if held is None:
                one.pop()
                after.append(one)
                continue
            yes, no = run.branch(one, held)
            if no is not None:
                rest.append(no)
            if yes is None:
                continue
            if isinstance(case.pattern, ast.MatchAs) and case.pattern.name is not None:
                names.bind(run, case.pattern, case.pattern.name, yes.temps[-1], yes)
            passed = [yes]
            if case.guard is not None:
                pairs = truths.held_in(run, case.guard, yes)
                rest += [each for each, holds in pairs if not holds]
                passed = [each for each, holds in pairs if holds]
            for each in passed:
                each.pop()
                after += block(run, case.body, each)
        going = rest
    for one in going:
        one.pop()
    return run.join(base, depth, [*after, *going], run.abrupt[mark:])


def _pattern(run: Run, pattern: ast.pattern, value: Value, world: World) -> Num | None:
    match pattern:
        case ast.MatchValue(literal):
            ends = following.evaluate(run, literal, world)
            expected = ends[0].pop()
            held = comparisons.compare(run, pattern, ast.Eq(), value, expected, world)
            return held if isinstance(held, Num) else None
        case ast.MatchSingleton(literal_):
            expected = constants.none_value(run) if literal_ is None else truth_of(bool(literal_))
            held = comparisons.compare(run, pattern, ast.Is(), value, expected, world)
            return held if isinstance(held, Num) else None
        case ast.MatchOr(patterns):
            found: Num | None = None
            for each in patterns:
                part = _pattern(run, each, value, world)
                if part is None:
                    return None
                found = (
                    part
                    if found is None
                    else number(binary("or", found.expression, part.expression), BOOL, world.known)
                )
            return found
        case ast.MatchAs(pattern=None):
            return truth_of(True)
        case _:
            run.refuse(pattern, "this pattern is not analysed; values, '|' and names are")
            return None
