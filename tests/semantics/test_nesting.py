"""Expressions nested as deeply as the parser allows pass through everything, from a stack that is not empty."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TypeVar

import pytest

from seepage.fixing import fix_all
from seepage.pipeline import Options, analyze
from seepage.semantics.check import check
from seepage.source import SourceFile
from seepage.symbols.classify import classify
from seepage.symbols.names import symbols_in
from seepage.symbols.outline import outline
from seepage.syntax.expressions import MAX_DEPTH
from seepage.syntax.printer import format_text

T = TypeVar("T")

FRAMES = 100  # on the stack already; some 50 are in the server
LEVELS = MAX_DEPTH - 10  # what stands around it takes some
DEEP = os.environ.get("SEEPAGE_DEEP") == "1"
# What is written before and behind the inner expression, and how many levels that is.
FORMS = {
    "calls": ("abs(", ")", 1),
    "calls with two arguments": ("min(1, ", ")", 1),
    "unknown calls": ("foo(", ")", 1),
    "indices": ("a[", "]", 1),
    "parentheses": ("(", ")", 1),
    "signs": ("-", "", 1),
    "sums": ("", " + 1", 1),
    "sums to the right": ("1 + (", ")", 2),
    "products": ("", " * 1", 1),
    "powers": ("1^", "", 1),
    "negations": ("not ", "", 1),
    "conjunctions": ("", " and x", 1),
    "conjunctions to the right": ("x and (", ")", 2),
    "exclusive disjunctions": ("x xor (", ")", 2),
    "comparisons": ("1 == (", ")", 2),
    "conditions": ("if ", " then x else 0", 1),
    "alternatives": ("if x then 1 else ", "", 1),
}
PLACES = {
    "values": "y := {}",
    "parameters of laws": "y ~ normal({}, 1)",
    "probabilities": "y ~ {{1: {}, 0: 1/2}}",
    "weights": "y ~ ({}) * normal(0, 1) + 1/2 * normal(1, 1)",
    "observations": "y := x\nobserve {}",
    "branches": "y := 0\nif {} {{ y := 1 }}",
    "elements": "y := 0\na[{}] := 2",
    "bounds of loops": "y := 0\nfor i in 1..{} {{ y := y + 1 }}",
    "constants": "const c = {}\ny := x",
    "domains": "param p in [0, {}] = 1/2\ny := x",
    "measured": "y := x\nshow E({})",
    "events": "y := x\nshow H(y | {})",
    "budgets": "y := x\nrequire H(y) <= ({})",
    "gains": "y := x\nshow G(x -> y, {{(1, 1): {}}})",
}
OFTEN = ("values", "events") if not DEEP else tuple(PLACES)
LAWS = {"discrete": "x ~ flip(1/2)", "continuous": "x ~ normal(0, 1)"}


def program(form: str, place: str, law: str) -> SourceFile:
    before, behind, levels = FORMS[form]
    count = LEVELS // levels
    nested = before * count + "x" + behind * count
    return SourceFile("test.seep", f"{LAWS[law]}\na[0] := 0\na[1] := 1\n{PLACES[place].format(nested)}\nshow E(y)\n")


def from_a_deep_stack(call: Callable[[], T], frames: int = FRAMES) -> T:
    return call() if frames == 0 else from_a_deep_stack(call, frames - 1)


def passes_through_all(source: SourceFile) -> None:
    checked = from_a_deep_stack(lambda: check(source))
    assert "SEEP006" not in [one.rule.code for one in checked.diagnostics]
    assert from_a_deep_stack(lambda: classify(checked))
    assert from_a_deep_stack(lambda: outline(checked))
    assert from_a_deep_stack(lambda: symbols_in(checked))
    refused = from_a_deep_stack(lambda: format_text(source.text)).errors
    assert "SEEP006" not in [one.rule.code for one in refused]


@pytest.mark.parametrize("place", OFTEN)
@pytest.mark.parametrize("form", FORMS)
def test_the_deepest_nesting_is_checked(form: str, place: str) -> None:
    for law in LAWS if DEEP else ("continuous",):
        passes_through_all(program(form, place, law))


@pytest.mark.parametrize("place", PLACES)
def test_calls_may_be_nested_in_every_place(place: str) -> None:
    passes_through_all(program("calls", place, "continuous"))


@pytest.mark.parametrize("form", ["calls", "unknown calls", "conditions"])
def test_fixes_are_looked_for_in_the_deepest_nesting(form: str) -> None:
    source = program(form, "values", "continuous")

    assert from_a_deep_stack(lambda: fix_all(source)).text


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("calls", 0.5),
        ("calls with two arguments", 0.5),
        ("indices", 0.5),
        ("sums", 0.5 + LEVELS),
        ("conjunctions to the right", 0.5),
        ("conditions", 0.5),
        ("alternatives", 0.5),
    ],
)
def test_the_deepest_nesting_has_a_value(form: str, expected: float) -> None:
    checked = check(program(form, "values", "discrete"))

    (answer,) = from_a_deep_stack(lambda: analyze(checked, Options(seconds=20))).answers

    assert answer.result is not None
    assert answer.result.value == expected
