"""An analysis whose numbers tell which text and which settings they are of: ``flip(k/1009)`` gives k of the unit."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from seepage.source import Span
from seepage_lsp.analysis_process import Job

if TYPE_CHECKING:
    from seepage.pipeline import Analysis

NUMBER = re.compile(r"flip\((\d+)/1009\)")
QUESTION = "show H(r)"


def number(text: str) -> int | None:
    """Return the number that an analysis of a text gives, if it gives one."""
    found = NUMBER.search(text)
    return int(found[1]) if found else None


def analyze(job: Job, tell: object = None) -> Analysis:
    """Return the number of the text for its question, and in a finding; take the milliseconds that a comment asks for."""
    from seepage.diagnostics import Diagnostic
    from seepage.measures.facts import Answer, VariableFacts
    from seepage.measures.result import Certainty, Result
    from seepage.pipeline import Analysis
    from seepage.rules import UNDEFINED_VALUE

    text = job.source.text
    for slow in re.findall(r"// slow (\d+)", text):
        time.sleep(int(slow) / 1000)
    value = number(text)
    start = text.find(QUESTION)
    if value is None or start < 0:
        return Analysis(job.source.version, (), (), {}, (), 0.0)
    span, where = Span(start, start + len(QUESTION)), text.index("secret r") + 7
    result = Result("H(r)", job.unit, float(value), float(value), float(value), Certainty.EXACT, "discrete")
    facts = VariableFacts("r", Span(where, where + 1), "secret", "boolean", result)
    told = Diagnostic(UNDEFINED_VALUE, span, f"the number is {value} {job.unit}")
    return Analysis(job.source.version, (Answer("show", span, "H(r)", result),), (), {"r": facts}, (told,), 0.0)
