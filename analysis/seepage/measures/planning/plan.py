"""The record of how an answer was found: which reductions were applied and which ways were tried, in order."""

from __future__ import annotations

from typing import Literal, TypeAlias

from seepage.data_classes import dataclass

Outcome: TypeAlias = Literal["answered", "bounded", "declined"]


@dataclass(frozen=True, slots=True)
class Step:
    """One reduction or way that was tried for a question.

    Attributes:
        question: the measure that was asked, as text.
        name: of the reduction or the way.
        outcome: whether it gave a number, only bounds, or nothing.
        told: what it gave (with bounds), or why it declined: a sentence for people.
        seconds: that it took.
        steps: of the questions that it asked in its turn.
    """

    question: str
    name: str
    outcome: Outcome
    told: str
    seconds: float
    steps: tuple[Step, ...] = ()
