"""Distributions whose probabilities are quotients of polynomials in the parameters, for formulas and for budgets over ranges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from seepage.algebra import Quotient, plus, times
from seepage.exact import Number
from seepage.measures.formulas.symbolic import LogarithmSum

Values: TypeAlias = tuple[Number, ...]
Table: TypeAlias = Mapping[Values, Quotient]
"""Probabilities by the values of the variables, none that vanishes identically."""


def marginal(table: Table, places: Sequence[int]) -> dict[Values, Quotient]:
    """Return the distribution of the variables at some places."""
    result: dict[Values, Quotient] = {}
    for values, mass in table.items():
        key = tuple(values[place] for place in places)
        result[key] = plus(result[key], mass) if key in result else mass
    return result


def add_divergence(total: LogarithmSum, p: Table, q: Table, factor: Fraction = Fraction(1)) -> bool:
    r"""Add :math:`c \sum p \log (p / q)` for the factor c; tell whether it is finite, and add nothing if not.

    Raises:
        NoAlgebra: if it cannot be written.
    """
    if not p.keys() <= q.keys():
        return False
    for values, mass in p.items():
        total.add(times(total.alphabet.number(factor), mass), mass)
        total.add(times(total.alphabet.number(-factor), mass), q[values])
    return True
