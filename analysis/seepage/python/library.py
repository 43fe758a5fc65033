"""Functions and methods of Python and of its libraries, other than random ones."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from seepage.python import arithmetic, expressions, random_calls, statements, subscripts
from seepage.python import calls as following
from seepage.python.module import EXCEPTIONS
from seepage.python.run import Run
from seepage.python.terms import binary, choice, constant, literal, number, truth_of
from seepage.python.terms import call as applied
from seepage.python.values import (
    BOOL,
    FLOAT,
    INT,
    TEXT,
    Class,
    Function,
    Library,
    Num,
    Object,
    Range,
    Ref,
    Uniform,
    Unknown,
    Value,
    may_share,
)
from seepage.python.world import World
from seepage.syntax.tree import BinaryOperator, Expression

Named = Mapping[str, Value]
Builtin = Callable[[Run, ast.AST, list[Value], Named, World], list[World]]
_MOST_BITS = 64


def push(world: World, value: Value) -> list[World]:
    """Put a value on top."""
    world.temps.append(value)
    return [world]


def call(run: Run, node: ast.AST, path: str, positional: Sequence[Value], named: Named, world: World) -> list[World]:
    """Follow a call of a function of a library."""
    assert isinstance(node, ast.Call | ast.GeneratorExp)
    if path.startswith(("random.", "secrets.", "numpy.random.", "scipy.stats.")):
        if path in _COMPARISONS:
            return _compare_digest(run, node, list(positional), named, world)
        assert isinstance(node, ast.Call)
        return random_calls.call(run, node, path, positional, named, world)
    name = path.removeprefix("builtins.")
    if path.startswith(("logging.", "warnings.")):
        return push(world, expressions.none_value(run))
    function = _FUNCTIONS.get(path) or _FUNCTIONS.get(path.replace("numpy.", "math.", 1) if path in _SHARED else "")
    if function is not None:
        return function(run, node, list(positional), named, world)
    if name in EXCEPTIONS:
        return push(world, run.refuse(node, "an exception that is not raised is not analysed"))
    return push(world, run.refuse(node, f"'{name}' is not analysed"))


_COMPARISONS = frozenset({"secrets.compare_digest", "hmac.compare_digest"})
_SHARED = frozenset(f"numpy.{name}" for name in ["exp", "log", "sqrt", "floor", "ceil", "log2", "log1p", "expm1"])


# --- numbers ----------------------------------------------------------------------------------------------------------


def _per_number(
    made: Callable[[Run, ast.AST, Num, World], Value | None], floats: Callable[[float], float] | None = None
) -> Builtin:
    """Return a function of one number, which is applied to each cell of an array."""

    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        if len(values) != 1 or named:
            return push(world, run.refuse(node, "this call with other arguments than one number is not analysed"))

        def one_cell(one: World, cells: list[Value]) -> list[World]:
            plain = run.as_number(one, cells[0])
            if isinstance(plain, Unknown):
                return push(one, plain)
            if not isinstance(plain, Num) or not plain.is_number:
                return push(one, run.refuse(node, "a number is expected here"))
            found = made(run, node, run.refreshed(one, plain), one)
            if found is None:
                return []
            if isinstance(found, Num) and floats is not None and plain.ieee is not None:
                with suppress(ValueError, OverflowError):
                    found = replace(found, ieee=floats(plain.ieee))
            return push(one, found)

        if isinstance(values[0], Ref):
            return subscripts.broadcast(run, node, values, world, one_cell)
        return one_cell(world, values)

    return follow


def _function(name: str, kinds: frozenset[str]) -> Callable[[Run, ast.AST, Num, World], Value]:
    return lambda run, node, value, world: number(applied(name, value.expression), kinds, world.known)


def _absolute(run: Run, node: ast.AST, value: Num, world: World) -> Value:
    return number(applied("abs", value.expression), FLOAT if value.kinds & FLOAT else INT, world.known)


def _positive(name: str, *, strict: bool) -> Callable[[Run, ast.AST, Num, World], Value | None]:
    def made(run: Run, node: ast.AST, value: Num, world: World) -> Value | None:
        sign: BinaryOperator = ">" if strict else ">="
        values = value.support.values
        if values is not None:
            inside = run.need(
                world, number(binary(sign, value.expression, literal(0)), BOOL, world.known), "ValueError"
            )
            if inside is not world:
                return (
                    run.refuse(node, f"'{name}' of a number that may be negative is not analysed") if inside else None
                )
        return number(applied(name, value.expression), FLOAT, world.known)

    return made


def _truncated(run: Run, node: ast.AST, value: Num, world: World) -> Value:
    if not value.kinds & FLOAT:
        return replace(value, kinds=INT)
    inner = value.expression
    made = choice(binary("<", inner, literal(0)), applied("ceil", inner), applied("floor", inner))
    return number(made, INT, world.known)


def half_even(inner: Expression) -> Expression:
    """Return a number rounded to the nearest integer, halves to even ones."""
    shifted = binary("+", inner, literal(Fraction(1, 2)))
    odd = binary("==", binary("%", shifted, literal(2)), literal(1))
    return binary("-", applied("floor", shifted), choice(odd, literal(1), literal(0)))


def _round(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    value = run.as_number(world, values[0])
    digits = values[1] if len(values) > 1 else named.get("ndigits")
    if isinstance(value, Ref):
        return subscripts.broadcast(
            run, node, [value], world, lambda one, cells: _round(run, node, [cells[0], *values[1:]], named, one)
        )
    if not isinstance(value, Num) or not value.is_number:
        return push(world, value if isinstance(value, Unknown) else run.refuse(node, "a number is expected here"))
    if digits is None:
        return push(world, number(half_even(value.expression), INT, world.known))
    if not isinstance(digits, Num) or not isinstance(digits.known, int) or abs(digits.known) > 30:
        return push(world, run.refuse(node, "the digits of 'round' must be known before the run"))
    scale = literal(Fraction(10) ** digits.known)
    made = binary("/", half_even(binary("*", value.expression, scale)), scale)
    return push(world, number(made, FLOAT if value.kinds & FLOAT else INT, world.known))


def _int(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if len(values) == 1 and not named:
        value = values[0]
        if (
            isinstance(value, Uniform)
            and not world.uniforms[value.draw].spent
            and world.uniforms[value.draw].drawn is None
            and abs(value.scale) <= 4_096
        ):
            return push(world, run.floor(world, value, towards_zero=True))
        text = expressions.text_of(run, value)
        if text is not None:
            try:
                return push(world, constant(int(text), INT, int(text)))
            except ValueError:
                run.raise_(world, "ValueError")
                return []
        if isinstance(value, Num) and value.kinds == TEXT:
            base, depth, mark = world.code, world.depth, len(run.abrupt)
            ends = [
                end
                for one, known in run.split(world, value, "the text")
                for end in _int(run, node, [_as_text(run, known)], {}, one)
            ]
            return run.join(base, depth, ends, run.abrupt[mark:])
    return _per_number(_truncated)(run, node, values, named, world)


def _as_text(run: Run, known: object) -> Value:
    assert isinstance(known, Fraction)
    return constant(known, TEXT)


def _floor(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    value = values[0] if len(values) == 1 else None
    if (
        isinstance(value, Uniform)
        and not world.uniforms[value.draw].spent
        and world.uniforms[value.draw].drawn is None
        and abs(value.scale) <= 4_096
    ):
        return push(world, run.floor(world, value, towards_zero=False))
    return _per_number(_function("floor", INT))(run, node, values, named, world)


def _float(run: Run, node: ast.AST, value: Num, world: World) -> Value:
    return replace(value, kinds=FLOAT)


def _log(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if len(values) == 2:
        ends = []
        for one in _log(run, node, values[:1], {}, world):
            for two in _log(run, node, values[1:], {}, one):
                ends += arithmetic.operation(run, node, ast.Div(), two.take(2), two)
        return ends
    return _per_number(_positive("log", strict=True), math.log)(run, node, values, named, world)


def _with_base(base: int) -> Builtin:
    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        return _log(run, node, [*values, constant(base, INT)], named, world)

    return follow


def _pow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if len(values) == 2:
        return arithmetic.operation(run, node, ast.Pow(), values, world)
    base, exponent, modulus = values
    if not (isinstance(base, Num) and isinstance(exponent, Num) and isinstance(modulus, Num)):
        return push(world, run.refuse(node, "'pow' of these values is not analysed"))
    whole = run.refreshed(world, exponent)
    values_ = whole.support.values
    if values_ is None or any(not isinstance(each, int) or each < 0 or each >= 1 << _MOST_BITS for each in values_):
        return push(
            world,
            run.refuse(
                node, "the exponent of 'pow' with a modulus must be a number with few known values, not below 0"
            ),
        )
    if whole.known is None:
        start, depth, mark = world.code, world.depth, len(run.abrupt)
        ends: list[World] = []
        for one, known in run.split(world, whole, "the exponent"):
            assert isinstance(known, int)
            ends += _pow(run, node, [base, constant(known, INT), modulus], {}, one)
        return run.join(start, depth, ends, run.abrupt[mark:])
    held = run.need(world, number(binary("!=", modulus.expression, literal(0)), BOOL, world.known), "ValueError")
    if held is None:
        return []
    assert isinstance(whole.known, int)
    result: Num = number(binary("%", literal(1), modulus.expression), INT, held.known)
    for bit in bin(whole.known)[2:]:
        for factor in (result, base) if bit == "1" else (result,):
            product = binary("%", binary("*", result.expression, factor.expression), modulus.expression)
            settled = run.settle(held, number(product, INT, held.known), "power")
            assert isinstance(settled, Num)
            result = settled
    return push(held, result)


def _extreme(name: str) -> Builtin:
    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        parts: list[Value] | None = values
        if len(values) == 1:
            parts = subscripts.parts_of(run, node, values[0], world)
        if parts is None:
            return push(world, Unknown())
        if not parts:
            if "default" in named:
                return push(world, named["default"])
            run.raise_(world, "ValueError")
            return []
        if set(named) - {"default", "key"}:
            return push(world, run.refuse(node, f"this call of '{name}' is not analysed"))
        if "key" in named:
            return _extreme_by_key(run, node, name, parts, named["key"], world)
        plain = [run.as_number(world, part) for part in parts]
        numbers = [each for each in plain if isinstance(each, Num) and each.is_number]
        if len(numbers) != len(parts):
            return push(world, run.refuse(node, f"'{name}' of anything but numbers is not analysed"))
        if len(numbers) == 1:
            return push(world, numbers[0])
        kinds = frozenset[str]().union(*(each.kinds for each in numbers))
        ieee = None
        if all(each.ieee is not None for each in numbers):
            ieee = (min if name == "min" else max)(each.ieee for each in numbers if each.ieee is not None)
        return push(world, number(applied(name, *(each.expression for each in numbers)), kinds, world.known, ieee))

    return follow


def _extreme_by_key(
    run: Run, node: ast.AST, name: str, parts: Sequence[Value], key: Value, world: World
) -> list[World]:
    worlds = [world]
    for part in parts:
        worlds = [after for one in worlds for after in apply(run, node, key, [part], one)]
    ends: list[World] = []
    for one in worlds:
        keys = [run.as_number(one, each) for each in one.take(len(parts))]
        numbers = [run.settle(one, each, "key") for each in keys if isinstance(each, Num) and each.is_number]
        plain = [each for each in numbers if isinstance(each, Num)]
        if len(plain) != len(parts):
            ends += push(one, run.refuse(node, "keys must be numbers here"))
            continue
        best: Expression = literal(0)
        least = plain[0].expression
        for place, each in enumerate(plain[1:], 1):
            better = binary("<" if name == "min" else ">", each.expression, least)
            best = choice(better, literal(place), best)
            least = choice(better, each.expression, least)
        index = run.settle(one, number(best, INT, one.known), "best")
        assert isinstance(index, Num)
        for inside, places in subscripts.indices(run, node, index, len(parts), one):
            ends += subscripts.select(run, node, index, places, parts, inside)
    return ends


def apply(run: Run, node: ast.AST, function: Value, values: list[Value], world: World) -> list[World]:
    """Follow a call of a function that was handed over."""
    match function:
        case Function():
            return following.inline(run, node, function, following.Given(values), world)
        case Library(path) if isinstance(node, ast.Call):
            return call(run, node, path, values, {}, world)
        case _:
            return push(world, run.refuse(node, "this function is not analysed here"))


def _sum(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    parts = subscripts.parts_of(run, node, values[0], world) if values else None
    if parts is None or len(values) > 2 or (named and set(named) != {"start"}):
        return push(world, Unknown() if parts is None else run.refuse(node, "this call of 'sum' is not analysed"))
    start = values[1] if len(values) > 1 else named.get("start")
    if not parts:
        return push(world, start or constant(0, INT, 0))
    worlds = push(world, parts[0] if start is None else start)
    for part in parts[0 if start is not None else 1 :]:
        after: list[World] = []
        for one in worlds:
            for done in arithmetic.operation(run, node, ast.Add(), [one.pop(), part], one):
                if not isinstance(done.temps[-1], Num):
                    done.temps.append(run.settle(done, done.pop(), "sum"))
                after.append(done)
        worlds = after
    for one in worlds:
        if isinstance(top := one.temps[-1], Num) and top.kinds == BOOL:
            one.temps[-1] = replace(top, kinds=INT)
    return worlds


def _len(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    match values[0]:
        case Ref(at) if world.heap[at].sort == "array":
            return push(world, constant(world.heap[at].shape[0], INT, world.heap[at].shape[0]))
        case Ref(at):
            length = len(world.heap[at].cells)
        case Range(indices):
            length = len(indices)
        case Num() as value if (text := expressions.text_of(run, value)) is not None:
            length = len(text)
        case _:
            return push(world, run.refuse(node, "'len' of what is not known before the run is not analysed"))
    return push(world, constant(length, INT, length))


def _range(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    found: list[tuple[World, list[int]]] = [(world, [])]
    for value in values:
        after: list[tuple[World, list[int]]] = []
        for one, ends in found:
            if not isinstance(value, Num) or not value.kinds <= frozenset({"int", "bool"}):
                return push(one, run.refuse(node, "the ends of a range must be integers"))
            after += [
                (split, [*ends, int(known)])
                for split, known in run.split(one, value, "an end of this range")
                if isinstance(known, int)
            ]
        found = after
    if not found:
        return [world]
    base, depth = world.code, world.depth
    done: list[World] = []
    for one, ends in found:
        if not 1 <= len(ends) <= 3 or (len(ends) == 3 and ends[2] == 0):
            run.raise_(one, "ValueError" if len(ends) == 3 else "TypeError")
            continue
        done += push(one, Range(range(*ends)))
    return run.join(base, depth, done)


def _copy(sort: str) -> Builtin:
    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        parts = subscripts.parts_of(run, node, values[0], world) if values else []
        if parts is None:
            return push(world, Unknown())
        return push(world, run.allocate(world, Object(sort, tuple(parts))))

    return follow


def _iterator(name: str) -> Builtin:
    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        keys: tuple[object, ...] = (name,)
        if name == "enumerate":
            start = values[1] if len(values) > 1 else named.get("start", constant(0, INT))
            known = start.known if isinstance(start, Num) else None
            if not isinstance(known, int):
                return push(world, run.refuse(node, "the start of 'enumerate' must be known before the run"))
            keys, values = (name, known), values[:1]
        elif named:
            return push(world, run.refuse(node, f"this call of '{name}' is not analysed"))
        return push(world, run.allocate(world, Object("iterator", tuple(values), keys)))

    return follow


def _quantifier(*, some: bool) -> Builtin:
    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        parts = subscripts.parts_of(run, node, values[0], world)
        if parts is None:
            return push(world, Unknown())
        found = truth_of(not some)
        for part in parts:
            held = expressions.truth(run, node, part, world)
            if held is None:
                return push(world, Unknown())
            if found.known is not None and bool(found.known) is not some:
                found = held
            else:
                found = number(binary("or" if some else "and", found.expression, held.expression), BOOL, world.known)
        return push(world, found)

    return follow


def _bool(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    held = expressions.truth(run, node, values[0], world) if values else truth_of(False)
    return push(world, Unknown() if held is None else held)


def _str(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if not isinstance(values[0], Num):
        return push(world, run.refuse(node, "'str' of this value is not analysed"))
    if values[0].kinds == TEXT:
        return push(world, values[0])
    base, depth = world.code, world.depth
    ends: list[World] = []
    for one, known in run.split(world, values[0], "what becomes a text"):
        shown = expressions.spelled(run, values[0], known)
        ends += push(
            one,
            run.refuse(node, "'str' of a float is not analysed")
            if shown is None
            else expressions.text_value(run, shown),
        )
    return run.join(base, depth, ends) if ends else [world]


def _map(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    lists = [subscripts.parts_of(run, node, value, world) for value in values[1:]]
    known = [each for each in lists if each is not None]
    if len(known) != len(lists) or not known:
        return push(world, Unknown())
    worlds, count = [world], 0
    for group in zip(*known, strict=False):
        after: list[World] = []
        for one in worlds:
            for done in apply(run, node, values[0], list(group), one):
                done.temps.append(run.settle(done, done.pop(), "item"))
                after.append(done)
        worlds, count = after, count + 1
    for one in worlds:
        one.temps.append(run.allocate(one, Object("list", tuple(one.take(count)))))
    return worlds


def _sorted(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    parts = subscripts.parts_of(run, node, values[0], world)
    if parts is None:
        return push(world, Unknown())
    if set(named) - {"reverse"} or len(values) != 1:
        return push(world, run.refuse(node, "'sorted' with a key is not analysed"))
    down = isinstance(one := named.get("reverse"), Num) and one.known == 1
    plain = [run.as_number(world, part) for part in parts]
    numbers = [each for each in plain if isinstance(each, Num) and each.is_number]
    if len(numbers) != len(parts) or len(parts) > 16:
        return push(world, run.refuse(node, "'sorted' of anything but at most 16 numbers is not analysed"))
    for end in range(len(numbers) - 1, 0, -1):
        for place in range(end):
            a, b = numbers[place], numbers[place + 1]
            kinds = a.kinds | b.kinds
            pair: list[Num] = []
            for name in ("max", "min") if down else ("min", "max"):
                settled = run.settle(
                    world, number(applied(name, a.expression, b.expression), kinds, world.known), "item"
                )
                assert isinstance(settled, Num)
                pair.append(settled)
            numbers[place : place + 2] = pair
    return push(world, run.allocate(world, Object("list", tuple(numbers))))


def _isinstance(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    value, kinds = values
    wanted = subscripts.parts_of(run, node, kinds, world) if isinstance(kinds, Ref) else [kinds]
    paths = {each.path for each in wanted or [] if isinstance(each, Library)}
    names = {
        "builtins.int": {"int", "bool"},
        "builtins.bool": {"bool"},
        "builtins.float": {"float"},
        "builtins.str": {"str"},
    }
    if isinstance(value, Num) and paths and paths <= names.keys() and len(paths) == len(wanted or []):
        allowed = frozenset(kind for path in paths for kind in names[path])
        if value.kinds <= allowed or not value.kinds & allowed:
            return push(world, truth_of(value.kinds <= allowed))
    if isinstance(value, Ref) and paths and world.heap[value.id].sort in ("list", "tuple", "dict"):
        return push(world, truth_of(f"builtins.{world.heap[value.id].sort}" in paths))
    return push(world, run.refuse(node, "this 'isinstance' is not known before the run"))


def _print(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    printed = world.frames.setdefault(0, {}).get("printed ")
    if isinstance(printed, Ref):
        settled = [run.settle(world, value, "printed") for value in values]
        one: Value = settled[0] if len(settled) == 1 else run.allocate(world, Object("tuple", tuple(settled)))
        found = world.heap[printed.id]
        world.heap[printed.id] = replace(found, cells=(*found.cells, one))
    return push(world, expressions.none_value(run))


def _sleep(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    value = run.as_number(world, values[0])
    if isinstance(value, Num):
        statements.count(run, world, "slept", value)
    return push(world, expressions.none_value(run))


def _compare_digest(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    held = arithmetic.compare(run, node, ast.Eq(), values[0], values[1], world)
    return push(world, held if isinstance(held, Num) else Unknown())


def _abs(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    return _per_number(_absolute, abs)(run, node, values, named, world)


def _divmod(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    ends: list[World] = []
    for one in arithmetic.operation(run, node, ast.FloorDiv(), values, world):
        for two in arithmetic.operation(run, node, ast.Mod(), values, one):
            ends += push(two, run.allocate(two, Object("tuple", tuple(two.take(2)))))
    return ends


# --- numpy ------------------------------------------------------------------------------------------------------------


def _array(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if set(named) - {"dtype"} or ("dtype" in named and named["dtype"] not in _PLAIN_TYPES):
        return push(world, run.refuse(node, "arrays of such a type are not analysed"))
    if isinstance(values[0], Ref) and world.heap[values[0].id].sort == "array":
        return push(world, run.allocate(world, replace(world.heap[values[0].id], keys=())))
    cells, shape = _flat(run, node, values[0], world)
    return push(world, Unknown() if cells is None else run.allocate(world, Object("array", tuple(cells), (), shape)))


_PLAIN_TYPES = (Library("builtins.int"), Library("builtins.float"), Library("numpy.float64"), Library("numpy.int64"))


def _flat(run: Run, node: ast.AST, value: Value, world: World) -> tuple[list[Value] | None, tuple[int, ...]]:
    if not isinstance(value, Ref | Range):
        return [value], ()
    parts = subscripts.parts_of(run, node, value, world)
    if parts is None:
        return None, ()
    rows = [_flat(run, node, part, world) for part in parts]
    shapes = {shape for _, shape in rows}
    if len(shapes) > 1 or any(cells is None for cells, _ in rows):
        run.refuse(node, "rows of an array must have one length")
        return None, ()
    inner = shapes.pop() if shapes else ()
    return [cell for cells, _ in rows for cell in (cells or [])], (len(parts), *inner)


def _filled(value: int) -> Builtin:
    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        shape = random_calls.shape_of_size(run, node, values[0], world)
        if shape is None or ("dtype" in named and named["dtype"] not in _PLAIN_TYPES):
            return push(
                world, Unknown() if shape is None else run.refuse(node, "arrays of such a type are not analysed")
            )
        kinds = INT if named.get("dtype") == Library("builtins.int") else FLOAT
        cells = (constant(value, kinds, value),) * math.prod(shape)
        return push(world, run.allocate(world, Object("array", cells, (), shape)))

    return follow


def _arange(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    ends: list[World] = []
    for one in _range(run, node, values, {}, world):
        top = one.pop()
        if isinstance(top, Range):
            cells = tuple(constant(each, INT, each) for each in top.indices)
            top = run.allocate(one, Object("array", cells, (), (len(cells),)))
        ends += push(one, top)
    return ends


def _whole(function: Builtin) -> Builtin:
    """Return a reduction over all cells of an array; with an axis it is refused."""

    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        if named or len(values) != 1:
            return push(world, run.refuse(node, "a reduction along an axis is not analysed"))
        cells = values[0]
        if isinstance(cells, Ref) and world.heap[cells.id].sort == "array":
            cells = run.allocate(world, Object("list", world.heap[cells.id].cells))
        return function(run, node, [cells], {}, world)

    return follow


def _mean(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    parts = subscripts.parts_of(run, node, values[0], world)
    if parts is None:
        return push(world, Unknown())
    ends: list[World] = []
    for one in _sum(run, node, values, {}, world):
        ends += arithmetic.operation(run, node, ast.Div(), [one.pop(), constant(len(parts), INT, len(parts))], one)
    return ends


def _clip(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if len(values) != 3 or named:
        return push(world, run.refuse(node, "this call of 'clip' is not analysed"))

    def one_cell(one: World, cells: list[Value]) -> list[World]:
        ends = []
        for inner in _extreme("max")(run, node, [cells[0], cells[1]], {}, one):
            ends += _extreme("min")(run, node, [inner.pop(), cells[2]], {}, inner)
        return ends

    if any(isinstance(value, Ref) for value in values):
        return subscripts.broadcast(run, node, values, world, one_cell)
    return one_cell(world, values)


def _where(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if len(values) != 3:
        return push(world, run.refuse(node, "'where' with one argument is not analysed"))

    def one_cell(one: World, cells: list[Value]) -> list[World]:
        held = expressions.truth(run, node, cells[0], one)
        a, b = run.as_number(one, cells[1]), run.as_number(one, cells[2])
        if held is None or not isinstance(a, Num) or not isinstance(b, Num):
            return push(one, Unknown())
        if not may_share(a.kinds | b.kinds):
            return push(one, run.refuse(node, "an array of floats and texts is not analysed"))
        return push(one, number(choice(held.expression, a.expression, b.expression), a.kinds | b.kinds, one.known))

    return subscripts.broadcast(run, node, values, world, one_cell)


def _argmax(name: str) -> Builtin:
    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        parts = subscripts.parts_of(run, node, values[0], world)
        if parts is None or named:
            return push(
                world, Unknown() if parts is None else run.refuse(node, "a reduction along an axis is not analysed")
            )
        plain = [run.as_number(world, part) for part in parts]
        numbers = [each for each in plain if isinstance(each, Num) and each.is_number]
        if len(numbers) != len(parts) or not numbers:
            return push(world, run.refuse(node, "numbers are expected here"))
        best, top = literal(0), numbers[0].expression
        for place, each in enumerate(numbers[1:], 1):
            better = binary("<" if name == "min" else ">", each.expression, top)
            best, top = choice(better, literal(place), best), choice(better, each.expression, top)
        return push(world, number(best, INT, world.known))

    return follow


def _namedtuple(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    name = expressions.text_of(run, values[0]) if values else None
    fields: list[str] | None = None
    if len(values) == 2 and not named:
        text = expressions.text_of(run, values[1])
        if text is not None:
            fields = text.replace(",", " ").split()
        elif isinstance(values[1], Ref):
            parts = [expressions.text_of(run, part) for part in subscripts.parts_of(run, node, values[1], world) or []]
            fields = [part for part in parts if part is not None]
    if name is None or fields is None:
        return push(world, run.refuse(node, "this named tuple is not analysed"))
    return push(world, Class(name, tuple(fields), {}))


_PER_CELL = {
    "exp": _per_number(_function("exp", FLOAT), math.exp),
    "sqrt": _per_number(_positive("sqrt", strict=False), math.sqrt),
    "ceil": _per_number(_function("ceil", INT)),
    "fabs": _per_number(
        lambda run, node, value, world: number(applied("abs", value.expression), FLOAT, world.known), math.fabs
    ),
}
_FUNCTIONS: dict[str, Builtin] = {
    "builtins.abs": _abs,
    "builtins.all": _quantifier(some=False),
    "builtins.any": _quantifier(some=True),
    "builtins.bool": _bool,
    "builtins.divmod": _divmod,
    "builtins.enumerate": _iterator("enumerate"),
    "builtins.zip": _iterator("zip"),
    "builtins.reversed": _iterator("reversed"),
    "builtins.float": _per_number(_float, float),
    "builtins.int": _int,
    "builtins.isinstance": _isinstance,
    "builtins.len": _len,
    "builtins.list": _copy("list"),
    "builtins.tuple": _copy("tuple"),
    "builtins.map": _map,
    "builtins.max": _extreme("max"),
    "builtins.min": _extreme("min"),
    "builtins.pow": _pow,
    "builtins.print": _print,
    "builtins.range": _range,
    "builtins.round": _round,
    "builtins.sorted": _sorted,
    "builtins.str": _str,
    "builtins.sum": _sum,
    "math.floor": _floor,
    "math.log": _log,
    "math.log2": _with_base(2),
    "math.log10": _with_base(10),
    **{f"math.{name}": function for name, function in _PER_CELL.items()},
    "hmac.compare_digest": _compare_digest,
    "secrets.compare_digest": _compare_digest,
    "time.sleep": _sleep,
    "collections.namedtuple": _namedtuple,
    "copy.copy": lambda run, node, values, named, world: method(run, node, values[0], "copy", [], {}, world),
    "numpy.array": _array,
    "numpy.asarray": _array,
    "numpy.zeros": _filled(0),
    "numpy.ones": _filled(1),
    "numpy.arange": _arange,
    "numpy.sum": _whole(_sum),
    "numpy.max": _whole(_extreme("max")),
    "numpy.min": _whole(_extreme("min")),
    "numpy.mean": _whole(_mean),
    "numpy.any": _whole(_quantifier(some=True)),
    "numpy.all": _whole(_quantifier(some=False)),
    "numpy.abs": _abs,
    "numpy.clip": _clip,
    "numpy.where": _where,
    "numpy.argmax": _argmax("max"),
    "numpy.argmin": _argmax("min"),
    "numpy.round": _round,
    "statistics.mean": _mean,
    "builtins.NotImplementedError": lambda run, node, values, named, world: push(world, Unknown()),
}


# --- methods ----------------------------------------------------------------------------------------------------------


def method(
    run: Run, node: ast.AST, owner: Value, name: str, values: list[Value], named: Named, world: World
) -> list[World]:
    """Follow a call of a method of a list, a dictionary, an array or a text."""
    if isinstance(owner, Ref):
        found = world.heap[owner.id]
        key = f"{found.sort}.{name}"
        function = _METHODS.get(key)
        if function is not None:
            return function(run, node, owner, values, named, world)
        if found.sort == "array" and f"numpy.{name}" in _FUNCTIONS and name in _ARRAY_METHODS:
            return _FUNCTIONS[f"numpy.{name}"](run, node, [owner, *values], named, world)
        return push(world, run.refuse(node, f"'{name}' of this object is not analysed"))
    text = expressions.text_of(run, owner)
    if text is not None and name in ("upper", "lower", "strip") and not values:
        return push(world, expressions.text_value(run, getattr(text, name)()))
    if text is not None and name in ("startswith", "endswith") and len(values) == 1 and not named:
        part = expressions.text_of(run, values[0])
        if part is not None:
            return push(world, truth_of(text.startswith(part) if name == "startswith" else text.endswith(part)))
    if isinstance(owner, Num) and not owner.is_number and owner.kinds == TEXT and owner.known is None:
        base, depth, mark = world.code, world.depth, len(run.abrupt)
        ends = []
        for one, known in run.split(world, owner, "this text"):
            ends += method(run, node, _as_text(run, known), name, values, named, one)
        return run.join(base, depth, ends, run.abrupt[mark:]) if ends else [world]
    return push(world, run.refuse(node, f"'{name}' of this value is not analysed"))


_ARRAY_METHODS = frozenset({"sum", "max", "min", "mean", "any", "all", "argmax", "argmin", "clip", "round"})
_OnObject = Callable[[Run, ast.AST, Ref, list[Value], Named, World], list[World]]


def _append(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    found = world.heap[owner.id]
    world.heap[owner.id] = replace(found, cells=(*found.cells, run.settle(world, values[0], "item")))
    return push(world, expressions.none_value(run))


def _extend(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    parts = subscripts.parts_of(run, node, values[0], world)
    found = world.heap[owner.id]
    world.heap[owner.id] = replace(found, cells=(*found.cells, *(parts or ())))
    return push(world, expressions.none_value(run))


def _place(run: Run, node: ast.AST, value: Value, length: int) -> int | None:
    known = value.known if isinstance(value, Num) else None
    if not isinstance(known, int):
        run.refuse(node, "the place must be known before the run")
        return None
    return known


def _pop(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    found = world.heap[owner.id]
    if not found.cells:
        run.raise_(world, "IndexError")
        return []
    index = values[0] if values else constant(-1, INT)
    if not isinstance(index, Num):
        return push(world, run.refuse(node, "the place must be a number"))
    base, depth, mark = world.code, world.depth, len(run.abrupt)
    ends: list[World] = []
    for one, known in run.split(world, index, "the place"):
        if not isinstance(known, int) or not -len(found.cells) <= known < len(found.cells):
            run.raise_(one, "IndexError")
            continue
        cells = list(found.cells)
        value = cells.pop(known)
        one.heap[owner.id] = replace(found, cells=tuple(cells))
        ends += push(one, value)
    return run.join(base, depth, ends, run.abrupt[mark:])


def _insert(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    place = _place(run, node, values[0], 0)
    found = world.heap[owner.id]
    cells = list(found.cells)
    if place is not None:
        cells.insert(place, run.settle(world, values[1], "item"))
        world.heap[owner.id] = replace(found, cells=tuple(cells))
    return push(world, expressions.none_value(run))


def _object_copy(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    found = world.heap[owner.id]
    return push(world, run.allocate(world, replace(found, keys=() if found.sort == "array" else found.keys)))


def _reverse(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    found = world.heap[owner.id]
    world.heap[owner.id] = replace(found, cells=found.cells[::-1])
    return push(world, expressions.none_value(run))


def _list_sort(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    for one in _sorted(run, node, [owner], named, world):
        made = one.pop()
        if isinstance(made, Ref):
            one.heap[owner.id] = one.heap[made.id]
    return push(world, expressions.none_value(run))


def _occurrences(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    total: Num = constant(0, INT, 0)
    for cell in world.heap[owner.id].cells:
        held = arithmetic.compare(run, node, ast.Eq(), cell, values[0], world)
        if not isinstance(held, Num):
            return push(world, Unknown())
        total = number(binary("+", total.expression, held.expression), INT, world.known)
    return push(world, total)


def _get(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    found = world.heap[owner.id]
    default = values[1] if len(values) > 1 else expressions.none_value(run)
    key = run.as_number(world, values[0])
    if not isinstance(key, Num):
        return push(world, run.refuse(node, "this key is not analysed"))
    base, depth = world.code, world.depth
    ends: list[World] = []
    for one, known in run.split(world, key, "the key"):
        ends += push(one, found.cells[found.keys.index(known)] if known in found.keys else default)
    return run.join(base, depth, ends) if ends else [world]


def _dict_parts(what: str) -> _OnObject:
    def follow(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
        found = world.heap[owner.id]
        keys = subscripts.parts_of(run, node, owner, world) or []
        cells: list[Value] = list(keys if what == "keys" else found.cells)
        if what == "items":
            cells = [run.allocate(world, Object("tuple", pair)) for pair in zip(keys, found.cells, strict=True)]
        return push(world, run.allocate(world, Object("list", tuple(cells))))

    return follow


def _tolist(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    found = world.heap[owner.id]
    if len(found.shape) != 1:
        return push(world, run.refuse(node, "'tolist' of rows is not analysed"))
    return push(world, run.allocate(world, Object("list", found.cells)))


def _astype(run: Run, node: ast.AST, owner: Ref, values: list[Value], named: Named, world: World) -> list[World]:
    match values:
        case [Library("builtins.int" | "numpy.int64")]:
            return _int(run, node, [owner], {}, world)
        case [Library("builtins.float" | "numpy.float64")]:
            return _FUNCTIONS["builtins.float"](run, node, [owner], {}, world)
        case _:
            return push(world, run.refuse(node, "arrays of such a type are not analysed"))


_METHODS: dict[str, _OnObject] = {
    "list.append": _append,
    "list.extend": _extend,
    "list.pop": _pop,
    "list.insert": _insert,
    "list.copy": _object_copy,
    "list.reverse": _reverse,
    "list.sort": _list_sort,
    "list.count": _occurrences,
    "tuple.count": _occurrences,
    "array.copy": _object_copy,
    "array.tolist": _tolist,
    "array.astype": _astype,
    "dict.get": _get,
    "dict.copy": _object_copy,
    "dict.keys": _dict_parts("keys"),
    "dict.values": _dict_parts("values"),
    "dict.items": _dict_parts("items"),
}
