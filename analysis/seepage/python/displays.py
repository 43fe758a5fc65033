"""Displays of lists, tuples and dictionaries, and texts that are put together."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from fractions import Fraction

from seepage import exact
from seepage.exact import Irrational
from seepage.python import (
    expressions,
    subscripts,
)
from seepage.python.run import Run
from seepage.python.values import (
    BOOL,
    Num,
    Object,
    Ref,
    Unknown,
    Value,
)
from seepage.python.world import World, push


def display(run: Run, node: ast.List | ast.Tuple, elements: Sequence[ast.expr], world: World) -> list[World]:
    """Put a list or a tuple on top."""
    sort = "list" if isinstance(node, ast.List) else "tuple"
    worlds = [world]
    counts = {id(world): 0}
    for element in elements:
        after: list[World] = []
        for one in worlds:
            count = counts[id(one)]
            inner = element.value if isinstance(element, ast.Starred) else element
            if inner is not element:
                run.at_once.add(inner)
            for result in expressions.evaluate(run, inner, one):
                value = result.pop()
                parts: list[Value] | None = [value]
                if isinstance(element, ast.Starred):
                    parts = subscripts.parts_of(run, element, value, result)
                parts = [Unknown()] if parts is None else parts
                result.temps += [run.settle(result, part, "item") for part in parts]
                counts[id(result)] = count + len(parts)
                after.append(result)
        worlds = after
    for one in worlds:
        cells = one.take(counts[id(one)])
        one.temps.append(run.allocate(one, Object(sort, tuple(cells))))
    return worlds


def dictionary(
    run: Run, node: ast.Dict, keys: Sequence[ast.expr | None], values: Sequence[ast.expr], world: World
) -> list[World]:
    """Put a dictionary on top; its keys are known."""
    if any(key is None for key in keys):
        return push(world, run.refuse(node, "'**' in a dictionary is not analysed"))
    pairs = [part for key, value in zip(keys, values, strict=True) for part in (key, value) if part is not None]

    def make(one: World, found: list[Value]) -> list[World]:
        cells: dict[object, Value] = {}
        for position in range(0, len(found), 2):
            key = key_of(run, one, found[position])
            if key is None:
                return push(one, run.refuse(node, "the keys of a dictionary must be known before the run"))
            cells[key] = run.settle(one, found[position + 1], "item")
        return push(one, run.allocate(one, Object("dict", tuple(cells.values()), tuple(cells))))

    return expressions.each(run, pairs, world, make)


def key_of(run: Run, world: World, value: Value) -> object | None:
    """Return a known value as a key: a number, the code of a text, or a tuple of such."""
    if isinstance(value, Num):
        known = run.refreshed(world, value).known
        is_float = "float" in value.kinds and not isinstance(known, int)
        return None if is_float or isinstance(known, Irrational) else known
    if isinstance(value, Ref) and world.heap[value.id].sort == "tuple":
        parts = [key_of(run, world, cell) for cell in world.heap[value.id].cells]
        return None if None in parts else tuple(parts)
    return None


def formatted(run: Run, node: ast.JoinedStr, values: Sequence[ast.expr], world: World) -> list[World]:
    """Return an f-text of known parts; random parts with few values are followed one by one."""
    parts = [part.value for part in values if isinstance(part, ast.FormattedValue)]
    if any(isinstance(part, ast.FormattedValue) and (part.format_spec or part.conversion != -1) for part in values):
        return push(world, run.refuse(node, "an f-string with a format is not analysed"))
    base, depth, mark = world.code, world.depth, len(run.abrupt)

    def fill(one: World, found: list[Value]) -> list[World]:
        going: list[tuple[World, list[str]]] = [(one, [])]
        for value in found:
            after: list[tuple[World, list[str]]] = []
            for each_, texts in going:
                if not isinstance(value, Num):
                    return push(one, run.refuse(node, "an f-string of this value is not analysed"))
                for split, known in run.split(each_, value, "what is put into the text"):
                    shown = spelled(run, value, known)
                    if shown is None:
                        return push(one, run.refuse(node, "an f-string of a float is not analysed"))
                    after.append((split, [*texts, shown]))
            going = after
        ends: list[World] = []
        for each_, texts in going:
            filled = iter(texts)
            whole = "".join(str(part.value) if isinstance(part, ast.Constant) else next(filled) for part in values)
            ends += push(each_, expressions.text_value(run, whole))
        return ends

    return run.join(base, depth, expressions.each(run, parts, world, fill), run.abrupt[mark:])


def spelled(run: Run, value: Num, known: exact.Number) -> str | None:
    """Return what ``str`` makes of a known value; None where that depends on floats."""
    if isinstance(known, Fraction) and "float" not in value.kinds:
        sort, text = run.codes.names[known]
        return text if sort == "str" else "None"
    if not isinstance(known, int) or "float" in value.kinds:
        return None
    if value.kinds == BOOL:
        return str(bool(known))
    return None if "bool" in value.kinds else str(known)
