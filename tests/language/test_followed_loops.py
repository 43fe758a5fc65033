"""Loops through infinitely many states, followed round by round, against sums over rounds that know nothing of the engine."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from math import exp, factorial, log2

import pytest

import seepage
from seepage.engines.forward import following, loops

Law = Mapping[int, float]


@pytest.fixture(autouse=True)
def few_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let loops count as endless soon: that a loop is none takes seconds to find out, and changes nothing of what follows."""
    monkeypatch.setattr(loops, "MOST_STATES", 200)
    monkeypatch.setattr(following, "MOST_FOLLOWED", 60_000)


def hitting_times(start: int, step: Callable[[int], Mapping[int, float]]) -> dict[int, float]:
    """Return the law of the first round after which a walk is at most 0."""
    inside, ended = {start: 1.0}, dict[int, float]()
    for round_ in range(1, 4_000):
        after: dict[int, float] = {}
        for place, weight in inside.items():
            for move, chance in step(place).items():
                if place + move <= 0:
                    ended[round_] = ended.get(round_, 0.0) + weight * chance
                else:
                    after[place + move] = after.get(place + move, 0.0) + weight * chance
        inside = {place: weight for place, weight in after.items() if weight > 1e-25}
    return ended


def _anywhere(law: Mapping[int, float], _: int) -> Mapping[int, float]:
    return law


def information(laws: Mapping[int, Law]) -> float:
    """Return I(s; n) in bits of a uniform s and the law of n for each."""
    seen = {n for law in laws.values() for n in law}
    whole = {n: sum(law.get(n, 0.0) for law in laws.values()) / len(laws) for n in seen}
    return sum(p / len(laws) * log2(p / whole[n]) for law in laws.values() for n, p in law.items() if p > 0)


def vulnerability(laws: Mapping[int, Law]) -> float:
    """Return V(s | n) likewise."""
    return sum(max(law.get(n, 0.0) for law in laws.values()) for n in {n for law in laws.values() for n in law}) / len(
        laws
    )


WALK = """
secret s
output n
s ~ uniform_int(1, 3)
x := s
n := 0
while x > 0 {
    n := n + 1
    up ~ flip(CHANCE)
    x := if up then x + 1 else x - 1
}
"""


@pytest.mark.variation(of="test_a_loop_or_draw_inside_is_a_step_of_the_walk")
@pytest.mark.parametrize(("written", "chance"), [("1/5", 0.2), ("exp(-3/2)", exp(-1.5))])
def test_the_time_of_a_walk_that_drifts_home_tells_where_it_began(written: str, chance: float) -> None:
    program = seepage.parse(WALK.replace("CHANCE", written))
    laws = {s: hitting_times(s, lambda _: {1: chance, -1: 1 - chance}) for s in (1, 2, 3)}
    for asked, right in (("I(s; n)", information(laws)), ("V(s | n)", vulnerability(laws))):
        found = program.measure(asked)
        assert found.certainty is seepage.Certainty.CERTIFIED
        assert found.value == pytest.approx(right, abs=1e-9)
        assert found.lower - 1e-12 <= right <= found.upper + 1e-12
    assert program.measure("P(n == 3)").value == pytest.approx(sum(law.get(3, 0.0) for law in laws.values()) / 3)


@pytest.mark.parametrize(("start", "p"), [(2, Fraction(1, 5)), (5, Fraction(1, 6))])
def test_the_time_of_ruin_has_its_mean_and_variance(start: int, p: Fraction) -> None:
    """By the optional stopping of x + (q − p) n, and of its square less 4 p q n."""
    program = seepage.parse(
        WALK.replace("uniform_int(1, 3)", f"uniform_int({start}, {start})").replace("CHANCE", str(p))
    )
    falls = 1 - 2 * p
    for asked, right in (("E(n)", start / falls), ("Var(n)", 4 * p * (1 - p) * start / falls**3)):
        found = program.measure(asked)
        assert found.certainty is seepage.Certainty.CERTIFIED
        assert found.lower <= right <= found.upper
        assert found.upper - found.lower < 1e-15 * (1 + right)


def test_what_is_left_may_hold_values_of_any_size() -> None:
    """In the game of St. Petersburg the mean is infinite, whatever the sum over the rounds that were followed is."""
    program = seepage.parse(
        "output prize\nprize := 1\nrepeat { prize := 2 * prize  more ~ flip(1/2) } until not more\nshow E(prize)"
    )
    mean = program.measure("E(prize)")
    assert mean.value is None
    assert mean.upper == float("inf")
    assert program.measure("Var(prize)").upper == float("inf")
    entropy = program.measure("H(prize)")
    assert entropy.lower <= 2 <= entropy.upper
    assert entropy.lower > 1.99
    assert program.measure("P(prize > 100)").value == pytest.approx(1 / 64, abs=1e-12)


