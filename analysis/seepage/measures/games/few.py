"""The best of few strategies, where not all can be tried: those that choose everything beforehand, one choice improved after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from seepage.measures.games.found import is_better
from seepage.measures.games.game import Decisions, Game, Move, Values
from seepage.measures.result import Result

_FEW = 200  # numbers of all moves together


def best_of_few(
    game: Game, first: Iterable[Decisions], number: Callable[[Decisions], Result | None], largest: bool
) -> tuple[Result, Decisions] | None:
    """Return the best of some strategies, and of those that choose beforehand as far as a climb comes; None where none has a number.

    Args:
        game: that is played.
        first: strategies that are worth a trial.
        number: of the measure under a strategy, None where it has none, or the time is over.
        largest: whether the largest number is looked for, else the least.
    """
    best: tuple[Result, Decisions] | None = None
    for decisions in first:
        best = _better(best, number(decisions), decisions, largest)
    chosen = [_action(move, 0) for move in game.moves]
    top = number(_always(chosen))
    best = _better(best, top, _always(chosen), largest)
    for at, move in enumerate(game.moves):
        for action in _spread(move, max(2, _FEW // len(game.moves))):
            tried = [*chosen[:at], action, *chosen[at + 1 :]]
            made = number(_always(tried))
            if made is not None and (top is None or is_better(made, top, largest)):
                top, chosen = made, tried
        best = _better(best, top, _always(chosen), largest)
    return best


def _better(
    best: tuple[Result, Decisions] | None, made: Result | None, decisions: Decisions, largest: bool
) -> tuple[Result, Decisions] | None:
    if made is None or (best is not None and not is_better(made, best[0], largest)):
        return best
    return made, decisions


def _always(chosen: Sequence[Values]) -> Decisions:
    """Return the strategy that chooses the same whatever is seen."""
    return tuple({(): action} for action in chosen)


def _spread(move: Move, most: int) -> Iterator[Values]:
    """Yield actions of a move, evenly over all where these are many."""
    count = min(most, move.count)
    yield from (_action(move, place * (move.count - 1) // max(1, count - 1)) for place in range(count))


def _action(move: Move, number: int) -> Values:
    """Return an action by its number in the order of the domains."""
    found = []
    for one in reversed(move.choices):
        number, place = divmod(number, len(one.values))
        found.append(one.values[place])
    return tuple(reversed(found))
