"""From a strategy as decisions to what people read of it, by the law of what is seen and of the secret under it."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb

from seepage.diagnostics import Fault
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.engines.select import solve
from seepage.exact import Number, nearest_float, show
from seepage.measures.games.game import Decisions, Game, Values
from seepage.measures.games.strategy import Chosen, Left, Seen
from seepage.semantics.core import CoreProgram
from seepage.syntax.tree import array_of

_MOST_ROWS = 200_000
_Rows = Sequence[tuple[Values, Values, float]]  # what was seen, the secret, the chance


def described(
    game: Game,
    core: CoreProgram,
    decisions: Decisions,
    secret: tuple[str, ...],
    outputs: tuple[str, ...],
    booleans: Collection[str],
    parameters: Mapping[str, Number],
    budget: Budget,
) -> tuple[Seen, ...]:
    """Return what is seen and chosen under a strategy, and what that leaves of a secret.

    Args:
        game: that is played.
        core: the program with the strategy put in, and the event of the measure.
        decisions: the strategy.
        secret: plain variables; none for no secret.
        outputs: what is seen in the end, as plain variables.
        booleans: the arrays and variables that are true or false.
        parameters: values.
        budget: on the joint law.
    """
    last = tuple(name for name in outputs if name not in game.seen and name not in secret)
    seen = (*game.seen, *last)
    names = tuple(dict.fromkeys((*seen, *secret)))
    tree = _Tree(game, decisions, seen, secret, booleans)
    if not names:
        return tree.answers(0, (), [((), (), 1.0)])
    try:
        joint = solve(core, names, parameters, budget)
    except Fault:
        return tree.unweighed()
    if not isinstance(joint, DiscreteJoint) or len(joint.masses) > _MOST_ROWS:
        return tree.unweighed()
    at = joint.positions(seen)
    of = joint.positions(secret)
    mass: Any = joint.mass
    rows = [
        (tuple(values[one] for one in at), tuple(values[one] for one in of), float(arb(weight / mass).mid()))
        for values, weight in joint.masses.items()
    ]
    return tree.answers(0, (), rows)


@dataclass(frozen=True, slots=True)
class _Tree:
    game: Game
    decisions: Decisions
    seen: tuple[str, ...]
    secret: tuple[str, ...]
    booleans: Collection[str]

    def answers(self, at: int, before: Values, rows: _Rows) -> tuple[Seen, ...]:
        """Return what may be seen before a move, or in the end, among runs that showed some values before."""
        moves = self.game.moves
        width = len(moves[at].seen) if at < len(moves) else len(self.seen)
        groups: dict[Values, list[tuple[Values, Values, float]]] = {}
        for row in rows:
            groups.setdefault(row[0][len(before) : width], []).append(row)
        return tuple(
            self._seen(at, before, values, groups[values])
            for values in sorted(groups, key=lambda new: self._place(len(before), new))
        )

    def _seen(self, at: int, before: Values, new: Values, rows: _Rows) -> Seen:
        seen = (*before, *new)
        values = tuple(zip(self.seen[len(before) : len(seen)], new, strict=True))
        text = " and ".join(self._told(name, value) for name, value in values)
        then = self._chosen(at, seen, rows) if at < len(self.game.moves) else None
        return Seen(text, values, sum(chance for *_, chance in rows), self._left(rows), then)

    def _chosen(self, at: int, seen: Values, rows: _Rows) -> Chosen:
        move = self.game.moves[at]
        first = tuple(one.values[0] for one in move.choices)
        action = self.decisions[at].get(seen, first)
        return Chosen(tuple(zip(move.names, action, strict=True)), self.answers(at + 1, seen, rows))

    def _told(self, name: str, value: Number) -> str:
        if array_of(name) in self.booleans and value in (0, 1):
            return name if value else f"not {name}"
        return f"{name} = {show(value)}"

    def _left(self, rows: _Rows) -> Left | None:
        if not self.secret:
            return None
        weights: dict[Values, float] = {}
        for _, secret, chance in rows:
            weights[secret] = weights.get(secret, 0.0) + chance
        whole = sum(weights.values())
        if not whole > 0:
            return None
        shares = [weight / whole for weight in weights.values()]
        if len(shares) == 1:
            (only,) = weights
            return Left(0.0, 1.0, ", ".join(self._told(*pair) for pair in zip(self.secret, only, strict=True)))
        return Left(-sum(share * math.log2(share) for share in shares if share > 0), max(shares))

    def unweighed(self) -> tuple[Seen, ...]:
        """Return the choices alone, where nobody knows how likely is what they see: the first ones of those that see anything."""
        move = self.game.moves[0]
        first = tuple(one.values[0] for one in move.choices)
        action = next(iter(self.decisions[0].values()), first)
        return (Seen("", (), 1.0, None, Chosen(tuple(zip(move.names, action, strict=True)), ())),)

    def _place(self, before: int, new: Values) -> tuple[float, ...]:
        """Return what answers are ordered by: their values, but what holds comes before what does not."""
        names = self.seen[before : before + len(new)]
        return tuple(
            -nearest_float(value) if array_of(name) in self.booleans else nearest_float(value)
            for name, value in zip(names, new, strict=True)
        )
