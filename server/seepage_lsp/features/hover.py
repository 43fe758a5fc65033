"""What is shown at a place: numbers of the last analysis for variables and questions, domains of parameters, the meaning of words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from lsprotocol import types

from seepage.measures.facts import LeakageRow, VariableFacts
from seepage.report.beside import strategy_words
from seepage.report.data import describe_drawn
from seepage.report.documentation import documentation_section
from seepage.report.markdown import (
    describe_answer,
    describe_constant,
    describe_parameter,
    describe_row,
    describe_unmeasured,
    describe_variable,
)
from seepage.report.marks import escaped, inline_code
from seepage.report.written import describe_elements, describe_fields
from seepage.semantics.checked import Checked, ParamSymbol
from seepage.source import Span
from seepage.symbols.data import drawn_from
from seepage.symbols.names import names_of, occurrence_at
from seepage.syntax.comments import blank_comments
from seepage.syntax.tree import Choice, Const, Index, Placed, Sample
from seepage.syntax.vocabulary.table import WORDS, document, headline
from seepage.word import Word
from seepage_lsp.client import Client
from seepage_lsp.features.answers import answer_of, rows_of
from seepage_lsp.features.diagnostics import findings, is_reading
from seepage_lsp.features.hover_statements import loop_range, statement_at
from seepage_lsp.features.hover_where import statement_of, where_section
from seepage_lsp.features.hover_written import base_of, written_name, written_place, written_statement
from seepage_lsp.features.laws import named_law
from seepage_lsp.features.plain import plain
from seepage_lsp.features.plots import plot_markdown
from seepage_lsp.features.values import ranged, values_of
from seepage_lsp.workspace import Drawing, Snapshot, Status

# VS Code cuts Markdown at 100,000 characters.
LONGEST_HOVER = 60_000

_LONGEST_LAW = 60

# How an attempt stands that has brought no number yet, or none.
_TOLD = {
    Status.COMPUTING: "⟳ computing",
    Status.TIMED_OUT: "timed out",
    Status.FAILED: "failed",
    Status.CANCELLED: "cancelled",
}

_ELEMENT = re.compile(r"\s*\[\s*(\d+)\s*\]")
_WORD = re.compile(r"\w+")


def hover(snapshot: Snapshot, position: types.Position, client: Client) -> types.Hover | None:
    """Return what is known of the thing at a position, or None."""
    if snapshot.is_too_long:
        return types.Hover(contents=types.MarkupContent(types.MarkupKind.PlainText, snapshot.too_long))
    checked = snapshot.checked
    if checked is None:
        return None
    offset = snapshot.lines.offset(position)
    found = _with_where(snapshot, checked, offset, _at(snapshot, checked, offset, client))
    found = _with_readings(snapshot, offset, found)
    if found is None:
        return None
    span, markdown = found
    return hover_of(markdown, snapshot.lines.range(span), client)


def hover_of(markdown: str, place: types.Range, client: Client) -> types.Hover:
    """Return a hover in the form that the client shows, cut where editors would."""
    if len(markdown) > LONGEST_HOVER:
        markdown = markdown[:LONGEST_HOVER] + " …"
    contents = (
        types.MarkupContent(types.MarkupKind.Markdown, markdown)
        if client.markdown
        else types.MarkupContent(types.MarkupKind.PlainText, plain(markdown))
    )
    return types.Hover(contents=contents, range=place)


def _with_where(
    snapshot: Snapshot, checked: Checked, offset: int, found: tuple[Span, str] | None
) -> tuple[Span, str] | None:
    """Add where it leaks, to the hover of a statement or in place of none."""
    section = where_section(snapshot, checked, offset) if _is_mark(checked.source.text, offset) else ""
    if not section or found is not None:
        return None if found is None else (found[0], found[1] + section)
    place = statement_of(checked, offset)
    return None if place is None else (place, section.lstrip("\n-"))


def _with_readings(snapshot: Snapshot, offset: int, found: tuple[Span, str] | None) -> tuple[Span, str] | None:
    """Add how what stands at an offset is read, where it could be read in two ways."""
    told = [each for each in findings(snapshot) if is_reading(each) and each.span.contains(offset)]
    if not told:
        return found
    said = [escaped(each.message) for each in told]
    return (told[0].span if found is None else found[0]), "\n\n---\n\n".join([*(found or ())[1:], *said])


def parameter_at(snapshot: Snapshot, position: types.Position) -> ParamSymbol | None:
    """Return the parameter whose hover stands at a position."""
    checked = snapshot.checked
    named = None if checked is None else occurrence_at(checked, snapshot.lines.offset(position))
    return None if checked is None or named is None else checked.symbols.params.get(named[1])


def _at(snapshot: Snapshot, checked: Checked, offset: int, client: Client) -> tuple[Span, str] | None:
    if (told := written_name(checked, offset)) is not None:
        return _with_facts(snapshot, checked, *told)
    if (named := occurrence_at(checked, offset)) is not None:
        span, name = named
        text = _name(snapshot, checked, span, name, client)
        if text is not None:
            # Last: numbers are what hovers are opened for, and editors cut them.
            return span, text + documentation_section(_documentation_of(checked, name))
    place = _word_at(checked.source.text, offset)
    word = WORDS.get(checked.source[place]) if place is not None else None
    if (question := _question(snapshot, checked, offset, word)) is not None:
        return question
    if word is not None and place is not None and word.sort in ("distribution", "function", "gain", "metric"):
        return place, document(word)
    if place is None and not _is_mark(checked.source.text, offset):
        return None
    if (written := written_statement(checked, offset)) is not None:
        return written
    if (found := statement_at(snapshot, checked, offset)) is not None:
        span, text, has_numbers = found
        return span, _with_values(snapshot, text) if has_numbers else _awaiting(snapshot, text)
    if word is None or place is None:
        return None
    return place, document(word) if word.sort == "measure" else headline(word)


def _with_facts(snapshot: Snapshot, checked: Checked, span: Span, told: str) -> tuple[Span, str]:
    """Add the numbers of a field, where what it belongs to is written out."""
    before = written_place(checked.source.text, span)
    finished = snapshot.finished
    if before is None or finished is None:
        return span, told
    facts = finished.analysis.variables.get(before + checked.source[span])
    if facts is None:
        return span, told
    described = describe_variable(facts, finished.source, "", snapshot.settings.digits)
    return span, _with_values(snapshot, f"{told}\n\n{described}")


def _question(snapshot: Snapshot, checked: Checked, offset: int, word: Word | None) -> tuple[Span, str] | None:
    """Return the answer to the ``show`` or ``require`` at an offset, with what the measure or function there means."""
    values = values_of(snapshot)
    questions = [(one.span, values.of_shown()) for one in checked.symbols.shows]
    questions += [(one.span, values.of_budget(ranged(one))) for one in checked.symbols.requires]
    for span, at in questions:
        if not span.contains(offset):
            continue
        explained = [headline(word)] if word is not None and word.sort != "keyword" else []
        if (answer := answer_of(snapshot, span)) is not None:
            source = snapshot.finished.source if snapshot.finished else None
            described = describe_answer(answer, source, snapshot.settings.digits)
            return span, "\n\n---\n\n".join([_with_status(snapshot, _at_values(described, at)), *explained])
        if snapshot.status in _TOLD:
            return span, "\n\n---\n\n".join([f"_{_TOLD[snapshot.status]}_", *explained])
    return None


def _name(snapshot: Snapshot, checked: Checked, span: Span, name: str, client: Client) -> str | None:
    symbols = checked.symbols
    if name in symbols.params:
        return _parameter(snapshot, symbols.params[name], client)
    if name in symbols.consts:
        return describe_constant(name, symbols.consts[name])
    return _variable(snapshot, checked, span, name)


def _parameter(snapshot: Snapshot, symbol: ParamSymbol, client: Client) -> str:
    """Describe a parameter: what depends on it, and how the leakage changes with it where the client shows images."""
    known = snapshot.analysis.parameters if snapshot.analysis is not None else ()
    facts = next((one for one in known if one.name == symbol.name), None)
    shown_at = snapshot.settings.parameters.get(symbol.name)
    described = describe_parameter(symbol, shown_at, None if facts is None else facts.measures)
    if facts is None:
        return _awaiting(snapshot, described) if snapshot.status is Status.COMPUTING else described
    drawing = snapshot.plots.get(symbol.name, Drawing(facts.plot))
    if client.images and snapshot.settings.hover_images:
        if drawing.plot is not None:
            described = f"{described}\n\n{plot_markdown(symbol.name, drawing.plot)}"
        elif drawing.on_its_way:
            described = f"{described}\n\n_the plot is on its way: look again in a moment_"
    return _with_status(snapshot, described)


def _documentation_of(checked: Checked, name: str) -> str:
    symbols = checked.symbols
    if name in symbols.params:
        return symbols.params[name].documentation
    if name in symbols.variables:
        return symbols.variables[name].documentation
    items = (item for item in checked.tree.walk() if isinstance(item, Placed))
    return next((one.documentation for one in items if isinstance(one.node, Const) and one.node.name == name), "")


def _variable(snapshot: Snapshot, checked: Checked, span: Span, name: str) -> str | None:
    finished = snapshot.finished
    element = _ELEMENT.match(checked.source.text, span.end)
    keys = [f"{name}[{int(element[1])}]", name] if element else [name]
    if finished is not None:
        facts = [finished.analysis.variables[key] for key in keys if key in finished.analysis.variables]
        if facts:
            digits = snapshot.settings.digits
            described = [describe_variable(facts[0], finished.source, _law(checked, name), digits)]
            described += [describe_row(row, finished.source, digits) for row in _further_rows(snapshot, facts[0], keys)]
            described += _strategy(snapshot, checked, name)
            return _with_values(snapshot, "\n\n---\n\n".join(described))
    return _without_numbers(snapshot, checked, span, name)


def _strategy(snapshot: Snapshot, checked: Checked, name: str) -> list[str]:
    """Return what an attacker does for all that the outputs tell, on the names that he chooses."""
    finished = snapshot.finished
    if finished is None or not _is_chosen(checked, name):
        return []
    results = (row.information for row in finished.analysis.table if row.information is not None)
    told = next((result.strategy for result in results if result.strategy is not None), None)
    return [] if told is None else [f"{strategy_words(told)}: {inline_code(told.short())}"]


def _is_chosen(checked: Checked, name: str) -> bool:
    """Tell whether an attacker chooses a variable."""
    nodes = (item.node for item in checked.tree.walk() if isinstance(item, Placed))
    choices = (one.target for one in nodes if isinstance(one, Sample) and isinstance(one.distribution, Choice))
    return any((one.array if isinstance(one, Index) else one.id) == name for one in choices)


def _law(checked: Checked, name: str) -> str:
    """Return the distribution of a variable that is assigned once, by sampling; empty for others and where it is long."""
    symbol = checked.symbols.variables.get(name)
    if symbol is None or len(symbol.spans) != 1:
        return ""
    for item in checked.tree.walk():
        if isinstance(item, Placed) and isinstance(item.node, Sample) and item.span.contains(symbol.spans[0].start):
            law = named_law(checked.source.text, item.node.distribution, item.start)
            return law if len(law) <= _LONGEST_LAW else ""
    return ""


def _further_rows(snapshot: Snapshot, facts: VariableFacts, declared: list[str]) -> Iterator[LeakageRow]:
    """Yield the leakage of a secret, declared under one of some names, without what its facts say already."""
    for row in (row for name in declared for row in rows_of(snapshot, name)):
        if row.secret == facts.name and facts.information is not None:
            yield from _unless_empty(replace(row, information=None, percent=None, note=_new(row.note, facts.note)))
        else:
            yield row


def _unless_empty(row: LeakageRow) -> Iterator[LeakageRow]:
    if row.worst is not None or row.guess_before is not None or row.note:
        yield row


def _new(note: str, told: str) -> str:
    return "" if note in told else note


def _without_numbers(snapshot: Snapshot, checked: Checked, span: Span, name: str) -> str | None:
    """Describe a variable, or the variable of a loop, by what is known without running."""
    symbols = checked.symbols
    names = names_of(checked)
    if names is None:
        roles = ["secret"] if any(one.name.split("[")[0] == name for one in symbols.secrets) else []
        roles += ["output"] if any(one.name.split("[")[0] == name for one in symbols.outputs) else []
    else:
        roles = [role for role in ("secret", "output") if name in names.declared[role]]
    variable = symbols.variables.get(name)
    kind = checked.kinds.get(name)
    fields = names.fields.get(name, ()) if names is not None else ()
    elements = [] if variable is not None else [one for one in symbols.variables if base_of(one) == name]
    if kind is None and not (elements or variable or roles or fields):
        return loop_range(checked, span.start, name)
    described = describe_unmeasured(name, roles, kind.value if kind is not None else "", _law(checked, name))
    if tables := drawn_from(checked, name):
        told = [describe_drawn(of, table) for of, table in tables.items()]
        return _awaiting(snapshot, "\n\n".join((described, *told)))
    if fields or elements:
        described = f"{described}\n\n{describe_fields(fields) if fields else describe_elements(elements)}"
    return _awaiting(snapshot, described)


def _awaiting(snapshot: Snapshot, described: str) -> str:
    """Say of what has no numbers that they may come, or why they did not: others of this text may be known."""
    if snapshot.status is Status.COMPUTING or (snapshot.is_current and snapshot.status in _TOLD):
        return f"{described}\n\n_{_TOLD[snapshot.status]}_"
    return _with_status(snapshot, described)


def _with_values(snapshot: Snapshot, described: str) -> str:
    """Say, after numbers that follow the settings, which values they are at and whether they are those of this text."""
    return _with_status(snapshot, _at_values(described, values_of(snapshot).of_shown()))


def _at_values(described: str, at: str) -> str:
    return f"{described}\n\nat {inline_code(at)}" if at else described


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
    """Return the word that holds an offset or ends at it; words of comments have no meaning."""
    start = offset
    while start > 0 and _WORD.match(text[start - 1]):
        start -= 1
    match = _WORD.match(text, start)
    return None if match is None or _in_comment(text, start) else Span(*match.span())


def _is_mark(text: str, offset: int) -> bool:
    """Tell whether something other than white space or a comment stands at an offset."""
    return offset < len(text) and not text[offset].isspace() and not _in_comment(text, offset)


def _in_comment(text: str, offset: int) -> bool:
    return any(one.start <= offset < one.end for one in blank_comments(text).comments)
