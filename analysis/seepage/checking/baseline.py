"""Leaks that are accepted as they are: a file lists them, and only what is new or has grown fails.

For each program it holds the bounds of every row of the leakage table, in bits, every budget that did not hold, with how far it was missed, and
every error. What is smaller than listed is accepted without a word; the list itself changes only when its user says so.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import seepage
from seepage.checking.file_report import Bounds, FileReport, ToldAnswer, ToldRow
from seepage.checking.fingerprints import look
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.files import bytes_at
from seepage.measures.digits import FEW_DIGITS, rounded
from seepage.rules import ACCEPTED_BUDGET_GONE, BUDGET_UNDECIDED, BUDGET_VIOLATED, LEAK_GREW, LEAK_MAY_HAVE_GROWN
from seepage.source import SourceFile, Span

if TYPE_CHECKING:
    from seepage.measures.result import Json

SCHEMA = 1
MOST_BYTES = 64 << 20
# Numbers of one and the same program may differ by so much between versions of Seepage.
TOLERANCE = 1e-9

_SURROGATES = re.compile("[\ud800-\udfff]")

Interval: TypeAlias = tuple[float, float]
Missed: TypeAlias = Literal["violated", "cannot tell"]
OF_BUDGETS = frozenset({BUDGET_VIOLATED.code, BUDGET_UNDECIDED.code})


class BrokenBaseline(ValueError):
    """A file that is no baseline; the message says why, in one line."""


@dataclass(frozen=True, slots=True)
class MissedBudget:
    """A budget that did not hold; ``excess``: bounds of how far its measure was from it, None where that is not known."""

    verdict: Missed
    excess: Interval | None


@dataclass(frozen=True, slots=True)
class Accepted:
    """What is accepted of one program.

    Attributes:
        leaks: bounds in bits by secret and output; None where there was no number.
        budgets: those that did not hold, by their text.
        errors: how often each was there, by its rule and the text of its line.
    """

    leaks: Mapping[str, Interval | None] = field(default_factory=dict)
    budgets: Mapping[str, MissedBudget] = field(default_factory=dict)
    errors: Mapping[str, int] = field(default_factory=dict)


NONE_ACCEPTED = Accepted()


@dataclass(frozen=True, slots=True)
class Baseline:
    """What is accepted, by the names of programs from the folder of the file that says so."""

    path: Path
    files: Mapping[str, Accepted]

    def of(self, name: str) -> Accepted:
        """Return what is accepted of a program."""
        return self.files.get(self.key(name), NONE_ACCEPTED)

    def key(self, name: str) -> str:
        """Return the name under which a program is listed."""
        try:
            return Path(os.path.relpath(os.path.abspath(name), os.path.abspath(self.path.parent))).as_posix()
        except ValueError:  # on another drive
            return Path(name).as_posix()


# --- what is accepted of a program ------------------------------------------------------------------------------------


def accepted_of(report: FileReport, source: SourceFile) -> Accepted:
    """Return all that a report tells, to be accepted."""
    leaks: dict[str, Interval | None] = {}
    for row in report.rows:
        leaks.setdefault(leak_key(row), _bits(row.bounds))
    budgets: dict[str, MissedBudget] = {}
    for key, answer in budget_keys(report.answers):
        if answer.verdict in ("violated", "cannot tell"):
            budgets[key] = MissedBudget(answer.verdict, _excess(answer))
    errors = Counter(error_key(source, each) for each in report.findings if each.is_error and not _is_of_budget(each))
    return Accepted(leaks, budgets, dict(errors))


def leak_key(row: ToldRow) -> str:
    """Return what a row is listed under."""
    return leak_name(row.secret, row.output)


def leak_name(secret: str, output: str) -> str:
    """Return what a leak is known by in other versions of a program; the worst element of an array is one, whichever it is."""
    name, bracket, _ = secret.partition("[")
    return f"{name}{'[worst]' if bracket else ''} -> {output}"


def budget_keys(answers: Sequence[ToldAnswer]) -> Iterator[tuple[str, ToldAnswer]]:
    """Yield each ``require`` with what it is listed under; the second one of the same text is another."""
    met: Counter[str] = Counter()
    for answer in answers:
        if answer.role == "require":
            met[answer.text] += 1
            yield answer.text + (f" #{met[answer.text]}" if met[answer.text] > 1 else ""), answer


def error_key(source: SourceFile, finding: Diagnostic) -> str:
    """Return what an error is listed under."""
    return f"{finding.rule.code} {hashlib.sha256(look(source, finding).encode('utf-8', 'replace')).hexdigest()[:16]}"


def _is_of_budget(finding: Diagnostic) -> bool:
    return finding.rule.code in OF_BUDGETS


def _bits(bounds: Bounds | None) -> Interval | None:
    if bounds is None:
        return None
    scale = 1 / math.log(2) if bounds.unit == "nats" else 1.0
    return bounds.lower * scale, bounds.upper * scale


def _excess(answer: ToldAnswer) -> Interval | None:
    if answer.bounds is None or answer.budget is None:
        return None
    low, high = answer.bounds.lower - answer.budget, answer.bounds.upper - answer.budget
    if math.isnan(low) or math.isnan(high):
        return None
    ends = sorted((abs(low), abs(high)))
    return (0.0 if low <= 0 <= high else ends[0]), ends[1]


# --- comparing --------------------------------------------------------------------------------------------------------


def grown(report: FileReport, accepted: Accepted) -> Iterator[Diagnostic]:
    """Yield a finding for each leak that is new or has grown, or may have."""
    met: set[str] = set()
    for row in report.rows:
        key = leak_key(row)
        if key in met:
            continue
        met.add(key)
        now, known = _bits(row.bounds), key in accepted.leaks
        then = accepted.leaks.get(key)
        if then is None and not (known and now is None):
            yield from _new(row, now, known)
        elif then is not None:
            yield from _larger(row, now, then)


def lost_budgets(report: FileReport, accepted: Accepted) -> Iterator[Diagnostic]:
    """Yield a finding for each listed budget that is not there any more; none beside errors, which may keep budgets from being told."""
    if any(each.is_error and not _is_of_budget(each) for each in report.findings):
        return
    there = dict(budget_keys(report.answers))
    for key, missed in accepted.budgets.items():
        if key not in there:
            words = {"violated": "violated", "cannot tell": "undecided"}[missed.verdict]
            message = f"'require {key}', which the baseline lists as {words}, is not there any more"
            yield Diagnostic(ACCEPTED_BUDGET_GONE, Span(0, 0), message)


def _new(row: ToldRow, now: Interval | None, known: bool) -> Iterator[Diagnostic]:
    lacking = "has no number for it" if known else "does not list it"
    what = f"what '{row.output}' tells of '{row.secret}'"
    if now is None:
        yield Diagnostic(LEAK_MAY_HAVE_GROWN, row.span, f"{what} has no number, and the baseline {lacking}")
    elif now[0] > TOLERANCE:
        yield Diagnostic(LEAK_GREW, row.span, f"{what} is new: {_shown(now)}, and the baseline {lacking}")
    elif now[1] > TOLERANCE:
        yield Diagnostic(LEAK_MAY_HAVE_GROWN, row.span, f"{what} may be new: {_shown(now)}, and the baseline {lacking}")


def _larger(row: ToldRow, now: Interval | None, then: Interval) -> Iterator[Diagnostic]:
    most = then[1] + TOLERANCE * max(1.0, then[1])
    what = f"what '{row.output}' tells of '{row.secret}'"
    if now is None:
        yield Diagnostic(LEAK_MAY_HAVE_GROWN, row.span, f"{what} has no number any more, it was {_shown(then)}")
    elif now[0] > most:
        yield Diagnostic(LEAK_GREW, row.span, f"{what} grew: {_shown(now)}, the baseline accepts {_shown(then)}")
    elif now[1] > most:
        message = f"{what} may have grown: {_shown(now)}, the baseline accepts {_shown(then)}"
        yield Diagnostic(LEAK_MAY_HAVE_GROWN, row.span, message)


def _shown(bits: Interval) -> str:
    low, high = rounded(bits[0], FEW_DIGITS, "down"), rounded(bits[1], FEW_DIGITS, "up")
    if bits[1] - bits[0] <= 1e-6 * abs(bits[1]):
        return f"{rounded((bits[0] + bits[1]) / 2, 6)} bits"
    return f"{low} bits" if low == high else f"{low} to {high} bits"


def accepted_answers(report: FileReport, accepted: Accepted) -> frozenset[int]:
    """Return the numbers of the answers that did not hold before and are no worse now."""
    numbers = {id(answer): number for number, answer in enumerate(report.answers)}
    return frozenset(
        numbers[id(answer)]
        for key, answer in budget_keys(report.answers)
        if answer.verdict in ("violated", "cannot tell") and _is_no_worse(answer, accepted.budgets.get(key))
    )


def _is_no_worse(answer: ToldAnswer, then: MissedBudget | None) -> bool:
    if then is None:
        return False
    if answer.verdict == "cannot tell":
        return True
    now = _excess(answer)
    if then.verdict != "violated":
        return False
    if now is None or then.excess is None:
        return now is None and then.excess is None
    return now[0] <= then.excess[1] + TOLERANCE * max(1.0, then.excess[1])


def accepted_errors(source: SourceFile, findings: Sequence[Diagnostic], accepted: Accepted) -> frozenset[int]:
    """Return the numbers of the findings that are errors which were there before."""
    left = Counter(accepted.errors)
    found: set[int] = set()
    for number, each in enumerate(findings):
        if each.is_error and not _is_of_budget(each) and left[key := error_key(source, each)] > 0:
            left[key] -= 1
            found.add(number)
    return frozenset(found)


# --- the file ---------------------------------------------------------------------------------------------------------


def baseline_text(baseline: Baseline) -> str:
    """Return the text of a baseline: files and keys in order, one line each, so that a change of one is one line of a difference."""
    files = {name: _accepted_value(baseline.files[name]) for name in sorted(baseline.files)}
    value = {"schema": SCHEMA, "seepage": seepage.__version__, "files": files}
    text = json.dumps(value, ensure_ascii=False, indent=1) + "\n"
    return _SURROGATES.sub(lambda found: f"\\u{ord(found[0]):04x}", text)  # of names that are no text


def _accepted_value(accepted: Accepted) -> dict[str, Json]:
    return {
        "leaks": {key: _interval_value(accepted.leaks[key]) for key in sorted(accepted.leaks)},
        "budgets": {
            key: {"verdict": missed.verdict, "excess": _interval_value(missed.excess)}
            for key, missed in sorted(accepted.budgets.items())
        },
        "errors": {key: accepted.errors[key] for key in sorted(accepted.errors)},
    }


def _interval_value(interval: Interval | None) -> Json:
    return None if interval is None else " ".join(repr(end) for end in interval)


def read_baseline(path: Path) -> Baseline:
    """Return the baseline in a file.

    Raises:
        BrokenBaseline: it cannot be read, or holds none.
    """
    try:
        data = bytes_at(path, MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = os.strerror(error.errno).lower() if isinstance(error, OSError) and error.errno else str(error)
        raise BrokenBaseline(
            f"{reason} ('--update-baseline' makes it)" if isinstance(error, FileNotFoundError) else reason
        ) from None
    try:
        value: object = json.loads(data) if len(data) <= MOST_BYTES else None
    except (ValueError, RecursionError):
        raise BrokenBaseline("it is no JSON, expected a file that '--update-baseline' wrote") from None
    match value:
        case {"schema": int(schema), "files": dict(files)} if schema == SCHEMA:
            try:
                return Baseline(path, {str(name): _accepted(each) for name, each in files.items()})
            except (TypeError, ValueError, AttributeError, KeyError):
                raise BrokenBaseline("it is damaged, expected a file that '--update-baseline' wrote") from None
        case {"schema": int(schema)}:
            raise BrokenBaseline(f"it has schema {schema}, expected {SCHEMA}: another version of seepage wrote it")
        case _:
            raise BrokenBaseline("it is no baseline, expected a file that '--update-baseline' wrote")


def _accepted(value: object) -> Accepted:
    match value:
        case {"leaks": dict(leaks), "budgets": dict(budgets), "errors": dict(errors)}:
            return Accepted(
                {str(key): _interval(each) for key, each in leaks.items()},
                {str(key): _missed(each) for key, each in budgets.items()},
                {str(key): _count(each) for key, each in errors.items()},
            )
        case _:
            raise ValueError("no program of a baseline")


def _missed(value: object) -> MissedBudget:
    match value:
        case {"verdict": ("violated" | "cannot tell") as verdict, "excess": excess}:
            return MissedBudget("violated" if verdict == "violated" else "cannot tell", _interval(excess))
        case _:
            raise ValueError("no budget of a baseline")


def _interval(value: object) -> Interval | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise TypeError("no bounds of a baseline")
    low, high = map(float, value.split())
    if not low <= high:
        raise ValueError("bounds that do not ascend")
    return low, high


def _count(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError("no count of a baseline")
    return value
