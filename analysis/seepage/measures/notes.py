"""Sentences that belong to a number, with what they are about: whoever decides something by a note looks at its kind, never at its words."""

from __future__ import annotations

from enum import Enum, auto

from seepage.data_classes import dataclass


class NoteKind(Enum):
    """What a note is about."""

    REMARK = auto()
    """Something to know; nothing else depends on it."""

    NO_UPPER_BOUND = auto()
    """Why there is no upper bound: it goes where one is found."""

    STAND_IN = auto()
    """That the estimate is that of other laws: it goes where a number without them is found."""

    GIVEN_UP = auto()
    """That the time limit ended the search for more."""

    LONG_FORMULA = auto()
    """That no formula is short enough to read: a plot says more."""

    NAMED_PARTS = auto()
    """That a formula is long, so that its parts have names: a plot says more, and it goes where the formula is not shown."""


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence for people.

    Attributes:
        text: lower case, without a full stop.
        kind: what it is about.
    """

    text: str
    kind: NoteKind = NoteKind.REMARK

    def __str__(self) -> str:
        return self.text


def too_long_formula(size: str = "") -> Note:
    """Return the note on a measure whose formula is of this size, as ``6 terms``: what the formula looks like a plot shows."""
    of = f" of {size}" if size else ""
    return Note(f"the formula{of} is too long to show: a plot over a parameter shows its shape", NoteKind.LONG_FORMULA)
