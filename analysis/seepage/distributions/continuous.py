"""Mean and variance of the continuous families that an engine replaces by a normal with the same two moments."""

from __future__ import annotations

from collections.abc import Mapping

from seepage import exact
from seepage.diagnostics import Diagnostic, Fault
from seepage.distributions.parameters import Place
from seepage.exact import ArithmeticFault, Number, add, div, exp_, mul, sub
from seepage.rules import NOT_SUPPORTED, NUMBER_TOO_LARGE
from seepage.syntax.tree import Expression, Family


class NoStandIn(Fault):
    """No normal law can stand for another one: a reason only for who would use it."""


def moments(family: Family, arguments: Mapping[str, Expression], place: Place) -> tuple[Number, Number]:
    """Return mean and variance of a continuous family other than ``normal`` in a state.

    Raises:
        Fault: parameter out of range, or no variance (Student's t with df <= 2).
    """
    try:
        return _moments(family, arguments, place)
    except ArithmeticFault as fault:
        raise Fault(
            Diagnostic(NUMBER_TOO_LARGE, family.span, f"the moments of '{family.name}': {fault.reason}")
        ) from fault


def _moments(family: Family, arguments: Mapping[str, Expression], place: Place) -> tuple[Number, Number]:
    def positive(name: str) -> Number:
        return place.positive(arguments[name], f"the parameter '{name}' of '{family.name}'")

    match family.name:
        case "uniform":
            low, high = _ordered(family, arguments, place, "a", "b")
            width = sub(high, low)
            return div(add(low, high), 2), div(mul(width, width), 12)
        case "exponential":
            mean = div(1, positive("rate"))
            return mean, mul(mean, mean)
        case "laplace":
            scale = place.at_least_zero(arguments["scale"], "the scale of 'laplace'")
            return place.value(arguments["mean"]), mul(2, mul(scale, scale))
        case "beta":
            a, b = positive("a"), positive("b")
            total = add(a, b)
            return div(a, total), div(mul(a, b), mul(mul(total, total), add(total, 1)))
        case "gamma":
            shape, rate = positive("shape"), positive("rate")
            return div(shape, rate), div(shape, mul(rate, rate))
        case "lognormal":
            m, v = place.value(arguments["m"]), place.at_least_zero(arguments["v"], "the parameter 'v' of 'lognormal'")
            square = exp_(add(mul(2, m), v))
            return exp_(add(m, div(v, 2))), mul(square, sub(exp_(v), 1))
        case "student_t":
            return _student(family, arguments, place, positive("df"), positive("scale"))
        case "triangular":
            low, high = _ordered(family, arguments, place, "a", "b")
            middle = place.value(arguments["m"])
            if place.order(arguments["m"], middle, low) < 0 or place.order(arguments["m"], middle, high) > 0:
                raise place.invalid(arguments["m"], middle, "the mode of 'triangular' must be between its ends")
            squares = add(add(mul(low, low), mul(middle, middle)), mul(high, high))
            products = add(add(mul(low, middle), mul(low, high)), mul(middle, high))
            return div(add(add(low, middle), high), 3), div(sub(squares, products), 18)
        case _:
            message = "no normal law of the same mean and variance can stand for a part of this law: they are no exact numbers"
            raise NoStandIn(Diagnostic(NOT_SUPPORTED, family.span, message))


def _ordered(
    family: Family, arguments: Mapping[str, Expression], place: Place, first: str, last: str
) -> tuple[Number, Number]:
    low, high = place.value(arguments[first]), place.value(arguments[last])
    if place.order(arguments[last], high, low) < 0:
        raise place.invalid(
            arguments[last], high, f"the upper end of '{family.name}' must be at least the lower end {exact.show(low)}"
        )
    return low, high


def _student(
    family: Family, arguments: Mapping[str, Expression], place: Place, df: Number, scale: Number
) -> tuple[Number, Number]:
    if place.order(arguments["df"], df, 2) <= 0:
        freedom = "1 degree" if df == 1 else f"{exact.show(df)} degrees"
        message = f"'student_t' with {freedom} of freedom has no variance, so that no normal can stand for it"
        raise NoStandIn(Diagnostic(NOT_SUPPORTED, family.span, message))
    return place.value(arguments["mean"]), div(mul(df, mul(scale, scale)), sub(df, 2))
