"""Objects as HTML for notebooks: plain tables that take fonts and colours from the page, light or dark; all text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

MOST_ROWS = 60
"""Of a table; those beyond are counted."""


def table_html(heads: Iterable[str], rows: Sequence[Sequence[str]], caption: str) -> str:
    """Return a table of texts; numbers of rows that are left out stand below it."""
    head = "".join(f"<th>{escape(each)}</th>" for each in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows[:MOST_ROWS])
    more = f"<p>… and {len(rows) - MOST_ROWS} more rows</p>" if len(rows) > MOST_ROWS else ""
    return (
        f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
    )


def number_html(line: str, mathml: str, further: Iterable[str]) -> str:
    """Return a result: its line, its formula as MathML, which is markup already, and sentences."""
    formula = f"<div>= {mathml}</div>" if mathml else ""
    notes = "".join(f"<div><small>{escape(each)}</small></div>" for each in further)
    return f"<div><code>{escape(line)}</code></div>{formula}{notes}"
