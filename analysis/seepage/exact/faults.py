"""What goes wrong where numbers are computed: the value does not exist, is too large, or cannot be told from another."""

from __future__ import annotations


class ArithmeticFault(Exception):
    """A value does not exist or cannot be settled; ``reason`` says why in a few words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Undefined(ArithmeticFault):
    """Division by zero, logarithm of zero, ..."""


class CannotDecide(ArithmeticFault):
    """Two irrational values that neither algebra nor ball arithmetic tells apart."""


class TooLarge(ArithmeticFault):
    """A number past the budget on digits."""
