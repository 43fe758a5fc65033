r"""Rényi divergences of pairs of laws: :math:`D_\alpha(P \| Q) = \frac{1}{\alpha - 1} \log E_Q (P/Q)^\alpha`, the limits at 1 (Kullback and Leibler's) and ∞ included.

They add up over independent releases (van Erven, Harremoës 2014, "Rényi Divergence and Kullback-Leibler Divergence"). Closed forms: normal laws :math:`d` deviations apart have
:math:`\alpha d^2/2`; Laplace laws :math:`\lambda` scales apart
:math:`\frac{1}{\alpha - 1} \log(\frac{\alpha}{2\alpha - 1} e^{(\alpha - 1)\lambda} + \frac{\alpha - 1}{2\alpha - 1} e^{-\alpha\lambda})` (Mironov 2017, "Rényi Differential Privacy"); of places
that are random behind normal noise against one place, at a whole α, the power is a sum of products of normal densities (Mironov, Talwar, Zhang 2019). The other
direction is at most that one where all places are 0 or one other (theorem 5 there).

zCDP is the least ρ with :math:`D_\alpha \le \rho\alpha` for all :math:`\alpha > 1` (Bun, Steinke 2016): :math:`D_\alpha` rises with α, so between a and b its quotient is at most :math:`D_b/a`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from flint import arb, fmpz

from seepage.data_classes import dataclass
from seepage.exact import Number, sub
from seepage.measures.accounting.account import Releases
from seepage.measures.accounting.cell import Pair
from seepage.measures.accounting.discrete import Discrete, Published, ball
from seepage.measures.accounting.largest import NoForm, largest_loss, log_ratio
from seepage.measures.accounting.mixtures import Laplaces, Normals, max_of

_MOST_ORDER = 2_000  # of a sum of so many terms
_MOST_STEPS = 2_000
_CELLS = 500  # on each side of 0


@dataclass(frozen=True, slots=True)
class Bounds:
    """Balls that a number is not below, and not above."""

    lower: arb
    upper: arb

    def plus(self, other: Bounds, times: int) -> Bounds:
        """Return bounds of the sum with a multiple of another number."""
        return Bounds(self.lower + other.lower * times, self.upper + other.upper * times)


def divergence(releases: Releases, alpha: Number) -> Bounds:
    """Return bounds of the divergence of one ordered pair of neighbours, at the precision of the caller.

    Raises:
        NoForm: if it is not known for some release.
    """
    total = Bounds(arb(0), arb(0))
    for pair, count in releases.parts:
        total = total.plus(_one(pair, alpha), count)
    return total


def _one(pair: Pair, alpha: Number) -> Bounds:
    match pair:
        case Discrete(outputs):
            exact = _discrete(outputs, ball(alpha), alpha == 1)
        case Normals(of=((one, _),), against=((other, _),)):
            exact = ball(alpha) * ball(sub(one, other)) ** 2 / 2
        case Laplaces(of=((one, _),), against=((other, _),)):
            exact = _laplace(abs(ball(sub(one, other))), ball(alpha), alpha == 1)
        case Normals(of=of, against=((middle, _),)):
            exact = _subsampled([(ball(sub(place, middle)), ball(chance)) for place, chance in of], _whole(alpha))
        case Normals(of=((middle, _),), against=against) if len(against) == 2 and any(p == middle for p, _ in against):
            above = _subsampled([(ball(sub(place, middle)), ball(chance)) for place, chance in against], _whole(alpha))
            return Bounds(arb(0), above)
        case Published(outputs):
            return _published(outputs, alpha)
        case Laplaces():
            return _by_cells(pair, ball(alpha), alpha == 1)
        case _:
            raise NoForm
    return Bounds(exact, exact)


def _published(outputs: Sequence[tuple[Number, Number, Pair]], alpha: Number) -> Bounds:
    r"""Return the divergence of a discrete output and a release that depends on it: powers :math:`e^{(\alpha - 1) D}` are means over the output."""
    ends = [arb(0), arb(0)]
    for p, q, behind in outputs:
        if p == 0:
            continue
        if q == 0:
            return Bounds(arb.pos_inf(), arb.pos_inf())
        inner = _one(behind, alpha)
        for side, one in enumerate((inner.lower, inner.upper)):
            loss = log_ratio(p, q) + one
            ends[side] += ball(p) * (loss if alpha == 1 else ((ball(alpha) - 1) * loss).exp())
    lower, upper = ends if alpha == 1 else (end.log() / (ball(alpha) - 1) for end in ends)
    return Bounds(lower, upper)


def _by_cells(pair: Laplaces, alpha: arb, is_one: bool) -> Bounds:
    """Return bounds from cells of outputs: taken as one they tell less, and split between the ends of their losses they tell more."""
    far = max((abs(float(pair.loss_at(place).mid())) for place in pair.places), default=0.0)
    lower, upper = arb(0), arb(0)

    def term(p: arb, loss: arb) -> arb:
        return p * (loss if is_one else ((alpha - 1) * loss).exp())

    for cell in pair.cells([far * step / _CELLS for step in range(-_CELLS, _CELLS + 1)]):
        if not (cell.p > 0 and cell.q > 0):
            raise NoForm
        lower += term(cell.p, (cell.p / cell.q).log())
        if cell.high > cell.low:
            raised = (cell.p - cell.q * cell.low.exp()) / (1 - (cell.low - cell.high).exp())
            upper += term(raised, cell.high) + term(cell.p - raised, cell.low)
        else:
            upper += term(cell.p, max_of(cell.low, cell.high))
    if is_one:
        return Bounds(lower, upper)
    return Bounds(lower.log() / (alpha - 1), upper.log() / (alpha - 1))


def _whole(alpha: Number) -> int:
    if not isinstance(alpha, int) or not 2 <= alpha <= _MOST_ORDER:
        raise NoForm
    return alpha


def _discrete(outputs: Sequence[tuple[Number, Number]], alpha: arb, is_one: bool) -> arb:
    total = arb(0)
    for p, q in outputs:
        if p == 0:
            continue
        if q == 0:
            return arb.pos_inf()
        log = (ball(p) / ball(q)).log() if p != q else arb(0)
        total += ball(p) * (log if is_one else ((alpha - 1) * log).exp())
    return total if is_one else total.log() / (alpha - 1)


def _laplace(apart: arb, alpha: arb, is_one: bool) -> arb:
    if is_one:
        return apart + (-apart).exp() - 1
    first = alpha / (2 * alpha - 1) * ((alpha - 1) * apart).exp()
    second = (alpha - 1) / (2 * alpha - 1) * (-alpha * apart).exp()
    return (first + second).log() / (alpha - 1)


def _subsampled(law: Sequence[tuple[arb, arb]], alpha: int) -> arb:
    r"""Return the divergence of two places from the place 0: of α places, k the second one, the mean is :math:`e^{((\sum d)^2 - \sum d^2)/2}`."""
    if len(law) != 2:
        raise NoForm
    (one, p), (other, q) = law
    total = arb(0)
    for k in range(alpha + 1):
        move = (alpha - k) * one + k * other
        squares = (alpha - k) * one**2 + k * other**2
        total += arb(fmpz(math.comb(alpha, k))) * p ** (alpha - k) * q**k * ((move**2 - squares) / 2).exp()
    return total.log() / (alpha - 1)


def concentration(releases: Releases) -> Bounds:
    """Return bounds of the supremum of the divergence over α, by α, at the precision of the caller.

    Raises:
        NoForm: as :func:`divergence`.
    """
    squares, reached, fixed = arb(0), arb(0), True
    rest: list[tuple[Pair, int]] = []
    for pair, count in releases.parts:
        match pair:
            case Normals(of=of, against=against):
                # random places are no further apart than their ends (joint quasi-convexity), and so far as α grows
                one = count * _span(of, against) ** 2 / 2
                squares += one
                reached += one if len(against) == 1 else 0
                fixed &= len(of) == len(against) == 1
            case Discrete() | Laplaces(of=(_,), against=(_,)):
                rest.append((pair, count))
            case _:
                raise NoForm
    others = _supremum(Releases(tuple(rest)))
    if fixed:
        return Bounds(others.lower + squares, others.upper + squares)
    return Bounds(others.lower if others.lower > reached else reached, others.upper + squares)


def _span(of: Sequence[tuple[Number, Number]], against: Sequence[tuple[Number, Number]]) -> arb:
    """Return how far two places are apart: of one place and one, or of 0 and one of 0 and another."""
    places = {place for place, _ in (*of, *against)}
    if len(places) != 2 or (len(of) > 1 and len(against) > 1):
        raise NoForm
    one, other = places
    return abs(ball(sub(one, other)))


def _supremum(releases: Releases) -> Bounds:
    """Return bounds of the supremum for losses that are bounded, by halving where it may be more than what is found."""
    if not releases.parts:
        return Bounds(arb(0), arb(0))

    def at(alpha: Fraction) -> arb:
        order = alpha.numerator if alpha.denominator == 1 else alpha
        return divergence(releases, order).upper

    largest = largest_loss(releases)
    if not largest.is_finite():
        return Bounds(arb.pos_inf(), arb.pos_inf())
    best = at(Fraction(1))
    end = Fraction(2)
    while not largest / ball(end.numerator) < best and end < 2**20:
        end *= 2
    open_ones, upper = [(Fraction(1), end, at(end))], arb(0)
    tail = largest / int(end)
    upper = tail if tail > best else best
    for _ in range(_MOST_STEPS):
        bounds = [value / ball(a) for a, _, value in open_ones]
        worst = max(range(len(open_ones)), key=lambda k: float(bounds[k].mid()))
        if not bounds[worst] > best * (1 + arb(2) ** -11):
            break
        a, b, value = open_ones.pop(worst)
        middle = (a + b) / 2
        between = at(middle)
        if between / ball(middle) > best:
            best = between / ball(middle)
        open_ones += [(a, middle, between), (middle, b, value)]
    for a, _, value in open_ones:
        one = value / ball(a)
        upper = one if one > upper else upper
    return Bounds(best, upper if upper > best else best)
