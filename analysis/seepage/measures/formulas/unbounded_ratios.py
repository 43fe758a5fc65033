r"""Whether two inputs' outputs have a greatest ratio of probabilities far out, where these come from laws with infinite supports.

Where an output y is :math:`u + \sum a_i k_i` for independent draws :math:`k_i`, the logarithm of its probability at :math:`y = \pm t` is, as t grows,

.. math:: A\,t^2 + B\,t \log t + C\,t + D \log t + O(1),

so that the ratio of two such tails has no bound if the coefficients of the first come after those of the second in the order of lexicons.
Those of one draw follow from its law and Stirling's formula (``_LAWS``). A mixture falls as its heaviest part does. Of sums, those with at most one
tail that is lighter than every exponential are known: the heaviest exponential one decides, as the mean of its exponential over what is added is
finite; r of them that fall alike give :math:`t^{r - 1}` in addition (negative binomial laws). See Foss, Korshunov and Zachary, *An Introduction to
Heavy-Tailed and Subexponential Distributions* (2013), for sums with one part that decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from typing import TypeAlias

from seepage import exact
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.distributions.arguments import bind
from seepage.distributions.families import support
from seepage.distributions.parameters import Place
from seepage.exact import ArithmeticFault, Number
from seepage.measures.channels.closed_weights import CLOSED_FORMS
from seepage.measures.discrete.weights import Values
from seepage.measures.formulas.fixed_parameters import fixed
from seepage.semantics.closed_forms import expression_of
from seepage.semantics.core import CoreAssign, CoreIf, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.evaluate import evaluate
from seepage.semantics.expressions import arguments_of, plain_names
from seepage.semantics.fold import folded_distribution
from seepage.semantics.slice import sunk_slice
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import Expression

_NOWHERE = Span(0, 0)
_MOST_PATHS = 64
_SIDES = (1, -1)


class _NoTail(Exception):
    """A program has no draw whose tail is known."""


# --- laws -------------------------------------------------------------------------------------------------------------

_Fall: TypeAlias = tuple[Number, Number, Number, Number]
"""The coefficients A, B, C, D of a tail; None stands for an end, beyond which nothing is possible."""

_Law: TypeAlias = Callable[[Mapping[str, Number], Number, Number, int], "_Fall | None"]
"""From parameters, the size a of the slope, the shift u towards the side that is looked at, and the side of the draw itself to its tail."""


def _geometric(of: Mapping[str, Number], a: Number, shift: Number, side: int) -> _Fall | None:
    rest = exact.sub(1, of["p"])
    if side < 0 or exact.sign(rest) == 0:
        return None
    return 0, 0, exact.div(exact.log_(rest), a), 0


def _poisson(of: Mapping[str, Number], a: Number, shift: Number, side: int) -> _Fall | None:
    """With k = (t − u)/a, −log k! is −k log k + k − (log k)/2 + O(1)."""
    if side < 0 or exact.sign(of["rate"]) == 0:
        return None
    linear = exact.add(1, exact.add(exact.log_(of["rate"]), exact.log_(a)))
    return 0, exact.div(-1, a), exact.div(linear, a), exact.sub(exact.div(shift, a), Fraction(1, 2))


def _discrete_laplace(of: Mapping[str, Number], a: Number, shift: Number, side: int) -> _Fall | None:
    return 0, 0, exact.div(-1, exact.mul(of["scale"], a)), 0


def _discrete_gaussian(of: Mapping[str, Number], a: Number, shift: Number, side: int) -> _Fall | None:
    """−(t − w)²/(2va²), w where the middle lies on the side that is looked at."""
    spread = exact.mul(of["variance"], exact.mul(a, a))
    if exact.sign(spread) == 0:
        return None
    middle = exact.add(shift, exact.mul(side, exact.mul(a, of["centre"])))
    return exact.div(-1, exact.mul(2, spread)), 0, exact.div(middle, spread), 0


_LAWS: Mapping[str, tuple[tuple[str, ...], _Law]] = {
    "geometric": (("p",), _geometric),
    "poisson": (("rate",), _poisson),
    "discrete_laplace": (("scale",), _discrete_laplace),
    "discrete_gaussian": (("variance", "centre"), _discrete_gaussian),
}
"""For each law with infinite support the parameters that its tails depend on, and its tails."""


def _heavier(one: _Fall | None, other: _Fall | None) -> bool:
    """Tell whether the ratio of one tail to another has no bound.

    Raises:
        CannotDecide: if two coefficients are too close to tell.
    """
    if one is None or other is None:
        return one is not None
    order = (exact.compare(a, b) for a, b in zip(one, other, strict=True))
    return next((each for each in order if each), 0) > 0


def _mixed(one: _Fall | None, other: _Fall | None) -> _Fall | None:
    return one if _heavier(one, other) else other


def _summed(falls: Sequence[_Fall | None]) -> _Fall | None:
    """Return the tail of a sum, of which at most one part may fall faster than every exponential; a part that ends on this side changes no more than a factor."""
    exponential = [each for each in falls if each is not None and each[0] == 0 and each[1] == 0]
    if not exponential:
        rest = [each for each in falls if each is not None]
        if len(rest) > 1 or (rest and len(falls) > 1):
            raise _NoTail
        return rest[0] if rest else None
    slowest, power = exponential[0][2:]
    for _, _, linear, more in exponential[1:]:
        order = exact.compare(linear, slowest)
        if order == 0:
            power = exact.add(exact.add(power, more), 1)
        elif order > 0:
            slowest, power = linear, more
    return 0, 0, slowest, power


# --- programs ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A draw from a law of ``_LAWS``: its family and what its tails depend on."""

    family: str
    parameters: Mapping[str, Number]

    def fall(self, constant: Number, slope: Number, side: int) -> _Fall | None:
        """Return the tail, on a side, of this draw times ``slope`` and ``constant`` added."""
        turned = exact.sign(slope)
        return _LAWS[self.family][1](self.parameters, exact.abs_(slope), exact.mul(side, constant), side * turned)


