r"""Releases of the same secrets that are independent given these: what two tell is what each tells, less what they tell of each other.

Let outputs A and B be independent given x. Then :math:`H(A, B \mid x) = H(A \mid x) + H(B \mid x)`, so that

.. math:: I(x; A, B) = I(x; A) + I(x; B) - I(A; B),

where :math:`I(A; B)` is at most either of the others (data processing). So an output that reads many secrets, as a count, is taken from outputs that read one each, as
randomised answers, which are independent parts without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seepage.exact import precision
from seepage.measures.arithmetic import WORKING_BITS, worst
from seepage.measures.enclosure import Enclosure
from seepage.measures.planning.claim import Claim, is_settled
from seepage.measures.planning.estimate import is_large
from seepage.measures.planning.question import Names, Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.planning.reductions.signed import plain, signed_sum
from seepage.semantics.separation import separate

_SOURCE = "chain rule: Cover and Thomas 2006, theorems 2.5.2 and 2.8.1"
_NAMED = 3  # outputs that are named
_TELLING = 1 << 40  # times the width of what is left, which it must at least be


def _apply(question: Question) -> Reduced | None:
    if not _is_asked(question) or question.given or len(question.x) < 2 or len(question.y) < 3:
        return None
    if set(question.x) & set(question.y) or not is_large(question) or (found := _parted(question)) is None:
        return None
    apart, beside = found
    sides = ((question.x, apart), (question.x, beside), (beside, apart))
    named = ", ".join(beside[:_NAMED]) + (", …" if len(beside) > _NAMED else "")
    because = f"because the outputs are independent given the inputs: {named} beside the rest"
    if question.measure.is_information:
        return Reduced(tuple(question.narrowed(*each) for each in sides), _told, "=", because)
    before, told = (
        question.of(question.core, question.x),
        [question.of(question.core, *each, measure="I") for each in sides],
    )
    return Reduced((before, *told), _left, "=", because)


def _is_asked(question: Question) -> bool:
    """Tell whether an information is asked for, or what it leaves of an entropy."""
    measure = question.measure
    return measure.is_information or (measure.is_entropy and not question.is_under_an_event)


def _left(claims: Sequence[Claim]) -> Claim | None:
    told = _told(claims[1:])
    return None if told is None else signed_sum((1, -1), (claims[0], told), _TELLING)


def _parted(question: Question) -> tuple[Names, Names] | None:
    """Return outputs that fall into independent parts without the others, and the others: those that read most of the inputs."""
    given = separate(question.core, question.y, question.x)
    beside = given.constants
    if not beside:
        most = max(given.parts, key=lambda part: len(part.held))
        beside = most.names if len(most.held) > 1 else ()
    if not beside:
        return None
    apart = tuple(name for name in question.y if name not in beside)
    parts = separate(question.core, (*question.x, *apart)).parts
    return (apart, beside) if sum(1 for part in parts if set(part.names) & set(apart)) > 1 else None


def _told(claims: Sequence[Claim]) -> Claim | None:
    if all(map(is_settled, claims)) and (found := signed_sum((1, 1, -1), claims)) is not None:
        return found
    one, other, common = (claim.enclosure for claim in claims)
    with precision(WORKING_BITS):
        most = common.upper.min(one.upper).min(other.upper)
        lower = one.lower.max(other.lower).max(one.lower + other.lower - most)
        upper = one.upper + other.upper - common.lower.max(common.lower * 0)
        certainty = worst(claim.enclosure.certainty for claim in claims)
        between = Enclosure.bounded((lower + upper) / 2, lower.lower(), upper.upper(), certainty)
    return replace(plain(claims[0]), enclosure=between)


SEVERAL_RELEASES = Reduction("several releases", _SOURCE, _apply)
