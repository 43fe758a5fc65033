"""Distributions whose probabilities are quotients of polynomials in the parameters, for formulas and for budgets over ranges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from typing import TypeAlias

from seepage.algebra import Quotient, plus, times
from seepage.data_classes import dataclass
from seepage.engines.forward.coefficients import Polynomial
from seepage.engines.outcome import DiscreteJoint
from seepage.exact import Number
from seepage.measures.formulas.symbolic import LogarithmSum

Values: TypeAlias = tuple[Number, ...]
Table: TypeAlias = Mapping[Values, Quotient]
"""Probabilities by the values of the variables, none that vanishes identically."""


@dataclass(frozen=True, slots=True)
class Probabilities:
    """A distribution in the letters of a formula, with what was found of it, which several measures ask for.

    Attributes:
        joint: what it is of.
        table: its probabilities.
        entropies: of marginal distributions, by the places of their variables; None where one cannot be written.
    """

    joint: DiscreteJoint[Polynomial]
    table: Table
    entropies: dict[tuple[int, ...], LogarithmSum | None] = field(default_factory=dict)
    _shares: dict[tuple[int, ...], list[tuple[Quotient, int]]] = field(default_factory=dict)

    def shares(self, places: tuple[int, ...]) -> list[tuple[Quotient, int]]:
        """Return the probabilities of the variables at some places, those that are written alike once, with how many there are.

        The first of each stays in its place.
        """
        if places not in self._shares:
            found: dict[tuple[str, str], tuple[Quotient, int]] = {}
            for mass in marginal(self.table, places).values():
                key = str(mass.numerator), str(mass.denominator)
                found[key] = (mass, found[key][1] + 1) if key in found else (mass, 1)
            self._shares[places] = list(found.values())
        return self._shares[places]


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
