"""Enumerations of the file: their members are objects that are made once; those of ``IntEnum`` and ``StrEnum`` are the numbers and texts that they stand for."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from fractions import Fraction

from seepage.python import comparisons, following, sequences
from seepage.python.run import Run
from seepage.python.terms import constant
from seepage.python.values import INT, TEXT, Class, Num, Object, Ref, Unknown, Value
from seepage.python.world import World, push

_SORTS: dict[tuple[str, ...], str] = {
    ("enum.Enum",): "enum",
    ("enum.IntEnum",): "whole enum",
    ("enum.StrEnum",): "text enum",
}
_PLAIN = {"whole enum": INT, "text enum": TEXT}
"""Enumerations whose members are the numbers or texts that they stand for."""


def sort_of(run: Run, node: ast.ClassDef) -> str:
    """Return of which kind a class is an enumeration; nothing if it is none."""
    return _SORTS.get(tuple(run.module_path(base) or "" for base in node.bases), "")


def define(run: Run, node: ast.ClassDef, sort: str, world: World) -> Value:
    """Return an enumeration; its members are kept beside the names of the file."""
    kind = Class(node.name, (), {}, node, 0, sort, is_frozen=True)
    cells: list[Value] = []
    names: list[str] = []
    for one in node.body:
        match one:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if not name.startswith("_"):
                found = _value(run, value, name, cells, world, is_text=sort == "text enum")
            case ast.FunctionDef() if not one.name.startswith("_"):
                continue
            case ast.Pass() | ast.Expr(ast.Constant()):
                continue
            case _:
                return run.refuse(one, "of an enumeration, members with known values and plain methods are analysed")
        if found is None or found.kinds != _PLAIN.get(sort, found.kinds):
            return run.refuse(one, "the value of a member must be a known number or text")
        same = next((each for each in cells if _value_of(each, world) == (found.known, found.kinds)), None)
        text = constant(run.codes.code("str", name), TEXT)
        member = Object("record", (text, found), ("name", "value"), (), kind)
        made = found if sort in _PLAIN else run.allocate(world, member) if same is None else same
        cells.append(made)
        names.append(name)
    if sort in _PLAIN and _shows_members(run):
        return run.refuse(node, "what 'repr' shows of a number or text that is a member is not analysed")
    run.has_plain_members |= sort in _PLAIN
    world.frames[0][sequences.members_name(kind)] = run.allocate(world, Object("record", tuple(cells), tuple(names)))
    return kind


def _value(run: Run, node: ast.expr, name: str, before: Sequence[Value], world: World, *, is_text: bool) -> Num | None:
    if isinstance(node, ast.Call) and run.module_path(node.func) == "enum.auto":
        if is_text:
            return constant(run.codes.code("str", name.lower()), TEXT)
        known = [_value_of(each, world)[0] for each in before]
        whole = [each for each in known if isinstance(each, int)]
        return constant(1 + max(whole, default=0), INT) if len(whole) == len(known) and whole == sorted(whole) else None
    run.frames.append(0)
    ends = following.evaluate(run, node, world)
    run.frames.pop()
    found = world.pop() if len(ends) == 1 and ends[0] is world else None
    return found if isinstance(found, Num) and found.known is not None and found.kinds in (INT, TEXT) else None


def _value_of(member: Value, world: World) -> tuple[object, object]:
    found = world.heap[member.id].cells[1] if isinstance(member, Ref) else member
    return (found.known, found.kinds) if isinstance(found, Num) else (None, None)


def _shows_members(run: Run) -> bool:
    """Whether the file may show a member otherwise than the number that it is."""
    return any(
        (isinstance(one, ast.Name) and one.id == "repr")
        or (isinstance(one, ast.FormattedValue) and one.conversion == ord("r"))
        or (isinstance(one, ast.Constant) and isinstance(one.value, str) and ("%r" in one.value or "!r" in one.value))
        for one in ast.walk(run.module.tree)
    )


def by_value(run: Run, node: ast.AST, kind: Class, value: Value, world: World) -> list[World]:
    """Follow ``Kind(value)``: the member that has the value; without one, ValueError is raised."""
    members = sequences.members_of(kind, world) or []
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    if isinstance(value, Ref) and value in members:
        return push(world, value)
    ends: list[World] = []
    rest: World | None = world
    for member in members:
        if rest is None:
            break
        known = rest.heap[member.id].cells[1] if isinstance(member, Ref) else member
        held = comparisons.compare(run, node, ast.Eq(), known, value, rest)
        if not isinstance(held, Num):
            return push(rest, Unknown())
        yes, rest = run.branch(rest, held)
        ends += [] if yes is None else push(yes, member)
    if rest is not None:
        run.raise_(rest, "ValueError")
    return run.join(base, depth, ends, run.abrupt[mark:])


def by_name(run: Run, node: ast.AST, kind: Class, name: Value, world: World) -> list[World]:
    """Follow ``Kind["NAME"]``; without such a member, KeyError is raised."""
    if not isinstance(name, Num) or name.kinds != TEXT:
        return push(world, run.refuse(node, "a member is found by a text"))
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    ends: list[World] = []
    for one, known in run.split(world, name, "the name of the member"):
        member = sequences.member(kind, run.codes.text_of(known) or "" if isinstance(known, Fraction) else "", one)
        if member is None:
            run.raise_(one, "KeyError")
        else:
            ends += push(one, member)
    return run.join(base, depth, ends, run.abrupt[mark:]) if ends or len(run.abrupt) > mark else [world]
