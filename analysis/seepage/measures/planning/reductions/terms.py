r"""Who sees the terms of a sum sees the sum: what they tell bounds what it tells.

The sum is a function of its terms, so publishing it in their place is post-processing: informations, capacities, losses and chances to guess can only fall, what
remains unknown can only grow. The terms are often independent parts, one a person, where the sum is one law of all of them.
"""

from __future__ import annotations

from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.semantics.accumulation import Accumulation, accumulation
from seepage.semantics.slice import independent, sink, slice_program

_SOURCE = "data processing: Cover and Thomas 2006, theorem 2.8.1; Alvim et al. 2020, chapter 9; Dwork and Roth 2014, proposition 2.1"


def terms_of(question: Question) -> Accumulation | None:
    """Return the program of a question with the terms of its one output as variables, which tell all that the output does; else None."""
    if len(question.y) != 1 or question.y[0] in question.x or question.given:
        return None
    found = accumulation(sink(slice_program(question.core, (*question.x, *question.y))), question.y[0])
    if found is None or not independent(found.core, question.x, question.y, found.terms):
        return None
    return found


def _apply(question: Question) -> Reduced | None:
    relation = question.measure.under_processing
    if relation is None or (found := terms_of(question)) is None:
        return None
    posed = question.of(found.core, question.x, found.terms)
    because = (
        f"'{question.y[0]}' is a sum of {len(found.terms):,} terms, and who sees all of them is told at least as much"
    )
    return Reduced((posed,), lambda claims: claims[0], relation, because)


TERMS = Reduction("terms of a sum", _SOURCE, _apply)
