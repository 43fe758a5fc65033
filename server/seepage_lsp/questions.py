"""What a client asks about a program beyond the protocol, as values that travel to the process that answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from seepage.source import SourceFile

if TYPE_CHECKING:
    from seepage.pipeline import Analysis


@dataclass(frozen=True, slots=True)
class MeasureQuestion:
    """One measure, as text."""

    measure: str


@dataclass(frozen=True, slots=True)
class AxisQuestion:
    """A parameter that varies between two values, given as source text, on a linear or a logarithmic scale."""

    parameter: str
    low: str
    high: str
    points: int
    logarithmic: bool


@dataclass(frozen=True, slots=True)
class PlotQuestion:
    """A measure over one parameter or two."""

    measure: str
    over: tuple[AxisQuestion, ...]


@dataclass(frozen=True, slots=True)
class ExplainQuestion:
    """How a measure comes about."""

    measure: str


@dataclass(frozen=True, slots=True)
class PosteriorQuestion:
    """What an output (several, separated by commas) tells about a secret, value by value."""

    secret: str
    output: str


@dataclass(frozen=True, slots=True)
class WorstQuestion:
    """Which value of an output (several, separated by commas) tells most about a secret, and which leaves least."""

    secret: str
    output: str


@dataclass(frozen=True, slots=True)
class WhereQuestion:
    """What each statement does to a measure."""

    measure: str


@dataclass(frozen=True, slots=True)
class RangeQuestion:
    """At which values of a parameter, between two as source text, budgets hold."""

    parameter: str
    budgets: tuple[str, ...]
    low: str
    high: str


@dataclass(frozen=True, slots=True)
class ChangesQuestion:
    """What changed since the last commit.

    Attributes:
        analysis: of the present text, under the settings of the question.
        project: values of parameters from the project file, at which budgets are judged.
    """

    analysis: Analysis
    project: Mapping[str, str]


Question: TypeAlias = (
    MeasureQuestion
    | PlotQuestion
    | ExplainQuestion
    | PosteriorQuestion
    | WorstQuestion
    | WhereQuestion
    | RangeQuestion
    | ChangesQuestion
)


@dataclass(frozen=True, slots=True)
class Exploration:
    """A question about one version of a text.

    Attributes:
        source: the text.
        unit: of entropies.
        settings: values of parameters from the settings, as source text; those that a program does not have, or that are no numbers, are
            left out.
        parameters: values from the question itself, which must fit.
        question: what is asked.
        seconds: time limit.
    """

    source: SourceFile
    unit: Literal["bits", "nats"]
    settings: Mapping[str, str]
    parameters: Mapping[str, str]
    question: Question
    seconds: float

    @property
    def subject(self) -> str:
        """What is asked about: a process that knows it already is preferred."""
        return self.source.name


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a question has no answer, in a sentence for people."""

    reason: str
