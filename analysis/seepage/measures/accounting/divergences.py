"""``Renyi`` and ``zCDP`` of channels, from the independent releases that a program makes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from flint import arb

from seepage import exact, rules
from seepage.exact import precision
from seepage.measures.accounting.account import Releases
from seepage.measures.accounting.largest import NoForm
from seepage.measures.accounting.neighbouring import kinds_of, pairs_of
from seepage.measures.accounting.reading import Told
from seepage.measures.accounting.renyi import Bounds, concentration, divergence
from seepage.measures.channels.asked_channel import AskedChannel
from seepage.measures.channels.channel import is_exact
from seepage.measures.clock import OutOfTime
from seepage.measures.discrete.weights import Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.question import Question
from seepage.measures.privacy.neighbours import Closeness, TooManyNeighbours, neighbourhoods, pairs
from seepage.measures.privacy.noise_reading import NotRead
from seepage.measures.privacy.questions import told_of_pair
from seepage.measures.quantity import Quantity
from seepage.measures.result import Certainty
from seepage.measures.scope import fail

_BITS = 300
_MOST_PAIRS = 80_000
"""Pairs of neighbours; equal releases are looked at once."""


def renyi(asked: AskedChannel) -> Quantity:
    """Evaluate ``Renyi``: the greatest Rényi divergence of an order between the outputs for neighbours, in natural units.

    Raises:
        Fault: of the program, or of the measure at its place.
    """
    alpha = asked.argument("alpha")
    if alpha is None:
        fail(rules.UNFIT_MEASURE, asked.place, "'Renyi' without an order 'alpha': write Renyi(x -> y, alpha=2)")
    if exact.compare(alpha, 1) < 0:
        asked.unfit("alpha", exact.show(alpha), "a number that is at least 1")
    return _greatest(asked, lambda releases: divergence(releases, alpha))


def concentrated(asked: AskedChannel) -> Quantity:
    """Evaluate ``zCDP``: the least ρ such that the divergence of each order α is at most ρ·α.

    Raises:
        Fault: as :func:`renyi`.
    """
    return _greatest(asked, concentration)


def divergences_of_rounds(question: Question) -> Claim:
    """Answer ``Renyi`` or ``zCDP`` of a program in which one round of a loop stands for many, without a formula.

    Raises:
        Fault: as :func:`renyi`.
    """
    asked = AskedChannel(question.evaluation, question.call, question.x, question.y, ())
    return renyi(asked) if question.measure.functional == "moment of loss" else concentrated(asked)


def _greatest(asked: AskedChannel, bounds: Callable[[Releases], Bounds]) -> Quantity:
    if asked.z:
        fail(rules.UNFIT_MEASURE, asked.place, f"found '|' in '{asked.call.name}', which holds nothing at its worst")
    closeness = asked.closeness()
    if asked.is_useless():
        return Quantity(Enclosure.of_number(0), 0, "dependence")
    inquiry = asked.evaluation.inquiry
    try:
        try:
            told, near = pairs_of(inquiry.scope.core, asked.x, asked.y, closeness, inquiry)
        except NotRead:
            if inquiry.scope.core.rounds:
                raise  # a channel counts no rounds
            told, near = _by_channel(asked, closeness)
        if (kinds := kinds_of(told, near, _MOST_PAIRS, inquiry.budget)) is None:
            fail(rules.BUDGET_EXCEEDED, asked.place, f"more than {_MOST_PAIRS:,} pairs of neighbours")
        found: list[tuple[Bounds, tuple[Values, Values]]] = []
        with precision(_BITS):
            for releases, pair in kinds.items():
                if inquiry.budget.expired():
                    raise OutOfTime
                found.append((bounds(releases), pair))
            return replace(_told(asked, found), engine="accounting")
    except (NotRead, NoForm):
        message = (
            f"not supported yet: '{asked.call.name}' of other outputs than discrete ones, and values of discrete inputs "
            "behind independent normal or Laplace noise"
        )
        fail(rules.NOT_SUPPORTED, asked.place, message)
    except TooManyNeighbours as many:
        fail(rules.BUDGET_EXCEEDED, asked.place, f"too many neighbours: {many.reason}")


def _by_channel(asked: AskedChannel, closeness: Closeness) -> tuple[tuple[Told, ...], Iterable[tuple[Values, Values]]]:
    """Return all outputs as one release, and the pairs of neighbours, where the outputs are discrete.

    Raises:
        NotRead: if their chances are not known exactly.
        TooManyNeighbours: if there are.
        Fault: of the program; continuous variables.
    """
    channel = asked.channel()
    if not is_exact(channel):
        raise NotRead
    told = Told({tuple(range(len(asked.x))): 1}, channel.rows, len(asked.y), ())
    return (told,), pairs(neighbourhoods(tuple(channel.rows), closeness))


def _told(asked: AskedChannel, found: list[tuple[Bounds, tuple[Values, Values]]]) -> Quantity:
    if not found:
        return told_of_pair(asked, Enclosure.of_number(0), None, None)
    leader, pair = found[0]
    for one, where in found[1:]:
        if one.lower > leader.lower:
            leader, pair = one, where
    lower, upper = leader.lower.lower(), leader.upper.upper()
    for one, _ in found:
        upper = one.upper.upper() if one.upper.upper() > upper else upper
    lower = lower if lower > 0 else arb(0)
    if not upper.is_finite():
        certainty = Certainty.CERTIFIED if lower.is_finite() else Certainty.EXACT
        return told_of_pair(asked, Enclosure(lower, lower, upper, certainty), *pair)
    narrow = upper - lower <= upper * arb(2) ** -100 or upper <= arb(2) ** -100
    certainty = Certainty.EXACT if narrow else Certainty.CERTIFIED
    return told_of_pair(asked, Enclosure.bounded((lower + upper) / 2, lower, upper, certainty), *pair)
