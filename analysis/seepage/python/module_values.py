"""Values of the names of a file: functions, classes, and constants, which are evaluated where they are first read."""

from __future__ import annotations

import ast
import math
import string
from collections.abc import Sequence
from fractions import Fraction

from seepage.python import following, sequences
from seepage.python.run import Run
from seepage.python.terms import call, constant, literal, number
from seepage.python.values import FLOAT, TEXT, Library, Object, Ref, Unknown, Value
from seepage.python.world import World


def library_value(run: Run, path: str) -> Value:
    """Return what a name of another module is: a number or a text that is known, or the name itself."""
    if path in ("math.e", "numpy.e"):
        return number(call("exp", literal(1)), FLOAT, {}, math.e)
    found = _CONSTANTS.get(path)
    if isinstance(found, float):
        return constant(Fraction(repr(found)), FLOAT, found)
    return constant(run.codes.code("str", found), TEXT) if isinstance(found, str) else Library(path)


_CONSTANTS: dict[str, float | str] = {
    **{f"{module}.pi": math.pi for module in ("math", "numpy")},
    "math.tau": math.tau,
    **{
        f"string.{name}": getattr(string, name)
        for name in ("ascii_letters", "ascii_lowercase", "ascii_uppercase", "digits", "hexdigits", "punctuation")
    },
}
"""Constants of other modules: floats are the numbers as Python writes them."""


def module_value(run: Run, name: str, world: World) -> Value | None:
    """Return the value of a name of the file, or of Python; None if it has none that is known."""
    module, frame = run.module, world.frames.setdefault(0, {})
    if name in frame:
        return frame[name]
    statements = module.bound.get(name)
    if statements is None:
        found = module.of_elsewhere(name)
        return found if found is None else library_value(run, found.path)
    if len(statements) != 1 or name in module.written or name in module.changed or name in run.evaluating:
        return None
    made = _made(run, name, statements[0], world)
    if made is not None:
        frame[name] = made
    return made


def _made(run: Run, name: str, statement: ast.stmt, world: World) -> Value | None:
    match statement:
        case ast.Import() | ast.ImportFrom():
            return library_value(run, run.module.imported[name])
        case ast.FunctionDef():
            return run.hooks.define(run, statement, 0, world)
        case ast.ClassDef():
            return run.hooks.define_class(run, statement, world)
        case ast.AnnAssign(target=ast.Name(), value=ast.expr() as value):
            return _constant(run, name, value, world)
        case ast.Assign(targets=targets, value=value) if all(isinstance(one, ast.Name) for one in targets):
            return _shared(run, targets, _constant(run, name, value, world), world)[name]
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value) if all(
            isinstance(one, ast.Name) for one in targets
        ):
            return _unpacked(run, name, targets, value, world)
        case _:
            return None


def _shared(run: Run, targets: Sequence[ast.expr], value: Value, world: World) -> dict[str, Value]:
    """Bind names of one assignment to one value, so that they hold one object."""
    names = [one.id for one in targets if isinstance(one, ast.Name)]
    made: dict[str, Value] = dict.fromkeys(names, value)
    run.pristine.update({name: reached(value, world) for name in names})
    world.frames[0].update(made)
    return made


def _unpacked(run: Run, name: str, targets: Sequence[ast.expr], value: ast.expr, world: World) -> Value:
    """Bind the names of ``a, b = …``."""
    whole = _constant(run, name, value, world)
    if isinstance(whole, Unknown):
        return whole
    parts = sequences.parts_of(run, value, whole, world)
    if parts is None or len(parts) != len(targets):
        return run.refuse(value, f"the value of '{name}' is not known before the run")
    for target, part in zip(targets, parts, strict=True):
        _shared(run, [target], part, world)
    return world.frames[0][name]


def reached(value: Value, world: World) -> dict[int, Object]:
    """Return the objects that a value holds, by number, as they are."""
    found: dict[int, Object] = {}
    waiting = [value]
    while waiting:
        match waiting.pop():
            case Ref(at) if at not in found:
                found[at] = world.heap[at]
                waiting += world.heap[at].cells
            case _:
                pass
    return found


def is_stale(run: Run, node: ast.AST, world: World) -> bool:
    """Whether an expression that Python evaluates when it imports the file reads objects that were changed since."""
    read = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    return any(world.heap.get(at) != before for name in read for at, before in run.pristine.get(name, {}).items())


def _constant(run: Run, name: str, value: ast.expr, world: World) -> Value:
    """Evaluate a constant of the module; it may draw nothing, and raise nothing."""
    run.evaluating.add(name)
    run.frames.append(0)
    before, faults = len(world.code), len(run.abrupt)
    draws = run.drawn_count
    ends = following.evaluate(run, value, world)
    run.frames.pop()
    run.evaluating.discard(name)
    if len(ends) != 1 or ends[0] is not world or len(run.abrupt) != faults:
        return run.refuse(value, f"the value of '{name}' is not known before the run")
    found = world.pop()
    if is_stale(run, value, world):
        return run.refuse(
            value, f"'{name}' is computed of what functions change before it is read; that is not analysed"
        )
    run.pristine[name] = reached(found, world)
    if any(one.sort == "iterator" for one in run.pristine[name].values()):
        return run.refuse(value, f"what '{name}' is walked over is used up, by whoever asks for it; make it a list")
    if len(world.code) != before or run.drawn_count != draws:
        return run.refuse(value, f"'{name}' is drawn once for all calls; draw inside of the function")
    return found
