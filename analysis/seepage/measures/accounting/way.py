"""The way "privacy-loss accounting": ``DP`` and ``Delta`` of several independent releases, by the law of the loss of each pair of neighbours."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from flint import arb

from seepage import exact
from seepage.engines.outcome import Budget
from seepage.engines.select import samples_continuous
from seepage.exact import Number, precision
from seepage.measures.accounting.account import Bounds, Releases, greatest
from seepage.measures.accounting.largest import NoForm, exact_loss, greatest_number, largest_loss
from seepage.measures.accounting.neighbouring import kinds_of, pairs_of
from seepage.measures.accounting.reading import Told
from seepage.measures.channels.asked_channel import AskedChannel
from seepage.measures.clock import OutOfTime
from seepage.measures.discrete.weights import Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.estimate import is_integral
from seepage.measures.planning.question import Question
from seepage.measures.planning.refusal import Refusal
from seepage.measures.privacy.closeness import is_per_unit
from seepage.measures.privacy.noise_reading import NotRead
from seepage.measures.privacy.questions import told_of_pair
from seepage.measures.result import Certainty
from seepage.semantics.slice import slice_program

_MOST_PAIRS = 64  # of unlike ones, whose losses are composed
_MOST_LOSSES = 20_000  # pairs of neighbours
_BITS = 300
_FEW_OUTPUTS = 13  # discrete ones alone, which one law holds


def applies(question: Question) -> bool:
    """Tell whether a question is for ``Delta`` or ``DP`` of several outputs that one law does not hold well."""
    if not question.measure.is_of_losses or question.given or len(question.y) < 2:
        return False
    if is_per_unit(question.call):
        return False
    if len(question.y) > _FEW_OUTPUTS or question.core.rounds:
        return True
    if question.measure.is_loss and not question.states("delta"):
        return is_integral(question)
    return samples_continuous(slice_program(question.core, question.names).statements)


def by_accounting(question: Question) -> Claim | Refusal:
    """Answer from the laws of the losses.

    Raises:
        Fault: of the program, or of the measure at its place.
    """
    asked = AskedChannel(question.evaluation, question.call, question.x, question.y, ())
    argument = asked.argument("delta") or 0 if question.measure.is_loss else asked.argument("eps")
    if argument is None or exact.sign(argument) < 0:
        return Refusal("does not apply", "no ε is claimed")
    closeness = asked.closeness()
    allows_none = question.measure.is_loss and exact.sign(argument) == 0
    try:
        told, near = pairs_of(question.core, question.x, question.y, closeness, question.evaluation.inquiry)
        if allows_none:
            with precision(_BITS):
                return _largest(asked, told, near, question.evaluation.inquiry.budget)
        found = _worst(question, told, near, argument)
    except (NotRead, NoForm):
        return Refusal(
            "does not apply",
            "the outputs are no independent releases of discrete values behind normal or Laplace noise",
        )
    if found is None:
        return Refusal("too large", "there are too many pairs of neighbours")
    bounds, pair = found
    return replace(told_of_pair(asked, _enclosure(bounds), *pair), engine="accounting")


def _largest(
    asked: AskedChannel, told: Sequence[Told], near: Iterable[tuple[Values, Values]], budget: Budget
) -> Claim | Refusal:
    """Return the greatest loss of all outputs over pairs of neighbours: that of independent releases is the sum of theirs."""
    kinds = kinds_of(told, near, _MOST_LOSSES, budget)
    if kinds is None:
        return Refusal("too large", "there are too many pairs of neighbours")
    if not kinds:
        return Refusal("does not apply", "no two values are neighbours")
    losses = {releases: largest_loss(releases) for releases in kinds}
    worst = max(losses, key=lambda each: float(losses[each].mid()))
    upper = max((each.upper() for each in losses.values()), key=float)
    every = list(losses)
    number = greatest_number(list(losses.values()), lambda at: exact_loss(every[at]))
    if number is not None:
        found = Enclosure.of_number(number)
    else:
        found = Enclosure.bounded(losses[worst], losses[worst].lower(), upper, Certainty.EXACT)
    return replace(told_of_pair(asked, found, *kinds[worst]), engine="accounting")


def _worst(
    question: Question, told: Sequence[Told], near: Iterable[tuple[Values, Values]], argument: Number
) -> tuple[Bounds, tuple[Values, Values]] | None:
    """Return bounds of the greatest number over pairs of neighbours, and the pair where it is so; None of too many."""
    budget = question.evaluation.inquiry.budget

    def stop() -> None:
        if budget.expired():
            raise OutOfTime

    kinds = kinds_of(told, near, _MOST_LOSSES, budget, _MOST_PAIRS)
    if kinds is None:
        return None
    is_claimed = not question.measure.is_loss
    every = [each for each in kinds if each.parts and not (is_claimed and _loses_less(each, argument))]
    if not every:
        return (Bounds(0.0, 0.0), next(iter(kinds.values()))) if kinds else None
    found, at = greatest(every, argument, of_delta=question.measure.is_loss, stop=stop)
    return found, kinds[every[at]]


def _loses_less(releases: Releases, claimed: Number) -> bool:
    """Tell whether no output loses more than a claimed ε, so that nothing exceeds it."""
    try:
        with precision(_BITS):
            return bool(largest_loss(releases) < exact.enclose(claimed, _BITS))
    except NoForm:
        return False


def _enclosure(bounds: Bounds) -> Enclosure:
    lower, upper = arb(bounds.lower), arb(bounds.upper)
    if not math.isfinite(bounds.upper):
        certainty = Certainty.EXACT if not math.isfinite(bounds.lower) else Certainty.CERTIFIED
        return Enclosure(lower, lower, upper, certainty)
    return Enclosure.bounded((lower + upper) / 2, lower, upper, Certainty.CERTIFIED)
