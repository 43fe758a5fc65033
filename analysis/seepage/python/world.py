"""One way through a function, with all that is known on it; worlds of one shape are joined again.

A world writes its statements into ``code``. Where a condition is random, it becomes two worlds that write into the arms of a branch. After it,
worlds of one *shape* (the same names, bound to objects of the same structure that are shared in the same way) become one: what differs between
them is assigned to a variable at the end of each arm. Worlds of other shapes go on in their arms, and worlds that have returned
stay where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import field, replace
from fractions import Fraction
from typing import TypeAlias

from seepage.data_classes import dataclass
from seepage.python.terms import union
from seepage.python.values import Function, Method, Num, Object, Ref, Support, Uniform, Value, may_be_of_numpy
from seepage.source import Span
from seepage.syntax.tree import Expression


@dataclass(frozen=True, slots=True)
class Line:
    """A statement of the program; ``place`` is that of the Python code that it comes from."""

    text: str
    place: Span


@dataclass(frozen=True, slots=True)
class Branch:
    """A chain of arms; the condition of the last may be None (``else``)."""

    arms: list[tuple[str | None, Code]]
    place: Span


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of the program that goes on while its condition holds."""

    condition: str
    body: Code
    place: Span


Code: TypeAlias = list["Line | Branch | Loop"]


@dataclass(frozen=True, slots=True)
class Cells:
    """Where a uniform draw lies: in cell number ``index`` (an expression; None: in the only one), uniform there.

    ``drawn``: its variable, which is ``scale * u + offset``. ``spent``: it was read as a whole, and cannot be read again. ``folded``: how far it is from 1/2 is another draw.
    """

    cells: tuple[tuple[Fraction, Fraction], ...] = ((Fraction(0), Fraction(1)),)
    index: Expression | None = None
    drawn: str | None = None
    scale: Fraction = Fraction(1)
    offset: Fraction = Fraction(0)
    spent: bool = False
    folded: int | None = None


@dataclass(slots=True)
class World:
    """See the module.

    Attributes:
        code: where its next statement goes.
        frames: variables of functions that run or that closures still read, by the number of the frame.
        heap: objects by number.
        known: what is known of variables of the program.
        uniforms: where uniform draws lie.
        temps: values of the expressions that are being evaluated.
        counts: ``steps``, ``slept``, and calls by function, as far as they are asked for.
        depth: of branches around its code.
        outcome: how it ended: ``return``, ``break``, ``continue``, or ``raise NAME``; empty while it runs.
    """

    code: Code
    frames: dict[int, dict[str, Value]] = field(default_factory=dict)
    heap: dict[int, Object] = field(default_factory=dict)
    known: dict[str, Support] = field(default_factory=dict)
    uniforms: dict[int, Cells] = field(default_factory=dict)
    temps: list[Value] = field(default_factory=list)
    counts: dict[str, Num] = field(default_factory=dict)
    depth: int = 0
    outcome: str = ""

    def fork(self, code: Code) -> World:
        """Return a copy that writes elsewhere, one branch deeper."""
        frames = {number: dict(frame) for number, frame in self.frames.items()}
        return World(
            code,
            frames,
            dict(self.heap),
            dict(self.known),
            dict(self.uniforms),
            list(self.temps),
            dict(self.counts),
            self.depth + 1,
            self.outcome,
        )

    def copy(self) -> World:
        """Return a copy that writes where this one writes."""
        made = self.fork(self.code)
        made.depth = self.depth
        return made

    def pop(self) -> Value:
        """Take the value of the last expression."""
        return self.temps.pop()

    def take(self, count: int) -> list[Value]:
        """Take the values of the last expressions, in their order."""
        taken = self.temps[len(self.temps) - count :]
        del self.temps[len(self.temps) - count :]
        return taken


def push(world: World, value: Value) -> list[World]:
    """Put a value on top, and return the one world that there is then."""
    world.temps.append(value)
    return [world]


Then: TypeAlias = Callable[[World, Value], list[World]]
"""What is done with an element: the worlds that go on to the next one."""

Slot: TypeAlias = tuple[str, Num]


@dataclass(slots=True)
class Shape:
    """The structure of a world: ``key`` for comparison, ``slots`` the numbers in it in one order, and its objects and draws in theirs."""

    key: Hashable
    slots: list[Slot]
    objects: list[int]
    draws: list[int]


def shape_of(world: World) -> Shape:
    """Return the structure of a world, from the names of its frames on."""
    return _Reading(world).read()


