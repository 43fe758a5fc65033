"""The program's ``show`` and ``require`` declarations, answered."""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

from seepage import exact, rules
from seepage.deadline import processor_seconds, watched
from seepage.diagnostics import Diagnostic, Fault, Label
from seepage.exact import Number
from seepage.measures.asking import Asking
from seepage.measures.clock import given_up
from seepage.measures.digits import MOST_DIGITS, justified, rounded, telling_digits, with_unit
from seepage.measures.evaluate import evaluate
from seepage.measures.facts import Answer
from seepage.measures.games.optimum import every_play
from seepage.measures.meaning import without_meaning
from seepage.measures.meant_budgets import with_what_is_meant
from seepage.measures.ranges.decide import decide
from seepage.measures.ranges.required import ranges_of
from seepage.measures.ranges.search import Point
from seepage.measures.ranges.trial import Attempt, attempts, trial_budget
from seepage.measures.ranges.worst import Excess, excess_of
from seepage.measures.requirement import OPPOSITE, Verdict, judged
from seepage.measures.result import Certainty, Result
from seepage.measures.scope import static_number
from seepage.semantics.checked import Checked, RequireSymbol, ShowSymbol
from seepage.semantics.evaluate import evaluate as value_of
from seepage.source import Span
from seepage.syntax.spell import spell
from seepage.syntax.tree import Show

RAISE_LIMIT = "raise the limit with --time-limit (seepage.timeLimit in an editor)"
_Met: TypeAlias = tuple[Point, Diagnostic]  # where, and which fault

_MOST_POINTS = 9  # corners of ranges that are tried for a counterexample
_OF_VALUES = frozenset(  # faults that some values of the parameters have and others have not
    {
        rules.IMPOSSIBLE_EVENT,
        rules.IMPOSSIBLE_OBSERVATION,
        rules.INDEX_OUT_OF_RANGE,
        rules.INVALID_PARAMETER,
        rules.NOT_A_PROBABILITY,
        rules.NOT_BOOLEAN,
        rules.PROBABILITIES_DO_NOT_SUM_TO_ONE,
        rules.SECRET_ASSIGNED_TWICE,
        rules.UNDEFINED_MEASURE,
        rules.UNDEFINED_VALUE,
        rules.UNKNOWN_OBSERVATION,
    }
)


def show(asking: Asking, symbol: ShowSymbol) -> Answer:
    """Answer a ``show``; a fault becomes the answer's diagnostic.

    Args:
        asking: the program, values of its parameters, the unit of measures that state none, and limits.
        symbol: the declaration.
    """
    text = answer_text(symbol)
    try:
        result = evaluate(replace(asking, unit=symbol.node.unit or asking.unit), symbol.node.measure, symbol.start)
    except Fault as fault:
        return Answer("show", symbol.span, text, None, None, located(fault, symbol.span, text))
    if symbol.node.unit is not None and result.unit == "":
        wrong = _no_unit(symbol.span, text, symbol.node.unit)
        return Answer("show", symbol.span, text, None, None, wrong)
    return Answer("show", symbol.span, text, result, diagnostic=_only_bounds(result, symbol.span))


def _only_bounds(result: Result, place: Span) -> Diagnostic | None:
    """Return that a number is only bounded since not all strategies of an attacker were looked at."""
    for one in (result, result.minimum, result.maximum):
        if one is not None and one.strategy is not None and one.strategy.only_bounds:
            return Diagnostic(rules.ONLY_BOUNDS, place, one.strategy.only_bounds)
    return None


def require(asking: Asking, symbol: RequireSymbol) -> Answer:
    """Answer a ``require``; its budget is in bits unless it says otherwise, whatever the display unit. One that time left undecided says so.

    Args:
        asking: the program, values of its parameters, and limits.
        symbol: the declaration.

    Returns:
        Whether the budget holds, is violated, or cannot be told, with the number; certified unless its diagnostic says otherwise.
    """
    started = processor_seconds()
    with watched() as watch:
        answer = replace(_required(asking, symbol), over=_over_text(asking.checked, symbol))
    if not watch.cut or answer.verdict != "cannot tell" or answer.diagnostic is None:
        return answer
    seconds = processor_seconds() - started
    told = answer.diagnostic
    if told.rule is not rules.TIME_LIMIT:
        told = replace(told, notes=(*told.notes, given_up(seconds)))
    return replace(answer, diagnostic=told, given_up=seconds)


