"""The one path from text to results: ``check`` in milliseconds, ``analyze`` and ``measure`` in as long as they are given.

Command line, library and language server all come through here, so that they say the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from seepage import rules
from seepage.analysis import Analysis, Options, analyze
from seepage.deadline import Deadline, processor_seconds
from seepage.diagnostics import Diagnostic, Fault
from seepage.engines.outcome import Budget
from seepage.exact import Number
from seepage.measures.answers import located
from seepage.measures.asking import Asking, InformationUnit
from seepage.measures.endless_runs import LEFT_OUT
from seepage.measures.evaluate import evaluate
from seepage.measures.explanation import explain
from seepage.measures.facts import Answer, LeakageRow, VariableFacts, WorstCase
from seepage.measures.games.optimum import best_play
from seepage.measures.meaning import FAULT_SHARE, ambiguous, faults_of, is_hopeless, may_have_none, names_subject
from seepage.measures.notes import Note
from seepage.measures.parameters import parameter_values
from seepage.measures.result import Method, Result
from seepage.measures.settled_asking import asking_at, part_for
from seepage.measures.told_derivation import Explanation
from seepage.measures.told_plan import How
from seepage.parts import counted_part
from seepage.semantics.blocking import blocking
from seepage.semantics.check import check as check_semantics
from seepage.semantics.checked import Checked
from seepage.semantics.core import CoreProgram
from seepage.semantics.measure_names import check_measure, names_in
from seepage.semantics.needed import unroll_for
from seepage.source import SourceFile, Span
from seepage.syntax.lowering.lower import Lowered
from seepage.syntax.lowering.unequal import never_equal_in
from seepage.syntax.parse import parse_measure
from seepage.syntax.spell import spell
from seepage.syntax.tree import MeasureExpression

__all__ = [
    "Analysis",
    "Answer",
    "Explanation",
    "How",
    "LeakageRow",
    "Options",
    "VariableFacts",
    "WorstCase",
    "analyze",
    "check",
    "explanation",
    "how",
    "measure",
    "measured_source",
]


def check(source: SourceFile) -> Checked:
    """Return all that is known of a program without running it; no text raises.

    Raises:
        TypeError: if the source is none, but a mere text, say.
    """
    if not isinstance(source, SourceFile):
        raise TypeError(
            f"found {type(source).__name__}, expected a SourceFile; seepage.parse(text).diagnostics has what is found in a text"
        )
    return check_semantics(source)


def measured_source(checked: Checked, text: str) -> tuple[SourceFile, int]:
    """Return the program's text with a measure set below it, and where that starts: so its faults have a place of their own."""
    source = checked.source
    return replace(source, text=f"{source.text}\n{text}"), len(source.text) + 1


def measure(
    checked: Checked,
    text: str,
    params: Mapping[str, Number],
    unit: InformationUnit = "bits",
    seconds: float = 30.0,
    budget: Budget = Budget(),  # noqa: B008  # immutable
    method: Method | None = None,
) -> Result:
    """Evaluate a measure given as text; ``method`` names the paper's bounds to use for mixtures in place of quadrature.

    Raises:
        Fault: of the program, or of the measure: then its place is that in :func:`measured_source`.
        ValueError: if ``params`` names no parameter, or ``unit`` is none.
    """
    started = processor_seconds()
    tree, offset = read_measure(checked, text)
    try:
        result = None if method else _by_rounds(checked, tree, offset, params, unit, seconds, budget)
        if result is not None:
            return replace(result, seconds=processor_seconds() - started)
        asking, notes = _asked(checked, tree, params, unit, seconds, budget)
        result = evaluate(replace(asking, method=method), tree, offset)
    except Fault as fault:
        raise named_fault(fault, tree, offset, seconds) from fault
    notes += _compared_in_vain(checked, tree)
    return replace(result, seconds=processor_seconds() - started, remarks=(*result.remarks, *map(Note, notes)))


def _compared_in_vain(checked: Checked, tree: MeasureExpression) -> tuple[str, ...]:
    """Return what cells of tables are compared with that none of them is: beside a number that is right of the program as it stands, and seldom meant."""
    context = checked.context
    if not isinstance(context, Lowered) or not context.facts.data:
        return ()
    found = [one for one in checked.diagnostics if one.rule is rules.NEVER_EQUAL]
    lines = [f"{one.message} (line {checked.source.position(one.span.start)[0]:,})" for one in found]
    return (*lines, *(one.message for one in never_equal_in(tree, checked.tree)))


def explanation(
    checked: Checked,
    text: str,
    params: Mapping[str, Number],
    unit: InformationUnit = "bits",
    seconds: float = 30.0,
    budget: Budget = Budget(),  # noqa: B008  # immutable
) -> Explanation:
    """Derive a measure given as text by weakest pre-expectations; raises as :func:`measure`."""
    tree, offset = read_measure(checked, text)
    asking, _ = _asked(checked, tree, params, unit, seconds, budget)
    try:
        return explain(best_play(asking, tree, offset, evaluate), tree, offset)
    except Fault as fault:
        raise named_fault(fault, tree, offset, seconds) from fault


