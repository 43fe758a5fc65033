r"""The law of one continuous value given another on a path.

The given value x is a multiple of one source z, or a combination of normal ones; the other is then :math:`m(x)` plus independent noise: normal, with a
variance that may depend on x, or a multiple of one source of another law. One guard may tie the source to variables that the noise
does not depend on: it weighs x by the probability that it is passed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flint import acb, arb

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.pivot.densities import Given, Piece, all_normal, apart, covariance, given, weight_of
from seepage.engines.pivot.path import Guards, Path
from seepage.engines.pivot.vanishing import Vanishing
from seepage.exact import Number, enclose
from seepage.laws.forms import Beyond, Polynomial, linear, powers_of
from seepage.laws.law import Edge, Law
from seepage.laws.normal import Normal


@dataclass(frozen=True, slots=True)
class Window:
    """The probability that ``slope · z`` plus normal noise lies in (low, high), as a function of z."""

    slope: Number
    variance: Number
    low: Edge
    high: Edge

    def at(self, z: acb) -> acb:
        """Return the probability."""
        root = (2 * enclose(self.variance)).sqrt()
        shift = z * enclose(self.slope)
        above = acb(2) if self.low is None else ((enclose(self.low) - shift) / root).erfc()
        beyond = acb(0) if self.high is None else ((enclose(self.high) - shift) / root).erfc()
        return (above - beyond) / 2


@dataclass(frozen=True, slots=True)
class Noise:
    """What is added to the mean: normal of a variance that is a polynomial in x and at least ``least``, or vanishes as that says, or ``scale`` times a source of a law."""

    variance: tuple[Number, ...] = ()
    least: Number | Vanishing = 0
    scale: Number = 0
    law: Law | None = None

    @property
    def is_fixed(self) -> bool:
        """Whether it does not depend on x."""
        return self.law is not None or len(self.variance) == 1


@dataclass(frozen=True, slots=True)
class Conditional:
    """The density of x on a path, ``piece`` times ``window``, and the other value given x: ``mean`` as a polynomial in x, plus noise."""

    piece: Piece
    window: Window | None
    mean: tuple[Number, ...]
    noise: Noise


def conditional_of(path: Path, x: Polynomial, y: Polynomial) -> Conditional:
    """Return the law of x, and that of y given x.

    Args:
        path: with the laws of the sources and guards.
        x: a value that is linear in them.
        y: a value that shares sources with it.

    Raises:
        Beyond: if they are not of the kind that this module describes.
    """
    found = linear(x)
    if found is None:
        raise Beyond("a given value that is not linear")
    constant, coefficients = found
    chance, near = apart(path, x.sources | y.sources)
    weight = weight_of(path) * chance
    if len(coefficients) > 1:
        return _of_combination(path, weight, found, y, near)
    ((index, scale),) = coefficients.items()
    low, high = near.pop(((index, 1),), path.laws[index].ends)
    window = _window(path, index, y, near)
    mean, noise = _given(path, y, index)
    back = (exact.neg(exact.div(constant, scale)), exact.div(1, scale))  # z as a polynomial in x
    noise = Noise(composed(noise.variance, back), noise.least, noise.scale, noise.law)
    piece = Piece(weight, constant, scale, path.laws[index], low, high)
    return Conditional(piece, window, composed(mean, back), noise)


def _given(path: Path, y: Polynomial, index: int) -> tuple[tuple[Number, ...], Noise]:
    """Return y given a source: the mean as a polynomial in it, and the noise."""
    found: Given | None = given(path, y, index)
    if found is not None:
        mean, variance, least = found
        return mean, Noise(variance, least)
    others = [other for other in y.sources if other != index]
    if len(others) == 1:
        parts = powers_of(y, others[0])
        scale, rest = parts.get(1, 0), powers_of(parts.get(0, 0), index)
        numbers = [rest.get(power, 0) for power in range(max(rest, default=0) + 1)]
        plain = [number for number in numbers if not isinstance(number, Polynomial)]
        if set(parts) <= {0, 1} and not isinstance(scale, Polynomial) and len(plain) == len(numbers):
            return tuple(plain), Noise(scale=scale, law=path.laws[others[0]])
    raise Beyond("noise of no known kind")


def _window(path: Path, index: int, y: Polynomial, near: Guards) -> Window | None:
    if not near:
        return None
    if len(near) > 1:
        raise Beyond("several guards that depend on each other")
    ((direction, (low, high)),) = near.items()
    cut = dict(direction)
    slope = cut.pop(index, 0)
    if slope == 0 or not path.laws[index].is_normal or not all_normal(path, cut) or set(cut) & y.sources:
        raise Beyond("a guard that depends on the noise")
    return Window(slope, covariance(path, cut, cut), low, high)


def _of_combination(
    path: Path,
    weight: arb,
    x: tuple[Number, Mapping[int, Number]],
    y: Polynomial,
    near: Guards,
) -> Conditional:
    found = linear(y)
    constant, coefficients = x
    if found is None or near or not all_normal(path, (*coefficients, *found[1])):
        raise Beyond("a given value that depends on several variables")
    spread = covariance(path, coefficients, coefficients)
    slope = exact.div(covariance(path, found[1], coefficients), spread)
    rest = exact.sub(covariance(path, found[1], found[1]), exact.mul(exact.mul(slope, slope), spread))
    if rest == 0:
        raise Beyond("values that determine each other")
    mean = (exact.sub(found[0], exact.mul(slope, constant)), slope)
    piece = Piece(weight, constant, 1, Normal((spread,)), None, None)
    return Conditional(piece, None, mean, Noise((rest,), rest))


def composed(outer: Sequence[Number], inner: Sequence[Number]) -> tuple[Number, ...]:
    """Return ``outer(inner(x))`` for polynomials by coefficients, ascending."""
    total: list[Number] = []
    for coefficient in reversed(outer):
        product: list[Number] = [0] * (len(total) + len(inner) - 1) if total else []
        for i, u in enumerate(total):
            for j, v in enumerate(inner):
                product[i + j] = exact.add(product[i + j], exact.mul(u, v))
        total = product or [0]
        total[0] = exact.add(total[0], coefficient)
    while len(total) > 1 and total[-1] == 0:
        total.pop()
    return tuple(total)
