"""What is printed, where it is asked for."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from seepage.python import constants, plain
from seepage.python.calling import Named
from seepage.python.run import Run
from seepage.python.values import NONE, TEXT, Num, Object, Ref, Value
from seepage.python.world import World, push


def printed(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    """Follow 'print'."""
    whole = world.frames.setdefault(0, {}).get("printed ")
    if "file" in named and isinstance(whole, Ref):
        return push(
            world, run.refuse(node, "what is printed to a file is not analysed where it is asked what is printed")
        )
    if isinstance(whole, Ref):
        ends = tuple(_told(run, named.get(name), usual) for name, usual in zip(("sep", "end"), _PLAIN, strict=True))
        if None in ends:
            return push(world, run.refuse(node, "'sep' and 'end' must be known before the run"))
        settled = [_as_it_is(world, run, run.settle(world, value, "printed")) for value in values]
        is_plain = ends == _PLAIN and len(settled) == 1
        one = settled[0] if is_plain else run.allocate(world, Object("line", tuple(settled), ends))
        found = world.heap[whole.id]
        world.heap[whole.id] = replace(found, cells=(*found.cells, one))
    return push(world, constants.none_value(run))


_PLAIN = (" ", "\n")


def _told(run: Run, value: Value | None, usual: str) -> str | None:
    """Return the text that stands between values, or behind them; None where it is not known."""
    is_none = isinstance(value, Num) and value.kinds == NONE
    return usual if value is None or is_none else constants.text_of(run, value)


def as_text(run: Run, node: ast.AST, results: Sequence[tuple[World, Value]]) -> list[tuple[World, Value]]:
    """Return runs, and what they result in, with what they print as lines of text, if it may be that prints of other values look alike.

    That is where something else than a space stands between values, or something else than the end of a line behind them, or in a text.
    """
    whole = [(one, one.heap[ref.id]) for one, _ in results if isinstance(ref := one.frames[0]["printed "], Ref)]
    if not any(_is_apart(run, cell, one) for one, found in whole for cell in found.cells):
        return list(results)
    after: list[tuple[World, Value]] = []
    for (one, result), (_, found) in zip(results, whole, strict=True):
        one.temps.append(result)
        rows: list[tuple[int, str, str]] = []
        values: list[Value] = []
        for cell in found.cells:
            line = one.heap[cell.id] if isinstance(cell, Ref) else None
            cells: Sequence[Value] = (cell,)
            between, behind = _PLAIN
            if line is not None and line.sort == "line":
                cells, (between, behind) = line.cells, map(str, line.keys)
            rows.append((len(cells), between, behind))
            values += cells
        for end in plain.by_values(run, node, "print", values, one, partial(_lines, rows)):
            end.frames[0]["printed "] = end.pop()
            after.append((end, end.pop()))
    return after


def _lines(rows: Sequence[tuple[int, str, str]], *values: object) -> list[str]:
    text, place = "", 0
    for count, between, behind in rows:
        text += between.join(map(str, values[place : place + count])) + behind
        place += count
    return text.split("\n")  # nothing is behind the end of a line, which tells it from a line that has none


def _is_apart(run: Run, cell: Value, world: World) -> bool:
    """Whether it takes the text to tell what is printed from what others print."""
    match cell:
        case Ref(at):
            found = world.heap[at]
            return (found.sort == "line" and found.keys != _PLAIN) or any(
                _is_apart(run, one, world) for one in found.cells
            )
        case Num(kinds=kinds) if kinds & TEXT:
            texts = [run.codes.text_of(one) for one in cell.support.values or ()]
            return any(text is not None and "\n" in text for text in texts)
        case _:
            return False


def _as_it_is(world: World, run: Run, value: Value) -> Value:
    """Return a value that no later statement changes."""
    if not isinstance(value, Ref):
        return value
    found = world.heap[value.id]
    return run.allocate(world, replace(found, cells=tuple(_as_it_is(world, run, cell) for cell in found.cells)))
