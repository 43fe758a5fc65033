"""The project file of programs on the command line: options go before it, and it goes before the defaults."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from seepage.configuration import (
    NOTHING,
    Configuration,
    WrongValue,
    find_configuration,
    load_configuration,
    project_values,
)
from seepage.report.findings import printable

if TYPE_CHECKING:
    from seepage.measures.parameters import Value
    from seepage.program import Program

DEFAULT_SECONDS = 30.0


class WrongProject(click.ClickException):
    """A project file with something wrong in it: one line for each thing, exit code 2, nothing is computed."""

    exit_code = 2

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(map(printable, lines)))

    def show(self, file: object = None) -> None:
        """Print the lines."""
        click.echo(self.format_message(), err=True)


def project_of(file: str) -> Configuration:
    """Return what holds for a program in a file.

    Raises:
        WrongProject: if its project file has something wrong.
    """
    try:
        path = find_configuration(Path(file).resolve().parent)
    except (OSError, RuntimeError):  # of links in a circle
        return NOTHING
    if path is None:
        return NOTHING
    found, problems = load_configuration(path)
    if problems:
        raise WrongProject(*(f"{path}:{problem.line}: {problem.message}" for problem in problems))
    return found


def params_of(program: Program, project: Configuration, given: dict[str, Value]) -> dict[str, Value]:
    """Return the values of a program's parameters: those of options before those of its project.

    Raises:
        WrongProject: if a value of the project is no number for this program.
    """
    try:
        return {**project_values(program, project.parameters, project.path), **given}
    except WrongValue as error:
        raise WrongProject(str(error)) from None


def unit_of(project: Configuration, given: Literal["bits", "nats"] | None) -> Literal["bits", "nats"]:
    """Return the unit in force."""
    return given or project.unit or "bits"


def digits_of(project: Configuration, given: int | None) -> int | None:
    """Return the most digits that a number is shown with; None for as many as its place has room for."""
    return project.digits if given is None else given


def seconds_of(project: Configuration, given: float | None) -> float:
    """Return the time limit in force."""
    if given is not None:
        return given
    return DEFAULT_SECONDS if project.time_limit is None else project.time_limit
