"""Continuous draws that are only held against fixed numbers, against the enumeration of cells with chances from distribution functions."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from statistics import NormalDist
from typing import TypeAlias, cast

import pytest
from tests.measures.planning import brute_force
from tests.measures.planning.brute_force import Law

import seepage

State: TypeAlias = Mapping[str, float]
Piece: TypeAlias = tuple[str, Callable[[State], float]]

CASES = 40
LAWS: Mapping[str, Callable[[float], float]] = {
    "normal(1, 4)": NormalDist(1, 2).cdf,
    "normal(0, std=3)": NormalDist(0, 3).cdf,
    "exponential(1/2)": lambda t: 1 - math.exp(-max(t, 0) / 2),
    "lognormal(0, 1)": lambda t: NormalDist().cdf(math.log(t)) if t > 0 else 0.0,
    "uniform(-1, 3)": lambda t: min(max((t + 1) / 4, 0.0), 1.0),
    "laplace(1, 2)": lambda t: math.exp((t - 1) / 2) / 2 if t < 1 else 1 - math.exp((1 - t) / 2) / 2,
    "logistic(0, 1)": lambda t: 1 / (1 + math.exp(-t)),
    "1/3*normal(-2, 1) + 2/3*uniform(0, 2)": lambda t: NormalDist(-2, 1).cdf(t) / 3 + min(max(t / 2, 0.0), 1.0) * 2 / 3,
}
HELD = range(-2, 5)  # what programs hold values against
GRID = range(-6, 9)  # and what sums and differences of these come to
COMPARED: Mapping[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def cells(law: str) -> list[tuple[float, float]]:
    """Return a value of each cell of a law, with its chance."""
    chances = [0.0, *map(LAWS[law], map(float, GRID)), 1.0]
    each = zip((GRID[0] - 1, *GRID), chances, chances[1:], strict=False)
    return [(low + 0.25, above - below) for low, below, above in each if above > below]


class Written:
    """A random program, as text and as functions of its draws."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.names = chance, ["a", "b", "c"]
        laws = {name: chance.choice(list(LAWS)) for name in self.names}
        self.draws = {name: cells(law) for name, law in laws.items()} | {"r": [(1.0, 0.25), (0.0, 0.75)]}
        self.lines: list[tuple[str, Piece]] = []
        for name in "mk":
            self.lines.append((name, self.value()))
            self.names.append(name)
        self.lines += [(name, self.told()) for name in "op"]
        drawn = [f"{name} ~ {law}" for name, law in laws.items()]
        assigned = [f"{name} := {text}" for name, (text, _) in self.lines]
        self.text = "\n".join(["secret a, b", "output o, p", *drawn, "r ~ flip(1/4)", *assigned, ""])

    def value(self) -> Piece:
        """Write what is a choice among values, or linear in one."""
        one, other = self.chance.sample(self.names, 2)
        place, (text, holds) = self.chance.choice(HELD), self.condition()
        pieces: list[Piece] = [
            (f"max({one}, {other})", lambda state: max(state[one], state[other])),
            (f"min({one}, {place}, {other})", lambda state: min(state[one], place, state[other])),
            (f"if r == 1 then {one} else {other}", lambda state: state[one] if state["r"] else state[other]),
            (f"if {text} then {other} else {place}", lambda state: state[other] if holds(state) else place),
            (one, lambda state: state[one]),
            (f"3 - {one}", lambda state: 3 - state[one]),
        ]
        return self.chance.choice(pieces)

    def condition(self) -> Piece:
        """Write what compares a value with a number."""
        name, place, sign = self.chance.choice(self.names), self.chance.choice(HELD), self.chance.choice(list(COMPARED))
        holds = COMPARED[sign]
        pieces: list[Piece] = [
            (f"{name} {sign} {place}", lambda state: holds(state[name], place)),
            (f"{place} {sign} 1 - {name}", lambda state: holds(place, 1 - state[name])),
            (f"2*{name} + 2 {sign} 2*({place})", lambda state: holds(2 * state[name] + 2, 2 * place)),
        ]
        return self.chance.choice(pieces)

    def told(self) -> Piece:
        """Write an output."""
        (one, is_one), (other, is_other) = self.condition(), self.condition()
        pieces: list[Piece] = [
            (f"({one}) xor r == 1", lambda state: is_one(state) != state["r"]),
            (f"({one}) and ({other})", lambda state: is_one(state) and is_other(state)),
            (
                f"if {one} then 1 else if {other} then 2 else 0",
                lambda state: 1 if is_one(state) else 2 * is_other(state),
            ),
            (f"if r == 1 then 1 else if {one} then 1 else 0", lambda state: 1 if state["r"] else is_one(state)),
        ]
        return self.chance.choice(pieces)

    def law(self, x: Sequence[str], y: Sequence[str]) -> Law:
        """Return the joint law of what stands for draws, and of outputs, by all runs."""
        found: dict[object, Fraction] = defaultdict(Fraction)
        for state, chance in self.runs():
            found[tuple(state[each] for each in x), tuple(state[each] for each in y)] += Fraction(chance)
        return cast("Law", found)  # measures by their definitions compare values only, of whatever kind

    def runs(self) -> Iterator[tuple[dict[str, float], float]]:
        for drawn in product(*self.draws.values()):
            state = dict(zip(self.draws, (value for value, _ in drawn), strict=True))
            for name, (_, value) in self.lines:
                state[name] = float(value(state))
            yield state, math.prod(chance for _, chance in drawn)


