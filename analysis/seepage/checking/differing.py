"""What two reports of a program differ in: each number with certified bounds of its change, budgets, and errors that were not there.

A number in ``[a, b]`` that is in ``[c, d]`` afterwards has changed by something in ``[c - b, d - a]``: it surely grew if ``c > b``.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal, TypeAlias

from seepage.checking.baseline import OF_BUDGETS, TOLERANCE, budget_keys, error_key, leak_key
from seepage.checking.file_report import Bounds, FileReport, Outcome, ToldAnswer
from seepage.data_classes import dataclass
from seepage.source import SourceFile

_COMPARISONS = frozenset({"<=", "<", ">=", ">", "=="})
_RANGE = re.compile(r"\b(\w++) in \[\s*+([-\d./]++)\s*+,\s*+([-\d./]++)\s*+\]")

Direction: TypeAlias = Literal["grew", "shrank", "unchanged", "not told", "new", "gone"]


@dataclass(frozen=True, slots=True)
class MeasureChange:
    """A number of both versions, or of one.

    Attributes:
        name: what is measured.
        is_leak: whether it is a row of the leakage table, which is worse when it grows.
        before: its bounds; None where it has no number, or is not there.
        after: the same of the second version.
        direction: what surely holds; "not told" where the bounds decide nothing, "new" and "gone" where one version has no such measure.
    """

    name: str
    is_leak: bool
    before: Bounds | None
    after: Bounds | None
    direction: Direction

    @property
    def difference(self) -> tuple[float, float] | None:
        """Bounds of the second number less the first, rounded outward; None where one of them has none, or both are infinite."""
        if self.before is None or self.after is None or self.before.unit != self.after.unit:
            return None
        low, high = self.after.lower - self.before.upper, self.after.upper - self.before.lower
        if math.isnan(low) or math.isnan(high):
            return None
        exact = self.before.lower == self.before.upper == self.after.lower == self.after.upper
        return (0.0, 0.0) if exact else (math.nextafter(low, -math.inf), math.nextafter(high, math.inf))

    @property
    def is_worse(self) -> bool:
        """Whether a leak surely grew, or is new and surely there."""
        if not self.is_leak:
            return False
        is_new = self.direction == "new" and self.after is not None and self.after.lower > TOLERANCE
        return self.direction == "grew" or is_new


@dataclass(frozen=True, slots=True)
class BudgetChange:
    """A ``require`` of both versions, or of one.

    Attributes:
        name: its text.
        before: its verdict; None where there is none.
        after: the same of the second version.
        measure: what it is a budget for.
        is_lost: whether the second version requires neither it, over ranges that reach as far, nor, of the same measure, anything that is as strict.
        instead: what the second version requires of the same measure in its place, as strictly; empty if nothing.
        over: the ranges of both versions, as they are written, where they differ.
    """

    name: str
    before: Outcome | None
    after: Outcome | None
    measure: MeasureChange
    is_lost: bool = False
    instead: str = ""
    over: tuple[str, str] = ("", "")

    @property
    def is_worse(self) -> bool:
        """Whether it is lost; or does not hold, and was not missed in the same way before."""
        missed = self.after in ("violated", "cannot tell") and self.before != self.after and self.before != "violated"
        return missed or self.is_lost


@dataclass(frozen=True, slots=True)
class Differences:
    """What two reports differ in.

    Attributes:
        measures: rows of the leakage table, then what is shown, in the order of the second version.
        budgets: in that order, too.
        errors: rules and messages of errors that were not there before.
    """

    measures: tuple[MeasureChange, ...]
    budgets: tuple[BudgetChange, ...]
    errors: tuple[str, ...]

    @property
    def is_worse(self) -> bool:
        """Whether something surely leaks more, a budget does not hold any more or is lost, or there is a new error."""
        return (
            bool(self.errors)
            or any(each.is_worse for each in self.measures)
            or any(each.is_worse for each in self.budgets)
        )


NOTHING = FileReport((), (), (), "", 0.0, settled=True)


def differences(
    before: FileReport | None, after: FileReport, source_before: SourceFile, source: SourceFile
) -> Differences:
    """Return what the second report says that the first does not; of a new program, without a first one, no leak counts as worse."""
    is_new, before = before is None, before or NOTHING
    left = Counter(error_key(source_before, each) for each in before.findings if each.is_error)
    errors: list[str] = []
    for each in after.findings:
        key = error_key(source, each)
        if each.is_error and left[key] > 0:
            left[key] -= 1
        elif each.is_error and each.rule.code not in OF_BUDGETS:
            line, _ = source.position(each.span.start)
            errors.append(f"line {line}: {each.rule.code}: {each.message}")
    rows = _changes(_rows(before), _rows(after), is_leak=not is_new)
    shows = _changes(_shows(before.answers), _shows(after.answers), is_leak=False)
    then, now = dict(budget_keys(before.answers)), dict(budget_keys(after.answers))
    measured = _changes(_bounds(then), _bounds(now), is_leak=False)
    is_told = not any(each.is_error and each.rule.code not in OF_BUDGETS for each in after.findings)
    budgets = tuple(_budget(each, then, now, is_told=is_told) for each in measured)
    return Differences((*rows, *shows), budgets, tuple(errors))


def _budget(
    measure: MeasureChange, then: Mapping[str, ToldAnswer], now: Mapping[str, ToldAnswer], *, is_told: bool
) -> BudgetChange:
    """Return what became of a budget; without ``is_told`` errors keep the second version's from being told."""
    name = measure.name
    old, new = then.get(name), now.get(name)
    if old is None:
        return BudgetChange(name, None, _verdict(new), measure)
    if new is None:
        instead = next((key for key, each in now.items() if key not in then and _is_as_strict(each, old)), "")
        return BudgetChange(name, old.verdict, None, measure, is_told and not instead, instead)
    over = (_over(old), _over(new))
    over = over if over[0] != over[1] else ("", "")
    return BudgetChange(name, old.verdict, new.verdict, measure, not _covers(over[1], over[0]), over=over)


