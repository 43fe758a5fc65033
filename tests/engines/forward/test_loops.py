"""Loops of unknown length and local draws, against closed forms, linear systems solved here, and long unrolling."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines.forward.loop_programs import drawn, looped, masses, measured, shares
from tests.engines.programs import core_of

from seepage.diagnostics import Fault
from seepage.engines.forward.coefficients import RATIONALS
from seepage.engines.forward.loops import TooManyStates
from seepage.engines.forward.run import run
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.engines.select import solve
from seepage.engines.settling import settled, settled_for
from seepage.exact import precision
from seepage.rules import IMPOSSIBLE_DRAW, IMPOSSIBLE_OBSERVATION
from seepage.semantics.core import CoreIf, CoreLocal, CoreProgram, CoreWhile
from seepage.source import Span

HALF = Fraction(1, 2)


# --- known laws -------------------------------------------------------------------------------------------------------


def test_two_flips_until_they_differ_are_fair() -> None:
    core = looped("r := 0\nb := 0", "r == b", "r ~ flip(1/3)\nb ~ flip(1/3)")
    assert masses(core, ("r",)) == {(0,): HALF, (1,): HALF}


@pytest.mark.parametrize(("p", "start"), [(Fraction(1, 3), 7), (Fraction(3, 5), 4), (HALF, 11)])
def test_ruin_of_a_gambler(p: Fraction, start: int) -> None:
    core = looped(f"x := {start}\nd := 0", "x > 0 and x < 12", f"d ~ {{1: {p}, -1: {1 - p}}}\nx := x + d")
    r = (1 - p) / p
    wins = Fraction(start, 12) if r == 1 else (1 - r**start) / (1 - r**12)
    assert masses(core, ("x",)) == {(0,): 1 - wins, (12,): wins}


def test_a_long_walk_is_solved_as_one_matrix() -> None:
    core = looped("x := 40\nd := 0", "x > 0 and x < 100", "d ~ {1: 1/2, -1: 1/2}\nx := x + d")
    assert masses(core, ("x",)) == {(0,): Fraction(3, 5), (100,): Fraction(2, 5)}


def test_the_die_of_knuth_and_yao() -> None:
    # States 0 … 6 as in the paper; 7 … 12 are the faces.
    steps = {0: (1, 2), 1: (3, 4), 2: (5, 6), 3: (1, 7), 4: (8, 9), 5: (10, 11), 6: (12, 2)}
    body = "c ~ flip(1/2)\nn := x\n" + "\n".join(
        f"if n == {s} {{ x := if c == 1 then {a} else {b} }}" for s, (a, b) in steps.items()
    )
    found = masses(looped("x := 0\nc := 0\nn := 0", "x < 7", body), ("x",))
    assert found == {(face,): Fraction(1, 6) for face in range(7, 13)}


def test_a_ring_of_five_processes_is_stable_in_the_end() -> None:
    # Herman 1990: each process that equals its left neighbour flips a coin, the others copy it; one token is left in the end.
    bits = [f"x{i}" for i in range(5)]
    before = "\n".join([*(f"{x} ~ flip(1/2)" for x in bits), *(f"y{i} := 0" for i in range(5)), "k := 0", "t := 0"])
    tokens = " + ".join(f"(if x{i} == x{i - 1 if i else 4} then 1 else 0)" for i in range(5))
    rounds = "\n".join(
        [
            *(
                f"if x{i} == x{i - 1 if i else 4} {{ y{i} ~ flip(1/2) }} else {{ y{i} := x{i - 1 if i else 4} }}"
                for i in range(5)
            ),
            *(f"x{i} := y{i}" for i in range(5)),
        ]
    )
    core = looped(before, f"{tokens} > 1", rounds, after=f"t := {tokens}")
    assert masses(core, ("t",)) == {(1,): Fraction(1)}


def test_an_address_is_probed_until_it_is_free() -> None:
    # Zeroconf (Bohnenkamp et al. 2003): a taken address (chance q) is kept after four probes without answer, each with chance p.
    q, p = Fraction(1, 4), Fraction(1, 10)
    body = f"""if s == 0 {{ s ~ {{1: {q}, 5: {1 - q}}} }}
    else {{ a ~ flip({p})  s := if a == 1 then s + 1 else 0
      if s == 5 {{ s := 6 }} }}"""
    found = masses(looped("s := 0\na := 0", "s < 5", body), ("s",))
    assert found[(6,)] == q * p**4 / (1 - q * (1 - p**4))
    assert sum(found.values()) == 1


def test_all_coupons_are_collected() -> None:
    core = looped(
        "m := 0\nc := 0\na := 0\nb := 0\nd := 0",
        "a + b + d < 3",
        "c ~ uniform_int(1, 3)\nif c == 1 { a := 1 }\nif c == 2 { b := 1 }\nif c == 3 { d := 1 }",
    )
    assert masses(core, ("c",)) == {(i,): Fraction(1, 3) for i in (1, 2, 3)}


# --- runs that never end, and observations ----------------------------------------------------------------------------


def test_runs_that_never_end_are_left_out() -> None:
    core = looped("s ~ uniform_int(0, 3)\no := s % 2", "s == 3", "skip")
    assert shares(core, ("s",)) == {(s,): Fraction(1, 3) for s in range(3)}


def test_what_goes_on_with_runs_that_never_end_is_seen() -> None:
    core = looped("s ~ uniform_int(0, 3)\no := s % 2", "s == 3", "o := 7", never="o := 2 + o")
    assert masses(core, ("s", "o")) == {
        (0, 0): Fraction(1, 4),
        (1, 1): Fraction(1, 4),
        (2, 0): Fraction(1, 4),
        (3, 3): Fraction(1, 4),
    }


def test_a_part_of_the_runs_hangs() -> None:
    core = looped("x := 1", "x == 1 or x == 2", "if x == 1 { x ~ {0: 1/2, 1: 1/4, 2: 1/4} }", never="x := 9")
    assert masses(core, ("x",)) == {(0,): Fraction(2, 3), (9,): Fraction(1, 3)}


def test_an_observation_in_a_loop_takes_runs_away_and_no_never() -> None:
    core = looped(
        "s ~ flip(1/2)\nx := s\nc := 0", "x == 1", "c ~ flip(1/2)\nobserve c == 0\nx ~ flip(1/2)", never="x := 9"
    )
    # A round passes with 1/2, then ends with 1/2: in the end 1/4 / (1 − 1/4).
    assert masses(core, ("s", "x")) == {(0, 0): HALF, (1, 0): HALF * Fraction(1, 3)}


def test_a_loop_that_no_run_ends_is_an_impossible_observation() -> None:
    with pytest.raises(Fault) as raised:
        masses(looped("x := 1", "x == 1", "skip"), ("x",))
    assert raised.value.diagnostic.rule is IMPOSSIBLE_OBSERVATION


def test_a_loop_in_a_loop_that_hangs_is_not_of_the_outer_one() -> None:
    inner = looped("s := 0\nx := 0\ny := 0\nc := 0", "y == 1", "skip")
    (loop,) = [each for each in inner.statements if isinstance(each, CoreWhile)]
    before = "s ~ flip(1/2)\nx := 0\ny := 0\nc := s"
    core = looped(before, "c == 0", "c ~ flip(1/2)\ny ~ flip(1/2)", never="x := 9")
    statements = tuple(
        replace(each, body=(*each.body, loop)) if isinstance(each, CoreWhile) else each for each in core.statements
    )
    # Each round: hangs inside with 1/2, ends with 1/4, goes on with 1/4.
    assert masses(replace(core, statements=statements), ("s", "x")) == {(1, 0): HALF, (0, 0): HALF * Fraction(1, 3)}


def test_a_loop_in_a_branch_is_entered_by_the_runs_of_the_branch_only() -> None:
    core = looped("n ~ uniform_int(-1, 3)", "n != 0", "n := n - 1")
    loop = core.statements[-1]
    assert isinstance(loop, CoreWhile)
    guarded = core_of("n ~ uniform_int(-1, 3)\nif n >= 0 { n := n }").statements[-1]
    assert isinstance(guarded, CoreIf)
    branch = CoreIf(guarded.condition, (loop,), (), Span(0, 0))
    found = masses(replace(core, statements=(*core.statements[:-1], branch)), ("n",))
    assert found == {(-1,): Fraction(1, 5), (0,): Fraction(4, 5)}


# --- against other computations ---------------------------------------------------------------------------------------


@st.composite
def chains(draw: st.DrawFn) -> list[list[int]]:
    """Weights of five states of which the last two are ends."""
    rows = [draw(st.lists(st.integers(0, 3), min_size=5, max_size=5)) for _ in range(3)]
    return [row if sum(row) else [0, 0, 0, 1, 0] for row in rows]


def _absorbed(rows: list[list[int]]) -> dict[int, Fraction]:
    """Solve X = P X + E by Gauss and Jordan on the states from which an end is reached; the least solution is 0 on others."""
    ending = {3, 4}
    for _ in range(3):
        ending |= {i for i in range(3) if any(rows[i][j] for j in ending)}
    found = {}
    for end in (3, 4):
        live = [i for i in range(3) if i in ending]
        system = [
            [Fraction(i == j) - Fraction(rows[i][j], sum(rows[i])) for j in live]
            + [Fraction(rows[i][end], sum(rows[i]))]
            for i in live
        ]
        for pivot in range(len(live)):
            best = next(r for r in range(pivot, len(live)) if system[r][pivot])
            system[pivot], system[best] = system[best], system[pivot]
            system[pivot] = [each / system[pivot][pivot] for each in system[pivot]]
            for other in range(len(live)):
                if other != pivot:
                    factor = system[other][pivot]
                    system[other] = [a - factor * b for a, b in zip(system[other], system[pivot], strict=True)]
        found[end] = system[live.index(0)][-1] if 0 in live else Fraction(0)
    return {end: weight for end, weight in found.items() if weight}


def _chain_program(rows: list[list[int]], never: str | None) -> CoreProgram:
    body = "n := x\n" + "\n".join(
        f"if n == {i} {{ x ~ {{{', '.join(f'{j}: {w}/{sum(row)}' for j, w in enumerate(row) if w)}}} }}"
        for i, row in enumerate(rows)
    )
    return looped("x := 0\nn := 0", "x < 3", body, never=never)


@settings(max_examples=40)
@given(chains())
def test_random_chains_are_solved_as_linear_systems(rows: list[list[int]]) -> None:
    expected = _absorbed(rows)
    found = masses(_chain_program(rows, "x := 9"), ("x",))
    never = 1 - sum(expected.values())
    assert found == {(end,): weight for end, weight in expected.items()} | ({(9,): never} if never else {})


@settings(max_examples=15)
@given(chains())
def test_long_unrolling_comes_near(rows: list[list[int]]) -> None:
    core = _chain_program(rows, None)
    loop = core.statements[-1] if isinstance(core.statements[-1], CoreWhile) else core.statements[-2]
    assert isinstance(loop, CoreWhile)
    rounds = (CoreIf(loop.condition, loop.body, (), loop.span),) * 60
    unrolled = replace(core, statements=tuple(each for each in core.statements if each is not loop) + rounds)
    after = {
        key[0]: Fraction(str(weight)) for key, weight in run(unrolled, ("x",), {}, RATIONALS, Budget()).masses.items()
    }
    expected = _absorbed(rows)
    left = sum(weight for state, weight in after.items() if state in (0, 1, 2))
    for end in (3, 4):
        assert 0 <= expected.get(end, Fraction(0)) - after.get(end, Fraction(0)) <= left


# --- parameters -------------------------------------------------------------------------------------------------------

RUIN = "param p in (0, 1) = 1/3\nx := 2\nd := 0\nx ~ uniform_int(0, 4)"
ROUND = "d ~ {1: p, -1: 1 - p}\nx := x + d"


@pytest.mark.parametrize("p", [Fraction(1, 3), Fraction(3, 5), Fraction(1, 10)])
def test_the_formula_of_ruin_agrees_with_numbers(p: Fraction) -> None:
    text = "param p in (0, 1) = 1/3\nx := 2\nd := 0"
    core = looped(text, "x > 0 and x < 4", ROUND)
    result = measured(core, text, "P(x == 4)", p=p)
    r = (1 - p) / p
    assert result.value is not None
    assert math.isclose(result.value, float((1 - r**2) / (1 - r**4)), rel_tol=1e-12)
    assert result.formula is not None
    assert "p" in result.formula.text


def test_where_a_step_may_vanish_in_the_domain_the_law_is_that_of_the_value() -> None:
    text = "param p in [0, 1] = 1/3\nr := 0\nb := 0"
    core = looped(text, "r == b", "r ~ flip(p)\nb ~ flip(p)")
    assert measured(core, text, "P(r == 1)").value == 0.5
    with pytest.raises(Fault) as raised:
        measured(core, text, "P(r == 1)", p=0)
    assert raised.value.diagnostic.rule is IMPOSSIBLE_OBSERVATION


def test_a_parameter_in_a_condition_counts_by_its_value() -> None:
    text = "param n = 3\nx := 0\nc := 0"
    core = looped(text, "c == 0 and x < n", "c ~ flip(1/2)\nx := x + 1")
    assert measured(core, text, "P(x == 3)").value == 0.25
    assert measured(core, text, "P(x == 3)", n=5).value == 0.125


# --- counters ---------------------------------------------------------------------------------------------------------

COUNTED = "rounds := 0\nr := 0\nb := 0"
TWO_FLIPS = "r ~ flip(1/3)\nb ~ flip(1/3)\nrounds := rounds + 1"


def test_the_number_of_rounds_is_no_state() -> None:
    core = looped(COUNTED, "r == b", TWO_FLIPS)
    mean = measured(core, "output r\n" + COUNTED, "E(rounds)")
    assert mean.lower <= 9 / 4 <= mean.upper
    assert mean.upper - mean.lower < 1e-9
    assert measured(core, "output r\n" + COUNTED, "P(rounds == 3)").value == float(Fraction(5, 9) ** 2 * Fraction(4, 9))
    assert measured(core, "output r\n" + COUNTED, "I(r; rounds)").value == 0


def test_the_number_of_rounds_tells_what_decides_it() -> None:
    # Only an odd secret goes through the loop; then the number of rounds is above 0.
    text = "secret s\noutput n\ns ~ uniform_int(0, 1)\nn := 0\nd := s"
    told = measured(looped(text, "d == 1", "d ~ flip(1/2)\nn := n + 1"), text, "I(s; n)")
    assert told.lower <= 1 <= told.upper
    assert told.upper - told.lower < 1e-9


def test_a_counter_of_finitely_many_rounds_is_a_state() -> None:
    core = looped("s ~ uniform_int(0, 3)\nx := s\nn := 0", "x > 0", "x := x - 1\nn := n + 2")
    assert masses(core, ("s", "n")) == {(s, 2 * s): Fraction(1, 4) for s in range(4)}


def test_a_counter_of_unlike_rounds_has_its_law() -> None:
    first = "x := 2\nd := 0\nn := 0"
    core = looped(first, "x > 0 and x < 5", "d ~ {1: 1/2, -1: 1/2}\nx := x + d\nn := n + 1")

    mean = measured(core, first, "E(n)").value

    assert mean is not None
    assert math.isclose(mean, 2 * 3, rel_tol=1e-12)  # Feller I, XIV.3: of a fair game a · b


def test_counters_that_count_up_and_down_are_states() -> None:
    core = looped("x := 0\nn := 0", "x < 4", "if x < 2 { n := n + 1 } else { n := n - 1 }\nx := x + 1")

    assert masses(core, ("n", "x")) == {(0, 4): Fraction(1)}


@pytest.mark.variation(of="test_a_ring_of_five_processes_is_stable_in_the_end")
def test_counters_that_count_apart_are_states_that_are_followed_round_by_round() -> None:
    core = looped(
        "x := 0\nn := 0\nm := 0", "x == 0", "x ~ flip(1/2)\nn := n + 1\nif x == 0 { n := n + 2 }\nm := m - 1/2"
    )
    with pytest.raises(TooManyStates):
        settled(core, {}, {}, Budget())
    joint = solve(settled_for(core, ("n",), {}, {}, Budget()), ("n",), {}, Budget())
    assert isinstance(joint, DiscreteJoint)
    assert joint.cut is not None
    with precision(400):
        for rounds in range(1, 40):
            mass = arb(joint.masses[3 * rounds - 2,])
            assert mass.lower() <= arb(2) ** -rounds <= mass.upper() + joint.cut.mass


# --- local draws ------------------------------------------------------------------------------------------------------

SECRET = "s ~ uniform_int(0, 3)\nn := 0\no := 0"
BOUNDED = "n ~ uniform_int(-2, 2)\nobserve 0 <= s + n and s + n <= 3"


def test_a_draw_among_those_that_pass_leaves_its_argument_as_it_was() -> None:
    core = drawn(SECRET, BOUNDED, "o := s + n")
    assert measured(core, "secret s\n" + SECRET, "P(s == 0)").value == 0.25
    leaked = measured(core, "secret s\noutput o\n" + SECRET, "I(s; o)").value
    assert leaked is not None
    assert math.isclose(leaked, 0.1874, abs_tol=5e-5)
    expected: dict[tuple[int, int], Fraction] = {}
    for s in range(4):
        fits = [n for n in range(-2, 3) if 0 <= s + n <= 3]
        expected |= {(s, s + n): Fraction(1, 4 * len(fits)) for n in fits}
    assert masses(core, ("s", "o")) == expected


def test_a_draw_in_a_draw_is_conditioned_for_itself() -> None:
    outer = drawn("s ~ uniform_int(1, 3)\na := 0\nb := 0", "a ~ uniform_int(1, 3)\nobserve a <= s")
    inner = drawn("s ~ uniform_int(1, 3)\na := 0\nb := 0", "b ~ uniform_int(1, 3)\nobserve b <= a")
    (first,) = [each for each in outer.statements if isinstance(each, CoreLocal)]
    (second,) = [each for each in inner.statements if isinstance(each, CoreLocal)]
    nested = CoreLocal((*first.body, second), "", Span(0, 0))
    core = replace(outer, statements=tuple(nested if each is first else each for each in outer.statements))
    expected = {(s, a, b): Fraction(1, 3) / s / a for s, a, b in product(range(1, 4), repeat=3) if a <= s and b <= a}
    assert masses(core, ("s", "a", "b")) == expected


def test_a_draw_that_never_passes_says_for_which_values() -> None:
    with pytest.raises(Fault, match="no run passes what is given: s = 3") as raised:
        masses(drawn("s ~ uniform_int(2, 3)\nn := 0", "n ~ flip(1/2)\nobserve s + n < 3"), ("s", "n"))
    assert raised.value.diagnostic.rule is IMPOSSIBLE_DRAW


def test_what_never_ends_in_a_draw_never_ends_for_the_program() -> None:
    # y ~ f(s): of the bodies that pass or hang, half hang where s is 1; the rest is left out with their share.
    hanging = looped("s ~ flip(1/2)\ny := 0", "y == 1 and s == 1", "skip")
    (loop,) = [each for each in hanging.statements if isinstance(each, CoreWhile)]
    core = drawn("s ~ flip(1/2)\ny := 0", "y ~ {0: 1/4, 1: 1/4, 2: 1/2}\nobserve y < 2")
    statements = tuple(
        CoreLocal((*each.body, loop), "", each.span) if isinstance(each, CoreLocal) else each
        for each in core.statements
    )
    found = masses(replace(core, statements=statements), ("s", "y"))
    assert found == {(0, 0): Fraction(1, 4), (0, 1): Fraction(1, 4), (1, 0): Fraction(1, 4)}
