"""A core program with some of its parameters replaced by their values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from seepage.exact import Number
from seepage.measures.scope import spelled_number
from seepage.semantics.core import (
    CoreAssign,
    CoreIf,
    CoreLocal,
    CoreObserve,
    CoreProgram,
    CoreSample,
    CoreStatement,
    CoreWhile,
    unsettled,
)
from seepage.semantics.substitute import substitute
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression, Index, Name

_NOWHERE = Span(0, 0)

Values = Mapping[str, Expression]


def with_fixed(core: CoreProgram, values: Mapping[str, Number]) -> CoreProgram:
    """Return the program in which parameters have their values; the others stay symbols."""
    spelled = {name: spelled_number(value, _NOWHERE) for name, value in values.items() if name in core.parameters}
    if not spelled:
        return core
    statements = tuple(with_values(statement, spelled) for statement in core.statements)
    left = tuple(name for name in core.parameters if name not in spelled)
    return replace(core, statements=statements, parameters=left)


def with_values(statement: CoreStatement, values: Values) -> CoreStatement:
    """Return a statement with names that it reads replaced; random indices stay."""
    match statement:
        case CoreAssign(target=target, value=value):
            return replace(statement, target=_target(target, values), value=fixed(value, values))
        case CoreSample(target=target, distribution=distribution):
            return replace(statement, target=_target(target, values), distribution=_distribution(distribution, values))
        case CoreObserve(condition=condition):
            return replace(statement, condition=fixed(condition, values))
        case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
            return replace(
                statement,
                condition=fixed(condition, values),
                consequent=tuple(with_values(each, values) for each in consequent),
                alternative=tuple(with_values(each, values) for each in alternative),
            )
        case CoreWhile() | CoreLocal():
            unsettled(statement)
        case _:
            assert_never(statement)


def fixed(expression: Expression, values: Values) -> Expression:
    """Return an expression with names replaced, what becomes closed folded; random indices stay."""
    return substitute(expression, values, {})


def _target(target: Name | Index, values: Values) -> Name | Index:
    return target if isinstance(target, Name) else replace(target, index=fixed(target.index, values))


def _distribution(distribution: Distribution, values: Values) -> Distribution:
    match distribution:
        case tree.Table(entries=entries):
            pairs = tuple((fixed(value, values), fixed(weight, values)) for value, weight in entries)
            return replace(distribution, entries=pairs)
        case tree.Mixture(parts=parts):
            inner = tuple((fixed(weight, values), _distribution(part, values)) for weight, part in parts)
            return replace(distribution, parts=inner)
        case tree.Family(arguments=arguments):
            given = tuple(replace(argument, value=fixed(argument.value, values)) for argument in arguments)
            return replace(distribution, arguments=given)
        case tree.Rows():
            return distribution
        case _:
            assert_never(distribution)
