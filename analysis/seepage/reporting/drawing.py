"""Plots of a report: what is asked, or what leaks, over each parameter that it depends on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from seepage import exact
from seepage.data_classes import dataclass
from seepage.deadline import Deadline
from seepage.diagnostics import Fault
from seepage.exact import Number
from seepage.exploration import Axis, Explored
from seepage.measures.asking import InformationUnit
from seepage.measures.digits import FEW_DIGITS, rounded, with_unit
from seepage.measures.parameter_facts import parameter_facts
from seepage.measures.parameters import read_number
from seepage.measures.plotting import Plotted
from seepage.pipeline import asking_of
from seepage.report.findings import printable
from seepage.report.plot import coordinate, is_approximate
from seepage.report.svg import is_bounded
from seepage.report.tuning import number_words
from seepage.reporting.told import PlotTold, PointTold, code
from seepage.semantics.checked import Checked, ParamSymbol, RequireSymbol
from seepage.syntax.spell import spell
from seepage.syntax.tree import MeasureCall
from seepage.tuning.ranges import POINTS, Tuned, Tuning

_POINTS = 33
_MOST_PLOTS = 6
_MOST_TUNED = 8
_SECONDS_EACH = 5.0  # of a plot, and of a search for the range in which a budget holds


@dataclass(frozen=True, slots=True)
class Helped:
    """The range of a parameter in which a budget holds; None where it holds at none of the values that were tried."""

    require: RequireSymbol
    parameter: str
    tuned: Tuned | None

    @property
    def words(self) -> str:
        """The same in words."""
        found = self.tuned
        if found is None:
            return f"holds at none of {POINTS} values of {code(self.parameter)} that were tried"
        low, high = (code(number_words(end.value)) for end in (found.low, found.high))
        verb = "holds" if found.proved else "seems to hold"
        if found.low.is_of_domain and found.high.is_of_domain:
            return f"{verb} for every {code(found.parameter)} from {low} to {high}"
        return f"{verb} for {code(found.parameter)} from {low} to {high}"


@dataclass(frozen=True, slots=True)
class Drawing:
    """One program at values of its parameters, to be drawn until the time is over."""

    checked: Checked
    params: Mapping[str, Number]
    unit: InformationUnit
    deadline: Deadline

    def helped(self) -> Iterator[Helped]:
        """Yield where budgets hold, for each parameter with ends that a budget without ranges depends on."""
        tried = 0
        for require in self.checked.symbols.requires:
            for name in self._parameters_of(spell(require.node.measure)):
                ends = _rational_ends(self.checked.symbols.params[name])
                if require.node.ranges or ends is None or tried == _MOST_TUNED or self.deadline.passed():
                    continue
                tried += 1
                seconds = min(_SECONDS_EACH, self.deadline.left())
                others = {each: value for each, value in self.params.items() if each != name}
                try:
                    budget = self._budget(require)
                    tuned = Tuning(self.checked, budget, name, *ends, others, seconds).tune(None)
                except Fault:
                    continue
                yield Helped(require, name, tuned)

    def _budget(self, require: RequireSymbol) -> str:
        return self.checked.source[require.span].removeprefix("require").strip()

    def plots(self, leaks: tuple[str, ...], helped: tuple[Helped, ...]) -> Iterator[PlotTold]:
        """Yield plots: of budgets first, then of what leaks, of each measure once for a parameter."""
        budgets = {
            spell(each.node.measure): each
            for each in self.checked.symbols.requires
            if isinstance(each.node.measure, MeasureCall) and not each.node.ranges
        }
        drawn = 0
        for measure in dict.fromkeys((*budgets, *leaks)):
            for name in self._parameters_of(measure):
                if drawn == _MOST_PLOTS or self.deadline.passed():
                    return
                told = self._plot(measure, name, budgets.get(measure), helped)
                if told is not None:
                    drawn += 1
                    yield told

    def _parameters_of(self, measure: str) -> tuple[str, ...]:
        return self._reading().get(measure, ())

    def _reading(self) -> Mapping[str, tuple[str, ...]]:
        """Return the parameters that each measure depends on, by the measure as it is spelled."""
        explored = Explored(self.checked)
        asking = asking_of(self.checked, explored.core(), self.params, self.unit, max(self.deadline.left(), 0.1))
        found: dict[str, tuple[str, ...]] = {}
        for facts in parameter_facts(asking, plots=False):
            for measure in facts.measures:
                found[measure] = (*found.get(measure, ()), facts.name)
        return found

    def _plot(
        self, measure: str, name: str, require: RequireSymbol | None, helped: tuple[Helped, ...]
    ) -> PlotTold | None:
        ends = _ends(self.checked.symbols.params[name], self.params.get(name))
        if ends is None:
            return None
        axis = Axis(name, *ends, _POINTS)
        others = {each: value for each, value in self.params.items() if each != name}
        try:
            plot = Explored(self.checked).plot(
                measure, (axis,), others, self.unit, min(_SECONDS_EACH, self.deadline.left())
            )
        except (Fault, ValueError):
            return None
        points = [each for each in plot.rows[0] if is_bounded(each)]
        if len(points) <= _POINTS // 2 or max(each.lower for each in points) <= min(each.upper for each in points):
            return None  # there is little to see, or nothing that changes
        value = self.params.get(name, self.checked.symbols.params[name].default)
        here = None if value is None else coordinate(value)
        bound = None if require is None else _bound(require, plot.unit, self.checked.symbols.consts)
        holds = None
        if require is not None:
            tuned = next((one.tuned for one in helped if one.require is require and one.parameter == name), None)
            if tuned is not None and tuned.proved:
                holds = float(tuned.low.value), float(tuned.high.value)
        words = _words(measure, name, points, plot.unit, bound)
        told = tuple(
            PointTold(
                coordinate(each.at[0]), each.lower, each.value, each.upper, printable(each.fault), is_approximate(each)
            )
            for each in plot.rows[0]
        )
        return PlotTold(printable(measure), printable(name), plot.unit, told, here, bound, holds, words)


def _rational_ends(symbol: ParamSymbol) -> tuple[Fraction, Fraction] | None:
    """Return the ends of a parameter that takes all values between two rational ends, these included."""
    domain = symbol.domain
    if domain is None or domain.low is None or domain.high is None or not (domain.low_closed and domain.high_closed):
        return None
    low, high = exact.to_fraction(domain.low), exact.to_fraction(domain.high)
    return None if low is None or high is None or low >= high else (low, high)


def _ends(symbol: ParamSymbol, value: Number | None) -> tuple[Number, Number] | None:
    """Return between which values a parameter is drawn: those of its domain; without an end there, as far beyond its value as that is from the other."""
    domain = symbol.domain
    here = symbol.default if value is None else value
    if domain is None or domain.low is None:
        return None
    if domain.high is not None:
        return domain.low, domain.high
    if here is None or exact.compare(here, domain.low) <= 0:
        return None
    return domain.low, exact.add(here, exact.sub(here, domain.low))


def _bound(require: RequireSymbol, unit: str, consts: Mapping[str, Number]) -> float | None:
    """Return what a measure is compared with, where that is a number, the same for all parameters, in the unit that is drawn."""
    if (require.node.unit or unit) != unit:
        return None
    try:
        return coordinate(read_number(spell(require.node.bound), consts))
    except ValueError:
        return None


def _words(measure: str, name: str, points: list[Plotted], unit: str, bound: float | None) -> str:
    first, last = points[0], points[-1]
    told = [f"{_at(each, unit)} at {name} = {coordinate(each.at[0]):.6g}" for each in (first, last)]
    budget = "" if bound is None else f"; the budget is {with_unit(f'{bound:.6g}', unit)}"
    return printable(f"{measure} over {name}: {told[0]}, {told[1]}{budget}")


def _at(point: Plotted, unit: str) -> str:
    if point.value is not None:
        return with_unit(rounded(point.value), unit)
    return f"{rounded(point.lower, FEW_DIGITS, 'down')} to {with_unit(rounded(point.upper, FEW_DIGITS, 'up'), unit)}"
