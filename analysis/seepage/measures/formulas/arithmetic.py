"""Formulas of sums, differences, products, quotients and powers of measures, from the formulas of their parts."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Literal

from seepage.measures.formulas.condition import relating
from seepage.measures.formulas.definedness import strongest
from seepage.measures.formulas.tree import (
    ZERO,
    Applied,
    Definition,
    Node,
    Numeral,
    Symbol,
    Verbatim,
    negated,
    numeral,
    power_of,
    product_of,
    ratio_of,
    rebuilt,
    subtrees,
    sum_of,
)
from seepage.measures.formulas.wording import Worded
from seepage.measures.result import Formula

_FRESH = tuple("uvwabcdkmnstxyz")


def constant_formula(value: Fraction) -> Formula:
    """Return a number as a formula."""
    return Worded(numeral(value), ()).formula(())


def negative_formula(formula: Formula | None) -> Formula | None:
    """Return minus a formula."""
    if formula is None or formula.tree is None:
        return None
    return Worded(negated(formula.tree), formula.named).formula(formula.conditions)


def combined_formula(
    operator: Literal["+", "-", "*", "/", "^"], left: Formula | None, right: Formula | None
) -> Formula | None:
    """Return ``left operator right``, None if a side has no formula or the result is too long; a divisor must not be 0."""
    if left is None or right is None or left.tree is None or right.tree is None:
        return None
    tree, named = _renamed(right.tree, right.named, left)
    node = _node(operator, left.tree, tree)
    if node is None:
        return None
    definitions = (*left.named, *(each for each in named if not _means_the_same(each, left.named)))
    conditions = [*left.conditions, *right.conditions]
    if operator == "/" and not _is_constant(tree, named):
        conditions.append(relating(tree, "≠", ZERO))
    combined = Worded(node, definitions)
    return combined.formula(strongest(conditions)) if combined.fits else None


def _is_constant(tree: Node, named: Iterable[Definition]) -> bool:
    """Tell whether no parameter stands in a formula: then it is not 0, as it divides numbers that are known."""
    bodies = {each.head.name: each.body for each in named if isinstance(each.head, Symbol)}
    waiting = [tree]
    while waiting:
        for part in subtrees(waiting.pop()):
            if isinstance(part, Verbatim) or (isinstance(part, Symbol) and part.name not in bodies):
                return False
            if isinstance(part, Symbol):
                waiting.append(bodies[part.name])
    return True


def _node(operator: Literal["+", "-", "*", "/", "^"], left: Node, right: Node) -> Node | None:
    match operator:
        case "+" | "-":
            return sum_of([(False, left), (operator == "-", right)])
        case "*":
            return product_of(left, right)
        case "/":
            return None if right == ZERO else ratio_of(left, right)
        case "^":
            whole = isinstance(right, Numeral) and right.value.denominator == 1 and right.value > 0
            return power_of(left, right) if whole else None


def _renamed(tree: Node, named: Iterable[Definition], left: Formula) -> tuple[Node, list[Definition]]:
    """Give other names to what the right side defines otherwise than the left side does, or uses as a parameter there."""
    bodies = {name for formula_tree in _trees(left.tree, left.named) for name in _names(formula_tree)}
    result = list(named)
    own = {name for each in _trees(tree, result) for name in _names(each)}
    for place, each in enumerate(result):
        if not isinstance(each.head, Symbol) or each.head.name not in bodies or _means_the_same(each, left.named):
            continue
        head = each.head
        fresh = Symbol(next(name for name in _FRESH if name not in bodies | own))
        own.add(fresh.name)
        tree = _replaced(tree, head, fresh)
        result = [
            Definition(
                fresh if other.head == head else other.head, _replaced(other.body, head, fresh), other.of_program
            )
            if index >= place
            else other
            for index, other in enumerate(result)
        ]
    return tree, result


def _trees(tree: Node | None, named: Iterable[Definition]) -> list[Node]:
    return [*([] if tree is None else [tree]), *(part for each in named for part in (each.head, each.body))]


def _names(tree: Node) -> Iterable[str]:
    return (part.name for part in subtrees(tree) if isinstance(part, Symbol))


def _means_the_same(definition: Definition, others: Iterable[Definition]) -> bool:
    if isinstance(definition.head, Applied):  # the binary entropy, whatever its argument is called
        function = definition.head.function
        return any(isinstance(other.head, Applied) and other.head.function == function for other in others)
    return any(other.head == definition.head and other.body == definition.body for other in others)


def _replaced(tree: Node, old: Node, new: Node) -> Node:
    return rebuilt(tree, lambda part: new if part == old else None)
