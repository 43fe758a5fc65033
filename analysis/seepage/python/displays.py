"""Displays of lists and tuples, and texts that are put together."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from fractions import Fraction

from seepage import exact
from seepage.python import (
    expressions,
    iteration,
    subscripts,
)
from seepage.python.run import Run
from seepage.python.values import (
    BOOL,
    Num,
    Object,
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
            ends = expressions.evaluate(run, inner, one)
            if inner is not element:
                ends = [after for each in ends for after in iteration.drained(run, element, each.pop(), each)]
            for result in ends:
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
