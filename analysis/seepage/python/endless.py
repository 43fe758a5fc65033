"""Loops whose end is random and without a bound, as one loop of the program: what rounds change are variables that it carries.

What a round does is found by following one from a guess of what holds before every round, until the guess holds after each round that goes on:

* a number that is the same before and after a round is what it was before the loop; any other becomes a variable of the program, of which the guess
  says the types and the values;
* a name that a round binds and that none reads before is *stale* before each round: it is not carried;
* what is known of a uniform draw from before the loop is asked once, before the loop.

How the loop was left (its condition, ``break``, ``return``, an exception, each with what is known there) is a variable, too; what follows stands behind the loop.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from fractions import Fraction
from typing import TypeAlias

from seepage.data_classes import dataclass
from seepage.python.run import Run
from seepage.python.terms import ends, shift_of, union, variable
from seepage.python.values import ANYTHING, Function, Library, Num, Stale, Support, Value
from seepage.python.world import Branch, Code, Loop, Merging, Shape, World, shape_of
from seepage.semantics.evaluate import names_of
from seepage.syntax.spell import spell
from seepage.syntax.tree import Expression, Name

MOST_GUESSES = 200
MOST_LISTED = 24  # guesses that list the values of a variable, before they say its ends only
MOST_ENDS = 48  # guesses that say the ends of a variable, before they say nothing of its values

Follow: TypeAlias = Callable[[World], tuple[list[World], list[World]]]
"""Follow one round: the worlds that go on with the next one, and those that leave the loop, but for those that return or raise."""


@dataclass(slots=True)
class _Guess:
    """What holds before every round.

    Attributes:
        carried: by the number of a slot, the types and values of the variable that it is.
        stale: names that no round reads before it binds them, by frame; ``kept``: those that one does read.
        cuts: where uniform draws from before the loop are compared; ``drawn``: those that are read as numbers.
        tried: how often a round was followed with these slots.
    """

    carried: dict[int, tuple[frozenset[str], Support]] = field(default_factory=dict)
    stale: set[tuple[int, str]] = field(default_factory=set)
    kept: set[tuple[int, str]] = field(default_factory=set)
    cuts: dict[int, set[Fraction]] = field(default_factory=dict)
    drawn: set[int] = field(default_factory=set)
    tried: int = 0

    def again(self) -> None:
        """Begin anew with the slots, whose numbers are others now."""
        self.carried.clear()
        self.tried = 0


class _Unsupported(Exception):  # no error of this program
    """Why a loop is not analysed."""


def endless(run: Run, start: World, node: ast.While, follow: Follow) -> list[World] | str:
    """Write a loop, and return the worlds that leave it, those that return or raise with their outcomes; or why it is not analysed."""
    behind = _read_elsewhere(run, node)
    guess, saved = _Guess(), run.save(start.code)
    at, tallies, counters, reads = run.at, run.tallies, run.counters, run.stale_reads
    try:
        for _ in range(MOST_GUESSES):
            run.restore(saved)
            run.at, run.tallies, run.counters, run.stale_reads = at, tallies, counters, set(reads)
            trial = _Trial(run, start, guess, behind)
            trial.follow(follow)
            run.at = at
            if trial.holds():
                run.tallies, run.counters = tallies, counters
                return trial.left()
    except _Unsupported as error:
        run.restore(saved)
        run.stale_reads = reads
        return str(error)
    finally:
        run.at, run.tallies, run.counters = at, tallies, counters
    run.restore(saved)
    run.stale_reads = reads
    return "what its rounds change was not found"


class _Trial:
    """One round from a guess, and whether it holds."""

    def __init__(self, run: Run, start: World, guess: _Guess, behind: frozenset[str]) -> None:
        self.run, self.start, self.guess, self.behind = run, start, guess, behind
        self.base = start.code
        before = start.fork(start.code)
        for draw, cuts in guess.cuts.items():
            run.cut(before, draw, sorted(cuts))
        for draw in sorted(guess.drawn):
            run.drawn(before, draw)
        for frame, name in guess.stale:
            before.frames[frame][name] = Stale()
        shape = shape_of(before)
        first_count = len(shape.slots) - len(before.counts)
        self.names: dict[int, str] = {}
        replaced: dict[int, Num] = {}
        for slot, (kinds, support) in sorted(guess.carried.items()):
            hint, value = shape.slots[slot]
            name = self.names[slot] = run.fresh(hint)
            run.write(before, f"{name} := {spell(value.expression)}")
            replaced[slot] = variable(name, kinds, ANYTHING if slot >= first_count else support)
            replaced[slot] = replace(replaced[slot], of_numpy=value.of_numpy)
        run.tallies = run.tallies | set(self.names.values())
        run.counters = run.counters | {name for slot, name in self.names.items() if slot >= first_count}
        self.flag = run.fresh("loop_end", "how the loop ended")
        run.write(before, f"{self.flag} := 0")
        body: Code = []
        self.base.append(Loop(f"{self.flag} == 0", body, run.at))
        self.head = Merging([before], [shape]).merged(body, start.depth + 1, replaced)
        self.shape = shape_of(self.head)
        self.uniforms = dict(self.head.uniforms)
        self.frames = {number: dict(frame) for number, frame in self.head.frames.items()}
        self.heap = dict(self.head.heap)
        self.going: list[World] = []
        self.ended: list[World] = []

    def follow(self, follow: Follow) -> None:
        """Follow a round."""
        mark = len(self.run.abrupt)
        self.going, ended = follow(self.head)
        self.ended = [*ended, *self.run.abrupt[mark:]]
        del self.run.abrupt[mark:]

    def holds(self) -> bool:
        """Tell whether the guess holds after the round; else it says more from here on."""
        if self._reads() or self._asks() or self._binds():
            self.guess.again()
            return False
        shapes = [self._shape(world) for world in self.going]
        changed = [self._changes(world, shape) for world, shape in zip(self.going, shapes, strict=True)]
        self.guess.tried += 1
        if any(changed):
            return False
        if not self.ended:
            raise _Unsupported("nothing in it ends it")
        for world, shape in zip(self.going, shapes, strict=True):
            self._carry(world, shape)
        return True

    def _reads(self) -> bool:
        """Keep stale names that the round, or what follows the loop, may read."""
        read = self.run.stale_reads & self.guess.stale
        for world in self.ended:
            if world.outcome != "return":
                read |= {
                    (frame, name)
                    for frame, name in self.guess.stale
                    if name in self.behind and isinstance(world.frames.get(frame, {}).get(name), Stale)
                }
        self.guess.stale -= read
        self.guess.kept |= read
        return bool(read)

    def _asks(self) -> bool:
        """Ask before the loop what the round asks of draws from before it."""
        guess, asked = self.guess, False
        for world in (*self.going, *self.ended):
            for draw, before in self.uniforms.items():
                after = world.uniforms.get(draw, before)
                if after == before:
                    continue
                cuts = {end for cell in after.cells for end in cell if 0 < end < 1}
                known = guess.cuts.setdefault(draw, set())
                reads = after.drawn is not None and draw not in guess.drawn
                if after.spent or (cuts <= known and not reads):
                    raise _Unsupported("it asks in each round of one draw from before it; draw inside of the loop")
                known |= cuts
                if reads:
                    guess.drawn.add(draw)
                asked = True
        return asked

    def _binds(self) -> bool:
        """Take names that a round binds for stale, as long as nothing is known to read them."""
        guess = self.guess
        bound: set[tuple[int, str]] = set()
        for world in self.going:
            for number, frame in self.frames.items():
                after = world.frames.get(number, {})
                if number:
                    changed = {name for name in {*frame, *after} if not _same(frame.get(name), after.get(name))}
                    bound |= {(number, name) for name in changed}
        bound -= guess.kept | guess.stale
        guess.stale |= bound
        return bool(bound)

    def _shape(self, world: World) -> Shape:
        """Return the structure after a round, which must be that before it."""
        for frame, name in self.guess.stale:
            if frame in world.frames:
                world.frames[frame][name] = Stale()
        module = world.frames.get(0, {})  # what the round looked up in the module, the next one looks up again
        for name in module.keys() - self.frames.get(0, {}).keys():
            value = module[name]
            if isinstance(value, Num | Library) or (isinstance(value, Function) and not value.defaults):
                del module[name]
        shape = shape_of(world)
        if shape.key != self.shape.key:
            raise _Unsupported(self._difference(world))
        if shape.draws != self.shape.draws:
            raise _Unsupported("a round reads a draw of 'random()' of the round before")
        hidden = self.heap.keys() - set(self.shape.objects)
        if any(world.heap.get(each) != self.heap[each] for each in hidden):
            raise _Unsupported("it changes an object that no name here reaches")
        if _defaults(world) != _defaults(self.head):
            raise _Unsupported("it defines functions with defaults that the next round may use")
        return shape

    def _difference(self, world: World) -> str:
        for number, frame in self.frames.items():
            after = world.frames.get(number, {})
            for name in {*frame, *after} - {"printed "}:
                if name not in frame or name not in after:
                    return f"a round reads '{name}' that the round before may have bound"
        for number, found in self.heap.items():
            other = world.heap.get(number)
            if other is not None and len(other.cells) != len(found.cells):
                return f"a {found.sort} changes its length from round to round"
        return "objects or types of values change from round to round; numbers, truth values and texts may"

    def _changes(self, world: World, shape: Shape) -> bool:
        """Carry numbers that the round changes, with the values that they can have."""
        guess, changed = self.guess, False
        for slot, ((_, before), (_, found)) in enumerate(zip(self.shape.slots, shape.slots, strict=True)):
            after = self.run.refreshed(world, found)
            held = guess.carried.get(slot)
            if after.of_numpy and not before.of_numpy:
                raise _Unsupported("a number of numpy takes the place of one of Python; begin with one of numpy")
            if held is None:
                same = before.expression == found.expression and before.ieee == found.ieee
                if same and found.kinds <= before.kinds:
                    continue
                guess.carried[slot] = before.kinds | after.kinds, union((before.support, after.support))
                changed = True
                continue
            kinds, support = held
            moved, name = shift_of(found.expression), self.names.get(slot)
            if found.kinds <= kinds and (name in self.run.counters or _within(after.support, support)):
                continue
            steady = moved is not None and moved[0] == name
            guess.carried[slot] = kinds | found.kinds, _wider(support, after.support, guess.tried, steady=steady)
            changed = True
        return changed

    def _carry(self, world: World, shape: Shape) -> None:
        """Write at the end of a round what the variables of the loop are in the next one."""
        run = self.run
        pairs: list[tuple[str, Expression]] = []
        for slot, name in self.names.items():
            expression = shape.slots[slot][1].expression
            if not (isinstance(expression, Name) and expression.id == name):
                pairs.append((name, expression))
        written = {name for name, _ in pairs}
        last: list[str] = []
        direct: list[str] = []
        for name, expression in pairs:
            if (written - {name}) & set(names_of(expression)):
                kept = run.fresh(f"next_{name}")
                run.write(world, f"{kept} := {spell(expression)}")
                last.append(f"{name} := {kept}")
            else:
                direct.append(f"{name} := {spell(expression)}")
        for text in (*direct, *last):
            run.write(world, text)

    def left(self) -> list[World]:
        """Return the worlds that left the loop, behind it."""
        run, found = self.run, list[World]()
        arms: list[tuple[str | None, Code]] = []
        for number, world in enumerate(self.ended, 1):
            run.write(world, f"{self.flag} := {number}")
            code: Code = self.base if len(self.ended) == 1 else []
            gone = world.fork(code)
            gone.depth = self.start.depth + (len(self.ended) > 1)
            arms.append((None if number == len(self.ended) else f"{self.flag} == {number}", code))
            found.append(gone)
        if len(self.ended) > 1:
            self.base.append(Branch(arms, run.at))
        for gone in found:
            gone.temps = [run.settle(gone, each, "returned") for each in gone.temps]
        return found


def _read_elsewhere(run: Run, node: ast.While) -> frozenset[str]:
    """Return the names that the function around a loop reads outside of it; a name that is missing here and read all the same is told as a fault."""
    inside = set(ast.walk(node))
    around = [
        each for each in ast.walk(run.module.tree) if isinstance(each, ast.FunctionDef) and node in set(ast.walk(each))
    ]
    outside = [inner for each in around for inner in ast.walk(each) if inner not in inside]
    return run.kept | {each.id for each in outside if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)}


def _same(before: Value | None, after: Value | None) -> bool:
    if isinstance(before, Num) and isinstance(after, Num):
        return before.expression == after.expression
    return before == after


def _defaults(world: World) -> list[tuple[int, object]]:
    """Return the defaults of the functions that names and objects hold."""
    cells = [cell for found in world.heap.values() for cell in found.cells]
    values = [*(each for frame in world.frames.values() for each in frame.values()), *cells, *world.temps]
    held = {id(each.node): dict(each.defaults) for each in values if isinstance(each, Function) and each.defaults}
    return sorted(held.items(), key=lambda one: one[0])


def _within(inner: Support, outer: Support) -> bool:
    """Whether all values of one support are in another, for certain."""
    if outer.values is not None:
        return inner.values is not None and inner.values <= outer.values
    both = union((inner, Support(None, outer.low, outer.high)))
    return ends(both) == (outer.low, outer.high)


def _wider(before: Support, after: Support, tried: int, *, steady: bool) -> Support:
    """Return a support that holds two; the more often it was asked for, the less it says."""
    both = union((before, after))
    if tried < MOST_LISTED and not steady:
        return both
    if tried >= MOST_ENDS:
        return ANYTHING
    (low, high), (least, most) = ends(before), ends(both)
    return Support(None, least if least == low else None, most if most == high else None)


def leaving(worlds: Sequence[World], outcome: str) -> list[World]:
    """Say how worlds left a loop."""
    for world in worlds:
        world.outcome = outcome
    return list(worlds)
