"""Expressions in the languages of other tools: a table for each, and parentheses around every operation."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from seepage.data_classes import dataclass
from seepage.exact.symbols import symbol_of
from seepage.exports.plain import NotExported
from seepage.syntax.tree import (
    COMPARISONS,
    LOGICAL,
    Binary,
    Boolean,
    Call,
    Conditional,
    Expression,
    Name,
    Number,
    Unary,
)


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a language writes expressions, with ``{0}``, ``{1}`` and ``{2}`` for parts.

    Attributes:
        operators: of Seep, as forms.
        functions: of Seep, as forms; those with two arguments are nested for more.
        choice: of a condition and two values.
        as_number: a truth value as 0 or 1.
        as_truth: a number that is 0 or 1 as a truth value.
    """

    operators: Mapping[str, str]
    functions: Mapping[str, str]
    choice: str
    as_number: str
    as_truth: str


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes expressions of one program.

    Attributes:
        spelling: of the language.
        names: what each variable and parameter is called.
        symbols: what each symbol is written as.
    """

    spelling: Spelling
    names: Mapping[str, str]
    symbols: Mapping[str, str]

    def number(self, expression: Expression) -> str:
        """Return an expression as a number."""
        match expression:
            case Number(value):
                return self._literal(value)
            case Boolean(value):
                return "1" if value else "0"
            case Name(name):
                return self.names[name]
            case Conditional(condition, consequent, alternative):
                return self.spelling.choice.format(
                    self.truth(condition), self.number(consequent), self.number(alternative)
                )
            case Unary("-", operand):
                return f"(-{self.number(operand)})"
            case Binary(operator, left, right) if not _is_truth(expression):
                return self.spelling.operators[operator].format(self.number(left), self.number(right))
            case Call(function, arguments):
                return self._call(function, arguments, expression)
            case _ if _is_truth(expression):
                return self.spelling.as_number.format(self.truth(expression))
            case _:
                raise NotExported(expression.span, "this has no counterpart")

    def truth(self, expression: Expression) -> str:
        """Return an expression as a condition."""
        match expression:
            case Boolean(value):
                return "true" if value else "false"
            case Unary(operator, operand) if operator != "-":
                return self.spelling.operators["not"].format(self.truth(operand))
            case Binary(operator, left, right) if operator in LOGICAL:
                return self.spelling.operators[operator].format(self.truth(left), self.truth(right))
            case Binary(operator, left, right) if operator in COMPARISONS:
                return self.spelling.operators[operator].format(self.number(left), self.number(right))
            case _:
                return self.spelling.as_truth.format(self.number(expression))

    def _call(self, function: str, arguments: tuple[Expression, ...], whole: Expression) -> str:
        form = self.spelling.functions.get(function)
        if form is None:
            raise NotExported(whole.span, f"the function '{function}' has no counterpart")
        first, *others = map(self.number, arguments)
        if not others:
            return form.format(first)
        for other in others:
            first = form.format(first, other)
        return first

    def _literal(self, value: Fraction) -> str:
        if (symbol := symbol_of(value)) is not None:
            return self.symbols[symbol]
        if value.denominator == 1:
            return str(value) if value >= 0 else f"({value})"
        return f"({value.numerator} / {value.denominator})"


def _is_truth(expression: Expression) -> bool:
    match expression:
        case Boolean():
            return True
        case Unary(operator):
            return operator != "-"
        case Binary(operator):
            return operator in COMPARISONS or operator in LOGICAL
        case _:
            return False
