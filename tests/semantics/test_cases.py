"""Branches that only set one variable, against what a walk over all of their statements finds."""

from __future__ import annotations

import random

import pytest
from tests.engines.random_programs import core_of

from seepage.program import parse
from seepage.semantics.cases import cases_of
from seepage.semantics.core import CoreAssign, CoreIf, CoreSample
from seepage.semantics.dependence import steps
from seepage.semantics.sink import sink
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import names_read, walk, written_variables


def branch_of(text: str) -> CoreIf:
    (found,) = (each for each in core_of(text).statements if isinstance(each, CoreIf))
    return found


@pytest.mark.parametrize(
    ("text", "target", "reads", "keeps", "draws"),
    [
        ("if a { x ~ flip(1/2) } else { x := b }", "x", {"a", "b"}, False, True),
        ("if a { x := 1 } else if b { x := 2 }", "x", {"a", "b", "x"}, True, False),
        ("if a { if b { x ~ flip(1/3) } else { x := 0 } } else { x ~ flip(p) }", "x", {"a", "b", "p"}, False, True),
    ],
)
def test_what_one_variable_is_set_to(text: str, target: str, reads: set[str], keeps: bool, draws: bool) -> None:
    found = cases_of(branch_of(f"param p in [0, 1] = 1/2\na ~ flip(1/2)\nb ~ flip(1/2)\nx := 0\n{text}\n"))

    assert found is not None
    assert (found.target, set(found.reads), found.keeps, found.draws) == (target, reads, keeps, draws)


@pytest.mark.parametrize(
    "text",
    [
        "if a { x := 1 } else { y := 1 }",
        "if a { x := 1\ny := 2 }",
        "if a { x := 1\nx := x + 1 }",
        "if a { observe b } else { x := 1 }",
        "if a { x := v[b] } else { x := 0 }",
        "if a { v[b] := 1 }",
    ],
)
def test_branches_that_do_more(text: str) -> None:
    assert cases_of(branch_of(f"a ~ flip(1/2)\nb ~ flip(1/2)\nv[0] := 0\nv[1] := 1\nx := 0\ny := 0\n{text}\n")) is None


def program(rng: random.Random) -> str:
    lines = ["a ~ flip(1/2)", "b ~ flip(1/3)", "c ~ flip(1/4)"]

    def block(depth: int, target: str) -> str:
        kind = rng.random()
        if depth and kind < 0.6:
            otherwise = f" else {{ {block(depth - 1, target)} }}" if rng.random() < 0.8 else ""
            return f"if {rng.choice('abc')} {{ {block(depth - 1, target)} }}{otherwise}"
        name = target if rng.random() < 0.95 else rng.choice("abcxy")
        return rng.choice([f"{name} ~ flip(1/{rng.randint(2, 5)})", f"{name} := {rng.choice('abc')}", f"{name} := 1"])

    for target in rng.choices("xyabc", k=5):
        lines.append(block(3, target))
        if rng.random() < 0.2:
            lines.append(f"observe {rng.choice('ab')} or {rng.choice('bc')}")
    return "\n".join([*lines[:3], "x := 0", "y := 0", *lines[3:]]) + "\n"


def test_random_branches_mean_what_their_statements_mean() -> None:
    rng, found = random.Random(1), 0
    for number in range(60):
        text = program(rng)
        core = core_of(text)
        for branch in (each for each in walk(core.statements) if isinstance(each, CoreIf)):
            cases = cases_of(branch)
            if cases is None:
                continue
            found += 1
            inside = [each for each in walk((branch,)) if isinstance(each, CoreAssign | CoreSample)]
            assert written_variables((branch,)) == (cases.target,)
            assert set(cases.reads) - {cases.target} == set(names_read((branch,))) - {cases.target}
            assert not cases.keeps or cases.target in cases.reads
            assert len(inside) == len(cases.leaves)
            assert cases.draws == any(isinstance(each, CoreSample) for each in inside)
            assert list(steps((branch,))) == [branch]
        assert sink(slice_program(core, ("x", "y"))).statements  # what is left is a program
        if number % 6 == 0:
            more = "\nz := 0\nif a { z := 1\nx := x }\n"  # the same to x and y, in a branch that does more
            apart = (parse(each).measure("I(x; y)").number for each in (text, text + more))
            assert next(apart) == pytest.approx(next(apart), abs=1e-12)
    assert found > 100
