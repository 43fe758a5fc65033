"""Writes the lists of words of other editors anew from the vocabulary: ``python -m release.editor_words``.

A list is told by what it holds: words that are called, all of one sort. Keywords, which editors group by where they stand, are theirs.
"""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import fill

from seepage.syntax.vocabulary.table import WORDS

ROOT = Path(__file__).parents[1]
LISTING = tuple(
    ROOT / path
    for path in (
        "editors/emacs/seep-mode.el",
        "editors/kate/seep.xml",
        "editors/sublime/seep.sublime-syntax",
        "editors/vim/syntax/seep.vim",
        "vscode-extension/syntaxes/seep.tmLanguage.json",
    )
)
_CALLED = ("distribution", "measure", "function")
_LIST = re.compile(r'\w+((?:\\\||\||"\s+")\w+){4,}')  # of Vim, of other expressions, of Lisp
_WIDTH = 118


def renewed(text: str) -> str:
    """Return the text of a file with each of its lists as the vocabulary has it."""
    return _LIST.sub(_list, text)


def _list(found: re.Match[str]) -> str:
    sorts = {WORDS[word].sort for word in re.findall(r"\w+", found[0]) if word in WORDS}
    sort = next(iter(sorts)) if len(sorts) == 1 else None
    if sort not in _CALLED:
        return found[0]
    words = [name for name, word in WORDS.items() if word.sort == sort]
    if '"' not in found[0]:
        return (r"\|" if r"\|" in found[0] else "|").join(words)
    return fill('" "'.join(words), _WIDTH, subsequent_indent="    ", break_on_hyphens=False)


if __name__ == "__main__":
    for path in LISTING:
        path.write_text(renewed(path.read_text(encoding="utf-8")), encoding="utf-8")
