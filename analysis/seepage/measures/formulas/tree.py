"""Formulas as trees, of which text, LaTeX and MathML are printed, each by its own file.

Trees are made by the functions below, which keep them plain: no product with a factor 1, no sum within a sum, a sign
only where a term of a sum has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias, assert_never

ATOM, PRODUCT, SUM = 0, 1, 2  # how tightly a piece of writing holds together


@dataclass(frozen=True, slots=True)
class Numeral:
    """A rational number that is not negative."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Symbol:
    """A parameter, or a name that a definition gives."""

    name: str


@dataclass(frozen=True, slots=True)
class Euler:
    """The base of natural logarithms."""


@dataclass(frozen=True, slots=True)
class Verbatim:
    """An expression in the spelling of the program; ``tight`` if it needs no parentheses anywhere."""

    code: str
    tight: bool


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of terms, each with whether it is subtracted; no term is a sum."""

    terms: tuple[tuple[bool, Node], ...]


@dataclass(frozen=True, slots=True)
class Product:
    """At least two factors."""

    factors: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Ratio:
    """A fraction."""

    top: Node
    bottom: Node


@dataclass(frozen=True, slots=True)
class Power:
    """A power."""

    base: Node
    exponent: Node


@dataclass(frozen=True, slots=True)
class Logarithm:
    """The logarithm, to base 2 for bits and e for nats."""

    argument: Node
    unit: Literal["bits", "nats"]


@dataclass(frozen=True, slots=True)
class Applied:
    """A function that a definition names, of one argument."""

    function: str
    argument: Node


Node: TypeAlias = Numeral | Symbol | Euler | Verbatim | Sum | Product | Ratio | Power | Logarithm | Applied


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
        case Numeral() | Symbol() | Euler() | Verbatim():
            return ()
        case Sum(terms=terms):
            return tuple(term for _, term in terms)
        case Product(factors=factors):
            return factors
        case Ratio(top=top, bottom=bottom):
            return top, bottom
        case Power(base=base, exponent=exponent):
            return base, exponent
        case Logarithm(argument=argument) | Applied(argument=argument):
            return (argument,)
        case _:
            assert_never(node)


def subtrees(node: Node) -> Iterator[Node]:
    """Yield a tree and all its parts."""
    yield node
    for part in children(node):
        yield from subtrees(part)


def size(node: Node) -> int:
    """Return how much there is to read: names, numbers, and one for each function."""
    match node:
        case Numeral() | Symbol() | Euler():
            return 1
        case Verbatim(code=code):
            return 1 + len(code) // 4
        case Logarithm() | Applied():
            return 1 + size(node.argument)
        case _:
            return sum(size(part) for part in children(node))


def rebuilt(node: Node, change: Callable[[Node], Node | None]) -> Node:
    """Return a tree in which each part for which ``change`` returns another is that other one; from the root down."""
    changed = change(node)
    if changed is not None:
        return changed
    match node:
        case Numeral() | Symbol() | Euler() | Verbatim():
            return node
        case Sum(terms=terms):
            return sum_of((negative, rebuilt(term, change)) for negative, term in terms)
        case Product(factors=factors):
            return product_of(*(rebuilt(factor, change) for factor in factors))
        case Ratio(top=top, bottom=bottom):
            return ratio_of(rebuilt(top, change), rebuilt(bottom, change))
        case Power(base=base, exponent=exponent):
            return power_of(rebuilt(base, change), rebuilt(exponent, change))
        case Logarithm(argument=argument, unit=unit):
            return Logarithm(rebuilt(argument, change), unit)
        case Applied(function=function, argument=argument):
            return Applied(function, rebuilt(argument, change))
        case _:
            assert_never(node)
