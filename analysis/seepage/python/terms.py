"""Expressions of the program that is made, with what is known of their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import product
from math import prod
from typing import get_args

from seepage import exact
from seepage.diagnostics import Fault
from seepage.exact import ArithmeticFault, Irrational
from seepage.exact import Number as Exact
from seepage.exact.symbols import symbol_of
from seepage.python.values import ANYTHING, BOOL, HERE, MOST_VALUES, Num, Support
from seepage.semantics.evaluate import evaluate, names_of
from seepage.syntax.tree import (
    COMPARISONS,
    Binary,
    BinaryOperator,
    Call,
    Conditional,
    Expression,
    Name,
    Number,
    Parenthesized,
    Unary,
)

Known = Mapping[str, Support]
_OPERATORS = frozenset(get_args(BinaryOperator))
_MOST_STATES = 1_024


def literal(value: int | Fraction) -> Expression:
    """Return a number as it is written."""
    if value < 0:
        return Unary("-", literal(-value), HERE)
    whole = Fraction(value)
    if whole.denominator == 1 or symbol_of(whole) is not None:
        return Number(whole, HERE)
    return Binary("/", Number(Fraction(whole.numerator), HERE), Number(Fraction(whole.denominator), HERE), HERE)


def constant(value: int | Fraction | bool, kinds: frozenset[str], ieee: float | None = None) -> Num:
    """Return a known number."""
    number = exact.number(Fraction(value))
    return Num(literal(number), kinds, Support(frozenset({number})), ieee)


def truth_of(value: bool) -> Num:
    """Return ``True`` or ``False``."""
    return constant(int(value), BOOL, value)


def variable(name: str, kinds: frozenset[str], support: Support = ANYTHING) -> Num:
    """Return a variable of the program as a number."""
    return Num(Name(name, HERE), kinds, support)


def number(expression: Expression, kinds: frozenset[str], known: Known, ieee: float | None = None) -> Num:
    """Return an expression as a number; what is known of its variables tells its values."""
    support = support_of(expression, known)
    values = support.values
    if values is not None and len(values) == 1:
        (only,) = values
        if not isinstance(only, Irrational):
            expression = literal(only)
    return Num(expression, kinds, support, ieee)


def binary(operator: BinaryOperator, left: Expression, right: Expression) -> Expression:
    """Return an operation; a comparison inside of another one gets its parentheses."""
    if operator in COMPARISONS:
        left, right = _alone(left), _alone(right)
    return Binary(operator, left, right, HERE)


def _alone(operand: Expression) -> Expression:
    is_comparison = isinstance(operand, Binary) and operand.operator in COMPARISONS
    return Parenthesized(operand, HERE) if is_comparison else operand


def shift_of(expression: Expression) -> tuple[str, Fraction] | None:
    """Return the variable and the constant of which an expression is the sum, as it is written; None if it is no such sum."""
    match expression:
        case Name(id=name):
            return name, Fraction(0)
        case Parenthesized(inner):
            return shift_of(inner)
        case Binary("+" | "-" as operator, left, Number(value=value)):
            found = shift_of(left)
            return None if found is None else (found[0], found[1] + (value if operator == "+" else -value))
        case Binary("+", Number(value=value), right):
            found = shift_of(right)
            return None if found is None else (found[0], found[1] + value)
        case _:
            return None


def shifted(name: str, by: Fraction) -> Expression:
    """Return a variable plus a constant."""
    if by == 0:
        return Name(name, HERE)
    return Binary("+" if by > 0 else "-", Name(name, HERE), Number(abs(by), HERE), HERE)


def call(function: str, *arguments: Expression) -> Expression:
    """Return a function applied."""
    return Call(function, arguments, HERE, HERE)


def negation(condition: Expression) -> Expression:
    """Return a condition turned around."""
    match condition:
        case Unary("not", operand):
            return operand
        case Binary("==", left, right):
            return binary("!=", left, right)
        case Binary("!=", left, right):
            return binary("==", left, right)
        case _:
            return Unary("not", condition, HERE)


def choice(condition: Expression, consequent: Expression, alternative: Expression) -> Expression:
    """Return one of two expressions."""
    return consequent if consequent == alternative else Conditional(condition, consequent, alternative, HERE)


def disjunction(conditions: Iterable[Expression]) -> Expression:
    """Return that one of some conditions holds; of none, falsehood."""
    found: Expression | None = None
    for condition in conditions:
        found = condition if found is None else binary("or", found, condition)
    return literal(0) if found is None else found


def conjunction(conditions: Iterable[Expression]) -> Expression:
    """Return that all of some conditions hold; of none, truth."""
    found: Expression | None = None
    for condition in conditions:
        found = condition if found is None else binary("and", found, condition)
    return literal(1) if found is None else found


# --- which values an expression can have ------------------------------------------------------------------------------


def listed(values: Iterable[Exact]) -> Support:
    """Return values as a support; too many of them as the ends that they lie between."""
    found = frozenset(values)
    if len(found) <= MOST_VALUES:
        return Support(found)
    ordered = [each for each in found if not isinstance(each, Irrational)]
    return Support(None, min(ordered), max(ordered)) if len(ordered) == len(found) else ANYTHING


def between(low: Exact | None, high: Exact | None) -> Support:
    """Return the integers between two ends, listed if they are few."""
    if isinstance(low, int) and isinstance(high, int) and high - low < MOST_VALUES:
        return Support(frozenset(range(low, high + 1)))
    return Support(None, low, high)


def ends(support: Support) -> tuple[Exact | None, Exact | None]:
    """Return the least and the greatest value, None where that is not known."""
    if support.values is None:
        return support.low, support.high
    if not support.values or any(isinstance(each, Irrational) for each in support.values):
        return None, None
    ordered = sorted(Fraction(each) for each in support.values if not isinstance(each, Irrational))
    return exact.number(ordered[0]), exact.number(ordered[-1])


def union(supports: Iterable[Support]) -> Support:
    """Return the values of any of some supports."""
    found = list(supports)
    if all(each.values is not None for each in found):
        return listed(value for each in found for value in (each.values or ()))
    lows, highs = zip(*map(ends, found), strict=True)
    low = _least([each for each in lows if each is not None]) if None not in lows else None
    high = _greatest([each for each in highs if each is not None]) if None not in highs else None
    return Support(None, low, high)


def assignments(expression: Expression, known: Known, most: int = _MOST_STATES) -> list[dict[str, Exact]] | None:
    """Return the values that the variables of an expression can have together, None if they are not listed."""
    names = list(dict.fromkeys(names_of(expression)))
    sets = [known.get(name, ANYTHING).values for name in names]
    if any(each is None for each in sets) or prod(len(each or ()) for each in sets) > most:
        return None
    return [dict(zip(names, each, strict=True)) for each in product(*(list(one or ()) for one in sets))]


def support_of(expression: Expression, known: Known) -> Support:
    """Return the values that an expression can have; states in which it has none are left out."""
    return _support(
        expression, tuple((name, known.get(name, ANYTHING)) for name in dict.fromkeys(names_of(expression)))
    )


@lru_cache(4_096)  # a key press in a function leaves most of its expressions as they are
def _support(expression: Expression, known_: tuple[tuple[str, Support], ...]) -> Support:
    known = dict(known_)
    states = assignments(expression, known)
    if states is not None:
        found: set[Exact] = set()
        for state in states:
            try:
                found.add(evaluate(expression, state))
            except (Fault, ArithmeticFault):
                continue
        return listed(found)
    return _span(expression, known)


def _span(expression: Expression, known: Known) -> Support:
    """Return the ends between which an expression lies, by the ends of its parts."""
    match expression:
        case Name(id=name):
            return known.get(name, ANYTHING)
        case Parenthesized(inner):
            return _span(inner, known)
        case Number(value=value):
            return Support(frozenset({exact.number(value)}))
        case Unary("not" | "!", _):
            return Support(frozenset({0, 1}))
        case Unary("-", operand):
            return _scaled(_span(operand, known), -1)
        case Binary():
            return _span_of_operation(expression, known)
        case Call():
            return _span_of_call(expression, known)
        case Conditional(_, consequent, alternative):
            return union((_span(consequent, known), _span(alternative, known)))
        case _:
            return ANYTHING


def _span_of_operation(operation: Binary, known: Known) -> Support:
    left, right = _span(operation.left, known), _span(operation.right, known)
    match operation.operator:
        case "<" | "<=" as operator:
            return _order(left, right, strict=operator == "<")
        case ">" | ">=" as operator:
            return _order(right, left, strict=operator == ">")
        case "and" | "or" | "xor" | "==" | "!=":
            return Support(frozenset({0, 1}))
        case "+":
            (a, b), (c, d) = ends(left), ends(right)
            return Support(None, _plus(a, c), _plus(b, d))
        case "-":
            (a, b), (c, d) = ends(left), ends(_scaled(right, -1))
            return Support(None, _plus(a, c), _plus(b, d))
        case "*":
            return _span_of_product(left, right)
        case "%":
            low, high = ends(right)
            if isinstance(low, int | Fraction) and low > 0 and high is not None:
                whole = all(isinstance(end, int) for end in (low, high, *ends(left)))
                return between(0, exact.sub(high, 1)) if whole else Support(None, 0, high)
            return ANYTHING
        case _:
            return ANYTHING


def _span_of_product(left: Support, right: Support) -> Support:
    corners = [*ends(left), *ends(right)]
    if all(each is not None for each in corners):
        a, b, c, d = (Fraction(each) for each in corners if isinstance(each, int | Fraction))
        found = sorted((a * c, a * d, b * c, b * d))
        return Support(None, exact.number(found[0]), exact.number(found[-1]))
    for factor, other in ((left, right), (right, left)):
        if (by := factor.values) is not None and len(by) == 1:
            return _scaled(other, next(iter(by)))
    return ANYTHING


def _span_of_call(made: Call, known: Known) -> Support:
    match made:
        case Call("floor", (inner,)):
            low, high = ends(_span(inner, known))
            return Support(
                None, None if low is None else exact.floor_(low), None if high is None else exact.floor_(high)
            )
        case Call("min", parts):
            lows, highs = _ends_of_parts(parts, known)
            return Support(None, _least(lows) if len(lows) == len(parts) else None, _least(highs))
        case Call("max", parts):
            lows, highs = _ends_of_parts(parts, known)
            return Support(None, _greatest(lows), _greatest(highs) if len(highs) == len(parts) else None)
        case Call("abs", (inner,)):
            low, high = ends(_span(inner, known))
            if low is None or high is None:
                return Support(None, 0, None)
            return Support(None, 0, exact.maximum(exact.abs_(low), exact.abs_(high)))
        case _:
            return ANYTHING


def _scaled(support: Support, by: Exact) -> Support:
    low, high = (None if end is None else exact.mul(end, by) for end in ends(support))
    return Support(None, high, low) if exact.sign(by) < 0 else Support(None, low, high)


def _order(left: Support, right: Support, *, strict: bool) -> Support:
    """Return whether a number is below another one (or equal, unless ``strict``), as far as their ends tell."""
    (low, high), (least, greatest) = ends(left), ends(right)
    if high is not None and least is not None and exact.compare(high, least) < (0 if strict else 1):
        return Support(frozenset({1}))
    if low is not None and greatest is not None and exact.compare(low, greatest) >= (0 if strict else 1):
        return Support(frozenset({0}))
    return Support(frozenset({0, 1}))


def _ends_of_parts(parts: Iterable[Expression], known: Known) -> tuple[list[Exact], list[Exact]]:
    found = [ends(_span(part, known)) for part in parts]
    return [low for low, _ in found if low is not None], [high for _, high in found if high is not None]


def _least(values: list[Exact]) -> Exact | None:
    return reduce(exact.minimum, values) if values else None


def _greatest(values: list[Exact]) -> Exact | None:
    return reduce(exact.maximum, values) if values else None


def _plus(a: Exact | None, b: Exact | None) -> Exact | None:
    return None if a is None or b is None else exact.add(a, b)


def narrowed(known: Known, condition: Expression, holds: bool) -> dict[str, Support] | None:
    """Return what is known of variables where a condition holds, or does not; None if it cannot."""
    match condition:
        case Unary("not" | "!", inner):
            return narrowed(known, inner, not holds)
        case Parenthesized(inner):
            return narrowed(known, inner, holds)
        case Binary("and", left, right) if holds:
            first = narrowed(known, left, holds)
            return None if first is None else narrowed(first, right, holds)
        case Binary("or", left, right) if not holds:
            first = narrowed(known, left, holds)
            return None if first is None else narrowed(first, right, holds)
        case _:
            pass
    states = assignments(condition, known)
    if states is None:
        return dict(known)
    left_over: dict[str, set[Exact]] = {name: set() for name in names_of(condition)}
    passed = False
    for state in states:
        try:
            if (evaluate(condition, state) != 0) is not holds:
                continue
        except (Fault, ArithmeticFault):
            pass
        passed = True
        for name, value in state.items():
            left_over[name].add(value)
    if not passed:
        return None
    return {**known, **{name: Support(frozenset(values)) for name, values in left_over.items()}}
