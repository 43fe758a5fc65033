"""``require M <= e over …``: decided for every point of the ranges.

What is tried, in this order: numbers that bound the measure whatever the parameters are (``0 <= I <= log`` of the number of values); algebra,
which alone proves equalities; the search of :mod:`seepage.measures.ranges.search`. A proof also needs that the program has a meaning
everywhere in the ranges: probabilities between 0 and 1, observations that can pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from seepage import exact
from seepage.algebra import NoAlgebra
from seepage.diagnostics import Fault
from seepage.engines.forward.polynomials import NoPolynomial
from seepage.engines.outcome import Budget
from seepage.exact import ArithmeticFault, CannotDecide, Number
from seepage.measures.asking import Asking
from seepage.measures.digits import rounded
from seepage.measures.formulas.fixed_parameters import fixed
from seepage.measures.formulas.guards import inner_point
from seepage.measures.privacy.noise_reading import NotRead
from seepage.measures.ranges.cells import cells_of
from seepage.measures.ranges.combined import CombinedProblem, combined_problem
from seepage.measures.ranges.degrading import by_least_noise
from seepage.measures.ranges.excess import excesses_of
from seepage.measures.ranges.guessing import MEASURES as GUESSING
from seepage.measures.ranges.guessing import GuessingProblem, guessing_problem
from seepage.measures.ranges.noise import differences_of
from seepage.measures.ranges.privacy import Claim, Difference, ratios_of, written
from seepage.measures.ranges.problem import NoProblem, Problem, Runs, conditions_of, problem_of
from seepage.measures.ranges.search import Cell, Outcome, Point, Question, search
from seepage.measures.requirement import Verdict
from seepage.measures.scope import Scope, core_expression, fail, static_number
from seepage.rules import UNKNOWN_IN_MEASURE
from seepage.semantics.checked import Domain, RequireSymbol
from seepage.syntax import tree
from seepage.syntax.tree import Expression, Infinity, MeasureArithmetic, MeasureCall, MeasureNegation, Unary

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
        reason = "" if outcome.verdict != "cannot tell" else _what_remains(outcome)
    except (NoProblem, NoPolynomial, NoAlgebra) as impossible:
        outcome, conditions, reason = Outcome("cannot tell"), (), str(impossible)
    except ArithmeticFault as fault:
        outcome, conditions, reason = Outcome("cannot tell"), (), fault.reason
    except Fault as fault:
        outcome, conditions, reason = Outcome("cannot tell"), (), fault.diagnostic.message
    if outcome.verdict == "cannot tell" and (found := _by_least_noise(asking, symbol, ranges, judge)) is not None:
        outcome, conditions = found
    if outcome.verdict == "holds" and conditions:
        listed = ", ".join(conditions[:_SHOWN]) + (", …" if len(conditions) > _SHOWN else "")
        return OverRanges(
            "cannot tell", reason=f"the program has a meaning only where {listed}, which the ranges do not ensure"
        )
    return OverRanges(outcome.verdict, outcome.witness, reason if outcome.verdict == "cannot tell" else "")


def _by_least_noise(
    asking: Asking, symbol: RequireSymbol, ranges: Mapping[str, Domain], judge: Callable[[Point], Verdict]
) -> tuple[Outcome, tuple[str, ...]] | None:
    try:
        return by_least_noise(asking, symbol, ranges, judge)
    except (NoAlgebra, ArithmeticFault, Fault):
        return None


def _decided(
    asking: Asking, symbol: RequireSymbol, ranges: Mapping[str, Domain], judge: Callable[[Point], Verdict]
) -> tuple[Outcome, tuple[str, ...]]:
    """Return how the search ended, and if the budget holds what the ranges do not ensure."""
    cells = cells_of(asking, symbol, ranges)
    if cells is not None:
        return _cell_by_cell(cells[1], cells[0], judge)
    measure = symbol.node.measure
    if isinstance(measure, MeasureCall) and measure.name in ("DP", "Delta"):
        if symbol.node.comparison not in ("<=", "<"):
            raise NoProblem(f"of '{measure.name}' only budgets from above are followed over a range")
        return _privacy(asking, symbol, measure, ranges, judge)
    if isinstance(measure, MeasureCall) and measure.name in GUESSING:
        return _guessing(asking, symbol, measure, ranges, judge)
    if isinstance(measure, MeasureArithmetic) and measure.operator == "/":
        return _quotient(asking, symbol, measure, ranges, judge)
    return _sums(asking, symbol, ranges, judge)


def _quotient(
    asking: Asking,
    symbol: RequireSymbol,
    measure: MeasureArithmetic,
    ranges: Mapping[str, Domain],
    judge: Callable[[Point], Verdict],
) -> tuple[Outcome, tuple[str, ...]]:
    """Decide ``M / N <= e`` as ``M − e·N <= 0``, and that N is positive."""
    node = symbol.node
    static = not isinstance(measure.right, MeasureCall | MeasureArithmetic | MeasureNegation)
    if static:
        return _sums(asking, symbol, ranges, judge)
    scaled = MeasureArithmetic("*", node.bound, measure.right, measure.span)
    difference = MeasureArithmetic("-", measure.left, scaled, measure.span)
    zero = tree.Number(Fraction(0), node.bound.span)
    try:
        positive = problem_of(asking.scope(symbol.start), measure.right, zero, 1, ranges, -1, asking.budget)
    except NoProblem:
        return _sums(asking, symbol, ranges, judge)
    found, needed = _sums(asking, replace(symbol, node=replace(node, measure=difference, bound=zero)), ranges, judge)
    if found.verdict != "holds":
        return found, ()
    defined = search(positive, True, judge, asking.budget)
    return defined, needed if defined.verdict == "holds" else ()


def _sums(
    asking: Asking, symbol: RequireSymbol, ranges: Mapping[str, Domain], judge: Callable[[Point], Verdict]
) -> tuple[Outcome, tuple[str, ...]]:
    """Decide a budget for a linear combination of entropies, informations and divergences, or of means, variances and chances."""
    try:
        upward = problem(asking, symbol, ranges, 1)
    except NoProblem:
        if not isinstance(symbol.node.measure, MeasureArithmetic | MeasureNegation):
            raise
        node, scope = symbol.node, asking.scope(symbol.start)
        combined, runs = combined_problem(scope, node.measure, node.bound, _per_unit(symbol), ranges, asking.budget)
        found = _by_search(asking, symbol, combined, judge)
        return found, conditions_of(runs.made, ranges, _middle(ranges)) if found.verdict == "holds" else ()
    outcome = _by_limits(upward, symbol) or _by_search(asking, symbol, upward, judge)
    return outcome, upward.conditions(_middle(ranges)) if outcome.verdict == "holds" else ()


def _cell_by_cell(
    cells: Iterable[tuple[Asking, Mapping[str, Domain]]], symbol: RequireSymbol, judge: Callable[[Point], Verdict]
) -> tuple[Outcome, tuple[str, ...]]:
    """Decide a budget on parts of its ranges that cover them."""
    conditions: dict[str, None] = {}
    undecided: Outcome | None = None
    for asking, ranges in cells:
        fixed_ones = {
            name: domain.low for name, domain in ranges.items() if domain.low is not None and domain.low == domain.high
        }

        def inside(point: Point, known: Mapping[str, Number] = fixed_ones) -> Verdict:
            return judge({**known, **point})

        left = {name: domain for name, domain in ranges.items() if name not in fixed_ones}
        needed: tuple[str, ...] = ()
        if not left:
            verdict = judge(fixed_ones)
            found = Outcome(verdict, fixed_ones if verdict == "violated" else None, (_as_cell(ranges),), 1)
        else:
            there = replace(asking, parameters={**asking.parameters, **fixed_ones})
            found, needed = _decided(there, symbol, left, inside)
        if found.verdict == "violated":
            return replace(found, witness={**fixed_ones, **(found.witness or {})}), ()
        if found.verdict == "cannot tell":
            undecided = undecided or found
        conditions |= dict.fromkeys(needed)
    return undecided or Outcome("holds"), () if undecided else tuple(conditions)


def _as_cell(ranges: Mapping[str, Domain]) -> Cell:
    return {name: (domain.low, domain.high) for name, domain in ranges.items()}


def _privacy(
    asking: Asking,
    symbol: RequireSymbol,
    call: MeasureCall,
    ranges: Mapping[str, Domain],
    judge: Callable[[Point], Verdict],
) -> tuple[Outcome, tuple[str, ...]]:
    """Decide ``DP(x -> y, delta=d) <= e`` or ``Delta(x -> y, eps=e) <= d``: for each pair of neighbours, and that the budget is not negative."""
    named = {argument.name: argument.value for argument in call.named}
    zero = tree.Number(Fraction(0), symbol.span)
    if call.name == "DP":
        epsilon, delta = symbol.node.bound, named.get("delta", zero)
    else:
        epsilon, delta = named.get("eps", zero), symbol.node.bound
    scope, strict, middle = asking.scope(symbol.start), symbol.node.comparison == "<", _middle(ranges)
    claim = Claim(call, epsilon, delta, _is_zero(scope, delta))
    try:
        questions, runs = _of_pairs(scope, claim, ranges, asking.budget)
        needed: tuple[str, ...] = ()
    except NoProblem as impossible:
        try:
            questions, runs, needed = differences_of(scope, claim, ranges, asking.budget, middle)
        except NotRead:
            raise impossible from None
        strict, judge = strict and call.name == "DP", _only_violations(judge)
    limit = Difference(zero, written(scope, symbol.node.bound, ranges), ranges)
    undecided = _all_hold([limit], symbol.node.comparison == "<", judge, asking.budget)
    if undecided is None and call.name == "Delta":
        undecided = _all_hold([Difference(zero, written(scope, epsilon, ranges), ranges)], False, judge, asking.budget)
    undecided = undecided or _all_hold(questions, strict, judge, asking.budget)
    return undecided or Outcome("holds"), () if undecided else (*needed, *conditions_of(runs.made, ranges, middle))


def _of_pairs(
    scope: Scope, claim: Claim, ranges: Mapping[str, Domain], budget: Budget
) -> tuple[Sequence[Question], Runs]:
    """Return what a claim says of pairs of neighbours; ratios where nothing may exceed them, as they can be proved by algebra."""
    if claim.pure:
        return ratios_of(scope, claim, ranges, budget)
    return excesses_of(scope, claim, ranges, budget)


def _is_zero(scope: Scope, expression: Expression) -> bool:
    """Tell whether an expression is 0 whatever the parameters are."""
    closed = fixed(core_expression(scope, expression), {})
    return isinstance(closed, tree.Number) and closed.value == 0


def _only_violations(judge: Callable[[Point], Verdict]) -> Callable[[Point], Verdict]:
    """Return a judge for a function above the measure's: that the budget holds at a point says nothing of others with smaller values."""
    return lambda point: "violated" if judge(point) == "violated" else "cannot tell"


def _all_hold(
    questions: Sequence[Question], strict: bool, judge: Callable[[Point], Verdict], budget: Budget
) -> Outcome | None:
    """Return None if functions are all nowhere positive; how the search for the first that may be ended otherwise."""
    undecided: Outcome | None = None
    for question in questions:
        found = search(question, strict, judge, budget)
        if found.verdict == "violated":
            return found
        if found.verdict == "cannot tell":
            undecided = undecided or found
    return undecided


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
    return {name: inner_point(domain.low, domain.high) for name, domain in ranges.items()}


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


def _by_search(
    asking: Asking, symbol: RequireSymbol, upward: Problem | CombinedProblem, judge: Callable[[Point], Verdict]
) -> Outcome:
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
