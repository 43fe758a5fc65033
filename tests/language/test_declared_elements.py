"""Declarations of some elements of an array: they are those that statements assign, or an error at the declaration."""

from __future__ import annotations

import pytest

import seepage


def test_a_run_of_elements_is_declared() -> None:
    text = "secret s\noutput o[1..2]\ns ~ uniform_int(0, 7)\no[1] := s % 2\no[2] := floor(s / 4)\no[3] := s\n"
    program = seepage.parse(text)

    assert not program.diagnostics
    assert [one.name for one in program.checked.symbols.outputs] == ["o[1]", "o[2]"]
    assert program.measure("I(s; o[1], o[2])").exact == 2


@pytest.mark.parametrize("declared", ["s[0..1]", "s[1..2, 3].a", "s[j, k]", "s[3..1]", "s[1..6]"])
@pytest.mark.parametrize("word", ["secret", "output"])
@pytest.mark.parametrize("rest", ["", "s := 1\n", "s[7] := 1\n", "j := 1\nk := 1\ns[7] := 1\n"])
def test_elements_that_nothing_assigns_are_told(word: str, declared: str, rest: str) -> None:
    program = seepage.parse(f"{word} {declared}\n{rest}")

    assert any(one.is_error and one.span.start < len(word) + 1 + len(declared) for one in program.diagnostics)
