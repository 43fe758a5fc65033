"""The parameters of the server's own requests: read from plain JSON, so that what is wrong with them is said in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, assert_never

from seepage_lsp.questions import (
    AxisQuestion,
    ChangesQuestion,
    ExplainQuestion,
    MeasureQuestion,
    PlotQuestion,
    PosteriorQuestion,
    Question,
    RangeQuestion,
    WhereQuestion,
    WorstQuestion,
)

RESULTS = "seepage/results"
MEASURE = "seepage/measure"
PLOT = "seepage/plot"
EXPLAIN = "seepage/explain"
POSTERIOR = "seepage/posterior"
WORST = "seepage/worst"
WHERE = "seepage/where"
RANGE = "seepage/range"
FUNCTIONS = "seepage/functions"
QUESTIONS = (MEASURE, PLOT, EXPLAIN, POSTERIOR, WORST, WHERE, RANGE)
REQUESTS = (RESULTS, FUNCTIONS, *QUESTIONS)

RESULTS_CHANGED = "seepage/resultsChanged"
SERVER_STATUS = "seepage/serverStatus"
NOTIFICATIONS = (RESULTS_CHANGED, SERVER_STATUS)

PROTOCOL = 1
ANNOUNCED = {"protocol": PROTOCOL, "requests": [*REQUESTS], "notifications": [*NOTIFICATIONS]}
_LONGEST = 10_000
_MOST_BUDGETS = 20


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
        case "seepage/measure":
            return MeasureQuestion(_text(given, "measure"))
        case "seepage/explain":
            return ExplainQuestion(_text(given, "measure"))
        case "seepage/posterior":
            return PosteriorQuestion(_text(given, "secret"), _text(given, "output"))
        case "seepage/worst":
            return WorstQuestion(_text(given, "secret"), _text(given, "output"))
        case "seepage/where":
            return WhereQuestion(_text(given, "measure"))
        case "seepage/range":
            budgets = given.get("budgets")
            if not isinstance(budgets, list) or not 1 <= len(budgets) <= _MOST_BUDGETS:
                raise ValueError(f"'budgets' must be a list of 1 to {_MOST_BUDGETS} texts")
            low, high = (_spelled(given.get(end), end) for end in ("low", "high"))
            texts = tuple(_text({"budgets": each}, "budgets") for each in budgets)
            return RangeQuestion(_text(given, "parameter"), texts, low, high)
        case "seepage/plot":
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
