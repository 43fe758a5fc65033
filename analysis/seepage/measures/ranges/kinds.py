"""One way of deciding for each kind of measure: sums of entropies, quotients, differential privacy, guessing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from seepage import exact
from seepage.diagnostics import Fault
from seepage.engines.forward.polynomials import NoPolynomial
from seepage.engines.outcome import Budget
from seepage.exact import CannotDecide, Number
from seepage.measures.formulas.fixed_parameters import fixed
from seepage.measures.planning.table import row_of
from seepage.measures.privacy.noise_reading import NotRead
from seepage.measures.ranges.combined import CombinedProblem, combined_problem
from seepage.measures.ranges.conditions import conditions_of
from seepage.measures.ranges.endless import bounded
from seepage.measures.ranges.excess import excesses_of
from seepage.measures.ranges.guessing import GuessingProblem, guessing_problem
from seepage.measures.ranges.noise import differences_of
from seepage.measures.ranges.privacy import Claim, Difference, ratios_of, written
from seepage.measures.ranges.problem import Problem, problem_of
from seepage.measures.ranges.required import Decision, Requirement, only_violations
from seepage.measures.ranges.runs import NoProblem, Runs
from seepage.measures.ranges.search import Outcome, Point, Question, search
from seepage.measures.requirement import Comparison, Verdict
from seepage.measures.scope import Scope, core_expression, variables
from seepage.semantics.checked import Domain
from seepage.semantics.evaluate import evaluate
from seepage.semantics.measure_names import names_in
from seepage.semantics.substitute import is_closed
from seepage.syntax import tree
from seepage.syntax.tree import Expression, MeasureArithmetic, MeasureCall, MeasureNegation


def quotient(required: Requirement, measure: MeasureArithmetic) -> Decision:
    """Decide ``M / N <= e`` as ``M − e·N <= 0``, and that N is positive."""
    node = required.symbol.node
    static = not isinstance(measure.right, MeasureCall | MeasureArithmetic | MeasureNegation)
    if static:
        return sums(required)
    scaled = MeasureArithmetic("*", node.bound, measure.right, measure.span)
    difference = MeasureArithmetic("-", measure.left, scaled, measure.span)
    zero = tree.Number(Fraction(0), node.bound.span)
    try:
        positive = problem_of(required.scope, measure.right, zero, 1, required.ranges, -1, required.computation)
    except NoProblem:
        return sums(required)
    found, needed = sums(
        replace(required, symbol=replace(required.symbol, node=replace(node, measure=difference, bound=zero)))
    )
    if found.verdict != "holds":
        return found, ()
    judge = only_violations(required.judge) if positive.is_cut else required.judge
    defined = search(positive, True, judge, required.computation)
    return defined, needed if defined.verdict == "holds" else ()


def sums(required: Requirement) -> Decision:
    """Decide a budget for a linear combination of entropies, informations and divergences, or of means, variances and chances."""
    try:
        upward = required.problem(1)
    except NoProblem:
        node, ranges = required.symbol.node, required.ranges
        if not isinstance(node.measure, MeasureArithmetic | MeasureNegation):
            raise
        combined, runs = combined_problem(
            required.scope, node.measure, node.bound, required.per_unit, ranges, required.computation
        )
        found = _by_search(required, combined)
        return found, conditions_of(runs.made, ranges, required.middle) if found.verdict == "holds" else ()
    outcome = _by_limits(required, upward) or _by_search_in(required, upward)
    return outcome, upward.conditions(required.middle) if outcome.verdict == "holds" else ()


def privacy(required: Requirement, call: MeasureCall) -> Decision:
    """Decide ``DP(x -> y, delta=d) <= e`` or ``Delta(x -> y, eps=e) <= d``: for each pair of neighbours, and that the budget is not negative."""
    named = {argument.name: argument.value for argument in call.named}
    zero, bound = tree.Number(Fraction(0), required.symbol.span), required.symbol.node.bound
    measure = row_of(call)
    if measure.is_loss:
        epsilon, delta = bound, named.get("delta", zero)
    else:
        epsilon, delta = named.get("eps", zero), bound
    scope, ranges, middle, budget = required.scope, required.ranges, required.middle, required.computation
    claim = Claim(call, epsilon, delta, _is_zero(scope, delta), required.strict)
    limit = Difference(zero, written(scope, bound, ranges), ranges)
    limits = [(limit, required.strict)]
    if not measure.is_loss:
        limits.append((Difference(zero, written(scope, epsilon, ranges), ranges), False))
    for each, strict in limits:
        if (undecided := _all_hold([each], strict, only_violations(required.judge), budget)) is not None:
            return undecided, ()
    by_noise = _by_noise(required, claim)
    if by_noise is not None and by_noise[0].verdict != "cannot tell":
        return by_noise
    try:
        questions, runs = _of_pairs(scope, claim, ranges, budget)
    except (NoProblem, Fault):
        if by_noise is None:
            raise
        return by_noise
    undecided = _all_hold(questions, required.strict, required.judge, budget)
    return undecided or Outcome("holds"), () if undecided else conditions_of(runs.made, ranges, middle)


def _by_noise(required: Requirement, claim: Claim) -> Decision | None:
    """Decide a claim by what is published behind noise alone, which takes no look at outputs; None if nothing is."""
    ranges, middle, budget = required.ranges, required.middle, required.computation
    try:
        questions, runs, needed = differences_of(required.scope, claim, ranges, budget, middle)
    except (NotRead, NoProblem, NoPolynomial, Fault):
        return None
    strict, judge = claim.strict and row_of(claim.call).is_loss, only_violations(required.judge)
    undecided = _all_hold(questions, strict, judge, budget)
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


def by_limits_alone(required: Requirement, call: MeasureCall) -> Decision | None:
    """Decide a budget that every program meets in which ``DP``, ``Delta``, ``C`` or ``Cmin`` has a value: none is negative, and ``Delta`` is at most 1."""
    scope, ranges = required.scope, required.ranges
    bound = fixed(core_expression(scope, required.symbol.node.bound), {})
    if not is_closed(bound) or any(name in ranges for _, name in names_in(call)):
        return None
    met = _within(
        required.comparison, evaluate(bound, {}), (0, 1 if row_of(call).functional == "excess of loss" else None)
    )
    if met is None or required.judge(required.middle) != "holds":
        return None
    values = {name: value for name, value in scope.parameters.items() if name not in ranges}
    runs = Runs(scope, values, ranges, required.computation)
    runs.joint(
        scope.core, [name for part in (call.left, call.right, call.given) for name in variables(scope, part)], cut=True
    )
    return met, conditions_of(runs.made, ranges, required.middle)


def capacity(required: Requirement, call: MeasureCall) -> Decision:
    """Decide a budget for ``C``, which is at most ``Cmin``, and at least the information that the program's own secret gives."""
    if call.named:
        raise NoProblem("'C' under a power constraint is not followed over a range")
    only_of_it = replace(required, judge=only_violations(required.judge))
    if required.comparison in ("<=", "<"):
        found, other = guessing(only_of_it, replace(call, name="Cmin")), "'Cmin' alone, which is more"
    elif required.comparison in (">=", ">"):
        node = replace(required.symbol.node, measure=replace(call, name="I", separator=";"))
        found = sums(replace(only_of_it, symbol=replace(required.symbol, node=node)))
        other = "'I' with the program's own chances alone, which is less"
    else:
        raise NoProblem("an equality of 'C' is not followed over a range")
    if found[0].verdict == "cannot tell":
        raise NoProblem(f"'C' is followed over a range by {other}")
    return found


