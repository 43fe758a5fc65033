"""Mixtures built by hand for the tests of continuous measures."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from flint import arb, fmpq

from seepage.engines.outcome import MixtureComponent, MixtureJoint
from seepage.exact import Number, enclose, precision
from seepage.measures.gaussian.quadrature_frame import WeightedGaussian

Affine = tuple[Number, Mapping[str, Number]]
Part = tuple[Fraction | int | arb, Mapping[str, Number | Affine], Mapping[str, Number]]


def component(
    weight: Fraction | int | arb, values: Mapping[str, Number | Affine], sources: Mapping[str, Number]
) -> MixtureComponent:
    """A component: atoms are numbers, continuous variables a mean and coefficients over sources with the given variances."""
    names = list(sources)
    continuous = [value for value in values.values() if isinstance(value, tuple)]
    rows = tuple(tuple(coefficients.get(name, 0) for name in names) for _, coefficients in continuous)
    with precision(160):
        mean = tuple(enclose(m, 160) for m, _ in continuous)
        covariance = tuple(
            tuple(
                sum(
                    (
                        enclose(a, 160) * enclose(b, 160) * enclose(sources[n], 160)
                        for a, b, n in zip(r, s, names, strict=True)
                    ),
                    arb(0),
                )
                for s in rows
            )
            for r in rows
        )
    mass = weight if isinstance(weight, arb) else fmpq(Fraction(weight).numerator, Fraction(weight).denominator)
    atoms = tuple(None if isinstance(value, tuple) else value for value in values.values())
    law = (rows, tuple(m for m, _ in continuous), tuple(sources.items()))
    return MixtureComponent(mass, atoms, rows, mean, covariance, law)


def joint(*components: Part) -> MixtureJoint:
    """A joint of the variables named in the first component."""
    return MixtureJoint(tuple(components[0][1]), tuple(component(*parts) for parts in components))


def normal(mean: Number, variance: Number) -> tuple[Affine, dict[str, Number]]:
    """A single normal source, as the value of a variable and the sources that it needs."""
    return (mean, {"n": 1}), {"n": variance}


def scalar_mixture(*parts: tuple[Fraction | int, Number, Number]) -> MixtureJoint:
    """The mixture of normals (weight, mean, variance) of one variable 'x'."""
    return joint(*((w, {"x": (m, {"n": 1})}, {"n": v}) for w, m, v in parts))


def weighted(weight: float, mean: float, variance: float) -> WeightedGaussian:
    """A weighted normal with these floats as exact parameters."""
    return WeightedGaussian(arb(weight), (arb(mean),), ((arb(variance),),))


def weighted_pair(
    weight: float, mean: tuple[float, float], deviations: tuple[float, float], r: float
) -> WeightedGaussian:
    """A weighted normal pair with correlation about ``r``."""
    with precision(200):  # so that the balls are exact for the floats in use
        s, t = (arb(d) for d in deviations)
        cross = s * t * arb(r)
        return WeightedGaussian(arb(weight), (arb(mean[0]), arb(mean[1])), ((s**2, cross), (cross, t**2)))
