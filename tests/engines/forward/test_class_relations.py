"""Two values from huge ranges that are equal in some runs and differ in others: patterns of equal values say what enumeration says."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engines.random_programs import core_of

import seepage
from seepage.diagnostics import Fault
from seepage.engines.forward import class_widths
from seepage.engines.forward.class_joint import run_classes
from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.forward.run import run
from seepage.engines.outcome import Budget
from seepage.measures.discrete import entropy, mutual_information
from seepage.measures.discrete.classes import conditional_entropy, guessed_in_one_try, information, number_of_values
from seepage.measures.guessing import class_guessing
from seepage.measures.guessing.entropy import guessing_entropy
from seepage.measures.guessing.vulnerability import conditional_vulnerability
from seepage.semantics.sink import sink

START = "s ~ uniform_int(0, 11)\nu ~ uniform_int({low}, {high})\nv ~ uniform_int(0, 11)\nw := s\no := 0\nx := 0\n"
wide = st.sampled_from(["s", "u", "v", "w", "x"])
conditions = st.one_of(
    st.builds("{} == {}".format, wide, wide),
    st.builds("{} != {}".format, wide, wide),
    st.builds("{} == 2 * {} + 1".format, wide, wide),
    st.builds("{} == 10 - {}".format, wide, wide),
    st.builds("{} < 5".format, wide),
)
simple = st.one_of(
    st.builds("o := {}".format, conditions),
    st.builds("o := o + ({})".format, conditions),
    st.builds("x := {}".format, wide),
    st.builds("u := {}".format, wide),
    st.builds("o := {} % 2".format, wide),
    st.builds("observe({} or o == 1)".format, conditions),
    st.builds("observe({})".format, conditions),
)
branches = st.builds("if {} {{ {} }} else {{ {} }}".format, conditions, simple, simple)
programs = st.builds(
    lambda ends, body: START.format(low=ends, high=ends + 11) + "\n".join(body),
    st.integers(-3, 3),
    st.builds("{1}\no := {0}\n{2}".format, conditions, simple, branches).map(lambda body: [body])
    | st.lists(st.one_of(simple, branches), min_size=1, max_size=4),
)
names = st.sampled_from(["s", "u", "v", "o", "x", "w"])


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let classes begin at ten values, so that the same programs can be enumerated."""
    monkeypatch.setattr(class_widths, "WIDE", 10)


@given(programs, st.lists(names, min_size=1, max_size=2), st.lists(names, min_size=1, max_size=2), names)
def test_measures_of_compared_classes_are_those_of_single_values(text: str, a: list[str], b: list[str], z: str) -> None:
    core, asked = core_of(text), tuple(dict.fromkeys((*a, *b, z)))
    try:
        truth = run(core, asked, {}, RATIONALS, Budget())
        joint = run_classes(sink(core), asked, {}, RATIONALS, Budget()).symbolic()
    except Fault:
        return

    x, y = tuple(a), tuple(b)
    for (found, bits), known in (
        (conditional_entropy(joint, x, y), entropy.conditional_entropy(truth, x, y)),
        (conditional_entropy(joint, asked), entropy.entropy(truth, asked)),
        (information(joint, x, y), mutual_information.mutual_information(truth, x, y)),
        (information(joint, x, y, (z,)), mutual_information.mutual_information(truth, x, y, (z,))),
    ):
        assert found.lower <= known.upper
        assert known.lower <= found.upper
        assert abs(float(found.value) - float(known.value)) < 1e-12
        assert bits is None or abs(float(bits) - float(known.value) / math.log(2)) < 1e-12
    assert number_of_values(joint, x) == len({tuple(key[asked.index(one)] for one in x) for key in truth.masses})


@given(programs, st.lists(names, min_size=1, max_size=2), st.lists(names, min_size=1, max_size=2))
def test_guesses_at_compared_classes_are_those_at_single_values(text: str, a: list[str], b: list[str]) -> None:
    core, x = core_of(text), tuple(dict.fromkeys(a))
    y = tuple(name for name in dict.fromkeys(b) if name not in x)
    try:
        truth = run(core, (*x, *y), {}, RATIONALS, Budget())
        joint = run_classes(sink(core), (*x, *y), {}, RATIONALS, Budget()).symbolic()
    except Fault:
        return

    assert class_guessing.chance_within(joint, x, y).exact == conditional_vulnerability(truth, x, y).exact
    assert class_guessing.guesses(joint, x, y).exact == guessing_entropy(truth, x, y).exact
    channel: dict[tuple[object, ...], dict[tuple[object, ...], Fraction]] = {}
    for key, mass in truth.masses.items():
        row = channel.setdefault(key[: len(x)], {})
        row[key[len(x) :]] = Fraction(int(mass.p), int(mass.q))
    best: dict[tuple[object, ...], Fraction] = {}
    for row in channel.values():
        for output, share in row.items():
            best[output] = max(best.get(output, Fraction(0)), share / sum(row.values(), Fraction(0)))
    assert guessed_in_one_try(joint, x, y) == sum(best.values())


GUESSES = """secret s
s ~ uniform_int(0, {last})
u ~ uniform_int(0, {last})
v ~ uniform_int(0, {last})
pad ~ uniform_int(0, {last})
c := bit_xor(s, pad)
hit := s == u
hits := (s == u) + (s == v)
"""
MEASURES = [
    "I(s; hit | u)",
    "I(s; hits | u, v)",
    "I(s; hits, u, v)",
    "H(s | u, hit)",
    "V(s | u, hit)",
    "Guess(s | u, v, hits)",
    "Lmin(s -> u, hit)",
    "I(s; u | s != u)",
    "I(s, u; hit)",
    "I(s; c | u)",
    "KL(s, u | hit || s, u)",
    "KL(s | s != u || s)",
]


@pytest.mark.parametrize("measure", MEASURES)
def test_guesses_of_secrets_are_measured_as_one_by_one(measure: str) -> None:
    text = GUESSES.format(last=15)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(class_widths, "WIDE", 1 << 40)
        known = seepage.parse(text).measure(measure)

    assert seepage.parse(text).measure(measure).value == pytest.approx(known.value, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("bits", [64, 512])
def test_a_guess_at_a_huge_secret_tells_what_its_chance_does(bits: int) -> None:
    program = seepage.parse(GUESSES.format(last=f"2^{bits} - 1"))
    with mpmath.workprec(4 * bits):
        n = mpmath.mpf(2) ** bits
        hit = mpmath.log(n, 2) / n - (1 - 1 / n) * mpmath.log1p(-1 / n) / mpmath.log(2)

        found = program.measure("I(s; hit | u)")
        assert found.lower <= hit <= found.upper
        assert found.upper - found.lower < 1e-12 * hit
        assert program.measure("H(s | u, hit)").value == pytest.approx(bits)
    assert program.measure("V(s | u, hit)").exact == Fraction(2, 2**bits)
    assert program.measure("I(s; c | u)").exact == 0
