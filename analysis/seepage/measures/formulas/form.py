"""What a search for a formula ends with."""

from __future__ import annotations

from seepage.data_classes import dataclass
from seepage.measures.notes import Note
from seepage.measures.quantity import Search
from seepage.measures.result import Formula


@dataclass(frozen=True, slots=True)
class ClosedForm:
    """A measure as a formula, or as a circuit where no formula is short enough, and what people should know about it; or the search that finds it later."""

    formula: Formula | None = None
    notes: tuple[Note, ...] = ()
    search: Search | None = None


NO_FORMULA = ClosedForm()
