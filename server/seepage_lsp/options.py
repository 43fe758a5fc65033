"""The few command line options of ``seepage-lsp``."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import NoReturn

from seepage import __version__
from seepage.data_classes import dataclass

USAGE = """usage: seepage-lsp [--stdio] [--python] [--ahead] [--log-level LEVEL] [--log-file FILE] [--version] [--help]

Language server for Seep programs, on standard input and output. Editors start it; see the README for how.

  --python            for Python files alone, beside another server of that language: findings, lenses, hovers and code actions
  --ahead             load everything at once, not when a client is there: for who starts the server before the client
  --log-level LEVEL   what is logged: error, warning (the default), info, or debug, which includes every message
  --log-file FILE     where to: appended to; standard error without it"""

LEVELS = ("error", "warning", "info", "debug")


@dataclass(frozen=True, slots=True)
class Serving:
    """How to serve: the least level that is logged, the file, None for standard error, whether for Python files alone, and whether all is loaded at once."""

    level: str = "warning"
    file: str | None = None
    python_only: bool = False
    ahead: bool = False


def read_options(arguments: list[str]) -> str | Serving:
    """Return what to print instead of serving, or how to serve; ends the process with code 2 on wrong use."""
    serving = Serving()
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        match name:
            case "-h" | "--help":
                return USAGE
            case "--version":
                return f"seepage-lsp {__version__}"
            case "--log-level" | "--log-file":
                value = value if equals else next(rest, "")
                if name == "--log-file":
                    serving = replace(serving, file=value or _refuse(f"{name} needs the name of a file"))
                elif value in LEVELS:
                    serving = replace(serving, level=value)
                else:
                    _refuse(f"found the level '{value}', expected {', '.join(LEVELS[:-1])} or {LEVELS[-1]}")
            case "--python":
                serving = replace(serving, python_only=True)
            case "--ahead":
                serving = replace(serving, ahead=True)
            # vscode-languageclient adds the process id of the editor, which also comes with "initialize".
            case "--stdio" | "--clientProcessId":
                pass
            case _:
                _refuse(f"unknown option '{argument}'")
    return serving


def _refuse(why: str) -> NoReturn:
    sys.stderr.write(f"seepage-lsp: {why}\n{USAGE}\n")
    sys.exit(2)
