from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from seepage.deadline import Deadline
from seepage.diagnostics import Fault
from seepage.engines.forward.coefficients import RATIONALS, balls
from seepage.engines.forward.run import run
from seepage.engines.outcome import Budget
from seepage.engines.select import solve

from ..joints import ball, discrete, fraction, fractions, rationals
from ..programs import core_of
from . import random_programs


@pytest.mark.parametrize("seed", range(100))
def test_agrees_exactly_with_the_enumeration_of_paths(seed: int) -> None:
    program, asked = random_programs.program(seed), random_programs.asked(seed)
    expected = random_programs.joint_of(program, asked)
    core = core_of(program.text)
    if not expected:
        with pytest.raises(Fault, match="impossible observation"):
            run(core, asked, {}, RATIONALS, Budget())
    else:
        joint = run(core, asked, {}, RATIONALS, Budget())
        assert fractions(joint) == expected
        assert fraction(joint.mass) == sum(expected.values())


@pytest.mark.parametrize("seed", range(100))
def test_slicing_and_sinking_keep_the_normalised_joint(seed: int) -> None:
    program, asked = random_programs.program(seed), random_programs.asked(seed)
    expected = random_programs.joint_of(program, asked)
    if expected:
        joint = fractions(solve(core_of(program.text), asked, {}, Budget()))
        total, mass = sum(expected.values()), sum(joint.values())
        assert {key: weight / mass for key, weight in joint.items()} == {
            key: weight / total for key, weight in expected.items()
        }


@pytest.mark.parametrize("seed", range(30))
def test_balls_contain_the_exact_masses(seed: int) -> None:
    program, asked = random_programs.program(seed), random_programs.asked(seed)
    expected = random_programs.joint_of(program, asked)
    if expected:
        joint = run(core_of(program.text), asked, {}, balls(128), Budget())
        assert set(map(rationals, joint.masses)) == set(expected)
        for key, mass in joint.masses.items():
            weight = expected[rationals(key)]
            assert (mass * weight.denominator).contains(weight.numerator)


POLL = """
param p = 1/2
param q = 3/4
o := 0
for i in 1..100 {
    r[i] ~ bernoulli(p)
    t[i] ~ bernoulli(q)
    if t[i] { o := o + r[i] } else { o := o + !r[i] }
}
o := o / 100
"""


def test_a_hundred_respondents_are_a_binomial() -> None:
    p, q = Fraction(1, 10), Fraction(3, 4)
    joint = fractions(solve(core_of(POLL), ("o",), {"p": p, "q": q}, Budget()))
    yes = p * q + (1 - p) * (1 - q)
    assert joint == {(Fraction(k, 100),): comb(100, k) * yes**k * (1 - yes) ** (100 - k) for k in range(101)}


def test_live_states_grow_linearly_with_the_respondents() -> None:
    joint = solve(core_of(POLL), ("r[1]", "o"), {"p": Fraction(1, 3), "q": Fraction(1, 3)}, Budget(states=900))
    assert len(discrete(joint).masses) == 202


def test_irrational_probabilities_come_as_tight_balls() -> None:
    program = "param eps = 1\nr ~ bernoulli(1/2)\nt ~ bernoulli(exp(eps) / (exp(eps) + 1))\no := r == t"
    joint = discrete(solve(core_of(program), ("r", "o"), {"eps": 1}, Budget()))
    assert all(ball(mass).rel_accuracy_bits() >= 100 for mass in joint.masses.values())
    assert ball(joint.mass).contains(1)


def test_a_probability_near_one_gets_more_bits() -> None:
    program = "param eps = 1\nt ~ bernoulli(exp(eps) / (exp(eps) + 1))"
    joint = discrete(solve(core_of(program), ("t",), {"eps": 800}, Budget()))
    miss = ball(joint.masses[(0,)])
    assert miss > 0
    assert miss.rel_accuracy_bits() >= 100


def test_a_random_index_reads_and_writes_the_element_it_picks() -> None:
    program = "for i in 1..3 { a[i] := 10 * i }\nk ~ uniform_int(1, 3)\na[k] := 0\nj ~ uniform_int(1, 3)\ns := a[j]"
    joint = fractions(solve(core_of(program), ("s",), {}, Budget()))
    ninth = Fraction(1, 9)
    assert {int(s): mass for (s,), mass in joint.items()} == {0: 3 * ninth, 10: 2 * ninth, 20: 2 * ninth, 30: 2 * ninth}


