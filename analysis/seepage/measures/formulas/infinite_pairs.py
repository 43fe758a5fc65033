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

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from flint import arb

from seepage import exact
from seepage.diagnostics import Fault
from seepage.distributions.arguments import bind
from seepage.distributions.families import support
from seepage.distributions.infinite import InfiniteLaw, TooWide, window
from seepage.distributions.parameters import Place
from seepage.exact import ArithmeticFault, Number, precision
from seepage.measures.channels.closed_weights import CLOSED_FORMS
from seepage.measures.discrete.weights import BITS, Values
from seepage.measures.enclosure import Enclosure
from seepage.measures.formulas.exponential_means import affine
from seepage.measures.formulas.fixed_parameters import fixed
from seepage.measures.formulas.infinite_laws import single_draw
from seepage.measures.result import Certainty
from seepage.semantics.closed_forms import expression_of
from seepage.semantics.core import CoreAssign, CoreIf, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import arguments_of, plain_names
from seepage.semantics.fold import folded_distribution
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
    if p is None or q is None or p.is_point or q.is_point:
        return None
    with precision(BITS):
        (a, b, c), (d, e, f) = p.logarithm(BITS), q.logarithm(BITS)
        alpha, beta, gamma = a - d, b - e, c - f
        if gamma == 0:
            if p == q:
                return Enclosure.of_rational(Fraction(0))
            found = alpha + beta * p.average(BITS)
            return Enclosure.bounded(found, found.lower().max(arb(0)), found.upper())
    try:
        seen = window(InfiniteLaw(p.kind, p.parameter), BITS, _TAIL_BITS, _LONGEST)
    except TooWide:
        return None
    with precision(BITS):
        total = arb(0)
        for k, mass in enumerate(seen.masses, seen.first):
            total += mass * (alpha + beta * k + gamma * arb(k + 1).lgamma())
        outside = abs(alpha) * seen.outside() + abs(beta) * seen.outside_moment(1) + seen.outside_moment(2)
        lower, upper = (total - outside).lower().max(arb(0)), (total + outside).upper()
        return Enclosure.bounded(total, lower, upper, Certainty.CERTIFIED)


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
_Heavier: TypeAlias = Callable[[tuple[Number, ...], tuple[Number, ...]], bool]


def _first_above(one: tuple[Number, ...], other: tuple[Number, ...]) -> bool:
    return exact.compare(one[0], other[0]) > 0


_SHAPES: Mapping[str, tuple[tuple[str, ...], _Shape, _Heavier]] = {
    # −log of the probability of k grows by −log(1 − p) from k to k + 1,
    "geometric": (("p",), lambda of, constant, slope: (of["p"],), lambda one, other: _first_above(other, one)),
    # by log k − log rate,
    "poisson": (("rate",), lambda of, constant, slope: (of["rate"],), _first_above),
    # by 1/scale away from the centre,
    "discrete_laplace": (("scale",), lambda of, constant, slope: (of["scale"],), _first_above),
    # and as (k − centre)²/(2·variance), so that a shift is told by its linear part, too, on one side.
    "discrete_gaussian": (
        ("variance", "centre"),
        lambda of, constant, slope: (of["variance"], exact.add(constant, exact.mul(slope, of["centre"]))),
        lambda one, other: _first_above(one, other) or (one[0] == other[0] and exact.compare(one[1], other[1]) != 0),
    ),
}
"""For each law the parameters that its tails depend on, what tells two of them apart, and whether the ratio of the first to the second has no bound: one
table of facts about laws."""


def unbounded_pair(
    core: CoreProgram, x: tuple[str, ...], y: tuple[str, ...], near: tuple[Values, Values], at: Mapping[str, Number]
) -> bool:
    """Tell whether the first of two inputs makes some outputs arbitrarily more likely than the second does; False where that is not known.

    It is where y is, on each path that an input leaves, an affine image of one draw from a law of ``_SHAPES`` or a constant, and the input decides the
    shape of the law, or shifts one whose shape a shift changes. What finite draws decide beside it adds constant factors to tails that fall
    geometrically, which leave them apart.
    """
    if len(y) != 1:
        return False
    try:
        first, second = (_given(core, x, y[0], values, at) for values in near)
        if first is None or second is None or first.family != second.family:
            return False
        if exact.compare(first.slope, second.slope) != 0:
            return False
        return _SHAPES[first.family][2](first.shape, second.shape)
    except (Fault, ArithmeticFault, _NoTail):
        return False


class _NoTail(Exception):
    """A program has no draw whose tail is known."""


_MOST_PATHS = 64
_GEOMETRIC_TAILS = ("geometric", "discrete_laplace")


@dataclass(frozen=True, slots=True)
class _Drawn:
    """The draw from an infinite law on a path: its variable, its family and what its shape depends on."""

    name: str
    family: str
    parameters: Mapping[str, Number]


