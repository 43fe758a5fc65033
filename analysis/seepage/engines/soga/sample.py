r"""Sampling in a component: the row :math:`x \sim D'` of the paper's Table 2, :math:`Marg_{x \setminus x_i}(G) \otimes T_{gm}(D')`.

A normal adds an independent source: its mean may be an affine form, its variance any number of the component, and variance 0 adds none.
A mixture samples one of its parts. A law that is no Gaussian mixture is replaced by the normal of the same mean and variance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from flint import arb

from seepage import exact, rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Fault, Reason
from seepage.distributions.arguments import Bound, bind
from seepage.distributions.continuous import moments
from seepage.distributions.families import draw
from seepage.distributions.gaussian import Affine, Gaussian, Scalar
from seepage.distributions.kinds import is_continuous, is_gaussian, listed
from seepage.distributions.parameters import Place
from seepage.engines.soga.assign import plus, scale, value_in
from seepage.engines.soga.component import Component
from seepage.engines.soga.merge import covariance_of, dot, mean_of, weighted
from seepage.engines.soga.moments import independent_source
from seepage.engines.soga.weights import Weight, Weights
from seepage.exact import Number
from seepage.laws.windows import Window
from seepage.semantics.evaluate import names_of, spelled
from seepage.semantics.expressions import nodes
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression, Family


@dataclass(frozen=True, slots=True)
class Draw:
    """A value that was drawn, the law of the sources with it, and the probability of the part that it came from."""

    value: Number | Affine
    gaussian: Gaussian
    weight: Weight


@dataclass(frozen=True, slots=True)
class Limits:
    """On the values of a discrete law, and how much of an infinite one is left out: a mass of at most 2^−tail_bits."""

    values: int
    tail_bits: int


def draws(
    component: Component,
    distribution: Distribution,
    ring: Weights,
    limits: Limits,
    windows: list[tuple[arb, Window]],
    share: Weight = Weights.one,
) -> Iterator[Draw]:
    """Yield what a distribution gives in a component.

    Args:
        component: in which it is drawn from.
        distribution: with absolute spans.
        ring: of the weights.
        limits: on infinite and large supports.
        windows: added to, where infinite supports are cut: their windows, with bounds of the weights of these parts.
        share: the weight of this part in what is drawn from.

    Raises:
        Undecided: if a parameter depends on the sign of a continuous form.
        Fault: parameter out of range, not supported, budget.
    """
    match distribution:
        case tree.Table(entries=entries, span=span):
            weights = tuple(weight for _, weight in entries)
            for position, weight in _weights(component, weights, span, ring):
                yield Draw(value_in(component, entries[position][0]), component.gaussian, weight)
        case tree.Mixture(parts=parts, span=span):
            outside = component.gaussian
            for position, weight in _weights(component, tuple(weight for weight, _ in parts), span, ring):
                component.gaussian = outside
                for one in draws(component, parts[position][1], ring, limits, windows, share * weight):
                    yield Draw(one.value, one.gaussian, weight * one.weight)
        case tree.Family() if is_gaussian(distribution):
            yield _normal(component, distribution)
        case tree.Family() if is_continuous(distribution):
            yield _matched(component, distribution)
        case tree.Family() if (expressions := listed(distribution)) is not None:
            each = ring.rational(1, len(expressions))
            for expression in expressions:
                yield Draw(value_in(component, expression), component.gaussian, each)
        case tree.Rows():
            for value, weight in draw(distribution, Place({}, {}), ring, limits.values, None).entries:
                yield Draw(value, component.gaussian, weight)
        case tree.Family():
            family, place = _discrete(component, distribution)
            drawn = draw(family, place, ring, limits.values, limits.tail_bits)
            windows.extend(((arb(share) * weight).upper(), window) for weight, window in drawn.windows)
            for value, weight in drawn.entries:
                yield Draw(value, component.gaussian, weight)
        case _:
            assert_never(distribution)


def _weights(
    component: Component, weights: tuple[Expression, ...], span: Span, ring: Weights
) -> list[tuple[int, Weight]]:
    named, place = _named(component, weights)
    masses = [ring.probability(weight, place.values) for weight in named]
    place.check_sum(tuple(named), span)
    return [(position, mass) for position, mass in enumerate(masses) if not ring.is_zero(mass)]


def _discrete(component: Component, family: Family) -> tuple[Family, Place]:
    named, place = _named(component, tuple(argument.value for argument in family.arguments))
    arguments = tuple(
        tree.Argument(argument.name, value, argument.span)
        for argument, value in zip(family.arguments, named, strict=True)
    )
    return tree.Family(family.name, arguments, family.name_span, family.span), place


def _named(component: Component, expressions: tuple[Expression, ...]) -> tuple[list[Expression], Place]:
    """Evaluate parameters in the component; return each as a name for its value, with the place where it has it.

    One that reads discrete variables only stays as it is, so that faults can tell the values of these.
    """
    values = component.values()
    named: list[Expression] = []
    for expression in expressions:
        value = value_in(component, expression)
        if _reads_only(expression, values):
            named.append(expression)
            continue
        if isinstance(value, Affine):
            message = f"'{spelled(expression)}' is continuous here, which a probability or the parameter of a discrete law cannot be yet"
            raise Fault(Diagnostic(rules.NOT_SUPPORTED, expression.span, message))
        text = spelled(expression)
        values[text] = value
        named.append(tree.Name(text, expression.span))
    return named, Place(values, component.scope.arrays)


def _reads_only(expression: Expression, values: Mapping[str, Number]) -> bool:
    return all(not isinstance(node, tree.Index) for node in nodes(expression)) and all(
        name in values for name in names_of(expression)
    )


def _normal(component: Component, family: Family) -> Draw:
    bound = bind(family)
    mean = value_in(component, bound.named["mean"])
    variance = _variance(component, bound)
    if variance == 0:
        return Draw(mean, component.gaussian, Weights.one)
    noise = component.append(independent_source(component.gaussian, 0, variance))
    return Draw(plus(mean, noise), component.gaussian, Weights.one)


def _variance(component: Component, bound: Bound) -> Scalar:
    spread = "std" if "std" in bound.named else "variance"
    expression = bound.named[spread]
    value = value_in(component, expression)
    if isinstance(value, Affine):
        return _expected_variance(component, expression, value, spread)
    what = "the standard deviation of 'normal'" if spread == "std" else "the variance of 'normal'"
    named, place = _named(component, (expression,))
    place.at_least_zero(named[0], what)
    return exact.mul(value, value) if spread == "std" else value


def _expected_variance(component: Component, expression: Expression, value: Affine, spread: str) -> Scalar:
    """Match moments where the variance V itself is continuous: Var(y) = Var(mean) + E(V) by the law of total variance.

    A continuous standard deviation u has :math:`E(u^2) = Var(u) + E(u)^2`.
    """
    rule = rules.VARIANCE_DEPENDS_ON_CONTINUOUS
    message = "a normal whose variance is continuous is no finite Gaussian mixture"
    component.reasons[Reason(expression.span, rule.code, message)] = None
    of = component.of
    average = expected = mean_of(value, component.gaussian, of)
    if spread == "std":
        own = dot(value.terms, weighted(covariance_of(component.gaussian), value.terms, of), of)
        expected = of.add(own, of.mul(average, average))
    if not of.ball(average) > 0:
        what = "standard deviation" if spread == "std" else "variance"
        message = f"'{spelled(expression)}' is not positive on average, the {what} of 'normal' must not be negative"
        raise Fault(Diagnostic(rules.INVALID_PARAMETER, expression.span, message))
    return expected


def _matched(component: Component, family: Family) -> Draw:
    """Match moments; a place that is continuous (``laplace(x, 1)``) is added to a law around 0, whose noise is independent."""
    bound = bind(family)
    arguments, place, at = _arguments(component, family, bound.named)
    centre, variance = moments(family, arguments, place)
    mean = plus(at, centre)
    message = f"'{family.name}' is no Gaussian mixture, a normal of the same mean and variance stands for it"
    if variance != 0:
        component.reasons[Reason(family.span, rules.NOT_GAUSSIAN.code, message)] = None
        noise = component.append(independent_source(component.gaussian, 0, variance))
        return Draw(plus(mean, noise), component.gaussian, Weights.one)
    return Draw(mean, component.gaussian, Weights.one)


_PLACES = {"laplace": ("mean",), "student_t": ("mean",), "uniform": ("a", "b"), "triangular": ("a", "m", "b")}
"""Of families that may stand anywhere: the parameters that all move with the place."""


def _arguments(
    component: Component, family: Family, named: Mapping[str, Expression]
) -> tuple[dict[str, Expression], Place, Number | Affine]:
    """Return the parameters, with their values, relative to a place that is returned, too; it is 0 unless it is continuous."""
    moving = _PLACES.get(family.name, ())
    values = {name: value_in(component, named[name]) for name in moving}
    at = next((value for value in values.values() if isinstance(value, Affine)), None)
    if at is None:
        names, place = _named(component, tuple(named.values()))
        return dict(zip(named, names, strict=True)), place, 0
    rest = {name: expression for name, expression in named.items() if name not in moving}
    names, place = _named(component, tuple(rest.values()))
    found: dict[str, Expression] = dict(zip(rest, names, strict=True))
    known = dict(place.values)
    for name, value in values.items():
        distance = plus(value, scale(at, -1))
        if isinstance(distance, Affine):
            message = f"the parameters of '{family.name}' are continuous here, and so is the distance between them, which is not supported yet"
            raise Fault(Diagnostic(rules.NOT_SUPPORTED, named[name].span, message))
        text = f"{spelled(named[name])} - ({spelled(named[moving[0]])})"
        known[text] = distance
        found[name] = tree.Name(text, named[name].span)
    return found, Place(known, component.scope.arrays), at
