"""What journeys look for in the window, and in the processes of the machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from tests.editors.installed import REPOSITORY

EXAMPLE = REPOSITORY / "examples" / "randomized-response-single.seep"


LENS = ".codelens-decoration"


STATUS = ".statusbar-item"


NOTE = ".notification-toast"


THEMES = {"Default Light Modern": "light", "Default Dark Modern": "dark", "Default High Contrast": "dark"}


# What is left of these values in the sum of their squares takes many seconds to find.
TAKES_LONG = """secret s
output o
o := 0
for i in 1..40 {
    s[i] ~ uniform_int(0, 300)
    o := o + s[i]^2
}
"""


# The pictures of budgets' marks in the gutter, as far as they are in sight.
MARKS = """() => [...document.querySelectorAll(".margin-view-overlays .cgmr, .glyph-margin-widgets .cgmr")]
  .map((one) => getComputedStyle(one).backgroundImage.match(/(holds|violated|unknown)-(light|dark)/)?.[0]).filter(Boolean)"""


# The lines on which heat is marked in the gutter, by what is written there, each with its level and theme.
HEAT = """() => {
  const lines = [...document.querySelectorAll(".view-line")].map((one) => [Math.round(one.getBoundingClientRect().top), one.textContent.replaceAll("\u00a0", " ").trim()]);
  return [...document.querySelectorAll(".margin-view-overlays .cgmr, .glyph-margin-widgets .cgmr")].flatMap((one) => {
    const level = getComputedStyle(one).backgroundImage.match(/heat-((?:low|middle|high)-(?:light|dark))/)?.[1];
    const top = one.getBoundingClientRect().top;
    const line = lines.find(([at]) => Math.abs(at - top) < 8);
    return level === undefined ? [] : [`${level} ${line?.[1]}`];
  });
}"""


def servers(folder: Path) -> list[int]:
    """Return the processes of language servers that were started from a folder's environment."""
    command = str(folder / ".venv" / "bin" / "seepage-lsp")
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
            except OSError:
                continue  # it has ended meanwhile
            if command in words and state != "Z":
                found.append(int(entry.name))
    return sorted(found)


def eventually(look: Callable[[], list[int]], good: Callable[[list[int]], bool], limit: float = 60) -> list[int]:
    """Look until what is seen is good; return what is seen last."""
    deadline = time.monotonic() + limit
    while not good(found := look()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert good(found), found
    return found
