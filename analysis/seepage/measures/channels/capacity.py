r"""Shannon capacity and min-capacity of a channel, in nats, with a certificate.

.. math:: C = \max_p I(p, W) = \min_q \max_x D(W_x \,\|\, q), \qquad C_{\min} = \log \sum_y \max_x W(y|x)

(Cover and Thomas 2006, "Elements of information theory", theorem 13.1.1; Braun, Chatzikokolakis and Palamidessi 2009, "Quantitative
notions of leakage for one-try attacks"). Any prior p gives a lower bound, the information :math:`\sum_x p_x D(W_x \| q)` for its own output
distribution q, and any output distribution an upper bound, :math:`\max_x D(W_x \| q)`; both are computed in balls for one prior, however that was found
(:mod:`seepage.measures.channels.capacity_search`). Where every input of the support has the same divergence term by term, as the uniform prior has
for symmetric channels, the two bounds are one number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import reduce

from flint import arb, fmpq

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.exact import Number, precision
from seepage.measures.channels.capacity_search import best_prior
from seepage.measures.channels.channel import Channel, Row, is_exact
from seepage.measures.clock import timed
from seepage.measures.discrete.entropy import non_negative
from seepage.measures.discrete.weights import BITS, Values
from seepage.measures.discrete.whole_bits import information_bits
from seepage.measures.enclosure import Enclosure
from seepage.measures.notes import Note, NoteKind
from seepage.measures.result import Certainty

INFINITE_INPUTS = Note(
    "no upper bound is known: the inputs are infinitely many, and priors over all of them count",
    NoteKind.NO_UPPER_BOUND,
)

_DENOMINATOR = 1_000
_ROUNDING = arb(2) ** -120  # of a gap that is only rounding, relative to the capacity


@dataclass(frozen=True, slots=True)
class Capacity:
    """A capacity in nats, in bits where that is rational, and the prior of the lower bound (over some of the inputs)."""

    nats: Enclosure
    bits: Fraction | None
    prior: Mapping[Values, Fraction]


def capacity(
    channel: Channel[Number] | Channel[arb], balls: Channel[arb], all_inputs: bool, budget: Budget
) -> Capacity:
    """Return the capacity of a channel.

    Args:
        channel: in closed form where it is known so.
        balls: the same channel in balls.
        all_inputs: whether the rows are all that there are.
        budget: the deadline.

    Raises:
        OutOfTime: past the budget's deadline.
    """
    distinct = _distinct(channel)
    uniform = {one: Fraction(1, len(distinct)) for one in distinct}
    if len(distinct) == 1 and not balls.missing and is_exact(channel):
        return Capacity(Enclosure.of_rational(Fraction(0)), Fraction(0), uniform)
    with precision(BITS):
        found = _attempt(channel, balls, uniform, budget)
        if not found.optimal:
            rough = best_prior(balls, distinct, budget)
            for prior in (rough, _readable(rough)):
                other = _attempt(channel, balls, prior, budget)
                if other.optimal or other.gap < found.gap:
                    found = other
        if found.optimal:
            nats = non_negative(found.lower, arb(len(balls.rows)).log())
            return Capacity(nats, _bits(channel, found.prior), found.prior)
        return Capacity(_enclosed(balls, found.lower, found.upper, all_inputs), None, found.prior)


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A prior, the bounds that it gives, and whether it is known to be the best one: then ``lower`` is the capacity."""

    prior: Mapping[Values, Fraction]
    lower: arb
    upper: arb
    optimal: bool

    @property
    def gap(self) -> arb:
        """How far the bounds are apart."""
        return self.upper.upper() - self.lower.lower()


def _attempt(
    channel: Channel[Number] | Channel[arb], balls: Channel[arb], prior: Mapping[Values, Fraction], budget: Budget
) -> _Attempt:
    divergences = divergences_from(balls, prior, budget)
    lower, upper = arb(0), arb(0)
    for one, divergence in divergences.items():
        if one in prior:
            lower += arb(prior[one].numerator) / prior[one].denominator * divergence
        upper = upper.max(divergence) if divergence.is_finite() and upper.is_finite() else arb.pos_inf()
    found = _Attempt(prior, lower, upper, optimal=False)
    if not is_exact(channel) or balls.missing or not found.gap <= upper * _ROUNDING:
        return found
    short = all(share.denominator <= _DENOMINATOR**2 for share in prior.values())
    return replace(found, optimal=short and _is_optimal(channel, prior, divergences))


def divergences_from(channel: Channel[arb], prior: Mapping[Values, Fraction], budget: Budget) -> dict[Values, arb]:
    """Return for each input the divergence of its row from the output distribution of a prior; infinity where that lacks an output."""
    outputs: dict[Values, arb] = {}
    for one, share in prior.items():
        weight = arb(share.numerator) / share.denominator
        for to, probability in channel.rows[one].items():
            outputs[to] = outputs.get(to, arb(0)) + weight * probability
    return {one: _divergence(row, outputs) for one, row in timed(channel.rows.items(), budget)}


def _readable(prior: Mapping[Values, Fraction]) -> dict[Values, Fraction]:
    """Return the fractions with small denominators next to the shares of a prior, which may be what they were meant to be."""
    near = {one: share.limit_denominator(_DENOMINATOR) for one, share in prior.items()}
    whole = sum(near.values())
    return {one: share / whole for one, share in near.items() if share}


