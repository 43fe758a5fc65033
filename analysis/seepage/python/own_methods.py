"""Objects whose class says itself what operators, comparisons, lengths, elements and truths of them are: ``__add__``, ``__eq__``, ``__len__`` and their like.

Each is looked up in the class and followed as a method is, in the order in which Python asks for it, from both sides of an operator.
What would ask them where no call is followed (an order of a list, say) refuses them instead.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from seepage.python import following, records, truths
from seepage.python.calling import Named
from seepage.python.run import Run
from seepage.python.terms import negation, number, truth_of
from seepage.python.values import (
    BOOL,
    NONE,
    TEXT,
    WHOLE,
    Class,
    Function,
    Given,
    Library,
    Num,
    Ref,
    Unknown,
    Value,
)
from seepage.python.vocabulary import COMPARED, OPERATORS, SIGNS
from seepage.python.world import World, push

_DECLINED = Library("builtins.NotImplemented")
Tries = Sequence[tuple[str, int, int]]
"""Methods to ask in turn: the name, and which of the two operands is asked about which."""


def _class_of(value: Value, world: World) -> Class | None:
    return world.heap[value.id].type if isinstance(value, Ref) else None


def defines(value: Value, world: World, *names: str) -> bool:
    """Whether the class of an object defines one of some methods."""
    found = world.heap[value.id] if isinstance(value, Ref) else None
    return found is not None and found.sort == "record" and found.type is not None and found.type.defines(names)


def method(run: Run, value: Value, name: str, world: World) -> Function | None:
    """Return the method of a name that an object's class defines, bound to the object; None if there is none."""
    if not defines(value, world, name) or not isinstance(value, Ref):
        return None
    kind = world.heap[value.id].type
    found = None if kind is None else records.class_method(run, kind, name, world)
    return None if found is None else replace(found, owner=value)


def asked(run: Run, node: ast.AST, name: str, values: Sequence[Value], world: World) -> list[World] | None:
    """Follow a method of the first of some values with the others; None if its class defines no such method."""
    owner, *others = values
    own = method(run, owner, name, world)
    return None if own is None else following.inline(run, node, own, Given(list(others)), world)


def _in_turn(
    run: Run,
    node: ast.AST,
    tries: Tries,
    values: Sequence[Value],
    world: World,
    otherwise: Callable[[World], list[World]],
) -> list[World]:
    """Ask methods one after the other, as long as each declines; both operands live as long as that takes."""
    base, depth, mark, place = world.code, world.depth, len(run.abrupt), len(world.temps)
    world.temps += values
    going, ends = [world], list[World]()
    for name, asker, about in tries:
        after: list[World] = []
        for one in going:
            done = asked(run, node, name.lstrip("!"), [one.temps[place + asker], one.temps[place + about]], one)
            for each in [one] if done is None else done:
                declined = done is not None and each.temps[-1] == _DECLINED
                if declined:
                    each.pop()
                if done is None or declined:
                    after.append(each)
                else:
                    each.temps[place:] = [_inverted(run, node, each.pop(), each) if name == _UNEQUAL else each.pop()]
                    ends.append(each)
        going = after
    for one in going:
        del one.temps[place:]
        ends += otherwise(one)
    return run.join(base, depth, ends, run.abrupt[mark:])


_UNEQUAL = "!__eq__"


def _inverted(run: Run, node: ast.AST, value: Value, world: World) -> Value:
    held = truths.truth(run, node, value, world)
    return Unknown() if held is None else number(negation(held.expression), BOOL, world.known)


def operation(
    run: Run, node: ast.AST, op: ast.operator, values: Sequence[Value], world: World, *, in_place: bool = False
) -> list[World] | None:
    """Follow an operator one of whose operands defines it; None for others."""
    name = OPERATORS[type(op)]
    left, right = values
    names = (f"__{name}__", f"__r{name}__", f"__i{name}__")
    formats = isinstance(op, ast.Mod) and isinstance(left, Num) and left.kinds == TEXT
    if formats or not (defines(left, world, names[0], names[2]) or defines(right, world, names[1])):
        return None
    if _has_array(values, world):
        return push(world, run.refuse(node, _ARRAY))
    tries = [(names[0], 0, 1)]
    if _class_of(left, world) != _class_of(right, world):
        first = _is_above(left, right, world) and _differs(left, right, names[1], world)
        tries.insert(0 if first else 1, (names[1], 1, 0))
    if in_place:
        tries.insert(0, (names[2], 0, 1))

    def fails(one: World) -> list[World]:
        run.raise_(one, "TypeError")
        return []

    return _in_turn(run, node, tries, values, world, fails)


_NO_ORDER = (
    "objects are sorted where their class compares the same numbers of both, as in 'return self.rank < other.rank', and nothing else; "
    "give 'sorted' a key"
)
_ARRAY = "an array beside an object whose class defines operators, which numpy asks for each element, is not analysed"


