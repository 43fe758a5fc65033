"""The Cauchy law: Student's with one degree of freedom."""

from __future__ import annotations

from seepage.engines.pivot.laws.draws import Draw, Values, positive
from seepage.engines.pivot.laws.student_t import StudentT


def draw_cauchy(values: Values) -> Draw:
    """Return what a draw with a location and a scale is."""
    return Draw(values["location"], positive(values["scale"]), StudentT((1,)))
