r"""Values that are the exponential or a power of another one, moved and scaled: :math:`y = a\,g(w) + b`, where y is read nowhere else.

y is a one-to-one function of w, or of |w| where g is an even power, so that it tells the same, and is told the same. Of densities that are of w,
:math:`h(y) = h(w) + E \log |a g'(w)|` (Cover and Thomas 2006, section 8.6, by change of variables), and likewise given anything.

The mean of :math:`\log w^2` of a normal w of mean m and variance v is :math:`\log v - \gamma - \log 2 + \lambda\,{}_2F_2(1, 1; \tfrac32, 2; -\tfrac\lambda2)`,
:math:`\lambda = m^2 / v`: that of the noncentral :math:`\chi^2` law with one degree of freedom.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from flint import acb, arb, ctx

from seepage import exact
from seepage.engines.pivot.densities import Bell, Piece, Term, term_of
from seepage.engines.pivot.forms import Beyond, Polynomial
from seepage.engines.pivot.path import Path
from seepage.exact import Number, enclose, precision
from seepage.measures.pivot.moments import mean_of
from seepage.semantics.core import CoreAssign, CoreProgram
from seepage.semantics.expressions import without_parentheses
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import names_read, walk
from seepage.syntax import tree
from seepage.syntax.tree import Expression, Name

_HIGHEST = 8
_LARGEST_EXCESS = 10_000


@dataclass(frozen=True, slots=True)
class Image:
    """``name = scale · g(inner) + …``, with g(w) = w^power, or the exponential where ``power`` is 0; ``place`` is that of its only assignment."""

    name: str
    scale: Number
    inner: Expression
    power: int
    place: int

    def told_by(self, core: CoreProgram) -> CoreProgram:
        """Return the program with what the value is one to one with in its place."""
        span = core.statements[self.place].span
        even = self.power > 0 and self.power % 2 == 0
        return self._with(core, tree.Call("abs", (self.inner,), span, span) if even else self.inner)

    def before(self, core: CoreProgram) -> CoreProgram:
        """Return the program with what g is applied to in its place."""
        return self._with(core, self.inner)

    def _with(self, core: CoreProgram, value: Expression) -> CoreProgram:
        own = core.statements[self.place]
        changed = CoreAssign(Name(self.name, own.span), value, own.span)
        return replace(core, statements=(*core.statements[: self.place], changed, *core.statements[self.place + 1 :]))

    def stretch(self, paths: Sequence[Path], total: arb) -> arb:
        r"""Enclose :math:`E \log |a g'(w)|` from the paths of :meth:`before`.

        Raises:
            Beyond: if it is not known.
        """
        values = [(path, path.values[self.name]) for path in paths]
        scale = abs(enclose(self.scale)).log()
        if self.power == 0:
            return scale + mean_of(paths, self.name, total)
        logs = arb(0)
        for path, value in values:
            if not isinstance(value, Polynomial):
                raise Beyond("a power of what is discrete on some path")
            term = term_of(path, value)
            logs += term.weight / total * _mean_of_log(term)
        return scale + arb(self.power).log() + (self.power - 1) * logs


def told_as(
    core: CoreProgram, asked: Sequence[str], kept: Sequence[str], parameters: Mapping[str, Number]
) -> CoreProgram:
    """Return the part of a program that some variables depend on, those that are not to be kept replaced by what tells the same, so that I is what it was."""
    core = slice_program(core, tuple(asked))
    for name in dict.fromkeys(asked):
        if name not in kept and (image := image_of(core, name, parameters)) is not None:
            core = image.told_by(core)
    return core


def image_of(core: CoreProgram, name: str, parameters: Mapping[str, Number]) -> Image | None:
    """Return how a variable is the image of a value, None if it is not, is read or is assigned elsewhere, or in a branch."""
    writing = [each for each in walk(core.statements) if name in _written(each)]
    if len(writing) != 1 or name in names_read(core.statements):
        return None
    (own,) = writing
    if not isinstance(own, CoreAssign) or not isinstance(own.target, Name) or own not in core.statements:
        return None
    scale, value = _unscaled(own.value, parameters)
    found = _function(value)
    if found is None:
        return None
    inner, power = found
    return Image(name, scale, inner, power, core.statements.index(own))


def _written(statement: object) -> tuple[str, ...]:
    target = getattr(statement, "target", None)
    if isinstance(target, Name):
        return (target.id,)
    return ()


def _unscaled(value: Expression, parameters: Mapping[str, Number]) -> tuple[Number, Expression]:
    """Take off numbers that are added, and a factor that is not 0."""
    scale: Number = 1
    while True:
        value = without_parentheses(value)
        match value:
            case tree.Unary(operator="-", operand=inner):
                factor: Number | None = -1
            case tree.Binary(operator="+" | "-", left=inner, right=right) if _number(right, parameters) is not None:
                factor = 1
            case tree.Binary(operator="+" | "-" as sign, left=left, right=inner) if (
                _number(left, parameters) is not None
            ):
                factor = 1 if sign == "+" else -1
            case tree.Binary(operator="*") if (taken := _without_numbers(value, parameters)) is not None:
                factor, inner = taken
            case tree.Binary(operator="/", left=inner, right=tree.Number(value=divisor)) if divisor != 0:
                factor = exact.div(1, exact.number(divisor))
            case _:
                return scale, value
        if factor is None or exact.sign(factor) == 0:
            return scale, value
        scale, value = exact.mul(scale, factor), inner


def _factors(value: Expression) -> list[Expression]:
    value = without_parentheses(value)
    if isinstance(value, tree.Binary) and value.operator == "*":
        return [*_factors(value.left), *_factors(value.right)]
    return [value]


def _without_numbers(value: tree.Binary, parameters: Mapping[str, Number]) -> tuple[Number, Expression] | None:
    """Return the numbers in a product, and the product of the rest; None if there are none, or nothing else."""
    scale: Number = 1
    rest: Expression | None = None
    factors = _factors(value)
    for each in factors:
        number = _number(each, parameters)
        if number is not None:
            scale = exact.mul(scale, number)
        else:
            rest = each if rest is None else tree.Binary("*", rest, each, value.span)
    counted = sum(_number(each, parameters) is not None for each in factors)
    return (scale, rest) if rest is not None and counted else None


def _number(value: Expression, parameters: Mapping[str, Number]) -> Number | None:
    match without_parentheses(value):
        case tree.Number(value=number):
            return exact.number(number)
        case tree.Unary(operator="-", operand=tree.Number(value=number)):
            return exact.neg(exact.number(number))
        case Name(id=name):
            return parameters.get(name)
        case _:
            return None


def _function(value: Expression) -> tuple[Expression, int] | None:
    """Return what is raised to which power, 0 for the exponential; None of another function."""
    match value:
        case tree.Call(function="exp", arguments=(inner,)):
            return inner, 0
        case tree.Binary(operator="^", left=inner, right=tree.Number(value=power)) if (
            power.denominator == 1 and 2 <= power <= _HIGHEST
        ):
            return inner, int(power)
        case tree.Binary(operator="*"):
            first, *others = _factors(value)
            return (
                (first, 1 + len(others)) if len(others) < _HIGHEST and all(each == first for each in others) else None
            )
        case _:
            return None


def _mean_of_log(term: Term) -> arb:
    """Return the mean of the logarithm of |w|."""
    match term:
        case Bell(mean=mean, variance=variance):
            excess = exact.div(exact.mul(mean, mean), variance)
            return (enclose(variance).log() + _mean_of_log_square(excess)) / 2
        case Piece(location=0, scale=scale, law=law) if (term.low, term.high) == law.ends:
            match law.name:
                case "laplace":
                    own = enclose(law.parameters[0]).log() - arb.const_euler()
                case "exponential":
                    own = -arb.const_euler()
                case "uniform":
                    own = arb(-1)
                case _:
                    raise Beyond("the mean of a logarithm that is not known")
            return own + abs(enclose(scale)).log()
        case _:
            raise Beyond("the mean of a logarithm that is not known")


def _mean_of_log_square(excess: Number) -> arb:
    r"""Return the mean of :math:`\log w^2` of a normal variable of variance 1 and squared mean ``excess``; its series cancels by a power of e for each unit."""
    size = enclose(excess)
    if not size < _LARGEST_EXCESS:
        raise Beyond("a normal variable too far from 0")
    bits = ctx.prec + 3 * int(float(size.upper())) + 32
    with precision(bits):
        ball = enclose(excess, bits)
        series = acb(-ball / 2).hypgeom([acb(1), acb(1)], [acb(3) / 2, acb(2)]).real
        return arb(ball * series - arb.const_euler() - arb(2).log())
