"""Gauss–Legendre rules in boxes: how many nodes a box needs by its remainder, and the sums over the nodes with their rounding."""

from __future__ import annotations

import math

import numpy as np

from seepage.measures.gaussian.quadrature_boxes import Cover, Sums
from seepage.measures.gaussian.quadrature_form import Flags, Ints, NormalForm, Reach, log_modulus
from seepage.measures.gaussian.quadrature_frame import UNIT, Components
from seepage.measures.gaussian.quadrature_rules import SIZES, Floats, tensor_rule
from seepage.measures.gaussian.quadrature_tails import INFLATION

ELLIPSES = (2.0, 2.8, 4.0, 6.0, 10.0)
"""The sums of semi-axes of the Bernstein ellipses that are tried."""

LARGEST_RULE = {1: 24, 2: 16}
"""The most nodes in each direction, by dimension."""

_CHUNK = 400_000


# --- how many nodes a box needs ------------------------------------------------------------------------------------------


def plan(half: Floats, form: NormalForm, form_g: NormalForm | None, goal: float) -> tuple[Ints, Floats]:
    """Return for each box the nodes per direction (0: halve it) and the bound of the remainder, shapes ``(B,)``."""
    boxes, dimension = half.shape
    sizes, errors = np.zeros(boxes, dtype=np.intp), np.zeros(boxes)
    # Worth a closer look: η < 1 on the real box, and no underflow inside it.
    calm = (form.eta(half) < 0.9) & (form.log_variation(half) < 200)
    if form_g is not None:
        calm &= form_g.eta(half) < 0.9
    if not calm.any():
        return sizes, errors
    log_factor = _remainder_factors(half, form, form_g)  # (d, E, B): log of the remainder without ρ^-2N
    log_rho = np.log(np.array(ELLIPSES))[None, :, None]
    needed = np.min((log_factor - math.log(goal / dimension)) / (2 * log_rho), axis=1).max(axis=0)
    table = np.array([size for size in SIZES if size <= LARGEST_RULE[dimension]])
    index = np.searchsorted(table, needed)
    calm &= index < len(table)
    sizes[calm] = table[index[calm]]
    errors = np.exp(np.minimum(log_factor - 2 * sizes * log_rho, 700.0)).min(axis=1).sum(axis=0)
    return sizes, errors * INFLATION


def _remainder_factors(half: Floats, form: NormalForm, form_g: NormalForm | None) -> Floats:
    """Return log[(64/15) M L h_a ∏_{b≠a} 2h_b / (1 − ρ^-2)] for each direction a, ellipse ρ and box; inf where η >= 0.98.

    M bounds f and L bounds log f (or log(f/g)) where coordinate a runs over the ellipse and the others over the real box:
    integrating the one-dimensional remainder over the real coordinates, or summing it with the positive weights of the rule, gives the factor 2h_b.
    """
    boxes, dimension = half.shape
    result = np.full((dimension, len(ELLIPSES), boxes), np.inf)
    volume = np.prod(2 * half, axis=1) / 2
    for a in range(dimension):
        for e, rho in enumerate(ELLIPSES):
            long, short = half[:, a] * (rho + 1 / rho) / 2, half[:, a] * (rho - 1 / rho) / 2
            radii = half.copy()
            radii[:, a] = long
            eta = form.eta(radii)
            good = eta < 0.98
            log_m = form.log_value + np.log1p(np.minimum(eta, 1.0)) + log_modulus(form, a, long, short, half)
            variation = -np.log1p(-np.minimum(eta, 0.98))
            if form_g is None:
                bound = np.abs(form.log_value) + form.log_variation(radii) + variation
            else:
                eta_g = form_g.eta(radii)
                good &= eta_g < 0.98
                bound = _ratio_bound(form, form_g, radii) + variation - np.log1p(-np.minimum(eta_g, 0.98))
            factor = math.log(64 / 15) - math.log1p(-(rho**-2)) + log_m + np.log(bound * volume)
            result[a, e] = np.where(good, factor, np.inf)
    return result


def _ratio_bound(form: NormalForm, form_g: NormalForm, radii: Floats) -> Floats:
    slope, curvature = np.abs(form.slope - form_g.slope), np.abs(form.curvature - form_g.curvature)
    linear = np.einsum("ba,ba->b", slope, radii) + 0.5 * np.einsum("bi,bij,bj->b", radii, curvature, radii)
    return np.asarray(np.abs(form.log_value - form_g.log_value) + linear)


# --- evaluating the rule -------------------------------------------------------------------------------------------------


