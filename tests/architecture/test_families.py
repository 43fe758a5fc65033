"""What the ordinary profile leaves out of dear tests is in the full one, which continuous integration runs; what it stands for stays."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from tests.families import left_out

ROOT = Path(__file__).parents[2]


def test_the_ends_and_each_so_manyth_case_stay() -> None:
    assert left_out({"a": (3, range(8)), "b": (2, "x"), "c": (5, "")}) == [1, 2, 4, 5]


parsed = cache(ast.parse)


def is_mark(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "variation"


def marks_of_file(tree: ast.Module) -> list[ast.AST]:
    """Return what the tests of a whole file are marked with."""
    assigned = [
        each for each in tree.body if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "pytestmark"
    ]
    return [node for each in assigned for node in ast.walk(each)]


def test_what_a_variation_varies_is_a_test_that_stays() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")}
    varied = [
        (path, ast.literal_eval(each.keywords[0].value))
        for path, text in texts.items()
        if ".variation(" in text
        for each in ast.walk(ast.parse(text))
        if isinstance(each, ast.Call) and is_mark(each)
    ]
    assert varied

    for path, name in varied:
        file, _, test = name.rpartition("::")
        tree = parsed(texts[ROOT / file if file else path])
        (function,) = [
            each for each in tree.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and each.name == test
        ]
        # Of a test, cases alone may be marked: the others stay.
        assert not any(map(is_mark, [*function.decorator_list, *marks_of_file(tree)])), f"{path}: {name}"


def test_continuous_integration_tries_every_case_and_checks_everything() -> None:
    commands = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()

    assert [line for line in commands if line.startswith("make test")] == ["make test EDITORS=install PROFILE=full"]
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    (parts,) = re.findall(r"^check: (.*)$", text, re.MULTILINE)
    assert {*parts.split(), "vsix", "gate", "docs"} <= {word for line in commands for word in line.split()}
    assert "export SEEPAGE_FULL := $(if $(filter full,$(PROFILE)),1)" in text
