r"""Kullback–Leibler divergence where infinite supports were cut, in nats.

Let m and n be the known masses of the two sides, of sums M and N, and e and f what was cut off, of sums at most σ and τ, wherever it lies; W the values that n has.

* From below (Donsker and Varadhan 1983): :math:`D \ge E_p[g] - \log E_q[e^g]` for every function g; here
  :math:`g = \log \frac{m N}{n M}` where both masses are known, −200 where only n is, and 0 elsewhere. At the true masses the best g is the logarithm of their
  ratio, so nothing but what was cut off is lost.
* From above: with P = m + e and Q = n + f, :math:`M' D = \sum P \log (P / Q) + M' \log (N' / M')`, where
  :math:`\sum_W P \log (P / Q) \le \sum_W m \log (m / n) + \sigma (1 + \log^+ \frac{\max m + \sigma}{\min n})`, as Q ≥ n and :math:`\log (1 + t) \le t`. Outside of W the
  terms are at most 0 if P ≤ Q everywhere, as where p conditions q's distribution on an event; if p may have mass there and that is not known, nothing bounds them.
"""

from __future__ import annotations

from collections.abc import Mapping

from flint import arb

from seepage.engines.outcome import Budget
from seepage.measures.clock import timed
from seepage.measures.discrete.cutting import certified
from seepage.measures.discrete.weights import Values, total
from seepage.measures.enclosure import Enclosure
from seepage.measures.notes import Note, NoteKind
from seepage.measures.result import Certainty

_LOW = 200
_UNBOUNDED = Note(
    "no upper bound: how the tails of the two infinite supports compare is not known", NoteKind.NO_UPPER_BOUND
)


def cut_divergence(
    p: Mapping[Values, arb], p_left_out: arb, q: Mapping[Values, arb], q_left_out: arb, within: bool, budget: Budget
) -> Enclosure:
    """Enclose the divergence of masses from masses, each with a bound of the mass that was cut off; call it at the working precision.

    Args:
        p: known masses of the first side, not normalised.
        p_left_out: at least the mass cut off there, on the same scale.
        q: of the second side.
        q_left_out: there.
        within: whether each true mass of the first side is at most that of the second, both on one scale.
        budget: its deadline holds.

    Raises:
        OutOfTime: past the budget's deadline.
    """
    if q_left_out.is_zero() and not p.keys() <= q.keys():
        infinite = arb("inf")
        return Enclosure(infinite, infinite, infinite, Certainty.EXACT)
    p_mass, q_mass = total(p.values()), total(q.values())
    shared = {values: (mass, q[values]) for values, mass in timed(p.items(), budget) if values in q}
    ratios = {values: m / n for values, (m, n) in timed(shared.items(), budget)}
    known = sum((shared[values][0] * each.log() for values, each in timed(ratios.items(), budget)), arb(0))
    shift = (q_mass / p_mass).log()
    lower = _lower(shared, ratios, known, (p_mass, p_left_out), (q_mass, q_left_out), shift)
    notes: tuple[Note, ...]
    upper, notes = arb("inf"), (_UNBOUNDED,)
    if within or (p_left_out.is_zero() and len(shared) == len(p)):
        most = max((m.upper() for m, _ in shared.values()), default=arb(0)) + p_left_out
        span = (most / min(n.lower() for n in q.values())).log().max(arb(0))
        sum_above = (known + p_left_out * (1 + span)).upper()
        least_mass = p_mass if sum_above > 0 else p_mass + p_left_out
        upper, notes = (sum_above / least_mass + ((q_mass + q_left_out) / p_mass).log()).upper(), ()
    value = known / p_mass + shift
    found = certified(value if value > 0 else arb(0), lower, upper)
    return found if not notes else Enclosure(found.value, lower, upper, Certainty.CERTIFIED, notes=notes)


def _lower(
    shared: Mapping[Values, tuple[arb, arb]],
    ratios: Mapping[Values, arb],
    known: arb,
    p_side: tuple[arb, arb],
    q_side: tuple[arb, arb],
    shift: arb,
) -> arb:
    (p_mass, p_left_out), (q_mass, q_left_out) = p_side, q_side
    if not shared:
        return arb(0)
    p_shared, q_shared = total(m for m, _ in shared.values()), total(n for _, n in shared.values())
    least = min((each.log() + shift).lower() for each in ratios.values()).min(arb(-_LOW))
    greatest = max((each * q_mass / p_mass).upper() for each in ratios.values()).max(arb(1))
    mean = known + p_shared * shift + p_left_out * least
    mean /= p_mass + p_left_out if mean > 0 else p_mass
    alone = (q_mass - q_shared).max(arb(0)) * arb(-_LOW).exp()
    power = p_shared / p_mass + (alone + q_left_out * greatest) / q_mass
    bound = (mean - power.log()).lower()
    return bound if bound > 0 else arb(0)
