"""What a report comes to: which findings are told and how loud, and whether the program passes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from seepage.checking.baseline import (
    OF_BUDGETS,
    Accepted,
    accepted_answers,
    accepted_errors,
    grown,
    lost_budgets,
)
from seepage.checking.file_report import CheckedFile, FileReport, ToldAnswer
from seepage.checking.selecting import ALL, Selection
from seepage.configuration import Level, configured
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Severity, ordered
from seepage.rules import LEAK_MAY_HAVE_GROWN
from seepage.source import SourceFile


@dataclass(frozen=True, slots=True)
class Policy:
    """What is told, and what fails.

    Attributes:
        selection: of findings.
        undecided_fails: whether what cannot be told fails: a budget, or whether a leak has grown.
    """

    selection: Selection = ALL
    undecided_fails: bool = True


@dataclass(frozen=True, slots=True)
class Judged:
    """A file with what is told of it.

    Attributes:
        source: its name and text.
        report: what was found; None where nothing could be computed.
        failure: why there is none.
        findings: those that are told, in the order of the text.
        accepted: numbers of the answers that did not hold and that the baseline accepts.
        passes: whether nothing is wrong with it.
    """

    source: SourceFile
    report: FileReport | None
    failure: Diagnostic | None
    findings: tuple[Diagnostic, ...]
    accepted: frozenset[int]
    passes: bool

    @property
    def told(self) -> tuple[Diagnostic, ...]:
        """The findings, without hints, which are for editors and for JSON."""
        return tuple(each for each in self.findings if each.severity is not Severity.HINT)

    @property
    def answers(self) -> Sequence[ToldAnswer]:
        """What became of each ``show`` and ``require``."""
        return () if self.report is None else self.report.answers


def judged(checked: CheckedFile, levels: Mapping[str, Level], policy: Policy, accepted: Accepted | None) -> Judged:
    """Return what is told of a file, with findings as loud as its project wants them; ``accepted`` by a baseline: None without one."""
    report = checked.report
    if report is None:
        failures = () if checked.failure is None else (checked.failure,)
        return Judged(checked.source, None, checked.failure, failures, frozenset(), passes=False)
    found = tuple(configured(report.findings, levels))
    answers: frozenset[int] = frozenset()
    if accepted is not None:
        answers = accepted_answers(report, accepted)
        found = _with_baseline(checked.source, report, found, answers, accepted, levels)
    failing = any(_fails(answer, policy) for number, answer in enumerate(report.answers) if number not in answers)
    if accepted is None:
        failing = failing or any(answer.role == "show" and answer.bounds is None for answer in report.answers)
    undecided = policy.undecided_fails and any(each.rule.code == LEAK_MAY_HAVE_GROWN.code for each in found)
    told = tuple(policy.selection.of(found))
    passes = not (failing or undecided or any(each.is_error for each in told))
    return Judged(checked.source, report, None, told, answers, passes)


def _fails(answer: ToldAnswer, policy: Policy) -> bool:
    return answer.verdict == "violated" or (answer.verdict == "cannot tell" and policy.undecided_fails)


def _with_baseline(
    source: SourceFile,
    report: FileReport,
    found: Sequence[Diagnostic],
    answers: frozenset[int],
    accepted: Accepted,
    levels: Mapping[str, Level],
) -> tuple[Diagnostic, ...]:
    """Return findings with those quiet that are accepted, and with what has grown."""
    errors = accepted_errors(source, found, accepted)
    budgets = {report.answers[number].span for number in answers}
    quiet = [
        _quiet(each) if number in errors or (each.rule.code in OF_BUDGETS and each.span in budgets) else each
        for number, each in enumerate(found)
    ]
    return ordered(quiet, configured((*grown(report, accepted), *lost_budgets(report, accepted)), levels))


def _quiet(finding: Diagnostic) -> Diagnostic:
    rule = replace(finding.rule, severity=Severity.INFORMATION)
    return replace(finding, rule=rule, notes=(*finding.notes, "the baseline accepts it"))
