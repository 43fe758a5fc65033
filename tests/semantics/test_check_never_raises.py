"""Checking never raises, and unrolling raises faults only, whatever is left of a program."""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from seepage.diagnostics import Fault
from seepage.semantics.check import check
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile

PROGRAMS = [
    case["program"]
    for path in sorted((Path(__file__).parents[1] / "cases").glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8")).get("case", ())
]
TOKEN = re.compile(r"\s+|[^\W\d]\w*|[\d.]+|:=|==|!=|<=|>=|\.\.|.")
tokens = [token for program in PROGRAMS for token in TOKEN.findall(program) if not token.isspace()]


@st.composite
def damaged(draw: st.DrawFn) -> str:
    parts = TOKEN.findall(draw(st.sampled_from(PROGRAMS)))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(parts) - 1))
        kind = draw(st.sampled_from(["drop", "swap", "replace", "double"]))
        other = draw(st.integers(0, len(parts) - 1))
        if kind == "drop":
            parts[place] = " "
        elif kind == "swap":
            parts[place], parts[other] = parts[other], parts[place]
        elif kind == "replace":
            parts[place] = draw(st.sampled_from(tokens))
        else:
            parts[place] = parts[place] + " " + parts[other]
    return "".join(parts)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(damaged())
def test_damaged_programs_are_checked(text: str) -> None:
    checked = check(SourceFile("damaged.seep", text))

    for diagnostic in checked.diagnostics:
        assert diagnostic.span.end <= len(text)
        assert diagnostic.message
        assert not diagnostic.message.endswith(".")
    if not checked.has_errors:
        with suppress(Fault):
            unroll(checked, limit=2_000)


def test_long_sums_and_deep_nesting_are_checked() -> None:
    long_sum = "x := " + " + ".join(["y"] * 150) + "\n"
    deep = "if true { " * 60 + "x := 1" + " }" * 60
    nest = "".join(f"for i{k} in 1..2 {{ " for k in range(40)) + "x := x + 1" + " }" * 40
    chain = "if y == 0 { x := 0 }" + "".join(f" else if y == {k} {{ x := {k} }}" for k in range(300))

    for text in (long_sum, deep, nest, chain):
        check(SourceFile("deep.seep", text))


def test_only_the_first_of_many_unknown_names_get_a_guess() -> None:
    text = "output o\n" + "".join(f"value_{i} := valu_{i}\n" for i in range(60))

    messages = [
        one.message for one in check(SourceFile("many.seep", text)).diagnostics if "unknown name" in one.message
    ]

    assert len(messages) == 60
    assert sum("did you mean" in message for message in messages) == 20


def test_no_more_findings_are_listed_than_anybody_reads_and_errors_are_among_them() -> None:
    unread = "".join(f"x{number} := {number}\n" for number in range(1_500))
    unknown = "".join(f"x{number} := y{number}\n" for number in range(1_500))
    warned = check(SourceFile("long.seep", f"{unread}show E(1)\n")).diagnostics
    mixed = check(SourceFile("long.seep", "".join(f"y{i} := x{i}\nx{i} := 1\n" for i in range(1_500)) + "z := last\n"))
    wrong = check(SourceFile("long.seep", unknown))

    assert len(warned) == len(mixed.diagnostics) == len(wrong.diagnostics) == 1_000
    assert warned[-1].notes[-1] == "more findings than these 1,000 are not listed"
    assert mixed.has_errors
    assert wrong.has_errors
