"""The fenced blocks of a Markdown page."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(
    r"^(?P<indent>[ ]*)```(?P<language>\w*)\n(?P<text>.*?)^(?P=indent)```[ ]*$", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Block:
    """One block: its language, its text without the page's indentation, and the line of the page on which the text begins."""

    language: str
    text: str
    line: int


def blocks(page: str, language: str) -> list[Block]:
    """Return the blocks of a language in a page, named by its path in the repository."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [
        Block(language, textwrap.dedent(match["text"]), text.count("\n", 0, match.start("text")) + 1)
        for match in _FENCE.finditer(text)
        if match["language"] == language
    ]
