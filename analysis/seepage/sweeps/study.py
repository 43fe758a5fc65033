"""What a sweep asks: measures of a program at all combinations of values of some parameters and constants."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

import seepage
from seepage.configuration import program_files
from seepage.data_classes import dataclass
from seepage.files import names_files, stamps_of

MOST_POINTS = 1_000_000

Point: TypeAlias = tuple[str, ...]
"""A value of each name that varies, in their order, as a program spells it: exact."""


@dataclass(frozen=True, slots=True)
class Study:
    """A question of a sweep; values are spelled as in programs, so that they are exact.

    Attributes:
        name: of the program's file, for messages.
        text: of the program.
        measures: as written.
        over: the values of each parameter and constant that varies.
        constants: which of these are constants.
        params: values of other parameters.
        unit: of entropies, information and divergences.
    """

    name: str
    text: str
    measures: tuple[str, ...]
    over: Mapping[str, tuple[str, ...]]
    constants: frozenset[str]
    params: Mapping[str, str]
    unit: Literal["bits", "nats"]

    def __post_init__(self) -> None:
        if not self.measures or not self.over or not all(self.over.values()):
            raise ValueError("expected at least one measure, and something that varies, with values")
        if self.size > MOST_POINTS:
            raise ValueError(f"found {self.size:,} points, expected at most {MOST_POINTS:,}")

    @property
    def names(self) -> tuple[str, ...]:
        """What varies."""
        return tuple(self.over)

    @property
    def size(self) -> int:
        """How many points there are."""
        return math.prod(map(len, self.over.values()))

    def points(self) -> Iterator[Point]:
        """Yield all points, the last name varying fastest."""
        return itertools.product(*self.over.values())

    def constants_at(self, point: Point) -> tuple[tuple[str, str], ...]:
        """Return the constants at a point: those of one program."""
        return tuple((name, value) for name, value in zip(self.over, point, strict=True) if name in self.constants)

    def parameters_at(self, point: Point) -> tuple[str, ...]:
        """Return the values of the parameters that vary."""
        return tuple(value for name, value in zip(self.over, point, strict=True) if name not in self.constants)

    @property
    def digest(self) -> str:
        """What all its numbers depend on beside the point: the program, what it reads, other parameters, the unit, and this version of Seepage."""
        asked = [seepage.__version__, self.text, sorted(self.params.items()), self.unit, sorted(self.over)]
        named = stamps_of(self.text, program_files(self.name)) if names_files(self.text) else []
        return _digest([*asked, *named])

    def numbers(self) -> dict[str, tuple[Point, str]]:
        """Return all points with each measure, by the names of their numbers, in order."""
        head = self.digest
        return {
            f"{head}-{_digest([measure, sorted(zip(self.over, point, strict=True))])}": (point, measure)
            for point in self.points()
            for measure in self.measures
        }


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]
