"""The examples that come with the package, in the groups of their page, ``examples/README.md``."""

from __future__ import annotations

import re
from pathlib import Path

from seepage.data_classes import dataclass

_HERE = Path(__file__).parent / "examples"
# In a wheel they lie beside this module, in a checkout at its root.
FOLDER = _HERE if _HERE.is_dir() else Path(__file__).parents[2] / "examples"
_GROUP = re.compile(r"^## (.+)$")
_ROW = re.compile(r"^\| (\[[^|]*) \| ([^|]*) \|$")
_PROGRAM = re.compile(r"\[([^][]+)\]\(([\w-]+\.seep)\)")


@dataclass(frozen=True, slots=True)
class Example:
    """A program of the gallery.

    Attributes:
        name: of its file, with its ending.
        title: for people.
        group: the heading it stands under.
        shows: in a few words.
    """

    name: str
    title: str
    group: str
    shows: str


def examples() -> list[Example]:
    """Return the programs of the gallery in the order of its page; raises ``OSError`` if the page cannot be read."""
    found: list[Example] = []
    group = ""
    for line in (FOLDER / "README.md").read_text(encoding="utf-8").splitlines():
        if heading := _GROUP.match(line):
            group = heading[1]
        elif row := _ROW.match(line):
            found += [Example(name, title, group, row[2].strip()) for title, name in _PROGRAM.findall(row[1])]
    return found
