r"""How long runs may stay in a loop through infinitely many states, where each round drifts towards its end.

The condition of the loop says of an affine function L of the variables that :math:`L \ge 0`. Where no round changes L by an amount that depends on the state,
but for branches that may do so, of which the worse is taken, and :math:`E\, a^{L' - L} \le \rho < 1` for some :math:`a > 1`, then :math:`a^L` is a
supermartingale that falls by the factor ρ in each round (Foster and Lyapunov), so that

.. math:: P(T > t) \le \rho^t\, a^{L_0}

for the number T of rounds, :math:`L_0` being what L is before the first. No value grows by more than B in a round, so all that runs hold is at most
:math:`M + B T`. Of a part of the runs that weighs p, whichever that is, follows

.. math:: E[T^j] \le \int_0^\infty j t^{j-1} \min(p, c\, \rho^t)\, dt = p \sum_{i=0}^{j} \frac{j!}{(j - i)!} \frac{s^{j-i}}{\theta^i},
   \qquad \theta = -\log \rho,\ c = \max(1, a^{L_0}) / \rho,\ s = \log(c / p) / \theta.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb, factorial
from typing import TypeAlias

from flint import arb

from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.distributions.families import support
from seepage.distributions.parameters import Place
from seepage.engines.forward.coefficients import Balls
from seepage.engines.forward.spans import magnitude, span
from seepage.exact import Number, dyadic, enclose, precision
from seepage.semantics.closed_forms import expression_of
from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreSample, CoreStatement, CoreWhile
from seepage.semantics.evaluate import evaluate, truth
from seepage.semantics.expressions import arguments_of, bottom_up, conjuncts, plain_names
from seepage.semantics.ranges import ANY
from seepage.semantics.signatures import MOMENTS
from seepage.semantics.substitute import is_closed, substitute
from seepage.syntax import tree
from seepage.syntax.tree import Expression

Affine: TypeAlias = Mapping[str, Fraction]
"""An affine function: the coefficient of each variable, and the constant under the empty name; none is 0."""

State: TypeAlias = Mapping[str, Expression]
"""What variables hold after a part of a round, by what they held before it; those without an entry are as they were."""

_ORDERS = len(MOMENTS)
_BITS = 128
_MOST_RUN = 4_000  # statements of one round, on all paths through it together
_MOST_FORKS = 100  # one behind the other
_BASES = 48  # that are tried for a: the logarithm of each is 1/√2 times that of the one before
_LEAST_RATIO = arb(2) ** -64
_CONSTANT = ""


@dataclass(frozen=True, slots=True)
class Drift:
    """What is known of a loop whose rounds lead to its end.

    Attributes:
        rank: L, which is not negative while a run is in the loop.
        log_base: log a > 0.
        ratio: at least ρ, less than 1.
        least: of the absolute values that rounds write whatever the state, at least the largest.
        step: at least by how much a round lets the largest absolute value grow.
    """

    rank: Affine
    log_base: arb
    ratio: arb
    least: Fraction
    step: Fraction

    def moments(self, before: Mapping[str, Number], chance: Fraction) -> tuple[Fraction, ...]:
        """Return upper bounds of the moments of the largest absolute value that the loop leaves behind, over any part of the runs.

        Args:
            before: what each variable that the loop reads holds before it.
            chance: the weight of that part, in (0, 1].

        Returns:
            The bounds of orders 1, 2, …, each times ``chance``.
        """
        with precision(_BITS):
            start = sum(
                (_ball(factor) * (enclose(before[name]) if name else 1) for name, factor in self.rank.items()), arb(0)
            )
            largest = max((_above(abs(enclose(value))) for value in before.values()), default=Fraction(0))
            least, step = _ball(max(largest, self.least)), _ball(self.step)
            weight, theta = _ball(chance), -self.ratio.log()
            reach = (((self.log_base * start).max(arb(0)) + theta - weight.log()) / theta).upper()
            rounds = [weight * _integral(order, reach, theta) for order in range(_ORDERS + 1)]
            return tuple(
                _above(
                    sum((comb(order, j) * least ** (order - j) * step**j * rounds[j] for j in range(order + 1)), arb(0))
                )
                for order in range(1, _ORDERS + 1)
            )


def drift_of(
    loop: CoreWhile, names: Sequence[str], core: CoreProgram, parameters: Mapping[str, Number]
) -> Drift | None:
    """Return how a loop drifts towards its end; None where that is not proved.

    Args:
        loop: one in which nothing is continuous.
        names: the variables that it reads or leaves behind.
        core: the program that it stands in.
        parameters: values of the parameters.
    """
    with precision(_BITS):
        reading = _Reading(loop, core, parameters)
        try:
            whole = reading.paths(loop.body, reading.begun(), 0)
            least, step = reading.growth(names)
        except (Fault, _NotRead):
            return None
        for rank in reading.ranks(names):
            try:
                found = _falling(whole, [reading.change(rank, end) for end in reading.ends])
            except _NotRead:
                continue
            if found is not None:
                return Drift(rank, *found, least, step)
        return None


def _integral(order: int, reach: arb, theta: arb) -> arb:
    """Return the sum of the formula, with s for ``reach``."""
    parts = (factorial(order) // factorial(order - i) * reach ** (order - i) / theta**i for i in range(order + 1))
    return sum(parts, arb(0))


def _ball(number: Fraction) -> arb:
    return arb(number.numerator) / arb(number.denominator)


def _above(number: arb) -> Fraction:
    """Return a rational number that is not below a ball."""
    return dyadic(number.upper())


# --- one round --------------------------------------------------------------------------------------------------------


class _NotRead(Exception):
    """A round does something whose effect is not known in every state."""


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a path through a round: what variables hold, and whether the loop may go on from there."""

    place: int
    state: State
    goes_on: bool


