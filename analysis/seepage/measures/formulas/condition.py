"""Side conditions of formulas: texts that know the relations which they state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from seepage.measures.formulas.text import text_of
from seepage.measures.formulas.tree import Node

Sign: TypeAlias = Literal["=", "≠", "<", "≤", ">", "≥"]
Relation: TypeAlias = tuple[Node, Sign, Node]


class Condition(str):
    """A condition as people read it, ``p > 0``.

    Attributes:
        relations: what must hold, all of it; none for a convention on how the formula is read, as ``0·log 0 = 0``.
    """

    __slots__ = ("relations",)
    relations: tuple[Relation, ...]

    def __new__(cls, text: str, relations: Sequence[Relation] = ()) -> Condition:
        """Return a condition by its text and what it states."""
        made = super().__new__(cls, text)
        made.relations = tuple(relations)
        return made

    def __getnewargs__(self) -> tuple[str, tuple[Relation, ...]]:  # type: ignore[override]  # of a string alone
        """Return what it is made of, for copies in other processes."""
        return str(self), self.relations


def relating(left: Node, sign: Sign, right: Node, text: str = "") -> Condition:
    """Return ``left sign right``; its text is that of the two sides, unless it is given."""
    return Condition(text or f"{text_of(left)} {sign} {text_of(right)}", [(left, sign, right)])


ZERO_LOG_ZERO = Condition("0·log 0 = 0")
"""How a formula is read where an argument of a logarithm vanishes."""
