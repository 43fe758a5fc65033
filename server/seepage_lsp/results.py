"""What is known of a document as one JSON value, for a panel beside the text: the last results, where they stand by now, how current they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias

from seepage import exact
from seepage.exact import ArithmeticFault, Number, nearest_float
from seepage.measures.answers import budget_of
from seepage.measures.engine import ENGINES, SENTENCES, Engine
from seepage.measures.facts import Answer, LeakageRow
from seepage.measures.parameters import read_number, show_domain
from seepage.measures.result import Certainty, Result
from seepage.report.documentation import plain_documentation
from seepage.report.json import answer_json, number_json, row_json
from seepage.semantics.checked import Checked, ParamSymbol, RequireSymbol, ShowSymbol
from seepage.source import Span
from seepage.syntax.spell import spell
from seepage_lsp.features.answers import answer_of, is_timed_out
from seepage_lsp.workspace import Snapshot, Status, cut_message, is_blocked

Json: TypeAlias = dict[str, Any]
State: TypeAlias = Literal["current", "stale", "computing", "failed", "timed out", "none", "errors"]

_CERTAINTIES = (Certainty.EXACT, Certainty.CERTIFIED, Certainty.APPROXIMATE)


def state_of(snapshot: Snapshot) -> State:
    """Return how the results of a document stand to its text."""
    if is_blocked(snapshot.checked):
        return "errors"
    match snapshot.status:
        case Status.COMPUTING:
            return "computing"
        case Status.TIMED_OUT:
            return "timed out"
        case Status.FAILED:
            return "failed"
        case Status.IDLE | Status.DONE | Status.CANCELLED:
            if snapshot.finished is None:
                return "none"
            return "current" if snapshot.is_current else "stale"


def results(snapshot: Snapshot) -> Json:
    """Return the document's results; nothing is computed."""
    checked, finished, state = snapshot.checked, snapshot.finished, state_of(snapshot)
    values = _Values(snapshot)
    found = [] if finished is None else [*_results(snapshot)]
    used: set[Engine] = {one.engine for one in found}
    engine = max(used, key=ENGINES.index, default=None)
    return {
        "uri": snapshot.uri,
        # Of a text that was changed and changed back, the present version has the same numbers.
        "version": None if finished is None else snapshot.version if snapshot.is_current else finished.source.version,
        "current": snapshot.is_current,
        "state": state,
        "message": _message(snapshot, state),
        "digits": snapshot.settings.digits,
        "engine": engine,
        "engineSentence": None if engine is None else SENTENCES[engine],
        "certainty": max((one.certainty for one in found), key=_CERTAINTIES.index, default=None),
        "seconds": 0.0 if finished is None else round(finished.analysis.seconds, 6),
        "parameters": [] if checked is None else [values.parameter(each) for each in checked.symbols.params.values()],
        "table": [] if finished is None or checked is None else [*_rows(snapshot, checked)],
        "answers": [] if checked is None else [*_answers(snapshot, checked, values)],
        "variables": [] if checked is None else [*_variables(snapshot, checked)],
        "changes": snapshot.changes,
    }


def _results(snapshot: Snapshot) -> Iterator[Result]:
    """Yield the numbers that headlines show."""
    if snapshot.analysis is not None:
        yield from (row.information for row in snapshot.analysis.table if row.information is not None)
        yield from (answer.result for answer in snapshot.analysis.answers if answer.result is not None)


def _message(snapshot: Snapshot, state: State) -> str | None:
    if snapshot.is_too_long:
        return "the text is too long for an editor to check"
    if snapshot.problem is not None:
        return snapshot.problem.message
    if state == "errors":
        return "the program has errors"
    if snapshot.status is Status.CANCELLED and state in ("stale", "none"):
        return "the analysis was cancelled"
    if snapshot.finished is None or state == "stale":
        return None  # what an analysis said of an earlier text says nothing of this one
    cut = cut_message(snapshot.finished) if snapshot.finished.is_timed_out else ""
    return "; ".join(part for part in (cut, snapshot.finished.analysis.note) if part) or None


# --- parameters -------------------------------------------------------------------------------------------------------


