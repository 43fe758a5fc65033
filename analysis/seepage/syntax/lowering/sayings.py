"""What the pieces of a text say, by where they start: found when it is asked for, as a change asks for few of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from seepage.source import Span
from seepage.syntax.piece import ParsedPiece
from seepage.syntax.pieces import Piece
from seepage.syntax.raw import RawHeader, RawLeaf

_MANY = 200  # questions, past which all pieces are looked at once


class Sayings:
    """The pieces of a text that could be read."""

    def __init__(self, pieces: Sequence[Piece], read: Sequence[ParsedPiece]) -> None:
        self._pieces, self._read = pieces, read
        self._asked = 0

    @cached_property
    def all(self) -> dict[int, ParsedPiece]:
        """All of them."""
        found = zip(self._pieces, self._read, strict=True)
        return {piece.start: parsed for piece, parsed in found if parsed.raw is not None}

    def at(self, start: int) -> ParsedPiece | None:
        """Return the piece that starts at an offset."""
        self._asked += 1
        if self._asked > _MANY:
            return self.all.get(start)
        number = bisect_left(self._pieces, start, key=_start)
        if number == len(self._pieces) or self._pieces[number].start != start:
            return None
        parsed = self._read[number]
        return None if parsed.raw is None else parsed


def _start(piece: Piece) -> int:
    return piece.start


class Reads(Mapping[int, RawLeaf | RawHeader]):
    """What each piece says."""

    def __init__(self, sayings: Sayings) -> None:
        self._sayings = sayings

    def __getitem__(self, start: int) -> RawLeaf | RawHeader:
        parsed = self._sayings.at(start)
        if parsed is None or parsed.raw is None:
            raise KeyError(start)
        return parsed.raw

    def get(self, start: int, default: object = None) -> RawLeaf | RawHeader | None:  # type: ignore[override]
        """Return what the piece says that starts at an offset, None if none does."""
        parsed = self._sayings.at(start)
        return None if parsed is None else parsed.raw

    def __iter__(self) -> Iterator[int]:
        return iter(self._sayings.all)

    def __len__(self) -> int:
        return len(self._sayings.all)


class Operators(Mapping[int, Span | None]):
    """Where the ``:=`` or ``~`` of each piece stands in it."""

    def __init__(self, sayings: Sayings) -> None:
        self._sayings = sayings

    def __getitem__(self, start: int) -> Span | None:
        parsed = self._sayings.at(start)
        if parsed is None:
            raise KeyError(start)
        return parsed.operator

    def __iter__(self) -> Iterator[int]:
        return iter(self._sayings.all)

    def __len__(self) -> int:
        return len(self._sayings.all)