def evaluate(
    cover: Cover,
    ripe: Flags,
    size: Ints,
    error: Floats,
    f: Components,
    g: Components | None,
    form: NormalForm,
    form_g: NormalForm | None,
    reach_f: Reach,
    reach_g: Reach | None,
    sums: Sums,
) -> None:
    """Integrate the ripe boxes by rules of ``size`` nodes in each direction, whose remainders are at most ``error``."""
    dimension = cover.half.shape[1]
    doubt_f = _relative_error(cover.half, f, form, reach_f)
    doubt_g = (
        None if g is None or form_g is None or reach_g is None else _relative_error(cover.half, g, form_g, reach_g)
    )
    volume = np.prod(cover.half, axis=1)
    # |φ(a+r) − φ(a)| <= r (1 + |log a| + log(1+r)) for φ(t) = t log t; with g, r is missing from f log g as well.
    lift = np.abs(form.log_value) + form.log_variation(cover.half) + 5  # bounds |log f| in the box, as η < 0.98
    if form_g is not None:
        lift += np.abs(form_g.log_value) + form_g.log_variation(cover.half) + 5
    pruned = 2**dimension * volume * cover.missing * (2 + lift + np.log1p(cover.missing))
    for nodes in np.unique(size[ripe]):
        chosen = np.flatnonzero(ripe & (size == nodes))
        monomials, weights = tensor_rule(int(nodes), dimension)
        step = max(1, _CHUNK // (weights.size * max(1, cover.f.box.size // cover.problem.size)))
        for at in range(0, chosen.size, step):
            box = chosen[at : at + step]
            log_f = _log_density(form, cover.half, box, monomials)
            scaled = np.exp(log_f) * weights * volume[box][:, None]
            doubt = doubt_f[box] + UNIT * weights.size
            if form_g is None or doubt_g is None:
                terms = -scaled * log_f
                fp = doubt * (scaled * (np.abs(log_f) + 1)).sum(axis=1)
            else:
                log_g = _log_density(form_g, cover.half, box, monomials)
                terms = scaled * (log_f - log_g)
                fp = doubt * (scaled * (np.abs(log_f - log_g) + 1)).sum(axis=1)
                fp += (doubt_g[box] + cover.g_missing[box]) * scaled.sum(axis=1)
            missing = (error[box] + (fp + pruned[box]) * INFLATION) * INFLATION
            sums.values.append((cover.problem[box], terms.sum(axis=1)))
            sums.below.append((cover.problem[box], missing))
            sums.above.append((cover.problem[box], missing))


def _log_density(form: NormalForm, half: Floats, box: Ints, monomials: Floats) -> Floats:
    """Return log f(c) + s̄·z − ½ zᵀQ̄z + log F(z) at the nodes of some boxes, shape ``(len(box), nodes)``; F is within η of 1."""
    ends = np.r_[form.starts[1:], form.pairs.box.size]
    counts = ends[box] - form.starts[box]
    offsets = np.r_[0, np.cumsum(counts)[:-1]]
    pair = np.arange(counts.sum()) - np.repeat(offsets - form.starts[box], counts)
    exponents = _quadratics(
        form.log_share[pair],
        form.slope_excess[pair],
        form.curvature_excess[pair],
        half[np.repeat(box, counts)],
        monomials,
    )
    factor = np.add.reduceat(np.exp(exponents, out=exponents), offsets)
    smooth = _quadratics(form.log_value[box], form.slope[box], form.curvature[box], half[box], monomials)
    return np.asarray(smooth + np.log(factor))


def _quadratics(constant: Floats, slope: Floats, curvature: Floats, half: Floats, monomials: Floats) -> Floats:
    """Return constant + s·z − ½ zᵀQz at z = h ξ for all nodes ξ: one row for each form, one column for each node."""
    dimension = half.shape[1]
    columns = [constant, *(slope * half).T, *(-0.5 * curvature[:, a, a] * half[:, a] ** 2 for a in range(dimension))]
    if dimension == 2:
        columns.append(-curvature[:, 0, 1] * half[:, 0] * half[:, 1])
    return np.asarray(np.stack(columns, axis=1) @ monomials)


def _relative_error(half: Floats, components: Components, form: NormalForm, found: Reach) -> Floats:
    r"""Bound the relative error of f at the nodes, shape ``(B,)``, before the sum over nodes.

    All exponents are sums of at most six products of rounded numbers. With size_i = (Σ √Q_aa(|c−m|_a + h_a))², which dominates |s_i·z| + ½ zᵀ|Q_i|z
    and the square at c, and their mean S̄ = Σ p_i size_i for the averages s̄, Q̄, the terms of component i are at most |la| + |log f(c)| + size_i + S̄;
    nodes, offsets, Q and s are rounded once or twice, and the parameters are known up to ``slack``: an error of (16 + slack) units of that.
    Component i's share of f at z is p_i e^{δ_i}/F <= p_i e^{u_i}/(1−η). On top: exp and log at most 4 ulp, the sum over components, and exp(log f).
    """
    i = form.pairs.component
    size = np.add.reduceat(np.exp(form.log_share) * found.size, form.starts)
    gamma = (16 + components.slack[i]) * (2 + np.abs(components.log_amplitude[i]) + found.size + size[form.pairs.box])
    u = np.minimum(form.log_share + form.exponent(half), 300.0)
    total = np.add.reduceat(np.exp(u) * gamma, form.starts) / np.maximum(1 - form.eta(half), 1e-3)
    count = np.bincount(form.pairs.box, minlength=half.shape[0])
    return np.asarray(UNIT * (total + count + 24 + 24 * np.abs(form.log_value) + 16 * size))
