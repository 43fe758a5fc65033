r"""Means of exponential polynomials :math:`f(k) = \sum c\, b^k k^d` of one draw k on 0, 1, 2, …, exactly; infinite ones are told as such.

Powers :math:`k^d` are sums of falling factorials with Stirling's numbers of the second kind as weights, and means of :math:`b^k k^{\underline{j}}` stand
in the law's file, of a law that has them (generating functions: Johnson, Kemp, Kotz 2005, "Univariate discrete distributions", sections 1.1, 4.3 and 5.2).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeAlias

from flint import arb

from seepage import exact
from seepage.diagnostics import Fault
from seepage.distributions.rational import stirling
from seepage.exact import ArithmeticFault, Number, to_fraction
from seepage.laws.infinite import Counting
from seepage.measures.enclosure import Enclosure
from seepage.measures.result import Certainty
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import plain_names
from seepage.syntax import tree
from seepage.syntax.tree import Expression

_TERMS, _MOST_DEGREE = 40, 12

Sum: TypeAlias = Mapping[tuple[Number, int], Number]
"""Coefficients c by base b > 0 and degree d, none of them 0."""


class _Other(Exception):
    """No exponential polynomial of bearable size."""


def mean(law: Counting, value: Expression, draw: str, at: Mapping[str, Number]) -> Enclosure | None:
    """Return the mean of an expression in a draw, None where it is no exponential polynomial, or a difference of infinite parts.

    Args:
        law: of the draw.
        value: reads the draw and parameters.
        draw: its name.
        at: values of the parameters.
    """
    try:
        found = _mean(law, _read(value, draw, at))
    except (_Other, ArithmeticFault, Fault):
        return None
    return _infinite(found) if isinstance(found, float) else Enclosure.of_number(found)


def variance(law: Counting, value: Expression, draw: str, at: Mapping[str, Number]) -> Enclosure | None:
    """Return the variance, infinite where the mean of the squares is; None as for :func:`mean`."""
    try:
        found = _read(value, draw, at)
        first, second = _mean(law, found), _mean(law, _times(found, found))
    except (_Other, ArithmeticFault, Fault):
        return None
    if isinstance(second, float) or isinstance(first, float):
        return _infinite(math.inf)
    try:
        return Enclosure.of_number(exact.sub(second, exact.mul(first, first)))
    except ArithmeticFault:
        return None


def _infinite(sign: float) -> Enclosure:
    end = arb(sign)
    return Enclosure(end, end, end, Certainty.EXACT)


def _mean(law: Counting, terms: Sum) -> Number | float:
    """Return a mean, ±∞ as a float.

    Raises:
        _Other: if infinite parts of both signs are added.
        ArithmeticFault: a comparison that cannot be decided, a number that is too large.
    """
    total: Number = 0
    endless: set[int] = set()
    for (base, degree), coefficient in terms.items():
        part = _term(law, base, degree)
        if part is None:
            endless.add(exact.sign(coefficient))
        else:
            total = exact.add(total, exact.mul(coefficient, part))
    if len(endless) > 1:
        raise _Other
    return total if not endless else float("inf") * endless.pop()


def _term(law: Counting, base: Number, degree: int) -> Number | None:
    """Return the mean of :math:`b^k k^d`, None where it is infinite."""
    total: Number = 0
    for order in range(degree + 1):
        part = law.falling_mean(base, order)
        if part is None:
            return None
        total = exact.add(total, exact.mul(stirling(degree, order), part))
    return total


# --- reading ----------------------------------------------------------------------------------------------------------


def _read(expression: Expression, draw: str, at: Mapping[str, Number]) -> Sum:
    """Return an expression as an exponential polynomial.

    Raises:
        _Other: if it is none.
        Fault: a part without a value.
    """
    if draw not in plain_names(expression):
        return _number(evaluate(expression, at))
    match expression:
        case tree.Name():
            return {(1, 1): 1}
        case tree.Parenthesized(inner=inner):
            return _read(inner, draw, at)
        case tree.Unary(operator="-", operand=operand):
            return _times(_number(-1), _read(operand, draw, at))
        case tree.Binary(operator="+", left=left, right=right):
            return _plus(_read(left, draw, at), _read(right, draw, at))
        case tree.Binary(operator="-", left=left, right=right):
            return _plus(_read(left, draw, at), _times(_number(-1), _read(right, draw, at)))
        case tree.Binary(operator="*", left=left, right=right):
            return _times(_read(left, draw, at), _read(right, draw, at))
        case tree.Binary(operator="/", left=left, right=right):
            return _over(_read(left, draw, at), _read(right, draw, at))
        case tree.Binary(operator="^", left=left, right=right):
            return _power(_read(left, draw, at), _read(right, draw, at))
        case tree.Call(function="exp", arguments=(argument,)):
            constant, slope = _affine(_read(argument, draw, at))
            return {(exact.exp_(slope), 0): exact.exp_(constant)}
        case _:
            raise _Other


def _number(value: Number) -> Sum:
    return {(1, 0): value} if exact.sign(value) else {}


def _plus(a: Sum, b: Sum) -> Sum:
    total = dict(a)
    for key, coefficient in b.items():
        total[key] = exact.add(total.get(key, 0), coefficient)
    if len(total) > _TERMS:
        raise _Other
    return {key: coefficient for key, coefficient in total.items() if exact.sign(coefficient)}


def _times(a: Sum, b: Sum) -> Sum:
    total: Sum = {}
    for (base, degree), coefficient in a.items():
        for (other, more), factor in b.items():
            if degree + more > _MOST_DEGREE:
                raise _Other
            total = _plus(total, {(exact.mul(base, other), degree + more): exact.mul(coefficient, factor)})
    return total


def _over(a: Sum, b: Sum) -> Sum:
    """Divide by a number, or by a single exponential."""
    if len(b) != 1:
        raise _Other
    (((base, degree), coefficient),) = b.items()
    if degree:
        raise _Other
    return _times(a, {(exact.div(1, base), 0): exact.div(1, coefficient)})


def _power(a: Sum, b: Sum) -> Sum:
    """Raise to a small whole power, or a positive number to an affine one."""
    constant, slope = _affine(b)
    if slope == 0 and len(a) == 1 and all(degree == 0 and exact.sign(factor) > 0 for (_, degree), factor in a.items()):
        (((base, _), factor),) = a.items()
        return {(exact.power(base, constant), 0): exact.power(factor, constant)}
    if slope == 0 and (whole := to_fraction(constant)) is not None and whole in range(_MOST_DEGREE + 1):
        result = _number(1)
        for _ in range(int(whole)):
            result = _times(result, a)
        return result
    if list(a) != [(1, 0)] or exact.sign(a[1, 0]) <= 0:
        raise _Other
    base = a[1, 0]
    return {(exact.power(base, slope), 0): exact.power(base, constant)}


def _affine(terms: Sum) -> tuple[Number, Number]:
    """Return constant and slope."""
    if not terms.keys() <= {(1, 0), (1, 1)}:
        raise _Other
    return terms.get((1, 0), 0), terms.get((1, 1), 0)
