"""Loops that end by chance against linear systems over rationals, long unrolling, and closed forms of the literature."""

from __future__ import annotations

import math
import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import pytest

import seepage

Chances = Mapping[int, Fraction]
SEEDS = range(200 if os.environ.get("SEEPAGE_DEEP") == "1" else 12)
STATES = 5  # of a random chain; the loop ends at STATES and above
ENDS = (STATES, STATES + 1)
ROUNDS = 200  # of a long unrolling


@dataclass(frozen=True)
class Chain:
    """A loop: where each state leads, and what a round that begins there adds to the time.

    Attributes:
        steps: the law of the next state.
        costs: of a round.
        start: the law of the first state.
    """

    steps: Sequence[Chances]
    costs: Sequence[int]
    start: Chances

    def text(self, never: str = "") -> str:
        """Return the program."""
        rounds = " else ".join(
            f"if x == {state} {{ x ~ {_table(law)}  t := t + {cost} }}"
            for state, (law, cost) in enumerate(zip(self.steps, self.costs, strict=True))
        )
        return f"output t\nx ~ {_table(self.start)}\nt := 0\nwhile x < {STATES} {{ {rounds} }}{never}\n"


def _table(law: Chances) -> str:
    return "{" + ", ".join(f"{value}: {weight}" for value, weight in law.items()) + "}"


def random_chain(seed: int) -> Chain:
    """Return a chain in which each state leads to at most three others, ends among them; some runs may never end."""
    choose = random.Random(seed)

    def law() -> Chances:
        values = choose.sample([*range(STATES), *ENDS], choose.randint(1, 3))
        weights = [choose.randint(1, 4) for _ in values]
        return {value: Fraction(weight, sum(weights)) for value, weight in zip(values, weights, strict=True)}

    return Chain([law() for _ in range(STATES)], [choose.randint(0, 2) for _ in range(STATES)], law())


