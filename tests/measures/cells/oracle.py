"""Measures of a finite channel by their definitions, and channels by distribution functions on a fine grid: nothing of Seepage is in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import exp, inf, log, log2

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Cdf = Callable[[Floats], Floats]

_JUST_BEFORE = 1e-9
_TINY = 1e-13  # a chance that is rounding
_WHOLE = np.concatenate([np.arange(-8, 13) - off for off in (0, _JUST_BEFORE)])


def masses(cdf: Cdf, count: int) -> Floats:
    """Return the chances of the cells of a grid; each whole number is a cell of its own."""
    grid = np.unique(np.concatenate([np.linspace(-12, 15, count), _WHOLE]))
    return np.diff(np.concatenate(([0.0], cdf(grid), [1.0])))


def laplace(place: float) -> Cdf:
    """Return the distribution function of a place behind Laplace noise of scale 1."""
    return lambda t: np.where(t < place, np.exp(np.minimum(t - place, 0)) / 2, 1 - np.exp(np.minimum(place - t, 0)) / 2)


def normal(place: float) -> Cdf:
    """Return that behind normal noise of variance 1."""
    from scipy.special import ndtr

    return lambda t: np.asarray(ndtr(t - place), dtype=np.float64)


def coin(place: float) -> Cdf:
    """Return that of a place plus a coin that is 1 with chance 1/4."""
    return lambda t: 0.75 * (t >= place) + 0.25 * (t >= place + 1)


def clamped(place: float) -> Cdf:
    """Return that of Laplace noise that is clamped to [0, 1]."""
    inner = laplace(place)
    return lambda t: np.where(t < 0, 0.0, np.where(t >= 1, 1.0, inner(t)))


def geometric(place: float) -> Cdf:
    """Return that of two-sided geometric noise of scale 1."""
    a = exp(-1)

    def cdf(t: Floats) -> Floats:
        at = np.floor(t - place)
        found: Floats = np.where(at < 0, a ** np.maximum(-at, 0) / (1 + a), 1 - a ** (np.maximum(at, 0) + 1) / (1 + a))
        return found

    return cdf


def greatest(cdfs: Sequence[Cdf]) -> Cdf:
    """Return that of the greatest of independent values."""
    return lambda t: reduce(lambda a, b: a * b, (cdf(t) for cdf in cdfs))


def mixed(parts: Sequence[tuple[float, Cdf]]) -> Cdf:
    """Return that of a mixture."""
    return lambda t: sum((weight * cdf(t) for weight, cdf in parts), np.zeros_like(t))


def together(outputs: Sequence[Cdf]) -> Floats:
    """Return the chances of independent outputs together."""
    found = np.ones(1)
    for cdf in outputs:
        found = np.outer(found, masses(cdf, 1_200 if len(outputs) == 1 else 250)).ravel()
    return found


def capacity(rows: Floats) -> float:
    """Return the capacity in bits by Blahut and Arimoto's iteration."""
    prior = np.full(len(rows), 1 / len(rows))
    value = 0.0
    for _ in range(150):
        seen = prior @ rows
        with np.errstate(divide="ignore", invalid="ignore"):
            told = np.where(rows > 0, rows * np.log2(rows / seen), 0).sum(axis=1)
        value = float(prior @ told)
        prior = prior * 2**told
        prior /= prior.sum()
    return value


def divergence(p: Floats, q: Floats, order: float) -> float:
    """Return the Rényi divergence of an order above 1."""
    if ((q <= 0) & (p > _TINY)).any():
        return inf
    kept = (p > _TINY) & (q > 0)
    exponents = order * np.log(p[kept]) + (1 - order) * np.log(q[kept])
    top = float(exponents.max())
    return (top + log(float(np.exp(exponents - top).sum()))) / (order - 1)


def excess(p: Floats, q: Floats, epsilon: float) -> float:
    """Return the δ at an ε."""
    return float(np.maximum(p - np.exp(epsilon) * q, 0).sum())


def loss(p: Floats, q: Floats, delta: float) -> float:
    """Return the ε at a δ, by bisection."""
    if float(p[q <= 0].sum()) > delta:
        return inf
    low, high = 0.0, 30.0
    for _ in range(34):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(p, q, middle) > delta else (low, middle)
    return high


@dataclass(frozen=True)
class Told:
    """A channel: the law of its inputs, its rows, and pairs of inputs that differ in one place."""

    prior: Floats
    rows: Floats
    near: Sequence[tuple[int, int]]

    @property
    def joint(self) -> Floats:
        """The chances of inputs with outputs."""
        return self.prior[:, None] * self.rows

    @property
    def pairs(self) -> list[tuple[Floats, Floats]]:
        """All pairs of rows."""
        return [(p, q) for a, p in enumerate(self.rows) for b, q in enumerate(self.rows) if a != b]

    @property
    def ranked(self) -> Floats:
        """For each output the chances of inputs with it, falling."""
        return np.sort(self.joint, axis=0)[::-1]

    @property
    def information(self) -> float:
        """In bits."""
        seen = self.joint.sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.where(self.joint > 0, self.joint * np.log2(self.rows / seen), 0).sum())

    @property
    def entropy(self) -> float:
        """Of the inputs, in bits."""
        return -float((self.prior * np.log2(self.prior)).sum())


MEASURES: Mapping[str, Callable[[Told], float]] = {
    "I(s; o)": lambda told: told.information,
    "H(s | o)": lambda told: told.entropy - told.information,
    "V(s | o)": lambda told: float(told.ranked[0].sum()),
    "Hmin(s | o)": lambda told: -log2(told.ranked[0].sum()),
    "Guess(s | o)": lambda told: float((told.ranked * np.arange(1, len(told.prior) + 1)[:, None]).sum()),
    "Lmin(s -> o)": lambda told: log2(told.ranked[0].sum() / told.prior.max()),
    "G(s -> o, tries(2))": lambda told: log2(told.ranked[:2].sum() / np.sort(told.prior)[::-1][:2].sum()),
    "C(s -> o)": lambda told: capacity(told.rows),
    "Cmin(s -> o)": lambda told: log2(told.rows.max(axis=0).sum()),
    "Delta(s -> o, eps=1/2)": lambda told: max(excess(p, q, 0.5) for p, q in told.pairs),
    "Delta(s -> o, eps=1/4, distance=1)": lambda told: max(
        excess(told.rows[a], told.rows[b], 0.25) for a, b in told.near
    ),
    "DP(s -> o, delta=1/20)": lambda told: max(loss(p, q, 0.05) for p, q in told.pairs),
    "Renyi(s -> o, alpha=2)": lambda told: max(divergence(p, q, 2) for p, q in told.pairs),
    "zCDP(s -> o)": lambda told: max(
        divergence(p, q, order) / order for p, q in told.pairs for order in 1 + np.geomspace(1e-3, 60, 60)
    ),
}
"""Measures by their definitions."""
