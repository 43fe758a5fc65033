"""The analysis of a whole program: its questions, the leakage table, the facts of its variables, and what is wrong with it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial

from seepage import rules
from seepage.answering import (
    OF_LAST,
    Answering,
    Declaration,
    Point,
    Questions,
    by_place,
    declarations_of,
    first_share,
    is_told,
    limit_in,
    point_at,
)
from seepage.data_classes import dataclass
from seepage.deadline import Deadline, processor_seconds, sooner, watched
from seepage.diagnostics import Diagnostic, Fault, Label, ordered
from seepage.engines.outcome import Budget
from seepage.exact import Number, show_count
from seepage.measures.answers import RAISE_LIMIT, unanswered
from seepage.measures.asking import Asking, InformationUnit
from seepage.measures.completion import facts_with_formulas, row_with_formulas
from seepage.measures.ended_exactness import ended_exactness
from seepage.measures.endless_runs import endless_runs
from seepage.measures.evaluate import evaluate, evaluate_text
from seepage.measures.facts import Answer, LeakageRow, ParameterFacts, PassingFacts, VariableFacts
from seepage.measures.games.optimum import played
from seepage.measures.joints import Later
from seepage.measures.known_quantities import kept_table, reused_table
from seepage.measures.leakage_table import row_questions, tells_outputs_alone
from seepage.measures.meaning import FAULT_SHARE, SILENT
from seepage.measures.moved_priors import moved_priors
from seepage.measures.parameter_facts import parameter_facts
from seepage.measures.parameters import need_parameters, parameter_values
from seepage.measures.passing import passing_facts
from seepage.measures.table_rounds import Table
from seepage.measures.variable_facts import role_of, variable_facts
from seepage.notebook import Recorded, Rendered
from seepage.parts import Part, names_of, parts_beside_loops, parts_counted, parts_needed, rows_counted
from seepage.semantics.blocking import blocking
from seepage.semantics.checked import Checked
from seepage.semantics.constants import with_constants
from seepage.semantics.core import CoreProgram
from seepage.semantics.needed import unroll_part
from seepage.source import SourceFile
from seepage.syntax.tree import MeasureCall, array_of
from seepage.wishes import Wished

_FACT_SECONDS = 2.0  # for one variable's hover
_FACT_STATES = 20_000  # of variables that are neither secret nor output: nobody asked for these
_PLOT_SECONDS = 0.5
_PASSING_SECONDS = 2.0  # for all conditions of the program together
_MOVED_SECONDS = 2.0  # for what observations do to secrets, of all together
_EARLY = 0.6  # of the time, for what does not wait for loops
# What keeps a loop without a law, or for too long, and is no fault of the program.
_UNSETTLED = SILENT | {rules.UNBOUNDED_LOOP}


@dataclass(frozen=True, slots=True)
class Options:
    """How to analyse.

    Attributes:
        params: values in place of the parameters' defaults: everything is computed at them, and budgets are judged at them.
        unit: of what is shown; budgets have their own.
        seconds: time limit of the whole analysis, of a processor.
        budget: of each run of an engine; its deadline is set here.
        display_params: values in place of ``params`` for what is shown (``show``, leakage table, facts of variables); no budget is judged
            at them, so that a budget says the same wherever numbers are looked at.
        plots: whether to compute the leakage over the domains of parameters, where that takes little.
        reuse: whether to take measures that this process found for other texts where what they depend on is equal.
    """

    params: Mapping[str, Number] = field(default_factory=dict)
    unit: InformationUnit = "bits"
    seconds: float = 30.0
    budget: Budget = field(default_factory=Budget)
    display_params: Mapping[str, Number] = field(default_factory=dict)
    plots: bool = False
    reuse: bool = False


@dataclass(frozen=True, slots=True)
class Analysis(Wished, Rendered, Recorded):
    """All that was computed of one version of a program; plain values, fit to travel between processes.

    Attributes:
        version: of the source.
        answers: of every ``show`` and ``require``, in the order of the text.
        table: the leakage table; empty without secrets or outputs.
        variables: facts by name.
        diagnostics: what running found (those of ``check`` are not repeated), in the order of the text.
        seconds: of a processor that it took.
        note: what a reader must know about the whole; empty if nothing.
        passing: how likely observations pass and branches are taken, in the order of the text.
        parameters: what depends on each parameter.
        source: the program, into which places show; None where whoever asked has it.
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
    source: SourceFile | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        """Return how much there is of each kind."""
        sizes = (len(self.answers), len(self.table), len(self.diagnostics))
        return "<Analysis: {} of show and require, {} rows of the table, {} findings>".format(*sizes)


