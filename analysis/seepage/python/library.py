"""Calls of functions of Python and of its libraries."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import replace

from seepage.python import (
    arguments,
    arithmetic,
    constants,
    contexts,
    mechanism_calls,
    own_methods,
    random_calls,
    written_functions,
)
from seepage.python.builtin_functions import BUILTIN_FUNCTIONS
from seepage.python.calling import Builtin, Named
from seepage.python.iterables import ITERABLE_FUNCTIONS
from seepage.python.keyed_functions import KEYED_FUNCTIONS
from seepage.python.methods import method
from seepage.python.module import EXCEPTIONS
from seepage.python.numeric_functions import NUMERIC_FUNCTIONS
from seepage.python.numpy_functions import NUMPY_FUNCTIONS
from seepage.python.numpy_shapes import SHAPE_FUNCTIONS
from seepage.python.plain import PLAIN_FUNCTIONS
from seepage.python.queues import QUEUE_FUNCTIONS
from seepage.python.run import Run
from seepage.python.values import Library, Ref, Value, as_of_numpy, may_be_of_numpy
from seepage.python.vocabulary import OWN_OPERATORS
from seepage.python.world import World, push


def call(run: Run, node: ast.AST, path: str, positional: Sequence[Value], named: Named, world: World) -> list[World]:
    """Follow a call of a function of a library."""
    if path.startswith(("random.", "secrets.", "numpy.random.", "scipy.stats.")):
        if path in _COMPARISONS:
            return BUILTIN_FUNCTIONS["secrets.compare_digest"](run, node, list(positional), named, world)
        assert isinstance(node, ast.Call)
        return random_calls.call(run, node, path, positional, named, world)
    if isinstance(node, ast.Call):
        drawn = mechanism_calls.call(run, node, path, positional, named, world)
        if drawn is not None:
            return drawn
    path = own_methods.by_operators(path, positional, named, world) or path
    name = path.removeprefix("builtins.")
    if path in contexts.LOCKS:
        return contexts.make(run, node, path, list(positional), world)
    if path == "logging.getLogger":
        return push(world, Library("logging"))  # whose functions are those of each logger
    if path.rpartition(".")[2] in _TOLD and path.startswith(("logging.", "warnings.")):
        return push(world, constants.none_value(run))
    if path in NUMERIC_FUNCTIONS and any(own_methods.defines(each, world, *OWN_OPERATORS) for each in positional):
        return push(world, run.refuse(node, f"'{name}' of an object whose class defines operators is not analysed"))
    if path in NUMERIC_FUNCTIONS and not path.startswith("numpy.") and _is_no_number(path, positional, world):
        run.raise_(world, "TypeError")
        return []
    ended = arguments.misfit(run, node, path, len(positional), named, world)
    if ended is not None:
        return ended
    if path in _OF_NUMBERS and any(isinstance(each, Ref) and arithmetic.are_truths(each, world) for each in positional):
        return push(world, run.refuse(node, f"'{name}' of an array of truth values is not analysed; make them numbers"))
    function = _FUNCTIONS.get(path) or _FUNCTIONS.get(path.replace("numpy.", "math.", 1) if path in _SHARED else "")
    if function is not None:
        makes = path.startswith("numpy.") or (path in _KEEP and any(_has_of_numpy(each, world) for each in positional))
        ended_ = function(run, node, list(positional), named, world)
        for one in ended_ if makes else ():
            _mark(run, node, one)
        return ended_
    if (followed := written_functions.call(run, node, path, list(positional), named, world)) is not None:
        return followed
    if name in EXCEPTIONS:
        return push(world, run.refuse(node, "an exception that is not raised is not analysed"))
    return push(world, run.refuse(node, f"'{name}' is not analysed"))


_TOLD = frozenset(
    ["debug", "info", "warning", "warn", "error", "critical", "exception", "log", "basicConfig", "setLevel"]
)
"""Functions that tell somebody else."""
_KEEP = frozenset(f"builtins.{name}" for name in ["abs", "divmod", "max", "min", "pow", "round", "sorted", "sum"])
"""Functions of Python that give numbers of numpy where they are given such."""


def _has_of_numpy(value: Value, world: World) -> bool:
    if not isinstance(value, Ref):
        return may_be_of_numpy(value)
    found = world.heap[value.id]
    return found.sort == "array" or any(_has_of_numpy(cell, world) for cell in found.cells)


def _mark(run: Run, node: ast.AST, world: World) -> None:
    """Take the number on top, or the numbers in a list on top, for numbers of numpy."""
    top = world.temps[-1]
    if isinstance(top, Ref) and world.heap[top.id].sort in ("list", "tuple", "array"):
        found = world.heap[top.id]
        cells = (arithmetic.of_one_size(run, node, cell, world) for cell in found.cells)
        world.heap[top.id] = replace(found, cells=tuple(map(as_of_numpy, cells)))
    else:
        world.temps[-1] = as_of_numpy(arithmetic.of_one_size(run, node, top, world))


def _is_no_number(path: str, values: Sequence[Value], world: World) -> bool:
    """Whether a function of one number is given an object; some take arrays, element by element."""
    sorts = {world.heap[value.id].sort for value in values if isinstance(value, Ref)}
    return bool(
        sorts - ({"array"} if path in ("builtins.abs", "builtins.round", "builtins.pow", "builtins.divmod") else set())
    )


_COMPARISONS = frozenset({"secrets.compare_digest", "hmac.compare_digest"})


_SHARED = frozenset(f"numpy.{name}" for name in ["exp", "log", "sqrt", "log2", "log10", "log1p"])


_OF_NUMBERS = NUMERIC_FUNCTIONS.keys() | _SHARED


_FUNCTIONS: Mapping[str, Builtin] = {
    **NUMERIC_FUNCTIONS,
    **BUILTIN_FUNCTIONS,
    **NUMPY_FUNCTIONS,
    **ITERABLE_FUNCTIONS,
    **KEYED_FUNCTIONS,
    **PLAIN_FUNCTIONS,
    **QUEUE_FUNCTIONS,
    **SHAPE_FUNCTIONS,
    "copy.copy": lambda run, node, values, named, world: method(run, node, values[0], "copy", [], {}, world),
}
