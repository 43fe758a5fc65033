"""The few command line options of ``seepage-lsp``."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version

USAGE = """usage: seepage-lsp [--stdio] [--version] [--help]

Language server for Seep programs, on standard input and output. Editors start it; see the README for how."""


def read_options(arguments: list[str]) -> str | None:
    """Return what to print instead of serving, or None; ends the process with code 2 on an option that does not exist."""
    for argument in arguments:
        if argument in ("-h", "--help"):
            return USAGE
        if argument == "--version":
            return f"seepage-lsp {distribution_version()}"
        # vscode-languageclient adds the process id of the editor, which also comes with "initialize".
        if argument != "--stdio" and not argument.startswith("--clientProcessId"):
            sys.stderr.write(f"seepage-lsp: unknown option '{argument}'\n{USAGE}\n")
            sys.exit(2)
    return None


def distribution_version() -> str:
    """Return the version of the installed distribution."""
    try:
        return version("seepage")
    except PackageNotFoundError:
        return "(not installed)"
