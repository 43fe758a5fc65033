"""Fixes of what is wrong with tables and with choices of attackers: the text with them means what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.semantics.test_mending import with_fix

import seepage
from seepage.files import Folder
from seepage.semantics.check import check
from seepage.source import SourceFile

PEOPLE = Folder(str(Path(__file__).parents[1] / "fixtures" / "semantics" / "beside"))
PREFIX = "secret s\noutput o\ns ~ uniform_int(0, 3)\n"


def fixed(text: str, code: str) -> seepage.Program:
    """Return the program with the first fix of each finding of a rule, one after the other."""
    program = seepage.parse(text, files=PEOPLE)
    for _ in range(10):
        told = next((one for one in program.diagnostics if one.rule.code == code and one.fixes), None)
        if told is None:
            return program
        text = with_fix(text, told.fixes[0])
        program = seepage.parse(text, files=PEOPLE)
    raise AssertionError("fixes go on without end")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("table people from people.csv\nrow ~ people\nx := row.age\n", "SEEP010"),
        ('table people from "people.csv"\nx := people.age\n', "SEEP021"),
        ('table people from "people.csv"\nwho ~ people\nx := people.age\n', "SEEP021"),
    ],
)
def test_a_row_is_drawn_from_a_table(text: str, code: str) -> None:
    assert fixed(text, code).measure("E(x)").value == 46.5  # the mean of the eight ages


def test_each_round_has_an_output_of_its_own() -> None:
    program = fixed(f"{PREFIX}for i in 1..2 {{\n    attacker g[i] in 0..3\n    o := s == g[i]\n}}\n", "SEEP119")

    # Asked for two of four values: 1/4 each, else one of the other two.
    assert program.measure("I(s; o)").value == pytest.approx(1.5)


def test_an_output_that_grows_is_told_to_be_put_out_at_the_end() -> None:
    """An element for each round would read the array; what the note says is a program."""
    text = f"{PREFIX}o := 0\nfor i in 1..2 {{\n    attacker g[i] in 0..3\n    o := o or s == g[i]\n}}\n"
    (told,) = [each for each in seepage.parse(text).diagnostics if each.is_error]
    advised = text.replace("o := 0", "found := 0").replace("o := o or", "found := found or") + "o := found\n"

    assert (told.rule.code, told.fixes) == ("SEEP119", ())
    assert "assigned to the output after the last choice" in told.notes[0]
    assert seepage.parse(advised).measure("I(s; o)").exact == 1  # two values are asked for, two are not


def test_the_attacker_chooses_before_a_branch() -> None:
    text = f"{PREFIX}if s > 1 {{\n    attacker g in 0..3\n    o := s == g\n}} else {{ o := 0 }}\n"

    assert fixed(text, "SEEP120").measure("V(s | o)").value == pytest.approx(1 / 2)


def test_a_choice_has_no_other_value() -> None:
    program = fixed(f"{PREFIX}attacker g in 0..3\ng := 2\no := s == g\n", "SEEP120")

    assert program.measure("V(s | o)").value == pytest.approx(1 / 2)


def test_no_fix_writes_again_what_is_refused_in_the_text() -> None:
    text = "s ~ uniform_int(0, 9)\no := clamp(s + laplace(0, 1), 0, 9)\n"

    first = {one.rule.code: one.fixes for one in check(SourceFile("f.seep", text)).diagnostics if one.is_error}
    assert first["SEEP112"] == ()  # a number stands for the draw in the tree: the fix would write it
    text = with_fix(text, first["SEEP021"][0])
    (clamped,) = [one for one in check(SourceFile("f.seep", text)).diagnostics if one.is_error]

    assert with_fix(text, clamped.fixes[0]).endswith("o := min(max(s + noise, 0), 9)\n")
