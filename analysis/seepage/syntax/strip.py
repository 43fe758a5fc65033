"""Things in the order of the text of which a change moves most: they are moved when somebody looks at them.

A key press puts everything behind it further to the right, and nobody looks at most of that before the next one. So a :class:`Strip` is made of
slices of tuples that versions of a text share, each with how far it has moved.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Generic, NamedTuple, TypeVar, overload

T = TypeVar("T")

_MOST = 64  # slices of a strip; past so many changes at different places it is made anew


class Slice(NamedTuple, Generic[T]):
    """The things with the numbers ``[begin, end)`` of a tuple, ``offset`` further to the right."""

    things: Sequence[T]
    begin: int
    end: int
    offset: int


class Strip(Sequence[T]):
    """A tuple of things at places; one is always the same object, whenever it is asked for. Equal to any sequence of equal things."""

    __slots__ = ("_begins", "_known", "_length", "_made_of", "_move", "_whole", "slices")

    def __init__(self, slices: Sequence[Slice[T]], move: Callable[[T, int], T]) -> None:
        self.slices = tuple(slices)
        self._begins = (0, *accumulate(one.end - one.begin for one in slices))
        self._length = self._begins[-1]
        self._move = move
        self._known: dict[int, T] = {}  # what was moved, by number
        self._whole: dict[int, tuple[T, ...]] = {}  # everything, under 0
        self._made_of = (
            self.slices
        )  # those that were made anew as one: what is shared with the strip before is seen by them

    @staticmethod
    def of(things: Sequence[T], move: Callable[[T, int], T]) -> Strip[T]:
        """Return a strip of things where they are; ``move`` returns one further to the right."""
        return Strip((Slice(things, 0, len(things), 0),) if things else (), move)

    def moved(self, offset: int) -> Strip[T]:
        """Return the same things further to the right."""
        if not offset:
            return self
        return Strip([one._replace(offset=one.offset + offset) for one in self.slices], self._move)

    def spliced(self, first: int, last: int, made: Sequence[T], offset: int) -> Strip[T]:
        """Return other things in the place of those with the numbers ``[first, last)``, and those behind them further to the right."""
        behind = [one._replace(offset=one.offset + offset) for one in self._between(last, self._length)]
        new = (Slice(tuple(made), 0, len(made), 0),) if made else ()
        slices = (*self._between(0, first), *new, *behind)
        strip = Strip(slices, self._move)
        if len(slices) <= _MOST:
            return strip
        anew = Strip.of(strip.whole(), self._move)
        anew._made_of = strip.slices
        return anew

    def shared(self, other: Strip[T]) -> tuple[int, int]:
        """Return how many things at the beginning, and how many at the end, are those of the strip that it was made from, wherever they stand."""
        first = _alike(self._made_of, other.slices)
        most = min(self._length, other._length) - first
        behind = _alike(
            [_turned(one) for one in reversed(self._made_of)], [_turned(one) for one in reversed(other.slices)]
        )
        return first, min(behind, most)

    def whole(self) -> tuple[T, ...]:
        """Return everything."""
        if not self._whole:
            found: list[T] = []
            for things, begin, end, offset in self.slices:
                some = things[begin:end]
                found += [self._move(one, offset) for one in some] if offset else some
            for number, one in list(self._known.items()):
                found[number] = one
            self._whole.setdefault(0, tuple(found))  # the first of two threads decides
        return self._whole[0]

    def _between(self, first: int, last: int) -> list[Slice[T]]:
        found: list[Slice[T]] = []
        for one, start in zip(self.slices, self._begins, strict=False):
            begin, end = max(first - start, 0) + one.begin, min(last - start + one.begin, one.end)
            if begin < end:
                found.append(one._replace(begin=begin, end=end))
        return found

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if self._whole:
            return self._whole[0][index]
        if isinstance(index, slice):
            numbers = range(*index.indices(self._length))
            return self._run(numbers) if numbers.step == 1 else tuple([self[number] for number in numbers])
        number = index if index >= 0 else self._length + index
        if not 0 <= number < self._length:
            raise IndexError(f"{index} of {self._length} things")
        at = bisect_right(self._begins, number) - 1
        things, begin, _, offset = self.slices[at]
        if not offset:
            return things[begin + number - self._begins[at]]
        if number not in self._known:
            self._known.setdefault(number, self._move(things[begin + number - self._begins[at]], offset))
        return self._known[number]

    def _run(self, numbers: range) -> tuple[T, ...]:
        """Return neighbours, slice by slice."""
        found: list[T] = []
        number = numbers.start
        at = bisect_right(self._begins, number) - 1
        while number < numbers.stop:
            things, begin, _, offset = self.slices[at]
            last = min(self._begins[at + 1], numbers.stop)
            some = things[begin + number - self._begins[at] : begin + last - self._begins[at]]
            for one in some if offset else ():
                if number not in self._known:
                    self._known.setdefault(number, self._move(one, offset))
                found.append(self._known[number])
                number += 1
            if not offset:
                found += some
            number, at = last, at + 1
        return tuple(found)

    def __iter__(self) -> Iterator[T]:
        return iter(self.whole())

    def __reversed__(self) -> Iterator[T]:
        return reversed(self.whole())

    def __len__(self) -> int:
        return self._length

    def __eq__(self, other: object) -> bool:
        return self.whole() == tuple(other) if isinstance(other, Sequence) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.whole())

    def __repr__(self) -> str:
        return repr(self.whole())


def _alike(some: Sequence[Slice[T]], others: Sequence[Slice[T]]) -> int:
    """Return how many things two sequences of slices begin with that are the same ones of the same tuples."""
    count = at = inside = other_at = other_inside = 0
    while at < len(some) and other_at < len(others):
        one, other = some[at], others[other_at]
        if one.things is not other.things or one.begin + inside != other.begin + other_inside:
            break
        step = min(one.end - one.begin - inside, other.end - other.begin - other_inside)
        count, inside, other_inside = count + step, inside + step, other_inside + step
        if one.begin + inside == one.end:
            at, inside = at + 1, 0
        if other.begin + other_inside == other.end:
            other_at, other_inside = other_at + 1, 0
    return count


def _turned(one: Slice[T]) -> Slice[T]:
    """Return a slice as it looks from the other end."""
    return one._replace(begin=-one.end, end=-one.begin)
