r"""Inputs that outputs depend on through a few functions of them only: the functions are asked about in their place.

Let :math:`W(y \mid x) = K(f(x), y)`. Then :math:`I(x; y) = I(f(x); y)` and :math:`H(x \mid y) = H(x) - I(f(x); y)`, and what is a largest or smallest value over all inputs, or over all priors of them, is one over the values
of f: capacities, losses and divergences between any two inputs. (Of continuous inputs informations and entropies only: a capacity bounds their own power.) A count of many people behind noise has few values, where all of their answers are too many for one law.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from seepage.engines.select import samples_continuous
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.estimate import has_many_components, is_large
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.planning.reductions.signed import plain, signed_sum
from seepage.measures.sufficiency import cut_between
from seepage.semantics.slice import slice_program

_SOURCE = "sufficiency: Cover and Thomas 2006, section 2.9; Csiszár and Körner 2011, chapter 6"


def _apply(question: Question) -> Reduced | None:
    measure = question.measure
    is_over_values = measure.shape == "channel" and not measure.reads_prior and not question.states("distance")
    if not (measure.is_of_entropies or is_over_values) or question.given or question.is_under_an_event:
        return None
    if len(question.x) < 2 or set(question.x) & set(question.y) or not question.y:
        return None
    continuous = measure.is_of_entropies and _is_continuous(question)
    if not (continuous or is_large(question) or has_many_components(question)):
        return None
    found = cut_between(question.core, question.x, question.y)
    if found is None:
        return None
    core, told = found
    many = f"{len(told):,} function{'s' * (len(told) > 1)}"
    because = f"the outputs depend on {len(question.x):,} inputs through {many} of them"
    if measure.is_entropy:
        before, tells = question.of(question.core, question.x), question.of(core, told, question.y, measure="I")
        return Reduced((before, tells), partial(_difference, continuous), "=", because)
    return Reduced((question.of(core, told, question.y),), lambda claims: plain(claims[0]), "=", because)


def _difference(continuous: bool, claims: Sequence[Claim]) -> Claim | None:
    return signed_sum((1, -1), claims, telling=None) if continuous else signed_sum((1, -1), claims)


def _is_continuous(question: Question) -> bool:
    """Tell whether the inputs are made of continuous draws, of which no more than a joint law in few dimensions is ever integrated."""
    return samples_continuous(slice_program(question.core, question.x).statements)


SUFFICIENT = Reduction("function of the inputs", _SOURCE, _apply)
