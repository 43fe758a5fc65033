"""Outputs behind planar Laplace noise that are observed at known numbers: what is left of such a program is discrete.

The density of the outputs at the point that is seen is, up to a factor that all runs share, :math:`e^{-c r}` with r the distance of the run's place from it. So that a run is observed with this
chance tells the same: ``observe ox == 3/2``, ``observe oy == 0`` become a draw of ``bernoulli(exp(-c * sqrt((x - 3/2)^2 + y^2)))`` that is observed, in a program without the noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from seepage import exact
from seepage.diagnostics import Fault
from seepage.engines.spherical import spherical_noise
from seepage.exact import ArithmeticFault, Number
from seepage.laws.forms import Beyond
from seepage.semantics.core import CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.dependence import read_variables
from seepage.semantics.expressions import conjuncts
from seepage.semantics.statements import may_write
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Argument, Binary, Call, Expression, Family, Name, Unary

_NOWHERE = Span(0, 0)
_SEEN = "seen@point"
_ALPHA = Fraction(3, 2)


def with_seen_points(core: CoreProgram, names: tuple[str, ...], parameters: Mapping[str, Number]) -> CoreProgram | None:
    """Return a discrete program in which variables have the same law; None for programs of another kind.

    Args:
        core: sliced.
        names: that are asked for, none of them behind noise.
        parameters: values of the program's parameters.
    """
    seen: dict[str, Expression] = {}
    kept: list[CoreStatement] = []
    for statement in core.statements:
        if seen.keys() & set(may_write(core, (statement,))):
            return None
        if not isinstance(statement, CoreObserve):
            kept.append(statement)
            continue
        for part in conjuncts(statement.condition):
            point = _point(part, core, parameters)
            if point is None or point[0] in seen:
                kept.append(replace(statement, condition=part))
            else:
                seen[point[0]] = point[1]
    if len(seen) != 2:
        return None
    try:
        noise = spherical_noise(replace(core, statements=tuple(kept)), (*names, *seen), parameters)
    except (Beyond, Fault, ArithmeticFault):
        return None
    squared = exact.to_fraction(exact.mul(noise.rate, noise.rate))
    if set(noise.noisy) != set(seen) or noise.alpha != _ALPHA or squared is None:
        return None
    chance = Argument(None, _weight(seen, squared), _NOWHERE)
    target = Name(_SEEN, _NOWHERE)
    added = (
        CoreSample(target, Family("bernoulli", (chance,), _NOWHERE, _NOWHERE), _NOWHERE),
        CoreObserve(target, _NOWHERE),
    )
    return replace(
        noise.places, statements=(*noise.places.statements, *added), variables=(*noise.places.variables, _SEEN)
    )


def _point(part: Expression, core: CoreProgram, parameters: Mapping[str, Number]) -> tuple[str, Expression] | None:
    """Return the variable that is held against a known number, and the number; None of another condition."""
    match part:
        case tree.Parenthesized(inner=inner):
            return _point(inner, core, parameters)
        case Binary(operator="==", left=left, right=right):
            for one, other in ((left, right), (right, left)):
                known = all(name in parameters for name in read_variables(other, core))
                if isinstance(one, Name) and one.id in core.variables and known:
                    return one.id, other
    return None


def _weight(seen: Mapping[str, Expression], squared: Fraction) -> Expression:
    squares: list[Expression] = [
        Binary("^", Binary("-", Name(name, _NOWHERE), point, _NOWHERE), tree.Number(Fraction(2), _NOWHERE), _NOWHERE)
        for name, point in seen.items()
    ]
    whole = Binary("*", tree.Number(squared, _NOWHERE), Binary("+", squares[0], squares[1], _NOWHERE), _NOWHERE)
    return _called("exp", Unary("-", _called("sqrt", whole), _NOWHERE))


def _called(name: str, argument: Expression) -> Call:
    return Call(name, (argument,), _NOWHERE, _NOWHERE)
