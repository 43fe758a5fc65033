"""``seepage plot FILE MEASURE``: a measure over one parameter, or two."""

from __future__ import annotations

import sys
from typing import Literal

import click

from seepage import exact
from seepage.cli.files import FILE, SECONDS, read_program, read_settings, write_text
from seepage.exploration import MOST_POINTS, MOST_SIDE, Axis
from seepage.program import MeasureError, Program
from seepage.report.json import json_text
from seepage.report.plot import plot_csv, plot_json, plot_table
from seepage.report.svg import plot_svg
from seepage.report.text import diagnostic_text


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
@click.option("--format", "form", type=click.Choice(["text", "csv", "json", "svg"]), default="text", show_default=True)
@click.option(
    "--output", type=click.Path(), help="Write to this file; one that ends in .svg, .csv or .json says the format."
)
@click.option("--time-limit", type=SECONDS, default=30.0, show_default=True, help="Seconds.")
def plot(
    file: str,
    measure: str,
    ranges: tuple[str, ...],
    points: int | None,
    assignments: tuple[str, ...],
    unit: Literal["bits", "nats"],
    form: Literal["text", "csv", "json", "svg"],
    output: str | None,
    time_limit: float,
) -> None:
    """Evaluate MEASURE, such as "I(r; o)", of the program in FILE at evenly spaced values of a parameter, or of two.

    Every number has guaranteed bounds: a table, CSV and JSON tell them, a drawing has a band. Where a number is approximate they say so,
    and because of which lines. Exit code 0 if some point has a number, 1 if
    none has, 2 for wrong use.
    """
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
    match _form(form, output):
        case "csv":
            text = plot_csv(found, names, program.source)
        case "json":
            text = json_text(plot_json(found, measure, names, program.source))
        case "svg":
            text = plot_svg(found, measure, names, program.source)
        case _:
            text = "\n".join(plot_table(found, measure, names, program.source))
    if output is None:
        click.echo(text)
    else:
        write_text(output, text + "\n")
    if all(point.fault for row in found.rows for point in row):
        sys.exit(1)


def _form(form: str, output: str | None) -> str:
    """Return the format: as asked for, or as the name of the file says."""
    ending = "" if output is None else output.rpartition(".")[2].lower()
    return ending if form == "text" and ending in ("csv", "json", "svg") else form


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
