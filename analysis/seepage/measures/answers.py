"""The program's ``show`` and ``require`` declarations, answered."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace

from seepage import exact, rules
from seepage.diagnostics import Diagnostic, Fault, Label
from seepage.exact import Number
from seepage.measures.digits import MOST_DIGITS, justified, rounded
from seepage.measures.evaluate import InformationUnit, evaluate
from seepage.measures.facts import Answer
from seepage.measures.joints import Memory
from seepage.measures.leakage_table import Asking
from seepage.measures.requirement import OPPOSITE, verdict
from seepage.measures.result import Certainty, Result
from seepage.measures.scope import Scope, fail, static_number
from seepage.semantics.checked import Domain, RequireSymbol, ShowSymbol
from seepage.source import Span
from seepage.syntax.tree import Expression, Infinity, MeasureExpression, Unary

_MOST_POINTS = 9  # corners of ranges that are tried for a counterexample


def show(asking: Asking, symbol: ShowSymbol) -> Answer:
    """Answer a ``show``; a fault becomes the answer's diagnostic."""
    text = measure_text(asking, symbol.node.measure, symbol.start)
    try:
        result = _result(asking, symbol.node.measure, symbol.start, symbol.node.unit or asking.unit)
    except Fault as fault:
        return Answer("show", symbol.span, text, None, None, located(asking, fault, symbol.span, text))
    if symbol.node.unit is not None and result.unit == "":
        wrong = _no_unit(symbol.span, text, symbol.node.unit)
        return Answer("show", symbol.span, text, None, None, wrong)
    return Answer("show", symbol.span, text, result)


def require(asking: Asking, symbol: RequireSymbol) -> Answer:
    """Answer a ``require``; its budget is in bits unless it says otherwise, whatever the display unit."""
    node = symbol.node
    text = asking.checked.source[node.measure.span.cover(node.bound.span).shift(symbol.start)]
    text = f"{text} {node.unit}" if node.unit else text
    if node.ranges:
        return _require_over(asking, symbol, text)
    try:
        return _require_at(asking, symbol, text)
    except Fault as fault:
        return Answer("require", symbol.span, text, None, "cannot tell", located(asking, fault, symbol.span, text))


def measure_text(asking: Asking, measure: MeasureExpression, start: int) -> str:
    """Return a measure as it was written."""
    return asking.checked.source[measure.span.shift(start)]


def located(asking: Asking, fault: Fault, place: Span, text: str) -> Diagnostic:
    """Return the diagnostic of a fault; one of the clock is reported at the measure that waited for it."""
    diagnostic = fault.diagnostic
    if diagnostic.rule is rules.BUDGET_EXCEEDED and asking.budget.expired():
        message = f"time limit reached before '{text}' was computed"
        return Diagnostic(rules.TIME_LIMIT, place, message, (Label(diagnostic.span, diagnostic.message),))
    return diagnostic


def _result(asking: Asking, measure: MeasureExpression, start: int, unit: InformationUnit) -> Result:
    return evaluate(
        asking.checked,
        asking.core,
        measure,
        asking.parameters,
        unit,
        asking.budget,
        offset=start,
        text=measure_text(asking, measure, start),
        memory=asking.memory,
    )


def _require_at(asking: Asking, symbol: RequireSymbol, text: str) -> Answer:
    """Judge a budget at the parameters' values."""
    node = symbol.node
    result = _result(asking, node.measure, symbol.start, node.unit or "bits")
    if node.unit is not None and result.unit == "":
        wrong = _no_unit(symbol.span, text, node.unit)
        return Answer("require", symbol.span, text, None, "cannot tell", wrong)
    bound = static_number(_scope(asking, symbol), node.bound)
    outcome = verdict(result, node.comparison, bound)
    diagnostic = None
    if outcome == "violated":
        diagnostic = Diagnostic(rules.BUDGET_VIOLATED, symbol.span, _violated(result, symbol, bound))
    elif outcome == "cannot tell":
        notes = tuple(dict.fromkeys(reason.message for reason in result.because))
        labels = tuple(Label(reason.span, "this leaves the exact fragment") for reason in result.because)
        message = _undecided(result, symbol, bound)
        diagnostic = Diagnostic(rules.BUDGET_UNDECIDED, symbol.span, message, labels, notes)
    return Answer("require", symbol.span, text, result, outcome, diagnostic)


