"""The best of few strategies, where not all can be tried: those that choose everything beforehand, one choice improved after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from seepage import rules
from seepage.diagnostics import Fault
from seepage.measures.games.found import is_better
from seepage.measures.games.game import Decisions, Game, Move, Values
from seepage.measures.result import Result

_FEW = 200  # numbers of all moves together
LEFT_OUT = frozenset({rules.IMPOSSIBLE_EVENT, rules.IMPOSSIBLE_OBSERVATION})  # with a strategy that lets no run pass


def best_of_few(
    game: Game,
    first: Iterable[Decisions],
    number: Callable[[Decisions], Result],
    over: Callable[[], bool],
    largest: bool,
) -> tuple[Result, Decisions]:
    """Return the best of some strategies, and of those that choose beforehand as far as a climb comes.

    Args:
        game: that is played.
        first: strategies that are worth a trial.
        number: of the measure under a strategy.
        over: whether the time for this is over; one number is found in any case.
        largest: whether the largest number is looked for, else the least.

    Raises:
        Fault: the first one of a strategy that lets some run pass, where no strategy has a number.
    """
    faults: list[Fault] = []
    best: tuple[Result, Decisions] | None = None

    def tried(decisions: Decisions) -> Result | None:
        nonlocal best
        if (best is not None or faults) and over():
            return None
        try:
            made = number(decisions)
        except Fault as fault:
            if best is None:
                faults.append(fault)
            return None
        if best is None or is_better(made, best[0], largest):
            best = made, decisions
        return made

    for decisions in first:
        tried(decisions)
    _climb(game, tried, largest)
    if best is None:
        raise next((each for each in faults if each.diagnostic.rule not in LEFT_OUT), faults[0])
    return best


def _climb(game: Game, number: Callable[[Decisions], Result | None], largest: bool) -> None:
    """Try strategies that choose everything beforehand: each choice in turn, the best ones so far being kept."""
    chosen = [_action(move, 0) for move in game.moves]
    top = number(_always(chosen))
    for at, move in enumerate(game.moves):
        for action in _spread(move, max(2, _FEW // len(game.moves))):
            tried = [*chosen[:at], action, *chosen[at + 1 :]]
            made = number(_always(tried))
            if made is not None and (top is None or is_better(made, top, largest)):
                top, chosen = made, tried


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
