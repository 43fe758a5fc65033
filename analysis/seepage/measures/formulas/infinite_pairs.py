r"""Two laws on 0, 1, 2, … compared over their whole support: the divergence of single draws, and whether the ratio of probabilities is bounded.

With the logarithms of probabilities

.. math:: \log \mathrm{geometric}_p(k) = \log p + k \log (1 - p), \qquad \log \mathrm{poisson}_\lambda(k) = -\lambda + k \log \lambda - \log k!,

the divergence is :math:`E_P[\alpha + \beta k + \gamma \log k!]` with :math:`\gamma \in \{-1, 0, 1\}`. Without the last term the mean is all that it needs.
Otherwise it is summed over a window (:mod:`seepage.distributions.infinite`), and what lies outside changes it by at most
:math:`E[|\alpha| + |\beta| k + k^2]` there, as :math:`\log k! \le k^2`.

The ratio of two geometric laws is :math:`C c^k`, that of two Poisson laws, too: unbounded one way round if c is not 1. So it is for the tails of other laws
(``_SHAPES``): that of two discrete normal laws of one variance is :math:`C c^k`, where c = 1 for equal centres only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from flint import arb

from seepage import exact
from seepage.diagnostics import Fault
from seepage.distributions.arguments import bind
from seepage.distributions.infinite import InfiniteLaw, TooWide, window
from seepage.exact import ArithmeticFault, Number, enclose, precision
from seepage.measures.discrete.weights import BITS, Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.formulas.exponential_means import CountingLaw, affine
from seepage.measures.formulas.fixed_parameters import fixed
from seepage.measures.formulas.infinite_laws import single_draw
from seepage.measures.result import Certainty
from seepage.semantics.core import CoreAssign, CoreProgram, CoreSample
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import arguments_of, plain_names
from seepage.semantics.slice import sink, slice_program
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression

_TAIL_BITS, _LONGEST = 256, 100_000
_NOWHERE = Span(0, 0)


def divergence(left: CoreProgram, x: str, right: CoreProgram, y: str, at: Mapping[str, Number]) -> Enclosure | None:
    """Return KL(x || y) in nats for single draws from geometric and Poisson laws, None for anything else.

    Args:
        left: the program of x, which has been run at ``at`` without a fault.
        x: compared.
        right: the program of y.
        y: with x.
        at: the values of all parameters.
    """
    p, q = (single_draw(core, name, at) for core, name in ((left, x), (right, y)))
    if p is None or q is None or not _is_proper(p) or not _is_proper(q):
        return None
    with precision(BITS):
        (a, b, c), (d, e, f) = _logarithm(p), _logarithm(q)
        alpha, beta, gamma = a - d, b - e, c - f
        if gamma == 0:
            if p == q:
                return Enclosure.of_rational(Fraction(0))
            parameter = enclose(p.parameter, BITS)
            average = (1 - parameter) / parameter if p.is_geometric else parameter
            found = alpha + beta * average
            return Enclosure.bounded(found, found.lower().max(arb(0)), found.upper())
    try:
        seen = window(
            InfiniteLaw("geometric" if p.is_geometric else "poisson", p.parameter), BITS, _TAIL_BITS, _LONGEST
        )
    except TooWide:
        return None
    with precision(BITS):
        total = arb(0)
        for k, mass in enumerate(seen.masses, seen.first):
            total += mass * (alpha + beta * k + gamma * arb(k + 1).lgamma())
        outside = abs(alpha) * seen.outside() + abs(beta) * seen.outside_moment(1) + seen.outside_moment(2)
        lower, upper = (total - outside).lower().max(arb(0)), (total + outside).upper()
        return Enclosure.bounded(total, lower, upper, Certainty.CERTIFIED)


def _is_proper(law: CountingLaw) -> bool:
    """Tell whether a law is no point mass."""
    if law.is_geometric:
        return exact.compare(law.parameter, 1) < 0
    return exact.sign(law.parameter) > 0


def _logarithm(law: CountingLaw) -> tuple[arb, arb, int]:
    """Return the constant, and the coefficients of k and log k!, of the logarithm of the probability of k."""
    parameter = enclose(law.parameter, BITS)
    if law.is_geometric:
        return parameter.log(), (-parameter).log1p(), 0
    return -parameter, parameter.log(), -1


# --- ratios -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Tail:
    """A single draw whose affine image is published, for one input.

    Attributes:
        family: of the law.
        slope: of the image.
        shape: what the logarithm of the ratio of two such laws is bounded for if it is the same for both, and for nothing else (``_SHAPES``).
    """

    family: str
    slope: Number
    shape: tuple[Number, ...]


_Shape: TypeAlias = Callable[[Mapping[str, Number], Number, Number], tuple[Number, ...]]

_SHAPES: Mapping[str, tuple[tuple[str, ...], _Shape]] = {
    # −log of the probability of k grows by −log(1 − p) from k to k + 1,
    "geometric": (("p",), lambda of, constant, slope: (of["p"],)),
    # by log k − log rate,
    "poisson": (("rate",), lambda of, constant, slope: (of["rate"],)),
    # by 1/scale away from the centre,
    "discrete_laplace": (("scale",), lambda of, constant, slope: (of["scale"],)),
    # and as (k − centre)²/(2·variance), so that a shift is told by its linear part, too.
    "discrete_gaussian": (
        ("variance", "centre"),
        lambda of, constant, slope: (of["variance"], exact.add(constant, exact.mul(slope, of["centre"]))),
    ),
}
"""For each law the parameters that its tails depend on, and the numbers that tell two of them apart: one table of facts about laws."""


def unbounded_pair(
    core: CoreProgram, x: tuple[str, ...], y: tuple[str, ...], near: tuple[Values, Values], at: Mapping[str, Number]
) -> bool:
    """Tell whether one of two inputs makes some outputs arbitrarily more likely than the other does; False where that is not known.

    It is where y is an affine image of one draw from a law of ``_SHAPES``, and the input decides its shape, or shifts one whose shape a shift changes.
    """
    if len(y) != 1:
        return False
    try:
        first, second = (_given(core, x, y[0], values, at) for values in near)
        if first is None or second is None or first.family != second.family:
            return False
        if exact.compare(first.slope, second.slope) != 0:
            return False
        return any(exact.compare(a, b) != 0 for a, b in zip(first.shape, second.shape, strict=True))
    except (Fault, ArithmeticFault):
        return False


def _given(core: CoreProgram, x: tuple[str, ...], y: str, values: Values, at: Mapping[str, Number]) -> _Tail | None:
    """Return the law of the draw that y is, one to one, where x has some values; None where there is no such law."""
    names: dict[str, Expression] = {}
    drawn: tuple[str, str, dict[str, Number]] | None = None
    state = {**at, **dict(zip(x, values, strict=True))}
    for statement in sink(slice_program(core, (*x, y))).statements:
        match statement:
            case CoreSample(target=tree.Name(id=name), distribution=prior) if name in x and name not in names:
                read = {each for part in arguments_of(prior) for each in plain_names(part)}
                if drawn is not None and not read <= at.keys():
                    return None  # an input that may depend on the draw
                names[name] = tree.Name(name, _NOWHERE)
            case CoreSample(target=tree.Name(id=name), distribution=tree.Family() as law) if (
                law.name in _SHAPES and drawn is None and name not in names
            ):
                given = bind(law).named
                names[name] = tree.Name(name, _NOWHERE)
                parameters: dict[str, Number] = {}
                for word in _SHAPES[law.name][0]:
                    if word not in given and word != "centre":
                        return None
                    whole = fixed(given[word], names) if word in given else tree.Number(Fraction(0), _NOWHERE)
                    if any(each in x and each not in names for each in plain_names(whole)):
                        return None  # an input that is read before it is there
                    parameters[word] = evaluate(whole, state)
                drawn = name, law.name, parameters
            case CoreAssign(target=tree.Name(id=name), value=value) if name not in x and name not in names:
                if any(each in x and each not in names for each in plain_names(value)):
                    return None
                names[name] = tree.Parenthesized(fixed(value, names), _NOWHERE)
            case _:
                return None
    if drawn is None or y not in names or y in x:
        return None
    form = affine(names[y], drawn[0], state)
    if form is None or exact.sign(form[1]) == 0:
        return None
    return _Tail(drawn[1], form[1], _SHAPES[drawn[1]][1](drawn[2], *form))
