"""The Cauchy law: Student's with one degree of freedom."""

from __future__ import annotations

from seepage.laws.draws import Draw, Values, positive
from seepage.laws.named import LOCATION, SCALE, NamedLaw, continuous
from seepage.laws.student_t import StudentT


def draw_cauchy(values: Values) -> Draw:
    """Return what a draw with a location and a scale is."""
    return Draw(values["location"], positive(values["scale"]), StudentT((1,)))


LAW = NamedLaw(
    continuous(
        "cauchy",
        "explicit",
        "a bell with tails so heavy that it has no mean, Student's t with one degree of freedom",
        "cauchy(0, 1)",
        LOCATION,
        SCALE,
    ),
    draw_cauchy,
    lambda random, size, location, scale: location + scale * random.standard_cauchy(size=size),
)