def test_a_draw_without_an_end_in_each_round() -> None:
    program = seepage.parse(
        "secret s\noutput n\ns ~ uniform_int(1, 3)\nn := 0\nrepeat { n := n + 1  d ~ poisson(3) } until d <= s"
    )
    chances = {s: sum(exp(-3) * 3**k / factorial(k) for k in range(s + 1)) for s in (1, 2, 3)}
    laws = {s: {n: (1 - c) ** (n - 1) * c for n in range(1, 600)} for s, c in chances.items()}
    assert program.measure("I(s; n)").value == pytest.approx(information(laws), abs=1e-9)


def test_observations_in_a_round_take_runs_away() -> None:
    """Runs that ever reach 4 are left out, so that the law of the end is that of a finite chain, conditioned."""
    program = seepage.parse(
        "secret s\noutput big\ns ~ uniform_int(1, 2)\nx := s\nbig := 0\nt := 0\n"
        "while x > 0 {\n    t := t + x\n    up ~ flip(1/4)\n    x := if up then x + 1 else x - 1\n    observe x < 4\n}\nbig := t > 3"
    )
    ended: dict[tuple[int, bool], float] = {}
    inside = {(s, s, 0): 0.5 for s in (1, 2)}
    for _ in range(400):
        after: dict[tuple[int, int, int], float] = {}
        for (s, x, t), weight in inside.items():
            for place, chance in ((x + 1, 0.25), (x - 1, 0.75)):
                if place == 0:
                    ended[s, t + x > 3] = ended.get((s, t + x > 3), 0.0) + weight * chance
                elif place < 4:
                    key = s, place, min(t + x, 9)
                    after[key] = after.get(key, 0.0) + weight * chance
        inside = after
    mass = sum(ended.values())
    right = sum(weight for (_, big), weight in ended.items() if big) / mass
    assert program.measure("P(big)").value == pytest.approx(right, abs=1e-9)
    assert program.measure("P(s == 1)").value == pytest.approx(
        sum(weight for (s, _), weight in ended.items() if s == 1) / mass, abs=1e-9
    )


@pytest.mark.variation(of="test_a_loop_or_draw_inside_is_a_step_of_the_walk")
@pytest.mark.parametrize(("written", "chance"), [("1/2", 1 / 2), ("2/3", 2 / 3)])
def test_a_walk_that_comes_home_too_late_or_never_has_no_number(written: str, chance: float) -> None:
    program = seepage.parse(WALK.replace("CHANCE", written).replace("uniform_int(1, 3)", "uniform_int(1, 1)"))
    with pytest.raises(seepage.MeasureError) as refused:
        program.measure("V(s | n)")
    diagnostic = refused.value.diagnostic
    assert diagnostic.rule.code == "SEEP903"
    told = float(diagnostic.message.partition("with a chance of about ")[2].partition(",")[0])
    rounds = int(diagnostic.message.partition("after ")[2].partition(" rounds")[0].replace(",", ""))
    home = hitting_times(1, lambda _: {1: chance, -1: 1 - chance})
    # The told number has two digits, and counts rounds from 0 or from 1.
    assert told == pytest.approx(1 - sum(weight for n, weight in home.items() if n <= rounds), rel=0.03)
    assert "leave the loop at some bound of 'x'" in diagnostic.message


@pytest.mark.variation(of="test_a_loop_or_draw_inside_is_a_step_of_the_walk")
def test_random_walks_with_steps_of_several_sizes() -> None:
    chance = random.Random(11)
    for _ in range(2):
        moves = chance.sample([-3, -2, -1, 1, 2], 3)
        weights = [chance.randint(1, 4) for _ in moves]
        weights = [weight * (6 if move < 0 else 1) for move, weight in zip(moves, weights, strict=True)]
        if min(moves) > 0:
            continue
        table = ", ".join(f"{move}: {weight}/{sum(weights)}" for move, weight in zip(moves, weights, strict=True))
        law = {move: weight / sum(weights) for move, weight in zip(moves, weights, strict=True)}
        program = seepage.parse(
            f"secret s\noutput n\ns ~ uniform_int(2, 4)\nx := s\nn := 0\nwhile x > 0 {{ n := n + 1  d ~ {{{table}}}  x := x + d }}"
        )
        laws = {s: hitting_times(s, partial(_anywhere, law)) for s in (2, 3, 4)}
        assert program.measure("I(s; n)").value == pytest.approx(information(laws), abs=1e-9), table
        assert program.measure("V(s | n)").value == pytest.approx(vulnerability(laws), abs=1e-9), table
        rounds = [(n, weight / 3) for law_of_n in laws.values() for n, weight in law_of_n.items()]
        mean = sum(n * weight for n, weight in rounds)
        assert program.measure("E(n)").value == pytest.approx(mean, rel=1e-9), table
        spread = sum((n - mean) ** 2 * weight for n, weight in rounds)
        assert program.measure("Var(n)").value == pytest.approx(spread, rel=1e-9), table


