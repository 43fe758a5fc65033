"""Applying the changes that findings bring with them, as ``seepage check --fix`` does.

Only what is beyond doubt is applied: the only fix of a finding, if it is automatic and mends what it is for. A guess is left to the author, since
a program that was changed into another one without errors shows numbers that nobody asked for, unless guesses are asked for. So is a statement with several slips, whose fixes
may be right one by one and wrong together; what shows another error than before; and what would lose a comment. The text is checked again after
each round.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.rules import COMMENT_FOR_DIVISION, UNKNOWN_CHARACTER
from seepage.semantics.check import check
from seepage.semantics.checked import Checked
from seepage.source import SourceFile
from seepage.syntax.assemble import MAX_FINDINGS
from seepage.syntax.comments import blank_comments
from seepage.syntax.pieces import cut

# A round mends every finding whose fix touches no other's; a text that needs more rounds is going in circles.
_MOST_ROUNDS = 50
# Characters that are checked in all besides those of the text, what mends nothing counted several times: some seconds.
_MOST_CHARACTERS = 1_000_000
_IN_VAIN = 3
_MOST_IN_STATEMENT = 20  # slips of one kind that are mended one behind the other


@dataclass(frozen=True, slots=True)
class Fixed:
    """A text with fixes applied, what was mended, and what was not.

    Attributes:
        text: the text with the fixes.
        mended: the findings that were mended, in the order in which that happened; places are those of their round.
        left: the errors of the text that have fixes, none of them applied: guesses, choices, and what did not mend its finding.
        is_whole: whether all was tried; if not, fixing again goes on.
    """

    text: str
    mended: tuple[Diagnostic, ...]
    left: tuple[Diagnostic, ...]
    is_whole: bool


def fix_all(source: SourceFile, guesses: bool = False) -> Fixed:
    """Apply the only fix of each finding of the check if it is automatic, again and again, until none is left to apply.

    A fix of an error after which there are not fewer errors, or others than before, has guessed wrong and is not applied; nor is one that loses
    a comment, nor one in a statement with several errors, unless all of them are signs that stand for others. The work is bounded: rounds, and
    characters that are checked.

    Args:
        source: the text.
        guesses: whether then, of each error that is left, the first fix that leads to fewer errors is applied, too, and comments that look like
            integer divisions become these: what was meant is likely and not sure, so that the author must read what was written.
    """
    fixing = _Fixing(check(source))
    whole = fixing.run()
    while guesses and whole and fixing.guess():
        whole = fixing.run()
    checked = fixing.checked
    left = tuple(one for one in checked.diagnostics if one.is_error and one.fixes)
    return Fixed(checked.source.text, tuple(fixing.mended), left, whole)


class _Fixing:
    """A text on its way, and how much may still be checked."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        self.mended: list[Diagnostic] = []
        self.budget = _MOST_CHARACTERS + len(checked.source.text)

    def run(self) -> bool:
        """Apply rounds; tell whether there is nothing left to apply."""
        seen = {self.checked.source.text}
        for _ in range(_MOST_ROUNDS):
            chosen = applicable(_beyond_doubt(self.checked))
            if not chosen:
                return True
            after, kept = self.round(chosen)
            if not kept:
                after, kept = self.follow(chosen)
            if after.source.text in seen:
                return self.budget > 0
            seen.add(after.source.text)
            self.checked = after
            self.mended += kept
        return False

    def guess(self) -> bool:
        """Apply the first fix of an error that leads to fewer errors and loses no comment; tell whether there was one.

        It leads there by itself, or by what is beyond doubt then: ``for i in range(3):`` is ``for i in 0..2:`` before its block gets braces.
        A comment that looks like an integer division is no error, and the only one that a guess takes away.
        """
        before = self.checked
        errors = [one for one in before.diagnostics if one.is_error]
        for one in [*errors, *(one for one in before.diagnostics if one.rule is COMMENT_FOR_DIVISION)]:
            for fix in one.fixes:
                if self.budget <= 0:
                    return False
                text = with_fix(before.source.text, fix)
                divides = one.rule is COMMENT_FOR_DIVISION
                if not divides and not keeps_comments(before.source.text, fix):
                    continue
                tried = _Fixing(check(replace(before.source, text=text)))
                tried.budget = self.budget - len(text)
                if _count(tried.checked) == len(errors) and not divides:
                    tried.run()
                self.budget = tried.budget
                if _count(tried.checked) < len(errors) + divides:
                    self.checked = tried.checked
                    self.mended += [replace(one, fixes=(fix,)), *tried.mended]
                    return True
        return False

    def round(self, chosen: Sequence[Diagnostic]) -> tuple[Checked, Sequence[Diagnostic]]:
        """Apply fixes together; if errors do not fall by as many, halve them until those that mend nothing are alone, and leave these out."""
        kept: list[Diagnostic] = []
        best = self.checked
        waiting = [chosen]
        while waiting and self.budget > 0:
            group = waiting.pop()
            text = apply_fixes(self.checked.source.text, [*kept, *group])
            tried = check(replace(self.checked.source, text=text))
            mends = _mends(best, tried, group)
            self.budget -= len(text) if mends else _IN_VAIN * len(text)
            if mends:
                best, kept = tried, [*kept, *group]
            elif len(group) > 1:
                half = len(group) // 2
                waiting += (group[half:], group[:half])
        return best, kept

    def follow(self, chosen: Sequence[Diagnostic]) -> tuple[Checked, Sequence[Diagnostic]]:
        """Mend one statement that shows the same slip again once it is mended, as ``if c { x = 1 } else { x = 2 }`` does."""
        for one in chosen:
            tried, fixed = self.checked, [one]
            while self.budget > 0 and len(fixed) <= _MOST_IN_STATEMENT:
                text = apply_fixes(tried.source.text, fixed[-1:])
                tried = check(replace(tried.source, text=text))
                self.budget -= len(text)
                if _mends(self.checked, tried, [one]):
                    return tried, fixed
                following = [
                    other
                    for other in applicable(_beyond_doubt(tried))
                    if (other.rule, other.message) == (one.rule, one.message) and other.span > fixed[-1].span
                ]
                if not following:
                    break
                fixed.append(following[0])
        return self.checked, ()


