"""``seepage check --watch``: once more whenever a file is written, made or removed."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn, TypeAlias

import click

from seepage.checking.cache import Cache
from seepage.checking.pool import Pool
from seepage.checking.walk import list_files
from seepage.cli.check_run import Request, run_check
from seepage.configuration import find_configuration

PAUSE = 0.3
"""Seconds between two looks."""
_WAITING = threading.Event()  # never set: waiting for it is a pause that Ctrl-C ends
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"

Stamp: TypeAlias = tuple[int, int] | None


def watch(request: Request, pool: Pool, cache: Cache | None) -> NoReturn:
    """Check again and again; Ctrl-C ends it. What is wrong with a project file or a baseline is told, and looked at again as well."""
    while True:
        seen = stamps(request)
        if sys.stdout.isatty():
            click.echo(_CLEAR, nl=False, color=True)
        try:
            run_check(request, pool, cache)
        except click.ClickException as error:
            error.show()
        click.echo("watching for changes; Ctrl-C ends it", err=True)
        while stamps(request) == seen:
            _WAITING.wait(PAUSE)


def stamps(request: Request) -> Mapping[str, Stamp]:
    """Return when each file that a run depends on was written, and its size; None for one that is not there."""
    paths = {found.path for found in list_files(request.paths).files}
    folders = {Path(path).parent for path in paths}
    projects = {str(found) for folder in folders if (found := _project(folder)) is not None}
    baseline = set() if request.baseline is None or request.update_baseline else {str(request.baseline)}
    return {path: _stamp(path) for path in paths | projects | baseline}


def _project(folder: Path) -> Path | None:
    try:
        return find_configuration(folder.resolve())
    except OSError:
        return None


def _stamp(path: str) -> Stamp:
    try:
        known = os.stat(path)
    except (OSError, ValueError):
        return None
    return known.st_mtime_ns, known.st_size
