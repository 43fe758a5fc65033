"""Continuous laws by name, written down by hand: densities and distribution functions, and what their mixtures say of a secret.

The chance to guess a secret is found another way than by the engine: the places where densities change their order are bracketed on a grid between all kinks
and ends, bisected to many digits, and between them the mass of the greatest is a difference of distribution functions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise

import mpmath
from mpmath import mpf

NAMES = (
    "laplace",
    "triangular",
    "uniform",
    "exponential",
    "gamma",
    "beta",
    "lognormal",
    "student_t",
    "normal",
    "logistic",
    "gumbel",
    "cauchy",
    "weibull",
    "pareto",
)
_GRID = 60  # places between neighbouring kinks
_FAR = 45  # factors of two
_GUMBEL_NOTHING = -30  # e^(-e^30) is less than any number here


@dataclass(frozen=True, slots=True)
class Family:
    """``shift + scale · z`` with z of a law, its parameters as the language writes them."""

    name: str
    parameters: tuple[Fraction, ...]
    shift: Fraction = Fraction(0)
    scale: Fraction = Fraction(1)

    @property
    def text(self) -> str:
        return f"{self.name}({', '.join(map(str, self.parameters))})"

    def placed(self, variable: str, noise: str) -> str:
        """Statements that draw a variable."""
        return f"{noise} ~ {self.text}\n{variable} := {self.scale} * {noise} + {self.shift}\n"

    @property
    def breaks(self) -> list[mpf]:
        """Ends of the support and kinks."""
        p = [_mpf(each) for each in self.parameters]
        match self.name:
            case "laplace":
                found = [p[0]]
            case "triangular" | "uniform":
                found = p
            case "exponential" | "gamma" | "lognormal" | "weibull":
                found = [mpf(0)]
            case "pareto":
                found = [p[1]]
            case "beta":
                found = [mpf(0), mpf(1)]
            case _:
                found = []
        return [_mpf(self.shift) + _mpf(self.scale) * z for z in found]

    def density(self, x: mpf) -> mpf:
        """The density at a place that is no break."""
        return _density(self, (x - _mpf(self.shift)) / _mpf(self.scale)) / abs(_mpf(self.scale))

    def below(self, x: mpf) -> mpf:
        """The probability of smaller values."""
        z = (x - _mpf(self.shift)) / _mpf(self.scale)
        return _below(self, z) if self.scale > 0 else 1 - _below(self, z)


def _mpf(number: Fraction) -> mpf:
    return mpf(number.numerator) / number.denominator


def _density(family: Family, z: mpf) -> mpf:
    p = [_mpf(each) for each in family.parameters]
    exp, log, pi = mpmath.exp, mpmath.log, mpmath.pi
    match family.name:
        case "laplace":
            return exp(-abs(z - p[0]) / p[1]) / (2 * p[1])
        case "normal":
            return exp(-((z - p[0]) ** 2) / (2 * p[1])) / mpmath.sqrt(2 * pi * p[1])
        case "student_t":
            df, u = p[0], (z - p[1]) / p[2]
            front = mpmath.gamma((df + 1) / 2) / (mpmath.gamma(df / 2) * mpmath.sqrt(df * pi) * p[2])
            return front * (1 + u * u / df) ** (-(df + 1) / 2)
        case "triangular":
            low, mode, high = p
            if not low < z < high:
                return mpf(0)
            if z < mode:
                return 2 * (z - low) / ((high - low) * (mode - low))
            return 2 * (high - z) / ((high - low) * (high - mode))
        case "uniform":
            return 1 / (p[1] - p[0]) if p[0] < z < p[1] else mpf(0)
        case "logistic":
            u = exp(-abs(z - p[0]) / p[1])
            return u / (p[1] * (1 + u) ** 2)
        case "gumbel":
            u = (z - p[0]) / p[1]
            return exp(-u - exp(-u)) / p[1] if u > _GUMBEL_NOTHING else mpf(0)
        case "cauchy":
            return 1 / (pi * p[1] * (1 + ((z - p[0]) / p[1]) ** 2))
        case "pareto":
            return p[0] / p[1] * (p[1] / z) ** (p[0] + 1) if z > p[1] else mpf(0)
        case _ if z <= 0:
            return mpf(0)
        case "weibull":
            return p[0] / p[1] * (z / p[1]) ** (p[0] - 1) * exp(-((z / p[1]) ** p[0]))
        case "exponential":
            return p[0] * exp(-p[0] * z)
        case "gamma":
            return p[1] * (p[1] * z) ** (p[0] - 1) * exp(-p[1] * z) / mpmath.gamma(p[0])
        case "lognormal":
            return exp(-((log(z) - p[0]) ** 2) / (2 * p[1])) / (z * mpmath.sqrt(2 * pi * p[1]))
        case _:
            return z ** (p[0] - 1) * (1 - z) ** (p[1] - 1) / mpmath.beta(p[0], p[1]) if z < 1 else mpf(0)


def _below(family: Family, z: mpf) -> mpf:
    p = [_mpf(each) for each in family.parameters]
    match family.name:
        case "laplace":
            half = mpmath.exp(-abs(z - p[0]) / p[1]) / 2
            return half if z < p[0] else 1 - half
        case "normal":
            return mpmath.ncdf((z - p[0]) / mpmath.sqrt(p[1]))
        case "student_t":
            df, u = p[0], (z - p[1]) / p[2]
            tail = mpmath.betainc(df / 2, mpf(1) / 2, 0, df / (df + u * u), regularized=True) / 2
            return tail if u < 0 else 1 - tail
        case "triangular":
            low, mode, high = p
            z = min(max(z, low), high)
            if z < mode:
                return (z - low) ** 2 / ((high - low) * (mode - low))
            return 1 - (high - z) ** 2 / ((high - low) * (high - mode)) if mode < high else mpf(1)
        case "uniform":
            return (min(max(z, p[0]), p[1]) - p[0]) / (p[1] - p[0])
        case "logistic":
            return 1 / (1 + mpmath.exp(-(z - p[0]) / p[1]))
        case "gumbel":
            u = (z - p[0]) / p[1]
            return mpmath.exp(-mpmath.exp(-u)) if u > _GUMBEL_NOTHING else mpf(0)
        case "cauchy":
            return mpf(1) / 2 + mpmath.atan((z - p[0]) / p[1]) / mpmath.pi
        case "pareto":
            return 1 - (p[1] / z) ** p[0] if z > p[1] else mpf(0)
        case _ if z <= 0:
            return mpf(0)
        case "weibull":
            return -mpmath.expm1(-((z / p[1]) ** p[0]))
        case "exponential":
            return 1 - mpmath.exp(-p[0] * z)
        case "gamma":
            return mpmath.gammainc(p[0], 0, p[1] * z, regularized=True)
        case "lognormal":
            return mpmath.ncdf((mpmath.log(z) - p[0]) / mpmath.sqrt(p[1]))
        case _:
            return mpmath.betainc(p[0], p[1], 0, min(z, mpf(1)), regularized=True)


def drawn_family(source: random.Random, names: Sequence[str] = NAMES) -> Family:
    """Return a law with small rational parameters, at times with its mode or mean where others have theirs."""

    def positive(*choices: str) -> Fraction:
        return Fraction(source.choice(choices))

    name = source.choice(names)
    mean = Fraction(source.randint(-3, 3), source.choice((1, 1, 2, 3)))
    size = positive("1/3", "1/2", "1", "2", "5/2")
    parameters: tuple[Fraction, ...]
    match name:
        case "laplace" | "normal" | "logistic" | "gumbel" | "cauchy":
            parameters = (mean, size)
        case "weibull":
            parameters = (positive("1/2", "2", "5/2"), size)
        case "pareto":
            parameters = (positive("1/2", "1", "3"), size)
        case "student_t":
            parameters = (positive("3", "5", "9"), mean, size)
        case "uniform":
            parameters = (mean, mean + size)
        case "triangular":
            parameters = (mean, mean + size * positive("0", "1/4", "1/2", "1"), mean + size)
        case "exponential":
            parameters = (size,)
        case "gamma":
            parameters = (positive("1/2", "3/4", "1", "2", "5/2"), size)
        case "lognormal":
            parameters = (mean / 2, positive("1/4", "1"))
        case _:
            parameters = (positive("1/2", "1", "2", "3"), positive("1/2", "1", "2", "3"))
    scale = Fraction(source.choice((1, 1, -1, 2))) if source.random() < 0.5 else Fraction(1)
    return Family(name, parameters, Fraction(source.randint(-2, 2), 3) if source.random() < 0.5 else Fraction(0), scale)


def chance_to_guess(
    weights: Sequence[Fraction],
    families: Sequence[Family],
    limits: tuple[Fraction, Fraction] | None = None,
    digits: int = 25,
) -> mpf:
    r"""Return :math:`\int \max_w p_w f_w`, from below if the densities change their order twice within a step of the grid.

    With ``limits``, for values clamped to an interval, whose ends are atoms then.
    """
    with mpmath.workdps(digits):
        p = [_mpf(weight) for weight in weights]
        places = places_of_change(p, families)
        if limits is not None:
            low, high = map(_mpf, limits)
            places = [-mpmath.inf, low, *(x for x in places if low < x < high), high, mpmath.inf]
        return mpmath.fsum(
            max(w * (_at(f, b, 1) - _at(f, a, 0)) for w, f in zip(p, families, strict=True))
            for a, b in pairwise(places)
        )


def _at(family: Family, place: mpf, otherwise: int) -> mpf:
    return family.below(place) if mpmath.isfinite(place) else mpf(otherwise)


def places_of_change(weights: Sequence[mpf], families: Sequence[Family]) -> list[mpf]:
    """Return −∞, ∞, and between them all breaks and places where weighted densities cross."""
    breaks = sorted({each for family in families for each in family.breaks}) or [mpf(0)]
    ends = [-mpmath.inf, *breaks, mpmath.inf]
    far = [mpf(2) ** k for k in range(_FAR)]
    found = set(ends)
    for a, b in pairwise(ends):
        if not mpmath.isfinite(a):
            grid = sorted(b - d for d in _steps(far))
        elif not mpmath.isfinite(b):
            grid = [a + d for d in _steps(far)]
        else:
            near = [(b - a) / mpf(2) ** k for k in range(30, 5, -1)]
            inner = [a + (b - a) * i / _GRID for i in range(1, _GRID)]
            grid = sorted({*(a + d for d in near), *inner, *(b - d for d in near)})
        for one, other in combinations(list(zip(weights, families, strict=True)), 2):
            found.update(_crossings(_difference(one, other), grid))
    return sorted(found)


def _difference(one: tuple[mpf, Family], other: tuple[mpf, Family]) -> Callable[[mpf], mpf]:
    return lambda x: one[0] * one[1].density(x) - other[0] * other[1].density(x)


def _steps(far: Sequence[mpf]) -> list[mpf]:
    """Return growing distances: first in even steps, then in a geometric progression."""
    near = [mpf(2) ** -k for k in range(30, 4, -1)]
    return sorted({*near, *(mpf(i) / 16 for i in range(1, 160)), *(10 * d for d in far)})


def _crossings(difference: Callable[[mpf], mpf], grid: Sequence[mpf]) -> list[mpf]:
    values = [difference(x) for x in grid]
    found: list[mpf] = []
    for (a, at_a), (b, at_b) in pairwise(zip(grid, values, strict=True)):
        if at_a == 0:
            found.append(a)
        elif at_a * at_b < 0:
            found.append(_bisected(difference, a, b, at_a))
    return found


def _bisected(difference: Callable[[mpf], mpf], a: mpf, b: mpf, at_a: mpf) -> mpf:
    for _ in range(int(mpmath.mp.prec * 0.7)):
        middle = (a + b) / 2
        at = difference(middle)
        if at == 0:
            return middle
        if (at > 0) == (at_a > 0):
            a = middle
        else:
            b = middle
    return (a + b) / 2
