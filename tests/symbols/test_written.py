"""Names of texts beyond the core of the language: read off what is written."""

from __future__ import annotations

import itertools
from functools import cache

import pytest

import seepage
from seepage.symbols.calls import call_at
from seepage.symbols.classify import Category, classify
from seepage.symbols.completion import context_at
from seepage.symbols.names import Role, Symbol, symbol_at, symbols_in, visible_at
from seepage.symbols.outline import Entry, folds, outline
from seepage.symbols.rename import CannotRename, rename
from seepage.syntax.printer import applied

from .marked import checked, cursor

PROGRAM = """\
enum colour { red, green }
const w = [1, 2, 3]
secret p
output o
/// adds noise
def noisy(x, k) {
    n ~ uniform_int(-1, 1) given x + n >= 0
    observe n < k
    return x + n, k
}
p.age ~ weights(w)
p.tint ~ uniform_of(colour)
for i in 0..2 { a[i], b[i] ~ noisy(p.age, i + 1) }
t := [v * 2 for v in [1, 2] if v > 1]
o := sum(a) + count(v in {1, 2} for v in b)
if p.tint == "red" { o := 1 } else if p.tint == colour.green { o := t[0] }
show I(p; o)
show P(p.tint == red)
"""


def symbol(marked: str) -> Symbol:
    found = symbol_at(*cursor(PROGRAM.replace(marked.replace("$0", ""), marked, 1)))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("where", "role", "places"),
    [
        ("noisy($0x, k) {", Role.ARGUMENT, 3),
        ("return x + $0n", Role.LOCAL, 4),
        ("~ $0noisy(", Role.PROCEDURE, 2),
        ("enum $0colour", Role.ENUMERATION, 3),
        ('== "$0red"', Role.MEMBER, 3),
        ("colour.$0green", Role.MEMBER, 2),
        ("show P(p.$0tint", Role.FIELD, 4),
        ("$0p.age ~", Role.SECRET, 8),
        ("weights($0w", Role.CONSTANT, 2),
        ("a[$0i]", Role.LOOP, 4),
        ("[$0v * 2", Role.LOOP, 3),
        ("count($0v in", Role.LOOP, 2),
        ("$0t := ", Role.VARIABLE, 2),
    ],
)
def test_each_kind_of_name_has_a_role_and_all_of_its_places(where: str, role: Role, places: int) -> None:
    found = symbol(where)

    assert (found.role, len(found.occurrences)) == (role, places)
    assert {PROGRAM[one.start : one.end] for one in found.occurrences} == {found.name}


def test_a_procedure_is_documented_and_defined_at_its_head() -> None:
    found = symbol("~ $0noisy(")

    assert found.documentation == "adds noise"
    assert [PROGRAM[: one.start].count("\n") for one in found.definitions] == [5]


def renamed(text: str, found: Symbol, name: str) -> str:
    return applied(text, rename(checked(text), found.occurrences[-1].start, name))


@cache
def numbers(text: str) -> list[tuple[float, float]]:
    results = [answer.result for answer in seepage.parse(text).analyze().answers]
    return [(one.lower, one.upper) for one in results if one is not None]


@pytest.mark.family(every=3)
@pytest.mark.parametrize("number", range(len(symbols_in(checked(PROGRAM)))))
def test_renaming_changes_no_number_and_back_gives_the_text(number: int) -> None:
    found = symbols_in(checked(PROGRAM))[number]
    changed = renamed(PROGRAM, found, "zz_new")

    assert changed.count("zz_new") == len(found.occurrences)
    assert numbers(changed) == numbers(PROGRAM)
    assert len(numbers(changed)) == 2
    assert renamed(changed, symbols_in(checked(changed))[number], found.name) == PROGRAM


@pytest.mark.parametrize(
    ("where", "name", "reason"),
    [
        ("~ $0noisy(", "sum", "is a function of the language"),
        ("~ $0noisy(", "return", "is a word of the language"),
        ("return x + $0n", "k", "is a name already"),
        ("return x + $0n", "p", "is a name already"),
        ("p.$0age ~", "tint", "is a name already"),
        ("enum $0colour", "red", "is a name already"),
    ],
)
def test_names_that_would_meet_are_refused(where: str, name: str, reason: str) -> None:
    with pytest.raises(CannotRename, match=reason):
        rename(*cursor(PROGRAM.replace(where.replace("$0", ""), where, 1)), name)


def test_a_field_may_have_the_name_of_a_variable() -> None:
    assert "p.o ~ weights" in renamed(PROGRAM, symbol("p.$0age ~"), "o")


