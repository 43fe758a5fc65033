"""Uniform draws, of which as little is drawn as is asked: a table of the cells between thresholds, a sign and a distance, a logarithm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from seepage import exact
from seepage.data_classes import dataclass
from seepage.python.terms import binary, choice, disjunction, literal, number, union
from seepage.python.values import BOOL, FLOAT, HERE, INT, Num, Support, Uniform, Value
from seepage.python.world import Branch, Cells, Code, Line, World
from seepage.python.writer import Writer
from seepage.syntax.spell import spell
from seepage.syntax.tree import Call, Expression, Name, Number, Unary

_HALF = Fraction(1, 2)


def _possible(world: World, cells: Cells) -> list[int]:
    """Return in which cells a draw can lie in a world."""
    known = world.known.get(cells.index.id, Support()).values if isinstance(cells.index, Name) else None
    every = range(len(cells.cells))
    return [place for place in every if known is None or place in known] or list(every)


_MOST_CELLS = 128  # between which it is known that a draw lies


@dataclass(slots=True)
class UniformDraws(Writer):
    """A program that is being written, with its uniform draws."""

    def _joined_cells(self, worlds: Sequence[World], draws: Sequence[int]) -> tuple[Cells, Support | None]:
        found = [world.uniforms[draw] for world, draw in zip(worlds, draws, strict=True)]
        if any(cells.drawn is not None for cells in found):
            drawn = [self.drawn(world, draw) for world, draw in zip(worlds, draws, strict=True)]
            if len(set(drawn)) == 1:
                return found[0], None
            name = self.fresh("u")
            for world, each in zip(worlds, drawn, strict=True):
                self.write(world, f"{name} := {each}")
            return Cells(drawn=name, scale=found[0].scale, offset=found[0].offset), None
        if all(cells == found[0] for cells in found):
            index = found[0].index
            if isinstance(index, Name):
                return found[0], union(world.known[index.id] for world in worlds)
            return found[0], None
        kept = [
            [cells.cells[place] for place in _possible(world, cells)]
            for world, cells in zip(worlds, found, strict=True)
        ]
        everywhere = tuple(sorted({cell for each in kept for cell in each}))
        name = self.fresh("cell")
        for world, cells in zip(worlds, found, strict=True):
            moved = [everywhere.index(cell) if cell in everywhere else 0 for cell in cells.cells]
            if cells.index is None:
                self.write(world, f"{name} := {moved[0]}")
            else:
                self.write(world, f"{name} := {spell(_picked(cells.index, [literal(each) for each in moved]))}")
        support = Support(frozenset(range(len(everywhere))))
        return replace(found[0], cells=everywhere, index=Name(name, HERE)), support

    def uniform(self, world: World, low: Fraction = Fraction(0), high: Fraction = Fraction(1)) -> Uniform:
        """Draw a number between two ends, of which nothing is written until somebody reads it."""
        draw = self.next()
        self.drawn_count += 1
        world.uniforms[draw] = Cells(scale=high - low, offset=low)
        return Uniform(draw, high - low, low)

    def below(self, world: World, value: Uniform, threshold: Fraction) -> Num:
        """Return whether a uniform draw is below a known threshold: a table over the cells between all thresholds."""
        whole = self._as_drawn(world, value)
        if whole is not None:
            return number(binary("<", whole.expression, literal(threshold)), BOOL, world.known)
        cut = (threshold - value.offset) / value.scale
        under = value.scale > 0
        cells = self.cut(world, value.draw, [cut])
        inside = [number for number, (_, high) in enumerate(cells.cells) if high <= cut]
        chosen = set(inside) if under else set(range(len(cells.cells))) - set(inside)
        return number(_among(cells, chosen), BOOL, world.known)

    def _as_drawn(self, world: World, value: Uniform) -> Num | None:
        """Return a draw that was drawn as a whole before as the number that it is: there is nothing left to choose."""
        if world.uniforms[value.draw].drawn is None:
            return None
        found = self.as_number(world, value)
        return found if isinstance(found, Num) else None

    def floor(self, world: World, value: Uniform, *, towards_zero: bool) -> Num:
        """Return ``floor`` (or ``int``) of a uniform draw: the cells between whole numbers."""
        drawn = self._as_drawn(world, value)
        if drawn is not None:
            down = Call("floor", (drawn.expression,), HERE, HERE)
            up = Call("ceil", (drawn.expression,), HERE, HERE)
            if towards_zero:
                return number(choice(binary("<", drawn.expression, literal(0)), up, down), INT, world.known)
            return number(down, INT, world.known)
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
        inside = _possible(world, cells)
        new = tuple(sorted({cell for place in inside for cell in parts[place]}))
        if len(new) > _MOST_CELLS:
            self.refuse(self.at, f"a draw that is compared with more than {_MOST_CELLS} numbers is not analysed")
            return cells
        name = self.fresh("cell")
        if cells.index is None:
            self.write(world, f"{name} ~ {_table(parts[0], new)}")
        else:
            arms: list[tuple[str | None, Code]] = []
            for number_ in inside:
                part = parts[number_]
                law = f"{name} := {new.index(part[0])}" if len(part) == 1 else f"{name} ~ {_table(part, new)}"
                last = number_ == inside[-1]
                test = None if last else spell(binary("==", cells.index, literal(number_)))
                arms.append((test, [Line(law, self.at)]))
            world.code.append(Branch(arms, self.at) if len(arms) > 1 else arms[0][1][0])
        world.known[name] = Support(frozenset(range(len(new))))
        cells = replace(cells, cells=new, index=Name(name, HERE))
        world.uniforms[draw] = cells
        return cells

    def drawn(self, world: World, draw: int) -> str:
        """Return the variable that holds a uniform draw, after drawing it from the cell where it lies."""
        cells = world.uniforms[draw]
        if cells.drawn is not None:
            return cells.drawn
        name = self.fresh("u")
        spans = [sorted(cells.scale * end + cells.offset for end in cell) for cell in cells.cells]
        laws = [f"{name} ~ uniform({low}, {high})" for low, high in spans]
        if cells.index is None:
            self.write(world, laws[0])
        else:
            arms: list[tuple[str | None, Code]] = [
                (spell(binary("==", cells.index, literal(position))), [Line(law, self.at)])
                for position, law in enumerate(laws)
            ]
            world.code.append(Branch([*arms[:-1], (None, arms[-1][1])], self.at))
        world.uniforms[draw] = replace(cells, drawn=name)
        low, high = sorted((cells.offset, cells.offset + cells.scale))
        world.known[name] = Support(None, exact.number(low), exact.number(high))
        return name

    def span(self, world: World, value: Uniform) -> tuple[Fraction, Fraction] | None:
        """Return between which ends a draw is uniform in this world; None where that differs by cell, or where it was read otherwise before."""
        cells = world.uniforms[value.draw]
        if cells.spent or cells.drawn is not None or cells.folded is not None:
            return None
        inside = cells.cells
        if isinstance(cells.index, Name):
            values = world.known[cells.index.id].values or ()
            inside = tuple(cell for place, cell in enumerate(cells.cells) if place in values)
        if len(inside) != 1:
            return None
        low, high = sorted(value.scale * end + value.offset for end in inside[0])
        return low, high

    def distance(self, world: World, value: Uniform) -> Uniform | None:
        """Return how far a draw that is uniform around 0 is from it: uniform, whatever its sign; None where it is not such a draw any more."""
        span = self.span(world, value)
        if span is not None and (span[0] >= 0 or span[1] <= 0):
            return value if span[0] >= 0 else replace(value, scale=-value.scale, offset=-value.offset)
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

    def sign(self, world: World, value: Uniform) -> Expression:
        """Return -1 or 1; that a draw is 0 has no chance."""
        return choice(self.below(world, value, Fraction(0)).expression, literal(-1), literal(1))

    def logarithm(self, world: World, value: Uniform) -> Num | None:
        """Return the logarithm of a draw that is uniform from 0 on, if nothing has read it: that of its end less an exponential draw."""
        span = self.span(world, value)
        if span is None or span[0] != 0:
            return None
        world.uniforms[value.draw] = replace(world.uniforms[value.draw], spent=True)
        drawn = self.draw(world, "waited", "exponential(1)", FLOAT, Support(None, 0, None))
        if span[1] == 1:
            return number(Unary("-", drawn.expression, HERE), FLOAT, world.known)
        end = Call("log", (literal(span[1]),), HERE, HERE)
        return number(binary("-", end, drawn.expression), FLOAT, world.known)

    def power(self, world: World, value: Uniform, exponent: Fraction) -> Num | None:
        """Return a power, with a positive exponent, of a draw that is uniform from 0 on, if nothing has read it: a beta draw, scaled."""
        span = self.span(world, value)
        if span is None or span[0] != 0 or exponent <= 0 or exponent == 1:
            return None
        world.uniforms[value.draw] = replace(world.uniforms[value.draw], spent=True)
        drawn = self.draw(world, "power", f"beta({1 / exponent}, 1)", FLOAT, Support(None, 0, 1))
        if span[1] == 1:
            return drawn
        scale = binary("^", literal(span[1]), literal(exponent))
        return number(binary("*", scale, drawn.expression), FLOAT, world.known)

    def as_number(self, world: World, value: Value) -> Value:
        """Return a uniform draw as the number that it is; other values as they are."""
        if not isinstance(value, Uniform):
            return value
        cells = world.uniforms[value.draw]
        if cells.spent or cells.folded is not None:
            return self.refuse(self.at, "this draw was read as a whole before; it can be read only once then")
        expression: Expression = Name(self.drawn(world, value.draw), HERE)
        scale = value.scale / cells.scale
        offset = value.offset - scale * cells.offset
        if scale != 1:
            expression = binary("*", literal(scale), expression)
        if offset != 0:
            expression = binary("+", expression, literal(offset))
        return number(expression, FLOAT, world.known)


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
