"""Excerpts: a function is read in the part of its file that it reaches, and what is found is what the whole file says."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path

import pytest
from tests.python.test_cases import CASES

from seepage.diagnostics import Diagnostic
from seepage.functions import load_function, programs_of
from seepage.python.excerpts import excerpt, pieces_of
from seepage.python.marks import read
from seepage.source import Span

FILLER = '''def unrelated{0}(n):
    """Count,
as a text at the left edge.
"""
    if n > 0:
        return unrelated{0}(n - 1)
    return f"{{n}} é"


class Other{0}:
    def method(self):
        self.value = 1


'''
MODULES = ["argparse", "ast", "dataclasses", "difflib", "enum", "inspect", "random", "statistics", "tokenize", "typing"]


def crowded(text: str) -> str:
    """Return a file with other definitions before, between and behind its statements."""
    pieces = pieces_of(text)
    assert not isinstance(pieces, Diagnostic)
    return "".join(FILLER.format(number) + piece.text + "\n\n" for number, piece in enumerate(pieces))


@pytest.mark.parametrize("name", CASES)
def test_what_stands_between_changes_nothing(name: str) -> None:
    case = CASES[name]
    keys = {"assertions" if key == "assert" else key: value for key, value in case["marks"].items()}
    mark, _ = read(keys, Span(0, 0))
    alone, among = (load_function(text, "", case["function"], mark) for text in (case["code"], crowded(case["code"])))

    assert among.translation is not None
    assert alone.translation is not None
    assert among.translation.text == alone.translation.text
    assert [(one.rule.code, one.message) for one in among.diagnostics] == [
        (one.rule.code, one.message) for one in alone.diagnostics
    ]
    assert [among.file[place] for place in among.translation.places] == [
        alone.file[place] for place in alone.translation.places
    ]


@pytest.mark.parametrize("name", MODULES)
def test_pieces_of_a_file_say_what_the_file_says(name: str) -> None:
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    text = Path(spec.origin).read_text(encoding="utf-8")

    pieces = pieces_of(text)

    assert not isinstance(pieces, Diagnostic)
    assert len(pieces) > 10
    assert "".join(one.text for one in pieces) == text
    together = [ast.dump(statement) for one in pieces for statement in ast.parse(one.text).body]
    assert together == [ast.dump(statement) for statement in ast.parse(text).body]


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\nelse:\n    y = 2\n",
        's = """\ndef f():\n"""\n',
        "f(\nx,\n)\n",
        "if x:\n    y\nelse:\n    z\n",
        "a = 1 + \\\nb\n",
    ],
)
def test_a_text_that_cannot_be_cut_is_one_piece(text: str) -> None:
    pieces = pieces_of(text)
    try:
        ast.parse(text)
    except SyntaxError:
        assert isinstance(pieces, Diagnostic)
    else:
        assert not isinstance(pieces, Diagnostic)
        assert [one.text for one in pieces] == [text] or all(ast.parse(one.text) for one in pieces)
        assert [ast.dump(statement) for one in pieces for statement in ast.parse(one.text).body] == [
            ast.dump(statement) for statement in ast.parse(text).body
        ]


@pytest.mark.parametrize(
    "other",
    [
        "def other():\n    global limit\n    limit = 3\n",
        "def other():\n    random.random = other\n",
        "def limit():\n    return 1\n",
        "class random:\n    pass\n",
    ],
)
def test_other_definitions_that_change_what_names_mean_stay(other: str) -> None:
    text = f"import random\n\nlimit = 2\n\n\ndef f(x):\n    return x < limit and random.random() < 0.5\n\n\n{other}"
    mark, _ = read({"secret": {"x": "uniform_int(0, 3)"}}, Span(0, 0))

    assert [one.rule.code for one in load_function(text, "", "f", mark).diagnostics] == ["SEEP701"]


def test_an_edit_elsewhere_leaves_the_excerpt_and_moves_its_places() -> None:
    text = "def helper(x):\n    return x\n\n\ndef f(x):\n    return helper(x)\n"
    before = pieces_of("y = 1\n\n\ndef other():\n    pass\n\n\n" + text)
    after = pieces_of("y = 1\n\n\ndef other():\n    return 'é'\n\n\n\n" + text)
    assert not isinstance(before, Diagnostic)
    assert not isinstance(after, Diagnostic)

    old, new = excerpt(before, ["f"]), excerpt(after, ["f"])

    assert old.text == new.text == "y = 1\n\n\n" + text
    assert new.in_file(Span(8, 14)).start - old.in_file(Span(8, 14)).start == len("return 'é'\n") - len("pass")


def test_a_law_that_a_function_gives_is_reached() -> None:
    text = (
        "import random\nfrom seepage_marks import leakage\n\n\ndef people():\n    return random.randint(0, 3)\n\n\n"
        '@leakage(secret={"x": "function:people"})\ndef f(x):\n    return x > 1\n'
    )

    (program,) = programs_of(text, "")

    assert program.measure("I(x; result)").value == pytest.approx(1)
