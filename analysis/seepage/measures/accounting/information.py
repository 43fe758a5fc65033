r"""What the outputs tell of a secret with two values, in nats, from bounds of the excess δ.

With chances p, q of the values, laws P, Q of the outputs given them, and :math:`m = pP + qQ`: :math:`I = p\,D(P \| m) + q\,D(Q \| m)`, and the capacity is at most the greater
of both divergences, whatever p (Cover and Thomas 2006, theorem 13.1.1). A divergence :math:`D_f(P \| Q) = \sum Q f(P/Q)` with :math:`f(1) = 0` is

.. math:: \int_0^\infty f''(e^t) e^t\,\delta_{P, Q}(t)\,dt + \int_0^\infty f''(e^{-t}) e^{-2t}\,\delta_{Q, P}(t)\,dt

(Liese, Vajda 2006, "On Divergences and Informations in Statistics and Information Theory", theorem 11), so that bounds of δ at all claimed ε are bounds of it.
For :math:`D(P \| m)`, :math:`f(r) = r \log \frac{r}{pr + q}`. Where δ is that of masses at losses, the integrals are sums over them: see :class:`Curve`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from seepage.data_classes import dataclass
from seepage.measures.accounting.account import Bounds, Releases, profiles
from seepage.measures.accounting.merged import Merged
from seepage.measures.accounting.read import Curve, Profile
from seepage.measures.accounting.valley import least_at

_Floats = npt.NDArray[np.float64]
_U = 2.0**-53
_ROUNDING = 32 * _U  # more than what a few operations err by, beside the sizes of their terms
_FINENESS = (16.0, 64.0, 256.0)
_STEPS = 44  # of a search for the best chances
_RARE = 1e-290  # a chance that is no float


def forward(p: float, q: float) -> Curve:
    r"""Return what a mass at a loss l of P over Q adds to :math:`D(P \| m)`: :math:`-\log(p + q e^{-l}) - q(1 - e^{-l})`."""

    def at(losses: _Floats) -> tuple[_Floats, _Floats]:
        part = q * -np.expm1(-losses)
        with np.errstate(divide="ignore"):
            log = -np.where(part < 0.5, np.log1p(-part), np.log(p + q * np.exp(-losses)))
        return log - part, _ROUNDING * (log + part)

    return Curve(at, float(-np.log(p) - q))


def backward(p: float, q: float) -> Curve:
    r"""Return what a mass at a loss l of Q over P adds to :math:`D(P \| m)`: :math:`q(1 - e^{-l}) - e^{-l} \log(p + q e^l)`."""

    def at(losses: _Floats) -> tuple[_Floats, _Floats]:
        part, less = q * -np.expm1(-losses), np.exp(-losses)
        grown = q * np.expm1(np.minimum(losses, 600.0))
        log = np.where(grown < 1, np.log1p(grown), losses + np.log(q + p * less))
        return part - less * log, _ROUNDING * (part + less * (log + losses))

    return Curve(at, q)


@dataclass(frozen=True, slots=True)
class Grid:
    """Bounds of δ from above for both orders of two laws, and what they surely tell."""

    one: Profile
    other: Profile
    merged: Merged

    def divergences(self, p: float, q: float) -> tuple[float, float]:
        """Return bounds from above of the divergences of the laws from their mixture, of which they have the shares p and q."""
        return (
            (self.one.integral(forward(p, q)) + self.other.integral(backward(p, q))) * (1 + 4 * _U),
            (self.other.integral(forward(q, p)) + self.one.integral(backward(q, p))) * (1 + 4 * _U),
        )

    def best(self) -> float:
        """Return about the chance of the first law with which the outputs tell most."""
        return least_at(lambda p: -self.merged.information(p, 1 - p), 1e-3, 1 - 1e-3, _STEPS)


def _grids(releases: Releases, stop: Callable[[], None]) -> Iterator[Grid]:
    both = (profiles(each, 0.0, of_delta=False, finenesses=_FINENESS) for each in (releases, releases.exchanged()))
    for one, other in zip(*both, strict=False):
        stop()
        yield Grid(one.over, other.over, one.merged())


def information(releases: Releases, p: float, q: float, width: float, stop: Callable[[], None]) -> Bounds:
    """Return bounds of the information in nats.

    Args:
        releases: of the two values, in one order.
        p: the chance of the first one; the nearest floats, as ``q``.
        q: the chance of the second one.
        width: how wide bounds may be, relative to the number.
        stop: called before each step; may raise.
    """
    if min(p, q) < _RARE:
        return Bounds(0.0, float("inf"))
    found = Bounds(0.0, float("inf"))
    for grid in _grids(releases, stop):
        one, other = grid.divergences(p, q)
        found = _closer(found, grid.merged.information(p, q), p * one + q * other)
        if found.upper - found.lower <= width * found.upper:
            break
    return found


def capacity(releases: Releases, width: float, stop: Callable[[], None]) -> Bounds:
    """Return bounds of the capacity in nats; arguments as for :func:`information`."""
    found = Bounds(0.0, float("inf"))
    for grid in _grids(releases, stop):
        p = grid.best()
        one, other = grid.divergences(p, 1 - p)
        found = _closer(found, grid.merged.information(p, 1 - p), max(one, other))
        if found.upper - found.lower <= width * found.upper:
            break
    return found


def _closer(found: Bounds, lower: float, upper: float) -> Bounds:
    return Bounds(max(found.lower, lower * (1 - 8 * _U)), min(found.upper, upper * (1 + 8 * _U)))
