"""The one path from text to results: ``check`` in milliseconds, ``analyze`` and ``measure`` in as long as they are given.

Command line, library and language server all come through here, so that they say the same.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from seepage import rules
from seepage.diagnostics import Diagnostic, Fault
from seepage.engines.outcome import Budget
from seepage.engines.select import check_total
from seepage.exact import Number
from seepage.measures.answers import located, require, show
from seepage.measures.evaluate import evaluate
from seepage.measures.facts import Answer, LeakageRow, VariableFacts, WorstCase
from seepage.measures.joints import Memory
from seepage.measures.leakage_table import Asking, leakage_rows
from seepage.measures.parameters import parameter_values
from seepage.measures.result import Result
from seepage.measures.variable_facts import variable_facts
from seepage.semantics.check import check as check_semantics
from seepage.semantics.checked import Checked, RequireSymbol, ShowSymbol
from seepage.semantics.core import CoreObserve, CoreProgram
from seepage.semantics.measure_names import check_measure
from seepage.semantics.statements import walk
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile, Span
from seepage.syntax.parse import parse_measure

__all__ = [
    "Analysis",
    "Answer",
    "LeakageRow",
    "Options",
    "VariableFacts",
    "WorstCase",
    "analyze",
    "check",
    "measure",
    "measured_source",
]

DisplayUnit: TypeAlias = Literal["bits", "nats"]

_FAULT_SHARE = 0.3  # of the time, for the search for faults that no measure depends on
_ITEM_SHARE = 0.6  # of what is left, for one measure while others wait
_HOPELESS = frozenset({rules.IMPOSSIBLE_OBSERVATION, rules.SECRET_ASSIGNED_TWICE})  # leave no measure a meaning
_FACT_SECONDS = 2.0  # for one variable's hover
_FACT_STATES = 20_000


@dataclass(frozen=True, slots=True)
class Options:
    """How to analyse.

    Attributes:
        params: values in place of the parameters' defaults.
        unit: of what is shown; budgets have their own.
        seconds: time limit of the whole analysis.
        budget: of each run of an engine; its deadline is set here.
    """

    params: Mapping[str, Number] = field(default_factory=dict)
    unit: DisplayUnit = "bits"
    seconds: float = 30.0
    budget: Budget = field(default_factory=Budget)


@dataclass(frozen=True, slots=True)
class Analysis:
    """All that was computed of one version of a program; plain values, fit to travel between processes.

    Attributes:
        version: of the source.
        answers: of every ``show`` and ``require``, in the order of the text.
        table: the leakage table; empty without secrets or outputs.
        variables: facts by name.
        diagnostics: what running found (those of ``check`` are not repeated), in the order of the text.
        seconds: time taken.
        note: what a reader must know about the whole; empty if nothing.
    """

    version: int
    answers: tuple[Answer, ...]
    table: tuple[LeakageRow, ...]
    variables: Mapping[str, VariableFacts]
    diagnostics: tuple[Diagnostic, ...]
    seconds: float
    note: str = ""


def check(source: SourceFile) -> Checked:
    """Return all that is known of a program without running it; never raises."""
    return check_semantics(source)


def measured_source(checked: Checked, text: str) -> tuple[SourceFile, int]:
    """Return the program's text with a measure set below it, and where that starts: so its faults have a place of their own."""
    source = checked.source
    return SourceFile(source.name, f"{source.text}\n{text}", source.version), len(source.text) + 1