@dataclass(frozen=True, slots=True)
class _Chance:
    """Where a path forks by chance."""

    arms: Sequence[tuple[arb, _Node]]


@dataclass(frozen=True, slots=True)
class _Either:
    """Where it depends on the state how a path goes on."""

    arms: Sequence[_Node]


_Node: TypeAlias = "_End | _Chance | _Either"


class _Reading:
    """A round in every state at once.

    Attributes:
        ends: of all paths.
        sizes: bounds of the absolute values of what a round computes otherwise than by sums, each under a name of its own.
    """

    def __init__(self, loop: CoreWhile, core: CoreProgram, parameters: Mapping[str, Number]) -> None:
        self.core = core
        self.parameters = {name: expression_of(value) for name, value in parameters.items()}
        self.guard = [
            _without_not(each) for each in conjuncts(substitute(loop.condition, self.parameters, core.arrays))
        ]
        self.ends: list[_End] = []
        self.sizes: dict[str, Fraction | None] = {}
        self.ring = Balls(_BITS)
        self.run = 0

    def begun(self) -> State:
        """Return what the condition of the loop says of single variables."""
        found: dict[str, Expression] = {}
        for condition, holds in self.guard:
            match condition:
                case tree.Name(id=name, span=place):
                    found[name] = tree.Number(Fraction(int(holds)), place)
                case tree.Binary(operator="==", left=tree.Name(id=name), right=tree.Number() as value) if holds:
                    found[name] = value
                case _:
                    pass
        return found

    def ranks(self, names: Sequence[str]) -> Iterator[Affine]:
        """Yield functions that are not negative while a run is in the loop: 0, and what its condition says."""
        yield {}
        for condition, holds in self.guard:
            if isinstance(condition, tree.Binary) and condition.operator in ("<", "<=", ">", ">="):
                upwards = (condition.operator in (">", ">=")) is holds
                left, right = _affine(condition.left), _affine(condition.right)
                if left is not None and right is not None:
                    rank = _sum(left, right, -1) if upwards else _sum(right, left, -1)
                    if rank.keys() <= {*names, _CONSTANT}:
                        yield rank

    def paths(self, statements: Sequence[CoreStatement], state: State, forks: int) -> _Node:
        """Return what statements do, up to the end of the round.

        Raises:
            _NotRead: if they are too many, or not of those that are read.
            Fault: of a draw; of an infinite support, too.
        """
        if forks > _MOST_FORKS:
            raise _NotRead
        waiting = list(reversed(statements))
        while waiting:
            self.run += 1
            if self.run > _MOST_RUN:
                raise _NotRead
            match waiting.pop():
                case CoreObserve():
                    continue  # what it takes away is less to bound
                case CoreAssign(target=tree.Name(id=name), value=value):
                    arms = _arms(self._put(value, state))
                    if len(arms) > 1:
                        rest = tuple(reversed(waiting))
                        return _Either([self.paths(rest, {**state, name: self._kept(arm)}, forks + 1) for arm in arms])
                    state = {**state, name: self._kept(arms[0])}
                case CoreSample(target=tree.Name(id=name)) as sample:
                    rest = tuple(reversed(waiting))
                    drawn = [
                        (chance, {**state, name: expression_of(value)}) for value, chance in self._law(sample, state)
                    ]
                    return _Chance([(chance, self.paths(rest, each, forks + 1)) for chance, each in drawn])
                case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
                    decided = self._put(condition, state)
                    if is_closed(decided):
                        waiting += reversed(consequent if truth(decided, {}) else alternative)
                        continue
                    rest = tuple(reversed(waiting))
                    return _Either([self.paths((*arm, *rest), state, forks + 1) for arm in (consequent, alternative)])
                case _:
                    raise _NotRead
        self.ends.append(_End(len(self.ends), state, self._may_go_on(state)))
        return self.ends[-1]

    def _put(self, expression: Expression, state: State) -> Expression:
        return substitute(expression, {**self.parameters, **state}, self.core.arrays)

    def _kept(self, value: Expression) -> Expression:
        """Return a value as a short sum; under a name of its own if it is none."""
        if (sum_ := _affine(value)) is not None:
            return _written(sum_, value)
        if is_closed(value):
            return value
        name = f"@value{len(self.sizes)}"
        self.sizes[name] = magnitude(span(value, dict.fromkeys(plain_names(value), ANY), {}))
        return tree.Name(name, value.span)

    def _law(self, sample: CoreSample, state: State) -> Sequence[tuple[Number, arb]]:
        read = {name for part in arguments_of(sample.distribution) for name in plain_names(part)}
        values = {name: (self.parameters | dict(state)).get(name) for name in read}
        known = {name: evaluate(value, {}) for name, value in values.items() if value is not None and is_closed(value)}
        if len(known) < len(read):
            raise _NotRead
        return support(sample.distribution, Place(known, self.core.arrays), self.ring, _MOST_RUN)

    def _may_go_on(self, state: State) -> bool:
        after = [(self._put(condition, state), holds) for condition, holds in self.guard]
        return all(truth(condition, {}) is holds for condition, holds in after if is_closed(condition))

    def change(self, rank: Affine, end: _End) -> Fraction | None:
        """Return by how much a path changes a function; None if the loop ends there.

        Raises:
            _NotRead: if that depends on the state.
        """
        if not end.goes_on:
            return None
        change = {name: -factor for name, factor in rank.items()}
        for name, factor in rank.items():
            change = dict(_sum(change, self._after(name, end.state), factor))
        if change.keys() - {_CONSTANT}:
            raise _NotRead
        return change.get(_CONSTANT, Fraction(0))

    def _after(self, name: str, state: State) -> Affine:
        if name == _CONSTANT:
            return {_CONSTANT: Fraction(1)}
        after = _affine(state[name]) if name in state else {name: Fraction(1)}
        if after is None:
            raise _NotRead
        return after

    def growth(self, names: Sequence[str]) -> tuple[Fraction, Fraction]:
        """Return bounds of the absolute values that rounds write whatever the state, and of how much the largest absolute value grows in one.

        Raises:
            _NotRead: if there is none.
        """
        least = step = Fraction(0)
        for name in names:
            for end in self.ends:
                value = self._after(name, end.state)
                more, share = Fraction(0), Fraction(0)
                for part, factor in value.items():
                    size = Fraction(1) if part == _CONSTANT else self.sizes.get(part)
                    if size is not None:
                        more += abs(factor) * size
                    elif part in names:
                        share += abs(factor)
                    else:
                        raise _NotRead
                if share > 1:
                    raise _NotRead
                least, step = (max(least, more), step) if not share else (least, max(step, more))
        return least, step


