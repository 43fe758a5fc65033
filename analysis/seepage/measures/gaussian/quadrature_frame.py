"""In which coordinates to integrate: shift, shear and scale a mixture so that binary64 numbers hold it well.

The integrals of :mod:`seepage.measures.gaussian.quadrature` are computed in coordinates u with x ↦ u affine and known exactly:
a shear by a binary fraction (determinant 1), a shift, and a scaling by powers of two. Means, precisions and log-amplitudes are
computed in ball arithmetic in the new coordinates and rounded once; ``slack`` says how far the rounding may be off.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from flint import arb

from seepage.data_classes import dataclass
from seepage.measures.gaussian.quadrature_rules import Floats

PRECISION = 192
"""Bits of ball arithmetic; the shear cancels up to about 2·40 of them for correlations of 1 − 1e-12."""

UNIT = 2.0**-53


class NotResolved(Exception):
    """A covariance is known too badly (its ball contains singular matrices), or scales exceed the range of binary64."""


@dataclass(frozen=True, slots=True)
class WeightedGaussian:
    """``weight`` times a Gaussian with positive definite ``covariance``; enclosures, dimension ``len(mean)``.

    Where it is not ``certain``, it stands for several of this total weight, with means and covariances in these enclosures.
    """

    weight: arb
    mean: tuple[arb, ...]
    covariance: tuple[tuple[arb, ...], ...]
    certain: bool = True

    def divided(self, unit: arb) -> WeightedGaussian:
        """Return it with its weight divided by a positive number."""
        return replace(self, weight=self.weight / unit)


def near_origin(*mixtures: Sequence[WeightedGaussian]) -> list[list[WeightedGaussian]]:
    """Move mixtures together, exactly, so that the first mean lies near 0: what is asked of densities does not change, and differences of large means keep their digits."""
    origin = [each.mid() for each in mixtures[0][0].mean]
    return [
        [replace(g, mean=tuple(each - zero for each, zero in zip(g.mean, origin, strict=True))) for g in mixture]
        for mixture in mixtures
    ]


@dataclass(frozen=True, slots=True)
class Frame:
    """Coordinates u_a = 2^-e_a ((T x)_a − t_a), with T = 1 or a shear of the plane.

    Attributes:
        shear: row ``i`` loses ``k`` times the other row: ``(i, k)``, or None.
        shift: t, exact.
        exponents: e.
    """

    shear: tuple[int, float] | None
    shift: tuple[float, ...]
    exponents: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Components:
    """Weighted Gaussians as arrays: log w φ(u) = log_amplitude − ½ (u−m)ᵀ Q (u−m), m = mean + mean_low.

    Attributes:
        log_amplitude: shape ``(C,)``.
        mean: shape ``(C, d)``; ``mean_low`` its rounding error, same shape.
        precision: Q, shape ``(C, d, d)``.
        deviation: standard deviations per axis, shape ``(C, d)``.
        weight: shape ``(C,)``.
        slack: shape ``(C,)``: log w φ(u) is known up to ``slack · UNIT · (2 + |log_amplitude| + (Σ √Q_aa |u−m|_a)²)``.
    """

    log_amplitude: Floats
    mean: Floats
    mean_low: Floats
    precision: Floats
    deviation: Floats
    weight: Floats
    slack: Floats


# What is out of the range of floats is told by the check of the variance below, or is a shear that is not chosen.
@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def choose_frame(mixture: Sequence[WeightedGaussian]) -> Frame:
    """Choose coordinates with unit total standard deviations and, in the plane, little correlation within components.

    The choice is a matter of speed alone, made in floats; whatever it is, the integrals in it are right.
    """
    dimension = len(mixture[0].mean)
    weight = _shares(mixture)
    shear = _choose_shear(mixture, weight) if dimension == 2 else None
    mean = [_sheared_mean(g, shear) for g in mixture]
    variance = [[float(_sheared_covariance(g, shear)[a][a]) for a in range(dimension)] for g in mixture]
    shift, exponents = [], []
    for a in range(dimension):
        centre = float(sum((arb(float(w)) * m[a] for w, m in zip(weight, mean, strict=True)), arb(0)))
        offsets = np.array([float(m[a] - arb(centre)) for m in mean])
        total = float(np.dot(weight, offsets**2 + np.array([v[a] for v in variance])))
        if not 1e-250 < total < 1e250:
            raise NotResolved(f"a variance of about {total} is out of range")
        shift.append(centre)
        exponents.append(round(0.5 * math.log2(total)))
    return Frame(shear, tuple(shift), tuple(exponents))


def _shares(mixture: Sequence[WeightedGaussian]) -> Floats:
    """Return the weights as shares of the mass, which may be less than any binary64 number."""
    mass = sum((gaussian.weight for gaussian in mixture), arb(0))
    shares = np.array([float(gaussian.weight / mass) for gaussian in mixture])
    if not np.isfinite(shares).all():
        raise NotResolved("a weight is not known to be positive")
    return shares


def _choose_shear(mixture: Sequence[WeightedGaussian], weight: Floats) -> tuple[int, float] | None:
    # A shear keeps det Σ_i, so 1/√(1−r_i²) = √(Σ_xx Σ_yy / det) measures how elongated component i looks in the axes.
    moments = np.array([[float(g.covariance[a][b]) for a, b in ((0, 0), (0, 1), (1, 1))] for g in mixture])
    det = np.array([float(_determinant(g.covariance)) for g in mixture])
    if not (det > 0).all():
        raise NotResolved("a covariance is too close to singular")
    xx, xy, yy = moments.T
    best, best_score = None, 0.8 * float(np.sqrt(xx * yy / det).sum())
    elongated = np.argsort(-(xx * yy / det))[:24]
    for row, own, other in ((1, yy, xx), (0, xx, yy)):
        within = float(np.dot(weight, xy) / np.dot(weight, other))
        for slope in (within, *(xy[elongated] / other[elongated])):
            if not math.isfinite(slope):
                continue
            k = _short(float(slope))
            sheared = np.maximum(own - 2 * k * xy + k * k * other, det / other)
            score = float(np.sqrt(sheared * other / det).sum())
            if score < best_score:
                best, best_score = (row, k), score
    return best


def _short(number: float) -> float:
    """Round to 24 bits, so that products with it stay short."""
    mantissa, exponent = math.frexp(number)
    return math.ldexp(round(mantissa * 2**24), exponent - 24)


def _determinant(matrix: Sequence[Sequence[arb]]) -> arb:
    return matrix[0][0] if len(matrix) == 1 else matrix[0][0] * matrix[1][1] - matrix[0][1] * matrix[1][0]


def _sheared_mean(gaussian: WeightedGaussian, shear: tuple[int, float] | None) -> tuple[arb, ...]:
    if shear is None:
        return gaussian.mean
    row, k = shear
    mean = list(gaussian.mean)
    mean[row] -= arb(k) * mean[1 - row]
    return tuple(mean)


def _sheared_covariance(gaussian: WeightedGaussian, shear: tuple[int, float] | None) -> tuple[tuple[arb, ...], ...]:
    if shear is None:
        return gaussian.covariance
    row, slope = shear
    k, other = arb(slope), 1 - row
    sigma = gaussian.covariance
    own = sigma[row][row] - 2 * k * sigma[row][other] + k * k * sigma[other][other]
    cross = sigma[row][other] - k * sigma[other][other]
    return ((own, cross), (cross, sigma[1][1])) if row == 0 else ((sigma[0][0], cross), (cross, own))


def components_in(frame: Frame, mixture: Sequence[WeightedGaussian]) -> Components:
    """Return the mixture in the coordinates of ``frame``, rounded once; raise ``NotResolved`` if a ball is too wide."""
    rows = [_component_in(frame, gaussian) for gaussian in mixture]
    amplitude, mean, low, precision, deviation, weight, slack = (np.array(column) for column in zip(*rows, strict=True))
    return Components(amplitude, mean, low, precision, deviation, weight, slack)


def _component_in(
    frame: Frame, gaussian: WeightedGaussian
) -> tuple[float, list[float], list[float], list[list[float]], list[float], float, float]:
    # Errors in units of UNIT, each divided by what `slack` multiplies: δla / (2+|la|); √Q_aa δm_a, because
    # |zᵀQ δm| <= (Σ√Q_aa|z_a|)(Σ√Q_bb δm_b) and t <= 1 + t²; δQ_ab / √(Q_aa Q_bb).
    dimension = len(gaussian.mean)
    scale = [arb(2) ** -e for e in frame.exponents]
    with_shift = zip(_sheared_mean(gaussian, frame.shear), frame.shift, scale, strict=True)
    mean = [(m - arb(t)) * s for m, t, s in with_shift]
    raw = _sheared_covariance(gaussian, frame.shear)
    sigma = [[raw[a][b] * scale[a] * scale[b] for b in range(dimension)] for a in range(dimension)]
    det = _determinant(sigma)
    if not (det > 0 and sigma[0][0] > 0 and gaussian.weight > 0):
        raise NotResolved("a covariance is too close to singular for the precision at hand")
    if dimension == 1:
        q = [[1 / det]]
    else:
        q = [[sigma[1][1] / det, -sigma[0][1] / det], [-sigma[1][0] / det, sigma[0][0] / det]]
    amplitude = gaussian.weight.log() - ((2 * arb.pi()).log() * dimension + det.log()) / 2
    la = float(amplitude)
    high = [float(m) for m in mean]
    low = [float(m - arb(h)) for m, h in zip(mean, high, strict=True)]
    precision = [[float(entry) for entry in row] for row in q]
    if not all(math.isfinite(x) for x in (la, *high, *low, *(entry for row in precision for entry in row))):
        raise NotResolved("a mean or covariance is out of the range of binary64")
    root = [q[a][a].sqrt() for a in range(dimension)]
    errors = [_distance(amplitude, la) / (2 + abs(la))]
    errors += [float(root[a].upper()) * _distance(mean[a] - arb(high[a]), low[a]) for a in range(dimension)]
    errors += [
        _distance(q[a][b], precision[a][b]) / float((root[a] * root[b]).lower())
        for a in range(dimension)
        for b in range(dimension)
    ]
    slack = 1 + 1.001 * sum(errors) / UNIT
    if not slack < 1e12:
        raise NotResolved("a mean or covariance is known too badly")
    deviation = [float(sigma[a][a].sqrt()) for a in range(dimension)]
    return la, high, low, precision, deviation, float(gaussian.weight), slack


def _distance(exact: arb, rounded: float) -> float:
    return float((exact - arb(rounded)).abs_upper()) * (1 + 1e-9)
