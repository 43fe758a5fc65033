r"""What a bounded sum tells behind noise: at most what the entropy of an output of known spread leaves.

Let an output be :math:`T + N + e`, all independent, T a function of x in an interval of width d whose variance is at most v, and e noise. Then
:math:`I(x; o) \le I(T; T + e) = h(T + e) - h(e)`. A normal law has the greatest entropy for a variance and a Laplace law for a mean distance from a place m:

.. math:: I \le \tfrac12 \log(1 + v / \sigma^2), \qquad I \le \log \mathrm E |T - m + e| / b,

where :math:`\mathrm E |s + e| = |s| + b e^{-|s| / b} \le b + s^2 / 2b` for Laplace noise of scale b. Independent terms of widths :math:`w_i` have :math:`v \le \sum w_i^2 / 4`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flint import arb

from seepage import exact
from seepage.engines.moved_sums import Term
from seepage.exact import Number, enclose, precision
from seepage.laws.laplace import Laplace
from seepage.laws.normal import Normal
from seepage.measures.arithmetic import WORKING_BITS
from seepage.measures.enclosure import Enclosure
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.question import Question
from seepage.measures.planning.records import Records, records_of
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.result import Certainty
from seepage.measures.units import in_unit

_SOURCE = "data processing, and laws of greatest entropy: Cover and Thomas 2006, theorems 2.8.1 and 12.1.1"


def _apply(question: Question) -> Reduced | None:
    if not question.measure.is_information or len(question.y) != 1 or (records := records_of(question)) is None:
        return None
    noises = [(term, records.others[0][term]) for term in records.noises if term.noise is not None]
    if not noises:
        return None

    def claim(_: Sequence[Claim]) -> Claim:
        with precision(WORKING_BITS):
            most = min((each for term, factor in noises for each in _bounds(records, term, factor)), key=float)
            found = Enclosure.bounded(most, arb(0), most.upper(), Certainty.CERTIFIED)
            return in_unit(question.evaluation.unit, found, None)

    return Reduced((), claim, "<=", f"'{question.y[0]}' moves with a sum of known range behind noise")


def _bounds(records: Records, term: Term, factor: Number) -> Iterator[arb]:
    """Yield upper bounds in nats."""
    widths, by = [enclose(exact.number(each)) for each in records.widths], enclose(factor)
    variance = sum((each * each / 4 for each in widths), arb(0))
    match term.noise:
        case Normal(parameters=(spread,)):
            yield (1 + variance / (enclose(spread) * by * by)).log() / 2
        case Laplace(parameters=(size,)):
            scale = enclose(size) * abs(by)
            yield (1 + variance / (2 * scale * scale)).log()
            half = sum(widths, arb(0)) / (2 * scale)
            yield (half + (-half).exp()).log()


BOUNDED_SIGNAL = Reduction("a bounded sum behind noise", _SOURCE, _apply)
