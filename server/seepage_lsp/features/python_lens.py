"""Lenses of Python files: above a marked function, at its arguments and outputs, and at the measures and budgets of its mark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from seepage.python.occurrences import Occurrence
from seepage.report.markdown import lens_text, output_lens_text, row_lens_text
from seepage_lsp.client import Client
from seepage_lsp.features.answers import is_timed_out
from seepage_lsp.features.code_lens import lens_of, on_one_line, timed_out_after, title_of, worded
from seepage_lsp.features.moved import Moved
from seepage_lsp.features.python_findings import is_stale, present
from seepage_lsp.features.values import values_of
from seepage_lsp.python_files import Marked, PythonFile
from seepage_lsp.settings import Settings
from seepage_lsp.workspace import Snapshot, Status

if TYPE_CHECKING:
    from seepage.functions import FunctionProgram
    from seepage.pipeline import Analysis

_VARIED = re.compile(r"\b([^\W\d]\w*+)\s++in\b")


def code_lenses(file: PythonFile, settings: Settings, client: Client) -> list[types.CodeLens]:
    """Return the lenses in the order of the text; none if they are switched off."""
    if file.source is None or not settings.code_lens:
        return []
    moved, found = Moved(file.source, present(file)), list[types.CodeLens]()
    for marked in file.functions.values():
        snapshot = marked.document.snapshot(settings)
        for one, text in _lenses(marked, snapshot):
            place = moved.span(one.span)
            if place is not None:
                title = _title(file, marked, snapshot, text)
                shows = not is_stale(file, marked, snapshot) or snapshot.status is Status.COMPUTING
                found.append(lens_of(snapshot.uri, on_one_line(file.lines, place), title, client, shows=shows))
    return sorted(found, key=lambda lens: (lens.range.start.line, lens.range.start.character))


def _lenses(marked: Marked, snapshot: Snapshot) -> Iterator[tuple[Occurrence, str]]:
    """Yield the places that have a lens, with the words of the last analysis; empty words where it has none."""
    translation, told = marked.program.translation, marked.told()
    for one in () if translation is None else translation.occurrences:
        match one.role:
            case "function":
                yield one, "" if told is None else _whole(one.name, told[1])
            case "argument" | "output" | "question":
                texts = [] if told is None else [*_texts(one, *told, snapshot)]
                asked = one.role == "question" and not texts
                yield from ((one, text) for text in (texts or ([""] if asked else [])))
            case "use" | "law":
                pass


def _texts(one: Occurrence, program: FunctionProgram, analysis: Analysis, snapshot: Snapshot) -> Iterator[str]:
    """Yield what the last analysis says of a name, or of a measure or budget."""
    source, digits, values = program.file, snapshot.settings.digits, values_of(snapshot)
    late = timed_out_after(snapshot.settings.time_limit)
    for row in analysis.table:
        if one.role == "argument" and row.headline and row.secret == one.name:
            text = late if is_timed_out(row) else row_lens_text(row, source, digits)
            yield worded(f"{row.secret}: {text}", values.of_shown())
    facts = analysis.variables.get(one.name)
    if one.role == "output" and facts is not None and not _is_statement(one):
        yield worded(f"{one.name}: {output_lens_text(facts, source, digits)}", values.of_shown())
    for answer in analysis.answers:
        if one.role == "question" and answer.text == one.name:
            text = late if is_timed_out(answer) else lens_text(answer, source, digits)
            judged = f"{answer.verdict} · " if is_timed_out(answer) and answer.verdict else ""
            varied = frozenset(_VARIED.findall(answer.over))
            yield worded(judged + text, values.of_budget(varied) if answer.role == "require" else values.of_shown())


def _is_statement(one: Occurrence) -> bool:
    """Whether an output stands at a ``return``, and not in the mark."""
    return one.span.end - one.span.start == len("return")


def _whole(name: str, analysis: Analysis) -> str:
    """Return what is said of a function as a whole: what is seen of it, and how its budgets stand."""
    seen = [each for each, facts in analysis.variables.items() if facts.role == "output"]
    verdicts = [answer.verdict for answer in analysis.answers if answer.verdict is not None]
    budgets = [f"{verdicts.count(one)} {one}" for one in dict.fromkeys(verdicts)]
    parts = [f"leakage of {name}" + (f" through {', '.join(seen)}" if seen else "")]
    return " · ".join([*parts, *([f"budgets: {', '.join(budgets)}"] if budgets else [])])


def _title(file: PythonFile, marked: Marked, snapshot: Snapshot, text: str) -> str:
    if file.is_broken or marked.is_blocked:
        return f"{text} · stale" if text else "no result: the function has errors"
    return title_of(snapshot, text)
