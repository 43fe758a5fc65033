r"""Draws with a density that are only held against places: which cell between these they lie in is asked about in their place.

Let all that a program reads of a draw x be its cell c(x), and let the law of x be fixed. Then x is independent of all else given c(x), so that :math:`I(x; y) = I(c(x); y)`,
also where such draws stand on several sides, and :math:`h(x \mid y) = h(x) - I(c(x); y)`; the channel from x to y is that from c(x), of which all cells with a chance are inputs: what is a
supremum over values of x is one over these cells. Two values at most d apart lie in two given cells where the gap between these is less than d, or d and its ends belong to them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import TypeAlias

from seepage import exact
from seepage.distributions.families import support
from seepage.distributions.parameters import Place
from seepage.engines.cut_draws import Cut, CutDraws, cut_draws
from seepage.engines.forward.coefficients import balls
from seepage.engines.select import core_with, samples_continuous
from seepage.exact import Number
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.estimate import is_small
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.planning.reductions.signed import plain, signed_sum
from seepage.semantics.core import CoreAssign, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import walk
from seepage.source import Span
from seepage.syntax.tree import Family, Name, NeighbourTable, Table
from seepage.syntax.tree import Number as Literal

_SOURCE = "sufficiency: Cover and Thomas 2006, section 2.9"
_NOWHERE = Span(0, 0)
_Found: TypeAlias = tuple[tuple[Question, ...], Callable[[Sequence[Claim]], Claim | None], int]
_BITS = 64  # of chances of which only is asked whether they are 0
_MOST_CELLS = 4_096
_ASKED = "@asked"  # no name of the language holds an @


def _apply(question: Question) -> Reduced | None:
    if question.other is not None or not samples_continuous(slice_program(question.core, question.names).statements):
        return None
    found = _of_value(question) if question.measure.is_of_value else _of_variables(question)
    if found is None:
        return None
    questions, fold, count = found
    if question.core.parameters:  # at whose present values draws are cut
        questions = tuple(each.without_formulas() for each in questions)
    because = (
        f"{count:,} draws are only held against fixed numbers"
        if count > 1
        else "a draw is only held against fixed numbers"
    )
    return Reduced(questions, fold, "=", because)


def _of_value(question: Question) -> _Found | None:
    """Pose a chance, a mean or a variance."""
    if question.value is None or is_small(question):
        return None  # which has a closed form, or a number at once
    core = core_with(question.core, (CoreAssign(Name(_ASKED, _NOWHERE), question.value, _NOWHERE),))
    found = _cut(question, core, (_ASKED,), frozenset())
    if found is None:
        return None
    posed = question.of_value(found.core, Name(_ASKED, _NOWHERE), (_ASKED,))
    return (posed,), lambda claims: claims[0], len(found.cuts)


def _of_variables(question: Question) -> _Found | None:
    """Pose a measure of variables, some of which may be cells; of an entropy of some that are, what is told of them is taken away."""
    found = _cut(question, question.core, question.names, _may_be_cells(question))
    if found is None:
        return None
    if question.measure.is_entropy and not found.cuts.keys().isdisjoint(question.x):
        before, told = (
            question.of(question.core, question.x),
            question.of(found.core, question.x, question.y, measure="I"),
        )
        return (before, told), lambda claims: signed_sum((1, -1), claims), len(found.cuts)
    posed = question.of(found.core, question.x, question.y, question.given)
    posed = replace(posed, call=replace(posed.call, left=question.call.left, named=question.call.named))
    if found.cuts.keys().isdisjoint(question.x):
        return (posed,), lambda claims: claims[0], len(found.cuts)
    if not question.measure.reads_prior:
        posed = _evenly(posed, found)
    near = _near(posed, found) if question.states("distance") else posed
    return None if near is None else ((near,), lambda claims: plain(claims[0]), len(found.cuts))


def _cut(question: Question, core: CoreProgram, names: Sequence[str], tells: frozenset[str]) -> CutDraws | None:
    sliced = slice_program(core, tuple(names))
    return cut_draws(sliced, question.evaluation.scope.parameters, tells, frozenset(names) - tells)


def _may_be_cells(question: Question) -> frozenset[str]:
    """Return the variables of which a measure needs no more than what the others tell of them."""
    measure, sides = question.measure, (question.x, question.y, question.given)
    if sum(map(len, sides)) > len(question.names):
        return frozenset()  # what is told of a value by itself
    match measure.shape:
        case "x and y":
            return frozenset(question.names)
        case "channel":
            return frozenset(question.names) - frozenset(question.x if measure.reads_prior else ())
        case "of x given y":
            is_split = measure.is_entropy and question.y and not question.given and not question.is_under_an_event
            return frozenset(question.names if is_split else question.y)
        case _:
            return frozenset()


def _evenly(posed: Question, found: CutDraws) -> Question:
    """Return a question of a channel in which the inputs that are cells are equally likely, which does not change it: so it may be rational where their chances are not."""
    drawn = {found.draws[name] for name in posed.x if name in found.draws}

    def even(statement: CoreStatement) -> CoreStatement:
        is_input = (
            isinstance(statement, CoreSample) and isinstance(statement.target, Name) and statement.target.id in drawn
        )
        if not isinstance(statement, CoreSample) or not is_input:
            return statement
        numbers = _numbers(posed, statement)
        chance = Literal(Fraction(1, len(numbers)), _NOWHERE)
        return replace(statement, distribution=Table(tuple((_literal(each), chance) for each in numbers), _NOWHERE))

    core = replace(posed.core, statements=tuple(map(even, posed.core.statements)))
    again = posed.of(core, posed.x, posed.y, posed.given)
    return replace(again, call=posed.call)


def _numbers(posed: Question, drawn: CoreSample) -> list[int]:
    """Return the numbers of the cells that have a chance."""
    place = Place(posed.evaluation.scope.parameters, posed.core.arrays)
    return [
        value for value, _ in support(drawn.distribution, place, balls(_BITS), _MOST_CELLS) if isinstance(value, int)
    ]


# --- neighbours -------------------------------------------------------------------------------------------------------


def _near(posed: Question, found: CutDraws) -> Question | None:
    """Return a question in which those cells are neighbours that hold values near enough; None where that is not seen."""
    match posed.call.left:
        case (only,) if not isinstance(only, Name) or only.id not in posed.core.arrays:
            pass
        case _:
            return posed  # neighbours differ in so many inputs
    distance, (name,) = posed.argument("distance"), posed.x
    source = Name(found.draws[name], _NOWHERE)
    drawn = next(each for each in found.core.statements if isinstance(each, CoreSample) and each.target == source)
    observes = any(isinstance(each, CoreObserve) for each in walk(found.core.statements))
    if distance is None or observes or not isinstance(drawn.distribution, Family):
        return None  # a mixture may have gaps, and an observation rules cells out
    every = list(permutations(_numbers(posed, drawn), 2))
    near = [pair for pair in every if _are_near(found.cuts[name], min(pair), max(pair), distance)]
    named = tuple(each for each in posed.call.named if each.name != "distance")
    if len(near) == len(every):
        return replace(posed, call=replace(posed.call, named=named))
    if not near:
        return None
    entries = tuple(((_literal(one),), (_literal(other),)) for one, other in near)
    return replace(posed, call=replace(posed.call, named=named, relation=NeighbourTable(entries, _NOWHERE)))


def _are_near(cut: Cut, low: int, high: int, distance: Number) -> bool:
    """Tell whether two cells hold values at most so far apart."""
    # A cell has an even number; an odd one is that of a place, which the draw is then.
    upper, lower = cut.places[low // 2], cut.places[(high - 1) // 2]
    order = exact.compare(exact.sub(lower, upper), distance)
    holds_ends = (low % 2 or upper in cut.below) and (high % 2 or lower in cut.above)
    return order < 0 or (order == 0 and bool(holds_ends))


def _literal(value: int) -> Literal:
    return Literal(Fraction(value), _NOWHERE)


CELLS_OF_DRAWS = Reduction("cells of draws", _SOURCE, _apply)