def analyze(
    checked: Checked,
    options: Options = Options(),  # noqa: B008  # immutable
    tell: Callable[[Analysis], object] | None = None,
) -> Analysis:
    """Answer every ``show`` and ``require``, fill the leakage table and the facts of each variable, and look for faults.

    Faults of the program are data: the function raises none. ``tell`` gets what is known before all is, answers that are cheap first, and
    numbers before their formulas; what it is told stays as it is, but that formulas, and notes on these, join the numbers.

    Args:
        checked: the program, as :func:`check` leaves it.
        options: values of parameters, the unit of information (bits or nats), and seconds of processor time for all of it.
        tell: is called with what is known so far, each time that more is.

    Returns:
        All answers, each number with its bounds and its certainty; what time was too short for says so.

    Raises:
        ValueError: if the options name no parameter of the program.
        TypeError: if it is no checked program, but its text, say.
    """
    if not isinstance(checked, Checked):
        raise TypeError(
            f"found {type(checked).__name__}, expected a checked program; seepage.parse(text).analyze() does both"
        )
    started, deadline = processor_seconds(), Deadline.after(options.seconds)
    need_parameters(checked, (*options.params, *options.display_params))
    if any(True for _ in blocking(checked)):
        return _finished(checked, started)
    early, answers, faults = _by_rounds(checked, options, deadline)
    rows = rows_counted(checked, partial(_shown, checked, options, deadline))
    waiting = [symbol for symbol in declarations_of(checked) if symbol not in early]
    if tell is not None and early:
        tell(_finished(checked, started, answers, diagnostics=faults))
    is_whole = not waiting and len(rows) == len(list(row_questions(checked)))
    try:
        core = unroll_part(checked)
    except Fault as fault:
        more, wrong = _apart(parts_needed(waiting, checked), checked, options, deadline)
        grown = () if is_whole and fault.diagnostic.rule is rules.BUDGET_EXCEEDED else (fault.diagnostic,)
        answers, faults = by_place((*answers, *more)), (*grown, *faults, *wrong)
        return _finished(checked, started, answers, tuple(rows.values()), diagnostics=faults)
    questions = _questions(checked, core, options, deadline, settling=first_share(deadline))
    if questions.shown.asking is None and questions.shown.faults[0].rule in _UNSETTLED:
        beside, told, wrong = _beside_loops(replace(questions, declarations=waiting), core, options, deadline)
        early, answers, faults = (*early, *beside), by_place((*answers, *told)), (*faults, *wrong)
        if tell is not None and early:
            tell(_finished(checked, started, answers, diagnostics=faults))
        questions = _questions(checked, core, options, deadline)
    questions = questions.without(core.left_out.values()) if is_whole else questions
    beyond = [each for each in waiting if any(array_of(one) in core.left_out for one in names_of([each]))]
    known = [symbol for symbol in questions.declarations if symbol not in (*beyond, *early)]
    found = _Run(options, _beside(tell, answers), started, replace(questions, declarations=known), rows).whole()
    if beyond:
        more, wrong = _apart(parts_needed(beyond, checked), checked, options, deadline)
        answers, faults = (*answers, *more), (*faults, *wrong)
    answers, faults = by_place((*found.answers, *answers)), ordered((*found.diagnostics, *faults))
    return replace(found, answers=answers, diagnostics=faults, seconds=processor_seconds() - started)


def _beside_loops(
    questions: Questions, core: CoreProgram, options: Options, deadline: Deadline
) -> tuple[tuple[Declaration, ...], tuple[Answer, ...], tuple[Diagnostic, ...]]:
    """Return what does not depend on loops that take long, or have no law that is known, its answers, and what is found wrong: it does not wait for them."""
    checked = questions.checked
    values = parameter_values(checked, {**options.params, **options.display_params})
    parts = parts_beside_loops(questions.declarations, checked, core, values, budgets=not options.display_params)
    answers, faults = _apart(parts, checked, options, sooner(deadline, share=_EARLY) or deadline)
    return tuple(symbol for part in parts for symbol in part.symbols), answers, faults


def _by_rounds(
    checked: Checked, options: Options, deadline: Deadline
) -> tuple[tuple[Declaration, ...], tuple[Answer, ...], tuple[Diagnostic, ...]]:
    """Return the declarations that few rounds of long loops answer, with their answers, and what is found wrong; what they do not tell waits for all rounds."""
    parts = parts_counted(declarations_of(checked), checked, budgets=not options.display_params)
    early: list[Declaration] = []
    answers: list[Answer] = []
    faults: list[Diagnostic] = []
    for part in parts:
        found, wrong = _apart([part], checked, options, sooner(deadline, share=_EARLY) or deadline)
        if all(answer.result is not None for answer in found):
            early.extend(part.symbols)
            answers.extend(found)
            faults.extend(wrong)
    return tuple(early), by_place(answers), tuple(dict.fromkeys(faults))


