r"""How far a sum over a lattice is from ∫ p log p of a Gaussian mixture p = Σ a_i, a_i = w_i N_i, in any dimension D: a bound that sees how far components are.

The lattice has the points (j + ½ b) · h for whole j and b ∈ {0, (1, …, 1)}; its dual is k/h for whole k with an even sum. By Poisson's formula the
sum of F = p log(p/M), times the volume per point, is ∫ F + Σ F̂(ξ) over all ξ ≠ 0 in the dual. With G = Σ a_i log(p/a_i), F − G = Σ a_i log(a_i/M)
has a transform that is known: w_i e^{−Ω²/2} (log(max a_i/M) − (D − Ω²)/2) in size, Ω² = 4π² ξᵀQ_i⁻¹ξ. What is left is Ĝ.

**Moving the contour.** Let d be a direction with ξ·d = 1, u_i = d·Q_i(z − μ_i), q_i = dᵀQ_i d. Then a_i(z − isd) = a_i e^{isu_i + q_i s²/2}: phases are linear in s.
With w_i = a_i/p, a radius ρ and a number φ < π let

.. math:: \eta(z)^{-n} = \rho^{-n} + \sum_{i<j} c_{ij} \sqrt{w_i w_j}\, |u_i - u_j|^n, \quad c_{ij} = c\, e^{((q_i + q_j)/2 - \min q) ρ²/2}, \quad c = 2 φ^{-n}.

*p has no zero at z − isd for 0 <= s <= η(z).* Let X = s u_i with chance v_i, the share of |a_i(z − isd)| in the sum of all; as c √(v_i v_j) <= c_ij √(w_i w_j), the sum of
c √(v_i v_j) |s u_i − s u_j|^n is at most 1. Cauchy's inequality gives P(X <= x) P(X >= x + l) <= ¼ (φ/l)^{2n} for all x and l > 0. Let x be the last point with
P(X <= x') <= P(X >= x' + φ) for all x' < x, and a = P(X < x) <= P(X >= x + φ): P(X <= x − t) <= min(a, (φ/(φ + t))^{2n}/(4a)), whose integral over t > 0 is at
most φ κ/2, κ = (1 − 1/(2n − 1))^n/(n − 1), for any a <= ½. With the same on the right, X overshoots the arc [x, x + φ] by a mean of at most φκ. The cosine being
Lipschitz, E cos(X − x − φ/2) >= τ = cos(φ/2) − φκ. So |p| >= τ Σ|a_i|, and τ > 0 by the choice of φ.

*How large G is there.* |p| is from τ to 1 times Σ|a_i|, hence Σ v_i |log|p/a_i|| <= log(C + 1/τ) for C components (Jensen). The phase of p, followed from s = 0, is within π/2 of
the middle of the arc (and so for phases up to s with the sizes of s: all ways there are alike), and that of a_i is off the middle by φ/2 and the overshoot. So
|G(z − isd)| <= Λ p e^{max q ρ²/2} with Λ = log(C + 1/τ) + π/2 + φ/2 + φκ.

*The integral.* |Ĝ(ξ)| <= ∫ |G(z − iη(z)d)| e^{−2πη} (1 + |∂η|) dz, and e^{−2πη} <= (n/(2πe))^n η^{-n}. What p η^{-n} integrates to are moments of normals: √(a_i a_j) is
one, u_i − u_j is linear. For ∂η: ∂u_i = q_i, ∂log w_i = Σ_k w_k (u_k − u_i), and by the definition of η, η Σ_k w_k |u_i − u_k| <= ψ w_i^{−1/(2n)},
ψ = c^{-1/n} C^{1/(2n)}. So p η^{-n} |∂η| is below Σ c_ij of

.. math:: \rho |q_i - q_j| \sqrt{a_i a_j} |u_i - u_j|^{n-1} + \frac{ψ}{2n} \sqrt{a_i a_j} |u_i - u_j|^n (w_i^{-1/(2n)} + w_j^{-1/(2n)}),

where 1/w_i <= P/a_i with P = Σ max a_i, and 1/(2n) may be replaced by that of the least n, as w_i <= 1. If all steps are f times as long, d and u are, ρ is chosen to be
1/f times as large, and the bound is f^n times as large.
"""

