"""Documentation comments as people are shown them: what their author wrote, as text that can be nothing else.

A program may come from anybody, so a comment must not load a picture, run a command, hide what stands around it, or pass for a number of
Seepage's. This is the one place that comments go through on their way out; where they are shown, they come last, in a section that says whose
words they are. In Markdown every mark is written as a character; code between grave accents on one line and addresses of the web stay what
they are, with the whole address in sight.
"""

from __future__ import annotations

import re
import unicodedata

# A few paragraphs; a hover shows no more, and an editor lays out all that it gets.
LONGEST, MOST_LINES = 4_000, 60
HEADING = "*documentation in the program*"

# Without a width, or turning the direction of what follows; and the ends of lines that are none in the language.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Without a glyph, though letters or marks by their category.
_BLANK = frozenset("\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}\N{HANGUL FILLER}\N{HALFWIDTH HANGUL FILLER}")
_VARIATIONS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef\N{COMBINING GRAPHEME JOINER}]")
_MOST_MARKS = 3  # on one letter; more of them cover the lines around it

# Each alternative ends where its characters do, and none can be read in two ways.
_PIECES = re.compile(
    r"(?<!`)`[^`]++`(?!`)|https?://[A-Za-z0-9._~:/?#@!$%&*+,;=-]++|[!-/:-@\[-`{-~]|[^!-/:-@\[-`{-~h]++|h"
)
_ENDS = ".,;:!?*"  # of a sentence rather than of the address before it


def plain_documentation(text: str) -> str:
    """Return a comment without what cannot be seen, and no longer than what is read: for places that show text as it is."""
    kept: list[str] = []
    marks = 0
    for sign in text[: 2 * LONGEST]:
        category = unicodedata.category(sign)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if sign == "\n":
            kept.append(sign)
        elif sign == "\t" or category in ("Zl", "Zp"):
            kept.append(" ")
        elif category not in _HIDDEN and sign not in _BLANK and marks <= _MOST_MARKS and not _VARIATIONS.match(sign):
            kept.append(sign)
    lines = "".join(kept).split("\n")
    shown = "\n".join(line.strip() for line in lines[:MOST_LINES]).strip("\n")
    cut = len(text) > 2 * LONGEST or len(shown) > LONGEST or len(lines) > MOST_LINES
    return f"{shown[:LONGEST].rstrip()} …" if cut else shown


def documentation_section(text: str) -> str:
    """Return a comment as the last section of a page of Markdown; empty for one in which nothing is to be seen."""
    lines = [line for line in plain_documentation(text).split("\n") if line]
    if not lines:
        return ""
    return "\n\n---\n\n" + "\\\n".join([HEADING, *map(_as_written, lines)])


def _as_written(line: str) -> str:
    return "".join(found[0] if _ends_a_word(found, line) else _piece(found[0]) for found in _PIECES.finditer(line))


def _ends_a_word(found: re.Match[str], line: str) -> bool:
    """Tell whether a sign stands between a letter and a blank, where it is punctuation in every Markdown, and reads better without a backslash."""
    before, behind = line[: found.start()][-1:], line[found.end() :][:1]
    return found[0] in (".", ",", "?") and before.isalpha() and behind in ("", " ")


def _piece(piece: str) -> str:
    if piece.startswith("http") and "://" in piece:
        address = piece.rstrip(_ENDS)
        return f"<{address}>" + "".join(f"\\{sign}" for sign in piece[len(address) :])
    if len(piece) > 1 and piece.startswith("`"):
        return piece
    return f"\\{piece}" if len(piece) == 1 and piece.isascii() and not piece.isalnum() and piece != " " else piece
