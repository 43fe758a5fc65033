"""Sums that a program makes term by term, such as a count over a loop: the same program with its terms as variables of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce

from seepage.data_classes import dataclass
from seepage.semantics.core import CoreAssign, CoreIf, CoreProgram, CoreStatement
from seepage.semantics.expressions import plain_names, summands
from seepage.semantics.statements import expressions_of, walk, written_variables
from seepage.syntax.tree import Binary, Expression, Name, Number, Unary, array_of

_TERM = "@term"  # no name of the language holds an @


@dataclass(frozen=True, slots=True)
class Accumulation:
    """A program in which a variable is a constant plus terms, each of which is a variable now.

    Attributes:
        core: the program; the sum is still made, of the terms. A term that a run does not add is 0 there.
        terms: their names.
    """

    core: CoreProgram
    terms: tuple[str, ...]


def accumulation(core: CoreProgram, sum_: str) -> Accumulation | None:
    """Return a program with the terms of a sum as variables; None where the variable is no such sum of at least two.

    Args:
        core: any program.
        sum_: a variable that is given a constant at first, if anything, and is then only added to and subtracted from: nothing else reads it.
    """
    core = replace(core, statements=tuple(_term_by_term(core.statements, sum_, is_first=True)))
    if _is_read_otherwise(core.statements, sum_):
        return None
    begun = [each for each in core.statements if isinstance(each, CoreAssign) and _is_start(each, sum_)]
    added = [each for each in walk(core.statements) if isinstance(each, CoreAssign) and _added(each, sum_) is not None]
    writes = sum(
        1 for each in walk(core.statements) if sum_ in written_variables((each,)) and not isinstance(each, CoreIf)
    )
    if len(added) < 2 or len(begun) > 1 or writes != len(begun) + len(added):
        return None
    if begun and any(sum_ in written_variables((each,)) for each in core.statements[: core.statements.index(begun[0])]):
        return None
    names = iter([f"{sum_}{_TERM}{number}" for number in range(1, len(added) + 1)])
    statements: list[CoreStatement] = []
    for statement in core.statements:
        pending: list[CoreAssign] = []
        statements += _rewritten((statement,), sum_, names, pending)
        statements += pending
    terms = tuple(f"{sum_}{_TERM}{number}" for number in range(1, len(added) + 1))
    return Accumulation(replace(core, statements=tuple(statements), variables=(*core.variables, *terms)), terms)


def _term_by_term(statements: Sequence[CoreStatement], sum_: str, *, is_first: bool) -> Iterator[CoreStatement]:
    """Yield statements in which a variable gets the terms of sums that are assigned to it one after the other; the first of all assignments gives it a constant."""
    for statement in statements:
        match statement:
            case CoreIf(consequent=one, alternative=other):
                arms = [tuple(_term_by_term(arm, sum_, is_first=False)) for arm in (one, other)]
                yield replace(statement, consequent=arms[0], alternative=arms[1])
            case CoreAssign(target=Name(id=name) as target, value=value) if name == sum_:
                own, terms = _taken_apart(value, sum_, is_first)
                if own != target or not terms:
                    yield replace(statement, value=own)
                for term in terms:
                    yield replace(statement, value=Binary("+", target, term, statement.span))
            case _:
                yield statement
        is_first = is_first and sum_ not in written_variables((statement,))


def _taken_apart(value: Expression, sum_: str, is_first: bool) -> tuple[Expression, Sequence[Expression]]:
    """Return what a sum begins with, which is the variable itself or, in the first assignment to it, a number, and the other terms; any other value whole."""
    terms = summands(value)
    reading = [term for term in terms if sum_ in plain_names(term)]
    if not reading and is_first:
        fixed = [term for term in terms if not list(plain_names(term))]
        number: Expression = Number(Fraction(0), value.span)
        if fixed:
            number = reduce(lambda one, other: Binary("+", one, other, value.span), fixed)
        return number, [term for term in terms if term not in fixed]
    if len(reading) == 1 and isinstance(reading[0], Name):
        return reading[0], [term for term in terms if term is not reading[0]]
    return value, ()


def _is_read_otherwise(statements: Sequence[CoreStatement], sum_: str) -> bool:
    array = array_of(sum_)
    for statement in walk(statements):
        term = _added(statement, sum_) if isinstance(statement, CoreAssign) else None
        read = [term] if term is not None else list(expressions_of(statement))
        if any(name in (sum_, array) for each in read for name in plain_names(each)):
            return True
    return False


def _is_start(statement: CoreAssign, sum_: str) -> bool:
    target = statement.target
    return isinstance(target, Name) and target.id == sum_ and not list(plain_names(statement.value))


def _added(statement: CoreAssign, sum_: str) -> Expression | None:
    """Return what a statement adds to a variable; None if it does something else."""
    target, value = statement.target, statement.value
    if not isinstance(target, Name) or target.id != sum_:
        return None
    match value:
        case Binary(operator="+", left=Name(id=name), right=term) if name == sum_:
            return term
        case Binary(operator="+", left=term, right=Name(id=name)) if name == sum_:
            return term
        case Binary(operator="-", left=Name(id=name), right=term) if name == sum_:
            return Unary("-", term, statement.span)
        case _:
            return None


def _rewritten(
    statements: Sequence[CoreStatement], sum_: str, names: Iterator[str], pending: list[CoreAssign]
) -> Iterator[CoreStatement]:
    """Yield statements that make terms in place of adding them; what adds them, after the branch, is appended to ``pending``."""
    for statement in statements:
        match statement:
            case CoreIf(consequent=one, alternative=other):
                yield replace(
                    statement,
                    consequent=tuple(_rewritten(one, sum_, names, pending)),
                    alternative=tuple(_rewritten(other, sum_, names, pending)),
                )
            case CoreAssign(target=target) if (term := _added(statement, sum_)) is not None:
                name = Name(next(names), statement.span)
                yield CoreAssign(name, term, statement.span)
                more = Binary("+", Name(sum_, statement.span), name, statement.span)
                pending.append(CoreAssign(target, more, statement.span))
            case _:
                yield statement
