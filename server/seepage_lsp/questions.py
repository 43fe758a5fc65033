"""What a client asks about a program beyond the protocol: values that travel to the process that answers, read from plain JSON.

What is wrong with the parameters of a request is said in one sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, assert_never

from seepage.data_classes import dataclass
from seepage_lsp import asked

if TYPE_CHECKING:
    from seepage.pipeline import Analysis
    from seepage.source import SourceFile

_LONGEST = 10_000
_MOST_BUDGETS = 20


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


# --- reading ----------------------------------------------------------------------------------------------------------


def read_uri(params: Any) -> str:
    """Return the document that a request is about.

    Raises:
        ValueError: if there is none.
    """
    document = _object(params, "params").get("textDocument")
    return _text(_object(document, "textDocument"), "uri")


def read_parameters(params: Any) -> dict[str, str]:
    """Return values of parameters, as source text; numbers are taken as they are spelled.

    Raises:
        ValueError: if one is neither.
    """
    values = _object(params, "params").get("parameters")
    if values is None:
        return {}
    return {name: _spelled(value, f"parameters.{name}") for name, value in _object(values, "parameters").items()}


def read_unit(params: Any) -> Literal["bits", "nats"] | None:
    """Return the unit that a request asks for, None for that of the settings.

    Raises:
        ValueError: if it is none.
    """
    match _object(params, "params").get("unit"):
        case "bits":
            return "bits"
        case "nats":
            return "nats"
        case None:
            return None
        case _:
            raise ValueError("'unit' must be 'bits' or 'nats'")


def read_question(method: str, params: Any) -> Question:
    """Return what a request asks.

    Raises:
        ValueError: if something is missing or of the wrong type.
    """
    given = _object(params, "params")
    match method:
        case asked.MEASURE:
            return MeasureQuestion(_text(given, "measure"))
        case asked.EXPLAIN:
            return ExplainQuestion(_text(given, "measure"))
        case asked.POSTERIOR:
            return PosteriorQuestion(_text(given, "secret"), _text(given, "output"))
        case asked.WORST:
            return WorstQuestion(_text(given, "secret"), _text(given, "output"))
        case asked.WHERE:
            return WhereQuestion(_text(given, "measure"))
        case asked.RANGE:
            budgets = given.get("budgets")
            if not isinstance(budgets, list) or not 1 <= len(budgets) <= _MOST_BUDGETS:
                raise ValueError(f"'budgets' must be a list of 1 to {_MOST_BUDGETS} texts")
            low, high = (_spelled(given.get(end), end) for end in ("low", "high"))
            texts = tuple(_text({"budgets": each}, "budgets") for each in budgets)
            return RangeQuestion(_text(given, "parameter"), texts, low, high)
        case asked.PLOT:
            over = given.get("over")
            if not isinstance(over, list) or not 1 <= len(over) <= 2:
                raise ValueError("'over' must be a list of one or two parameters")
            return PlotQuestion(_text(given, "measure"), tuple(_axis(one) for one in over))
        case _:
            raise ValueError(f"'{method}' asks nothing")


def topic_of(question: Question) -> str:
    """Return what stays the same while a slider moves: a question with the topic of an older one takes its place."""
    match question:
        case MeasureQuestion(measure=measure):
            return f"measure {measure}"
        case ExplainQuestion(measure=measure):
            return f"explain {measure}"
        case PosteriorQuestion(secret=secret, output=output):
            return f"posterior {secret}; {output}"
        case WorstQuestion(secret=secret, output=output):
            return f"worst {secret}; {output}"
        case WhereQuestion(measure=measure):
            return f"where {measure}"
        case RangeQuestion(parameter=parameter):
            return f"range {parameter}"
        case ChangesQuestion():
            return "changes"
        case PlotQuestion(measure=measure, over=over):
            return f"plot {measure} over {', '.join(axis.parameter for axis in over)}"
        case _:
            assert_never(question)


def _axis(given: object) -> AxisQuestion:
    axis = _object(given, "over")
    points = axis.get("points")
    if isinstance(points, bool) or not isinstance(points, int) or points < 2:
        raise ValueError("'points' must be a whole number of at least 2")
    low, high = (_spelled(axis.get(end), end) for end in ("low", "high"))
    scale = axis.get("scale", "linear")
    if scale not in ("linear", "log"):
        raise ValueError("'scale' must be 'linear' or 'log'")
    return AxisQuestion(_text(axis, "parameter"), low, high, points, scale == "log")


def _object(value: object, name: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise ValueError(f"'{name}' must be an object")
    return value


def _text(given: Mapping[str, object], name: str) -> str:
    value = given.get(name)
    if not isinstance(value, str) or not value.strip() or len(value) > _LONGEST:
        raise ValueError(f"'{name}' must be a text of 1 to {_LONGEST:,} characters")
    return value


def _spelled(value: object, name: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float) or len(str(value)) > _LONGEST:
        raise ValueError(f"'{name}' must be a number or its spelling")
    return str(value)
