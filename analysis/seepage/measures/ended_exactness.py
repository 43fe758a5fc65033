"""Where the exactness of numbers that somebody asked for ended: statements outside of the exact fragment are information until a number suffers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from seepage import rules
from seepage.diagnostics import Diagnostic, Reason, Severity
from seepage.measures.facts import Answer, LeakageRow
from seepage.measures.result import Certainty, Result
from seepage.semantics.checked import Checked, RequireSymbol, ShowSymbol
from seepage.semantics.classify import INEXACT
from seepage.semantics.core import CoreProgram
from seepage.semantics.measure_names import names_in
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import walk
from seepage.source import Span

_MOST_NAMED = 3


def ended_exactness(
    checked: Checked,
    core: CoreProgram,
    asked: Sequence[tuple[ShowSymbol | RequireSymbol, Answer]],
    table: Sequence[LeakageRow],
) -> Iterator[Diagnostic]:
    """Yield a warning in the place of each information on exactness that left an asked number approximate, or without one; it names these.

    Args:
        checked: has the information.
        core: of the same program.
        asked: every ``show`` and ``require`` with its answer.
        table: the leakage table.
    """
    findings = [each for each in checked.diagnostics if each.rule.code in INEXACT]
    approximate: dict[Diagnostic, dict[str, None]] = {}
    without: dict[Diagnostic, dict[str, None]] = {}
    results = [answer.result for _, answer in asked] + [row.information for row in table]
    for result in results:
        if result is not None and result.certainty is Certainty.APPROXIMATE:
            _note(findings, result, approximate)
    for symbol, answer in asked:
        if answer.result is None and answer.diagnostic is not None and answer.diagnostic.rule is rules.NOT_SUPPORTED:
            places = _places(core, symbol)
            for finding in findings:
                if any(_lies_in(finding.span, place) for place in places):
                    without.setdefault(finding, {})[answer.text] = None
    for finding in dict.fromkeys((*approximate, *without)):
        told = [f"{_named(approximate[finding])} only approximate"] if finding in approximate else []
        told += [f"{_named(without[finding])} without a number"] if finding in without else []
        message = f"{finding.message}; this leaves {' and '.join(told)}"
        yield replace(finding, rule=replace(finding.rule, severity=Severity.WARNING), message=message)


def _note(findings: Sequence[Diagnostic], result: Result, found: dict[Diagnostic, dict[str, None]]) -> None:
    for reason in result.because:
        if (finding := _finding_of(findings, reason)) is not None:
            found.setdefault(finding, {})[result.measure] = None


def _finding_of(findings: Sequence[Diagnostic], reason: Reason) -> Diagnostic | None:
    """Return the information on what broke exactness: of the same rule at that place, else one that stands there, too."""
    near = [each for each in findings if each.span.start < reason.span.end and reason.span.start < each.span.end]
    return next((each for each in near if each.rule.code == reason.code), near[0] if near else None)


def _places(core: CoreProgram, symbol: ShowSymbol | RequireSymbol) -> set[Span]:
    """Return the places of the statements that a measure depends on."""
    names = core.expanded(name for _, name in names_in(symbol.node.measure) if name not in core.parameters)
    return {each.span for each in walk(slice_program(core, tuple(sorted(names))).statements)}


def _lies_in(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _named(texts: dict[str, None]) -> str:
    """Return ``'E(y)', 'H(y)', 'I(x; y)' and 4 others``."""
    shown = [f"'{text}'" for text in list(texts)[:_MOST_NAMED]]
    more = len(texts) - len(shown)
    if more:
        return f"{', '.join(shown)} and {more} other{'s' if more > 1 else ''}"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
