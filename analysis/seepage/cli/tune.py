"""``seepage tune FILE BUDGET``: where a budget holds: in a range of a parameter or a constant, or in a part of a rectangle of two parameters."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal, NoReturn, TypeAlias

import click

from seepage import exact
from seepage.cli.files import read_program, read_settings
from seepage.cli.options import FILE, SECONDS
from seepage.cli.project import params_of, project_of, seconds_of
from seepage.cli.reading import brief, write_bytes
from seepage.diagnostics import Fault
from seepage.exact import Number
from seepage.program import Program
from seepage.report.finding_json import json_text
from seepage.report.findings import printable
from seepage.report.picture import NoMatplotlib
from seepage.report.regions import region_csv, region_json, region_lines
from seepage.report.tradeoff import (
    NothingToDraw,
    trade_off_csv,
    trade_off_picture,
    trade_off_svg,
    trade_off_table,
)
from seepage.report.tuning import tuned_json, tuned_lines
from seepage.tuning.goal import Goal
from seepage.tuning.ranges import POINTS, Tuning
from seepage.tuning.regions import RegionTuning
from seepage.tuning.tradeoff import trade_off
from seepage.tuning.whole import MOST_VALUES, WholeTuning

Form: TypeAlias = Literal["text", "json", "table", "csv", "svg", "png", "pdf"]
FORMS: tuple[Form, ...] = ("text", "json", "table", "csv", "svg", "png", "pdf")
_CURVES: tuple[Form, ...] = ("table", "csv", "svg", "png", "pdf")
_OF_REGIONS: tuple[Form, ...] = ("text", "json", "csv")


@click.command()
@click.argument("file", type=FILE)
@click.argument("budget")
@click.option(
    "--over",
    "over",
    multiple=True,
    required=True,
    metavar="NAME[=LOW..HIGH]",
    help="A parameter with its values, or two, or a constant between whole numbers.",
)
@click.option("--minimize", metavar="MEASURE", help="Tell where this is smallest within the budget, too.")
@click.option("--maximize", metavar="MEASURE", help="Tell where this is greatest within the budget, too.")
@click.option("--set", "assignments", multiple=True, metavar="NAME=VALUE", help="Use this value of a parameter.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    default="text",
    show_default=True,
    help="From table to PDF: what leaks beside what is to be best; of two parameters, CSV has boxes.",
)
@click.option("--output", type=click.Path(), help="Write to this file.")
@click.option("--time-limit", type=SECONDS, show_default="30", help="Seconds for each question.")
def tune(
    file: str,
    budget: str,
    over: tuple[str, ...],
    minimize: str | None,
    maximize: str | None,
    assignments: tuple[str, ...],
    form: Form,
    output: str | None,
    time_limit: float | None,
) -> None:
    """Find the widest range of a parameter in which BUDGET, such as "I(r; o) <= 0.1 bits", holds.

    Both ends are certified: the budget is proved for all values between, and surely violated just beyond. Of a constant each whole number
    is decided; of two parameters boxes are proved that fill the part in which it holds. Exit code 0 with something that is proved, 1
    without, 2 for wrong use.
    """
    if len(over) > 2:
        raise click.BadParameter("expected one or two", param_hint="--over")
    if minimize is not None and maximize is not None:
        raise click.UsageError("--minimize and --maximize are for one measure each: expected one of them")
    goal = None if minimize is None and maximize is None else Goal(minimize or maximize or "", maximize is not None)
    if len(over) == 2 and form not in _OF_REGIONS:
        raise click.UsageError(f"--format {form} has a curve: of two parameters, --format csv and json have boxes")
    if form in _CURVES and len(over) == 1 and goal is None:
        raise click.UsageError(f"--format {form} has what leaks beside what is lost: name that with --minimize")
    if form in ("png", "pdf") and output is None:
        raise click.UsageError(f"--format {form} needs --output FILE")
    program = read_program(file)
    (given,) = read_settings((program,), assignments)
    project = project_of(file)
    params = program.read_params(params_of(program, project, given))
    axes = [_values(program, each) for each in over]
    for name, _, _ in axes:
        params.pop(name, None)
    seconds = seconds_of(project, time_limit)
    try:
        if len(axes) == 2:
            text, code = _region(program, budget, axes, params, seconds, goal, form)
        elif form in _CURVES and goal is not None:
            text, code = _curve(program, budget, axes[0], params, seconds, goal, form)
        else:
            text, code = _range(program, budget, axes[0], params, seconds, goal, form)
    except Fault as fault:
        _fail(f"{file}: {fault.diagnostic.rule.code}: {fault.diagnostic.message}")
    if output is None:
        click.echo(text)
    else:
        write_bytes(output, text if isinstance(text, bytes) else f"{text}\n".encode())
    sys.exit(code)


def _fail(message: str) -> NoReturn:
    click.echo(brief(printable(message)), err=True)
    sys.exit(1)


_Axis: TypeAlias = tuple[str, Fraction, Fraction]
_Params: TypeAlias = Mapping[str, Number]
_Told: TypeAlias = tuple[str | bytes, int]  # what is printed or written, and the exit code


def _range(
    program: Program, budget: str, axis: _Axis, params: _Params, seconds: float, goal: Goal | None, form: Form
) -> _Told:
    name, low, high = axis
    tried = f"{POINTS} values of '{name}' that were tried"
    if _is_constant(program, name):
        tried = f"whole numbers of '{name}'"
        try:
            whole = WholeTuning(program.checked, budget, name, int(low), int(high), params, seconds)
            found = whole.tune(goal)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--over") from None
    else:
        found = Tuning(program.checked, budget, name, low, high, params, seconds).tune(goal)
    if found is None:
        _fail(f"{budget} holds at none of the {tried}")
    text = json_text(tuned_json(found), indent=2) if form == "json" else "\n".join(tuned_lines(found))
    return text, 0 if found.proved else 1


def _curve(
    program: Program, budget: str, axis: _Axis, params: _Params, seconds: float, goal: Goal, form: Form
) -> _Told:
    name, low, high = axis
    if _is_constant(program, name):
        if high - low >= MOST_VALUES:
            raise click.BadParameter(f"expected at most {MOST_VALUES} values", param_hint="--over")
        values = [Fraction(value) for value in range(int(low), int(high) + 1)]
    else:
        values = [low + (high - low) * number / (POINTS - 1) for number in range(POINTS)]
    found = trade_off(program.checked, budget, goal.measure, name, values, params, seconds)
    code = 1 if all(each.leak.fault or each.loss.fault for each in found.points) else 0
    try:
        match form:
            case "csv":
                return trade_off_csv(found), code
            case "svg":
                return trade_off_svg(found, program.source), code
            case "png" | "pdf":
                return trade_off_picture(found, program.source, form), code
            case _:
                return "\n".join(trade_off_table(found)), code
    except NothingToDraw:
        _fail("nothing to draw: fewer than two different leaks are known")
    except NoMatplotlib as missing:
        raise click.ClickException(str(missing)) from None


def _region(
    program: Program,
    budget: str,
    axes: Sequence[_Axis],
    params: _Params,
    seconds: float,
    goal: Goal | None,
    form: Form,
) -> _Told:
    (first, low, high), (second, below, above) = axes
    if first == second or any(_is_constant(program, name) for name in (first, second)):
        raise click.BadParameter("expected two different parameters, no constants", param_hint="--over")
    tuning = RegionTuning(program.checked, budget, (first, second), (low, below), (high, above), params, seconds)
    found = tuning.tune(goal)
    code = 0 if found.share("holds") else 1
    match form:
        case "json":
            return json_text(region_json(found), indent=2), code
        case "csv":
            return region_csv(found), code
        case _:
            return "\n".join(region_lines(found)), code


def _is_constant(program: Program, name: str) -> bool:
    return name not in program.checked.symbols.params


def _values(program: Program, over: str) -> tuple[str, Fraction, Fraction]:
    """Return the parameter with the ends of its values: as given, or those of its domain.

    Raises:
        click.BadParameter: there is no such parameter, or it has no such ends.
    """
    name, equals, interval = over.partition("=")
    name = name.strip()
    symbol = program.checked.symbols.params.get(name)
    if symbol is None and name in program.checked.symbols.consts:
        return _whole_values(name, over, interval)
    if symbol is None:
        known = ", ".join(f"'{each}'" for each in program.checked.symbols.params) or "none"
        raise click.BadParameter(brief(f"no parameter '{name}', expected one of: {known}"), param_hint="--over")
    domain = symbol.domain
    if equals:
        low, dots, high = (part.strip() for part in interval.partition(".."))
        if not (dots and low and high):
            raise click.BadParameter(brief(f"found '{over}', expected name=low..high"), param_hint="--over")
        try:
            ends = [program.read_params({name: end})[name] for end in (low, high)]
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--over") from None
    elif domain is None or domain.low is None or domain.high is None or not (domain.low_closed and domain.high_closed):
        raise click.BadParameter(
            f"the values of '{name}' have open or no ends: name them, {name}=LOW..HIGH", param_hint="--over"
        )
    else:
        ends = [domain.low, domain.high]
    first, last = map(exact.to_fraction, ends)
    if first is None or last is None or first >= last:
        raise click.BadParameter("expected rational ends that ascend", param_hint="--over")
    if domain is not None and not (domain.contains(first) and domain.contains(last)):
        raise click.BadParameter(f"'{name}' does not take all values from {first} to {last}", param_hint="--over")
    return name, first, last


def _whole_values(name: str, over: str, interval: str) -> _Axis:
    """Return a constant with the ends of its values, two whole numbers.

    Raises:
        click.BadParameter: they are none.
    """
    low, _, high = interval.partition("..")
    try:
        first, last = int(low), int(high)
    except ValueError:
        message = f"found '{over}', expected {name}=LOW..HIGH with whole numbers of the constant '{name}'"
        raise click.BadParameter(brief(printable(message)), param_hint="--over") from None
    if first > last:
        raise click.BadParameter("expected ends that ascend", param_hint="--over")
    return name, Fraction(first), Fraction(last)
