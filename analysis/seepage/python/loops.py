"""Loops, round by round; those without a bound as loops of the program."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import field

from seepage.data_classes import dataclass
from seepage.python import any_order, assignments, following, iteration, truths
from seepage.python.endless import endless, leaving
from seepage.python.run import Run
from seepage.python.values import Value
from seepage.python.world import Code, World

MOST_ROUNDS = 1_000  # of a loop whose end is found by following it


MOST_RANDOM_ROUNDS = 64  # of a loop whose end is random, before it becomes one of the program


MOST_FIRST_ROUNDS = 2  # that stand before such a loop


def _left(run: Run, mark: int, outcomes: Sequence[str]) -> list[World]:
    """Take the worlds that ended in one of some ways since ``mark``; they run again."""
    taken = [one for one in run.abrupt[mark:] if one.outcome in outcomes]
    run.abrupt[mark:] = [one for one in run.abrupt[mark:] if one.outcome not in outcomes]
    for one in taken:
        one.outcome = ""
    return taken


def for_loop(run: Run, node: ast.For, world: World) -> list[World]:
    """Follow a loop over a sequence, step by step."""
    base, depth, start = world.code, world.depth, len(run.abrupt)

    def body(one: World, value: Value) -> list[World]:
        code, level, mark = one.code, one.depth, len(run.abrupt)
        run.count(one)
        ends = [
            end
            for bound in assignments.assign(run, node.target, value, one)
            for end in following.block(run, node.body, bound)
        ]
        ends += _left(run, mark, ("continue",))
        return run.join(code, level, ends, run.abrupt[mark:])

    after: list[World] = []
    for one in following.evaluate(run, node.iter, world):
        any_order.mark_loop(run, node, one)
        ended, broken = iteration.walk(run, node.iter, one.pop(), one, body)
        if node.orelse:
            ended = [end for each in ended for end in following.block(run, node.orelse, each)]
        after += [*broken, *ended]
    return run.join(base, depth, after, run.abrupt[start:])


def while_loop(run: Run, node: ast.While, world: World) -> list[World]:
    """Follow a loop round by round; where it ends by chance, without a bound that is found so, as a loop of the program."""
    if node in run.endless:
        return _by_chance(run, node, world)
    base, depth, start = world.code, world.depth, len(run.abrupt)
    before, saved = world.copy(), run.save(base)
    rounds = _Rounds([world])
    followed = 0
    while rounds.going:
        followed += 1
        if followed > (MOST_RANDOM_ROUNDS if len(run.abrupt) > start or rounds.is_left else MOST_ROUNDS):
            if any(one.is_error for one in run.found[len(saved.found) :]):
                return [*rounds.going, *rounds.ended, *rounds.broken]
            if followed > MOST_ROUNDS:
                run.refuse(
                    node, f"a loop that nothing random ends is followed for {MOST_ROUNDS:,} rounds; this one goes on"
                )
                return [*rounds.going, *rounds.ended, *rounds.broken]
            run.restore(saved)
            run.endless.add(node)
            return _by_chance(run, node, before)
        _next_round(run, node, rounds, base, depth, start)
    return _after(run, node, rounds, base, depth, start)


@dataclass(slots=True)
class _Rounds:
    """Worlds of a loop: those before their next round, those whose condition does not hold any more, and those that broke off."""

    going: list[World]
    ended: list[World] = field(default_factory=list)
    broken: list[World] = field(default_factory=list)

    @property
    def is_left(self) -> bool:
        return bool(self.ended or self.broken)


def _round(run: Run, node: ast.While, world: World) -> _Rounds:
    mark = len(run.abrupt)
    run.count(world)
    rounds = _Rounds([])
    for inside, held in truths.held_in(run, node.test, world):
        if held:
            rounds.going += following.block(run, node.body, inside)
        else:
            rounds.ended.append(inside)
    rounds.going += _left(run, mark, ("continue",))
    rounds.broken = _left(run, mark, ("break",))
    return rounds


def _next_round(run: Run, node: ast.While, rounds: _Rounds, base: Code, depth: int, start: int) -> None:
    after: list[World] = []
    for one in rounds.going:
        code, level, mark = one.code, one.depth, len(run.abrupt)
        found = _round(run, node, one)
        rounds.broken += found.broken
        rounds.ended += found.ended
        after += run.join(code, level, found.going, [*run.abrupt[mark:], *found.broken, *found.ended])
    rounds.going = run.join(base, depth, after, [*run.abrupt[start:], *rounds.broken, *rounds.ended])


def _after(run: Run, node: ast.While, rounds: _Rounds, base: Code, depth: int, start: int) -> list[World]:
    ended = rounds.ended
    if node.orelse:
        ended = [end for one in ended for end in following.block(run, node.orelse, one)]
    return run.join(base, depth, [*rounds.broken, *ended], run.abrupt[start:])


def _by_chance(run: Run, node: ast.While, world: World) -> list[World]:
    """Follow a loop as one of the program, behind as many first rounds as it takes until all names that it reads are bound."""
    base, depth, start = world.code, world.depth, len(run.abrupt)
    rounds, reasons = _Rounds([world]), list[str]()

    def follow(head: World) -> tuple[list[World], list[World]]:
        found = _round(run, node, head)
        return found.going, [*found.ended, *leaving(found.broken, "break" if node.orelse else "")]

    for _ in range(MOST_FIRST_ROUNDS + 1):
        if len(rounds.going) == 1:
            run.at = run.places.span(node)
            found = endless(run, rounds.going[0], node, follow)
            if not isinstance(found, str):
                run.abrupt += [one for one in found if one.outcome not in ("", "break")]
                rounds.ended += [one for one in found if one.outcome == ""]
                rounds.broken += leaving([one for one in found if one.outcome == "break"], "")
                rounds.going = []
                break
            reasons.append(found)
        _next_round(run, node, rounds, base, depth, start)
    if rounds.going:
        reason = reasons[-1] if reasons else "its first rounds leave objects of several structures"
        run.refuse(node, f"this loop ends at random, without a known bound, and is not analysed: {reason}")
    return _after(run, node, rounds, base, depth, start)
