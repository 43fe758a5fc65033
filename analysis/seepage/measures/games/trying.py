"""Strategies tried one after the other, where what a measure comes to is no sum over what is seen: each put in makes an ordinary program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.engines.select import solve
from seepage.exact import Number
from seepage.measures.games.game import Decisions, Game, Values
from seepage.measures.games.influence import influences_observations
from seepage.measures.games.leaves import Inapplicable

MOST_STRATEGIES = 1_000_000


@dataclass(frozen=True, slots=True)
class _Node:
    """A move at which something was seen: for each action that some run passes after, what may be seen next."""

    at: int
    seen: Values
    answers: Mapping[Values, tuple[_Node, ...]]


@dataclass(frozen=True, slots=True)
class _Tried:
    """What is chosen from some moves on, and whether any run passes the observations then."""

    decisions: Decisions
    passes: bool


def strategies(game: Game, parameters: Mapping[str, Number], budget: Budget) -> tuple[int, Iterator[Decisions]]:
    """Return how many strategies there are that some run passes, and all of them; those that differ only where they never come are one.

    The strategies whose choices come first in the domain, from the first move on, come first.

    Raises:
        Inapplicable: if what is seen has infinitely many values, or more than are tried.
    """
    roots = _roots(game, parameters, budget)
    return _count(roots, game), (each.decisions for each in _every(roots, game) if each.passes)


def _roots(game: Game, parameters: Mapping[str, Number], budget: Budget) -> tuple[_Node, ...]:
    whatever = (_Node(0, (), dict.fromkeys(game.moves[0].actions(), ())),)
    is_observed = influences_observations(game.core, game.names)
    if not game.is_adaptive and not is_observed:
        return whatever
    chosen = [name for move in (game.moves if is_observed else game.moves[:-1]) for name in move.names]
    names = tuple(dict.fromkeys((*game.seen, *chosen)))
    try:
        joint = solve(game.core, names, parameters, budget)
    except Fault as fault:
        if not game.is_adaptive:
            return whatever
        raise Inapplicable(f"what may be seen is not known: {fault.diagnostic.message}") from fault
    if not isinstance(joint, DiscreteJoint) or joint.cut is not None:
        raise Inapplicable("what is seen has infinitely many values")
    return _nodes(game, 0, list(joint.masses), {name: place for place, name in enumerate(joint.variables)})


def _nodes(game: Game, move: int, runs: Sequence[Values], at: Mapping[str, int]) -> tuple[_Node, ...]:
    return tuple(
        _node(game, move, seen, those, at) for seen, those in _grouped(runs, game.moves[move].seen, at).items()
    )


def _node(game: Game, move: int, seen: Values, runs: Sequence[Values], at: Mapping[str, int]) -> _Node:
    made, is_last = game.moves[move], move + 1 == len(game.moves)
    if is_last and not all(name in at for name in made.names):
        return _Node(move, seen, dict.fromkeys(made.actions(), ()))
    after = _grouped(runs, made.names, at)
    return _Node(
        move, seen, {each: () if is_last else _nodes(game, move + 1, those, at) for each, those in after.items()}
    )


def _grouped(runs: Sequence[Values], names: Sequence[str], at: Mapping[str, int]) -> Mapping[Values, list[Values]]:
    groups: dict[Values, list[Values]] = {}
    for run in runs:
        groups.setdefault(tuple(run[at[name]] for name in names), []).append(run)
    return groups


def _count(nodes: tuple[_Node, ...], game: Game) -> int:
    """Return how many strategies of several nodes of one move some run passes."""
    every, none = 1, 1
    for node in nodes:
        lost = len(node.answers) < game.moves[node.at].count
        every *= lost + sum(_count(following, game) if following else 1 for following in node.answers.values())
        none *= lost
    return every - none


def _every(nodes: tuple[_Node, ...], game: Game) -> Iterator[_Tried]:
    """Yield each strategy of several nodes of one move."""
    if not nodes:
        yield _Tried(tuple({} for _ in game.moves), False)
        return
    first, rest = nodes[0], nodes[1:]
    for here in _from(first, game):
        for others in _every(rest, game):
            pairs = zip(here.decisions, others.decisions, strict=True)
            yield _Tried(tuple({**one, **other} for one, other in pairs), here.passes or others.passes)


def _from(node: _Node, game: Game) -> Iterator[_Tried]:
    """Yield each strategy of a node; of the actions after which no run passes the observations, which leave the same runs, one."""
    is_lost = False
    for action in game.moves[node.at].actions():
        following = node.answers.get(action)
        if following is None and is_lost:
            continue
        is_lost |= following is None
        for later in _every(following or (), game):
            decisions = tuple({node.seen: action} if at == node.at else one for at, one in enumerate(later.decisions))
            yield _Tried(decisions, following == () or later.passes)
