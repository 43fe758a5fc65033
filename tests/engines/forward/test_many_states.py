"""Tables and counters say exactly what walking every path says; measures of large joints what those of single outcomes say; budgets are told."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb, log2

import pytest
from flint import arb, fmpq

import seepage
from seepage.diagnostics import Fault
from seepage.engines.forward import counting
from seepage.engines.forward import run as forward
from seepage.engines.forward.coefficients import RATIONALS, balls
from seepage.engines.forward.run import run
from seepage.engines.forward.tables import Table, TableMasses, encode, integers, join
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.engines.select import solve
from seepage.measures.discrete import large
from seepage.measures.discrete.entropy import conditional_entropy
from seepage.measures.discrete.mutual_information import mutual_information
from seepage.pipeline import Options, analyze
from seepage.pipeline import check as check_text
from seepage.source import SourceFile

from ..joints import discrete, fraction, fractions, rationals
from ..programs import core_of
from . import random_programs

Discrete = DiscreteJoint[fmpq] | DiscreteJoint[arb]

DEEP = os.environ.get("SEEPAGE_DEEP") == "1"
SEEDS = 20_000 if DEEP else 200


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every run hold its states in a table, from the first one on."""
    monkeypatch.setattr(forward, "_MANY", 0)
    monkeypatch.setattr(forward, "_FEW", 0)


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let weights be made whole numbers before every statement."""
    monkeypatch.setattr(forward, "_WHOLE_EVERY", 1)


@pytest.fixture
def counters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every variable that is only added to, be it once, be an exponent."""
    monkeypatch.setattr(counting, "_FEWEST", 1)


def check(make: Callable[[int], random_programs.Piece], seeds: Iterator[int] | range) -> int:
    """Compare runs with the enumeration of paths; return how many programs had a run that passes its observations."""
    passed = 0
    for seed in seeds:
        program, asked = make(seed), random_programs.asked(seed)
        expected = random_programs.joint_of(program, asked)
        core = core_of(program.text)
        if not expected:
            with pytest.raises(Fault, match="impossible observation"):
                run(core, asked, {}, RATIONALS, Budget())
            continue
        passed += 1
        joint = run(core, asked, {}, RATIONALS, Budget())
        assert fractions(joint) == expected, program.text
        assert fraction(joint.mass) == sum(expected.values())
    return passed


def test_plain_runs_agree_with_the_enumeration_of_paths() -> None:
    assert check(random_programs.program, range(1000, 1000 + SEEDS)) > SEEDS // 2


@pytest.mark.usefixtures("tables")
def test_tables_agree_with_the_enumeration_of_paths() -> None:
    assert check(random_programs.program, range(2000, 2000 + SEEDS)) > SEEDS // 2


@pytest.mark.usefixtures("counters")
def test_counters_agree_with_the_enumeration_of_paths() -> None:
    assert check(random_programs.counting, range(3000, 3000 + SEEDS)) > SEEDS // 2