def test_a_probability_may_read_an_element_that_a_value_picks() -> None:
    program = "w[0] := 1/3\nw[1] := 3/4\nk ~ bernoulli(1/2)\nx ~ bernoulli(w[k])"
    joint = fractions(solve(core_of(program), ("k", "x"), {}, Budget()))
    zero, one = Fraction(0), Fraction(1)
    assert joint[zero, one] == Fraction(1, 6)
    assert joint[one, one] == Fraction(3, 8)


def test_observe_in_a_branch_changes_its_weight() -> None:
    program = "b ~ bernoulli(1/2)\nx ~ bernoulli(1/4)\nif b { observe(x == 1) }"
    joint = fractions(solve(core_of(program), ("b",), {}, Budget()))
    assert joint[(Fraction(1),)] / sum(joint.values()) == Fraction(1, 5)


def _fault(program: str, asked: tuple[str, ...] = ("x",), budget: Budget | None = None) -> tuple[str, str]:
    with pytest.raises(Fault) as caught:
        run(core_of(program), asked, {}, RATIONALS, budget or Budget())
    diagnostic = caught.value.diagnostic
    return diagnostic.message, program[diagnostic.span.start : diagnostic.span.end]


def test_an_impossible_observation_is_reported_where_the_mass_dies() -> None:
    message, place = _fault("x ~ bernoulli(1/2)\nobserve(x == 1)\nobserve(x == 0)\nobserve(x == 5)")
    assert message == "impossible observation: no run passes 'x == 0'"
    assert place == "observe(x == 0)"


def test_branches_that_all_die_are_reported_at_the_last_observation() -> None:
    message, place = _fault("x ~ bernoulli(1/2)\nif x { observe(x == 0) } else { observe(x == 1) }")
    assert "impossible observation" in message
    assert place == "observe(x == 1)"


def test_a_branch_that_dies_alone_is_no_fault() -> None:
    joint = run(core_of("x ~ bernoulli(1/2)\nif x { observe(x == 0) }"), ("x",), {}, RATIONALS, Budget())
    assert fractions(joint) == {(Fraction(0),): Fraction(1, 2)}


def test_a_division_is_undefined_only_in_a_reachable_state() -> None:
    guarded = "y ~ uniform_int(-1, 1)\nobserve(y != 0)\nx := 1 / y"
    assert len(run(core_of(guarded), ("x",), {}, RATIONALS, Budget()).masses) == 2
    message, place = _fault("y ~ uniform_int(-1, 1)\nx := 2 + 1 / y")
    assert "division by zero" in message
    assert "y = 0" in message
    assert place == "1 / y"


def test_a_condition_must_be_boolean() -> None:
    program = "n ~ uniform_int(0, 2)\nm := n\nif m { x := 1 } else { x := 0 }"
    with pytest.raises(Fault) as caught:
        run(core_of(program), ("x",), {}, RATIONALS, Budget())
    diagnostic = caught.value.diagnostic
    assert "condition is not boolean" in diagnostic.message
    edit = diagnostic.fixes[0].edits[0]
    fixed = program[: edit.span.start] + edit.replacement + program[edit.span.end :]
    assert "if m != 0 {" in fixed


def test_a_random_write_outside_the_array_names_the_value() -> None:
    message, place = _fault("a[1] := 0\na[2] := 0\nk ~ uniform_int(2, 3)\na[k] := 1\nx := a[1]")
    assert "index 3 is outside the array 'a' (1..2)" in message
    assert place == "a[k]"


def test_too_many_states_are_reported_where_they_grow() -> None:
    program = "for i in 1..12 { v[i] ~ bernoulli(1/2) }\nx := v[1]"
    asked = tuple(f"v[{i}]" for i in range(1, 13))
    with pytest.raises(Fault) as caught:
        run(core_of(program), asked, {}, RATIONALS, Budget(states=1000))
    assert caught.value.diagnostic.rule.code == "SEEP902"
    assert "1,001 states" in caught.value.diagnostic.message
    assert caught.value.diagnostic.notes


def test_a_support_that_is_too_large_is_never_built() -> None:
    message, place = _fault("x ~ uniform_int(0, 2^64 - 1)")
    assert "18,446,744,073,709,551,616 values" in message
    assert place == "uniform_int(0, 2^64 - 1)"


def test_the_deadline_stops_a_run() -> None:
    message, _ = _fault("x ~ bernoulli(1/2)", budget=Budget(deadline=Deadline.after(-1)))
    assert "time limit" in message
