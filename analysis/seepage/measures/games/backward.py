r"""Backward induction: the best choice at each thing seen, from the last choices to the first.

Between two moves the program is a *stage*: a law of what is seen next, and of the variables that later statements read, given those
variables before it and what is chosen, :math:`K_i(o, l' \mid l, a)`. It is read from the joint law in which choices are drawn uniformly,
:math:`J_i(l, a, o, l') = B_i(l)\, K_i(o, l' \mid l, a) / |A_i|`. What the attacker knows at a move is the unnormalised law w of l there; then

.. math:: \Phi_i(w) = \max_a \sum_o \Phi_{i+1}\Bigl(\sum_l w(l)\, K_i(o, \cdot \mid l, a)\Bigr), \qquad \Phi_{n+1} = \varphi,

with the function :math:`\varphi` of the measure (:mod:`seepage.measures.games.leaves`), or the least. Since :math:`\Phi(c\,w) = c\,\Phi(w)`,
equal laws are looked at once. This is Bellman's principle: what is known after a history depends on nothing but w (Bellman 1957, chapter 3).
Where answers are functions of the state, laws are told by the sets of states that are left (:mod:`seepage.measures.games.positions`).
Observations that no choice influences may stand anywhere: each stage loses a constant factor by them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from itertools import product
from typing import Any

from flint import fmpq

from seepage import rules
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Fault
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.engines.select import solve
from seepage.exact import Number, precision
from seepage.measures.games.game import Decisions, Game, Move, Values
from seepage.measures.games.leaves import Belief, Inapplicable, OfGroups
from seepage.measures.games.positions import Best, Positions, Stage, better
from seepage.measures.games.scores import Score, plus, scaled
from seepage.semantics.core import CoreAssign, CoreProgram
from seepage.semantics.statements import may_write, read_before
from seepage.syntax.tree import Name

_BITS = 128
_MOST_STEPS = 3_000_000  # chances that are multiplied
_LOOK = 256  # choices that are looked at between two looks at the clock


def best_decisions(
    game: Game,
    asked: tuple[str, ...],
    leaf: Callable[[Belief], Score],
    largest: bool,
    parameters: Mapping[str, Number],
    budget: Budget,
) -> tuple[Decisions, bool]:
    """Return a strategy that no strategy beats, and whether all its comparisons were decided.

    Args:
        game: its program may have statements appended, but no observations.
        asked: the variables that ``leaf`` reads, in its order.
        leaf: the sum's part at an end.
        largest: whether the largest sum is looked for, else the least.
        parameters: values.
        budget: on the laws of stages, and the time.

    Raises:
        Inapplicable: if some stage has no law with finitely many values.
        Fault: of the program; past the budget.
    """
    with precision(_BITS):
        work = _Induction(game, asked, leaf, largest, parameters, budget)
        return work.solved()


@dataclass(slots=True)
class _Induction:
    game: Game
    asked: tuple[str, ...]
    leaf: Callable[[Belief], Score]
    largest: bool
    parameters: Mapping[str, Number]
    budget: Budget
    live: list[tuple[str, ...]] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)
    actions: list[list[Values]] = field(default_factory=list)
    known: dict[tuple[int, Any], Best | None] = field(default_factory=dict)
    steps: int = 0
    looked: int = 0

    def solved(self) -> tuple[Decisions, bool]:
        moves = self.game.moves
        self.live = [self._live(move) for move in moves] + [self.asked]
        start = self._law(self._until(moves[0].start), (*moves[0].seen, *self.live[0]))
        for at, move in enumerate(moves):
            self.actions.append(list(move.actions()))
            self.stages.append(self._stage(at, move))
        made: list[dict[Values, Values]] = [{} for _ in moves]
        is_decided = True
        width = len(moves[0].seen)
        first: dict[Values, dict[Values, Any]] = {}
        for values, weight in start.items():
            first.setdefault(values[:width], {})[values[width:]] = weight
        for seen, belief in first.items():
            positions = self._positions(belief)
            best = self._best(0, belief) if positions is None else positions.best(0, (1 << len(belief)) - 1)
            if best is None:
                continue
            is_decided &= self._note(0, seen, best, made)
        return tuple(made), is_decided

    def _note(self, at: int, seen: Values, best: Best, made: list[dict[Values, Values]]) -> bool:
        """Write down what is chosen along the branches of a strategy."""
        made[at][seen] = best.action
        decided = [self._note(at + 1, (*seen, *further), then, made) for further, then in best.branches.items()]
        return best.is_decided and all(decided)

    def _live(self, move: Move) -> tuple[str, ...]:
        """Return the variables before a move that later statements read."""
        core = self.game.core
        before = may_write(core, core.statements[: move.start])
        read = core.expanded(read_before(core.statements[move.start :], self.asked))
        return tuple(name for name in core.variables if name in read and name in before)

    def _law(self, core: CoreProgram, names: tuple[str, ...]) -> Mapping[Values, Any]:
        """Return the normalised joint law of variables at the end of a program; a name may come twice."""
        if not names:
            return {(): fmpq(1)}
        joint = solve(core, tuple(dict.fromkeys(names)), self.parameters, self.budget)
        if not isinstance(joint, DiscreteJoint) or joint.cut is not None:
            raise Inapplicable("what is seen has infinitely many values")
        places = joint.positions(names)
        mass: Any = joint.mass
        return {tuple(values[place] for place in places): weight / mass for values, weight in joint.masses.items()}

    def _until(self, end: int) -> CoreProgram:
        """Return the program up to a statement."""
        return replace(self.game.core, statements=self.game.core.statements[:end])

    def _stage(self, at: int, move: Move) -> Stage:
        """Return the law of a stage; what is chosen in it is an argument of it, and may be a part of the state after it."""
        core, moves = self.game.core, self.game.moves
        end = len(core.statements) if at + 1 == len(moves) else moves[at + 1].start
        seen = () if at + 1 == len(moves) else tuple(name for name in moves[at + 1].seen if name not in move.seen)
        before, after = self.live[at], self.live[at + 1]
        changed = may_write(core, core.statements[move.start : end])
        kept = {name: f"{name}@before" if name in changed else name for name in before}
        ghosts = [
            CoreAssign(Name(ghost, move.choices[0].span), Name(name, move.choices[0].span), move.choices[0].span)
            for name, ghost in kept.items()
            if ghost != name
        ]
        statements = (*core.statements[: move.start], *ghosts, *core.statements[move.start : end])
        whole = replace(
            core,
            statements=statements,
            variables=(*core.variables, *(one.target.id for one in ghosts if isinstance(one.target, Name))),
        )
        names = (*(kept[name] for name in before), *move.names, *seen, *after)
        base = self._law(self._until(move.start), before)
        found: dict[tuple[Values, Values], list[tuple[Values, Values, Any]]] = {}
        first, second = len(before), len(before) + len(move.names)
        third = second + len(seen)
        for values, weight in self._law(whole, names).items():
            chance = weight * move.count / base[values[:first]]
            row = found.setdefault((values[:first], values[first:second]), [])
            row.append((values[second:third], values[third:], chance))
        return found

    def _positions(self, belief: Belief) -> Positions | None:
        """Return the game as one of sets, None if some answer is no function of the state, or what later statements read changes."""
        if not isinstance(self.leaf, OfGroups) or not all(isinstance(weight, fmpq) for weight in belief.values()):
            return None
        last, bits = len(self.stages) - 1, {state: 1 << place for place, state in enumerate(belief)}
        parts: list[dict[Values, dict[Values, int]]] = []
        held: dict[Values, Values] = {}  # of states, the values of the secret
        for at, (stage, actions) in enumerate(zip(self.stages, self.actions, strict=True)):
            parts.append({action: {} for action in actions})
            for action, (state, bit) in product(actions, bits.items()):
                self._look()
                row = stage.get((state, action), ())
                if len(row) != 1 or row[0][2] != 1:
                    return None
                seen, after, _ = row[0]
                if at == last:
                    secret = tuple(each for place, each in enumerate(after) if place not in self.leaf.places)
                    seen = tuple(after[place] for place in self.leaf.places)
                    after = state if held.setdefault(state, secret) == secret else ()
                if after != state or self.live[at] != self.live[0]:
                    return None
                parts[at][action][seen] = parts[at][action].get(seen, 0) | bit
        values: dict[Values, int] = {}
        for state, secret in held.items():
            values[secret] = values.get(secret, 0) | bits[state]
        return Positions(list(belief.values()), parts, list(values.values()), self.leaf, self.largest, self._step)

    def _best(self, at: int, belief: Belief) -> Best | None:
        """Return what is best for a state of knowledge, per unit of its weight; None where no run passes the observations from there, whatever is chosen."""
        whole: Any = sum(belief.values(), fmpq(0))
        belief = {state: weight / whole for state, weight in belief.items()}
        is_exact = all(isinstance(weight, fmpq) for weight in belief.values())
        key = (at, frozenset(belief.items())) if is_exact else (at, object())
        if key in self.known:
            return self.known[key]
        best: Best | None = None
        for action in self.actions[at]:
            if (made := self._after(at, belief, action)) is not None:
                best = better(best, made, self.largest)
        self.known[key] = best
        return best

    def _after(self, at: int, belief: Belief, action: Values) -> Best | None:
        """Return what a choice leads to, followed by what is best; None where no run passes the observations."""
        self._look()
        split: dict[Values, dict[Values, Any]] = {}
        stage = self.stages[at]
        for state, weight in belief.items():
            for seen, after, chance in stage.get((state, action), ()):
                part = split.setdefault(seen, {})
                mass = weight * chance
                part[after] = part[after] + mass if after in part else mass
                self.steps += 1
        if at + 1 == len(self.stages):
            return Best(self.leaf(split[()]), action, {}, True) if split else None
        total: Score | None = None
        branches: dict[Values, Best] = {}
        for seen, part in split.items():
            if (then := self._best(at + 1, part)) is None:
                continue
            branches[seen] = then
            here = scaled(then.score, sum(part.values(), fmpq(0)))
            total = here if total is None else plus(total, here)
        return None if total is None else Best(total, action, branches, True)

    def _step(self) -> None:
        self.steps += 1
        self._look()

    def _look(self) -> None:
        self.looked += 1
        place = self.game.moves[0].choices[0].span
        if self.steps > _MOST_STEPS:
            message = f"limit reached: more than {_MOST_STEPS:,} chances of what an attacker may see; fewer choices, or fewer values to choose from, would help"
            raise Fault(Diagnostic(rules.BUDGET_EXCEEDED, place, message))
        if self.looked % _LOOK == 0 and self.budget.expired():
            raise Fault(
                Diagnostic(rules.TIME_LIMIT, place, "the time limit was reached in the search for the best strategy")
            )
