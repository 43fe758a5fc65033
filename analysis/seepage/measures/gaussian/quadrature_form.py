"""How a mixture looks in a box: its exponential-quadratic normal form, and what that bounds.

In a box c + ∏[−h_a, h_a], with log w_iφ_i(c+z) = e_i + s_i·z − ½ zᵀQ_i z, responsibilities p_i at c, and averages s̄ = Σp_i s_i, Q̄ = Σp_i Q_i,

    f(c+z) = f(c) exp(s̄·z − ½ zᵀQ̄z) F(z),  F(z) = Σ p_i e^{δ_i(z)},  δ_i(z) = (s_i−s̄)·z − ½ zᵀ(Q_i−Q̄)z,  Σ p_i δ_i ≡ 0,

so that |F(z) − 1| <= η(r) = Σ p_i (e^{u_i} − 1 − u_i) for complex |z_a| <= r_a, u_i = |s_i−s̄|·r + ½ rᵀ|Q_i−Q̄|r: for complex δ,
|e^δ − 1 − δ| <= e^{|δ|} − 1 − |δ|, and the linear terms cancel. If η < 1, f has no zero there and log f is analytic.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from seepage.data_classes import dataclass
from seepage.measures.gaussian.quadrature_frame import Components
from seepage.measures.gaussian.quadrature_rules import Floats

Ints: TypeAlias = NDArray[np.intp]
Flags: TypeAlias = NDArray[np.bool_]

ROUNDING = 1e-9
"""Added to η, with 1e-14 of the logarithms involved: p, s̄ and Q̄ are rounded, so that Σ p_i = 1 and Σ p_i δ_i = 0 hold up to less than that only."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Which components are active in which boxes: two arrays of shape ``(P,)``, sorted by box, every box at least once."""

    box: Ints
    component: Ints


@dataclass(frozen=True, slots=True)
class Reach:
    """Per pair: bounds of the component over the real box, shape ``(P,)`` each, and what they were made from.

    ``highest`` and ``lowest`` bound log w_iφ_i: ‖u−m‖_Q lies within √(hᵀ|Q|h) of ‖c−m‖_Q. ``size`` is (Σ √Q_aa(|c−m|_a + h_a))².
    """

    offset: Floats  # c − m, (P, d)
    gradient: Floats  # Q (c − m), (P, d)
    square: Floats  # (c − m)ᵀQ(c − m), (P,)
    size: Floats
    highest: Floats
    lowest: Floats


def reach_of(components: Components, centre: Floats, half: Floats, pairs: Pairs) -> Reach:
    """Return bounds of each active component over its box."""
    i = pairs.component
    q, h = components.precision[i], half[pairs.box]
    offset = (centre[pairs.box] - components.mean[i]) - components.mean_low[i]
    gradient = np.einsum("pab,pb->pa", q, offset)
    square = np.einsum("pa,pa->p", gradient, offset)
    size = np.einsum("pa,pa->p", np.sqrt(np.einsum("paa->pa", q)), np.abs(offset) + h) ** 2
    # Rounding of the quadratic forms, and of the parameters, is relative to `size`.
    error = (2e-15 + 1.2e-16 * components.slack[i]) * (size + 2 + np.abs(components.log_amplitude[i]))
    norm_low, norm_high = np.sqrt(np.maximum(square - error, 0)), np.sqrt(np.maximum(square, 0) + error)
    radius = np.sqrt(np.einsum("pa,pab,pb->p", h, np.abs(q), h) + error)
    la = components.log_amplitude[i]
    highest = la - 0.5 * np.maximum(norm_low - radius, 0) ** 2 + error
    lowest = la - 0.5 * (norm_high + radius) ** 2 - error
    return Reach(offset, gradient, square, size, highest, lowest)


