"""A run in one line: how many programs pass, and what is wrong with the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from seepage.checking.judging import Judged
from seepage.data_classes import dataclass
from seepage.diagnostics import Severity


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over all files; budgets that a baseline accepts count as ``accepted`` only."""

    files: int
    passing: int
    unread: int
    errors: int
    warnings: int
    held: int
    violated: int
    undecided: int
    accepted: int


def summary_of(files: Sequence[Judged]) -> Summary:
    """Count."""
    verdicts = [
        "accepted" if number in each.accepted else answer.verdict
        for each in files
        for number, answer in enumerate(each.answers)
    ]
    levels = [finding.severity for each in files if each.failure is None for finding in each.findings]
    return Summary(
        len(files),
        sum(each.passes for each in files),
        sum(each.failure is not None for each in files),
        levels.count(Severity.ERROR),
        levels.count(Severity.WARNING),
        verdicts.count("holds"),
        verdicts.count("violated"),
        verdicts.count("cannot tell"),
        verdicts.count("accepted"),
    )


def summary_text(summary: Summary) -> str:
    """Return ``12 programs, 10 pass: 1 error, 3 warnings; budgets: 9 hold, 1 is violated``."""
    wrong = _listed(
        (summary.unread, "not analysed", "not analysed"),
        (summary.errors, "error", "errors"),
        (summary.warnings, "warning", "warnings"),
    )
    budgets = _listed(
        (summary.held, "holds", "hold"),
        (summary.violated, "is violated", "are violated"),
        (summary.undecided, "is undecided", "are undecided"),
        (summary.accepted, "is accepted by the baseline", "are accepted by the baseline"),
    )
    head = f"{_count(summary.files, 'program', 'programs')}, {_count(summary.passing, 'passes', 'pass')}"
    return head + (f": {wrong}" if wrong else "") + (f"; budgets: {budgets}" if budgets else "")


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _listed(*counts: tuple[int, str, str]) -> str:
    return ", ".join(_told(counts))


def _told(counts: Iterable[tuple[int, str, str]]) -> Iterable[str]:
    return (_count(number, one, many) for number, one, many in counts if number)
