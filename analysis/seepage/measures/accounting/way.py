"""The way "privacy-loss accounting": ``DP`` with a δ and ``Delta`` of several independent releases, by the law of the loss of each pair of neighbours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from flint import arb

from seepage import exact
from seepage.engines.select import samples_continuous
from seepage.exact import ArithmeticFault, Number
from seepage.measures.accounting.account import Bounds, Releases, greatest
from seepage.measures.accounting.neighbouring import pairs_of
from seepage.measures.accounting.reading import Told, releases_for
from seepage.measures.channels.asked_channel import AskedChannel
from seepage.measures.clock import OutOfTime
from seepage.measures.discrete.weights import Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.question import Question
from seepage.measures.planning.refusal import Refusal
from seepage.measures.privacy.neighbours import TooManyNeighbours
from seepage.measures.privacy.noise_reading import NotRead
from seepage.measures.privacy.questions import closeness_of, told_of_pair
from seepage.measures.result import Certainty
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import walk

_MOST_PAIRS = 64
_FEW_OUTPUTS = 13  # discrete ones alone, which one law holds


def applies(question: Question) -> bool:
    """Tell whether a question is for ``Delta``, or ``DP`` with a δ, of several outputs."""
    if question.measure.name not in ("DP", "Delta") or question.given or len(question.y) < 2:
        return False
    if question.measure.name == "DP" and not question.states("delta"):
        return False
    if len(question.y) > _FEW_OUTPUTS:
        return True
    return samples_continuous(walk(slice_program(question.core, question.names).statements))


def by_accounting(question: Question) -> Claim | Refusal:
    """Answer from the laws of the losses.

    Raises:
        Fault: of the program, or of the measure at its place.
    """
    asked = AskedChannel(question.evaluation, question.call, question.x, question.y, ())
    argument = asked.argument("eps" if question.measure.name == "Delta" else "delta")
    if argument is None or exact.sign(argument) < 0 or (question.measure.name == "DP" and exact.sign(argument) == 0):
        return Refusal("does not apply", "no δ is allowed")
    closeness = closeness_of(asked)
    try:
        told, near = pairs_of(question.core, question.x, question.y, closeness, question.evaluation.inquiry)
        found = _worst(question, told, list(islice(near, _MOST_PAIRS + 1)), argument)
    except NotRead:
        return Refusal(
            "does not apply",
            "the outputs are no independent releases of discrete values behind normal or Laplace noise",
        )
    except TooManyNeighbours as many:
        return Refusal("too large", many.reason)
    except OutOfTime as late:
        return Refusal("no time", "the time limit was reached", late)
    except ArithmeticFault as undecided:
        return Refusal("undecided", undecided.reason, undecided)
    if found is None:
        return Refusal("too large", "there are too many pairs of neighbours")
    bounds, pair = found
    return replace(told_of_pair(asked, _enclosure(bounds), *pair), engine="accounting")


def _worst(
    question: Question, told: Sequence[Told], near: Sequence[tuple[Values, Values]], argument: Number
) -> tuple[Bounds, tuple[Values, Values]] | None:
    """Return bounds of the greatest number over pairs of neighbours, and the pair where it is so; None of too many."""
    if not near or len(near) > _MOST_PAIRS:
        return None
    budget = question.evaluation.inquiry.budget

    def stop() -> None:
        if budget.expired():
            raise OutOfTime

    kinds: dict[Releases, tuple[Values, Values]] = {}
    for pair in near:
        kinds.setdefault(releases_for(told, *pair), pair)
    every = [releases for releases in kinds if releases.parts]
    if not every:
        return Bounds(0.0, 0.0), near[0]
    found, at = greatest(every, argument, of_delta=question.measure.name == "DP", stop=stop)
    return found, kinds[every[at]]


def _enclosure(bounds: Bounds) -> Enclosure:
    lower, upper = arb(bounds.lower), arb(bounds.upper)
    if not math.isfinite(bounds.upper):
        certainty = Certainty.EXACT if not math.isfinite(bounds.lower) else Certainty.CERTIFIED
        return Enclosure(lower, lower, upper, certainty)
    return Enclosure.bounded((lower + upper) / 2, lower, upper, Certainty.CERTIFIED)
