"""A report as PDF, by the LaTeX that is installed."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

_SECONDS = 120
_RUNS = 2  # of pdflatex: tables that break over pages find their widths in the first
_NAME = "report"
# Nothing that a text says can run a command or reach a file outside of the folder.
_SAFE = ("-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape")


class NoLatex(Exception):
    """There is no LaTeX here, or it did not make a PDF; the message says what to do."""


def pdf_of(tex: str) -> bytes:
    """Return the PDF that pdfLaTeX makes of a document.

    Raises:
        NoLatex: it is not installed, or did not make one.
    """
    command = _command()
    with tempfile.TemporaryDirectory(prefix="seepage-report-") as folder:
        Path(folder, f"{_NAME}.tex").write_text(tex, encoding="utf-8")
        for _ in range(1 if "latexmk" in command[0] else _RUNS):
            try:
                done = subprocess.run(
                    [*command, f"{_NAME}.tex"],
                    cwd=folder,
                    capture_output=True,
                    timeout=_SECONDS,
                    stdin=subprocess.DEVNULL,
                )
            except subprocess.TimeoutExpired:
                raise NoLatex(
                    f"{command[0]} did not end within {_SECONDS} s; write a .tex file and run it by hand"
                ) from None
            except OSError as error:
                raise NoLatex(f"{command[0]} cannot be run: {error.strerror or error}") from None
            if done.returncode:
                raise NoLatex(
                    f"{Path(command[0]).name} failed: {_fault(Path(folder))}; write a .tex file and run it by hand"
                )
        return Path(folder, f"{_NAME}.pdf").read_bytes()


def _command() -> list[str]:
    """Return how LaTeX is run here.

    Raises:
        NoLatex: it is not installed.
    """
    pdflatex, latexmk = shutil.which("pdflatex"), shutil.which("latexmk")
    if latexmk is not None and pdflatex is not None:
        return [latexmk, "-norc", "-pdf", *_SAFE]
    if pdflatex is not None:
        return [pdflatex, *_SAFE]
    raise NoLatex(
        "a PDF needs LaTeX, and there is no pdflatex on PATH: install TeX Live (on Debian: apt install texlive-latex-base), or write .html and print it"
    )


def _fault(folder: Path) -> str:
    """Return the first line of the log that tells what is wrong."""
    try:
        log = Path(folder, f"{_NAME}.log").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "it left no log"
    return next((line[2:] for line in log.splitlines() if line.startswith("! ")), "its log names no error")
