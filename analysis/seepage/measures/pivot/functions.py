r"""Means of exponentials, logarithms and powers of a continuous value over the paths of a program.

The exponential of a sum of independent sources has the product of their moment generating functions. What is left in closed form is that of a
value ``scale · z`` with z of a whole law on (0, ∞) (Johnson, Kotz and Balakrishnan 1994 and 1995). Elsewhere the density is integrated, where it is explicit and
lies above 0: beyond a far w ≥ 1 each function is between 0 and w.

The mean of :math:`\log w^2` of a normal w of mean m and variance v is :math:`\log v - \gamma - \log 2 + \lambda\,{}_2F_2(1, 1; \tfrac32, 2; -\tfrac\lambda2)`,
:math:`\lambda = m^2 / v`: that of the noncentral :math:`\chi^2` law with one degree of freedom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Literal, TypeAlias

from flint import acb, arb, ctx

from seepage import exact
from seepage.data_classes import dataclass
from seepage.engines.pivot.densities import Bell, Piece, Term, apart, probability_of, term_of, weight_of
from seepage.engines.pivot.path import Path
from seepage.engines.pivot.segments import edges_of, segments_of
from seepage.exact import Number, enclose, precision
from seepage.laws.forms import Beyond, Polynomial, Value, linear
from seepage.laws.laplace import Laplace
from seepage.laws.law import Edge, Law, dyadic
from seepage.measures.gaussian import quadrature
from seepage.measures.pivot.integral import GOAL, corner_bound, far_end, height_of, placed_of
from seepage.measures.pivot.moments import moment_of_paths, moment_of_piece

_LARGEST_EXCESS = 10_000

Kind: TypeAlias = Literal["exp", "log", "power"]


@dataclass(frozen=True, slots=True)
class Function:
    """``exp(power · w)``, ``log(w)^power`` with a power of 1 or 2, or ``w^power``."""

    kind: Kind
    power: Fraction = Fraction(1)

    @property
    def squared(self) -> Function:
        """Its square."""
        return Function(self.kind, 2 * self.power)

    @property
    def is_even(self) -> bool:
        """Tell whether it is the same of −w as of w."""
        return self.kind == "power" and self.power.denominator == 1 and self.power.numerator % 2 == 0

    @property
    def needs_sign(self) -> bool:
        """Tell whether it has no value of negative numbers."""
        return self.kind == "log" or (self.kind == "power" and self.power.denominator != 1)

    @property
    def is_total(self) -> bool:
        """Tell whether it has a value of all numbers."""
        return self.kind == "exp" or (self.kind == "power" and self.power.denominator == 1 and self.power > 0)

    def at(self, w: acb, analytic: bool) -> acb:
        """Return it of a ball in the right half plane; no number where it is not known to be analytic, but must be."""
        ratio = arb(self.power.numerator) / self.power.denominator
        match self.kind:
            case "exp":
                return (w * ratio).exp()
            case "log":
                return w.log(analytic=analytic) ** int(self.power)
            case "power":
                return (w.log(analytic=analytic) * ratio).exp()

    def of(self, number: Number) -> arb:
        """Enclose it of a number.

        Raises:
            Beyond: if it has no value there.
        """
        if self.kind == "exp":
            return (enclose(number) * self.power.numerator / self.power.denominator).exp()
        if exact.sign(number) == 0 and self.kind == "power" and self.power > 0:
            return arb(0)
        if exact.sign(number) <= 0:
            raise Beyond("a function of a number that is not positive")
        return self.at(acb(enclose(number)), False).real


def has_value(paths: Sequence[Path], name: str, function: Function) -> bool:
    """Tell whether a function is known to have a value almost surely on all paths."""
    return all(_has_value(path, path.values[name], function) for path in paths)


def _has_value(path: Path, value: Value, function: Function) -> bool:
    if not isinstance(value, Polynomial):
        sign = exact.sign(value)
        at_zero = function.kind == "power" and function.power > 0
        return sign > 0 or (at_zero if sign == 0 else not function.needs_sign)
    least = _least(path, value) if function.needs_sign else 0
    return least is not None and exact.sign(least) >= 0


def _least(path: Path, value: Polynomial) -> Number | None:
    """Return a lower bound of a linear value, None where none is known."""
    found = linear(value)
    if found is None:
        return None
    constant, coefficients = found
    for index, coefficient in coefficients.items():
        low, high = path.interval(((index, 1),))
        own_low, own_high = path.laws[index].ends
        end = (own_low if low is None else low) if exact.sign(coefficient) > 0 else (own_high if high is None else high)
        if end is None:
            return None
        constant = exact.add(constant, exact.mul(coefficient, end))
    return constant


def mean_of_function(paths: Sequence[Path], name: str, function: Function, total: arb) -> arb:
    """Enclose the mean of a function of a value; raises ``Beyond``, too where it is infinite."""
    found = sum((_over(path, name, function) for path in paths), arb(0)) / total
    if not found.is_finite():
        raise Beyond("a mean that is infinite or not known")
    return found


def _over(path: Path, name: str, function: Function) -> arb:
    """Enclose the mean over one path, times its probability."""
    value = path.values[name]
    if not isinstance(value, Polynomial):
        return probability_of(path) * function.of(value)
    if function.kind == "power" and function.power.denominator == 1 and function.power > 0:
        return moment_of_paths(path, value, int(function.power))
    if function.kind == "exp" and (found := _generating(path, value, function.power)) is not None:
        return found
    term = term_of(path, value)
    if not isinstance(term, Piece):
        raise Beyond("a function of a value without an explicit density")
    return _of_piece(term, function)


# --- moment generating functions --------------------------------------------------------------------------------------


def _generating(path: Path, value: Polynomial, power: Fraction) -> arb | None:
    """Enclose the mean of ``exp(power · value)`` times the probability of the path, None where guards or products tie sources together."""
    probability, near = apart(path, value.sources)
    found = linear(value)
    if found is None or near:
        return None
    constant, coefficients = found
    ratio = exact.number(power)
    product = weight_of(path) * probability * enclose(exact.mul(ratio, constant)).exp()
    for index, coefficient in coefficients.items():
        product *= path.laws[index].generating(exact.mul(ratio, coefficient))
    return product


# --- explicit densities -----------------------------------------------------------------------------------------------


def _of_piece(piece: Piece, function: Function) -> arb:
    """Enclose the integral of a function times a density, which lies above 0."""
    whole = (piece.low, piece.high) == piece.law.ends
    if function.kind != "exp" and whole and piece.location == 0 and exact.sign(piece.scale) > 0:
        return piece.weight * _of_law(piece.law, enclose(piece.scale), function)
    placed = placed_of(piece)
    low, high = placed.ends
    if function.kind != "exp" and (low is None or exact.sign(low) <= 0):
        raise Beyond("a function of what may be near 0")
    if low is None or (high is None and function.kind == "exp") or function.power > 2:
        raise Beyond("a function without a bound")
    return sum((_between(piece, function, *ends) for ends in pairwise(edges_of([placed], False))), arb(0))


def _between(piece: Piece, function: Function, low: Edge, high: Edge) -> arb:
    """Enclose the integral between neighbouring breaks."""
    if low is None or quadrature.time_is_up():
        raise Beyond("no time left")
    height, end, rest = height_of(piece), arb(0), arb(0)
    if high is None:
        end = far_end([piece], [], 1, low).max(arb(1))
        rest = arb(0).union(_mean_beyond(piece, end, 2 if function.power > 1 else 1))
    segments, corners = segments_of([placed_of(piece)], low, high, (end, end))

    def integrand(place: acb, logs: list[acb], analytic: bool) -> acb:
        return height * logs[0].exp() * function.at(place, analytic)

    for segment in segments:
        rest += segment.integral(integrand, GOAL / 64, quadrature.time_is_up)
    for corner in corners:
        largest, a = corner_bound(corner, [piece], [])
        mass = largest * (a * corner.length.log()).exp() / a
        ends = [abs(function.of(edge)).upper() for edge in (low, exact.add(low, 1) if high is None else high)]
        rest += arb(0, (mass * ends[0].max(ends[1])).upper())
    return rest


def _mean_beyond(piece: Piece, end: arb, order: int) -> arb:
    """Return at least the integral of w^order times the density beyond a place."""
    z = (end - enclose(piece.location)) / enclose(piece.scale)
    far = (
        replace(piece, low=dyadic(z.lower())) if exact.sign(piece.scale) > 0 else replace(piece, high=dyadic(z.upper()))
    )
    return moment_of_piece(far, order).upper()


def _of_law(law: Law, scale: arb, function: Function) -> arb:
    """Return the mean of a function of ``scale · z``, z > 0 of a whole law."""
    if function.kind == "power":
        ratio = arb(function.power.numerator) / function.power.denominator
        return law.mean_of_power(function.power) * (scale.log() * ratio).exp()
    mean, variance = law.logarithm()
    mean += scale.log()
    return mean if function.power == 1 else variance + mean * mean


# --- the logarithm of a size ------------------------------------------------------------------------------------------


def mean_of_log_size(paths: Sequence[Path], name: str, total: arb) -> arb:
    """Enclose the mean of the logarithm of |w| of a continuous value.

    Raises:
        Beyond: if the value is discrete on some path, or the mean is not known.
    """
    found = arb(0)
    for path in paths:
        value = path.values[name]
        if not isinstance(value, Polynomial):
            raise Beyond("a function of what is discrete on some path")
        found += _log_size(term_of(path, value))
    return found / total


def _log_size(term: Term) -> arb:
    match term:
        case Bell(weight=weight, mean=mean, variance=variance):
            excess = exact.div(exact.mul(mean, mean), variance)
            return weight * (enclose(variance).log() + _mean_of_log_square(excess)) / 2
        case Piece(weight=weight, location=0, scale=scale, law=law) if (
            isinstance(law, Laplace) and (term.low, term.high) == law.ends
        ):
            return weight * (enclose(law.parameters[0]).log() - arb.const_euler() + abs(enclose(scale)).log())
        case Piece(location=location, scale=scale):
            high = placed_of(term).ends[1]
            if high is not None and exact.sign(high) <= 0:
                term = replace(term, location=exact.neg(location), scale=exact.neg(scale))
            return _of_piece(term, Function("log"))
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
