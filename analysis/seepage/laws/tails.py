"""How fast the density of a law falls far out, in exact numbers that can be compared."""

from __future__ import annotations

from typing import Literal

from seepage.data_classes import dataclass
from seepage.exact import Number

Kind = Literal["power", "linear", "square"]


@dataclass(frozen=True, slots=True)
class Tail:
    """An upper tail of a law that is neither moved nor stretched, but for a factor that tends to a constant.

    Attributes:
        kind: what falls in its logarithm: a power falls like :math:`z^{-r - 1}`, the others like :math:`z^{k} e^{-rz}` and :math:`e^{-r z^2 / 2}`.
        rate: the r.
        power: the k of a linear tail; 0 for other kinds.
    """

    kind: Kind
    rate: Number
    power: Number = 0
