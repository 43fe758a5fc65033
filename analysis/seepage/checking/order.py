"""What a process is asked to do, and what it answers: one JSON object a line each way."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeAlias, TypeVar

from seepage.checking.codec import read_report, report_value
from seepage.checking.file_report import FileReport
from seepage.checking.walk import is_python, shadows
from seepage.configuration import program_files
from seepage.data_classes import dataclass
from seepage.files import names_files, stamps_of

if TYPE_CHECKING:
    from seepage.measures.result import Json


Work: TypeAlias = Literal["check", "sweep", "report"]
A = TypeVar("A", covariant=True)


class Task(Protocol[A]):
    """What a process can be asked to do: which work, how long it may take, and the values of question and answer."""

    work: ClassVar[Work]

    @property
    def seconds(self) -> float:
        """Of a processor, that it may take."""
        ...

    @property
    def value(self) -> Mapping[str, Json]:
        """The question as a JSON value."""
        ...

    def answer(self, value: object) -> A:
        """Return the answer that a JSON value holds; what is none is a fault of Seepage."""
        ...


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
        function: the one of a Python file that is asked about; empty for all that are marked.
        mechanisms: what functions of libraries draw, from the project file.
    """

    work: ClassVar[Work] = "check"
    name: str
    text: str
    unit: Literal["bits", "nats"]
    digits: int | None
    seconds: float
    given: Mapping[str, str]
    project: Mapping[str, str]
    project_file: str
    marks: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    function: str = ""
    mechanisms: Mapping[str, Mapping[str, object]] = field(default_factory=dict)

    @property
    def value(self) -> dict[str, Json]:
        """The order as a JSON value."""
        return asdict(self)

    def answer(self, value: object) -> Answer:
        """Return the answer that a JSON value holds; what is none is a fault of Seepage."""
        try:
            match value:
                case {"report": report}:
                    return read_report(report, len(self.text))
                case {"wrong": str(message)}:
                    return WrongProject(message)
                case _:
                    return NO_ANSWER
        except (ValueError, KeyError, RecursionError):
            return NO_ANSWER

    @property
    def options(self) -> dict[str, Json]:
        """What the report depends on beside the text; not the name, which it does not hold."""
        return {
            **read_beside(self.name, self.text),
            "marks": json.dumps(self.marks),
            "mechanisms": json.dumps(self.mechanisms),
            "function": self.function,
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


NO_ANSWER = Broke("the process answered what is no report")

Answer: TypeAlias = FileReport | Broke | WrongProject


def read_beside(name: str, text: str) -> dict[str, Json]:
    """Return what an answer depends on that is neither in the text nor among the options: modules beside a Python file, and files that a program names."""
    found: dict[str, Json] = {}
    if is_python(name):
        found["beside"] = [*shadows(name)]
    if names_files(text):
        found["named"] = [*stamps_of(text, program_files(name))]
    return found


def task_line(task: Task[object]) -> bytes:
    """Return a task as a line, for a process of this machine."""
    return json.dumps(_message(task)).encode() + b"\n"


def distant_line(task: Task[object], folder: str) -> bytes:
    """Return a task as a line for a process elsewhere, which must find the same files below a folder as there are here."""
    value = task.value
    beside = read_beside(str(value["name"]), str(value["text"]))
    return json.dumps({**_message(task), "folder": folder, "beside": beside}).encode() + b"\n"


def _message(task: Task[object]) -> dict[str, Json]:
    return {"work": task.work, "seconds": task.seconds, "value": dict(task.value)}


def answer_of(line: bytes, task: Task[A]) -> A | Broke:
    """Return the answer in a line that a process wrote."""
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError):
        return NO_ANSWER
    match value:
        case {"broke": str(reason), "late": bool(late)}:
            return Broke(reason, late)
        case {"answer": answer}:
            return task.answer(answer)
        case _:
            return NO_ANSWER


def broken_line(broke: Broke) -> bytes:
    """Return the line that tells that there is no answer."""
    return json.dumps({"broke": broke.reason, "late": broke.out_of_time}).encode() + b"\n"


def read_order(value: Mapping[str, Any]) -> Order:
    """Return the order of a value that :meth:`Order.value` made."""
    return Order(**value)


def answer_value(answer: FileReport | WrongProject) -> dict[str, Json]:
    """Return an answer as a JSON value."""
    return {"wrong": answer.message} if isinstance(answer, WrongProject) else {"report": report_value(answer)}
