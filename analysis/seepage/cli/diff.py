"""``seepage diff A B``, ``seepage diff REVISION -- PATH…``: what two versions of programs differ in, and whether one leaks more."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from seepage.checking.cache import open_cache
from seepage.checking.differing import differences
from seepage.checking.file_report import CheckedFile
from seepage.checking.formats.difference import SAME, FileDifference, ToldOrder, json_of, markdown_of, text_of
from seepage.checking.order import Order
from seepage.checking.renames import renamed
from seepage.checking.revisions import NoRevision, Revision, Stored, changed_since, revision_of
from seepage.checking.running import Runner, WrongValueInProject
from seepage.checking.walk import ENDING, list_files
from seepage.cli.check_run import here
from seepage.cli.options import FILE, SECONDS
from seepage.cli.progress import ProgressLine, has_terminal
from seepage.cli.project import WrongProject, project_of, seconds_of, unit_of
from seepage.cli.reading import BYTES, Unreadable, brief, decoded, needed_text, read_program_text
from seepage.cli.start import load
from seepage.cli.workers import JOBS, working
from seepage.data_classes import dataclass
from seepage.report.findings import printable

if TYPE_CHECKING:
    from seepage.comparison import ChannelOrder, Version

_MARK = "seepage.diff.revision"


class _Diff(click.Command):
    """A command that knows whether ``--`` stood behind its first word, as git's does: then that is a revision, whatever files there are."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments."""
        ctx.meta[_MARK] = "--" in args
        return super().parse_args(ctx, args)


