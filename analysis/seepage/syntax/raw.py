"""What the grammar accepts inside an expression and the language does not: nodes between the parser and the tree.

A distribution, a measure and an expression share one grammar; :mod:`seepage.syntax.convert` turns what stands in the
right place into nodes of the tree, and reports the rest.
"""

from __future__ import annotations

from typing import TypeAlias

from seepage.data_classes import dataclass
from seepage.source import Span
from seepage.syntax.tokens import Token
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
    Number,
    Parenthesized,
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


@dataclass(frozen=True, slots=True)
class RawSymbol:
    """``"red"``; ``text`` is what stands between the quotes."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class RawField:
    """``base.name``."""

    base: Raw
    name: Token
    span: Span


@dataclass(frozen=True, slots=True)
class RawElement:
    """``base[i, j]``, where that is no plain ``name[i]``."""

    base: Raw
    subscripts: tuple[Raw, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class RawRun:
    """``low .. high``: a slice, a part of a set, or what a comprehension runs over."""

    low: Raw
    high: Raw
    span: Span


@dataclass(frozen=True, slots=True)
class RawArray:
    """``[a, b, …]``."""

    items: tuple[Raw, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class RawClause:
    """``for name in domain if condition``."""

    name: Token
    domain: Raw
    condition: Raw | None
    span: Span


@dataclass(frozen=True, slots=True)
class RawGenerated:
    """``body for i in domain …``, in brackets of its own (a list) or in those of a call."""

    body: Raw
    clauses: tuple[RawClause, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class RawSet:
    """``{1, 4..6}``."""

    members: tuple[Raw, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class RawMember:
    """``value in {…}``."""

    value: Raw
    members: RawSet
    span: Span


Raw: TypeAlias = (
    Expression
    | RawCall
    | RawNamed
    | RawWeighted
    | RawTable
    | RawTuple
    | RawSymbol
    | RawField
    | RawElement
    | RawRun
    | RawArray
    | RawClause
    | RawGenerated
    | RawSet
    | RawMember
)
EXTENSIONS = (RawSymbol, RawField, RawElement, RawRun, RawArray, RawClause, RawGenerated, RawSet, RawMember)
NEVER_EXPRESSIONS = (RawCall, RawNamed, RawWeighted, RawTable, RawTuple, *EXTENSIONS)


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
        case Cell(row=row):
            return (row,)
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
        case RawTuple(items=items) | RawArray(items=items) | RawSet(members=items):
            return items
        case RawSymbol():
            return ()
        case RawField(base=base):
            return (base,)
        case RawElement(base=base, subscripts=subscripts):
            return (base, *subscripts)
        case RawRun(low=low, high=high):
            return (low, high)
        case RawClause(domain=domain, condition=condition):
            return (domain,) if condition is None else (domain, condition)
        case RawGenerated(body=body, clauses=clauses):
            return (body, *clauses)
        case RawMember(value=value, members=members):
            return (value, members)


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
    ``secret``: mode; ``show``: measure, unit; ``require``: measure, bound, comparison, unit; ``sample``: what it is given, too;
    ``return``: values; ``until``: condition; ``enum``: name, names; ``import``: path, with its quotes, and name or names; ``table``: name, path, the
    column of weights; ``break`` and ``continue`` have no parts.
    """

    keyword: str
    span: Span
    name: Token | None = None
    targets: tuple[Raw, ...] = ()
    value: Raw | None = None
    bound: Raw | None = None
    word: str = ""
    unit: str = ""
    interval: RawInterval | None = None
    ranges: tuple[RawRange, ...] = ()
    given: Raw | None = None
    values: tuple[Raw, ...] = ()
    names: tuple[Token, ...] = ()
    direction: Token | None = None
    path: Token | None = None


@dataclass(frozen=True, slots=True)
class RawHeader:
    """``if``, ``else``, ``else if``, ``for``, ``while``, ``repeat``, ``never`` or ``def`` up to its brace; ``names`` are the arguments of ``def``."""

    keyword: str
    span: Span
    name: Token | None = None
    condition: Raw | None = None
    low: Raw | None = None
    high: Raw | None = None
    names: tuple[Token, ...] = ()