MEASURES: Sequence[tuple[str, str, str, Callable[[Law], float]]] = [
    ("I({x}; {y})", "a", "o", brute_force.information),
    ("I({x}; {y})", "ab", "op", brute_force.information),
    ("I({x}; {y})", "b", "op", brute_force.information),
    ("DP({x} -> {y})", "a", "o", brute_force.loss),
    ("DP({x} -> {y}, distance=1)", "ab", "o", lambda law: brute_force.loss(law, 1)),
    ("Delta({x} -> {y}, eps=1/4)", "a", "op", lambda law: brute_force.excess(law, 0.25)),
    ("Cmin({x} -> {y})", "ab", "op", lambda law: math.log2(brute_force.min_capacity(law))),
    ("V({y} | {x})", "ab", "o", lambda law: float(sum(max(row.values()) for row in rows(law).values()))),
]


def rows(law: Law) -> dict[object, dict[object, Fraction]]:
    found: dict[object, dict[object, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for (x, y), mass in law.items():
        found[x][y] += mass
    return found


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=pytest.mark.family(every=8)) for seed in range(CASES)])
def test_programs_that_compare_values_are_as_enumerated(seed: int) -> None:
    written = Written(random.Random(seed))
    program = seepage.parse(written.text)
    for form, x, y, expected in MEASURES[seed % 2 :: 2]:
        asked = form.format(x=", ".join(x), y=", ".join(y))
        found = program.measure(asked)
        assert found.value == pytest.approx(expected(written.law(x, y)), abs=1e-9), (written.text, asked)
        assert found.lower == found.upper or found.upper - found.lower < 1e-9


def binomial(count: int, chance: float) -> list[float]:
    return [math.comb(count, each) * chance**each * (1 - chance) ** (count - each) for each in range(count + 1)]


def bits(masses: Sequence[float]) -> float:
    return -sum(mass * math.log2(mass) for mass in masses if mass)


SALARIES = """secret salary[20]
output c, o, seen
for i in 1..20 { salary[i] ~ lognormal(4, 1/4) }
c := count(salary[i] > 60 for i in 1..20)
e ~ flip(1/3)
o := c + e
n ~ laplace(0, 2)
seen := c + n
"""