def how(
    checked: Checked,
    text: str,
    params: Mapping[str, Number],
    unit: InformationUnit = "bits",
    seconds: float = 30.0,
    budget: Budget = Budget(),  # noqa: B008  # immutable
) -> How:
    """Evaluate a measure given as text, and tell what was tried for it, also where nothing answered.

    Raises:
        Fault: of the program, or of the measure as it is written.
        ValueError: as :func:`measure`.
    """
    tree, offset = read_measure(checked, text)
    if (counted := _by_rounds(checked, tree, offset, params, unit, seconds, budget)) is not None:
        return How(spell(tree), counted.plan, counted, None)
    asking, _ = _asked(checked, tree, params, unit, seconds, budget)
    try:
        result = evaluate(asking, tree, offset)
    except Fault as fault:
        named = named_fault(fault, tree, offset, seconds)
        return How(spell(tree), tuple(asking.memory.steps), None, named.diagnostic)
    return How(spell(tree), result.plan, result, None)


def _asked(
    checked: Checked,
    tree: MeasureExpression,
    params: Mapping[str, Number],
    unit: InformationUnit,
    seconds: float,
    budget: Budget,
) -> tuple[Asking, tuple[str, ...]]:
    """Return what a measure is asked of, and what its number rests on."""
    names = [name for _, name in names_in(tree)]
    core = part_for(unroll_for(checked, names), names, parameter_values(checked, params))
    asking = asking_of(checked, core, params, unit, seconds, budget, names, only=True)
    return asking, need_meaning(asking, tree, seconds)


def _by_rounds(
    checked: Checked,
    tree: MeasureExpression,
    offset: int,
    params: Mapping[str, Number],
    unit: InformationUnit,
    seconds: float,
    budget: Budget,
) -> Result | None:
    """Return the number of a measure of long loops from few of their rounds; None where these do not tell it."""
    core = counted_part(checked, tree)
    if core is None:
        return None
    asking = asking_of(checked, core, params, unit, seconds, budget, [name for _, name in names_in(tree)], only=True)
    try:
        need_meaning(asking, tree, seconds)
        return evaluate(asking, tree, offset)
    except Fault as fault:
        if fault.diagnostic.rule in (rules.NOT_SUPPORTED, rules.BUDGET_EXCEEDED):
            return None
        raise


def read_measure(checked: Checked, text: str) -> tuple[MeasureExpression, int]:
    """Return the tree of a measure given as text, and its place in :func:`measured_source`; raises a ``Fault`` as :func:`measure`."""
    _, offset = measured_source(checked, text)
    for diagnostic in blocking(checked):
        raise Fault(diagnostic)
    tree, diagnostics = parse_measure(text, checked.context)
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
    unit: InformationUnit,
    seconds: float,
    budget: Budget = Budget(),  # noqa: B008  # immutable
    names: Iterable[str] = (),
    *,
    only: bool = False,
) -> Asking:
    """Return a program at values of its parameters, to be asked for so many seconds from now on.

    ``core`` is ``checked``, unrolled, or what is asked for needs of it; ``names`` are what is asked for, if other names may have no law that is known, or ``only`` them.

    Raises:
        Fault: if a value lies outside the parameter's domain; of what comes before a loop of unknown length, or stands in it.
        ValueError: if ``params`` names no parameter, or ``unit`` is none.
    """
    if unit not in ("bits", "nats"):
        raise ValueError(f"found unit {unit!r}, expected 'bits' or 'nats'")
    limited = replace(budget, deadline=Deadline.after(seconds))
    values = parameter_values(checked, params)
    return asking_at(checked, core, names, values, unit, limited, only=only)


def need_meaning(asking: Asking, measure: MeasureExpression, seconds: float) -> tuple[str, ...]:
    """Return what the numbers of a program rest on, as sentences; raise a ``Fault`` if the measure has no meaning there.

    ``seconds`` is what the whole question was given, of which the search for faults takes a share.
    """
    notes: tuple[str, ...] = (LEFT_OUT,) if asking.core.endings else ()
    need_one_value(asking.checked, measure)
    if may_have_none(asking.core):
        for diagnostic in faults_of(asking.within(FAULT_SHARE * seconds)):
            about = bool(ambiguous((diagnostic,))) and names_subject(diagnostic, measure)
            if about or is_hopeless(diagnostic, asking.core):
                raise Fault(diagnostic)
            if diagnostic.rule is rules.UNKNOWN_OBSERVATION:
                notes = (*notes, diagnostic.message)
    return notes


def need_one_value(checked: Checked, measure: MeasureExpression) -> None:
    """Raise a ``Fault`` if a measure names a secret of which the text alone does not say which of its values is meant."""
    for diagnostic in ambiguous(checked.diagnostics):
        if names_subject(diagnostic, measure):
            raise Fault(diagnostic)


def named_fault(fault: Fault, tree: MeasureExpression, offset: int, seconds: float) -> Fault:
    """Return a fault of a measure as people read it: one of the clock names the measure that waited, and the limit."""
    return Fault(located(fault, tree.span.shift(offset), spell(tree), seconds))