BESIDE = """
secret s
output c
s ~ uniform_int(0, 1)
c ~ flip(if s then 1/3 else 1/4)
x := START
while x > 0 {
    up ~ flip(2/3)
    x := if up then x + 1 else x - 1
}
show P(c)
show P(s == 1)
show P(x == 0)
"""


def test_what_does_not_depend_on_a_loop_without_a_law_has_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "MOST_FOLLOWED", 5_000)
    program = seepage.parse(BESIDE.replace("START", "1"))
    assert program.measure("P(c)").exact == Fraction(7, 24)
    beside, known, ended = program.analyze().answers
    assert beside.result is not None
    assert known.result is not None
    assert (beside.result.exact, known.result.exact, ended.result) == (Fraction(7, 24), Fraction(1, 2), None)
    # Whether this one ends depends on s: less often if it begins at 2 than at 1.
    apart = seepage.parse(BESIDE.replace("START", "1 + s"))
    assert [each.result for each in apart.analyze().answers] == [None, None, None]
    with pytest.raises(seepage.MeasureError):
        apart.measure("P(c)")


def test_no_number_stands_beside_a_loop_that_no_run_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "MOST_FOLLOWED", 5_000)
    program = seepage.parse(BESIDE.replace("START", "1").replace("    up", "    x := x + 1\n    up"))
    assert [each.result for each in program.analyze().answers] == [None, None, None]


INSIDE = [
    ("repeat { c ~ {0: 2/5, 2: 1/10, 3: 1/2} } until c != 3", 1 / 5),
    ("c ~ {0: 2/5, 2: 1/10, 3: 1/2} given c != 3", 1 / 5),
    ("c ~ poisson(1) given c < 3", 1 / 5),
    ("h ~ flip(1/2)\n    while h { skip }\n    c ~ {0: 4/5, 2: 1/5}", None),
    ("c := 1\n    repeat { b ~ poisson(1) } until b < 2\n    if b { w ~ flip(1/2) given 1 == 1  c := 1 + w }", 1 / 4),
]


@pytest.mark.parametrize(("body", "up"), INSIDE)
def test_a_loop_or_draw_inside_is_a_step_of_the_walk(body: str, up: float | None) -> None:
    """The fourth hangs with a chance of 1/2 in each round, so that long walks are rare."""
    program = seepage.parse(
        "secret s\noutput n\ns ~ uniform_int(1, 3)\nx := s\nn := 0\n"
        f"while x > 0 {{\n    n := n + 1\n    {body}\n    x := x + (if c == 2 then 1 else -1)\n}}"
    )
    step = {1: 1 / 10, -1: 4 / 10} if up is None else {1: up, -1: 1 - up}
    laws = {s: hitting_times(s, lambda _: step) for s in (1, 2, 3)}
    ends = sum(chance for law in laws.values() for chance in law.values())
    laws = {s: {n: 3 * chance / ends for n, chance in law.items()} for s, law in laws.items()}
    found = program.measure("V(s | n)")
    assert found.lower - 1e-12 <= vulnerability(laws) <= found.upper + 1e-12
    assert found.value == pytest.approx(vulnerability(laws), abs=1e-9)


def test_observations_of_draws_without_an_end_in_each_round() -> None:
    """Each round but the last takes some runs away, so that many rounds are less likely."""
    program = seepage.parse("x := 3\nn := 0\nwhile x > 0 { k ~ poisson(1)  observe k < 5  n := n + 1  x := x - k }")
    law = [exp(-1) / factorial(k) for k in range(5)]
    inside, ended = {3: 1.0}, list[float]()
    for _ in range(60):
        after: dict[int, float] = {}
        for x, weight in inside.items():
            for k, chance in enumerate(law):
                after[x - k] = after.get(x - k, 0.0) + weight * chance
        ended.append(sum(weight for x, weight in after.items() if x <= 0))
        inside = {x: weight for x, weight in after.items() if x > 0}
    for n in (1, 2, 7):
        found = program.measure(f"P(n == {n})")
        assert found.lower - 1e-12 <= ended[n - 1] / sum(ended) <= found.upper + 1e-12
        assert found.value == pytest.approx(ended[n - 1] / sum(ended), abs=1e-10)
