"""From a strategy as decisions to what people read of it, by the law of what is seen and of the secret under it."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from flint import arb

from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.engines.select import solve
from seepage.exact import Number, nearest_float, show, to_fraction
from seepage.exact.symbols import symbol_of
from seepage.measures.games.game import Decisions, Game, Values
from seepage.measures.games.strategy import Chosen, Left, Seen
from seepage.measures.scope import spelled_number
from seepage.semantics.core import CoreAssign, CoreProgram
from seepage.semantics.evaluate import spelled
from seepage.semantics.expressions import plain_names
from seepage.semantics.statements import may_write
from seepage.semantics.substitute import substitute
from seepage.syntax.tree import array_of

_MOST_ROWS = 200_000
_LONG = 4_000  # characters of a strategy as statements
_FEW = 4  # values of a secret that are listed
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
    tree = _Tree(game, decisions, seen, secret, booleans, ())
    if not names:
        return tree.answers(0, (), [((), (), 1.0)])
    try:
        joint = solve(core, names, parameters, budget)
    except Fault:
        return tree.unweighed()
    if not isinstance(joint, DiscreteJoint) or joint.cut is not None or len(joint.masses) > _MOST_ROWS:
        return tree.unweighed()
    at = joint.positions(seen)
    of = joint.positions(secret)
    mass: Any = joint.mass
    rows = [
        (tuple(values[one] for one in at), tuple(values[one] for one in of), float(arb(weight / mass).mid()))
        for values, weight in joint.masses.items()
    ]
    whole = tuple(sorted({values for _, values, _ in rows}, key=_size)) if len(secret) == 1 else ()
    return replace(tree, whole=whole).answers(0, (), rows)


def as_statements(game: Game, decisions: Decisions) -> tuple[str, ...]:
    """Return a strategy as assignments that can stand in the place of the choices; none where they are long."""
    lines = tuple(f"{name} := {spelled(what)}" for name, what in game.written(decisions).items())
    return lines if sum(map(len, lines)) <= _LONG else ()


@dataclass(frozen=True, slots=True)
class _Tree:
    game: Game
    decisions: Decisions
    seen: tuple[str, ...]
    secret: tuple[str, ...]
    booleans: Collection[str]
    whole: Sequence[Values]  # of the secret, all values in order, where it is one variable

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
        action = move.chosen(self.decisions[at], seen)
        values = tuple(zip(move.names, action, strict=True))
        return Chosen(values, self.answers(at + 1, seen, rows), self._asked(at, dict(values)))

    def _asked(self, at: int, chosen: Mapping[str, Number]) -> str:
        """Return the question that a move asks, where one thing is seen after it that holds or does not."""
        moves = self.game.moves
        seen = moves[at + 1].seen if at + 1 < len(moves) else self.seen
        new = [name for name in seen if name not in moves[at].seen]
        if len(new) != 1 or array_of(new[0]) not in self.booleans:
            return ""
        writing = [each for each in self.game.core.statements if new[0] in may_write(self.game.core, (each,))]
        if len(writing) != 1 or not isinstance(writing[0], CoreAssign):
            return ""
        answer = writing[0].value
        if not chosen.keys() & set(plain_names(answer)):
            return ""
        given = {name: spelled_number(value, answer.span) for name, value in chosen.items()}
        return spelled(substitute(answer, given, {}))

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
        bits = -sum(share * math.log2(share) for share in shares if share > 0)
        return Left(bits, max(shares), among=self._among(weights))

    def _among(self, left: Collection[Values]) -> str:
        """Return what a secret is among that is one variable, where some of its values are ruled out and the others are quickly told."""
        places = [place for place, values in enumerate(self.whole) if values in left]
        if not 0 < len(places) < len(self.whole):
            return ""
        (name,), told = self.secret, [show(self.whole[place][0]) for place in places]
        is_run = places[-1] - places[0] + 1 == len(places) and all(_is_ordered(*values) for values in self.whole)
        if not is_run:
            return f"{name} in {{{', '.join(told)}}}" if len(told) <= _FEW else ""
        if places[0] == 0:
            return f"{name} <= {told[-1]}"
        return f"{name} >= {told[0]}" if places[-1] + 1 == len(self.whole) else f"{told[0]} <= {name} <= {told[-1]}"

    def unweighed(self) -> tuple[Seen, ...]:
        """Return the choices alone, where nobody knows how likely is what they see: the first ones of those that differ by it."""
        chosen: list[tuple[str, Number]] = []
        for move, decided in zip(self.game.moves, self.decisions, strict=True):
            if chosen and len(set(decided.values())) > 1:
                break
            action = move.chosen(decided, next(iter(decided), ()))
            chosen += zip(move.names, action, strict=True)
        return (Seen("", (), 1.0, None, Chosen(tuple(chosen), ())),)

    def _place(self, before: int, new: Values) -> tuple[float, ...]:
        """Return what answers are ordered by: their values, but what holds comes before what does not."""
        names = self.seen[before : before + len(new)]
        return tuple(
            -nearest_float(value) if array_of(name) in self.booleans else nearest_float(value)
            for name, value in zip(names, new, strict=True)
        )


def _size(values: Values) -> tuple[float, ...]:
    return tuple(map(nearest_float, values))


def _is_ordered(value: Number) -> bool:
    fraction = to_fraction(value)
    return fraction is None or symbol_of(fraction) is None
