"""What the grammar accepts inside an expression and the language does not: nodes between the parser and the tree.

A distribution, a measure and an expression share one grammar; :mod:`seepage.syntax.convert` turns what stands in the
right place into nodes of the tree, and reports the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from seepage.source import Span
from seepage.syntax.tokens import Token
from seepage.syntax.tree import (
    Binary,
    Boolean,
    Call,
    Conditional,
    Expression,
    Index,
    Infinity,
    Name,
    Number,
    Parenthesized,
    Target,
    Unary,
)


@dataclass(frozen=True, slots=True)
class RawCall:
    """A call that is no plain function call: named or weighted arguments, or several groups."""

    name: Token
    groups: tuple[tuple[Raw, ...], ...]
    separators: tuple[Token, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class RawNamed:
    """``name = value``."""

    name: Token
    value: Raw
    span: Span


@dataclass(frozen=True, slots=True)
class RawWeighted:
    """``weight: distribution``."""

    weight: Raw
    value: Raw
    span: Span


@dataclass(frozen=True, slots=True)
class RawTable:
    """``{key: value, …}``."""

    entries: tuple[tuple[Raw, Raw], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class RawTuple:
    """``(a, b, …)``."""

    items: tuple[Raw, ...]
    span: Span


Raw: TypeAlias = Expression | RawCall | RawNamed | RawWeighted | RawTable | RawTuple
NEVER_EXPRESSIONS = (RawCall, RawNamed, RawWeighted, RawTable, RawTuple)


def children(node: Raw) -> tuple[Raw, ...]:
    """Return the parts of a node; raw nodes may hide in the fields of ordinary ones."""
    match node:
        case Binary(left=left, right=right):
            return (left, right)
        case Unary(operand=operand):
            return (operand,)
        case Parenthesized(inner=inner):
            return (inner,)
        case Index(index=index):
            return (index,)
        case Call(arguments=arguments):
            return arguments
        case Conditional(condition=condition, consequent=consequent, alternative=alternative):
            return (condition, consequent, alternative)
        case Number() | Boolean() | Infinity() | Name():
            return ()
        case RawCall(groups=groups):
            return tuple(one for group in groups for one in group)
        case RawNamed(value=value):
            return (value,)
        case RawWeighted(weight=weight, value=value):
            return (weight, value)
        case RawTable(entries=entries):
            return tuple(one for entry in entries for one in entry)
        case RawTuple(items=items):
            return items


@dataclass(frozen=True, slots=True)
class RawInterval:
    """``[a, b)`` before its ends are looked at."""

    low: Raw
    high: Raw
    low_closed: bool
    high_closed: bool
    span: Span


@dataclass(frozen=True, slots=True)
class RawRange:
    """``p in [a, b]``."""

    name: Token
    interval: RawInterval
    span: Span


@dataclass(frozen=True, slots=True)
class RawLeaf:
    """A leaf statement or declaration by its keyword; what each part is depends on it.

    ``param``: name, interval, default; ``const``: name, value; ``assign``, ``sample``: target, value; ``observe``: condition;
    ``secret``: mode; ``show``: measure, unit; ``require``: measure, bound, comparison, unit.
    """

    keyword: str
    span: Span
    name: Token | None = None
    targets: tuple[Target, ...] = ()
    value: Raw | None = None
    bound: Raw | None = None
    word: str = ""
    unit: str = ""
    interval: RawInterval | None = None
    ranges: tuple[RawRange, ...] = ()


@dataclass(frozen=True, slots=True)
class RawHeader:
    """``if``, ``else``, ``else if`` or ``for`` up to its brace."""

    keyword: str
    span: Span
    name: Token | None = None
    condition: Raw | None = None
    low: Raw | None = None
    high: Raw | None = None
