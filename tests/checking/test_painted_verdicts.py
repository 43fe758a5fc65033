"""The verdict of a budget is painted where it stands, also where the budget's own text holds the same words."""

from __future__ import annotations

import pytest

from seepage.checking.codec import read_report, report_value
from seepage.checking.file_report import FileReport
from seepage.checking.formats.text import text_of
from seepage.checking.judging import Judged
from seepage.checking.order import Order
from seepage.checking.work import analysed
from seepage.report.paint import Paint
from seepage.source import SourceFile

TEXT = 'secret s\noutput o\ns ~ {": holds": 1/2, ": violated": 1/2}\no := s\nrequire P(s == ": holds") <= 1\nrequire P(s == ": violated") <= 0\n'


@pytest.mark.parametrize("kept", [False, True])
def test_the_verdict_alone_is_painted(kept: bool) -> None:
    report = analysed(Order("a.seep", TEXT, "bits", None, 30.0, {}, {}, ""))
    assert isinstance(report, FileReport)
    if kept:
        report = read_report(report_value(report), len(TEXT))

    lines = text_of(
        Judged(SourceFile("a.seep", TEXT), report, None, (), frozenset(), False), named=False, paint=Paint(on=True)
    ).splitlines()

    holds, violated = (line for line in lines if line.startswith("require"))
    assert holds.startswith('require P(s == ": holds") <= 1: \x1b')
    assert violated.startswith('require P(s == ": violated") <= 0: \x1b')
