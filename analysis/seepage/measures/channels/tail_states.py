r"""Programs with one geometric noise, run exactly over its whole infinite support.

Beyond a window, ``geometric`` and ``discrete_laplace`` fall by a constant factor r from each value to the next. So one *tail state* holds all of a side:
variables are affine in an index :math:`t = 0, 1, 2, \dots` (:class:`Affine`), the weight is :math:`w\,r^t`. Comparisons, minima and
maxima of affine values are decided for all t at once if the window is wide enough; what needs more is given up.
Weights are in closed form.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, assert_never

from seepage import exact
from seepage.data_classes import dataclass
from seepage.distributions.families import infinite_law, support
from seepage.distributions.parameters import Place
from seepage.engines.outcome import Budget
from seepage.exact import Number
from seepage.laws.table import FALLING
from seepage.measures.channels.closed_weights import CLOSED_FORMS
from seepage.measures.clock import OutOfTime
from seepage.semantics.core import (
    CoreAssign,
    CoreIf,
    CoreLocal,
    CoreObserve,
    CoreProgram,
    CoreSample,
    CoreStatement,
    CoreWhile,
    unsettled,
)
from seepage.semantics.dependence import read_variables
from seepage.semantics.evaluate import evaluate
from seepage.semantics.statements import names_read, walk
from seepage.syntax import tree
from seepage.syntax.tree import Distribution, Expression, Family

_STATES = 32_000  # some ten seconds


class NoTail(Exception):
    """The program does not have the shape that is wanted here."""


class TooNarrow(Exception):
    """A comparison comes out differently along the tail: a wider window may help."""


@dataclass(frozen=True, slots=True)
class Affine:
    """``slope · t + offset`` for t = 0, 1, 2, …; the slope is not 0."""

    slope: Number
    offset: Number


Value: TypeAlias = Number | Affine


@dataclass(frozen=True, slots=True)
class TailState:
    """Values of variables, and the factor r by which the weight falls with t; None for a single state."""

    values: tuple[tuple[str, Value], ...]
    ratio: Number | None


States: TypeAlias = dict[TailState, Number]


def run_tails(
    core: CoreProgram, asked: Sequence[str], parameters: Mapping[str, Number], width: int, budget: Budget
) -> States:
    """Return the weights of all final states over the asked variables, tail states among them.

    Args:
        core: sliced; samples one of ``FALLING`` on each path at most.
        asked: plain variables.
        parameters: values of all parameters.
        width: values on each side that are told apart.
        budget: the deadline.

    Raises:
        NoTail: if the program does something else with the noise than adding, scaling and comparing.
        TooNarrow: if ``width`` is too small.
        ArithmeticFault: where closed forms grow too large or cannot be compared.
        Fault: of the program.
        OutOfTime: past the budget's deadline.
    """
    if any(isinstance(name, tree.Index) for statement in walk(core.statements) for name in _targets(statement)):
        raise NoTail("an element is picked by a random index")
    machine = _Machine(core, parameters, width, budget)
    states: States = {TailState((), None): 1}
    for place, statement in enumerate(core.statements):
        states = machine.step(statement, states)
        needed = core.expanded((*asked, *names_read(core.statements[place + 1 :])))
        states = _merged((_kept(state, needed), weight) for state, weight in states.items())
    return states


def _targets(statement: CoreStatement) -> Iterator[Expression]:
    if isinstance(statement, CoreAssign | CoreSample):
        yield statement.target


def _kept(state: TailState, needed: frozenset[str]) -> TailState:
    return TailState(tuple(entry for entry in state.values if entry[0] in needed), state.ratio)


def _merged(states: Iterable[tuple[TailState, Number]]) -> States:
    """Add up equal states; a tail state in which nothing depends on t any more becomes a single one, of weight w / (1 − r)."""
    found: States = {}
    for state, weight in states:
        if state.ratio is not None and not any(isinstance(value, Affine) for _, value in state.values):
            weight = exact.div(weight, exact.sub(1, state.ratio))
            state = TailState(state.values, None)
        known = found.get(state)
        found[state] = weight if known is None else CLOSED_FORMS.add(known, weight)
    if len(found) > _STATES:
        raise NoTail("too many states")
    return found


@dataclass(frozen=True, slots=True)
class _Machine:
    core: CoreProgram
    parameters: Mapping[str, Number]
    width: int
    budget: Budget

    def block(self, statements: Sequence[CoreStatement], states: States) -> States:
        for statement in statements:
            states = self.step(statement, states)
        return states

    def step(self, statement: CoreStatement, states: States) -> States:
        if self.budget.expired():
            raise OutOfTime
        match statement:
            case CoreAssign(target=target, value=value):
                return _merged(
                    (_with(state, target, self.value(value, dict(state.values))), weight)
                    for state, weight in states.items()
                )
            case CoreSample():
                return _merged(
                    each for state, weight in states.items() for each in self.sample(statement, state, weight)
                )
            case CoreObserve(condition=condition):
                return {
                    state: weight for state, weight in states.items() if self.value(condition, dict(state.values)) == 1
                }
            case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
                parts: tuple[States, States] = ({}, {})
                for state, weight in states.items():
                    parts[self.value(condition, dict(state.values)) != 1][state] = weight
                arms = (self.block(consequent, parts[0]), self.block(alternative, parts[1]))
                return _merged(entry for arm in arms for entry in arm.items())
            case CoreWhile() | CoreLocal():
                unsettled(statement)
            case _:
                assert_never(statement)

    def sample(self, statement: CoreSample, state: TailState, weight: Number) -> Iterator[tuple[TailState, Number]]:
        values = dict(state.values)
        read = [name for name in self.core.expanded(names_read((statement,))) if isinstance(values.get(name), Affine)]
        if read:
            raise NoTail("a law depends on the noise")
        plain = {name: value for name, value in values.items() if not isinstance(value, Affine)}
        place = Place({**self.parameters, **plain}, self.core.arrays)
        distribution = statement.distribution
        if isinstance(distribution, Family) and distribution.name in FALLING:
            if state.ratio is not None:
                raise NoTail("two infinite laws meet")
            for value, ratio, mass in self.law(distribution, place):
                drawn = _with(state, statement.target, value)
                yield TailState(drawn.values, ratio), CLOSED_FORMS.multiply(weight, mass)
            return
        for drawn_value, mass in support(distribution, place, CLOSED_FORMS, _STATES):
            yield _with(state, statement.target, drawn_value), CLOSED_FORMS.multiply(weight, mass)

    def law(self, family: Family, place: Place) -> Iterator[tuple[Value, Number | None, Number]]:
        """Yield values with their ratios and weights."""
        law = infinite_law(family, place, CLOSED_FORMS)
        fall = None if isinstance(law, int) else law.fall
        if isinstance(law, int) or fall is None:
            raise NoTail("no law whose probabilities fall by one ratio")
        centre, ratio, first = law.middle, fall.ratio, fall.peak
        yield centre, None, first
        for side in fall.sides:
            mass = first
            for away in range(1, self.width + 1):
                mass = exact.mul(mass, ratio)
                yield centre + side * away, None, mass
            yield Affine(side, centre + side * (self.width + 1)), ratio, exact.mul(mass, ratio)

    # --- values -------------------------------------------------------------------------------------------------------

    def value(self, expression: Expression, values: Mapping[str, Value]) -> Value:
        """Return the value of an expression in a state."""
        if not any(isinstance(values.get(name), Affine) for name in read_variables(expression, self.core)):
            plain = {name: value for name, value in values.items() if not isinstance(value, Affine)}
            return evaluate(expression, {**self.parameters, **plain}, self.core.arrays)
        match expression:
            case tree.Parenthesized(inner=inner):
                return self.value(inner, values)
            case tree.Name(id=name):
                return values[name]
            case tree.Unary(operator="-", operand=operand):
                return _scaled(self.value(operand, values), -1)
            case tree.Unary(operand=operand):
                return int(self.value(operand, values) != 1)
            case tree.Conditional(condition=condition, consequent=consequent, alternative=alternative):
                return self.value(consequent if self.value(condition, values) == 1 else alternative, values)
            case tree.Binary(operator="and" | "or" as word, left=left, right=right):
                first = self.value(left, values)
                return first if (first == 1) == (word == "or") else self.value(right, values)
            case tree.Binary(operator=operator, left=left, right=right):
                return _combined(operator, self.value(left, values), self.value(right, values))
            case tree.Call(function="min" | "max" as function, arguments=arguments):
                wanted = 1 if function == "max" else -1
                best, *rest = (self.value(argument, values) for argument in arguments)
                for one in rest:
                    best = one if _sign(_sum(one, _scaled(best, -1))) == wanted else best
                return best
            case tree.Call(function="abs", arguments=(argument,)):
                inner_value = self.value(argument, values)
                return _scaled(inner_value, -1) if _sign(inner_value) < 0 else inner_value
            case _:
                raise NoTail("the noise is neither added nor compared")


def _with(state: TailState, target: tree.Target, value: Value) -> TailState:
    if not isinstance(target, tree.Name):
        raise NoTail("an element is picked by a random index")
    others = [entry for entry in state.values if entry[0] != target.id]
    return TailState(tuple(sorted([*others, (target.id, value)], key=_by_name)), state.ratio)


def _by_name(entry: tuple[str, Value]) -> str:
    return entry[0]


def _parts(value: Value) -> tuple[Number, Number]:
    return (value.slope, value.offset) if isinstance(value, Affine) else (0, value)


def _made(slope: Number, offset: Number) -> Value:
    return Affine(slope, offset) if slope != 0 else offset


def _sum(a: Value, b: Value) -> Value:
    (one, first), (other, second) = _parts(a), _parts(b)
    return _made(exact.add(one, other), exact.add(first, second))


def _scaled(value: Value, factor: Number) -> Value:
    slope, offset = _parts(value)
    return _made(exact.mul(slope, factor), exact.mul(offset, factor))


def _sign(value: Value) -> int:
    """Return the sign that a value has for all t.

    Raises:
        TooNarrow: if it has several.
    """
    slope, offset = _parts(value)
    sign = exact.sign(offset)
    if slope == 0 or sign == exact.sign(slope) != 0:
        return sign
    raise TooNarrow


def _combined(operator: str, a: Value, b: Value) -> Value:
    match operator:
        case "+":
            return _sum(a, b)
        case "-":
            return _sum(a, _scaled(b, -1))
        case "*" if not isinstance(a, Affine):
            return _scaled(b, a)
        case "*" if not isinstance(b, Affine):
            return _scaled(a, b)
        case "/" if not isinstance(b, Affine):
            return _scaled(a, exact.div(1, b))
        case "==" | "!=" | "<" | "<=" | ">" | ">=":
            sign = _sign(_sum(a, _scaled(b, -1)))
            accepted = {"==": (0,), "!=": (-1, 1), "<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (0, 1)}
            return int(sign in accepted[operator])
        case _:
            raise NoTail("the noise is neither added nor compared")


def samples_infinite(distribution: Distribution) -> bool:
    """Tell whether a law is one of those that fall by a constant factor."""
    return isinstance(distribution, Family) and distribution.name in FALLING