from __future__ import annotations

import itertools
import math
from functools import cache

import numpy as np
import numpy.typing as npt

from seepage.data_classes import dataclass
from seepage.measures.gaussian.quadrature_rules import Floats

ORDERS = (8, 10, 12, 14, 16, 18, 20, 22, 24, 28, 32, 36, 40)
"""The n that are tried, all even; the sums converge for dimensions below the least."""
_EXPONENT = 1 / (2 * ORDERS[0])
_INFLATION = 1 + 1e-6  # above the rounding of a few thousand operations with floats of one sign
_OF_RADIUS = 0.05  # what the radius adds, as a share of what the pairs add
_LEAST_MASS = 1e-290  # of a pair, in place of what is smaller
_TURNS = (8, 16, 24)  # orders for which directions are sought
_NARROW = 0.5  # a ratio of terms of a series that is below twice its first term


@dataclass(frozen=True, slots=True)
class Densities:
    """A mixture in D dimensions.

    Attributes:
        weights: shape ``(C,)``, with sum 1.
        means: shape ``(C, D)``.
        precisions: Q, shape ``(C, D, D)``.
    """

    weights: Floats
    means: Floats
    precisions: Floats

    def log_peaks(self) -> Floats:
        """Return log max w_i N_i of each component, shape ``(C,)``."""
        size = self.precisions.shape[1]
        logs = np.linalg.slogdet(self.precisions)[1]
        return np.asarray(np.log(self.weights) + logs / 2 - size / 2 * math.log(2 * math.pi))

    def below_top(self) -> Floats:
        """Return log(P / max w_i N_i) of each component, shape ``(C,)``."""
        peaks = self.log_peaks()
        return np.asarray(np.logaddexp.reduce(peaks) - peaks)

    def scaled(self, steps: Floats) -> Densities:
        """Return the mixture in units of some steps, shape ``(D,)``."""
        return Densities(self.weights, self.means / steps, self.precisions * np.outer(steps, steps))


@dataclass(frozen=True, slots=True)
class Remainder:
    """Bounds for lattices with the steps of one times any factor.

    Attributes:
        steps: shape ``(D,)``.
        near: log of the bound of |Ĝ| at the K nearest points of the dual, one of ξ and −ξ, for every order, shape ``(K, orders)``.
        far: the same of the sum over all others, shape ``(orders,)``.
        weights, sizes, curvatures: w_i, log(M/max a_i) + D/2 and λ_i of each component, Ω² >= λ_i |k|²: shape ``(C,)``.
    """

    steps: Floats
    near: Floats
    far: Floats
    weights: Floats
    sizes: Floats
    curvatures: Floats

    def at(self, factor: float) -> float:
        """Return a bound of how far the sum with ``factor * steps`` is from the integral."""
        orders = np.log(factor) * np.array(ORDERS)
        with np.errstate(over="ignore"):
            of_pairs = 2 * np.exp((self.near + orders).min(axis=1)).sum() + np.exp((self.far + orders).min())
        decay, size = self.curvatures / factor**2, len(self.steps)
        # Of whole k with largest entry j there are at most 2D(2j + 1)^(D−1); those with an even sum have |k|² >= 2 for j = 1, and >= j² always.
        if not (2 * np.exp(-decay) * (5 / 3) ** (size - 1) < _NARROW).all():
            return math.inf
        of_plain = 2 * 2 * size * 3 ** (size - 1) * float(self.weights @ ((self.sizes + decay) * np.exp(-decay)))
        return float(of_pairs + of_plain) * _INFLATION

    def factor(self, goal: float) -> float:
        """Return about the largest factor for which the bound is at most ``goal``."""
        low, high = -20.0, 20.0
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if self.at(math.exp(middle)) <= goal else (low, middle)
        return math.exp(low)


