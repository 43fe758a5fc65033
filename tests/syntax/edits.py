"""Random changes of texts, as in an editor."""

from __future__ import annotations

import random

from tests.syntax.programs import PROGRAMS, WORDS

from seepage.diagnostics import Edit
from seepage.source import Span

# What changes how a text is cut, apart from the words of the language.
SIGNS = [
    "",
    "",
    "\n",
    "\r",
    "\r\n",
    "{",
    "}",
    "/",
    "*",
    "//",
    "/*",
    "*/",
    "///",
    ":",
    "=",
    "~",
    ";",
    "if x == 1 {",
    "} else {",
]


def change(text: str, chance: random.Random) -> Edit:
    """Return some change of a text."""
    start = chance.randint(0, len(text))
    end = min(len(text), start + chance.choice([0, 0, 1, 1, 2, 5, 40]))
    return Edit(
        Span(start, end), chance.choice([chance.choice(SIGNS), chance.choice(WORDS), f" {chance.choice(WORDS)} "])
    )


def some_text(chance: random.Random) -> str:
    """Return some text to start from: a program, two of them, one with other line ends or none, or words in no order."""
    text: str = chance.choice(PROGRAMS)
    match chance.randrange(5):
        case 0:
            text = "\n".join([text, chance.choice(PROGRAMS)])
        case 1:
            text = text.replace("\n", chance.choice(["\r\n", "\r", " "]))
        case 2:
            text = "".join(chance.choices(WORDS + SIGNS, k=60))
    return text[:1_500]
