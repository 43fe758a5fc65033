"""Objects as HTML for notebooks: plain tables that take fonts and colours from the page, light or dark; all text is escaped.

Objects show themselves by what :mod:`seepage.report.views` writes of them. It stands above them: here is its place, by name, from which it is loaded when
one is shown, as the package's own names are (``__init__.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from altair import Chart, LayerChart
    from matplotlib.figure import Figure

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


def lines_html(lines: str) -> str:
    """Return lines of text in letters of one width, which marks below others need; not every page says so of its ``pre``."""
    return (
        f'<pre style="font-family: monospace; white-space: pre; overflow-x: auto">{escape(lines)}</pre>'
        if lines
        else ""
    )


def number_html(line: str, mathml: str, further: Iterable[str]) -> str:
    """Return a result: its line, its formula as MathML, which is markup already, and sentences."""
    formula = f"<div>= {mathml}</div>" if mathml else ""
    notes = "".join(f"<div><small>{escape(each)}</small></div>" for each in further)
    return f"<div><code>{escape(line)}</code></div>{formula}{notes}"


class Views(Protocol):
    """What writes objects: :mod:`seepage.report.views`."""

    def text(self, shown: object) -> str:
        """Return lines of text."""
        ...

    def html(self, shown: object) -> str:
        """Return a part of a page."""
        ...

    def latex(self, shown: object) -> str:
        """Return formulas."""
        ...

    def data(self, shown: object) -> dict[str, Any]:
        """Return values that JSON holds."""
        ...

    def altair_chart(self, drawn: object) -> Chart | LayerChart:
        """Return a chart of Altair."""
        ...

    def matplotlib_figure(self, drawn: object) -> Figure:
        """Return a figure of Matplotlib."""
        ...


def _views() -> Views:
    return cast("Views", import_module("seepage.report.views"))


class Rendered:
    """A base of classes whose objects show themselves: ``print`` writes them in lines of text, notebooks as parts of their page."""

    __slots__ = ()

    def __str__(self) -> str:
        """Return it as lines of text."""
        return _views().text(self)

    def _repr_html_(self) -> str:
        """Return it for notebooks."""
        return _views().html(self)


class Typeset(Rendered):
    """A base of classes whose objects are formulas, too."""

    __slots__ = ()

    def _repr_latex_(self) -> str:
        """Return it for notebooks that show no HTML, and for papers."""
        return _views().latex(self)


class Recorded:
    """A base of classes whose objects are data of :mod:`json`, too."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as values that JSON holds: infinities as strings, parameters exactly, in the spelling of programs."""
        return _views().data(self)


class Drawable:
    """A base of classes whose objects are curves or maps."""

    __slots__ = ()

    def to_altair(self) -> Chart | LayerChart:
        """Return it as a chart of Altair: a curve in its band of bounds, or a map of shades.

        Raises:
            ImportError: if Altair is not installed; the message says what to install.
            ValueError: if more than two parameters vary.
        """
        return _views().altair_chart(self)

    def to_matplotlib(self) -> Figure:
        """Return it as a figure of Matplotlib, which ``savefig`` writes as PNG, PDF or SVG.

        Raises:
            ImportError: if Matplotlib is not installed; the message says what to install.
            ValueError: if more than two parameters vary.
        """
        return _views().matplotlib_figure(self)
