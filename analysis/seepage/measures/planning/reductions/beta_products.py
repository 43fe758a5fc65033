r"""Products of beta draws that are one beta draw: a share of a stick that is broken piece by piece, asked about without the others.

For independent :math:`X \sim \mathrm{beta}(p, q)` and :math:`Y \sim \mathrm{beta}(p + q, r)`, :math:`X Y \sim \mathrm{beta}(p, q + r)`, and :math:`1 - X \sim \mathrm{beta}(q, p)`. So a value
:math:`b_k \prod_{j<k} (1 - b_j)` of a draw from ``dirichlet`` has the beta law of its shape and the sum of the others: the draws that it is made of are read nowhere else
in the program, once what a question does not depend on is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.distributions.arguments import bind
from seepage.laws.beta import Beta
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.semantics.copies import can_be_copied
from seepage.semantics.core import CoreAssign, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import nodes
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import expressions_of, may_write, walk
from seepage.source import Span
from seepage.syntax.tree import Argument, Binary, Expression, Family, Name, Parenthesized
from seepage.syntax.tree import Number as Literal

_NOWHERE = Span(0, 0)
_SHAPES = frozenset({"of x given y", "x and y", "channel"})
_SOURCE = "Johnson, Kotz and Balakrishnan 1995, Continuous Univariate Distributions, volume 2, section 25.8"


@dataclass(frozen=True, slots=True)
class _Beta:
    first: Fraction
    second: Fraction

    def times(self, other: _Beta) -> _Beta | None:
        """Return the law of the product of independent values of two such laws, where it is one."""
        for x, y in ((self, other), (other, self)):
            if x.first + x.second == y.first:
                return _Beta(x.first, x.second + y.second)
        return None


def _apply(question: Question) -> Reduced | None:
    if question.measure.shape not in _SHAPES or not any(_is_beta(each) for each in question.core.statements):
        return None
    core = slice_program(question.core, question.names)
    if question.other is not None or question.is_under_an_event or not can_be_copied(core.statements):
        return None
    draws = _betas(question, core)
    drawn: dict[str, _Beta] = {}  # so far
    statements, joined = list[CoreStatement](), 0
    for statement in core.statements:
        match statement:
            case CoreSample(target=Name(id=name)) if name in draws:
                drawn[name] = draws[name]
            case CoreAssign(value=value) if law := _law_of_product(value, drawn):
                statements.append(_drawn(statement, law))
                joined += 1
                continue
        statements.append(statement)
    if not joined:
        return None
    simpler = replace(core, statements=tuple(statements))
    asked = question.of(simpler, question.x, question.y, question.given)
    return Reduced((asked,), lambda claims: claims[0], "=", "a product of draws from 'beta' has a 'beta' law itself")


def _betas(question: Question, core: CoreProgram) -> Mapping[str, _Beta]:
    """Return the beta draws outside of branches that are not asked about and are read once, by their names."""
    read = Counter(
        node.id
        for statement in walk(core.statements)
        for expression in expressions_of(statement)
        for node in nodes(expression)
        if isinstance(node, Name)
    )
    written = Counter(name for statement in core.statements for name in may_write(core, (statement,)))
    found: dict[str, _Beta] = {}
    for statement in core.statements:
        match statement:
            case CoreSample(target=Name(id=name), distribution=Family() as family) if _is_beta(statement):
                if read[name] == written[name] == 1 and name not in question.names and (law := _law(question, family)):
                    found[name] = law
    return found


def _is_beta(statement: CoreStatement) -> bool:
    return (
        isinstance(statement, CoreSample)
        and isinstance(statement.distribution, Family)
        and statement.distribution.name == Beta.name
    )


def _shapes(family: Family) -> list[Expression]:
    given = bind(family)
    return [given.named[name] for name in ("a", "b")]


def _law(question: Question, family: Family) -> _Beta | None:
    try:
        first, second = (evaluate(each, dict(question.evaluation.scope.parameters)) for each in _shapes(family))
    except Fault:
        return None
    if isinstance(first, int | Fraction) and isinstance(second, int | Fraction):
        return _Beta(Fraction(first), Fraction(second))
    return None


def _law_of_product(value: Expression, draws: Mapping[str, _Beta]) -> _Beta | None:
    """Return the law of a product of two and more of the draws, or of what they leave of 1, where it is a beta law."""
    factors = [_factor(each, draws) for each in _factors(value)]
    laws = [each for each in factors if each is not None]
    if len(laws) < max(2, len(factors)):
        return None
    while len(laws) > 1:
        joined = next(
            ((i, k, law) for i in range(len(laws)) for k in range(i) if (law := laws[i].times(laws[k])) is not None),
            None,
        )
        if joined is None:
            return None
        i, k, law = joined
        laws = [each for at, each in enumerate(laws) if at not in (i, k)] + [law]
    return laws[0]


def _factors(value: Expression) -> list[Expression]:
    match value:
        case Parenthesized(inner=inner):
            return _factors(inner)
        case Binary(operator="*", left=left, right=right):
            return [*_factors(left), *_factors(right)]
        case _:
            return [value]


def _factor(value: Expression, draws: Mapping[str, _Beta]) -> _Beta | None:
    match value:
        case Name(id=name) if name in draws:
            return draws[name]
        case Binary(operator="-", left=Literal(value=one), right=Name(id=name)) if one == 1 and name in draws:
            return _Beta(draws[name].second, draws[name].first)
        case _:
            return None


def _drawn(statement: CoreAssign, law: _Beta) -> CoreStatement:
    shapes = tuple(Argument(None, Literal(each, _NOWHERE), _NOWHERE) for each in (law.first, law.second))
    return CoreSample(statement.target, Family(Beta.name, shapes, _NOWHERE, statement.span), statement.span)


BETA_PRODUCTS = Reduction("products of beta draws", _SOURCE, _apply)
