"""The work at hand: names of the program that is made, faults, branches and their ends."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise

from seepage import rules
from seepage.diagnostics import Diagnostic, Rule
from seepage.exact import Irrational
from seepage.exact import Number as Exact
from seepage.python.mechanisms import MECHANISMS, Mechanism
from seepage.python.module import Module
from seepage.python.places import Places
from seepage.python.terms import (
    binary,
    choice,
    disjunction,
    literal,
    narrowed,
    number,
    shift_of,
    shifted,
    union,
    variable,
)
from seepage.python.values import (
    ANYTHING,
    BOOL,
    FLOAT,
    HERE,
    INT,
    Codes,
    Num,
    Object,
    Ref,
    Scope,
    Support,
    Uniform,
    Unknown,
    Value,
)
from seepage.python.world import Branch, Cells, Code, Line, Merging, World, shape_of
from seepage.source import Span
from seepage.syntax.spell import spell
from seepage.syntax.tree import Call, Expression, Name, Number, Unary
from seepage.syntax.vocabulary.keywords import KEYWORDS

DEEPEST = 40  # branches inside branches, before what follows is written behind them
MOST_LINES = 60_000
MOST_SPLITS = 64  # values of a number whose value must be known
_HALF = Fraction(1, 2)
_UNSAFE = re.compile(r"\W")


class TooMuch(Exception):  # no error of this program
    """The analysed function is too large to be followed."""


class Hooks:
    """The functions that follow expressions and definitions, for those that are followed by them."""

    evaluate: Callable[[Run, ast.expr, World], list[World]]
    define: Callable[[Run, ast.FunctionDef, int, World], Value]
    define_class: Callable[[Run, ast.ClassDef, World], Value]
    call_library: Callable[[Run, ast.AST, str, Sequence[Value], Mapping[str, Value], World], list[World]]


@dataclass(frozen=True, slots=True)
class Saved:
    """Where work stood: a piece of the program with its length, how many worlds had ended, findings, names, and lines written."""

    code: Code
    length: int
    abrupt: int
    found: list[Diagnostic]
    display: dict[str, str]
    used: dict[str, int]
    lines: int


@dataclass(slots=True)
class Run:
    """One translation.

    Attributes:
        places: of nodes in the file.
        codes: numbers of texts.
        found: what is wrong.
        abrupt: worlds that returned, raised, or left a loop, and that nobody took yet.
        display: for each variable of the program what people call it.
        counted: what is counted: ``steps``, ``slept``, ``calls(f)``.
        evaluating: constants of the file that are being evaluated.
        endless: loops that were found to end by chance, without a bound.
        at_once: generators and calls of ``map`` whose elements are all taken where they stand, before anything else happens.
        pristine: objects of constants of the file as they were made.
        tallies: variables that such loops around this place carry; what only adds a constant to one gets no name, so that loops that count are seen
            to count.
        counters: those of them that hold ``steps`` and other counts, which nothing else reads.
        mechanisms: the table of mechanisms, with rows of the project.
        stale_reads: names, by frame, that were read where what they hold is not known (:class:`seepage.python.values.Stale`).
    """

    places: Places
    module: Module
    codes: Codes = field(default_factory=Codes)
    found: list[Diagnostic] = field(default_factory=list)
    abrupt: list[World] = field(default_factory=list)
    display: dict[str, str] = field(default_factory=dict)
    counted: frozenset[str] = frozenset()
    observed: frozenset[str] = frozenset()
    at: Span = HERE
    frames: list[int] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    scopes: dict[int, Scope] = field(default_factory=dict)
    hooks: Hooks = field(default_factory=Hooks)
    seeds: dict[tuple[str, object], ast.AST] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()
    drawn_count: int = 0
    evaluating: set[str] = field(default_factory=set)
    endless: set[ast.While] = field(default_factory=set)
    at_once: set[ast.expr] = field(default_factory=set)
    pristine: dict[str, dict[int, Object]] = field(default_factory=dict)
    tallies: frozenset[str] = frozenset()
    counters: frozenset[str] = frozenset()
    stale_reads: set[tuple[int, str]] = field(default_factory=set)
    mechanisms: Mapping[str, Mechanism] = field(default_factory=lambda: MECHANISMS)
    _used: dict[str, int] = field(default_factory=dict)
    _number: int = 0
    _lines: int = 0

    # --- names and faults ---

    def next(self) -> int:
        """Return a number that nothing else has."""
        self._number += 1
        return self._number

    def fresh(self, hint: str) -> str:
        """Return a name of the program that nothing else has, like the name of Python that it stands for."""
        base = _UNSAFE.sub("_", hint.replace("__", "__u")) or "value"
        if base in KEYWORDS or base[0].isdigit() or base == "_":
            base = f"{base}__k" if not base[0].isdigit() and base != "_" else f"v{base}"
        self._used[base] = count = self._used.get(base, 0) + 1
        name = base if count == 1 else f"{base}__{count}"
        self.display[name] = hint
        return name

    def tell(self, rule: Rule, place: ast.AST | Span, message: str, *notes: str) -> None:
        """Report a finding, once."""
        span = place if isinstance(place, Span) else self.places.span(place)
        made = Diagnostic(rule, span, message, notes=notes)
        if made not in self.found:
            self.found.append(made)

    def refuse(self, place: ast.AST | Span, message: str, *notes: str) -> Unknown:
        """Report what is not analysed, and return the value that silences what follows."""
        self.tell(rules.PYTHON_NOT_ANALYSED, place, message, *notes)
        return Unknown()

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
        return self.module.path_of(node)

    def observe(self, world: World, condition: Num) -> None:
        """Leave out the runs in which a condition does not hold."""
        self.write(world, f"observe {spell(condition.expression)}")
        world.known = narrowed(world.known, condition.expression, True) or world.known

    # --- statements of the program ---

    def write(self, world: World, text: str) -> None:
        """Write a statement.

        Raises:
            TooMuch: after too many.
        """
        self._lines += 1
        if self._lines > MOST_LINES:
            raise TooMuch
        world.code.append(Line(text, self.at))

    def settle(self, world: World, value: Value, hint: str) -> Value:
        """Return a value that may be read often: what is computed gets a name."""
        if not isinstance(value, Num) or isinstance(value.known, int | Fraction) or _is_simple(value.expression):
            return value
        moved = shift_of(value.expression)
        if moved is not None and moved[0] in self.tallies:
            return replace(value, expression=shifted(*moved))
        name = self.fresh(hint)
        self.write(world, f"{name} := {spell(value.expression)}")
        world.known[name] = value.support
        return replace(value, expression=Name(name, HERE))

    def draw(self, world: World, hint: str, law: str, kinds: frozenset[str], support: Support) -> Num:
        """Draw from a law of the program."""
        self.drawn_count += 1
        name = self.fresh(hint)
        self.write(world, f"{name} ~ {law}")
        world.known[name] = support
        return variable(name, kinds, support)

    def save(self, code: Code) -> Saved:
        """Return what is to be kept of the work so far, where ``code`` is what is written on next."""
        return Saved(
            code, len(code), len(self.abrupt), list(self.found), dict(self.display), dict(self._used), self._lines
        )

    def restore(self, saved: Saved) -> None:
        """Forget what was written and found since."""
        del saved.code[saved.length :], self.abrupt[saved.abrupt :]
        self.found[:] = saved.found
        self.display, self._used, self._lines = dict(saved.display), dict(saved.used), saved.lines

    def allocate(self, world: World, found: Object) -> Ref:
        """Put an object on the heap."""
        ref = Ref(self.next())
        world.heap[ref.id] = found
        return ref

    # --- branches ---

    def refreshed(self, world: World, value: Num) -> Num:
        """Return a number with what a world knows of it by now."""
        return number(value.expression, value.kinds, world.known, value.ieee) if value.known is None else value

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
        base.append(Branch(arms, self.at))
        return joined

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
            replaced[slot] = variable(name, kinds, values_of)
        merged = merging.merged(code, depth, replaced)
        for draw, (cells, support) in zip(shapes[0].draws, uniforms, strict=True):
            merged.uniforms[draw] = cells
            if isinstance(cells.index, Name) and support is not None:
                merged.known[cells.index.id] = support
            if cells.drawn is not None:
                merged.known.setdefault(cells.drawn, Support(None, 0, 1))
        return merged

    def _counter(self, values: Sequence[Num]) -> str | None:
        """Return the counter to which all of some values add a constant: it can be added to in place, as nothing else reads it."""
        moved = [shift_of(value.expression) for value in values]
        names = {None if each is None else each[0] for each in moved}
        name = names.pop()
        return name if not names and name in self.counters else None

    # --- uniform draws ---

    def _joined_cells(self, worlds: Sequence[World], draws: Sequence[int]) -> tuple[Cells, Support | None]:
        found = [world.uniforms[draw] for world, draw in zip(worlds, draws, strict=True)]
        if any(cells.drawn is not None for cells in found):
            drawn = [self.drawn(world, draw) for world, draw in zip(worlds, draws, strict=True)]
            if len(set(drawn)) == 1:
                return found[0], None
            name = self.fresh("u")
            for world, each in zip(worlds, drawn, strict=True):
                self.write(world, f"{name} := {each}")
            return Cells(drawn=name), None
        if all(cells == found[0] for cells in found):
            index = found[0].index
            if isinstance(index, Name):
                return found[0], union(world.known[index.id] for world in worlds)
            return found[0], None
        everywhere = tuple(sorted({cell for cells in found for cell in cells.cells}))
        name = self.fresh("cell")
        for world, cells in zip(worlds, found, strict=True):
            moved = [everywhere.index(cell) for cell in cells.cells]
            if cells.index is None:
                self.write(world, f"{name} := {moved[0]}")
            else:
                self.write(world, f"{name} := {spell(_picked(cells.index, [literal(each) for each in moved]))}")
        support = Support(frozenset(range(len(everywhere))))
        return Cells(everywhere, Name(name, HERE)), support

    def uniform(self, world: World) -> Uniform:
        """Draw a number from [0, 1), of which nothing is written until somebody reads it."""
        draw = self.next()
        self.drawn_count += 1
        world.uniforms[draw] = Cells()
        return Uniform(draw)

    def below(self, world: World, value: Uniform, threshold: Fraction) -> Num:
        """Return whether a uniform draw is below a known threshold: a table over the cells between all thresholds."""
        cut = (threshold - value.offset) / value.scale
        under = value.scale > 0
        cells = self.cut(world, value.draw, [cut])
        inside = [number for number, (_, high) in enumerate(cells.cells) if high <= cut]
        chosen = set(inside) if under else set(range(len(cells.cells))) - set(inside)
        return number(_among(cells, chosen), BOOL, world.known)

    def floor(self, world: World, value: Uniform, *, towards_zero: bool) -> Num:
        """Return ``floor`` (or ``int``) of a uniform draw: the cells between whole numbers."""
        low, high = sorted((value.offset, value.offset + value.scale))
        whole = range(low.__floor__(), high.__ceil__() + 1)
        cuts = sorted((Fraction(each) - value.offset) / value.scale for each in whole)
        cells = self.cut(world, value.draw, [each for each in cuts if 0 < each < 1])
        values: list[Expression] = []
        for start, end in cells.cells:
            middle = (start + end) / 2 * value.scale + value.offset
            values.append(literal(int(middle) if towards_zero else middle.__floor__()))
        if cells.index is None:
            return number(values[0], INT, world.known)
        steps = {int(_value(after) - _value(before)) for before, after in pairwise(values)}
        if len(steps) == 1 and (step := steps.pop()) in (1, -1):
            start_ = values[0]
            made = (
                cells.index
                if start_ == literal(0) and step == 1
                else binary("+" if step == 1 else "-", start_, cells.index)
            )
            return number(made, INT, world.known)
        return number(_picked(cells.index, values), INT, world.known)

    def cut(self, world: World, draw: int, cuts: Sequence[Fraction]) -> Cells:
        """Return where a draw lies, in cells that no cut divides."""
        cells = world.uniforms[draw]
        parts = [_divided(cell, cuts) for cell in cells.cells]
        if all(len(part) == 1 for part in parts):
            return cells
        if cells.folded is not None:
            self.refuse(self.at, "this draw and its distance from its middle are both read; that is not analysed")
            return cells
        new = tuple(sorted({cell for part in parts for cell in part}))
        name = self.fresh("cell")
        if cells.index is None:
            self.write(world, f"{name} ~ {_table(parts[0], new)}")
        else:
            arms: list[tuple[str | None, Code]] = []
            for number_, part in enumerate(parts):
                law = f"{name} := {new.index(part[0])}" if len(part) == 1 else f"{name} ~ {_table(part, new)}"
                last = number_ == len(parts) - 1
                test = None if last else spell(binary("==", cells.index, literal(number_)))
                arms.append((test, [Line(law, self.at)]))
            world.code.append(Branch(arms, self.at))
        world.known[name] = Support(frozenset(range(len(new))))
        cells = Cells(new, Name(name, HERE))
        world.uniforms[draw] = cells
        return cells

    def drawn(self, world: World, draw: int) -> str:
        """Return the variable that holds a uniform draw, after drawing it from the cell where it lies."""
        cells = world.uniforms[draw]
        if cells.drawn is not None:
            return cells.drawn
        name = self.fresh("u")
        laws = [f"{name} ~ uniform({low}, {high})" for low, high in cells.cells]
        if cells.index is None:
            self.write(world, laws[0])
        else:
            arms: list[tuple[str | None, Code]] = [
                (spell(binary("==", cells.index, literal(position))), [Line(law, self.at)])
                for position, law in enumerate(laws)
            ]
            world.code.append(Branch([*arms[:-1], (None, arms[-1][1])], self.at))
        world.uniforms[draw] = replace(cells, drawn=name)
        world.known[name] = Support(None, 0, 1)
        return name

    def distance(self, world: World, value: Uniform) -> Uniform | None:
        """Return how far a draw that is uniform around 0 is from it: uniform, whatever its sign; None where it is not such a draw any more."""
        cells = world.uniforms[value.draw]
        halves = ((Fraction(0), _HALF), (_HALF, Fraction(1)))
        if cells.folded is None:
            if value.scale + 2 * value.offset != 0 or cells.spent or cells.drawn is not None:
                return None
            if cells.cells not in (Cells().cells, halves):
                return None
            cells = self.cut(world, value.draw, [_HALF])
            world.uniforms[value.draw] = cells = replace(cells, folded=self.uniform(world).draw)
        assert cells.folded is not None
        return Uniform(cells.folded, abs(value.offset)) if value.scale + 2 * value.offset == 0 else None

    def logarithm(self, world: World, value: Uniform) -> Num | None:
        """Return the logarithm of a draw that is uniform from 0 on, if nothing has read it: that of its end less an exponential draw."""
        low, high = sorted((value.offset, value.offset + value.scale))
        if low != 0 or world.uniforms[value.draw] != Cells():
            return None
        world.uniforms[value.draw] = Cells(spent=True)
        drawn = self.draw(world, "waited", "exponential(1)", FLOAT, Support(None, 0, None))
        if high == 1:
            return number(Unary("-", drawn.expression, HERE), FLOAT, world.known)
        end = Call("log", (literal(high),), HERE, HERE)
        return number(binary("-", end, drawn.expression), FLOAT, world.known)

    def as_number(self, world: World, value: Value) -> Value:
        """Return a uniform draw as the number that it is; other values as they are."""
        if not isinstance(value, Uniform):
            return value
        cells = world.uniforms[value.draw]
        if cells.spent or cells.folded is not None:
            return self.refuse(self.at, "this draw was read as a whole before; it can be read only once then")
        expression: Expression = Name(self.drawn(world, value.draw), HERE)
        if value.scale != 1:
            expression = binary("*", literal(value.scale), expression)
        if value.offset != 0:
            expression = binary("+", expression, literal(value.offset))
        return number(expression, FLOAT, world.known)


def _is_simple(expression: Expression) -> bool:
    match expression:
        case Name() | Number():
            return True
        case Unary("-", Number()):
            return True
        case _:
            return False


def _picked(index: Expression, values: Sequence[Expression]) -> Expression:
    """Return the value with the number ``index``, from 0 on."""
    found = values[-1]
    for position in range(len(values) - 2, -1, -1):
        found = choice(binary("==", index, literal(position)), values[position], found)
    return found


def _value(expression: Expression) -> Fraction:
    match expression:
        case Number(value=value):
            return value
        case Unary(_, operand):
            return -_value(operand)
        case _:
            raise AssertionError


def _among(cells: Cells, chosen: set[int]) -> Expression:
    """Return that the cell is one of those chosen."""
    count = len(cells.cells)
    if cells.index is None or len(chosen) in (0, count):
        return literal(int(bool(chosen)))
    if chosen == set(range(len(chosen))):
        return binary("<", cells.index, literal(len(chosen)))
    if chosen == set(range(count - len(chosen), count)):
        return binary(">=", cells.index, literal(count - len(chosen)))
    return disjunction(binary("==", cells.index, literal(each)) for each in sorted(chosen))


def _divided(cell: tuple[Fraction, Fraction], cuts: Sequence[Fraction]) -> list[tuple[Fraction, Fraction]]:
    low, high = cell
    inner = sorted({each for each in cuts if low < each < high})
    return list(pairwise([low, *inner, high]))


def _table(part: Sequence[tuple[Fraction, Fraction]], new: Sequence[tuple[Fraction, Fraction]]) -> str:
    total = part[-1][1] - part[0][0]
    weights = [(high - low) / total for low, high in part]
    numbers = [new.index(cell) for cell in part]
    if numbers == [0, 1]:
        return f"flip({weights[1]})"
    if len(set(weights)) == 1 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"uniform_int({numbers[0]}, {numbers[-1]})"
    entries = ", ".join(f"{number}: {weight}" for number, weight in zip(numbers, weights, strict=True))
    return f"{{{entries}}}"
