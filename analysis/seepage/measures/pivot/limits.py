"""What the losses of all pairs of neighbours are at most, known before any is looked at: of outputs that are computed of releases behind noise, by post-processing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from flint import arb

from seepage import exact
from seepage.data_classes import dataclass
from seepage.exact import Number
from seepage.measures.discrete.weights import Values

_UNSEEN = arb(2) ** -60  # relative


@dataclass(frozen=True, slots=True)
class Limit:
    """An upper bound of the losses (or excesses) of all pairs of neighbours, and the pair whose loss may be that."""

    loss: arb
    given: Values
    of: Values
    against: Values

    def is_reached(self, loss: arb) -> bool:
        """Tell whether a loss is the limit, up to what nobody sees."""
        return bool(self.loss - loss <= self.loss * _UNSEEN)


def in_order(
    listed: Iterable[tuple[Values, Values]], given: Values, limit: Limit | None
) -> Iterator[tuple[Values, Values]]:
    """Yield pairs of neighbours, first the one whose loss may be the limit."""
    if limit is None or limit.given != given:
        yield from listed
        return
    first = limit.of, limit.against
    yield first
    yield from (each for each in listed if each != first)


def excess_of_loss(loss: arb, epsilon: Number) -> arb:
    """Return the greatest excess of a pair whose loss is at most a number: that of randomized response (Kairouz, Oh, Viswanath 2015)."""
    if not loss.is_finite():
        return arb(1)
    gap = (loss.exp() - exact.enclose(epsilon).exp()) / (1 + loss.exp())
    return gap.max(arb(0)).upper()
