"""Words inside the text: bounds at line ends, for editors that show no lenses, names of the parameters of distributions, rounds of loops."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from seepage.semantics.checked import Checked
from seepage.source import Span
from seepage.symbols.names import names_of, tree_of
from seepage.syntax.tree import For, Placed, Sample
from seepage_lsp.client import Client
from seepage_lsp.features.code_lens import places, title_of
from seepage_lsp.features.hover_statements import rounds
from seepage_lsp.features.laws import unnamed_arguments
from seepage_lsp.workspace import Snapshot

# Names that say nothing: the ends of a range are seen to be that.
_SAY_NOTHING = frozenset({"a", "b"})


def inlay_hints(snapshot: Snapshot, within: types.Range, client: Client) -> list[types.InlayHint]:
    """Return the hints on the lines of a range, in the order of the text; the settings switch each kind."""
    if snapshot.checked is None:
        return []
    wanted = snapshot.settings.hint_results
    shows_results = (snapshot.settings.code_lens and not client.lenses) if wanted is None else wanted
    found = list(_results(snapshot, within)) if shows_results else []
    if snapshot.settings.hint_names:
        found += _names(snapshot, snapshot.checked, within)
        found += _arguments(snapshot, snapshot.checked, within)
        found += _rounds(snapshot, snapshot.checked, within)
    return sorted(found, key=lambda hint: (hint.position.line, hint.position.character))


def _results(snapshot: Snapshot, within: types.Range) -> Iterator[types.InlayHint]:
    """Yield the words of lenses, each at the end of its line."""
    for span, text in places(snapshot):
        line = snapshot.lines.position(span.start).line
        if within.start.line <= line <= within.end.line:
            label = title_of(snapshot, text)
            yield types.InlayHint(position=snapshot.lines.line_end(line), label=label, padding_left=True)


def _names(snapshot: Snapshot, checked: Checked, within: types.Range) -> Iterator[types.InlayHint]:
    """Yield the parameter before each value that does not name it; not where one argument or the value itself says what it is."""
    wanted = snapshot.lines.span(within)
    for item in tree_of(checked).walk():
        if not isinstance(item, Placed) or not isinstance(item.node, Sample) or not _touch(item.span, wanted):
            continue
        for family, place, name in unnamed_arguments(item.node.distribution, item.start):
            if len(family.arguments) > 1 and name not in _SAY_NOTHING and checked.source[place] != name:
                yield types.InlayHint(
                    position=snapshot.lines.position(place.start),
                    label=f"{name}:",
                    kind=types.InlayHintKind.Parameter,
                    padding_right=True,
                )


def _arguments(snapshot: Snapshot, checked: Checked, within: types.Range) -> Iterator[types.InlayHint]:
    """Yield the argument of a procedure before each value of a call that has several."""
    names = names_of(checked)
    wanted = snapshot.lines.span(within)
    for place, name in () if names is None else names.arguments:
        if _touch(place, wanted) and checked.source[place] != name:
            yield types.InlayHint(
                position=snapshot.lines.position(place.start),
                label=f"{name}:",
                kind=types.InlayHintKind.Parameter,
                padding_right=True,
            )


def _rounds(snapshot: Snapshot, checked: Checked, within: types.Range) -> Iterator[types.InlayHint]:
    """Yield how often a loop runs, behind its range; not where it counts from 1, so that the last number says it."""
    wanted = snapshot.lines.span(within)
    for item in tree_of(checked).walk():
        if (
            not isinstance(item, For)
            or not _touch(item.header, wanted)
            or not checked.source[item.low.span.shift(item.start)]  # beyond the core: its ends are told by nobody here
            or checked.source[item.low.span.shift(item.start)] == "1"
        ):
            continue
        if (count := rounds(checked, item)) is not None:
            yield types.InlayHint(
                position=snapshot.lines.position(item.high.span.end + item.start),
                label="1 round" if count == 1 else f"{count:,} rounds",
                padding_left=True,
            )


def _touch(one: Span, other: Span) -> bool:
    return one.start <= other.end and other.start <= one.end
