"""``seepage measure FILE MEASURE``: one number."""

from __future__ import annotations

import sys
from typing import Literal

import click

from seepage.cli.files import read_program, read_settings
from seepage.cli.options import DIGITS, FILE, SECONDS
from seepage.cli.project import digits_of, params_of, project_of, seconds_of, unit_of
from seepage.cli.reading import Unreadable
from seepage.measures.notes import NoteKind
from seepage.program import MeasureError
from seepage.report.finding_json import error_json, json_text
from seepage.report.findings import diagnostic_text, printable
from seepage.report.json import result_json
from seepage.report.text import result_lines


@click.command()
@click.argument("file", type=FILE)
@click.argument("measure")
@click.option("--set", "assignments", multiple=True, metavar="NAME=VALUE", help="Use this value of a parameter.")
@click.option("--unit", type=click.Choice(["bits", "nats"]), show_default="bits", help="Unit of entropies.")
@DIGITS
@click.option(
    "--method",
    type=click.Choice(["huber", "hershey", "variational"]),
    help="Use these bounds of the paper for Gaussian mixtures, which are wide; without it, quadrature.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "latex", "mathml"]),
    default="text",
    show_default=True,
    help="LaTeX and MathML are of the formula alone.",
)
@click.option("--time-limit", type=SECONDS, show_default="30", help="Seconds.")
def measure(
    file: str,
    measure: str,
    assignments: tuple[str, ...],
    unit: Literal["bits", "nats"] | None,
    digits: int | None,
    method: Literal["huber", "hershey", "variational"] | None,
    form: Literal["text", "json", "latex", "mathml"],
    time_limit: float | None,
) -> None:
    """Evaluate MEASURE, such as "I(r[1]; o)", of the program in FILE.

    Exit code 0 with a number (or the formula that was asked for), 1 without, 2 for wrong use.
    """
    try:
        program = read_program(file)
    except Unreadable as error:
        if form != "json":
            raise
        click.echo(json_text(error_json(error.diagnostic, error.source)))
        sys.exit(1)
    (given,) = read_settings((program,), assignments)
    project = project_of(file)
    params = params_of(program, project, given)
    unit, seconds = unit_of(project, unit), seconds_of(project, time_limit)
    try:
        result = program.measure(measure, params=params, unit=unit, seconds=seconds, method=method)
    except MeasureError as error:
        if form == "json":
            click.echo(json_text(error_json(error.diagnostic, error.source)))
        else:
            click.echo(diagnostic_text(error.source, error.diagnostic), err=True)
        sys.exit(1)
    match form:
        case "json":
            click.echo(json_text(result_json(result, program.source)))
        case "text":
            click.echo("\n".join(result_lines(result, program.source, digits=digits_of(project, digits))))
            if any(remark.kind in (NoteKind.LONG_FORMULA, NoteKind.NAMED_PARTS) for remark in result.remarks):
                click.echo("  to see it over a parameter: seepage plot FILE MEASURE --over NAME=LOW..HIGH")
        case _ if result.formula is None:
            click.echo("\n".join(("no formula was found", *result.notes)), err=True)
            sys.exit(1)
        case "latex":
            click.echo(printable(result.formula.latex))
        case "mathml":
            # The sign for the application of a function is invisible: as a reference it is seen, and means the same.
            click.echo(printable(result.formula.mathml.replace("\N{FUNCTION APPLICATION}", "&#x2061;")))