def _required(asking: Asking, symbol: RequireSymbol) -> Answer:
    text = answer_text(symbol)
    if symbol.node.ranges:
        return _require_over(asking, symbol, text)
    try:
        return _require_at(asking, symbol, text)
    except Fault as fault:
        return Answer("require", symbol.span, text, None, "cannot tell", located(fault, symbol.span, text))


def unanswered(checked: Checked, symbol: ShowSymbol | RequireSymbol, why: Diagnostic) -> Answer:
    """Return the answer to a declaration of a program that has none, and why.

    Args:
        checked: the program.
        symbol: the declaration.
        why: what kept it from a number.
    """
    if isinstance(symbol, RequireSymbol):
        text, over = answer_text(symbol), _over_text(checked, symbol)
        return Answer("require", symbol.span, text, None, "cannot tell", why, over=over)
    return Answer("show", symbol.span, answer_text(symbol), None, None, why)


def resting(answer: Answer, unknown: Diagnostic) -> Answer:
    """Return the answer to a budget of a program of which it is not known whether any run passes its observations.

    Where none does no measure has a number, so that a budget does not hold.
    """
    if answer.verdict != "holds":
        return answer
    message = f"cannot tell whether '{answer.text}' holds: {unknown.message}"
    note = "the number leaves that observation out; it holds if some run passes"
    labels = (Label(unknown.span, "this may be impossible"), *unknown.labels)
    diagnostic = Diagnostic(rules.BUDGET_UNDECIDED, answer.span, message, labels, (note,))
    return replace(answer, verdict="cannot tell", diagnostic=diagnostic)


def answer_text(symbol: ShowSymbol | RequireSymbol) -> str:
    """Return the words of what is asked, on one line and without comments: the measure, of a ``require`` its budget, too."""
    node = symbol.node
    if isinstance(node, Show):
        return spell(node.measure)
    return f"{spell(node.measure)} {node.comparison} {spell(node.bound)}" + (f" {node.unit}" if node.unit else "")


def _over_text(checked: Checked, symbol: RequireSymbol) -> str:
    """Return the ranges of a budget as they are written, on one line; empty if it has none."""
    written = (checked.source[each.span.shift(symbol.start)] for each in symbol.node.ranges)
    return ", ".join(" ".join(one.split()) for one in written)


def located(fault: Fault, place: Span, text: str, seconds: float | None = None) -> Diagnostic:
    """Return the diagnostic of a fault; one of the clock is reported at the measure that waited for it, with the limit where that is known.

    Args:
        fault: that kept a measure from its number.
        place: of the measure.
        text: the measure as people read it.
        seconds: the limit of time, None where it is not known.
    """
    diagnostic = fault.diagnostic
    if diagnostic.rule is rules.TIME_LIMIT:
        labels = (Label(diagnostic.span, diagnostic.message),)
        return named_limit(Diagnostic(rules.TIME_LIMIT, place, "", labels), text, seconds)
    return diagnostic


def named_limit(diagnostic: Diagnostic, text: str, seconds: float | None) -> Diagnostic:
    """Return the finding that the clock left something asked for without a number, with how long the limit is and how to raise it, if that is known.

    Args:
        diagnostic: that of the clock, without a message.
        text: the measure as people read it.
        seconds: the limit of time, None where it is not known.
    """
    if seconds is None:
        return replace(diagnostic, message=f"time limit reached before '{text}' was computed")
    message = f"time limit of {seconds:g} s reached before '{text}' was computed"
    return replace(diagnostic, message=message, notes=(*diagnostic.notes, RAISE_LIMIT))


def budget_of(checked: Checked, symbol: RequireSymbol, parameters: Mapping[str, Number]) -> Number | None:
    """Return the number that a ``require`` allows, in the unit that it is written in; None where it has none."""
    try:
        return value_of(symbol.node.bound, {**checked.symbols.consts, **parameters})
    except Fault:
        return None


