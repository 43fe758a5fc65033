"""What stands within statements: names, expressions and distributions, as nodes of the syntax tree (:mod:`seepage.syntax.tree`, where they are had from)."""

from __future__ import annotations

import re
from dataclasses import field
from fractions import Fraction
from typing import Literal, TypeAlias

from seepage.data_classes import dataclass
from seepage.source import Span
from seepage.syntax.data.drawn import Draw

BinaryOperator: TypeAlias = Literal["or", "xor", "and", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "^"]
UnaryOperator: TypeAlias = Literal["not", "-", "!"]
_MARK = re.compile(r"@\w+")
COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
LOGICAL = frozenset({"or", "xor", "and"})


def array_of(name: str) -> str:
    """Return the array of an element's name, ``r`` for ``r[1]``; others, ``m[1, 2]`` and ``p[1].age`` among them, are variables of their own."""
    array, bracket, rest = name.partition("[")
    return array if bracket and rest[-1:] == "]" and "," not in rest and "[" not in rest else name


def is_made(name: str) -> bool:
    """Tell whether a variable is one of the core alone, that no text can name: ``f.a@1`` of a call, ``s@initial`` of a secret."""
    return "@" in name


def as_told(name: str) -> str:
    """Return how people are told of a variable: without the marks of one that no text can name, ``f.a`` for ``f.a@1``."""
    return _MARK.sub("", name)


# --- expressions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number:
    """A literal; decimals are exact rationals."""

    value: Fraction
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Boolean:
    """``true`` or ``false``."""

    value: bool
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Infinity:
    """``inf``; only in domains of parameters and ranges."""

    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Name:
    """A variable, parameter, constant or loop variable, NFKC-normalised. In a core program an element is a name, too: ``r[1]``."""

    id: str
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Index:
    """``array[index]``; ``name_span`` is the range of the array's name."""

    array: str
    index: Expression
    name_span: Span = field(compare=False)
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Unary:
    """``not b``, ``-e``, ``!b``."""

    operator: UnaryOperator
    operand: Expression
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    """A binary operation. ``a < b < c`` parses as ``(a < b) < c`` and is reported by the parser."""

    operator: BinaryOperator
    left: Expression
    right: Expression
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Conditional:
    """``if condition then consequent else alternative``."""

    condition: Expression
    consequent: Expression
    alternative: Expression
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A function applied: ``min(a, b)``."""

    function: str
    arguments: tuple[Expression, ...]
    name_span: Span = field(compare=False)
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Parenthesized:
    """Parentheses are kept: ``H(x | (b))`` means an event, and the formatter keeps what was written."""

    inner: Expression
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Cell:
    """What a column of a table holds in the distinct row of a number, which some draw of :class:`Rows` gave; made by the transformation to the core."""

    draw: Draw
    column: str
    row: Expression
    span: Span = field(compare=False)


Expression: TypeAlias = (
    Number | Boolean | Infinity | Name | Index | Unary | Binary | Conditional | Call | Parenthesized | Cell
)
Target: TypeAlias = Name | Index


# --- distributions ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a distribution or measure; ``name`` is None for a positional one."""

    name: str | None
    value: Expression
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Family:
    """A named distribution: ``normal(mean, variance)``."""

    name: str
    arguments: tuple[Argument, ...]
    name_span: Span = field(compare=False)
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Choice(Family):
    """What an attacker chooses from, ``attacker g in 0..9``: a law that nobody knows, so that no engine has a law of its name.

    ``arguments`` are the values, literals in the order of the domain, each once; ``name`` is ``attacker``, and nothing else in a text makes this.
    """


@dataclass(frozen=True, slots=True)
class Within(Family):
    """A law with infinite support of which an observation lets pass only values from ``low`` to ``high``: these, with weights in proportion.

    In local draws only, which do not ask for a common factor; nothing in a text makes this.
    """

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Table:
    """``{value: probability, …}``."""

    entries: tuple[tuple[Expression, Expression], ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Mixture:
    """``w1*D1 + w2*D2`` or ``mixture(w1: D1, w2: D2)``; a part without a written weight has weight 1."""

    parts: tuple[tuple[Expression, Distribution], ...]
    span: Span = field(compare=False)


@dataclass(frozen=True, slots=True)
class Rows:
    """The number of a distinct row of a table of data; made by the transformation to the core."""

    draw: Draw
    span: Span = field(compare=False)


Distribution: TypeAlias = Family | Table | Mixture | Rows
