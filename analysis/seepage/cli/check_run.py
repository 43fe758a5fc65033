"""One run of ``seepage check``: files read, settings found, reports told in the form that was asked for, and what the run comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import click

from seepage.checking.baseline import (
    Accepted,
    Baseline,
    BrokenBaseline,
    accepted_of,
    baseline_text,
    read_baseline,
)
from seepage.checking.cache import Cache
from seepage.checking.file_report import CheckedFile
from seepage.checking.formats.rendering import TEXT, Form
from seepage.checking.formats.text import quiet_text_of, text_of
from seepage.checking.judging import Judged, Policy, judged
from seepage.checking.order import Answer, Order
from seepage.checking.pool import Workers
from seepage.checking.running import Runner, WrongValueInProject
from seepage.checking.summary import summary_of, summary_text
from seepage.checking.walk import Listing, is_python, list_files
from seepage.cli.progress import ProgressLine, has_terminal
from seepage.cli.project import WrongProject
from seepage.cli.reading import Unreadable, brief, write_bytes
from seepage.cli.start import load
from seepage.cli.texts import Settings, Text, given_to, order_of, projects_of, read_found
from seepage.configuration import program_files
from seepage.data_classes import dataclass
from seepage.report.findings import printable
from seepage.report.paint import Paint, Style
from seepage.source import SourceFile


@dataclass(frozen=True, slots=True)
class Request:
    """What the options of the command say; names as there."""

    paths: tuple[str, ...]
    assignments: tuple[str, ...]
    unit: Literal["bits", "nats"] | None
    digits: int | None
    form: str
    time_limit: float | None
    fix: bool
    guess: bool
    policy: Policy
    baseline: Path | None
    update_baseline: bool
    stdin_name: str
    summary: bool
    quiet: bool
    paint: Paint


def run_check(request: Request, workers: Workers, cache: Cache | None) -> int:
    """Check, print, and return the exit code.

    Raises:
        click.ClickException: of wrong use.
    """
    listing = list_files(request.paths)
    baseline = _baseline(request)
    texts = [read_found(found, request.stdin_name) for found in listing.files]
    projects = projects_of(texts)
    given = given_to(texts, request.assignments)
    settings = Settings(request.unit, request.digits, request.time_limit)
    items = [
        order_of(_fixed(text, request.guess) if request.fix else text, settings, projects[text.name], values)
        for text, values in zip(texts, given, strict=True)
    ]
    progress = ProgressLine(on=has_terminal() and not request.quiet)
    files: list[Judged] = []
    begun = False
    accepted: dict[str, Accepted] = {}
    try:
        for checked in Runner(workers, cache, here, progress.tell).run(items):
            entry = _entry(checked, baseline, request.update_baseline)
            if entry is not None and checked.report is not None:
                accepted[checked.source.name] = entry
            file = judged(checked, projects[checked.source.name].rules, request.policy, entry)
            progress.clear()
            begun = _tell(file, request, listing, begun) or begun
            files.append(file)
    except WrongValueInProject as error:
        progress.clear()
        raise WrongProject(str(error)) from None
    finally:
        progress.clear()
    if request.form != TEXT and (whole := Form(request.form, listing.single, request.policy).of(files)):
        click.echo(whole)
    if request.update_baseline and baseline is not None:
        _write_baseline(baseline, accepted)
    _tell_summary(files, request)
    return 0 if all(each.passes for each in files) else 1


def _fixed(text: Text, guesses: bool) -> Text:
    """Return a file with the fixes that are beyond doubt, and guesses if they are asked for, which are told on standard error."""
    if text.failure is not None or is_python(text.name):
        return text
    try:
        fixed: str = load("seepage.cli.fixed").fixed_text(
            SourceFile(text.name, text.text, files=program_files(text.name)), guesses
        )
    except Unreadable as error:
        return Text(text.name, "", error)
    return Text(text.name, fixed)


def here(order: Order) -> Answer:
    """Analyse in this process."""
    answer: Answer = load("seepage.checking.work").analysed(order)
    return answer


# --- telling ----------------------------------------------------------------------------------------------------------


def _tell(file: Judged, request: Request, listing: Listing, begun: bool) -> bool:
    """Print a file where the form is text, an empty line before it where output has ``begun``, and tell whether anything was printed.

    Why there is nothing to tell of a file stands on standard error.
    """
    if request.form != TEXT:
        return False
    if file.failure is not None:
        click.echo(brief(printable(f"{file.source.name}: {file.failure.message}")), err=True)
        return False
    paint = request.paint
    told = quiet_text_of(file, paint) if request.quiet else text_of(file, named=len(listing.files) > 1, paint=paint)
    if request.quiet and not told:
        return False
    click.echo(("\n" if begun else "") + told, color=paint.on)
    return True


def _tell_summary(files: Sequence[Judged], request: Request) -> None:
    if not request.summary:
        return
    style: Style = "green" if all(each.passes for each in files) else "red"
    text = request.paint(summary_text(summary_of(files)), style, "bold")
    click.echo(text, err=request.form != TEXT, color=request.paint.on)


# --- the baseline -----------------------------------------------------------------------------------------------------


def _baseline(request: Request) -> Baseline | None:
    """Return the baseline; one that is to be written need not be there.

    Raises:
        click.BadParameter: it cannot be read.
    """
    path = request.baseline
    if path is None:
        return None
    if request.update_baseline and not path.exists():
        return Baseline(path, {})
    try:
        return read_baseline(path)
    except BrokenBaseline as error:
        raise click.BadParameter(brief(printable(f"{path}: {error}")), param_hint="--baseline") from None


def _entry(checked: CheckedFile, baseline: Baseline | None, update: bool) -> Accepted | None:
    """Return what is accepted of a file: all that there is where the baseline is written anew; None without one."""
    if baseline is None:
        return None
    if update and checked.report is not None:
        return accepted_of(checked.report, checked.source)
    return baseline.of(checked.source.name)


def _write_baseline(baseline: Baseline, accepted: Mapping[str, Accepted]) -> None:
    """Write what is accepted of the files that were checked, and keep what is listed of others that are still there."""
    kept = {name: each for name, each in baseline.files.items() if (baseline.path.parent / name).exists()}
    files = {**kept, **{baseline.key(name): each for name, each in accepted.items()}}
    write_bytes(str(baseline.path), baseline_text(Baseline(baseline.path, files)).encode())
