"""Reads before an assignment, held against every run of random loops: what is said to be sure is, and nothing is missed."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from tests.semantics import program_runs
from tests.semantics.program_runs import State, TooManyRuns, runs_of_text
from tests.semantics.random_programs import VARIABLES, statements

from seepage.rules import READ_BEFORE_ASSIGNMENT
from seepage.semantics.check import check
from seepage.source import SourceFile
from seepage.syntax.tree import Binary, Expression, Module, Name
from seepage.syntax.walk import nodes, rooted


def reads(tree: Module) -> tuple[dict[int, str], set[int]]:
    """Return the places where a run reads a variable without a value, with its name, and those where one reads any."""
    places = {id(node): node.span.start + start for root, start in rooted(tree) for node in nodes(root)}
    missing: dict[int, str] = {}
    reached: set[int] = set()
    original = program_runs.value

    def noted(expression: Expression, state: State) -> Fraction:
        match expression:
            case Name(id=name):
                reached.add(places[id(expression)])
                if name not in state:
                    missing[places[id(expression)]] = name
            case Binary(operator="and" | "or" as operator, left=left, right=right):
                first = noted(left, state)
                return noted(right, state) if bool(first) is (operator == "and") else first
        return original(expression, state)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program_runs, "value", noted)
        runs_of_text(tree, most=300)
    return missing, reached


def loops() -> st.SearchStrategy[str]:
    body = st.lists(statements((*VARIABLES, "i", "i", "i"), 1), min_size=2, max_size=2).map("\n    ".join)
    return st.builds("e[1] := 0\ne[2] := 1\nfor i in {}..2 {{\n    {}\n}}\n".format, st.integers(0, 1), body)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(loops())
def test_what_is_said_of_reads_before_an_assignment_holds_on_all_runs(text: str) -> None:
    checked = check(SourceFile("test.seep", text))
    try:
        missing, reached = reads(checked.tree)
    except TooManyRuns:
        reject()
    if checked.has_errors:
        reject()
    found = [one for one in checked.diagnostics if one.rule is READ_BEFORE_ASSIGNMENT]
    named = {re.findall("'([a-z]+)'", one.message)[0] for one in found}

    assert set(missing.values()) <= named, text
    for one in found:
        if "is read before" in one.message and one.span.start in reached:
            assert one.span.start in missing, (text, one.message)