@dataclass(frozen=True, slots=True)
class _Run:
    """A path with an input: what names mean, in terms of inputs and of draws, and these."""

    names: Mapping[str, Expression]
    drawn: Mapping[str, _Drawn] = field(default_factory=dict)

    def meaning(self, expression: Expression, x: tuple[str, ...]) -> Expression:
        """Return an expression in these terms; an input that is read before it is there is none."""
        meant = fixed(expression, self.names)
        if any(each in x and each not in self.names for each in plain_names(meant)):
            raise _NoTail
        return meant

    def known(self, expression: Expression, x: tuple[str, ...]) -> Expression:
        """Return an expression in these terms that does not depend on a draw."""
        meant = self.meaning(expression, x)
        if any(each in self.drawn for each in plain_names(meant)):
            raise _NoTail
        return meant

    def with_name(self, name: str, meant: Expression, drawn: _Drawn | None = None) -> _Run:
        return _Run({**self.names, name: meant}, self.drawn if drawn is None else {**self.drawn, name: drawn})


def unbounded_pair(
    core: CoreProgram, x: tuple[str, ...], y: tuple[str, ...], near: tuple[Values, Values], at: Mapping[str, Number]
) -> bool:
    """Tell whether the first of two inputs makes some outputs arbitrarily more likely than the second does; False where that is not known.

    Known are programs in which y is, on each of the paths that an input leaves open, linear in independent draws.
    """
    if len(y) != 1:
        return False
    try:
        first, second = (_tails(core, x, y[0], values, at) for values in near)
        return any(_heavier(one, other) for one, other in zip(first, second, strict=True))
    except (Fault, ArithmeticFault, _NoTail):
        return False


