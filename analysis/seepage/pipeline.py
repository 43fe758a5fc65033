"""The one path from text to results: ``check`` in milliseconds, ``analyze`` and ``measure`` in as long as they are given.

Command line, library and language server all come through here, so that they say the same.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, assert_never

from seepage import rules
from seepage.diagnostics import Diagnostic, Fault, Label, ordered
from seepage.engines.outcome import Budget
from seepage.exact import Number
from seepage.measures.answers import located, require, resting, show, unanswered
from seepage.measures.asking import Asking
from seepage.measures.completion import facts_with_formulas, row_with_formulas
from seepage.measures.evaluate import evaluate, evaluate_text
from seepage.measures.explanation import Explanation, explain
from seepage.measures.facts import Answer, LeakageRow, ParameterFacts, PassingFacts, VariableFacts, WorstCase
from seepage.measures.joints import Later, Memory
from seepage.measures.known_quantities import kept_table, reused_table
from seepage.measures.leakage_table import leakage_rows
from seepage.measures.meaning import HOPELESS, SILENT, faults_of, may_have_none, passes
from seepage.measures.parameter_facts import parameter_facts
from seepage.measures.parameters import need_parameters, parameter_values
from seepage.measures.passing import passing_facts
from seepage.measures.result import Method, Result
from seepage.measures.variable_facts import variable_facts
from seepage.semantics.blocking import blocking
from seepage.semantics.check import check as check_semantics
from seepage.semantics.checked import Checked, RequireSymbol, ShowSymbol
from seepage.semantics.core import CoreProgram
from seepage.semantics.measure_names import check_measure, names_in
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import walk
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile, Span
from seepage.syntax.parse import parse_measure
from seepage.syntax.spell import spell
from seepage.syntax.tree import MeasureCall, MeasureExpression

__all__ = [
    "Analysis",
    "Answer",
    "Explanation",
    "LeakageRow",
    "Options",
    "VariableFacts",
    "WorstCase",
    "analyze",
    "check",
    "explanation",
    "measure",
    "measured_source",
]

DisplayUnit: TypeAlias = Literal["bits", "nats"]

Declaration: TypeAlias = ShowSymbol | RequireSymbol

_FAULT_SHARE = 0.3  # of the time, for the search for faults that no measure depends on
_SEARCHING, _SHARING = (
    2,
    3,
)  # of what is left one answer gets half until some joint is found for all, then a third, while others wait
_FACT_SECONDS = 2.0  # for one variable's hover
_FACT_STATES = 20_000
_PLOT_SECONDS = 0.5
_PASSING_SECONDS = 2.0  # for all conditions of the program together


@dataclass(frozen=True, slots=True)
class Options:
    """How to analyse.

    Attributes:
        params: values in place of the parameters' defaults: everything is computed at them, and budgets are judged at them.
        unit: of what is shown; budgets have their own.
        seconds: time limit of the whole analysis.
        budget: of each run of an engine; its deadline is set here.
        display_params: values in place of ``params`` for what is shown (``show``, leakage table, facts of variables); no budget is judged
            at them, so that a budget says the same wherever numbers are looked at.
        plots: whether to compute the leakage over the domains of parameters, where that takes little.
        reuse: whether to take measures that this process found for other texts where what they depend on is equal.
    """

    params: Mapping[str, Number] = field(default_factory=dict)
    unit: DisplayUnit = "bits"
    seconds: float = 30.0
    budget: Budget = field(default_factory=Budget)
    display_params: Mapping[str, Number] = field(default_factory=dict)
    plots: bool = False
    reuse: bool = False


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
        passing: how likely observations pass and branches are taken, in the order of the text.
        parameters: what depends on each parameter.
    """

    version: int
    answers: tuple[Answer, ...]
    table: tuple[LeakageRow, ...]
    variables: Mapping[str, VariableFacts]
    diagnostics: tuple[Diagnostic, ...]
    seconds: float
    note: str = ""
    passing: tuple[PassingFacts, ...] = ()
    parameters: tuple[ParameterFacts, ...] = ()


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
    method: Method | None = None,
) -> Result:
    """Evaluate a measure given as text; ``method`` names the paper's bounds to use for mixtures in place of quadrature.

    Raises:
        Fault: of the program, or of the measure: then its place is that in :func:`measured_source`.
        ValueError: if ``params`` names no parameter, or ``unit`` is none.
    """
    started = time.monotonic()
    asking, tree, offset, notes = _asked(checked, text, params, unit, seconds, budget)
    try:
        result = evaluate(replace(asking, method=method), tree, offset)
    except Fault as fault:
        raise named_fault(fault, tree, offset, seconds) from fault
    return replace(result, seconds=time.monotonic() - started, notes=(*result.notes, *notes))


