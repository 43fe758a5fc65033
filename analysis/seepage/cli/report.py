"""``seepage report PATH…``: programs with what leaks, for people who decide about them and have never seen Seep."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Literal, TypeAlias

import click

from seepage.checking.cache import open_cache
from seepage.checking.judging import Policy, judged
from seepage.checking.pool import Pool, usable_processors
from seepage.checking.running import Runner, WrongValueInProject
from seepage.checking.walk import list_files
from seepage.cli.check_run import here
from seepage.cli.options import DIGITS, FILE, SECONDS
from seepage.cli.progress import ProgressLine, has_terminal
from seepage.cli.project import WrongProject
from seepage.cli.reading import brief, write_bytes
from seepage.cli.texts import Settings, given_to, order_of, projects_of, read_found
from seepage.report.findings import printable
from seepage.reporting.document import Document
from seepage.reporting.forms import render
from seepage.reporting.making import backgrounds_of, document_of
from seepage.reporting.pdf import NoLatex, pdf_of

Form: TypeAlias = Literal["html", "markdown", "latex", "pdf"]

TITLE = "What the programs leak"
_ENDINGS: Mapping[str, Form] = {
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".tex": "latex",
    ".pdf": "pdf",
}


@click.command()
@click.argument("paths", nargs=-1, required=True, type=FILE)
@click.option(
    "-o", "--output", type=click.Path(), help="Write to this file; its name ends in .html, .md, .tex or .pdf."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["html", "markdown", "latex", "pdf"]),
    show_default="as the name of the output ends, else Markdown",
)
@click.option("--title", default=TITLE, show_default=True, help="Title of the page.")
@click.option(
    "--date", default="", metavar="TEXT", help="A date to print; without one, equal runs write equal reports."
)
@click.option("--set", "assignments", multiple=True, metavar="NAME=VALUE", help="Use this value of a parameter.")
@click.option("--unit", type=click.Choice(["bits", "nats"]), show_default="bits", help="Unit of what is shown.")
@DIGITS
@click.option(
    "--time-limit",
    type=SECONDS,
    show_default="30",
    help="Seconds for each file, and again for what stands beside its numbers.",
)
@click.option("-j", "--jobs", type=click.IntRange(min=1), show_default="one for each processor", help="Processes.")
@click.option("--no-cache", is_flag=True, help="Analyse every file anew, and keep nothing.")
def report(
    paths: tuple[str, ...],
    output: str | None,
    form: Form | None,
    title: str,
    date: str,
    assignments: tuple[str, ...],
    unit: Literal["bits", "nats"] | None,
    digits: int | None,
    time_limit: float | None,
    jobs: int | None,
    no_cache: bool,
) -> None:
    """Write what programs leak as a page for people who have never seen Seep: HTML, Markdown, LaTeX or PDF.

    PATH is a file, a folder, a pattern, a function of Python (module.py::function), or "-" for standard input, as for "seepage check",
    whose numbers these are. A file that cannot be analysed is told of in its place. Exit code 0 if all is well, 1 for errors and for
    budgets that are violated or undecided, 2 for wrong use; the report is written in each of the first two cases.
    """
    form = _form(form, output)  # wrong use is told before anything is computed
    texts = [read_found(found, "<stdin>") for found in list_files(paths).files]
    projects = projects_of(texts)
    settings = Settings(unit, digits, time_limit)
    given = given_to(texts, assignments)
    items = [order_of(text, settings, projects[text.name], values) for text, values in zip(texts, given, strict=True)]
    cache = None if no_cache else open_cache()
    progress = ProgressLine(on=has_terminal())
    with Pool(jobs or usable_processors()) as pool:
        try:
            found = list(Runner(pool, cache, here, progress.tell).run(items))
            known = backgrounds_of(items, found, pool, cache, progress.tell)
        except WrongValueInProject as error:
            raise WrongProject(str(error)) from None
        finally:
            progress.clear()
    files = [judged(each, projects[each.source.name].rules, Policy(), None) for each in found]
    options = {
        "--title": None if title == TITLE else title,
        "--date": date or None,
        "--unit": unit,
        "--digits": digits,
        "--time-limit": time_limit,
    }
    command = _command(paths, assignments, options, output, form)
    _write(document_of(files, known, title, command, date), form, output)
    sys.exit(0 if all(each.passes for each in files) else 1)


def _form(form: Form | None, output: str | None) -> Form:
    """Return the form: as asked for, or as the name of the file ends, or Markdown.

    Raises:
        click.BadParameter: the name ends as that of another form, or as that of none where none is asked for.
    """
    if output is None:
        return form or "markdown"
    ending = PurePath(output).suffix.lower()
    meant = _ENDINGS.get(ending)
    if form is None and meant is None:
        found = f"a name that ends in '{ending}'" if ending else "a name without an ending"
        raise click.BadParameter(brief(f"found {found}, expected {', '.join(_ENDINGS)}"), param_hint="--output")
    if form is not None and meant is not None and meant != form:
        raise click.BadParameter(f"found '{ending}' beside --format {form}", param_hint="--output")
    return form or meant or "markdown"


def _command(
    paths: Sequence[str],
    assignments: Sequence[str],
    options: Mapping[str, object | None],
    output: str | None,
    form: str,
) -> str:
    """Return what makes the same report again: what the caller wrote, without how many processes there were."""
    words = ["seepage", "report", *paths]
    words += [word for each in assignments for word in ("--set", each)]
    words += [word for name, value in options.items() if value is not None for word in (name, _plain(value))]
    words += ["--format", form] if output is None else ["--output", PurePath(output).name]
    return shlex.join(words)


def _plain(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _write(document: Document, form: Form, output: str | None) -> None:
    """Write a report whole, or not at all.

    Raises:
        click.ClickException: there is no LaTeX for a PDF.
    """
    if form == "pdf":
        try:
            data = pdf_of(render(document, "latex"))
        except NoLatex as missing:
            raise click.ClickException(brief(printable(str(missing)))) from None
    else:
        data = render(document, form).encode("utf-8", "replace")
    if output is None:
        click.echo(data, nl=False)
    else:
        write_bytes(output, data)