def _falling(whole: _Node, changes: Sequence[Fraction | None]) -> tuple[arb, arb] | None:
    """Return log a and a bound of ρ for the best base that is found; None if each has a ρ that may reach 1."""
    known = {change for change in changes if change is not None}
    scale = max((abs(change) for change in known), default=Fraction(0))
    found: tuple[arb, arb] | None = None
    for place in range(_BASES if scale else 1):
        log_base = 8 * (arb(2) ** (-arb(place) / 2)).mid() / _ball(scale) if scale else arb(0)
        powers = {change: (log_base * _ball(change)).exp() for change in known}
        ratio = _worst(whole, [arb(0) if change is None else powers[change] for change in changes])
        if ratio < 1 and (found is None or ratio < found[1]):
            found = log_base, ratio
    return None if found is None else (found[0], found[1].max(_LEAST_RATIO))


def _worst(node: _Node, scores: Sequence[arb]) -> arb:
    """Return an upper bound of the mean of what each end scores, whatever the state is."""
    match node:
        case _End(place=place):
            return scores[place].upper()
        case _Chance(arms=arms):
            return sum((chance * _worst(arm, scores) for chance, arm in arms), arb(0)).upper()
        case _Either(arms=arms):
            worst = arb(0)
            for arm in arms:
                worst = worst.max(_worst(arm, scores))
            return worst