@dataclass(frozen=True, slots=True)
class _Run:
    """A path with an input: what names mean, in terms of inputs and of the draw."""

    names: Mapping[str, Expression]
    drawn: _Drawn | None = None

    def meaning(self, expression: Expression, x: tuple[str, ...]) -> Expression:
        """Return an expression in these terms; an input that is read before it is there is none."""
        meant = fixed(expression, self.names)
        if any(each in x and each not in self.names for each in plain_names(meant)):
            raise _NoTail
        return meant

    def known(self, expression: Expression, x: tuple[str, ...]) -> Expression:
        """Return an expression in these terms that does not depend on the draw."""
        meant = self.meaning(expression, x)
        if self.drawn is not None and self.drawn.name in plain_names(meant):
            raise _NoTail
        return meant

    def with_name(self, name: str, meant: Expression, drawn: _Drawn | None = None) -> _Run:
        return _Run({**self.names, name: meant}, drawn or self.drawn)


def _given(core: CoreProgram, x: tuple[str, ...], y: str, values: Values, at: Mapping[str, Number]) -> _Tail | None:
    """Return the law of the draw that y is, one to one, where x has some values; None where there is no such law."""
    state = {**at, **dict(zip(x, values, strict=True))}
    runs = list(_runs(sink(slice_program(core, (*x, y))).statements, _Run({}), x, state))
    tails = [tail for one in runs if (tail := _tail(one, x, y, state)) is not None]
    if not tails or len(runs) > _MOST_PATHS:
        return None
    if len(runs) > 1 and (tails[0].family not in _GEOMETRIC_TAILS or any(each != tails[0] for each in tails)):
        return None
    return tails[0]


def _tail(run: _Run, x: tuple[str, ...], y: str, state: Mapping[str, Number]) -> _Tail | None:
    """Return the tail of y on a path, None where it is a constant."""
    if y not in run.names or y in x:
        raise _NoTail
    if run.drawn is None or run.drawn.name not in plain_names(run.names[y]):
        return None
    form = affine(run.names[y], run.drawn.name, state)
    if form is None or exact.sign(form[1]) == 0:
        raise _NoTail
    return _Tail(run.drawn.family, form[1], _SHAPES[run.drawn.family][1](run.drawn.parameters, *form))


def _runs(
    statements: Sequence[CoreStatement], run: _Run, x: tuple[str, ...], state: Mapping[str, Number]
) -> Iterator[_Run]:
    """Yield the paths with an input, those of positive probability."""
    for place, statement in enumerate(statements):
        rest = statements[place + 1 :]
        match statement:
            case CoreSample(target=tree.Name(id=name), distribution=prior) if name in x and name not in run.names:
                others = set() if run.drawn is None else set(x)
                if not _read(prior) <= state.keys() - others:
                    raise _NoTail  # an input that depends on a draw, so that it may rule paths out
                run = run.with_name(name, tree.Name(name, _NOWHERE))
            case CoreSample(target=tree.Name(id=name), distribution=tree.Family() as law) if law.name in _SHAPES:
                if run.drawn is not None or name in run.names or name in x:
                    raise _NoTail
                parameters = {word: evaluate(each, state) for word, each in _parameters(law, run, x)}
                run = run.with_name(name, tree.Name(name, _NOWHERE), _Drawn(name, law.name, parameters))
            case CoreSample(target=tree.Name(id=name), distribution=law) if name not in x:
                closed = folded_distribution(
                    law, 0, {each: run.known(tree.Name(each, _NOWHERE), x) for each in _read(law)}
                )
                for value, _ in support(closed, Place(state, {}), CLOSED_FORMS, _MOST_PATHS):
                    yield from _runs(rest, run.with_name(name, expression_of(value)), x, state)
                return
            case CoreAssign(target=tree.Name(id=name), value=value) if name not in x:
                run = run.with_name(name, tree.Parenthesized(run.meaning(value, x), _NOWHERE))
            case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
                holds = evaluate(run.known(condition, x), state) == 1
                yield from _runs((*(consequent if holds else alternative), *rest), run, x, state)
                return
            case _:
                raise _NoTail
    yield run


def _read(law: tree.Distribution) -> set[str]:
    return {each for part in arguments_of(law) for each in plain_names(part)}


def _parameters(law: tree.Family, run: _Run, x: tuple[str, ...]) -> Iterator[tuple[str, Expression]]:
    """Yield the parameters that the tails of a law depend on."""
    given = bind(law).named
    for word in _SHAPES[law.name][0]:
        if word in given:
            yield word, run.known(given[word], x)
        elif word == "centre":
            yield word, tree.Number(Fraction(0), _NOWHERE)
        else:
            raise _NoTail
