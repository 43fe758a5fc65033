"""What differs between two versions of programs: for a terminal, for other programs, and as the comment of a review."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from seepage.checking.differing import BudgetChange, Differences, Direction, MeasureChange
from seepage.checking.file_report import Bounds
from seepage.checking.formats.markdown import code, escaped
from seepage.checking.formats.places import place_of
from seepage.data_classes import dataclass
from seepage.measures.digits import TABLE_DIGITS, justified, rounded, with_unit
from seepage.report.finding_json import SCHEMA, json_text
from seepage.report.findings import printable

if TYPE_CHECKING:
    from seepage.measures.result import Json

_WORDS: Mapping[Direction, str] = {
    "grew": "grew",
    "shrank": "shrank",
    "unchanged": "unchanged",
    "not told": "a change cannot be told",
    "new": "new",
    "gone": "gone",
}
SAME = "the same text"
"""The note of a file that has not changed."""

_SIGNS = {True: "❌", False: "✅"}


@dataclass(frozen=True, slots=True)
class ToldOrder:
    """How the channels of two versions compare, in words and as JSON."""

    lines: tuple[str, ...]
    data: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class FileDifference:
    """Two versions of a file.

    Attributes:
        name: of the second one.
        before: what the first is called.
        found: what they differ in; None where they could not be compared, or are the same text.
        problem: why they could not be; empty where they could.
        note: why there is nothing to compare; empty where there is.
        orders: of their channels.
        moved: whether the file had another name.
    """

    name: str
    before: str
    found: Differences | None = None
    problem: str = ""
    note: str = ""
    orders: tuple[ToldOrder, ...] = ()
    moved: bool = False

    @property
    def is_worse(self) -> bool:
        """Whether the second is worse, or nothing is known of that."""
        return bool(self.problem) or (self.found is not None and self.found.is_worse)


# --- text -------------------------------------------------------------------------------------------------------------


def text_of(files: Sequence[FileDifference]) -> str:
    """Return the lines for a terminal; of many files, those with the same text are counted."""
    told = [each for each in files if len(files) == 1 or each.moved or each.note != SAME]
    same = len(files) - len(told)
    counted = [f"{same:,} {'program has' if same == 1 else 'programs have'} the same text"] if same else []
    return "\n".join([*(printable(line) for file in told for line in _lines(file)), *counted])


def _lines(file: FileDifference) -> Iterator[str]:
    yield f"{file.before} → {file.name}"
    if file.problem:
        yield f"  {file.problem}"
        return
    if file.found is None:
        yield f"  {file.note}"
        return
    changes, quiet = _shown(file.found)
    for change in changes:
        yield f"  {change.name}: {change_words(change)}"
    yield from (f"  {each.name}: {budget_words(each)}" for each in _changed_budgets(file.found))
    yield from (f"  new error, {error}" for error in file.found.errors)
    if quiet:
        yield f"  {quiet} unchanged"
    yield from (f"  {line}" for order in file.orders for line in order.lines)


def _shown(found: Differences) -> tuple[list[MeasureChange], int]:
    """Return what is worth a line, and how many measures are not."""
    shown = [each for each in found.measures if each.direction != "unchanged"]
    return shown, len(found.measures) - len(shown)


def change_words(change: MeasureChange) -> str:
    """Return ``0.188722 bits → 0.456436 bits, grew by 0.267714 bits``."""
    words = _direction_words(change)
    if change.direction == "new":
        return f"{words}, {_number(change.after)}"
    if change.direction == "gone":
        return f"{words}, it was {_number(change.before)}"
    return f"{_number(change.before)} → {_number(change.after)}, {words}"


def _direction_words(change: MeasureChange) -> str:
    words = _WORDS[change.direction]
    if change.direction in ("grew", "shrank") and (by := _by(change)):
        return f"{words} by {by}"
    if change.direction == "not told" and change.difference is not None:
        low, high = change.difference
        return f"{words}: by {rounded(low, 3, 'down')} to {rounded(high, 3, 'up')}"
    return words


def _by(change: MeasureChange) -> str:
    if change.difference is None or change.after is None:
        return ""
    low, high = sorted(map(abs, change.difference))
    one = justified(low, (low + high) / 2, high, TABLE_DIGITS)
    told = one if one is not None else f"{rounded(low, 3, 'down')} to {rounded(high, 3, 'up')}"
    return with_unit(told, change.after.unit)


def _number(bounds: Bounds | None) -> str:
    if bounds is None:
        return "no number"
    if bounds.lower == bounds.upper:
        return with_unit(rounded(bounds.lower, TABLE_DIGITS), bounds.unit)
    one = justified(bounds.lower, (bounds.lower + bounds.upper) / 2, bounds.upper, TABLE_DIGITS)
    told = f"{rounded(bounds.lower, 3, 'down')} to {rounded(bounds.upper, 3, 'up')}" if one is None else one
    return with_unit(told, bounds.unit)


def _changed_budgets(found: Differences) -> list[BudgetChange]:
    return [
        each
        for each in found.budgets
        if each.is_lost or each.before != each.after or any(each.over) or each.measure.direction != "unchanged"
    ]


def budget_words(budget: BudgetChange) -> str:
    """Return ``holds → violated (0.188722 bits → 0.456436 bits, grew by 0.267714 bits)``."""
    if budget.before is None:
        return f"new, {budget.after}"
    if budget.over != ("", ""):
        before, after = (f"over {each}" if each else "over nothing" for each in budget.over)
        reach = ", which does not surely reach as far" if budget.is_lost else ""
        return f"required {before} before and {after} now{reach} ({budget.before} → {budget.after})"
    if budget.is_lost:
        return f"the budget is gone, nothing as strict is required any more ({budget.before} before)"
    if budget.after is None:
        why = f"in its place stands '{budget.instead}'" if budget.instead else "errors keep it from being told"
        return f"{why} ({budget.before} before)"
    verdict = budget.after if budget.before == budget.after else f"{budget.before} → {budget.after}"
    return f"{verdict} ({change_words(budget.measure)})"


# --- JSON -------------------------------------------------------------------------------------------------------------


def json_of(files: Sequence[FileDifference]) -> str:
    """Return all of it as JSON."""
    return json_text({"schema": SCHEMA, "worse": any(each.is_worse for each in files), "files": [*map(_file, files)]})


def _file(file: FileDifference) -> dict[str, Json]:
    return {
        "file": file.name,
        "before": file.before,
        "worse": file.is_worse,
        "problem": file.problem or None,
        **differences_json(file.found),
        "orders": [each.data for each in file.orders],
    }


def differences_json(found: Differences | None) -> dict[str, Json]:
    """Return what two versions differ in as data, with the words for people as ``told``."""
    return {
        "measures": [] if found is None else [_measure(each) for each in found.measures],
        "budgets": [] if found is None else [_budget(each) for each in found.budgets],
        "errors": [] if found is None else list(found.errors),
    }


def _budget(change: BudgetChange) -> dict[str, Json]:
    verdicts: dict[str, Json] = {"before": change.before, "after": change.after, "worse": change.is_worse}
    return {"budget": change.name, "told": budget_words(change), **verdicts, "measure": _measure(change.measure)}


def _measure(change: MeasureChange) -> dict[str, Json]:
    from seepage.measures.result import number_json

    ends = change.difference
    return {
        "measure": change.name,
        "told": change_words(change),
        "short": _direction_words(change),
        "leak": change.is_leak,
        "direction": change.direction,
        "worse": change.is_worse,
        "before": _bounds(change.before),
        "after": _bounds(change.after),
        "difference": None if ends is None else {"lower": number_json(ends[0]), "upper": number_json(ends[1])},
    }


def _bounds(bounds: Bounds | None) -> Json:
    from seepage.measures.result import number_json

    if bounds is None:
        return None
    return {"lower": number_json(bounds.lower), "upper": number_json(bounds.upper), "unit": bounds.unit}


# --- Markdown ---------------------------------------------------------------------------------------------------------

_MOST_FILES = 50  # told in full: services cut long comments


def markdown_of(files: Sequence[FileDifference]) -> str:
    """Return the comment of a review."""
    return "\n".join(_markdown(files))


def _markdown(files: Sequence[FileDifference]) -> Iterator[str]:
    yield f"## {_SIGNS[any(each.is_worse for each in files)]} Seepage: {_headline(files)}"
    changed = [each for each in files if each.problem or each.found is not None]
    changed.sort(key=lambda each: not each.is_worse)
    for file in changed[:_MOST_FILES]:
        yield from _markdown_file(file)
    if len(changed) > _MOST_FILES:
        yield from ("", f"{len(changed) - _MOST_FILES:,} more programs changed.")


def _headline(files: Sequence[FileDifference]) -> str:
    """Return ``of 5 programs, 2 leak more, 1 could not be compared``; a program counts for each thing that is wrong with it."""
    found = [each.found for each in files if each.found is not None and not each.problem]
    counts = (
        (sum(any(one.is_worse for one in each.measures) for each in found), "leaks more", "leak more"),
        (sum(any(one.is_lost for one in each.budgets) for each in found), "has lost a budget", "have lost a budget"),
        (sum(any(_is_missed(one) for one in each.budgets) for each in found), "misses a budget", "miss a budget"),
        (sum(bool(each.errors) for each in found), "has new errors", "have new errors"),
        (sum(bool(each.problem) for each in files), "could not be compared", "could not be compared"),
    )
    told = [f"{count:,} {one if count == 1 else many}" for count, one, many in counts if count]
    of = f"of {len(files):,} {'program' if len(files) == 1 else 'programs'}"
    return ", ".join([of, *told]) if told else "no program is known to leak more"


def _is_missed(budget: BudgetChange) -> bool:
    return budget.is_worse and not budget.is_lost


def _markdown_file(file: FileDifference) -> Iterator[str]:
    was = f", which was {code(place_of(file.before))}" if file.moved else ""
    yield from ("", f"### {_SIGNS[file.is_worse]} {code(place_of(file.name))}{was}", "")
    if file.found is None:
        yield escaped(file.problem)
        return
    changes, quiet = _shown(file.found)
    if changes:
        yield from ("| measure | before | after | change |", "| --- | --- | --- | --- |")
        for each in changes:
            sign = "❌ " if each.is_worse else ""
            then = "" if each.direction == "new" else _number(each.before)
            now = "" if each.direction == "gone" else _number(each.after)
            yield f"| {sign}{code(each.name)} | {then} | {now} | {escaped(_direction_words(each))} |"
        yield ""
    for budget in _changed_budgets(file.found):
        yield f"* {_SIGNS[budget.is_worse]} {code(budget.name)}: {escaped(budget_words(budget))}"
    yield from (f"* ❌ {escaped(error)}" for error in file.found.errors)
    if quiet:
        yield f"* {quiet:,} {'measure has' if quiet == 1 else 'measures have'} not changed"
    for order in file.orders:
        first, *rest = order.lines
        yield f"* {escaped(first)}"
        if rest:
            yield from ("", "  <details><summary>what shows it</summary>", "")
            yield from (f"  * {escaped(line)}" for line in rest)
            yield from ("", "  </details>")
