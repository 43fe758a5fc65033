"""Why a way has no answer, as a value."""

from __future__ import annotations

from typing import Literal, TypeAlias

from seepage.data_classes import dataclass

Kind: TypeAlias = Literal["not supported", "too large", "no time", "does not apply", "undecided"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a way has no answer.

    Attributes:
        kind: what would have to be different.
        why: a sentence for people.
        fault: what is raised if no other way answers, None if this refusal is not worth telling.
    """

    kind: Kind
    why: str
    fault: Exception | None = None
