"""``seepage-lsp``: the language server on standard input and output."""

from __future__ import annotations

import os
import sys

from seepage.cli.start import load, loading

TYPE_CHECKING = False  # a module less to load before Ctrl-C is held
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> NoReturn:
    """Serve until the client says ``exit`` or goes away."""
    load("seepage_lsp.options")
    from seepage_lsp.options import read_options

    answer = read_options(sys.argv[1:])
    if isinstance(answer, str):
        print(answer)
        sys.exit(0)
    serve(level=answer.level, file=answer.file, python_only=answer.python_only, ahead=answer.ahead)


def serve(
    analysis: str | None = None,
    level: str = "warning",
    file: str | None = None,
    *,
    python_only: bool = False,
    ahead: bool = False,
) -> NoReturn:
    """Serve.

    Args:
        analysis: another function for the analysis process, as ``module:function`` (for tests).
        level: the least that is logged.
        file: of the log; None for standard error.
        python_only: whether Python files alone are served.
        ahead: whether all is loaded before a client is there.
    """
    # Only frames may reach the client: whatever prints from here on, prints to standard error.
    output = os.dup(1)
    os.dup2(2, 1)
    try:
        loading(_load)
        from seepage_lsp.logs import start_log
        from seepage_lsp.stdio import run

        start_log(level, file)
    except (
        ImportError,
        OSError,
        AttributeError,
        TypeError,
        ValueError,
    ) as error:  # what other versions of libraries lead to
        sys.stderr.write(f"seepage-lsp cannot start: {error}\n")
        sys.exit(1)
    run(0, output, analysis, python_only=python_only, ahead=ahead)


def _load() -> None:
    from seepage_lsp import garbage

    garbage.hold()
    from seepage_lsp.compiled import load_types

    load_types()
    load("seepage_lsp.stdio")


if __name__ == "__main__":
    main()
