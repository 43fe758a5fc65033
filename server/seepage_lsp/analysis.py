"""What the analysis process runs: the library's one path from text to results, with the parameter values of the settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from seepage.diagnostics import Diagnostic, ordered
from seepage.exact import Number
from seepage.measures.parameters import read_number
from seepage.pipeline import Analysis, Options, analyze, check
from seepage.rules import PARAMETER_OUTSIDE_DOMAIN
from seepage.semantics.checked import Checked
from seepage_lsp.analysis_process import Job


def analyze_job(job: Job, tell: Callable[[Analysis], object] | None = None) -> Analysis:
    """Analyse a job's text; ``tell`` gets what is known so far.

    Values from the settings of an editor only change what is shown: budgets say the same in every editor and on the command line. Those of
    the project hold everywhere. Names that are no parameter of this program are meant for others.
    """
    checked = check(job.source)
    judged, wrong = read_values(checked, job.project, "the value that the project sets")
    values, unreadable = read_values(checked, job.parameters)
    unreadable = ordered(wrong, unreadable)
    options = Options(
        params=judged,
        unit=job.unit,
        seconds=job.seconds,
        display_params=_other(values, judged),
        plots=job.plots,
        reuse=True,
    )

    def so_far(known: Analysis) -> None:
        if tell is not None:
            tell(completed(known))

    def completed(known: Analysis) -> Analysis:
        found = (_with_origin(one, checked, job) for one in known.diagnostics)
        return replace(known, diagnostics=ordered(tuple(found), unreadable))

    return completed(analyze(checked, options, so_far))


def _with_origin(finding: Diagnostic, checked: Checked, job: Job) -> Diagnostic:
    """Return a finding about the value of a parameter with where that value is set: it stands nowhere in the program."""
    name = checked.source[finding.span]
    if finding.rule != PARAMETER_OUTSIDE_DOMAIN or (name in job.project) == (name in job.parameters):
        return finding
    where = "the project's file" if name in job.project else "the settings of the editor"
    return replace(finding, notes=(*finding.notes, f"the value is set in {where}"))


def _other(values: Mapping[str, Number], judged: Mapping[str, Number]) -> dict[str, Number]:
    """Return the values that are not those at which budgets are judged; without any, all is computed once."""
    return {name: value for name, value in values.items() if name not in judged or judged[name] != value}


def read_values(
    checked: Checked, texts: Mapping[str, str], what: str = "the setting"
) -> tuple[dict[str, Number], tuple[Diagnostic, ...]]:
    """Return the values that settings give to parameters of a program, and a finding for each that is no number, about ``what`` it is."""
    values: dict[str, Number] = {}
    unreadable: list[Diagnostic] = []
    for name, symbol in checked.symbols.params.items():
        if name in texts:
            try:
                values[name] = read_number(texts[name], checked.symbols.consts)
            except ValueError as error:
                message = f"{what} for '{name}' is left out: {error}"
                unreadable.append(Diagnostic(PARAMETER_OUTSIDE_DOMAIN, symbol.span, message))
    return values, tuple(unreadable)