@click.command(cls=_Diff)
@click.argument("first", type=FILE)
@click.argument("paths", nargs=-1, required=True, type=FILE)
@click.option(
    "--set", "assignments", multiple=True, metavar="NAME=VALUE", help="Use this value of a parameter in both."
)
@click.option("--unit", type=click.Choice(["bits", "nats"]), show_default="bits", help="Unit of what is shown.")
@click.option("--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True)
@click.option("--time-limit", type=SECONDS, show_default="30", help="Seconds for each version, and for each proof.")
@JOBS
@click.option("--no-cache", is_flag=True, help="Analyse every file anew, and keep nothing.")
@click.pass_context
def diff(
    ctx: click.Context,
    first: str,
    paths: tuple[str, ...],
    assignments: tuple[str, ...],
    unit: Literal["bits", "nats"] | None,
    form: Literal["text", "json", "markdown"],
    time_limit: float | None,
    jobs: int | None,
    no_cache: bool,
) -> None:
    """Tell what changed between two versions of programs: seepage diff OLD NEW, or seepage diff REVISION -- PATH…

    OLD and NEW are files. With "--", the programs at or below each PATH are compared with what they were in a revision of git, such as
    HEAD~1. Each number has certified bounds of its change; whether the outputs tell at most as much as before, for every prior and every
    gain, is decided with a certificate where channels are finite. Exit code 0 if nothing is known to be worse, 1 if something is, or
    could not be compared, 2 for wrong use.
    """
    try:
        pairs = list(_of_revision(first, paths) if ctx.meta[_MARK] else _of_files(first, paths))
    except NoRevision as error:
        raise click.UsageError(brief(printable(str(error)))) from None
    settings = _Settings(assignments, unit, time_limit)
    with working(jobs, None) as workers:
        progress = ProgressLine(on=has_terminal())
        runner = Runner(workers, None if no_cache else open_cache(), here, progress.tell)
        try:
            files = _compared(pairs, settings, runner)
        except WrongValueInProject as error:
            raise WrongProject(str(error)) from None
        finally:
            progress.clear()
    render = {"text": text_of, "json": json_of, "markdown": markdown_of}[form]
    click.echo(render(files))
    sys.exit(1 if any(each.is_worse for each in files) else 0)


# --- what is compared -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two texts of a program; None where there is none, and why, if it should be there; ``moved`` if it had another name."""

    name: str
    before_name: str
    before: str | None
    after: str | None
    problem: str = ""
    moved: bool = False


def _of_files(first: str, paths: Sequence[str]) -> Iterator[_Pair]:
    if not os.path.exists(first) and _is_revision(first, paths[0]):
        raise click.UsageError(
            brief(printable(f"'{first}' is no file, but a revision: seepage diff {first} -- {' '.join(paths)}"))
        )
    if len(paths) != 1:
        raise click.UsageError("expected two files, or a revision, '--' and paths")
    (second,) = paths
    texts: list[str | None] = []
    problem = ""
    for path in (first, second):
        try:
            texts.append(read_program_text(path))
        except Unreadable as error:
            texts.append(None)
            problem = problem or error.format_message()
    yield _Pair(second, first, texts[0], texts[1], problem)


def _is_revision(name: str, path: str) -> bool:
    """Tell whether git knows a revision where a path lies."""
    try:
        revision_of(Path(_folder(path)), name)
    except NoRevision:
        return False
    return True


def _of_revision(name: str, paths: Sequence[str]) -> Iterator[_Pair]:
    """Yield the programs at or below paths, as a revision has them and as they are.

    Raises:
        NoRevision: there is no such revision, or a path lies outside of its repository.
    """
    revision = revision_of(Path(_folder(paths[0])), name)
    inside = [_inside(revision, path) for path in paths]
    then: dict[str, Stored] = {each.path: each for each in revision.files(inside) if each.path.endswith(ENDING)}
    now = {
        _inside(revision, found.path): found.path
        for found in list_files([path for path in paths if Path(path).exists()]).files
        if found.path.endswith(ENDING) and not found.problem
    }
    for path, place in zip(paths, inside, strict=True):
        if not any(each == place or each.startswith(f"{place}/") or place in {"", "."} for each in (*then, *now)):
            hint = "; options stand before '--'" if path.startswith("-") else ""
            raise NoRevision(f"'{path}': no program (*{ENDING}) there, now or in '{name}'{hint}")
    moved = renamed(revision, _texts({path: file for path, file in now.items() if path not in then}))
    old = {each.path for each in moved.values()}
    for path in sorted({*then, *now} - old):
        yield _pair_of(revision, path, then.get(path) or moved.get(path), now.get(path))


def _texts(files: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of files; those that cannot be read have none."""
    found: dict[str, str] = {}
    for path, file in files.items():
        with suppress(Unreadable):
            found[path] = read_program_text(file)
    return found


def _pair_of(revision: Revision, path: str, stored: Stored | None, file: str | None) -> _Pair:
    """Return a program's two texts; ``path`` is where it is, or was if it is gone, from the top of the repository."""
    before = after = None
    name = path if file is None else file
    moved = stored is not None and stored.path != path
    before_name = f"{revision.name}:{stored.path}" if stored is not None and moved else revision.name
    try:
        if stored is not None:
            before = _stored_text(revision, stored, f"{revision.name}:{stored.path}")
        if file is not None:
            after = read_program_text(file)
    except Unreadable as error:
        return _Pair(name, before_name, before, after, error.format_message(), moved)
    texts = [text for text in (before, after) if text is not None]
    changed = (
        changed_since(revision, texts, load("seepage.configuration").program_files(name)) if stored and file else None
    )
    problem = (
        f"'{changed}' is not what it was in {revision.name}: compare the files of both versions" if changed else ""
    )
    return _Pair(name, before_name, before, after, problem, moved)


def _stored_text(revision: Revision, stored: Stored, name: str) -> str:
    if stored.size > BYTES:
        raise Unreadable(name, "too large for a Seep program")
    try:
        return needed_text(decoded(revision.content(stored), name), name)
    except NoRevision as error:
        raise Unreadable(name, str(error)) from None


def _folder(path: str) -> str:
    """Return the nearest folder that is there."""
    at = Path(path).absolute()
    return str(next((each for each in (at, *at.parents) if each.is_dir()), Path.cwd()))


def _inside(revision: Revision, path: str) -> str:
    found = revision.path_of(path)
    if found is None:
        raise NoRevision(f"'{path}' lies outside of the repository")
    return found


# --- comparing --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Settings:
    """What the options say, for both versions."""

    assignments: tuple[str, ...]
    unit: Literal["bits", "nats"] | None
    time_limit: float | None


def _compared(pairs: Sequence[_Pair], settings: _Settings, runner: Runner) -> list[FileDifference]:
    """Return what each pair differs in; texts that are the same are not analysed."""
    asked = [each for each in pairs if not each.problem and each.after is not None and each.after != each.before]
    texts = [(text, each.name) for each in asked for text in (each.before, each.after) if text is not None]
    given: Sequence[Mapping[str, str]] = [{} for _ in texts]
    if settings.assignments:
        given = load("seepage.cli.files").given_values(texts, settings.assignments)
    orders = [_order(text, name, settings, values) for (text, name), values in zip(texts, given, strict=True)]
    checked = zip(runner.run(orders), orders, strict=True)
    found: dict[str, FileDifference] = {}
    for pair in asked:
        before = None if pair.before is None else next(checked)
        found[pair.name] = _difference(pair, before, next(checked))
    return [found.get(pair.name) or _untold(pair) for pair in pairs]


def _untold(pair: _Pair) -> FileDifference:
    note = "no longer there" if pair.after is None else SAME
    return FileDifference(pair.name, pair.before_name, problem=pair.problem, note=note, moved=pair.moved)


def _order(text: str, name: str, settings: _Settings, given: Mapping[str, str]) -> Order:
    project = project_of(name)
    unit, seconds = unit_of(project, settings.unit), seconds_of(project, settings.time_limit)
    return Order(name, text, unit, None, seconds, given, project.parameters, project.path)


def _difference(
    pair: _Pair, before: tuple[CheckedFile, Order] | None, after: tuple[CheckedFile, Order]
) -> FileDifference:
    for checked, _ in (after,) if before is None else (before, after):
        if checked.report is None and checked.failure is not None:
            which = "after" if checked is after[0] else "before"
            return FileDifference(pair.name, pair.before_name, problem=f"{which}: {checked.failure.message}")
    assert after[0].report is not None
    if before is None:
        return FileDifference(
            pair.name, "(nothing)", differences(None, after[0].report, after[0].source, after[0].source)
        )
    found = differences(before[0].report, after[0].report, before[0].source, after[0].source)
    orders = tuple(_channel_orders((before[1], after[1])))
    return FileDifference(pair.name, pair.before_name, found, orders=orders, moved=pair.moved)


def _channel_orders(orders: Sequence[Order]) -> Iterator[ToldOrder]:
    comparison, told = load("seepage.comparison"), load("seepage.report.comparison")
    before, after = (_version(each, comparison) for each in orders)
    if before is None or after is None:
        return
    each: ChannelOrder
    for each in comparison.channel_orders(before, after, orders[1].seconds):
        yield ToldOrder(tuple(told.order_lines(each)), told.order_json(each))


def _version(order: Order, comparison: Any) -> Version | None:
    """Return a program with the values of its parameters; None where it has errors."""
    files = load("seepage.configuration").program_files(order.name)
    program = load("seepage.program").parse(order.text, order.name, files=files)
    if program.checked.has_errors:
        return None
    values = load("seepage.configuration").project_values(program, order.project, order.project_file)
    version: Version = comparison.Version(program.checked, program.read_params({**values, **order.given}))
    return version
