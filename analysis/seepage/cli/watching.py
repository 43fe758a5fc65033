"""``seepage check --watch``: once more whenever a file is written, made or removed."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NoReturn, TypeAlias

import click

from seepage.checking.cache import Cache
from seepage.checking.pool import Workers
from seepage.checking.walk import is_python, list_files
from seepage.cli.check_run import Request, run_check
from seepage.cli.reading import Unreadable, read_program_text
from seepage.configuration import find_configuration, program_files
from seepage.files import names_files, stamps_of

PAUSE = 0.3
"""Seconds between two looks."""
_WAITING = threading.Event()  # never set: waiting for it is a pause that Ctrl-C ends
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"

Stamp: TypeAlias = tuple[int, int] | tuple[str, ...] | None


def watch(request: Request, workers: Workers, cache: Cache | None) -> NoReturn:
    """Check again and again; Ctrl-C ends it. What is wrong with a project file or a baseline is told, and looked at again as well."""
    baseline = None if request.update_baseline else request.baseline
    while True:
        seen = stamps(request.paths, baseline)
        if sys.stdout.isatty():
            click.echo(_CLEAR, nl=False, color=True)
        try:
            run_check(request, workers, cache)
        except click.ClickException as error:
            error.show()
        click.echo("watching for changes; Ctrl-C ends it", err=True)
        while stamps(request.paths, baseline) == seen:
            _WAITING.wait(PAUSE)


def stamps(names: Sequence[str], baseline: Path | None = None) -> Mapping[str, Stamp]:
    """Return when each file was written that a run of files and folders of these names depends on, and its size; None for one that is not there.

    Programs that name files have an entry more, which changes with these.
    """
    paths = {found.path for found in list_files(names).files}
    folders = {Path(path).parent for path in paths}
    projects = {str(found) for folder in folders if (found := _project(folder)) is not None}
    accepted = set() if baseline is None else {str(baseline)}
    known = {path: _stamp(path) for path in paths | projects | accepted}
    naming = {path: text for path in paths if (text := _naming(path, known[path]))}
    return known | {f"{path}, names": tuple(stamps_of(text, program_files(path))) for path, text in naming.items()}


@lru_cache(maxsize=4_096)
def _naming(path: str, _: Stamp) -> str:
    """Return the text of a program if it names files, read again when its stamp is another one."""
    if is_python(path):
        return ""
    try:
        text = read_program_text(path)
    except Unreadable:
        return ""
    return text if names_files(text) else ""


def _project(folder: Path) -> Path | None:
    try:
        return find_configuration(folder.resolve())
    except (OSError, RuntimeError):  # of links in a circle
        return None


def _stamp(path: str) -> Stamp:
    try:
        known = os.stat(path)
    except (OSError, ValueError):
        return None
    return known.st_mtime_ns, known.st_size
