"""Names: variables of functions, of the module, and of Python itself."""

from __future__ import annotations

import ast

from seepage.python.module_values import module_value
from seepage.python.run import LIBRARY_FRAME, Run
from seepage.python.values import Library, Num, Stale, Unknown, Value
from seepage.python.world import World
from seepage.python.written_functions import DEFINITIONS, WRITTEN


def is_bound(run: Run, name: str, world: World) -> bool:
    """Whether a name has a value here."""
    return lookup(run, name, world) is not None


def lookup(run: Run, name: str, world: World) -> Value | None:
    """Return the value of a name, from inside to outside; None if it has none."""
    number = run.frames[-1]
    while number:
        if number == LIBRARY_FRAME:
            return Library(f"{WRITTEN if name in DEFINITIONS else 'builtins'}.{name}")
        scope = run.scopes[number]
        if name in scope.globals:
            break
        frame = world.frames.get(number, {})
        if name in frame and name not in scope.outer:
            found = frame[name]
            if isinstance(found, Stale):
                run.stale_reads.add((number, name))
                return Unknown()
            return found
        if name in scope.locals and name not in scope.outer:
            return None
        number = scope.parent
    return module_value(run, name, world)


def read(run: Run, node: ast.AST, name: str, world: World) -> list[World]:
    """Put the value of a name on top; one that has none raises."""
    found = lookup(run, name, world)
    if found is None:
        number = run.frames[-1]
        if number and name in run.scopes[number].locals and name not in run.scopes[number].outer:
            run.raise_(world, "UnboundLocalError")
            return []
        found = run.refuse(node, _why_unknown(run, name))
    world.temps.append(run.refreshed(world, found) if isinstance(found, Num) else found)
    return [world]


def _why_unknown(run: Run, name: str) -> str:
    number = run.frames[-1]
    while number:
        if name in run.scopes[number].locals:
            return f"'{name}' of the function around has no value here"
        number = run.scopes[number].parent
    return run.module.why_unknown(name)


def owner_of(run: Run, name: str) -> int:
    """Return the frame whose variable an assignment to a name changes; 0 is the module's."""
    number, is_declared = run.frames[-1], False
    while number:
        scope = run.scopes[number]
        if name in scope.globals:
            return 0
        if name in scope.outer:
            is_declared = True
        elif name in scope.locals or not (scope.transparent or is_declared):
            return number
        number = scope.parent
    return 0


def bind(run: Run, node: ast.AST, name: str, value: Value, world: World) -> None:
    """Give a name a value in the frame that owns it."""
    number = owner_of(run, name)
    if number == 0:
        run.refuse(node, f"'{name}' belongs to the module; functions that write its variables are not analysed")
        return
    world.frames[number][name] = value
