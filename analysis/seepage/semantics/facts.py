"""What a statement or header says by itself: a function of its piece, whatever stands around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from seepage.semantics.calls import check_family, check_function
from seepage.semantics.expressions import arguments_of, nodes
from seepage.syntax.tree import (
    Arm,
    Assign,
    Call,
    Distribution,
    Expression,
    Family,
    For,
    Index,
    Leaf,
    Mixture,
    Name,
    Observe,
    Placed,
    Sample,
    Skip,
    Target,
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What one leaf, loop header or arm says by itself.

    Attributes:
        reads: the names that a statement, a condition or bounds read, arrays by their own names, the index of a target included.
        plain: those that are read as numbers.
        indexed: those that are read as arrays.
        target: the variable or array that a statement assigns.
        is_element: whether it assigns an element of an array.
        is_sound: whether it is a statement or condition whose functions and laws are called rightly.
        is_declaration: whether it declares something.
    """

    reads: tuple[str, ...] = ()
    plain: frozenset[str] = frozenset()
    indexed: frozenset[str] = frozenset()
    target: str | None = None
    is_element: bool = False
    is_sound: bool = False
    is_declaration: bool = False


def facts_of(entry: Placed | Arm | For) -> Facts:
    """Return what a leaf, an arm's condition or a loop's bounds say."""
    match entry:
        case Placed(node=node):
            return _facts_of_leaf(node)
        case Arm(condition=condition):
            return _facts((condition,))
        case For(low=low, high=high):
            return _facts((low, high))


def _facts_of_leaf(node: Leaf) -> Facts:
    match node:
        case Assign(target=target, value=value):
            return _facts((value, *_index(target)), target)
        case Sample(target=target, distribution=distribution):
            sound = not any(any(check_family(law, 0)) for law in laws(distribution) if isinstance(law, Family))
            return _facts((*arguments_of(distribution), *_index(target)), target, sound)
        case Observe(condition=condition):
            return _facts((condition,))
        case Skip():
            return Facts(is_sound=True)
        case _:
            return Facts(is_declaration=True)


def _facts(expressions: Iterable[Expression], target: Target | None = None, is_sound: bool = True) -> Facts:
    reads: dict[str, None] = {}
    plain: set[str] = set()
    indexed: set[str] = set()
    for expression in expressions:
        for node in nodes(expression):
            if isinstance(node, Name):
                reads[node.id] = None
                plain.add(node.id)
            elif isinstance(node, Index):
                reads[node.array] = None
                indexed.add(node.array)
            elif isinstance(node, Call):
                is_sound = is_sound and not any(check_function(node, 0))
    name = None if target is None else target_name(target)
    return Facts(tuple(reads), frozenset(plain), frozenset(indexed), name, isinstance(target, Index), is_sound)


def target_name(target: Target) -> str:
    """Return the variable or array that a target names."""
    return target.id if isinstance(target, Name) else target.array


def _index(target: Target) -> tuple[Expression, ...]:
    return (target.index,) if isinstance(target, Index) else ()


def laws(distribution: Distribution) -> Iterator[Distribution]:
    """Yield a distribution and, of mixtures, all parts."""
    stack = [distribution]
    while stack:
        law = stack.pop()
        yield law
        if isinstance(law, Mixture):
            stack.extend(part for _, part in reversed(law.parts))
