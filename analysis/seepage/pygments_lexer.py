"""The colours of Seep for Pygments: for papers (minted), Sphinx, MkDocs, notebooks and all else that colours with it.

Pygments finds the lexer by its entry point, so that ``pygmentize -l seep`` and fences named ``seep`` have colours wherever
Seepage is installed; nothing else of Seepage loads this module. The words are those of
:data:`seepage.syntax.vocabulary.table.WORDS`, so that a new law or measure has its colour.
"""

from __future__ import annotations

import re
from typing import ClassVar

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

from seepage.syntax.vocabulary.contextual import CONTEXTUAL
from seepage.syntax.vocabulary.keywords import KEYWORDS
from seepage.syntax.vocabulary.table import WORDS

_OPERATORS = ("and", "or", "xor", "not")
_CONSTANTS = ("true", "false", "inf")
_DECLARATIONS = ("param", "const", "secret", "output", "initial", "final")
_PLAIN = tuple(word for word in KEYWORDS if word not in {*_OPERATORS, *_CONSTANTS, *_DECLARATIONS})
#: These stand behind something, the other contextual words begin a statement.
_BETWEEN = ("given", "from", "as", "weight")
_NAME = r"[^\W\d]\w*"
#: What stands behind a word that is a name there: an assignment, a draw, an element, another in a list.
_NO_TARGET = r"(?!\s*(?::=|[~=,.\[:]))"
_BEGINS = "(?:" + "|".join(word for word in CONTEXTUAL if word not in _BETWEEN) + rf")\b{_NO_TARGET}"


def _called(sort: str) -> words:
    return words(tuple(name for name, word in WORDS.items() if word.sort == sort), r"(?<!\w)", r"(?=\s*\()")


class SeepLexer(RegexLexer):
    """Programs of Seep."""

    name = "Seep"
    aliases = ("seep",)
    filenames = ("*.seep",)
    mimetypes = ("text/x-seep",)
    flags = re.MULTILINE

    tokens: ClassVar = {
        "root": [
            (rf"^([ \t]*)({_BEGINS})", bygroups(Text.Whitespace, Keyword)),
            (rf"([;{{}}])([ \t]*)({_BEGINS})", bygroups(Punctuation, Text.Whitespace, Keyword)),
            (r"\n|[^\S\n]+", Text.Whitespace),
            (r"///.*", String.Doc),
            (r"//.*", Comment.Single),
            (r"/\*", Comment.Multiline, "comment"),
            (r'"[^"\n]*"', String),
            (words(_DECLARATIONS, r"(?<!\w)", r"\b"), Keyword.Declaration),
            (words(_OPERATORS, r"(?<!\w)", r"\b"), Operator.Word),
            (words(_CONSTANTS, r"(?<!\w)", r"\b"), Keyword.Constant),
            (words(_PLAIN, r"(?<!\w)", r"\b"), Keyword),
            (words(_BETWEEN, r"(?<=[\w\])\"]\s)", rf"\b(?=\s+\S){_NO_TARGET}"), Keyword),
            (_called("distribution"), Name.Function.Magic),
            (_called("measure"), Name.Function.Magic),
            (_called("function"), Name.Builtin),
            (r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", Number),
            (_NAME, Name),
            (r":=|==|!=|<=|>=|->|\|\||\.\.|[-+*/%^!<>=~|]", Operator),
            (r"[][(){},;:.]", Punctuation),
        ],
        "comment": [
            (r"[^*/]+", Comment.Multiline),
            (r"/\*", Comment.Multiline, "#push"),
            (r"\*/", Comment.Multiline, "#pop"),
            (r"[*/]", Comment.Multiline),
        ],
    }
