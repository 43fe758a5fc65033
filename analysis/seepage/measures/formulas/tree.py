"""Formulas as trees, of which text, LaTeX and MathML are printed, each by its own file.

Trees are made by the functions below, which keep them plain: no product with a factor 1, no sum within a sum, a sign
only where a term of a sum has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from fractions import Fraction
from operator import is_
from typing import ClassVar, Literal, TypeAlias, assert_never

from seepage.data_classes import dataclass
from seepage.syntax.tree import Expression

ATOM, PRODUCT, SUM = 0, 1, 2  # how tightly a piece of writing holds together


class _Composite:
    """A tree with parts, which is asked for its hash and its size again and again: each is found once. Neither is part of its value."""

    __slots__ = ("_hash", "_size")
    __match_args__: ClassVar[tuple[str, ...]] = ()
    _hash: int
    _size: int

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            found = hash((type(self), *(getattr(self, name) for name in self.__match_args__)))
            object.__setattr__(self, "_hash", found)
            return found


@dataclass(frozen=True, slots=True)
class Numeral:
    """A rational number that is not negative."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Symbol:
    """A parameter, or a name that a definition gives; spelled by the printers so that no letter of formulas is meant (:mod:`.letters`)."""

    name: str


@dataclass(frozen=True, slots=True)
class Euler:
    """The base of natural logarithms."""


@dataclass(frozen=True, slots=True)
class Pi:
    """The number π."""


@dataclass(frozen=True, slots=True)
class Verbatim:
    """An expression in the spelling of the program; ``tight`` if it needs no parentheses anywhere, ``meaning`` what is spelled."""

    code: str
    tight: bool
    meaning: Expression = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Sum(_Composite):
    """A sum of terms, each with whether it is subtracted; no term is a sum."""

    __hash__ = _Composite.__hash__

    terms: tuple[tuple[bool, Node], ...]


@dataclass(frozen=True, slots=True)
class Product(_Composite):
    """At least two factors."""

    __hash__ = _Composite.__hash__

    factors: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Ratio(_Composite):
    """A fraction."""

    __hash__ = _Composite.__hash__

    top: Node
    bottom: Node


@dataclass(frozen=True, slots=True)
class Power(_Composite):
    """A power."""

    __hash__ = _Composite.__hash__

    base: Node
    exponent: Node


@dataclass(frozen=True, slots=True)
class Root(_Composite):
    """A square root."""

    __hash__ = _Composite.__hash__

    argument: Node


@dataclass(frozen=True, slots=True)
class Logarithm(_Composite):
    """The logarithm, to base 2 for bits and e for nats."""

    __hash__ = _Composite.__hash__

    argument: Node
    unit: Literal["bits", "nats"]


@dataclass(frozen=True, slots=True)
class Applied(_Composite):
    """A function that a definition names, of one argument."""

    __hash__ = _Composite.__hash__

    function: str
    argument: Node


Composite: TypeAlias = Sum | Product | Ratio | Power | Root | Logarithm | Applied
Node: TypeAlias = Numeral | Symbol | Euler | Pi | Verbatim | Composite


@dataclass(frozen=True, slots=True)
class Definition:
    """``head := body``; the head is a name, or a function of a name; ``of_program`` if the body is an expression of the program."""

    head: Symbol | Applied
    body: Node
    of_program: bool = False


ZERO, ONE = Numeral(Fraction(0)), Numeral(Fraction(1))


def numeral(value: Fraction | int) -> Node:
    """Return a number; a negative one is a sum of one term."""
    value = Fraction(value)
    return Numeral(value) if value >= 0 else Sum(((True, Numeral(-value)),))


def sum_of(terms: Iterable[tuple[bool, Node]]) -> Node:
    """Return a sum of terms, each with whether it is subtracted."""
    flat: list[tuple[bool, Node]] = []
    for negative, term in terms:
        if isinstance(term, Sum):
            flat.extend((negative != inner, part) for inner, part in term.terms)
        elif term != ZERO:
            flat.append((negative, term))
    if not flat:
        return ZERO
    if flat[0][0]:
        flat.sort(key=lambda term: term[0])  # no formula starts with a sign that it need not start with
    return flat[0][1] if len(flat) == 1 and not flat[0][0] else Sum(tuple(flat))


def product_of(*factors: Node) -> Node:
    """Return a product; a sign of a numeral goes in front."""
    flat: list[Node] = []
    for factor in factors:
        if factor == ZERO:
            return ZERO
        flat.extend(factor.factors if isinstance(factor, Product) else [factor] if factor != ONE else [])
    if not flat:
        return ONE
    return flat[0] if len(flat) == 1 else Product(tuple(flat))


def ratio_of(top: Node, bottom: Node) -> Node:
    """Return a fraction, with its sign in front."""
    if bottom == ONE:
        return top
    if isinstance(top, Sum) and len(top.terms) == 1:
        return Sum(((True, ratio_of(top.terms[0][1], bottom)),))
    if isinstance(top, Numeral) and isinstance(bottom, Numeral):
        return Numeral(top.value / bottom.value)
    return Ratio(top, bottom)


def power_of(base: Node, exponent: Node) -> Node:
    """Return a power."""
    return base if exponent == ONE else Power(base, exponent)


def negated(node: Node) -> Node:
    """Return minus something."""
    return sum_of([(True, node)])


def children(node: Node) -> tuple[Node, ...]:
    """Return the direct parts."""
    match node:
        case Product(factors=factors):
            return factors
        case Sum(terms=terms):
            return tuple([term for _, term in terms])
        case Ratio(top=top, bottom=bottom):
            return top, bottom
        case Power(base=base, exponent=exponent):
            return base, exponent
        case Root(argument=argument) | Logarithm(argument=argument) | Applied(argument=argument):
            return (argument,)
        case Numeral() | Symbol() | Euler() | Pi() | Verbatim():
            return ()
        case _:
            assert_never(node)


def subtrees(node: Node) -> Iterator[Node]:
    """Yield a tree and all its parts, each before its own."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        yield part
        if isinstance(part, _Composite):
            waiting.extend(reversed(children(part)))


def size(node: Node) -> int:
    """Return how much there is to read: names, numbers, and one for each function."""
    if not isinstance(node, _Composite):
        return 1 + len(node.code) // 4 if isinstance(node, Verbatim) else 1
    try:
        return node._size
    except AttributeError:
        found = isinstance(node, Root | Logarithm | Applied) + sum([size(part) for part in children(node)])
        object.__setattr__(node, "_size", found)
        return found


def rebuilt(node: Node, change: Callable[[Node], Node | None]) -> Node:
    """Return a tree in which each part for which ``change`` returns another is that other one; from the root down."""
    changed = change(node)
    if changed is not None:
        return changed
    if not isinstance(node, _Composite):
        return node
    before = children(node)
    parts = [rebuilt(part, change) for part in before]
    return node if all(map(is_, parts, before)) else _with_parts(node, parts)


def _with_parts(node: Composite, parts: Sequence[Node]) -> Node:
    match node:
        case Sum(terms=terms):
            return sum_of((negative, part) for (negative, _), part in zip(terms, parts, strict=True))
        case Product():
            return product_of(*parts)
        case Ratio():
            return ratio_of(*parts)
        case Power():
            return power_of(*parts)
        case Root():
            return Root(parts[0])
        case Logarithm(unit=unit):
            return Logarithm(parts[0], unit)
        case Applied(function=function):
            return Applied(function, parts[0])
        case _:
            assert_never(node)
