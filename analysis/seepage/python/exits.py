"""What leaves a block: returns, exceptions and assertions; and what catches them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from seepage.python import constants, following, names, truths
from seepage.python.module import parents
from seepage.python.run import Run
from seepage.python.values import Library
from seepage.python.world import World


def returned(run: Run, value: ast.expr | None, world: World) -> list[World]:
    """End the function with a value."""
    worlds = [world]
    if value is None:
        world.temps.append(constants.none_value(run))
    else:
        worlds = following.evaluate(run, value, world)
    for one in worlds:
        if not run.tallies:  # what leaves a loop that counts is computed behind it
            one.temps.append(run.settle(one, one.pop(), "returned"))
        one.outcome = "return"
        run.abrupt.append(one)
    return []


def raised(run: Run, node: ast.Raise, world: World) -> list[World]:
    """End the world with an exception of Python; its message is not seen, but followed as far as it does something."""
    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    handled = run.handled.get(run.frames[-1])
    if raised is None:
        found = handled[-1:] if handled else None
    else:
        found = _exceptions(run, raised)
    if found is None:
        run.refuse(node, _OTHER)
    name = "Exception" if found is None else found[0]
    worlds = [world]
    if isinstance(node.exc, ast.Call):
        worlds = _told(run, [*node.exc.args, *(one.value for one in node.exc.keywords)], world)
    for one in worlds:
        run.raise_(one, name)
    return []


_OTHER = "exceptions of Python are analysed, and those of a file that have no methods; 'raise' alone is in the handler that it raises again from"


def _exceptions(run: Run, node: ast.expr) -> list[str] | None:
    """Return the names of an exception and of those that it is one of, unless a variable hides it."""
    if run.is_in_library:
        path = run.module_path(node) or ""
        return list(parents(path.removeprefix("builtins.")))
    hidden = isinstance(node, ast.Name) and any(node.id in run.scopes[each].locals for each in _scopes(run))
    return None if hidden else run.module.exceptions_of(node)


def _scopes(run: Run) -> Iterator[int]:
    number = run.frames[-1]
    while number:
        yield number
        number = run.scopes[number].parent


def _told(run: Run, message: Sequence[ast.expr], world: World) -> list[World]:
    """Follow what a message computes as far as that may do something, which is seen although the message is not."""
    worlds = [world]
    for part in message:
        for inner in _acting(run, part):
            worlds = [after for one in worlds for after in following.evaluate(run, inner, one)]
            for one in worlds:
                one.pop()
    return worlds


def _acting(run: Run, node: ast.expr) -> Iterator[ast.expr]:
    """Yield the parts of a message that may raise, draw or change something; to format a text does not."""
    inner = [one for one in ast.iter_child_nodes(node) if isinstance(one, ast.expr)]
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="format" | "join")):
            pass
        case ast.Call(func=ast.Name()) if run.module_path(node.func) in (
            "builtins.str",
            "builtins.repr",
            "builtins.type",
        ):
            inner = list(node.args)
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod()):
            pass
        case ast.Call() | ast.Subscript() | ast.NamedExpr() | ast.BinOp(op=ast.Div() | ast.FloorDiv() | ast.Mod()):
            yield node
            return
        case ast.Lambda():
            return
        case _:
            pass
    for one in inner:
        yield from _acting(run, one)


def asserted(run: Run, test: ast.expr, message: ast.expr | None, world: World) -> list[World]:
    """Follow an assertion: what does not hold raises, or is left out where the mark says so."""
    if "assertions" in run.observed:
        after: list[World] = []
        for one in following.evaluate(run, test, world):
            condition = truths.truth(run, test, one.pop(), one)
            if condition is not None:
                run.observe(one, condition)
            after.append(one)
        return after
    held: list[World] = []
    for one, holds in truths.held_in(run, test, world):
        if holds:
            held.append(one)
        else:
            for end in _told(run, [] if message is None else [message], one):
                run.raise_(end, "AssertionError")
    return held


def guarded(run: Run, node: ast.Try, world: World) -> list[World]:
    """Follow a ``try``: what its body raises, its handlers, ``else`` and ``finally``."""
    base, depth, mark, height = world.code, world.depth, len(run.abrupt), len(world.temps)
    ends = following.block(run, node.body, world)
    raised = [one for one in run.abrupt[mark:] if one.outcome.startswith("raise ")]
    run.abrupt[mark:] = [one for one in run.abrupt[mark:] if not one.outcome.startswith("raise ")]
    after = [end for one in ends for end in following.block(run, node.orelse, one)] if node.orelse else ends
    for one in raised:
        name = one.outcome.removeprefix("raise ")
        handler = _handler(run, node, name)
        if handler is None:
            run.abrupt.append(one)
            continue
        one.outcome = ""
        del one.temps[height:]
        if handler.name is not None:
            names.bind(run, handler, handler.name, Library("builtins.Exception"), one)
        run.handled.setdefault(run.frames[-1], []).append(name)
        caught = following.block(run, handler.body, one)
        run.handled[run.frames[-1]].pop()
        for each in caught:
            if handler.name is not None:
                each.frames[run.frames[-1]].pop(handler.name, None)
        after += caught
    if node.finalbody:
        waiting = run.abrupt[mark:]
        del run.abrupt[mark:]
        after = [end for one in after for end in following.block(run, node.finalbody, one)]
        for one in waiting:
            outcome, one.outcome = one.outcome, ""
            kept, start = len(one.temps), len(run.abrupt)
            ends = following.block(run, node.finalbody, one)
            for left in run.abrupt[start:]:  # what leaves here takes the place of what was on its way
                del left.temps[height:kept]
            for end in ends:
                end.outcome = outcome
                run.abrupt.append(end)
    return run.join(base, depth, after, run.abrupt[mark:])


def _handler(run: Run, node: ast.Try, name: str) -> ast.ExceptHandler | None:
    for handler in node.handlers:
        if handler.type is None:
            return handler
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        for kind in kinds:
            found = _exceptions(run, kind)
            if found is None and run.module_path(kind) != "builtins.BaseException":
                run.refuse(kind, _OTHER)
            elif (found or ["BaseException"])[0] in (run.module.exceptions_of(ast.Name(name)) or parents(name)):
                return handler
    return None
