r"""The greatest loss of all outputs, the divergence of the order ∞: of independent releases the greatest ones add up, as numbers where they are numbers.

Behind Laplace noise the quotient of the densities is monotone between two places, and constant beyond all, so that it is greatest at a place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import TypeAlias

from flint import arb

from seepage import exact
from seepage.exact import ArithmeticFault, Number
from seepage.measures.accounting.account import Releases
from seepage.measures.accounting.cell import Pair
from seepage.measures.accounting.discrete import Discrete, Published, ball
from seepage.measures.accounting.mixtures import Laplaces, Normals

_MOST_CLOSE = 16  # losses that balls do not tell apart, and that are compared as numbers

_Law: TypeAlias = Sequence[tuple[Number, Number]]


class NoForm(Exception):
    """The loss, or the divergence, of a pair has no closed form here."""


def largest_loss(releases: Releases) -> arb:
    """Return a narrow ball around the greatest loss of all outputs.

    Raises:
        NoForm: if it is not known for some release.
    """
    total = arb(0)
    for pair, count in releases.parts:
        total += count * _largest(pair)
    return total


def exact_loss(releases: Releases) -> Number | None:
    """Return the greatest loss of all outputs in closed form; None where it has none, or is infinite."""
    total: Number = 0
    for pair, count in releases.parts:
        try:
            each = _exactly(pair)
        except ArithmeticFault:
            return None
        if each is None:
            return None
        total = exact.add(total, exact.mul(count, each))
    return total


def greatest_number(losses: Sequence[arb], number: Callable[[int], Number | None]) -> Number | None:
    """Return the greatest of some losses and 0 as a number.

    Args:
        losses: narrow balls around them.
        number: a loss in closed form, by its place among them; None where it has none.
    """
    top = _greatest(losses)
    close = [at for at, each in enumerate(losses) if each.overlaps(top)]
    if not top.is_finite() or len(close) > _MOST_CLOSE:
        return None
    found = [number(at) for at in close]
    known = [each for each in found if each is not None]
    zero: Number = 0
    return None if len(known) < len(found) else reduce(exact.maximum, known, zero)


def _largest(pair: Pair) -> arb:
    match pair:
        case Discrete(outputs):
            return _greatest([log_ratio(p, q) for p, q in outputs if p != 0])
        case Published(outputs):
            return _greatest([log_ratio(p, q) + _largest(behind) for p, q, behind in outputs if p != 0])
        case Laplaces():
            return _greatest([pair.loss_at(place) for place in pair.places])
        case Normals(of=((one, _),), against=((other, _),)) if one == other:
            return arb(0)
        case Normals() if any(end > 1 and not end.is_finite() for end in pair.limits()):
            return arb.pos_inf()
        case _:
            raise NoForm


def _exactly(pair: Pair) -> Number | None:
    match pair:
        case Discrete(outputs):
            ratios = [(p, q) for p, q in outputs if p != 0]
            return greatest_number([log_ratio(p, q) for p, q in ratios], lambda at: exact.log_(exact.div(*ratios[at])))
        case Laplaces(of, against):
            places = list(pair.places)
            return greatest_number(
                [pair.loss_at(each) for each in places], lambda at: _of_densities(of, against, places[at])
            )
        case Normals(of=((one, _),), against=((other, _),)) if one == other:
            return 0
        case _:
            return None


def _of_densities(of: _Law, against: _Law, place: Number) -> Number:
    """Return the logarithm of the quotient of two densities behind Laplace noise of scale 1."""
    return exact.log_(exact.div(_density(of, place), _density(against, place)))


def _density(law: _Law, place: Number) -> Number:
    terms: Iterator[Number] = (
        exact.mul(chance, exact.exp_(exact.neg(exact.abs_(exact.sub(place, each))))) for each, chance in law
    )
    zero: Number = 0
    return reduce(exact.add, terms, zero)


def log_ratio(p: Number, q: Number) -> arb:
    """Return log(p/q) of chances, the first of which is not 0."""
    if q == 0:
        return arb.pos_inf()
    return arb(0) if p == q else (ball(p) / ball(q)).log()


def _greatest(losses: Sequence[arb]) -> arb:
    found = arb(0)
    for each in losses:
        found = each if each.mid() > found.mid() or not each.is_finite() else found
    return found
