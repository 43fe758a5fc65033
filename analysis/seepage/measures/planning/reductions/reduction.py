"""What a reduction is: a rule that takes a question to others, and their answers back to one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from seepage.data_classes import dataclass
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.question import Question
from seepage.measures.planning.table import Relation


@dataclass(frozen=True, slots=True)
class Reduced:
    """A question taken to others.

    Attributes:
        questions: to be answered, each once.
        fold: from their claims, in the same order, to that of the whole; None if these do not tell it.
        relation: whether the fold is the number asked for, or bounds it from above or below.
        because: a sentence for people.
    """

    questions: tuple[Question, ...]
    fold: Callable[[Sequence[Claim]], Claim | None]
    relation: Relation
    because: str


@dataclass(frozen=True, slots=True)
class Reduction:
    """A rule.

    Attributes:
        name: as plans tell it.
        source: where the rule is proved.
        apply: returns what a question is taken to; None where the rule does not apply, which it must find out quickly.
        is_quick: whether it is a bound that takes milliseconds: where there is one from each side, they are tried before any way.
        reads_constraints: whether it may be tried where the call states pairs of neighbours, a metric or a power.
    """

    name: str
    source: str
    apply: Callable[[Question], Reduced | None]
    is_quick: bool = False
    reads_constraints: bool = False
