"""``seepage explain FILE MEASURE``: how a measure comes about, statement by statement."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Literal

import click

from seepage.cli.files import read_program, read_settings
from seepage.cli.options import FILE, SECONDS
from seepage.cli.project import params_of, project_of, seconds_of, unit_of
from seepage.measures.told_plan import How
from seepage.program import MeasureError, Program
from seepage.report.derivation import derivation_text
from seepage.report.finding_json import json_text
from seepage.report.findings import diagnostic_text
from seepage.report.plan import plan_json, plan_text
from seepage.report.where import where_json, where_lines
from seepage.where import Where


@click.command()
@click.argument("file", type=FILE)
@click.argument("measure", required=False)
@click.option("--set", "assignments", multiple=True, metavar="NAME=VALUE", help="Use this value of a parameter.")
@click.option("--unit", type=click.Choice(["bits", "nats"]), show_default="bits", help="Unit of logarithms.")
@click.option(
    "--how", "shows_plan", is_flag=True, help="Tell which ways were tried, and what each gave or why it declined."
)
@click.option(
    "--where",
    "shows_where",
    is_flag=True,
    help="Tell what each statement does to the number, and what outputs tell alone.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "latex", "json"]),
    default="text",
    show_default=True,
    help="JSON is for --how and --where, Markdown and LaTeX are for derivations.",
)
@click.option("--time-limit", type=SECONDS, show_default="30", help="Seconds.")
def explain(
    file: str,
    measure: str | None,
    assignments: tuple[str, ...],
    unit: Literal["bits", "nats"] | None,
    shows_plan: bool,
    shows_where: bool,
    form: Literal["text", "markdown", "latex", "json"],
    time_limit: float | None,
) -> None:
    """Derive MEASURE, such as "H(r | o)", of the program in FILE by weakest pre-expectations.

    Prints the expectation before each statement, to be read from the bottom up, and what follows for the measure: H, I, KL, P or E
    of a discrete program. With --how any measure of any program: how its number is found. With --where any measure, too, by default what
    all outputs tell of each secret: what it is up to each statement, and with that statement changed. Exit code 0 with a derivation or a
    number, 1 without, 2 for wrong use.
    """
    if (shows_plan or shows_where) != (form == "json") and form != "text":
        raise click.UsageError("--format json goes with --how and --where, markdown and latex go without them")
    if shows_plan and shows_where:
        raise click.UsageError("--how and --where are two questions: ask one of them")
    program = read_program(file)
    (given,) = read_settings((program,), assignments)
    project = project_of(file)
    params = params_of(program, project, given)
    unit, seconds = unit_of(project, unit), seconds_of(project, time_limit)
    if measure is None and not shows_where:
        raise click.UsageError("Missing argument 'MEASURE', such as \"H(x)\"; only --where goes without one.")
    try:
        if measure is None or shows_where:
            asked = _leaks(program) if measure is None else (measure,)
            _tell_where(
                program, [program.where(each, params=params, unit=unit, seconds=seconds) for each in asked], form
            )
            return
        if form == "json" or shows_plan:
            _tell(program.how(measure, params=params, unit=unit, seconds=seconds), form)
            return
        found = program.explain(measure, params=params, unit=unit, seconds=seconds)
    except MeasureError as error:
        click.echo(diagnostic_text(error.source, error.diagnostic), err=True)
        sys.exit(1)
    click.echo(derivation_text(found, form))


def _tell(how: How, form: str) -> None:
    click.echo(json_text(plan_json(how)) if form == "json" else plan_text(how))
    if how.refused is not None:
        sys.exit(1)


def _leaks(program: Program) -> tuple[str, ...]:
    """Return what all outputs tell of each secret.

    Raises:
        click.UsageError: the program declares no secret, or no output.
    """
    symbols = program.checked.symbols
    secrets, outputs = ([*dict.fromkeys(one.name for one in each)] for each in (symbols.secrets, symbols.outputs))
    if not secrets or not outputs:
        raise click.UsageError("the program declares no secret or no output: name a measure")
    return tuple(f"I({secret}; {', '.join(outputs)})" for secret in secrets)


def _tell_where(program: Program, found: Sequence[Where], form: str) -> None:
    if form == "json":
        told = [where_json(each, program.source) for each in found]
        click.echo(json_text(told[0] if len(told) == 1 else told))
    else:
        click.echo("\n\n".join("\n".join(where_lines(each, program.source)) for each in found))
