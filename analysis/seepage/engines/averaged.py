r"""Discrete laws whose chances are drawn: ``u ~ beta(2, 3)``, ``n ~ binomial(4, u)``, exactly.

Where independent values of known laws on [0, 1] enter nothing but chances, each mass is a polynomial in them, and its mean needs only their moments:
:math:`E\, u^k = \prod_{r<k} (a + r)/(a + b + r)` for :math:`\mathrm{beta}(a, b)` (Johnson, Kotz and Balakrishnan 1995, chapter 25). So a uniform chance gives Pólya's urn,
shares of ``dirichlet`` the Dirichlet-multinomial law.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from flint import fmpq

from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.distributions.arguments import bind
from seepage.distributions.kinds import is_continuous
from seepage.engines.forward import run as forward
from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.forward.polynomials import NoPolynomial, Polynomials, polynomials
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.exact import ArithmeticFault, Number
from seepage.laws.beta import Beta
from seepage.laws.forms import Beyond
from seepage.laws.table import NAMED_LAWS
from seepage.laws.uniform import Uniform
from seepage.semantics.core import CoreAssign, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.evaluate import known_value
from seepage.semantics.expressions import arguments_of, plain_names, with_arguments
from seepage.semantics.statements import may_write, names_read, walk
from seepage.semantics.substitute import substitute
from seepage.syntax import tree
from seepage.syntax.tree import Expression, Name

_CHANCES = frozenset({"flip", "bernoulli", "binomial"})
"""Laws that are a law for each value of their argument ``p`` from 0 to 1."""


class _NotAveraged(Exception):
    """The program is none of these."""


@dataclass(frozen=True, slots=True)
class _Law:
    """A law on [0, 1]: ``low`` + ``width`` · beta(``first``, ``second``)."""

    first: Fraction
    second: Fraction
    low: Fraction
    width: Fraction

    def moments(self, last: int) -> list[Fraction]:
        """Return the means of the powers up to ``last``."""
        own, total = [Fraction(1)], self.first + self.second
        for power in range(last):
            own.append(own[-1] * (self.first + power) / (total + power))
        found = []
        row = [1]  # binomial coefficients
        for power in range(last + 1):
            terms = (row[k] * self.low ** (power - k) * self.width**k * own[k] for k in range(power + 1))
            found.append(sum(terms, Fraction(0)))
            row = [1, *(left + right for left, right in pairwise(row)), 1]
        return found


def averaged(
    core: CoreProgram, names: tuple[str, ...], parameters: Mapping[str, Number], budget: Budget
) -> DiscreteJoint[fmpq] | None:
    """Return the joint of discrete variables, the chances that are drawn averaged over; None for programs of another kind.

    Args:
        core: sliced.
        names: plain variables.
        parameters: values of the program's parameters.
        budget: limits of the run.

    Raises:
        Fault: of the program, or past the budget, at its statement.
    """
    try:
        laws, program = _parted(core, names, parameters)
        ring = polynomials(program, parameters)
        for statement in walk(program.statements):
            if isinstance(statement, CoreSample):
                _need_chances(statement.distribution, laws, ring, parameters)
        found = forward.run(program, names, parameters, ring, budget)
        means = _means(laws, ring, tuple(found.masses.values()))
    except (_NotAveraged, NoPolynomial, ArithmeticFault):
        return None
    masses = {values: mean for values, mean in zip(found.masses, means, strict=True) if mean}
    return DiscreteJoint(names, RATIONALS, masses, sum(masses.values(), fmpq(0)))


def _parted(
    core: CoreProgram, names: Sequence[str], parameters: Mapping[str, Number]
) -> tuple[dict[str, _Law], CoreProgram]:
    """Return the laws of the chances that are drawn, and the rest of the program, in which these are parameters."""
    laws: dict[str, _Law] = {}
    meant: dict[str, Expression] = {}  # what is computed of them, in their terms
    kept: list[CoreStatement] = []
    read: set[str] = set()
    for statement in core.statements:
        read.update(names_read((statement,)))
        if isinstance(statement, CoreSample) and is_continuous(statement.distribution):
            if not isinstance(statement.target, Name) or statement.target.id in read:  # before it is drawn it is 0
                raise _NotAveraged
            laws[statement.target.id] = _law(statement.distribution, parameters)
        elif (
            isinstance(statement, CoreAssign) and isinstance(statement.target, Name) and _reads(statement, laws, meant)
        ):
            if any(name not in laws and name not in meant for name in plain_names(statement.value)):
                raise _NotAveraged
            if statement.target.id in read:
                raise _NotAveraged
            meant[statement.target.id] = substitute(statement.value, meant, {})
        elif isinstance(statement, CoreSample):
            written = (substitute(each, meant, {}) for each in arguments_of(statement.distribution))
            kept.append(replace(statement, distribution=with_arguments(statement.distribution, iter(list(written)))))
        else:
            kept.append(statement)
    apart = [*laws, *meant]
    if not laws or any(isinstance(each, CoreSample) and is_continuous(each.distribution) for each in walk(kept)):
        raise _NotAveraged
    if not (may_write(core, kept) | set(names)).isdisjoint(apart):
        raise _NotAveraged
    if _count_of_writing(core, apart) != len(set(apart)) or any(name in meant for name in names_read(kept)):
        raise _NotAveraged
    return laws, replace(core, statements=tuple(kept), parameters=(*core.parameters, *laws))


def _reads(statement: CoreAssign, laws: Mapping[str, _Law], meant: Mapping[str, Expression]) -> bool:
    return any(name in laws or name in meant for name in plain_names(statement.value))


def _count_of_writing(core: CoreProgram, names: Sequence[str]) -> int:
    """Return how many statements write some variables."""
    drawn = (each.target for each in walk(core.statements) if isinstance(each, CoreAssign | CoreSample))
    return sum(1 for target in drawn if isinstance(target, Name) and target.id in names)


def _law(distribution: tree.Distribution, parameters: Mapping[str, Number]) -> _Law:
    if not isinstance(distribution, tree.Family) or distribution.name not in NAMED_LAWS:
        raise _NotAveraged
    try:
        values = {name: known_value(each, parameters) for name, each in bind(distribution).named.items()}
        drawn = NAMED_LAWS[distribution.name].draw({name: each for name, each in values.items() if each is not None})
    except (Fault, KeyError, Beyond) as fault:
        raise _NotAveraged from fault
    match drawn.law:
        case Beta(parameters=shapes):
            found = *shapes, drawn.location, drawn.scale
        case Uniform():
            found = 1, 1, drawn.location, drawn.scale
        case _:
            raise _NotAveraged
    known = [Fraction(each) for each in found if isinstance(each, int | Fraction)]
    if len(known) < len(found) or known[2] < 0 or known[2] + known[3] > 1:
        raise _NotAveraged
    return _Law(*known)


# --- chances ----------------------------------------------------------------------------------------------------------


def _need_chances(
    distribution: tree.Distribution, laws: Mapping[str, _Law], ring: Polynomials, parameters: Mapping[str, Number]
) -> None:
    """Make sure that what is drawn is a law whatever the chances are."""
    if not any(name in laws for each in arguments_of(distribution) for name in plain_names(each)):
        return
    match distribution:
        case tree.Family(name=name) if name in _CHANCES:
            held = bind(distribution).named["p"]
            if not _is_chance(held, laws, parameters):
                raise _NotAveraged
        case tree.Table(entries=entries):
            weights = [weight for _, weight in entries]
            if not all(_is_positive(each, laws, parameters) for each in weights):
                raise _NotAveraged
            if sum((ring.probability(each, parameters) for each in weights), ring.zero) != ring.one:
                raise _NotAveraged
        case _:
            raise _NotAveraged


def _is_chance(expression: Expression, laws: Mapping[str, _Law], parameters: Mapping[str, Number]) -> bool:
    """Tell whether the form of an expression proves that it is between 0 and 1."""
    match expression:
        case tree.Parenthesized(inner=inner):
            return _is_chance(inner, laws, parameters)
        case Name(id=name) if name in laws:
            return True
        case tree.Binary(operator="*", left=left, right=right):
            return all(_is_chance(each, laws, parameters) for each in (left, right))
        case tree.Binary(operator="-", left=tree.Number(value=value), right=right) if value == 1:
            return _is_chance(right, laws, parameters)
        case tree.Binary(operator="^", left=left, right=tree.Number(value=value)):
            return value >= 0 and _is_chance(left, laws, parameters)
        case _:
            return (fraction := _fraction(expression, parameters)) is not None and 0 <= fraction <= 1


def _is_positive(expression: Expression, laws: Mapping[str, _Law], parameters: Mapping[str, Number]) -> bool:
    """Tell whether the form of an expression proves that it is not negative."""
    match expression:
        case tree.Parenthesized(inner=inner):
            return _is_positive(inner, laws, parameters)
        case tree.Binary(operator="*" | "+", left=left, right=right):
            return all(_is_positive(each, laws, parameters) for each in (left, right))
        case tree.Binary(operator="^", left=left, right=tree.Number(value=value)):
            return value >= 0 and _is_positive(left, laws, parameters)
        case _:
            fraction = _fraction(expression, parameters)
            return _is_chance(expression, laws, parameters) if fraction is None else fraction >= 0


def _fraction(expression: Expression, parameters: Mapping[str, Number]) -> Fraction | None:
    found = known_value(expression, parameters)
    return Fraction(found) if isinstance(found, int | Fraction) else None


# --- means ------------------------------------------------------------------------------------------------------------


def _means(laws: Mapping[str, _Law], ring: Polynomials, masses: Sequence[object]) -> list[fmpq]:
    if ring.atoms:
        raise _NotAveraged
    terms = [mass.to_dict() for mass in masses]  # type: ignore[attr-defined]
    last = [max((powers[at] for one in terms for powers in one), default=0) for at in range(len(laws))]
    moments = [
        [fmpq(each.numerator, each.denominator) for each in laws[name].moments(top)]
        for name, top in zip(ring.parameters, last, strict=True)
    ]
    return [sum((_mean(powers, factor, moments) for powers, factor in one.items()), fmpq(0)) for one in terms]


def _mean(powers: Sequence[int], factor: fmpq, moments: Sequence[Sequence[fmpq]]) -> fmpq:
    for power, known in zip(powers, moments, strict=False):
        factor = factor * known[power]
    return factor