def _require_at(asking: Asking, symbol: RequireSymbol, text: str, formulas: bool = True) -> Answer:
    """Judge a budget at the parameters' values."""
    node = symbol.node
    result = evaluate(replace(asking, unit=node.unit or "bits"), node.measure, symbol.start, formulas)
    if node.unit is not None and result.unit == "":
        wrong = _no_unit(symbol.span, text, node.unit)
        return Answer("require", symbol.span, text, None, "cannot tell", wrong)
    bound = static_number(asking.scope(symbol.start), node.bound)
    outcome, end = judged(result, node.comparison, bound)
    diagnostic = None
    if outcome == "violated":
        said = Diagnostic(rules.BUDGET_VIOLATED, symbol.span, _violated(end, symbol, bound), notes=_chosen(end))
        diagnostic = with_what_is_meant(said, symbol, _rational(bound), asking.scope(symbol.start))
    elif outcome == "cannot tell":
        notes = tuple(dict.fromkeys(reason.message for reason in result.because))
        labels = tuple(Label(reason.span, "this leaves the exact fragment") for reason in result.because)
        message = _undecided(end, symbol, bound)
        diagnostic = Diagnostic(rules.BUDGET_UNDECIDED, symbol.span, message, labels, notes)
    return Answer("require", symbol.span, text, result, outcome, diagnostic, bound=_rational(bound))


def _require_over(asking: Asking, symbol: RequireSymbol, text: str) -> Answer:
    """Judge a budget for all points of its ranges; a few corners are tried first, since they refute most budgets that do not hold.

    A point without a meaning refutes nothing and lets nothing hold.
    """
    faults: list[_Met] = []  # at points that the budget has no meaning at

    def met(point: Point, fault: Fault) -> None:
        inside = all(domain.contains(point[name]) for name, domain in ranges_of(asking, symbol).items())
        if inside and fault.diagnostic.rule in _OF_VALUES:  # a limit may be judged at an end that is not in the range
            faults.append((point, fault.diagnostic))

    def judge(point: Point) -> Verdict:
        try:
            return _at(asking, symbol, text, point).verdict or "cannot tell"
        except Fault as fault:
            met(point, fault)
            return "cannot tell"

    if asking.game is not None:
        return _require_of_all(asking, symbol, text)
    tried: list[Attempt] = []
    corners = itertools.islice(_corners(asking, symbol), _MOST_POINTS)
    try:
        asking = asking.over(ranges_of(asking, symbol))
        for point in corners:
            try:
                answer = _at(asking, symbol, text, point)
            except Fault as fault:
                if fault.diagnostic.rule not in _OF_VALUES:
                    raise
                met(point, fault)
                continue
            tried.append(_attempted(asking, symbol, answer, point))
            if answer.verdict == "violated":
                return _at_worst(asking, symbol, [*tried, *_rest(asking, symbol, text, corners)], not faults)
        found = decide(asking, symbol, judge)
        if found.witness is not None:
            return _at_witness(_at(asking, symbol, text, found.witness), found.witness)
        if not found.followed:
            tried += _inside(asking, symbol, text, met)
            if tried and tried[-1].answer.verdict == "violated":
                return _at_witness(tried[-1].answer, tried[-1].point)
        if faults:
            raise Fault(_without_meaning(faults, bool(tried)))
    except Fault as fault:
        return Answer("require", symbol.span, text, None, "cannot tell", located(fault, symbol.span, text))
    if found.verdict == "holds":
        return Answer("require", symbol.span, text, None, "holds")
    reason = found.reason + ("" if found.followed else _worst_text(asking, symbol, tried))
    message = f"cannot tell whether '{text}' holds over all of its ranges: {reason}"
    diagnostic = Diagnostic(rules.BUDGET_UNDECIDED, symbol.span, message)
    return Answer("require", symbol.span, text, None, "cannot tell", diagnostic, reason=reason)


def _require_of_all(asking: Asking, symbol: RequireSymbol, text: str) -> Answer:
    """Judge a budget for all strategies of an attacker at all points of its ranges."""
    plays = every_play(asking, symbol.node.measure, symbol.start, symbol.node.comparison, evaluate)
    if not plays:
        message = "a budget over ranges is proved strategy by strategy, where it must hold for each and they are few: ask at single values"
        why = Diagnostic(rules.NOT_SUPPORTED, symbol.span, message)
        return Answer("require", symbol.span, text, None, "cannot tell", why)
    worst: Answer | None = None
    for play in plays:
        answer = _require_over(play, symbol, text)
        if answer.verdict == "violated":
            return answer
        if worst is None or answer.verdict != "holds":
            worst = answer
    if worst is None:
        raise AssertionError("no strategy")
    return worst


