r"""The weakest pre-expectation transformer, one function for each row of the paper's Table 1.

==============================  ==================================================================================
S                               wp⟦S⟧(X)
==============================  ==================================================================================
``skip``                        X
``x := e``                      X[x ↦ e]
``x ~ D``                       λσ. Σ_v D_σ(v) · X[x ↦ v]
``observe b``                   [b] · X
``S₁; S₂``                      wp⟦S₁⟧(wp⟦S₂⟧(X))
``if b { S₁ } else { S₂ }``     [b] · wp⟦S₁⟧(X) + [¬b] · wp⟦S₂⟧(X)
==============================  ==================================================================================

(``for`` is unrolled before.) ``cwp⟦S⟧(X, Y) = (wp⟦S⟧(X), wp⟦S⟧(Y))``, and ⟦(X, Y)⟧ = X/Y. Observations that fail contribute 0,
so wp⟦S⟧(1) is the probability that all of them pass. The values of D must not depend on the state, its probabilities may; and
a random index is taken to pick an element that exists.

This is the definition that the forward engine is tested against: wp⟦S⟧(f)(σ) = Σ_τ P(σ → τ)·f(τ).

>>> from fractions import Fraction
>>> from seepage.engines.forward.coefficients import RATIONALS
>>> from seepage.engines.wpe.expectation import Language, iverson
>>> half, x = tree.Number(Fraction(1, 2), NOWHERE), tree.Name("x", NOWHERE)
>>> coin = tree.Family("bernoulli", (tree.Argument("p", half, NOWHERE),), NOWHERE, NOWHERE)
>>> post = iverson(tree.Binary("==", x, tree.Number(Fraction(1), NOWHERE), NOWHERE), RATIONALS, Language({}))
>>> print(wp((CoreSample(x, coin, NOWHERE),), post))
1/2
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import TypeVar, assert_never

from flint import arb

from seepage.diagnostics import Diagnostic, Fault
from seepage.distributions.arguments import bind
from seepage.distributions.families import Reading
from seepage.distributions.parameters import Place
from seepage.engines.wpe.expectation import (
    NOWHERE,
    Expectation,
    add,
    constant,
    guarded,
    substituted,
    weighted,
)
from seepage.exact import Number
from seepage.laws.discrete import FiniteLaw
from seepage.laws.table import DISCRETE_LAWS
from seepage.rules import NOT_SUPPORTED
from seepage.semantics.core import (
    CoreAssign,
    CoreIf,
    CoreLocal,
    CoreObserve,
    CoreSample,
    CoreStatement,
    CoreWhile,
    unsettled,
)
from seepage.semantics.evaluate import evaluate, spelled
from seepage.semantics.substitute import folded
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression

C = TypeVar("C")

_ONE = tree.Number(Fraction(1), NOWHERE)
_NO_LIMIT = 2**62  # on values: the definition has none


def wp(statements: tuple[CoreStatement, ...], post: Expectation[C]) -> Expectation[C]:
    """Return the weakest pre-expectation of statements in a row: the last one is taken first.

    Raises:
        Fault: a value is undefined where no guard protects it; a distribution whose values depend on the state.
    """
    return reduce(lambda expectation, statement: _statement(statement, expectation), reversed(statements), post)


def cwp(
    statements: tuple[CoreStatement, ...], pair: tuple[Expectation[C], Expectation[C]]
) -> tuple[Expectation[C], Expectation[C]]:
    """Return the conditional pre-expectation, the pair of both."""
    return wp(statements, pair[0]), wp(statements, pair[1])


def _statement(statement: CoreStatement, post: Expectation[C]) -> Expectation[C]:
    match statement:
        case CoreAssign(target=target, value=value):
            return assign(target, value, post)
        case CoreSample(target=target, distribution=distribution):
            return sample(target, distribution, post)
        case CoreObserve(condition=condition):
            return observe(condition, post)
        case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
            return branch(condition, wp(consequent, post), wp(alternative, post))
        case CoreWhile() | CoreLocal():
            unsettled(statement)
        case _:
            assert_never(statement)


def assign(target: tree.Target, value: Expression, post: Expectation[C]) -> Expectation[C]:
    r"""wp⟦x := e⟧(X) = X[x ↦ e]; ``a[i] := e`` replaces each ``a[k]`` by ``if i == k then e else a[k]``."""
    if isinstance(target, tree.Name):
        return substituted(post, {target.id: value})
    elements = {}
    for position in post.language.arrays.get(target.array, ()):
        name = f"{target.array}[{position}]"
        here = tree.Binary("==", target.index, tree.Number(Fraction(position), NOWHERE), NOWHERE)
        elements[name] = tree.Conditional(here, value, tree.Name(name, NOWHERE), NOWHERE)
    return substituted(post, elements)


def sample(target: tree.Target, distribution: Distribution, post: Expectation[C]) -> Expectation[C]:
    r"""wp⟦x ~ D⟧(X) = λσ. Σ_v D_σ(v) · X[x ↦ v]; the integral of the table is a sum, since supports are finite."""
    parts = (weighted(chance, assign(target, value, post)) for value, chance in support(distribution))
    return _sum(parts, post)


def observe(condition: Expression, post: Expectation[C]) -> Expectation[C]:
    """wp⟦observe b⟧(X) = [b] · X."""
    return guarded(condition, post)


def branch(condition: Expression, consequent: Expectation[C], alternative: Expectation[C]) -> Expectation[C]:
    """wp⟦if b { S₁ } else { S₂ }⟧(X) = [b] · wp⟦S₁⟧(X) + [¬b] · wp⟦S₂⟧(X), from the two pre-expectations."""
    otherwise = folded(tree.Unary("not", condition, condition.span))
    return add(guarded(condition, consequent), guarded(otherwise, alternative))


def _sum(parts: Iterable[Expectation[C]], like: Expectation[C]) -> Expectation[C]:
    return reduce(add, parts, constant(like.ring.zero, like.ring, like.language))


# --- supports ---------------------------------------------------------------------------------------------------------


def support(distribution: Distribution) -> Iterator[tuple[Expression, Expression]]:
    """Yield values and probabilities as expressions; the values may be computed, the number of trials may not."""
    match distribution:
        case tree.Table(entries=entries):
            yield from entries
        case tree.Mixture(parts=parts):
            for weight, part in parts:
                for value, chance in support(part):
                    yield value, folded(tree.Binary("*", weight, chance, NOWHERE))
        case tree.Family():
            yield from _family(distribution)
        case tree.Rows(draw=draw):
            for row, weight in enumerate(draw.weights.tolist()):
                yield tree.Number(Fraction(row), NOWHERE), tree.Number(Fraction(weight, draw.total), NOWHERE)
        case _:
            assert_never(distribution)


def _family(family: tree.Family) -> Iterator[tuple[Expression, Expression]]:
    law = DISCRETE_LAWS.get(family.name)
    if not isinstance(law, FiniteLaw):
        message = f"'{family.name}' has no finite list of values, as the pre-expectation needs"
        raise Fault(Diagnostic(NOT_SUPPORTED, family.span, message))
    bound = bind(family)
    given = Reading(bound.named, _Stateless({}, {}), family, bound.repeated, _Expressions(), _NO_LIMIT)
    for value, weight in law.masses(given):
        yield bound.repeated[value] if law.word.values is None else _number(value), weight


class _Stateless(Place):
    """No state: arguments that are no probabilities must not depend on it, and of probabilities that may it is not asked what they sum to."""

    def value(self, expression: Expression) -> Number:
        """As :meth:`Place.value`."""
        closed = folded(expression)
        if isinstance(closed, tree.Number):
            return evaluate(closed, {})
        message = f"the values of a law depend on '{spelled(expression)}', which the pre-expectation cannot have: they must be the same in all states"
        raise Fault(Diagnostic(NOT_SUPPORTED, expression.span, message))

    def resolved(self, expression: Expression) -> Expression:
        """As :meth:`Place.resolved`."""
        return expression

    def check_sum(self, weights: tuple[Expression, ...], span: Span) -> None:
        """As :meth:`Place.check_sum`."""


class _Expressions:
    """The ring of expressions."""

    zero: Expression = tree.Number(Fraction(0), NOWHERE)
    one: Expression = _ONE

    def add(self, a: Expression, b: Expression) -> Expression:
        return folded(tree.Binary("+", a, b, NOWHERE))

    def multiply(self, a: Expression, b: Expression) -> Expression:
        return folded(tree.Binary("*", a, b, NOWHERE))

    def complement(self, a: Expression) -> Expression:
        return folded(tree.Binary("-", _ONE, a, a.span))

    def rational(self, numerator: int, denominator: int = 1) -> Expression:
        return _number(Fraction(numerator, denominator))

    def is_zero(self, a: Expression) -> bool:
        return isinstance(a, tree.Number) and a.value == 0

    def probability(self, expression: Expression, state: Mapping[str, Number]) -> Expression:
        return expression

    def reals(self, compute: Callable[[int], Sequence[arb]]) -> Sequence[Expression]:
        raise Fault(Diagnostic(NOT_SUPPORTED, NOWHERE, "irrational probabilities have no expression"))


def _number(value: int | Fraction) -> Expression:
    return tree.Number(Fraction(value), NOWHERE)
