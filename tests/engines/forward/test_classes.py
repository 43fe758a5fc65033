"""Uniform laws over huge ranges: classes say what enumeration of every value says, and what closed forms say where nobody can enumerate."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from tests.engines.joints import discrete
from tests.engines.programs import outcome
from tests.engines.random_programs import core_of

import seepage
from seepage.deadline import Clock, Deadline, using
from seepage.diagnostics import Fault
from seepage.engines.forward import class_faults, class_reader, class_widths, classes
from seepage.engines.forward.class_forms import masked
from seepage.engines.forward.class_joint import run_classes
from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.forward.run import run
from seepage.engines.outcome import Budget
from seepage.engines.select import solve
from seepage.exact import Number
from seepage.measures.discrete import entropy, mutual_information
from seepage.measures.discrete.classes import conditional_entropy, information
from seepage.rules import TIME_LIMIT
from seepage.semantics.core import CoreProgram
from seepage.semantics.slice import sink

constants = st.integers(-3, 12)
moduli = st.integers(1, 7)
divisors = st.sampled_from(["2", "3", "5", "-2", "7/2", "(-3/2)"])
readers = st.sampled_from(["s", "x", "y", "(s + 2*x)", "(3 - s)", "(s / 2)"])
values = st.one_of(
    st.builds("{} % {}".format, readers, moduli),
    st.builds("floor({} / {})".format, readers, divisors),
    st.builds("ceil({} / {})".format, readers, divisors),
    st.builds("{} + {}".format, readers, constants),
    st.builds("{} * {} - x".format, readers, constants),
    st.builds("abs({} - {})".format, readers, constants),
    st.builds("max({}, {}, y)".format, readers, constants),
    st.builds("min({}, 2*s)".format, readers),
    st.builds("(if {} < {} then {} else y)".format, readers, constants, readers),
    st.builds("{} == {}".format, readers, constants),
)
conditions = st.one_of(
    st.builds("{} <= {}".format, readers, constants),
    st.builds("{} != {}".format, readers, readers),
    st.builds("{} % {} == 1 or {} > {}".format, readers, moduli, readers, constants),
)
targets = st.sampled_from(["x", "y", "o"])
simple = st.one_of(
    st.builds("{} := {}".format, targets, values),
    st.builds("{} ~ bernoulli(if {} then 1/3 else 3/4)".format, targets, conditions),
    st.builds("{} ~ uniform_int(0, 30)".format, targets),
    st.builds("observe({} or y == 0)".format, conditions),
)
branches = st.builds("if {} {{ {} }} else {{ {} }}".format, conditions, simple, simple)
programs = st.lists(st.one_of(simple, branches), min_size=1, max_size=4).map(
    lambda body: "s ~ uniform_int(-4, 31)\nx := 0\ny ~ bernoulli(1/3)\no := 0\n" + "\n".join(body)
)


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let classes begin at ten values, so that the same programs can be enumerated."""
    monkeypatch.setattr(class_widths, "WIDE", 10)


def by_enumeration(core: CoreProgram, asked: tuple[str, ...]) -> Mapping[tuple[Number, ...], fmpq]:
    try:
        return run(core, asked, {}, RATIONALS, Budget()).masses
    except Fault:
        return {}


@given(programs)
def test_classes_spread_out_are_the_joint_of_single_values(text: str) -> None:
    core = core_of(text)
    truth = by_enumeration(core, ("s", "x", "y", "o"))

    try:
        states = run_classes(sink(core), ("s", "x", "y", "o"), {}, RATIONALS, Budget())
    except class_faults.Beyond:
        return
    except Fault:
        assert truth == {}
        return
    assert dict(states.single_values(100_000).masses) == truth


@given(
    programs, st.sampled_from([("x",), ("o",), ("x", "o"), ("o", "y")]), st.sampled_from([(), ("o",), ("x",), ("y",)])
)
def test_measures_of_classes_are_those_of_single_values(text: str, y: tuple[str, ...], z: tuple[str, ...]) -> None:
    core = core_of(text)
    asked = tuple(dict.fromkeys(("s", *y, *z)))
    if not by_enumeration(core, asked):
        return
    truth = run(core, asked, {}, RATIONALS, Budget())
    try:
        joint = run_classes(sink(core), asked, {}, RATIONALS, Budget()).symbolic()
    except class_faults.Beyond:
        return

    for found, known in (
        (conditional_entropy(joint, ("s",), y), entropy.conditional_entropy(truth, ("s",), y)),
        (conditional_entropy(joint, y, z), entropy.conditional_entropy(truth, y, z)),
        (information(joint, ("s",), y, z), mutual_information.mutual_information(truth, ("s",), y, z)),
    ):
        enclosure, bits = found
        assert enclosure.lower <= known.upper
        assert known.lower <= enclosure.upper
        assert abs(float(enclosure.value) - float(known.value)) < 1e-12
        if bits is not None:
            assert abs(float(bits) - float(known.value) / float(mpmath.log(2))) < 1e-12


