"""Results of a marked function, and answers about it, for a panel: those of its program, in Python's names and places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from lsprotocol.types import Range

from seepage.functions import FunctionProgram
from seepage.python.occurrences import Occurrence
from seepage.python.questions import Wrong
from seepage_lsp.features.moved import Moved
from seepage_lsp.features.python_findings import present
from seepage_lsp.python_files import Marked, PythonFile
from seepage_lsp.questions import (
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
from seepage_lsp.results import results
from seepage_lsp.settings import Settings

Json: TypeAlias = dict[str, Any]

# What no name of a program stands in.
_PLAIN = frozenset(
    {"uri", "state", "kind", "role", "status", "unit", "engine", "engineSentence", "certainty", "schema"}
)


def function_results(file: PythonFile, marked: Marked, settings: Settings) -> Json:
    """Return what is known of a function; nothing is computed."""
    program = marked.followed or marked.program
    found = results(marked.document.snapshot(settings))
    moved = _Moved(file, program)
    told: Json = moved.told(found)
    if file.is_broken or marked.is_blocked:
        told |= {"state": "errors", "current": False, "message": "the function has errors"}
    named = {} if program.translation is None else _places(program.translation.occurrences)
    for row in told["table"]:
        row["secretRange"] = moved.range_of(named.get(row["secret"])) or row["secretRange"]
        row["outputRange"] = moved.range_of(named.get(row["output"])) or row["outputRange"]
    for answer in told["answers"]:
        answer |= _as_written(file, answer)
    for one in told["parameters"]:
        one["range"] = moved.range_of(named.get(one["name"])) or one["range"]
    secrets = {one.name for one in program.checked.symbols.secrets}
    told["variables"] = [
        {"name": one.name, "role": _role(program, one, secrets), "range": place}
        for one in (() if program.translation is None else program.translation.occurrences)
        if one.role in ("argument", "use", "output") and (place := moved.range_of(one)) is not None
    ]
    return told


def _as_written(file: PythonFile, answer: Json) -> Json:
    """Return the words of a measure or budget as the mark has them: names, texts and indices are Python's there."""
    place = answer["range"]
    text = "" if place is None else file.lines.text[file.lines.offset(place.start) : file.lines.offset(place.end)]
    if len(text) < 2 or text[0] not in "\"'" or text[-1] != text[0]:
        return {}
    written = text[1:-1]
    return {"text": written, "source": written} | ({"measure": written} if answer["kind"] == "show" else {})


def _places(named: tuple[Occurrence, ...]) -> dict[str, Occurrence]:
    """Return where names are declared: arguments, and outputs in the mark."""
    found: dict[str, Occurrence] = {}
    for one in named:
        if one.role in ("argument", "output"):
            found.setdefault(one.name, one)
    return found


def _role(program: FunctionProgram, one: Occurrence, secrets: set[str]) -> str:
    if one.role == "output":
        return "output"
    assert program.translation is not None
    seen = program.translation.seen.get(one.name)
    return "secret" if seen is not None and secrets & set(seen.variables(())) else "variable"


def function_answer(file: PythonFile, marked: Marked, answer: Json) -> Json:
    """Return an answer about the program of a function in Python's names and places."""
    told: Json = _Moved(file, marked.followed or marked.program).told(answer)
    return told


def function_question(marked: Marked, question: Question) -> Question:
    """Return what is asked in Python's names as a question about the program of a function.

    Raises:
        ValueError: for a name that is none, with a sentence.
    """
    program = marked.followed or marked.program
    try:
        match question:
            case MeasureQuestion(measure=measure):
                return MeasureQuestion(_measure(program, measure))
            case ExplainQuestion(measure=measure):
                return ExplainQuestion(_measure(program, measure))
            case PlotQuestion(measure=measure, over=over):
                axes = tuple(replace(one, parameter=function_variable(program, one.parameter)) for one in over)
                return PlotQuestion(_measure(program, measure), axes)
            case PosteriorQuestion(secret=secret, output=output):
                return PosteriorQuestion(_measure(program, secret), _outputs(program, output))
            case WorstQuestion(secret=secret, output=output):
                return WorstQuestion(_measure(program, secret), _outputs(program, output))
            case WhereQuestion(measure=measure):
                return WhereQuestion(_measure(program, measure))
            case RangeQuestion(parameter=parameter, budgets=budgets):
                texts = tuple(_measure(program, budget) for budget in budgets)
                return replace(question, parameter=function_variable(program, parameter), budgets=texts)
            case ChangesQuestion():
                return question
    except Wrong as error:
        raise ValueError(error.message) from None


def function_parameters(marked: Marked, values: Mapping[str, str]) -> dict[str, str]:
    """Return values of parameters by the names of the program."""
    program = marked.followed or marked.program
    return {function_variable(program, name): value for name, value in values.items()}


def function_variable(program: FunctionProgram, name: str) -> str:
    """Return the variable of the program that a name of Python is; one that is none stays, and is told where it is asked for."""
    seen = None if program.translation is None else program.translation.seen.get(name)
    return name if seen is None else seen.cells.get((), name)


def _measure(program: FunctionProgram, text: str) -> str:
    return text if program.translation is None else program.translation.measure(text)


def _outputs(program: FunctionProgram, text: str) -> str:
    return text if text == "all outputs" else _measure(program, text)


class _Moved:
    """Values of a program as those of a Python file."""

    def __init__(self, file: PythonFile, program: FunctionProgram) -> None:
        self._program, self._lines = program, file.lines
        self._places = () if program.translation is None else program.translation.places
        self._moved = Moved(program.file, present(file))

    def range_of(self, one: Occurrence | None) -> Range | None:
        """Return where a name stands by now; None if that has changed."""
        place = None if one is None else self._moved.span(one.span)
        return None if place is None else self._lines.range(place)

    def told(self, value: Any, key: str = "") -> Any:
        """Return a value with places and names of Python."""
        match value:
            case Range():
                return self._range(value.start.line)
            case str():
                return value if key in _PLAIN else self._program.words(value)
            case list() | tuple():
                return [self.told(one, key) for one in value]
            case {"line": int(line), "column": int(), **rest}:
                at = self._range(line - 1)
                here = None if at is None else {"line": at.start.line + 1, "column": at.start.character + 1}
                return {str(name): self.told(one, str(name)) for name, one in rest.items()} | (
                    here or {"line": 1, "column": 1}
                )
            case dict():
                return {
                    (self._program.words(str(name)) if key == "params" else str(name)): self.told(one, str(name))
                    for name, one in value.items()
                }
            case _:
                return value

    def _range(self, line: int) -> Range | None:
        """Return the place of what a line of the program comes from."""
        if not self._places:
            return None
        place = self._moved.span(self._places[min(line, len(self._places) - 1)])
        return None if place is None else self._lines.range(place)
