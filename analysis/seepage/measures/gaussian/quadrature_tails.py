"""What the integrals may hide outside the start box: bounds by half-spaces, in closed form.

For a Gaussian with standard deviation σ_a along axis a and a face of the box at distance k σ_a > 0, let t be the standardised coordinate:
∫_{t>k} φ <= φ(k)/k (Mills), ∫_{t>k} t φ = φ(k), ∫_{t>k} t² φ = k φ(k) + ∫_{t>k} φ. All integrands are made nonnegative first, so that
counting corners twice only widens the bounds.
"""

from __future__ import annotations

import math

import numpy as np

from seepage.measures.gaussian.quadrature_frame import Components
from seepage.measures.gaussian.quadrature_rules import Floats

INFLATION = 1 + 1e-6
"""Covers the rounding in the evaluation of the bounds themselves."""


def entropy_tail(f: Components, half: Floats) -> tuple[float, float]:
    r"""Enclose :math:`-\int f \log f` outside the box ``[-half, half]``.

    Upper: log f >= log w_iφ_i, so −∫ f log f <= Σ_i w_i ∫ φ_i (−la_i + ½ q_i), q_i the squared Mahalanobis norm, of which
    the direction of the face has t² and the other d − 1 have mean 1 each. Lower: log f <= log Σ e^{la_i}.
    """
    mass, second = _face_moments(f, half)
    dimension = half.shape[0]
    each = np.maximum(0.0, -f.log_amplitude)[:, None] * mass + 0.5 * second + 0.5 * (dimension - 1) * mass
    upper = float(np.dot(f.weight, each.sum(axis=1)))
    peak = max(0.0, float(np.logaddexp.reduce(f.log_amplitude)))
    lower = -peak * float(np.dot(f.weight, mass.sum(axis=1)))
    return lower * INFLATION, upper * INFLATION


def cross_tail(f: Components, g: Components, half: Floats) -> tuple[float, float]:
    r"""Enclose :math:`-\int f \log g` outside the box ``[-half, half]``.

    Upper: log g >= lb_j − ½ q_j for each component j of g, with q_j <= (Σ_b √Q_bb |u − m_j|_b)² <= d Σ_b Q_bb (u − m_j)_b². Given the
    standardised coordinate t of the face's axis, (u − m_j)_b has a mean of modulus at most o_b + σ_b t, o = |m_i − m_j|, and a variance of
    at most σ_b². Any j will do: the best is taken for each component of f. Lower: log g <= log Σ e^{lb_j}.
    """
    mass, second = (moment.sum(axis=1) for moment in _face_moments(f, half))
    first = _face_first(f, half).sum(axis=1)
    best = np.full(f.weight.shape, np.inf)
    for j in range(g.weight.shape[0]):
        q = half.shape[0] * np.diagonal(g.precision[j])  # (d,)
        offset = np.abs(f.mean - g.mean[j]) + np.abs(f.mean_low - g.mean_low[j])  # (C, d)
        square = (
            (offset**2 + f.deviation**2) @ q * mass
            + 2 * (offset * f.deviation) @ q * first
            + f.deviation**2 @ q * second
        )
        best = np.minimum(best, max(0.0, -float(g.log_amplitude[j])) * mass + 0.5 * square)
    upper = float(np.dot(f.weight, best))
    peak = max(0.0, float(np.logaddexp.reduce(g.log_amplitude)))
    lower = -peak * float(np.dot(f.weight, mass))
    return lower * INFLATION, upper * INFLATION


def reach(f: Components, k: float) -> Floats:
    """Return half-widths (powers of two, shape ``(d,)``) of a box around 0 that leaves every component ``k`` deviations on each side."""
    extent = (np.abs(f.mean) + k * f.deviation).max(axis=0)
    return np.asarray(np.exp2(np.ceil(np.log2(extent))))


def _distances(f: Components, half: Floats) -> tuple[Floats, Floats]:
    # The differences are rounded relative to `half`; less distance only widens the bounds.
    room = half * (1 - 1e-15)
    return (room - f.mean) / f.deviation * (1 - 1e-12), (room + f.mean) / f.deviation * (1 - 1e-12)


def _density(k: Floats) -> Floats:
    return np.asarray(np.exp(-0.5 * k * k) / math.sqrt(2 * math.pi))


def _face_moments(f: Components, half: Floats) -> tuple[Floats, Floats]:
    """Return bounds of Σ ∫_{t>k} φ and Σ ∫_{t>k} t² φ over the two faces of each axis, both of shape ``(C, d)``."""
    mass, second = np.zeros_like(f.mean), np.zeros_like(f.mean)
    for k in _distances(f, half):
        tail = _density(k) / k
        mass += tail
        second += k * _density(k) + tail
    return mass, second


def _face_first(f: Components, half: Floats) -> Floats:
    right, left = _distances(f, half)
    return np.asarray(_density(right) + _density(left))
