r"""Expectations in fewer and shorter terms, for people: the same value in every state that a run can be in.

The transformer (:mod:`seepage.engines.wpe.transformer`) is a definition and stays as it is; a derivation shows each of its results
after :func:`simplified`. The laws, each used only where neither side loses a fault:

* sums collect their constants, products and conjunctions lose what is neutral, comparisons of an expression with itself are decided;
* a guard is a product of its conjuncts, ``[¬(a ∨ b)] = [¬a]·[¬b]``; a double negation, or that of a comparison, is resolved;
* a guard ``[x = v]`` (or ``[x]``, ``[¬x]``) says what x is in everything behind it; guards that compare one variable with numbers are as few
  as they can be (:mod:`seepage.engines.wpe.ranges`);
* ``[b]·X + [¬b]·X = X``; a factor that is a sum with positive coefficients is several terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from types import MappingProxyType
from typing import TypeVar

from seepage.engines.wpe.expectation import Expectation, collected
from seepage.engines.wpe.ranges import Ranges, combined, compare, united
from seepage.semantics.expressions import bottom_up, nodes
from seepage.semantics.substitute import folded, substitute
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import BinaryOperator, Expression

C = TypeVar("C")

_NOWHERE = Span(0, 0)
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_OPPOSITE: Mapping[BinaryOperator, BinaryOperator] = MappingProxyType(
    {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
)
_MIRRORED: Mapping[BinaryOperator, BinaryOperator] = MappingProxyType(
    {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
)
_WAYS = 16  # of a chain of conditionals, as a random index makes one, into which a comparison is taken
_ROUNDS = 4
_REFLEXIVE = ("==", "<=", ">=")


def is_boolean(expression: Expression, booleans: frozenset[str]) -> bool:
    """Tell whether an expression has no value but 0 and 1."""
    match expression:
        case tree.Number(value=value):
            return value in (0, 1)
        case tree.Boolean() | tree.Unary(operator="not" | "!"):
            return True
        case tree.Name(id=name):
            return name in booleans
        case tree.Binary(operator=operator):
            return operator in ("and", "or", "xor", *_COMPARISONS)
        case tree.Conditional(consequent=consequent, alternative=alternative):
            return is_boolean(consequent, booleans) and is_boolean(alternative, booleans)
        case _:
            return False


def is_total(expression: Expression, booleans: frozenset[str]) -> bool:
    """Tell whether an expression has a value in every state in which the booleans are 0 or 1."""

    def visit(node: Expression, parts: list[bool]) -> bool:
        match node:
            case tree.Number() | tree.Boolean() | tree.Name():
                return True
            case tree.Parenthesized() | tree.Unary(operator="-"):
                return parts[0]
            case tree.Unary(operand=operand):
                return parts[0] and is_boolean(operand, booleans)
            case tree.Binary(operator="and" | "or" | "xor", left=left, right=right):
                return all(parts) and is_boolean(left, booleans) and is_boolean(right, booleans)
            case tree.Binary(operator="+" | "-" | "*" | "==" | "!=" | "<" | "<=" | ">" | ">="):
                return all(parts)
            case tree.Conditional(condition=condition):
                return all(parts) and is_boolean(condition, booleans)
            case _:
                return False

    return bottom_up(expression, visit)


# --- expressions ------------------------------------------------------------------------------------------------------


def tidy(expression: Expression, booleans: frozenset[str]) -> Expression:
    """Return an expression of the same value in every state in which the booleans are 0 or 1, as undefined, and no longer."""

    def visit(node: Expression, parts: list[Expression]) -> Expression:
        match node:
            case tree.Parenthesized():
                return parts[0]
            case tree.Unary(operator="not" | "!"):
                return _negated(parts[0], tree.Unary("!", parts[0], node.span), booleans)  # one sign for both
            case tree.Unary():
                return folded(replace(node, operand=parts[0]))
            case tree.Binary():
                return _binary(replace(node, left=parts[0], right=parts[1]), booleans)
            case tree.Conditional():
                return _conditional(tree.Conditional(parts[0], parts[1], parts[2], node.span), booleans)
            case tree.Call():
                return folded(replace(node, arguments=tuple(parts)))
            case tree.Index():
                return replace(node, index=parts[0])
            case tree.Boolean(value=value, span=span):
                return tree.Number(Fraction(int(value)), span)
            case _:
                return node

    return bottom_up(expression, visit)


def _negated(operand: Expression, whole: Expression, booleans: frozenset[str]) -> Expression:
    match operand:
        case tree.Binary(operator=operator) if operator in _OPPOSITE:
            return replace(operand, operator=_OPPOSITE[operator])
        case tree.Unary(operator="not" | "!", operand=inner) if is_boolean(inner, booleans):
            return inner
        case _:
            return folded(whole)


def _binary(node: tree.Binary, booleans: frozenset[str]) -> Expression:
    match node.operator:
        case "and" | "or" | "xor":
            return _connective(node, booleans)
        case "+" | "-":
            return _sum(node, booleans)
        case "*":
            return _product(node, booleans)
        case "/" if _is(node.right, 1):
            return node.left
        case operator if operator in _COMPARISONS:
            return _comparison(node, booleans)
        case _:
            return folded(node)


def _is(expression: Expression, value: int) -> bool:
    return isinstance(expression, tree.Number) and expression.value == value


def _connective(node: tree.Binary, booleans: frozenset[str]) -> Expression:
    left, right = node.left, node.right
    neutral = 1 if node.operator == "and" else 0
    if _is(left, neutral) and is_boolean(right, booleans):
        return right
    if _is(right, neutral) and is_boolean(left, booleans):
        return left
    if node.operator == "xor":
        for one, other in ((left, right), (right, left)):
            if _is(one, 1) and is_boolean(other, booleans):
                return _negated(other, tree.Unary("!", other, node.span), booleans)
    elif _is(left, 1 - neutral):
        return left
    elif _is(right, 1 - neutral) and is_boolean(left, booleans) and is_total(left, booleans):
        return right
    elif left == right and is_boolean(left, booleans):
        return left
    return folded(node)


def _product(node: tree.Binary, booleans: frozenset[str]) -> Expression:
    for one, other in ((node.left, node.right), (node.right, node.left)):
        if _is(one, 1):
            return other
        if _is(one, 0) and is_total(other, booleans):
            return one
    return folded(node)


def linear(expression: Expression) -> tuple[dict[Expression, Fraction], Fraction, int]:
    """Return a sum as coefficients of what is no sum, its constant, and of how many summands it was made."""
    coefficients: dict[Expression, Fraction] = {}
    constant, count = Fraction(0), 0
    waiting: list[tuple[Expression, Fraction]] = [(expression, Fraction(1))]
    while waiting:
        node, factor = waiting.pop()
        match node:
            case tree.Number(value=value):
                constant += factor * value
                count += 1
            case tree.Unary(operator="-", operand=operand):
                waiting.append((operand, -factor))
            case tree.Binary(operator="+", left=left, right=right):
                waiting += [(right, factor), (left, factor)]
            case tree.Binary(operator="-", left=left, right=right):
                waiting += [(right, -factor), (left, factor)]
            case tree.Binary(operator="*", left=tree.Number(value=value), right=other):
                waiting.append((other, factor * value))
            case tree.Binary(operator="*" | "/" as sign, left=other, right=tree.Number(value=value)) if value:
                waiting.append((other, factor * value if sign == "*" else factor / value))
            case _:
                coefficients[node] = coefficients.get(node, Fraction(0)) + factor
                count += 1
    return coefficients, constant, count


def _sum(node: tree.Binary, booleans: frozenset[str]) -> Expression:
    """Collect equal summands; a sum that has none stays as it is written."""
    coefficients, constant, count = linear(node)
    kept = [each for each, factor in coefficients.items() if factor or not is_total(each, booleans)]
    if len(kept) + bool(constant) == count:
        return node
    result: Expression | None = None
    for each in kept:
        result = _plus(result, coefficients[each], each, node.span)
    if constant or result is None:
        result = _plus(result, constant, None, node.span)
    return result


def _plus(before: Expression | None, factor: Fraction, what: Expression | None, span: Span) -> Expression:
    """Return ``before + factor · what``."""
    size = factor if before is None else abs(factor)
    summand: Expression = tree.Number(size, span)
    if what is not None:
        summand = what if size == 1 else tree.Binary("*", summand, what, span)
    return summand if before is None else tree.Binary("-" if factor < 0 else "+", before, summand, span)


def _comparison(node: tree.Binary, booleans: frozenset[str]) -> Expression:
    left, right, operator = node.left, node.right, node.operator
    if isinstance(left, tree.Number) and not isinstance(right, tree.Number):
        left, right, operator = right, left, _MIRRORED[operator]
    if left == right and is_total(left, booleans):
        return tree.Number(Fraction(int(operator in _REFLEXIVE)), node.span)
    if isinstance(right, tree.Number):
        if isinstance(left, tree.Conditional) and _ways(left) <= _WAYS:
            return _compared_ways(left, operator, right, node.span, booleans)
        coefficients, constant, _ = linear(left)
        if (told := _settled(coefficients, operator, right.value - constant, booleans)) is not None:
            return told
        if constant and coefficients:
            right = tree.Number(right.value - constant, right.span)
            left = _sum_without_constant(coefficients, left.span)
    return folded(replace(node, left=left, right=right, operator=operator))


def _sum_without_constant(coefficients: Mapping[Expression, Fraction], span: Span) -> Expression:
    result: Expression | None = None
    for each, factor in coefficients.items():
        result = _plus(result, factor, each, span)
    if result is None:
        raise AssertionError("a sum that has a summand")
    return result


def _settled(
    coefficients: Mapping[Expression, Fraction], operator: str, value: Fraction, booleans: frozenset[str]
) -> Expression | None:
    """Return what a comparison says of a sum of what is 0 or 1: always, never, or of a single summand; None if it says more."""
    if not all(is_boolean(each, booleans) for each in coefficients):
        return None
    low, high = (sum((size for size in coefficients.values() if (size > 0) is up), Fraction(0)) for up in (False, True))
    holds = {compare(low, operator, value), compare(high, operator, value)}
    between = operator not in ("==", "!=") or not low < value < high
    if len(coefficients) == 1:
        ((left, size),) = coefficients.items()
        if size and len(holds) == 2:
            return (
                left if compare(size, operator, value) else _negated(left, tree.Unary("!", left, left.span), booleans)
            )
        between = True
    if len(holds) == 1 and between and all(is_total(each, booleans) for each in coefficients):
        return tree.Number(Fraction(int(holds.pop())), _NOWHERE)
    return None


def _ways(expression: Expression) -> int:
    """Count the alternatives of a chain of conditionals, up to one more than are taken apart."""
    count = 1
    while isinstance(expression, tree.Conditional) and count <= _WAYS:
        expression, count = expression.alternative, count + 1
    return count


def _compared_ways(
    left: tree.Conditional, operator: BinaryOperator, right: tree.Number, span: Span, booleans: frozenset[str]
) -> Expression:
    """Return ``(if b then e else f) op v``: the comparison goes into both ways, if that decides one of them."""
    ways = [
        _comparison(tree.Binary(operator, way, right, span), booleans) for way in (left.consequent, left.alternative)
    ]
    if any(isinstance(way, tree.Number) for way in ways):
        return _conditional(tree.Conditional(left.condition, ways[0], ways[1], span), booleans)
    return tree.Binary(operator, left, right, span)


def _conditional(node: tree.Conditional, booleans: frozenset[str]) -> Expression:
    condition, first, second = node.condition, node.consequent, node.alternative
    if isinstance(condition, tree.Number) and condition.value in (0, 1):
        return first if condition.value else second
    if not is_boolean(condition, booleans):
        return node
    if first == second and is_total(condition, booleans):
        return first
    if is_boolean(first, booleans) and is_boolean(second, booleans):
        if _is(second, 0):
            return _connective(tree.Binary("and", condition, first, node.span), booleans)
        if _is(first, 1):
            return _connective(tree.Binary("or", condition, second, node.span), booleans)
        if _is(first, 0):
            no = _negated(condition, tree.Unary("!", condition, node.span), booleans)
            return _connective(tree.Binary("and", no, second, node.span), booleans)
    return node


# --- expectations -----------------------------------------------------------------------------------------------------


def simplified(expectation: Expectation[C], ranges: Ranges = MappingProxyType({})) -> Expectation[C]:
    """Return an expectation with the same value in every state in which variables are in their ranges and this one has a value.

    Args:
        expectation: any.
        ranges: what variables are known to be (:func:`seepage.engines.wpe.ranges.ranges_of`).
    """
    booleans = frozenset(name for name, values in ranges.items() if values <= {0, 1})
    terms = (
        each
        for guards, factors, coefficient in expectation.terms()
        for each in _split(
            expectation, *_shortest_term(guards, factors, expectation, booleans, ranges), coefficient, booleans
        )
    )
    found = collected(expectation.ring, expectation.language, terms)
    while True:
        shorter = _united(_merged(found, booleans), ranges)
        if len(shorter.coefficients) == len(found.coefficients):
            return shorter
        found = shorter


def _shortest_term(
    guards: tuple[Expression, ...],
    factors: tuple[Expression, ...],
    expectation: Expectation[C],
    booleans: frozenset[str],
    ranges: Ranges,
) -> tuple[tuple[Expression, ...], tuple[Expression, ...]]:
    """Tidy a term, again where fewer guards tell more."""
    for _ in range(_ROUNDS):
        guards, factors = _told_term(guards, factors, expectation, booleans)
        fewer = combined(guards, ranges)
        if fewer == guards:
            break
        guards = fewer
    return guards, factors


def _told_term(
    guards: tuple[Expression, ...],
    factors: tuple[Expression, ...],
    expectation: Expectation[C],
    booleans: frozenset[str],
) -> tuple[tuple[Expression, ...], tuple[Expression, ...]]:
    """Tidy the guards one after the other, each in what the ones before it say."""
    arrays = expectation.language.arrays
    known: dict[str, Expression] = {}
    kept: list[Expression] = []

    def told(expression: Expression) -> Expression:
        if known and any(isinstance(node, tree.Name) and node.id in known for node in nodes(expression)):
            expression = substitute(expression, known, arrays)
        return tidy(expression, booleans)

    for guard in guards:
        for part in _conjuncts(told(guard), booleans):
            here = told(part)
            kept.append(here)
            if (fact := _fact(here)) is not None:
                known[fact[0]] = fact[1]
    return tuple(kept), tuple(told(factor) for factor in factors)


def _conjuncts(guard: Expression, booleans: frozenset[str]) -> Iterator[Expression]:
    """Yield guards whose product is a guard, in the order in which they are evaluated."""
    waiting = [guard]
    while waiting:
        match waiting.pop():
            case tree.Binary(operator="and", left=left, right=right):
                waiting += [right, left]
            case tree.Unary(operator="not" | "!", operand=tree.Binary(operator="or", left=left, right=right)):
                waiting += [_negated(part, tree.Unary("!", part, part.span), booleans) for part in (right, left)]
            case part:
                yield part


def _fact(guard: Expression) -> tuple[str, Expression] | None:
    """Return the name whose value a guard tells, and the value."""
    match guard:
        case tree.Name(id=name, span=span):
            return name, tree.Number(Fraction(1), span)
        case tree.Unary(operator="not" | "!", operand=tree.Name(id=name), span=span):
            return name, tree.Number(Fraction(0), span)
        case tree.Binary(operator="==", left=tree.Name(id=name), right=tree.Number() as value):
            return name, value
        case _:
            return None


def _split(
    expectation: Expectation[C],
    guards: tuple[Expression, ...],
    factors: tuple[Expression, ...],
    coefficient: C,
    booleans: frozenset[str],
) -> Iterator[tuple[tuple[Expression, ...], tuple[Expression, ...], C]]:
    """Yield a term whose one factor is a sum as one term for each summand."""
    if len(factors) == 1:
        coefficients, constant, count = linear(factors[0])
        sizes = [*coefficients.values(), *([constant] if constant else [])]
        alone = count == 1 and next(iter(coefficients), None) == factors[0]
        if not alone and all(size > 0 for size in sizes) and coefficients.keys() <= {*_total(coefficients, booleans)}:
            ring = expectation.ring
            for each, size in coefficients.items():
                number = ring.probability(tree.Number(size, _NOWHERE), {})
                yield guards, (each,), ring.multiply(coefficient, number)
            if constant:
                yield guards, (), ring.multiply(coefficient, ring.probability(tree.Number(constant, _NOWHERE), {}))
            return
    yield guards, factors, coefficient


def _total(expressions: Iterable[Expression], booleans: frozenset[str]) -> Iterator[Expression]:
    return (each for each in expressions if is_total(each, booleans))


def _merged(expectation: Expectation[C], booleans: frozenset[str]) -> Expectation[C]:
    """Merge pairs of terms that differ in one guard, which holds in the one where it fails in the other."""
    terms = dict(expectation.coefficients)
    changed = True
    while changed:
        changed = False
        for (guards, factors), coefficient in list(terms.items()):
            for place, guard in enumerate(guards):
                if not (is_boolean(guard, booleans) and is_total(guard, booleans)):
                    continue
                no = _negated(guard, tree.Unary("!", guard, _NOWHERE), booleans)
                other = ((*guards[:place], no, *guards[place + 1 :]), factors)
                if terms.get((guards, factors)) is not None and other in terms and terms[other] == coefficient:
                    del terms[other], terms[guards, factors]
                    rest = (guards[:place] + guards[place + 1 :], factors)
                    listed = [*((g, f, c) for (g, f), c in terms.items()), (*rest, coefficient)]
                    terms = dict(collected(expectation.ring, expectation.language, listed).coefficients)
                    changed = True
                    break
            if changed:
                break
    return replace(expectation, coefficients=terms)


def _united(expectation: Expectation[C], ranges: Ranges) -> Expectation[C]:
    """Merge pairs of terms that differ in what their guards say of one variable, where the two together are said as shortly."""
    terms = dict(expectation.coefficients)
    changed = True
    while changed:
        changed = False
        for (one, (first, factors)), (other, (second, others)) in combinations(zip(terms, terms, strict=True), 2):
            if factors != others or terms[one] != terms[other]:
                continue
            guards = united(first, second, ranges)
            if guards is not None:
                coefficient = terms.pop(one)
                del terms[other]
                listed = [*((g, f, c) for (g, f), c in terms.items()), (guards, factors, coefficient)]
                terms = dict(collected(expectation.ring, expectation.language, listed).coefficients)
                changed = True
                break
    return replace(expectation, coefficients=terms)
