"""Expressions in many runs at once, by the rules of :mod:`seepage.semantics.evaluate`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Fault
from seepage.exact import ArithmeticFault, Number
from seepage.sampling.vectors import Column, Rows, applied, arithmetic, compared, constant, is_real, merged, objects
from seepage.semantics.evaluate import element, evaluate, names_of, spelled
from seepage.semantics.evaluate import truth as exact_truth
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

_COMPARISONS = frozenset(("==", "!=", "<", "<=", ">", ">="))


@dataclass(slots=True)
class Runs:
    """The values of variables in many runs. Mutable.

    Attributes:
        size: how many runs there are.
        parameters: of the program, with their values.
        arrays: static indices of the arrays' elements.
        columns: of each variable that was assigned.
    """

    size: int
    parameters: Mapping[str, Number]
    arrays: Mapping[str, tuple[int, ...]]
    columns: dict[str, Column]

    def value(self, expression: Expression, rows: Rows) -> Column:
        """Return the values of an expression in some runs.

        Raises:
            Fault: as :func:`seepage.semantics.evaluate.evaluate` does, naming one of the runs in which it fails.
        """
        if rows.size and self.is_fixed(expression):
            return constant(evaluate(expression, self.parameters, self.arrays), len(rows))
        match expression:
            case Literal() | Boolean():
                return constant(0, 0)  # for no run
            case Name(id=name):
                return self._variable(name, rows)
            case Index():
                return self._joined(
                    rows, ((self._variable(name, part), part) for name, part in self.picked(expression, rows))
                )
            case Parenthesized(inner=inner):
                return self.value(inner, rows)
            case Conditional(condition=condition, consequent=first, alternative=second):
                chosen = self.truth(condition, rows)
                return self._joined(
                    rows,
                    ((self.value(each, part), part) for each, part in ((first, rows[chosen]), (second, rows[~chosen]))),
                )
            case Unary(operator="-", operand=operand):
                return self._guarded(expression, rows, "-", constant(0, len(rows)), self.value(operand, rows))
            case Unary() | Binary(operator="and" | "or" | "xor"):
                return self.truth(expression, rows).astype(np.int64)
            case Binary(operator=operator, left=left, right=right):
                return self._guarded(expression, rows, operator, self.value(left, rows), self.value(right, rows))
            case Call(function=function, arguments=arguments):
                return self._called(expression, function, [self.value(each, rows) for each in arguments], rows)
            case Cell(draw=draw, column=column, row=row):
                return self._cells([draw.cell(column, each) for each in self.value(row, rows).tolist()])
            case Infinity():
                raise AssertionError("the check refuses 'inf' outside of ranges")
            case _:
                assert_never(expression)

    def truth(self, condition: Expression, rows: Rows) -> NDArray[np.bool_]:
        """Return in which of some runs a condition holds; ``and`` and ``or`` look at their right side where it decides only."""
        match condition:
            case Parenthesized(inner=inner):
                return self.truth(inner, rows)
            case Unary(operator="not" | "!", operand=operand):
                return ~self.truth(operand, rows)
            case Binary(operator="and" | "or" as operator, left=left, right=right):
                found = self.truth(left, rows)
                open_ = found if operator == "and" else ~found
                found[open_] = self.truth(right, rows[open_])
                return found
            case Binary(operator="xor", left=left, right=right):
                return np.asarray(self.truth(left, rows) != self.truth(right, rows))
            case _:
                values = self.value(condition, rows)
                truth = np.asarray(values == 1, dtype=np.bool_)
                wrong = ~truth & np.asarray(values != 0, dtype=np.bool_)
                if wrong.any():
                    exact_truth(condition, self.state(int(rows[wrong][0])), self.arrays)
                return truth

    def is_fixed(self, expression: Expression) -> bool:
        """Tell whether an expression reads numbers and parameters only, so that it is the same in all runs."""
        return all(name in self.parameters for name in names_of(expression))

    def picked(self, reference: Index, rows: Rows) -> Iterator[tuple[str, Rows]]:
        """Yield the elements that an index picks in some runs, each with the runs in which it does."""
        indices = self.value(reference.index, rows)
        known = np.zeros(len(rows), dtype=np.bool_)
        parts: list[tuple[str, Rows]] = []
        for index in self.arrays.get(reference.array, ()):
            here = np.asarray(indices == index, dtype=np.bool_)
            known |= here
            if here.any():
                parts.append((f"{reference.array}[{index}]", rows[here]))
        if not known.all():
            element(reference, self.state(int(rows[~known][0])), self.arrays)
        yield from parts

    def write(self, name: str, rows: Rows, values: Column) -> None:
        """Give a variable values in some runs."""
        old = self.columns.get(name)
        whole = len(rows) == self.size
        self.columns[name] = values if whole else merged(constant(0, self.size) if old is None else old, rows, values)

    def state(self, row: int) -> dict[str, Number]:
        """Return the values of all variables in one run, floats as the fractions that they are."""
        values = {name: objects(column[row : row + 1])[0] for name, column in self.columns.items()}
        return {**self.parameters, **values}

    def _variable(self, name: str, rows: Rows) -> Column:
        if name in self.columns:
            return self.columns[name][rows]
        return constant(self.parameters.get(name, 0), len(rows))

    def _joined(self, rows: Rows, parts: Iterator[tuple[Column, Rows]]) -> Column:
        """Put together what some expressions are in parts of the rows; both ascend."""
        found = constant(0, len(rows))
        for values, part in parts:
            places = np.searchsorted(rows, part)
            found = values if len(part) == len(rows) else merged(found, places, values)
        return found

    def _guarded(self, expression: Expression, rows: Rows, operator: str, a: Column, b: Column) -> Column:
        try:
            return compared(operator, a, b).astype(np.int64) if operator in _COMPARISONS else arithmetic(operator, a, b)
        except (ArithmeticFault, FloatingPointError) as error:
            raise self._fault(expression, rows, error) from error

    def _called(self, expression: Expression, function: str, values: list[Column], rows: Rows) -> Column:
        try:
            return applied(function, values)
        except (ArithmeticFault, FloatingPointError) as error:
            raise self._fault(expression, rows, error) from error

    def _cells(self, values: list[Number]) -> Column:
        column = np.empty(len(values), dtype=object)
        column[:] = values
        return column

    def _fault(self, expression: Expression, rows: Rows, error: Exception) -> Fault:
        """Return why an expression has no value in some run; exact evaluation of the runs one by one says it best."""
        try:
            self._fail(expression, rows)
        except Fault as fault:
            return fault
        message = f"no finite value of '{spelled(expression)}' in some run: {error}"
        return Fault(Diagnostic(rules.UNDEFINED_VALUE, expression.span, message))

    def _fail(self, expression: Expression, rows: Rows) -> None:
        for row in rows.tolist():
            evaluate(expression, self.state(row), self.arrays)


def is_whole(column: Column) -> bool:
    """Tell whether all values are integers."""
    return column.dtype.kind == "i" or (not is_real(column) and all(type(each) is int for each in column))