@dataclass(frozen=True, slots=True)
class NormalForm:
    """The normal form at the centre of each box; B boxes, P pairs, d directions."""

    pairs: Pairs
    starts: Ints  # first pair of each box, (B,)
    log_value: Floats  # log f(c), (B,)
    slope: Floats  # s̄, (B, d)
    curvature: Floats  # Q̄, (B, d, d)
    log_share: Floats  # log p_i, (P,)
    slope_excess: Floats  # s_i − s̄, (P, d)
    curvature_excess: Floats  # Q_i − Q̄, (P, d, d)

    def exponent(self, radii: Floats) -> Floats:
        """Return u_i for radii of shape ``(B, d)``."""
        r = radii[self.pairs.box]
        linear = np.einsum("pa,pa->p", np.abs(self.slope_excess), r)
        return np.asarray(linear + 0.5 * np.einsum("pa,pab,pb->p", r, np.abs(self.curvature_excess), r))

    def eta(self, radii: Floats) -> Floats:
        """Return a bound of |F − 1| on the polydisc with these radii, shape ``(B,)``; may be huge or inf."""
        u = self.exponent(radii)
        # For u > 1 the bound e^u replaces e^u − 1 − u, in log space: p may underflow where p e^u does not.
        large = np.exp(np.minimum(self.log_share + u, 700.0))
        small = np.exp(self.log_share) * (np.expm1(np.minimum(u, 1.0)) - np.minimum(u, 1.0))
        total = np.add.reduceat(np.where(u > 1.0, large, small), self.starts)
        drift = 1e-14 * (np.abs(self.log_value) + self.log_variation(radii))
        return np.asarray(total * (1 + 1e-6) + ROUNDING + drift)

    def log_variation(self, radii: Floats) -> Floats:
        """Return |s̄|·r + ½ rᵀ|Q̄|r, shape ``(B,)``: how far the quadratic part of log f can move on the polydisc."""
        linear = np.einsum("ba,ba->b", np.abs(self.slope), radii)
        return np.asarray(linear + 0.5 * np.einsum("bi,bij,bj->b", radii, np.abs(self.curvature), radii))


def normal_form(components: Components, pairs: Pairs, reach: Reach, starts: Ints) -> NormalForm:
    """Return the normal form of the mixture in each box."""
    i, box = pairs.component, pairs.box
    log_term = components.log_amplitude[i] - 0.5 * reach.square
    peak = np.maximum.reduceat(log_term, starts)
    log_value = peak + np.log(np.add.reduceat(np.exp(log_term - peak[box]), starts))
    log_share = log_term - log_value[box]
    share = np.exp(log_share)
    pair_slope = -reach.gradient
    precision = components.precision[i]
    slope = np.add.reduceat(share[:, None] * pair_slope, starts)
    curvature = np.add.reduceat(share[:, None, None] * precision, starts)
    return NormalForm(
        pairs, starts, log_value, slope, curvature, log_share, pair_slope - slope[box], precision - curvature[box]
    )


def log_modulus(form: NormalForm, direction: int, long: Floats, short: Floats, half: Floats) -> Floats:
    """Bound Re(s̄·z − ½ zᵀQ̄z) where z_a runs over the ellipse with semi-axes ``long``, ``short``, the others over the real box.

    With z_a = x + iy, y² <= B²(1 − x²/A²): −½ zᵀQ̄z has the real part −½ vᵀQ̄v + ½ Q̄_aa y² with v real, and vᵀQ̄v >= S x², S the Schur
    complement of the other coordinates. So the bound is Σ_b |s̄_b| h_b + max_x (|s̄_a| x − ½ κ x²) + ½ Q̄_aa B², κ = S + Q̄_aa B²/A².
    """
    a = direction
    own = form.curvature[:, a, a]
    if half.shape[1] == 1:
        others, schur = np.zeros_like(long), own
    else:
        b = 1 - a
        others = np.abs(form.slope[:, b]) * half[:, b]
        schur = np.maximum(own - form.curvature[:, a, b] ** 2 / form.curvature[:, b, b] - 1e-14 * own, 0.0)
    kappa = schur + own * (short / long) ** 2
    steep = np.abs(form.slope[:, a])
    at = np.minimum(steep / kappa, long)
    return np.asarray(others + steep * at - 0.5 * kappa * at**2 + 0.5 * own * short**2)
