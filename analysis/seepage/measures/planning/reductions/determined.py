"""What is computed of other outputs tells nothing more: who sees these can compute it, too.

An output that is assigned, and reads only other outputs, what is computed of outputs, and constants, is left out; so is what is guessed, or whose entropy is asked for,
where it is computed of other such variables.
"""

from __future__ import annotations

from seepage.measures.planning.parts import need_meaning
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.semantics.separation import telling_of

_SHAPES = frozenset({"of x given y", "x and y", "channel"})
_NAMED = 3  # variables that are named


def _apply(question: Question) -> Reduced | None:
    if question.measure.shape not in _SHAPES or question.given:
        return None
    x, y = question.x, telling_of(question.core, question.y)
    if question.measure.shape != "channel" and not question.call.named:
        x = telling_of(question.core, x)  # a function of x beside x changes nothing
    kept = {*x, *y}
    left_out = tuple(name for name in (*question.x, *question.y) if name not in kept)
    if not left_out or not x or (question.y and not y):
        return None
    need_meaning(question, left_out)
    named = ", ".join(left_out) if len(left_out) <= _NAMED else f"{len(left_out):,} of the variables"
    because = f"{named} can be computed of the others"
    return Reduced((question.narrowed(x, y),), lambda claims: claims[0], "=", because)


DETERMINED = Reduction(
    "computed of others", "data processing in both directions, Cover and Thomas 2006, theorem 2.8.1", _apply
)
