"""Snapshots made by hand: a text, and what an analysis is to have said of it."""

from __future__ import annotations

from typing import Any

from lsprotocol.types import Position, Range

from seepage.measures.facts import Answer, LeakageRow, VariableFacts
from seepage.measures.formulas.condition import Condition
from seepage.measures.result import Certainty, Formula, Result
from seepage.pipeline import Analysis
from seepage.semantics.check import check
from seepage.source import SourceFile, Span
from seepage_lsp.client import Client
from seepage_lsp.positions import Encoding, Lines
from seepage_lsp.settings import Settings
from seepage_lsp.workspace import Finished, Snapshot, inputs_of

URI = "untitled:a"
VSCODE = Client(markdown=True, related_information=True, code_actions=True, versioned_edits=True, nested_symbols=True)
PLAIN = Client()

TEXT = """\
/// a coin
param p in [0, 1] = 1/2
const n = 2
secret r
output o
/* 𝒳 */ r ~ bernoulli(p)
o := r
show I(r; o)
require I(r; o) <= 1/2 bits
"""


def snapshot(text: str = TEXT, analysis: Analysis | None = None, of: str | None = None, **more: Any) -> Snapshot:
    """Return a snapshot with the analysis of this text, or of the older text ``of``."""
    older = SourceFile(URI, text if of is None else of, 1)
    settings = more.pop("settings", Settings())
    encoding = more.pop("encoding", Encoding.UTF16)
    return Snapshot(
        uri=URI,
        version=2,
        lines=Lines.of(text, encoding),
        checked=check(SourceFile(URI, text, 2)),
        finished=None if analysis is None else Finished(analysis, older, inputs_of(older.text, settings)),
        settings=settings,
        **more,
    )


def span(part: str, text: str = TEXT) -> Span:
    """Return where a part of a text stands first."""
    start = text.index(part)
    return Span(start, start + len(part))


def name_after(word: str, name: str, text: str = TEXT) -> Span:
    """Return where a name stands behind a word and a blank."""
    start = span(f"{word} {name}", text).end - len(name)
    return Span(start, start + len(name))


def at(part: str, text: str = TEXT, shift: int = 0, encoding: Encoding = Encoding.UTF16) -> Position:
    """Return the position of the first occurrence of a part of a text."""
    return Lines.of(text, encoding).position(text.index(part) + shift)


def place(part: str, text: str = TEXT, encoding: Encoding = Encoding.UTF16) -> Range:
    return Lines.of(text, encoding).range(span(part, text))


def result(measure: str, value: float, **more: Any) -> Result:
    """Return an exact number of bits."""
    return Result(measure, "bits", value, value, value, Certainty.EXACT, "discrete", **more)


def coin() -> Analysis:
    """Return an analysis of :data:`TEXT`."""
    formula = Formula("-p*log2(p) - (1 - p)*log2(1 - p)", "", (Condition("0 < p"), Condition("p < 1")))
    information = result("I(r; o)", 1.0, formula=formula)
    answers = (
        Answer("show", span("show I(r; o)"), "I(r; o)", information),
        Answer("require", span("require I(r; o) <= 1/2 bits"), "I(r; o) <= 1/2 bits", information, "violated"),
    )
    table = (LeakageRow("r", "o", name_after("secret", "r"), True, information),)
    variables = {
        "r": VariableFacts(
            "r", name_after("secret", "r"), "secret", "boolean", result("H(r)", 1.0), information=information
        ),
        "o": VariableFacts("o", name_after("output", "o"), "output", "boolean", result("H(o)", 0.75)),
    }
    return Analysis(1, answers, table, variables, (), 0.1)
