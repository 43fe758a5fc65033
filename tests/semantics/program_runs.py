"""Every run of a small program with its probability, by exhaustion: an oracle that shares nothing with the engines but the tree.

Programs must be discrete, with finite laws and static weights in Fractions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice

from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreSample, CoreStatement
from seepage.syntax.tree import (
    Assign,
    Binary,
    Boolean,
    Call,
    Conditional,
    Const,
    Distribution,
    Expression,
    Family,
    For,
    If,
    Index,
    Item,
    Module,
    Name,
    Number,
    Observe,
    Parenthesized,
    Placed,
    Sample,
    Table,
    Unary,
)

State = dict[str, Fraction]
Joint = dict[tuple[Fraction, ...], Fraction]


def value(expression: Expression, state: Mapping[str, Fraction]) -> Fraction:
    match expression:
        case Number(value=number):
            return number
        case Boolean(value=truth):
            return Fraction(truth)
        case Name(id=name):
            return state.get(name, Fraction(0))
        case Index(array=array, index=index):
            return state.get(f"{array}[{value(index, state)}]", Fraction(0))
        case Parenthesized(inner=inner):
            return value(inner, state)
        case Unary(operator="-", operand=operand):
            return -value(operand, state)
        case Unary(operand=operand):
            return 1 - value(operand, state)
        case Conditional(condition=condition, consequent=consequent, alternative=alternative):
            return value(consequent if value(condition, state) else alternative, state)
        case Call(function="min", arguments=arguments):
            return min(value(one, state) for one in arguments)
        case Binary(operator=operator, left=left, right=right):
            return _binary(operator, value(left, state), value(right, state))
        case _:
            raise NotImplementedError(expression)


def _binary(operator: str, a: Fraction, b: Fraction) -> Fraction:
    results: dict[str, Callable[[], Fraction | bool]] = {
        "+": lambda: a + b,
        "-": lambda: a - b,
        "*": lambda: a * b,
        "%": lambda: a % b,
        "==": lambda: a == b,
        "!=": lambda: a != b,
        "<": lambda: a < b,
        "<=": lambda: a <= b,
        ">": lambda: a > b,
        ">=": lambda: a >= b,
        "and": lambda: bool(a) and bool(b),
        "or": lambda: bool(a) or bool(b),
        "xor": lambda: bool(a) != bool(b),
        "/": lambda: a / b,
    }
    result = results[operator]()
    return Fraction(int(result)) if isinstance(result, bool) else result


def outcomes(law: Distribution, state: Mapping[str, Fraction]) -> list[tuple[Fraction, Fraction]]:
    match law:
        case Family(name="bernoulli", arguments=(p,)):
            chance = value(p.value, state)
            return [(Fraction(0), 1 - chance), (Fraction(1), chance)]
        case Family(name="uniform_int", arguments=(low, high)):
            a, b = int(value(low.value, state)), int(value(high.value, state))
            return [(Fraction(k), Fraction(1, b - a + 1)) for k in range(a, b + 1)]
        case Table(entries=entries):
            return [(value(v, state), value(p, state)) for v, p in entries]
        case _:
            raise NotImplementedError(law)


def _target(target: Name | Index, state: Mapping[str, Fraction]) -> str:
    return target.id if isinstance(target, Name) else f"{target.array}[{value(target.index, state)}]"


class TooManyRuns(Exception):
    """The program has more runs than a test has time for."""


def runs(core: CoreProgram, most: int = 5_000) -> list[tuple[State, Fraction]]:
    """Return the final state and the probability of each run on which every observation passes."""
    return _at_most(_runs(core.statements, {}, Fraction(1)), most)


def _at_most(found: Iterator[tuple[State, Fraction]], most: int) -> list[tuple[State, Fraction]]:
    first = list(islice(found, most + 1))
    if len(first) > most:
        raise TooManyRuns
    return first


def _runs(statements: tuple[CoreStatement, ...], state: State, weight: Fraction) -> Iterator[tuple[State, Fraction]]:
    if weight == 0:
        return
    if not statements:
        yield state, weight
        return
    first, rest = statements[0], statements[1:]
    match first:
        case CoreAssign(target=target, value=expression):
            yield from _runs(rest, {**state, _target(target, state): value(expression, state)}, weight)
        case CoreSample(target=target, distribution=law):
            for drawn, chance in outcomes(law, state):
                yield from _runs(rest, {**state, _target(target, state): drawn}, weight * chance)
        case CoreObserve(condition=condition):
            if value(condition, state):
                yield from _runs(rest, state, weight)
        case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
            arm = consequent if value(condition, state) else alternative
            yield from _runs((*arm, *rest), state, weight)


def runs_of_text(tree: Module, most: int = 5_000) -> list[tuple[State, Fraction]]:
    """Return the runs of a tree with its loops, without unrolling it first; constants are part of the state."""
    constants: State = {}
    for item in tree.items:
        if isinstance(item, Placed) and isinstance(item.node, Const):
            constants[item.node.name] = value(item.node.value, constants)
    return _at_most(_runs_of_items(tree.items, constants, Fraction(1)), most)


def _runs_of_items(items: Sequence[Item], state: State, weight: Fraction) -> Iterator[tuple[State, Fraction]]:
    if weight == 0:
        return
    if not items:
        yield state, weight
        return
    first, rest = items[0], items[1:]
    match first:
        case Placed(node=Assign(target=target, value=expression)):
            yield from _runs_of_items(rest, {**state, _target(target, state): value(expression, state)}, weight)
        case Placed(node=Sample(target=target, distribution=law)):
            for drawn, chance in outcomes(law, state):
                yield from _runs_of_items(rest, {**state, _target(target, state): drawn}, weight * chance)
        case Placed(node=Observe(condition=condition)):
            if value(condition, state):
                yield from _runs_of_items(rest, state, weight)
        case Placed():
            yield from _runs_of_items(rest, state, weight)
        case If(arms=arms, otherwise=otherwise):
            chosen = next((arm.block.items for arm in arms if value(arm.condition, state)), None)
            block = chosen if chosen is not None else otherwise.items if otherwise else ()
            yield from _runs_of_items((*block, *rest), state, weight)
        case For(name=name, low=low, high=high, block=block):
            states = [(state, weight)]
            for i in range(int(value(low, state)), int(value(high, state)) + 1):
                states = [
                    after
                    for before, chance in states
                    for after in _runs_of_items(block.items, {**before, name: Fraction(i)}, chance)
                ]
            for after, chance in states:
                yield from _runs_of_items(rest, {k: v for k, v in after.items() if k != name}, chance)


def joint(found: list[tuple[State, Fraction]], asked: tuple[str, ...]) -> Joint:
    """Return the normalised joint distribution of variables over runs; empty if no run is left."""
    masses: Joint = defaultdict(Fraction)
    for state, weight in found:
        masses[tuple(state.get(name, Fraction(0)) for name in asked)] += weight
    total = sum(masses.values(), Fraction(0))
    return {values: mass / total for values, mass in masses.items()}
