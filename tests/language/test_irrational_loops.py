"""Loops that end by chances with exponentials, roots and logarithms, against linear systems and series in floats, and closed forms."""

from __future__ import annotations

import math
import os
import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest

import seepage

SEEDS = range(150 if os.environ.get("SEEPAGE_DEEP") == "1" else 6)
STATES = 4  # the loop ends at this one and the next
CHANCES = {
    "exp(-1)": math.exp(-1),
    "exp(-1/2)/2": math.exp(-0.5) / 2,
    "sqrt(2)/3": math.sqrt(2) / 3,
    "log(2)": math.log(2),
    "1/(1 + exp(2))": 1 / (1 + math.exp(2)),
    "2^(1/3) - 1": 2 ** (1 / 3) - 1,
    "1/3": 1 / 3,
}

Step = tuple[str, int, int]  # to one state by this chance, else to the other


def chain(seed: int) -> list[Step]:
    """Return a chain that moves on with some chance from each state, so that it surely ends."""
    choose = random.Random(seed)
    return [
        (choose.choice([*CHANCES]), choose.randint(state + 1, STATES + 1), choose.randint(0, state))
        for state in range(STATES)
    ]


def text_of(steps: Sequence[Step], count: str = "") -> str:
    rounds = " else ".join(
        f"if x == {state} {{ b ~ flip({chance}) x := if b then {up} else {down} }}"
        for state, (chance, up, down) in enumerate(steps)
    )
    return f"x := 0\nn := 0\nwhile x < {STATES} {{ {rounds} {count} }}\n"


def law_of(steps: Sequence[Step], rounds: int) -> dict[tuple[int, int], float]:
    """Return the chances of the ends and the number of rounds, by going through them."""
    going, done = {0: 1.0}, dict[tuple[int, int], float]()
    for time in range(1, rounds + 1):
        following: dict[int, float] = {}
        for state, mass in going.items():
            chance, up, down = steps[state]
            for to, weight in ((up, CHANCES[chance]), (down, 1 - CHANCES[chance])):
                if to >= STATES:
                    done[to, time] = done.get((to, time), 0) + mass * weight
                else:
                    following[to] = following.get(to, 0) + mass * weight
        going = following
    return done


@pytest.mark.parametrize("seed", SEEDS)
def test_ends_and_times_are_those_of_going_through_the_rounds(seed: int) -> None:
    steps = chain(seed)
    law = law_of(steps, 4_000)
    program = seepage.parse(text_of(steps, "n := n + 1"))

    end, time, both = (program.measure(each) for each in (f"P(x == {STATES})", "E(n)", f"P(n == 5 and x == {STATES})"))

    assert end.value == pytest.approx(sum(mass for (x, _), mass in law.items() if x == STATES), abs=1e-11)
    assert end.upper - end.lower < 1e-12
    assert time.value == pytest.approx(sum(mass * n for (_, n), mass in law.items()), rel=1e-9)
    assert both.value == pytest.approx(law.get((STATES, 5), 0), abs=1e-12)


RETRY = """
    param eps in (0, 10] = 1
    secret s
    output o
    s ~ uniform_int(0, 3)
    n := 0
    repeat { o ~ uniform_int(0, 3)  kept ~ flip(exp(-eps * abs(s - o)))  n := n + 1 } until kept
"""


@pytest.mark.parametrize("eps", ["1", "1/3", "5"])
def test_the_exponential_mechanism_by_retries_has_the_law_of_its_weights(eps: str) -> None:
    size = float(Fraction(eps))
    weights = {(s, o): math.exp(-size * abs(s - o)) for s, o in product(range(4), repeat=2)}
    totals = [sum(weights[s, o] for o in range(4)) for s in range(4)]
    joint = {(s, o): weight / totals[s] / 4 for (s, o), weight in weights.items()}
    outputs = [sum(joint[s, o] for s in range(4)) for o in range(4)]
    program = seepage.parse(RETRY)

    told = program.measure("I(s; o)", params={"eps": eps})
    loss = program.measure("DP(s -> o)", params={"eps": eps}, unit="nats")
    rounds = program.measure("E(n)", params={"eps": eps})

    assert told.value == pytest.approx(sum(p * math.log2(4 * p / outputs[o]) for (_, o), p in joint.items()), rel=1e-9)
    assert told.formula is not None
    assert loss.value == pytest.approx(3 * size, rel=1e-9)
    assert rounds.value == pytest.approx(sum(4 / total for total in totals) / 4, rel=1e-9)


