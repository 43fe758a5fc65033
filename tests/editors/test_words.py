"""The words that editors colour are those of the language."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from release.editor_words import LISTING, renewed
from tests.docs.blocks import ROOT

from seepage.syntax.vocabulary.table import WORDS

EMACS = ROOT / "editors" / "emacs" / "seep-mode.el"
TEXTMATE = ROOT / "vscode-extension" / "syntaxes" / "seep.tmLanguage.json"
KATE = ROOT / "editors" / "kate" / "seep.xml"
SUBLIME = ROOT / "editors" / "sublime" / "seep.sublime-syntax"
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


def listed_words(text: str) -> list[str]:
    """The words of all groups of an expression that are lists of words."""
    return [word for one in re.findall(r"\((?:\?:)?(\w+(?:\|\w+)+)\)", text) for word in one.split("|")]


@pytest.mark.parametrize(
    ("path", "words"),
    [(EMACS, emacs_words), (VIM, vim_words), (KATE, listed_words), (SUBLIME, listed_words)],
    ids=["Emacs", "Vim", "Kate", "Sublime Text"],
)
def test_every_word_is_coloured_once_and_no_other(path: Path, words: object) -> None:
    assert callable(words)
    found = words(path.read_text(encoding="utf-8"))

    assert sorted(found) == sorted(COLOURED)


def expressions_of_kate() -> list[tuple[str, str]]:
    rules = ElementTree.parse(KATE).iter("RegExpr")
    return [(rule.attrib["attribute"], rule.attrib["String"]) for rule in rules]


def expressions_of_sublime() -> list[tuple[str, str]]:
    rules = yaml.safe_load(SUBLIME.read_text(encoding="utf-8"))["contexts"]["main"]
    named = [(rule.get("scope") or rule["captures"][1], rule["match"]) for rule in rules if "match" in rule]
    return [(scope.split(".")[-2], match) for scope, match in named]


@pytest.mark.parametrize("expressions", [expressions_of_kate, expressions_of_sublime], ids=["Kate", "Sublime Text"])
@pytest.mark.parametrize(
    ("text", "word", "coloured"),
    [
        ("show I(r; o)", "I", True),
        ("I := 3", "I", False),
        ("x ~ normal(0, 1)", "normal", True),
        ("normal := 3", "normal", False),
        ("    return x", "return", True),
        ("  table := 3", "table", False),
        ("y ~ flip(p) given b", "given", True),
        ("given := 1", "given", False),
        ("if a then b else c", "then", True),
        ("thenx := 3", "then", False),
        ("a { break }", "break", True),
    ],
)
def test_words_are_coloured_where_they_are_meant(
    expressions: Callable[[], list[tuple[str, str]]], text: str, word: str, coloured: bool
) -> None:
    plain = ("seep", "Normal", "other", "operator", "separator", "Operator")
    rules = [re.compile(match) for name, match in expressions() if name not in plain]
    end = text.index(word) + len(word)
    found = [one for rule in rules for one in rule.finditer(text) if one.start() < end == one.end()]

    assert bool(found) is coloured


@pytest.mark.parametrize("path", LISTING, ids=lambda path: path.name)
def test_lists_of_words_are_those_of_the_vocabulary(path: Path) -> None:
    text = path.read_text(encoding="utf-8")

    assert text == renewed(text), "python -m release.editor_words"


def test_a_list_gets_the_words_that_it_lacks_and_loses_others() -> None:
    measures = [name for name, word in WORDS.items() if word.sort == "measure"]

    assert renewed("(I|H|KL|Gone|P|E)") == f"({'|'.join(measures)})"
    assert renewed("(if|then|else|for|in)") == "(if|then|else|for|in)"


def test_the_grammar_of_vs_code_has_every_word() -> None:
    text = TEXTMATE.read_text(encoding="utf-8")

    assert [word for word in COLOURED if not re.search(rf"[(|]{word}[)|]", text)] == []
