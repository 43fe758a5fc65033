"""Draws from families: a location plus a scale times a source that has a law of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from seepage import exact
from seepage.data_classes import dataclass
from seepage.exact import Number
from seepage.laws.forms import Beyond, Polynomial, Value
from seepage.laws.law import Law

Values: TypeAlias = Mapping[str, Value]
"""The values of a family's parameters by their names, some perhaps continuous."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A draw.

    Attributes:
        location: where 0 of the source is taken.
        scale: where 1 of the source is taken, from there.
        law: of the source; None where the draw is the location itself.
    """

    location: Value
    scale: Number = 1
    law: Law | None = None


def positive(value: Value) -> Number:
    """Return a parameter that must be a positive number.

    Raises:
        Beyond: if it is continuous or not positive.
    """
    if isinstance(value, Polynomial) or exact.sign(value) <= 0:
        raise Beyond("a parameter that is continuous or not positive")
    return value


def number(value: Value) -> Number:
    """Return a parameter that must be a number.

    Raises:
        Beyond: if it is continuous.
    """
    if isinstance(value, Polynomial):
        raise Beyond("a parameter that is continuous")
    return value
