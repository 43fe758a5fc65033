"""Strategies tried one after the other, where what a measure comes to is no sum over what is seen: each put in makes an ordinary program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from seepage.diagnostics import Fault
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.engines.select import solve
from seepage.exact import Number
from seepage.measures.games.game import Decisions, Game, Values
from seepage.measures.games.leaves import Inapplicable

MOST_STRATEGIES = 1_000_000


@dataclass(frozen=True, slots=True)
class _Node:
    """A move at which something was seen: for each action what may be seen next."""

    at: int
    seen: Values
    answers: Mapping[Values, tuple[_Node, ...]] = field(default_factory=dict)


def strategies(game: Game, parameters: Mapping[str, Number], budget: Budget) -> tuple[int, Iterator[Decisions]]:
    """Return how many strategies there are, and all of them; those that differ only where they never come are one.

    The strategies whose choices come first in the domain, from the first move on, come first.

    Raises:
        Inapplicable: if what is seen has infinitely many values, or more than are tried.
    """
    roots = _roots(game, parameters, budget)
    count = 1
    for root in roots:
        count *= _count(root, game)
    return count, _every(roots, game)


def _roots(game: Game, parameters: Mapping[str, Number], budget: Budget) -> tuple[_Node, ...]:
    if not game.is_adaptive:
        return (_Node(0, ()),)
    names = tuple(dict.fromkeys((*game.seen, *(name for move in game.moves[:-1] for name in move.names))))
    try:
        joint = solve(game.core, names, parameters, budget)
    except Fault as fault:
        raise Inapplicable(f"what may be seen is not known: {fault.diagnostic.message}") from fault
    if not isinstance(joint, DiscreteJoint) or joint.cut is not None:
        raise Inapplicable("what is seen has infinitely many values")
    at = {name: place for place, name in enumerate(joint.variables)}
    runs = list(joint.masses)
    return _nodes(game, 0, (), runs, at)


def _nodes(game: Game, move: int, before: Values, runs: list[Values], at: Mapping[str, int]) -> tuple[_Node, ...]:
    seen = game.moves[move].seen
    groups: dict[Values, list[Values]] = {}
    for run in runs:
        groups.setdefault(tuple(run[at[name]] for name in seen), []).append(run)
    return tuple(_node(game, move, values, groups[values], at) for values in groups)


def _node(game: Game, move: int, seen: Values, runs: list[Values], at: Mapping[str, int]) -> _Node:
    if move + 1 == len(game.moves):
        return _Node(move, seen)
    names = game.moves[move].names
    groups: dict[Values, list[Values]] = {}
    for run in runs:
        groups.setdefault(tuple(run[at[name]] for name in names), []).append(run)
    answers = {action: _nodes(game, move + 1, seen, those, at) for action, those in groups.items()}
    return _Node(move, seen, answers)


def _count(node: _Node, game: Game) -> int:
    if not node.answers:
        return game.moves[node.at].count
    total = 0
    for following in node.answers.values():
        part = 1
        for each in following:
            part *= _count(each, game)
        total += part
    return total


def _every(nodes: tuple[_Node, ...], game: Game) -> Iterator[Decisions]:
    """Yield each strategy of several nodes of one move, as what is chosen at each move from there."""
    empty: Decisions = tuple({} for _ in game.moves)
    if not nodes:
        yield empty
        return
    first, rest = nodes[0], nodes[1:]
    for here in _from(first, game):
        for others in _every(rest, game):
            yield tuple({**one, **other} for one, other in zip(here, others, strict=True))


def _from(node: _Node, game: Game) -> Iterator[Decisions]:
    for action in game.moves[node.at].actions():
        following = node.answers.get(action, ())
        if node.answers and not following:
            continue  # no run passes the observations then
        for later in _every(following, game):
            yield tuple({**one, node.seen: action} if at == node.at else one for at, one in enumerate(later))
