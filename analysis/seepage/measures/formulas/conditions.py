"""Side conditions of formulas: where in the domains of the parameters a polynomial may vanish.

The tests err to the safe side: a condition may be stated where none is needed, never the reverse.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from flint import arb, fmpq_mpoly

from seepage.algebra import NoAlgebra
from seepage.engines.signs import EVERYWHERE, Signs, root_of
from seepage.exact import compare, number
from seepage.measures.formulas.condition import ZERO_LOG_ZERO, Condition, relating
from seepage.measures.formulas.ends import relation
from seepage.measures.formulas.notation import Notation, value_of
from seepage.measures.formulas.tree import ZERO
from seepage.semantics.checked import Domain


class Elsewhere(NoAlgebra):
    """A formula holds at other values of the parameters, but not at the asked ones."""


def vanishes(divisors: Iterable[fmpq_mpoly], letters: Sequence[arb]) -> bool:
    """Tell whether a polynomial may be 0 at values of its letters."""
    return any(value_of(each, letters).contains(0) for each in divisors)


def conditions_for(
    divisors: Iterable[fmpq_mpoly],
    arguments: Iterable[fmpq_mpoly],
    notation: Notation,
    domains: Mapping[str, Domain],
) -> tuple[Condition, ...]:
    """Return what must hold for a formula to be read as it stands: divisors that differ from 0, and how log 0 is meant."""
    stated: dict[Condition, None] = {}
    signs = Signs(notation.alphabet, domains)
    for factor in _factors(divisors):
        if not signs.never_zero(factor):
            stated[_condition(factor, notation, domains)] = None
    if any(not signs.never_zero(factor) for factor in _factors(arguments)):
        stated[ZERO_LOG_ZERO] = None
    return tuple(stated)


def _factors(polynomials: Iterable[fmpq_mpoly]) -> list[fmpq_mpoly]:
    found: list[fmpq_mpoly] = []
    for polynomial in polynomials:
        for factor, _ in polynomial.factor()[1]:
            if factor not in found:
                found.append(factor)
    return found


def _condition(factor: fmpq_mpoly, notation: Notation, domains: Mapping[str, Domain]) -> Condition:
    root = root_of(factor, notation.alphabet)
    if root is None:
        oriented = -factor if value_of(factor, notation.sample) < 0 else factor
        return relating(notation.polynomial(oriented), "≠", ZERO)
    name, value = root
    domain = domains.get(name, EVERYWHERE)
    if domain.low is not None and compare(domain.low, number(value)) == 0:
        return relation(name, ">", number(value))
    if domain.high is not None and compare(domain.high, number(value)) == 0:
        return relation(name, "<", number(value))
    return relation(name, "≠", number(value))
