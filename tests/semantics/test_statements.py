"""Walks over core statements, on a program whose names stand in every kind of place."""

from __future__ import annotations

from seepage.pipeline import check
from seepage.semantics.core import CoreProgram
from seepage.semantics.statements import names_read, walk, written_variables
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile

TEXT = """param k in [1, 2] = 1
param q in [0, 1] = 1/2
a[1] := 0
a[2] := 0
s ~ bernoulli(q)
a[k] := s
if s == 1 { t := a[k] } else { u ~ uniform_int(0, s + 1) }
observe(t == u)
"""


def core() -> CoreProgram:
    return unroll(check(SourceFile("t", TEXT)))


def test_a_walk_meets_every_statement_in_the_order_of_the_text() -> None:
    starts = [statement.span.start for statement in walk(core().statements)]

    assert starts == sorted(starts)
    assert len(starts) == 8


def test_the_index_of_a_random_target_is_read() -> None:
    assert list(names_read(core().statements)) == ["q", "k", "s", "s", "a", "k", "s", "t", "u"]


def test_an_element_picked_at_random_is_written_under_no_name_of_its_own() -> None:
    assert written_variables(core().statements) == ("a[1]", "a[2]", "s", "t", "u")
