"""The subcommand ``seepage play``, which the command line loads by name, so that the library does not import it."""

from __future__ import annotations

import sys
import threading
import webbrowser
from pathlib import Path

import click

from seepage_play import pages
from seepage_play.serving import Serving, run
from seepage_play.shelves import ENDING, FOLDER, Place, Shelves, scratch_folder


@click.command()
@click.argument("path", metavar="[FOLDER]", default=".", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, help="Listen at this port; by default at any free one."
)
@click.option("--no-browser", is_flag=True, help="Print the address and open nothing.")
def play(path: Path, port: int, no_browser: bool) -> None:
    """Open the programs of a folder and the gallery in the browser, with the panel beside them.

    FOLDER may also be a program, which is opened first. All is served on this machine alone, at an address that nobody can guess; files are written when you save.
    """
    if not pages.is_built():
        click.echo(pages.MISSING, err=True)
        sys.exit(1)
    path = path.resolve()
    if path.is_file() and path.suffix != ENDING:
        raise click.BadParameter(f"'{path.name}' is neither a folder nor a program (*{ENDING})", param_hint="FOLDER")
    first = Place(FOLDER, path.name) if path.is_file() else None
    folder = path.parent if path.is_file() else path

    def opened(url: str) -> None:
        click.echo(f"Seepage is at {url}\nIt has the programs of {folder}; Ctrl-C ends it.")
        sys.stdout.flush()
        if not no_browser:
            # Some browsers run in the terminal and take as long as they are open.
            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()

    try:
        run(Serving(Shelves(folder, scratch_folder()), first), port, opened)
    except OSError as error:
        click.echo(f"cannot listen at port {port}: {error.strerror or error}", err=True)
        sys.exit(1)
