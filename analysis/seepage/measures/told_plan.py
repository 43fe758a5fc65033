"""How a measure was answered, as front ends tell it."""

from __future__ import annotations

from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.measures.planning.plan import Step
from seepage.measures.result import Result
from seepage.notebook import Rendered


@dataclass(frozen=True, slots=True)
class How(Rendered):
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

    def __repr__(self) -> str:
        """Return what was tried; the steps are many."""
        end = self.refused.message if self.result is None and self.refused is not None else str(self.result)
        return (
            f"<How {self.measure} is answered, in {len(self.steps)} step{'s' if len(self.steps) != 1 else ''}: {end}>"
        )
