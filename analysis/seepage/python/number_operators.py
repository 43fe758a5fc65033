"""Operators on numbers: exactly, where they are defined; beside a known result what floats make of it."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from fractions import Fraction

from seepage import exact, rules
from seepage.data_classes import dataclass
from seepage.python.run import Run
from seepage.python.terms import binary, call, choice, ends, literal, number
from seepage.python.values import BOOL, FLOAT, INT, WHOLE, Num, Unknown, Value, may_be_of_numpy
from seepage.python.world import World, push
from seepage.syntax.tree import BinaryOperator, Expression

_SHADOWS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.MatMult: "@",
}
"""How Python writes each operator."""

_CLOSE = Fraction(1, 10**9)


def _shadow(op: ast.operator, a: Num, b: Num) -> float | int | None:
    if a.ieee is None or b.ieee is None or type(op) not in _SHADOWS:
        return None
    if isinstance(op, ast.Pow) and (abs(b.ieee) > 1024 or abs(a.ieee) > 1e6):
        return None
    try:
        found = _SHADOWS[type(op)](a.ieee, b.ieee)
    except (ArithmeticError, ValueError):
        return None
    return found if isinstance(found, int | float) and math.isfinite(found) else None


def on_numbers(run: Run, node: ast.AST, op: ast.operator, a: Num, b: Num, world: World) -> list[World]:
    """Apply an operator to numbers; a divisor that can be 0 raises."""
    is_of_numpy = may_be_of_numpy(a, b)
    if is_of_numpy and isinstance(op, ast.Add | ast.Sub | ast.Mult) and "bool" in a.kinds & b.kinds:
        return push(world, run.refuse(node, f"'{SIGNS[type(op)]}' {TRUTHS_OF_NUMPY}"))
    if isinstance(op, ast.BitAnd | ast.BitOr | ast.BitXor | ast.LShift | ast.RShift):
        if FLOAT in (a.kinds, b.kinds):
            run.raise_(world, "TypeError")
            return []
        if not a.kinds | b.kinds <= WHOLE:
            return push(world, run.refuse(node, f"'{SIGNS[type(op)]}' of what may be a float is not analysed"))
    domain = _domain(run, op, a, b, world)
    if domain is not None:
        if is_of_numpy and domain.of_numpy:
            return push(world, run.refuse(node, domain.of_numpy))
        defined = run.need(world, number(domain.holds, BOOL, world.known), domain.exception)
        if defined is None:
            return []
        world = defined
    if isinstance(op, ast.Pow) and _may_be_complex(run, a, b, world):
        return push(
            world, run.refuse(node, "a power of a number that may be negative, with a fraction, is not analysed")
        )
    if isinstance(op, ast.BitAnd | ast.BitOr | ast.BitXor):
        return push(world, _bits(run, node, op, a, b, world))
    made = _written(op, a.expression, b.expression)
    if made is None:
        return push(world, run.refuse(node, f"'{SIGNS[type(op)]}' is not analysed"))
    found = number(made, _kinds(run, op, a, b, world), world.known, _shadow(op, a, b))
    if isinstance(op, ast.FloorDiv | ast.Mod) and not floats_agree(run, node, found):
        return push(world, Unknown())
    return push(world, found)


@dataclass(frozen=True, slots=True)
class _Domain:
    """Where an operator is defined: the condition, what Python raises elsewhere, and what is said of numpy, which does not raise it."""

    holds: Expression
    exception: str
    of_numpy: str = ""


def _domain(run: Run, op: ast.operator, a: Num, b: Num, world: World) -> _Domain | None:
    """Return where an operator is defined, None if it is everywhere."""
    zero = literal(0)
    if isinstance(op, ast.Div | ast.FloorDiv | ast.Mod):
        support = run.refreshed(world, b).support
        low, high = ends(support)
        discrete = b.support.values is not None or not b.kinds & FLOAT
        maybe = (low is None or exact.sign(low) <= 0) and (high is None or exact.sign(high) >= 0)
        if maybe and discrete and (support.values is None or 0 in support.values):
            return _Domain(binary("!=", b.expression, zero), "ZeroDivisionError", ZERO_OF_NUMPY)
    elif isinstance(op, ast.LShift | ast.RShift) and may_be_below_zero(run, b, world):
        return _Domain(binary(">=", b.expression, zero), "ValueError")
    elif isinstance(op, ast.Pow) and may_be_below_zero(run, b, world):
        holds = binary("or", binary("!=", a.expression, zero), binary(">=", b.expression, zero))
        return _Domain(holds, "ZeroDivisionError", BELOW_ZERO_OF_NUMPY)
    return None


def _may_be_complex(run: Run, base: Num, power: Num, world: World) -> bool:
    """Whether a power may have a negative base and a fraction as exponent."""
    return bool(power.kinds & FLOAT) and not _is_whole(run, power, world) and may_be_below_zero(run, base, world)


def _written(op: ast.operator, a: Expression, b: Expression) -> Expression | None:
    """Return an operation as Seep writes it, None if it has none."""
    match op:
        case ast.Add():
            return binary("+", a, b)
        case ast.Sub():
            return binary("-", a, b)
        case ast.Mult():
            return binary("*", a, b)
        case ast.Div():
            return binary("/", a, b)
        case ast.FloorDiv():
            return call("floor", binary("/", a, b))
        case ast.Mod():
            return binary("%", a, b)
        case ast.Pow():
            return binary("^", a, b)
        case ast.LShift():
            return binary("*", a, binary("^", literal(2), b))
        case ast.RShift():
            return call("floor", binary("/", a, binary("^", literal(2), b)))
        case _:
            return None


def _kinds(run: Run, op: ast.operator, a: Num, b: Num, world: World) -> frozenset[str]:
    """Return the types that a result may have: a whole number to a negative power is a float."""
    if isinstance(op, ast.Div) or a.kinds & FLOAT or b.kinds & FLOAT:
        return FLOAT
    if isinstance(op, ast.Pow):
        low, high = ends(run.refreshed(world, b).support)
        if low is None or exact.sign(low) < 0:
            return FLOAT if high is not None and exact.sign(high) < 0 else FLOAT | INT
    return INT


TRUTHS_OF_NUMPY = "of truth values of numpy, which count nothing, is not analysed; write 'int(…)' around each"
ZERO_OF_NUMPY = "numpy gives no error for a division by zero; that is not analysed"
BELOW_ZERO_OF_NUMPY = "numpy gives no whole numbers to a power below 0; make them floats"


def floats_agree(run: Run, node: ast.AST, found: Num) -> bool:
    """Tell of a known number that jumps, as whole parts do, and comes out otherwise in floats."""
    known = found.known
    if found.ieee is None or not isinstance(known, int | Fraction):
        return True
    if abs(Fraction(found.ieee) - known) <= _CLOSE * max(Fraction(1), abs(Fraction(known))):
        return True
    message = f"this is {found.ieee} in floats, {known} in exact arithmetic; round before, or add a tolerance"
    run.tell(rules.PYTHON_FLOATS_DISAGREE, node, message)
    return False


def may_be_below_zero(run: Run, value: Num, world: World) -> bool:
    """Whether a number is not known to be 0 or more."""
    low, _ = ends(run.refreshed(world, value).support)
    return low is None or exact.sign(low) < 0


def _is_whole(run: Run, value: Num, world: World) -> bool:
    values = run.refreshed(world, value).support.values
    return values is not None and all(isinstance(each, int) for each in values)


def _bits(run: Run, node: ast.AST, op: ast.operator, a: Num, b: Num, world: World) -> Value:
    if a.kinds | b.kinds == BOOL:
        logic: BinaryOperator = "and" if isinstance(op, ast.BitAnd) else "or" if isinstance(op, ast.BitOr) else "xor"
        return number(binary(logic, a.expression, b.expression), BOOL, world.known)
    if isinstance(op, ast.BitAnd):
        for value, mask in ((a, b), (b, a)):
            whole = mask.known
            if isinstance(whole, int) and whole >= 0 and (whole + 1) & whole == 0:
                return number(binary("%", value.expression, literal(whole + 1)), INT, world.known)
    limits = [end for value in (a, b) for end in ends(run.refreshed(world, value).support)]
    known = [int(end) for end in limits if isinstance(end, int)]
    name = "bit_and" if isinstance(op, ast.BitAnd) else "bit_or" if isinstance(op, ast.BitOr) else "bit_xor"
    lows = [end for end in limits[::2] if end is not None]
    if len(lows) == 2 and all(exact.sign(low) >= 0 for low in lows):
        return number(call(name, a.expression, b.expression), INT, world.known)
    if len(known) < len(limits):
        return run.refuse(node, "a bit operation on a number that may be negative, and of any size, is not analysed")
    # As Python has it: in two's complement, of as many bits as both need; the last of them is the sign.
    bits = max(end.bit_length() for end in known)
    size = literal(2 ** (bits + 1))
    made = call(name, binary("%", a.expression, size), binary("%", b.expression, size))
    found = run.settle(world, number(made, INT, world.known), "bits")
    assert isinstance(found, Num)
    sign = binary(">=", found.expression, literal(2**bits))
    return number(choice(sign, binary("-", found.expression, size), found.expression), INT, world.known)
