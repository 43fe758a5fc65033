"""Raw leaves and headers -> leaves of the tree and headers, with everything that is wrong with them.

A part that is missing or wrong is reported and replaced by something harmless, so that the rest of the leaf (the name that it
assigns, say) is still known; where there is an error nothing is computed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias, cast

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.rules import MALFORMED_MEASURE, MISPLACED_DISTRIBUTION, MISPLACED_MEASURE, NO_DISTRIBUTION
from seepage.source import Span
from seepage.syntax.distributions import distribution, holds_distribution, is_distribution
from seepage.syntax.expressions import bound, expression, too_deep
from seepage.syntax.fixes import replacement
from seepage.syntax.measures import holds_measure, measure
from seepage.syntax.raw import Raw, RawHeader, RawInterval, RawLeaf, RawRange
from seepage.syntax.spell import spell
from seepage.syntax.tokens import Token
from seepage.syntax.tree import (
    Assign,
    Binary,
    Boolean,
    Const,
    Expression,
    Family,
    Index,
    Interval,
    Leaf,
    MeasureExpression,
    MeasureOptimum,
    Name,
    Number,
    Observe,
    Output,
    Param,
    Range,
    Require,
    Sample,
    Secret,
    Show,
    Skip,
    Table,
    Target,
)
from seepage.syntax.vocabulary.distributions import DISTRIBUTIONS
from seepage.syntax.vocabulary.measures import MEASURES


@dataclass(frozen=True, slots=True)
class IfHeader:
    """``if b`` or ``else if b``; spans are relative to the piece."""

    condition: Expression
    span: Span
    continues: bool = False


@dataclass(frozen=True, slots=True)
class ElseHeader:
    """``else``."""

    span: Span


@dataclass(frozen=True, slots=True)
class ForHeader:
    """``for i in a..b``."""

    name: str
    low: Expression
    high: Expression
    name_span: Span
    span: Span


Header: TypeAlias = IfHeader | ElseHeader | ForHeader


def zero(at: int) -> Number:
    """Return what stands in for an expression that is missing."""
    return Number(Fraction(0), Span(at, at))


def counter(loop: ForHeader) -> Assign:
    """Return what binds the variable of a loop whose block is missing."""
    return Assign(Name(loop.name, loop.name_span), zero(loop.name_span.end), loop.name_span)


def header(raw: RawHeader, found: list[Diagnostic]) -> Header:
    """Return the header; what is wrong goes to ``found``."""
    match raw:
        case RawHeader("for", span, name=token, low=low, high=high) if token and low and high:
            name_span = Span(token.start, token.end)
            return ForHeader(token.value, _safe(low, found), _safe(high, found), name_span, span)
        case RawHeader("if" | "else if", span, condition=condition) if condition:
            return IfHeader(_safe(condition, found), span, raw.keyword == "else if")
        case _:
            return ElseHeader(raw.span)


def leaf(raw: RawLeaf, operator: Span | None, found: list[Diagnostic]) -> Leaf | None:
    """Return the leaf, or None if nothing of it is worth keeping; what is wrong goes to ``found``.

    ``operator`` is the range of ``:=`` or ``~`` in an assignment or a sampling.
    """
    if raw.value is not None and (deep := too_deep(raw.value) or (too_deep(raw.bound) if raw.bound else None)):
        found.append(deep)
        return stand_in(raw)
    match raw.keyword:
        case "skip":
            return Skip(raw.span)
        case "assign":
            return _assign(raw, operator, found)
        case "sample":
            return _sample(raw, operator, found)
        case "observe":
            return Observe(_value(raw, found), raw.span)
        case "param":
            name, span = _name(raw)
            domain = None if raw.interval is None else _interval(raw.interval, found)
            default = None if raw.value is None else expression(raw.value, found)
            return Param(name, domain, default, span, raw.span)
        case "const":
            name, span = _name(raw)
            return Const(name, _value(raw, found), span, raw.span)
        case "secret":
            return Secret(_mode(raw), _targets(raw, found), raw.span)
        case "output":
            return Output(_targets(raw, found), raw.span)
        case "show":
            shown = directed(whole_measure(cast("Raw", raw.value), found), raw.direction)
            return None if shown is None else Show(shown, _unit(raw), raw.span)
        case _:
            return _require(raw, found)


def stand_in(raw: RawLeaf) -> Leaf | None:
    """Return a leaf that binds the same names and says nothing else."""
    match raw.keyword:
        case "assign" | "sample":
            return Assign(_target(raw.targets[0], []), zero(raw.span.end), raw.span)
        case "param":
            name, span = _name(raw)
            return Param(name, None, None, span, raw.span)
        case "const":
            name, span = _name(raw)
            return Const(name, zero(raw.span.end), span, raw.span)
        case _:
            return None


def _safe(raw: Raw, found: list[Diagnostic]) -> Expression:
    if (deep := too_deep(raw)) is not None:
        found.append(deep)
        return Boolean(True, raw.span)
    return expression(raw, found)


def _value(raw: RawLeaf, found: list[Diagnostic]) -> Expression:
    return expression(cast("Raw", raw.value), found)


def _name(raw: RawLeaf) -> tuple[str, Span]:
    assert raw.name is not None
    return raw.name.value, Span(raw.name.start, raw.name.end)


def _target(target: Raw, found: list[Diagnostic]) -> Target:
    match target:
        case Index(array, index, name_span, span):
            return Index(array, _safe(index, found), name_span, span)
        case Name():
            return target
        case _:
            raise AssertionError("places beyond elements are lowered before")


def _targets(raw: RawLeaf, found: list[Diagnostic]) -> tuple[Target, ...]:
    return tuple(_target(target, found) for target in raw.targets)


def _assign(raw: RawLeaf, operator: Span | None, found: list[Diagnostic]) -> Leaf:
    value = cast("Raw", raw.value)
    target = _target(raw.targets[0], found)
    if operator is None or not is_distribution(value):
        return Assign(target, expression(value, found), raw.span)
    drawn = distribution(value, [])
    if drawn is None:
        return Assign(target, expression(value, found), raw.span)
    message = f"'{spell(drawn)}' is a distribution; '~' samples it, ':=' assigns values"
    # A sum may be one of draws rather than a mixture.
    fixes = replacement("write '~'", operator, "~", automatic=isinstance(drawn, Family | Table))
    found.append(Diagnostic(MISPLACED_DISTRIBUTION, operator, message, fixes=fixes))
    return Sample(target, drawn, raw.span)


def _sample(raw: RawLeaf, operator: Span | None, found: list[Diagnostic]) -> Leaf:
    value = cast("Raw", raw.value)
    target = _target(raw.targets[0], found)
    if isinstance(value, Name) and value.id in DISTRIBUTIONS:
        message = f"'{value.id}' is written with its arguments, '{value.id}(…)'"
        found.append(Diagnostic(NO_DISTRIBUTION, value.span, message))
        return Assign(target, zero(value.span.start), raw.span)
    if operator is not None and isinstance(value, Binary) and holds_distribution(value) and _adds_values(value):
        message = f"'{spell(target)} ~ …' samples from one distribution: ':=' adds a value to what is drawn"
        found.append(Diagnostic(NO_DISTRIBUTION, operator, message, fixes=replacement("write ':='", operator, ":=")))
        return Assign(target, zero(value.span.start), raw.span)
    if operator is not None and not holds_distribution(value):
        unknown: list[Diagnostic] = []
        drawn = distribution(value, unknown)
        if drawn is None and all(one.rule is NO_DISTRIBUTION for one in unknown):
            plain = expression(value, [])
            message = f"'{spell(plain)}' is a value and no distribution; ':=' assigns it"
            fixes = replacement("write ':='", operator, ":=")
            found.append(Diagnostic(NO_DISTRIBUTION, operator.cover(value.span), message, fixes=fixes))
            return Assign(target, plain, raw.span)
        found.extend(unknown)
    else:
        drawn = distribution(value, found)
    return Assign(target, zero(value.span.start), raw.span) if drawn is None else Sample(target, drawn, raw.span)


def _adds_values(raw: Binary) -> bool:
    """Tell whether a variable is among the terms of a sum, as in ``x + normal(0, 1)``; a number may be a part of a mixture that is cut off."""
    at: Raw = raw
    terms: list[Raw] = []
    while isinstance(at, Binary) and at.operator in ("+", "-"):
        terms.append(at.right)
        at = at.left
    terms.append(at)
    return len(terms) > 1 and any(isinstance(term, Name | Index) for term in terms)


def _interval(raw: RawInterval, found: list[Diagnostic]) -> Interval:
    for end in (raw.low, raw.high):
        if (deep := too_deep(end)) is not None:
            found.append(deep)
            return Interval(zero(raw.span.start), zero(raw.span.end), raw.low_closed, raw.high_closed, raw.span)
    return Interval(bound(raw.low, found), bound(raw.high, found), raw.low_closed, raw.high_closed, raw.span)


def _range(raw: RawRange, found: list[Diagnostic]) -> Range:
    name_span = Span(raw.name.start, raw.name.end)
    return Range(raw.name.value, _interval(raw.interval, found), name_span, raw.span)


def _mode(raw: RawLeaf) -> Literal["initial", "final"] | None:
    match raw.word:
        case "initial" | "final" as mode:
            return mode
        case _:
            return None


def whole_measure(raw: Raw, found: list[Diagnostic]) -> MeasureExpression | None:
    """Return what is measured; a bare number or variable is none."""
    if holds_measure(raw):
        return measure(raw, found)
    plain = expression(raw, found)
    if isinstance(plain, Name) and plain.id in MEASURES:
        found.append(
            Diagnostic(MISPLACED_MEASURE, raw.span, f"the measure '{plain.id}' is of something: '{plain.id}(…)'")
        )
        return None
    example = f"H({plain.id})" if isinstance(plain, Name) else "I(x; y)"
    message = f"found no measure in '{spell(plain)}', expected one such as '{example}'"
    found.append(Diagnostic(MISPLACED_MEASURE, raw.span, message))
    return None


def directed(measure: MeasureExpression | None, direction: Token | None) -> MeasureExpression | None:
    """Return a measure with the ``max`` or ``min`` that stands before it."""
    if measure is None or direction is None or isinstance(measure, MeasureOptimum):
        return measure
    span = Span(direction.start, measure.span.end)
    return MeasureOptimum("max" if direction.value == "max" else "min", measure, span)


def _unit(raw: RawLeaf) -> Literal["bits", "nats"] | None:
    match raw.unit:
        case "bits" | "nats" as unit:
            return unit
        case _:
            return None


def _require(raw: RawLeaf, found: list[Diagnostic]) -> Leaf | None:
    left, right = cast("Raw", raw.value), cast("Raw", raw.bound)
    ranges = tuple(_range(one, found) for one in raw.ranges)
    if holds_measure(right):
        message = "the measure stands left of the comparison, the budget right of it: 'require I(x; y) <= 0.1'"
        found.append(Diagnostic(MALFORMED_MEASURE, right.span, message))
        return None
    required = directed(whole_measure(left, found), raw.direction)
    budget = expression(right, found)
    match raw.word:
        case "<=" | "<" | ">=" | ">" | "==" as comparison if required is not None:
            return Require(required, comparison, budget, _unit(raw), ranges, raw.span)
        case _:
            return None
