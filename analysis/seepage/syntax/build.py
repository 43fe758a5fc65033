"""The door to the parse table: a stream of tokens -> raw nodes, or where the tokens stop making sense.

The nodes are made while the table reduces, so there is no other tree and no recursion, however deep the text nests. lark makes the table of the
grammar (:mod:`seepage.syntax.table_maker`), which takes longer than reading most programs, so it is saved beside it; the tests make it anew and
compare, build the same grammar with lark's basic lexer in strict mode, which proves that neither terminals nor rules conflict, and compare
the readings.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, Literal, TypeAlias

from seepage.data_classes import dataclass
from seepage.source import Span
from seepage.syntax.lalr import Builder, NoAction, Table, run, table_of
from seepage.syntax.raw import (
    Raw,
    RawArray,
    RawCall,
    RawClause,
    RawElement,
    RawField,
    RawGenerated,
    RawHeader,
    RawInterval,
    RawLeaf,
    RawMember,
    RawNamed,
    RawRange,
    RawRun,
    RawSet,
    RawSymbol,
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


def _called(place: Any) -> Token:
    """Return the name of what is called."""
    if isinstance(place, Name):
        return Token("NAME", place.id, place.span.start, place.span.end)
    return Token("NAME", _path(place), place.span.start, place.span.end)


def _path(place: Raw) -> str:
    match place:
        case Name(name):
            return name
        case RawField(base, name):
            return f"{_path(base)}.{name.value}"
        case Index(array):
            return f"{array}[…]"
        case _:
            return "…"


def _member(part: Any) -> Raw:
    """Return what stands in a set; an entry of a table stands there by mistake and counts as its value."""
    if isinstance(part, tuple):
        return RawWeighted(part[0], part[1], part[0].span.cover(part[1].span))
    member: Raw = part
    return member


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
    def symbol(parts: _Parts) -> RawSymbol:
        return RawSymbol(parts[0].value[1:-1], _span(parts[0]))

    @staticmethod
    def index(parts: _Parts) -> Index | RawElement:
        base, subscripts = parts[0], (*parts[2:-1:2],)
        if isinstance(base, Name) and len(subscripts) == 1 and not isinstance(subscripts[0], RawRun):
            return Index(base.id, subscripts[0], base.span, _over(parts))
        return RawElement(base, subscripts, _over(parts))

    @staticmethod
    def field(parts: _Parts) -> RawField:
        return RawField(parts[0], parts[2], _over(parts))

    @staticmethod
    def slice(parts: _Parts) -> RawRun:
        return RawRun(parts[0], parts[2], _over(parts))

    @staticmethod
    def run(parts: _Parts) -> RawRun:
        return RawRun(parts[0], parts[2], _over(parts))

    @staticmethod
    def clause(parts: _Parts) -> RawClause:
        _, name, _, domain, _, condition = parts
        return RawClause(name, domain, condition, _over([parts[0], condition or domain]))

    @staticmethod
    def array(parts: _Parts) -> RawArray:
        return RawArray((*parts[1:-1:2],), _over(parts))

    @staticmethod
    def comprehension(parts: _Parts) -> RawGenerated | RawArray:
        return RawArray((RawGenerated(parts[1], (*parts[2:-1],), _over(parts)),), _over(parts))

    @staticmethod
    def generated(parts: _Parts) -> RawGenerated:
        return RawGenerated(parts[0], (*parts[1:],), _over(parts))

    @staticmethod
    def set(parts: _Parts) -> RawSet:
        return RawSet(tuple(_member(one) for one in parts[1:-1:2] if one is not None), _over(parts))

    @staticmethod
    def member(parts: _Parts) -> RawMember:
        return RawMember(parts[0], parts[2], _over(parts))

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
        name = _called(parts[0])
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
    def table(parts: _Parts) -> RawTable | RawSet:
        entries = (*parts[1:-1:2],)
        if all(isinstance(one, tuple) for one in entries):
            return RawTable(entries, _over(parts))
        return RawSet(tuple(_member(one) for one in entries), _over(parts))

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
    def targets(parts: _Parts) -> list[Raw]:
        return parts[::2]

    @staticmethod
    def direction(parts: _Parts) -> Token:
        token: Token = parts[0]
        return token

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
        return RawLeaf("assign", _over([parts[0][0], parts[2]]), targets=(*parts[0],), value=parts[2])

    @staticmethod
    def sample(parts: _Parts) -> RawLeaf:
        targets, _, drawn, _, given = parts
        return RawLeaf("sample", _over([targets[0], given or drawn]), targets=(*targets,), value=drawn, given=given)

    @staticmethod
    def break_(parts: _Parts) -> RawLeaf:
        return RawLeaf("break", _over(parts))

    @staticmethod
    def continue_(parts: _Parts) -> RawLeaf:
        return RawLeaf("continue", _over(parts))

    @staticmethod
    def return_(parts: _Parts) -> RawLeaf:
        return RawLeaf("return", _over(parts), values=(*parts[1::2],))

    @staticmethod
    def until(parts: _Parts) -> RawLeaf:
        return RawLeaf("until", _over(parts), value=parts[1])

    @staticmethod
    def attacker(parts: _Parts) -> RawLeaf:
        return RawLeaf("attacker", _over([parts[0], parts[3]]), targets=(*parts[1],), value=parts[3])

    @staticmethod
    def enum(parts: _Parts) -> RawLeaf:
        names = tuple(one for one in parts[3:-1] if one.type == "NAME")
        return RawLeaf("enum", _over(parts), name=parts[1], names=names)

    @staticmethod
    def data(parts: _Parts) -> RawLeaf:
        path = RawSymbol(parts[3].value[1:-1], _span(parts[3]))
        weight = () if parts[5] is None else (parts[5],)
        return RawLeaf("table", _over([parts[0], parts[5] or parts[3]]), name=parts[1], value=path, names=weight)

    @staticmethod
    def import_(parts: _Parts) -> RawLeaf:
        return RawLeaf("import", _over([parts[0], parts[3] or parts[1]]), name=parts[3], path=parts[1])

    @staticmethod
    def import_names(parts: _Parts) -> RawLeaf:
        names = tuple(one for one in parts[1:-1] if one.type == "NAME")
        return RawLeaf("import", _over(parts), names=names, path=parts[-1])

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
        keyword, direction, measure, _, unit = parts
        span = _over([keyword, unit or measure])
        return RawLeaf("show", span, value=measure, unit=unit.value if unit else "", direction=direction)

    @staticmethod
    def require(parts: _Parts) -> RawLeaf:
        keyword, direction, measure, comparison, bound, unit, _, ranges = parts
        return RawLeaf(
            "require",
            _over([keyword, ranges[-1] if ranges else unit or bound]),
            value=measure,
            bound=bound,
            word=comparison.value,
            unit=unit.value if unit else "",
            ranges=(*ranges,) if ranges else (),
            direction=direction,
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

    @staticmethod
    def while_header(parts: _Parts) -> RawHeader:
        return RawHeader("while", _over(parts[:2]), condition=parts[1])

    @staticmethod
    def repeat_header(parts: _Parts) -> RawHeader:
        return RawHeader("repeat", _span(parts[0]))

    @staticmethod
    def never_header(parts: _Parts) -> RawHeader:
        return RawHeader("never", _span(parts[0]))

    @staticmethod
    def def_header(parts: _Parts) -> RawHeader:
        names = tuple(one for one in parts[3:-2] if one is not None and one.type == "NAME")
        return RawHeader("def", _over(parts[:-1]), name=parts[1], names=names)


NODES: Mapping[str, Builder] = {
    name: getattr(_Nodes, name) for name, member in vars(_Nodes).items() if isinstance(member, staticmethod)
}
"""What builds the node of a rule, by its name."""
