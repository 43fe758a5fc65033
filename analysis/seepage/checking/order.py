"""What a process is asked to do, and what it answers: one JSON object a line each way."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from seepage.checking.codec import read_report, report_value
from seepage.checking.file_report import FileReport
from seepage.checking.walk import is_python, shadows
from seepage.configuration import program_files
from seepage.files import names_files, stamps_of

if TYPE_CHECKING:
    from seepage.measures.result import Json


@dataclass(frozen=True, slots=True)
class Order:
    """One text to analyse.

    Attributes:
        name: of the file, for messages.
        text: the program.
        unit: of what is shown.
        digits: the most that a number is shown with; None for as many as there is room for.
        seconds: of a processor that the analysis may take.
        given: values of parameters from the command line, of those that the program has.
        project: values of parameters from the project file, for those that the program has.
        project_file: where these stand; empty without one.
        marks: of functions of a Python file, from the project file.
    """

    name: str
    text: str
    unit: Literal["bits", "nats"]
    digits: int | None
    seconds: float
    given: Mapping[str, str]
    project: Mapping[str, str]
    project_file: str
    marks: Mapping[str, Mapping[str, object]] = field(default_factory=dict)

    @property
    def options(self) -> dict[str, Json]:
        """What the report depends on beside the text; not the name, which it does not hold."""
        of_python = {"beside": shadows(self.name), "marks": json.dumps(self.marks)} if is_python(self.name) else {}
        named = {"named": stamps_of(self.text, program_files(self.name))} if names_files(self.text) else {}
        return {
            **of_python,
            **named,
            "unit": self.unit,
            "digits": self.digits,
            "seconds": self.seconds,
            "given": dict(self.given),
            "project": dict(self.project),
        }


@dataclass(frozen=True, slots=True)
class Broke:
    """There is no report: by a fault of Seepage, or because the process was ended; ``out_of_time`` if for its time."""

    reason: str
    out_of_time: bool = False


@dataclass(frozen=True, slots=True)
class WrongProject:
    """The project file gives the program a value that is none; ``message`` says where and why."""

    message: str


Answer: TypeAlias = FileReport | Broke | WrongProject


def order_line(order: Order) -> bytes:
    """Return an order as a line."""
    return json.dumps(asdict(order)).encode() + b"\n"


def read_order(line: bytes) -> Order:
    """Return the order of a line that :func:`order_line` made."""
    return Order(**json.loads(line))


def answer_line(answer: Answer) -> bytes:
    """Return an answer as a line."""
    match answer:
        case FileReport():
            value: dict[str, Json] = {"report": report_value(answer)}
        case Broke(reason):
            value = {"broke": reason}
        case WrongProject(message):
            value = {"wrong": message}
    return json.dumps(value).encode() + b"\n"


def read_answer(line: bytes, order: Order) -> Answer:
    """Return the answer to an order; what is none is a fault of Seepage."""
    try:
        match json.loads(line):
            case {"report": value}:
                return read_report(value, len(order.text))
            case {"wrong": str(message)}:
                return WrongProject(message)
            case {"broke": str(reason)}:
                return Broke(reason)
    except (ValueError, KeyError, RecursionError):
        pass
    return Broke("the process answered what is no report")
