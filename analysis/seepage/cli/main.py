"""The command ``seepage``: its subcommands, each in a file of its own that is loaded when it is used."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from keyword import iskeyword
from typing import Any, TypeVar

import click

import seepage
from seepage.cli.reading import brief
from seepage.cli.start import load
from seepage.cli.streams import open_streams
from seepage.data_classes import dataclass

T = TypeVar("T")
_INTERRUPTED = 130  # what shells expect of a command that Ctrl-C ended


@dataclass(frozen=True, slots=True)
class _Listed:
    """A subcommand that is not loaded yet: its module, which has it under the same name, and what the list of commands says of it."""

    module: str
    help: str


COMMANDS = {
    "check": _Listed("seepage.cli.check", "Check programs: diagnostics, the leakage table, every show and require."),
    "diff": _Listed(
        "seepage.cli.diff", "Compare two versions of programs: what leaks more, and whether for everybody."
    ),
    "doctor": _Listed("seepage.cli.doctor", "Look whether this installation works."),
    "explain": _Listed("seepage.cli.explain", "Derive a measure, or tell how its number is found."),
    "export": _Listed("seepage.cli.export", "Print the program in the language of another tool, or its tree."),
    "fmt": _Listed("seepage.cli.fmt", "Bring programs into the one style."),
    "import": _Listed(
        "seepage.cli.import_", "Print the program of a channel, a Bayesian network, a PRISM chain or a PSI program."
    ),
    "lsp": _Listed("seepage.cli.lsp", "Run the language server (the same as seepage-lsp)."),
    "mark": _Listed("seepage.cli.mark", "Write the mark of a Python function, with questions."),
    "measure": _Listed("seepage.cli.measure", "Evaluate one measure of a program."),
    "play": _Listed(
        "seepage_play.command", "Open programs and the gallery in the browser, with the panel beside them."
    ),
    "plot": _Listed("seepage.cli.plot", "Evaluate a measure over one parameter or two."),
    "report": _Listed("seepage.cli.report", "Write what programs leak as a page for people who decide about them."),
    "sweep": _Listed("seepage.cli.sweep", "Evaluate measures over grids of parameters and constants."),
    "tune": _Listed("seepage.cli.tune", "Find the widest range of a parameter in which a budget holds."),
    "rules": _Listed("seepage.cli.rules", "Print what every finding means, or one of them."),
    "translate": _Listed("seepage.cli.translate", "Print the program that a Python function is read as."),
}


class _Commands(click.Group):
    """The subcommands; Ctrl-C ends any of them with one line, and what is wrong with their use is told briefly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return their names."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a subcommand; None if there is none of that name."""
        listed = COMMANDS.get(cmd_name)
        if listed is None:
            return None
        command = getattr(load(listed.module), cmd_name + "_" * iskeyword(cmd_name))
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the subcommands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name].help) for name in self.list_commands(ctx)])

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


def main() -> None:
    """Run the command line; exit codes: 0 clean, 1 findings or no result, 2 wrong use, 130 interrupted."""
    open_streams()
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a letter gets a replacement, not a traceback.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    try:
        cli(prog_name="seepage")
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
