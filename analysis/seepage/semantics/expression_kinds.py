"""The kind of an expression, and what in it is not linear in continuous variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import assert_never

from seepage import rules
from seepage.diagnostics import Rule
from seepage.exact import Number as ExactNumber
from seepage.exact import number
from seepage.semantics.certain import index_issue
from seepage.semantics.checked import Kind
from seepage.semantics.classify import Issue
from seepage.semantics.expressions import are_alike, bottom_up, plain_names
from seepage.semantics.kinds import (
    BOOLEAN,
    CONTINUOUS,
    DISCRETE,
    MIXED,
    Value,
    constant,
    function_kind,
    join,
    product_kind,
    sum_kind,
)
from seepage.semantics.ranges import ANY, FALSE, TRUE, Range, complement, hull, negated, of_function, of_operation
from seepage.source import Span
from seepage.syntax.data.table import Column
from seepage.syntax.spell import spell_start
from seepage.syntax.tree import (
    COMPARISONS,
    LOGICAL,
    Binary,
    Boolean,
    Call,
    Cell,
    Conditional,
    Expression,
    Index,
    Infinity,
    Name,
    Number,
    Parenthesized,
    Unary,
    is_made,
)
from seepage.syntax.vocabulary.array_laws import written_law

Read = Callable[[Name | Index], Value]


def kind_of(
    expression: Expression,
    read: Read,
    constants: Mapping[str, ExactNumber],
    comparison: Rule,
    issues: list[Issue],
) -> Value:
    """Return the kind of an expression.

    Args:
        expression: with spans relative to its piece.
        read: the value of a variable or element, also where it is read before it is assigned.
        constants: known numbers.
        comparison: the rule for an ordered comparison of continuous values here.
        issues: receives what is not linear in continuous variables, in the order of evaluation.
    """

    def visit(node: Expression, parts: list[Value]) -> Value:
        value = kind(node, parts)
        if not parts or value.is_continuous:
            return value
        found = _range(node, parts)
        return value if found is ANY else Value(value.kind, value.origin, value.sure, value.outside, found)

    def kind(node: Expression, parts: list[Value]) -> Value:
        match node:
            case Number(value=value):
                return constant(number(value))
            case Boolean():
                return BOOLEAN
            case Infinity():
                return DISCRETE
            case Name():
                return read(node)
            case Index(index=index):
                issue = index_issue(index, parts[0], constants)
                if issue is not None:
                    issues.append(issue)
                return read(node)
            case Parenthesized():
                return parts[0]
            case Unary(operator="-"):
                return sum_kind(DISCRETE, parts[0])
            case Unary():
                return BOOLEAN
            case Binary():
                return _binary(node, parts[0], parts[1], constants, comparison, issues)
            case Conditional():
                return _conditional(node, parts, issues)
            case Call():
                return _call(node, parts, issues)
            case Cell(draw=draw, column=column):
                return _cell(draw.table.by_name[column])
            case _:
                assert_never(node)

    return bottom_up(expression, visit)


def _cell(column: Column) -> Value:
    """Return the kind of the cells of a column."""
    if column.is_boolean:
        return BOOLEAN
    return DISCRETE if column.extent is None else Value(Kind.DISCRETE, range=column.extent)


def _range(node: Expression, parts: list[Value]) -> Range:
    """Return the range of an operation whose value is discrete; continuous parts may have any value."""
    ranges = [ANY if part.is_continuous else part.range for part in parts]
    match node:
        case Binary(operator=operator):
            return of_operation(operator, ranges[0], ranges[1])
        case Unary(operator="-"):
            return negated(ranges[0])
        case Unary():
            return complement(ranges[0])
        case Conditional():
            return hull(ranges[1], ranges[2])
        case Call(function=function):
            return of_function(function, ranges)
        case Parenthesized():
            return ranges[0]
        case _:
            return ANY


def _binary(
    node: Binary,
    left: Value,
    right: Value,
    constants: Mapping[str, ExactNumber],
    comparison: Rule,
    issues: list[Issue],
) -> Value:
    operator, continuous = node.operator, left.is_continuous or right.is_continuous
    if operator in LOGICAL:
        if (operator == "and" and left.range == FALSE) or (operator == "or" and left.range == TRUE):
            _drop_inside(node.right.span, issues)
        return BOOLEAN
    if operator in COMPARISONS:
        if continuous and operator in ("==", "!="):
            likely = "false" if operator == "==" else "true"
            message = f"'{_text(node)}' compares continuous values for equality: it is {likely} with probability 1, unless one is computed from the other or has atoms"
            issues.append(_told(rules.EQUALITY_OF_CONTINUOUS, node, message))
        elif continuous:
            issues.append(_told(comparison, node, _COMPARED[comparison.code].format(_text(node))))
        return BOOLEAN
    if operator in ("+", "-"):
        if (
            operator == "-"
            and left.kind is Kind.BOOLEAN
            and right.kind is Kind.BOOLEAN
            and _known(node.left, constants) == 1
        ):
            return BOOLEAN
        return replace(sum_kind(left, right), outside=_shifted(operator, left, right))
    if operator == "*":
        if left.is_continuous and right.is_continuous:
            message = _multiplied(node)
            issues.append(Issue(rules.PRODUCT_OF_CONTINUOUS, node, message))
        factor = _known(node.right if left.is_continuous else node.left, constants)
        return product_kind(left, right, other_is_zero_free=factor is not None and factor != 0)
    if operator == "^" and continuous and not right.is_continuous and _known(node.right, constants) == 1:
        return left
    if operator == "/" and not right.is_continuous:
        if not left.is_continuous:
            return DISCRETE
        return left if _known(node.right, constants) is not None else left.uncertain()
    if not continuous:
        return DISCRETE
    if operator == "/":
        message = f"'{_text(node)}' divides by a continuous value: the quotient is not Gaussian"
        issues.append(_told(rules.DIVISION_BY_CONTINUOUS, node, message))
    else:
        message = f"'{_text(node)}' is not linear in a continuous variable"
        issues.append(_told(rules.NONLINEAR_FUNCTION, node, message))
    return MIXED if Kind.MIXED in (left.kind, right.kind) else CONTINUOUS


def _shifted(operator: str, left: Value, right: Value) -> ExactNumber | None:
    """Return a number other than 0 and 1 that a sum or difference with one known term surely takes, as its other term does."""
    if left.is_continuous or right.is_continuous:
        return None
    for a, b in ((left.outside, _only(right.range)), (_only(left.range), right.outside)):
        if isinstance(a, int | Fraction) and isinstance(b, int | Fraction):
            value = number(Fraction(a) + b if operator == "+" else Fraction(a) - b)
            if value not in (0, 1):
                return value
    return None


def _only(range_: Range) -> ExactNumber | None:
    return range_[0] if range_[0] == range_[1] else None


_COMPARED: Mapping[str, str] = {
    rules.BRANCH_ON_CONTINUOUS.code: "the branch depends on a continuous variable through '{}'",
    rules.OBSERVE_INEQUALITY.code: "'{}' observes an inequality of a continuous variable: what is left is not Gaussian",
    rules.COMPARISON_OF_CONTINUOUS.code: "'{}' compares a continuous variable: its outcome is not linear in it",
}


def _told(rule: Rule, culprit: Expression, message: str) -> Issue:
    """Return an issue whose message spells the culprit: one with a name that no text has is about that name, and not for people."""
    return Issue(rule, culprit, message, next(filter(is_made, plain_names(culprit)), ""))


def _conditional(node: Conditional, parts: list[Value], issues: list[Issue]) -> Value:
    """Join what is chosen from; where the values decide the condition, the other side is never evaluated."""
    _in_conditional(node.condition.span, issues)
    if parts[0].range == TRUE and not parts[0].is_continuous:
        _drop_inside(node.alternative.span, issues)
        return parts[1]
    if parts[0].range == FALSE and not parts[0].is_continuous:
        _drop_inside(node.consequent.span, issues)
        return parts[2]
    return join(parts[1], parts[2]).uncertain()


def _drop_inside(span: Span, issues: list[Issue]) -> None:
    """Drop the issues in a part that is never evaluated."""
    issues[:] = [issue for issue in issues if span.cover(issue.culprit.span) != span]


def _in_conditional(condition: Span, issues: list[Issue]) -> None:
    """Say of the comparisons in the condition of a conditional expression that they are there."""
    for place, issue in enumerate(issues):
        if issue.rule is rules.COMPARISON_OF_CONTINUOUS and condition.cover(issue.culprit.span) == condition:
            message = f"the conditional expression depends on a continuous variable through '{_text(issue.culprit)}'"
            issues[place] = _told(rules.CONDITIONAL_ON_CONTINUOUS, issue.culprit, message)


def _call(node: Call, parts: list[Value], issues: list[Issue]) -> Value:
    first = node.arguments[0] if node.arguments else None
    if node.function in ("min", "max") and first and all(are_alike(first, one) for one in node.arguments[1:]):
        return parts[0]
    if any(part.is_continuous for part in parts):
        message = f"'{_text(node)}' is a nonlinear function of a continuous variable"
        issues.append(_told(rules.NONLINEAR_FUNCTION, node, message))
    return function_kind(node.function, parts)


def _known(expression: Expression, constants: Mapping[str, ExactNumber]) -> ExactNumber | None:
    """Return the value of a plain literal or constant (with sign and parentheses), None for anything else."""
    sign = 1
    while isinstance(expression, Parenthesized | Unary):
        if isinstance(expression, Unary):
            if expression.operator != "-":
                return None
            sign, expression = -sign, expression.operand
        else:
            expression = expression.inner
    if isinstance(expression, Number):
        return number(sign * Fraction(expression.value))
    if isinstance(expression, Name) and expression.id in constants:
        value = constants[expression.id]
        return value if sign == 1 or not isinstance(value, int | Fraction) else number(-value)
    return None


def _multiplied(product: Expression) -> str:
    """Say what is a product; parts of what a law of several values draws have names that no text has, and tell the law."""
    if law := next(filter(None, map(written_law, plain_names(product))), ""):
        return f"'{law}' multiplies continuous values that it is made of: their products are not Gaussian"
    what = "what is drawn here" if any(map(is_made, plain_names(product))) else f"'{_text(product)}'"
    return f"{what} multiplies two continuous values: the product is not Gaussian"


def _text(expression: Expression) -> str:
    return spell_start(expression, 60)
