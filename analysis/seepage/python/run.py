"""The work at hand: what names mean, branches and their ends."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction

from seepage import exact
from seepage.data_classes import dataclass
from seepage.deadline import Deadline
from seepage.exact import Irrational
from seepage.exact import Number as Exact
from seepage.python.mechanisms import MECHANISMS, Mechanism
from seepage.python.module import Module
from seepage.python.terms import binary, constant, literal, narrowed, number, shift_of, union, variable
from seepage.python.uniforms import UniformDraws
from seepage.python.values import (
    ANYTHING,
    BOOL,
    INT,
    NONE,
    NUMERIC,
    TEXT,
    Function,
    Given,
    Num,
    Object,
    Scope,
    Support,
    Unknown,
    Value,
    may_be_of_numpy,
)
from seepage.python.world import Branch, Code, Merging, Then, World, shape_of
from seepage.syntax.spell import spell
from seepage.syntax.tree import Name

DEEPEST = 40  # branches inside branches, before what follows is written behind them
LIBRARY_FRAME = -1
"""The frame in which functions of Python's library stand that are followed (:mod:`seepage.python.written_functions`)."""
_MOST_ARMS = 32  # of one chain of branches
PATIENCE = 20.0  # seconds of a processor that following one function may take
MOST_SPLITS = 64  # values of a number whose value must be known


@dataclass(frozen=True, slots=True)
class Hooks:
    """What statements, expressions and calls are followed by, for those that are followed by it themselves: the walk is one recursion.

    Attributes:
        evaluate: an expression.
        block: statements, one after the other.
        define: what a definition of a function is.
        define_class: what that of a class is.
        inline: a function of the file, from what it is given.
        body: the same from its bound arguments; what a generator yields is handed to the last one.
        apply: a call of any value.
        call_library: a function of another module, by its path.
        elements: those of a generator expression, each handed to the last one.
        truth: what is on top, or whether it counts as true if its class says so.
    """

    evaluate: Callable[[Run, ast.expr, World], list[World]]
    block: Callable[[Run, Sequence[ast.stmt], World], list[World]]
    define: Callable[[Run, ast.FunctionDef, int, World], Value]
    define_class: Callable[[Run, ast.ClassDef, World], Value]
    inline: Callable[[Run, ast.AST, Function, Given, World], list[World]]
    body: Callable[[Run, ast.AST, Function, dict[str, Value], World, Then | None], list[World]]
    apply: Callable[[Run, ast.Call, Value, Given, World], list[World]]
    call_library: Callable[[Run, ast.AST, str, Sequence[Value], Mapping[str, Value], World], list[World]]
    elements: Callable[[Run, ast.GeneratorExp, Value, int, World, Then], list[World]]
    truth: Callable[[Run, ast.AST, World], list[World]]


