"""Laws that hold whatever a program does: the frame rule of pre-expectations; those of leakage where supports are infinite, so that bounds are all there is."""

from __future__ import annotations

import re

from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines.random_programs import conditions, core_of, programs

from seepage.diagnostics import Fault
from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.engines.select import solve
from seepage.engines.wpe.expectation import Expectation, Language, iverson, value
from seepage.engines.wpe.transformer import wp
from seepage.exact import precision
from seepage.measures.discrete.entropy import conditional_entropy
from seepage.measures.discrete.mutual_information import mutual_information
from seepage.measures.enclosure import Enclosure
from seepage.rules import IMPOSSIBLE_OBSERVATION
from seepage.semantics.core import CoreObserve

Joint = DiscreteJoint[fmpq] | DiscreteJoint[arb]

# --- the frame rule ---------------------------------------------------------------------------------------------------


def event(text: str) -> Expectation[fmpq]:
    core = core_of(f"x := 0\ny := 0\nz := 0\nw := 0\nobserve({text})")
    observed = core.statements[-1]
    assert isinstance(observed, CoreObserve)
    return iverson(observed.condition, RATIONALS, Language({}))


@settings(max_examples=25)
@given(programs, conditions, st.integers(0, 3), st.integers(0, 3))
def test_what_a_program_does_not_write_stands_before_it_as_after_it(
    text: str, condition: str, bound: int, outside: int
) -> None:
    statements = core_of(text).statements
    framed = value(wp(statements, event(f"(w <= {bound}) and ({condition})")), {"w": outside})

    alone = value(wp(statements, event(condition)), {"w": outside})

    assert framed == (alone if outside <= bound else 0)


@settings(max_examples=25)
@given(programs, programs, conditions)
def test_the_pre_expectation_of_a_sequence_is_that_of_the_pre_expectation(
    first: str, second: str, condition: str
) -> None:
    one, other = core_of(first).statements, core_of(second).statements

    together = value(wp((*one, *other), event(condition)), {})

    assert together == value(wp(one, wp(other, event(condition))), {})


# --- leakage with infinite supports -----------------------------------------------------------------------------------

variables = st.sampled_from(["x", "y", "o"])
endless = st.one_of(
    st.builds("geometric(1/{})".format, st.integers(2, 4)),
    st.builds("poisson({}/2)".format, st.integers(1, 4)),
    st.builds("poisson(1 + min(abs({}), 2))".format, variables),
    st.builds("discrete_laplace({}/2)".format, st.integers(1, 3)),
)
finite = st.one_of(
    st.builds("bernoulli({}/7)".format, st.integers(1, 6)),
    st.builds("bernoulli(if {} > 1 then 1/3 else 3/4)".format, variables),
    st.just("uniform_int(0, 2)"),
)
values = st.one_of(
    st.builds("{} + {}".format, variables, variables),
    st.builds("min({}, {})".format, variables, variables),
    st.builds("(if {} > {} then {} else 1)".format, variables, variables, variables),
    st.builds("{} % {}".format, variables, st.integers(2, 3)),
)
simple = st.one_of(
    st.builds("{} := {}".format, variables, values),
    st.builds("{} ~ {}".format, variables, finite),
    st.builds("observe({} <= {} + 1)".format, variables, variables),
)
branches = st.builds("if {} > {} {{ {} }} else {{ {} }}".format, variables, variables, simple, simple)
infinite_programs = st.builds(
    "x ~ {}\ny ~ bernoulli(1/3)\no := x\n{}\no := o + y\n".format,
    endless,
    st.lists(st.one_of(simple, branches), min_size=1, max_size=3).map("\n".join),
)


def solved(text: str, names: tuple[str, ...]) -> Joint | None:
    """The joint, cut coarsely so that what is left out matters; None if no run passes."""
    try:
        joint = solve(core_of(text), names, {}, Budget(tail_bits=12))
    except Fault as fault:
        if fault.diagnostic.rule is not IMPOSSIBLE_OBSERVATION:
            raise
        return None
    assert isinstance(joint, DiscreteJoint)
    return joint


def meet(a: Enclosure, *others: Enclosure) -> None:
    """Assert that a number may be the sum of others."""
    with precision(256):
        assert a.lower <= sum((one.upper for one in others), arb(0)) + arb(2) ** -60
        assert sum((one.lower for one in others), arb(0)) <= a.upper + arb(2) ** -60


@settings(max_examples=12)
@given(infinite_programs)
def test_laws_of_leakage_are_within_the_bounds_of_infinite_supports(text: str) -> None:
    names = ("x", "y", "o", "seen")
    joint = solved(f"{text}seen := min(o, 2)\n", names)
    if joint is None:
        return
    leaked, secret, left = (
        mutual_information(joint, ("x",), ("o",)),
        conditional_entropy(joint, ("x",), ()),
        conditional_entropy(joint, ("x",), ("o",)),
    )
    assert leaked.lower >= 0
    for entropy in (secret, conditional_entropy(joint, ("o",), ())):
        assert leaked.lower <= entropy.upper
    meet(secret, leaked, left)
    meet(conditional_entropy(joint, ("x", "o"), ()), left, conditional_entropy(joint, ("o",), ()))
    both = mutual_information(joint, ("x",), ("o", "y"))
    meet(both, leaked, mutual_information(joint, ("x",), ("y",), ("o",)))
    assert mutual_information(joint, ("x",), ("seen",)).lower <= leaked.upper  # data processing
    assert leaked.lower <= both.upper


@settings(max_examples=15)
@given(infinite_programs)
def test_renaming_and_dead_code_change_nothing_of_infinite_supports(text: str) -> None:
    joint = solved(text, ("x", "o"))
    if joint is None:
        return
    leaked = mutual_information(joint, ("x",), ("o",))
    renamed = re.sub(r"\bo\b", "out", re.sub(r"\bx\b", "hidden", text))
    for other, x, y in (
        (f"{text}dead ~ uniform_int(1, 3)\nlast := dead * o\n", "x", "o"),
        (f"dead := 3\n{text}", "x", "o"),
        (renamed, "hidden", "out"),
    ):
        found = solved(other, (x, y))
        assert found is not None
        again = mutual_information(found, (x,), (y,))
        assert (again.lower, again.upper) == (leaked.lower, leaked.upper)
