"""Expressions, blocks and calls, for those that they are followed by: what each is followed by stands in :class:`seepage.python.run.Hooks`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from seepage.python.run import PATIENCE, Run
from seepage.python.values import Class, Function, Given, Library, Method, Ref, Unknown, Value
from seepage.python.world import World, push
from seepage.python.writer import TooMuch

_TOO_SLOW = (
    f"takes more than {PATIENCE:g} seconds to be followed, as its runs differ in too many ways: "
    "let secrets and draws have fewer values, and loops that depend on them fewer rounds"
)


def evaluate(run: Run, node: ast.expr, world: World) -> list[World]:
    """Evaluate an expression; its value is on top of each world that comes back.

    Raises:
        TooMuch: when the walk has taken too long; a single expression takes no time to speak of.
    """
    if run.patience.passed():
        raise TooMuch(_TOO_SLOW)
    return run.hooks.evaluate(run, node, world)


def block(run: Run, body: Sequence[ast.stmt], world: World) -> list[World]:
    """Follow statements one after the other."""
    return run.hooks.block(run, body, world)


def inline(run: Run, node: ast.AST, function: Function, given: Given, world: World) -> list[World]:
    """Follow a function of the file with these arguments; its value is on top of each world that comes back."""
    return run.hooks.inline(run, node, function, given, world)


def all_of(run: Run, nodes: Sequence[ast.expr], world: World) -> list[World]:
    """Evaluate expressions from left to right; each world holds their values as its last temps."""
    worlds = [world]
    for node in nodes:
        worlds = [after for one in worlds for after in evaluate(run, node, one)]
    return worlds


def each(
    run: Run, nodes: Sequence[ast.expr], world: World, then: Callable[[World, list[Value]], list[World]]
) -> list[World]:
    """Evaluate expressions and go on with their values, unless one of them is unknown."""
    found: list[World] = []
    for one in all_of(run, nodes, world):
        values = one.take(len(nodes))
        if any(isinstance(value, Unknown) for value in values):
            found += push(one, Unknown())
        else:
            found += then(one, values)
    return found


def apply(run: Run, node: ast.AST, function: Value, values: list[Value], world: World) -> list[World]:
    """Follow a call of a function that was handed over."""
    match function:
        case Function():
            return inline(run, node, function, Given(values), world)
        case Library() | Method() | Class() | Ref() if isinstance(node, ast.Call):
            return run.hooks.apply(run, node, function, Given(values), world)
        case _:
            return push(world, run.refuse(node, "this function is not analysed here"))