def _shown(checked: Checked, options: Options, deadline: Deadline, core: CoreProgram, names: Sequence[str]) -> Point:
    """Return a program of which nothing but some names is asked, at the values that are shown."""
    budget = replace(options.budget, deadline=sooner(deadline, share=_EARLY) or deadline)
    values = {**options.params, **options.display_params}
    return point_at(checked, values, core, options.unit, budget, FAULT_SHARE * options.seconds, options.reuse, names)


def _beside(
    tell: Callable[[Analysis], object] | None, answers: tuple[Answer, ...]
) -> Callable[[Analysis], object] | None:
    """Return what is told of an analysis beside which some answers are known."""
    if tell is None or not answers:
        return tell
    return lambda found: tell(replace(found, answers=by_place((*found.answers, *answers))))


def _apart(
    parts: Iterable[Part], checked: Checked, options: Options, deadline: Deadline
) -> tuple[tuple[Answer, ...], tuple[Diagnostic, ...]]:
    """Return answers, each from no more of a program than it needs, and what is found wrong."""
    answers: list[Answer] = []
    found: list[Diagnostic] = []
    for part in parts:
        try:
            core = part.core()
        except Fault as own:
            answers.extend(unanswered(part.checked, symbol, own.diagnostic) for symbol in part.symbols)
            continue
        questions = replace(
            _questions(part.checked, core, options, deadline, part.symbols if part.only else None),
            declarations=part.symbols,
        )
        answering = Answering(questions)
        answering.ask(questions.cheapest_first(), lambda: None)
        answers.extend(limit_in(answer, options.seconds) for answer in answering.whole())
        found.extend((*questions.shown.faults, *questions.judged.faults))
    found.extend(answer.diagnostic for answer in answers if answer.diagnostic is not None)
    return by_place(answers), tuple(each for each in found if not is_told(each, checked))


def _questions(
    checked: Checked,
    core: CoreProgram,
    options: Options,
    deadline: Deadline,
    only: Sequence[Declaration] | None = None,
    settling: float = math.inf,
) -> Questions:
    """Return what is asked; ``only``: of these declarations, if not all; ``settling``: seconds for the laws of loops."""
    budget = replace(options.budget, deadline=deadline)
    names = None if only is None else names_of(only)
    limits = (core, options.unit, budget, FAULT_SHARE * options.seconds, options.reuse, names, settling)
    shown = judged = point_at(checked, {**options.params, **options.display_params}, *limits)
    if options.display_params and checked.symbols.requires and only is None:
        judged = point_at(checked, options.params, *limits)
    return Questions(checked, declarations_of(checked) if only is None else only, shown, judged)


