"""What the analysis process runs: the library's one path from text to results, with the parameter values of the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from seepage.diagnostics import Diagnostic
from seepage.exact import Number
from seepage.measures.parameters import read_number
from seepage.pipeline import Analysis, Options, analyze, check
from seepage.rules import PARAMETER_OUTSIDE_DOMAIN
from seepage.semantics.checked import Checked
from seepage_lsp.analysis_process import Job


def analyze_job(job: Job) -> Analysis:
    """Analyse a job's text.

    Values from the settings stand in for the defaults in what is shown; budgets are always judged at the defaults, so that
    they say the same in every editor and on the command line. Names that are no parameter of this program are meant for others.
    """
    checked = check(job.source)
    values, unreadable = _values(checked, job.parameters)
    if not values or not checked.symbols.requires:
        analysis = analyze(checked, Options(values, job.unit, job.seconds))
    else:
        shown = analyze(checked, Options(values, job.unit, job.seconds / 2))
        judged = analyze(checked, Options({}, job.unit, job.seconds / 2))
        analysis = _with_budgets_of(shown, judged)
    return replace(analysis, diagnostics=(*analysis.diagnostics, *unreadable)) if unreadable else analysis


def _values(checked: Checked, texts: Mapping[str, str]) -> tuple[dict[str, Number], tuple[Diagnostic, ...]]:
    values: dict[str, Number] = {}
    unreadable: list[Diagnostic] = []
    for name, symbol in checked.symbols.params.items():
        if name in texts:
            try:
                values[name] = read_number(texts[name], checked.symbols.consts)
            except ValueError as error:
                message = f"the setting for '{name}' is left out: {error}"
                unreadable.append(Diagnostic(PARAMETER_OUTSIDE_DOMAIN, symbol.span, message))
    return values, tuple(unreadable)


def _with_budgets_of(shown: Analysis, judged: Analysis) -> Analysis:
    """Return ``shown`` with the answers to ``require`` of ``judged``, and the findings that belong to them."""
    budgets = {answer.span: answer for answer in judged.answers if answer.role == "require"}
    answers = tuple(budgets.get(answer.span, answer) for answer in shown.answers)
    told = {answer.diagnostic for answer in shown.answers if answer.role == "show"}
    dropped = {answer.diagnostic for answer in shown.answers if answer.role == "require"} - told
    kept = [one for one in shown.diagnostics if one not in dropped or one.rule is PARAMETER_OUTSIDE_DOMAIN]
    found = {*kept, *(answer.diagnostic for answer in budgets.values() if answer.diagnostic is not None)}
    return replace(
        shown,
        answers=answers,
        diagnostics=tuple(sorted(found, key=lambda one: (one.span, one.rule.code, one.message))),
        seconds=shown.seconds + judged.seconds,
    )
