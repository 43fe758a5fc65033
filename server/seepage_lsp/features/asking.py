"""Questions that can be added: ``show`` for what stands at the cursor, ``require`` at the value that a measure has now."""

from __future__ import annotations

import math
from collections.abc import Iterator

from seepage.diagnostics import Edit
from seepage.measures.digits import FEW_DIGITS, rounded
from seepage.measures.planning.table import MEASURES
from seepage.measures.result import Certainty, Result
from seepage.semantics.checked import Checked
from seepage.source import Span
from seepage.symbols.names import occurrence_at
from seepage.syntax.spell import spell
from seepage.syntax.tree import MeasureCall
from seepage_lsp.features.answers import answer_of, rows_of
from seepage_lsp.features.rewriting import line_after, line_end
from seepage_lsp.workspace import Snapshot


def added_shows(checked: Checked, offset: int) -> Iterator[tuple[str, Edit]]:
    """Yield a measure and the edit that shows it, for the variable or the budget at an offset, unless it is shown already."""
    shown = {spell(symbol.node.measure) for symbol in checked.symbols.shows}
    for measure in dict.fromkeys(_measures_at(checked, offset)):
        if measure not in shown:
            yield measure, _line_at_end(checked, f"show {measure}")


def _measures_at(checked: Checked, offset: int) -> Iterator[str]:
    symbols = checked.symbols
    for require in symbols.requires:
        if require.span.contains(offset):
            yield spell(require.node.measure)
            return
    if any(show.span.contains(offset) for show in symbols.shows):
        return
    found = occurrence_at(checked, offset)
    if found is None or found[1] not in symbols.variables:
        return
    name = _element(checked, *found)
    outputs = ", ".join(symbol.name for symbol in symbols.outputs)
    if outputs and any(symbol.name in (name, found[1]) for symbol in symbols.secrets):
        yield f"I({name}; {outputs})"
    yield f"H({name})"


def _element(checked: Checked, span: Span, name: str) -> str:
    """Return a name with its index where that is a number."""
    rest = checked.source.text[span.end : span.end + 24].lstrip()
    index, closing, _ = rest.removeprefix("[").partition("]")
    return f"{name}[{index.strip()}]" if rest.startswith("[") and closing and index.strip().isdigit() else name


def added_requires(snapshot: Snapshot, checked: Checked, offset: int) -> Iterator[tuple[str, Edit]]:
    """Yield a budget that holds by the numbers of now, and the edit that adds it, for the ``show`` or the secret at an offset.

    None where the numbers are those of another text, of other parameter values than the program's own, or only approximate.
    """
    values = snapshot.settings.parameters
    if not snapshot.is_current or any(name in checked.symbols.params for name in values):
        return
    for symbol in checked.symbols.shows:
        if symbol.span.contains(offset):
            answer = answer_of(snapshot, symbol.span)
            measure = symbol.node.measure
            if answer is not None and answer.result is not None and isinstance(measure, MeasureCall):
                yield from _budget(checked, spell(measure), measure.name, answer.result, symbol.span)
            return
    found = occurrence_at(checked, offset)
    outputs = ", ".join(symbol.name for symbol in checked.symbols.outputs)
    for row in rows_of(snapshot, _element(checked, *found)) if found is not None else ():
        if row.information is not None and row.secret == _element(checked, *(found or (Span(0, 0), ""))):
            yield from _budget(checked, f"I({row.secret}; {outputs})", "I", row.information, None)


def _budget(
    checked: Checked, measure: str, name: str, result: Result, below: Span | None
) -> Iterator[tuple[str, Edit]]:
    at_least = (
        MEASURES[name].attacker == "least"
    )  # of what is left to find out: the present value is the least that may be left
    end = result.lower if at_least else result.upper
    if result.certainty is Certainty.APPROXIMATE or math.isinf(end):
        return
    number = rounded(end, FEW_DIGITS, "down" if at_least else "up")
    unit = f" {result.unit}" if result.unit else ""
    budget = f"{measure} {'>=' if at_least else '<='} {number}{unit}"
    if budget in {_spelled(checked, symbol.span) for symbol in checked.symbols.requires}:
        return
    line = f"require {budget}"
    yield budget, _line_at_end(checked, line) if below is None else _line_below(checked, line, below)


def _spelled(checked: Checked, span: Span) -> str:
    return " ".join(checked.source[span].removeprefix("require").split())


def _line_at_end(checked: Checked, line: str) -> Edit:
    """Return the edit that adds a line below the last question, or at the end of the text."""
    symbols = checked.symbols
    last = max((*(one.span for one in symbols.shows), *(one.span for one in symbols.requires)), default=None)
    if last is not None and any(item.span == last for item in checked.tree.items[-1:]):
        return _line_below(checked, line, last)
    text = checked.source.text
    newline = line_end(text)
    before = "" if not text or text.endswith(("\n", "\r")) else newline
    return Edit(Span(len(text), len(text)), f"{before}{line}{newline}")


def _line_below(checked: Checked, line: str, span: Span) -> Edit:
    text = checked.source.text
    at = line_after(text, span.end)
    newline = line_end(text)
    if at == len(text) and not text.endswith(("\n", "\r")):
        return Edit(Span(at, at), f"{newline}{line}")
    return Edit(Span(at, at), f"{line}{newline}")
