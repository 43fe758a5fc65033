"""What a pass remembers of a statement, of a run of them or of a file, from one version of a text, or one question, to the next.

A pass owns its memo, and what it keeps is typed there; what it is kept with knows no pass.
"""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar, cast

Known = TypeVar("Known")


class Remembers(Protocol):
    """What a pass can keep something with: that lives as long as the text that it is of stays as it is."""

    @property
    def remembered(self) -> dict[object, object]:
        """What was kept, by the memo that keeps it."""
        ...


class Memo(Generic[Known]):
    """What one pass keeps: a cache of functions of what it is kept with."""

    __slots__ = ()

    def of(self, one: Remembers) -> Known | None:
        """Return what was kept last with one; None if nothing was."""
        return cast("Known | None", one.remembered.get(self))

    def keep(self, one: Remembers, known: Known) -> Known:
        """Keep something with one, in the place of what was kept before, and return it."""
        one.remembered[self] = known
        return known


class Same(Generic[Known]):
    """A value as a key: equal only to itself, so that what is made of it is made once for many questions."""

    __slots__ = ("one",)

    def __init__(self, one: Known) -> None:
        self.one = one

    def __hash__(self) -> int:
        return id(self.one)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.one is self.one
