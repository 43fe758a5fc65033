"""The values of a distribution's parameters in a state, checked against their ranges."""

from __future__ import annotations

from collections.abc import Mapping

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Fault
from seepage.exact import ArithmeticFault, Number, add, compare, show
from seepage.rules import CANNOT_DECIDE, INVALID_PARAMETER, PROBABILITIES_DO_NOT_SUM_TO_ONE
from seepage.semantics.evaluate import evaluate, names_of, spelled, valued_names, witness_text
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression


@dataclass(frozen=True, slots=True)
class Place:
    """A state in which a distribution is drawn from.

    Attributes:
        values: of the variables that the distribution reads, and of the parameters (of the program).
        arrays: static indices of the arrays' elements.
        unknown: parameters of the program without a value; weights keep them as symbols, nothing else may read them.
    """

    values: Mapping[str, Number]
    arrays: Mapping[str, tuple[int, ...]]
    unknown: frozenset[str] = frozenset()

    def value(self, expression: Expression) -> Number:
        """Return the value of an expression here; raises ``Fault`` as ``evaluate`` does."""
        if self.unknown and any(name in self.unknown for name in names_of(expression)):
            raise ValueError(f"'{spelled(expression)}' depends on a parameter that has no value")
        return evaluate(expression, self.values, self.arrays)

    def resolved(self, expression: Expression) -> Expression:
        """Return an expression with each random index replaced by the element that it picks here."""
        match expression:
            case tree.Index(array=array, index=index, span=span):
                picked = self.value(index)
                if isinstance(picked, int) and picked in self.arrays.get(array, ()):
                    return tree.Name(f"{array}[{picked}]", span)
                return expression
            case tree.Parenthesized(inner=inner):
                return self.resolved(inner)
            case tree.Unary(operator=sign, operand=operand, span=span):
                return tree.Unary(sign, self.resolved(operand), span)
            case tree.Binary(operator=operator, left=left, right=right, span=span):
                if operator in ("and", "or"):
                    # Lazy operators may guard an index; whether they do is for the evaluation to find.
                    return tree.Boolean(self.value(expression) == 1, span) if _indexed(expression) else expression
                return tree.Binary(operator, self.resolved(left), self.resolved(right), span)
            case tree.Conditional(condition=condition, consequent=first, alternative=second):
                if not _indexed(expression):
                    return expression
                return self.resolved(first if self.value(condition) == 1 else second)
            case tree.Call(function=function, arguments=arguments, name_span=name_span, span=span):
                return tree.Call(function, tuple(self.resolved(one) for one in arguments), name_span, span)
            case _:
                return expression

    def invalid(self, expression: Expression, value: Number, expected: str) -> Fault:
        """Return the fault that a parameter has a value out of its range."""
        valued = valued_names(self.values, expression)
        message = f"'{spelled(expression)}' is {show(value)}{witness_text(valued, self.values, ' when ')}, {expected}"
        return Fault(Diagnostic(INVALID_PARAMETER, expression.span, message, valued=valued))

    def integer(self, expression: Expression, what: str) -> int:
        """Return an integer parameter."""
        value = self.value(expression)
        if not isinstance(value, int):
            raise self.invalid(expression, value, f"{what} must be an integer")
        return value

    def count(self, expression: Expression, what: str) -> int:
        """Return a parameter that is a non-negative integer."""
        value = self.integer(expression, what)
        if value < 0:
            raise self.invalid(expression, value, f"{what} must not be negative")
        return value

    def at_least_zero(self, expression: Expression, what: str) -> Number:
        """Return a parameter that must not be negative."""
        value = self.value(expression)
        if self.order(expression, value, 0) < 0:
            raise self.invalid(expression, value, f"{what} must not be negative")
        return value

    def positive(self, expression: Expression, what: str) -> Number:
        """Return a parameter that must be positive."""
        value = self.value(expression)
        if self.order(expression, value, 0) <= 0:
            raise self.invalid(expression, value, f"{what} must be positive")
        return value

    def order(self, expression: Expression, value: Number, other: Number) -> int:
        """Compare exactly; raises ``Fault`` at the expression where that cannot be decided."""
        try:
            return compare(value, other)
        except ArithmeticFault as fault:
            raise Fault(Diagnostic(CANNOT_DECIDE, expression.span, fault.reason)) from fault

    def check_sum(self, weights: tuple[Expression, ...], span: Span) -> None:
        """Make sure that probabilities sum to 1.

        Raises:
            Fault: at ``span``, if they do not, or if that cannot be decided. Symbolic ones are not checked.
        """
        if any(name in self.unknown for weight in weights for name in names_of(weight)):
            return
        total: Number = 0
        try:
            for weight in weights:
                total = add(total, self.value(weight))
            off = compare(total, 1)
        except ArithmeticFault as fault:
            raise Fault(Diagnostic(CANNOT_DECIDE, span, f"the sum of the probabilities: {fault.reason}")) from fault
        if off != 0:
            valued = valued_names(self.values, *weights)
            message = f"probabilities sum to {show(total)}, not 1{witness_text(valued, self.values, ' when ')}"
            raise Fault(Diagnostic(PROBABILITIES_DO_NOT_SUM_TO_ONE, span, message, valued=valued))


def _indexed(expression: Expression) -> bool:
    match expression:
        case tree.Index():
            return True
        case tree.Parenthesized(inner=inner) | tree.Unary(operand=inner):
            return _indexed(inner)
        case tree.Binary(left=left, right=right):
            return _indexed(left) or _indexed(right)
        case tree.Conditional(condition=condition, consequent=first, alternative=second):
            return _indexed(condition) or _indexed(first) or _indexed(second)
        case tree.Call(arguments=arguments):
            return any(_indexed(one) for one in arguments)
        case _:
            return False
