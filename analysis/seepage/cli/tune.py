"""``seepage tune FILE BUDGET``: the widest range of a parameter in which a budget holds."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Literal

import click

from seepage import exact
from seepage.cli.files import read_program, read_settings
from seepage.cli.options import FILE, SECONDS
from seepage.cli.project import params_of, project_of, seconds_of
from seepage.cli.reading import brief
from seepage.diagnostics import Fault
from seepage.program import Program
from seepage.report.finding_json import json_text
from seepage.report.findings import printable
from seepage.report.tuning import tuned_json, tuned_lines
from seepage.tuning import POINTS, Tuning


@click.command()
@click.argument("file", type=FILE)
@click.argument("budget")
@click.option("--over", "over", required=True, metavar="NAME[=LOW..HIGH]", help="The parameter, and its values.")
@click.option("--minimize", metavar="MEASURE", help="Tell the value in the range at which this is smallest, too.")
@click.option("--set", "assignments", multiple=True, metavar="NAME=VALUE", help="Use this value of a parameter.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--time-limit", type=SECONDS, show_default="30", help="Seconds for each question.")
def tune(
    file: str,
    budget: str,
    over: str,
    minimize: str | None,
    assignments: tuple[str, ...],
    form: Literal["text", "json"],
    time_limit: float | None,
) -> None:
    """Find the widest range of a parameter in which BUDGET, such as "I(r; o) <= 0.1 bits", holds.

    Both ends are certified: the budget is proved for all values between, and surely violated just beyond. Exit code 0 with a range
    that is proved, 1 without, 2 for wrong use.
    """
    program = read_program(file)
    (given,) = read_settings((program,), assignments)
    project = project_of(file)
    params = program.read_params(params_of(program, project, given))
    name, low, high = _values(program, over)
    params.pop(name, None)
    tuning = Tuning(program.checked, budget, name, low, high, params, seconds_of(project, time_limit))
    try:
        found = tuning.tune(minimize)
    except Fault as fault:
        click.echo(brief(printable(f"{file}: {fault.diagnostic.rule.code}: {fault.diagnostic.message}")), err=True)
        sys.exit(1)
    if found is None:
        click.echo(
            brief(printable(f"{budget} holds at none of the {POINTS} values of '{name}' that were tried")), err=True
        )
        sys.exit(1)
    click.echo(json_text(tuned_json(found), indent=2) if form == "json" else "\n".join(tuned_lines(found)))
    sys.exit(0 if found.proved else 1)


def _values(program: Program, over: str) -> tuple[str, Fraction, Fraction]:
    """Return the parameter with the ends of its values: as given, or those of its domain.

    Raises:
        click.BadParameter: there is no such parameter, or it has no such ends.
    """
    name, equals, interval = over.partition("=")
    name = name.strip()
    symbol = program.checked.symbols.params.get(name)
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
