"""The command ``seepage``: its subcommands, each in a file of its own."""

from __future__ import annotations

import sys

import click

import seepage
from seepage.cli.check import check
from seepage.cli.fmt import fmt
from seepage.cli.lsp import lsp
from seepage.cli.measure import measure
from seepage.cli.rules import rules


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(seepage.__version__, prog_name="seepage", message="%(prog)s %(version)s")
def cli() -> None:
    """Say how much a probabilistic program leaks about its secrets."""


cli.add_command(check)
cli.add_command(measure)
cli.add_command(fmt)
cli.add_command(lsp)
cli.add_command(rules)


def main() -> None:
    """Run the command line; exit codes: 0 clean, 1 findings or no result, 2 wrong use."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a letter gets a replacement, not a traceback.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    cli()


if __name__ == "__main__":
    main()
