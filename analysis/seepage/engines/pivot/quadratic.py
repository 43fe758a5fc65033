"""Values that are a quadratic form in normal sources, without linear terms: squares and products of centred normal variables."""

from __future__ import annotations

from seepage.engines.pivot.bessel import form_law, square_law
from seepage.engines.pivot.path import Path
from seepage.exact import Number, add, div, mul, sub
from seepage.laws.forms import Polynomial
from seepage.laws.law import Law


def quadratic_law(path: Path, value: Polynomial) -> tuple[Number, Number, Law] | None:
    """Return location, scale and law of a value, None if it is no quadratic form in one or two normal sources, up to a constant.

    Raises:
        Beyond: if it is one whose law has no name.
    """
    sources = sorted(value.sources)
    if len(sources) > 2 or any(not path.laws[index].is_normal for index in sources):
        return None
    squares: dict[int, Number] = dict.fromkeys(sources, 0)
    mixed: Number = 0
    for monomial, coefficient in value.terms:
        match monomial:
            case ():
                continue
            case ((index, 2),):
                squares[index] = coefficient
            case ((_, 1), (_, 1)):
                mixed = coefficient
            case _:
                return None
    variances = [path.laws[index].parameters[0] for index in sources]
    own = [mul(squares[index], variance) for index, variance in zip(sources, variances, strict=True)]
    if len(sources) == 1:
        scale, law = square_law(own[0])
        return value.constant, scale, law
    both = div(mul(mul(mixed, mixed), mul(variances[0], variances[1])), 4)
    scale, law = form_law(add(own[0], own[1]), sub(mul(own[0], own[1]), both))
    return value.constant, scale, law