def _at(asking: Asking, symbol: RequireSymbol, text: str, point: Point) -> Answer:
    """Judge a budget at one point of its ranges.

    Raises:
        Fault: of the measure; if the point gives the program no meaning, whether the measure depends on that part of it or not.
    """
    there = asking.at(point)
    answer = _require_at(there, symbol, text, formulas=False)
    if (why := without_meaning(there, symbol.node.measure)) is not None:
        if answer.verdict == "violated" or why.rule is not rules.UNKNOWN_OBSERVATION:
            raise Fault(why)
        answer = resting(answer, why)
    return answer


def _inside(asking: Asking, symbol: RequireSymbol, text: str, met: Callable[[Point, Fault], None]) -> Iterator[Attempt]:
    """Yield what came of points inside the ranges, faults apart; the last one violates the budget, if one does."""
    limited = replace(asking, budget=trial_budget(asking.budget))
    return attempts(
        ranges_of(asking, symbol), lambda point: _attempt(limited, symbol, text, point, met), limited.budget
    )


def _rest(asking: Asking, symbol: RequireSymbol, text: str, corners: Iterator[Point]) -> Iterator[Attempt | None]:
    """Yield what came of the corners that are left once one violates the budget, for some seconds: another may be worse."""
    limited = replace(asking, budget=trial_budget(asking.budget))
    for point in corners:
        if limited.budget.expired():
            return
        yield _attempt(limited, symbol, text, point, lambda _point, _fault: None)


def _attempt(
    asking: Asking, symbol: RequireSymbol, text: str, point: Point, met: Callable[[Point, Fault], None]
) -> Attempt | None:
    """Return what came of a point; None where the budget has no meaning or no number: then a fault was met."""
    try:
        return _attempted(asking, symbol, _at(asking, symbol, text, point), point)
    except Fault as fault:
        met(point, fault)
        return None


def _attempted(asking: Asking, symbol: RequireSymbol, answer: Answer, point: Point) -> Attempt:
    bound = budget_of(asking.checked, symbol, {**asking.parameters, **point})
    if answer.result is None or bound is None:
        return Attempt(point, answer, -math.inf)
    surest = answer.result.upper if symbol.node.comparison in (">=", ">") else answer.result.lower
    value = surest if answer.result.value is None else answer.result.value
    excess = value - float(exact.enclose(bound).mid())
    if symbol.node.comparison == "==":
        excess = abs(excess)
    elif symbol.node.comparison in (">=", ">"):
        excess = -excess
    return Attempt(point, answer, -math.inf if math.isnan(excess) else excess)


def _at_worst(asking: Asking, symbol: RequireSymbol, tried: Sequence[Attempt | None], complete: bool) -> Answer:
    """Return the answer at the worst of points of which some violate the budget; that none is worse is said where it is proved.

    ``complete``: whether no other point was tried.
    """
    known = [each for each in tried if each is not None]
    worst = max((each for each in known if each.answer.verdict == "violated"), key=lambda each: each.excess)
    excess = _excess(asking, symbol, worst)
    others = [_excess(asking, symbol, each) for each in known if each is not worst]
    told = complete and len(known) == len(tried) and excess is not None and bool(others)
    if told and all(other is not None and excess is not None and excess.is_no_less(other) for other in others):
        return _at_witness(worst.answer, worst.point, (f"that is the worst of the {len(tried)} points tried",))
    return _at_witness(worst.answer, worst.point)


def _excess(asking: Asking, symbol: RequireSymbol, attempt: Attempt) -> Excess | None:
    bound = budget_of(asking.checked, symbol, {**asking.parameters, **attempt.point})
    result = attempt.answer.result
    return None if result is None or bound is None else excess_of(result, symbol.node.comparison, bound)


def _at_witness(answer: Answer, point: Mapping[str, Number], notes: tuple[str, ...] = ()) -> Answer:
    """Return the answer to a budget that is violated at a point of its ranges, with notes on it."""
    if answer.diagnostic is None:
        return answer
    where = _point_text(point)
    told = replace(
        answer.diagnostic, message=f"{answer.diagnostic.message} at {where}", notes=(*answer.diagnostic.notes, *notes)
    )
    return replace(answer, diagnostic=told, worst=where)


def _without_meaning(faults: Sequence[_Met], others: bool) -> Diagnostic:
    """Return the first fault with the point of the ranges that it was met at, and that it may be left out unless every point that was tried has it.

    ``others``: whether some point has a meaning.
    """
    point, fault = faults[0]
    where = _point_text(point)
    told = fault if set(point) <= set(fault.valued) else replace(fault, message=f"{fault.message}, at {where}")
    if not others and len(faults) > 1 and all(each == fault for _, each in faults):
        return told
    note = f"the budget has no meaning at {where}: leave that out of the ranges, if other values are meant"
    return replace(told, notes=(*told.notes, note))


