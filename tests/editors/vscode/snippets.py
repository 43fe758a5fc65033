"""The extension's snippets as the editor would insert them, with every default kept."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from tests.editors.installed import REPOSITORY

FILE = REPOSITORY / "vscode-extension" / "snippets" / "seep.json"
_PLACE = re.compile(r"\$(?:\{(?P<number>\d+):(?P<default>[^{}]*)\}|(?P<bare>\d+))")


@dataclass(frozen=True, slots=True)
class Snippet:
    """A snippet: its name, and its text with the defaults put in."""

    name: str
    text: str

    @property
    def is_program(self) -> bool:
        """Whether it is a program by itself: it declares what is secret and what is seen."""
        return re.search(r"^secret ", self.text, re.MULTILINE) is not None


def snippets() -> list[Snippet]:
    """Return all snippets of the extension."""
    return [
        Snippet(name, expand("\n".join(one["body"])))
        for name, one in json.loads(FILE.read_text(encoding="utf-8")).items()
    ]


def expand(body: str) -> str:
    """Put the defaults in; a place without one repeats that of its number, and is empty if there is none."""
    defaults = {place["number"]: place["default"] for place in _PLACE.finditer(body) if place["number"]}
    return _PLACE.sub(lambda place: defaults.get(place["number"] or place["bare"], ""), body).replace("\t", "    ")
