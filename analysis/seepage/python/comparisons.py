"""Comparisons of numbers, objects and arrays."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from seepage import exact, rules
from seepage.exact import Irrational
from seepage.python import arrays, constants, keyed, known_keys, sequences
from seepage.python.run import Run
from seepage.python.terms import (
    binary,
    call,
    choice,
    conjunction,
    constant,
    disjunction,
    ends,
    literal,
    negation,
    number,
    truth_of,
)
from seepage.python.values import (
    BOOL,
    FLOAT,
    INT,
    NUMERIC,
    Function,
    Library,
    Num,
    Object,
    Range,
    Ref,
    Support,
    Uniform,
    Unknown,
    Value,
    may_be_of_numpy,
    may_share,
)
from seepage.python.vocabulary import ORDERS
from seepage.python.world import World, push
from seepage.syntax.spell import spell
from seepage.syntax.tree import BinaryOperator, Expression

_ORDERS: dict[type[ast.cmpop], BinaryOperator] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}


_TRUTHS: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


_SIGNED: dict[str, tuple[int, ...]] = {"<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (0, 1)}


def compare(run: Run, node: ast.AST, op: ast.cmpop, left: Value, right: Value, world: World) -> Num | Ref | None:
    """Compare two values; None, and a fault, where that is not analysed; an array of truths for arrays."""
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return None
    match op:
        case ast.In() | ast.NotIn():
            held = _contained(run, node, left, right, world)
            if held is None or isinstance(op, ast.In):
                return held
            return number(negation(held.expression), BOOL, world.known)
        case ast.Is() | ast.IsNot():
            held = _same(run, node, left, right, world)
            if held is None or isinstance(op, ast.Is):
                return held
            return number(negation(held.expression), BOOL, world.known)
        case _:
            ordered = _ordered(run, node, _ORDERS[type(op)], left, right, world)
            is_of_numpy = isinstance(ordered, Num) and may_be_of_numpy(left, right)
            return replace(ordered, of_numpy=True) if is_of_numpy and isinstance(ordered, Num) else ordered


def _same(run: Run, node: ast.AST, left: Value, right: Value, world: World) -> Num | None:
    if isinstance(left, Ref) and isinstance(right, Ref):
        if left != right and world.heap[left.id].sort == world.heap[right.id].sort == "tuple":
            run.refuse(node, "whether equal tuples are one is not known; use '=='")
            return None
        return truth_of(left == right)
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Num) and (one.kinds == frozenset({"none"}) or (one.kinds == BOOL and one.known is not None)):
            if not isinstance(other, Num):
                return truth_of(False)
            if one.kinds == BOOL and (one.of_numpy or other.of_numpy):
                break
            if one.kinds == BOOL and other.kinds != BOOL and "bool" in other.kinds:
                break
            if not one.kinds & other.kinds:
                return truth_of(False)
            return equal(run, one, other, world)
    run.refuse(node, "'is' is analysed for None, True and False; use '=='")
    return None


def equal(run: Run, left: Num, right: Num, world: World) -> Num:
    """Return whether two numbers, texts or ``None`` are equal."""
    if not left.kinds & right.kinds and not (left.kinds & NUMERIC and right.kinds & NUMERIC):
        return truth_of(False)
    if left.expression == right.expression and (left.kinds == right.kinds or may_share(left.kinds | right.kinds)):
        return truth_of(True)
    if not may_share(left.kinds | right.kinds):
        run.refuse(run.at, "a value that may be a text or a number is compared with a float; that is not analysed")
    return number(binary("==", left.expression, right.expression), BOOL, world.known)


def _ordered(
    run: Run, node: ast.AST, sign: BinaryOperator, left: Value, right: Value, world: World
) -> Num | Ref | None:
    objects = [world.heap[one.id] for one in (left, right) if isinstance(one, Ref)]
    if any(one.sort == "array" for one in objects):
        return _array_order(run, node, sign, left, right, world)
    if objects or isinstance(left, Range | Function | Library) or isinstance(right, Range | Function | Library):
        return _structures(run, node, sign, left, right, world)
    if isinstance(left, Uniform) or isinstance(right, Uniform):
        held = _threshold(run, sign, left, right, world)
        if held is not None:
            return held
    a, b = run.as_number(world, left), run.as_number(world, right)
    if not isinstance(a, Num) or not isinstance(b, Num):
        return None
    if sign in ("==", "!="):
        held = equal(run, a, b, world)
        if sign == "!=":
            held = number(negation(held.expression), BOOL, world.known)
    else:
        texts = constants.text_of(run, a), constants.text_of(run, b)
        if texts[0] is not None and texts[1] is not None:
            return truth_of((texts[0] > texts[1]) - (texts[0] < texts[1]) in _SIGNED[sign])
        if not a.is_number or not b.is_number:
            run.refuse(node, "the order of texts that are random, and of None, is not analysed; only '==' and '!=' are")
            return None
        held = number(binary(sign, a.expression, b.expression), BOOL, world.known)
    return held if _floats_agree(run, node, sign, a, b, held) else None


def _floats_agree(run: Run, node: ast.AST, sign: str, a: Num, b: Num, held: Num) -> bool:
    """Tell of a comparison of known values that comes out otherwise in floats."""
    if a.ieee is None or b.ieee is None or held.known is None:
        return True
    if not a.is_number or not b.is_number:
        return True
    computed = _TRUTHS[sign](a.ieee, b.ieee)
    if computed == bool(held.known):
        return True
    message = f"this is {computed} in floats, {bool(held.known)} in exact arithmetic; compare with a tolerance"
    run.tell(rules.PYTHON_FLOATS_DISAGREE, node, message)
    return False


def thresholds(run: Run, values: list[Value], world: World) -> list[tuple[World, list[Value]]]:
    """Return what is compared; where it is a draw that somebody holds, who may compare it again, a world for each value of a random threshold."""
    draws = {each.draw for each in values if isinstance(each, Uniform)}
    held = [each for frame in world.frames.values() for each in frame.values()]
    held += [each for found in world.heap.values() for each in found.cells]
    if not any(isinstance(each, Uniform) and each.draw in draws for each in held):
        return [(world, values)]
    worlds = [world]
    for value in values:
        known = run.refreshed(world, value).support.values if isinstance(value, Num) else None
        few = (
            known is not None
            and len(known) <= _MOST_THRESHOLDS
            and not any(isinstance(each, Irrational) for each in known)
        )
        if isinstance(value, Num) and value.is_number and few:
            worlds = [split for one in worlds for split, _ in run.split(one, value, "the threshold")]
    return [(one, [run.refreshed(one, each) if isinstance(each, Num) else each for each in values]) for one in worlds]


_MOST_THRESHOLDS = 16  # values of one that are followed apart


def _threshold(run: Run, sign: str, left: Value, right: Value, world: World) -> Num | None:
    """Return how a uniform draw compares with a number; None where it must be drawn for that."""
    if isinstance(left, Uniform) and isinstance(right, Uniform):
        return None
    if isinstance(right, Uniform):
        turned = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(sign, sign)
        return _threshold(run, turned, right, left, world)
    if not isinstance(left, Uniform) or not isinstance(right, Num) or not right.is_number:
        return None
    if sign in ("==", "!="):
        return truth_of(sign == "!=")
    cells = world.uniforms[left.draw]
    known = right.known
    if isinstance(known, int | Fraction) and not cells.spent:
        held = run.below(world, left, Fraction(known))
        return held if sign in ("<", "<=") else number(negation(held.expression), BOOL, world.known)
    if cells.index is not None or cells.spent or cells.drawn is not None or cells.folded is not None:
        return None
    # A threshold that is a formula: the draw is spent on it.
    cut: Expression = right.expression
    if left.offset != 0:
        cut = binary("-", cut, literal(left.offset))
    if left.scale != 1:
        cut = binary("/", cut, literal(left.scale))
    chance = number(cut, FLOAT, world.known)
    low, high = ends(chance.support)
    inside = low is not None and high is not None and exact.sign(low) >= 0 and exact.sign(exact.sub(high, 1)) <= 0
    if chance.known is None and not inside:
        cut = call("max", literal(0), call("min", literal(1), cut))
    elif isinstance(chance.known, Irrational) and not inside:
        value = exact.minimum(1, exact.maximum(0, chance.known))
        if isinstance(value, int | Fraction):
            return truth_of((value > 0) is ((left.scale > 0) is (sign in ("<", "<="))))
    below = (sign in ("<", "<=")) is (left.scale > 0)
    law = f"flip({spell(cut if below else binary('-', literal(1), cut))})"
    world.uniforms[left.draw] = replace(cells, spent=True)
    return run.draw(world, "below", law, BOOL, Support(frozenset({0, 1})))


def _array_order(run: Run, node: ast.AST, sign: BinaryOperator, left: Value, right: Value, world: World) -> Ref | None:
    def one_cell(one: World, cells: list[Value]) -> list[World]:
        held = _ordered(run, node, sign, cells[0], cells[1], one)
        return push(one, Unknown() if held is None else held)

    worlds = arrays.broadcast(run, node, [left, right], world, one_cell)
    if len(worlds) != 1 or worlds[0] is not world:
        run.refuse(node, "this comparison of arrays is not analysed")
        return None
    found = world.pop()
    return found if isinstance(found, Ref) else None


def _structures(run: Run, node: ast.AST, sign: BinaryOperator, left: Value, right: Value, world: World) -> Num | None:
    if any(_compares_itself(each, world) for each in (left, right)):
        run.refuse(node, OWN_ORDER)
        return None
    if sign not in ("==", "!="):
        return _order_of_structures(run, node, sign, left, right, world)
    held = _equal_structures(run, node, left, right, world)
    if held is None or sign == "==":
        return held
    return number(negation(held.expression), BOOL, world.known)


_ON_SETS: dict[BinaryOperator, ast.cmpop] = {"<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(), ">=": ast.GtE()}


def _order_of_structures(
    run: Run, node: ast.AST, sign: BinaryOperator, left: Value, right: Value, world: World
) -> Num | None:
    """Compare lists or tuples by their first elements that differ; sets by what they contain."""
    if not isinstance(left, Ref) or not isinstance(right, Ref):
        run.refuse(node, "the order of these values is not analysed")
        return None
    a, b = _as_tuple(world.heap[left.id]), _as_tuple(world.heap[right.id])
    if a.type == b.type and a.type is not None and a.type.is_ordered and a.sort == b.sort == "record":
        a, b = (replace(one, sort="tuple", keys=(), type=None) for one in (a, b))
    if a.sort == b.sort == "set":
        held = keyed.on_sets(run, _ON_SETS[sign], left, right, world)
        return held if isinstance(held, Num) else None
    if a.sort != b.sort or a.sort not in ("list", "tuple"):
        run.refuse(node, "the order of these objects is not analysed")
        return None
    parts: list[tuple[Num, Num]] = []
    for first, second in zip(a.cells, b.cells, strict=False):
        same = _equal_structures(run, node, first, second, world)
        held_ = (
            _ordered(run, node, "<" if sign in ("<", "<=") else ">", first, second, world)
            if same is None or same.known != 1
            else same
        )
        if same is None or not isinstance(held_, Num):
            return None
        parts.append((same, held_))
        if same.known == 0:  # nothing behind is compared
            break
    found = truth_of(_TRUTHS[sign](len(a.cells), len(b.cells)))
    for same, held_ in reversed(parts):
        found = number(choice(same.expression, found.expression, held_.expression), BOOL, world.known)
    return found


OWN_ORDER = "objects whose class defines how they compare are compared one by one; that is not analysed inside of others, nor in functions that compare"


def _compares_itself(value: Value, world: World) -> bool:
    found = world.heap[value.id] if isinstance(value, Ref) else None
    return found is not None and found.sort == "record" and found.type is not None and found.type.defines(ORDERS)


def _equal_structures(run: Run, node: ast.AST, left: Value, right: Value, world: World) -> Num | None:
    if any(_compares_itself(each, world) for each in (left, right)):
        run.refuse(node, OWN_ORDER)
        return None
    if isinstance(left, Ref) and isinstance(right, Ref):
        if left == right:
            return truth_of(True)
        first_, second_ = _compared(left, world), _compared(right, world)
        if first_ is None or second_ is None:
            run.refuse(node, "a comparison of 'items()' is not analysed; make both dictionaries")
            return None
        if first_.sort == second_.sort == "set":
            return truth_of(set(first_.keys) == set(second_.keys))
        pair = _alike(first_, second_)
        if pair is None:
            return truth_of(False)
        a, b = pair
        parts: list[Expression] = []
        for first, second in zip(a.cells, b.cells, strict=True):
            held = _equal_structures(run, node, first, second, world)
            if held is None:
                return None
            if held.known == 0:
                return held
            if held.known is None:
                parts.append(held.expression)
        return number(conjunction(parts), BOOL, world.known)
    if isinstance(left, Num) and isinstance(right, Num):
        return equal(run, left, right, world)
    if isinstance(left, Ref | Num) and isinstance(right, Ref | Num):
        return truth_of(False)
    run.refuse(node, "this comparison is not analysed")
    return None


def _compared(value: Ref, world: World) -> Object | None:
    """Return an object as ``==`` takes it: the keys of a dictionary are a set; None for its items."""
    found = world.heap[value.id]
    if found.sort != "view" or found.keys == ("values",):
        return found
    return Object("set", (), sequences.keys_of(value, world)) if found.keys == ("keys",) else None


def _as_tuple(found: Object) -> Object:
    """Return a named tuple as the tuple that it is, other objects as they are."""
    is_named = found.sort == "record" and found.type is not None and found.type.sort == "tuple"
    return replace(found, sort="tuple", keys=(), type=None) if is_named else found


def _alike(a: Object, b: Object) -> tuple[Object, Object] | None:
    """Return two objects with their parts in one order, if they are equal where these are; None if they are not equal."""
    a, b = _as_tuple(a), _as_tuple(b)
    if a.sort == b.sort == "dict":
        if a.type == b.type == known_keys.COUNTER:  # what is not counted is there 0 times
            a, b = (_with_zeros(one, other) for one, other in ((a, b), (b, a)))
        a, b = replace(a, type=None), replace(b, type=None)
    by_identity = a.sort in ("iterator", "view") or (a.sort == "record" and (a.type is None or a.type.sort != "data"))
    if by_identity or a.sort != b.sort or a.type != b.type or len(a.cells) != len(b.cells):
        return None
    if set(a.keys) != set(b.keys):
        return None
    order = [b.keys.index(key) for key in a.keys] if a.sort == "dict" else range(len(b.cells))
    return a, replace(b, cells=tuple(b.cells[place] for place in order))


def _with_zeros(one: Object, other: Object) -> Object:
    missing = tuple(key for key in other.keys if key not in one.keys)
    return replace(one, keys=one.keys + missing, cells=one.cells + (constant(0, INT, 0),) * len(missing))


def _can_change(value: Value, world: World) -> bool:
    """Whether a value, or a part of a tuple, has no hash."""
    if not isinstance(value, Ref):
        return False
    found = world.heap[value.id]
    if found.sort == "record" and found.type is not None and found.type.sort == "data":
        return not found.type.is_frozen
    is_group = found.sort == "tuple" or (
        found.sort == "record" and found.type is not None and found.type.sort == "tuple"
    )
    return found.sort in ("list", "dict", "set", "deque") or (
        is_group and any(_can_change(each, world) for each in found.cells)
    )


def _contained(run: Run, node: ast.AST, left: Value, right: Value, world: World) -> Num | None:
    if isinstance(right, Num):
        whole, part = constants.text_of(run, right), constants.text_of(run, left)
        if whole is not None and part is not None:
            return truth_of(part in whole)
        run.refuse(node, "'in' a text that is not known before the run is not analysed")
        return None
    parts: list[Value] | None
    if isinstance(right, Ref) and world.heap[right.id].sort in ("dict", "set"):
        if _can_change(left, world):
            run.refuse(node, "what can change is no key, as in Python")
            return None
        parts = [known_keys.value_of(run, key, world) for key in world.heap[right.id].keys]
    else:
        if isinstance(right, Ref) and len(world.heap[right.id].shape) > 1:
            run.refuse(node, "'in' of an array of rows looks at single numbers; that is not analysed")
            return None
        if any(
            isinstance(each, Ref) and world.heap[each.id].sort == "bytes" for each in (left, right)
        ) and not isinstance(left, Num):
            run.refuse(node, "'in' of several bytes at once is not analysed")
            return None
        parts = sequences.first_parts_of(run, node, right, world)
    if parts is None:
        return None
    held = [_equal_structures(run, node, left, part, world) for part in parts]
    if any(each is None for each in held):
        return None
    return number(
        disjunction(each.expression for each in held if each is not None and each.known != 0), BOOL, world.known
    )
