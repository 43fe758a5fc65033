"""``seepage check FILE…``: diagnostics, the leakage table, every ``show`` and ``require``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Literal

import click

from seepage.cli.files import has_errors, read_program, read_settings, settings, settings_for
from seepage.cli.options import DIGITS, FILE, SECONDS
from seepage.cli.project import digits_of, params_of, project_of, seconds_of, unit_of
from seepage.cli.reading import Unreadable, write_text
from seepage.configuration import configured
from seepage.diagnostics import Diagnostic, Severity, ordered
from seepage.fixing import fix_all
from seepage.pipeline import Analysis
from seepage.program import Program, parse
from seepage.report.finding_json import SCHEMA, error_json, json_text
from seepage.report.findings import diagnostics_text, printable
from seepage.report.json import Json, analysis_json
from seepage.report.text import analysis_text


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE)
@click.option("--set", "assignments", multiple=True, metavar="NAME=VALUE", help="Use this value of a parameter.")
@click.option("--unit", type=click.Choice(["bits", "nats"]), show_default="bits", help="Unit of what is shown.")
@DIGITS
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--time-limit", type=SECONDS, show_default="30", help="Seconds for each file.")
@click.option("--fix", is_flag=True, help="First apply the fixes that are beyond doubt, and write the files.")
def check(
    files: tuple[str, ...],
    assignments: tuple[str, ...],
    unit: Literal["bits", "nats"] | None,
    digits: int | None,
    form: str,
    time_limit: float | None,
    fix: bool,
) -> None:
    """Check programs: diagnostics, the leakage table, every show and require.

    Exit code 0 if all is well, 1 for errors and for budgets that are violated or undecided, 2 for wrong use.
    """
    values = settings(assignments)  # wrong use is told even if no file can be read
    loaded = [_loaded(path) for path in files]
    programs = [each for each in loaded if isinstance(each, Program)]
    read_settings(programs, assignments)  # and before anything is printed or written
    clean = True
    reports: list[Json] = []
    for number, each in enumerate(loaded):
        try:
            program = _fixed(_readable(each)) if fix else _readable(each)
        except Unreadable as error:
            clean = False
            if form == "text":
                error.show()
            else:
                reports.append({"schema": SCHEMA, "file": error.path, **error_json(error.diagnostic, error.source)})
            continue
        project = project_of(program.source.name)
        params = params_of(program, project, settings_for(program, values))
        seconds = seconds_of(project, time_limit)
        analysis = program.analyze(params=params, unit=unit_of(project, unit), seconds=seconds)
        found = tuple(configured(all_diagnostics(program, analysis), project.rules))
        clean = clean and is_clean(found, analysis)
        if form == "text":
            blocks = [printable(program.source.name)] if len(files) > 1 else []
            blocks += _blocks(program, found, analysis, digits_of(project, digits))
            click.echo(("\n" if number else "") + "\n\n".join(blocks))
        else:
            reports.append(analysis_json(program.source, found, analysis))
    if form == "json":
        click.echo(json_text(reports[0] if len(files) == 1 else reports, indent=2))
    sys.exit(0 if clean else 1)


def _loaded(path: str) -> Program | Unreadable:
    try:
        return read_program(path)
    except Unreadable as error:
        return error


def _readable(loaded: Program | Unreadable) -> Program:
    if isinstance(loaded, Unreadable):
        raise loaded
    return loaded


def _fixed(program: Program) -> Program:
    """Apply fixes to a file and tell what they mended on standard error; return the program that it holds by then."""
    result = fix_all(program.source)
    name = program.source.name
    if result.text != program.source.text:
        write_text(name, result.text)
    for one in result.mended:
        click.echo(f"{name}: fixed {one.rule.code}: {one.fixes[0].title}", err=True)
    if result.left:
        which = "error" if len(result.left) == 1 else "errors"
        click.echo(f"{name}: left to you: {len(result.left)} {which} with guesses, told as 'help'", err=True)
    if not result.is_whole:
        click.echo(f"{name}: stopped before all fixes were tried; run it again to go on", err=True)
    return program if result.text == program.source.text else parse(result.text, name)


def all_diagnostics(program: Program, analysis: Analysis) -> tuple[Diagnostic, ...]:
    """Return what checking and running found, in the order of the text."""
    return ordered(program.diagnostics, analysis.diagnostics)


def is_clean(diagnostics: Sequence[Diagnostic], analysis: Analysis) -> bool:
    """Tell whether nothing is wrong: no error, every budget holds, every measure has its number."""
    budgets = all(answer.verdict in (None, "holds") for answer in analysis.answers)
    return not has_errors(diagnostics) and budgets and all(answer.result is not None for answer in analysis.answers)


def _blocks(program: Program, found: Sequence[Diagnostic], analysis: Analysis, digits: int | None) -> Iterator[str]:
    told = [each for each in found if each.severity is not Severity.HINT]  # hints are for editors, and for JSON
    if told:
        yield diagnostics_text(program.source, told)
    if body := analysis_text(program.source, analysis, digits):
        yield body
