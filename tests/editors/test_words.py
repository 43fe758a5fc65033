"""The words that editors colour are those of the language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.docs.blocks import ROOT

from seepage.syntax.vocabulary.table import WORDS

EMACS = ROOT / "editors" / "emacs" / "seep-mode.el"
TEXTMATE = ROOT / "vscode-extension" / "syntaxes" / "seep.tmLanguage.json"
VIM = ROOT / "editors" / "vim" / "syntax" / "seep.vim"
# Gains and metrics stand in one place of a measure, where these editors do not colour them.
COLOURED = {name for name, word in WORDS.items() if word.sort not in ("gain", "metric")}


def emacs_words(text: str) -> list[str]:
    lists = re.findall(r"\(defconst seep--\w+\s+'\(([^)]*)\)\)", text)
    return [word for one in lists for word in re.findall(r'"(\w+)"', one)]


def vim_words(text: str) -> list[str]:
    keywords = [one.split() for one in re.findall(r"^syntax keyword seep(?!Todo)\w+ (.*)$", text, re.MULTILINE)]
    called = [one.split(r"\|") for one in re.findall(r"/\\<\\%\((.*)\\\)\\ze\\s\*\(/$", text, re.MULTILINE)]
    placed = [
        one.split(r"\|")
        for one in re.findall(r"^syntax match seepStatement .*\\<\\%\(([\w\\|]*)\\\)\\>", text, re.MULTILINE)
    ]
    return [word for one in (*keywords, *called, *placed) for word in one]


@pytest.mark.parametrize(("path", "words"), [(EMACS, emacs_words), (VIM, vim_words)], ids=["Emacs", "Vim"])
def test_every_word_is_coloured_once_and_no_other(path: Path, words: object) -> None:
    assert callable(words)
    found = words(path.read_text(encoding="utf-8"))

    assert sorted(found) == sorted(COLOURED)


def test_the_grammar_of_vs_code_has_every_word() -> None:
    text = TEXTMATE.read_text(encoding="utf-8")

    assert [word for word in COLOURED if not re.search(rf"[(|]{word}[)|]", text)] == []