def measure(
    checked: Checked,
    text: str,
    params: Mapping[str, Number],
    unit: DisplayUnit = "bits",
    seconds: float = 30.0,
    budget: Budget = Budget(),  # noqa: B008  # immutable
) -> Result:
    """Evaluate a measure given as text.

    Raises:
        Fault: of the program, or of the measure: then its place is that in :func:`measured_source`.
        ValueError: if ``params`` names no parameter, or ``unit`` is none.
    """
    if unit not in ("bits", "nats"):
        raise ValueError(f"found unit {unit!r}, expected 'bits' or 'nats'")
    started = time.monotonic()
    limited = replace(budget, deadline=started + seconds)
    _, offset = measured_source(checked, text)
    values = parameter_values(checked, params)
    for diagnostic in _blocking(checked):
        raise Fault(diagnostic)
    tree, diagnostics = parse_measure(text)
    for diagnostic in diagnostics:
        if diagnostic.is_error:
            raise Fault(replace(diagnostic, span=diagnostic.span.shift(offset), fixes=(), labels=()))
    if tree is None:
        raise Fault(Diagnostic(rules.UNFIT_MEASURE, Span(offset, offset + len(text)), "found no measure"))
    for diagnostic in check_measure(tree, offset, checked.symbols):
        if diagnostic.is_error:
            raise Fault(diagnostic)
    core = unroll(checked)
    asking = Asking(checked, core, values, unit, limited, Memory())
    if core.written_twice or _observes(core):
        for diagnostic in _faults(asking, core, started + _FAULT_SHARE * seconds):
            if diagnostic.rule in _HOPELESS:
                raise Fault(diagnostic)
    try:
        result = evaluate(checked, core, tree, values, unit, limited, offset=offset, text=text)
    except Fault as fault:
        raise Fault(located(asking, fault, tree.span.shift(offset), text)) from fault
    return replace(result, seconds=time.monotonic() - started)


def analyze(checked: Checked, options: Options = Options()) -> Analysis:
    """Answer every ``show`` and ``require``, fill the leakage table and the facts of each variable, and look for faults.

    Faults of the program are data: the function raises none.

    Raises:
        ValueError: if the options name no parameter of the program.
    """
    started = time.monotonic()
    unknown = [name for name in options.params if name not in checked.symbols.params]
    if unknown:
        parameter_values(checked, options.params)  # raises, saying which names there are
    end = started + options.seconds
    if any(True for _ in _blocking(checked)):
        return _finished(checked, started)
    try:
        core = unroll(checked)
        values = parameter_values(checked, options.params)
    except Fault as fault:
        answers = tuple(_unanswered(checked, symbol, fault.diagnostic) for symbol in _declarations(checked))
        return _finished(checked, started, answers, diagnostics=(fault.diagnostic,))
    asking = Asking(checked, core, values, options.unit, replace(options.budget, deadline=end), Memory())
    faults = _faults(asking, core, started + _FAULT_SHARE * options.seconds)
    hopeless = next((fault for fault in faults if fault.rule in _HOPELESS), None)
    if hopeless is not None:
        answers = tuple(_unanswered(checked, symbol, hopeless) for symbol in _declarations(checked))
        return _finished(checked, started, answers, diagnostics=faults)
    answers = tuple(_answers(asking, end))
    table = tuple(leakage_rows(replace(asking, budget=_share(asking.budget, end, _ITEM_SHARE))))
    facts = {fact.name: fact for fact in _facts(asking, end, table)}
    found = (*faults, *(answer.diagnostic for answer in answers if answer.diagnostic is not None))
    return _finished(checked, started, answers, table, facts, (*found, *_complete_leaks(checked, answers, table)))


def _finished(
    checked: Checked,
    started: float,
    answers: tuple[Answer, ...] = (),
    table: tuple[LeakageRow, ...] = (),
    variables: Mapping[str, VariableFacts] | None = None,
    diagnostics: tuple[Diagnostic, ...] = (),
) -> Analysis:
    known = set(checked.diagnostics)
    ordered = sorted((each for each in dict.fromkeys(diagnostics) if each not in known), key=lambda each: each.span)
    seconds = time.monotonic() - started
    note = _note(checked)
    return Analysis(checked.source.version, answers, table, variables or {}, tuple(ordered), seconds, note)


def _note(checked: Checked) -> str:
    """Say what to add for a leakage table."""
    symbols = checked.symbols
    missing = [what for what, declared in (("secret", symbols.secrets), ("output", symbols.outputs)) if not declared]
    if not missing:
        return ""
    lines = " and ".join(f"'{what} x'" for what in missing)
    return f"no leakage table: add {lines} to say what must stay secret and what the attacker sees"


