r"""Means and variances of a variable that is a sum: those of the sum itself, whose terms the rule of independent terms takes apart.

A sum that a loop makes term by term, or one assignment, is put in place of its variable; a number that multiplies it goes to each term. Where
continuous values are clipped, one law of the sum has pieces for every combination of sides, of which the mean needs none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce

from seepage.engines.select import samples_continuous
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.semantics.accumulation import accumulation
from seepage.semantics.core import CoreAssign, CoreObserve, CoreProgram
from seepage.semantics.expressions import plain_names, without_parentheses
from seepage.semantics.slice import sunk_slice
from seepage.semantics.statements import names_read, walk, written_variables
from seepage.syntax.tree import Binary, Expression, Name, Unary

_Multiple = Callable[[Expression], Expression]


def _apply(question: Question) -> Reduced | None:
    if question.measure.shape != "value" or question.measure.functional == "chance" or len(question.x) != 1:
        return None
    if question.value is None:
        return None
    pieces = _added(question.core, question.value)
    moving = [each for each in pieces if not _is_fixed(question.core, each)]
    found = _multiple(question.core, moving[0]) if len(moving) == 1 else None
    if found is None:
        return None
    name, multiple = found
    core = sunk_slice(question.core, question.x)
    if name != question.x[0] or not samples_continuous(walk(core.statements)):
        return None
    written = _terms(core, name) or _definition(core, name)
    if written is None:
        return None
    core, terms = written
    terms = [*map(multiple, terms), *(each for each in pieces if each is not moving[0])]
    value = reduce(lambda one, other: Binary("+", one, other, other.span), terms)
    names = tuple(sorted(core.expanded(plain_names(value)) & frozenset(core.variables)))
    posed = question.of_value(core, value, names).without_formulas()
    return Reduced((posed,), lambda claims: claims[0], "=", f"'{name}' is a sum of {len(terms):,} terms")


def _multiple(core: CoreProgram, value: Expression) -> tuple[str, _Multiple] | None:
    """Return the variable of which a value is a multiple, and what makes this multiple of another value."""
    match without_parentheses(value):
        case Name(id=name) if name in core.variables:
            return name, lambda one: one
        case Unary(operator="-", operand=operand, span=span):
            inner = _multiple(core, operand)
            return None if inner is None else (inner[0], _then(inner[1], lambda one: Unary("-", one, span)))
        case Binary(operator="*" | "/" as operator, left=left, right=right, span=span) if _is_fixed(core, right):
            inner = _multiple(core, left)
            return (
                None if inner is None else (inner[0], _then(inner[1], lambda one: Binary(operator, one, right, span)))
            )
        case Binary(operator="*", left=left, right=right, span=span) if _is_fixed(core, left):
            inner = _multiple(core, right)
            return None if inner is None else (inner[0], _then(inner[1], lambda one: Binary("*", left, one, span)))
        case _:
            return None


def _then(first: _Multiple, second: _Multiple) -> _Multiple:
    return lambda one: second(first(one))


def _is_fixed(core: CoreProgram, value: Expression) -> bool:
    return all(name in core.parameters for name in plain_names(value))


def _terms(core: CoreProgram, name: str) -> tuple[CoreProgram, list[Expression]] | None:
    """Return what a variable is a sum of that is added up statement by statement, with the program that makes the terms."""
    found = accumulation(core, name)
    if found is None:
        return None
    begun = [
        each.value
        for each in core.statements
        if isinstance(each, CoreAssign) and each.target == Name(name, each.span) and not list(plain_names(each.value))
    ]
    return found.core, [*begun, *(Name(term, core.statements[-1].span) for term in found.terms)]


def _definition(core: CoreProgram, name: str) -> tuple[CoreProgram, list[Expression]] | None:
    """Return the terms of the one assignment that makes a variable, with the program without it."""
    made = [at for at, each in enumerate(core.statements) if name in written_variables((each,))]
    at = made[0] if len(made) == 1 else len(core.statements)
    made_by, after = core.statements[at : at + 1], core.statements[at + 1 :]
    if not all(isinstance(each, CoreObserve) and name not in names_read((each,)) for each in after):
        return None
    match made_by:
        case (CoreAssign(target=Name(), value=value),) if name not in plain_names(value):
            terms = _added(core, value)
            if len(terms) < 2 and _multiple(core, value) is None:
                return None
            return replace(core, statements=core.statements[:at] + after), terms
        case _:
            return None


def _added(core: CoreProgram, value: Expression) -> list[Expression]:
    """Return what a value adds up, multiples of sums as sums of multiples."""
    match without_parentheses(value):
        case Binary(operator="+", left=left, right=right):
            return [*_added(core, left), *_added(core, right)]
        case Binary(operator="-", left=left, right=right):
            return [*_added(core, left), *(Unary("-", each, each.span) for each in _added(core, right))]
        case Binary(operator="*" | "/" as operator, left=left, right=right, span=span) if _is_fixed(core, right):
            return [Binary(operator, each, right, span) for each in _added(core, left)]
        case Binary(operator="*", left=left, right=right, span=span) if _is_fixed(core, left):
            return [Binary("*", left, each, span) for each in _added(core, right)]
        case one:
            return [one]


WRITTEN_OUT = Reduction(
    "sums written out", "linearity of the mean; means and variances are those of equal values", _apply
)
