"""Procedures as they are written."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from seepage.data_classes import dataclass
from seepage.source import Span
from seepage.syntax.raw import RawHeader, RawLeaf
from seepage.syntax.tree import For, If, Item, Placed


@dataclass(frozen=True, slots=True)
class WrittenProcedure:
    """A procedure as it is written.

    Attributes:
        name: its name.
        arguments: their names, in order.
        results: how each result of its first ``return`` is written; empty without one.
        header: from ``def`` to the closing parenthesis.
        span: with its block.
        draws: whether a draw stands in it.
        observes: whether an observation stands in it.
    """

    name: str
    arguments: tuple[str, ...]
    results: tuple[str, ...]
    header: Span
    span: Span
    draws: bool
    observes: bool


def written_procedure(
    item: If, reading: RawHeader, readings: Mapping[int, RawLeaf | RawHeader], text: str
) -> WrittenProcedure | None:
    """Return the procedure that a ``def`` of a text declares, None where its name is missing."""
    if reading.name is None:
        return None
    found = ((start, readings.get(start)) for start in leaf_starts(item.arms[0].block.items))
    leaves = [(start, one) for start, one in found if isinstance(one, RawLeaf)]
    returns = [(one, start) for start, one in leaves if one.keyword == "return"]
    spans = [value.span.shift(start) for one, start in returns[:1] for value in one.values]
    return WrittenProcedure(
        unicodedata.normalize("NFKC", reading.name.value),
        tuple(unicodedata.normalize("NFKC", one.value) for one in reading.names),
        tuple(text[span.start : span.end] for span in spans),
        item.arms[0].header,
        Span(item.arms[0].start, item.span.end),
        any(one.keyword == "sample" for _, one in leaves),
        any(one.keyword == "observe" for _, one in leaves),
    )


def leaf_starts(items: Sequence[Item]) -> Iterator[int]:
    """Yield where the leaves of a block start, those of inner blocks included."""
    for item in items:
        match item:
            case Placed(start=start):
                yield start
            case For(block=block):
                yield from leaf_starts(block.items)
            case If(arms, otherwise):
                for block in (*(arm.block for arm in arms), *(() if otherwise is None else (otherwise,))):
                    yield from leaf_starts(block.items)
