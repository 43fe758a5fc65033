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

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from types import MappingProxyType
from typing import TypeVar

from seepage.engines.wpe.expectation import Expectation, collected
from seepage.engines.wpe.ranges import Ranges, combined, united
from seepage.engines.wpe.tidying import is_boolean, is_total, linear, negated, tidy
from seepage.semantics.expressions import nodes
from seepage.semantics.substitute import substitute
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression

C = TypeVar("C")

_NOWHERE = Span(0, 0)
_ROUNDS = 4


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
                waiting += [negated(part, tree.Unary("!", part, part.span), booleans) for part in (right, left)]
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
                no = negated(guard, tree.Unary("!", guard, _NOWHERE), booleans)
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
