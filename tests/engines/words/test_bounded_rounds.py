"""Loops over the digits of a wide value in as many rounds as they have: against the loops settled state by state, and against formulas."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from tests.engines.joints import fractions
from tests.engines.programs import core_of

import seepage
from seepage.engines import bounded_rounds
from seepage.engines.forward import run as forward
from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.outcome import Budget
from seepage.engines.settling import settled
from seepage.semantics.core import CoreIf, CoreProgram
from seepage.semantics.statements import has_loops

TIMED = """rest := e
time := 0
while rest > 0 {
    time := time + 1
    if rest % 2 == 1 { time := time + 1 }
    rest := floor(rest / 2)
}
"""
LOOPS = [
    TIMED,
    # from another end, by another condition, and a distance that is counted
    "n := 0\nwhile bit_and(e, 2^n) == 0 and n < 8 { n := n + 1 }\n",
    # what the condition depends on in turn, and what it does not
    "a := e\nb := 255\nseen := 0\nwhile a != 0 { seen := seen * e % 7 + b % 2; b := floor(b / 2); a := bit_and(a, b) }\n",
    # chance in the body, an observation in it, and one before
    "observe e % 3 != 0\nc := 0\nr := e\nwhile r > 0 { k ~ flip(1/3); c := c + k; observe c < 5; r := floor(r / 4) }\n",
    # in a branch, and a loop in a loop
    "t := 0\nr := e\nif e > 40 { while r > 0 { r := floor(r / 3); t := t + 1 } } else { t := 9 }\n",
    "t := 0\nr := e\nwhile r > 0 { q := r % 4; while q > 0 { q := q - 1; t := t + 1 }\nr := floor(r / 4) }\n",
    # a block for runs without an end: there are none
    "t := 0\nr := e\nwhile r > 0 { r := floor(r / 2); t := t + 1 } never { t := 77 }\n",
]


def law(core: CoreProgram) -> dict[tuple[Fraction, ...], Fraction]:
    names = tuple(sorted(name for name in core.variables if "@" not in name))
    return fractions(forward.run(core, names, {}, RATIONALS, Budget()))


@pytest.mark.parametrize("loop", LOOPS)
def test_rounds_mean_what_the_loop_means(loop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    core = core_of(f"e ~ uniform_int(0, 255)\n{loop}")
    by_states = settled(core, {}, {}, Budget())
    monkeypatch.setattr(bounded_rounds, "WIDE", 255)

    by_rounds = settled(core, {}, {}, Budget())

    assert not has_loops(by_rounds)
    assert by_rounds.statements != by_states.statements
    assert law(by_rounds) == law(by_states)


@pytest.mark.parametrize(
    "loop",
    [
        "c := 1\nwhile c == 1 { c ~ flip(1/2); e := e }\n",  # ends by chance
        "r := e\nwhile r > 0 { r := r - 1 }\n",  # loses no digit
    ],
)
def test_loops_without_such_a_bound_are_left_to_their_states(loop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    core = core_of(f"e ~ uniform_int(0, 511)\n{loop}")
    by_states = settled(core, {}, {}, Budget())
    monkeypatch.setattr(bounded_rounds, "WIDE", 255)

    assert settled(core, {}, {}, Budget()).statements == by_states.statements


def test_there_are_as_many_rounds_as_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_rounds, "WIDE", 255)
    found = settled(core_of(f"e ~ uniform_int(0, 255)\n{TIMED}"), {}, {}, Budget())

    assert sum(isinstance(each, CoreIf) for each in found.statements) == 8


def test_a_parameter_bounds_the_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_rounds, "WIDE", 255)
    core = core_of(
        "param k = 2\ne ~ uniform_int(0, 255)\nt := 0\nr := e\nwhile r > 0 { r := floor(r / 2^k); t := t + 1 }\n"
    )

    for value, rounds in ((1, 8), (3, 3), (8, 1)):
        by_rounds = settled(core, {"k": value}, {"k": None}, Budget())
        found = fractions(forward.run(by_rounds, ("t",), {"k": value}, RATIONALS, Budget()))
        assert not has_loops(by_rounds)
        assert found[(Fraction(rounds),)] == 1 - Fraction(2 ** (value * (rounds - 1)), 256)


def times(bits: int) -> dict[int, Fraction]:
    """Return the law of the time: a number of j + 1 digits has its first one and a binomial number of others."""
    found = {0: Fraction(1, 2**bits)}
    for rest in range(bits):
        for ones in range(rest + 1):
            time = rest + 1 + 1 + ones
            found[time] = found.get(time, Fraction(0)) + Fraction(math.comb(rest, ones), 2**bits)
    return found


@pytest.mark.variation(of="test_rounds_mean_what_the_loop_means")
def test_square_and_multiply_with_64_digits() -> None:
    program = seepage.parse(f"secret e\noutput time\ne ~ uniform_int(0, 2^64 - 1)\n{TIMED}")
    chances = times(64)
    entropy = -sum(float(chance) * math.log2(chance) for chance in chances.values())

    found = program.measure("I(e; time)")

    assert sum(chances.values()) == 1
    assert found.lower - 1e-12 <= entropy <= found.upper + 1e-12
    assert found.upper - found.lower < 1e-9
    assert program.measure("P(time == 128)").exact == chances[128]
