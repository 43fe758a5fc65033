"""``with``: what an object does when a block is entered and left, however it is left."""

from __future__ import annotations

import ast
from dataclasses import replace

from seepage.python import constants, following, own_methods, truths
from seepage.python.assignments import assign
from seepage.python.exits import guarded
from seepage.python.run import Run
from seepage.python.terms import truth_of
from seepage.python.values import Library, Object, Ref, Unknown, Value
from seepage.python.world import World, push

LOCKS = {"threading.Lock": "lock", "threading.RLock": "reentrant lock", "contextlib.nullcontext": "nothing"}
"""Makers of objects that do nothing a single thread could see, by what they are."""


def make(run: Run, node: ast.AST, path: str, values: list[Value], world: World) -> list[World]:
    """Return a lock, or what ``nullcontext`` gives."""
    if len(values) > (path == "contextlib.nullcontext"):
        return push(world, run.refuse(node, f"this call of '{path}' is not analysed"))
    cells = (values[0] if values else constants.none_value(run), truth_of(False))
    return push(world, run.allocate(world, Object("context", cells, (LOCKS[path], "held"))))


def followed(run: Run, node: ast.With, world: World) -> list[World]:
    """Follow a ``with`` statement; several managers are one inside of the other."""
    first, *others = node.items
    body: list[ast.stmt] = node.body
    if others:
        body = [ast.copy_location(ast.With(others, node.body), node)]
    expression = first.context_expr
    if isinstance(expression, ast.Call) and run.module_path(expression.func) == "contextlib.suppress":
        return _suppressed(run, node, expression, first, body, world)
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    after: list[World] = []
    for one in following.evaluate(run, expression, world):
        place = len(one.temps) - 1  # the manager stays there, as long as the block
        for two in _entered(run, node, one):
            entered = two.pop()
            bound = [two] if first.optional_vars is None else assign(run, first.optional_vars, entered, two)
            after += [end for three in bound for end in _left(run, node, body, place, three)]
    return run.join(base, depth, after, run.abrupt[mark:])


def _suppressed(
    run: Run, node: ast.With, call: ast.Call, item: ast.withitem, body: list[ast.stmt], world: World
) -> list[World]:
    """``with suppress(A, B)`` is a ``try`` whose handler of both does nothing."""
    if call.keywords or item.optional_vars is not None or any(isinstance(each, ast.Starred) for each in call.args):
        run.refuse(node, "this call of 'suppress' is not analysed")
        return [world]
    kinds = ast.copy_location(ast.Tuple(list(call.args), ast.Load()), call)
    handler = ast.copy_location(ast.ExceptHandler(kinds, None, [ast.copy_location(ast.Pass(), node)]), call)
    return guarded(run, ast.copy_location(ast.Try(body, [handler], [], []), node), world)


def _entered(run: Run, node: ast.With, world: World) -> list[World]:
    """Put what ``__enter__`` gives on top of the manager."""
    manager = world.temps[-1]
    if isinstance(manager, Unknown):
        return push(world, manager)
    if isinstance(manager, Ref) and world.heap[manager.id].sort == "context":
        found = world.heap[manager.id]
        value, held = found.cells
        if found.keys[0] == "lock" and held != truth_of(False):
            return push(world, run.refuse(node, "a lock that may be held already is waited for without end"))
        world.heap[manager.id] = replace(found, cells=(value, truth_of(True)))
        return push(world, value if found.keys[0] == "nothing" else truth_of(True))
    if own_methods.defines(manager, world, "__enter__") and own_methods.defines(manager, world, "__exit__"):
        return own_methods.asked(run, node, "__enter__", [manager], world) or []
    return push(
        world,
        run.refuse(
            node,
            "'with' is analysed of 'suppress', 'nullcontext', locks, and objects of this file with '__enter__' and '__exit__'",
        ),
    )


def _left(run: Run, node: ast.With, body: list[ast.stmt], place: int, world: World) -> list[World]:
    """Follow the block, and ``__exit__`` however it is left; what that counts as true ends an exception."""
    mark = len(run.abrupt)
    ends = following.block(run, body, world)
    waiting = run.abrupt[mark:]
    del run.abrupt[mark:]
    after: list[World] = []
    for one in [*ends, *waiting]:
        outcome, one.outcome = one.outcome, ""
        for two in _exited(run, node, place, outcome, one):
            given = two.pop()
            raised = outcome.startswith("raise ")
            held = truths.truth(run, node, given, two) if raised else truth_of(False)
            swallowed, going = run.branch(two, truth_of(False) if held is None else held)
            if swallowed is not None:
                del swallowed.temps[place:]
                after.append(swallowed)
            if going is not None:
                del going.temps[place]
                going.outcome = outcome
                (run.abrupt if outcome else after).append(going)
    return after


def _exited(run: Run, node: ast.With, place: int, outcome: str, world: World) -> list[World]:
    """Put what ``__exit__`` gives on top."""
    manager = world.temps[place]
    if isinstance(manager, Ref) and world.heap[manager.id].sort == "context":
        found = world.heap[manager.id]
        world.heap[manager.id] = replace(found, cells=(found.cells[0], truth_of(False)))
        return push(world, truth_of(False))
    told: list[Value] = [constants.none_value(run)] * 3
    if outcome.startswith("raise "):
        told = [Library(f"exception {outcome}"), Library("exception's value"), Library("exception's traceback")]
    return own_methods.asked(run, node, "__exit__", [manager, *told], world) or []
