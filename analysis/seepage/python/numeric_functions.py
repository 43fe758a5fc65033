"""Functions of numbers: rounding, roots, logarithms, powers, conversions."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from seepage import exact
from seepage.python import arithmetic, arrays, constants, number_operators, plain
from seepage.python.calling import Builtin, Named
from seepage.python.run import Run
from seepage.python.terms import binary, choice, constant, literal, number
from seepage.python.terms import call as applied
from seepage.python.terms import ends as bounds
from seepage.python.values import (
    BOOL,
    FLOAT,
    INT,
    TEXT,
    Num,
    Object,
    Ref,
    Uniform,
    Unknown,
    Value,
)
from seepage.python.world import World, push
from seepage.syntax.tree import BinaryOperator, Expression, Unary

_MOST_BITS = 64


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
            if isinstance(found, Num) and not number_operators.floats_agree(run, node, found):
                return push(one, Unknown())
            return push(one, found)

        if isinstance(values[0], Ref):
            return arrays.broadcast(run, node, values, world, one_cell)
        return one_cell(world, values)

    return follow


def _each_cell(function: Builtin) -> Builtin:
    """Return a function of one number applied to each cell of an array, as the draw that it may be."""

    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        if len(values) == 1 and isinstance(values[0], Ref):
            return arrays.broadcast(run, node, values, world, lambda one, cells: function(run, node, cells, named, one))
        return function(run, node, values, named, world)

    return follow


def _function(name: str, kinds: frozenset[str]) -> Callable[[Run, ast.AST, Num, World], Value]:
    return lambda run, node, value, world: number(applied(name, value.expression), kinds, world.known)


def _absolute(run: Run, node: ast.AST, value: Num, world: World) -> Value:
    if "bool" in value.kinds and value.of_numpy:
        return run.refuse(node, f"'abs' {number_operators.TRUTHS_OF_NUMPY}")
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
        return replace(value, kinds=INT, of_numpy=False)
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
        return arrays.broadcast(
            run, node, [value], world, lambda one, cells: _round(run, node, [cells[0], *values[1:]], named, one)
        )
    if not isinstance(value, Num) or not value.is_number:
        return push(world, value if isinstance(value, Unknown) else run.refuse(node, "a number is expected here"))
    if digits is None:
        whole = number(half_even(value.expression), INT, world.known, None if value.ieee is None else round(value.ieee))
        return push(world, whole if number_operators.floats_agree(run, node, whole) else Unknown())
    if not isinstance(digits, Num) or not isinstance(digits.known, int) or abs(digits.known) > 30:
        return push(world, run.refuse(node, "the digits of 'round' must be known before the run"))
    scale = literal(Fraction(10) ** digits.known)
    made = binary("/", half_even(binary("*", value.expression, scale)), scale)
    ieee = None if value.ieee is None else round(value.ieee, digits.known)
    found = number(made, FLOAT if value.kinds & FLOAT else INT, world.known, ieee)
    return push(world, found if number_operators.floats_agree(run, node, found) else Unknown())


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
        text = constants.text_of(run, value)
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
                for end in _int(run, node, [as_text(known)], {}, one)
            ]
            return run.join(base, depth, ends, run.abrupt[mark:])
    return _per_number(_truncated, int)(run, node, values, named, world)


def as_text(known: object) -> Value:
    """Return a text that is known, by its number."""
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
    return _per_number(_function("floor", INT), math.floor)(run, node, values, named, world)


def _float(run: Run, node: ast.AST, value: Num, world: World) -> Value:
    return replace(value, kinds=FLOAT, of_numpy=False)


def _log(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if len(values) == 2:
        ends = []
        for one in _log(run, node, values[:1], {}, world):
            for two in _log(run, node, values[1:], {}, one):
                ends += arithmetic.operation(run, node, ast.Div(), two.take(2), two)
        return ends
    if len(values) == 1 and isinstance(values[0], Uniform):
        found = run.logarithm(world, values[0])
        return push(world, run.refuse(node, _OTHER_LOGARITHM) if found is None else found)
    return _per_number(_positive("log", strict=True), math.log)(run, node, values, named, world)


_OTHER_LOGARITHM = (
    "the logarithm of a uniform draw is analysed where the draw begins or ends at 0 and is read nowhere else;"
    " 'random.expovariate' and 'numpy.random.laplace' draw such noise themselves"
)


def _log1p(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if len(values) != 1 or named:
        return push(world, run.refuse(node, "this call with other arguments than one number is not analysed"))
    ends: list[World] = []
    for one in arithmetic.operation(run, node, ast.Add(), [values[0], constant(1, INT, 1)], world):
        ends += _each_cell(_log)(run, node, [one.pop()], {}, one)
    return ends


def _sqrt(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if len(values) == 1 and isinstance(values[0], Uniform):
        found = run.power(world, values[0], Fraction(1, 2))
        if found is not None:
            return push(world, found)
    return _per_number(_positive("sqrt", strict=False), math.sqrt)(run, node, values, named, world)


def _copysign(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    """The size of the first number with the sign of the second; of 0, which has two signs in floats, that of a number above it."""
    if len(values) != 2 or named:
        return push(world, run.refuse(node, "this call of 'copysign' is not analysed"))
    size = run.as_number(world, values[0])
    if isinstance(values[1], Uniform):
        sign = run.sign(world, values[1])
    else:
        other = run.as_number(world, values[1])
        if not isinstance(other, Num) or not other.is_number:
            return push(world, run.refuse(node, "a number is expected here"))
        sign = choice(binary("<", other.expression, literal(0)), literal(-1), literal(1))
    if not isinstance(size, Num) or not size.is_number:
        return push(world, run.refuse(node, "a number is expected here"))
    low, high = bounds(run.refreshed(world, size).support)
    positive = size.expression
    if high is not None and exact.sign(high) <= 0:
        positive = Unary("-", positive, positive.span)
    elif low is None or exact.sign(low) < 0:
        positive = applied("abs", positive)
    return push(world, number(binary("*", sign, positive), FLOAT, world.known))


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
    if values_ is not None and any(isinstance(each, int) and each < 0 for each in values_):  # an inverse
        return plain.by_values(run, node, "pow", values, world, pow)
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


def _abs(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if len(values) == 1 and isinstance(values[0], Uniform):
        found = run.distance(world, values[0])
        if found is not None:
            return push(world, found)
    return _per_number(_absolute, abs)(run, node, values, named, world)


def _sign(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    if len(values) == 1 and isinstance(values[0], Uniform):
        return push(world, number(run.sign(world, values[0]), FLOAT, world.known))
    return _per_number(_sign_of)(run, node, values, named, world)


def _sign_of(run: Run, node: ast.AST, value: Num, world: World) -> Value:
    if "bool" in value.kinds:
        return run.refuse(node, f"'sign' {number_operators.TRUTHS_OF_NUMPY}")
    above, below = (binary(sign, value.expression, literal(0)) for sign in (">", "<"))
    return number(choice(above, literal(1), choice(below, literal(-1), literal(0))), value.kinds, world.known)


def _divmod(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
    ends: list[World] = []
    for one in arithmetic.operation(run, node, ast.FloorDiv(), values, world):
        for two in arithmetic.operation(run, node, ast.Mod(), values, one):
            ends += push(two, run.allocate(two, Object("tuple", tuple(two.take(2)))))
    return ends


def _as_float(function: Builtin) -> Builtin:
    """Return a function that gives floats; numpy leaves some whole numbers what they are, in some versions."""

    def follow(run: Run, node: ast.AST, values: list[Value], named: Named, world: World) -> list[World]:
        may_stay = isinstance(node, ast.Call) and (run.module_path(node.func) or "numpy").startswith("numpy")
        ends = function(run, node, values, named, world)
        for one in ends:
            found = one.pop()
            kept = _kinds_in(values, one) & INT if may_stay else frozenset[str]()
            if isinstance(found, Num):
                found = replace(found, kinds=FLOAT | kept)
            elif isinstance(found, Ref):
                before = one.heap[found.id]
                cells = (replace(cell, kinds=FLOAT | kept) if isinstance(cell, Num) else cell for cell in before.cells)
                one.heap[found.id] = replace(before, cells=tuple(cells))
            one.temps.append(found)
        return ends

    return follow


def _kinds_in(values: Sequence[Value], world: World) -> frozenset[str]:
    """Return the types of numbers, and of those in arrays."""
    cells = [cell for one in values for cell in (world.heap[one.id].cells if isinstance(one, Ref) else (one,))]
    return frozenset[str]().union(*(cell.kinds if isinstance(cell, Num) else FLOAT for cell in cells))


_PER_CELL = {
    "exp": _per_number(_function("exp", FLOAT), math.exp),
    "ceil": _per_number(_function("ceil", INT), math.ceil),
}
NUMERIC_FUNCTIONS: Mapping[str, Builtin] = {
    "builtins.abs": _each_cell(_abs),
    "builtins.divmod": _divmod,
    "builtins.float": _per_number(_float, float),
    "builtins.int": _int,
    "builtins.pow": _pow,
    "builtins.round": _round,
    "math.floor": _each_cell(_floor),
    "math.fabs": _as_float(_each_cell(_abs)),
    "math.copysign": _copysign,
    "math.log": _each_cell(_log),
    "math.log1p": _log1p,
    "math.sqrt": _each_cell(_sqrt),
    "math.log2": _with_base(2),
    "math.log10": _with_base(10),
    **{f"math.{name}": function for name, function in _PER_CELL.items()},
    "numpy.abs": _each_cell(_abs),
    "numpy.copysign": _copysign,
    "numpy.ceil": _as_float(_per_number(_function("ceil", INT), math.ceil)),
    "numpy.fabs": _as_float(_each_cell(_abs)),
    "numpy.floor": _as_float(_each_cell(_floor)),
    "numpy.absolute": _each_cell(_abs),
    "numpy.sign": _each_cell(_sign),
    "numpy.round": _as_float(_round),
}
