"""The laws of continuous families, by the names of the families."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from seepage.engines.pivot.forms import Beyond
from seepage.engines.pivot.laws.beta import Beta
from seepage.engines.pivot.laws.cauchy import draw_cauchy
from seepage.engines.pivot.laws.draws import Draw, Values
from seepage.engines.pivot.laws.exponential import Exponential
from seepage.engines.pivot.laws.gamma import Gamma
from seepage.engines.pivot.laws.gumbel import Gumbel
from seepage.engines.pivot.laws.laplace import Laplace
from seepage.engines.pivot.laws.logistic import Logistic
from seepage.engines.pivot.laws.lognormal import Lognormal
from seepage.engines.pivot.laws.normal import Normal
from seepage.engines.pivot.laws.pareto import Pareto
from seepage.engines.pivot.laws.student_t import StudentT
from seepage.engines.pivot.laws.triangular import Triangular
from seepage.engines.pivot.laws.uniform import Uniform
from seepage.engines.pivot.laws.weibull import Weibull

_LAWS = (
    Beta,
    Exponential,
    Gamma,
    Gumbel,
    Laplace,
    Logistic,
    Lognormal,
    Normal,
    Pareto,
    StudentT,
    Triangular,
    Uniform,
    Weibull,
)

DRAWS: Mapping[str, Callable[[Values], Draw]] = MappingProxyType(
    {"cauchy": draw_cauchy, **{each.name: each.draw for each in _LAWS}}
)
"""What a draw of a family is, by its parameters."""


def draw_of(family: str, values: Values) -> Draw:
    """Return a draw from a continuous family.

    Args:
        family: its name.
        values: of its parameters.

    Raises:
        Beyond: of another family, or where a scale or shape is continuous or not positive.
    """
    if family not in DRAWS:
        raise Beyond(f"the law '{family}'")
    return DRAWS[family](values)
