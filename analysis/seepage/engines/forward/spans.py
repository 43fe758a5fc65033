r"""Between which numbers an expression lies, where infinite supports are involved: ``1 / (n + 1)`` is in (0, 1] for every draw n of a geometric law.

Intervals with rational ends (:mod:`seepage.semantics.ranges`), also of quotients, powers and exponentials, rounded outward.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor

from flint import arb

from seepage.distributions.arguments import bind
from seepage.distributions.supports import ends
from seepage.exact import Number, enclose
from seepage.semantics.expressions import bottom_up
from seepage.semantics.ranges import ANY, Range, complement, exactly, hull, negated, of_function, of_operation
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression

Spans = Mapping[str, Range]

_MOST = 64  # of an exponent that is followed


def span(expression: Expression, spans: Spans, parameters: Mapping[str, Number]) -> Range:
    """Return an interval that holds every value of an expression; variables without an entry are 0.

    Args:
        expression: of plain variables.
        spans: where variables lie.
        parameters: values of the program's parameters.
    """

    def visit(node: Expression, parts: list[Range]) -> Range:
        match node:
            case tree.Number(value=value):
                return exactly(value)
            case tree.Boolean(value=value):
                return exactly(int(value))
            case tree.Name(id=name):
                return _around(parameters[name]) if name in parameters else spans.get(name, (0, 0))
            case tree.Parenthesized():
                return parts[0]
            case tree.Unary(operator="-"):
                return negated(parts[0])
            case tree.Unary():
                return complement(parts[0])
            case tree.Binary(operator=operator):
                return _operation(operator, parts[0], parts[1])
            case tree.Conditional():
                return hull(parts[1], parts[2])
            case tree.Cell(draw=draw, column=column):
                return draw.table.by_name[column].extent or ANY
            case tree.Call(function="exp"):
                return _exponential(parts[0])
            case tree.Call(function=function):
                return of_function(function, parts)
            case _:
                return ANY

    return bottom_up(expression, visit)


def of_draw(distribution: Distribution, spans: Spans, parameters: Mapping[str, Number]) -> Range:
    """Return an interval that holds every value of a law; all numbers of one whose support is not told by its parameters alone.

    Args:
        distribution: of the draw.
        spans: where the variables of its arguments lie.
        parameters: values of the program's parameters.
    """
    match distribution:
        case tree.Table(entries=entries):
            return _all([span(value, spans, parameters) for value, _ in entries])
        case tree.Mixture(parts=parts):
            return _all([of_draw(part, spans, parameters) for _, part in parts])
        case tree.Rows(draw=draw):
            return (0, draw.most)
        case tree.Family():
            low, high = (
                None if end is None else _all([_end(each, spans, parameters) for each in end])
                for end in ends(bind(distribution))
            )
            return (None if low is None else low[0], None if high is None else high[1])


def _end(value: int | Expression, spans: Spans, parameters: Mapping[str, Number]) -> Range:
    return (value, value) if isinstance(value, int) else span(value, spans, parameters)


def magnitude(interval: Range) -> Fraction | None:
    """Return a bound of the absolute values in an interval, None where there is none."""
    low, high = interval
    return None if low is None or high is None else max(abs(Fraction(low)), abs(Fraction(high)))


def _all(intervals: list[Range]) -> Range:
    first, *rest = intervals
    for each in rest:
        first = hull(first, each)
    return first


def _around(value: Number) -> Range:
    """Return an interval around a number, which may be irrational."""
    known = exactly(value)
    return known if known != ANY else _outward(enclose(value))


def _outward(ball: arb) -> Range:
    """Return an interval with dyadic ends around a ball."""
    if not ball.is_finite():
        return ANY
    scale = 2**64
    low, high = ((end * scale) for end in (ball.lower(), ball.upper()))
    whole = low.floor().unique_fmpz(), high.ceil().unique_fmpz()
    if whole[0] is None or whole[1] is None:
        return ANY
    return (Fraction(int(whole[0]), scale), Fraction(int(whole[1]), scale))


def _operation(operator: tree.BinaryOperator, a: Range, b: Range) -> Range:
    match operator:
        case "*":
            return _product(a, b)
        case "/" if _has_one_sign(b):
            return _product(a, _reciprocal(b))
        case "^":
            return _power(a, b)
        case _:
            return of_operation(operator, a, b)


def _has_one_sign(a: Range) -> bool:
    return (a[0] is not None and a[0] > 0) or (a[1] is not None and a[1] < 0)


def _product(a: Range, b: Range) -> Range:
    """Return the range of a product; an end that is missing is infinite, and 0 times it is 0."""
    ends: list[tuple[int, Fraction]] = []  # sign of infinity, finite value
    for place, x in enumerate(a):
        for other, y in enumerate(b):
            if x is not None and y is not None:
                ends.append((0, Fraction(x) * Fraction(y)))
                continue
            signs = [
                (1 if at else -1) if end is None else (end > 0) - (end < 0) for at, end in ((place, x), (other, y))
            ]
            ends.append((signs[0] * signs[1], Fraction(0)))
    low, high = min(ends), max(ends)
    return (None if low[0] else low[1], None if high[0] else high[1])


def _reciprocal(a: Range) -> Range:
    """Return the range of 1/v for values of one sign; an end at infinity is 0."""
    low, high = a
    return (Fraction(0) if high is None else 1 / Fraction(high), Fraction(0) if low is None else 1 / Fraction(low))


def _power(a: Range, b: Range) -> Range:
    """Return the range of a power, of a number between 0 and 1 or at least 1, or with a known whole exponent; else nothing is known."""
    if b[0] is not None and b[0] == b[1] and Fraction(b[0]).denominator == 1 and -_MOST <= b[0] <= _MOST:
        return _whole_power(a, int(b[0]))
    if a[0] is None or a[0] <= 0 or a[1] is None:
        return ANY
    low, high = Fraction(a[0]), Fraction(a[1])
    if high <= 1:  # falls in the exponent
        end = None if b[0] is None or not -_MOST <= b[0] <= _MOST else floor(b[0])
        return (0, None if end is None else (low if end < 0 else high) ** end)
    if low >= 1:
        end = None if b[1] is None or not -_MOST <= b[1] <= _MOST else ceil(b[1])
        return (0, None if end is None else (high if end >= 0 else low) ** end)
    return (0, None)


def _whole_power(a: Range, exponent: int) -> Range:
    low, high = a
    if exponent < 0:
        return _reciprocal(_whole_power(a, -exponent)) if low is not None and low > 0 else ANY
    if low is not None and low >= 0:
        return (Fraction(low) ** exponent, None if high is None else Fraction(high) ** exponent)
    return (0, None) if exponent % 2 == 0 and exponent else ANY


def _exponential(a: Range) -> Range:
    if a[1] is None or a[1] > _MOST:
        return (0, None)
    top = Fraction(a[1])
    return (0, _outward((arb(top.numerator) / top.denominator).exp())[1])
