"""Which words of a text have which colour: the same kinds for programs in Seep and in Python."""

from __future__ import annotations

import io
import keyword
import token as kinds
import tokenize
from collections.abc import Iterator

from seepage.reporting.told import Colour
from seepage.semantics.checked import Checked
from seepage.source import SourceFile
from seepage.symbols.classify import Category, classify
from seepage.syntax.comments import blank_comments
from seepage.syntax.tokens import scan
from seepage.syntax.vocabulary.keywords import KEYWORDS

_CALLED = frozenset({Category.FUNCTION, Category.DISTRIBUTION, Category.MEASURE, Category.PROCEDURE})
_NUMBERS = frozenset({"NUMBER", "STRING", "INF", "TRUE", "FALSE"})


def colours_of(checked: Checked) -> tuple[Colour, ...]:
    """Return the colours of a program in Seep, in the order of the text."""
    text = checked.source.text
    blanked = blank_comments(text)
    found = [Colour(each.start, each.end, "comment") for each in blanked.comments]
    called = {each.span.start for each in classify(checked) if each.category in _CALLED}
    for token in scan(blanked.text):
        if token.type in _NUMBERS:
            found.append(Colour(token.start, token.end, "number"))
        elif token.start in called:
            found.append(Colour(token.start, token.end, "called"))
        elif token.value in KEYWORDS and token.type != "NAME":
            found.append(Colour(token.start, token.end, "keyword"))
    return tuple(sorted(found, key=lambda each: each.start))


def colours_of_python(source: SourceFile) -> tuple[Colour, ...]:
    """Return the colours of a Python file; none where it cannot be cut into words."""
    try:
        return tuple(_python(source.text))
    except (tokenize.TokenError, SyntaxError):
        return ()


def _python(text: str) -> Iterator[Colour]:
    starts = [0]
    for line in io.StringIO(text, newline=""):
        starts.append(starts[-1] + len(line))
    for each in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
        start, end = (starts[line - 1] + column for line, column in (each.start, each.end))
        match each.type:
            case kinds.COMMENT:
                yield Colour(start, end, "comment")
            case kinds.NUMBER | kinds.STRING:
                yield Colour(start, end, "number")
            case kinds.NAME if keyword.iskeyword(each.string):
                yield Colour(start, end, "keyword")
