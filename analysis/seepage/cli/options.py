"""Options and arguments that commands share."""

from __future__ import annotations

import math
from typing import Any

import click

from seepage.configuration import WANTED_DIGITS


class _File(click.Path):
    """Only the name of a file or folder: click's own checks would end the command at the first one that they refuse, with exit code 2."""

    def __init__(self) -> None:
        super().__init__(readable=False, allow_dash=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name; an empty one, which would be that of the folder where the command runs, is wrong use."""
        if value == "":
            self.fail("found an empty name, expected a file: a variable of the shell may be empty", param, ctx)
        return super().convert(value, param, ctx)


class _Seconds(click.FloatRange):
    """A range that refuses what is no number: it compares with nothing, so a limit of it would never be reached."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the seconds; anything else is wrong use."""
        seconds = float(super().convert(value, param, ctx))
        if math.isnan(seconds):
            self.fail(f"found '{value}', expected a number of seconds", param, ctx)
        return seconds


FILE = _File()
DIGITS = click.option(
    "--digits",
    type=click.IntRange(WANTED_DIGITS[0], WANTED_DIGITS[-1]),
    help="Show numbers with at most so many digits, and never with more than are certain.",
)
SECONDS = _Seconds(min=0.1)