def test_counts_of_people_above_a_limit_are_those_of_bits() -> None:
    program, chance = seepage.parse(SALARIES), 1 - NormalDist(4, 0.5).cdf(math.log(60))
    counts, others = binomial(20, chance), binomial(19, chance)
    assert program.measure("I(salary; c)").value == pytest.approx(bits(counts), abs=1e-9)
    behind = [(counts[k] if k < 21 else 0) * 2 / 3 + (counts[k - 1] / 3 if k else 0) for k in range(22)]
    told = bits(behind) - bits([1 / 3, 2 / 3])
    assert program.measure("I(salary; o)").value == pytest.approx(told, abs=1e-9)
    given = [[others[k - add] if 0 <= k - add < 20 else 0.0 for k in range(21)] for add in (0, 1)]
    left = (1 - chance) * bits(given[0]) + chance * bits(given[1])
    assert program.measure("I(salary[1]; c)").value == pytest.approx(bits(counts) - left, abs=1e-9)
    assert program.measure("DP(salary -> seen, distance=1)").value == 0.5
    assert program.measure("DP(salary -> seen)").value == 10
    assert program.measure("Delta(salary -> seen, eps=1/4, distance=1)").value == pytest.approx(1 - math.exp(-1 / 8))


@pytest.mark.parametrize(
    ("one", "other", "distance", "expected"),
    [
        ("s <= 3/10", "s >= 4/10", "1/10", math.log(3)),  # 0.3 and 0.4 themselves
        ("s < 3/10", "s >= 4/10", "1/10", math.log(2)),
        ("s < 3/10", "s > 4/10", "101/1000", math.log(3)),
        ("s > 5", "s < 3/10", "1/10", math.log(2)),  # what no value is, is nobody's neighbour
    ],
)
def test_values_in_two_cells_are_neighbours_where_these_are_near(
    one: str, other: str, distance: str, expected: float
) -> None:
    text = f"""secret s
output o
s ~ uniform(0, 1)
p := if {one} then 1/4 else if {other} then 3/4 else 1/2
o ~ flip(p)
"""
    found = seepage.parse(text).measure(f"DP(s -> o, distance={distance})").value
    assert found == pytest.approx(expected)


def test_a_value_whose_law_is_random_tells_more_than_its_cell() -> None:
    text = "secret x\noutput o, p\nm ~ flip(1/2)\nx ~ uniform(m, m + 2)\no := m\np := x > 3/2\n"
    # p is a function of x, and of x between 1 and 2, which is half of the time, o is not known.
    both = 1 + bits([1 / 4, 3 / 4])
    assert seepage.parse(text).measure("I(x; o, p)").value == pytest.approx(both - 1 / 2)


def test_a_value_and_its_copy_tell_of_each_other_without_end() -> None:
    program = seepage.parse("secret x\noutput t, o\nx ~ normal(0, 1)\nt := x\no := t > 0\n")
    assert program.measure("I(x; t, o)").value == math.inf
    assert program.measure("I(x; o)").value == 1


def test_values_that_were_not_drawn_are_0() -> None:
    text = "output o\nb ~ flip(1/4)\nif b { x ~ normal(5, 1) }\no := if x > -1 then 1 else 0\n"
    expected = 0.75 + 0.25 * NormalDist(5, 1).cdf(11)
    assert seepage.parse(text).measure("P(o == 1)").value == pytest.approx(expected)
    assert seepage.parse(text).measure("H(o)").value == pytest.approx(bits([expected, 1 - expected]))


def test_an_element_that_is_picked_at_random_is_held_against_a_number() -> None:
    text = "secret s\noutput o\nfor i in 1..3 { s[i] ~ exponential(1) }\nk ~ uniform_int(1, 3)\no := s[k] > 1\n"
    program, chance = seepage.parse(text), math.exp(-1)
    assert program.measure("H(o)").value == pytest.approx(bits([chance, 1 - chance]))
    high, low = 2 / 3 * chance + 1 / 3, 2 / 3 * chance
    left = chance * bits([high, 1 - high]) + (1 - chance) * bits([low, 1 - low])
    assert program.measure("I(s[2]; o)").value == pytest.approx(bits([chance, 1 - chance]) - left)