def _point_text(point: Mapping[str, Number]) -> str:
    return ", ".join(f"{name} = {exact.show(value)}" for name, value in point.items())


def _corners(asking: Asking, symbol: RequireSymbol) -> Iterator[Mapping[str, Number]]:
    choices: list[tuple[Number, ...]] = []
    ranges = ranges_of(asking, symbol)
    for name, domain in ranges.items():
        allowed = asking.checked.symbols.params[name].domain
        candidates = (domain.low, domain.high, asking.parameters.get(name))
        inside = [
            value
            for value in candidates
            if value is not None and domain.contains(value) and (allowed is None or allowed.contains(value))
        ]
        choices.append(tuple(dict.fromkeys(inside)))
    for values in itertools.product(*choices):
        yield dict(zip(ranges, values, strict=True))


def _no_unit(place: Span, text: str, unit: str) -> Diagnostic:
    return Diagnostic(rules.UNITS_DO_NOT_FIT, place, f"'{text}' has no unit: found {unit}, expected none")


# --- messages ---------------------------------------------------------------------------------------------------------


def _chosen(result: Result) -> tuple[str, ...]:
    """Return what an attacker does who comes to a number."""
    return () if result.strategy is None else (f"the attacker chooses {result.strategy.short()}",)


def _violated(result: Result, symbol: RequireSymbol, bound: Number) -> str:
    """Return ``budget exceeded: I(s; o) = 0.18872 bits > 0.188 bits``."""
    comparison = symbol.node.comparison
    head = "budget exceeded" if comparison in ("<=", "<") else "requirement not met"
    limit = _bound_text(bound)
    value = _value_text(result, telling_digits(*result.ends, _rational(bound), 5))
    found, allowed = with_unit(value, result.unit), with_unit(limit, result.unit)
    return f"{head}: {result.measure} = {found} {OPPOSITE[comparison]} {allowed}"


def _value_text(result: Result, digits: int) -> str:
    known = justified(*result.ends, digits)
    return known if known is not None else f"{rounded(result.lower, 5, 'down')} … {rounded(result.upper, 5, 'up')}"


def _rational(bound: Number) -> Fraction | None:
    """Return a rational next to a number, None if that is too large."""
    if isinstance(bound, int | Fraction):
        return Fraction(bound)
    near = float(exact.enclose(bound).mid())
    return None if math.isinf(near) else Fraction(near)


def _bound_text(bound: Number) -> str:
    fraction = exact.to_fraction(bound)
    if fraction is None or abs(fraction) > sys.float_info.max:
        return exact.show(bound)
    return rounded(float(fraction), MOST_DIGITS)


def _worst_text(asking: Asking, symbol: RequireSymbol, tried: Sequence[Attempt]) -> str:
    """Return ``; the worst of 24 points tried is q = 1/2: I(b; o) = 0.4 bits``, that it seems so where it is not proved; nothing where none has a number."""
    known = [each for each in tried if each.excess > -math.inf]
    if not known:
        return ""
    worst = max(known, key=lambda each: each.excess)
    excess, result = _excess(asking, symbol, worst), worst.answer.result
    others = [_excess(asking, symbol, each) for each in known if each is not worst]
    proved = all(excess is not None and other is not None and excess.is_no_less(other) for other in others)
    value = "" if result is None else f"{result.measure} = {with_unit(_value_text(result, 5), result.unit)}"
    if len(known) == 1:
        found = "the one point tried is"
    else:
        found = f"the worst of {len(known)} points tried {'is' if proved else 'seems to be'}"
    return f"; {found} {_point_text(worst.point)}: {value}"


def _undecided(result: Result, symbol: RequireSymbol, bound: Number) -> str:
    unit = f" {result.unit}" if result.unit else ""
    claim = f"{result.measure} {symbol.node.comparison} {with_unit(_bound_text(bound), result.unit)}"
    lower, upper = rounded(result.lower, 5, "down"), rounded(result.upper, 5, "up")
    width = rounded(result.upper - result.lower, 2, "up")
    why = " and is only approximate" if result.certainty is Certainty.APPROXIMATE else ""
    return f"cannot tell whether {claim}: it lies between {lower} and {upper}{unit}{why} (width {width})"
