"""What a statement or header says by itself: a function of its piece, whatever stands around it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from seepage.data_classes import dataclass
from seepage.semantics.calls import check_family, check_function
from seepage.semantics.expressions import arguments_of, nodes
from seepage.syntax.tree import (
    Arm,
    Assign,
    Call,
    Const,
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
        formulas: of assignments, constants and normal laws, the expressions that hold a logarithm, for :mod:`seepage.semantics.classical`.
    """

    reads: tuple[str, ...] = ()
    plain: frozenset[str] = frozenset()
    indexed: frozenset[str] = frozenset()
    target: str | None = None
    is_element: bool = False
    is_sound: bool = False
    is_declaration: bool = False
    formulas: tuple[Expression, ...] = ()


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
            return _facts((value, *_index(target)), target, formulas=_with_logarithm((value,)))
        case Sample(target=target, distribution=distribution):
            sound = not any(any(check_family(law, 0)) for law in laws(distribution) if isinstance(law, Family))
            normals = [law for law in laws(distribution) if isinstance(law, Family) and law.name == "normal"]
            formulas = _with_logarithm(argument.value for law in normals for argument in law.arguments)
            return _facts((*arguments_of(distribution), *_index(target)), target, sound, formulas)
        case Observe(condition=condition):
            return _facts((condition,))
        case Skip():
            return Facts(is_sound=True)
        case Const(value=value):
            return Facts(is_declaration=True, formulas=_with_logarithm((value,)))
        case _:
            return Facts(is_declaration=True)


def _with_logarithm(expressions: Iterable[Expression]) -> tuple[Expression, ...]:
    return tuple(
        one for one in expressions if any(isinstance(node, Call) and node.function == "log" for node in nodes(one))
    )


def _facts(
    expressions: Iterable[Expression],
    target: Target | None = None,
    is_sound: bool = True,
    formulas: tuple[Expression, ...] = (),
) -> Facts:
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
    is_element = isinstance(target, Index)
    return Facts(tuple(reads), frozenset(plain), frozenset(indexed), name, is_element, is_sound, formulas=formulas)


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
