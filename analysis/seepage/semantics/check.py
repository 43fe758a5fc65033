"""Everything that can be said about a program without running it: cheap, on every key press, loops never unrolled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from seepage import rules
from seepage.diagnostics import Cause, Diagnostic, ordered
from seepage.semantics.checked import Checked, Classification, OutputSymbol, Symbols
from seepage.semantics.classical import classical_noise
from seepage.semantics.classify import reasons
from seepage.semantics.decided import decided
from seepage.semantics.directions import undirected
from seepage.semantics.flow import follow
from seepage.semantics.influence import influence
from seepage.semantics.kinds import Kinds
from seepage.semantics.leaks import determined_secrets, leaks_nothing
from seepage.semantics.lookalikes import lookalikes
from seepage.semantics.measure_names import check_measures
from seepage.semantics.mending import mended
from seepage.semantics.procedure_lints import procedure_lints, procedures_here, starts_in
from seepage.semantics.readings import readings
from seepage.semantics.resolve import resolve
from seepage.semantics.secrets import assigned_in_rounds, assigned_twice, names_in_rounds, observed_outputs
from seepage.semantics.sized_secrets import sized_secrets
from seepage.semantics.traced import traced
from seepage.semantics.units import Units, units_of
from seepage.semantics.unused import unused
from seepage.semantics.variables import Named
from seepage.semantics.visits import located
from seepage.semantics.written_elements import missing_elements
from seepage.source import SourceFile
from seepage.syntax.assemble import MAX_FINDINGS
from seepage.syntax.lowering.bodies import Body, is_call
from seepage.syntax.lowering.lower import Lowered
from seepage.syntax.parse import parse
from seepage.syntax.tree import Module, ParseResult, array_of, is_made


def check(source: SourceFile) -> Checked:
    """Return what is known of a program without running it.

    Never raises, whatever the text. Diagnostics come in the order of the text; what depends on the values that runs reach is
    left to the analysis.

    Args:
        source: the text, with its name; offsets of what is found count its code points.

    Returns:
        The tree, the names with their kinds, and the diagnostics.
    """
    return check_parsed(source, parse(source))


def check_parsed(source: SourceFile, parsed: ParseResult, before: Checked | None = None) -> Checked:
    """Return what :func:`check` does, of a text that is parsed already.

    Args:
        source: the text.
        parsed: what the parser made of it.
        before: the check of a text that was parsed into this one by a change: what it knows of statements that are still there is used again,
            and the answer is the same as without it.
    """
    tree = parsed.tree
    units = units_of(tree, None if before is None else before.units)
    symbols, names = resolve(tree, units)
    flow = follow(tree, symbols, units)
    classification = Classification(reasons(list(flow.diagnostics)))
    may_go_on = isinstance(parsed.context, Lowered) and parsed.context.has_rounds
    in_rounds = names_in_rounds(tree) if may_go_on else frozenset[str]()
    found = [
        *parsed.diagnostics,
        *names,
        *flow.diagnostics,
        *assigned_twice(tree, symbols, source, units, in_rounds),
        *assigned_in_rounds(symbols, in_rounds, source),
        *observed_outputs(tree, symbols, units),
        *sized_secrets(tree, symbols, units),
        *missing_elements(tree, symbols, units),
        *check_measures(symbols),
    ]
    found.extend(undirected(tree, symbols, units, found))
    kinds = Kinds(flow.end, symbols.variables)
    found.extend(readings(symbols, kinds))
    found.extend(classical_noise(symbols, units))
    found.extend(lookalikes(symbols, units, source))
    # Where the text itself is refused, something else stands in its place, of which nothing must be told.
    of_procedures: list[Diagnostic] = []
    is_refused = any(one.is_error for one in parsed.diagnostics)
    if not is_refused and not any(one.is_error and one.rule is not rules.NOT_SUPPORTED for one in found):
        found.extend(islice(_lints(tree, symbols, source, units), MAX_FINDINGS + 1))
        lowered = parsed.context if isinstance(parsed.context, Lowered) and parsed.context.facts.procedures else None
        found.extend(decided(tree, symbols, flow, source, units, _hidden(lowered)))
        if lowered is not None and (symbols.outputs or symbols.shows or symbols.requires):
            lint = partial(_lints_of_body, source, lowered)
            of_procedures.extend(procedure_lints(lowered, symbols, source, units, lint))
    placed = _without_consequences([located(one, units) for one in _listed(found)], symbols, source)
    if parsed.context is not None:
        symbols = _as_written(symbols)
        # What is said of variables that no text names follows from something else.
        placed = [one for one in dict.fromkeys(placed) if not is_made(one.subject)]
    if isinstance(parsed.context, Lowered):
        check_tree = partial(_findings_of_tree, source)
        placed = [*dict.fromkeys((*traced(placed, parsed.context, check_tree), *of_procedures))]
    context = parsed.context
    if source.is_guarded:
        placed = [one for one in placed if one.rule is not rules.SYMBOL_AS_NUMBER]
        context = replace(context, symbolic={}) if isinstance(context, Lowered) else context
    told = ordered(_over_what_is_read(parsed, (mended(one, tree, symbols, source) for one in placed)))
    return Checked(source, tree, symbols, kinds, classification, told, units, context)


def _over_what_is_read(parsed: ParseResult, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Yield findings without the fixes that would write again what the text itself is refused for: something else stands in its place in the tree.

    Where a whole statement is another one's, nothing else is said of it.
    """
    refused = [one.span for one in parsed.diagnostics if one.is_error]
    rewritten = [one.span for one in parsed.diagnostics if one.rule is rules.NO_STATEMENT and one.fixes]
    own = set(parsed.diagnostics)
    for one in found:
        if one not in own and any(span.start <= one.span.start and one.span.end <= span.end for span in rewritten):
            continue
        if one.fixes and one not in own:
            kept = tuple(
                fix
                for fix in one.fixes
                if not any(
                    edit.span.start <= span.start and span.end <= edit.span.end
                    for edit in fix.edits
                    for span in refused
                )
            )
            yield replace(one, fixes=kept) if len(kept) < len(one.fixes) else one
        else:
            yield one


