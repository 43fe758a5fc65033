"""What the file of a law reads of the arguments of a draw; engines make it, for a state of the program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol, TypeAlias

from seepage.diagnostics import Fault
from seepage.exact import Number, compare, show

Known: TypeAlias = Mapping[str, Number]
"""The arguments that a check knows before any run, each right by itself."""

Wrong: TypeAlias = Iterator[tuple[str, str]]
"""What is wrong with these: the parameter at which it is told, empty for the whole law, and a message."""


class Arguments(Protocol):
    """The arguments of a draw in a state, by the names of its parameters; what is out of range raises ``Fault`` at its place."""

    def has(self, name: str) -> bool:
        """Tell whether an argument that may be left out is given."""
        ...

    def number(self, name: str) -> Number:
        """Return the value of an argument."""
        ...

    def chance(self, name: str) -> Number:
        """Return the value of an argument that must be in [0, 1]."""
        ...

    def integer(self, name: str, what: str) -> int:
        """Return the value of an argument that must be a whole number; ``what`` it is, in words."""
        ...

    def count(self, name: str, what: str) -> int:
        """Return likewise a whole number that must not be negative."""
        ...

    def not_negative(self, name: str, what: str) -> Number:
        """Return likewise a number that must not be negative."""
        ...

    def positive(self, name: str, what: str) -> Number:
        """Return likewise a number that must be positive."""
        ...

    def order(self, name: str, value: Number, other: Number) -> int:
        """Compare the value of an argument with a number: below 0, 0, or above 0."""
        ...

    def invalid(self, name: str, value: Number, expected: str) -> Fault:
        """Return the fault that an argument has a value out of its range."""
        ...


def ordered(given: Arguments, law: str) -> tuple[Number, Number]:
    """Return the ends ``a`` and ``b`` of a law, by its name for a fault, of which the second must not be below the first."""
    low, high = given.number("a"), given.number("b")
    if given.order("b", high, low) < 0:
        raise given.invalid("b", high, f"the upper end of '{law}' must be at least the lower end {show(low)}")
    return low, high


def nothing_wrong(known: Known) -> Wrong:
    """Find nothing."""
    yield from ()


def wrong_ends(law: str, known: Known) -> Wrong:
    """Find a lower end ``a`` above the upper end ``b``, by the law's name."""
    if "a" in known and "b" in known and compare(known["a"], known["b"]) > 0:
        shown = f"{law}({show(known['a'])}, {show(known['b'])})"
        yield "", f"'{shown}' has no value: its lower end is above its upper end"
