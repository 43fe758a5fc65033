from __future__ import annotations

from seepage.diagnostics import Diagnostic, ordered
from seepage.rules import BUDGET_VIOLATED, UNDEFINED_VALUE
from seepage.source import Span


def test_findings_stand_in_the_order_of_the_text_each_once_and_the_first_stays() -> None:
    late = Diagnostic(UNDEFINED_VALUE, Span(9, 10), "late")
    early = Diagnostic(BUDGET_VIOLATED, Span(1, 5), "early", notes=("from the check",))
    again = Diagnostic(BUDGET_VIOLATED, Span(1, 5), "early", notes=("from the run",))
    same_place = Diagnostic(UNDEFINED_VALUE, Span(1, 5), "early")

    assert ordered([late, early], [again, same_place]) == (same_place, early, late)
