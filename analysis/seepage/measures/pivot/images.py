r"""Values that are the exponential, the logarithm or a power of another one, moved and scaled: :math:`y = a\,g(w) + b`, where y is read nowhere else.

y is a one-to-one function of w, or of |w| where g is an even power, so that it tells the same, and is told the same. Of densities that are of w,
:math:`h(y) = h(w) + E \log |a g'(w)|` (Cover and Thomas 2006, section 8.6, by change of variables), and likewise given anything. Logarithms and roots
are taken only of what is known to have them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

from flint import arb

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.pivot.path import Path
from seepage.exact import Number, enclose
from seepage.measures.pivot.functions import Function, mean_of_function, mean_of_log_size
from seepage.measures.pivot.moments import mean_of
from seepage.semantics.core import CoreAssign, CoreProgram
from seepage.semantics.expressions import without_parentheses
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import may_write, names_read
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression, Name

_HIGHEST = 8
_TURNED: Mapping[str, tree.BinaryOperator] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(frozen=True, slots=True)
class Image:
    """``name = scale · function(inner) + offset``; ``place`` is that of its only assignment."""

    name: str
    scale: Number
    offset: Number
    inner: Expression
    function: Function
    place: int

    def told_by(self, core: CoreProgram) -> CoreProgram:
        """Return the program with what the value is one to one with in its place."""
        span = core.statements[self.place].span
        sized = tree.Call("abs", (self.inner,), span, span)
        return self._with(core, sized if self.function.is_even else self.inner)

    def before(self, core: CoreProgram) -> CoreProgram:
        """Return the program with what g is applied to in its place."""
        return self._with(core, self.inner)

    def compared(self, operator: tree.BinaryOperator, bound: Number, span: Span) -> Expression | None:
        """Return the condition on what the function is applied to that says ``name operator bound``; None if it is not known."""
        level = exact.div(exact.sub(bound, self.offset), self.scale)
        if not isinstance(level, int | Fraction):
            return None
        turned = _TURNED[operator] if exact.sign(self.scale) < 0 else operator
        number = tree.Number(Fraction(level), span)
        match self.function:
            case Function("log"):
                edge: Expression = tree.Call("exp", (number,), span, span)
            case Function("exp") if level > 0:
                edge = tree.Call("log", (number,), span, span)
            case Function("power", power) if self.function.needs_sign and power > 0 and level >= 0:
                edge = tree.Binary("^", number, tree.Number(1 / power, span), span)
            case Function("power", power) if not self.function.needs_sign or power < 0:
                return None
            case _:
                return tree.Boolean(turned in (">", ">="), span)  # all values of exponentials and roots are above
        return tree.Binary(turned, Name(self.name, span), edge, span)

    def _with(self, core: CoreProgram, value: Expression) -> CoreProgram:
        own = core.statements[self.place]
        changed = CoreAssign(Name(self.name, own.span), value, own.span)
        return replace(core, statements=(*core.statements[: self.place], changed, *core.statements[self.place + 1 :]))

    def stretch(self, paths: Sequence[Path], total: arb) -> arb:
        r"""Enclose :math:`E \log |a g'(w)|` from the paths of :meth:`before`.

        Raises:
            Beyond: if it is not known.
        """
        scale, power = abs(enclose(self.scale)).log(), self.function.power
        if self.function.kind == "exp":
            return scale + mean_of(paths, self.name, total)
        logs = mean_of_log_size(paths, self.name, total)
        if self.function.kind == "log":
            return scale - logs
        return scale + abs(_ball(power)).log() + _ball(power - 1) * logs

    def mean(self, paths: Sequence[Path], total: arb) -> arb:
        """Enclose the mean from the paths of :meth:`before`; raises ``Beyond``."""
        return enclose(self.offset) + enclose(self.scale) * mean_of_function(paths, self.name, self.function, total)

    def variance(self, paths: Sequence[Path], total: arb) -> arb:
        """Enclose the variance likewise."""
        mean = mean_of_function(paths, self.name, self.function, total)
        square = mean_of_function(paths, self.name, self.function.squared, total)
        return enclose(self.scale) ** 2 * (square - mean * mean)


def _ball(ratio: Fraction) -> arb:
    return arb(ratio.numerator) / ratio.denominator


def bounded(
    value: Expression, parameters: Mapping[str, Number]
) -> tuple[Expression, tree.BinaryOperator, Number] | None:
    """Return ``left operator bound`` of a comparison with a number; None of anything else."""
    match without_parentheses(value):
        case tree.Binary(operator=operator, left=left, right=right) if operator in _TURNED:
            if (bound := _number(right, parameters)) is not None:
                return left, operator, bound
            if (bound := _number(left, parameters)) is not None:
                return right, _TURNED[operator], bound
    return None


HasValue: TypeAlias = Callable[[CoreProgram, Image], bool]
"""Whether the function of an image has a value on all runs of the program in which it is not applied."""


def told_as(
    core: CoreProgram,
    asked: Sequence[str],
    kept: Sequence[str],
    parameters: Mapping[str, Number],
    has_value: HasValue,
) -> CoreProgram:
    """Return the part of a program that some variables depend on, those that are not to be kept replaced by what tells the same, so that I is what it was."""
    core = slice_program(core, tuple(asked))
    for name in dict.fromkeys(asked):
        while name not in kept and (image := image_of(core, name, parameters)) is not None and has_value(core, image):
            core = image.told_by(core)
    return core


def image_of(core: CoreProgram, name: str, parameters: Mapping[str, Number]) -> Image | None:
    """Return how a variable is the image of a value, None if it is not, is read or is assigned elsewhere, or in a branch."""
    writing = [each for each in core.statements if name in may_write(core, (each,))]
    if len(writing) != 1 or name in core.expanded(names_read(core.statements)):
        return None
    (own,) = writing
    if not isinstance(own, CoreAssign) or not isinstance(own.target, Name):
        return None
    scale, offset, value = _unscaled(own.value, parameters)
    found = _function(value, parameters)
    if found is None:
        return None
    inner, factor, function = found
    return Image(name, exact.mul(scale, factor), offset, inner, function, core.statements.index(own))


def _unscaled(value: Expression, parameters: Mapping[str, Number]) -> tuple[Number, Number, Expression]:
    """Take off numbers that are added, and a factor that is not 0: return the factor, what is added, and the rest."""
    scale: Number = 1
    offset: Number = 0
    while True:
        value = without_parentheses(value)
        added: Number | None = 0
        factor: Number | None = 1
        match value:
            case tree.Unary(operator="-", operand=inner):
                factor = -1
            case tree.Binary(operator="+" | "-" as sign, left=inner, right=right) if (
                added := _number(right, parameters)
            ) is not None:
                added = added if sign == "+" else exact.neg(added)
            case tree.Binary(operator="+" | "-" as sign, left=left, right=inner) if (
                added := _number(left, parameters)
            ) is not None:
                factor = 1 if sign == "+" else -1
            case tree.Binary(operator="*") if (taken := _without_numbers(value, parameters)) is not None:
                factor, inner = taken
                added = 0
            case tree.Binary(operator="/", left=inner, right=tree.Number(value=divisor)) if divisor != 0:
                factor = exact.div(1, exact.number(divisor))
                added = 0
            case _:
                return scale, offset, value
        if factor is None or exact.sign(factor) == 0:
            return scale, offset, value
        offset = exact.add(offset, exact.mul(scale, added or 0))
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
        case tree.Number(value=literal):
            return exact.number(literal)
        case tree.Unary(operator="-", operand=operand) if (number := _number(operand, parameters)) is not None:
            return exact.neg(number)
        case tree.Binary(operator="/", left=left, right=right) if (
            (first := _number(left, parameters)) is not None
            and (second := _number(right, parameters)) is not None
            and exact.sign(second) != 0
        ):
            return exact.div(first, second)
        case Name(id=name):
            return parameters.get(name)
        case _:
            return None


def _function(value: Expression, parameters: Mapping[str, Number]) -> tuple[Expression, Number, Function] | None:
    """Return what a function is applied to, a factor and the function; None of another function."""
    match value:
        case tree.Call(function="exp" | "log" as name, arguments=(inner,)):
            return inner, 1, Function("exp" if name == "exp" else "log")
        case tree.Call(function="sqrt", arguments=(inner,)):
            return inner, 1, Function("power", Fraction(1, 2))
        case tree.Binary(operator="/", left=left, right=inner) if (
            (factor := _number(left, parameters)) is not None
            and exact.sign(factor) != 0
            and _number(inner, parameters) is None
        ):
            return inner, factor, Function("power", Fraction(-1))
        case tree.Binary(operator="^", left=inner, right=right) if (
            isinstance(power := _number(right, parameters), int | Fraction) and 0 < power <= _HIGHEST and power != 1
        ):
            return inner, 1, Function("power", Fraction(power))
        case tree.Binary(operator="*"):
            first, *others = _factors(value)
            if len(others) < _HIGHEST and all(each == first for each in others):
                return first, 1, Function("power", Fraction(1 + len(others)))
            return None
        case _:
            return None