def solved(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Solve a linear system by Gauss and Jordan."""
    size = len(matrix)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for column in range(size):
        pivot = next(row for row in range(column, size) if rows[row][column])
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [each / rows[column][column] for each in rows[column]]
        for row in range(size):
            if row != column and rows[row][column]:
                factor = rows[row][column]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column], strict=True)]
    return [row[-1] for row in rows]


def ending_states(chain: Chain) -> list[int]:
    """Return the states from which an end can be reached."""
    known: set[int] = set(ENDS)
    while True:
        more = {state for state, law in enumerate(chain.steps) if state not in known and known & law.keys()}
        if not more:
            return sorted(known - set(ENDS))
        known |= more


def averages(chain: Chain, value: Mapping[int, Sequence[Fraction]]) -> list[Fraction]:
    """Return E[1{end} v], E[1{end} t v] and E[1{end} t² v] for v of the end, by three linear systems."""
    inside = ending_states(chain)
    place = {state: number for number, state in enumerate(inside)}
    matrix = [
        [Fraction(row == column) - chain.steps[row].get(column, Fraction(0)) for column in inside] for row in inside
    ]
    known: list[dict[int, Fraction]] = []
    for order in range(3):
        right = []
        for state in inside:
            cost = Fraction(chain.costs[state])
            # (c + T)^order = sum of binomials; of an end T is 0.
            total = sum(
                (
                    weight * value[end][0] * (cost**order if order else 1)
                    for end, weight in chain.steps[state].items()
                    if end in ENDS
                ),
                Fraction(0),
            )
            for lower in range(order):
                total += sum(
                    (
                        weight * comb(order, lower) * cost ** (order - lower) * known[lower][to]
                        for to, weight in chain.steps[state].items()
                        if to in place
                    ),
                    Fraction(0),
                )
            right.append(total)
        solution = solved([list(row) for row in matrix], right)
        known.append({state: solution[place[state]] for state in inside})
    found = []
    for order in range(3):
        total = Fraction(0)
        for first, weight in chain.start.items():
            if first in ENDS:
                total += weight * value[first][0] * (order == 0)
            elif first in place:
                total += weight * known[order][first]
        found.append(total)
    return found


def unrolled(chain: Chain) -> dict[tuple[int, int], Fraction]:
    """Return the masses of end and time after a number of rounds."""
    going = {(state, 0): weight for state, weight in chain.start.items()}
    done: dict[tuple[int, int], Fraction] = {}
    for _ in range(ROUNDS):
        following: dict[tuple[int, int], Fraction] = {}
        for (state, time), mass in going.items():
            if state in ENDS:
                done[state, time] = done.get((state, time), Fraction(0)) + mass
                continue
            for to, weight in chain.steps[state].items():
                key = to, time + chain.costs[state]
                if key[1] <= 8:
                    following[key] = following.get(key, Fraction(0)) + mass * weight
        going = following
    return done


def ones(values: Sequence[int] = ENDS) -> dict[int, list[Fraction]]:
    return {end: [Fraction(end in values)] for end in ENDS}


@pytest.mark.parametrize("seed", SEEDS)
def test_ends_and_times_are_those_of_linear_systems(seed: int) -> None:
    chain = random_chain(seed)
    ended, mean, square = averages(chain, ones())
    if ended == 0:
        with pytest.raises(seepage.MeasureError):
            seepage.parse(chain.text()).measure("E(t)")
        return
    program = seepage.parse(chain.text())

    first = program.measure(f"P(x == {STATES})")
    time, spread = program.measure("E(t)"), program.measure("Var(t)")

    chance = averages(chain, ones((STATES,)))[0] / ended
    assert first.lower <= float(chance) <= first.upper
    assert first.upper - first.lower < 1e-12
    assert time.value == pytest.approx(float(mean / ended), rel=1e-12, abs=1e-12)
    variance = square / ended - (mean / ended) ** 2
    assert spread.value == pytest.approx(float(variance), rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("seed", SEEDS)
def test_times_are_those_of_long_unrolling(seed: int) -> None:
    chain = random_chain(seed)
    ended = averages(chain, ones())[0]
    if ended == 0:
        return
    program, masses = seepage.parse(chain.text()), unrolled(chain)

    for time in range(4):
        found = program.measure(f"P(t == {time} and x == {STATES})")
        expected = masses.get((STATES, time), Fraction(0)) / ended
        assert found.value == pytest.approx(float(expected), rel=1e-11, abs=1e-13)


@pytest.mark.parametrize("seed", SEEDS)
def test_runs_that_never_end_go_on_with_never(seed: int) -> None:
    chain = random_chain(seed)
    program = seepage.parse(chain.text(" never { x := 9 }"))

    found = program.measure("P(x == 9)")

    assert found.value == pytest.approx(float(1 - averages(chain, ones())[0]), rel=1e-12, abs=1e-14)
    assert found.certainty is seepage.Certainty.EXACT


@pytest.mark.parametrize("seed", SEEDS)
def test_the_share_of_runs_that_never_end_is_told(seed: int) -> None:
    chain = random_chain(seed)
    ended = averages(chain, ones())[0]
    told = [one for one in seepage.parse(chain.text()).analyze().diagnostics if one.rule.code == "SEEP415"]

    assert bool(told) == (0 < ended < 1)
    assert all(f"{float(1 - ended):.3g}" in one.message for one in told)


@pytest.mark.parametrize("coupons", [2, 3, 4, 5])
def test_collecting_coupons_takes_n_times_the_harmonic_number(coupons: int) -> None:
    text = f"""
        for i in 1..{coupons} {{ have[i] := 0 }}
        rounds := 0
        while count(have) < {coupons} {{ c ~ uniform_int(1, {coupons})  have[c] := 1  rounds := rounds + 1 }}
    """
    program = seepage.parse(text)
    waits = [Fraction(coupons, left) for left in range(1, coupons + 1)]

    assert program.measure("E(rounds)").value == pytest.approx(float(sum(waits)), rel=1e-12)
    assert program.measure("Var(rounds)").value == pytest.approx(float(sum(w * w - w for w in waits)), rel=1e-10)


@pytest.mark.parametrize("p", ["1/2", "1/3", "7/10"])
@pytest.mark.parametrize("start", [1, 2, 3])
def test_the_gambler_is_ruined_as_feller_says(p: str, start: int) -> None:
    text = f"""
        param p in [0, 1] = {p}
        s := {start}
        n := 0
        while 0 < s and s < 4 {{ up ~ flip(p)  s := if up then s + 1 else s - 1  n := n + 1 }}
    """
    chance = Fraction(p)
    ratio = (1 - chance) / chance
    won = Fraction(start, 4) if ratio == 1 else (1 - ratio**start) / (1 - ratio**4)
    rounds = Fraction(start * (4 - start)) if ratio == 1 else (start - 4 * won) / (1 - 2 * chance)
    program = seepage.parse(text)

    assert program.measure("P(s == 4)").value == pytest.approx(float(won), rel=1e-14)
    assert program.measure("E(n)").value == pytest.approx(float(rounds), rel=1e-12)


def test_chances_of_a_loop_s_law_are_no_conditions_of_its_formulas() -> None:
    text = "param p in (0, 1) = 1/2\ns := 2\nwhile 0 < s and s < 5 { up ~ flip(p)  s := if up then s + 1 else s - 1 }\n"
    formula = seepage.parse(text).measure("P(s == 5)").formula

    assert formula is not None
    assert formula.conditions == ()
    expression = formula.to_sympy().expression
    for p in (0.125, 0.5, 0.75):
        ratio = (1 - p) / p
        ruined = 2 / 5 if ratio == 1 else (1 - ratio**2) / (1 - ratio**5)
        assert float(expression.subs(dict.fromkeys(expression.free_symbols, p))) == pytest.approx(ruined, rel=1e-12)


def test_chances_that_are_none_somewhere_stay_conditions_beside_a_loop() -> None:
    text = """
        param p in (0, 1) = 1/4
        s := 1
        while 0 < s and s < 3 { up ~ flip(p)  s := if up then s + 1 else s - 1 }
        y ~ flip(3 * p)
    """
    formula = seepage.parse(text).measure("P(y and s == 3)").formula

    assert formula is not None
    assert formula.conditions == ("p ≤ 1/3",)


def test_a_fair_die_comes_from_coins() -> None:  # Knuth and Yao 1976
    text = """
        secret final d
        output flips
        n := 1; d := 0; flips := 0; done := false
        while not done {
            b ~ flip(1/2)
            flips := flips + 1; n := 2 * n; d := 2 * d + b
            if n >= 6 { if d < 6 { done := true } else { n := n - 6; d := d - 6 } }
        }
    """
    program = seepage.parse(text)

    assert [program.measure(f"P(d == {side})").value for side in range(6)] == [pytest.approx(1 / 6, rel=1e-15)] * 6
    assert program.measure("E(flips)").value == pytest.approx(11 / 3, rel=1e-12)
    # The die ends after 3 + 2k flips more or less; the number of flips tells nothing of the side.
    assert program.measure("I(d; flips)").value == pytest.approx(0, abs=1e-12)


def test_an_address_in_use_is_taken_as_zeroconf_says() -> None:
    text = """
        param q in [0, 1) = 1/10
        param lost in [0, 1) = 1/100
        decided := false; wrong := false
        while not decided {
            used ~ flip(q)
            decided := true
            wrong := used
            if used { for i in 1..4 { gone ~ flip(lost)  if not gone { decided := false; wrong := false; break } } }
        }
    """
    for q, lost in (("1/10", "1/100"), ("1/2", "1/2"), ("0", "1/3"), ("3/4", "9/10")):
        a, b = Fraction(q), Fraction(lost)
        found = seepage.parse(text).measure("P(wrong)", params={"q": q, "lost": lost})
        assert found.value == pytest.approx(float(a * b**4 / (1 - a * (1 - b**4))), rel=1e-14)


@pytest.mark.parametrize(
    ("repeat", "loop"),
    [
        (
            "repeat { x ~ flip(1/3)  n := n + 1 } until x",
            "x ~ flip(1/3)  n := n + 1  while not x { x ~ flip(1/3)  n := n + 1 }",
        ),
        (
            "repeat { x ~ uniform_int(0, 3)  if x == 3 { break }  n := n + 1 } until x == 2",
            "going := true  while going { x ~ uniform_int(0, 3)  if x == 3 { going := false } else { n := n + 1  going := x != 2 } }",
        ),
        (
            "repeat { n := n + 1  x ~ uniform_int(0, 3)  if x > 1 { continue }  n := n + 2 } until x == 3",
            "x := 0  while x != 3 { n := n + 1  x ~ uniform_int(0, 3)  if x <= 1 { n := n + 2 } }",
        ),
    ],
)
def test_repeat_is_while_that_is_asked_behind(repeat: str, loop: str) -> None:
    measures = ["P(n == 2)", "E(n)", "P(x == 2)", "H(x)"]

    found = [[seepage.parse(f"n := 0\n{text}").measure(each).value for each in measures] for text in (repeat, loop)]

    assert found[0] == pytest.approx(found[1], rel=1e-12)


def test_a_procedure_may_return_from_a_loop() -> None:
    text = """
        def first(k) { while true { x ~ uniform_int(0, k)  if x < 2 { return x + 5 } } return 0 }
        n ~ first(6)
    """

    found = [seepage.parse(text).measure(f"P(n == {value})").value for value in (0, 5, 6)]

    assert found == [0, 0.5, 0.5]


COUNTING_APART = """
    secret s
    output o
    s ~ uniform_int(0, 3)
    n := 0; m := 0; o := 0
    while o == 0 { o ~ flip(1/2)  if o == 1 { n := n + 1 } else { m := m + 1 }  if s == 2 { n := n - 1 } }
    o := o + s
    show I(s; o)
"""


@pytest.mark.variation(of="test_times_are_those_of_long_unrolling")
def test_what_does_not_need_a_counter_without_a_law_has_its_number() -> None:
    program = seepage.parse(COUNTING_APART)

    assert program.measure("E(o)").value == 2.5
    assert program.measure("E(m)").value == pytest.approx(1, rel=1e-12)
    # The loop is followed round by round for 'n', which is 1 at the end, less two rounds in the mean in a quarter of the runs.
    assert program.measure("E(n)").value == pytest.approx(1 / 2, rel=1e-12)
    assert program.measure("P(n == 1)").value == pytest.approx(3 / 4, abs=1e-12)
    found = program.analyze()
    assert [one.result.value for one in found.answers if one.result is not None] == [2]
    assert "SEEP903" in [one.rule.code for one in found.diagnostics]  # of what no measure asks for


@pytest.mark.parametrize("chance", ["1 - exp(-eps)/2", "exp(eps)/(exp(eps) + 1)", "sqrt(eps)/2", "1/log(eps + 3)"])
def test_functions_of_a_parameter_are_never_left_out_of_the_law_of_a_loop(chance: str) -> None:
    text = f"param eps in [0, 2] = 1\nx := false n := 0\nrepeat {{ x ~ flip({chance}) n := n + 1 }} until x\n"
    program = seepage.parse(text)

    try:
        result = program.measure("E(n)")
    except seepage.MeasureError:
        return  # refused plainly
    given = {"1 - exp(-eps)/2": 1 - math.exp(-1) / 2, "exp(eps)/(exp(eps) + 1)": math.e / (math.e + 1)}
    given |= {"sqrt(eps)/2": 1 / 2, "1/log(eps + 3)": 1 / math.log(4)}
    assert result.value == pytest.approx(1 / given[chance], rel=1e-12)


def test_a_loop_that_no_run_gets_to_is_left_out_also_with_parameters() -> None:
    text = (
        "param p in [0, 1] = 1/2\ns ~ flip(p)\na := 0\nu := s\n"
        "if s >= 2 { repeat { u ~ flip(p) } until a > 2 } else { repeat { u ~ flip(1/2) } until 2 != s }\n"
        "while u > a { a ~ flip(p) }\n"
    )
    program = seepage.parse(text)
    assert float(program.measure("P(s == 1)", params={"p": "1/3"})) == pytest.approx(1 / 3, abs=1e-12)
    assert float(program.measure("P(a == 1)")) == 1 / 2  # a follows u, which is fair


@pytest.mark.parametrize("chance", ["1/2", "p"])
def test_a_loop_begins_with_what_a_secret_is_there_though_its_first_value_is_meant(chance: str) -> None:
    """Rounds until m successes: n with the chance C(n − 1, m − 1)/2^n."""
    program = seepage.parse(
        "param p in (0, 1) = 1/2\nsecret initial s\noutput n\ns ~ uniform_int(0, 3)\ns := s + 2\nn := 0\n"
        f"while s > 0 {{\n  c ~ bernoulli({chance})\n  s := s - c\n  n := min(n + 1, 7)\n}}\n"
    )
    rows = [[comb(n - 1, m - 1) / 2**n for n in range(1, 7)] for m in range(2, 6)]
    rows = [[*row, 1 - sum(row)] for row in rows]
    mean = [sum(column) / 4 for column in zip(*rows, strict=True)]
    told = sum(each / 4 * math.log2(each / of) for row in rows for each, of in zip(row, mean, strict=True) if each)

    assert float(program.measure("I(s; n)")) == pytest.approx(told, abs=1e-12)
    assert float(program.measure("V(s | n)")) == pytest.approx(sum(map(max, zip(*rows, strict=True))) / 4, abs=1e-12)
    assert float(program.measure("E(s)")) == 3 / 2
