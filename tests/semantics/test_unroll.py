"""Unrolling: the core program has the runs of the text, within a budget."""

from __future__ import annotations

import time

import pytest
from hypothesis import assume, given, reject, settings
from tests.semantics.program_runs import TooManyRuns, joint, runs, runs_of_text
from tests.semantics.random_programs import VARIABLES, programs

import seepage
from seepage import rules
from seepage.diagnostics import Diagnostic, Fault
from seepage.semantics.check import check
from seepage.semantics.core import CoreAssign, CoreIf, CoreProgram
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile
from seepage.syntax.parse import parse
from seepage.syntax.tree import Index, Name, Number


def core_of(text: str, limit: int = 200_000) -> CoreProgram:
    return unroll(check(SourceFile("test.seep", text)), limit)


def fault_of(text: str, limit: int = 200_000) -> tuple[Diagnostic, str]:
    with pytest.raises(Fault) as raised:
        core_of(text, limit)
    diagnostic = raised.value.diagnostic
    return diagnostic, text[diagnostic.span.start : diagnostic.span.end]


def chances(text: str, variable: str) -> dict[int, str]:
    return {int(values[0]): str(mass) for values, mass in joint(runs(core_of(text)), (variable,)).items()}


@settings(max_examples=150, deadline=None, derandomize=True)
@given(programs())
def test_the_core_program_has_the_runs_of_the_text(text: str) -> None:
    try:
        found = runs_of_text(parse(SourceFile("test.seep", text)).tree, most=200)
    except TooManyRuns:
        reject()
    assume(found)

    assert joint(runs(core_of(text)), VARIABLES) == joint(found, VARIABLES)


def test_static_conditions_leave_no_branch() -> None:
    core = core_of(
        "const n = 2\nfor i in 1..n { if i == n { x := i } else { y := i } }\nz := if n == 2 then x else 1 / 0\n"
    )

    assert [
        one.target.id for one in core.statements if isinstance(one, CoreAssign) and isinstance(one.target, Name)
    ] == ["y", "x", "z"]


def test_static_parts_become_numbers_and_random_indices_stay() -> None:
    core = core_of("for i in 1..2 { a[2 * i - 3] := i^2 }\nk := 1\nx := a[k]\n")

    assert core.arrays == {"a": (-1, 1)}
    assert core.variables == ("a[-1]", "a[1]", "k", "x")
    assert isinstance(core.statements[1], CoreAssign)
    assert isinstance(core.statements[1].value, Number)
    assert core.statements[1].value.value == 4
    assert isinstance(core.statements[3], CoreAssign)
    assert isinstance(core.statements[3].value, Index)


def test_places_in_the_core_program_are_those_of_the_text() -> None:
    text = "for 𝑖 in 1..2 { x[𝑖] ~ bernoulli(1/2); y := x[𝑖] + 3 }\n"

    places = [text[one.span.start : one.span.end] for one in core_of(text).statements]

    assert places == ["x[𝑖] ~ bernoulli(1/2)", "y := x[𝑖] + 3"] * 2


def test_irrational_constants_keep_their_definition() -> None:
    core = core_of("const e = exp(1)\nconst f = 2 * e\nx := f + 1\n")

    assert core.parameters == ()
    assert core.variables == ("x",)
    assert "e" not in str([one.value for one in core.statements if isinstance(one, CoreAssign)]).split("'")


@pytest.mark.parametrize(
    "text",
    [
        "for i in 1..1000000000 { x := i }",
        "for i in 1..1000 { for j in 1..1000 { for k in 1..1000 { x := k } } }",
        "for i in 1..100000 { for j in 1..100000 { skip } }",
    ],
)
def test_a_loop_past_the_limit_fails_at_once_and_at_the_loop(text: str) -> None:
    started = time.process_time()

    diagnostic, place = fault_of(text)

    assert diagnostic.rule is rules.BUDGET_EXCEEDED
    assert place.startswith("for ")
    assert time.process_time() - started < 5


def test_an_empty_loop_body_costs_nothing() -> None:
    assert core_of("for i in 1..1000000000 { }\nx := 1\n").variables == ("x",)


def test_an_element_that_only_a_dead_branch_writes_does_not_exist() -> None:
    diagnostic, place = fault_of(
        "for i in 1..2 { a[i] := i; if i > 2 { a[3] := 1 } }\nk := 1\nx := a[k + 0]\ny := a[3]\n"
    )

    assert (diagnostic.rule, place) == (rules.MISSING_ELEMENT, "a[3]")
    assert diagnostic.message == "no statement writes 'a[3]': 'a' has the elements 1..2"


def test_an_element_that_a_static_choice_leaves_out_is_not_read() -> None:
    core_of("for i in 1..3 { a[i] := if i > 1 then a[i - 1] + 1 else 0 }\n")


def test_a_fractional_index_names_no_element() -> None:
    assert fault_of("for i in 1..2 { a[i] := i }\nfor i in 1..2 { x := a[i / 2] }\n")[0].rule is rules.INVALID_INDEX


