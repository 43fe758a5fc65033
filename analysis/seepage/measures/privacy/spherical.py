r"""``DP`` of points that are published behind noise which looks the same from all sides (:mod:`seepage.engines.spherical`).

The slope of the negative logarithm of its density is :math:`c K_{\nu-1}(cr)/K_\nu(cr)`, which for :math:`\nu \ge 1/2` is at most c, and tends to c far out. So
places that are Δ apart lose at most :math:`c |\Delta|` by the triangle inequality, and no less: outputs on the line through both places, beyond one of them, come as near to it as one
likes. If places are random, and their laws for two inputs are one law moved by Δ, each part of the quotient tends to that in this direction.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce

from seepage import exact
from seepage.diagnostics import Fault
from seepage.engines.outcome import DiscreteJoint
from seepage.engines.select import solve
from seepage.engines.spherical import Spherical, spherical_noise
from seepage.exact import ArithmeticFault, Number
from seepage.laws.forms import Beyond
from seepage.measures.channels.asked_channel import AskedChannel
from seepage.measures.channels.channel import channels
from seepage.measures.discrete.weights import Values
from seepage.measures.privacy.neighbours import Closeness, TooManyNeighbours
from seepage.measures.privacy.release_questions import Released, moves_between
from seepage.measures.privacy.releases import Move
from seepage.semantics.slice import slice_program

_LEAST_ORDER = Fraction(1, 2)


def spherical_loss(asked: AskedChannel, closeness: Closeness) -> Released | None:
    """Return ``DP(x -> y | z)`` of discrete inputs behind such noise, or a bound of it; None if the program is no such mechanism.

    It is one of programs without faults.
    """
    inquiry = asked.evaluation.inquiry
    core = slice_program(inquiry.scope.core, (*asked.x, *asked.y, *asked.z))
    try:
        noise = spherical_noise(core, asked.y, inquiry.scope.parameters, (*asked.x, *asked.z))
        if noise.noisy != asked.y or noise.order < _LEAST_ORDER:
            return None
        return _worst(asked, noise, closeness)
    except (Beyond, Fault, ArithmeticFault, TooManyNeighbours):
        return None


def _worst(asked: AskedChannel, noise: Spherical, closeness: Closeness) -> Released | None:
    """Return the loss; in the program without noise the outputs are their places."""
    inquiry = asked.evaluation.inquiry
    joint = solve(noise.places, (*asked.x, *asked.y, *asked.z), inquiry.scope.parameters, inquiry.budget)
    if not isinstance(joint, DiscreteJoint) or joint.cut is not None:
        return None
    worst: tuple[Number, Move, Values] | None = None
    for given, channel in channels(joint, asked.x, asked.y, asked.z, inquiry.budget).items():
        for move in moves_between(channel, closeness, [None] * len(asked.y)):
            loss = exact.mul(noise.rate, _length(move.distances))
            order = 1 if worst is None else exact.compare(loss, worst[0])
            if worst is None or order > 0 or (order == 0 and move.tight):
                worst = loss, move, given
    if worst is None:
        return None
    loss, move, given = worst
    return Released(loss, move.tight, move.of, move.against, given, None, noise.draws)


def _length(distances: Sequence[Number]) -> Number:
    if len(distances) == 1:
        return distances[0]
    return exact.sqrt_(reduce(exact.add, (exact.mul(each, each) for each in distances)))
