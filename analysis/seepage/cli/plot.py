"""``seepage plot FILE MEASURE``: a measure over one parameter, or two."""

from __future__ import annotations

import sys
from pathlib import PurePath
from typing import Literal, TypeAlias

import click

from seepage import exact
from seepage.cli.files import read_program, read_settings
from seepage.cli.options import FILE, SECONDS
from seepage.cli.reading import write_bytes
from seepage.exploration import MOST_POINTS, MOST_SIDE, Axis, Plot
from seepage.program import MeasureError, Program
from seepage.report.finding_json import json_text
from seepage.report.findings import diagnostic_text
from seepage.report.picture import NoMatplotlib, plot_picture
from seepage.report.plot import plot_csv, plot_json, plot_table
from seepage.report.svg import plot_svg

Form: TypeAlias = Literal["text", "csv", "json", "svg", "png", "pdf"]

FORMS: tuple[Form, ...] = ("text", "csv", "json", "svg", "png", "pdf")
ENDINGS: dict[str, Form] = {
    ".txt": "text",
    ".csv": "csv",
    ".json": "json",
    ".svg": "svg",
    ".png": "png",
    ".pdf": "pdf",
}


@click.command()
@click.argument("file", type=FILE)
@click.argument("measure")
@click.option(
    "--over",
    "ranges",
    multiple=True,
    required=True,
    metavar="NAME=LOW..HIGH",
    help="Vary this parameter; once or twice.",
)
@click.option(
    "--points",
    type=click.IntRange(2, MOST_POINTS),
    help=f"Of each parameter: 25, or 17 for two; {MOST_POINTS} at most, {MOST_SIDE} for two.",
)
@click.option("--set", "assignments", multiple=True, metavar="NAME=VALUE", help="Use this value of a parameter.")
@click.option(
    "--unit", type=click.Choice(["bits", "nats"]), default="bits", show_default=True, help="Unit of entropies."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    show_default="text, or as the name of the output ends",
)
@click.option(
    "--output",
    type=click.Path(),
    help="Write to this file; its name ends in .txt, .csv, .json, .svg, .png or .pdf, or --format says what is written.",
)
@click.option("--time-limit", type=SECONDS, default=30.0, show_default=True, help="Seconds.")
def plot(
    file: str,
    measure: str,
    ranges: tuple[str, ...],
    points: int | None,
    assignments: tuple[str, ...],
    unit: Literal["bits", "nats"],
    form: Form | None,
    output: str | None,
    time_limit: float,
) -> None:
    """Evaluate MEASURE, such as "I(r; o)", of the program in FILE at evenly spaced values of a parameter, or of two.

    Every number has guaranteed bounds: a table, CSV and JSON tell them, a drawing has a band. Where a number is approximate they say so,
    and because of which lines. Exit code 0 if some point has a number, 1 if
    none has, 2 for wrong use.
    """
    form = _form(form, output)  # wrong use is told before anything is computed
    program = read_program(file)
    (params,) = read_settings((program,), assignments)
    axes = tuple(_axis(program, each, points or (25 if len(ranges) == 1 else 17)) for each in ranges)
    names = tuple(axis.parameter for axis in axes)
    try:
        found = program.plot(measure, axes, params=params, unit=unit, seconds=time_limit)
    except MeasureError as error:
        click.echo(diagnostic_text(error.source, error.diagnostic), err=True)
        sys.exit(1)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--over") from None
    match form:
        case "png" | "pdf":
            picture = _picture(found, measure, names, program, form)
            click.echo(picture, nl=False) if output is None else write_bytes(output, picture)
        case "csv":
            _write(plot_csv(found, names, program.source), output)
        case "json":
            _write(json_text(plot_json(found, measure, names, program.source)), output)
        case "svg":
            _write(plot_svg(found, measure, names, program.source), output)
        case "text":
            _write("\n".join(plot_table(found, measure, names, program.source)), output)
    if all(point.fault for row in found.rows for point in row):
        sys.exit(1)


def _form(form: Form | None, output: str | None) -> Form:
    """Return the format: as asked for, or as the name of the file ends, or a table.

    Raises:
        click.BadParameter: if the name of the file ends as that of another format, or as that of none where no format is asked for.
    """
    if output is None:
        return form or "text"
    ending = PurePath(output).suffix.lower()
    meant = ENDINGS.get(ending)
    if form is None and meant is None:
        found = f"a name that ends in '{ending}'" if ending else "a name without an ending"
        raise click.BadParameter(f"found {found}, expected {', '.join(ENDINGS)}", param_hint="--output")
    if form is not None and meant is not None and meant != form:
        raise click.BadParameter(f"found '{ending}' beside --format {form}", param_hint="--output")
    return form or meant or "text"


def _write(text: str, output: str | None) -> None:
    if output is None:
        click.echo(text)
    else:
        write_bytes(output, f"{text}\n".encode())


def _picture(found: Plot, measure: str, names: tuple[str, ...], program: Program, form: Literal["png", "pdf"]) -> bytes:
    try:
        return plot_picture(found, measure, names, program.source, form)
    except NoMatplotlib as missing:
        raise click.ClickException(str(missing)) from None


def _axis(program: Program, text: str, points: int) -> Axis:
    name, equals, interval = text.partition("=")
    low, dots, high = interval.partition("..")
    if not (equals and dots and name.strip() and low.strip() and high.strip()):
        raise click.BadParameter(f"found '{text}', expected name=low..high", param_hint="--over")
    try:
        ends = [program.read_params({name.strip(): end.strip()})[name.strip()] for end in (low, high)]
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--over") from None
    if exact.compare(*ends) >= 0:
        raise click.BadParameter(f"found '{text}', expected ends that ascend", param_hint="--over")
    return Axis(name.strip(), ends[0], ends[1], points)