def explanation(
    checked: Checked,
    text: str,
    params: Mapping[str, Number],
    unit: DisplayUnit = "bits",
    seconds: float = 30.0,
    budget: Budget = Budget(),  # noqa: B008  # immutable
) -> Explanation:
    """Derive a measure given as text by weakest pre-expectations; raises as :func:`measure`."""
    asking, tree, offset, _ = _asked(checked, text, params, unit, seconds, budget)
    try:
        return explain(asking, tree, offset)
    except Fault as fault:
        raise named_fault(fault, tree, offset, seconds) from fault


def _asked(
    checked: Checked, text: str, params: Mapping[str, Number], unit: DisplayUnit, seconds: float, budget: Budget
) -> tuple[Asking, MeasureExpression, int, tuple[str, ...]]:
    """Return what a measure given as text is asked of, its tree, its place in :func:`measured_source`, and what its number rests on."""
    tree, offset = read_measure(checked, text)
    asking = asking_of(checked, unroll(checked), params, unit, seconds, budget)
    return asking, tree, offset, need_meaning(asking, seconds)


def read_measure(checked: Checked, text: str) -> tuple[MeasureExpression, int]:
    """Return the tree of a measure given as text, and its place in :func:`measured_source`; raises a ``Fault`` as :func:`measure`."""
    _, offset = measured_source(checked, text)
    for diagnostic in blocking(checked):
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
    return tree, offset


def asking_of(
    checked: Checked,
    core: CoreProgram,
    params: Mapping[str, Number],
    unit: DisplayUnit,
    seconds: float,
    budget: Budget = Budget(),  # noqa: B008  # immutable
) -> Asking:
    """Return a program (``core`` is ``checked``, unrolled) at values of its parameters, to be asked for so many seconds from now on.

    Raises:
        Fault: if a value lies outside the parameter's domain.
        ValueError: if ``params`` names no parameter, or ``unit`` is none.
    """
    if unit not in ("bits", "nats"):
        raise ValueError(f"found unit {unit!r}, expected 'bits' or 'nats'")
    limited = replace(budget, deadline=time.monotonic() + seconds)
    return Asking(checked, core, parameter_values(checked, params), unit, limited, Memory())


def need_meaning(asking: Asking, seconds: float) -> tuple[str, ...]:
    """Return what the numbers of a program rest on, as sentences; raise a ``Fault`` if no measure of it has a meaning there.

    ``seconds`` is what the whole question was given, of which the search for faults takes a share.
    """
    notes: tuple[str, ...] = ()
    if may_have_none(asking.core):
        for diagnostic in faults_of(asking.within(_FAULT_SHARE * seconds)):
            if diagnostic.rule in HOPELESS:
                raise Fault(diagnostic)
            if diagnostic.rule is rules.UNKNOWN_OBSERVATION:
                notes = (diagnostic.message,)
    return notes


def named_fault(fault: Fault, tree: MeasureExpression, offset: int, seconds: float) -> Fault:
    """Return a fault of a measure as people read it: one of the clock names the measure that waited, and the limit."""
    return Fault(_named_limit(located(fault, tree.span.shift(offset), spell(tree)), seconds))


