r"""Independent parts are asked one by one: :math:`(x_i, y_i)` that are independent of each other, as the text proves.

Informations and entropies add up, chances multiply, of losses of privacy the k greatest add up. What stands in no part, and what stands in a part without secret or
without output, tells nothing and is left out. Parts that differ in names only are asked once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from seepage.measures.planning.claim import Claim
from seepage.measures.planning.folding import Counted, largest, product_of, sum_of
from seepage.measures.planning.parts import Kind, Parts, Separate, parts_of
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.planning.table import Fold
from seepage.semantics.separation import separate

_DISTANCE = frozenset({"distance"})
_MOST_CHOICES = 64  # changed elements that are shared out among parts of several elements


def _apply(question: Question) -> Reduced | None:
    parts = parts_asked(question)
    return None if parts is None else by_parts(question, parts)


def by_parts(question: Question, parts: Parts) -> Reduced | None:
    """Pose the questions about parts, whose answers fold to that of a question; None where no fold is an equality."""
    if parts.count == 1:
        return _alone(question, parts)
    rule = next((rule for rule in question.measure.over_parts if rule.relation == "="), None)
    match None if rule is None else rule.fold:
        case Fold.SUM:
            return _folded(question, parts, sum_of)
        case Fold.PRODUCT:
            return _folded(question, parts, product_of)
        case Fold.LARGEST | Fold.CONVOLVED:
            return _losses(question, parts)
        case _:
            return None


def parts_asked(question: Question, separated: Separate = separate) -> Parts | None:
    """Return the parts that fold to the measure of a question of variables; None where it is one part of all that is asked."""
    x, y, given = question.x, question.y, question.given
    match question.measure.shape:
        case "value" | "law against law":
            return None
        case "of x given y" if question.measure.is_entropy:
            return parts_of(replace(question, y=()), x, y, True, False, separated)
        case "of x given y":
            return parts_of(question, (*x, *y), (), True, False, separated)
        case "x and y":
            return parts_of(question, (*x, *y), given, True, True, separated)
        case _ if given:
            return None  # z is at its worst value: parts with z of their own
        case _:
            return parts_of(question, (*x, *y), (), True, True, separated)


def posed_of(question: Question, kind: Kind, without: frozenset[str] = frozenset()) -> Question:
    """Pose a question about the first part of a kind."""
    if question.measure.is_entropy:
        return question.narrowed(kind.x, kind.given, without=without)
    return question.narrowed(kind.x, kind.y, kind.given, without)


def _alone(question: Question, parts: Parts) -> Reduced | None:
    """Ask of the only part that matters."""
    (kind,) = parts.kinds
    distance = question.argument("distance")
    without = frozenset[str]()
    if distance is not None and len(question.x) > 1:
        if not isinstance(distance, int) or distance < 1:
            return None
        without = _DISTANCE if distance >= len(kind.x) else without
    if question.measure.chooses_gain and len(kind.x) < len(question.x):
        return None  # a gain may read all of x
    return Reduced((posed_of(question, kind, without),), _only, "=", parts.because())


def _only(claims: Sequence[Claim]) -> Claim:
    return claims[0]


def _folded(question: Question, parts: Parts, fold: Callable[[Counted], Claim]) -> Reduced:
    counts = [kind.count for kind in parts.kinds]
    posed = tuple(posed_of(question, kind) for kind in parts.kinds)
    return Reduced(posed, lambda claims: fold(list(zip(claims, counts, strict=True))), "=", parts.because())


# --- losses of privacy ------------------------------------------------------------------------------------------------


def _losses(question: Question, parts: Parts) -> Reduced | None:
    """Of independent losses the greatest add up, as many as elements may differ; with a ``delta``, or for ``Delta``, where one may differ."""
    distance = question.argument("distance")
    if distance is not None and (not isinstance(distance, int) or distance < 1):
        return None
    whole = len(question.x) if distance is None else distance
    if whole > 1 and not _adds_up(question, parts):
        return None
    if all(len(kind.x) == 1 for kind in parts.kinds) or distance is None:
        most = parts.count if distance is None else distance
        counts = [kind.count for kind in parts.kinds]
        posed = tuple(posed_of(question, kind, _DISTANCE) for kind in parts.kinds)
        return Reduced(
            posed, lambda claims: largest(list(zip(claims, counts, strict=True)), most), "=", parts.because()
        )
    if distance == 1:
        posed = tuple(posed_of(question, kind, _DISTANCE if len(kind.x) == 1 else frozenset()) for kind in parts.kinds)
        return Reduced(posed, lambda claims: largest([(claim, 1) for claim in claims], 1), "=", parts.because())
    return None


def is_pure(question: Question) -> bool:
    """Tell whether a question is for a loss that holds for all outputs: DP without a delta."""
    if not question.measure.is_loss:
        return False
    delta = question.argument("delta")
    return delta is None or delta == 0


def _adds_up(question: Question, parts: Parts) -> bool:
    """Tell whether what is lost by changes of several parts is the sum of what each loses.

    So it is of DP without a delta, of divergences of one order, and of zCDP of parts that are all alike, each of which has its worst order where all have.
    """
    match question.measure.functional:
        case "loss":
            return is_pure(question)
        case "slope of moments":
            return len(parts.kinds) == 1
        case functional:
            return functional == "moment of loss"


INDEPENDENT_PARTS = Reduction(
    "independent parts",
    "Cover and Thomas 2006, sections 2.5 and 9.4; Alvim et al. 2020, sections 5.9 and 7.6; Dwork and Roth 2014, theorem 3.14",
    _apply,
)
