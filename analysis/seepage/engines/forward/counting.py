r"""Additive counters as exponents: where a variable is only ever added to, its values are the powers of a generating polynomial.

Over a stretch of statements that touch ``o`` only by ``o := o + e``, with e a natural number that does not depend on ``o``, the weight of a state of the *other* variables is
:math:`\sum_k w_k X^k`, with :math:`w_k` the weight of ``o = k``; the assignment multiplies by :math:`X^e`. So a sum of n coins costs n operations on whole polynomials
in place of some n²/2 on single states, with the same exact rationals or balls.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from flint import arb, arb_poly, fmpq, fmpq_poly

from seepage.data_classes import dataclass
from seepage.engines.forward.compile import Scope, compile_value
from seepage.engines.forward.liveness import Step, written_names
from seepage.engines.forward.states import States, without
from seepage.exact import Number
from seepage.semantics.core import CoreAssign, CoreIf, CoreSample, CoreStatement
from seepage.semantics.expressions import plain_names, without_parentheses
from seepage.syntax import tree

Polynomial: TypeAlias = fmpq_poly | arb_poly
State: TypeAlias = tuple[Any, ...]

_FEWEST = 12  # additions that make a stretch worth it
_LONGEST = 200_000  # coefficients of all polynomials together


class NoCounter(Exception):
    """What is added is no natural number, or the powers become too many: run the stretch state by state."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Steps from ``start`` to before ``end`` that touch a variable by additions only."""

    variable: str
    start: int
    end: int


def stretches(steps: Sequence[Step], arrays: Mapping[str, tuple[int, ...]]) -> dict[int, Stretch]:
    """Return, by their first step, stretches worth counting in that do not overlap, the longest first."""
    if len(steps) < _FEWEST:
        return {}
    additions: dict[str, list[int]] = {}
    touched: dict[str, list[int]] = {}
    for place, step in enumerate(steps):
        added, other = touches(step, arrays)
        for name in added - other:
            additions.setdefault(name, []).append(place)
        for name in other:
            touched.setdefault(name, []).append(place)
    found: list[tuple[int, Stretch]] = []
    for name, places in additions.items():
        if len(places) >= _FEWEST:
            found.extend(_runs(name, places, touched.get(name, [])))
    result: dict[int, Stretch] = {}
    for _, stretch in sorted(found, key=lambda each: -each[0]):
        if all(stretch.end <= other.start or other.end <= stretch.start for other in result.values()):
            result[stretch.start] = stretch
    return result


def _runs(name: str, places: Sequence[int], touched: Sequence[int]) -> Iterator[tuple[int, Stretch]]:
    run: list[int] = []
    ends = iter((*touched, -1))
    end = next(ends)
    for place in places:
        if end != -1 and end < place:
            if len(run) >= _FEWEST:
                yield len(run), Stretch(name, run[0], run[-1] + 1)
            run = []
            while end != -1 and end < place:
                end = next(ends)
        run.append(place)
    if len(run) >= _FEWEST:
        yield len(run), Stretch(name, run[0], run[-1] + 1)


def touches(step: Step, arrays: Mapping[str, tuple[int, ...]]) -> tuple[set[str], set[str]]:
    """Return the variables that a step adds to, and those that it reads or writes otherwise; a variable may be in both."""
    added: set[str] = set()
    other: set[str] = set()
    stack = [step]
    while stack:
        one = stack.pop()
        statement = one.statement
        name = added_to(statement)
        if name is not None:
            added.add(name)
            other.update(read for read in one.reads if read != name)
            continue
        other.update(one.reads)
        if isinstance(statement, CoreAssign | CoreSample):
            other.update(written_names(statement.target, arrays))
        if isinstance(statement, CoreIf):
            stack.extend(inner for block in one.branches for inner in block.steps)
    return added, other


def added_to(statement: CoreStatement) -> str | None:
    """Return the variable of ``o := o + e`` or ``o := e + o`` whose e does not read it."""
    parts = addition(statement)
    return None if parts is None else parts[0]


def addition(statement: CoreStatement) -> tuple[str, tree.Expression] | None:
    """Return variable and summand of such a statement."""
    if not isinstance(statement, CoreAssign) or not isinstance(statement.target, tree.Name):
        return None
    value = without_parentheses(statement.value)
    if not isinstance(value, tree.Binary) or value.operator != "+":
        return None
    name = statement.target.id
    for own, summand in ((value.left, value.right), (value.right, value.left)):
        if isinstance(own, tree.Name) and own.id == name and name not in plain_names(summand):
            return name, summand
    return None


def fold(states: States[Any], variable: str) -> States[Polynomial]:
    """Return the states of the other variables, with polynomials for weights.

    Raises:
        NoCounter: if the variable is not a natural number everywhere.
    """
    if variable not in states.layout:
        raise NoCounter
    place = states.layout.index(variable)
    powers: dict[State, dict[int, Any]] = {}
    for state, weight in states.weights.items():
        value = state[place]
        if not isinstance(value, int) or not 0 <= value <= _LONGEST:
            raise NoCounter
        powers.setdefault((*state[:place], *state[place + 1 :]), {})[value] = weight
    weights = {rest: _polynomial(known) for rest, known in powers.items()}
    return States(without(states.layout, frozenset((variable,))), weights)


def _polynomial(weights: Mapping[int, Any]) -> Polynomial:
    example = next(iter(weights.values()))
    row = [weights.get(power, 0) for power in range(max(weights) + 1)]
    if isinstance(example, fmpq):
        return fmpq_poly(row)
    if isinstance(example, arb):
        return arb_poly(row)
    raise NoCounter


def unfold(states: States[Polynomial], variable: str) -> States[Any]:
    """Return the states with the variable again; powers of weight 0 are none."""
    weights: dict[State, Any] = {}
    for rest, polynomial in states.weights.items():
        for power, weight in enumerate(polynomial.coeffs()):
            known: Any = weight
            if not (known.is_zero() if isinstance(known, arb) else known == 0):
                weights[(*rest, power)] = known
    return States((*states.layout, variable), weights)


def shifted(statement: CoreStatement, states: States[Polynomial], scope: Scope) -> Iterator[tuple[State, Polynomial]]:
    """Yield states with their weights times the power that the statement adds.

    Raises:
        NoCounter: if that is no natural number, or the powers become too many.
        Fault: as the evaluation of the summand does.
    """
    parts = addition(statement)
    assert parts is not None
    compute = compile_value(parts[1], scope)
    size = 0
    for state, polynomial in states.weights.items():
        power: Number = compute(state)
        if not isinstance(power, int) or power < 0:
            raise NoCounter
        size += polynomial.length() + power
        if size > _LONGEST:
            raise NoCounter
        yield state, _times_power(polynomial, power)


def _times_power(polynomial: Polynomial, power: int) -> Polynomial:
    if not power:
        return polynomial
    return polynomial.left_shift(power)


add, multiply = operator.add, operator.mul


def is_zero(polynomial: Polynomial) -> bool:
    """Tell whether a polynomial is exactly 0."""
    return bool(polynomial.length() == 0)
