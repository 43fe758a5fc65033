"""The Rayleigh law, of the length of two normal draws: Weibull's of shape 2."""

from __future__ import annotations

from seepage import exact
from seepage.laws.draws import Draw, Values, positive
from seepage.laws.named import POSITIVE, SCALE, NamedLaw, continuous
from seepage.laws.weibull import Weibull


def draw_rayleigh(values: Values) -> Draw:
    """Return what a draw with a scale is."""
    return Draw(0, exact.mul(exact.sqrt_(2), positive(values["scale"])), Weibull((2,)))


LAW = NamedLaw(
    continuous(
        "rayleigh",
        "explicit",
        "the distance from 0 of a point whose two coordinates are normal, each with the standard deviation `scale`",
        "rayleigh(1)",
        SCALE,
        values=POSITIVE,
    ),
    draw_rayleigh,
    lambda random, size, scale: random.rayleigh(scale, size=size),
)