@dataclass(slots=True)
class Run(UniformDraws):
    """One translation.

    Attributes:
        counted: what is counted: ``steps``, ``slept``, ``calls(f)``.
        evaluating: constants of the file that are being evaluated.
        endless: loops that were found to end by chance, without a bound.
        yields: what is done with what a generator yields, by the number of its frame.
        pristine: objects of constants of the file as they were made.
        counters: those of the tallies that hold ``steps`` and other counts, which nothing else reads.
        mechanisms: the table of mechanisms, with rows of the project.
        any_order: what is walked over, or made a list, where the order of a set cannot be seen (:mod:`seepage.python.any_order`).
        handled: exceptions whose handlers are followed, by frame, the innermost last.
        written: functions of Python's library, by name, as they stand at calls of them.
        has_plain_members: whether there is an enumeration whose members are numbers or texts.
        acts: whether operators of a class of the file may act (:func:`seepage.python.any_order.may_act`).
        patience: when the walk ends at the latest.
        stale_reads: names, by frame, that were read where what they hold is not known (:class:`seepage.python.values.Stale`).
    """

    module: Module = field(kw_only=True)
    hooks: Hooks = field(kw_only=True)
    counted: frozenset[str] = frozenset()
    observed: frozenset[str] = frozenset()
    frames: list[int] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    scopes: dict[int, Scope] = field(default_factory=dict)
    seeds: dict[tuple[str, object], ast.AST] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()
    evaluating: set[str] = field(default_factory=set)
    endless: set[ast.While] = field(default_factory=set)
    yields: dict[int, Callable[[World, Value], list[World]]] = field(default_factory=dict)
    pristine: dict[str, dict[int, Object]] = field(default_factory=dict)
    counters: frozenset[str] = frozenset()
    any_order: set[ast.AST] = field(default_factory=set)
    has_plain_members: bool = False
    acts: bool | None = None
    stale_reads: set[tuple[int, str]] = field(default_factory=set)
    patience: Deadline = field(default_factory=lambda: Deadline.after(PATIENCE, moves=False))
    handled: dict[int, list[str]] = field(default_factory=dict)
    written: dict[tuple[str, ast.AST], ast.FunctionDef] = field(default_factory=dict)
    mechanisms: Mapping[str, Mechanism] = field(default_factory=lambda: MECHANISMS)

    def module_path(self, node: ast.expr) -> str | None:
        """Return the full path of a dotted name, unless a variable of a running function hides it."""
        root = node
        while isinstance(root, ast.Attribute):
            root = root.value
        number = self.frames[-1] if self.frames else 0
        while number and isinstance(root, ast.Name):
            if root.id in self.scopes[number].locals:
                return None
            number = self.scopes[number].parent
            if number == LIBRARY_FRAME:
                return f"builtins.{root.id}" if root is node else None
        return self.module.path_of(node)

    @property
    def is_in_library(self) -> bool:
        """Whether a function of Python's library is followed, whose statements nobody counts."""
        number = self.frames[-1] if self.frames else 0
        while number > 0:
            number = self.scopes[number].parent
        return number == LIBRARY_FRAME

    def observe(self, world: World, condition: Num) -> None:
        """Leave out the runs in which a condition does not hold."""
        self.write(world, f"observe {spell(condition.expression)}")
        world.known = narrowed(world.known, condition.expression, True) or world.known

    def count(self, world: World, what: str = "steps", by: Num | None = None) -> None:
        """Count a step, if steps are asked for; or something else, by more than one."""
        if what not in self.counted or (what == "steps" and self.is_in_library):
            return
        before = world.counts.get(what, constant(0, INT, 0))
        step = constant(1, INT, 1) if by is None else by
        total = number(binary("+", before.expression, step.expression), before.kinds | step.kinds, world.known)
        settled = self.settle(world, total, what)
        assert isinstance(settled, Num)
        world.counts[what] = settled

    # --- branches ---

    def refreshed(self, world: World, value: Num) -> Num:
        """Return a number with what a world knows of it by now: its values, and of which types they are."""
        found = value
        if value.known is None:
            found = replace(number(value.expression, value.kinds, world.known, value.ieee), of_numpy=value.of_numpy)
        values = found.support.values
        if values is None or found.kinds <= NUMERIC or "float" in found.kinds:  # floats may be equal to codes
            return found
        sorts = {self.codes.names.get(Fraction(one), ("",))[0] for one in values if not isinstance(one, Irrational)}
        absent = [kinds for sort, kinds in (("", NUMERIC), ("str", TEXT), ("none", NONE)) if sort not in sorts]
        kinds = found.kinds.difference(*absent)
        return replace(found, kinds=kinds) if kinds else found

    def branch(self, world: World, condition: Num) -> tuple[World | None, World | None]:
        """Return the worlds in which a condition holds and in which it does not; None where there is none."""
        condition = self.refreshed(world, condition)
        known = condition.known
        if known is not None:
            return (world, None) if known != 0 else (None, world)
        yes, no = (narrowed(world.known, condition.expression, holds) for holds in (True, False))
        if yes is None or no is None:
            world.known = yes or no or world.known
            return (None, world) if yes is None else (world, None)
        codes: tuple[Code, Code] = ([], [])
        world.code.append(Branch([(spell(condition.expression), codes[0]), (None, codes[1])], self.at))
        first, second = world.fork(codes[0]), world.fork(codes[1])
        first.known, second.known = yes, no
        return first, second

    def split(self, world: World, value: Num, what: str) -> list[tuple[World, Exact]]:
        """Return a world for each value that a number can have; none, and a fault, where they are too many."""
        value = self.refreshed(world, value)
        if value.known is not None:
            return [(world, value.known)]
        values = value.support.values
        if values is None or len(values) > MOST_SPLITS or any(isinstance(each, Irrational) for each in values):
            self.refuse(self.at, f"{what} is random, and its values are not few: at most {MOST_SPLITS} are followed")
            world.temps.append(Unknown())
            return []
        found: list[tuple[World, Exact]] = []
        rest: World | None = world
        for each in sorted(Fraction(one) for one in values if not isinstance(one, Irrational)):
            if rest is None:
                break
            test = number(binary("==", value.expression, literal(each)), BOOL, rest.known)
            here, rest = self.branch(rest, test)
            if here is not None:
                found.append((here, Fraction(each) if each.denominator != 1 else int(each)))
        return found

    def raise_(self, world: World, name: str) -> None:
        """End a world with an exception."""
        world.outcome = f"raise {name}"
        self.abrupt.append(world)

    def need(self, world: World, condition: Num, exception: str) -> World | None:
        """Return the world in which a condition holds; where it does not, the exception is raised."""
        held, failed = self.branch(world, condition)
        if failed is not None:
            self.raise_(failed, exception)
        return held

    # --- joining ---

    def join(self, base: Code, depth: int, worlds: Sequence[World], abrupt: Iterable[World] = ()) -> list[World]:
        """Return worlds that run, those of one shape as one; ``base`` is the code that holds all of theirs, and that of ``abrupt``."""
        if len(worlds) < 2:
            return list(worlds)
        groups: dict[object, list[World]] = {}
        for world in worlds:
            groups.setdefault(shape_of(world).key, []).append(world)
        if len(groups) == len(worlds) and max(world.depth for world in worlds) - depth <= DEEPEST:
            return list(worlds)
        others = [world for world in abrupt if world.code is not base]
        if len(groups) == 1 and not others:
            return [self._merged(worlds, base, depth)]
        which = self.fresh("case")
        arms: list[tuple[str | None, Code]] = []
        joined: list[World] = []
        for world in others:
            self.write(world, f"{which} := 0")
        for position, group in enumerate(groups.values(), 1):
            for world in group:
                self.write(world, f"{which} := {position}")
            code: Code = []
            arms.append((f"{which} == {position}", code))
            joined.append(self._merged(group, code, depth + 1))
        base.append(self._chosen(which, 0, arms))
        return joined

    def _chosen(self, which: str, before: int, arms: list[tuple[str | None, Code]]) -> Branch:
        """Return a branch to one of many arms, by halves; in front of the first stand ``before`` others."""
        if len(arms) <= _MOST_ARMS:
            return Branch(arms, self.at)
        half = len(arms) // 2
        halves = (self._chosen(which, before, arms[:half]), self._chosen(which, before + half, arms[half:]))
        return Branch([(f"{which} <= {before + half}", [halves[0]]), (None, [halves[1]])], self.at)

    def _merged(self, worlds: Sequence[World], code: Code, depth: int) -> World:
        if len(worlds) == 1:
            only = worlds[0].fork(code)
            only.depth = depth
            return only
        shapes = [shape_of(world) for world in worlds]
        draws = list(zip(*(shape.draws for shape in shapes), strict=True))
        uniforms = [self._joined_cells(worlds, each) for each in draws]
        merging = Merging(worlds, shapes)
        replaced: dict[int, Num] = {}
        for slot, hint, values in merging.differing():
            counter = self._counter(values)
            name = counter or self.fresh(hint)
            for world, value in zip(worlds, values, strict=True):
                if spell(value.expression) != counter:
                    self.write(world, f"{name} := {spell(value.expression)}")
            kinds = frozenset[str]().union(*(value.kinds for value in values))
            values_of = ANYTHING if counter else union(value.support for value in values)
            replaced[slot] = replace(variable(name, kinds, values_of), of_numpy=may_be_of_numpy(*values))
        merged = merging.merged(code, depth, replaced)
        for draw, (cells, support) in zip(shapes[0].draws, uniforms, strict=True):
            merged.uniforms[draw] = cells
            if isinstance(cells.index, Name) and support is not None:
                merged.known[cells.index.id] = support
            if cells.drawn is not None:
                low, high = sorted((cells.offset, cells.offset + cells.scale))
                merged.known.setdefault(cells.drawn, Support(None, exact.number(low), exact.number(high)))
        return merged

    def _counter(self, values: Sequence[Num]) -> str | None:
        """Return the counter to which all of some values add a constant: it can be added to in place, as nothing else reads it."""
        moved = [shift_of(value.expression) for value in values]
        names = {None if each is None else each[0] for each in moved}
        name = names.pop()
        return name if not names and name in self.counters else None
