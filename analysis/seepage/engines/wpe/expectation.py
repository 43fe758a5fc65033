r"""Symbolic expectations: finite sums of guarded terms.

An expectation maps program states to numbers (paper, section "Discrete Symbolic Semantics"). Here it is

.. math:: X = \sum_i c_i \cdot [b_{i1}] \cdots [b_{ik}] \cdot e_{i1} \cdots e_{im}

with coefficients :math:`c_i` in a ring (rationals, balls, polynomials in the parameters), guards :math:`b_{ij}` in Iverson
brackets, and factors :math:`e_{ij}`, which are probabilities that still depend on program variables (of ``bernoulli(x / 3)``).
Terms that agree in guards and factors are one. Guards stand in the order of the program, so that an earlier one protects a
later one: ``[y != 0]·[1/y > 1/2]`` is 0 at y = 0. What becomes closed by a substitution is evaluated at once: a true guard
disappears, a false one takes its term along.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Generic, TypeAlias, TypeVar

from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.engines.outcome import Ring
from seepage.exact import Number
from seepage.semantics.evaluate import evaluate, spelled, truth
from seepage.semantics.expressions import nodes
from seepage.semantics.substitute import substitute
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression

C = TypeVar("C")

Arrays: TypeAlias = Mapping[str, tuple[int, ...]]
Key: TypeAlias = tuple[tuple[Expression, ...], tuple[Expression, ...]]
NOWHERE = Span(0, 0)
_ZERO, _ONE = tree.Number(Fraction(0), NOWHERE), tree.Number(Fraction(1), NOWHERE)


@dataclass(frozen=True, slots=True)
class Language:
    """What names mean that are no program variables: elements of arrays, and parameters without a value."""

    arrays: Arrays
    parameters: frozenset[str] = frozenset()

    def is_open(self, expression: Expression) -> bool:
        """Tell whether an expression reads a variable or an element; parameters do not count."""
        return any(
            isinstance(node, tree.Index) or (isinstance(node, tree.Name) and node.id not in self.parameters)
            for node in nodes(expression)
        )


@dataclass(frozen=True, slots=True)
class Expectation(Generic[C]):
    """A sum of terms ``coefficients[guards, factors]``; no coefficient is known to be 0."""

    ring: Ring[C]
    language: Language
    coefficients: Mapping[Key, C]

    def terms(self) -> Iterator[tuple[tuple[Expression, ...], tuple[Expression, ...], C]]:
        """Yield guards, factors and coefficient of each term."""
        for (guards, factors), coefficient in self.coefficients.items():
            yield guards, factors, coefficient

    def __str__(self) -> str:
        """Spell the sum, as ``1/3·[o_ = 1] + …``."""
        spelled_terms = [_spell(guards, factors, c) for guards, factors, c in self.terms()]
        return " + ".join(spelled_terms) or "0"


def _spell(guards: tuple[Expression, ...], factors: tuple[Expression, ...], coefficient: object) -> str:
    number = f"({coefficient})" if " " in str(coefficient) else str(coefficient)
    parts = [number, *(f"[{spelled(guard)}]" for guard in guards), *(f"({spelled(f)})" for f in factors)]
    return "·".join(part for part in parts if part != "1") or "1"


# --- building ---------------------------------------------------------------------------------------------------------


def constant(coefficient: C, ring: Ring[C], language: Language) -> Expectation[C]:
    """Return the expectation that is the same in every state; :math:`\\mathbf 1` for the ring's one.

    Args:
        coefficient: of the ring.
        ring: of the coefficients.
        language: the program's names that expressions may hold.
    """
    return collected(ring, language, [((), (), coefficient)])


def iverson(condition: Expression, ring: Ring[C], language: Language) -> Expectation[C]:
    """Return the Iverson bracket of a condition: 1 where it holds, else 0."""
    return guarded(condition, constant(ring.one, ring, language))


def collected(
    ring: Ring[C],
    language: Language,
    terms: Iterable[tuple[tuple[Expression, ...], tuple[Expression, ...], C]],
) -> Expectation[C]:
    """Return a sum of guards, factors and coefficients, equal ones as one term, what is closed evaluated.

    Raises:
        Fault: a closed guard or factor without a value that no guard protects.
    """
    result: dict[Key, C] = {}
    for guards, factors, coefficient in terms:
        settled = _settled(guards, factors, coefficient, ring, language)
        if settled is not None:
            key, value = settled
            result[key] = ring.add(result[key], value) if key in result else value
    return Expectation(ring, language, {key: value for key, value in result.items() if not ring.is_zero(value)})


def _settled(
    guards: tuple[Expression, ...], factors: tuple[Expression, ...], coefficient: C, ring: Ring[C], language: Language
) -> tuple[Key, C] | None:
    """Evaluate what is closed in a term; None if the term is 0."""
    if ring.is_zero(coefficient):
        return None
    kept: list[Expression] = []
    for guard in guards:
        holds = _closed_truth(guard, language, protected=bool(kept))
        if holds is False:
            return None
        if holds is None and guard not in kept:
            kept.append(guard)
    left: list[Expression] = []
    for factor in factors:
        if language.is_open(factor):
            left.append(factor)
            continue
        try:
            coefficient = ring.multiply(coefficient, ring.probability(factor, {}))
        except Fault:
            if not kept:
                raise
            left.append(factor)
    return None if ring.is_zero(coefficient) else ((tuple(kept), tuple(left)), coefficient)


def _closed_truth(guard: Expression, language: Language, protected: bool) -> bool | None:
    """Return the truth of a closed guard; None if it is open, or undefined behind a guard that is open."""
    if language.is_open(guard) or any(isinstance(node, tree.Name) for node in nodes(guard)):
        return None
    try:
        return truth(guard, {}, language.arrays)
    except Fault:
        if protected:
            return None
        raise


# --- algebra ----------------------------------------------------------------------------------------------------------


def add(first: Expectation[C], second: Expectation[C]) -> Expectation[C]:
    """Return X + Y."""
    return collected(first.ring, first.language, [*first.terms(), *second.terms()])


def scaled(coefficient: C, expectation: Expectation[C]) -> Expectation[C]:
    """Return c · X."""
    ring = expectation.ring
    terms = ((guards, factors, ring.multiply(coefficient, c)) for guards, factors, c in expectation.terms())
    return collected(ring, expectation.language, terms)


def guarded(condition: Expression, expectation: Expectation[C]) -> Expectation[C]:
    """Return [b] · X, the new guard before the old ones."""
    terms = (((condition, *guards), factors, c) for guards, factors, c in expectation.terms())
    return collected(expectation.ring, expectation.language, terms)


def weighted(probability: Expression, expectation: Expectation[C]) -> Expectation[C]:
    """Return p · X for a probability that may depend on the state."""
    terms = ((guards, (*factors, probability), c) for guards, factors, c in expectation.terms())
    return collected(expectation.ring, expectation.language, terms)


def substituted(expectation: Expectation[C], values: Mapping[str, Expression]) -> Expectation[C]:
    r"""Return :math:`X[x_1 \mapsto e_1, \ldots]`, all at once."""
    arrays = expectation.language.arrays

    def replaced(expressions: tuple[Expression, ...]) -> tuple[Expression, ...]:
        return tuple(tidied(substitute(expression, values, arrays)) for expression in expressions)

    terms = ((replaced(guards), replaced(factors), c) for guards, factors, c in expectation.terms())
    return collected(expectation.ring, expectation.language, terms)


def tidied(expression: Expression) -> Expression:
    """Return an expression without 0 as a summand and 1 as a factor or divisor: the same value in every state, and as undefined."""
    match expression:
        case tree.Binary(operator=operator, left=left, right=right):
            left, right = tidied(left), tidied(right)
            if right == _ZERO and operator in ("+", "-"):
                return left
            if right == _ONE and operator in ("*", "/"):
                return left
            if (left == _ZERO and operator == "+") or (left == _ONE and operator == "*"):
                return right
            return replace(expression, left=left, right=right)
        case tree.Parenthesized(inner=inner):
            inner = tidied(inner)
            return inner if isinstance(inner, tree.Name | tree.Number) else replace(expression, inner=inner)
        case _:
            return expression


def at(
    expectation: Expectation[C], state: Mapping[str, Number], ghosts: frozenset[str] = frozenset()
) -> Expectation[C]:
    """Return X in a state: variables that are missing are 0, ghost variables stay.

    Irrational values of a state cannot be substituted.

    Args:
        expectation: X.
        state: values of variables.
        ghosts: variables that keep their names.
    """
    names = {
        node.id
        for guards, factors, _ in expectation.terms()
        for expression in (*guards, *factors)
        for node in _with_elements(expression, expectation.language.arrays)
        if isinstance(node, tree.Name) and node.id not in ghosts and node.id not in expectation.language.parameters
    }
    values: dict[str, Expression] = {}
    for name in names:
        value = state.get(name, 0)
        if not isinstance(value, int | Fraction):
            raise ValueError(f"{name!r} is irrational; expected a rational value")
        values[name] = tree.Number(Fraction(value), NOWHERE)
    return substituted(expectation, values)


def _with_elements(expression: Expression, arrays: Arrays) -> Iterator[Expression]:
    for node in nodes(expression):
        yield node
        if isinstance(node, tree.Index):
            yield from (tree.Name(f"{node.array}[{i}]", node.span) for i in arrays.get(node.array, ()))


def value(expectation: Expectation[C], state: Mapping[str, Number]) -> C:
    """Return X(σ), the value in a state; variables that are missing are 0.

    Raises:
        Fault: if a guard or probability is undefined there.
    """
    total = expectation.ring.zero
    for guards, factors, coefficient in expectation.terms():
        if all(truth(guard, state, expectation.language.arrays) for guard in guards):
            for factor in factors:
                coefficient = expectation.ring.multiply(coefficient, expectation.ring.probability(factor, state))
            total = expectation.ring.add(total, coefficient)
    return total


def by_ghosts(expectation: Expectation[C], ghosts: tuple[str, ...]) -> dict[tuple[Number, ...], C]:
    """Return the table of an expectation whose guards all fix ghosts: ``[g1 = v1]·[g2 = v2]`` gives ``(v1, v2)``.

    Raises:
        ValueError: if a guard is of another form.
    """
    table: dict[tuple[Number, ...], C] = {}
    for guards, factors, coefficient in expectation.terms():
        fixed = dict(_fixed_ghost(guard, expectation.language.arrays) for guard in guards)
        if factors or set(fixed) != set(ghosts):
            raise ValueError(f"the expectation is not a table over {ghosts}: {expectation}")
        key = tuple(fixed[ghost] for ghost in ghosts)
        table[key] = expectation.ring.add(table[key], coefficient) if key in table else coefficient
    return table


def _fixed_ghost(guard: Expression, arrays: Arrays) -> tuple[str, Number]:
    match guard:
        case tree.Binary(operator="==", left=tree.Name(id=ghost), right=right):
            return ghost, evaluate(right, {}, arrays)
        case _:
            raise ValueError(f"'{spelled(guard)}' does not fix a ghost variable")