def test_a_loop_variable_as_condition_is_not_boolean() -> None:
    assert fault_of("for i in 1..3 { if i { x := 1 } }\n")[0].rule is rules.NOT_BOOLEAN


# --- secrets ----------------------------------------------------------------------------------------------------------


def test_the_initial_value_of_a_secret_is_kept_after_its_first_assignment() -> None:
    core = core_of("secret initial s\ns ~ bernoulli(1/3)\ns := 1 - s\n")

    assert core.aliases == {"s": "s@initial"}
    assert core.elements("s") == ("s@initial",)
    assert core.written_twice == {}
    assert joint(runs(core), ("s@initial",)) == joint(runs(core_of("x ~ bernoulli(1/3)")), ("x",))


def test_the_first_assignment_may_depend_on_the_path() -> None:
    text = "secret initial s\nb ~ bernoulli(1/4)\nif b { s := 5 }\ns := 7\ns := 9\n"

    assert chances(text, "s@initial") == {5: "1/4", 7: "3/4"}


def test_the_first_assignment_of_an_element_may_be_picked_at_random() -> None:
    text = "secret initial a\nk ~ bernoulli(1/3)\na[k] := 5\na[0] := 7\na[1] := 8\n"

    assert chances(text, "a[0]@initial") == {5: "2/3", 7: "1/3"}
    assert chances(text, "a[1]@initial") == {5: "1/3", 8: "2/3"}


def test_an_index_that_its_own_assignment_changes_is_read_before() -> None:
    text = "secret a\na[0] := 1\na[1] := 0\na[a[0]] := 0\n"

    assert chances(text, "a[1]@writes") == {2: "1"}
    assert chances(text, "a[0]@writes") == {1: "1"}


def test_a_secret_that_some_path_assigns_twice_is_counted() -> None:
    text = "secret s\nb ~ bernoulli(1/4)\ns := 1\nif b { s := 2 }\n"

    core = core_of(text)

    assert {name: text[span.start : span.end] for name, span in core.written_twice.items()} == {"s@writes": "secret s"}
    assert chances(text, "s@writes") == {1: "3/4", 2: "1/4"}


@pytest.mark.parametrize(
    "text",
    [
        "secret s\nb ~ bernoulli(1/4)\nif b { s := 1 } else { s := 2 }\n",
        "secret s\nfor i in 1..3 { s[i] := i }\n",
        "secret final s\ns := 1\ns := 2\n",
    ],
)
def test_a_secret_that_no_path_assigns_twice_has_no_counter(text: str) -> None:
    assert core_of(text).written_twice == {}


def test_a_branch_of_many_arms_is_nested() -> None:
    core = core_of("x ~ uniform_int(1, 3)\nif x == 1 { y := 1 } else if x == 2 { y := 2 } else { y := 3 }\n")

    branch = core.statements[1]
    assert isinstance(branch, CoreIf)
    assert isinstance(branch.alternative[0], CoreIf)


def test_a_branch_of_too_many_arms_is_a_fault_and_no_crash() -> None:
    arms = "".join(f" else if x == {k} {{ y := {k} }}" for k in range(400))

    assert fault_of("x ~ uniform_int(1, 3)\nif x == 7 { y := 7 }" + arms + "\n")[0].rule is rules.BUDGET_EXCEEDED


def test_constants_count_in_the_names_of_secrets() -> None:
    core = core_of("const n = 2\nsecret initial y[n - 1]\nfor i in 1..n { y[i] := i }\n")

    assert core.aliases == {"y[1]": "y[1]@initial"}


@pytest.mark.parametrize(
    "branch",
    ["if 1 == 2 {{ {} }} else {{ x ~ flip(1/2) }}", "if 1 == 1 {{ x ~ flip(1/2) }} else {{ {} }}", "if debug {{ {} }}"],
)
@pytest.mark.parametrize(
    ("write", "read"), [("w := 1", "w"), ("w[1] := 1", "w[1]"), ("for i in 1..3 { w[i] := i }", "w[2]")]
)
def test_what_only_a_branch_writes_that_is_left_out_is_0(branch: str, write: str, read: str) -> None:
    program = seepage.parse(f"const debug = false\n{branch.format(write)}\ny := {read}\n")

    for measure in (f"E({read})", "H(w)", "E(y)", f"Var(2 * {read})"):
        assert program.measure(measure).exact == 0


def test_a_branch_that_a_loop_variable_rules_out_makes_no_element() -> None:
    found = core_of("for i in 1..3 { if i > 1 { a[i - 1] := i } else { b := 1 } }")

    assert found.arrays == {"a": (1, 2)}


def test_the_size_of_branches_that_are_left_out_does_not_matter() -> None:
    text = "if 1 == 2 { for i in 1..10^9 { w[1] := i }; w[2] := 1 }\nx := 1\n"

    assert seepage.parse(text).measure("E(x)").exact == 1
