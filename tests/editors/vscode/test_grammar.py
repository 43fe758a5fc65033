"""The TextMate grammar colours words as the language server does, who knows what they mean; and it knows all words of the language."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import TypeAlias

import pytest
from tests.editors.installed import REPOSITORY, VSIX, vscode
from tests.editors.required import have
from tests.editors.vscode.snippets import snippets

from seepage.pipeline import check
from seepage.source import SourceFile
from seepage.symbols.classify import Category, classify
from seepage.syntax.vocabulary.table import WORDS

EXTENSION = VSIX.parent
GRAMMAR = json.loads((EXTENSION / "syntaxes" / "seep.tmLanguage.json").read_text(encoding="utf-8"))
# What a word may be for the grammar, which does not know declarations: a parameter that is used is a name like others.
SCOPES = {
    Category.PARAMETER: {"variable.other.constant.seep", "variable.other.seep"},
    # A table is a constant, and a grammar of words takes it for a type where it is declared.
    Category.CONSTANT: {"variable.other.constant.seep", "variable.other.seep", "entity.name.type.seep"},
    Category.LOOP: {"variable.other.seep"},
    Category.VARIABLE: {"variable.other.seep"},
    Category.FUNCTION: {"support.function.builtin.seep"},
    Category.DISTRIBUTION: {"entity.name.function.distribution.seep"},
    Category.MEASURE: {"support.function.measure.seep"},
    Category.ARGUMENT: {"variable.other.seep"},
    Category.PROCEDURE: {
        "entity.name.function.seep",
        "variable.other.seep",
    },  # declared and called; only a check knows the second
    Category.ENUMERATION: {"entity.name.type.seep", "variable.other.seep"},
    Category.MEMBER: {"variable.other.seep"},
    Category.FIELD: {"variable.other.seep"},
    Category.MODULE: {"variable.other.seep"},
}
Scopes: TypeAlias = list[list[tuple[int, int, str]]]


def programs(folder: Path) -> list[Path]:
    """Return the examples, the programs of the page on the language, and the snippets, as files."""
    page = (REPOSITORY / "docs" / "language.md").read_text(encoding="utf-8")
    texts = [*re.findall(r"```seep\n(.*?)```", page, re.DOTALL), *(one.text for one in snippets())]
    written = []
    for number, text in enumerate(texts):
        written.append(folder / f"{number:03d}.seep")
        written[-1].write_text(text, encoding="utf-8")
    return [*sorted((REPOSITORY / "examples").glob("*.seep")), *written]


@pytest.fixture(scope="module")
def coloured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Scopes]:
    node = have(vscode).node
    script = Path(__file__).parent / "tokenize.mjs"
    files = map(str, programs(tmp_path_factory.mktemp("programs")))
    done = subprocess.run([str(node), str(script), str(EXTENSION), *files], check=True, capture_output=True)
    found: dict[str, Scopes] = json.loads(done.stdout)
    return found


def test_grammar_and_meaning_agree_on_every_name(coloured: dict[str, Scopes]) -> None:
    compared, disagreeing = 0, []
    for file, lines in coloured.items():
        text = Path(file).read_text(encoding="utf-8")
        for one in classify(check(SourceFile(file, text))):
            line = text.count("\n", 0, one.span.start)
            column = one.span.start - (text.rfind("\n", 0, one.span.start) + 1)
            scope = next((scope for start, end, scope in lines[line] if start <= column < end), "nothing")
            compared += 1
            if scope not in SCOPES[one.category]:
                disagreeing.append(
                    (Path(file).name, line + 1, text[one.span.start : one.span.end], one.category, scope)
                )
    assert disagreeing == []
    assert compared > 1000


@pytest.mark.parametrize(
    ("rule", "sort"), [("measures", "measure"), ("functions", "function"), ("distributions", "distribution")]
)
def test_the_grammar_knows_the_words_of_the_language(rule: str, sort: str) -> None:
    words = {name for name, word in WORDS.items() if word.sort == sort}
    known = set(re.search(r"\(([\w|]+)\)", GRAMMAR["repository"][rule]["match"]).group(1).split("|"))  # type: ignore[union-attr]

    assert known == words


def test_fences_of_markdown_have_the_colours_of_seep(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# secret\n```seep\nsecret s\ns ~ flip(1/2)\n```\nsecret\n~~~~ seep\nsecret t\n~~~~\nsecret\n```c\nsecret\n```\n"
    )
    script = Path(__file__).parent / "tokenize.mjs"
    command = [str(have(vscode).node), str(script), str(EXTENSION), str(page)]
    (lines,) = json.loads(subprocess.run(command, check=True, capture_output=True).stdout).values()

    coloured = [number for number, line in enumerate(lines) if any("storage.modifier" in scope for *_, scope in line)]
    assert coloured == [2, 7]
    assert "entity.name.function.distribution.seep" in {scope for *_, scope in lines[3]}
