"""Bounds and verdicts above secrets, outputs, shows and requires."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from seepage.report.markdown import lens_text, output_lens_text, row_lens_text
from seepage.source import Span
from seepage_lsp.client import Client
from seepage_lsp.commands import ANALYSE, SHOW_RESULT
from seepage_lsp.features.answers import answer_of, is_timed_out, rows_of
from seepage_lsp.features.changes import changed_places
from seepage_lsp.features.values import ranged, values_of
from seepage_lsp.positions import Lines
from seepage_lsp.workspace import Finished, Snapshot, Status, is_blocked

if TYPE_CHECKING:
    from seepage.measures.facts import Answer, LeakageRow

_LONGEST = 140


def code_lenses(snapshot: Snapshot, client: Client) -> list[types.CodeLens]:
    """Return the lenses in the order of the text; none if they are switched off.

    A client that asks for the words of those that it shows gets places, and the words by :func:`resolve`.
    """
    if snapshot.checked is None or not snapshot.settings.code_lens:
        return []
    if client.lens_resolve:
        return [
            types.CodeLens(range=on_one_line(snapshot.lines, span), data=[snapshot.uri, snapshot.version, number])
            for number, (span, _) in enumerate(places(snapshot))
        ]
    return [_lens(snapshot, client, span, text) for span, text in places(snapshot)]


def resolve(lens: types.CodeLens, snapshot: Snapshot | None, client: Client) -> types.CodeLens:
    """Return a lens with its words; one of another version, whose place may be another one by now, says only that."""
    match lens.data:
        case [str(), int(version), int(number)] if snapshot is not None and version == snapshot.version:
            found = places(snapshot)
            if 0 <= number < len(found):
                return types.CodeLens(range=lens.range, command=_lens(snapshot, client, *found[number]).command)
        case _:
            pass
    uri = lens.data[0] if isinstance(lens.data, list | tuple) and lens.data else ""
    command = types.Command(title="⟳ edited", command=ANALYSE, arguments=[uri])
    return types.CodeLens(range=lens.range, command=command)


def places(snapshot: Snapshot) -> list[tuple[Span, str]]:
    """Return what is asked about, in the order of the text, with the words of the last analysis; empty words where it has none.

    Behind them all stands what changed since the last commit, which is known later: the others keep their numbers.
    """
    return [*sorted(_places(snapshot), key=lambda place: (place[0], place[1])), *changed_places(snapshot)]


def _places(snapshot: Snapshot) -> Iterator[tuple[Span, str]]:
    checked, finished = snapshot.checked, snapshot.finished
    if checked is None:
        return
    symbols, source = checked.symbols, finished.source if finished is not None else None
    values, digits = values_of(snapshot), snapshot.settings.digits
    shown_at = values.of_shown()
    # The fields of a record are secrets of their own, all declared at one place, whose rows are found together.
    for span in dict.fromkeys(secret.span for secret in symbols.secrets):
        name = checked.source[span]
        texts = [_row_text(finished, row, digits) for row in rows_of(snapshot, name)] if finished is not None else []
        yield from ((span, worded(text, shown_at)) for text in texts)
        if not texts:
            # What is declared is known of this very text alone.
            yield span, "no output declared" if snapshot.is_current and not symbols.outputs else ""
    for output in symbols.outputs:
        facts = finished.analysis.variables.get(output.name) if finished is not None else None
        text = output_lens_text(facts, source, digits) if facts is not None else ""
        yield output.span, worded(f"{output.name}: {text}" if text and len(symbols.outputs) > 1 else text, shown_at)
    questions = [(one.span, shown_at) for one in symbols.shows]
    questions += [(one.span, values.of_budget(ranged(one))) for one in symbols.requires]
    for span, at in questions:
        answer = answer_of(snapshot, span)
        text = _answer_text(finished, answer, digits) if finished is not None and answer is not None else ""
        yield span, worded(text, at)


def _answer_text(finished: Finished, answer: Answer, digits: int | None) -> str:
    if not is_timed_out(answer):
        return lens_text(answer, finished.source, digits)
    late = timed_out_after(finished.limit)
    return f"{answer.verdict} · {late}" if answer.verdict else late


def _row_text(finished: Finished, row: LeakageRow, digits: int | None) -> str:
    late = is_timed_out(row)
    text = timed_out_after(finished.limit) if late else row_lens_text(row, finished.source, digits)
    return text if finished.source[row.span] == row.secret else f"{row.secret}: {text}"


def timed_out_after(seconds: float) -> str:
    """Return the words for what a time limit left without a number."""
    return f"timed out after {seconds:g} s"


def worded(text: str, at: str) -> str:
    """Return the words on one line, with the values of parameters that they hold at, which are never cut off."""
    text = " ".join(text.split())
    if len(text) > _LONGEST:
        text = text[:_LONGEST] + " …"
    return f"{text} · at {at}" if text and at else text


def _lens(snapshot: Snapshot, client: Client, span: Span, text: str) -> types.CodeLens:
    title = title_of(snapshot, text)
    tells = snapshot.is_current or snapshot.status is Status.COMPUTING or _has_errors(snapshot)
    return lens_of(snapshot.uri, on_one_line(snapshot.lines, span), title, client, shows=tells)


def lens_of(uri: str, place: types.Range, title: str, client: Client, *, shows: bool) -> types.CodeLens:
    """Return a lens that ``shows`` what is known, where the client can, or analyses the document with the URI."""
    if shows and SHOW_RESULT in client.commands:
        command = types.Command(title=title, command=SHOW_RESULT, arguments=[uri, place])
    else:
        # A lens that only tells carries this too: editors call whatever command stands there, and refuse an empty one.
        command = types.Command(title=title, command=ANALYSE, arguments=[uri])
    return types.CodeLens(range=place, command=command)


def _has_errors(snapshot: Snapshot) -> bool:
    return is_blocked(snapshot.checked)


def on_one_line(lines: Lines, span: Span) -> types.Range:
    """Return the part of a place on its first line, as lenses stand above one line."""
    place = lines.range(span)
    if place.end.line == place.start.line:
        return place
    return types.Range(start=place.start, end=lines.line_end(place.start.line))


def title_of(snapshot: Snapshot, text: str) -> str:
    """Return what is shown for words of the last analysis: those, or how the analysis stands."""
    if snapshot.is_current and text:
        return text
    match snapshot.status:
        case Status.COMPUTING:
            return "⟳ computing"
        case Status.TIMED_OUT:
            return timed_out_after(snapshot.settings.time_limit)
        case Status.FAILED | Status.CANCELLED:
            return str(snapshot.status.value)
        case Status.IDLE | Status.DONE:
            if snapshot.is_current:
                return "no result"
            if text:
                return f"{text} · stale"
            return "no result: the program has errors" if _has_errors(snapshot) else "analyse"
