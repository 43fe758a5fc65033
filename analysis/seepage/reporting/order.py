"""What a process is asked to find out for a report: one file, as ``check`` has it analysed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from seepage.checking.order import NO_ANSWER, Broke, Order, Work
from seepage.data_classes import dataclass
from seepage.reporting.told import Background
from seepage.reporting.values import read_as

if TYPE_CHECKING:
    from seepage.measures.result import Json


@dataclass(frozen=True, slots=True)
class BackgroundOrder:
    """One text of which the background is asked."""

    work: ClassVar[Work] = "report"
    order: Order

    @property
    def seconds(self) -> float:
        """Of a processor, that it may take."""
        return self.order.seconds

    @property
    def value(self) -> Mapping[str, Json]:
        """The question as a JSON value."""
        return self.order.value

    def answer(self, value: object) -> Background | Broke:
        """Return the answer that a JSON value holds; what is none is a fault of Seepage."""
        try:
            return read_as(Background, value)
        except (ValueError, TypeError, RecursionError):
            return NO_ANSWER
