"""The tree of a program as data: what stands where, once constructs of the second part of the language are put into its core."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from seepage.exact.symbols import symbol_of
from seepage.report.finding_json import SCHEMA
from seepage.source import SourceFile, Span
from seepage.syntax.tree import Block, For, If, Item, Local, Module, Number, Placed, While

if TYPE_CHECKING:
    from seepage.measures.result import Json


def tree_json(tree: Module, source: SourceFile) -> dict[str, Json]:
    """Return a tree: each statement and declaration with its kind, its place (line and column, from 1) and its parts; numbers as fractions in text."""
    return {"schema": SCHEMA, "program": source.name, "items": [_item(each, source) for each in tree.items]}


def _item(item: Item, source: SourceFile) -> Json:
    match item:
        case Placed(node):
            return {**_node(node), "at": _place(item.span, source)}
        case Local(arms=(arm,), procedure=procedure, span=span):
            items = _items(arm.block, source)
            return {"node": "Local", "procedure": procedure, "items": items, "at": _place(span, source)}
        case If(arms, otherwise, span):
            chain: list[Json] = [
                {"condition": _value(arm.condition), "items": _items(arm.block, source)} for arm in arms
            ]
            rest: Json = None if otherwise is None else _items(otherwise, source)
            return {"node": "If", "arms": chain, "otherwise": rest, "at": _place(span, source)}
        case For(name, low, high, block):
            return {
                "node": "For",
                "name": name,
                "low": _value(low),
                "high": _value(high),
                "items": _items(block, source),
                "at": _place(item.span, source),
            }
        case While(arm, never, span):
            return {
                "node": "While",
                "condition": _value(arm.condition),
                "items": _items(arm.block, source),
                "never": None if never is None else _items(never, source),
                "at": _place(span, source),
            }


def _items(block: Block, source: SourceFile) -> list[Json]:
    return [_item(each, source) for each in block.items]


def _place(span: Span, source: SourceFile) -> list[Json]:
    line, column = source.position(span.start)
    return [line, column]


def _node(node: object) -> dict[str, Json]:
    """Return the parts of a node by their names, without places."""
    assert is_dataclass(node)
    parts = {each.name: _value(getattr(node, each.name)) for each in fields(node) if each.compare}
    return {"node": type(node).__name__, **parts}


def _value(value: object) -> Json:
    match value:
        case Number(number) if (symbol := symbol_of(number)) is not None:
            return {"node": "Symbol", "value": symbol}
        case Fraction():
            return str(value)
        case None | bool() | int() | str():
            return value
        case tuple() | list():
            return [_value(each) for each in value]
        case _ if is_dataclass(value):
            return _node(value)
        case _:
            return str(value)
