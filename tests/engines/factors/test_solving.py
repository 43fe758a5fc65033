"""Programs that a run state by state cannot hold, against closed forms; and that small ones are left to such runs."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from tests.engines.joints import fractions
from tests.engines.random_programs import core_of

from seepage.diagnostics import Fault
from seepage.engines.factors.answers import killer_of
from seepage.engines.factors.building import graph_of
from seepage.engines.factors.solving import eliminated, is_eliminated
from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.outcome import Budget
from seepage.engines.select import solve
from seepage.rules import IMPOSSIBLE_OBSERVATION
from seepage.semantics.core import CoreObserve, CoreProgram
from seepage.semantics.slice import sink, slice_program

GATES = """for i in 0..63 { a[i] ~ bernoulli(1/3) }
for l in 0..5 { for i in 0..(2^(5-l)-1) {
  if l % 2 == 0 { a[i] := a[2*i] and a[2*i+1] } else { a[i] := a[2*i] or a[2*i+1] }
} }
o := a[0]
"""
PICKED = """for i in 0..299 { a[i] ~ bernoulli(1/(i + 2)) }
k ~ uniform_int(0, 299)
o := a[k]
"""
PICKED_BESIDE = PICKED.replace("o := a[k]", "o := a[k] + a[0] + a[1]")
WRITTEN = """for i in 0..29 { a[i] ~ bernoulli(1/3) }
k ~ uniform_int(0, 29)
a[k] := 1
o := 0
for i in 0..29 { o := o + a[i] }
"""


def sunk(text: str, names: tuple[str, ...]) -> CoreProgram:
    return sink(slice_program(core_of(text), names))


def solved(text: str, names: tuple[str, ...]) -> dict[tuple[Fraction, ...], Fraction]:
    return fractions(solve(core_of(text), names, {}, Budget(states=2_000)))


def bit(chance: Fraction) -> dict[tuple[Fraction, ...], Fraction]:
    return {(Fraction(0),): 1 - chance, (Fraction(1),): chance}


def test_a_tree_of_gates() -> None:
    chance = Fraction(1, 3)
    for level in range(6):
        chance = chance**2 if level % 2 == 0 else 1 - (1 - chance) ** 2

    assert solved(GATES, ("o",)) == bit(chance)
    assert is_eliminated(sunk(GATES, ("o",)), ("o",), {}, Budget())


def test_an_element_picked_at_random() -> None:
    assert solved(PICKED, ("o",)) == bit(sum((Fraction(1, i + 2) for i in range(300)), Fraction(0)) / 300)


def test_an_element_picked_at_random_beside_others_that_are_read() -> None:
    rest = sum((Fraction(1, i + 2) for i in range(2, 300)), Fraction(0)) / 300
    first, second = Fraction(1, 2), Fraction(1, 3)
    expected: dict[tuple[Fraction, ...], Fraction] = {}
    for a, p in ((1, first), (0, 1 - first)):
        for b, q in ((1, second), (0, 1 - second)):
            picked = Fraction(a + b, 300) + rest
            for value, chance in ((1, picked), (0, 1 - picked)):
                key = (Fraction(value + a + b),)
                expected[key] = expected.get(key, Fraction(0)) + p * q * chance

    assert solved(PICKED_BESIDE, ("o",)) == expected


def test_an_element_written_at_random() -> None:
    # one place is 1, the sum of the other 29 is binomial
    binomial = {n: comb(29, n) * Fraction(1, 3) ** n * Fraction(2, 3) ** (29 - n) for n in range(30)}

    assert solved(WRITTEN, ("o",)) == {(Fraction(n + 1),): chance for n, chance in binomial.items()}


@pytest.mark.parametrize(
    "text",
    [
        "x ~ bernoulli(1/3)\no := x\n",
        "for i in 0..19 { x[i] ~ bernoulli(1/3) }\no := 0\nfor i in 0..19 { o := o + x[i] }\n",
    ],
)
def test_what_has_few_states_is_left_to_runs_state_by_state(text: str) -> None:
    assert eliminated(sunk(text, ("o",)), ("o",), {}, Budget()) is None


@pytest.mark.parametrize("observed", ["o == 2", "o and !o", "a[0] and a[0] == 0"])
def test_an_observation_that_no_run_passes(observed: str) -> None:
    text = f"{GATES}observe a[0] or !a[0]\nobserve {observed}\nobserve o == 3\n"

    with pytest.raises(Fault) as found:
        solve(core_of(text), ("o",), {}, Budget(states=2_000))

    diagnostic = found.value.diagnostic
    assert diagnostic.rule is IMPOSSIBLE_OBSERVATION
    assert text[diagnostic.span.start : diagnostic.span.end] == f"observe {observed}"


def test_the_first_observation_that_no_run_passes() -> None:
    rng, found = random.Random(5), 0
    for _ in range(60):
        fixed = {number: rng.choice([0, 1]) for number in rng.sample(range(5), 2)}
        laws = [{0: "0", 1: "1"}[fixed[number]] if number in fixed else "1/3" for number in range(5)]
        alive = [state for state in product((0, 1), repeat=5) if all(state[at] == value for at, value in fixed.items())]
        lines = [f"b{number} ~ flip({law})" for number, law in enumerate(laws)]
        killer: int | None = None
        for count in range(3):
            (one, other), (first, second) = rng.sample(range(5), 2), rng.choices((0, 1, 2), (3, 3, 1), k=2)
            lines.append(f"observe b{one} == {first} and b{other} == {second}")
            alive = [state for state in alive if (state[one], state[other]) == (first, second)]
            if not alive and killer is None:
                killer = count
        core = core_of("\n".join(lines) + "\n")
        observations = [each for each in core.statements if isinstance(each, CoreObserve)]

        told = killer_of(graph_of(core, {}, RATIONALS, Budget()), Budget())

        assert told is (None if killer is None else observations[killer])
        found += killer is not None
    assert 20 < found < 60