def _require_over(asking: Asking, symbol: RequireSymbol, text: str) -> Answer:
    """Look for a counterexample at the corners of the ranges; a range is never proved."""
    try:
        for point in itertools.islice(_corners(asking, symbol), _MOST_POINTS):
            at_point = replace(asking, parameters={**asking.parameters, **point}, memory=Memory())
            answer = _require_at(at_point, symbol, text)
            if answer.verdict == "violated" and answer.diagnostic is not None:
                values = ", ".join(f"{name} = {exact.show(value)}" for name, value in point.items())
                return replace(
                    answer, diagnostic=replace(answer.diagnostic, message=f"{answer.diagnostic.message} at {values}")
                )
    except Fault as fault:
        return Answer("require", symbol.span, text, None, "cannot tell", located(asking, fault, symbol.span, text))
    message = f"cannot tell whether '{text}' holds: ranges after 'over' are not proved yet by this version"
    diagnostic = Diagnostic(rules.BUDGET_UNDECIDED, symbol.span, message)
    return Answer("require", symbol.span, text, None, "cannot tell", diagnostic)


def _corners(asking: Asking, symbol: RequireSymbol) -> Iterator[Mapping[str, Number]]:
    scope = _scope(asking, symbol)
    choices: list[tuple[Number, ...]] = []
    for each in symbol.node.ranges:
        interval = each.interval
        low, high = _end(scope, interval.low), _end(scope, interval.high)
        domain = Domain(low, high, interval.low_closed, interval.high_closed)
        parameter = asking.checked.symbols.params.get(each.name)
        if parameter is None:
            fail(rules.UNKNOWN_IN_MEASURE, each.name_span.shift(symbol.start), f"'{each.name}' is no parameter")
        candidates = [low if interval.low_closed else None, high if interval.high_closed else None]
        candidates.append(asking.parameters.get(each.name))
        inside = [
            value
            for value in candidates
            if value is not None
            and domain.contains(value)
            and (parameter.domain is None or parameter.domain.contains(value))
        ]
        choices.append(tuple(dict.fromkeys(inside)))
    names = [each.name for each in symbol.node.ranges]
    for values in itertools.product(*choices):
        yield dict(zip(names, values, strict=True))


def _end(scope: Scope, expression: Expression) -> Number | None:
    if isinstance(expression, Infinity) or (isinstance(expression, Unary) and isinstance(expression.operand, Infinity)):
        return None
    return static_number(scope, expression)


def _scope(asking: Asking, symbol: RequireSymbol) -> Scope:
    return Scope(asking.core, asking.checked.symbols.consts, asking.parameters, symbol.start)


def _no_unit(place: Span, text: str, unit: str) -> Diagnostic:
    return Diagnostic(rules.UNITS_DO_NOT_FIT, place, f"'{text}' has no unit: found {unit}, expected none")


# --- messages ---------------------------------------------------------------------------------------------------------


def _violated(result: Result, symbol: RequireSymbol, bound: Number) -> str:
    """Return ``budget exceeded: I(s; o) = 0.18872 bits > 0.188 bits``."""
    comparison = symbol.node.comparison
    unit = f" {result.unit}" if result.unit else ""
    head = "budget exceeded" if comparison in ("<=", "<") else "requirement not met"
    limit = _bound_text(bound)
    value = next(
        (text for digits in range(5, MOST_DIGITS + 8) if (text := _value_text(result, digits)) != limit),
        _value_text(result, MOST_DIGITS),
    )
    return f"{head}: {result.measure} = {value}{unit} {OPPOSITE[comparison]} {limit}{unit}"


def _value_text(result: Result, digits: int) -> str:
    known = justified(result.lower, result.value, result.upper, digits)
    return known if known is not None else f"{rounded(result.lower, 5, 'down')} … {rounded(result.upper, 5, 'up')}"


def _bound_text(bound: Number) -> str:
    fraction = exact.to_fraction(bound)
    if fraction is None:
        return exact.show(bound)
    return rounded(float(fraction), MOST_DIGITS)


def _undecided(result: Result, symbol: RequireSymbol, bound: Number) -> str:
    unit = f" {result.unit}" if result.unit else ""
    claim = f"{result.measure} {symbol.node.comparison} {_bound_text(bound)}{unit}"
    lower, upper = rounded(result.lower, 5, "down"), rounded(result.upper, 5, "up")
    width = rounded(result.upper - result.lower, 2, "up")
    why = " and is only approximate" if result.certainty is Certainty.APPROXIMATE else ""
    return f"cannot tell whether {claim}: it lies between {lower} and {upper}{unit}{why} (width {width})"