def analyze(
    checked: Checked, options: Options = Options(), tell: Callable[[Analysis], object] | None = None
) -> Analysis:
    """Answer every ``show`` and ``require``, fill the leakage table and the facts of each variable, and look for faults.

    Faults of the program are data: the function raises none. ``tell`` gets what is known before all is, answers that are cheap first, and
    numbers before their formulas; what it is told stays as it is, but that formulas, and notes on these, join the numbers.

    Raises:
        ValueError: if the options name no parameter of the program.
    """
    started = time.monotonic()
    need_parameters(checked, (*options.params, *options.display_params))
    if any(True for _ in blocking(checked)):
        return _finished(checked, started)
    declarations = _declarations(checked)
    try:
        core = unroll(checked)
    except Fault as fault:
        answers = tuple(unanswered(symbol, fault.diagnostic) for symbol in declarations)
        return _finished(checked, started, answers, diagnostics=(fault.diagnostic,))
    budget = replace(options.budget, deadline=started + options.seconds)
    limits = (core, options.unit, budget, _FAULT_SHARE * options.seconds, options.reuse)
    shown = judged = _at(checked, {**options.params, **options.display_params}, *limits)
    if options.display_params and checked.symbols.requires:
        judged = _at(checked, options.params, *limits)

    later = _put_off(shown, judged) if tell is not None else ()

    def known(
        answers: Iterable[Answer],
        table: tuple[LeakageRow, ...] = (),
        facts: Mapping[str, VariableFacts] | None = None,
    ) -> None:
        if tell is not None:
            found = tuple(answer.diagnostic for answer in answers if answer.diagnostic is not None)
            tell(_finished(checked, started, tuple(answers), table, facts, (*shown.faults, *found)))

    answers = tuple(
        _limit_in(answer, options.seconds) for answer in _answers(checked, declarations, shown, judged, known)
    )
    told = tuple(answer.diagnostic for answer in answers if answer.diagnostic is not None)
    if shown.asking is None:
        return _finished(checked, started, answers, diagnostics=(*shown.faults, *told))
    asking = shown.asking.within()
    table, fresh = _table(asking)
    known(answers, table)
    missing = tuple(_named_limit(each, options.seconds) for each in _missing_leakage(asking, table))
    facts = {fact.name: fact for fact in _facts(shown.asking, table)}
    if later:
        known(answers, table, facts)
        for each in later:
            each.defers = False
        answers = _answers_with_formulas(checked, declarations, answers, shown, judged)
        known(answers, table, facts)
        asking = shown.asking.within()
        if fresh:
            table = kept_table(asking, tuple(row_with_formulas(asking, row) for row in table))
        facts = {
            name: facts_with_formulas(shown.asking.within(_FACT_SECONDS, _FACT_STATES), fact, table)
            for name, fact in facts.items()
        }
    leaks = _complete_leaks(checked, declarations, answers, table)
    passing = passing_facts(shown.asking.within(_PASSING_SECONDS, _FACT_STATES))
    found = (*shown.faults, *told, *missing, *leaks)
    parameters = parameter_facts(shown.asking.within(_PLOT_SECONDS, _FACT_STATES), plots=options.plots)
    return replace(_finished(checked, started, answers, table, facts, found), passing=passing, parameters=parameters)


def _put_off(shown: _Point, judged: _Point) -> tuple[Later, ...]:
    """Put the search for formulas off until the numbers are known, where all of these are numbers of the program; return what to end that by."""
    points = (shown, judged)
    if any(fault.rule is rules.UNKNOWN_OBSERVATION for point in points for fault in point.faults):
        return ()
    later = tuple(point.asking.memory.later for point in points if point.asking is not None)
    for each in later:
        each.defers = True
    return later


def _table(asking: Asking) -> tuple[tuple[LeakageRow, ...], bool]:
    """Return the leakage table, and whether it was computed and not known from another text."""
    fresh = False

    def compute() -> tuple[LeakageRow, ...]:
        nonlocal fresh
        fresh = True
        return tuple(leakage_rows(asking))

    return reused_table(asking, compute), fresh


def _answers_with_formulas(
    checked: Checked, declarations: Sequence[Declaration], answers: Sequence[Answer], shown: _Point, judged: _Point
) -> tuple[Answer, ...]:
    """Return the answers with the formulas of their numbers, which are known; budgets over ranges have none."""
    found: list[Answer] = []
    for number, (symbol, answer) in enumerate(zip(declarations, answers, strict=True)):
        again = answer
        if answer.result is not None and not _over_ranges(symbol):
            again = _answer(checked, symbol, shown, judged, len(answers) - number)
        found.append(answer if again.result is None else again)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Point:
    """The program at some values of its parameters.

    Attributes:
        asking: for its measures; None where one of the faults leaves none of them a meaning.
        faults: what is wrong there, anywhere in the program; the one that leaves no measure a meaning first.
    """

    asking: Asking | None
    faults: tuple[Diagnostic, ...]


def _at(
    checked: Checked,
    params: Mapping[str, Number],
    core: CoreProgram,
    unit: DisplayUnit,
    budget: Budget,
    seconds: float,
    reuse: bool,
) -> _Point:
    try:
        values = parameter_values(checked, params)
    except Fault as fault:
        return _Point(None, (fault.diagnostic,))
    asking = Asking(checked, core, values, unit, budget, Memory())
    faults = sorted(faults_of(asking.within(seconds)), key=lambda fault: fault.rule not in HOPELESS)
    hopeless = bool(faults) and faults[0].rule in HOPELESS
    if reuse and not any(fault.rule is rules.UNKNOWN_OBSERVATION for fault in faults):
        # Else what is computed of all observations tells whether some run passes them.
        asking = replace(asking, memory=Memory(reuse=True))
    return _Point(None if hopeless else asking, tuple(faults))


