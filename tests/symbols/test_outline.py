from __future__ import annotations

import itertools

import pytest
from tests.syntax.mangled import PROGRAMS

from seepage.source import Span
from seepage.symbols.classify import Category, Modifier, classify
from seepage.symbols.outline import Entry, folds, outline
from seepage.syntax.walk import enclosing

from .marked import PROGRAM, checked, cursor


def shown(entries: tuple[Entry, ...], depth: int = 0) -> list[str]:
    return [
        line
        for entry in entries
        for line in ("  " * depth + f"{entry.sort} {entry.name}", *shown(entry.children, depth + 1))
    ]


def test_the_outline_has_what_is_defined_inside_the_blocks_that_define_it() -> None:
    assert shown(outline(checked())) == [
        "param p",
        "const n",
        "secret s",
        "output o",
        "variable s",
        "block for i in 1..n",
        "  array a",
        "block for i in 1..2",
        "  block if a[i] == 1",
        "    variable b",
        "variable o",
        "question show I(s; o)",
    ]


@pytest.mark.parametrize("text", PROGRAMS[::5])
def test_an_outline_is_nested_as_the_text_is(text: str) -> None:
    def holds(entries: tuple[Entry, ...], around: Span) -> None:
        for entry in entries:
            assert around.start <= entry.span.start <= entry.name_span.start
            assert entry.name_span.end <= entry.span.end <= around.end
            holds(entry.children, entry.span)

    holds(outline(checked(text)), Span(0, len(text)))


def test_blocks_long_statements_and_comments_fold() -> None:
    text = "// a\n// b\nx ~ {\n  0: 1\n}\nif x == 1 {\n  y := 1\n} else {\n  y := 2\n}\nz := 1 // c\n// d\n"
    program = checked(text)

    found = [(text[fold.span.start : fold.span.end].split("\n")[0], fold.is_comment) for fold in folds(program)]

    assert found == [("// a", True), ("x ~ {", False), ("{", False), ("{", False)]


def test_a_selection_grows_from_a_name_to_the_file() -> None:
    program, at = cursor("if c {\n    x := (a + $0b) * 2\n}\n")

    found = [program.source[span] for span in reversed(enclosing(program.tree, at))]

    assert found[:5] == ["b", "a + b", "(a + b)", "(a + b) * 2", "x := (a + b) * 2"]
    assert found[5] == "{\n    x := (a + b) * 2\n}"
    assert found[-1] == program.source.text


def test_names_are_classified_by_what_they_are() -> None:
    program = checked(PROGRAM + "c ~ normal(0, 1)\n")
    found = {(program.source[one.span], one.category): one.modifiers for one in reversed(classify(program))}

    assert found["p", Category.PARAMETER] == {Modifier.DECLARATION}
    assert found["n", Category.CONSTANT] == {Modifier.DECLARATION}
    assert found["i", Category.LOOP] == {Modifier.DECLARATION}
    assert found["s", Category.VARIABLE] == {Modifier.SECRET, Modifier.DISCRETE}
    assert found["o", Category.VARIABLE] == {Modifier.OUTPUT, Modifier.DISCRETE}
    assert found["c", Category.VARIABLE] == {Modifier.DECLARATION, Modifier.CONTINUOUS}
    assert found["bernoulli", Category.DISTRIBUTION] == set()
    assert found["I", Category.MEASURE] == set()


@pytest.mark.parametrize("text", PROGRAMS[::5])
def test_classified_words_do_not_overlap(text: str) -> None:
    found = classify(checked(text))

    assert all(one.span.end <= two.span.start for one, two in itertools.pairwise(found))
