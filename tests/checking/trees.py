"""Trees of programs, and runs of the command over them, as a user runs it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from seepage.cli.main import cli

# What 'o' tells of 's' is 1 − h(1/4) bits, h the binary entropy: 0.188722….
LEAKY = "secret s\noutput o\ns ~ bernoulli(1/2)\nt ~ bernoulli(1/4)\no := s xor t\n"
HOLDS = f"{LEAKY}require I(s; o) <= 0.2 bits\n"
VIOLATED = f"{LEAKY}require I(s; o) <= 0.1 bits\n"
# A product of normals is beyond what is computed: nobody can tell.
UNDECIDED = "x ~ normal(0, 1)\ny ~ normal(0, 1)\nz := abs(x * y)\nrequire I(x; z) <= 1/10\n"
WRONG = "secret s\noutput o\ns ~ bernoulli(1/2)\no := s + u\n"


def tree(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files below a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def run(*arguments: str | Path, inside: Path | None = None, text: str | None = None) -> Result:
    """Run the command, in a folder; with one process of its own, unless the arguments say how many."""
    if arguments[:1] in (("check",), ("diff",)) and not {"--jobs", "--dask"} & set(arguments):
        arguments = (arguments[0], "--jobs", "1", *arguments[1:])
    before = os.getcwd()
    if inside is not None:
        os.chdir(inside)
    try:
        return CliRunner().invoke(cli, [str(argument) for argument in arguments], input=text)
    finally:
        os.chdir(before)


def reports(*arguments: str | Path, inside: Path) -> list[dict[str, Any]]:
    """Return the reports that a run has as JSON, a list also where it is one."""
    found = json.loads(run("check", *arguments, "--format", "json", inside=inside).stdout)
    return found if isinstance(found, list) else [found]
