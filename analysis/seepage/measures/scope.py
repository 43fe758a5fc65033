"""What the names of a measure mean: expressions as written become expressions of the core program.

Constants are replaced by their values, elements with a static index by their variables, declared secrets by the variable that holds their
meant value; spans become absolute, so that a fault met later points into the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NoReturn, assert_never

from seepage import exact, rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Fault, Rule
from seepage.exact import Number
from seepage.semantics.core import CoreProgram
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import plain_names
from seepage.source import Span
from seepage.syntax.parse import parse_expression
from seepage.syntax.tree import (
    Binary,
    Boolean,
    Call,
    Cell,
    Conditional,
    Expression,
    Index,
    Infinity,
    Name,
    Parenthesized,
    Unary,
)
from seepage.syntax.tree import Number as Literal


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a measure's names are looked up.

    Attributes:
        core: the program.
        constants: values of ``const`` declarations.
        parameters: values of the parameters that have one.
        offset: absolute place of the text that the measure's spans count from.
    """

    core: CoreProgram
    constants: Mapping[str, Number]
    parameters: Mapping[str, Number]
    offset: int

    @property
    def taken(self) -> tuple[str, ...]:
        """The names that formulas may not give to what they define: variables, arrays, constants and parameters."""
        return (*self.core.variables, *self.core.arrays, *self.constants, *self.core.parameters)


def _need(scope: Scope, name: str) -> None:
    """Raise what keeps the statements of a name (an array's without an index) out of the program, if something does."""
    if name in scope.core.left_out:
        raise Fault(scope.core.left_out[name])


def fail(rule: Rule, span: Span, message: str, *notes: str) -> NoReturn:
    """Raise a fault at an absolute place."""
    raise Fault(Diagnostic(rule, span, message, notes=notes))


def variables(scope: Scope, expressions: tuple[Expression, ...]) -> tuple[str, ...]:
    """Return the plain variables that a list of names and elements means, each once, in order.

    Raises:
        Fault: at an item that is no name or element, or whose variable nothing assigns.
    """
    found: dict[str, None] = {}
    for expression in expressions:
        for variable in _elements(scope, expression):
            found[variable] = None
    return tuple(found)


def _elements(scope: Scope, expression: Expression) -> tuple[str, ...]:
    place = expression.span.shift(scope.offset)
    match expression:
        case Name(id=name) if name in scope.constants or name in scope.parameters or name in scope.core.parameters:
            fail(rules.UNFIT_MEASURE, place, f"'{name}' is no variable: found a fixed number, expected a variable")
        case Name(id=name):
            _need(scope, name)
            try:
                return scope.core.elements(name)
            except ValueError:
                fail(rules.UNKNOWN_IN_MEASURE, place, f"unknown name '{name}': no statement assigns it")
        case Index():
            element = core_expression(scope, expression)
            if isinstance(element, Name):
                return (element.id,)
            fail(rules.NOT_SUPPORTED, place, "not supported yet: a measure of an element with a random index")
        case Parenthesized(inner=inner):
            return _elements(scope, inner)
        case _:
            fail(
                rules.UNFIT_MEASURE,
                place,
                "found an expression, expected variables: assign it to a variable in the program and name that",
            )


def is_plain(scope: Scope, expression: Expression) -> bool:
    """Tell whether an expression after ``|`` reads as a variable: a bare name or element, no constant."""
    match expression:
        case Name(id=name):
            return name not in scope.constants and name not in scope.core.parameters
        case Index():
            return True
        case _:
            return False


def static_number(scope: Scope, expression: Expression) -> Number:
    """Return the value of a static expression: constants, parameters and numbers only.

    Raises:
        Fault: if it names a variable, or has no value.
    """
    place = expression.span.shift(scope.offset)
    for name in plain_names(expression):
        if name in scope.core.parameters and name not in scope.parameters:
            without_value(name, place)
        if name not in scope.constants and name not in scope.parameters:
            message = f"'{name}' is not static: found a variable, expected numbers, constants and parameters"
            fail(rules.UNFIT_MEASURE, place, message)
    return evaluate(core_expression(scope, expression), scope.parameters)


