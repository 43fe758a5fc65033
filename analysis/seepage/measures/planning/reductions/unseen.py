r"""Who sees nothing knows no more: what is known of x without its outputs bounds what is known with them.

A constant is a function of every output, so it is the coarsest post-processing: :math:`V(x) \le V(x \mid y)`, :math:`H(x \mid y) \le H(x)`. Without outputs x
is often a product of parts, where the law of x and y together is too large.
"""

from __future__ import annotations

from seepage.engines.select import samples_continuous
from seepage.measures.planning.parts import need_meaning
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.planning.table import Relation
from seepage.semantics.slice import slice_program

_SOURCE = (
    "data processing, as for the terms of a sum: Cover and Thomas 2006, theorem 2.6.5; Alvim et al. 2020, chapter 5"
)
_NAMED = 3  # outputs that are named
_OPPOSITE: dict[Relation, Relation] = {"<=": ">=", ">=": "<="}


def _apply(question: Question) -> Reduced | None:
    relation = question.measure.under_processing
    if question.measure.shape != "of x given y" or not question.y or relation is None:
        return None
    if samples_continuous(slice_program(question.core, question.names).statements):
        return None  # what stands in for their laws has a number, and bounds beside it
    need_meaning(question, question.y)  # the question without them does not run what they depend on
    names = ", ".join(question.y) if len(question.y) <= _NAMED else f"{len(question.y):,} outputs"
    return Reduced(
        (question.of(question.core, question.x),),
        lambda claims: claims[0],
        _OPPOSITE[relation],
        f"whoever sees {names} knows at least as much as whoever does not",
    )


UNSEEN = Reduction("nothing seen", _SOURCE, _apply)