@dataclass(frozen=True, slots=True)
class _Found:
    """What an analysis has found: answers, the leakage table, the facts of variables."""

    answers: tuple[Answer, ...]
    table: tuple[LeakageRow, ...] = ()
    facts: Mapping[str, VariableFacts] = field(default_factory=dict)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The findings of the answers."""
        return tuple(answer.diagnostic for answer in self.answers if answer.diagnostic is not None)


@dataclass(frozen=True, slots=True)
class _Run:
    """One analysis of a program that can be run; attributes as :func:`analyze` has them, with when it began, what is asked, and known rows of the table."""

    options: Options
    tell: Callable[[Analysis], object] | None
    started: float
    questions: Questions
    rows: Mapping[int, LeakageRow]

    def whole(self) -> Analysis:
        """Return all there is to know."""
        shown, seconds = self.questions.shown, self.options.seconds
        later = _put_off(self.questions) if self.tell is not None else ()
        answering = Answering(self.questions)
        if shown.asking is None:
            answering.ask(self.questions.cheapest_first(), lambda: None)
            return self._analysis(_Found(tuple(limit_in(answer, seconds) for answer in answering.whole())))
        answering.ask(self.questions.cheapest_first(), lambda: self._known(_Found(answering.so_far())))
        asking, note = played(shown.asking.within(), evaluate)
        asking = shown.asking if shown.asking.game is None else replace(asking, budget=shown.asking.budget)
        rows = Table(asking.within(), self.rows)
        table, fresh = _table(rows, answering.first, lambda: self._known(_Found(answering.so_far(), rows.so_far())))
        first, others = self._variables()
        facts, late = _facts(asking, table, first, answering.first)
        self._known(_Found(answering.so_far(), rows.so_far() if rows.late else table, facts))
        answering.ask_again(
            lambda: self._known(_Found(answering.so_far(), rows.so_far() if rows.late else table, facts)), OF_LAST
        )
        if rows.late:
            table = rows.fill_again(asking.within(), answering.first)
        missing = tuple(_missing_leakage(asking.within(), table, seconds))
        facts = {**facts, **_facts(asking, table, [*late, *others], _FACT_SECONDS)[0]}
        answers = tuple(limit_in(answer, seconds) for answer in answering.whole())
        found = _Found(answers, table, {name: facts[name] for name in self.questions.checked.symbols.variables})
        told = found.diagnostics
        if later:
            self._known(found)
            for each in later:
                each.defers = False
            found = self._with_formulas(asking, found, fresh)
        leaks = _complete_leaks(self.questions, found)
        asked = tuple(zip(self.questions.declarations, found.answers, strict=True))
        ended = ended_exactness(self.questions.checked, asking.core, asked, found.table)
        passing = passing_facts(asking.within(_PASSING_SECONDS, _FACT_STATES))
        parameters = parameter_facts(asking.within(_PLOT_SECONDS, _FACT_STATES), plots=self.options.plots)
        limited = asking.within(_MOVED_SECONDS, _FACT_STATES)
        moved = (*moved_priors(limited), *endless_runs(limited))
        whole = self._analysis(found, (*told, *missing, *leaks, *ended, *moved))
        note = "; ".join(part for part in (whole.note, note) if part)
        return replace(whole, passing=passing, parameters=parameters, note=note)

    def _variables(self) -> tuple[list[str], list[str]]:
        """Return the names of variables: first those that depend on no more of the program than the leakage table, all where there is none."""
        names, most = list(self.questions.checked.symbols.variables), self.questions.size_of_table
        if math.isinf(most):
            return names, []
        large = {name for name in names if self.questions.size([name]) > most}
        return [name for name in names if name not in large], [name for name in names if name in large]

    def _with_formulas(self, asking: Asking, found: _Found, fresh: bool) -> _Found:
        """Return what was found with the formulas of its numbers; a table that is not ``fresh`` has them."""
        found = replace(found, answers=self.questions.with_formulas(found.answers))
        self._known(found)
        if fresh:
            limited = asking.within()
            rows = tuple(row_with_formulas(limited, row) for row in found.table)
            found = replace(found, table=kept_table(limited, rows))
        facts = {
            name: facts_with_formulas(_within_facts(asking, name), fact, found.table)
            for name, fact in found.facts.items()
        }
        return replace(found, facts=facts)

    def _known(self, found: _Found) -> None:
        if self.tell is not None:
            self.tell(self._analysis(found))

    def _analysis(self, found: _Found, diagnostics: tuple[Diagnostic, ...] | None = None) -> Analysis:
        """Return what was found as an analysis; its findings are those of the answers if no others are given."""
        told = found.diagnostics if diagnostics is None else diagnostics
        faults = (*self.questions.shown.faults, *told)
        return _finished(self.questions.checked, self.started, found.answers, found.table, found.facts, faults)


def _put_off(questions: Questions) -> tuple[Later, ...]:
    """Put the search for formulas off until the numbers are known, where all of these are numbers of the program; return what to end that by."""
    points = (questions.shown, questions.judged)
    if any(fault.rule is rules.UNKNOWN_OBSERVATION for point in points for fault in point.faults):
        return ()
    later = tuple(point.asking.memory.later for point in points if point.asking is not None)
    for each in later:
        each.defers = True
    return later


def _table(table: Table, seconds: float, known: Callable[[], object]) -> tuple[tuple[LeakageRow, ...], bool]:
    """Return the rows of the leakage table, each found in so many seconds at most, and whether they were computed and not known from another text."""
    fresh = False

    def compute() -> tuple[LeakageRow, ...]:
        nonlocal fresh
        fresh = True
        return table.fill(seconds, known)

    return (table.fill(seconds, known), False) if table.known else (reused_table(table.asking, compute), fresh)


def _finished(
    checked: Checked,
    started: float,
    answers: tuple[Answer, ...] = (),
    table: tuple[LeakageRow, ...] = (),
    variables: Mapping[str, VariableFacts] | None = None,
    diagnostics: tuple[Diagnostic, ...] = (),
) -> Analysis:
    found = ordered(each for each in diagnostics if not is_told(each, checked))
    seconds = processor_seconds() - started
    return Analysis(checked.source.version, answers, table, variables or {}, found, seconds, _note(checked))


def _note(checked: Checked) -> str:
    """Say what to add for a leakage table, where no error may be the reason that it is missing, and what one leaves out."""
    if checked.has_errors:
        return ""
    symbols = checked.symbols
    if not tells_outputs_alone(checked):
        secret, output = symbols.secrets[0].name, symbols.outputs[0].name
        pairs = show_count(len(symbols.secrets) * len(symbols.outputs))
        return (
            f"no rows for single outputs, of which there would be {pairs}: ask for one by 'show I({secret}; {output})'"
        )
    missing = [what for what, declared in (("secret", symbols.secrets), ("output", symbols.outputs)) if not declared]
    if not missing:
        return ""
    lines = " and ".join(f"'{what} x'" for what in missing)
    return f"no leakage table: add {lines} to say what must stay secret and what the attacker sees"


def _facts(
    asking: Asking, table: tuple[LeakageRow, ...], names: Sequence[str], seconds: float
) -> tuple[dict[str, VariableFacts], list[str]]:
    """Return the facts of variables, each found in so many seconds of a processor at most, and the names of those for which that was too little."""
    asking = replace(asking, core=with_constants(asking.core))
    found: dict[str, VariableFacts] = {}
    late: list[str] = []
    for name in names:
        with watched() as watch:
            found[name] = variable_facts(_within_facts(asking, name, seconds), name, table)
        if watch.cut:
            late.append(name)
    return found, late


def _within_facts(asking: Asking, name: str, seconds: float = _FACT_SECONDS) -> Asking:
    return asking.at_most(seconds).within(_FACT_SECONDS, _FACT_STATES if role_of(asking, name) == "variable" else None)


def _missing_leakage(asking: Asking, table: tuple[LeakageRow, ...], limit: float) -> Iterator[Diagnostic]:
    """Yield an error at each secret whose leakage through all outputs has no number, where no fault of the program says why.

    A secret without a number would otherwise pass a check. ``asking`` is what the table was asked of, within a ``limit``
    of so many seconds.
    """
    outputs = ", ".join(symbol.name for symbol in asking.checked.symbols.outputs)
    for row in table:
        if not row.headline or row.information is not None:
            continue
        if row.is_late and asking.budget.expired():
            yield _without_leakage(row, Diagnostic(rules.TIME_LIMIT, row.span, row.note), limit)
            continue
        indices = asking.core.arrays.get(row.secret)  # if too large to take jointly: not even one element was computed
        secret = f"{row.secret}[{indices[0]}]" if indices else row.secret
        try:
            evaluate_text(asking, f"I({secret}; {outputs})", formulas=False)
        except Fault as fault:
            cause = fault.diagnostic
            if cause.rule in SILENT:
                yield _without_leakage(row, cause, limit)
        else:
            yield Diagnostic(rules.NOT_SUPPORTED, row.span, f"the leakage of '{row.secret}' is {row.note}")


def _without_leakage(row: LeakageRow, cause: Diagnostic, limit: float) -> Diagnostic:
    head = f"the leakage of '{row.secret}' is not computed"
    if cause.rule is rules.TIME_LIMIT:  # it may stand at the measure, which has no place in the program
        message = f"{head}: the time limit of {limit:g} s was reached"
        return Diagnostic(cause.rule, row.span, message, notes=(RAISE_LIMIT,))
    if cause.rule is rules.BUDGET_EXCEEDED:
        labels = (Label(cause.span, cause.message),)
        return Diagnostic(cause.rule, row.span, f"{head}: the analysis grew past its limit", labels, cause.notes)
    return Diagnostic(cause.rule, row.span, f"{head}: {cause.message}", notes=cause.notes)


def _complete_leaks(questions: Questions, found: _Found) -> Iterator[Diagnostic]:
    """Warn where an output determines a continuous secret: its information is infinite."""
    for row in found.table:
        if row.information is not None and row.information.lower == math.inf:
            outputs = (
                ", ".join(symbol.name for symbol in questions.checked.symbols.outputs) if row.headline else row.output
            )
            yield Diagnostic(rules.COMPLETE_LEAK, row.span, f"'{outputs}' tells infinitely much of '{row.secret}'")
    for symbol, answer in zip(questions.declarations, found.answers, strict=True):
        measure, result = symbol.node.measure, answer.result
        if isinstance(measure, MeasureCall) and measure.name == "I" and result is not None and result.lower == math.inf:
            message = f"'{result.measure}' is infinite: one side tells infinitely much of the other"
            yield Diagnostic(rules.COMPLETE_LEAK, answer.span, message)
