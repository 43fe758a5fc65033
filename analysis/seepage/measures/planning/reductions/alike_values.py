r"""Inputs that only have names: the capacity is the information at equal chances.

Where a program only copies the values of x and compares them for equality, every permutation :math:`\pi` of them has
:math:`W(\pi o \mid \pi x) = W(o \mid x)`. Information is concave in the prior, so averaging a best prior over all permutations does not lower it: the uniform one is best.
"""

from __future__ import annotations

from dataclasses import replace

from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.quantity import Witness
from seepage.semantics.slice import slice_program
from seepage.semantics.symmetry import renamable

_SOURCE = (
    "Gallager 1968, Information Theory and Reliable Communication, theorem 4.5.2; Cover and Thomas 2006, theorem 2.7.4"
)


def _apply(question: Question) -> Reduced | None:
    if not question.measure.is_capacity or len(question.x) != 1 or question.given:
        return None
    core = slice_program(question.core, question.names)
    parameters = question.evaluation.scope.parameters
    found = renamable(core.statements, question.x[0], question.names, parameters)
    if found is None:
        return None
    low, high = found.values
    witness = Witness(f"prior uniform over {high - low + 1} values")
    return Reduced(
        (question.of(question.core, question.x, question.y, measure="I"),),
        lambda claims: replace(claims[0], witness=witness),
        "=",
        f"the values of '{question.x[0]}' are only copied and compared, so equal chances are the best prior",
    )


ALIKE_VALUES = Reduction("alike values", _SOURCE, _apply)