def guessing(required: Requirement, call: MeasureCall) -> Decision:
    """Decide a budget for a measure of guessing."""
    if required.comparison == "==":
        raise NoProblem(f"an equality of '{call.name}' is not followed over a range")
    sign, bound, ranges = (1 if required.comparison in ("<=", "<") else -1), required.symbol.node.bound, required.ranges
    question, runs = guessing_problem(
        required.scope, call, bound, required.per_unit, ranges, sign, required.computation
    )
    judge = only_violations(required.judge) if question.is_cut else required.judge
    found = _by_limits(required, question)
    if found is not None and (prior := question.prior()) is not None:
        defined = search(prior, True, only_violations(required.judge), required.computation)
        found = found if defined.verdict == "holds" else None
    within = found is None and _is_bounded(required, question)
    if found is None:
        moved = bounded(question)
        judged = judge if moved is None else lambda point: judge(moved.point(point))
        asked = question if moved is None else moved.problem
        found = search(asked, required.strict, judged, required.computation, bounded=within)
        found = found if moved is None else moved.outcome(found)
    return found, conditions_of(runs.made, ranges, required.middle) if found.verdict == "holds" else ()


def _by_limits(required: Requirement, problem: Problem | GuessingProblem) -> Outcome | None:
    """Decide by numbers that bound the measure everywhere."""
    bound = problem.bound_value()
    return None if bound is None else _within(required.comparison, bound, problem.limits())


def _is_bounded(required: Requirement, problem: Problem | GuessingProblem | CombinedProblem) -> bool:
    """Tell whether a measure is nowhere beyond its bound, though it may reach it."""
    if not required.strict or isinstance(problem, CombinedProblem) or (bound := problem.bound_value()) is None:
        return False
    return _within("<=" if required.comparison == "<" else ">=", bound, problem.limits()) is not None


def _within(comparison: Comparison, bound: Number, limits: tuple[Number | None, Number | None]) -> Outcome | None:
    """Decide by numbers between which a measure lies."""
    low, high = limits
    try:
        match comparison:
            case "<=" | "<" if high is not None:
                sign = exact.compare(high, bound)
            case ">=" | ">" if low is not None:
                sign = exact.compare(bound, low)
            case _:
                return None
    except CannotDecide:
        return None
    return Outcome("holds") if sign < 0 or (sign == 0 and comparison in ("<=", ">=")) else None


def _by_search_in(required: Requirement, upward: Problem) -> Outcome:
    """Search in variables that have two ends, where exponentials of parameters are such."""
    found = bounded(upward)
    if found is None:
        return _by_search(required, upward)
    judge = required.judge
    return found.outcome(_by_search(replace(required, judge=lambda point: judge(found.point(point))), found.problem))


def _by_search(required: Requirement, upward: Problem | CombinedProblem) -> Outcome:
    comparison, judge = required.comparison, required.judge
    if comparison == "==" and upward.vanishes({}):
        return Outcome("holds")
    if upward.is_cut:
        if comparison == "==":
            raise NoProblem("infinitely many values matter")
        judge = only_violations(judge)
    outcomes = []
    for sign in (1, -1):
        if (sign == 1 and comparison in (">=", ">")) or (sign == -1 and comparison in ("<=", "<")):
            continue
        question = upward if sign == 1 else upward.negated()
        bounded = _is_bounded(required, upward)
        found = search(question, required.strict, judge, required.computation, bounded=bounded)
        if found.verdict == "violated":
            return found
        outcomes.append(found)
    undecided = [each for each in outcomes if each.verdict == "cannot tell"]
    return undecided[0] if undecided else outcomes[0]
