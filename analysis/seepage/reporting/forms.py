"""The forms of a report, each made by a template: whatever a template puts into a page is escaped for that form unless the form itself made it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeAlias, TypedDict

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from seepage.checking.formats import markdown
from seepage.data_classes import dataclass
from seepage.measures.digits import FEW_DIGITS, TABLE_DIGITS, justified, rounded
from seepage.report.findings import printable
from seepage.report.svg import Marks, curve_svg
from seepage.reporting import latex
from seepage.reporting.document import Document, ListingLine
from seepage.reporting.told import CODE, PROSE, PlotTold, PointTold

Form: TypeAlias = Literal["html", "markdown", "latex"]

_MOST_ROWS = 8  # of a plot in Markdown
_TEMPLATES = Path(__file__).parent / "templates"
_CODE = re.compile(f"{CODE}([^{CODE}{PROSE}]*){PROSE}")


class _Marks(TypedDict, total=False):
    """What begins and ends the parts of a template."""

    variable_start_string: str
    variable_end_string: str
    block_start_string: str
    block_end_string: str
    comment_start_string: str
    comment_end_string: str


@dataclass(frozen=True, slots=True)
class _Language:
    """How a form writes texts and code; ``marks`` are those of its template, where they are others than usual."""

    template: str
    marks: _Marks
    text: Callable[[str], str]
    code: Callable[[str], str]

    def written(self, value: object) -> object:
        """Return what a template puts into a page as the form writes it; what a form wrote is left as it is."""
        return value if isinstance(value, Markup) else Markup(self.of(str(value)))

    def of(self, text: str) -> str:
        """Return a text that may hold code."""
        parts = _CODE.split(text)  # every second one is code
        return "".join(
            self.code(part) if number % 2 else self.text(printable(part)) for number, part in enumerate(parts) if part
        )


def _html_text(text: str) -> str:
    return escape(text)


def _html_code(text: str) -> str:
    return f"<code>{escape(text)}</code>"


def _markdown_text(text: str) -> str:
    """Return a text that means itself; blanks at its ends stay, as code may follow."""
    inner = markdown.escaped(text)
    if not inner:
        return text and " "
    return f"{' ' * text.startswith(' ')}{inner}{' ' * text.endswith(' ')}"


# In LaTeX, braces and number signs are what the template writes itself.
_WITHOUT_BRACES: _Marks = {
    "variable_start_string": "<<",
    "variable_end_string": ">>",
    "block_start_string": "<%",
    "block_end_string": "%>",
    "comment_start_string": "<#",
    "comment_end_string": "#>",
}
_LANGUAGES: Mapping[Form, _Language] = MappingProxyType(
    {
        "html": _Language("report.html.j2", {}, _html_text, _html_code),
        "markdown": _Language("report.md.j2", {}, _markdown_text, markdown.code),
        "latex": _Language("report.tex.j2", _WITHOUT_BRACES, latex.text, latex.code),
    }
)


def render(document: Document, form: Form) -> str:
    """Return a report in a form."""
    language = _LANGUAGES[form]
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        finalize=language.written,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    ).overlay(**language.marks)
    environment.filters.update(
        plain=lambda text: Markup(language.text(_CODE.sub(r"\1", text))),
        code=lambda text: Markup(language.code(printable(text))),
        sentence=_sentence,
        lines=lambda lines: Markup("\n".join(language.text(printable(each)) for each in lines)),
        drawn=_DRAWN[form],
        latex_line=lambda line: Markup(latex.listing_line(line)),
        fenced=_fenced,
        tidy=lambda made: Markup(made.strip().removeprefix(",").strip()),
        numbered=_numbered,
        summary=lambda text: Markup(f"<code>{escape(printable(text))}</code>"),
        hash=lambda text: Markup(latex.code(" ".join(re.findall(".{1,16}", text)))),
    )
    made = environment.get_template(language.template).render(
        report=document, style=Markup((_TEMPLATES / "report.css").read_text("utf-8"))
    )
    return latex.declared(made) if form == "latex" else made


def _sentence(text: str) -> str:
    """Return a text as a sentence: with a capital letter and a full stop."""
    told = text.strip()
    start = told[:1] if told[:1] == CODE else told[:1].upper()
    return f"{start}{told[1:]}{'' if told[-1:] in '.:!?…' else '.'}"


def _fenced(lines: Sequence[str]) -> Markup:
    """Return lines as a block of code in Markdown, whatever is in them."""
    longest = max((len(each) for line in lines for each in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return Markup("\n".join((fence, *map(printable, lines), fence)))


def _numbered(lines: Sequence[ListingLine]) -> Markup:
    """Return the lines of a program as a block of code in Markdown."""
    width = len(str(lines[-1].number))
    return _fenced([f"{line.number:>{width}}  {line.text}".rstrip() for line in lines])


def _svg(plot: PlotTold) -> Markup:
    across = [each.x for each in plot.points]
    return Markup(curve_svg(across, plot.points, plot.parameter, Marks(plot.here, plot.budget, plot.holds), plot.words))


def _rows_of(plot: PlotTold) -> Markup:
    """Return some of the points as the rows of a table."""
    shown = [each for each in plot.points if not each.fault][:: max(1, len(plot.points) // _MOST_ROWS)]
    return Markup("\n".join(f"| {each.x:.6g} | {_point(each)} |" for each in shown))


def _point(point: PointTold) -> str:
    told = justified(point.lower, point.value, point.upper, TABLE_DIGITS)
    doubt = ", approximate" if point.approximate else ""
    bounds = f"{rounded(point.lower, FEW_DIGITS, 'down')} to {rounded(point.upper, FEW_DIGITS, 'up')}"
    return f"{told or bounds}{doubt}"


_DRAWN: Mapping[Form, Callable[[PlotTold], Markup]] = MappingProxyType(
    {"html": _svg, "markdown": _rows_of, "latex": lambda plot: Markup(latex.plot(plot))}
)
