"""What is computed of other outputs tells nothing more: who sees these can compute it, too.

An output that is assigned, and reads only other outputs, what is computed of outputs, and constants, is left out; so is what is guessed, or whose entropy is asked for,
where it is computed of other such variables, and surely is discrete.
"""

from __future__ import annotations

from seepage.measures.planning.parts import need_meaning
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.semantics.core_kinds import may_be_continuous
from seepage.semantics.separation import telling_of

_SHAPES = frozenset({"of x given y", "x and y", "channel"})
_NAMED = 3  # variables that are named


def _apply(question: Question) -> Reduced | None:
    if question.measure.shape not in _SHAPES or question.given:
        return None
    x, y = question.x, telling_of(question.core, question.y)
    if question.measure.shape != "channel" and not question.call.named:
        # A function of x beside x changes nothing, but for one with a density: the two together have none.
        telling = telling_of(question.core, x)
        is_dense = question.measure.shape == "of x given y"
        x = tuple(name for name in x if name in telling or (is_dense and may_be_continuous(question.core, name)))
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
