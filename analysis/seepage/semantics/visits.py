"""What the walk along the flow remembers of its visits of one statement, and how that moves when the text changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import TypeAlias

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic, Label, Rule
from seepage.exact import Number
from seepage.semantics.kinds import Value
from seepage.semantics.ranges import Range
from seepage.semantics.units import Units
from seepage.source import Span
from seepage.syntax.fixes import shifted

Inputs: TypeAlias = tuple[Value | None, ...]
Saying: TypeAlias = Diagnostic | tuple[Rule, Span]
"""A finding, or one that is taken back by its rule and place."""

REMEMBERED = 4  # visits of one statement: those of a loop before and after its head grew, in two circumstances
REMEMBERED_RUNS = 2  # visits of one run
HERE = Span(0, 0)  # where origins stand until the walk is over


@dataclass(frozen=True, slots=True)
class Origin(Label):
    """A label at the unit that has the label ``unit``; its span is filled in when the walk is over."""

    unit: int


@dataclass(frozen=True, slots=True)
class Visit:
    """A visit of one statement or condition: a function of the values that it reads, of what its target held, and of ``uncertain``.

    Attributes:
        uncertain: whether it may not be reached.
        inputs: the value of each name that it reads, None for parameters, loop variables and unknown names.
        before: the value of its target.
        numbers: the names that are None; the visit counts only where they are no variables.
        constants: the names that are constants.
        start: where its piece stood: positions in ``said`` are those of that time.
        value: what it assigns.
        said: what it said, in order.
        decided: the range of its condition.
        known: the value of its condition, if it is known without running.
    """

    uncertain: bool
    inputs: Inputs
    before: Value | None
    numbers: Sequence[str]
    constants: frozenset[str]
    start: int
    value: Value | None
    said: Sequence[Saying]
    decided: Range
    known: Number | None


@dataclass(frozen=True, slots=True)
class RunVisit:
    """A visit of a run: a function of the values that its names had before it, and of ``uncertain``.

    Attributes:
        uncertain: whether it may not be reached.
        inputs: the value of each name that it mentions, None for what has none.
        numbers: names without a value that it reads; the visit counts only where they are no variables.
        constants: the names that are constants.
        arrays: the names that are arrays.
        start: where the run stood: positions in ``said`` and ``decided`` are those of that time.
        starts: where its units stood, from there, if it has such positions.
        values: what it assigns.
        certain: the names of those of its values that are certain.
        said: what it said, in order.
        decided: the ranges of conditions, by place.
        discards: whether runs may be discarded in it.
    """

    uncertain: bool
    inputs: Inputs
    numbers: frozenset[str]
    constants: frozenset[str]
    arrays: frozenset[str]
    start: int
    starts: Sequence[int]
    values: Mapping[str, Value]
    certain: Sequence[str]
    said: Sequence[Saying]
    decided: Sequence[tuple[Span, Range]]
    discards: bool


@dataclass(slots=True)
class Recording:
    """What the present visit of a run says so far; ``is_function``: of its inputs alone."""

    said: list[Saying] = field(default_factory=list)
    decided: list[tuple[Span, Range]] = field(default_factory=list)
    numbers: set[str] = field(default_factory=set)
    discards: bool = False
    is_function: bool = True


def moved(said: Saying, offset: int) -> Saying:
    """Return what a statement said after it moved right by ``offset``."""
    if not isinstance(said, Diagnostic):
        rule, span = said
        return rule, span.shift(offset)
    if offset == 0:
        return said
    labels = tuple(
        label if isinstance(label, Origin) else replace(label, span=label.span.shift(offset)) for label in said.labels
    )
    if not said.fixes:
        where = said.span.shift(offset)
        return Diagnostic(said.rule, where, said.message, labels, said.notes, (), said.tags, said.cause, said.subject)
    return replace(shifted(replace(said, labels=()), offset), labels=labels)


def located(diagnostic: Diagnostic, units: Units) -> Diagnostic:
    """Return a finding with its labels where the units now stand that they point at."""
    if not any(isinstance(label, Origin) for label in diagnostic.labels):
        return diagnostic
    labels = tuple(
        Label(units.place(label.unit), label.message) if isinstance(label, Origin) else label
        for label in diagnostic.labels
    )
    return replace(diagnostic, labels=labels)
