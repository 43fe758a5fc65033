"""Parts of expressions that read inputs alone, assigned before the statement: what a program reads of its inputs is a variable then."""

from __future__ import annotations

from collections.abc import Collection, Container
from dataclasses import field, replace
from functools import reduce

from seepage.data_classes import dataclass
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.expressions import (
    arguments_of,
    children,
    nodes,
    plain_names,
    summands,
    with_arguments,
    with_children,
)
from seepage.semantics.statements import may_write, written_variables
from seepage.source import Span
from seepage.syntax.tree import Binary, Cell, Expression, Index, Name

_NOWHERE = Span(0, 0)
_PART = "@part"  # no name of the language holds an @


def with_parts(core: CoreProgram, inputs: Collection[str]) -> CoreProgram:
    """Return a program in which parts of expressions that read inputs alone, the largest that there are, are assigned before the statement.

    The terms of a sum that do are one part, wherever they stand in it.

    Args:
        core: an unrolled program, its loops settled.
        inputs: plain variables, drawn at the top level.
    """
    known: set[str] = set()
    statements: list[CoreStatement] = []
    for each in core.statements:
        written = may_write(core, (each,))
        lifting = _Lifting(frozenset(known - written), len(statements))
        statement = lifting.statement(each)
        statements += [CoreAssign(name, value, _NOWHERE) for name, value in lifting.made]
        statements.append(statement)
        known -= written
        if (isinstance(each, CoreSample) and written <= set(inputs)) or (
            isinstance(each, CoreAssign) and isinstance(each.target, Name) and _reads_only(each.value, known)
        ):
            known |= written
    return replace(core, statements=tuple(statements), variables=written_variables(statements))


@dataclass(slots=True)
class _Lifting:
    """One statement of the top level: ``known`` are variables that hold functions of inputs in all of it, ``made`` what was taken out."""

    known: frozenset[str]
    at: int
    made: list[tuple[Name, Expression]] = field(default_factory=list)

    def statement(self, statement: CoreStatement) -> CoreStatement:
        """Return a statement without the parts that are taken out."""
        match statement:
            case CoreAssign(target=Name(), value=value):
                return replace(statement, value=self.expression(value))
            case CoreSample(distribution=law):
                return replace(statement, distribution=with_arguments(law, map(self.expression, arguments_of(law))))
            case CoreObserve(condition=condition):
                return replace(statement, condition=self.expression(condition))
            case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
                blocks = [tuple(map(self.statement, block)) for block in (consequent, alternative)]
                return replace(
                    statement, condition=self.expression(condition), consequent=blocks[0], alternative=blocks[1]
                )
            case _:
                return statement

    def expression(self, expression: Expression) -> Expression:
        """Return an expression without the parts that are taken out, the largest that there are.

        One that has no value where its branch is not taken, as ``1 / s`` may, is a fault in the law of what was taken out, and then there is none.
        """
        if isinstance(expression, Name) or self.known.isdisjoint(plain_names(expression)):
            return expression
        if _reads_only(expression, self.known):
            return self._made(expression)
        if isinstance(expression, Binary) and expression.operator in ("+", "-"):
            return self._sum(expression)
        if isinstance(expression, Index | Cell):
            return expression
        return with_children(expression, [self.expression(each) for each in children(expression)])

    def _made(self, expression: Expression) -> Name:
        name = Name(f"{_PART}{self.at}.{len(self.made)}", expression.span)
        self.made.append((name, expression))
        return name

    def _sum(self, whole: Binary) -> Expression:
        """Return a sum, its terms that read inputs alone added up before."""
        terms = summands(whole)
        lifted = [
            term for term in terms if not self.known.isdisjoint(plain_names(term)) and _reads_only(term, self.known)
        ]
        rest = [self.expression(term) for term in terms if term not in lifted]
        part = [_added(lifted)] if lifted else []
        return _added([*(self._made(each) if not isinstance(each, Name) else each for each in part), *rest])


def _added(terms: list[Expression]) -> Expression:
    return reduce(lambda one, other: Binary("+", one, other, one.span), terms)


def _reads_only(expression: Expression, known: Container[str]) -> bool:
    return all(name in known for name in plain_names(expression)) and not any(
        isinstance(each, Index) for each in nodes(expression)
    )