HUGE = """
s ~ uniform_int(0, 2^64 - 1)
t ~ uniform_int(1, 10^18)
low := s % 8
high := floor(s / 2^60)
hit := s == 42
digit := t % 10
double := 2 * s + 1
half := floor(s / 2)
d ~ bernoulli(if s < 2^63 then 1/4 else 3/4)
"""


MEASURES = [
    "V(s)",
    "V(s | x, o)",
    "V(x, s | o)",
    "Hmin(s | s > 3)",
    "Guess(s | x)",
    "Guess(s, x)",
    "Lmin(s -> o)",
    "G(s -> x, tries(3))",
    "G(s -> o, guess)",
    "C(s -> y)",
    "Cmin(s -> o)",
    "Cmin(s -> x, y)",
    "DP(s -> y)",
    "DP(s -> o)",
    "DP(s -> y | x)",
    "DP(s -> y, distance=1)",
    "Delta(s -> y, eps=1/2)",
    "Delta(x -> o, eps=1/3)",
    "E(s)",
    "E(x + 2 * o | s > 2)",
    "Var(s)",
    "Var(3 * o - x)",
    "P(s == o)",
    "I(s; o | x)",
]


@given(programs, st.sampled_from(MEASURES))
def test_what_is_asked_of_classes_is_what_is_asked_of_single_values(text: str, measure: str) -> None:
    text = text.replace("s ~", "secret s\ns ~").replace("o := 0", "o := 0\nz ~ uniform_int(3, 19)", 1)
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


@pytest.mark.parametrize(
    ("measure", "bits"),
    [
        ("H(s)", 64),
        ("H(s, low, hit)", 64),
        ("I(s; low)", 3),
        ("I(s; high)", 4),
        ("H(s | low)", 61),
        ("H(s | low, high)", 57),
        ("I(s; double)", 64),
        ("H(double | s)", 0),
        ("H(half)", 63),
        ("I(s; half)", 63),
        ("I(s; t)", 0),
        ("H(s | s >= 2^63)", 63),
        ("I(low; half)", 2),
    ],
)
def test_whole_numbers_of_bits_are_exact(measure: str, bits: int) -> None:
    result = seepage.parse(HUGE).measure(measure)

    assert (result.lower, result.upper) == (bits, bits)


def test_what_is_no_whole_number_of_bits_is_enclosed() -> None:
    program = seepage.parse(HUGE)
    n = mpmath.mpf(2) ** 64
    hit = -(1 / n) * mpmath.log(1 / n, 2) - (1 - 1 / n) * mpmath.log(1 - 1 / n, 2)
    noisy = (
        1 + mpmath.mpf(1) / 4 * mpmath.log(mpmath.mpf(1) / 4, 2) + mpmath.mpf(3) / 4 * mpmath.log(mpmath.mpf(3) / 4, 2)
    )

    for measure, truth in (
        ("I(s; hit)", hit),
        ("I(t; digit)", mpmath.log(10, 2)),
        ("H(t | digit)", 17 * mpmath.log(10, 2)),
        ("I(s; d)", noisy),
        ("I(s; d, low)", 3 + noisy),
    ):
        result = program.measure(measure)
        assert result.lower <= truth <= result.upper
        assert result.upper - result.lower < 1e-13 * truth


def test_probabilities_and_means_of_what_has_few_values_are_exact() -> None:
    program = seepage.parse(HUGE)

    assert program.measure("P(s < 10)").exact == Fraction(10, 2**64)
    assert program.measure("E(low)").exact == Fraction(7, 2)


@pytest.mark.parametrize("statement", ["o := s * s", "o := s < t", "o := s * t", "o := s + t", "o := h[s]"])
def test_what_needs_every_value_is_told_where_it_stands(statement: str) -> None:
    core = core_of(f"h[0] := 1\n{HUGE}{statement}")

    with pytest.raises(Fault) as fault:
        run_classes(core, ("o",), {}, RATIONALS, Budget())

    assert fault.value.diagnostic.rule.code == "SEEP902"
    assert fault.value.diagnostic.notes


