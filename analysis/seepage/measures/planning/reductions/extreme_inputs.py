r"""One bit that goes one way with the secret: only the least and the greatest value of the secret matter.

Let the chance :math:`w(s) = P(y = 1 \mid s)` never fall as s grows. All rows of the channel are mixtures of the two extreme ones, and no mixture of inputs tells more than its
parts: capacities, and suprema over pairs of rows, are those of a secret with these two values. Where s is uniform, the best guesses begin at the greatest value once y = 1 is
seen, and at the least once it is not, so that a value s of a … b is found at guess :math:`1 + y(b - s) + (1 - y)(s - a)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from seepage.engines.forward.class_widths import has_words
from seepage.measures import arithmetic
from seepage.measures.enclosure import Enclosure
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.quantity import NOWHERE
from seepage.measures.result import Companion
from seepage.measures.rounding import float_ends
from seepage.semantics.core import CoreAssign, CoreProgram, CoreSample
from seepage.semantics.monotone import Direction, direction
from seepage.semantics.slice import slice_program
from seepage.semantics.uniform_laws import uniform_range
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression, Name, Number

_PLACE = Span(0, 0)
_BITS = frozenset({"and", "or", "xor", "==", "!=", "<", "<=", ">", ">="})
_SOURCE = (
    "convexity of informations and divergences in the channel, Cover and Thomas 2006, theorem 2.7.4; "
    "guesses in the order of chances, Massey 1994, Guessing and entropy"
)


def _apply(question: Question) -> Reduced | None:
    measure = question.measure
    of_rows = measure.shape == "channel" and not measure.reads_prior and not measure.is_of_moments
    of_tries = measure.functional == "tries" and not question.call.named
    if not (of_rows or of_tries) or len(question.x) != 1 or len(question.y) != 1 or question.given:
        return None
    if question.states("distance") or question.call.gain is not None:
        return None
    sliced = slice_program(question.core, question.names)
    (secret,), (told,) = question.x, question.y
    if not _is_bit(sliced, told) or not has_words(sliced.statements, question.evaluation.scope.parameters):
        return None
    way = direction(sliced.statements, secret, told)
    ends = _ends(question, sliced, secret)
    if way is None or way is Direction.STAYS or ends is None:
        return None
    because = f"'{told}' is one bit that goes one way with '{secret}', of which only the ends matter"
    if of_rows:
        posed = question.of(_of_two_values(sliced, secret, ends), question.x, question.y)
        posed = replace(posed, call=replace(posed.call, named=question.call.named))
        return Reduced((posed.without_formulas(),), _as_found, "=", because)
    rank = _rank(secret, told, ends, way)
    before = Fraction(ends[1] - ends[0], 2) + 1

    def fold(claims: Sequence[Claim]) -> Claim:
        whole = arithmetic.add(Enclosure.of_rational(Fraction(1)), claims[0].enclosure)
        lower, value, upper = float_ends(Enclosure.of_rational(before))
        companions = (Companion("guesses before", "", value, lower, upper),)
        return replace(claims[0], enclosure=whole, formula=None, witness=NOWHERE, companions=companions)

    mean = question.of_value(sliced, rank, (secret, told), measure="E")
    return Reduced((mean.without_formulas(),), fold, "=", because)


def _as_found(claims: Sequence[Claim]) -> Claim:
    return claims[0]


def _is_bit(core: CoreProgram, name: str) -> bool:
    """Tell whether the last value of a variable is a truth value, or a comparison of some."""
    written = [each for each in core.statements if isinstance(each, CoreAssign) and each.target == Name(name, _PLACE)]
    if not written:
        return False
    value = written[-1].value
    while isinstance(value, tree.Parenthesized):
        value = value.inner
    return isinstance(value, tree.Binary) and value.operator in _BITS


def _ends(question: Question, core: CoreProgram, secret: str) -> tuple[int, int] | None:
    for each in core.statements:
        if isinstance(each, CoreSample) and each.target == Name(secret, _PLACE):
            return uniform_range(each.distribution, question.evaluation.scope.parameters)
    return None


def _of_two_values(core: CoreProgram, secret: str, ends: tuple[int, int]) -> CoreProgram:
    law = tree.Table(tuple((_number(each), _number(Fraction(1, 2))) for each in ends), _PLACE)
    statements = tuple(
        replace(each, distribution=law)
        if isinstance(each, CoreSample) and each.target == Name(secret, _PLACE)
        else each
        for each in core.statements
    )
    return replace(core, statements=statements)


def _rank(secret: str, told: str, ends: tuple[int, int], way: Direction) -> Expression:
    """Return how many values are guessed before the right one."""
    low, high = map(_number, ends)
    value = Name(secret, _PLACE)
    from_above = tree.Binary("-", high, value, _PLACE)
    from_below = tree.Binary("-", value, low, _PLACE)
    first, second = (from_above, from_below) if way is Direction.GROWS else (from_below, from_above)
    return tree.Conditional(Name(told, _PLACE), first, second, _PLACE)


def _number(value: Fraction | int) -> Number:
    return Number(Fraction(value), _PLACE)


EXTREME_INPUTS = Reduction("extreme inputs", _SOURCE, _apply)
