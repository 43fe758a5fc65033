"""What is shown of a word in lists and calls: the words of the language in ours, procedures with the comments of their authors."""

from __future__ import annotations

from lsprotocol import types

from seepage.report.documentation import documentation_section, plain_documentation
from seepage.syntax.vocabulary.table import headline
from seepage.word import Word
from seepage_lsp.features.plain import plain


def text_of(markdown: str, *, rich: bool) -> types.MarkupContent | str:
    """Return Markdown of ours as a client shows it."""
    return types.MarkupContent(types.MarkupKind.Markdown, markdown) if rich else plain(markdown)


def headline_of(word: Word, *, rich: bool) -> types.MarkupContent | str:
    """Return the form of a word and what it means, and the comment of a procedure below, which anybody may have written."""
    if not word.comment:
        return text_of(headline(word), rich=rich)
    if rich:
        return text_of(headline(word) + documentation_section(word.comment), rich=True)
    return f"{plain(headline(word))}\n\n{plain_documentation(word.comment)}"
