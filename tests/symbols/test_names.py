from __future__ import annotations

import itertools
import random

import pytest
from tests.syntax.mangled import PROGRAMS

from seepage import rules
from seepage.symbols.names import Role, Symbol, symbol_at, symbols_in, visible_at
from seepage.symbols.rename import CannotRename, rename
from seepage.syntax.comments import blank_comments
from seepage.syntax.printer import applied
from seepage.syntax.tokens import scan
from seepage.syntax.vocabulary.contextual import CONTEXTUAL

from .marked import PROGRAM, checked, cursor


def symbol(text: str) -> Symbol:
    found = symbol_at(*cursor(text))
    assert found is not None
    return found


def renamed(text: str, name: str) -> str:
    program, at = cursor(text)
    return applied(program.source.text, rename(program, at, name))


def refusal(text: str, name: str) -> str:
    with pytest.raises(CannotRename) as caught:
        renamed(text, name)
    return str(caught.value)


@pytest.mark.parametrize(
    ("where", "name", "role", "documentation"),
    [
        ("param $0p", "p", Role.PARAMETER, "how likely"),
        ("const n$0", "n", Role.CONSTANT, ""),
        ("I($0s", "s", Role.SECRET, "who did it"),
        ("$0o := a", "o", Role.OUTPUT, ""),
        ("= $0a[1]", "a", Role.VARIABLE, ""),
        ("s + $0i", "i", Role.LOOP, ""),
    ],
)
def test_a_name_has_a_role_and_its_documentation(where: str, name: str, role: Role, documentation: str) -> None:
    found = symbol(PROGRAM.replace(where.replace("$0", ""), where, 1))

    assert (found.name, found.role, found.documentation) == (name, role, documentation)


def test_loops_over_one_name_have_variables_of_their_own() -> None:
    first = symbol(PROGRAM.replace("s + i", "s + $0i"))
    second = symbol(PROGRAM.replace("b := i", "b := $0i"))

    assert (len(first.occurrences), len(second.occurrences)) == (3, 3)
    assert set(first.occurrences).isdisjoint(second.occurrences)


def test_the_bounds_of_a_loop_are_outside_of_it() -> None:
    found = symbol("for i in 1..2 { x := i }\nfor j in 1..$0i { x := j }\n")

    assert found.role is Role.UNKNOWN


def test_a_loop_variable_is_visible_in_its_loop_only() -> None:
    inside = {one.name for one in visible_at(*cursor(PROGRAM.replace("b := i", "b := $0i")))}
    outside = {one.name for one in visible_at(*cursor(PROGRAM.replace("o := a", "$0o := a")))}

    assert inside == {"p", "n", "s", "o", "a", "b", "i"}
    assert outside == inside - {"i"}


def test_renaming_changes_every_place_and_nothing_else() -> None:
    assert renamed(PROGRAM.replace("secret s", "secret $0s"), "ghost") == (
        PROGRAM.replace("secret s", "secret ghost")
        .replace("s ~", "ghost ~")
        .replace("s + i", "ghost + i")
        .replace("I(s;", "I(ghost;")
    )
    assert renamed(PROGRAM.replace("b := i", "b := $0i"), "k") == PROGRAM.replace(
        "for i in 1..2 {\n    if a[i]", "for k in 1..2 {\n    if a[k]"
    ).replace("b := i", "b := k")


# One name in every place of a measure that may hold a constant, a parameter or a variable.
@pytest.mark.parametrize(
    "measure",
    [
        "G(x -> y, tries(§))",
        "G(x -> y, {(§, 1): 1, (2, §): 1, (2, 2): §})",
        "H(x | y > §)",
        "KL(x | x > § || x | x < §)",
        "P(x == §)",
        "DP(x -> y, delta=§)",
        "DP(x -> y, distance=§)",
        "Delta(x -> y, eps=§)",
        "-(H(x) * §) + G(x -> y, tries(§)) / §",
    ],
)
@pytest.mark.parametrize("declaration", ["const § = 1", "param § = 1"])
def test_a_name_is_found_wherever_a_measure_names_it(declaration: str, measure: str) -> None:
    text = f"{declaration}\nx ~ uniform_int(1, 2)\ny := x\nshow {measure}\nrequire {measure} <= §\n"
    plain = text.replace("§", "k")

    assert renamed(plain.replace(" k", " $0k", 1), "other") == text.replace("§", "other")
    assert len(symbol(plain.replace(" k", " $0k", 1)).occurrences) == text.count("§")
    assert not [
        one for one in checked(plain).diagnostics if one.rule in (rules.UNUSED_CONSTANT, rules.UNUSED_PARAMETER)
    ]


def test_a_loop_variable_may_have_the_name_of_another_loop() -> None:
    text = "for i in 1..2 { x := i }\nfor j in 1..2 { x := $0j }\n"

    assert renamed(text, "i") == "for i in 1..2 { x := i }\nfor i in 1..2 { x := i }\n"


@pytest.mark.parametrize(
    ("text", "name", "says"),
    [
        ("$0x := 1\ny := 2\n", "y", "'y' is a name already, on line 2"),
        ("$0x := 1\nfor i in 1..2 { y := i }\n", "i", "'i' is a name already, on line 2"),
        ("$0x := 1\n", "if", "'if' is a word of the language"),
        ("$0x := 1\n", "2x", "'2x' is no name"),
        ("$0x := 1\ny := \n", "z", "the file has syntax errors"),
        ("x := $0 1\n", "z", "no variable, parameter or constant stands here"),
    ],
)
def test_what_cannot_be_renamed_is_told(text: str, name: str, says: str) -> None:
    assert says in refusal(text, name)


# In a program with errors, a name may stand for two things (a loop variable that shadows another), which only other names can part.
@pytest.mark.parametrize("number", [n for n in range(0, len(PROGRAMS), 4) if not checked(PROGRAMS[n]).has_errors])
def test_renaming_there_and_back_gives_the_program_back(number: int) -> None:
    text = PROGRAMS[number]
    program = checked(text)
    one = random.Random(number).choice(symbols_in(program))
    at = one.occurrences[-1].start

    there = applied(text, rename(program, at, "renamed_name"))
    moved = checked(there)
    back = applied(
        there,
        rename(moved, next(s for s in symbols_in(moved) if s.name == "renamed_name").definitions[0].start, one.name),
    )

    assert back == text
    assert [d.rule.code for d in moved.diagnostics] == [d.rule.code for d in program.diagnostics]


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_every_name_of_a_program_is_known_or_called_or_names_an_argument(number: int) -> None:
    text = PROGRAMS[number]
    known = {span.start for one in symbols_in(checked(text)) for span in one.occurrences}
    tokens = scan(blank_comments(text).text)

    rest = [
        token.value
        for token, following in itertools.pairwise(tokens)
        if token.type == "NAME" and token.start not in known and following.type not in ("LPAR", "EQUAL")
        if token.value not in CONTEXTUAL
    ]

    assert set(rest) <= {"distance", "guess", "max", "min"}  # gains, and which end of what an attacker reaches
