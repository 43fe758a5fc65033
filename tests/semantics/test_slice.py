"""Slicing and sinking keep joints, and independence that is proved is true: against every run of random programs."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path

import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st
from tests.semantics.program_runs import Joint, State, TooManyRuns, joint, runs
from tests.semantics.random_programs import VARIABLES, programs

from seepage.semantics.check import check
from seepage.semantics.core import CoreIf, CoreProgram, CoreStatement
from seepage.semantics.slice import determines, independent, sink, slice_program
from seepage.semantics.unroll import unroll
from seepage.source import SourceFile

CASES = {
    case["name"]: case["program"]
    for path in sorted((Path(__file__).parents[1] / "cases").glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8")).get("case", ())
}

Values = tuple[Fraction, ...]

some = st.lists(st.sampled_from(VARIABLES), min_size=1, max_size=2, unique=True).map(tuple)
none_or_some = st.lists(st.sampled_from(VARIABLES), max_size=2, unique=True).map(tuple)


def core_of(text: str) -> CoreProgram:
    return unroll(check(SourceFile("test.seep", text)))


def size(statements: tuple[CoreStatement, ...]) -> int:
    return sum(
        1 + (size(one.consequent) + size(one.alternative) if isinstance(one, CoreIf) else 0) for one in statements
    )


def feasible(core: CoreProgram) -> list[tuple[State, Fraction]]:
    """Return the runs of a program; reject one that has none or many."""
    try:
        found = runs(core, most=150)
    except TooManyRuns:
        reject()
    assume(found)
    return found


@settings(max_examples=150, deadline=None, derandomize=True)
@given(programs(), some)
def test_a_slice_has_the_joint_of_the_program(text: str, asked: tuple[str, ...]) -> None:
    core = core_of(text)
    found = feasible(core)

    sliced = slice_program(core, asked)

    assert joint(runs(sliced), asked) == joint(found, asked)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(programs())
def test_sinking_keeps_the_joint_of_all_variables_and_the_mass(text: str) -> None:
    core = core_of(text)
    found = feasible(core)

    sunk = sink(core)

    after = runs(sunk)
    assert joint(after, core.variables) == joint(found, core.variables)
    assert sum(weight for _, weight in after) == sum(weight for _, weight in found)
    assert size(sunk.statements) == size(core.statements)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(programs(), some, some)
def test_what_is_proved_a_function_has_one_value_for_each_argument(
    text: str, x: tuple[str, ...], y: tuple[str, ...]
) -> None:
    core = core_of(text)
    assume(determines(core, x, y))
    values: dict[Values, Values] = {}

    for state, _ in feasible(core):
        argument, value = (tuple(state.get(name, Fraction(0)) for name in names) for names in (x, y))
        assert values.setdefault(argument, value) == value


@settings(max_examples=150, deadline=None, derandomize=True)
@given(programs(6), some, some, none_or_some)
def test_independence_implies_that_the_joint_factorises(
    text: str, x: tuple[str, ...], y: tuple[str, ...], z: tuple[str, ...]
) -> None:
    core = core_of(text)
    assume(independent(core, x, y, z))

    assert_factorises(joint(feasible(core), (*x, *y, *z)), len(x), len(y))


NETWORKS = [
    "a ~ bernoulli(1/3)\n" + "\n".join(lines) + "\n"
    for lines in product(
        ("b ~ bernoulli(1/4)", "b ~ bernoulli((1 + a) / 4)"),
        (
            "c ~ bernoulli(1/5)",
            "c ~ bernoulli((1 + a) / 5)",
            "c ~ bernoulli((1 + b) / 5)",
            "c := b",
            "c := min(1, a + b)",
        ),
        ("", "observe(a <= b)", "observe(b <= c)", "if a == 1 { observe(c == 1) }"),
        ("", "a ~ bernoulli((1 + c) / 4)"),
    )
]


@pytest.mark.parametrize("text", NETWORKS)
def test_separation_in_every_small_network_implies_that_the_joint_factorises(text: str) -> None:
    core = core_of(text)
    proved = [
        (x, y, z) for x, y, other in permutations("abc") for z in ((), (other,)) if independent(core, (x,), (y,), z)
    ]

    for x, y, z in proved:
        assert_factorises(joint(runs(core), (x, y, *z)), 1, 1)


def assert_factorises(masses: Joint, n_x: int, n_y: int) -> None:
    """p(x, y, z) p(z) = p(x, z) p(y, z) for all values."""
    p: dict[tuple[Values, Values, Values], Fraction] = defaultdict(Fraction)
    p_xz: dict[tuple[Values, Values], Fraction] = defaultdict(Fraction)
    p_yz: dict[tuple[Values, Values], Fraction] = defaultdict(Fraction)
    p_z: dict[Values, Fraction] = defaultdict(Fraction)
    for values, mass in masses.items():
        x, y, z = values[:n_x], values[n_x : n_x + n_y], values[n_x + n_y :]
        p[x, y, z] += mass
        p_xz[x, z] += mass
        p_yz[y, z] += mass
        p_z[z] += mass
    for x, z in list(p_xz):
        for y, other in list(p_yz):
            if other == z:
                assert p[x, y, z] * p_z[z] == p_xz[x, z] * p_yz[y, z]


@pytest.mark.parametrize(
    ("case", "x", "y", "z"),
    [
        ("dead-code-and-unused-draws", ("s",), ("o",), ()),
        ("secret-final", ("s",), ("o",), ()),
        ("evidence-depends-on-parameter", ("r",), ("s",), ()),
        ("monty-hall", ("prize",), ("chosen",), ()),
        ("unknown-bias-two-flips", ("f[1]",), ("f[2]",), ("b",)),
        ("empty-loop", ("s",), ("o",), ()),
        ("differencing-attack", ("a",), ("s2",), ()),
        ("burglar-alarm", ("b",), ("e",), ()),
        ("rr-average-100", ("r[1]",), ("r[2]",), ()),
    ],
)
def test_dependence_proves_independence(case: str, x: tuple[str, ...], y: tuple[str, ...], z: tuple[str, ...]) -> None:
    assert independent(core_of(CASES[case]), x, y, z)


@pytest.mark.parametrize(
    ("case", "x", "y", "z"),
    [
        ("not-both-heads", ("a",), ("b",), ()),
        ("burglar-alarm", ("b",), ("e",), ("a",)),
        ("rr-average-4", ("r[1]",), ("r[2]",), ("o",)),
        ("secret-initial", ("s@initial",), ("o",), ()),
        ("rr-average-4", ("r[1]",), ("o",), ()),
    ],
)
def test_dependence_is_seen(case: str, x: tuple[str, ...], y: tuple[str, ...], z: tuple[str, ...]) -> None:
    assert not independent(core_of(CASES[case]), x, y, z)


@pytest.mark.parametrize(
    ("case", "asked", "expected"),
    [
        ("dead-code-and-unused-draws", ("s", "o"), 2),
        ("dead-code-and-unused-draws", ("v[50]", "last"), 2),
        ("secret-final", ("s",), 1),
        ("monty-hall", ("prize", "chosen"), 2),
        ("gaussian-average", ("inc[1]",), 1),
    ],
)
def test_a_slice_leaves_out_what_does_not_matter(case: str, asked: tuple[str, ...], expected: int) -> None:
    assert size(slice_program(core_of(CASES[case]), asked).statements) == expected


def test_samplings_sink_to_just_before_their_first_use() -> None:
    core = core_of("for i in 1..3 { x[i] ~ bernoulli(1/2) }\no := 0\nfor i in 1..3 { o := o + x[i] }\n")

    order = [one.target.id for one in sink(core).statements]  # type: ignore[union-attr]  # assignments and samplings only

    assert order == ["o", "x[1]", "o", "x[2]", "o", "x[3]", "o"]


def test_a_law_that_reads_a_variable_stays_before_an_observation() -> None:
    core = core_of("n ~ uniform_int(0, 3)\nx ~ bernoulli(n / 2)\nobserve(n <= 2)\ny := x\n")

    assert sink(core).statements == core.statements
