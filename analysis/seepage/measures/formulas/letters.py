"""The letters and words that formulas use on their own, and names of programs that are spelled like one of them.

A formula writes ``e^x``, ``π``, ``ln`` and ``log₂``, whatever the program calls its parameters. A parameter that is called ``e`` is
therefore written as code: ``'e'`` in text, ``\\mathtt{e}`` in LaTeX, in a monospaced font in MathML. Names that a formula
introduces (``q := …``, ``h(x) := …``) need no row here: they are chosen among those that the program does not have.
"""

from __future__ import annotations

import re

OWN = ("e", "π", "pi", "ln", "log", "log2", "sqrt", "max", "min")
"""Euler's number, the number π (as which ``pi`` is read, and written in LaTeX and MathML), and functions."""

_OWN_IN_CODE = re.compile(rf"\"[^\"]*+\"|(?<!\w)(?:{'|'.join(OWN)})(?![\w(])")  # not in a symbol


def is_own(name: str) -> bool:
    """Tell whether a name of a program would be read as something that formulas write on their own."""
    return name in OWN


def quoted(name: str) -> str:
    """Return a name of a program as text of formulas has it."""
    return f"'{name}'" if is_own(name) else name


def code_quoted(code: str) -> str:
    """Return an expression of the program as text of formulas has it: functions are those of the language."""
    return _OWN_IN_CODE.sub(lambda found: found[0] if found[0].startswith('"') else quoted(found[0]), code)
