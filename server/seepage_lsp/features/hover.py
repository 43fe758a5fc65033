"""What is shown at a place: numbers of the last analysis for variables and questions, domains of parameters, the meaning of words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from lsprotocol import types

from seepage.measures.facts import LeakageRow, VariableFacts
from seepage.report.markdown import (
    describe_answer,
    describe_constant,
    describe_parameter,
    describe_row,
    describe_unmeasured,
    describe_variable,
)
from seepage.semantics.checked import Checked
from seepage.source import Span
from seepage.symbols.names import occurrence_at
from seepage_lsp.client import Client
from seepage_lsp.features.answers import answer_of, rows_of
from seepage_lsp.features.plain import plain
from seepage_lsp.features.words import describe_word
from seepage_lsp.workspace import Snapshot, Status

# VS Code cuts Markdown at 100,000 characters.
LONGEST_HOVER = 60_000

_ELEMENT = re.compile(r"\s*\[\s*(\d+)\s*\]")
_COMMENT = re.compile(r"//")
_WORD = re.compile(r"\w+")


def hover(snapshot: Snapshot, position: types.Position, client: Client) -> types.Hover | None:
    """Return what is known of the thing at a position, or None."""
    checked = snapshot.checked
    if checked is None:
        return None
    found = _at(snapshot, checked, snapshot.lines.offset(position))
    if found is None:
        return None
    span, markdown = found
    if len(markdown) > LONGEST_HOVER:
        markdown = markdown[:LONGEST_HOVER] + " …"
    contents = (
        types.MarkupContent(types.MarkupKind.Markdown, markdown)
        if client.markdown
        else types.MarkupContent(types.MarkupKind.PlainText, plain(markdown))
    )
    return types.Hover(contents=contents, range=snapshot.lines.range(span))


def _at(snapshot: Snapshot, checked: Checked, offset: int) -> tuple[Span, str] | None:
    if (named := occurrence_at(checked, offset)) is not None:
        span, name = named
        text = _name(snapshot, checked, span, name)
        if text is not None:
            return span, text
    word = _word_at(checked.source.text, offset)
    meaning = describe_word(checked.source[word]) if word is not None else None
    questions = [*(one.span for one in checked.symbols.shows), *(one.span for one in checked.symbols.requires)]
    for span in questions:
        if span.contains(offset) and (answer := answer_of(snapshot, span)) is not None:
            described = describe_answer(answer, snapshot.finished.source if snapshot.finished else None)
            parts = [_with_status(snapshot, described), *([meaning] if meaning is not None else [])]
            return span, "\n\n---\n\n".join(parts)
    return (word, meaning) if word is not None and meaning is not None else None


def _name(snapshot: Snapshot, checked: Checked, span: Span, name: str) -> str | None:
    symbols = checked.symbols
    if name in symbols.params:
        return describe_parameter(symbols.params[name], snapshot.settings.parameters.get(name))
    if name in symbols.consts:
        return describe_constant(name, symbols.consts[name])
    return _variable(snapshot, checked, span, name)


def _variable(snapshot: Snapshot, checked: Checked, span: Span, name: str) -> str | None:
    finished = snapshot.finished
    element = _ELEMENT.match(checked.source.text, span.end)
    keys = [f"{name}[{int(element[1])}]", name] if element else [name]
    if finished is not None:
        facts = [finished.analysis.variables[key] for key in keys if key in finished.analysis.variables]
        if facts:
            described = [describe_variable(facts[0], finished.source)]
            described += [describe_row(row, finished.source) for row in _further_rows(snapshot, facts[0], keys)]
            return _with_status(snapshot, "\n\n---\n\n".join(described))
    return _without_numbers(snapshot, checked, name)


def _further_rows(snapshot: Snapshot, facts: VariableFacts, declared: list[str]) -> Iterator[LeakageRow]:
    """Yield the leakage of a secret, declared under one of some names, without what its facts say already."""
    for row in (row for name in declared for row in rows_of(snapshot, name)):
        if row.secret == facts.name and facts.information is not None:
            yield from _unless_empty(replace(row, information=None, percent=None))
        else:
            yield row


def _unless_empty(row: LeakageRow) -> Iterator[LeakageRow]:
    if row.worst is not None or row.guess_before is not None or row.note:
        yield row


def _without_numbers(snapshot: Snapshot, checked: Checked, name: str) -> str | None:
    """Describe a variable by what is known without running."""
    symbols = checked.symbols
    roles = ["secret"] if any(one.name.split("[")[0] == name for one in symbols.secrets) else []
    roles += ["output"] if any(one.name.split("[")[0] == name for one in symbols.outputs) else []
    variable = symbols.variables.get(name)
    kind = checked.kinds.get(name)
    if variable is None and kind is None and not roles:
        return None
    documentation = variable.documentation if variable is not None else ""
    described = describe_unmeasured(name, roles, kind.value if kind is not None else "", documentation)
    return _with_status(snapshot, described)


def _with_status(snapshot: Snapshot, described: str) -> str:
    """Say, after the numbers, whether they are those of this text."""
    said = status_line(snapshot)
    return f"{described}\n\n_{said}_" if said else described


def status_line(snapshot: Snapshot) -> str:
    """Return how current the numbers are; empty where they are those of this text."""
    if snapshot.is_current:
        return ""
    numbers = "stale: the numbers are those of an older text" if snapshot.finished is not None else ""
    match snapshot.status:
        case Status.COMPUTING:
            return f"⟳ computing; {numbers}" if numbers else "⟳ computing"
        case Status.TIMED_OUT | Status.FAILED | Status.CANCELLED:
            return f"{snapshot.status.value}; {numbers}" if numbers else snapshot.status.value
        case Status.IDLE | Status.DONE:
            return numbers


def _word_at(text: str, offset: int) -> Span | None:
    """Return the word that holds an offset or ends at it; words of a line comment have no meaning."""
    if _COMMENT.search(text[max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1 : offset]):
        return None
    start = offset
    while start > 0 and _WORD.match(text[start - 1]):
        start -= 1
    match = _WORD.match(text, start)
    return Span(*match.span()) if match is not None else None
