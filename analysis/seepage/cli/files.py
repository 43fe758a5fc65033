"""Reading programs and options from the command line; what is wrong with them in one line each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from seepage.checking.walk import is_python
from seepage.cli.reading import Unreadable, read_program_text, read_text
from seepage.configuration import marks_of, program_files
from seepage.functions import FunctionProgram, load_in_project, programs_of, project_of
from seepage.measures.parameters import Value, shortened
from seepage.program import Program, parse


def read_program(path: str) -> Program:
    """Return the program in a file; of ``module.py::function``, the function.

    Raises:
        Unreadable: missing, a directory, not readable, not UTF-8 text, too large, or empty; of a Python file, without a function.
    """
    file, separator, function = path.partition("::")
    if separator:
        return load_in_project(read_text(file, "a Python file"), file, function)
    if is_python(path):
        raise Unreadable(path, f"of a Python file, one function is asked: write {path}::NAME with its name")
    return parse(read_program_text(path), path, files=program_files(path))


def settings(assignments: Sequence[str]) -> dict[str, Value]:
    """Return what ``--set name=value`` options say.

    Raises:
        click.BadParameter: without ``=`` or a name, or for a name set twice.
    """
    values: dict[str, Value] = {}
    for assignment in assignments:
        name, equals, value = assignment.partition("=")
        name = name.strip()
        if not equals or not name or not value.strip():
            raise click.BadParameter(f"found '{shortened(assignment)}', expected name=value", param_hint="--set")
        if name in values:
            raise click.BadParameter(f"'{shortened(name)}' is set twice", param_hint="--set")
        values[name] = value.strip()
    return values


def read_settings(programs: Sequence[Program], assignments: Sequence[str]) -> list[dict[str, Value]]:
    """Return what ``--set name=value`` options say to each of the programs, after reading it for them.

    Raises:
        click.BadParameter: as :func:`settings`, or if no program has such a parameter, or a value is no number.
    """
    values = settings(assignments)
    known = dict.fromkeys(name for program in programs for name in program.checked.symbols.params)
    for name in values:
        if programs and name not in known:
            lacking = "the program has no" if len(programs) == 1 else "none of the files has a"
            expected = ", ".join(f"'{each}'" for each in known) or "none"
            message = f"{lacking} parameter '{shortened(name)}', expected one of: {expected}"
            raise click.BadParameter(message, param_hint="--set")
    return [settings_for(program, values) for program in programs]


def given_values(texts: Sequence[tuple[str, str] | None], assignments: Sequence[str]) -> list[dict[str, str]]:
    """Return what ``--set`` says to each of many texts with their names, nothing to None; raises :class:`click.BadParameter` as :func:`read_settings`."""
    programs = [() if each is None else _programs(*each) for each in texts]
    found = iter(read_settings([one for each in programs for one in each], assignments))
    return [{name: str(value) for _ in each for name, value in next(found).items()} for each in programs]


def _programs(text: str, name: str) -> Sequence[Program | FunctionProgram]:
    if not is_python(name):
        return (parse(text, name, files=program_files(name)),)
    project = project_of(name)
    return programs_of(text, name, marks_of(name, project), project.mechanisms)


def settings_for(program: Program, values: Mapping[str, Value]) -> dict[str, Value]:
    """Return the values of those parameters that a program has; raises :class:`click.BadParameter` for one that is no number."""
    own = {name: value for name, value in values.items() if name in program.checked.symbols.params}
    try:
        program.read_params(own)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--set") from None
    return own
