"""Every node of a tree, whatever it is: for questions about places rather than meanings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import TypeAlias, get_args

from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Arm, For, If, Module, Placed, While, blocks_of

Node: TypeAlias = (
    tree.Leaf
    | tree.Expression
    | tree.Distribution
    | tree.Argument
    | tree.MeasureExpression
    | tree.GainTable
    | tree.GainName
    | tree.Relation
    | tree.Interval
    | tree.Range
)
_NODES = frozenset(
    (
        *(tree.Number, tree.Boolean, tree.Infinity, tree.Name, tree.Index, tree.Unary, tree.Binary, tree.Conditional),
        *(tree.Call, tree.Parenthesized, tree.Argument, tree.Family, tree.Table, tree.Mixture, tree.GainTable),
        *(
            tree.Cell,
            tree.Rows,
            tree.Choice,
            tree.GainName,
            tree.MetricName,
            tree.MetricTable,
            tree.NeighbourTable,
            tree.MeasureCall,
            tree.MeasureArithmetic,
        ),
        *(tree.MeasureNegation, tree.MeasureOptimum, tree.Interval, tree.Range),
    )
)
_ALONE = frozenset((tree.Number, tree.Boolean, tree.Infinity, tree.Name))


def parts(node: Node) -> Iterator[Node]:
    """Yield the nodes directly inside a node, in the order of its fields."""
    for name in _HOLDING[type(node)]:
        value = getattr(node, name)
        if type(value) in _NODES:
            yield value
        elif isinstance(value, tuple):
            waiting = [*reversed(value)]
            while waiting:
                value = waiting.pop()
                if isinstance(value, tuple):
                    waiting.extend(reversed(value))
                elif type(value) in _NODES:
                    yield value


def _places_apart(kind: type[Node]) -> tuple[str, ...]:
    """Return the fields of a kind of node that are no places."""
    return tuple(field.name for field in fields(kind) if field.name != "span" and not field.name.endswith("_span"))


_HOLDING = {kind: _places_apart(kind) for kind in (*_NODES, *get_args(tree.Leaf))}


def nodes(root: Node) -> Iterator[Node]:
    """Yield a node and all nodes inside it, without recursion."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        if type(node) not in _ALONE:
            stack.extend(reversed([*parts(node)]))


def rooted(module: Module) -> Iterator[tuple[Node, int]]:
    """Yield each leaf, condition and loop bound of a file with the offset that its spans count from, in the order of the text."""
    stack: list[Placed | If | For | While | Arm] = list(reversed(module.items))
    while stack:
        item = stack.pop()
        match item:
            case Placed(node, start):
                yield node, start
            case If(arms, otherwise):
                stack.extend(reversed([*arms, *(otherwise.items if otherwise else ())]))
            case While(arm, never):
                stack.extend(reversed([arm, *(never.items if never else ())]))
            case Arm(condition, block, start):
                yield condition, start
                stack.extend(reversed(block.items))
            case For(low=low, high=high, block=block, start=start):
                yield low, start
                yield high, start
                stack.extend(reversed(block.items))


def enclosing(module: Module, offset: int) -> list[Span]:
    """Return the absolute ranges of all nodes, blocks and headers that hold an offset, from the widest to the narrowest."""
    spans = [module.span]
    for item in module.walk():
        if not isinstance(item, Placed) and item.span.contains(offset):
            spans.append(item.span)
            arms = item.arms if isinstance(item, If) else (item.arm,) if isinstance(item, While) else ()
            spans += [one.span for one in blocks_of(item) if one.span.contains(offset)]
            spans += [arm.header for arm in arms if arm.header.contains(offset)]
    for root, start in rooted(module):
        if root.span.shift(start).contains(offset):
            spans += [span for node in nodes(root) if (span := node.span.shift(start)).contains(offset)]
    # Two neighbours may both touch the offset: the one that starts there counts.
    chain: list[Span] = []
    for span in sorted(dict.fromkeys(spans), key=lambda one: (one.end - one.start, -one.start)):
        if not chain or (span.start <= chain[-1].start and chain[-1].end <= span.end):
            chain.append(span)
    return chain[::-1]
