"""Derivations by the weakest pre-expectation: the program with the expectation before each of its statements, from the last to the first.

This is the annotated program of the paper (figure "Calculation of wp"). Each step is one application of a row of Table 1 by
:mod:`seepage.engines.wpe.transformer`; a sampling also shows the sum over its values before equal guards are merged. What is
shown is simplified by :mod:`seepage.engines.wpe.simplify`.
"""

from __future__ import annotations

from itertools import islice
from types import MappingProxyType
from typing import Generic, Literal, TypeAlias, TypeVar, assert_never

from seepage.data_classes import dataclass
from seepage.engines.wpe.expectation import Expectation
from seepage.engines.wpe.ranges import Ranges
from seepage.engines.wpe.simplify import simplified
from seepage.engines.wpe.transformer import assign, branch, observe, sample, support
from seepage.semantics.core import (
    CoreAssign,
    CoreIf,
    CoreLocal,
    CoreObserve,
    CoreSample,
    CoreStatement,
    CoreWhile,
    unsettled,
)
from seepage.source import Span
from seepage.syntax.spell import spell
from seepage.syntax.tree import Expression

C = TypeVar("C")

Rule: TypeAlias = Literal["assign", "sample", "observe", "if"]

STEPS = 120  # statements of one derivation
TERMS = 48  # of one expectation
_PARTS = 8  # values of a sampling that are shown one by one
_VALUES = 400  # of a sampling that is derived, which takes about a millisecond for each


@dataclass(frozen=True, slots=True)
class Step(Generic[C]):
    """One statement between two expectations.

    Attributes:
        span: of the statement.
        statement: its text, loops unrolled; of a branch ``if b``.
        rule: the row of Table 1 that was used.
        before: wp⟦statement⟧(after).
        after: what is expected behind it.
        parts: of a sampling with few values, each probability with the expectation at that value: ``before`` is their sum of products.
        arms: of a branch, the steps of both arms.
        note: how ``before`` was simplified; empty if not at all.
    """

    span: Span
    statement: str
    rule: Rule
    before: Expectation[C]
    after: Expectation[C]
    parts: tuple[tuple[Expression, Expectation[C]], ...] = ()
    arms: tuple[tuple[Step[C], ...], ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Derivation(Generic[C]):
    """The steps of wp⟦S⟧(post), in the order of the program.

    Attributes:
        post: what is expected at the end.
        steps: of the statements, the last of the program last; the first ones are missing if it was cut.
        before: wp⟦S⟧(post) of the statements that are there.
        left_out: how many statements at the start are not there, because the derivation grew past its limits.
    """

    post: Expectation[C]
    steps: tuple[Step[C], ...]
    before: Expectation[C]
    left_out: int = 0


def derive(
    statements: tuple[CoreStatement, ...],
    post: Expectation[C],
    steps: int = STEPS,
    terms: int = TERMS,
    ranges: Ranges = MappingProxyType({}),
) -> Derivation[C]:
    """Return the steps of wp⟦S⟧(post), as many as the limits allow, counted from the end of the program.

    Args:
        statements: S.
        post: the expectation at the end.
        steps: limit on statements.
        terms: limit on the terms of an expectation; one that has more is not printed, and ends the derivation.
        ranges: what variables are known to be (:func:`seepage.engines.wpe.ranges.ranges_of`); where they are that,
            each expectation has the value that the transformer's own has.

    Raises:
        Fault: as :func:`seepage.engines.wpe.transformer.wp`.
    """
    found: list[Step[C]] = []
    left, here = steps, post
    for position in range(len(statements) - 1, -1, -1):
        step = _step(statements[position], here, left, terms, ranges)
        if step is None or len(step.before.coefficients) > terms:
            return Derivation(post, tuple(reversed(found)), here, position + 1)
        found.append(step)
        left -= _size(step)
        here = step.before
    return Derivation(post, tuple(reversed(found)), here)


def _size(step: Step[C]) -> int:
    return 1 + sum(_size(inner) for arm in step.arms for inner in arm)


def _step(statement: CoreStatement, after: Expectation[C], left: int, terms: int, ranges: Ranges) -> Step[C] | None:
    """Return one step, None past the limits."""
    if left < 1:
        return None
    match statement:
        case CoreAssign(target=target, value=value):
            before = simplified(assign(target, value, after), ranges)
            note = _merged(len(after.coefficients), before)
            return Step(statement.span, f"{spell(target)} := {spell(value)}", "assign", before, after, note=note)
        case CoreSample(target=target, distribution=distribution):
            values = tuple(islice(support(distribution), _VALUES + 1))
            if len(values) > _VALUES:
                return None
            parts = tuple((chance, simplified(assign(target, value, after), ranges)) for value, chance in values)
            before = simplified(sample(target, distribution, after), ranges)
            note = _merged(sum(len(part.coefficients) for _, part in parts), before)
            shown = parts if len(parts) <= _PARTS else ()
            return Step(
                statement.span, f"{spell(target)} ~ {spell(distribution)}", "sample", before, after, shown, note=note
            )
        case CoreObserve(condition=condition):
            before = simplified(observe(condition, after), ranges)
            return Step(statement.span, f"observe {spell(condition)}", "observe", before, after)
        case CoreIf():
            return _branch(statement, after, left - 1, terms, ranges)
        case CoreWhile() | CoreLocal():
            unsettled(statement)
        case _:
            assert_never(statement)


def _branch(statement: CoreIf, after: Expectation[C], left: int, terms: int, ranges: Ranges) -> Step[C] | None:
    consequent = derive(statement.consequent, after, left, terms, ranges)
    alternative = derive(statement.alternative, after, left - sum(map(_size, consequent.steps)), terms, ranges)
    if consequent.left_out or alternative.left_out:
        return None
    before = simplified(branch(statement.condition, consequent.before, alternative.before), ranges)
    note = _merged(len(consequent.before.coefficients) + len(alternative.before.coefficients), before)
    arms = (consequent.steps, alternative.steps)
    return Step(statement.span, f"if {spell(statement.condition)}", "if", before, after, arms=arms, note=note)


def _merged(count: int, before: Expectation[C]) -> str:
    now = len(before.coefficients)
    if now >= count:
        return ""
    return f"equal brackets are merged, decided ones evaluated: {count} terms become {now}"