def _divergence(row: Row[arb], outputs: Mapping[Values, arb]) -> arb:
    total = arb(0)
    for to, probability in row.items():
        if to not in outputs:
            return arb.pos_inf()
        total += probability * (probability / outputs[to]).log()
    return total


def _enclosed(channel: Channel[arb], lower: arb, upper: arb, all_inputs: bool) -> Enclosure:
    """Return the capacity between two bounds, widened by what was cut.

    With B the event that the output is one of those cut off, of probability at most m for each input, I(x; y) is at least
    I(x; y, B) − H(B), and at most I(x; y, B), in which B and the outputs that were cut count at most :math:`m (1 + \\log k + k/e)` for k inputs.
    """
    low, high = lower.lower().max(arb(0)), upper.upper()
    if channel.missing:
        missing = reduce(arb.max, channel.missing.values()).upper()
        count = arb(len(channel.rows))
        high = (high + missing * (1 + count.log() + count / arb(1).exp())).upper()
        low = (low - _coin(missing)).lower().max(arb(0))
    if not all_inputs:
        return Enclosure.bounded(low, low, arb.pos_inf(), Certainty.CERTIFIED, notes=(INFINITE_INPUTS,))
    high = high.min(arb(len(channel.rows)).log().upper())
    certainty = Certainty.EXACT if high - low <= high * _ROUNDING else Certainty.CERTIFIED
    return Enclosure.bounded((low + high) / 2, low, high, certainty)


def _coin(probability: arb) -> arb:
    """Return an upper bound of the entropy of a coin whose probability is at most the given one."""
    if not probability < 0.5:
        return arb.const_log2()
    if probability.is_zero():
        return arb(0)
    return -probability * probability.log() - (1 - probability) * (-probability).log1p()


def min_capacity(channel: Channel[Number], budget: Budget) -> Number:
    """Return :math:`\\sum_y \\max_x W(y|x)`, of which the min-capacity is the logarithm.

    Raises:
        ArithmeticFault: if two probabilities cannot be told apart, or the sum grows too large.
        OutOfTime: past the budget's deadline.
    """
    greatest: dict[Values, Number] = {}
    for row in channel.rows.values():
        for to, probability in timed(row.items(), budget):
            known = greatest.get(to)
            if known is None or exact.compare(probability, known) > 0:
                greatest[to] = probability
    return reduce(exact.add, greatest.values())


def min_capacity_bounds(channel: Channel[arb], budget: Budget) -> arb:
    """Return a ball that holds the same sum over the inputs that the channel has.

    Raises:
        OutOfTime: past the budget's deadline.
    """
    with precision(BITS):
        greatest: dict[Values, arb] = {}
        for row in channel.rows.values():
            for to, probability in timed(row.items(), budget):
                greatest[to] = greatest[to].max(probability) if to in greatest else probability
        missing = sum(channel.missing.values(), arb(0))
        return sum(greatest.values(), arb(0)) + arb(0).union(missing.upper())


# --- what symmetry gives ----------------------------------------------------------------------------------------------


def _distinct(channel: Channel[Number] | Channel[arb]) -> tuple[Values, ...]:
    """Return inputs with different rows, one for each row; in balls, different as floats."""
    first: dict[frozenset[tuple[Values, object]], Values] = {}
    for one, row in channel.rows.items():
        key = frozenset((to, float(p.mid()) if isinstance(p, arb) else p) for to, p in row.items())
        first.setdefault(key, one)
    return tuple(first.values())


def _is_optimal(channel: Channel[Number], prior: Mapping[Values, Fraction], divergences: Mapping[Values, arb]) -> bool:
    """Tell whether the divergences of the rows of a prior from its output distribution are equal, term by term, and no other is greater.

    (For the uniform prior, Gallager's symmetric channels; Gallager 1968, "Information theory and reliable communication", theorem 4.5.2.)
    """
    outputs: dict[Values, Number] = {}
    for one, share in prior.items():
        for to, probability in channel.rows[one].items():
            part = exact.mul(exact.number(share), probability)
            outputs[to] = exact.add(outputs[to], part) if to in outputs else part

    def terms(one: Values) -> dict[Number, Number]:
        """Return what the logarithm of each ratio is multiplied by."""
        factors: dict[Number, Number] = {}
        for to, probability in channel.rows[one].items():
            ratio = exact.div(probability, outputs[to]) if to in outputs else 0
            factors[ratio] = exact.add(factors.get(ratio, 0), probability)
        return factors

    first = next(iter(prior))
    expected, level = terms(first), divergences[first]
    return all((one not in prior and divergences[one] < level) or terms(one) == expected for one in channel.rows)


def _bits(channel: Channel[Number] | Channel[arb], prior: Mapping[Values, Fraction]) -> Fraction | None:
    """Return the information at a prior in bits, where that is rational."""
    masses: dict[Values, fmpq] = {}
    for place, (one, share) in enumerate(prior.items()):
        for to, probability in channel.rows[one].items():
            if isinstance(probability, arb) or (rational := exact.to_fraction(probability)) is None:
                return None
            part = share * rational
            masses[(place, *to)] = fmpq(part.numerator, part.denominator)
    width = len(next(iter(masses))) - 1
    y = tuple(f"y{i}" for i in range(width))
    joint = DiscreteJoint(("x", *y), RATIONALS, masses, fmpq(1))
    return information_bits(joint, ((1, ("x",)), (1, y), (-1, ("x", *y))))