def _has_array(values: Sequence[Value], world: World) -> bool:
    return any(isinstance(each, Ref) and world.heap[each.id].sort == "array" for each in values)


def _is_above(left: Value, right: Value, world: World) -> bool:
    """Whether the class of the right operand inherits from that of the left one, so that it is asked first how they compare."""
    above, below = _class_of(left, world), _class_of(right, world)
    return above is not None and below is not None and above != below and above in below.lineage


def _differs(left: Value, right: Value, name: str, world: World) -> bool:
    """Whether two objects have a method of a name from different classes: one that is inherited from the left one's is not asked first by an operator."""
    first, second = (
        None if kind is None else records.holder_of(kind, name)
        for kind in (_class_of(left, world), _class_of(right, world))
    )
    return first != second


def compared(run: Run, node: ast.AST, op: ast.cmpop, values: Sequence[Value], world: World) -> list[World] | None:
    """Follow a comparison one of whose sides defines it; None for others."""
    pair = COMPARED.get(type(op))
    left, right = values
    if pair is None or not any(defines(each, world, *pair, "__eq__") for each in values):
        return None
    if _has_array(values, world):
        return push(world, run.refuse(node, _ARRAY))
    if isinstance(op, ast.Eq) and left == right and run.is_in_library:  # as lists do, it asks no object about itself
        return push(world, truth_of(True))
    if run.is_in_library and run.calls[-1:] == ["itertools_groupby"]:  # which asks an object several times
        return push(world, run.refuse(node, "'groupby' by objects whose class defines '==' is not analysed"))
    if _sorts_by_no_order(run, values, world):
        return push(world, run.refuse(node, _NO_ORDER))
    equality = isinstance(op, ast.Eq | ast.NotEq)
    tries = [(pair[0], 0, 1), (pair[1], 1, 0)]
    if _is_above(left, right, world):
        tries.reverse()
    if isinstance(op, ast.NotEq):  # without a method of its own, it is what is not equal
        tries = [(name if defines(values[at], world, name) else _UNEQUAL, at, about) for name, at, about in tries]

    def otherwise(one: World) -> list[World]:
        if equality:
            return push(one, truth_of((left == right) is isinstance(op, ast.Eq)))
        run.raise_(one, "TypeError")
        return []

    return _in_turn(run, node, tries, values, world, otherwise)


def signed(run: Run, node: ast.AST, op: ast.unaryop, value: Value, world: World) -> list[World] | None:
    """Follow a sign of an object that defines it, and ``not``; None for others."""
    if isinstance(op, ast.Not):
        found = truth(run, node, value, world)
        for one in found or ():
            one.temps.append(_inverted(run, node, one.pop(), one))
        return found
    return asked(run, node, SIGNS[type(op)], [value], world)


def truth(run: Run, node: ast.AST, value: Value, world: World) -> list[World] | None:
    """Put whether an object counts as true on top, if its class says so; None for others."""
    if not defines(value, world, "__bool__"):
        return length(run, node, value, world)
    found = asked(run, node, "__bool__", [value], world)
    for one in found or ():
        top = one.temps[-1]
        if not isinstance(top, Num) or top.kinds != BOOL or top.of_numpy:
            one.temps[-1] = run.refuse(
                node, "a '__bool__' that may give another value than True and False is not analysed"
            )
    return found


def truth_on_top(run: Run, node: ast.AST, world: World) -> list[World]:
    """Replace what is on top by whether it counts as true, if its class says so."""
    value = world.pop()
    found = truth(run, node, value, world)
    return push(world, value) if found is None else found


def length(run: Run, node: ast.AST, value: Value, world: World) -> list[World] | None:
    """Follow ``len`` of an object that defines it; None for others."""
    found = asked(run, node, "__len__", [value], world)
    for one in found or ():
        top = one.temps[-1]
        if not isinstance(top, Num) or not top.kinds <= WHOLE or truths.may_be_negative(run, top, one):
            one.temps[-1] = run.refuse(node, "a length that may be no whole number from 0 on is not analysed")
    return found


def iterated(run: Run, node: ast.AST, value: Value, world: World) -> list[tuple[World, Value]]:
    """Return what is walked over: what an object's ``__iter__`` gives, or its ``__getitem__`` from 0 on, or the value itself."""
    found = asked(run, node, "__iter__", [value], world)
    if found is None and defines(value, world, "__getitem__"):
        found = run.hooks.call_library(run, node, "written.own_elements", [value], {}, world)
    for one in found or ():
        top = one.temps[-1]
        if not isinstance(top, Ref) or one.heap[top.id].sort != "iterator":
            one.temps[-1] = run.refuse(node, "an '__iter__' that gives no iterator of Python is not analysed")
    return [(world, value)] if found is None else [(one, one.pop()) for one in found]


