r"""The divergence of two laws on 0, 1, 2, …, single draws, over their whole support.

With the logarithms of probabilities

.. math:: \log \mathrm{geometric}_p(k) = \log p + k \log (1 - p), \qquad \log \mathrm{poisson}_\lambda(k) = -\lambda + k \log \lambda - \log k!,

the divergence is :math:`E_P[\alpha + \beta k + \gamma \log k!]` with :math:`\gamma \in \{-1, 0, 1\}`. Without the last term the mean is all that it needs.
Otherwise it is summed over a window (:mod:`seepage.distributions.infinite`), and what lies outside changes it by at most
:math:`E[|\alpha| + |\beta| k + k^2]` there, as :math:`\log k! \le k^2`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from flint import arb

from seepage.distributions.infinite import InfiniteLaw, TooWide, window
from seepage.exact import Number, precision
from seepage.measures.discrete.weights import BITS
from seepage.measures.enclosure import Enclosure
from seepage.measures.formulas.infinite_laws import single_draw
from seepage.measures.result import Certainty
from seepage.semantics.core import CoreProgram

_TAIL_BITS, _LONGEST = 256, 100_000


def divergence(left: CoreProgram, x: str, right: CoreProgram, y: str, at: Mapping[str, Number]) -> Enclosure | None:
    """Return KL(x || y) in nats for single draws from geometric and Poisson laws, None for anything else.

    Args:
        left: the program of x, which has been run at ``at`` without a fault.
        x: compared.
        right: the program of y.
        y: with x.
        at: the values of all parameters.
    """
    p, q = (single_draw(core, name, at) for core, name in ((left, x), (right, y)))
    if p is None or q is None or p.is_point or q.is_point:
        return None
    with precision(BITS):
        (a, b, c), (d, e, f) = p.logarithm(BITS), q.logarithm(BITS)
        alpha, beta, gamma = a - d, b - e, c - f
        if gamma == 0:
            if p == q:
                return Enclosure.of_rational(Fraction(0))
            found = alpha + beta * p.average(BITS)
            return Enclosure.bounded(found, found.lower().max(arb(0)), found.upper())
    try:
        seen = window(InfiniteLaw(p.kind, p.parameter), BITS, _TAIL_BITS, _LONGEST)
    except TooWide:
        return None
    with precision(BITS):
        total = arb(0)
        for k, mass in enumerate(seen.masses, seen.first):
            total += mass * (alpha + beta * k + gamma * arb(k + 1).lgamma())
        outside = abs(alpha) * seen.outside() + abs(beta) * seen.outside_moment(1) + seen.outside_moment(2)
        lower, upper = (total - outside).lower().max(arb(0)), (total + outside).upper()
        return Enclosure.bounded(total, lower, upper, Certainty.CERTIFIED)
