r"""Expressions in a component: exact numbers, affine forms, and moment matching where neither is enough.

Linear operations, products with a discrete factor and everything discrete are exact. A comparison of continuous values cuts the component
(:func:`seepage.engines.soga.component.splitting`); equality of two that do not determine each other has probability 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, TypeVar, assert_never

from seepage import exact, rules
from seepage.diagnostics import Diagnostic, Fault, Reason, Rule
from seepage.distributions.gaussian import Affine
from seepage.engines.soga.component import Component
from seepage.engines.soga.moments import exponential, power, product
from seepage.exact import ArithmeticFault, CannotDecide, Number, TooLarge
from seepage.semantics.evaluate import ARITHMETIC, ORDER, apply_function, element, evaluate, spelled, truth
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression

T = TypeVar("T")

_HIGHEST_POWER = 16


def value_in(component: Component, expression: Expression) -> Number | Affine:
    """Return the value of an expression in a component.

    Raises:
        Undecided: if it depends on the sign of a continuous form that the component is not yet cut at.
        Fault: undefined, index outside, not supported, …
    """
    match expression:
        case tree.Number() | tree.Boolean() | tree.Infinity():
            return evaluate(expression, {})
        case tree.Name(id=name):
            return component.slot(name)
        case tree.Parenthesized(inner=inner):
            return value_in(component, inner)
        case tree.Index():
            return _element(component, expression)
        case tree.Conditional(condition=condition, consequent=consequent, alternative=alternative):
            return value_in(component, consequent if truth_in(component, condition) else alternative)
        case tree.Unary(operator="-", operand=operand):
            inner_value = value_in(component, operand)
            return _exactly(component, expression, lambda: scale(inner_value, -1))
        case tree.Unary():
            return int(truth_in(component, expression))
        case tree.Binary(operator=operator):
            if operator in tree.COMPARISONS or operator in tree.LOGICAL:
                return int(truth_in(component, expression))
            return _arithmetic(component, expression)
        case tree.Call():
            return _call(component, expression)
        case tree.Cell(draw=draw, column=column, row=row):
            number = value_in(component, row)
            if not isinstance(number, int):
                raise AssertionError("a row has a number that is whole")
            return draw.cell(column, number)
        case _:
            assert_never(expression)


def truth_in(component: Component, condition: Expression) -> bool:
    """Return the truth of a condition in a component; raises as :func:`value_in`, and ``Fault`` if it is not boolean."""
    match condition:
        case tree.Parenthesized(inner=inner):
            return truth_in(component, inner)
        case tree.Unary(operator="not" | "!", operand=operand):
            return not truth_in(component, operand)
        case tree.Binary(operator="and", left=left, right=right):
            return truth_in(component, left) and truth_in(component, right)
        case tree.Binary(operator="or", left=left, right=right):
            return truth_in(component, left) or truth_in(component, right)
        case tree.Binary(operator="xor", left=left, right=right):
            return truth_in(component, left) != truth_in(component, right)
        case tree.Binary(operator=operator) if operator in tree.COMPARISONS:
            return _compare(component, condition)
        case _:
            value = value_in(component, condition)
            if isinstance(value, Affine):
                text = spelled(condition)
                message = f"condition is not boolean: '{text}' is continuous here, compare it with something"
                raise Fault(Diagnostic(rules.NOT_BOOLEAN, condition.span, message))
            if value in (0, 1):
                return value == 1
            truth(condition, component.values(), component.scope.arrays)  # says it with a witness and a fix
            message = f"condition is not boolean: '{spelled(condition)}' can be {exact.show(value)}"
            raise Fault(Diagnostic(rules.NOT_BOOLEAN, condition.span, message))


def difference(component: Component, comparison: tree.Binary) -> Number | Affine:
    """Return left − right of a comparison."""
    left, right = value_in(component, comparison.left), value_in(component, comparison.right)
    return _exactly(component, comparison, lambda: plus(left, scale(right, -1)))


def _compare(component: Component, comparison: tree.Binary) -> bool:
    form = difference(component, comparison)
    if isinstance(form, Affine):
        if comparison.operator in ("==", "!="):
            component.improbable.append(comparison)
        match comparison.operator:
            case "==":
                return False
            case "!=":
                return True
            case operator:
                return ORDER[operator](component.sign(form, comparison.span))
    if comparison.operator in ("==", "!="):
        return (form == 0) == (comparison.operator == "==")
    order = _exactly(component, comparison, lambda: exact.sign(form))
    return ORDER[comparison.operator](order)


# --- affine forms -----------------------------------------------------------------------------------------------------


def scale(value: Number | Affine, factor: Number) -> Number | Affine:
    """Return factor · value."""
    if not isinstance(value, Affine):
        return exact.mul(value, factor)
    if factor == 0:
        return 0
    terms = tuple((source, exact.mul(factor, coefficient)) for source, coefficient in value.terms)
    return Affine(exact.mul(factor, value.constant), terms)


def plus(a: Number | Affine, b: Number | Affine) -> Number | Affine:
    """Return a + b; a number where the sources cancel."""
    if not isinstance(a, Affine) and not isinstance(b, Affine):
        return exact.add(a, b)
    constant: Number = 0
    terms: dict[int, Number] = {}
    for value in (a, b):
        constant = exact.add(constant, value.constant if isinstance(value, Affine) else value)
        for source, coefficient in value.terms if isinstance(value, Affine) else ():
            total = exact.add(terms.get(source, 0), coefficient)
            if total == 0:
                del terms[source]
            else:
                terms[source] = total
    return Affine(constant, tuple(sorted(terms.items()))) if terms else constant


def _arithmetic(component: Component, expression: tree.Binary) -> Number | Affine:
    left, right = value_in(component, expression.left), value_in(component, expression.right)
    if not isinstance(left, Affine) and not isinstance(right, Affine):
        return _exactly(component, expression, lambda: ARITHMETIC[expression.operator](left, right))
    match expression.operator:
        case "+":
            return _exactly(component, expression, lambda: plus(left, right))
        case "-":
            return _exactly(component, expression, lambda: plus(left, scale(right, -1)))
        case "*" if not isinstance(right, Affine):
            return _exactly(component, expression, lambda: scale(left, right))
        case "*" if not isinstance(left, Affine):
            return _exactly(component, expression, lambda: scale(right, left))
        case "*" if isinstance(left, Affine) and isinstance(right, Affine):
            rule, message = rules.PRODUCT_OF_CONTINUOUS, "the product of two continuous variables is not Gaussian"
            return _matched(component, expression, rule, message, lambda: product(component, left, right))
        case "/" if not isinstance(right, Affine):
            return _exactly(component, expression, lambda: scale(left, exact.div(1, right)))
        case "^" if isinstance(left, Affine) and not isinstance(right, Affine) and right in (0, 1, 2):
            if right == 2:
                rule, message = rules.PRODUCT_OF_CONTINUOUS, "the square of a continuous variable is not Gaussian"
                return _matched(component, expression, rule, message, lambda: product(component, left, left))
            return left if right == 1 else 1
        case "^" if isinstance(left, Affine) and isinstance(right, int) and 2 < right <= _HIGHEST_POWER:
            rule, message = rules.PRODUCT_OF_CONTINUOUS, "a power of a continuous variable is not Gaussian"
            return _matched(component, expression, rule, message, lambda: power(component, left, right))
        case "^" if isinstance(right, Affine) and not isinstance(left, Affine) and _is_positive(left):
            logarithm = _exactly(component, expression, lambda: exact.log_(left))
            exponent = _exactly(component, expression, lambda: scale(right, logarithm))
            if not isinstance(exponent, Affine):
                return 1
            rule, message = rules.NONLINEAR_FUNCTION, "the exponential of a continuous variable is not Gaussian"
            return _matched(component, expression, rule, message, lambda: exponential(component, exponent))
        case "/":
            if component.strict:
                _nonlinear(expression)
            text = spelled(expression.right)
            message = f"mixtures of normals do not follow a quotient by the continuous value '{text}': a normal has a density around 0, and by such a divisor the quotient has no mean"
            raise Fault(Diagnostic(rules.NOT_SUPPORTED, expression.span, message))
        case _:
            _unsupported(component, expression.span, f"'{expression.operator}'")


def _is_positive(number: Number) -> bool:
    try:
        return exact.sign(number) > 0
    except ArithmeticFault:
        return False


def _call(component: Component, expression: tree.Call) -> Number | Affine:
    values = [value_in(component, argument) for argument in expression.arguments]
    numbers = [value for value in values if not isinstance(value, Affine)]
    if len(numbers) == len(values):
        return _exactly(component, expression, lambda: apply_function(expression.function, numbers))
    match expression.function:
        case "min" | "max":
            wanted = 1 if expression.function == "max" else -1
            best = values[0]
            for value in values[1:]:
                if _sign(component, expression, plus(value, scale(best, -1))) == wanted:
                    best = value
            return best
        case "abs":
            return scale(values[0], _sign(component, expression, values[0]))
        case "exp" if isinstance(only := values[0], Affine):
            rule, message = rules.NONLINEAR_FUNCTION, "the exponential of a continuous variable is not Gaussian"
            return _matched(component, expression, rule, message, lambda: exponential(component, only))
        case "log" | "sqrt" as name:
            if component.strict:
                _nonlinear(expression)
            text = spelled(expression.arguments[0])
            message = f"mixtures of normals do not follow '{name}' of the continuous value '{text}': a normal takes values below 0, which have none"
            raise Fault(Diagnostic(rules.NOT_SUPPORTED, expression.span, message))
        case name:
            _unsupported(component, expression.span, f"'{name}'")


def _sign(component: Component, expression: Expression, value: Number | Affine) -> int:
    if isinstance(value, Affine):
        return component.sign(value, expression.span)
    return _exactly(component, expression, lambda: exact.sign(value))


def _element(component: Component, expression: tree.Index) -> Number | Affine:
    index = value_in(component, expression.index)
    if isinstance(index, Affine):
        message = (
            f"the index '{spelled(expression.index)}' is continuous here: found a real number, expected an integer"
        )
        raise Fault(Diagnostic(rules.INVALID_INDEX, expression.index.span, message))
    if index in component.scope.arrays.get(expression.array, ()):
        return component.slot(f"{expression.array}[{index}]")
    return component.slot(element(expression, component.values(), component.scope.arrays))


# --- faults and reasons -----------------------------------------------------------------------------------------------


def _matched(
    component: Component, expression: Expression, rule: Rule, message: str, compute: Callable[[], Affine]
) -> Affine:
    """Match moments once per place and component, and say so."""
    if component.strict:
        _nonlinear(expression)
    if expression.span not in component.matched:
        component.matched[expression.span] = compute()
    component.reasons[Reason(expression.span, rule.code, message)] = None
    return component.matched[expression.span]


def _nonlinear(expression: Expression) -> NoReturn:
    message = f"an observed equality must be linear in continuous variables, found '{spelled(expression)}'"
    raise Fault(Diagnostic(rules.NONLINEAR_EQUALITY, expression.span, message))


_ROUNDING = ("'floor'", "'ceil'")  # an equality of these is no density


def _unsupported(component: Component, span: Span, what: str) -> NoReturn:
    if component.strict and what not in _ROUNDING:
        message = f"an observed equality must be linear in continuous variables, found {what} of one"
        raise Fault(Diagnostic(rules.NONLINEAR_EQUALITY, span, message))
    message = f"mixtures of normals do not follow {what} of a continuous value"
    raise Fault(Diagnostic(rules.NOT_SUPPORTED, span, message))


def _exactly(component: Component, expression: Expression, compute: Callable[[], T]) -> T:
    """Do exact arithmetic; a fault of it becomes a diagnostic at the expression."""
    try:
        return compute()
    except CannotDecide as fault:
        raise Fault(Diagnostic(rules.CANNOT_DECIDE, expression.span, fault.reason)) from fault
    except TooLarge as fault:
        raise Fault(Diagnostic(rules.NUMBER_TOO_LARGE, expression.span, fault.reason)) from fault
    except ArithmeticFault as fault:
        names = component.values()
        evaluate(expression, names, component.scope.arrays)  # says it with a witness where everything is discrete
        message = f"{fault.reason} in '{spelled(expression)}'"
        raise Fault(Diagnostic(rules.UNDEFINED_VALUE, expression.span, message)) from fault
