"""Operators on values: sequences by structure, arrays cell by cell, numbers by ``number_operators.py``."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from seepage import exact
from seepage.python import arrays, constants, keyed, mechanism_calls, own_methods, plain, truths
from seepage.python.number_operators import (
    BELOW_ZERO_OF_NUMPY,
    SIGNS,
    TRUTHS_OF_NUMPY,
    ZERO_OF_NUMPY,
    may_be_below_zero,
    on_numbers,
)
from seepage.python.run import Run
from seepage.python.terms import (
    binary,
    disjunction,
    ends,
    literal,
    negation,
    number,
)
from seepage.python.values import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    NUMERIC,
    TEXT,
    WHOLE,
    Num,
    Object,
    Ref,
    Uniform,
    Unknown,
    Value,
    as_of_numpy,
    may_be_of_numpy,
)
from seepage.python.world import World, push
from seepage.syntax.tree import Unary

_LONGEST_LIST = 4_096


def operation(run: Run, node: ast.AST, op: ast.operator, values: Sequence[Value], world: World) -> list[World]:
    """Apply a binary operator."""
    if (own := own_methods.operation(run, node, op, values, world)) is not None:
        return own
    ends_ = _applied(run, node, op, values, world)
    return _of_numpy(run, node, ends_) if may_be_of_numpy(*values) else ends_


def _of_numpy(run: Run, node: ast.AST, worlds: list[World]) -> list[World]:
    """Take the number on top for one of numpy."""
    for one in worlds:
        one.temps.append(as_of_numpy(of_one_size(run, node, one.pop(), one)))
    return worlds


_SIZE = 2**63


def of_one_size(run: Run, node: ast.AST, value: Value, world: World) -> Value:
    """Return a value that numpy computed, if it has room for it: its whole numbers have 64 bits.

    Sums, differences and products are right where the last of them has room, whatever those before had.
    """
    if not isinstance(value, Num) or not value.kinds & INT or value.kinds & FLOAT:
        return value
    low, high = ends(run.refreshed(world, value).support)
    if (low is None or exact.compare(low, -_SIZE) >= 0) and (high is None or exact.compare(high, _SIZE) < 0):
        return value
    return run.refuse(
        node,
        "a whole number of numpy that may pass 2**63 begins again at -2**63; make it one of Python by 'int', or a float",
    )


def _applied(run: Run, node: ast.AST, op: ast.operator, values: Sequence[Value], world: World) -> list[World]:
    left, right = values
    if isinstance(op, ast.Mod) and isinstance(left, Num) and left.kinds == TEXT and isinstance(right, Ref):
        return plain.percent(run, node, left, right, world)
    if isinstance(left, Ref) or isinstance(right, Ref):
        return _on_objects(run, node, op, left, right, world)
    if (kept := _affine(op, left, right)) is not None:
        return push(world, kept)
    if isinstance(op, ast.Pow) and isinstance(left, Uniform) and isinstance(right, Num):
        exponent = right.known
        power = run.power(world, left, Fraction(exponent)) if isinstance(exponent, int | Fraction) else None
        if power is not None:
            return push(world, power)
    a, b = run.as_number(world, left), run.as_number(world, right)
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return push(world, Unknown())
    if not isinstance(a, Num) or not isinstance(b, Num):
        return push(world, run.refuse(node, f"'{SIGNS[type(op)]}' of these values is not analysed"))
    if a.is_number and b.is_number:
        return on_numbers(run, node, op, a, b, world)
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    ended: list[World] = []
    for one, first in _by_type(run, a, world):
        for two, second in _by_type(run, b, one):
            if first.is_number and second.is_number:
                ended += on_numbers(run, node, op, first, second, two)
            elif TEXT in (first.kinds, second.kinds):
                ended += _on_texts(run, node, op, first, second, two)
            else:
                run.raise_(two, "TypeError")
    return run.join(base, depth, ended, run.abrupt[mark:])


def _by_type(run: Run, value: Num, world: World) -> list[tuple[World, Num]]:
    """Return the worlds in which a value is a text, ``None`` and a number, with what it is there."""
    value = run.refreshed(world, value)
    if sum(bool(value.kinds & kinds) for kinds in (TEXT, NONE, NUMERIC)) == 1:
        return [(world, value)]
    settled = run.settle(world, value, "value")
    assert isinstance(settled, Num)
    found: list[tuple[World, Num]] = []
    rest: World | None = world
    for kinds, sort in ((TEXT, "str"), (NONE, "none")):
        if rest is None or not value.kinds & kinds:
            continue
        codes = [code for code, (kind, _) in run.codes.names.items() if kind == sort]
        held = disjunction(binary("==", settled.expression, literal(code)) for code in codes)
        here, rest = run.branch(rest, number(held, BOOL, rest.known))
        if here is not None:
            found.append((here, number(settled.expression, kinds, here.known)))
    if rest is not None and value.kinds & NUMERIC:
        found.append((rest, number(settled.expression, value.kinds & NUMERIC, rest.known)))
    return found


def _affine(op: ast.operator, left: Value, right: Value) -> Uniform | None:
    """Return a uniform draw that is shifted or scaled by a known number."""
    drawn, other = (left, right) if isinstance(left, Uniform) else (right, left)
    if not isinstance(drawn, Uniform) or not isinstance(other, Num):
        return None
    known = other.known
    if not isinstance(known, int | Fraction) or not other.is_number:
        return None
    by = Fraction(known)
    match op:
        case ast.Add():
            return replace(drawn, offset=drawn.offset + by)
        case ast.Sub() if drawn is left:
            return replace(drawn, offset=drawn.offset - by)
        case ast.Sub():
            return replace(drawn, scale=-drawn.scale, offset=by - drawn.offset)
        case ast.Mult() if by != 0:
            return replace(drawn, scale=drawn.scale * by, offset=drawn.offset * by)
        case ast.Div() if by != 0 and drawn is left:
            return replace(drawn, scale=drawn.scale / by, offset=drawn.offset / by)
        case _:
            return None


def _on_texts(run: Run, node: ast.AST, op: ast.operator, a: Num, b: Num, world: World) -> list[World]:
    """Join texts, or repeat one; other operators of a text raise, but for ``%``, which is not followed."""
    if isinstance(op, ast.Add) and a.kinds == b.kinds == TEXT:
        return _joined_texts(run, a, b, world)
    if isinstance(op, ast.Mod) and a.kinds == TEXT:
        return plain.percent(run, node, a, b, world)
    text, times = (a, b) if a.kinds == TEXT else (b, a)
    if not isinstance(op, ast.Mult) or not times.kinds & WHOLE:
        run.raise_(world, "TypeError")
        return []
    if not times.kinds <= WHOLE:
        return push(world, run.refuse(node, "a text repeated by what may be a float is not analysed"))
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    ended: list[World] = []
    for one, known in run.split(world, text, "the text"):
        repeated = run.codes.text_of(known) or ""
        for two, count in run.split(one, times, "how often the text is repeated"):
            assert isinstance(count, int)
            if count * len(repeated) > _LONGEST_LIST:
                told = f"a text of more than {_LONGEST_LIST:,} characters is not analysed"
                return push(two, run.refuse(node, told))
            ended += push(two, constants.text_value(run, repeated * count))
    return run.join(base, depth, ended, run.abrupt[mark:]) if ended else [world]


def _joined_texts(run: Run, a: Num, b: Num, world: World) -> list[World]:
    """Join texts that are random, for each of their values."""
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    ends_: list[World] = []
    for one, first in run.split(world, a, "the text"):
        for two, second in run.split(one, b, "the text"):
            left, right = run.codes.text_of(first), run.codes.text_of(second)
            ends_ += push(two, constants.text_value(run, f"{left}{right}"))
    return run.join(base, depth, ends_, run.abrupt[mark:]) if ends_ else [world]


def _on_objects(run: Run, node: ast.AST, op: ast.operator, left: Value, right: Value, world: World) -> list[World]:
    a = world.heap[left.id] if isinstance(left, Ref) else None
    b = world.heap[right.id] if isinstance(right, Ref) else None
    if (a is not None and a.sort == "array") or (b is not None and b.sort == "array"):
        return _on_arrays(run, node, op, left, right, world)
    if (
        isinstance(op, ast.Add)
        and a is not None
        and b is not None
        and a.sort == b.sort
        and a.sort in ("list", "tuple", "bytes")
    ):
        return push(world, run.allocate(world, Object(a.sort, a.cells + b.cells)))
    if a is not None and b is not None and a.sort == b.sort == "set":
        assert isinstance(left, Ref)
        assert isinstance(right, Ref)
        return push(world, keyed.on_sets(run, op, left, right, world))
    if isinstance(op, ast.BitOr) and a is not None and b is not None and a.sort == b.sort == "dict":
        return keyed.merged(run, a, b, world)
    if isinstance(op, ast.RShift) and b is not None and b.sort == "partial":
        return push(world, mechanism_calls.chained(run, node, left, right, world))
    found, times = (a, right) if a is not None else (b, left)
    if (
        isinstance(op, ast.Mult)
        and found is not None
        and found.sort in ("list", "tuple", "bytes")
        and isinstance(times, Num)
    ):
        if not times.kinds & WHOLE:
            run.raise_(world, "TypeError")
            return []
        if not times.kinds <= WHOLE:
            return push(world, run.refuse(node, "a list repeated by what may be no whole number is not analysed"))
        worlds: list[World] = []
        for one, count in run.split(world, times, "how often the list is repeated"):
            if not isinstance(count, int) or count * len(found.cells) > _LONGEST_LIST:
                return push(one, run.refuse(node, f"a list of more than {_LONGEST_LIST} elements is not analysed"))
            worlds += push(one, run.allocate(one, Object(found.sort, found.cells * max(0, count))))
        return worlds or [world]
    return push(world, run.refuse(node, f"'{SIGNS[type(op)]}' of these objects is not analysed"))


def _on_arrays(run: Run, node: ast.AST, op: ast.operator, left: Value, right: Value, world: World) -> list[World]:
    """Apply an operator cell by cell; what numpy does otherwise than Python is told."""
    if isinstance(op, ast.MatMult):
        return run.hooks.call_library(run, node, "numpy.dot", [left, right], {}, world)
    if isinstance(op, ast.Add | ast.Sub) and all(are_truths(value, world) for value in (left, right)):
        told = f"'{SIGNS[type(op)]}' of arrays of truth values counts nothing in numpy; write '|' or '^', or make them numbers"
        return push(world, run.refuse(node, told))
    if all(are_truths(value, world) for value in (left, right)):
        if isinstance(op, ast.Mult):  # of truth values of numpy it is one
            op = ast.BitAnd()
        elif isinstance(op, ast.FloorDiv | ast.Mod | ast.Pow | ast.LShift | ast.RShift):
            told = f"'{SIGNS[type(op)]}' of arrays of truth values is not analysed; make them numbers"
            return push(world, run.refuse(node, told))
    if isinstance(op, ast.Pow) and _may_be_whole_below_zero(run, left, right, world):
        return push(world, run.refuse(node, BELOW_ZERO_OF_NUMPY))
    mark = len(run.abrupt)
    found = arrays.broadcast(
        run, node, [left, right], world, lambda one, cells: _of_numpy(run, node, operation(run, node, op, cells, one))
    )
    if any(one.outcome == "raise ZeroDivisionError" for one in run.abrupt[mark:]):
        return push(world, run.refuse(node, ZERO_OF_NUMPY))
    return found


def _may_be_whole_below_zero(run: Run, left: Value, right: Value, world: World) -> bool:
    """Whether whole numbers may be raised to powers below 0."""
    bases, powers = (world.heap[each.id].cells if isinstance(each, Ref) else (each,) for each in (left, right))
    if any(isinstance(each, Num) and each.kinds == FLOAT for each in (*bases, *powers)):
        return False
    return any(isinstance(each, Num) and may_be_below_zero(run, each, world) for each in powers)


def are_truths(value: Value, world: World) -> bool:
    """Whether a value is an array of truth values, or one."""
    return arrays.are_truths(world.heap[value.id].cells if isinstance(value, Ref) else (value,))


def unary(run: Run, node: ast.AST, op: ast.unaryop, value: Value, world: World) -> list[World]:
    """Apply a unary operator."""
    if (own := own_methods.signed(run, node, op, value, world)) is not None:
        return own
    ends_ = _signed(run, node, op, value, world)
    return _of_numpy(run, node, ends_) if may_be_of_numpy(value) and not isinstance(op, ast.Not) else ends_


def _signed(run: Run, node: ast.AST, op: ast.unaryop, value: Value, world: World) -> list[World]:
    if isinstance(op, ast.Not):
        held = truths.truth(run, node, value, world)
        if held is None:
            return push(world, Unknown())
        return push(world, number(negation(held.expression), BOOL, world.known))
    if isinstance(value, Ref) and world.heap[value.id].sort == "array":
        if are_truths(value, world):
            if not isinstance(op, ast.Invert):
                return push(world, run.refuse(node, "a sign of truth values is an error in numpy; write '~'"))
            op = ast.Not()
        return arrays.broadcast(run, node, [value], world, lambda one, cells: unary(run, node, op, cells[0], one))
    if isinstance(value, Uniform) and isinstance(op, ast.USub):
        return push(world, replace(value, scale=-value.scale, offset=-value.offset))
    plain = run.as_number(world, value)
    if isinstance(plain, Num) and (not plain.kinds & NUMERIC or (isinstance(op, ast.Invert) and plain.kinds == FLOAT)):
        run.raise_(world, "TypeError")
        return []
    if not isinstance(plain, Num) or not plain.is_number or (isinstance(op, ast.Invert) and plain.kinds & FLOAT):
        return push(
            world, plain if isinstance(plain, Unknown) else run.refuse(node, "a sign of this value is not analysed")
        )
    if "bool" in plain.kinds and plain.of_numpy:
        return push(world, run.refuse(node, f"a sign {TRUTHS_OF_NUMPY}"))
    kinds = FLOAT if plain.kinds & FLOAT else INT
    match op:
        case ast.USub():
            shadow = None if plain.ieee is None else -plain.ieee
            return push(world, number(Unary("-", plain.expression, plain.expression.span), kinds, world.known, shadow))
        case ast.UAdd():
            return push(world, replace(plain, kinds=kinds))
        case _:
            made = binary("-", Unary("-", plain.expression, plain.expression.span), literal(1))
            return push(world, number(made, INT, world.known))
