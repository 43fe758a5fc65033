"""Many texts as commands take them: read, with the settings that hold for each, and as orders to analyse them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from seepage.checking.file_report import CheckedFile
from seepage.checking.order import Order
from seepage.checking.walk import Found, function_in, is_python
from seepage.cli.project import digits_of, project_of, seconds_of, unit_of
from seepage.cli.reading import (
    Unreadable,
    decoded,
    needed_text,
    read_program_text,
    read_standard_input,
)
from seepage.cli.start import load
from seepage.configuration import Configuration, marks_of
from seepage.data_classes import dataclass

STDIN = "-"


@dataclass(frozen=True, slots=True)
class Text:
    """A file that was read, or why it could not be: then there is no text.

    Attributes:
        name: as it is told.
        text: what stands in it.
        failure: why it could not be read.
        function: the one of a Python file that is asked about; empty for all that are marked.
    """

    name: str
    text: str
    failure: Unreadable | None = None
    function: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the options of a command say for all files; None where they say nothing."""

    unit: Literal["bits", "nats"] | None
    digits: int | None
    time_limit: float | None


def read_found(found: Found, stdin_name: str) -> Text:
    """Return the text of a file that was named, ``module.py::function`` too; why there is none is in it."""
    path, function = function_in(found.path)
    name = stdin_name if path == STDIN else path
    try:
        if found.problem:
            raise Unreadable(name, found.problem)
        if path == STDIN:
            return Text(name, needed_text(decoded(read_standard_input(name), name), name))
        return Text(name, read_program_text(name), function=function)
    except Unreadable as error:
        return Text(name, "", error)


def projects_of(texts: Sequence[Text]) -> Mapping[str, Configuration]:
    """Return what holds for each file, by its name; those of one folder share it.

    Raises:
        WrongProject: a project file has something wrong.
    """
    folders: dict[Path, Configuration] = {}
    found: dict[str, Configuration] = {}
    for text in texts:
        folder = Path(text.name).parent
        if folder not in folders:
            folders[folder] = project_of(text.name)
        found[text.name] = folders[folder]
    return found


def given_to(texts: Sequence[Text], assignments: Sequence[str]) -> Sequence[Mapping[str, str]]:
    """Return what ``--set`` says to each file; only with it the programs are parsed here, so that wrong use is told before anything else."""
    if not assignments:
        return [{} for _ in texts]
    values: Sequence[Mapping[str, str]] = load("seepage.cli.files").given_values(
        [(each.text, each.name) if each.failure is None else None for each in texts], assignments
    )
    return values


def order_of(text: Text, settings: Settings, project: Configuration, given: Mapping[str, str]) -> Order | CheckedFile:
    """Return what is to be analysed, or a file that could not be read as what is told of it."""
    if text.failure is not None:
        return CheckedFile(text.failure.source, None, text.failure.diagnostic)
    return Order(
        text.name,
        text.text,
        unit_of(project, settings.unit),
        digits_of(project, settings.digits),
        seconds_of(project, settings.time_limit),
        given,
        project.parameters,
        project.path,
        marks_of(text.name, project) if is_python(text.name) else {},
        text.function,
        project.mechanisms if is_python(text.name) else {},
    )