def test_small_ranges_that_classes_cannot_say_are_enumerated(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (classes, class_reader):
        monkeypatch.setattr(module, "PIECES", 16)
    core = core_of("s ~ uniform_int(0, 15)\no := s * s % 16")

    with pytest.raises(class_faults.Beyond):
        run_classes(core, ("s", "o"), {}, RATIONALS, Budget())

    joint = discrete(solve(core, ("o",), {}, Budget()))
    assert joint.masses == {(square,): fmpq(1, 4) for square in (0, 1, 4, 9)}


TABLE = """secret s
s ~ uniform_int(0, 2^{n} - 1)
g ~ uniform_int(0, 2^{n} - 1)
a := s % 8
o := g == s
d ~ bernoulli(if s < 2^({n} - 1) then 1/4 else 3/4)
output a, o, d
"""


def rows(text: str) -> list[tuple[float, ...]]:
    table = seepage.parse(text).analyze().table
    parts = [
        (row.information, row.percent, row.guess_before, row.guess_after, row.worst, row.least_left) for row in table
    ]
    assert all(each is not None for row in parts for each in row)
    return [
        (
            *(round(each.number, 12) for each in row[:4] if each is not None),
            round(row[4].divergence.number, 12),
            round(row[5].entropy.number, 12),
        )
        for row in parts
        if row[4] is not None and row[5] is not None
    ]


def test_the_leakage_table_of_classes_is_that_of_single_values() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(class_widths, "WIDE", 1 << 40)
        known = rows(TABLE.format(n=6))

    assert rows(TABLE.format(n=6)) == known


def test_the_leakage_table_of_a_secret_of_64_bits_is_full() -> None:
    together, low, equal, noisy = rows(TABLE.format(n=64))

    assert (low[0], low[1], low[4], low[5]) == (3, 4.6875, 3, 61)
    assert equal[0] == 0
    assert together[0] == pytest.approx(3 + noisy[0], abs=1e-12)


@pytest.mark.parametrize(
    ("a", "b"),
    [((0, 1, 20), (5, 2, 20)), ((3, 4, 10), (39, -6, 8)), ((1, 2, 9), (0, 2, 9)), ((7, -3, 12), (-20, 5, 11))],
)
def test_where_two_progressions_meet_is_found_without_enumeration(
    a: tuple[int, int, int], b: tuple[int, int, int]
) -> None:
    parts = class_reader.meeting(a, b)
    assert parts is not None
    met = [
        [start + step * (part.start + part.step * j) for j in range(part.count)]
        for (start, step, _), part in zip((a, b), parts, strict=True)
    ]

    assert met[0] == met[1]
    assert set(met[0]) == {a[0] + a[1] * k for k in range(a[2])} & {b[0] + b[1] * k for k in range(b[2])}


@pytest.mark.parametrize(
    ("measure", "exact"),
    [
        ("V(s)", Fraction(1, 2**64)),
        ("V(s | low, d)", Fraction(8 * 3, 2 * 2**64)),
        ("Guess(s | low)", Fraction(2**61 + 1, 2)),
        ("Hmin(s | high)", Fraction(60)),
        ("Lmin(s -> low)", Fraction(3)),
        ("C(s -> half)", Fraction(63)),
        ("Cmin(s -> low, half)", Fraction(64)),
        ("E(s)", Fraction(2**64 - 1, 2)),
        ("Var(s)", Fraction(2**128 - 1, 12)),
        ("E(2 * s + low | low == 5)", 2 * (Fraction(2**64 - 8, 2) + 5) + 5),
        ("P(s == t)", Fraction(1, 2**64)),
        ("P(s == 3 * t)", Fraction(1, 2**64)),
        ("P(t % 10 == low)", Fraction(1, 10)),
    ],
)
def test_measures_of_secrets_of_64_bits_are_exact(measure: str, exact: Fraction) -> None:
    assert seepage.parse(HUGE).measure(measure).exact == exact


def test_privacy_of_secrets_of_64_bits_is_that_of_their_classes() -> None:
    program = seepage.parse(HUGE)

    assert program.measure("DP(s -> low)").lower == float("inf")
    assert program.measure("DP(s -> half)").lower == float("inf")
    private = program.measure("DP(s -> d)")
    assert private.lower <= mpmath.log(3) <= private.upper
    capacity = program.measure("Cmin(s -> d)")
    assert capacity.lower <= mpmath.log(mpmath.mpf(3) / 2, 2) <= capacity.upper


def test_a_statement_that_splits_a_class_into_many_parts_ends_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The remainder of a masked word has thousands of parts, each of which takes as long as other statements do."""
    now, masks = [0.0], [0]

    def ticking() -> float:
        now[0] += 0.01
        return now[0]

    def counted(*given: Any) -> Any:
        masks[0] += 1
        return masked(*given)

    monkeypatch.setattr(class_reader, "masked", counted)
    core = core_of("s ~ uniform_int(0, 2^64 - 1)\nq := bit_and(s, 12297829382473034410) % 1000\n")
    with using(Clock(ticking, ticking)), pytest.raises(Fault) as found:
        run_classes(core, ("q",), {}, RATIONALS, Budget(deadline=Deadline.after(1.0)))

    assert found.value.diagnostic.rule is TIME_LIMIT
    assert 0 < masks[0] <= 100