@pytest.mark.usefixtures("tables")
@pytest.mark.usefixtures("whole")
def test_whole_weights_agree_with_the_enumeration_of_paths() -> None:
    assert check(random_programs.program, range(4000, 4000 + SEEDS // 4)) > SEEDS // 8


@pytest.mark.usefixtures("whole", "counters")
def test_whole_weights_become_counters_and_tables_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forward, "_MANY", 3)
    monkeypatch.setattr(forward, "_FEW", 2)

    assert check(random_programs.counting, range(5000, 5000 + SEEDS // 4)) > SEEDS // 8


def test_a_hidden_chain_is_filtered_as_by_the_forward_algorithm() -> None:
    steps = 120
    text = f"""
        x ~ bernoulli(1/2)
        for i in 1..{steps} {{
            x ~ bernoulli(if x then 999/1000 else 1/500)
            y ~ bernoulli(if x then 11/20 else 9/20)
            observe(y == i % 2)
        }}
    """
    one, zero = Fraction(1, 2), Fraction(1, 2)
    for i in range(1, steps + 1):
        one, zero = one * Fraction(999, 1000) + zero * Fraction(1, 500), one / 1000 + zero * Fraction(499, 500)
        likely = Fraction(11, 20) if i % 2 else Fraction(9, 20)
        one, zero = one * likely, zero * (1 - likely)

    joint = run(core_of(text), ("x",), {}, RATIONALS, Budget())

    assert {key: Fraction(int(w.p), int(w.q)) for key, w in joint.masses.items()} == {(1,): one, (0,): zero}


def test_tables_of_balls_contain_the_exact_masses() -> None:
    for seed in range(SEEDS // 6):
        program, asked = random_programs.program(seed), random_programs.asked(seed)
        expected = random_programs.joint_of(program, asked)
        if not expected:
            continue
        joint = run(core_of(program.text), asked, {}, balls(128), Budget())
        assert set(map(rationals, joint.masses)) == set(expected)
        for key, ball in joint.masses.items():
            weight = expected[rationals(key)]
            assert (ball * weight.denominator).contains(weight.numerator)


@pytest.mark.usefixtures("counters")
def test_counters_of_balls_contain_the_exact_masses() -> None:
    for seed in range(SEEDS // 6):
        program, asked = random_programs.counting(seed), random_programs.asked(seed)
        expected = random_programs.joint_of(program, asked)
        if not expected:
            continue
        joint = run(core_of(program.text), asked, {}, balls(128), Budget())
        for key, weight in expected.items():
            assert (joint.masses[tuple(map(_number, key))] * weight.denominator).contains(weight.numerator)


def _number(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value


@pytest.mark.usefixtures("tables")
def test_measures_of_large_joints_are_those_of_single_outcomes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large, "_LARGE", 0)
    for seed in range(SEEDS // 2):
        program = random_programs.program(seed)
        names = ("a", "b", "c", "m[0]")
        if not random_programs.joint_of(program, names):
            continue
        joint = run(core_of(program.text), names, {}, RATIONALS, Budget())
        plain: DiscreteJoint[fmpq] = DiscreteJoint(names, RATIONALS, dict(joint.masses), joint.mass)
        assert isinstance(joint.masses, TableMasses)
        for x, y, z in (
            (("a",), ("b",), ()),
            (("a", "m[0]"), ("c",), ("b",)),
            (("b",), ("a", "b"), ()),
            (("a",), ("c",), ("a",)),
        ):
            for found, known in (
                (conditional_entropy(joint, x, z), conditional_entropy(plain, x, z)),
                (mutual_information(joint, x, y, z), mutual_information(plain, x, y, z)),
            ):
                assert found.lower <= known.upper
                assert known.lower <= found.upper
                assert abs(float(found.value - known.value)) <= 1e-40
                assert (found.value == 0) == (known.value == 0)


# --- laws of leakage --------------------------------------------------------------------------------------------------


def test_laws_of_leakage_hold_on_random_programs() -> None:
    for seed in range(SEEDS // 3):
        program = random_programs.program(seed)
        names = ("a", "b", "c")
        if not random_programs.joint_of(program, names):
            continue
        text = f"{program.text}\nd := a + c\ndead ~ uniform_int(1, 3)\nlast := dead * b"
        joint = discrete(solve(core_of(text), (*names, "d"), {}, Budget()))
        alone = discrete(solve(core_of(program.text), names, {}, Budget()))

        def information(
            x: tuple[str, ...], y: tuple[str, ...], z: tuple[str, ...] = (), joint: Discrete = joint
        ) -> float:
            return float(mutual_information(joint, x, y, z).value)

        def entropy(x: tuple[str, ...], z: tuple[str, ...] = (), joint: Discrete = joint) -> float:
            return float(conditional_entropy(joint, x, z).value)

        close = 1e-12
        leaked = information(("b",), ("a", "c"))
        assert -close <= leaked <= min(entropy(("b",)), entropy(("a", "c"))) + close
        assert information(("b",), ("d",)) <= leaked + close  # data processing
        assert abs(leaked - information(("b",), ("a",)) - information(("b",), ("c",), ("a",))) < close  # chain rule
        assert abs(entropy(("a", "b")) - entropy(("a",)) - entropy(("b",), ("a",))) < close
        assert information(("a", "c"), ("b",)) == leaked  # symmetry
        assert float(mutual_information(alone, ("b",), ("a", "c")).value) == leaked  # dead code changes nothing
        renamed = program.text.replace("m[", "w[").replace("b ", "q ")
        if " b" not in renamed and "(b" not in renamed and "b)" not in renamed:
            other = discrete(solve(core_of(renamed), ("a", "q", "c"), {}, Budget()))
            assert float(mutual_information(other, ("q",), ("a", "c")).value) == leaked


# --- scale ------------------------------------------------------------------------------------------------------------

DINING = """
secret who
output a
who ~ uniform_int(0, {n})
for i in 1..{n} {{ coin[i] ~ bernoulli({b}) }}
for i in 1..{n} {{ a[i] := coin[i] xor coin[i % {n} + 1] xor (who == i) }}
"""


def test_eleven_dining_cryptographers_leak_what_is_known() -> None:
    n = 11
    result = seepage.parse(DINING.format(n=n, b="1/2")).measure("I(who; a)")

    # Whether somebody pays is seen, and nothing else.
    pays = n / (n + 1)
    assert abs(result.number + pays * log2(pays) + (1 - pays) * log2(1 - pays)) < 1e-14


def test_a_sum_of_three_hundred_coins_is_a_binomial() -> None:
    core = core_of("o := 0\nfor i in 1..300 { b[i] ~ bernoulli(1/3); o := o + b[i] }")

    masses = run(core, ("o",), {}, RATIONALS, Budget()).masses

    assert masses == {(k,): fmpq(comb(300, k) * 2 ** (300 - k), 3**300) for k in range(301)}


@pytest.mark.parametrize(
    ("budget", "says"),
    [(Budget(rows=50_000), "65,536 states"), (Budget(memory=20_000_000), "MB; the limit is 19 MB")],
)
def test_a_table_past_the_budget_is_told_where_it_grows(budget: Budget, says: str) -> None:
    text = "for i in 1..40 { b[i] ~ bernoulli(1/2) }\no := 0\nfor i in 1..40 { o := o + b[i] * 2^i }"

    with pytest.raises(Fault) as fault:
        run(core_of(text), ("o",), {}, RATIONALS, budget)

    diagnostic = fault.value.diagnostic
    assert diagnostic.rule.code == "SEEP902"
    assert says in diagnostic.message
    assert text[diagnostic.span.start : diagnostic.span.end] == "b[i] ~ bernoulli(1/2)"
    assert diagnostic.notes


@pytest.mark.variation(of="test_a_table_past_the_budget_is_told_where_it_grows")
def test_the_other_measures_of_a_program_past_its_budget_are_answered() -> None:
    text = "secret b\noutput o\nfor i in 1..40 { b[i] ~ bernoulli(1/3) }\no := 0\nfor i in 1..40 { o := o + b[i] * 2^i }\nz := b[1]\nshow H(o)\nshow I(b[1]; z)\n"

    analysis = analyze(check_text(SourceFile("test.seep", text)), Options(seconds=10.0, budget=Budget(rows=100_000)))

    hopeless, fine = analysis.answers
    assert hopeless.result is None
    assert hopeless.diagnostic is not None
    assert hopeless.diagnostic.rule.code == "SEEP902"
    assert fine.result is not None
    assert fine.result.value == pytest.approx(math.log2(3) - 2 / 3)


@pytest.mark.parametrize("count", [255, 256, 257, 65_536, 65_537, 70_000])
def test_columns_hold_as_many_values_as_there_are(count: int) -> None:
    """Around the numbers at which codes need another byte, alone and where columns with other values are put behind them."""
    numbers = list(range(count))
    one = Table(("x",), (encode(numbers),), integers([1] * count, 2 * count), 2 * count)
    other = Table(("x",), (encode([-each for each in numbers]),), integers([1] * count, 2 * count), 2 * count)

    both = join([one, other])

    masses = dict(zip(both.rows(), both.masses(), strict=True))
    assert len(masses) == 2 * count - 1
    assert masses[(0,)] == fmpq(1, count)
    assert all(masses[(sign * each,)] == fmpq(1, 2 * count) for each in numbers[1:] for sign in (1, -1))