def _faults(asking: Asking, core: CoreProgram, deadline: float) -> tuple[Diagnostic, ...]:
    """Return the faults anywhere in the program, dead code included, as far as the budget reaches."""
    if any(name not in asking.parameters for name in core.parameters):
        return ()
    return tuple(
        each
        for each in check_total(core, asking.parameters, replace(asking.budget, deadline=deadline))
        if each.rule not in (rules.BUDGET_EXCEEDED, rules.NOT_SUPPORTED)
    )


def _blocking(checked: Checked) -> Iterator[Diagnostic]:
    """Yield the errors that leave the whole program without numbers: all but those inside a ``show`` or ``require``."""
    own = [symbol.span for symbol in _declarations(checked)]
    for diagnostic in checked.diagnostics:
        if diagnostic.is_error and not any(_inside(diagnostic.span, span) for span in own):
            yield diagnostic


def _inside(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _observes(core: CoreProgram) -> bool:
    """Tell whether some statement observes: only then may no run be left."""
    return any(isinstance(each, CoreObserve) for each in walk(core.statements))


def _declarations(checked: Checked) -> list[ShowSymbol | RequireSymbol]:
    return sorted((*checked.symbols.shows, *checked.symbols.requires), key=lambda symbol: symbol.span)


def _answers(asking: Asking, end: float) -> Iterator[Answer]:
    declarations = _declarations(asking.checked)
    errors = [diagnostic for diagnostic in asking.checked.diagnostics if diagnostic.is_error]
    for number, symbol in enumerate(declarations, 1):
        budget = asking.budget if number == len(declarations) else _share(asking.budget, end, _ITEM_SHARE)
        limited = replace(asking, budget=budget)
        wrong = next((each for each in errors if _inside(each.span, symbol.span)), None)
        match symbol:
            case _ if wrong is not None:
                yield _unanswered(asking.checked, symbol, wrong)
            case ShowSymbol():
                yield show(limited, symbol)
            case RequireSymbol():
                yield require(limited, symbol)


def _share(budget: Budget, end: float, share: float) -> Budget:
    now = time.monotonic()
    return replace(budget, deadline=now + share * max(0.0, end - now))


def _unanswered(checked: Checked, symbol: ShowSymbol | RequireSymbol, why: Diagnostic) -> Answer:
    text = checked.source[symbol.node.measure.span.shift(symbol.start)]
    if isinstance(symbol, RequireSymbol):
        return Answer("require", symbol.span, text, None, "cannot tell", why)
    return Answer("show", symbol.span, text, None, None, why)


def _facts(asking: Asking, end: float, table: tuple[LeakageRow, ...]) -> Iterator[VariableFacts]:
    for name in asking.checked.symbols.variables:
        deadline = min(end, time.monotonic() + _FACT_SECONDS)
        states = min(asking.budget.states, _FACT_STATES)
        yield variable_facts(
            replace(asking, budget=replace(asking.budget, deadline=deadline, states=states)), name, table
        )


def _complete_leaks(
    checked: Checked, answers: tuple[Answer, ...], table: tuple[LeakageRow, ...]
) -> Iterator[Diagnostic]:
    """Warn where an output determines a continuous secret: its information is infinite."""
    infinite = float("inf")
    for row in table:
        if row.information is not None and row.information.lower == infinite:
            outputs = ", ".join(symbol.name for symbol in checked.symbols.outputs) if row.headline else row.output
            yield Diagnostic(rules.COMPLETE_LEAK, row.span, f"'{outputs}' reveals '{row.secret}' completely")
    for answer in answers:
        result = answer.result
        if result is not None and result.measure.startswith("I(") and result.lower == infinite:
            yield Diagnostic(
                rules.COMPLETE_LEAK,
                answer.span,
                f"'{result.measure}' is infinite: one side reveals the other completely",
            )