def _finished(
    checked: Checked,
    started: float,
    answers: tuple[Answer, ...] = (),
    table: tuple[LeakageRow, ...] = (),
    variables: Mapping[str, VariableFacts] | None = None,
    diagnostics: tuple[Diagnostic, ...] = (),
) -> Analysis:
    found = ordered(each for each in diagnostics if not _is_told(each, checked))
    seconds = time.monotonic() - started
    return Analysis(checked.source.version, answers, table, variables or {}, found, seconds, _note(checked))


def _is_told(found: Diagnostic, checked: Checked) -> bool:
    """Tell whether the check says the same already: there, or of what holds the place or lies in it."""
    return any(
        found.rule is told.rule and (_inside(found.span, told.span) or _inside(told.span, found.span))
        for told in checked.diagnostics
    )


def _note(checked: Checked) -> str:
    """Say what to add for a leakage table."""
    symbols = checked.symbols
    missing = [what for what, declared in (("secret", symbols.secrets), ("output", symbols.outputs)) if not declared]
    if not missing:
        return ""
    lines = " and ".join(f"'{what} x'" for what in missing)
    return f"no leakage table: add {lines} to say what must stay secret and what the attacker sees"


def _inside(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _declarations(checked: Checked) -> list[Declaration]:
    return sorted((*checked.symbols.shows, *checked.symbols.requires), key=lambda symbol: symbol.span)


def _answers(
    checked: Checked,
    declarations: Sequence[Declaration],
    shown: _Point,
    judged: _Point,
    known: Callable[[Sequence[Answer]], object],
) -> list[Answer]:
    """Answer all declarations, cheap ones first; those that their share of the time is too short for are asked again with what others left."""
    answers: dict[int, Answer] = {}
    shares: dict[int, float] = {}
    unknown = next((each for each in judged.faults if each.rule is rules.UNKNOWN_OBSERVATION), None)
    for waiting, number in _counted(_cheapest_first(shown, declarations)):
        shares[number] = _share(shown, waiting)
        answers[number] = _answer(checked, declarations[number], shown, judged, waiting)
        if unknown is None:  # else a budget that holds so far may not in the end
            known([answers[each] for each in sorted(answers) if not _is_late(answers[each])])
    late = [number for number in sorted(answers) if _is_late(answers[number])]
    for waiting, number in _counted(late):
        if _share(shown, waiting) > shares[number]:
            answers[number] = _answer(checked, declarations[number], shown, judged, waiting)
    in_order = [answers[number] for number in sorted(answers)]
    if unknown is None:
        return in_order
    some_pass = judged.asking is not None and passes(judged.asking)
    return [
        answer if some_pass and not _over_ranges(symbol) else resting(answer, unknown)
        for symbol, answer in zip(declarations, in_order, strict=True)
    ]


def _cheapest_first(shown: _Point, declarations: Sequence[Declaration]) -> list[int]:
    """Return the numbers of declarations by what they seem to cost: budgets over ranges last, then by how much of the program they depend on."""
    core = None if shown.asking is None or len(declarations) == 1 else shown.asking.core

    def cost(number: int) -> tuple[bool, int, int]:
        symbol = declarations[number]
        names = dict.fromkeys(name for _, name in names_in(symbol.node.measure))
        size = 0
        if core is not None:
            plain = [each for name in names for each in _elements(core, name)]
            size = sum(1 for _ in walk(slice_program(core, tuple(plain)).statements))
        return _over_ranges(symbol), size, number

    return sorted(range(len(declarations)), key=cost)


def _elements(core: CoreProgram, name: str) -> tuple[str, ...]:
    try:
        return core.elements(name)
    except ValueError:
        return ()


def _over_ranges(symbol: Declaration) -> bool:
    """Tell whether a budget is for other values of the parameters, too, at which another run may be all that passes."""
    return isinstance(symbol, RequireSymbol) and bool(symbol.node.ranges)


def _counted(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield each with how many are left, itself included."""
    yield from zip(range(len(numbers), 0, -1), numbers, strict=True)


def _share(point: _Point, waiting: int) -> float:
    """Return the seconds for the next of so many answers that wait: all that is left for the last."""
    if point.asking is None or point.asking.budget.deadline is None:
        return math.inf
    most = _SHARING if point.asking.memory.joints else _SEARCHING
    return max(0.0, point.asking.budget.deadline - time.monotonic()) / min(waiting, most)


def _is_late(answer: Answer) -> bool:
    return answer.diagnostic is not None and answer.diagnostic.rule is rules.TIME_LIMIT


def _answer(checked: Checked, symbol: Declaration, shown: _Point, judged: _Point, waiting: int) -> Answer:
    point = judged if isinstance(symbol, RequireSymbol) else shown
    wrong = next((each for each in checked.diagnostics if each.is_error and _inside(each.span, symbol.span)), None)
    if wrong is not None:
        return unanswered(symbol, wrong)
    if point.asking is None:
        return unanswered(symbol, point.faults[0])
    asking = point.asking if waiting == 1 else point.asking.within(_share(point, waiting))
    match symbol:
        case ShowSymbol():
            return show(asking, symbol)
        case RequireSymbol():
            return require(asking, symbol)
        case _:
            assert_never(symbol)


def _facts(asking: Asking, table: tuple[LeakageRow, ...]) -> Iterator[VariableFacts]:
    for name in asking.checked.symbols.variables:
        yield variable_facts(asking.within(_FACT_SECONDS, _FACT_STATES), name, table)


def _limit_in(answer: Answer, seconds: float) -> Answer:
    return answer if answer.diagnostic is None else replace(answer, diagnostic=_named_limit(answer.diagnostic, seconds))


def _named_limit(diagnostic: Diagnostic, seconds: float) -> Diagnostic:
    """Return a finding with, if it is the time limit, how long that is and how to raise it: engines know only when it ends."""
    if diagnostic.rule is not rules.TIME_LIMIT:
        return diagnostic
    message = diagnostic.message.replace("time limit", f"time limit of {seconds:g} s", 1)
    notes = (*diagnostic.notes, "raise the limit with --time-limit (seepage.timeLimit in an editor)")
    return replace(diagnostic, message=message, notes=notes)


def _missing_leakage(asking: Asking, table: tuple[LeakageRow, ...]) -> Iterator[Diagnostic]:
    """Yield an error at each secret whose leakage through all outputs has no number, where no fault of the program says why.

    A secret without a number would otherwise pass a check. ``asking`` is what the table was asked of.
    """
    outputs = ", ".join(symbol.name for symbol in asking.checked.symbols.outputs)
    for row in table:
        if not row.headline or row.information is not None:
            continue
        indices = asking.core.arrays.get(
            row.secret
        )  # of an array too large to take jointly, not even one element was computed
        secret = f"{row.secret}[{indices[0]}]" if indices else row.secret
        try:
            evaluate_text(asking, f"I({secret}; {outputs})", formulas=False)
        except Fault as fault:
            cause = fault.diagnostic
            if cause.rule in SILENT:
                yield _without_leakage(row, cause)
        else:
            yield Diagnostic(rules.NOT_SUPPORTED, row.span, f"the leakage of '{row.secret}' is {row.note}")


def _without_leakage(row: LeakageRow, cause: Diagnostic) -> Diagnostic:
    head = f"the leakage of '{row.secret}' is not computed"
    if cause.rule is rules.TIME_LIMIT:  # it may stand at the measure, which has no place in the program
        return Diagnostic(cause.rule, row.span, f"{head}: the time limit was reached")
    if cause.rule is rules.BUDGET_EXCEEDED:
        labels = (Label(cause.span, cause.message),)
        return Diagnostic(cause.rule, row.span, f"{head}: the analysis grew past its limit", labels, cause.notes)
    return Diagnostic(cause.rule, row.span, f"{head}: {cause.message}", notes=cause.notes)


def _complete_leaks(
    checked: Checked, declarations: Sequence[Declaration], answers: tuple[Answer, ...], table: tuple[LeakageRow, ...]
) -> Iterator[Diagnostic]:
    """Warn where an output determines a continuous secret: its information is infinite."""
    for row in table:
        if row.information is not None and row.information.lower == math.inf:
            outputs = ", ".join(symbol.name for symbol in checked.symbols.outputs) if row.headline else row.output
            yield Diagnostic(rules.COMPLETE_LEAK, row.span, f"'{outputs}' reveals '{row.secret}' completely")
    for symbol, answer in zip(declarations, answers, strict=True):
        measure, result = symbol.node.measure, answer.result
        if isinstance(measure, MeasureCall) and measure.name == "I" and result is not None and result.lower == math.inf:
            message = f"'{result.measure}' is infinite: one side reveals the other completely"
            yield Diagnostic(rules.COMPLETE_LEAK, answer.span, message)
