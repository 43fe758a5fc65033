"""The arguments of a draw in a state, by their names."""

from __future__ import annotations

from collections.abc import Mapping

from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.distributions.parameters import Place
from seepage.exact import Number
from seepage.syntax.tree import Expression


@dataclass(frozen=True, slots=True)
class Told:
    """The arguments of a draw, as the files of the laws read them: :class:`seepage.laws.arguments.Arguments`, whose methods say what these are."""

    named: Mapping[str, Expression]
    place: Place

    def has(self, name: str) -> bool:
        """As :meth:`Arguments.has`."""
        return name in self.named

    def number(self, name: str) -> Number:
        """As :meth:`Arguments.number`."""
        return self.place.value(self.named[name])

    def integer(self, name: str, what: str) -> int:
        """As :meth:`Arguments.integer`."""
        return self.place.integer(self.named[name], what)

    def count(self, name: str, what: str) -> int:
        """As :meth:`Arguments.count`."""
        return self.place.count(self.named[name], what)

    def not_negative(self, name: str, what: str) -> Number:
        """As :meth:`Arguments.not_negative`."""
        return self.place.at_least_zero(self.named[name], what)

    def positive(self, name: str, what: str) -> Number:
        """As :meth:`Arguments.positive`."""
        return self.place.positive(self.named[name], what)

    def order(self, name: str, value: Number, other: Number) -> int:
        """As :meth:`Arguments.order`."""
        return self.place.order(self.named[name], value, other)

    def invalid(self, name: str, value: Number, expected: str) -> Fault:
        """As :meth:`Arguments.invalid`."""
        return self.place.invalid(self.named[name], value, expected)

    def chance(self, name: str) -> Number:
        """As :meth:`Arguments.chance`."""
        value = self.number(name)
        if self.order(name, value, 0) < 0 or self.order(name, value, 1) > 0:
            raise self.invalid(name, value, "a probability must be in [0, 1]")
        return value