class _Values:
    """The values of parameters that are in force."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        symbols = snapshot.checked.symbols if snapshot.checked is not None else None
        params = {} if symbols is None else dict(symbols.params)
        constants: Mapping[str, Number] = {} if symbols is None else symbols.consts
        known = snapshot.analysis.parameters if snapshot.analysis is not None else ()
        self.measures = {one.name: list(one.measures) for one in known}
        self.defaults = {name: one.default for name, one in params.items() if one.default is not None}
        # Budgets are judged at the project's values, and what is shown is shown at those of the editor.
        judged = {name: _number(text, constants) for name, text in snapshot.settings.project.items() if name in params}
        self.judged = {**self.defaults, **{name: number for name, number in judged.items() if number is not None}}
        self.set = {
            name: number
            for name, text in snapshot.settings.parameters.items()
            if name in params and (number := _number(text, constants)) is not None
        }

    def parameter(self, symbol: ParamSymbol) -> Json:
        """Describe a parameter; a side of the domain that is unbounded is infinite and open."""
        domain, name = symbol.domain, symbol.name
        value = self.set.get(name, symbol.default)
        low, high = (None, None) if domain is None else (domain.low, domain.high)
        return {
            "name": name,
            "documentation": plain_documentation(symbol.documentation) or None,
            "domain": "(-inf, inf)" if domain is None else show_domain(domain),
            "low": "-inf" if low is None else _float(low),
            "high": "inf" if high is None else _float(high),
            "lowOpen": domain is None or low is None or not domain.low_closed,
            "highOpen": domain is None or high is None or not domain.high_closed,
            "integer": False,
            "default": None if symbol.default is None else exact.spelled(symbol.default),
            "value": None if value is None else _float(value),
            "overridden": name in self.set,
            "measures": self.measures.get(name),
            "range": self.snapshot.lines.range(symbol.span),
        }


def _number(text: str, constants: Mapping[str, Number]) -> Number | None:
    try:
        return read_number(text, constants)
    except (ValueError, ArithmeticFault):
        return None


def _float(number: Number) -> float | str:
    return number_json(nearest_float(number))


# --- answers and rows -------------------------------------------------------------------------------------------------


def _answers(snapshot: Snapshot, checked: Checked, values: _Values) -> Iterator[Json]:
    symbols: list[ShowSymbol | RequireSymbol] = [*checked.symbols.shows, *checked.symbols.requires]
    for symbol in sorted(symbols, key=lambda one: one.span):
        answer = answer_of(snapshot, symbol.span)
        node = symbol.node
        spelled = spell(node.measure)
        known = _no_answer(symbol, spelled) if answer is None or snapshot.finished is None else {}
        if answer is not None and snapshot.finished is not None:
            known = answer_json(answer, snapshot.finished.source)
        result = None if answer is None else answer.result
        default_unit = "bits" if isinstance(symbol, RequireSymbol) else snapshot.settings.unit
        budget = budget_of(checked, symbol, values.judged) if isinstance(symbol, RequireSymbol) else None
        yield {
            **known,
            "kind": "require" if isinstance(symbol, RequireSymbol) else "show",
            "range": snapshot.lines.range(symbol.span),
            "source": " ".join(checked.source[symbol.span].split()[1:]),
            "measure": spelled,
            "unit": result.unit if result is not None else node.unit or default_unit,
            "budget": None if budget is None else _float(budget),
            "over": _over(symbol, checked),
            "worst": (answer.worst or None) if answer is not None else None,
            "status": _answer_status(snapshot, answer),
        }


def _no_answer(symbol: ShowSymbol | RequireSymbol, spelled: str) -> Json:
    role = "require" if isinstance(symbol, RequireSymbol) else "show"
    return {"role": role, "text": spelled, "verdict": None, "result": None, "error": None}


def _over(symbol: ShowSymbol | RequireSymbol, checked: Checked) -> str | None:
    if isinstance(symbol, ShowSymbol) or not symbol.node.ranges:
        return None
    first, last = symbol.node.ranges[0].span.shift(symbol.start), symbol.node.ranges[-1].span.shift(symbol.start)
    return " ".join(checked.source[Span(first.start, last.end)].split())


def _answer_status(snapshot: Snapshot, answer: Answer | None) -> str:
    if answer is None:
        return _missing_status(snapshot)
    if not snapshot.is_current:
        return "stale"
    if answer.result is not None:
        return answer.result.certainty.value
    if is_timed_out(answer):
        return "timed out"
    return "certified" if answer.verdict in ("holds", "violated") else "failed"


def _missing_status(snapshot: Snapshot) -> str:
    match snapshot.status:
        case Status.COMPUTING:
            return "computing"
        case Status.TIMED_OUT:
            return "timed out"
        case Status.FAILED:
            return "failed"
        case Status.IDLE | Status.DONE | Status.CANCELLED:
            return "stale"


def _rows(snapshot: Snapshot, checked: Checked) -> Iterator[Json]:
    """Yield the rows of secrets that the present text declares."""
    finished = snapshot.finished
    if finished is None:
        return
    secrets = {checked.source[one.span]: one.span for one in checked.symbols.secrets}
    outputs = {one.name: one.span for one in checked.symbols.outputs}
    for row in finished.analysis.table:
        place = secrets.get(finished.source[row.span])
        if place is not None:
            output = outputs.get(row.output)
            yield {
                **row_json(row, finished.source),
                "secretRange": snapshot.lines.range(place),
                "outputRange": None if output is None else snapshot.lines.range(output),
                "status": _row_status(snapshot, row),
            }


def _row_status(snapshot: Snapshot, row: LeakageRow) -> str:
    if not snapshot.is_current:
        return "stale"
    if row.information is not None:
        return row.information.certainty.value
    return "timed out" if is_timed_out(row) else "failed"


def _variables(snapshot: Snapshot, checked: Checked) -> Iterator[Json]:
    """Yield the places where variables are declared and assigned, in the order of the text."""
    symbols = checked.symbols
    secrets = {one.name.split("[")[0] for one in symbols.secrets}
    outputs = {one.name.split("[")[0] for one in symbols.outputs}
    places = [(one.span, one.name.split("[")[0]) for one in symbols.secrets]
    places += [(one.span, one.name.split("[")[0]) for one in symbols.outputs]
    places += [(span, name) for name, variable in symbols.variables.items() for span in variable.spans]
    for span, name in sorted(places):
        role = "secret" if name in secrets else "output" if name in outputs else "variable"
        yield {"name": name, "role": role, "range": snapshot.lines.range(span)}
