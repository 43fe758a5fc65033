"""A program that is asked again and again, as by a slider: what no value of a parameter changes is found once and kept.

The numbers are those of :func:`seepage.pipeline.measure`; what is kept is the unrolled program and formulas that hold for all values.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from numbers import Integral
from typing import TypeAlias

from seepage import exact
from seepage.data_classes import dataclass
from seepage.deadline import Deadline
from seepage.diagnostics import Fault
from seepage.engines.select import samples_continuous
from seepage.exact import ArithmeticFault, Number
from seepage.grid_table import GridTable
from seepage.measures.asking import InformationUnit
from seepage.measures.clock import OutOfTime
from seepage.measures.enclosure import Enclosure
from seepage.measures.evaluate import evaluate
from seepage.measures.explanation import explain
from seepage.measures.facts import LeakageRow
from seepage.measures.formulas.substitution import substituted_parameters
from seepage.measures.games.game import has_choices
from seepage.measures.games.optimum import best_play, played
from seepage.measures.leakage_table import worst_case
from seepage.measures.meaning import may_have_none
from seepage.measures.notes import Note
from seepage.measures.parameters import Value, need_parameters, read_number, show_domain
from seepage.measures.plotting import Plotted, at_points, curve, grid, plotted, without_number
from seepage.measures.posterior import Posterior, law, posterior
from seepage.measures.result import Result, Unit
from seepage.measures.told_derivation import Explanation
from seepage.notebook import Drawable, Recorded, Rendered
from seepage.pipeline import asking_of, named_fault, need_meaning, need_one_value, read_measure
from seepage.semantics.checked import Checked, Domain
from seepage.semantics.core import CoreProgram
from seepage.semantics.needed import unroll_part
from seepage.semantics.statements import has_loops
from seepage.source import SourceFile

MOST_POINTS = 257
MOST_SIDE = 64

_BATCH = 4_096  # points for which one circuit is evaluated at once


@dataclass(frozen=True, slots=True, init=False)
class Axis:
    """A parameter and how it varies: so many values from ``low`` to ``high``, both included.

    They are evenly spaced, or, where it is logarithmic, each by the same factor from the next, up to rounding to 12 digits.

    >>> Axis("eps", 0.5, "3/2", 3).values() == Axis("eps", Fraction(1, 2), Fraction(3, 2), 3).values()
    True
    """

    parameter: str
    low: Number
    high: Number
    points: int
    logarithmic: bool = False

    def __init__(self, parameter: str, low: Value, high: Value, points: int, logarithmic: bool = False) -> None:
        """Read the ends as parameter values are read: any real number, or its spelling, such as ``"1/2"``.

        Raises:
            ValueError: if an end is no finite number, or the number of points is not whole.
        """
        if isinstance(points, bool) or not isinstance(points, Integral):
            raise ValueError(f"found {points!r} points of '{parameter}', expected a whole number")
        put = object.__setattr__  # the class is frozen: its fields are set here, once
        put(self, "parameter", parameter)
        put(self, "low", read_number(low, {}))
        put(self, "high", read_number(high, {}))
        put(self, "points", int(points))
        put(self, "logarithmic", bool(logarithmic))

    @classmethod
    def between(cls, parameter: str, ends: object, points: int) -> Axis:
        """Return an axis from its two ends.

        Args:
            parameter: the name.
            ends: two numbers, or what the program writes for them, the lower one first.
            points: how many there are, at least two.

        Raises:
            ValueError: as the class does, and if the ends are not two.
        """
        if isinstance(ends, str) or not isinstance(ends, Iterable) or len(both := tuple(ends)) != 2:
            raise ValueError(f"found {ends!r} for '{parameter}', expected two ends, as in {parameter}=(0, 6)")
        return cls(parameter, both[0], both[1], points)

    def values(self) -> tuple[Number, ...]:
        """Return the values in ascending order.

        Raises:
            ValueError: if the ends do not ascend, there are fewer than two points, or a logarithmic axis starts at 0 or below.
        """
        if self.points < 2 or exact.compare(self.low, self.high) >= 0:
            raise ValueError(f"found '{self.parameter}' from {exact.show(self.low)} to {exact.show(self.high)} in "
                             f"{self.points} points, expected ends that ascend and at least two points")  # fmt: skip
        if self.logarithmic:
            return (self.low, *self._by_factors(), self.high)
        step = exact.div(exact.sub(self.high, self.low), self.points - 1)
        inner = (exact.add(self.low, exact.mul(step, number)) for number in range(1, self.points - 1))
        return (self.low, *inner, self.high)

    def _by_factors(self) -> tuple[Number, ...]:
        low, high = exact.nearest_float(self.low), exact.nearest_float(self.high)
        if low <= 0:
            raise ValueError(
                f"found '{self.parameter}' from {exact.show(self.low)} on a logarithmic axis, expected more than 0"
            )
        parts = (number / (self.points - 1) for number in range(1, self.points - 1))
        inner = (exact.number(Fraction(f"{low * (high / low) ** part:.12g}")) for part in parts)
        return tuple(value for value in inner if exact.compare(self.low, value) < 0 < exact.compare(self.high, value))


@dataclass(frozen=True, slots=True)
class Plot(GridTable, Rendered, Recorded, Drawable):
    """A measure over one parameter (one row) or two (a row for each value of the first).

    Attributes:
        measure: as it was asked.
        parameters: that vary.
        unit: of the numbers: "bits", "nats" or "".
        values: of each axis.
        rows: the points.
        source: the program, into which the reasons of approximate points show.
    """

    measure: str
    parameters: tuple[str, ...]
    unit: Unit
    values: tuple[tuple[Number, ...], ...]
    rows: tuple[tuple[Plotted, ...], ...]
    source: SourceFile

    def __repr__(self) -> str:
        """Return its size; the points may be many."""
        sizes = " × ".join(f"{len(values)} {name}" for name, values in zip(self.parameters, self.values, strict=True))
        return f"<Plot of {self.measure} over {sizes}{f' in {self.unit}' if self.unit else ''}>"

    def _grid(self) -> tuple[Mapping[str, Sequence[Number]], Sequence[Plotted], Unit]:
        values = dict(zip(self.parameters, self.values, strict=True))
        return values, [point for row in self.rows for point in row], self.unit


_Key: TypeAlias = tuple[str, str]


@dataclass(slots=True)
class Explored:
    """One version of a program, and what is known of it. Mutable: belongs to one thread.

    All functions raise ``Fault`` as :func:`seepage.pipeline.measure` does, and ``ValueError`` for a parameter that does not exist.
    """

    checked: Checked
    _core: CoreProgram | None = None
    # Why there is no formula. One that is found holds under conditions, and a gain is read at the values: what is known of it is asked anew.
    _without_formula: dict[_Key, tuple[Note, ...]] = field(default_factory=dict)

    def measure(self, text: str, params: Mapping[str, Number], unit: InformationUnit, seconds: float) -> Result:
        """Evaluate a measure; a search for its formula that finds none, which takes longest, is made once where it serves all values."""
        tree, offset = read_measure(self.checked, text)
        asking = asking_of(self.checked, self.core(), params, unit, seconds)
        notes = need_meaning(asking, tree, seconds)
        key = (text, unit)
        try:
            if key in self._without_formula:
                result = evaluate(asking, tree, offset, formulas=False)
                result = replace(result, remarks=(*result.remarks, *self._without_formula[key]))
            else:
                result = evaluate(asking, tree, offset)
                if result.formula is None and _serves_all_values(asking.core):
                    plain = evaluate(asking, tree, offset, formulas=False)
                    self._without_formula[key] = tuple(each for each in result.remarks if each not in plain.remarks)
        except Fault as fault:
            raise named_fault(fault, tree, offset, seconds) from fault
        return replace(result, remarks=(*result.remarks, *map(Note, notes)))

    def explain(self, text: str, params: Mapping[str, Number], unit: InformationUnit, seconds: float) -> Explanation:
        """Derive a measure by weakest pre-expectations."""
        tree, offset = read_measure(self.checked, text)
        asking = asking_of(self.checked, self.core(), params, unit, seconds)
        need_meaning(asking, tree, seconds)
        try:
            return explain(best_play(asking, tree, offset, evaluate), tree, offset)
        except Fault as fault:
            raise named_fault(fault, tree, offset, seconds) from fault

    def posterior(
        self, secret: str, output: str, params: Mapping[str, Number], seconds: float, *, many: bool = False
    ) -> Posterior:
        """Return what the values of an output (several separated by commas) tell about a secret; ``many`` lists thousands of them, too."""
        tree, offset = read_measure(self.checked, f"I({secret}; {output})")
        asking = asking_of(self.checked, self.core(), params, "bits", seconds)
        notes = need_meaning(asking, tree, seconds)
        asking, note = played(asking, evaluate)
        try:
            found = posterior(asking, tree, offset, many=many)
        except Fault as fault:
            raise named_fault(fault, tree, offset, seconds) from fault
        return replace(found, note="; ".join(part for part in (found.note, *notes, note) if part))

    def law(
        self, name: str, params: Mapping[str, Number], seconds: float
    ) -> tuple[tuple[tuple[Number, ...], Enclosure], ...]:
        """Return the values of a discrete variable, and their probabilities."""
        tree, offset = read_measure(self.checked, f"H({name})")
        asking = asking_of(self.checked, self.core(), params, "bits", seconds)
        need_meaning(asking, tree, seconds)
        asking, _ = played(asking, evaluate)
        try:
            return law(asking, tree, offset)
        except Fault as fault:
            raise named_fault(fault, tree, offset, seconds) from fault

    def worst(
        self, secret: str, output: str, params: Mapping[str, Number], unit: InformationUnit, seconds: float
    ) -> LeakageRow:
        """Return the worst case of a row of the leakage table, as :func:`seepage.measures.leakage_table.worst_case` does."""
        tree, offset = read_measure(self.checked, f"I({secret}; {output})")
        asking = asking_of(self.checked, self.core(), params, unit, seconds)
        need_meaning(asking, tree, seconds)
        asking, _ = played(asking, evaluate)
        try:
            return worst_case(asking, secret, [name.strip() for name in output.split(",")])
        except OutOfTime:
            raise ValueError(f"no worst case within {seconds:g} s") from None
        except Fault as fault:
            raise named_fault(fault, tree, offset, seconds) from fault

    def plot(
        self, text: str, axes: Sequence[Axis], params: Mapping[str, Number], unit: InformationUnit, seconds: float
    ) -> Plot:
        """Evaluate a measure over one parameter or two.

        A point that lies outside a parameter's domain has a fault, as has one that the time is too short for.

        Raises:
            ValueError: too many points or axes; also as :meth:`Axis.values`.
        """
        if not 1 <= len(axes) <= 2 or len({axis.parameter for axis in axes}) < len(axes):
            raise ValueError("expected one parameter, or two different ones, to plot over")
        need_parameters(self.checked, (axis.parameter for axis in axes))
        most = MOST_POINTS if len(axes) == 1 else MOST_SIDE
        if any(axis.points > most for axis in axes):
            raise ValueError(f"found {max(axis.points for axis in axes)} points, expected at most {most}")
        tree, _ = read_measure(self.checked, text)
        asking = asking_of(self.checked, self.core(), params, unit, seconds)
        values = [axis.values() for axis in axes]
        inside = [self._inside(axis.parameter, every) for axis, every in zip(axes, values, strict=True)]
        if not all(inside):
            rows: tuple[tuple[Plotted, ...], ...] = ()
        elif self._changes():
            deadline, names = Deadline.after(seconds), [axis.parameter for axis in axes]
            places = itertools.product(*inside)
            rows = (tuple(self._measured(text, names, at, params, unit, deadline.left()) for at in places),)
        elif len(axes) == 1:
            rows = (curve(asking, tree, axes[0].parameter, inside[0]),)
        else:
            rows = grid(asking, tree, (axes[0].parameter, inside[0]), (axes[1].parameter, inside[1]))
        found = {point.at: point for row in rows for point in row}
        points = list(itertools.product(*values))
        names = [axis.parameter for axis in axes]
        drawn = [found.get(at) or self._outside(names, at) for at in points]
        width = len(values[-1])
        rows = tuple(tuple(drawn[start : start + width]) for start in range(0, len(drawn), width))
        units: list[Unit] = [point.unit for point in drawn if point.unit is not None]
        return Plot(text.strip(), tuple(names), units[0] if units else unit, tuple(values), rows, self.checked.source)

    def points(
        self,
        text: str,
        names: Sequence[str],
        points: Sequence[tuple[Number, ...]],
        params: Mapping[str, Number],
        unit: InformationUnit,
        seconds: float,
    ) -> Iterator[Plotted]:
        """Yield a measure at choices of some parameters, each as soon as it is known; faults are told as :meth:`plot` tells them.

        Args:
            text: the measure.
            names: the parameters, different ones of the program.
            points: a value of each.
            params: values of others.
            unit: of entropies, information and divergences.
            seconds: limit of each point.
        """
        tree, _ = read_measure(self.checked, text)
        need_one_value(self.checked, tree)
        inside = [self._allowed(names, at) for at in points]
        allowed = [at for at, good in zip(points, inside, strict=True) if good]
        core = self.core()
        if may_have_none(core) or self._changes():
            found = (self._measured(text, names, at, params, unit, seconds) for at in allowed)
        else:
            batches = (allowed[start : start + _BATCH] for start in range(0, len(allowed), _BATCH))
            found = (
                point
                for batch in batches
                for point in at_points(
                    asking_of(self.checked, core, params, unit, seconds), tree, names, batch, seconds
                )
            )
        for at, good in zip(points, inside, strict=True):
            yield next(found) if good else self._outside(names, at)

    def _changes(self) -> bool:
        """Tell whether the ordinary program that is asked is another one from point to point: its loops are settled, its attacker plays there."""
        core = self.core()
        return has_loops(core) or has_choices(core)

    def _measured(
        self,
        text: str,
        names: Sequence[str],
        at: tuple[Number, ...],
        params: Mapping[str, Number],
        unit: InformationUnit,
        seconds: float,
    ) -> Plotted:
        try:
            one = self.measure(text, {**params, **dict(zip(names, at, strict=True))}, unit, seconds)
        except Fault as fault:
            return without_number(at, fault.diagnostic.message)
        return plotted(at, one)

    def core(self) -> CoreProgram:
        """Return the program, or what can be had of it, unrolled once."""
        if self._core is None:
            self._core = unroll_part(self.checked)
        return self._core

    def _inside(self, parameter: str, values: Sequence[Number]) -> tuple[Number, ...]:
        domain = self.checked.symbols.params[parameter].domain
        return tuple(value for value in values if _allows(domain, value))

    def _allowed(self, names: Sequence[str], at: tuple[Number, ...]) -> bool:
        params = self.checked.symbols.params
        return all(_allows(params[name].domain, value) for name, value in zip(names, at, strict=True))

    def _outside(self, names: Sequence[str], at: tuple[Number, ...]) -> Plotted:
        for name, value in zip(names, at, strict=True):
            domain = self.checked.symbols.params[name].domain
            if domain is not None and not _allows(domain, value):
                message = f"'{name}' = {exact.show(value)} is outside its domain {show_domain(domain)}"
                return without_number(at, message)
        raise AssertionError("a point inside all domains was asked")


def _allows(domain: Domain | None, value: Number) -> bool:
    try:
        return domain is None or domain.contains(value)
    except ArithmeticFault:
        return False


def _serves_all_values(core: CoreProgram) -> bool:
    """Tell whether a formula that is not found at one choice of the parameters would not be found at others either.

    Where a parameter enters a value or a comparison, it is that of one case; Gaussian formulas are checked at the values asked.
    """
    return not samples_continuous(core.statements) and not substituted_parameters(core)
