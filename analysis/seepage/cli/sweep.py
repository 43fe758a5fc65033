"""``seepage sweep FILE MEASURE…``: measures over grids of parameters and constants, in processes, to a file from which it goes on."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Literal

import click

from seepage import exact
from seepage.cli.files import read_program, settings
from seepage.cli.options import FILE, SECONDS
from seepage.cli.progress import ProgressLine, has_terminal
from seepage.cli.project import params_of, project_of, seconds_of, unit_of
from seepage.cli.reading import Unreadable, brief, read_text, write_bytes
from seepage.cli.workers import DASK, JOBS, working
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.measures.parameters import Value
from seepage.pipeline import read_measure
from seepage.program import Program
from seepage.report.findings import printable
from seepage.semantics.blocking import blocking
from seepage.sweeps.axes import POINTS, takes_points, values_of
from seepage.sweeps.results import FORMS, ForeignFile, Form, Known, line_of, read_results, table_of, waiting_beside
from seepage.sweeps.rows import Row
from seepage.sweeps.running import Estimate, Sweep
from seepage.sweeps.study import MOST_POINTS, Study
from seepage.sweeps.study_file import StudyFile, WrongStudy, read_study_file

_ENDINGS: dict[str, Form] = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}


@click.command()
@click.argument("file", type=FILE)
@click.argument("measures", nargs=-1)
@click.option(
    "--over",
    "ranges",
    multiple=True,
    metavar="NAME=VALUES",
    help="Vary this parameter or constant: LOW..HIGH, or A,B,C.",
)
@click.option(
    "--points",
    type=click.IntRange(2, MOST_POINTS),
    help=f"Of each range, {POINTS} by default; a whole constant takes each whole number.",
)
@click.option("--set", "assignments", multiple=True, metavar="NAME=VALUE", help="Use this value of a parameter.")
@click.option("--unit", type=click.Choice(["bits", "nats"]), show_default="bits", help="Unit of entropies.")
@click.option("--format", "form", type=click.Choice(FORMS), show_default="csv, or as the name of the output ends")
@click.option("--output", type=click.Path(), help="Write to this file as results come, and go on from what is there.")
@JOBS
@DASK
@click.option("--time-limit", type=SECONDS, show_default="30", help="Seconds for each number.")
def sweep(
    file: str,
    measures: tuple[str, ...],
    ranges: tuple[str, ...],
    points: int | None,
    assignments: tuple[str, ...],
    unit: Literal["bits", "nats"] | None,
    form: Form | None,
    output: str | None,
    jobs: int | None,
    dask: str | None,
    time_limit: float | None,
) -> None:
    """Evaluate each MEASURE, such as "I(r; o)", of the program in FILE at all combinations of values of parameters and constants.

    FILE may be a TOML file that says all of it. Each number has guaranteed bounds. With --output, results are written as they come: run
    the same command again after it was interrupted, or with more points, and what is there is not computed again. Exit code 0 if every
    point has a number, 1 if one has none, 2 for wrong use.
    """
    asked = _asked(file, measures, ranges, points, assignments, output)
    program = read_program(asked.file)
    study = _study(program, asked, unit)
    if points is not None and not any(takes_points(program.checked, *each) for each in asked.over.items()):
        raise click.BadParameter(
            "there is no range of a parameter or of a constant that is no whole number: whole constants take each whole number, "
            "or those that are listed, as in 'n=1,2,5'",
            param_hint="--points",
        )
    limit = seconds_of(project_of(asked.file), time_limit or asked.time_limit)
    form = _form(form, asked.output)
    known = _known(asked.output, form, study)
    rows = {key: row for key, row in known.rows.items() if row.is_settled(limit)}
    progress = ProgressLine(on=has_terminal())
    with working(jobs, dask) as workers:
        running = Sweep(study, limit, workers, lambda estimate: progress.show(_words(estimate, workers.jobs)))
        try:
            if asked.output is None:
                rows |= {row.key: row for many in running.run(rows) for row in many}
            else:
                _write_as_they_come(Path(asked.output), form, study, known, rows, running)
        finally:
            progress.clear()
        text = table_of(form, study, Known(rows, known.others))
    if asked.output is None:
        click.echo(text, nl=False)
    else:
        _finish(asked.output, form, text)
        faults = sum(1 for row in rows.values() if row.fault)
        click.echo(
            f"{len(rows):,} numbers in {printable(asked.output)}"
            + (f", {faults:,} points have none" if faults else ""),
            err=True,
        )
    sys.exit(1 if any(row.fault for row in rows.values()) else 0)


# --- what is asked ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Asked:
    """What options or a TOML file say: ``over`` and ``given`` by name, as written."""

    file: str
    measures: tuple[str, ...]
    over: Mapping[str, str]
    points: int | None
    given: Mapping[str, Value]
    unit: Literal["bits", "nats"] | None
    time_limit: float | None
    output: str | None


def _asked(
    file: str,
    measures: tuple[str, ...],
    ranges: Sequence[str],
    points: int | None,
    assignments: Sequence[str],
    output: str | None,
) -> _Asked:
    over: dict[str, str] = {}
    for each in ranges:
        name, equals, values = (part.strip() for part in each.partition("="))
        if not (equals and name and values):
            raise click.BadParameter(
                brief(f"found '{each}', expected name=low..high or name=a,b,c"), param_hint="--over"
            )
        if name in over:
            raise click.BadParameter(brief(f"'{name}' varies twice"), param_hint="--over")
        over[name] = values
    given = settings(assignments)
    if PurePath(file).suffix != ".toml":
        if not measures or not over:
            raise click.UsageError("expected a measure, and --over with what varies")
        return _Asked(file, measures, over, points, given, None, None, output)
    try:
        found: StudyFile = read_study_file(read_text(file, "a study in TOML"))
    except WrongStudy as error:
        raise click.UsageError(brief(printable(f"{file}: {error}"))) from None
    folder = Path(file).parent
    return _Asked(
        str(folder / found.program),
        measures or found.measures,
        {**found.over, **over},
        points or found.points,
        {**found.set, **given},
        found.unit,
        found.time_limit,
        output or (None if found.output is None else str(folder / found.output)),
    )


def _study(program: Program, asked: _Asked, unit: Literal["bits", "nats"] | None) -> Study:
    """Return the study; what is wrong with it is told before anything is computed.

    Raises:
        click.UsageError: a name that there is not, values that it cannot have, too many points, a measure that cannot be read.
    """
    symbols, project = program.checked.symbols, project_of(asked.file)
    try:
        over = {name: values_of(program.checked, name, text, asked.points) for name, text in asked.over.items()}
        twice = [name for name in asked.given if name in over]
        if twice:
            raise ValueError(f"'{twice[0]}' has one value, and varies")
        _need_meaning(program, asked.measures)
        params = program.read_params(params_of(program, project, dict(asked.given)))
        return Study(
            asked.file,
            program.source.text,
            tuple(dict.fromkeys(each.strip() for each in asked.measures)),
            over,
            frozenset(name for name in over if name not in symbols.params),
            {name: exact.spelled(value) for name, value in params.items() if name not in over},
            unit_of(project, unit or asked.unit),
        )
    except ValueError as error:
        raise click.UsageError(brief(printable(str(error)))) from None


def _need_meaning(program: Program, measures: Sequence[str]) -> None:
    """Raise :class:`ValueError` for a measure that has no meaning at any point; where the program has none, each point tells why."""
    if any(blocking(program.checked)):
        return
    for measure in measures:
        try:
            read_measure(program.checked, measure)
        except Fault as fault:
            raise ValueError(f"'{measure}': {fault.diagnostic.message}") from None


def _form(form: Form | None, output: str | None) -> Form:
    meant = None if output is None else _ENDINGS.get(PurePath(output).suffix.lower())
    if form is not None and meant is not None and form != meant:
        raise click.BadParameter(
            f"found '{PurePath(output or '').suffix}' beside --format {form}", param_hint="--output"
        )
    form = form or meant or "csv"
    if form == "parquet" and output is None:
        raise click.UsageError("--format parquet needs --output FILE")
    return form


# --- results ----------------------------------------------------------------------------------------------------------


def _known(output: str | None, form: Form, study: Study) -> Known:
    """Return what a former run left.

    Raises:
        click.BadParameter: the file holds something else.
        Unreadable: it cannot be read.
    """
    if output is None:
        return Known({}, ())
    try:
        return read_results(Path(output), form, study)
    except ForeignFile as error:
        raise click.BadParameter(brief(printable(f"{output}: {error}")), param_hint="--output") from None
    except ImportError as error:
        raise click.ClickException(str(error)) from None
    except (OSError, ValueError) as error:
        raise Unreadable(output, f"cannot be read: {error}") from None


def _write_as_they_come(
    path: Path, form: Form, study: Study, known: Known, rows: dict[str, Row], running: Sweep
) -> None:
    """Add rows to those that are known, in memory and at the end of the file, which is whole after each of them."""
    place, lines = path, form
    if form == "parquet":
        place, lines = waiting_beside(path), "jsonl"
    write_bytes(str(place), table_of(lines, study, Known(rows, known.others)))
    try:
        with place.open("ab") as file:
            for many in running.run(rows):
                for row in many:
                    rows[row.key] = row
                    file.write(line_of(lines, study.names, row).encode())
                file.flush()
    except OSError as error:
        raise Unreadable(str(path), f"cannot be written: {error.strerror}") from None


def _finish(output: str, form: Form, table: bytes) -> None:
    """Write the whole table in the place of what was there, and leave nothing beside it."""
    write_bytes(output, table)
    if form == "parquet":
        waiting_beside(Path(output)).unlink(missing_ok=True)


def _words(estimate: Estimate, jobs: int) -> str:
    """Return ``120 of 10,000 points · about 95 s left``."""
    told = f"{estimate.done:,} of {estimate.points:,} points"
    if estimate.done == estimate.points:
        return told
    word = "about" if estimate.whole else "more than"
    return f"{told} · {word} {estimate.seconds / jobs:.0f} s left"
