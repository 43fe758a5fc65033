r"""How far a sum over a lattice is from −∫ p log p of a Gaussian mixture p = Σ w_i N_i in any dimension: a bound that no mean changes.

With F = p log(p/M) and a lattice of steps h_a, Poisson's formula is ``cell · Σ F − ∫ F = Σ_{k ≠ 0} F̂(k/h)``, and for any direction d
|F̂(ξ)| <= ‖∂_d^n F‖₁ / (2π ξ·d)^n. By Faà di Bruno's formula, with the derivatives r_m of p along d divided by p, which are averages of those of the
components given the point,

.. math:: \partial^n F = p\, r_n (\log(p/M) + 1) + p \sum_{k \ge 2} (-1)^k (k-2)!\, B_{n,k}(r_1, r_2, \dots).

Along d component i is a normal of precision q_i = dᵀQ_i d: its r_m is q_i^{m/2} He_m(z), z standard normal. Hölder's inequality (the orders of a term of
B add up to n) and Jensen's make E|Π r_m| <= Σ_i w_i q_i^{n/2} · Π ‖He_m‖_{n/m}. In the first term M is e times P = Σ_i max w_i N_i, and
0 <= log(P/p) <= log(P / (w_i N_i)): a polynomial in what is standard normal.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from seepage.measures.gaussian.quadrature_rules import Floats

ORDERS = (6, 8, 10, 12, 14)
"""Orders n of the derivative that are tried; the sums converge for dimensions below n."""
_SHELLS = 3  # of the dual lattice that are added up one by one
_INFLATION = 1 + 1e-6  # above the rounding of a few thousand operations with floats of one sign


@dataclass(frozen=True, slots=True)
class Densities:
    """A mixture in D dimensions without its means.

    Attributes:
        weights: shape ``(C,)``, with sum 1.
        precisions: Q, shape ``(C, D, D)``.
    """

    weights: Floats
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

    def spread(self) -> Floats:
        """Return the inverse of the mean precision, shape ``(D, D)``: which steps suit is read off it."""
        shares = self.weights * np.linalg.det(self.precisions) ** (8 / 2 / self.precisions.shape[1])
        return np.asarray(np.linalg.inv(np.einsum("i,iab->ab", shares / shares.sum(), self.precisions)))


def remainder(densities: Densities, steps: Floats) -> float:
    """Return a bound of ``|cell · Σ F − ∫ F|`` over the lattice of these steps, shape ``(D,)``; the best of several orders."""
    size = len(steps)
    cube = itertools.product(range(-_SHELLS, _SHELLS + 1), repeat=size)
    half = np.array([k for k in cube if k > (0,) * size], dtype=float)  # of k and −k one
    return min(_of_order(n, densities, steps, half) for n in ORDERS if n > size)


def _of_order(n: int, densities: Densities, steps: Floats, half: Floats) -> float:
    size, log_share = len(steps), densities.below_top() + (len(steps) - 1) / 2
    # E|He_n(z)| <= √n! and E|He_n(z)| z² <= √E(z He_n)² = √((2n + 1) n!)
    factor = _of_the_rest(n) + math.sqrt(math.factorial(n)) * (log_share + math.sqrt(2 * n + 1) / 2)
    weights = densities.weights * factor
    shares = weights * np.linalg.det(densities.precisions) ** (n / 2 / size)
    spread = np.linalg.inv(np.einsum("i,iab->ab", shares / shares.sum(), densities.precisions))
    frequencies = half / steps
    directions = frequencies @ spread
    along = np.einsum("ka,iab,kb->ki", directions, densities.precisions, directions)
    near = 2 * (along ** (n / 2) @ weights / (2 * np.pi * (frequencies * directions).sum(axis=1)) ** n).sum()
    # Past the shells: q_i <= λ_i ξᵀSξ, ξᵀSξ >= μ |k|², at most 2D(3j)^(D−1) points with |k| = j, and Σ_{j > K} j^(D−1−n) <= K^(D−n)/(n − D).
    root = np.linalg.cholesky(spread)
    largest = np.linalg.eigvalsh(root.T @ densities.precisions @ root)[:, -1]
    least = np.linalg.eigvalsh(spread / np.outer(steps, steps))[0]
    points = 2 * size * 3 ** (size - 1) * _SHELLS ** float(size - n) / (n - size)
    far = points * (largest ** (n / 2) @ weights) / (4 * np.pi**2 * least) ** (n / 2)
    return float(near + far) * _INFLATION


@cache
def _of_the_rest(n: int) -> float:
    """Return Σ_{k >= 2} (k − 2)! B_{n,k}(c_1, c_2, …) with c_m = ‖He_m‖_{n/m}."""
    norms = [0.0, *(_norm(m, n) for m in range(1, n))]
    bell = [[0.0] * (n + 1) for _ in range(n + 1)]
    bell[0][0] = 1.0
    for order, k in itertools.product(range(1, n + 1), range(1, n + 1)):
        bell[order][k] = sum(
            math.comb(order - 1, m - 1) * norms[m] * bell[order - m][k - 1] for m in range(1, min(order, n - 1) + 1)
        )
    return sum(math.factorial(k - 2) * bell[n][k] for k in range(2, n + 1)) * _INFLATION


def _norm(m: int, n: int) -> float:
    """Return an upper bound of ‖He_m‖_{n/m}: the norm of the next even exponent, a moment of a polynomial with whole coefficients."""
    exponent = 2 * math.ceil(n / m / 2)
    power = [1]
    for _ in range(exponent):
        power = _product(power, _hermite(m))
    # E z^k = (k − 1)!! for even k.
    moment = sum(each * math.prod(range(1, k, 2)) for k, each in enumerate(power) if k % 2 == 0)
    return math.exp(math.log(moment) / exponent)


def _hermite(m: int) -> list[int]:
    """Return the coefficients of He_m, lowest first: He_{m+1} = z He_m − m He_{m−1}."""
    before, result = [0], [1]
    for k in range(m):
        lifted = [0, *result]
        before, result = result, [each - k * (before[at] if at < len(before) else 0) for at, each in enumerate(lifted)]
    return result


def _product(first: list[int], second: list[int]) -> list[int]:
    result = [0] * (len(first) + len(second) - 1)
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            result[i + j] += a * b
    return result
