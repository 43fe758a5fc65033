"""The values of all variables at one place of the walk, with undoing, so that a branch costs what it changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from seepage.semantics.kinds import Value


class State(Mapping[str, Value]):
    """A mutable table of abstract values; a name that is missing has not been assigned on any run that leads here.

    Between :meth:`begin` and :meth:`undo` the changes are remembered and taken back, so that the arms of a branch start from the same
    table without copying it.

    Attributes:
        table: the values, to read only.
    """

    __slots__ = ("_certain", "_journal", "table")

    def __init__(self) -> None:
        self.table: dict[str, Value] = {}
        self._journal: list[dict[str, Value | None]] = []
        self._certain: set[str] = set()

    def __getitem__(self, name: str) -> Value:
        return self.table[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.table)

    def __len__(self) -> int:
        return len(self.table)

    def know(self, values: Mapping[str, Value]) -> None:
        """Give names values for good."""
        self.table.update(values)

    def set(self, name: str, value: Value) -> None:
        """Give a variable a value."""
        if self._journal and name not in self._journal[-1]:
            self._journal[-1][name] = self.table.get(name)
        self.table[name] = value
        if value.is_certain:
            self._certain.add(name)

    def set_all(self, values: Mapping[str, Value], certain: Iterable[str]) -> None:
        """Give variables values; ``certain`` are those of them whose values are."""
        if self._journal:
            journal = self._journal[-1]
            for name in values:
                if name not in journal:
                    journal[name] = self.table.get(name)
        self.table.update(values)
        self._certain.update(certain)

    def forget_certainty(self) -> None:
        """Drop what is sure: from here on runs may have been discarded."""
        for name in sorted(self._certain):
            if name in self.table and self.table[name].is_certain:
                self.set(name, self.table[name].uncertain())
        self._certain.clear()

    def begin(self) -> None:
        """Start to remember changes."""
        self._journal.append({})

    def undo(self) -> dict[str, Value]:
        """Take back all changes since the matching :meth:`begin` and return them."""
        before = self._journal.pop()
        changed = {name: self.table[name] for name in before}
        for name, value in before.items():
            if value is None:
                del self.table[name]
            else:
                self.table[name] = value
                if value.is_certain:
                    self._certain.add(name)
        return changed
