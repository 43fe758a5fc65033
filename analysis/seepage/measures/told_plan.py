"""How a measure was answered, as front ends tell it."""

from __future__ import annotations

from dataclasses import dataclass

from seepage.diagnostics import Diagnostic
from seepage.measures.planning.plan import Step
from seepage.measures.result import Result


@dataclass(frozen=True, slots=True)
class How:
    """What was tried for a measure.

    Attributes:
        measure: as it is written.
        steps: reductions and ways, in the order in which they were tried; empty if nothing had to be tried.
        result: the number, None where nothing answered.
        refused: why not, else None.
    """

    measure: str
    steps: tuple[Step, ...]
    result: Result | None
    refused: Diagnostic | None
