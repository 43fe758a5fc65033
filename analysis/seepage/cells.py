"""Cells of notebooks: ``%load_ext seepage``, then ``%%seep`` above a program.

A cell is checked and analysed where it stands; what was found, and the numbers, stand below it. IPython is imported by nobody here: it calls
:func:`load_ipython_extension` and brings itself along.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.files import Folder
from seepage.measures.asking import InformationUnit
from seepage.notebook import lines_html
from seepage.pipeline import Analysis, check
from seepage.program import Program, parse
from seepage.report.findings import diagnostics_text
from seepage.report.text import analysis_text
from seepage.report.views import html, told_findings
from seepage.source import SourceFile
from seepage.symbols.completion import context_at, names_that_fit

_SECONDS = 30.0
_OPTIONS = ("--nats", "--set", "--time-limit")
_USAGE = "%%seep [NAME] [--set PARAM=VALUE]… [--time-limit SECONDS] [--nats]"


class Shell(Protocol):
    """What is used of IPython's shell."""

    user_ns: dict[str, Any]

    def register_magic_function(self, func: Callable[..., object], magic_kind: str, magic_name: str) -> None:
        """Make a function a magic of lines or cells."""
        ...


@dataclass(frozen=True, slots=True)
class Offered:
    """What may be written at the cursor, as IPython takes it."""

    text: str
    type: str = ""


def completed(context: Any) -> dict[str, Any]:  # IPython's, which is not imported
    """Offer what may stand at the cursor inside of cells of ``%%seep``, elsewhere nothing: a matcher of IPython's completer."""
    head, *lines = str(context.full_text).split("\n")
    if not re.match(r"\s*%%seep\b", head):
        return {"completions": []}
    place, line = int(context.cursor_position), int(context.cursor_line) - 1
    if line < 0:
        word = re.search(r"\S*$", head[:place])
        fragment = "" if word is None else word[0]
        offered = tuple(each for each in _OPTIONS if fragment and each.startswith(fragment))
    else:
        offset = sum(len(each) + 1 for each in lines[:line]) + place
        checked = check(SourceFile("<cell>", "\n".join(lines), files=Folder(os.getcwd())))
        there = context_at(checked, offset)
        fragment, offered = there.word, names_that_fit(there)
    return {"completions": list(map(Offered, offered)), "matched_fragment": fragment, "suppress": True}


_MATCHER = {"matcher_api_version": 2, "matcher_identifier": "seepage.cells", "matcher_priority": 100.0}
for _name, _value in _MATCHER.items():  # IPython looks for them at the function
    setattr(completed, _name, _value)


@dataclass(frozen=True, slots=True)
class Shown:
    """A cell's program with what is known of it, shown as text in terminals and as tables in notebooks.

    Attributes:
        program: the cell.
        analysis: its numbers; None if an error keeps it from being analysed.
        note: what is to be known beside them; "" for nothing.
    """

    program: Program
    analysis: Analysis | None
    note: str = ""

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """The findings of the check and of the analysis, without hints."""
        return told_findings((*self.program.diagnostics, *(() if self.analysis is None else self.analysis.diagnostics)))

    def __repr__(self) -> str:
        """Return findings and numbers as the command line tells them."""
        source = self.program.source
        numbers = "" if self.analysis is None else analysis_text(source, self.analysis)
        return "\n\n".join(part for part in (diagnostics_text(source, self.findings), numbers, self.note) if part)

    def _repr_html_(self) -> str:
        """Return findings, answers and the leakage table; all text of people is escaped."""
        found = lines_html(diagnostics_text(self.program.source, self.findings)) if self.findings else ""
        numbers = "" if self.analysis is None else html(replace(self.analysis, diagnostics=()))
        return found + numbers + (lines_html(self.note) if self.note else "")


def load_ipython_extension(shell: Shell) -> None:
    """Make ``%%seep`` known; IPython calls this for ``%load_ext seepage``."""

    def seep(line: str, cell: str) -> Shown:
        asked = _asked(line)
        shown = analysed(cell, asked)
        if not asked.name:
            return shown
        shell.user_ns[asked.name] = shown.program
        return replace(shown, note=_kept(asked))

    seep.__doc__ = (
        f"Analyse the program in the cell: {_USAGE}. With NAME, the program is kept under it, to be asked more."
    )
    shell.register_magic_function(seep, "cell", "seep")
    matchers = getattr(getattr(shell, "Completer", None), "custom_matchers", None)  # since IPython 8.6
    if matchers is not None and completed not in matchers:
        matchers.append(completed)


@dataclass(frozen=True, slots=True)
class _Asked:
    """The line of a cell: the variable for the program, values of parameters, limit and unit."""

    name: str
    params: Mapping[str, str]
    seconds: float
    nats: bool


def analysed(cell: str, asked: _Asked) -> Shown:
    """Return a cell's program with what is known of it; files that it names lie in the folder of the notebook."""
    program = parse(cell, "<cell>", files=Folder(os.getcwd()))
    if any(each.is_error for each in program.diagnostics):
        return Shown(program, None)
    unit: InformationUnit = "nats" if asked.nats else "bits"
    return Shown(program, program.analyze(params=asked.params, unit=unit, seconds=asked.seconds))


def _asked(line: str) -> _Asked:
    """Read the line of a cell.

    Raises:
        ValueError: if it is not of the form of ``_USAGE``.
    """
    name, params, seconds, nats = "", dict[str, str](), _SECONDS, False
    words = shlex.split(line)
    while words:
        word = words.pop(0)
        if word == "--nats":
            nats = True
        elif word == "--set" and words and "=" in words[0]:
            parameter, _, value = words.pop(0).partition("=")
            params[parameter] = value
        elif word == "--time-limit" and words:
            seconds = _seconds(words.pop(0))
        elif word.isidentifier() and not name:
            name = word
        else:
            raise ValueError(f"found {word!r} behind %%seep, expected {_USAGE}")
    return _Asked(name, params, seconds, nats)


def _kept(asked: _Asked) -> str:
    """Return what is to be known of a program that is kept where values were set: it has those of its text."""
    if not asked.params:
        return ""
    given = ", ".join(f"{name}={value}" for name, value in asked.params.items())
    return f"'{asked.name}' keeps the defaults of its text: the numbers above are of {given}, and its methods have to be told that, too"


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise ValueError(f"found the time limit {text!r}, expected a number of seconds above 0")
    return seconds
