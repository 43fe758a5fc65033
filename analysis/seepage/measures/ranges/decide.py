"""``require M <= e over …``: decided for every point of the ranges.

What is tried, in this order: the point with the least noise; numbers that bound the measure whatever the parameters are (``0 <= I <= log`` of the number of values); algebra,
which alone proves equalities; the search of :mod:`seepage.measures.ranges.search`; what the hidden value alone tells (:mod:`seepage.measures.ranges.processed`). A proof also needs that the program has a meaning
everywhere in the ranges: probabilities between 0 and 1, observations that can pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from seepage import exact
from seepage.algebra import NoAlgebra
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.engines.forward.polynomials import NoPolynomial
from seepage.engines.select import samples_continuous
from seepage.exact import ArithmeticFault, Number
from seepage.measures.asking import Asking
from seepage.measures.digits import rounded
from seepage.measures.formulas.inlining import inlined
from seepage.measures.planning.table import row_of
from seepage.measures.ranges.cells import cells_of
from seepage.measures.ranges.conditions import passing_conditions
from seepage.measures.ranges.degrading import by_least_noise, by_parts
from seepage.measures.ranges.kinds import by_limits_alone, capacity, guessing, privacy, quotient, sums
from seepage.measures.ranges.numbers import without_value
from seepage.measures.ranges.processed import by_what_is_hidden
from seepage.measures.ranges.required import Decision, Requirement, ranges_of
from seepage.measures.ranges.runs import NoProblem
from seepage.measures.ranges.search import Cell, Outcome, Point
from seepage.measures.requirement import Verdict
from seepage.rules import IMPOSSIBLE_OBSERVATION, NOT_SUPPORTED
from seepage.semantics.checked import Domain, RequireSymbol
from seepage.semantics.measure_names import names_in, numbers_of_relation
from seepage.syntax import walk
from seepage.syntax.tree import GainName, GainTable, MeasureArithmetic, MeasureCall

_SHOWN, _LONGEST = 3, 120  # conditions that are named, and the characters of one
_CONTINUOUS = "over ranges, measures of continuous values are tried at points and not proved"
_LENGTH, _DIGITS = 8, 5  # of ends in messages: longer ones are rounded outward


@dataclass(frozen=True, slots=True)
class OverRanges:
    """What is known of a budget over ranges.

    Attributes:
        verdict: for all their points together.
        witness: a point at which it fails.
        reason: why it cannot be told, in words.
        followed: whether the measure was followed over the ranges; where it was not, points can still refute the budget.
    """

    verdict: Verdict
    witness: Point | None = None
    reason: str = ""
    followed: bool = True


def decide(asking: Asking, symbol: RequireSymbol, judge: Callable[[Point], Verdict]) -> OverRanges:
    """Decide a budget over its ranges.

    Args:
        asking: the program and the values of the other parameters.
        symbol: the budget.
        judge: says whether it holds at one point of the ranges.

    Raises:
        Fault: of the ranges themselves.
    """
    ranges = ranges_of(asking, symbol)
    if any(_is_empty(domain) for domain in ranges.values()):
        return OverRanges("holds")
    if fixed := [name for name in asking.core.rests_on if name in ranges]:
        names = " and ".join(f"'{name}'" for name in fixed)
        reason = f"the law of a loop of unknown length, or of a draw, is known at single values of {names} only"
        return OverRanges("cannot tell", reason=reason, followed=False)
    required = Requirement(replace(asking, core=inlined(asking.core)), symbol, ranges, judge)
    try:
        outcome, conditions = _by_noise(required, by_least_noise) or _decided(required)
        reason = "" if outcome.verdict != "cannot tell" else _what_remains(outcome, ranges)
    except (NoProblem, NoPolynomial, NoAlgebra) as impossible:
        outcome, conditions, reason = Outcome("cannot tell"), (), str(impossible)
    except ArithmeticFault as fault:
        outcome, conditions, reason = Outcome("cannot tell"), (), fault.reason
    except Fault as fault:
        outcome, conditions, reason = Outcome("cannot tell"), (), _why_not(fault, asking)
    followed = bool(outcome.remaining) or outcome.verdict != "cannot tell"
    for way in (by_parts, _by_what_is_hidden):
        if outcome.verdict == "cannot tell" and (found := _by_noise(required, way)) is not None:
            outcome, conditions = found
    if outcome.verdict == "holds" and conditions:
        return OverRanges("cannot tell", reason=_what_is_needed(conditions))
    if outcome.verdict == "cannot tell":
        return OverRanges("cannot tell", reason=reason, followed=followed)
    if outcome.verdict == "holds" and (why := without_value(required)):
        return OverRanges("cannot tell", reason=why)
    return OverRanges(outcome.verdict, outcome.witness)


def _why_not(fault: Fault, asking: Asking) -> str:
    """Say what keeps a measure from being followed."""
    if fault.diagnostic.rule is NOT_SUPPORTED and samples_continuous(asking.core.statements):
        return _CONTINUOUS
    if fault.diagnostic.rule is IMPOSSIBLE_OBSERVATION:  # of a program in which comparisons are decided
        return "in some part of the ranges no run may pass an observation"
    return fault.diagnostic.message


def _by_noise(required: Requirement, way: Callable[[Requirement], Decision | None]) -> Decision | None:
    """Decide a budget by the sizes of noise, if they decide it."""
    try:
        found = way(required)
        if found is None or found[0].verdict != "holds":
            return found
        outcome, needed = found
        passing = passing_conditions(required.scope, required.ranges, required.computation, required.middle)
        return outcome, (*needed, *passing)
    except (NoProblem, NoAlgebra, NoPolynomial, ArithmeticFault, Fault):
        return None


def _by_what_is_hidden(required: Requirement) -> Decision | None:
    return by_what_is_hidden(required, _decided)


def _decided(required: Requirement) -> Decision:
    """Return how the search ended, and if the budget holds what the ranges do not ensure."""
    _need_one_question(required)
    cells = cells_of(required)
    if cells is not None:
        return _cell_by_cell(cells)
    measure = required.symbol.node.measure
    if isinstance(measure, MeasureCall) and (found := _of_call(required, measure)) is not None:
        return found
    if isinstance(measure, MeasureArithmetic) and measure.operator == "/":
        return quotient(required, measure)
    return sums(required)


def _of_call(required: Requirement, call: MeasureCall) -> Decision | None:
    """Return how the search ended for one measure that is no sum of logarithms; None of others."""
    measure = row_of(call)
    if measure.is_of_losses or measure.is_capacity or (measure.is_of_gains and not measure.reads_prior):
        known = by_limits_alone(required, call)
        if known is not None:
            return known
    if measure.is_capacity:
        return capacity(required, call)
    if measure.is_of_losses:
        if required.comparison not in ("<=", "<"):
            raise NoProblem(f"of '{call.name}' only budgets from above are followed over a range")
        return privacy(required, call)
    return guessing(required, call) if measure.is_of_gains else None


def _need_one_question(required: Requirement) -> None:
    """Raise :class:`NoProblem` where parameters of the ranges say which guesses or which neighbours are meant: no function of them is made."""
    for call in walk.nodes(required.symbol.node.measure):
        if isinstance(call, MeasureCall):
            meant = [("distance", one.value) for one in call.named if one.name == "distance"]
            meant += [("relation of neighbours", each) for each in numbers_of_relation(call)]
            match call.gain:
                case GainTable(entries=entries):
                    meant += [("gain", each) for guess, value, _ in entries for each in (*guess, *value)]
                case GainName(arguments=arguments):
                    meant += [("gain", each) for each in arguments]
                case None:
                    pass
            for what, part in meant:
                for _, name in names_in(part):
                    if name in required.ranges:
                        raise NoProblem(f"a {what} that depends on '{name}' is not followed over a range")


def _cell_by_cell(cells: Iterable[Requirement]) -> Decision:
    """Decide a budget on parts of its ranges that cover them."""
    conditions: dict[str, None] = {}
    undecided: Outcome | None = None
    for cell in cells:
        known = {
            name: domain.low
            for name, domain in cell.ranges.items()
            if domain.low is not None and domain.low == domain.high
        }
        found, needed = _inside(cell, known)
        if found.verdict == "violated":
            return replace(found, witness={**known, **(found.witness or {})}), ()
        if found.verdict == "cannot tell":
            undecided = undecided or found
        conditions |= dict.fromkeys(needed)
    return undecided or Outcome("holds"), () if undecided else tuple(conditions)


def _inside(cell: Requirement, known: Mapping[str, Number]) -> Decision:
    """Decide a budget on a part of its ranges in which some parameters have one value."""
    left = {name: domain for name, domain in cell.ranges.items() if name not in known}
    if not left:
        verdict = cell.judge(known)
        whole = {name: (domain.low, domain.high) for name, domain in cell.ranges.items()}
        return Outcome(verdict, known if verdict == "violated" else None, (whole,), 1), ()
    there = replace(cell.asking, parameters={**cell.asking.parameters, **known})
    return _decided(Requirement(there, cell.symbol, left, lambda point: cell.judge({**known, **point})))


def _is_empty(domain: Domain) -> bool:
    if domain.low is None or domain.high is None:
        return False
    order = exact.compare(domain.low, domain.high)
    return order > 0 or (order == 0 and not (domain.low_closed and domain.high_closed))


def _what_is_needed(conditions: Sequence[str]) -> str:
    """Say where the program has a meaning."""
    if any(len(each) > _LONGEST for each in conditions[:_SHOWN]):
        return "that all observations can pass everywhere in the ranges is not proved"
    listed = ", ".join(conditions[:_SHOWN]) + (", …" if len(conditions) > _SHOWN else "")
    return f"the program has a meaning only where {listed}, which the ranges do not ensure"


def _what_remains(outcome: Outcome, ranges: Mapping[str, Domain]) -> str:
    """Say in which part of the ranges a budget is not decided."""
    cells = outcome.remaining
    hulls = [_where(name, low, high, ranges) for name, (low, high) in _hull(cells).items()]
    boxes = "1 box" if len(cells) == 1 else f"{len(cells):,} boxes"
    limit = ", when the time was up" if outcome.out_of_time else ""
    whole = (
        f" of {outcome.boxes:,}" if outcome.boxes >= len(cells) else ""
    )  # parts that were looked at apart count their own
    return f"not decided for {', '.join(hulls)} ({boxes}{whole}{limit})"


def _where(name: str, low: Number | None, high: Number | None, ranges: Mapping[str, Domain]) -> str:
    """Say where a parameter lies: near the end that a range leaves out, where nothing but this end, taken as a limit, is left."""
    if low is not None and low == high and name in ranges and not ranges[name].contains(low):
        return f"{name} near {exact.show(low)}"
    return f"{name} in [{_shown(low, 'down')}, {_shown(high, 'up')}]"


def _hull(cells: tuple[Cell, ...]) -> Cell:
    result: dict[str, tuple[Number | None, Number | None]] = dict(cells[0])
    for cell in cells[1:]:
        for name, (low, high) in cell.items():
            least, greatest = result[name]
            least = None if least is None or low is None else exact.minimum(least, low)
            greatest = None if greatest is None or high is None else exact.maximum(greatest, high)
            result[name] = (least, greatest)
    return result


def _shown(end: Number | None, direction: Literal["down", "up"]) -> str:
    if end is None:
        return "-inf" if direction == "down" else "inf"
    text = exact.show(end)
    return text if len(text) <= _LENGTH else rounded(float(exact.enclose(end).mid()), _DIGITS, direction)