def test_colours_are_those_of_words_in_the_text_each_once() -> None:
    found = classify(checked(PROGRAM))
    said = {(PROGRAM[one.span.start : one.span.end], one.category) for one in found}

    assert all(one.span.end <= other.span.start for one, other in itertools.pairwise(found))
    assert {
        ("noisy", Category.PROCEDURE),
        ("x", Category.ARGUMENT),
        ("n", Category.VARIABLE),
        ("colour", Category.ENUMERATION),
        ("green", Category.MEMBER),
        ("age", Category.FIELD),
        ("weights", Category.DISTRIBUTION),
        ("sum", Category.FUNCTION),
        ("I", Category.MEASURE),
        ("v", Category.LOOP),
    } <= said


def test_the_outline_holds_procedures_enumerations_and_what_statements_beyond_the_core_assign() -> None:
    def lines(entries: tuple[Entry, ...]) -> list[object]:
        return [(one.name, lines(one.children)) if one.children else one.name for one in entries]

    assert lines(outline(checked(PROGRAM))) == [
        ("colour", ["red", "green"]),
        "w",
        "p",
        "o",
        ("noisy", ["n"]),
        "p",
        ("for i in 0..2", ["a", "b"]),
        "t",
        "o",
        "show I(p; o)",
        "show P(p.tint == red)",
    ]


def test_the_block_of_a_procedure_folds() -> None:
    assert [PROGRAM[: one.span.start].count("\n") for one in folds(checked(PROGRAM))] == [5]


def test_a_procedure_sees_no_variable_of_the_program() -> None:
    program, at = cursor(PROGRAM.replace("observe n", "$0observe n"))

    assert {one.name for one in visible_at(program, at)} == {"x", "k", "n", "w", "colour", "red", "green", "noisy"}


def words(marked: str) -> set[str]:
    found = context_at(*cursor(marked))
    return {*found.keywords, *found.fields, *(one.name for one in found.procedures)}


@pytest.mark.parametrize(
    ("marked", "wanted", "unwanted"),
    [
        ("$0", {"while", "repeat", "def", "enum", "attacker"}, {"return", "break", "given"}),
        ("for i in 1..2 { $0 }", {"break", "continue", "attacker"}, {"return", "def", "enum"}),
        ("def f(x) { $0 return x }", {"return"}, {"break", "def", "show", "attacker"}),
        ("while x { $0 }", {"break"}, {"attacker"}),
        ("def f(x) { for i in 1..2 { $0 } return x }", {"return", "break"}, set()),
        ("for i in 1..2 { x := 1 }\n$0", {"def"}, {"break"}),
        ("x ~ uniform_int(1, 6) $0", {"given"}, {"then"}),
        ("x ~ uniform_int(1, 6) given x > 2 $0", {"and"}, {"given"}),
        ("x := [i $0", {"for"}, {"given"}),
        ("x := sum(i $0", {"for"}, set()),
        ("x := [i for i $0", {"in"}, {"and"}),
        ("x := [i for i in a $0", {"if", "for"}, {"then"}),
        ("a[1] := 2\nx := a[i $0", {"and"}, {"for"}),
        ("x := y $0", {"in"}, set()),
        ("enum e { one, two }\nx := e.$0", {"one", "two"}, {"and"}),
        ("p.age := 1\np.size[2] := 2\nx := p.$0", {"age", "size"}, {"and"}),
        ("xs[1].age := 1\nx := xs[1].$0", {"age"}, {"and"}),
        ("def f(x) { y ~ flip(x) return y }\nz ~ $0", {"f"}, set()),
        ("def f(x) { y ~ flip(x) return y }\nz := $0", set(), {"f"}),
        ("def f(x) { return 2 * x }\nz := $0", {"f"}, set()),
        ("def f(x) { return 2 * x }\nz ~ $0", set(), {"f"}),
        ("def $0", set(), {"and", "if"}),
        ("def f(x) { return x $0 }", {"and"}, {"def"}),
    ],
)
def test_words_are_completed_where_they_may_stand(marked: str, wanted: set[str], unwanted: set[str]) -> None:
    found = words(marked)

    assert wanted <= found
    assert found.isdisjoint(unwanted)


@pytest.mark.parametrize(("arguments", "active"), [("$0", 0), ("p.age, $0", 1), ("p.age, i, $0", None)])
def test_the_call_of_a_procedure_is_told_with_its_arguments(arguments: str, active: int | None) -> None:
    found = call_at(*cursor(PROGRAM.replace("p.age, i + 1", arguments)))

    assert found is not None
    assert (found.word.form, found.active) == ("noisy(x, k)", active)
    assert "`x + n, k`" in found.word.summary
    assert found.word.comment == "adds noise"
