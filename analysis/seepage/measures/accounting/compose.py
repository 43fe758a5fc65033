r"""Compositions of pairs on one grid: a product of discrete Fourier transforms at an exponential tilt, with a bound of all that is not exact.

Masses :math:`x_i \propto p_i e^{\lambda l_i}` are composed; those of losses beyond the window have a Chernoff bound. What the transform of n numbers
errs is at most :math:`\eta = 10 u \log_2 n` of its size in the mean square (Higham 2002, "Accuracy and Stability of Numerical Algorithms", theorem 24.2, with
room), one product of complex numbers errs by at most :math:`\sqrt 5 u` of it (Brent, Percival, Zimmermann 2007). With f the transforms,
:math:`e_j = \eta \sqrt n \lVert x_j \rVert_2` and Z their product, each number of the result errs by at most

.. math:: E = \frac 1 n \sum_j k_j \lVert (|f_j| + e_j)^{k_j - 1} \prod_{i \ne j} (|f_i| + e_i)^{k_i} \rVert_2\, e_j
          + \sum_j k_j \sqrt 5 u \lVert Z \rVert_1 / n + \eta \lVert Z \rVert_2 / \sqrt n .
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from flint import arb

from seepage.data_classes import dataclass
from seepage.measures.accounting.grid import Masses
from seepage.measures.accounting.valley import least_at

_Floats = npt.NDArray[np.float64]
_U = 2.0**-53
_TINY = 1e-300
_WIDEST = 2**22  # the longest transform
_DEVIATIONS = 9.0
_BEYOND = -37.0  # the logarithm of what may be left out of the window, of the tilted law
_SAFE = 1e-13  # more than sums, exponentials and logarithms of floats err by, relative to their terms


class TooWide(Exception):
    """The losses need a longer transform than is made."""


@dataclass(frozen=True, slots=True)
class Tilted:
    """One release on the grid, tilted: ``p[i] = mass[i] · exp(log_total − tilt · step · index[i])``.

    Attributes:
        index: whole multiples of the step.
        mass: weights of about 1 together, rounded as the pair is meant.
        log_total: the logarithm of what they were divided by.
        count: how many such releases there are.
    """

    index: npt.NDArray[np.int64]
    mass: _Floats
    log_total: float
    count: int


def tilted(masses: Masses, count: int, step: arb, tilt: float, *, up: bool) -> Tilted:
    """Tilt the masses of one release.

    Args:
        masses: of the release.
        count: how many of it there are.
        step: of the grid.
        tilt: λ.
        up: whether masses are rounded up.
    """
    factor = (step * arb(tilt)).exp()
    raised = [mass * factor**index for index, mass in zip(masses.indices, masses.masses, strict=True)]
    total = sum((float(one.mid()) for one in raised), 0.0)
    if not total:
        return Tilted(np.zeros(1, dtype=np.int64), np.zeros(1), 0.0, count)
    log_total = math.log(total)
    scale = (-arb(log_total)).exp()
    rounded = np.array([_float(one * scale, up=up) for one in raised])
    kept = rounded > 0
    if not kept.any():
        return Tilted(np.zeros(1, dtype=np.int64), np.zeros(1), 0.0, count)
    return Tilted(np.array(masses.indices, dtype=np.int64)[kept], rounded[kept], log_total, count)


def _float(one: arb, *, up: bool) -> float:
    if up:
        return math.nextafter(float(one.upper()), math.inf)
    return max(0.0, math.nextafter(float(one.lower()), -math.inf))


@dataclass(frozen=True, slots=True)
class Composed:
    """A composition of releases on the grid, tilted, with a bound of its error.

    Attributes:
        first: the index of the first number.
        bins: masses of the tilted law, each with an error of at most ``error``.
        error: see the module.
        log_total: as for one release.
        last: the index from which on masses are also within ``log_after``.
        log_before: the logarithm of a bound of the tilted mass before the window.
        log_after: that of a bound of the tilted mass from ``last`` on.
        tilt: λ.
        step: of the grid, as a float.
    """

    first: int
    bins: _Floats
    error: float
    log_total: float
    last: int
    log_before: float
    log_after: float
    tilt: float
    step: float

    def losses(self) -> _Floats:
        """Return the losses of the bins."""
        return self.step * (self.first + np.arange(len(self.bins), dtype=np.float64))


def nothing(step: float, tilt: float) -> Composed:
    """Return a composition without masses, which any dominates."""
    return Composed(0, np.zeros(1), 0.0, 0.0, 0, -math.inf, -math.inf, tilt, step)


def composed(parts: Sequence[Tilted], step: float, tilt: float, within: int = _WIDEST) -> Composed:
    """Compose releases.

    Args:
        parts: tilted alike, on one grid.
        step: of the grid.
        tilt: λ.
        within: the longest transform.

    Raises:
        TooWide: if it would be longer.
    """
    if any(not part.mass.any() for part in parts):
        return nothing(step, tilt)
    first, length, log_before, log_after = _window(parts, step)
    n = 1 << max(3, (length - 1).bit_length())
    if n > within:
        raise TooWide
    bins, error = convolved(parts, first, n)
    log_total = sum(part.count * part.log_total for part in parts)
    return Composed(first, bins, error, log_total, first + length - 1, log_before, log_after, tilt, step)


def _window(parts: Sequence[Tilted], step: float) -> tuple[int, int, float, float]:
    """Return the first index and the length of a window, and logarithms of bounds of the masses before and behind it."""
    least = sum(part.count * int(part.index[0]) for part in parts)
    most = sum(part.count * int(part.index[-1]) for part in parts)
    mean, variance = 0.0, 0.0
    for part in parts:
        total = part.mass.sum()
        one = float((part.mass * part.index).sum() / total)
        mean += part.count * one
        variance += part.count * float((part.mass * (part.index - one) ** 2).sum() / total)
    deviation = max(1.0, math.sqrt(variance))
    sides: list[tuple[int, float]] = []
    for sign, end in ((-1, least), (1, most)):
        reach, log_beyond = _DEVIATIONS, 0.0
        while True:
            at = mean + sign * reach * deviation
            if sign * at >= sign * end:
                sides.append((end, -math.inf))
                break
            log_beyond = _chernoff(parts, math.floor(at) if sign < 0 else math.ceil(at), sign / deviation)
            if log_beyond < _BEYOND:
                sides.append((math.floor(at) if sign < 0 else math.ceil(at), log_beyond))
                break
            reach *= 1.25
    (low, log_before), (high, log_after) = sides
    return low, high - low + 1, log_before, log_after


def _chernoff(parts: Sequence[Tilted], end: int, unit: float) -> float:
    """Return the logarithm of a bound of the mass of sums at or beyond an end, by about the best exponent, which is of the sign of ``unit``."""

    def bound(log_times: float) -> float:
        t = unit * math.exp(log_times)
        found, size = -t * end, abs(t * end)
        for part in parts:
            exponents = t * part.index
            top = float(exponents.max())
            one = top + math.log(float((part.mass * np.exp(exponents - top)).sum()))
            found += part.count * one
            size += part.count * (abs(one) + abs(top) + 1)
        return found + _SAFE * size

    return bound(least_at(bound, -3.0, 4.0, 24))


def convolved(parts: Sequence[Tilted], first: int, n: int) -> tuple[_Floats, float]:
    """Return the circular convolution of all parts, turned so that it starts at an index, and a bound of the error of each number.

    Args:
        parts: tilted alike, on one grid.
        first: the index of the first number, modulo the length.
        n: the length, a power of two.
    """
    eta = 10 * _U * math.log2(n)
    spectra: list[tuple[npt.NDArray[np.complex128], float, int]] = []
    offset = 0
    for part in parts:
        middle = int(part.index[int(part.mass.argmax())])
        offset += part.count * middle
        x = np.zeros(n)
        np.add.at(x, (part.index - middle) % n, part.mass)
        f = np.fft.rfft(x)
        spectra.append((f, eta * math.sqrt(n) * _norm(x) * (1 + 1e-9), part.count))
    z = np.ones(n // 2 + 1, dtype=np.complex128)
    for f, _, count in spectra:
        z *= _power(f, count)
    error = _error(spectra, z, n, eta)
    bins = np.fft.irfft(z, n)
    return np.roll(bins, -((first - offset) % n)), error


def _norm(numbers: npt.NDArray[np.float64] | npt.NDArray[np.complex128]) -> float:
    """Return the Euclidean norm, rounded anyhow; what numpy has for it starts threads that wait for each other on a busy machine."""
    sizes = np.abs(numbers)
    return math.sqrt(float((sizes * sizes).sum()))


def _power(f: npt.NDArray[np.complex128], count: int) -> npt.NDArray[np.complex128]:
    """Return a power by squarings, in place: fresh memory costs more than the products."""
    square, result = f.copy(), np.ones_like(f)
    while count:
        if count & 1:
            result *= square
        count >>= 1
        if count:
            square *= square
    return result


def _error(
    spectra: Sequence[tuple[npt.NDArray[np.complex128], float, int]], z: npt.NDArray[np.complex128], n: int, eta: float
) -> float:
    """Return the bound E of the module; sums over all n frequencies are at most twice those over the half that is kept."""
    sizes = [np.maximum(np.abs(f) + e, _TINY) for f, e, _ in spectra]
    logs = [count * np.log(size) for size, (_, _, count) in zip(sizes, spectra, strict=True)]
    bound = np.exp(np.sum(logs, axis=0))  # not below the exact product: what is computed may have lost it to rounding
    error = 0.0
    for size, (_, e, count) in zip(sizes, spectra, strict=True):
        rest = (bound + _TINY) / size
        error += count * e * math.sqrt(2) * _norm(rest) / n
    steps = sum(count for _, _, count in spectra)
    rounding = math.expm1(steps * math.log1p(math.sqrt(5) * _U * 1.0000001))
    error += rounding * 2 * float(bound.sum()) / n
    norm = _norm(z) + rounding * _norm(bound)
    error += eta * math.sqrt(2) * norm / math.sqrt(n)
    return error * (1 + 1e-6) + 1e-290
