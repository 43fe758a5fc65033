"""Applying the changes that findings bring with them, as ``seepage check --fix`` does.

A finding with one fix has one thing that is clearly right; where there are several, somebody has to choose, so those are left. The text is checked
again after each round, since a mended statement can show what was hidden behind its fault.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.semantics.check import check
from seepage.semantics.checked import Checked
from seepage.source import SourceFile

# A round mends every finding whose fix touches no other's; a text that needs more rounds is going in circles.
_MOST_ROUNDS = 50


@dataclass(frozen=True, slots=True)
class Fixed:
    """A text with fixes applied, and the findings that were mended, in the order in which that happened; places are those of their round."""

    text: str
    mended: tuple[Diagnostic, ...]


def fix_all(source: SourceFile) -> Fixed:
    """Apply the only fix of each finding of the check, again and again, until none is left to apply.

    A fix after which there are more errors than before guessed wrong and is not applied, nor is one that is not automatic.
    """
    checked = check(source)
    mended: list[Diagnostic] = []
    seen = {source.text}
    for _ in range(_MOST_ROUNDS):
        safe = [one for one in checked.diagnostics if all(fix.automatic for fix in one.fixes)]
        after, chosen = _round(checked, applicable(safe))
        if after.source.text in seen:
            break
        seen.add(after.source.text)
        checked = after
        mended += chosen
    return Fixed(checked.source.text, tuple(mended))


def _round(checked: Checked, chosen: Sequence[Diagnostic]) -> tuple[Checked, Sequence[Diagnostic]]:
    """Apply fixes together; if errors grow, halve them until those that guessed wrong are alone, and leave these out."""
    kept: list[Diagnostic] = []
    waiting = [chosen] if chosen else []
    while waiting:
        group = waiting.pop()
        if _errors(_with(checked, [*kept, *group])) <= _errors(checked):
            kept += group
        elif len(group) > 1:
            half = len(group) // 2
            waiting += (group[half:], group[:half])
    return (_with(checked, kept), kept) if kept else (checked, ())


def _with(checked: Checked, fixed: Sequence[Diagnostic]) -> Checked:
    return check(replace(checked.source, text=apply_fixes(checked.source.text, fixed)))


def _errors(checked: Checked) -> int:
    return sum(one.is_error for one in checked.diagnostics)


def apply_fixes(text: str, diagnostics: Sequence[Diagnostic]) -> str:
    """Return the text with the only fix of each finding applied, once; of fixes that touch each other the first one counts."""
    edits = [edit for one in applicable(diagnostics) for edit in one.fixes[0].edits]
    for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
        text = text[: edit.span.start] + with_line_ends(edit.replacement, text) + text[edit.span.end :]
    return text


def applicable(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the findings that have one fix, without those whose fix touches one before it."""
    taken: list[Edit] = []
    chosen: list[Diagnostic] = []
    for diagnostic in diagnostics:
        match diagnostic.fixes:
            case (Fix(edits=edits),) if not any(_touch(edit, other) for edit in edits for other in taken):
                taken += edits
                chosen.append(diagnostic)
    return tuple(chosen)


def with_line_ends(replacement: str, text: str) -> str:
    """Write the line ends of a replacement as the text has them, so that a fix does not mix them."""
    if "\n" in replacement and "\r\n" in text:
        return replacement.replace("\r\n", "\n").replace("\n", "\r\n")
    return replacement


def _touch(one: Edit, other: Edit) -> bool:
    """Tell whether two edits overlap or meet: what both put there would depend on their order."""
    return one.span.start <= other.span.end and other.span.start <= one.span.end
