"""Large moduli, sums modulo a number, and bit operations of uniform secrets: without enumeration, as enumeration says."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.engines.programs import outcome
from tests.engines.random_programs import core_of

import seepage
from seepage.diagnostics import Fault
from seepage.engines.forward import class_faults, class_forms, class_widths
from seepage.engines.forward.class_joint import run_classes
from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.forward.run import run
from seepage.engines.outcome import Budget
from seepage.semantics.slice import sink

NAMES = ("s", "u", "a", "b")
readers = st.sampled_from(["s", "u", "a", "b"])
small = st.integers(1, 12)
values = st.one_of(
    st.builds("{} % {}".format, readers, small),
    st.builds("floor({} / {})".format, readers, small),
    st.builds("ceil(({} + {}) / {})".format, readers, small, small),
    st.builds("{} + {} * ({} % {})".format, readers, small, readers, small),
    st.builds("({} + {}) % 16".format, readers, readers),
    st.builds("({} - {} * {} + 7) % 16".format, readers, st.sampled_from([3, 5, 2]), readers),
    st.builds("(s + u + {}) % 8".format, readers),
    st.builds("(6 * {} + 2 * u + {}) % 16".format, readers, small),
    st.builds("(5 * {} + {}) % 16".format, readers, small),
    st.builds("bit_xor({}, {})".format, readers, readers),
    st.builds("bit_xor({}, {})".format, readers, small),
    st.builds("bit_and({}, {})".format, readers, small),
    st.builds("bit_or({}, {})".format, readers, small),
    st.builds("shift_right({}, {})".format, readers, st.integers(0, 4)),
    st.builds("shift_left({}, {})".format, readers, st.integers(0, 2)),
    st.builds("max({}, {}) - {}".format, readers, small, readers),
    st.builds("(if {} < {} then {} else {})".format, readers, small, readers, readers),
)
conditions = st.one_of(
    st.builds("{} <= {}".format, readers, small),
    st.builds("{} % {} >= 1".format, readers, small),
    st.builds("({} + {}) % 16 < {}".format, readers, readers, small),
    st.builds("{} == {}".format, readers, readers),
)
simple = st.one_of(
    st.builds("{} := {}".format, readers, values),
    st.builds("{} ~ uniform_int(0, 15)".format, st.sampled_from(["a", "b"])),
    st.builds("observe({})".format, conditions),
)
branches = st.builds("if {} {{ {} }} else {{ {} }}".format, conditions, simple, simple)
programs = st.lists(st.one_of(simple, simple, branches), min_size=1, max_size=4).map(
    lambda body: "s ~ uniform_int(0, 15)\nu ~ uniform_int(0, 15)\na := 0\nb := 1\n" + "\n".join(body)
)


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let classes begin at ten values and have few parts, so that the same programs can be enumerated."""
    monkeypatch.setattr(class_widths, "WIDE", 10)
    monkeypatch.setattr(class_forms, "PIECES", 3)


@given(programs, st.sets(st.sampled_from(NAMES), min_size=1).map(sorted))
@example("s ~ uniform_int(0, 15)\nu ~ uniform_int(0, 15)\na := (s + u) % 16", ["a", "s", "u"])
@example("s ~ uniform_int(0, 15)\nu ~ uniform_int(0, 15)\na := (s + u) % 16\nb := a % 5", ["a", "b", "s"])
@example("s ~ uniform_int(0, 15)\nu ~ uniform_int(0, 15)\na := (6 * s + 2 * u + 7) % 16", ["a", "s", "u"])
@example("s ~ uniform_int(0, 15)\nu ~ uniform_int(0, 15)\nb := s % 2\na := (s + 2 * u) % 16", ["a", "b"])
@example("s ~ uniform_int(0, 36)\na := s % 7\nb := floor(s / 7) % 3", ["a", "b", "s"])
def test_digits_spread_out_are_the_joint_of_single_values(text: str, asked: list[str]) -> None:
    core = core_of(text)
    try:
        truth = dict(run(core, tuple(asked), {}, RATIONALS, Budget()).masses)
    except Fault:
        truth = {}

    try:
        states = run_classes(sink(core), tuple(asked), {}, RATIONALS, Budget())
    except class_faults.Beyond:
        return
    except Fault:
        assert truth == {}
        return
    assert dict(states.single_values(100_000).masses) == truth


MEASURES = [
    "I(s; a)",
    "I(s; a | u)",
    "I(s; u | a)",
    "I(s; a, u)",
    "H(s | a, u)",
    "H(a, b)",
    "H(s, u, a)",
    "V(s | a)",
    "V(s | a, u)",
    "Guess(s | a)",
    "Guess(s | u, b)",
    "Lmin(s -> a, u)",
    "Cmin(s -> a)",
    "C(s -> a)",
    "DP(s -> a)",
    "E(a)",
    "Var(s + 2 * a)",
    "H(s | a == 3)",
]


