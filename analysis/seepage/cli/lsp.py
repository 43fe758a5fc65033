"""``seepage lsp``: hand over to the language server, by name, so that the library does not import it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import click


@click.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.pass_context
def lsp(context: click.Context) -> None:
    """Run the language server on standard input and output (the same as seepage-lsp)."""
    beside = os.pathsep.join(str(Path(program).parent) for program in (sys.argv[0], sys.executable))
    found = shutil.which("seepage-lsp", path=beside) or shutil.which("seepage-lsp")
    if found is None:
        click.echo("seepage-lsp is not installed: install seepage again, or put its folder on PATH", err=True)
        sys.exit(1)
    os.execv(found, [found, *context.args])  # a program of this distribution