def test_what_is_left_of_a_value_is_its_entropy_less_what_is_told() -> None:
    program = seepage.parse("secret s\noutput o\ns ~ normal(0, 4)\nr ~ flip(1/8)\no := (s > 0) xor r\n")
    before = 0.5 * math.log2(2 * math.pi * math.e * 4)
    assert program.measure("H(s | o)").value == pytest.approx(before - 1 + bits([1 / 8, 7 / 8]))


def test_an_equality_that_is_observed_is_a_density_and_no_cell() -> None:
    text = "secret s\noutput o\ns ~ flip(1/2)\nx ~ normal(s, 1)\no := x > 0\nobserve(x == 1)\n"
    weights = [math.exp(-1 / 2), 1.0]
    assert seepage.parse(text).measure("P(s == 1)").value == pytest.approx(weights[1] / sum(weights))
    assert seepage.parse(text).measure("P(o == 1)").value == 1


def test_no_formula_forgets_what_the_places_depend_on() -> None:
    text = """param t in [0, 1] = 1/3
param p in [0, 1] = 1/4
secret s
output o
s ~ uniform(0, 1)
r ~ flip(p)
o := (s < t) xor r
"""
    program = seepage.parse(text)
    for t, p in ((1 / 3, 1 / 4), (1 / 2, 1 / 4), (1 / 2, 1 / 8)):
        seen = t * (1 - p) + (1 - t) * p
        found = program.measure("I(s; o)", t=Fraction(t).limit_denominator(8), p=Fraction(p))
        assert found.value == pytest.approx(bits([seen, 1 - seen]) - bits([p, 1 - p]))
        assert found.formula is None


def test_cells_that_an_observation_rules_out_are_no_inputs() -> None:
    text = "secret s\noutput o\ns ~ normal(0, 1)\nr ~ flip(1/4)\nobserve(s > 1)\no := (s > 1) xor r\n"
    program = seepage.parse(text)
    assert program.measure("DP(s -> o)").value == 0
    assert program.measure("I(s; o)").value == 0
    with pytest.raises(seepage.MeasureError, match="not supported"):
        program.measure("DP(s -> o, distance=1)")


def test_a_loop_may_wait_for_what_a_value_is_held_against() -> None:
    text = "secret s\noutput v\ns ~ exponential(1)\nhigh := s > 1\nrepeat { v ~ uniform_int(0, 3) w ~ flip(1/(high + 2)) } until w or v == high\n"
    chance = math.exp(-1)
    rows = [[2 / 5, 1 / 5, 1 / 5, 1 / 5], [1 / 6, 1 / 2, 1 / 6, 1 / 6]]  # 1 against 1/2, and 1 against 1/3, three times
    seen = [(1 - chance) * low + chance * high for low, high in zip(*rows, strict=True)]
    left = (1 - chance) * bits(rows[0]) + chance * bits(rows[1])
    program = seepage.parse(text)
    assert program.measure("P(v == 1)").value == pytest.approx(seen[1])
    assert program.measure("I(s; v)").value == pytest.approx(bits(seen) - left)


def test_a_loop_may_wait_for_how_noisy_values_compare() -> None:
    text = "secret s\noutput v\ns ~ flip(1/4)\nm ~ normal(0, 1)\nn ~ normal(1, 3)\nhigh := s + m > n\nrepeat { v ~ uniform_int(0, 3) w ~ flip(1/(high + 2)) } until w or v == high\n"
    chance = 3 / 4 * NormalDist(1, 2).cdf(0) + 1 / 4 * NormalDist(0, 2).cdf(0)
    found = seepage.parse(text).measure("P(v == 1)")
    assert found.value == pytest.approx((1 - chance) / 5 + chance / 2)
