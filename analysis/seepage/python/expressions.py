"""Expressions: each evaluates a world to worlds that hold its value on top of their ``temps``; displays of lists and tuples, too."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from seepage.python import (
    any_order,
    arithmetic,
    calls,
    comparisons,
    comprehensions,
    constants,
    definitions,
    following,
    iteration,
    keyed,
    names,
    own_methods,
    plain,
    records,
    sequences,
    subscripts,
    truths,
)
from seepage.python.run import Run
from seepage.python.terms import (
    binary,
    choice,
    constant,
    number,
    truth_of,
)
from seepage.python.values import (
    BOOL,
    INT,
    Function,
    Num,
    Object,
    Ref,
    Uniform,
    Unknown,
    Value,
    as_of_numpy,
    may_be_of_numpy,
    may_share,
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
            ends = following.evaluate(run, inner, one)
            if inner is not element:
                ends = [after for each in ends for after in iteration.drained(run, element, each.pop(), each)]
            for result in ends:
                value = result.pop()
                parts: list[Value] | None = [value]
                if isinstance(element, ast.Starred):
                    parts = sequences.parts_of(run, element, value, result)
                parts = [Unknown()] if parts is None else parts
                result.temps += [run.settle(result, part, "item") for part in parts]
                counts[id(result)] = count + len(parts)
                after.append(result)
        worlds = after
    for one in worlds:
        cells = one.take(counts[id(one)])
        one.temps.append(run.allocate(one, Object(sort, tuple(cells))))
    return worlds


def evaluate(run: Run, node: ast.expr, world: World) -> list[World]:
    """Evaluate an expression."""
    match node:
        case ast.Constant():
            return push(world, _constant(run, node, world))
        case ast.Name(id=name):
            return names.read(run, node, name, world)
        case ast.BinOp(left=left, op=op, right=right):
            if (noise := calls.geometric_difference(run, node, world)) is not None:
                return noise
            return following.each(
                run, [left, right], world, lambda one, values: arithmetic.operation(run, node, op, values, one)
            )
        case ast.UnaryOp(op=unary_op, operand=operand):
            return following.each(
                run, [operand], world, lambda one, values: arithmetic.unary(run, node, unary_op, values[0], one)
            )
        case ast.BoolOp(op=logic, values=parts):
            return _boolean(run, node, isinstance(logic, ast.And), parts, world)
        case ast.Compare(left, ops, rest):
            return _comparison(run, node, left, ops, rest, world)
        case ast.IfExp(test, body, orelse):
            return _conditional(run, test, body, orelse, world)
        case ast.List(elts) | ast.Tuple(elts):
            return display(run, node, elts, world)
        case ast.Dict(keys, values):
            return keyed.display(run, node, keys, values, world)
        case ast.Set(elts):
            return keyed.display(run, node, [None] * len(elts), elts, world)
        case ast.Call():
            return calls.call(run, node, world)
        case ast.Attribute():
            return following.each(
                run, [node.value], world, lambda one, values: records.attribute(run, node, values[0], one)
            )
        case ast.Subscript():
            return subscripts.read(run, node, world)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return comprehensions.comprehension(run, node, world)
        case ast.NamedExpr(target, value):
            return _walrus(run, target, value, world)
        case ast.Slice(lower, upper, step):
            parts = [ast.Constant(None) if part is None else part for part in (lower, upper, step)]
            return following.each(
                run, parts, world, lambda one, values: push(one, run.allocate(one, Object("slice", tuple(values))))
            )
        case ast.Lambda():
            return push(world, Function(node, run.frames[-1], definitions.defaults_of(run, node.args, world)))
        case ast.JoinedStr(values):
            return plain.formatted(run, node, values, world)
        case ast.Starred():
            return push(world, run.refuse(node, "a starred value is read in calls and displays of known length only"))
        case _:
            return push(world, run.refuse(node, f"{_NAMES.get(type(node), 'this expression')} is not analysed"))


_NAMES: dict[type[ast.expr], str] = {
    ast.Await: "'await'",
    ast.Yield: "what is sent into a generator by the value of 'yield'",
    ast.YieldFrom: "the value of 'yield from'",
}


def _constant(run: Run, node: ast.Constant, world: World) -> Value:
    match node.value:
        case bool() as value:
            return truth_of(value)
        case int() as value:
            return constant(value, frozenset({"int"}), value)
        case float() as value:
            if value != value or value in (float("inf"), float("-inf")):
                return run.refuse(node, "an infinite number is not analysed")
            written = run.places.text(node).replace("_", "")
            return constant(Fraction(written or repr(value)), frozenset({"float"}), value)
        case str() as text:
            return constants.text_value(run, text)
        case bytes() as octets:
            return run.allocate(world, Object("bytes", tuple(constant(each, INT, each) for each in octets)))
        case None:
            return constants.none_value(run)
        case _:
            return run.refuse(node, "numbers, texts, True, False and None are the constants that are analysed")


# --- what is not always evaluated --------------------------------------------------------------------------------------


def _is_plain(run: Run, node: ast.AST, world: World) -> bool:
    """Whether an expression only reads names and computes, so that it may be evaluated before it is known whether it is needed."""
    if not all(names.is_bound(run, one.id, world) for one in ast.walk(node) if isinstance(one, ast.Name)):
        return False
    allowed = (ast.Name, ast.Constant, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.operator, ast.cmpop, ast.boolop)
    plain = (*allowed, ast.unaryop, ast.expr_context, ast.BinOp, ast.IfExp, ast.Attribute)
    risky = (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift)
    return all(isinstance(one, plain) and not isinstance(one, risky) for one in ast.walk(node))


def _ahead(run: Run, nodes: Sequence[ast.expr], world: World) -> list[Value] | None:
    """Return the values of expressions of which it is not known yet whether they are needed; None if more than a value comes of one."""
    if any_order.may_act(run) or not all(_is_plain(run, node, world) for node in nodes):
        return None
    code, known, uniforms = world.code, world.known, dict(world.uniforms)
    length, abrupt, told, height = len(code), len(run.abrupt), len(run.found), len(world.temps)
    worlds = following.all_of(run, nodes, world)
    if len(worlds) == 1 and worlds[0] is world and len(run.abrupt) == abrupt and len(run.found) == told:
        return world.take(len(nodes))
    del code[length:], run.abrupt[abrupt:], run.found[told:], world.temps[height:]
    world.known, world.uniforms, world.outcome = known, uniforms, ""
    return None


def _boolean(run: Run, node: ast.BoolOp, is_and: bool, parts: Sequence[ast.expr], world: World) -> list[World]:
    """``and`` and ``or`` give one of their operands; what is not reached is not evaluated."""
    values = [run.as_number(world, value) for value in _ahead(run, parts, world) or []]
    numbers = [value for value in values if isinstance(value, Num)]
    together = may_share(frozenset[str]().union(*(value.kinds for value in numbers)))
    if len(numbers) != len(parts) or not together:
        return _by_branches(run, is_and, parts, world)
    found = numbers[-1]
    for value in reversed(numbers[:-1]):
        found = _operand(run, node, is_and, value, found, world)
    return push(world, found)


def _operand(run: Run, node: ast.AST, is_and: bool, left: Num, right: Num, world: World) -> Num:
    condition = truths.truth(run, node, left, world)
    assert condition is not None
    if condition.known is not None:
        return right if bool(condition.known) is is_and else left
    kinds = left.kinds | right.kinds
    if left.kinds == BOOL and right.kinds == BOOL:
        made = binary("and" if is_and else "or", left.expression, right.expression)
    elif is_and:
        made = choice(condition.expression, right.expression, left.expression)
    else:
        made = choice(condition.expression, left.expression, right.expression)
    return replace(number(made, kinds, world.known), of_numpy=may_be_of_numpy(left, right))


def _by_branches(run: Run, is_and: bool, parts: Sequence[ast.expr], world: World) -> list[World]:
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    going, found = [world], []
    for position, part in enumerate(parts):
        last = position == len(parts) - 1
        after: list[World] = []
        for one in (result for each_ in going for result in evaluate(run, part, each_)):
            if last:
                found.append(one)
                continue
            value = one.pop()
            # A truth that ends the whole is known where it does; unsettled, it tells the branches what it is about.
            tells = isinstance(value, Num) and value.kinds == BOOL
            if not tells:
                value = run.settle(one, value, "value")
            one.temps.append(value)
            condition = truths.truth(run, part, value, one)
            if condition is None:
                found.append(one)
                continue
            yes, no = run.branch(one, condition)
            on, stop = (yes, no) if is_and else (no, yes)
            if stop is not None:
                if tells:
                    stop.temps[-1] = as_of_numpy(truth_of(not is_and), may_be_of_numpy(value))
                found.append(stop)
            if on is not None:
                on.pop()
                after.append(on)
        going = after
    return run.join(base, depth, found, run.abrupt[mark:])


def _conditional(run: Run, condition: ast.expr, body: ast.expr, orelse: ast.expr, world: World) -> list[World]:
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    match [run.as_number(world, value) for value in _ahead(run, [condition, body, orelse], world) or []]:
        case [Num() as test, Num() as first, Num() as second] if may_share(first.kinds | second.kinds):
            held = truths.truth(run, condition, test, world)
            assert held is not None
            made = choice(held.expression, first.expression, second.expression)
            if held.known is not None:
                return push(world, first if held.known else second)
            either = number(made, first.kinds | second.kinds, world.known)
            return push(world, as_of_numpy(either, may_be_of_numpy(first, second)))
        case _:
            pass
    found = _branched(run, condition, body, orelse, world)
    return run.join(base, depth, found, run.abrupt[mark:])


def _branched(run: Run, condition: ast.expr, body: ast.expr, orelse: ast.expr, world: World) -> list[World]:
    ends = truths.held_in(run, condition, world)
    return [after for one, held in ends for after in evaluate(run, body if held else orelse, one)]


# --- comparisons ------------------------------------------------------------------------------------------------------


def _comparison(
    run: Run, node: ast.Compare, left: ast.expr, ops: Sequence[ast.cmpop], rest: Sequence[ast.expr], world: World
) -> list[World]:

    def compare(one: World, values: list[Value]) -> list[World]:
        found: Num | None = None
        for position, op in enumerate(ops):
            held = comparisons.compare(run, node, op, values[position], values[position + 1], one)
            if held is None:
                return push(one, Unknown())
            if isinstance(held, Ref) and len(ops) == 1:
                return push(one, held)
            if isinstance(held, Ref):
                return push(one, run.refuse(node, "a chain of comparisons of arrays is not analysed"))
            found = held if found is None else number(binary("and", found.expression, held.expression), BOOL, one.known)
        assert found is not None
        is_in = any(isinstance(op, ast.In | ast.NotIn | ast.Is | ast.IsNot) for op in ops)
        return push(one, as_of_numpy(found, not is_in and may_be_of_numpy(*values)))

    if len(ops) == 1 and isinstance(ops[0], ast.In | ast.NotIn):

        def contained(one: World, values: list[Value]) -> list[World]:
            own = own_methods.contained(run, node, values, one, is_in=isinstance(ops[0], ast.In))
            if own is not None:
                return own
            if not isinstance(values[1], Num):
                return compare(one, values)
            base, depth, mark = one.code, one.depth, len(run.abrupt)
            ends = [
                end
                for two, whole in sequences.texts_of(run, values[1], one)
                for three, part in sequences.texts_of(run, values[0], two)
                for end in compare(three, [part, whole])
            ]
            return run.join(base, depth, ends, run.abrupt[mark:])

        return following.each(run, [left, *rest], world, contained)
    if len(ops) == 1:

        def decided(one: World, values: list[Value]) -> list[World]:
            if (own := own_methods.compared(run, node, ops[0], values, one)) is not None:
                return own
            return [end for two, both in comparisons.thresholds(run, values, one) for end in compare(two, both)]

        return following.each(run, [left, *rest], world, decided)
    values = _ahead(run, [left, *rest], world)
    if values is not None and all(isinstance(value, Num | Uniform) for value in values):
        return compare(world, values)
    return _chain(run, node, left, ops, rest, world)


def _chain(
    run: Run, node: ast.Compare, left: ast.expr, ops: Sequence[ast.cmpop], rest: Sequence[ast.expr], world: World
) -> list[World]:
    """A chain whose later parts are not evaluated once it has failed."""
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    going, found = evaluate(run, left, world), []
    for position, (op, part) in enumerate(zip(ops, rest, strict=True)):
        last, after = position == len(ops) - 1, []
        for one in (result for each_ in going for result in evaluate(run, part, each_)):
            first, second = one.take(2)
            second = run.settle(one, second, "value")
            held = comparisons.compare(run, node, op, first, second, one)
            if not isinstance(held, Num):
                found += push(
                    one,
                    Unknown() if held is None else run.refuse(node, "a chain of comparisons of arrays is not analysed"),
                )
            elif last:
                found += push(one, held)
            else:
                yes, no = run.branch(one, held)
                if no is not None:
                    found += push(no, as_of_numpy(truth_of(False), held.of_numpy))
                if yes is not None:
                    yes.temps.append(second)
                    after.append(yes)
        going = after
    return run.join(base, depth, found, run.abrupt[mark:])


def _walrus(run: Run, target: ast.expr, value: ast.expr, world: World) -> list[World]:
    found = evaluate(run, value, world)
    for one in found:
        assert isinstance(target, ast.Name)
        settled = run.settle(one, one.pop(), target.id)
        names.bind(run, target, target.id, settled, one)
        one.temps.append(settled)
    return found
