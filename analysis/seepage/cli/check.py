"""``seepage check PATH…``: diagnostics, the leakage table, every ``show`` and ``require``, of files, folders and patterns."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Literal

import click

from seepage.checking.cache import open_cache
from seepage.checking.formats.rendering import FORMS, TEXT
from seepage.checking.judging import Policy
from seepage.checking.selecting import NoSuchRule, Selection, read_selection
from seepage.cli.check_run import Request, run_check
from seepage.cli.options import DIGITS, FILE, SECONDS
from seepage.cli.reading import brief
from seepage.cli.watching import watch
from seepage.cli.workers import DASK, JOBS, working
from seepage.report.paint import Paint

_STDIN = "-"


@click.command()
@click.argument("paths", nargs=-1, required=True, type=FILE)
@click.option("--set", "assignments", multiple=True, metavar="NAME=VALUE", help="Use this value of a parameter.")
@click.option("--unit", type=click.Choice(["bits", "nats"]), show_default="bits", help="Unit of what is shown.")
@DIGITS
@click.option("--format", "form", type=click.Choice(FORMS), default=TEXT, show_default=True)
@click.option("--time-limit", type=SECONDS, show_default="30", help="Seconds for each file.")
@click.option("--fix", is_flag=True, help="First apply the fixes that are beyond doubt, and write the files.")
@click.option("--guess", is_flag=True, help="With --fix: then apply guesses, too; read what they wrote.")
@JOBS
@DASK
@click.option("--select", multiple=True, metavar="RULES", help="Tell only these findings, and what cannot be silenced.")
@click.option("--ignore", multiple=True, metavar="RULES", help="Do not tell these findings.")
@click.option(
    "--undecided",
    type=click.Choice(["fail", "warn"]),
    default="fail",
    show_default=True,
    help="Whether a budget that cannot be told fails.",
)
@click.option("--baseline", type=FILE, metavar="FILE", help="Accept the leaks listed there.")
@click.option("--update-baseline", is_flag=True, help="Write what is there now into the baseline.")
@click.option("--stdin-filename", metavar="NAME", help="What standard input ('-') is called.")
@click.option("--summary", is_flag=True, help="End with a line that counts.")
@click.option("-q", "--quiet", is_flag=True, help="Print errors and warnings only.")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", show_default=True)
@click.option("--watch", "watches", is_flag=True, help="Check again when a file changes, until Ctrl-C.")
@click.option("--no-cache", is_flag=True, help="Analyse every file anew, and keep nothing.")
def check(
    paths: tuple[str, ...],
    assignments: tuple[str, ...],
    unit: Literal["bits", "nats"] | None,
    digits: int | None,
    form: str,
    time_limit: float | None,
    fix: bool,
    guess: bool,
    jobs: int | None,
    dask: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    undecided: Literal["fail", "warn"],
    baseline: str | None,
    update_baseline: bool,
    stdin_filename: str | None,
    summary: bool,
    quiet: bool,
    color: Literal["auto", "always", "never"],
    watches: bool,
    no_cache: bool,
) -> None:
    """Check programs: diagnostics, the leakage table, every show and require.

    PATH is a file, a folder (its *.seep files, but those that git ignores), a pattern such as 'models/**/*.seep', or "-" for standard
    input. Exit code 0 if all is well, 1 for errors and for budgets that are violated or undecided, 2 for wrong use.
    """
    if update_baseline and baseline is None:
        raise click.UsageError("--update-baseline needs --baseline FILE")
    if guess and not fix:
        raise click.UsageError("--guess needs --fix")
    if _STDIN in paths and (fix or watches):
        raise click.UsageError(f"standard input can be checked, not {'fixed' if fix else 'watched'}")
    request = Request(
        paths,
        assignments,
        unit,
        digits,
        form,
        time_limit,
        fix,
        guess,
        Policy(_selection(select, ignore), undecided == "fail"),
        None if baseline is None else Path(baseline),
        update_baseline,
        stdin_filename or "<stdin>",
        summary,
        quiet,
        Paint(_has_colours(color)),
    )
    cache = None if no_cache else open_cache()
    with working(jobs, dask) as workers:
        if watches:
            watch(request, workers, cache)
        sys.exit(run_check(request, workers, cache))


def _selection(select: tuple[str, ...], ignore: tuple[str, ...]) -> Selection:
    try:
        return read_selection(select, ignore)
    except NoSuchRule as error:
        raise click.UsageError(brief(str(error))) from None


def _has_colours(wanted: Literal["auto", "always", "never"]) -> bool:
    if wanted != "auto":
        return wanted == "always"
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
