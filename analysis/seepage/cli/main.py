"""The command ``seepage``: its subcommands, each in a file of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

import seepage
from seepage.cli.check import check
from seepage.cli.doctor import doctor
from seepage.cli.explain import explain
from seepage.cli.files import brief
from seepage.cli.fmt import fmt
from seepage.cli.lsp import lsp
from seepage.cli.measure import measure
from seepage.cli.plot import plot
from seepage.cli.rules import rules
from seepage.cli.streams import open_streams

T = TypeVar("T")
_INTERRUPTED = 130  # what shells expect of a command that Ctrl-C ended


class _Commands(click.Group):
    """The subcommands; Ctrl-C ends any of them with one line, and what is wrong with their use is told briefly."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a subcommand."""
        return _told(lambda: super(_Commands, self).invoke(ctx))

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read the arguments."""
        return _told(lambda: super(_Commands, self).make_context(info_name, args, parent, **extra))


def _told(run: Callable[[], T]) -> T:
    try:
        return run()
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
        sys.exit(_INTERRUPTED)
    except click.UsageError as error:
        raise click.UsageError(brief(error.format_message()), error.ctx) from None


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(seepage.__version__, prog_name="seepage", message="%(prog)s %(version)s")
def cli() -> None:
    """Say how much a probabilistic program leaks about its secrets."""


cli.add_command(check)
cli.add_command(measure)
cli.add_command(explain)
cli.add_command(doctor)
cli.add_command(plot)
cli.add_command(fmt)
cli.add_command(lsp)
cli.add_command(rules)


def main() -> None:
    """Run the command line; exit codes: 0 clean, 1 findings or no result, 2 wrong use, 130 interrupted."""
    open_streams()
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a letter gets a replacement, not a traceback.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    try:
        cli()
    except (
        OSError
    ) as error:  # those of files are told where they are read; this is the output (a closed pipe ends quietly)
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # what is still to be written would fail again at exit
        reason = os.strerror(error.errno).lower() if error.errno else str(error)
        click.echo(f"the output cannot be written: {reason}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