class _Reading:
    def __init__(self, world: World) -> None:
        self.world = world
        self.slots: list[Slot] = []
        self.objects: list[int] = []
        self.draws: list[int] = []
        self.roots: list[object] = []

    def read(self) -> Shape:
        world = self.world
        frames = tuple(
            (number, tuple((name, self.value(name, frame[name])) for name in sorted(frame)))
            for number, frame in sorted(world.frames.items())
        )
        temps = tuple(self.value("value", each) for each in world.temps)
        counts = tuple((name, self.value(name, count)) for name, count in sorted(world.counts.items()))
        key = (world.outcome, frames, temps, counts)
        return Shape(key, self.slots, self.objects, self.draws)

    def value(self, hint: str, value: Value) -> Hashable:
        match value:
            case Num():
                self.slots.append((hint, value))
                return "float" if "float" in value.kinds else "discrete"
            case Ref(number):
                if number in self.objects:
                    return "object", self.objects.index(number)
                self.objects.append(number)
                found = self.world.heap[number]
                parts = tuple(self.value(_hint(hint, found, at), cell) for at, cell in enumerate(found.cells))
                keys = self.storage(number, found) if found.sort == "array" else _told_apart(found.keys)
                return "new", found.sort, parts, keys, found.shape, found.type
            case Uniform(draw, scale, offset):
                if draw not in self.draws:
                    self.draws.append(draw)
                cells = self.world.uniforms[draw]
                return (
                    "uniform",
                    self.draws.index(draw),
                    scale,
                    offset,
                    cells.spent,
                    cells.folded,
                    cells.scale,
                    cells.offset,
                )
            case Method(Ref() as owner, name):
                return "method", self.value(hint, owner), name
            case Function(defaults=defaults, owner=owner):
                kept = tuple((name, self.value(name, each)) for name, each in defaults.items())
                return value, kept, None if owner is None else self.value(hint, owner)
            case _:
                return value

    def storage(self, number: int, found: Object) -> Hashable:
        """Return which arrays share elements, by the order in which they are met."""
        root = found.keys[1] if found.keys else number
        if root not in self.roots:
            self.roots.append(root)
        return self.roots.index(root), found.keys[2:]


def _told_apart(key: object) -> object:
    """Return a key so that ``True`` is another one than ``1``."""
    match key:
        case bool():
            return "bool", key
        case tuple():
            return tuple(map(_told_apart, key))
        case _:
            return key


def _hint(hint: str, found: Object, at: int) -> str:
    return f"{hint}_{found.keys[at]}" if found.sort == "record" else f"{hint}_{at}"


@dataclass(slots=True)
class Merging:
    """Worlds of one shape that become the first of them: which slots differ."""

    worlds: Sequence[World]
    shapes: Sequence[Shape]

    def differing(self) -> Iterator[tuple[int, str, list[Num]]]:
        """Yield the slots that differ: number, a name for it, and the values."""
        for number, slots in enumerate(zip(*(shape.slots for shape in self.shapes), strict=True)):
            values = [value for _, value in slots]
            if any(value.expression != values[0].expression for value in values[1:]):
                yield number, slots[0][0], values

    def merged(self, code: Code, depth: int, replaced: dict[int, Num]) -> World:
        """Return the world that the worlds become, with other numbers in some slots."""
        first, shape = self.worlds[0], self.shapes[0]
        slots = [self._joined(number, replaced) for number in range(len(shape.slots))]
        known = {
            name: union(world.known[name] for world in self.worlds)
            for name in first.known
            if all(name in world.known for world in self.worlds)
        }
        for value in replaced.values():
            known[_name(value)] = value.support
        merged = World(code, known=known, depth=depth, outcome=first.outcome)
        # What no name reaches may still be held by the expression that is being evaluated.
        others = self.worlds[1:]
        merged.heap = {at: one for at, one in first.heap.items() if all(each.heap.get(at) == one for each in others)}
        merged.uniforms = {
            at: one for at, one in first.uniforms.items() if all(each.uniforms.get(at) == one for each in others)
        }
        _Writing(first, merged, slots).write()
        for draw in shape.draws:
            merged.uniforms[draw] = first.uniforms[draw]
        return merged

    def _joined(self, number: int, replaced: dict[int, Num]) -> Num:
        if number in replaced:
            return replaced[number]
        values = [shape.slots[number][1] for shape in self.shapes]
        kinds = frozenset[str]().union(*(value.kinds for value in values))
        support = union(value.support for value in values)
        return replace(values[0], kinds=kinds, support=support, of_numpy=may_be_of_numpy(*values))


def _name(value: Num) -> str:
    return str(getattr(value.expression, "id", ""))


class _Writing:
    """The walk of :class:`_Reading` once more, with new numbers."""

    def __init__(self, old: World, new: World, slots: list[Num]) -> None:
        self.old, self.new = old, new
        self.slots = iter(slots)
        self.done: set[int] = set()

    def write(self) -> None:
        for number, frame in sorted(self.old.frames.items()):
            order = {name: self.value(frame[name]) for name in sorted(frame)}
            self.new.frames[number] = {name: order[name] for name in frame}
        self.new.temps = [self.value(each) for each in self.old.temps]
        for name in sorted(self.old.counts):
            count = self.value(self.old.counts[name])
            assert isinstance(count, Num)
            self.new.counts[name] = count

    def value(self, value: Value) -> Value:
        match value:
            case Num():
                return next(self.slots)
            case Ref(number):
                if number not in self.done:
                    self.done.add(number)
                    found = self.old.heap[number]
                    cells = tuple(self.value(cell) for cell in found.cells)
                    self.new.heap[number] = replace(found, cells=cells)
            case Method(Ref() as owner, _):
                self.value(owner)
            case Function(defaults=defaults, owner=owner):
                kept = {name: self.value(each) for name, each in defaults.items()}
                if owner is not None:
                    self.value(owner)
                return replace(value, defaults=kept)
            case _:
                pass
        return value