def remainder(densities: Densities, steps: Floats) -> Remainder:
    """Return the bounds for lattices of steps that are multiples of these, shape ``(D,)``."""
    own, size = densities.scaled(steps), len(steps)
    cube = [k for k in itertools.product((-1, 0, 1), repeat=size) if k > (0,) * size and sum(k) % 2 == 0]
    axes = np.eye(size)
    near = np.array(cube, dtype=float).reshape(-1, size)
    bounds = _bounds(own, np.concatenate([near, axes]))
    # All others have a largest entry j >= 2 along some axis, where the bound is that of the axis over j^n; Σ_{j >= 3} f(j) <= ∫_2 f.
    orders = np.array(ORDERS)
    series = sum(((2 * j + 1) ** (size - 1) + 1) * float(j) ** -orders for j in range(2, 6))
    series = series + 3.0 ** (size - 1) * 5.0 ** (size - orders) / (orders - size)
    far = np.logaddexp.reduce(bounds[len(cube) :], axis=0) + np.log(series)
    sizes = 1 + densities.below_top() + size / 2
    decay = np.asarray(4 * math.pi**2 / np.linalg.eigvalsh(own.precisions)[:, -1], dtype=np.float64)
    return Remainder(steps, bounds[: len(cube)], far, densities.weights, sizes, decay)


def balanced_steps(densities: Densities, goal: float) -> Floats:
    """Return steps of which each alone costs about ``goal``, shape ``(D,)``."""
    scale = np.sqrt(1 / np.einsum("i,iaa->a", densities.weights, densities.precisions))
    bounds = _bounds(densities.scaled(scale), np.eye(len(scale)))
    steps = scale * np.exp(((math.log(goal) - bounds) / np.array(ORDERS)).max(axis=1))
    return np.array([float(f"{each:.3g}") for each in steps])


# --- pairs -------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Products a_i^α a_j^β of K pairs, and u_i − u_j under the normals that they are, whose mean is d·level and whose variance dᵀ spread d."""

    first: npt.NDArray[np.intp]
    second: npt.NDArray[np.intp]
    masses: Floats
    levels: Floats
    spreads: Floats

    def moments(self, directions: Floats) -> list[Floats]:
        """Return ∫ a_i^α a_j^β |u_i − u_j|^n for all orders, each with shape ``(directions, K)``: E(m + sz)^n = m E(m + sz)^{n−1} + (n − 1) s² E(m + sz)^{n−2}."""
        level = np.abs(directions @ self.levels.T)
        variance = np.maximum(np.einsum("ka,pab,kb->kp", directions, self.spreads, directions, optimize=True), 0)
        found, before, now = [], np.broadcast_to(self.masses, level.shape), level * self.masses
        for n in range(2, ORDERS[-1] + 1):
            before, now = now, level * now + (n - 1) * variance * before
            if n in ORDERS:
                found.append(now)
        return found


def _pairs(g: Densities, alpha: float, beta: float) -> _Pairs:
    """Return the pairs i < j; those i > j come after them if α and β differ."""
    i, j = np.triu_indices(len(g.weights), 1)
    if alpha != beta:
        i, j = np.concatenate([i, j]), np.concatenate([j, i])
    size, peaks = g.means.shape[1], g.log_peaks()
    own, other = g.precisions[i], g.precisions[j]
    precision = alpha * own + beta * other
    pull, other_pull = (np.einsum("iab,ib->ia", g.precisions, g.means)[at] for at in (i, j))
    centre = np.linalg.solve(precision, (alpha * pull + beta * other_pull)[..., None])[..., 0]
    fall = sum(
        power * np.einsum("ka,kab,kb->k", centre - g.means[at], g.precisions[at], centre - g.means[at])
        for power, at in ((alpha, i), (beta, j))
    )
    logs = alpha * peaks[i] + beta * peaks[j] + size / 2 * math.log(2 * math.pi) - fall / 2
    masses = np.exp(logs - np.linalg.slogdet(precision)[1] / 2)
    slopes = own - other
    levels = np.einsum("kab,kb->ka", slopes, centre) - pull + other_pull
    spreads = slopes @ np.linalg.solve(precision, slopes)
    return _Pairs(i, j, np.maximum(masses, _LEAST_MASS), levels, spreads)


def _bounds(g: Densities, frequencies: Floats) -> Floats:
    """Return log of the bound of |Ĝ| at frequencies, shape ``(K, D)``, for all orders: shape ``(K, orders)``."""
    pairs, skew = _pairs(g, 0.5, 0.5), _pairs(g, 0.5 - _EXPONENT, 0.5)
    best = np.full((len(frequencies), len(ORDERS)), np.inf)
    for directions in _directions(pairs, frequencies):
        rows = np.isfinite(directions).all(axis=1)
        best[rows] = np.minimum(best[rows], _along(g, pairs, skew, directions[rows]))
    return best


