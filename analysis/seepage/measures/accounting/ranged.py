r"""Releases of one number from a range, each place of which moves with it in proportion or stays: the worst pair is the two ends of the range.

*Moving places* behind normal or Laplace noise: laws that only move have a larger profile the further they move.
*Subsampled*: with the chance q the place is :math:`m + u`, u in [−c, c], else m. Let :math:`N_u` be the noise at u, A the best event for (u, v) at :math:`\alpha \ge 1`,
:math:`\beta = N_u(A)`, and :math:`A'` the half-line with :math:`N_c(A') = \beta`. By Neyman and Pearson :math:`N_0(A) \ge N_0(A')`, as u is at most c away from 0, and
:math:`N_v(A) \ge N_{-c}(A')`, as v is at most 2c away from u; so :math:`q\beta - (\alpha - 1)(1 - q) N_0(A) - \alpha q N_v(A)` is at most that of the ends. For :math:`\alpha < 1`
exchange both laws. So the pair of the ends dominates every other one, and compositions of it do, too. Noise is symmetric: both orders of the ends are alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from seepage import exact
from seepage.data_classes import dataclass
from seepage.exact import Number
from seepage.measures.accounting.reading import Row, Told
from seepage.measures.discrete.weights import Values
from seepage.measures.privacy.neighbours import Apart, Closeness
from seepage.measures.privacy.noise_reading import NotRead, ends_of_law
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.dependence import read_variables
from seepage.semantics.expressions import arguments_of
from seepage.semantics.statements import may_write
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Argument, Binary, Conditional, Expression, Family, Name, Unary

_NOWHERE = Span(0, 0)
_INSIDE = Fraction(12_345, 67_891)
"""Where between the ends a third value is looked at: only what moves in proportion has its place there, too."""


@dataclass(frozen=True, slots=True)
class Range:
    """An input that is uniform between two rational ends.

    Attributes:
        core: the program in which it has three values only: both ends and one between them.
        low: one end.
        inside: the value between them.
        high: the other end.
    """

    core: CoreProgram
    low: Fraction
    inside: Fraction
    high: Fraction


def range_of(core: CoreProgram, name: str, parameters: dict[str, Number]) -> Range:
    """Return the range of an input of which all that reads it is in proportion.

    Args:
        core: the program, cut down to what is asked.
        name: the input.
        parameters: their values.

    Raises:
        NotRead: if it is no such input.
    """
    drawn = [each for each in core.statements if isinstance(each, CoreSample) and each.target == Name(name, _NOWHERE)]
    writes = sum(name in may_write(core, (each,)) for each in core.statements)
    if len(drawn) != 1 or writes != 1:
        raise NotRead
    law = drawn[0].distribution
    if not isinstance(law, Family):
        raise NotRead
    ends = ends_of_law(law, parameters)
    low, high = (None if end is None else exact.to_fraction(end) for end in ends)
    if low is None or high is None or not low < high:
        raise NotRead
    _need_proportion(core, name)
    inside = low + _INSIDE * (high - low)
    values = tuple(Argument(None, tree.Number(each, _NOWHERE), _NOWHERE) for each in (low, inside, high))
    three = CoreSample(drawn[0].target, Family("uniform_of", values, _NOWHERE, _NOWHERE), drawn[0].span)
    statements = tuple(three if each is drawn[0] else each for each in core.statements)
    return Range(replace(core, statements=statements), low, inside, high)


def _need_proportion(core: CoreProgram, name: str) -> None:
    """Raise ``NotRead`` if a value that depends on a variable is no affine function of it, whatever else is drawn."""
    reached = {name}

    def follow(statements: Iterable[CoreStatement]) -> None:
        for statement in statements:
            match statement:
                case CoreAssign(target=Name(id=target), value=value):
                    if _reads(value, reached, core):
                        if not _is_affine(value, reached, core):
                            raise NotRead
                        reached.add(target)
                case CoreSample(distribution=law):
                    if any(_reads(part, reached, core) for part in arguments_of(law)):
                        raise NotRead
                case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
                    if _reads(condition, reached, core):
                        raise NotRead
                    follow(consequent)
                    follow(alternative)
                case CoreAssign() | CoreObserve():
                    raise NotRead

    follow(core.statements)


def _reads(value: Expression, reached: set[str], core: CoreProgram) -> bool:
    return any(name in reached for name in read_variables(value, core))


def _is_affine(value: Expression, reached: set[str], core: CoreProgram) -> bool:
    """Tell whether a value is affine in variables that are reached, with coefficients that do not depend on them."""
    if not _reads(value, reached, core) or isinstance(value, Name):
        return True
    match value:
        case tree.Parenthesized(inner=inner):
            return _is_affine(inner, reached, core)
        case Unary(operator="-", operand=operand):
            return _is_affine(operand, reached, core)
        case Binary(operator="+" | "-", left=left, right=right):
            return _is_affine(left, reached, core) and _is_affine(right, reached, core)
        case Binary(operator="*", left=left, right=right):
            fixed = [not _reads(side, reached, core) for side in (left, right)]
            return any(fixed) and all(_is_affine(side, reached, core) for side in (left, right))
        case Binary(operator="/", left=left, right=right):
            return not _reads(right, reached, core) and _is_affine(left, reached, core)
        case Conditional(condition=condition, consequent=consequent, alternative=alternative):
            sides = consequent, alternative
            return not _reads(condition, reached, core) and all(_is_affine(side, reached, core) for side in sides)
        case _:
            return False


def ends_of(known: Range, told: Sequence[Told], closeness: Closeness) -> tuple[Values, Values]:
    """Return the two inputs that are the worst pair.

    Args:
        known: the range.
        told: what is released of the input with three values.
        closeness: which values are neighbours.

    Raises:
        NotRead: if that is not known of the releases.
    """
    width = known.high - known.low
    if closeness is not None:
        distance = exact.to_fraction(closeness.distance) if isinstance(closeness, Apart) else None
        if distance is None or distance < width:
            raise NotRead
    for each in told:
        if each.discrete or not all(_ends_are_worst(each, known, at) for at in range(len(each.noises))):
            raise NotRead
    return (known.high,), (known.low,)


def _ends_are_worst(told: Told, known: Range, at: int) -> bool:
    laws = [_law(told.rows[(exact.number(value),)], at) for value in (known.low, known.inside, known.high)]
    if all(len(law) == 1 for law in laws):
        return True
    if len(told.noises) > 1 or any(len(law) != 2 for law in laws) or not told.noises[at].is_normal:
        return False
    fixed = set(laws[0]) & set(laws[1]) & set(laws[2])
    if len(fixed) != 1:
        return False
    (middle,) = fixed
    low, inside, high = (next(place for place in law if place != middle) for law in laws)
    if len({law[middle] for law in laws}) != 1 or exact.add(low, high) != exact.mul(2, middle):
        return False
    return exact.sub(inside, low) == exact.mul(exact.number(_INSIDE), exact.sub(high, low))


def _law(row: Row, at: int) -> dict[Number, Number]:
    law: dict[Number, Number] = {}
    for values, weight in row.items():
        law[values[at]] = exact.add(law.get(values[at], 0), weight)
    return law