@given(programs, st.sampled_from(MEASURES))
@example(
    "s ~ uniform_int(0, 15)\nu ~ uniform_int(0, 15)\nb := s\na := (s + u) % 16\nif u < 4 { a := s }", "I(s; a | u)"
)
@example("s ~ uniform_int(0, 15)\nu ~ uniform_int(0, 15)\nb := 0\na := (s + u) % 16", "I(s; a | u)")
@example("s ~ uniform_int(0, 15)\nu ~ uniform_int(0, 15)\nb := 0\na := bit_xor(u, s)", "H(s, u, a)")
@example("s ~ uniform_int(0, 15)\nu ~ uniform_int(0, 15)\nb := 0\na := s % 11", "V(s | a, u)")
def test_what_is_asked_of_digits_is_what_is_asked_of_single_values(text: str, measure: str) -> None:
    text = text.replace("s ~", "secret initial s\ns ~", 1)
    found = outcome(text, measure)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(class_widths, "WIDE", 1 << 40)
        known = outcome(text, measure)

    if isinstance(found, str) or isinstance(known, str):
        assert found == known
        return
    assert found[0] <= known[1]
    assert known[0] <= found[1]
    assert found[0] == known[0] or abs(found[0] - known[0]) <= 1e-9 * max(1, abs(known[0]))


HUGE = """
secret s
s ~ uniform_int(0, 2^64 - 1)
u ~ uniform_int(0, 2^64 - 1)
rest := s % 1000003
block := floor(s / 10^9)
pad := (s + u) % 2^64
mix := bit_xor(s, u)
low := bit_and(s, 2^40 - 1)
middle := bit_and(shift_right(s, 20), 2^30 - 1)
scrambled := (6364136223846793005 * s + 1442695040888963407) % 2^64
pair := 2^64 * u + s
word := (s + u) % 2^32
even := (6 * s + 2 * u) % 2^64
"""


@pytest.fixture
def many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_widths, "WIDE", 4_096)
    monkeypatch.setattr(class_forms, "PIECES", 4_096)


@pytest.mark.usefixtures("many_parts")
@pytest.mark.parametrize(
    ("measure", "exact"),
    [
        ("I(s; pad)", 0),
        ("I(s; pad | u)", 64),
        ("I(s; pad, u)", 64),
        ("H(s | pad, u)", 0),
        ("H(s, u, pad)", 128),
        ("V(s | pad)", Fraction(1, 2**64)),
        ("V(s | u, pad)", 1),
        ("Guess(s | pad)", Fraction(2**64 + 1, 2)),
        ("Lmin(s -> pad, u)", 64),
        ("I(s; mix)", 0),
        ("I(s; mix | u)", 64),
        ("I(s; low)", 40),
        ("H(s | low)", 24),
        ("I(s; middle)", 30),
        ("H(low | middle)", 20),
        ("I(s; scrambled)", 64),
        ("H(pair)", 128),
        ("I(s; pair)", 64),
        ("I(s; word)", 0),
        ("H(word)", 32),
        ("H(even)", 63),
        ("I(s; even)", 0),
        ("I(u; even | s)", 63),
        ("E(low)", Fraction(2**40 - 1, 2)),
    ],
)
def test_whole_numbers_of_bits_are_exact(measure: str, exact: Fraction) -> None:
    assert seepage.parse(HUGE).measure(measure).exact == exact


@pytest.mark.usefixtures("many_parts")
def test_large_remainders_and_quotients_are_counted() -> None:
    program = seepage.parse(HUGE)
    n = mpmath.mpf(2) ** 64

    def entropy(*groups: tuple[int, int]) -> Any:
        """Return the entropy where many outcomes have one number of the values each."""
        return -sum(many * (size / n) * mpmath.log(size / n, 2) for many, size in groups)

    m, b = 1000003, 10**9
    full, rest = divmod(2**64, m)
    blocks, last = divmod(2**64, b)
    for measure, truth in (
        ("I(s; rest)", entropy((rest, full + 1), (m - rest, full))),
        ("H(s | rest)", 64 - entropy((rest, full + 1), (m - rest, full))),
        ("I(s; block)", entropy((blocks, b), (1, last))),
        ("V(s | rest)", m / n),
        ("Lmin(s -> block)", mpmath.log(blocks + 1, 2)),
    ):
        result = program.measure(measure)
        assert result.lower <= truth <= result.upper
        assert result.upper - result.lower < 1e-12 * truth
