r"""Outputs that differ between two inputs by a shift only, behind noise that nothing else holds: what that noise alone lets through.

With r the sources that a value holds in other ways, the laws of the outputs are averages over r of that of the noise at two places, the same distance
apart for all r. The excess is convex in the pair of laws, so that it is at most that of the noise alone; it is that where there is nothing else. Paths of
equal weight may be coupled likewise.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb, fmpq

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.pivot.densities import weight_of
from seepage.engines.pivot.path import Path
from seepage.exact import Number, enclose
from seepage.laws.forms import Polynomial, plus, times
from seepage.laws.laplace import Laplace
from seepage.laws.normal import Normal
from seepage.laws.unit_interval import OnUnitInterval
from seepage.measures.privacy.log_concave import TwoNoises

_LIGHT = (Normal, Laplace, OnUnitInterval)
"""Laws of noise beside which the widest Laplace noise, or without any the normal one, decides the tails of a sum."""


@dataclass(frozen=True, slots=True)
class Shift:
    """How far apart the places of an output are on two coupled paths, and the noise.

    The noise is ``all`` that there is, or there is more; ``light``: what there is more has no heavier tails.
    """

    weight: arb
    distance: Number
    noise: TwoNoises
    all: bool
    light: bool


@dataclass(frozen=True, slots=True)
class Shifts:
    """Two laws of an output as averages of shifts; they are ``exact`` where there is one shift and no more noise."""

    parts: tuple[Shift, ...]

    @property
    def exact(self) -> bool:
        """Whether the bounds are those of the excess itself."""
        return len(self.parts) == 1 and self.parts[0].all

    @property
    def loss(self) -> arb | None:
        r"""The supremum of the log-ratio, None where it is not known.

        Laplace noise of scale b lets through a distance c at most as c/b, which the tails of a sum tend to where what is added has a finite
        :math:`E e^{|r| / b}`; behind normal noise and what is bounded the ratio exceeds every bound.
        """
        one = self.parts[0]
        if len(self.parts) > 1 or not one.light:
            return None
        if one.noise.scale == 0 and one.distance != 0:
            return arb.pos_inf()
        return arb(0) if one.distance == 0 else enclose(exact.div(exact.abs_(one.distance), one.noise.scale))

    def excess(self, epsilon: Number) -> tuple[arb, arb]:
        """Return bounds of the excess at a claimed ε, the lower one 0 where there may be more noise."""
        bounds = [(each.weight, each.noise.excess(each.distance, epsilon)) for each in self.parts]
        upper = sum((weight * high for weight, (_, high) in bounds), arb(0)).upper()
        return (bounds[0][1][0] if self.exact else arb(0)), upper


def shifts_of(of: Sequence[Path], against: Sequence[Path], name: str) -> Shifts | None:
    """Return two laws of an output as averages of shifts of the same noise, path by path; None where they are not known to be such."""
    if len(of) != len(against):
        return None
    parts = [_shift(one, other, name) for one, other in zip(of, against, strict=True)]
    known = tuple(each for each in parts if each is not None)
    return Shifts(known) if known and len(known) == len(parts) else None


def _shift(one: Path, other: Path, name: str) -> Shift | None:
    here, there = one.values[name], other.values[name]
    if one.guards or other.guards or one.cut or other.cut:
        return None
    if not isinstance(one.weight, fmpq) or one.weight != other.weight:
        return None
    if not isinstance(here, Polynomial) or not isinstance(there, Polynomial):
        return None
    distance = plus(here, times(-1, there))
    if isinstance(distance, Polynomial) or any(one.laws[index] != other.laws[index] for index in here.sources):
        return None
    noise, count = _noise(one, here)
    if noise is None:
        return None
    light = here.degree == 1 and all(isinstance(one.laws[index], _LIGHT) for index in here.sources)
    return Shift(weight_of(one), distance, noise, count == len(here.sources), light)


def _noise(path: Path, value: Polynomial) -> tuple[TwoNoises | None, int]:
    """Return the normal and the widest Laplace noise that a value holds and nothing else in it, and how many sources that are."""
    variance: Number = 0
    scale: Number = 0
    count = 0
    laplace = False
    for monomial, coefficient in value.terms:
        if sum(power for _, power in monomial) != 1:
            continue
        index = monomial[0][0]
        if sum(index in dict(each) for each, _ in value.terms) > 1:
            continue
        law = path.laws[index]
        if isinstance(law, Normal):
            variance = exact.add(variance, exact.mul(law.parameters[0], exact.mul(coefficient, coefficient)))
            count += 1
        elif isinstance(law, Laplace):
            scale = exact.maximum(scale, exact.mul(law.parameters[0], exact.abs_(coefficient)))
            count += not laplace
            laplace = True
    return (TwoNoises(variance, scale) if count else None), count
