"""Bits and bytes that make one number: as one source they say what each by itself does, and what closed forms say of too many to enumerate."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engines.random_programs import core_of

import seepage
from seepage.diagnostics import Fault
from seepage.distributions.gaussian import Affine, Sizes
from seepage.engines.forward import class_faults, class_widths
from seepage.engines.forward.class_joint import run_classes
from seepage.engines.forward.classes import packed
from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.forward.run import run
from seepage.engines.outcome import Budget
from seepage.measures.discrete import mutual_information
from seepage.measures.discrete.classes import information
from seepage.semantics.sink import sink

laws = st.sampled_from(["flip(1/2)", "uniform_int(0, 1)", "uniform_int(0, 2)", "uniform_int(1, 4)", "flip(1/3)"])
factors = st.sampled_from(["2", "3", "4", "5", "(-2)"])
values = st.sampled_from(
    [
        "k % 5",
        "k % 8",
        "floor(k / 3)",
        "k < 7",
        "k == 9",
        "k * 3 + 1",
        "k * b[1]",
        "bit_and(abs(k), 6)",
        "b[2] + k",
        "7 - k",
    ]
)
packings = st.builds(
    lambda drawn, by, order, value: "\n".join(
        [*(f"b[{i}] ~ {law}" for i, law in enumerate(drawn, 1)), "k := 0"]
        + [f"k := {by} * k + b[{i}]" if order else f"k := k + {by}^{i} * b[{i}]" for i in range(1, len(drawn) + 1)]
        + [f"o := {value}"]
    ),
    st.lists(laws, min_size=2, max_size=5),
    factors,
    st.booleans(),
    values,
)


@given(packings, st.sampled_from([("o",), ("k", "o"), ("b[1]", "o"), ("b[2]", "k"), ("b[1]", "b[2]", "o")]))
def test_digits_of_one_number_are_as_likely_as_one_by_one(text: str, asked: tuple[str, ...]) -> None:
    core = core_of(text)
    truth = run(core, asked, {}, RATIONALS, Budget())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(class_widths, "MANY", 1)
        try:
            states = run_classes(sink(core), asked, {}, RATIONALS, Budget())
        except class_faults.Beyond:
            return

    assert dict(states.single_values(100_000).masses) == dict(truth.masses)
    try:
        joint = states.symbolic()
    except Fault:
        return
    assert sum(map(Fraction, map(str, joint.symbols.masses.values()))) == 1


def test_digits_are_merged_only_where_they_always_stand_together() -> None:
    sizes = Sizes((2, 2, 3))
    number = Affine(5, ((0, 2), (1, 4), (2, 8)))

    whole = packed((sizes, number), 0)
    assert whole == (Sizes((12, 2, 3)), Affine(5, ((0, 2),)))
    assert packed((sizes, number, Affine(0, ((1, 1),))), 0)[1] == Affine(5, ((0, 2), (1, 4), (2, 8)))
    assert packed((sizes, Affine(0, ((0, 1), (1, 3)))), 0) == (sizes, Affine(0, ((0, 1), (1, 3))))
    twice = packed((sizes, number, Affine(1, ((0, -1), (1, -2), (2, -4)))), 0)
    assert twice == (Sizes((12, 2, 3)), Affine(5, ((0, 2),)), Affine(1, ((0, -1),)))


PACKED = """secret b
output o
for i in 1..{bits} {{ b[i] ~ flip(1/2) }}
k := 0
for i in 1..{bits} {{ k := 2 * k + b[i] }}
o := k % {modulus}
"""


@pytest.mark.parametrize(("bits", "modulus"), [(64, 8), (40, 997)])
def test_what_packed_bits_leave_over_is_known(bits: int, modulus: int) -> None:
    program = seepage.parse(PACKED.format(bits=bits, modulus=modulus))
    each, more = divmod(2**bits, modulus)
    chances = [(each + 1) / 2**bits] * more + [each / 2**bits] * (modulus - more)

    assert program.measure("I(b; o)").value == pytest.approx(-sum(p * math.log2(p) for p in chances), abs=1e-12)
    assert program.measure("P(k < 1000)").exact == Fraction(1000, 2**bits)
    assert program.measure("E(k)").exact == Fraction(2**bits - 1, 2)
    assert program.measure("H(k)").exact == bits
    assert program.measure("V(k | b[1])").exact == Fraction(1, 2 ** (bits - 1))


def test_coins_that_are_only_counted_are_counted_as_before() -> None:
    text = "for i in 1..30 { b[i] ~ uniform_int(0, 1) }\no := 0\nfor i in 1..30 { o := o + 2 * b[i] }\n"
    chances = [math.comb(30, k) / 2**30 for k in range(31)]

    assert seepage.parse(text).measure("H(o)").value == pytest.approx(-sum(p * math.log2(p) for p in chances))


PADDED = """s ~ uniform_int(0, 15)
k ~ uniform_int(0, 15)
x := bit_xor(s, k)
a := {first}
b := {second}
"""
digits = st.sampled_from(
    ["floor(x / 4)", "x % 4", "floor((x % 8) / 2)", "floor(s / 2)", "s % 8", "k % 2", "floor(k / 8)", "bit_and(x, 6)"]
)


@given(digits, digits, st.sampled_from([("s", "k", "a", "b"), ("s", "k", "x", "a"), ("x", "a"), ("s", "a", "b")]))
def test_digits_of_padded_secrets_are_padded_by_themselves(first: str, second: str, asked: tuple[str, ...]) -> None:
    core = core_of(PADDED.format(first=first, second=second))
    truth = run(core, asked, {}, RATIONALS, Budget())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(class_widths, "MANY", 1)
        try:
            states = run_classes(sink(core), asked, {}, RATIONALS, Budget())
            joint = states.symbolic()
        except class_faults.Beyond:
            return

    assert dict(states.single_values(10_000).masses) == dict(truth.masses)
    for x, y, z in (
        (asked[:1], asked[1:2], asked[2:]),
        (asked[:1], asked[2:3], asked[1:2]),
        (asked[:2], asked[2:], ()),
    ):
        found, _ = information(joint, x, y, z)
        assert float(found.value) == pytest.approx(
            float(mutual_information.mutual_information(truth, x, y, z).value), abs=1e-12
        )


CACHE = """secret k
output p, line
for i in 0..{last} {{ k[i] ~ uniform_int(0, {byte}) }}
for i in 0..{last} {{ p[i] ~ uniform_int(0, {byte}) }}
for i in 0..{last} {{ line[i] := floor(bit_xor(k[i], p[i]) / {entries}) }}
"""


def test_cache_lines_of_a_whole_key_are_known() -> None:
    program = seepage.parse(CACHE.format(last=15, byte=255, entries=16))

    assert program.measure("I(k; line | p)").exact == 64
    assert program.measure("I(k; line)").exact == 0
    assert program.measure("I(k; p, line)").exact == 64
    whole = "k ~ uniform_int(0, 2^128 - 1)\np ~ uniform_int(0, 2^128 - 1)\nx := bit_xor(k, p)\n"
    wide = seepage.parse(whole + "line := floor((x % 256) / 16)\n")
    assert wide.measure("I(k; line | p)").exact == 4
    assert wide.measure("I(k; line)").exact == 0
    assert wide.measure("V(k | p, line)").exact == Fraction(16, 2**128)


PASSWORD = """secret pw
output steps
for i in 1..{n} {{ pw[i] ~ uniform_int(1, {letters}) }}
for i in 1..{n} {{ guess[i] ~ uniform_int(1, {letters}) }}
steps := 0
same := 1
for i in 1..{n} {{ if same == 1 {{ steps := steps + 1; if pw[i] != guess[i] {{ same := 0 }} }} }}
"""


@pytest.mark.parametrize(("n", "letters", "many"), [(8, 94, 1 << 22), (2, 3, 1), (3, 2, 1)])
def test_a_password_check_that_ends_early_tells_how_far_it_came(
    n: int, letters: int, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_widths, "MANY", many)
    program = seepage.parse(PASSWORD.format(n=n, letters=letters))
    chances = [letters**-j * (letters - 1) / letters for j in range(n - 1)] + [letters ** -(n - 1)]

    told = -sum(p * math.log2(p) for p in chances)
    assert program.measure("I(pw; steps | guess)").value == pytest.approx(told)
    assert program.measure("H(pw | guess, steps)").value == pytest.approx(n * math.log2(letters) - told)
    assert program.measure("V(pw | guess, steps)").exact == Fraction(n, letters**n)
    assert program.measure("I(pw; steps)").exact == 0


WALK = """secret d
output time, parity
d ~ uniform_int(0, 2^{bits} - 1)
x := d
time := 0
parity := 0
for i in 1..{bits} {{
    bit := x % 2
    x := floor(x / 2)
    time := time + 1 + bit
    parity := bit_xor(parity, bit)
}}
"""


def test_the_time_of_square_and_multiply_is_known_of_a_wide_key() -> None:
    program = seepage.parse(WALK.format(bits=20))
    chances = [math.comb(20, ones) / 2**20 for ones in range(21)]

    told = -sum(p * math.log2(p) for p in chances)
    assert program.measure("I(d; time)").value == pytest.approx(told, abs=1e-12)
    assert program.measure("I(parity; d)").exact == 1
    assert program.measure("I(time; d | parity)").value == pytest.approx(told - 1, abs=1e-12)