def _over(budget: ToldAnswer) -> str:
    return str(budget.data.get("over") or "")


def _covers(ranges: str, others: str) -> bool:
    """Tell whether ranges reach as far as others, each as it is written; a range is taken to hold the value that a parameter has without one."""
    if ranges == others or not others:
        return True
    try:
        here, there = (
            {name: (Fraction(low), Fraction(high)) for name, low, high in _RANGE.findall(each)}
            for each in (ranges, others)
        )
    except (ValueError, ZeroDivisionError):
        return False
    are_read = all(text.count(" in ") == len(found) for text, found in ((ranges, here), (others, there)))
    return are_read and all(
        name in here and here[name][0] <= low and high <= here[name][1] for name, (low, high) in there.items()
    )


def _is_as_strict(budget: ToldAnswer, other: ToldAnswer) -> bool:
    """Tell whether a budget is one for the same measure as another, over ranges that reach as far, and surely holds only where that one does."""
    what = _what(budget.text)
    if what is None or what != _what(other.text) or not _covers(_over(budget), _over(other)):
        return False
    if budget.budget is None or other.budget is None:
        return False
    match what[1]:
        case "<=" | "<":
            return budget.budget <= other.budget
        case ">=" | ">":
            return budget.budget >= other.budget
        case _:
            return budget.budget == other.budget


def _what(text: str) -> tuple[str, str, str] | None:
    """Return the measure of a budget as it is told, the comparison, and the unit of the bound, in which no comparison stands."""
    words = text.split(" ")
    place = next((at for at in reversed(range(len(words))) if words[at] in _COMPARISONS), None)
    if place is None:
        return None
    return " ".join(words[:place]), words[place], words[-1] if words[-1] in ("bits", "nats") else ""


def _verdict(answer: ToldAnswer | None) -> Outcome | None:
    return None if answer is None else answer.verdict


def _rows(report: FileReport) -> dict[str, Bounds | None]:
    found: dict[str, Bounds | None] = {}
    for row in report.rows:
        found.setdefault(leak_key(row), row.bounds)
    return found


def _shows(answers: Sequence[ToldAnswer]) -> dict[str, Bounds | None]:
    return _bounds({answer.text: answer for answer in reversed(answers) if answer.role == "show"})


def _bounds(answers: Mapping[str, ToldAnswer]) -> dict[str, Bounds | None]:
    return {name: answer.bounds for name, answer in answers.items()}


def _changes(
    before: Mapping[str, Bounds | None], after: Mapping[str, Bounds | None], *, is_leak: bool
) -> tuple[MeasureChange, ...]:
    return tuple(
        MeasureChange(name, is_leak, before.get(name), after.get(name), _direction(before, after, name))
        for name in {**after, **before}
    )


def _direction(before: Mapping[str, Bounds | None], after: Mapping[str, Bounds | None], name: str) -> Direction:
    if name not in before or name not in after:
        return "gone" if name in before else "new"
    then, now = before[name], after[name]
    if then is None or now is None or then.unit != now.unit:
        return "not told"
    if now.lower > then.upper:
        return "grew"
    if now.upper < then.lower:
        return "shrank"
    scale = max(1.0, abs(now.upper)) if math.isfinite(now.upper) else 1.0
    near = abs(now.upper - then.lower) <= TOLERANCE * scale and abs(then.upper - now.lower) <= TOLERANCE * scale
    return "unchanged" if near or (then == now and then.lower == then.upper) else "not told"