def _count(checked: Checked) -> int:
    return sum(one.is_error for one in checked.diagnostics)


def _beyond_doubt(checked: Checked) -> list[Diagnostic]:
    """Return the findings whose fixes are automatic and that are the only slip of their statement.

    Signs that stand for others, as in ``x ≠ 2 && x ≤ 3``, have nothing to do with each other.
    """
    starts = [piece.start for piece in cut(blank_comments(checked.source.text).text)]
    slips: dict[int, list[Diagnostic]] = {}
    for one in checked.diagnostics:
        if one.is_error:
            slips.setdefault(bisect_right(starts, one.span.start), []).append(one)
    mixed = {
        number
        for number, found in slips.items()
        if len(found) > 1 and any(one.rule is not UNKNOWN_CHARACTER for one in found)
    }
    return [
        one
        for one in checked.diagnostics
        if all(fix.automatic for fix in one.fixes) and bisect_right(starts, one.span.start) not in mixed
    ]


def _mends(before: Checked, after: Checked, fixed: Sequence[Diagnostic]) -> bool:
    """Tell whether fixes took away as many errors as they are for, show no other error, and keep every comment."""
    gone = sum(one.is_error for one in fixed)
    end = len(before.source.text)
    if len(before.diagnostics) >= MAX_FINDINGS:  # those behind are not listed, and come to light when others go
        end = before.diagnostics[-1].span.start
    end_after = end + len(after.source.text) - len(before.source.text)
    was, now = _errors(before, end), _errors(after, end_after)
    return (
        now.total() <= was.total() - gone
        and now <= was
        and _comments(before.source.text) <= _comments(after.source.text)
    )


def _errors(checked: Checked, end: int) -> Counter[tuple[str, str]]:
    """Count the errors up to an offset, by what they say: those of one rule may be told apart by nothing else."""
    return Counter(
        (one.rule.code, one.message) for one in checked.diagnostics if one.is_error and one.span.start <= end
    )


def keeps_comments(text: str, fix: Fix) -> bool:
    """Tell whether a fix leaves every comment of a text in it."""
    return _comments(text) <= _comments(_edited(text, fix.edits))


def _comments(text: str) -> Counter[str]:
    """Count the comments of a text; one that begins with '#' is that which begins with '//' once it is mended."""
    found = (text[one.start : one.end] for one in blank_comments(text).comments)
    return Counter(f"//{one[1:]}" if one.startswith("#") else one for one in found)


def apply_fixes(text: str, diagnostics: Sequence[Diagnostic]) -> str:
    """Return the text with the only fix of each finding applied, once; of fixes that touch each other the first one counts."""
    return _edited(text, [edit for one in applicable(diagnostics) for edit in one.fixes[0].edits])


def with_fix(text: str, fix: Fix) -> str:
    """Return the text with one fix applied."""
    return _edited(text, fix.edits)


def _edited(text: str, edits: Sequence[Edit]) -> str:
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
