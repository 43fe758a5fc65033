"""TOML with bounds: text of project files, which come with folders that nobody has looked at, to tables; every fault is data with its line.

Python's reader takes time and memory that grow with the square of the depth of a key, and raises other errors than its own for numbers of
thousands of digits. So how deep a text goes is looked at first, in one pass.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import Any

from seepage.data_classes import dataclass

# Project files have a few: `[tool.a.b.c]`, lists of tables of lists.
MOST_DEPTH = 32

# What depth depends on, with texts and comments taken whole. Nothing is given back once it is read (`*+`), so that one pass is enough; a text
# without an end goes as far as TOML would let it.
_PIECES = re.compile(
    r"""
      "{3} (?: [^"\\] | \\. | "(?!"") )*+ (?: "{3,5} | \Z )
    | '{3} (?: [^'] | '(?!'') )*+ (?: '{3,5} | \Z )
    | " (?: [^"\\\n] | \\. )*+ "?
    | ' [^'\n]*+ '?
    | \# [^\n]*+
    | [.\[\]{}=,\n]
    | [0-9] [0-9_]*+
    """,
    re.VERBOSE | re.DOTALL,
)
_LINE_NUMBER = re.compile(r"line (\d{1,9})")


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a project file: the line, counted from 1, and a sentence."""

    line: int
    message: str


def read_toml(text: str) -> Mapping[str, Any] | Problem:
    """Return the tables of a text, or what is wrong with it."""
    if (line := _too_deep(text)) is not None:
        return Problem(line, f"keys or values are nested more than {MOST_DEPTH} deep, expected a project file")
    import tomllib  # a server starts without a project file

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # TOML's own error is a ValueError
        if not isinstance(error, tomllib.TOMLDecodeError) and (line := _long_number(text)) is not None:
            return Problem(line, f"a number has more than {sys.get_int_max_str_digits():,} digits")
        found = _LINE_NUMBER.search(str(error))
        message = str(error)
        return Problem(int(found[1]) if found else 1, f"the file is no TOML: {message[:1].lower()}{message[1:200]}")


def _too_deep(text: str) -> int | None:
    """Return the line where brackets, or the parts of one key, are nested too deep."""
    brackets = dots = 0
    for piece in _PIECES.finditer(text):
        match piece[0][0]:
            case ".":
                dots += 1
            case "[" | "{":
                brackets, dots = brackets + 1, 0
            case "]" | "}":
                brackets, dots = max(0, brackets - 1), 0
            case "=" | "," | "\n":
                dots = 0
            case _:
                continue
        if max(brackets, dots) > MOST_DEPTH:
            return text.count("\n", 0, piece.start()) + 1
    return None


def _long_number(text: str) -> int | None:
    """Return the line of a number with more digits than Python reads."""
    for piece in _PIECES.finditer(text):
        if len(piece[0]) - piece[0].count("_") > sys.get_int_max_str_digits() and piece[0][0].isdigit():
            return text.count("\n", 0, piece.start()) + 1
    return None


def line_of(text: str, key: str) -> int:
    """Return the first line on which a key is set, or its table begins; Python's reader does not tell places."""
    word = rf"""["']?{re.escape(key)}["']?[^\S\n]*+"""
    pattern = re.compile(rf"""^[^\S\n]*+(?:\[[^\n]*[\[.\s])?{word}[=.\]]|[{{,][^\S\n]*+{word}=""")
    return next((number for number, line in enumerate(text.split("\n"), 1) if pattern.search(line)), 1)
