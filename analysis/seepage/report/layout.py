"""The leakage table as lines for a terminal. Nothing here loads the analysis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seepage.report.findings import printable
from seepage.report.paint import PLAIN, Paint

HEADER = ("secret", "seen by the attacker", "leaks", "of it", "worst case", "guessed before → after")


def kept_columns(rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the columns of the table in which something stands."""
    return [at for at in range(len(HEADER)) if any(row[at] for row in rows)]


def laid_out(rows: Sequence[tuple[Sequence[str], str]], paint: Paint = PLAIN) -> Iterator[str]:
    """Yield the table of rows, each of its cells and a note, one line a row; a column in which nothing stands is left out.

    What is noted of several rows, one below the other, stands below the last of them.
    """
    kept = kept_columns([row for row, _ in rows])
    cells = [tuple(printable(row[at]) for at in kept) for row in (HEADER, *(row for row, _ in rows))]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    header, *lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells
    )
    yield paint(header, "bold")
    yield "  ".join("─" * width for width in widths)
    notes = [note for _, note in rows]
    for line, note, following in zip(lines, notes, (*notes[1:], ""), strict=True):
        yield line
        if note and note != following:
            yield printable(f"  note: {note}")