def _directions(pairs: _Pairs, frequencies: Floats) -> list[Floats]:
    """Return directions with ξ·d = 1, those of the axes (not finite where there is none) and some along which components differ little."""
    with np.errstate(divide="ignore"):
        found = [np.where(axis > 0, 1 / frequencies, 0) for axis in np.eye(frequencies.shape[1])]
    tables = pairs.spreads + np.einsum("pa,pb->pab", pairs.levels, pairs.levels) / ORDERS[0]
    for order in _TURNS:
        shares = np.broadcast_to(pairs.masses, (len(frequencies), len(pairs.masses)))
        for _ in range(2):
            table = np.einsum("kp,pab->kab", shares, tables, optimize=True)
            trace = np.trace(table, axis1=1, axis2=2)[:, None, None]
            table = table + (1e-9 * trace + _LEAST_MASS) * np.eye(frequencies.shape[1])
            solved = np.linalg.solve(table, frequencies[..., None])[..., 0]
            found.append(solved / (solved * frequencies).sum(axis=1)[:, None])
            along = np.maximum(np.einsum("ka,pab,kb->kp", found[-1], tables, found[-1], optimize=True), 0)
            along = along / np.maximum(along.max(axis=1, initial=0)[:, None], _LEAST_MASS)
            shares = pairs.masses * along ** (order / 4)
    return found


def _along(g: Densities, pairs: _Pairs, skew: _Pairs, directions: Floats) -> Floats:
    """Return log of the bound along directions with ξ·d = 1, shape ``(K, orders)``."""
    curvature = np.einsum("ka,iab,kb->ki", directions, g.precisions, directions)
    most, least = curvature.max(axis=1)[:, None], curvature.min(axis=1)[:, None]
    first, second = curvature[:, pairs.first], curvature[:, pairs.second]
    top = math.exp(_EXPONENT * float(np.logaddexp.reduce(g.log_peaks())))
    half, found = len(pairs.first), []
    for n, moment, of_shares in zip(ORDERS, pairs.moments(directions), skew.moments(directions), strict=True):
        arc = _arc(n, len(g.weights))
        main = arc.factor * moment.sum(axis=1)[:, None]
        radius = np.minimum((_OF_RADIUS * np.maximum(main, _LEAST_MASS)) ** (-1 / n), np.sqrt(n / most))
        raised = arc.factor * np.exp(((first + second) / 2 - least) * radius**2 / 2)
        lower = moment ** (1 - 1 / n) * pairs.masses ** (1 / n)  # Jensen: of order n − 1
        turned = arc.turn / (2 * n) * top * (of_shares[:, :half] + of_shares[:, half:])
        whole = radius[:, 0] ** -n
        whole += (raised * (moment + radius * np.abs(first - second) * lower + turned)).sum(axis=1)
        found.append(
            np.log(whole)
            + most[:, 0] * radius[:, 0] ** 2 / 2
            + math.log(arc.size)
            + n * math.log(n / (2 * math.pi * math.e))
        )
    return np.stack(found, axis=1)


@dataclass(frozen=True, slots=True)
class _Arc:
    """c (``factor``), Λ (``size``) and ψ (``turn``) of the module's text."""

    factor: float
    size: float
    turn: float


@cache
def _arc(n: int, count: int) -> _Arc:
    """Return the best of some arcs for an order and a number of components."""
    overshoot = (1 - 1 / (2 * n - 1)) ** n / (n - 1)
    lengths = np.linspace(2, math.pi, 2000)
    least = np.cos(lengths / 2) - lengths * overshoot
    lengths, least = lengths[least > 0], least[least > 0]
    factors = 2 * lengths**-n
    sizes = np.log(count + 1 / least) + math.pi / 2 + lengths * (0.5 + overshoot)
    turns = factors ** (-1 / n) * count ** (1 / (2 * n))
    at = int((factors * sizes * (1 + turns / n)).argmin())
    return _Arc(float(factors[at]), float(sizes[at]), float(turns[at]))
