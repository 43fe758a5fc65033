"""``require M <= e over …``: decided for every point of the ranges.

What is tried, in this order: numbers that bound the measure whatever the parameters are (``0 <= I <= log`` of the number of values); algebra,
which alone proves equalities; the search of :mod:`seepage.measures.ranges.search`. A proof also needs that the program has a meaning
everywhere in the ranges: probabilities between 0 and 1, observations that can pass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from seepage import exact
from seepage.algebra import NoAlgebra
from seepage.diagnostics import Fault
from seepage.engines.forward.polynomials import NoPolynomial
from seepage.exact import ArithmeticFault, CannotDecide, Number
from seepage.measures.asking import Asking
from seepage.measures.digits import rounded
from seepage.measures.ranges.guessing import MEASURES as GUESSING
from seepage.measures.ranges.guessing import GuessingProblem, guessing_problem
from seepage.measures.ranges.privacy import Static, ratios_of
from seepage.measures.ranges.problem import NoProblem, Problem, conditions_of, problem_of
from seepage.measures.ranges.search import Cell, Outcome, Point, Question, middle_of, search
from seepage.measures.requirement import Verdict
from seepage.measures.scope import Scope, fail, static_number
from seepage.rules import UNKNOWN_IN_MEASURE
from seepage.semantics.checked import Domain, RequireSymbol
from seepage.syntax.tree import Expression, Infinity, MeasureCall, Unary

_SHOWN = 3  # conditions that are named
_LENGTH, _DIGITS = 8, 5  # of ends in messages: longer ones are rounded outward


@dataclass(frozen=True, slots=True)
class OverRanges:
    """What is known of a budget over ranges.

    Attributes:
        verdict: for all their points together.
        witness: a point at which it fails.
        reason: why it cannot be told, in words.
    """

    verdict: Verdict
    witness: Point | None = None
    reason: str = ""


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
    try:
        outcome, conditions = _decided(asking, symbol, ranges, judge)
    except (NoProblem, NoPolynomial, NoAlgebra) as impossible:
        return OverRanges("cannot tell", reason=str(impossible))
    except ArithmeticFault as fault:
        return OverRanges("cannot tell", reason=fault.reason)
    except Fault as fault:
        return OverRanges("cannot tell", reason=fault.diagnostic.message)
    if outcome.verdict == "holds" and conditions:
        listed = ", ".join(conditions[:_SHOWN]) + (", …" if len(conditions) > _SHOWN else "")
        return OverRanges(
            "cannot tell", reason=f"the program has a meaning only where {listed}, which the ranges do not ensure"
        )
    reason = "" if outcome.verdict != "cannot tell" else _what_remains(outcome)
    return OverRanges(outcome.verdict, outcome.witness, reason)


def _decided(
    asking: Asking, symbol: RequireSymbol, ranges: Mapping[str, Domain], judge: Callable[[Point], Verdict]
) -> tuple[Outcome, tuple[str, ...]]:
    """Return how the search ended, and if the budget holds what the ranges do not ensure."""
    measure = symbol.node.measure
    if isinstance(measure, MeasureCall) and measure.name == "DP":
        return _privacy(asking, symbol, measure, ranges, judge)
    if isinstance(measure, MeasureCall) and measure.name in GUESSING:
        return _guessing(asking, symbol, measure, ranges, judge)
    upward = problem(asking, symbol, ranges, 1)
    outcome = _by_limits(upward, symbol) or _by_search(asking, symbol, upward, judge)
    return outcome, upward.conditions(_middle(ranges)) if outcome.verdict == "holds" else ()


def _privacy(
    asking: Asking,
    symbol: RequireSymbol,
    call: MeasureCall,
    ranges: Mapping[str, Domain],
    judge: Callable[[Point], Verdict],
) -> tuple[Outcome, tuple[str, ...]]:
    """Decide ``DP(x -> y) <= e``: for each ratio of the channel, and that e is not negative."""
    if symbol.node.comparison not in ("<=", "<"):
        raise NoProblem("of 'DP' only budgets from above are followed over a range")
    scope, strict = asking.scope(symbol.start), symbol.node.comparison == "<"
    ratios, bound, runs = ratios_of(scope, call, symbol.node.bound, ranges, asking.budget)
    questions: list[Question] = [Static(bound, ranges), *ratios]
    undecided: Outcome | None = None
    for question in questions:
        found = search(question, strict, judge, asking.budget)
        if found.verdict == "violated":
            return found, ()
        if found.verdict == "cannot tell":
            undecided = undecided or found
    if undecided is not None:
        return undecided, ()
    return Outcome("holds"), conditions_of(runs.made, ranges, _middle(ranges))


def _guessing(
    asking: Asking,
    symbol: RequireSymbol,
    call: MeasureCall,
    ranges: Mapping[str, Domain],
    judge: Callable[[Point], Verdict],
) -> tuple[Outcome, tuple[str, ...]]:
    """Decide a budget for a measure of guessing."""
    comparison = symbol.node.comparison
    if comparison == "==":
        raise NoProblem(f"an equality of '{call.name}' is not followed over a range")
    sign, scope = (1 if comparison in ("<=", "<") else -1), asking.scope(symbol.start)
    question, runs = guessing_problem(scope, call, symbol.node.bound, _per_unit(symbol), ranges, sign, asking.budget)
    found = _by_limits(question, symbol) or search(question, comparison in ("<", ">"), judge, asking.budget)
    return found, conditions_of(runs.made, ranges, _middle(ranges)) if found.verdict == "holds" else ()


def _per_unit(symbol: RequireSymbol) -> Number:
    return 1 if symbol.node.unit == "nats" else exact.log_(2)


def problem(asking: Asking, symbol: RequireSymbol, ranges: Mapping[str, Domain], sign: int) -> Problem:
    """Return a budget as a function of the parameters in ``ranges``; arguments and faults as :func:`problem_of`."""
    node = symbol.node
    scope = asking.scope(symbol.start)
    return problem_of(scope, node.measure, node.bound, _per_unit(symbol), ranges, sign, asking.budget)


def ranges_of(asking: Asking, symbol: RequireSymbol) -> dict[str, Domain]:
    """Return the ranges of a budget.

    Raises:
        Fault: for one of a name that is no parameter, or whose ends are no numbers.
    """
    scope = asking.scope(symbol.start)
    found: dict[str, Domain] = {}
    for each in symbol.node.ranges:
        interval = each.interval
        if each.name not in asking.checked.symbols.params:
            fail(UNKNOWN_IN_MEASURE, each.name_span.shift(symbol.start), f"'{each.name}' is no parameter")
        low, high = _end(scope, interval.low), _end(scope, interval.high)
        found[each.name] = Domain(low, high, interval.low_closed, interval.high_closed)
    return found


def _end(scope: Scope, expression: Expression) -> Number | None:
    if isinstance(expression, Infinity) or (isinstance(expression, Unary) and isinstance(expression.operand, Infinity)):
        return None
    return static_number(scope, expression)


def _is_empty(domain: Domain) -> bool:
    if domain.low is None or domain.high is None:
        return False
    order = exact.compare(domain.low, domain.high)
    return order > 0 or (order == 0 and not (domain.low_closed and domain.high_closed))


def _middle(ranges: Mapping[str, Domain]) -> Point:
    return {name: middle_of(domain.low, domain.high) for name, domain in ranges.items()}


def _by_limits(problem: Problem | GuessingProblem, symbol: RequireSymbol) -> Outcome | None:
    """Decide by numbers that bound the measure everywhere."""
    bound = problem.bound_value()
    if bound is None:
        return None
    low, high = problem.limits()
    try:
        match symbol.node.comparison:
            case "<=" | "<" as comparison if high is not None:
                sign = exact.compare(high, bound)
            case ">=" | ">" as comparison if low is not None:
                sign = exact.compare(bound, low)
            case _:
                return None
    except CannotDecide:
        return None
    return Outcome("holds") if sign < 0 or (sign == 0 and comparison in ("<=", ">=")) else None


def _by_search(asking: Asking, symbol: RequireSymbol, upward: Problem, judge: Callable[[Point], Verdict]) -> Outcome:
    comparison = symbol.node.comparison
    if comparison == "==" and upward.vanishes({}):
        return Outcome("holds")
    outcomes = []
    for sign in (1, -1):
        if (sign == 1 and comparison in (">=", ">")) or (sign == -1 and comparison in ("<=", "<")):
            continue
        question = upward if sign == 1 else upward.negated()
        strict = comparison in ("<", ">")
        found = search(question, strict, judge, asking.budget)
        if found.verdict == "violated":
            return found
        outcomes.append(found)
    undecided = [each for each in outcomes if each.verdict == "cannot tell"]
    return undecided[0] if undecided else outcomes[0]


def _what_remains(outcome: Outcome) -> str:
    """Say in which part of the ranges a budget is not decided."""
    cells = outcome.remaining
    hulls = [f"{name} in [{_shown(low, 'down')}, {_shown(high, 'up')}]" for name, (low, high) in _hull(cells).items()]
    boxes = "1 box" if len(cells) == 1 else f"{len(cells):,} boxes"
    limit = ", when the time was up" if outcome.out_of_time else ""
    return f"not decided for {', '.join(hulls)} ({boxes} of {outcome.boxes:,}{limit})"


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
