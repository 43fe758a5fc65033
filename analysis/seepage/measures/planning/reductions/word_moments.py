r"""Means and variances of sums and products of words, from means of products of their digits.

What is asked is multiplied out, :math:`\mathrm{Var}(v) = E[v^2] - E[v]^2`; then each product of at most two words is a sum over pairs of digits
(``engines/words/moments.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from seepage.engines.select import core_with
from seepage.engines.words.circuit import NOWHERE, Beyond
from seepage.engines.words.moments import WrittenProduct, written_product
from seepage.engines.words.reading import read
from seepage.measures import arithmetic
from seepage.measures.enclosure import Enclosure
from seepage.measures.joints import GHOST
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.reduction import Reduced
from seepage.measures.planning.reductions.signed import plain
from seepage.measures.quantity import Quantity, total
from seepage.semantics.core import CoreAssign
from seepage.semantics.expressions import without_parentheses
from seepage.semantics.slice import slice_program
from seepage.syntax.tree import Binary, Expression, Name, Number, Unary

_MOST_PRODUCTS = 64

_Products: TypeAlias = list[tuple[Fraction, tuple[Expression, ...]]]


def moments(question: Question, because: str) -> Reduced | None:
    """Pose a mean or a variance of wide values as means of products of digits.

    Args:
        question: ``E`` or ``Var`` of a value.
        because: for people.

    Raises:
        Beyond: if it is not told by products of at most two digits.
    """
    if question.value is None:
        return None
    whole = _multiplied_out(question.value)
    is_variance = question.measure.functional == "variance"
    means = _written(question, whole)
    squares = _written(question, _times(whole, whole)) if is_variance else ()
    questions = tuple(
        question.of_value(each.core, term, names, measure="E").without_formulas()
        for _, each in (*means, *squares)
        for _, term, names in each.terms
    )

    def fold(claims: Sequence[Claim]) -> Claim:
        found = iter(claims)
        mean = _added(means, found)
        result = arithmetic.subtract(_added(squares, found), arithmetic.multiply(mean, mean)) if is_variance else mean
        if not claims:
            return Quantity(result, question.measure.dimension, "discrete")
        return replace(plain(total(claims)), enclosure=result)

    return Reduced(questions, fold, "=", because)


_Written: TypeAlias = tuple[tuple[Fraction, WrittenProduct], ...]


def _written(question: Question, products: _Products) -> _Written:
    """Write each product of values over coins and small numbers."""
    if len(products) > _MOST_PRODUCTS:
        raise Beyond(f"more than {_MOST_PRODUCTS} products of wide values")
    inquiry = question.evaluation.inquiry
    found = []
    for factor, multiplied in products:
        if len(multiplied) > 2:
            raise Beyond("a product of more than two values with many values")
        names = [f"{GHOST}{place}" for place in range(len(multiplied))]
        if len(multiplied) == 2 and multiplied[0] is multiplied[1]:
            names[1] = names[0]
        ghosts = tuple(
            CoreAssign(Name(name, NOWHERE), each, NOWHERE)
            for name, each in dict(zip(names, multiplied, strict=True)).items()
        )
        core = core_with(question.core, ghosts)
        reading = read(slice_program(core, tuple(names)), inquiry.scope.parameters, inquiry.budget)
        found.append((factor, written_product(reading, core, tuple(names))))
    return tuple(found)


def _added(products: _Written, claims: Iterator[Claim]) -> Enclosure:
    """Add up what was asked, with factors."""
    whole = Enclosure.of_rational(Fraction(0))
    for factor, each in products:
        found = Enclosure.of_rational(each.constant)
        for times, _, _ in each.terms:
            found = arithmetic.add(found, arithmetic.multiply(Enclosure.of_rational(times), next(claims).enclosure))
        whole = arithmetic.add(whole, arithmetic.multiply(Enclosure.of_rational(factor), found))
    return whole


def _multiplied_out(written: Expression) -> _Products:
    """Return an expression as a sum of products with factors."""
    written = without_parentheses(written)
    match written:
        case Number(value=Fraction() | int() as value):
            return [(Fraction(value), ())]
        case Unary(operator="-", operand=operand):
            return _scaled(_multiplied_out(operand), Fraction(-1))
        case Binary(operator="+", left=left, right=right):
            return _multiplied_out(left) + _multiplied_out(right)
        case Binary(operator="-", left=left, right=right):
            return _multiplied_out(left) + _scaled(_multiplied_out(right), Fraction(-1))
        case Binary(operator="*", left=left, right=right):
            return _times(_multiplied_out(left), _multiplied_out(right))
        case Binary(operator="/", left=left, right=Number(value=Fraction() | int() as value)) if value:
            return _scaled(_multiplied_out(left), 1 / Fraction(value))
        case Binary(operator="^", left=left, right=Number(value=Fraction() | int() as value)) if value == 2:
            base = _multiplied_out(left)
            return _times(base, base)
        case _:
            return [(Fraction(1), (written,))]


def _scaled(products: _Products, factor: Fraction) -> _Products:
    return [(factor * each, multiplied) for each, multiplied in products]


def _times(first: _Products, second: _Products) -> _Products:
    if len(first) * len(second) > _MOST_PRODUCTS:
        raise Beyond(f"more than {_MOST_PRODUCTS} products of wide values")
    return [(a * b, (*one, *other)) for (a, one), (b, other) in product(first, second)]