def test_a_chance_that_leaves_the_unit_interval_is_an_error_also_where_the_law_of_the_loop_would_be_one() -> None:
    text = "param p in (0, 1] = 1/2\nrepeat { r ~ flip(1/2) b ~ flip(1 + p) } until b\n"
    with pytest.raises(seepage.MeasureError) as raised:
        seepage.parse(text).measure("P(r == 1)")
    assert raised.value.diagnostic.rule.code == "SEEP420"


@pytest.mark.parametrize(
    ("budget", "verdict"),
    [
        ("P(r == 1) <= 0.6 over p in [1/4, 3/4]", "holds"),
        ("E(n) <= 5 over p in [1/4, 3/4]", "holds"),  # 1/(2p(1 − p)) is at most 8/3 there
        ("E(n) <= 2.6 over p in [1/4, 3/4]", "violated"),
        ("P(r == 1) <= 0.6 over p in [0, 3/4]", "cannot tell"),  # no run ends at 0
    ],
)
def test_a_budget_over_ranges_takes_the_law_of_a_loop_in_these_ranges(budget: str, verdict: str) -> None:
    text = "param p in [0, 1] = 1/3\nn := 0\nrepeat { r ~ flip(p) b ~ flip(p) n := n + 1 } until r != b\n"
    (answer,) = seepage.parse(f"{text}require {budget}\n").analyze().answers
    assert answer.verdict == verdict


def test_a_law_that_is_known_at_single_values_refutes_budgets_and_proves_none() -> None:
    text = "param a in [1, 4] = 3\nx := 0\nwhile x < a { b ~ flip(1/2) if b { x := x + 1 } else { x := 0 } }\n"
    budgets = "require E(x) <= 4 over a in [1, 4]\nrequire E(x) <= 3 over a in [1, 4]\n"
    found = seepage.parse(text + budgets).analyze()
    assert [answer.verdict for answer in found.answers] == ["cannot tell", "violated"]
    assert "known at single values of 'a' only" in str(found.answers[0].reason)
    assert {one.rule.code for one in found.diagnostics} == {"SEEP510", "SEEP511"}


def test_chances_of_which_nobody_knows_whether_they_vanish_are_refused() -> None:
    # √2·√3 − √6 is 0, though no letter of it says so: the loop never ends.
    text = (
        "x := 0\nwhile x == 0 { x ~ {1: abs(sqrt(2) * sqrt(3) - sqrt(6)), 0: 1 - abs(sqrt(2) * sqrt(3) - sqrt(6))} }\n"
    )
    with pytest.raises(seepage.MeasureError):
        seepage.parse(text).measure("P(x == 1)")


def test_rounds_that_are_counted_in_both_arms_of_a_branch_are_no_noise() -> None:
    """What shows s is b in the last round, where s is 0; the number of rounds does not depend on it."""
    text = (
        "param q in [0, 1] = 1/3\ns ~ flip(q)\n"
        "repeat {\n  if s == 1 { skip } else { b ~ flip(sqrt(2)/3) }\n  x := min(x + b, 2)\n  n := n + 1\n  c ~ flip(2^(-1/2))\n} until c\n"
        "o := if b then 2 else 0\n"
    )
    shown = 2 / 3 * math.sqrt(2) / 3
    left = 1 / 3 / (1 - shown)
    expected = math.log2(3) - 2 / 3 + (1 - shown) * (left * math.log2(left) + (1 - left) * math.log2(1 - left))

    assert seepage.parse(text).measure("I(s; o, n)").value == pytest.approx(expected, rel=1e-9)