def _tails(
    core: CoreProgram, x: tuple[str, ...], y: str, values: Values, at: Mapping[str, Number]
) -> list[_Fall | None]:
    """Return the upper and the lower tail of y where x has some values."""
    state = {**at, **dict(zip(x, values, strict=True))}
    found: list[_Fall | None] = [None, None]
    for number, run in enumerate(_runs(sunk_slice(core, (*x, y)).statements, _Run({}), x, state)):
        if number == _MOST_PATHS or y not in run.names or y in x:
            raise _NoTail
        constant, slopes = _linear(run.names[y], run, state)
        if len(slopes) > 1 and len({exact.abs_(slope) for slope in slopes.values()}) > 1:
            raise _NoTail
        for place, side in enumerate(_SIDES):
            fall = _summed([run.drawn[name].fall(constant, slope, side) for name, slope in slopes.items()])
            found[place] = _mixed(found[place], fall)
    return found


def _linear(expression: Expression, run: _Run, state: Mapping[str, Number]) -> tuple[Number, dict[str, Number]]:
    """Return constant and slopes, none of them 0, of an expression in draws.

    Raises:
        _NoTail: if it is not linear in them.
        Fault: a part without a value.
    """
    if not any(name in run.drawn for name in plain_names(expression)):
        return evaluate(expression, state), {}
    match expression:
        case tree.Name(id=name):
            return 0, {name: 1}
        case tree.Parenthesized(inner=inner):
            return _linear(inner, run, state)
        case tree.Unary(operator="-", operand=operand):
            return _scaled(_linear(operand, run, state), -1)
        case tree.Binary(operator="+" | "-" as operator, left=left, right=right):
            one, other = _linear(left, run, state), _linear(right, run, state)
            (constant, slopes), (more, others) = one, other if operator == "+" else _scaled(other, -1)
            total = {name: exact.add(slopes.get(name, 0), others.get(name, 0)) for name in {**slopes, **others}}
            return exact.add(constant, more), {name: slope for name, slope in total.items() if exact.sign(slope)}
        case tree.Binary(operator="*", left=left, right=right):
            one, other = sorted((_linear(left, run, state), _linear(right, run, state)), key=lambda part: len(part[1]))
            if one[1]:
                raise _NoTail
            return _scaled(other, one[0])
        case tree.Binary(operator="/", left=left, right=right):
            divisor, slopes = _linear(right, run, state)
            if slopes:
                raise _NoTail
            return _scaled(_linear(left, run, state), exact.div(1, divisor))
        case tree.Conditional(condition=condition, consequent=consequent, alternative=alternative):
            if any(name in run.drawn for name in plain_names(condition)):
                raise _NoTail
            return _linear(consequent if evaluate(condition, state) == 1 else alternative, run, state)
        case _:
            raise _NoTail


def _scaled(form: tuple[Number, dict[str, Number]], factor: Number) -> tuple[Number, dict[str, Number]]:
    constant, slopes = form
    if exact.sign(factor) == 0:
        return 0, {}
    return exact.mul(constant, factor), {name: exact.mul(slope, factor) for name, slope in slopes.items()}


def _runs(
    statements: Sequence[CoreStatement], run: _Run, x: tuple[str, ...], state: Mapping[str, Number]
) -> Iterator[_Run]:
    """Yield the paths with an input, those of positive probability."""
    for place, statement in enumerate(statements):
        rest = statements[place + 1 :]
        match statement:
            case CoreSample(target=tree.Name(id=name), distribution=prior) if name in x and name not in run.names:
                others = set(x) if run.drawn else set()
                if not _read(prior) <= state.keys() - others:
                    raise _NoTail  # an input that depends on a draw, so that it may rule paths out
                run = run.with_name(name, tree.Name(name, _NOWHERE))
            case CoreSample(target=tree.Name(id=name), distribution=tree.Family() as law) if law.name in _LAWS:
                if name in run.names or name in x:
                    raise _NoTail
                parameters = {word: evaluate(each, state) for word, each in _parameters(law, run, x)}
                run = run.with_name(name, tree.Name(name, _NOWHERE), _Drawn(law.name, parameters))
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
    for word in _LAWS[law.name][0]:
        if word in given:
            yield word, run.known(given[word], x)
        elif word == "centre":
            yield word, tree.Number(Fraction(0), _NOWHERE)
        else:
            raise _NoTail
