"""The door to the parse table: a stream of tokens -> raw nodes, or where the tokens stop making sense.

The nodes are made while the table reduces, so there is no other tree and no recursion, however deep the text nests. lark makes the table of the
grammar (:mod:`seepage.syntax.table_maker`), which takes longer than reading most programs, so it is saved beside it; the tests make it anew and
compare, build the same grammar with lark's basic lexer in strict mode, which proves that neither terminals nor rules conflict, and compare
the readings.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, Literal, TypeAlias

from seepage.source import Span
from seepage.syntax.lalr import Builder, NoAction, Table, run, table_of
from seepage.syntax.raw import (
    Raw,
    RawCall,
    RawHeader,
    RawInterval,
    RawLeaf,
    RawNamed,
    RawRange,
    RawTable,
    RawTuple,
    RawWeighted,
)
from seepage.syntax.tokens import Token
from seepage.syntax.tree import (
    Binary,
    Boolean,
    Call,
    Conditional,
    Index,
    Infinity,
    Name,
    Number,
    Parenthesized,
    Unary,
)

Start: TypeAlias = Literal["leaf", "header", "expression"]
STARTS: tuple[Start, ...] = ("leaf", "header", "expression")


@dataclass(frozen=True, slots=True)
class Unexpected:
    """Where reading stopped: the index of the offending token (past the last one: the text ends too early) and the terminals that fit."""

    index: int
    expected: frozenset[str]


def read(tokens: list[Token], start: Start) -> RawLeaf | RawHeader | Raw | Unexpected:
    """Parse tokens from a start rule of the grammar.

    The token types must be terminals of the grammar, ``NAMED`` in place of ``EQUAL`` where it names an argument.
    """
    try:
        result: RawLeaf | RawHeader | Raw = run(_table(), tokens, start)
    except NoAction as error:
        return Unexpected(error.index, error.expected)
    return result


@cache
def _table() -> Table:
    saved = files("seepage.syntax").joinpath("grammar_table.json").read_text("utf-8")
    return table_of(json.loads(saved), NODES)


# What a reduction hands over: tokens, raw nodes, lists of them.
_Parts: TypeAlias = list[Any]


def _over(parts: _Parts) -> Span:
    """Return the range from the first part to the last one."""
    first, last = parts[0], parts[-1]
    return Span(_start(first), last.end if isinstance(last, Token) else last.span.end)


def _start(part: Any) -> int:
    return int(part.start) if isinstance(part, Token) else int(part.span.start)


def _span(token: Token) -> Span:
    return Span(token.start, token.end)


class _Nodes:
    """One function for each alternative of the grammar; ``parts`` are its symbols in order, None for what is left out."""

    # --- expressions ---

    @staticmethod
    def number(parts: _Parts) -> Number:
        return Number(Fraction(parts[0].value), _span(parts[0]))

    @staticmethod
    def boolean(parts: _Parts) -> Boolean:
        return Boolean(parts[0].type == "TRUE", _span(parts[0]))

    @staticmethod
    def infinity(parts: _Parts) -> Infinity:
        return Infinity(_span(parts[0]))

    @staticmethod
    def name(parts: _Parts) -> Name:
        return Name(parts[0].value, _span(parts[0]))

    @staticmethod
    def index(parts: _Parts) -> Index:
        return Index(parts[0].value, parts[2], _span(parts[0]), _over(parts))

    @staticmethod
    def unary(parts: _Parts) -> Unary:
        return Unary(parts[0].value, parts[1], _over(parts))

    @staticmethod
    def binary(parts: _Parts) -> Binary:
        return Binary(parts[1].value, parts[0], parts[2], _over(parts))

    @staticmethod
    def conditional(parts: _Parts) -> Conditional:
        return Conditional(parts[1], parts[3], parts[5], _over(parts))

    @staticmethod
    def parenthesized(parts: _Parts) -> Parenthesized:
        return Parenthesized(parts[1], _over(parts))

    @staticmethod
    def call(parts: _Parts) -> Call | RawCall:
        name = parts[0]
        groups, separators = parts[2] if len(parts) == 4 else (((),), ())
        if separators or any(isinstance(one, RawNamed | RawWeighted) for one in groups[0]):
            return RawCall(name, groups, separators, _over(parts))
        return Call(name.value, groups[0], _span(name), _over(parts))

    @staticmethod
    def groups(parts: _Parts) -> tuple[tuple[tuple[Raw, ...], ...], tuple[Token, ...]]:
        return tuple(parts[::2]), tuple(parts[1::2])

    @staticmethod
    def group(parts: _Parts) -> tuple[Raw, ...]:
        return tuple(parts[::2])

    @staticmethod
    def named(parts: _Parts) -> RawNamed:
        return RawNamed(parts[0], parts[2], _over(parts))

    @staticmethod
    def weighted(parts: _Parts) -> RawWeighted:
        return RawWeighted(parts[0], parts[2], _over(parts))

    @staticmethod
    def tuple(parts: _Parts) -> RawTuple:
        return RawTuple((*parts[1::2],), _over(parts))

    @staticmethod
    def table(parts: _Parts) -> RawTable:
        entries = parts[1:-1:2]
        return RawTable((*entries,), _over(parts))

    @staticmethod
    def entry(parts: _Parts) -> Any:
        return parts[0], parts[2]

    # --- declarations and statements ---

    @staticmethod
    def interval(parts: _Parts) -> RawInterval:
        return RawInterval(parts[1], parts[3], parts[0].type == "LSQB", parts[4].type == "RSQB", _over(parts))

    @staticmethod
    def range(parts: _Parts) -> RawRange:
        return RawRange(parts[0], parts[2], _over(parts))

    @staticmethod
    def ranges(parts: _Parts) -> list[RawRange]:
        return parts[::2]

    @staticmethod
    def targets(parts: _Parts) -> list[Name | Index]:
        return parts[::2]

    @staticmethod
    def unit(parts: _Parts) -> Token:
        token: Token = parts[0]
        return token

    @staticmethod
    def requirement(parts: _Parts) -> Token:
        token: Token = parts[0]
        return token

    @staticmethod
    def skip(parts: _Parts) -> RawLeaf:
        return RawLeaf("skip", _over(parts))

    @staticmethod
    def assign(parts: _Parts) -> RawLeaf:
        return RawLeaf("assign", _over(parts), targets=(parts[0],), value=parts[2])

    @staticmethod
    def sample(parts: _Parts) -> RawLeaf:
        return RawLeaf("sample", _over(parts), targets=(parts[0],), value=parts[2])

    @staticmethod
    def observe(parts: _Parts) -> RawLeaf:
        return RawLeaf("observe", _over(parts), value=parts[1])

    @staticmethod
    def param(parts: _Parts) -> RawLeaf:
        _, name, _, interval, _, default = parts
        last = default or interval or name
        return RawLeaf("param", _over([parts[0], last]), name=name, value=default, interval=interval)

    @staticmethod
    def const(parts: _Parts) -> RawLeaf:
        return RawLeaf("const", _over(parts), name=parts[1], value=parts[3])

    @staticmethod
    def secret(parts: _Parts) -> RawLeaf:
        keyword, mode, targets = parts
        span = _over([keyword, targets[-1]])
        return RawLeaf("secret", span, targets=(*targets,), word=mode.value if mode else "")

    @staticmethod
    def output(parts: _Parts) -> RawLeaf:
        keyword, targets = parts
        return RawLeaf("output", _over([keyword, targets[-1]]), targets=(*targets,))

    @staticmethod
    def show(parts: _Parts) -> RawLeaf:
        keyword, measure, _, unit = parts
        return RawLeaf("show", _over([keyword, unit or measure]), value=measure, unit=unit.value if unit else "")

    @staticmethod
    def require(parts: _Parts) -> RawLeaf:
        keyword, measure, comparison, bound, unit, _, ranges = parts
        return RawLeaf(
            "require",
            _over([keyword, ranges[-1] if ranges else unit or bound]),
            value=measure,
            bound=bound,
            word=comparison.value,
            unit=unit.value if unit else "",
            ranges=(*ranges,) if ranges else (),
        )

    # --- headers ---

    @staticmethod
    def if_header(parts: _Parts) -> RawHeader:
        return RawHeader("if", _over(parts[:2]), condition=parts[1])

    @staticmethod
    def else_if_header(parts: _Parts) -> RawHeader:
        return RawHeader("else if", _over(parts[1:3]), condition=parts[2])

    @staticmethod
    def else_header(parts: _Parts) -> RawHeader:
        return RawHeader("else", _span(parts[0]))

    @staticmethod
    def for_header(parts: _Parts) -> RawHeader:
        return RawHeader("for", _over(parts[:6]), name=parts[1], low=parts[3], high=parts[5])


NODES: Mapping[str, Builder] = {
    name: getattr(_Nodes, name) for name, member in vars(_Nodes).items() if isinstance(member, staticmethod)
}
"""What builds the node of a rule, by its name."""
