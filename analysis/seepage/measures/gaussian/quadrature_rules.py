"""Which nodes and weights: Gauss–Legendre rules on [-1, 1], each number correctly rounded from ball arithmetic.

``numpy.polynomial.legendre.leggauss`` will not do: its weights are off by 1e-13, more than the bounds allow.
"""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

import numpy as np
from flint import arb
from numpy.typing import NDArray

from seepage.exact import precision

Floats: TypeAlias = NDArray[np.float64]

SIZES = (3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24)
"""The numbers of nodes per direction that are used."""


@cache
def rule(size: int) -> tuple[Floats, Floats]:
    """Return nodes and weights of the rule with ``size`` nodes, two arrays of shape ``(size,)``, read-only."""
    with precision(128):
        pairs = [arb.legendre_p_root(size, k, weight=True) for k in range(size)]
        nodes = np.array([float(x) for x, _ in pairs])
        weights = np.array([float(w) for _, w in pairs])
    nodes.flags.writeable = weights.flags.writeable = False
    return nodes, weights


@cache
def tensor_rule(size: int, dimension: int) -> tuple[Floats, Floats]:
    """Return the monomials of the tensor rule's nodes, shape ``(m, size**dimension)``, and its weights.

    The monomials are 1, ξ, ξ² in one dimension and 1, ξ, η, ξ², η², ξη in two.
    """
    nodes, weights = rule(size)
    one = np.ones_like(nodes)
    if dimension == 1:
        return np.stack([one, nodes, nodes**2]), weights
    first, second = np.repeat(nodes, size), np.tile(nodes, size)
    monomials = np.stack([np.ones(size**2), first, second, first**2, second**2, first * second])
    return monomials, np.outer(weights, weights).ravel()