def _hidden(lowered: Lowered | None) -> Callable[[int], bool]:
    """Return what tells by its start whether a condition of the core is none of the program's own text, but of a procedure."""
    if lowered is None:
        return lambda start: False
    in_procedure = starts_in(procedures_here(lowered))
    return lambda start: is_call(lowered, start) or in_procedure(start)


def _lints_of_body(source: SourceFile, lowered: Lowered, alone: Body) -> Iterator[Diagnostic]:
    """Yield what is odd in a procedure by itself."""
    units = units_of(alone.tree)
    symbols, _ = resolve(alone.tree, units)
    outputs = tuple(OutputSymbol(name, alone.tree.span, alone.tree.span) for name in alone.results)
    symbols = replace(symbols, secrets=(), outputs=outputs, shows=(), requires=())
    yield from unused(alone.tree, symbols, source, units)
    flow = follow(alone.tree, symbols, units)
    yield from decided(alone.tree, symbols, flow, source, units, partial(is_call, lowered))


def _findings_of_tree(source: SourceFile, parsed: ParseResult) -> tuple[Diagnostic, ...]:
    return check_parsed(source, parsed).diagnostics


def _as_written(symbols: Symbols) -> Symbols:
    """Return symbols without the variables that only the transformation to the core makes."""
    return replace(symbols, variables=Named(symbols.variables))


def _without_consequences(found: list[Diagnostic], symbols: Symbols, source: SourceFile) -> list[Diagnostic]:
    """Leave out that nothing assigns names which a declaration gives a value by mistake: ``secret x, y ~ D`` is one slip."""
    slips = [one.span for one in found if one.cause is Cause.GIVEN_A_VALUE]
    if not slips:
        return found
    declared = [
        *((array_of(one.name), one.declaration) for one in symbols.secrets),
        *((array_of(one.name), one.declaration) for one in symbols.outputs),
    ]
    names = {name for name, span in declared if any(span.contains(slip.start) for slip in slips)}
    unassigned = (rules.NEVER_ASSIGNED, rules.UNKNOWN_NAME, rules.UNKNOWN_IN_MEASURE)
    return [
        one for one in found if one.rule not in unassigned or source[one.span].partition("[")[0].strip() not in names
    ]


def _listed(found: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
    """Return as many findings as anybody reads, errors first and then in the order of the text; the last one says that there are more."""
    if len(found) <= MAX_FINDINGS:
        return found
    chosen = sorted(found, key=lambda one: (not one.is_error, one.span.start, one.span.end))[:MAX_FINDINGS]
    last = max(chosen, key=lambda one: one.span)
    noted = replace(last, notes=(*last.notes, f"more findings than these {MAX_FINDINGS:,} are not listed"))
    return [noted if one is last else one for one in chosen]


def _lints(tree: Module, symbols: Symbols, source: SourceFile, units: Units) -> Iterator[Diagnostic]:
    """Yield what is odd in a program without errors that asks for something; half a program is not blamed for its other half."""
    if symbols.outputs and symbols.secrets:
        graph = influence(tree, units)
        yield from leaks_nothing(graph, symbols)
        yield from determined_secrets(tree, graph, symbols, units)
    if symbols.outputs or symbols.shows or symbols.requires:
        yield from unused(tree, symbols, source, units)