def contained(run: Run, node: ast.AST, values: Sequence[Value], world: World, *, is_in: bool) -> list[World] | None:
    """Follow ``in`` of a container that defines it, or one of objects that define when they are equal; None for others."""
    item, container = values
    found = asked(run, node, "__contains__", [container, item], world)
    if found is None and (defines(container, world, "__iter__") or _compares(item, container, world)):
        found = run.hooks.call_library(run, node, "written.own_contains", [container, item], {}, world)
    for one in found or ():
        held = truths.truth(run, node, one.pop(), one)
        kept = truth_of(False) if held is None else held
        one.temps.append(kept if is_in else number(negation(kept.expression), BOOL, one.known))
    return found


def _compares(item: Value, container: Value, world: World) -> bool:
    found = world.heap[container.id] if isinstance(container, Ref) else None
    cells = found.cells if found is not None and found.sort in ("list", "tuple", "deque") else ()
    return any(defines(each, world, "__eq__") for each in (item, *cells)) and bool(cells)


_BY_OPERATORS: Mapping[str, tuple[str, ...]] = {
    "builtins.sum": ("__add__", "__radd__"),
    **{f"builtins.{name}": ("__lt__", "__gt__") for name in ("max", "min", "sorted")},
}


def by_operators(path: str, values: Sequence[Value], named: Named, world: World) -> str | None:
    """Return the function, written in Python, that does what one of Python's does with objects that define its operator; None for others, and by a key."""
    names = _BY_OPERATORS.get(path)
    if names is None or not _is_none(named.get("key")):
        return None
    parts = [*values, *(cell for each in values if isinstance(each, Ref) for cell in world.heap[each.id].cells)]
    if not any(defines(each, world, *names) for each in parts):
        return None
    return f"written.own_{path.rpartition('.')[2]}{'_or' if 'default' in named else ''}"


def _is_none(value: Value | None) -> bool:
    return value is None or (isinstance(value, Num) and value.kinds == NONE)


# --- orders ---------------------------------------------------------------------------------------------------------


def _sorts_by_no_order(run: Run, values: Sequence[Value], world: World) -> bool:
    """Whether a list is being sorted by a comparison that need not be an order, so that which pairs are compared can be seen.

    That is not told by Python, and another one from release to release.
    """
    if not run.is_in_library or run.calls[-1:] != ["own_sorted"]:
        return False
    is_of_heapq = run.calls[-2:-1] in (["heapq_nlargest"], ["heapq_nsmallest"])  # which asks '==' first
    kinds = {_class_of(each, world) for each in values}
    return is_of_heapq or len(kinds) > 1 or not all(_is_ordered(run, each, world) for each in values)


def _is_ordered(run: Run, value: Value, world: World) -> bool:
    """Whether an object's class compares the same numbers of both objects, and does nothing else."""
    own = method(run, value, "__lt__", world) or method(run, value, "__gt__", world)
    if own is None or not isinstance(value, Ref) or not isinstance(own.node, ast.FunctionDef):
        return False
    arguments = [one.arg for one in own.node.args.args]
    match [one for one in own.node.body if not (_is_told(one) or _declines(one))]:
        case [ast.Return(value=ast.Compare(left=left, ops=[ast.Lt() | ast.Gt()], comparators=[right]))] if (
            len(arguments) == 2
        ):
            pass
        case _:
            return False
    one, other = (_fields_read(run, side, value, world) for side in (left, right))
    if one is None or other is None or {one[0], other[0]} != set(arguments):
        return False
    return one[1] == other[1]


def _is_told(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _declines(node: ast.stmt) -> bool:
    """Whether a statement only declines objects of other classes."""
    match node:
        case ast.If(
            test=ast.UnaryOp(op=ast.Not(), operand=ast.Call(func=ast.Name("isinstance"))),
            body=[ast.Return(ast.Name("NotImplemented"))],
            orelse=[],
        ):
            return True
        case _:
            return False


def _fields_read(run: Run, node: ast.expr, value: Ref, world: World) -> tuple[str, tuple[object, ...]] | None:
    """Return whose fields an expression is, and which, with their signs; None for other expressions, and where a field is no number."""
    record = world.heap[value.id]
    match node:
        case ast.Attribute(value=ast.Name(owner), attr=name) if name in record.keys:
            return (owner, (name,)) if isinstance(record.cells[record.keys.index(name)], Num) else None
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            found = _fields_read(run, operand, value, world)
            return None if found is None else (found[0], ("-", found[1]))
        case ast.Tuple(elts=elements) if elements:
            parts = [_fields_read(run, each, value, world) for each in elements]
            owners = {each[0] for each in parts if each is not None}
            whole = None not in parts and len(owners) == 1
            return (owners.pop(), tuple(each[1] for each in parts if each is not None)) if whole else None
        case _:
            return None
