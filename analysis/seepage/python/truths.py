"""Whether values count as true, and the worlds in which a condition holds."""

from __future__ import annotations

import ast

from seepage import exact
from seepage.python import following, known_keys
from seepage.python.run import Run
from seepage.python.terms import binary, constant, ends, number, truth_of
from seepage.python.values import BOOL, NONE, TEXT, Num, Range, Ref, Uniform, Unknown, Value
from seepage.python.world import World


def truth(run: Run, node: ast.AST, value: Value, world: World) -> Num | None:
    """Return whether a value counts as true; None, and a fault, where that is not analysed."""
    match value:
        case Num(kinds=kinds):
            if kinds == BOOL:
                return run.refreshed(world, value)
            if kinds == NONE:
                return truth_of(False)
            false = [run.codes.code("none")] if "none" in kinds else []
            if "str" in kinds:
                false.append(run.codes.code("str", ""))
            tests = [binary("!=", value.expression, constant(0, BOOL).expression)] if kinds != TEXT else []
            tests += [binary("!=", value.expression, constant(code, TEXT).expression) for code in false]
            found = tests[0]
            for test in tests[1:]:
                found = binary("and", found, test)
            return number(found, BOOL, world.known)
        case Ref(at):
            found_ = world.heap[at]
            if found_.type is not None and found_.sort == "record" and found_.type.defines(("__bool__", "__len__")):
                run.refuse(
                    node, "the truth of an object whose class defines it is analysed in conditions, and by 'bool'"
                )
                return None
            if found_.sort == "iterator" or (
                found_.sort == "record" and (found_.type is None or found_.type.sort != "tuple")
            ):
                return truth_of(True)
            if found_.sort == "array" and len(found_.cells) != 1:
                run.refuse(node, "the truth of an array with several elements is ambiguous, as in Python")
                return None
            if found_.sort == "array":
                return truth(run, node, found_.cells[0], world)
            return truth_of(bool(known_keys.viewed(run, found_, world) if found_.sort == "view" else found_.cells))
        case Range(indices):
            return truth_of(len(indices) > 0)
        case Uniform():
            return truth_of(True)
        case Unknown():
            return None
        case _:
            return truth_of(True)


def may_be_negative(run: Run, value: Num, world: World) -> bool:
    """Whether a number may lie below 0, as far as is known."""
    low, _ = ends(run.refreshed(world, value).support)
    return low is None or exact.sign(low) < 0


def held_in(run: Run, node: ast.expr, world: World, *, apart: bool = False) -> list[tuple[World, bool]]:
    """Evaluate a condition and return the worlds in which it holds and those in which it does not.

    ``apart``: keep what each part of the condition tells, by a branch for each.
    """
    if apart and isinstance(node, ast.BoolOp):
        return _test_parts(run, node, world)
    if apart and isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return [(one, not held) for one, held in held_in(run, node.operand, world, apart=True)]
    found: list[tuple[World, bool]] = []
    for one in (end for first in following.evaluate(run, node, world) for end in run.hooks.truth(run, node, first)):
        condition = truth(run, node, one.pop(), one)
        if condition is None:
            found.append((one, True))
            continue
        yes, no = run.branch(one, condition)
        found += [(each_, held) for each_, held in ((yes, True), (no, False)) if each_ is not None]
    return found


def _test_parts(run: Run, node: ast.BoolOp, world: World) -> list[tuple[World, bool]]:
    stops = isinstance(node.op, ast.Or)
    going, found = [world], []
    for position, part in enumerate(node.values):
        last = position == len(node.values) - 1
        ends = [pair for one in going for pair in held_in(run, part, one, apart=True)]
        found += [(one, held) for one, held in ends if last or held is stops]
        going = [] if last else [one for one, held in ends if held is not stops]
    return found