# --- expressions ------------------------------------------------------------------------------------------------------


def _without_not(condition: Expression) -> tuple[Expression, bool]:
    """Return a condition without what negates it as a whole, and whether it is to hold."""
    holds = True
    while isinstance(condition, tree.Unary) and condition.operator != "-":
        condition, holds = condition.operand, not holds
    return condition, holds


def _arms(value: Expression) -> Sequence[Expression]:
    """Return the values that a value may be, by the state."""
    if isinstance(value, tree.Conditional):
        return (*_arms(value.consequent), *_arms(value.alternative))
    return (value,)


def _affine(expression: Expression) -> Affine | None:
    def visit(node: Expression, parts: list[Affine | None]) -> Affine | None:
        match node, parts:
            case ((tree.Number() | tree.Boolean()), _):
                return {_CONSTANT: Fraction(node.value)} if node.value else {}
            case tree.Name(id=name), _:
                return {name: Fraction(1)}
            case tree.Parenthesized(), [inner]:
                return inner
            case tree.Unary(operator="-"), [dict() as inner]:
                return _sum({}, inner, -1)
            case tree.Binary(operator="+" | "-" as sign), [dict() as left, dict() as right]:
                return _sum(left, right, 1 if sign == "+" else -1)
            case tree.Binary(operator="*"), [dict() as left, dict() as right] if left.keys() <= {_CONSTANT}:
                return _sum({}, right, left.get(_CONSTANT, 0))
            case tree.Binary(operator="*"), [dict() as left, dict() as right] if right.keys() <= {_CONSTANT}:
                return _sum({}, left, right.get(_CONSTANT, 0))
            case tree.Binary(operator="/"), [dict() as left, dict() as right] if right.keys() == {_CONSTANT}:
                return _sum({}, left, 1 / right[_CONSTANT])
            case _:
                return None

    return bottom_up(expression, visit)


def _sum(one: Affine, other: Affine, factor: Fraction | int) -> dict[str, Fraction]:
    """Return one + factor · other."""
    total = dict(one)
    for name, size in other.items():
        total[name] = total.get(name, Fraction(0)) + factor * size
    return {name: size for name, size in total.items() if size}


def _written(value: Affine, like: Expression) -> Expression:
    """Return an affine function as an expression at the place of another one."""
    place = like.span
    result: Expression = tree.Number(value.get(_CONSTANT, Fraction(0)), place)
    for name, factor in value.items():
        if name:
            product = tree.Binary("*", tree.Number(factor, place), tree.Name(name, place), place)
            result = tree.Binary("+", result, product, place)
    return result