def without_value(name: str, place: Span) -> NoReturn:
    """Raise the fault of a parameter that is needed and has neither default nor value."""
    fail(rules.PARAMETER_WITHOUT_VALUE, place, f"parameter '{name}' has no value: give it a default or set it")


def core_expression(scope: Scope, expression: Expression) -> Expression:
    """Return the expression of the core program that an expression of a measure means.

    Raises:
        Fault: unknown name, array used as a number, element that nothing writes.
    """
    place = expression.span.shift(scope.offset)
    match expression:
        case Literal(value=value):
            return Literal(value, place)
        case Boolean(value=value):
            return Boolean(value, place)
        case Infinity():
            return Infinity(place)
        case Parenthesized(inner=inner):
            return core_expression(scope, inner)
        case Name(id=name):
            return _name(scope, name, place)
        case Index(array=array, index=index):
            return _index(scope, array, core_expression(scope, index), expression.name_span.shift(scope.offset), place)
        case Cell(draw=draw, column=column, row=row):
            return Cell(draw, column, core_expression(scope, row), place)
        case Unary(operator=operator, operand=operand):
            return Unary(operator, core_expression(scope, operand), place)
        case Binary(operator=operator, left=left, right=right):
            return Binary(operator, core_expression(scope, left), core_expression(scope, right), place)
        case Conditional(condition=condition, consequent=consequent, alternative=alternative):
            return Conditional(
                core_expression(scope, condition),
                core_expression(scope, consequent),
                core_expression(scope, alternative),
                place,
            )
        case Call(function=function, arguments=arguments):
            inner_arguments = tuple(core_expression(scope, argument) for argument in arguments)
            return Call(function, inner_arguments, expression.name_span.shift(scope.offset), place)
        case _:
            assert_never(expression)


def _name(scope: Scope, name: str, place: Span) -> Expression:
    if name in scope.constants:
        return spelled_number(scope.constants[name], place)
    if name in scope.core.parameters:
        return Name(name, place)
    if name in scope.core.arrays:
        fail(rules.UNFIT_MEASURE, place, f"'{name}' is an array: found all its elements, expected one number")
    variable = scope.core.aliases.get(name, name)
    _need(scope, name)
    if variable not in scope.core.variables:
        fail(rules.UNKNOWN_IN_MEASURE, place, f"unknown name '{name}': no statement assigns it")
    return Name(variable, place)


def _index(scope: Scope, array: str, index: Expression, name_place: Span, place: Span) -> Expression:
    _need(scope, array)
    if array not in scope.core.arrays:
        fail(rules.UNKNOWN_IN_MEASURE, name_place, f"unknown name '{array}': no statement assigns an element of it")
    if any(True for _ in plain_names(index)):
        if any(f"{array}[{i}]" in scope.core.aliases for i in scope.core.arrays[array]):
            fail(
                rules.NOT_SUPPORTED, place, "not supported yet: a random index into a secret with 'initial' or 'final'"
            )
        return Index(array, index, name_place, place)
    position = evaluate(index, {})
    element = f"{array}[{exact.show(position)}]"
    if position not in scope.core.arrays[array]:
        fail(rules.UNKNOWN_IN_MEASURE, place, f"unknown element '{element}': no statement assigns it")
    return Name(scope.core.aliases.get(element, element), place)


def spelled_number(value: Number, place: Span) -> Expression:
    """Return an expression with the given value: a literal, or for an irrational number the closed form that it stands for."""
    fraction = exact.to_fraction(value)
    if fraction is not None:
        return Literal(Fraction(fraction), place)
    expression, found = parse_expression(exact.spelled(value))
    if found:
        fail(rules.NUMBER_TOO_LARGE, place, f"a closed form with too many digits: {exact.show(value)}")
    if expression is None:
        raise AssertionError(f"{exact.show(value)} is no Seep expression")
    return expression
