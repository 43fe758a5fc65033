"""Sums of squares of centred normal sources of one variance, scaled and moved: a χ² law, which is a gamma law."""

from __future__ import annotations

from fractions import Fraction

from seepage.engines.pivot.path import Path
from seepage.exact import Number, mul
from seepage.laws.exponential import Exponential
from seepage.laws.forms import Polynomial
from seepage.laws.gamma import Gamma
from seepage.laws.law import Law


def law_of_squares(path: Path, value: Polynomial) -> tuple[Number, Number, Law] | None:
    """Return location, scale and law of a value, None if it is no multiple of such a sum, up to a constant."""
    sizes: set[Number] = set()
    for monomial, coefficient in value.terms:
        match monomial:
            case ():
                pass
            case ((index, 2),) if path.laws[index].is_normal:
                sizes.add(mul(coefficient, path.laws[index].parameters[0]))
            case _:
                return None
    if len(sizes) != 1:
        return None
    shape = Fraction(len(value.sources), 2)
    return value.constant, mul(2, sizes.pop()), Exponential() if shape == 1 else Gamma((shape,))
