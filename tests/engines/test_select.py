from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq

from seepage.diagnostics import Diagnostic
from seepage.engines.outcome import Budget, DiscreteJoint, MixtureJoint
from seepage.engines.select import check_total, core_with, solve
from seepage.semantics.core import CoreObserve
from seepage.source import Span
from seepage.syntax.tree import Binary, Name, Number

from .joints import discrete
from .programs import core_of

PLACE = Span(0, 0)


def _found(program: str) -> tuple[Diagnostic, ...]:
    core = core_of(program)
    return check_total(core, {}, Budget())


def _applied(program: str, diagnostic: Diagnostic, fix: int) -> str:
    (edit,) = diagnostic.fixes[fix].edits
    return program[: edit.span.start] + edit.replacement + program[edit.span.end :]


def test_the_slice_decides_the_engine() -> None:
    core = core_of("x ~ normal(0, 1)\nb ~ bernoulli(1/2)\ny := x + b")
    assert isinstance(solve(core, ("b",), {}, Budget()), DiscreteJoint)
    assert isinstance(solve(core, ("y", "b"), {}, Budget()), MixtureJoint)


def test_an_array_means_its_elements() -> None:
    joint = solve(core_of("for i in 1..2 { a[i] ~ bernoulli(i / 3) }"), ("a", "a[1]"), {}, Budget())
    assert joint.variables == ("a[1]", "a[2]")


def test_an_event_is_an_appended_observation() -> None:
    core = core_of("x ~ uniform_int(1, 4)\ny := x % 2")
    event = Binary("==", Name("y", PLACE), Number(Fraction(1), PLACE), PLACE)
    joint = discrete(solve(core_with(core, (CoreObserve(event, PLACE),)), ("x",), {}, Budget()))
    assert joint.masses == {(1,): fmpq(1, 4), (3,): fmpq(1, 4)}


def test_a_parameter_without_a_value_is_a_wrong_call() -> None:
    core = core_of("param p\nx ~ bernoulli(p)\ny := 1")
    assert discrete(solve(core, ("y",), {}, Budget())).masses == {(1,): fmpq(1)}
    with pytest.raises(ValueError, match="'p' has no value"):
        solve(core, ("x",), {}, Budget())


def test_a_secret_that_some_run_assigns_twice() -> None:
    program = "secret s\ns ~ bernoulli(1/2)\nif s { s := 0 }"
    (diagnostic,) = _found(program)
    assert diagnostic.rule.name == "secret-assigned-twice"
    assert program[diagnostic.span.start : diagnostic.span.end] == "secret s"
    assert [program[label.span.start : label.span.end] for label in diagnostic.labels] == [
        "s ~ bernoulli(1/2)",
        "s := 0",
    ]
    assert _applied(program, diagnostic, 0).startswith("secret initial s\n")
    assert _applied(program, diagnostic, 1).startswith("secret final s\n")


@pytest.mark.parametrize(
    "program",
    [
        "secret s\nb ~ bernoulli(1/2)\nif b { s := 0 } else { s := 1 }",
        "secret s\nb ~ bernoulli(1/2)\ns := b\nif b > 1 { s := 0 }",
        "x ~ bernoulli(1/2)\nobserve(x == 1)\ny := 1 / x",
        "x ~ normal(0, 1)\nb ~ bernoulli(1/2)\nif b { y := x } else { y := 0 }\nobserve(y > -100)",
    ],
)
def test_nothing_is_found_where_nothing_is_wrong(program: str) -> None:
    assert _found(program) == ()


def test_faults_of_dead_code_are_found() -> None:
    (diagnostic,) = _found("y ~ uniform_int(0, 1)\ndead := 1 / y\no := y")
    assert "division by zero" in diagnostic.message


def test_a_program_past_the_budget_is_given_up_silently() -> None:
    coins = "".join(f"c[{i}] ~ bernoulli(1/2)\n" for i in range(1, 21))
    program = coins + "x := " + " + ".join(f"{2**i} * c[{i}]" for i in range(1, 21)) + "\ny := 1 / x"
    assert _found(program) == ()
