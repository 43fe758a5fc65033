"""Random games with noise, repeated questions, observations, budgets and two outputs: each measure against all strategies, one after the other."""

from __future__ import annotations

import math
import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

import pytest
from tests.measures.games.random_games import (
    Game,
    Law,
    Played,
    entropy,
    guesses,
    information,
    mean,
    multiplicative_capacity,
    privacy,
    random_game,
    variable,
    variance,
    vulnerability,
)

import seepage
from seepage.measures.games.strategy import Seen, Strategy, on_average

GAMES = 3_000 if os.environ.get("SEEPAGE_DEEP") == "1" else 40
Measured: TypeAlias = Callable[[Law], float]


def directed(game: Game) -> Iterator[tuple[str, bool, Measured]]:
    """Yield measures that attackers want large (True) or small, of all that was seen in the end and of parts of it."""
    x, every = game.secrets, game.seen
    secret, seen = ", ".join(x), ", ".join(game.outputs)
    yield f"I({secret}; {seen})", True, lambda law: information(law, x, every)
    yield f"H({secret} | {seen})", False, lambda law: entropy(law, x, every)
    yield f"V({secret} | {seen})", True, lambda law: vulnerability(law, x, every)
    yield f"Hmin({secret} | {seen})", False, lambda law: -math.log2(vulnerability(law, x, every))
    yield f"Guess({secret} | {seen})", False, lambda law: guesses(law, x, every)
    yield f"Lmin({secret} -> {seen})", True, lambda law: math.log2(vulnerability(law, x, every) / vulnerability(law, x))
    yield f"DP({secret} -> {seen})", True, lambda law: privacy(law, x, every)
    yield f"Cmin({secret} -> {seen})", True, lambda law: multiplicative_capacity(law, x, every)
    last = game.outputs["o"][-1:]
    yield f"I({secret}; {last[0]})", True, lambda law: information(law, x, last)
    yield f"V(s | {last[0]})", True, lambda law: vulnerability(law, ("s",), last)
    if len(every) > 1:
        first, rest = every[:1], every[1:]
        yield f"I(s; {', '.join(rest)} | {first[0]})", True, lambda law: information(law, ("s",), rest, first)
        yield f"I({first[0]}; {', '.join(rest)})", True, lambda law: information(law, first, rest)


def undirected(game: Game) -> Iterator[tuple[str, Measured]]:
    """Yield measures of which nobody wants an end."""
    last = game.outputs["o"][-1]
    one = variable(last)
    yield f"H({', '.join(game.outputs)})", lambda law: entropy(law, game.seen)
    yield "H(s)", lambda law: entropy(law, ("s",))
    yield f"P({last} == s)", lambda law: float(sum(mass for state, mass in law if state[last] == state["s"]))
    yield f"E({last})", lambda law: mean(law, one)
    yield f"Var({last})", lambda law: variance(law, one)


@pytest.mark.family(every=3)
@pytest.mark.parametrize("seed", range(GAMES))
def test_no_strategy_beats_the_best_one(seed: int) -> None:
    game, played = random_game(seed)
    program, draw = seepage.parse(game.text), random.Random(seed)

    for measure, largest, number in draw.sample([*directed(game)], 3):
        ends = [number(law) for _, law in played]
        if draw.random() < 0.6:
            near(program.measure(measure), max(ends) if largest else min(ends), measure)
        else:
            other = f"{'min' if largest else 'max'} {measure}"
            near(program.measure(other), min(ends) if largest else max(ends), other)
    measure, number = draw.choice([*undirected(game)])
    ends = [number(law) for _, law in played]
    result = program.measure(measure)
    near(result.minimum or result, min(ends), measure)
    near(result.maximum or result, max(ends), measure)


def near(result: seepage.Result, expected: float, what: str) -> None:
    assert result.lower - 1e-9 <= expected <= result.upper + 1e-9, what
    if result.value is not None:
        assert result.number == pytest.approx(expected, abs=1e-9), what


@pytest.mark.family(every=3)
@pytest.mark.parametrize("seed", range(0, GAMES, 4))
def test_a_budget_speaks_of_every_strategy(seed: int) -> None:
    """A measure with a direction is its number; one without must keep the budget whatever is chosen."""
    game, played = random_game(seed)
    draw = random.Random(seed)
    measures: list[tuple[str, bool | None, Measured]] = [*directed(game)]
    measures += [(text, None, number) for text, number in undirected(game)]
    measure, largest, number = draw.choice(measures)
    ends = [number(law) for _, law in played]
    judged = ends if largest is None else [max(ends) if largest else min(ends)]

    for limit, shift, comparison in (
        (max(judged), 0.01, "<="),
        (max(judged), -0.01, "<="),
        (min(judged), 0.01, ">="),
        (min(judged), -0.01, ">="),
    ):
        if math.isfinite(bound := limit + shift):
            kept = all(end <= bound if comparison == "<=" else end >= bound for end in judged)
            (answer,) = seepage.parse(f"{game.text}require {measure} {comparison} {bound:.9f}\n").analyze().answers
            assert answer.verdict == ("holds" if kept else "violated"), (measure, comparison, bound)


@pytest.mark.family(every=3)
@pytest.mark.parametrize("seed", range(1, GAMES, 4))
def test_the_strategy_that_is_told_reaches_the_number(seed: int) -> None:
    game, played = random_game(seed)
    everything, another = (next(directed(game)), random.Random(seed).choice([*directed(game)]))

    for measure, largest, number in (everything, another):
        result = seepage.parse(game.text).measure(measure)
        if result.strategy is None:  # no choice matters
            assert max(number(law) for _, law in played) == pytest.approx(min(number(law) for _, law in played))
            continue
        reached = [
            law for law in followed(game, result.strategy, played) if number(law) == pytest.approx(result.number)
        ]
        assert reached, measure
        if measure == everything[0] and (average := on_average(ends_of(result.strategy))) is not None:
            assert any(average.bits == pytest.approx(entropy(law, game.secrets, game.seen)) for law in reached)
            assert any(average.guess == pytest.approx(vulnerability(law, game.secrets, game.seen)) for law in reached)
        if result.strategy.beforehand is not None:
            once = [number(law) for strategy, law in played if is_chosen_beforehand(strategy)]
            assert result.strategy.beforehand.number == pytest.approx(max(once) if largest else min(once)), measure


def followed(game: Game, told: Strategy, played: Sequence[tuple[Played, Law]]) -> Iterator[Law]:
    """Yield the laws of the strategies that choose what is told, and whatever they like where nothing is."""
    chosen: dict[tuple[str, frozenset[tuple[str, object]]], object] = {}
    paths: dict[int, frozenset[tuple[str, object]]] = {-1: frozenset()}
    for depth, seen in told.lines():
        paths[depth] = paths[depth - 1].union(seen.values)
        for name, value in () if seen.then is None else seen.then.values:
            chosen[name, paths[depth]] = value
    for strategy, law in played:
        if all(
            chosen.get((game.steps[at].name, frozenset(seen)), value) == value for (at, seen), value in strategy.items()
        ):
            yield law


def ends_of(told: Strategy) -> list[Seen]:
    return [seen for _, seen in told.lines() if seen.then is None]


def is_chosen_beforehand(strategy: Played) -> bool:
    """Tell whether no choice differs by what was seen."""
    values: dict[int, int] = {}
    return all(values.setdefault(at, value) == value for (at, _), value in strategy.items())


@pytest.mark.family(every=3)
@pytest.mark.parametrize("seed", range(2, GAMES, 4))
def test_an_event_leaves_out_the_strategies_under_which_it_is_impossible(seed: int) -> None:
    game, played = random_game(seed)
    draw = random.Random(seed)
    choices = [step.name for step in game.steps if step.kind == "choose"]
    for name in draw.sample([*choices, *game.seen], 2):
        value = draw.randrange(3)
        laws = [law for _, every in played if (law := given(every, name, value))]
        measures: list[tuple[str, Measured]] = [
            (f"H(s | {name} == {value})", lambda law: entropy(law, ("s",))),
            (f"E(s | {name} == {value})", lambda law: mean(law, variable("s"))),
        ]
        other = draw.choice(choices)
        measures.append((f"P({other} == 0 | {name} == {value})", partial(chance_of_zero, other)))
        for measure, number in measures:
            if not laws:
                with pytest.raises(seepage.MeasureError, match="impossible"):
                    seepage.parse(game.text).measure(measure)
                continue
            result, ends = seepage.parse(game.text).measure(measure), [number(law) for law in laws]
            near(result.minimum or result, min(ends), measure)
            near(result.maximum or result, max(ends), measure)


def given(law: Law, name: str, value: int) -> Law:
    """Return the law given that a variable has a value, empty where it never has."""
    kept = [(state, mass) for state, mass in law if state[name] == value]
    whole = sum(mass for _, mass in kept)
    return [(state, mass / whole) for state, mass in kept]


def chance_of_zero(name: str, law: Law) -> float:
    return float(sum(mass for state, mass in law if state[name] == 0))


# What the number is of programs in which a choice decides whether a run is observed at all.
ABORTED: Mapping[str, tuple[str, float]] = {
    # Who chooses 0 is left out: s is never 2.
    "observe g != 0": ("I(s; o)", 0.0),
    # Whether g is 0 or 2, some run passes.
    "observe g != 0 or s == 0": ("I(s; o)", 0.0),
}


@pytest.mark.parametrize("observed", ABORTED)
def test_a_strategy_that_no_run_passes_is_left_out(observed: str) -> None:
    measure, expected = ABORTED[observed]
    text = f"secret s\noutput o\ns ~ uniform_int(0, 1)\nattacker g in {{0, 2}}\no := s == g\n{observed}\n"

    assert seepage.parse(text).measure(measure).number == expected


def test_an_attacker_may_choose_to_be_left_out_after_what_was_seen() -> None:
    """The answer o is kept only where nobody chose 1 after it: the best is to keep the answers that tell all of s."""
    text = (
        "secret s\noutput o\nsecret_was_told ~ flip(1/2)\ns ~ uniform_int(0, 1)\n"
        "o := if secret_was_told then s else 2\nattacker g in {0, 1}\nobserve g == 0\n"
    )

    assert seepage.parse(text).measure("H(s | o)").exact == 0
    assert seepage.parse(text).measure("max H(s | o)").exact == 1


def test_nothing_is_chosen_where_no_run_passes() -> None:
    """After o = 0 no run is left, whatever is chosen: half of the bit of t is asked for where s is 1."""
    text = (
        "secret t\noutput o, w\ns ~ flip(1/2)\nt ~ uniform_int(0, 3)\no := s\nattacker g in 0..3\nw := t <= g\n"
        "observe o == 1\n"
    )

    assert seepage.parse(text).measure("I(t; o, w)").exact == 1


EVENTS: Mapping[str, float] = {
    # The event is only possible for one who chooses 3, and tells nothing of s.
    "P(s == 1 | seen == 3)": 1 / 4,
    "H(s | seen == 3)": 2.0,
    "E(s | seen == 3)": 1.5,
    "KL(s | seen == 3 || s)": 0.0,
    # Whoever chooses 0 sees no run pass; f is chosen freely, so that its least value is 1, and its largest 2.
    "min E(f | kept == 1)": 1.0,
    "max E(f | kept == 1)": 2.0,
    "V(s | o)": 1 / 2,
}


@pytest.mark.parametrize("measure", EVENTS)
def test_choices_that_a_measure_does_not_depend_on_make_no_event_impossible(measure: str) -> None:
    """The first value of a domain stands for choices without an influence; where it leaves no run, another one does."""
    text = (
        "secret s\noutput seen, kept, o\nattacker k in 0..1\nobserve k == 1\ns ~ uniform_int(0, 3)\nattacker g in {0, 3}\nseen := g\n"
        "attacker h in {0, 1}\nkept := h\nattacker f in {1, 2}\no := s <= f\n"
    )

    assert seepage.parse(text).measure(measure).number == pytest.approx(EVENTS[measure], abs=1e-12)


def test_one_number_is_told_where_every_strategy_has_it() -> None:
    """Three answers of chances 1/3 are only called otherwise; the entropy is irrational."""
    text = "secret s\noutput o\ns ~ uniform_int(0, 2)\nattacker g in 0..5\no := s + g\n"
    result = seepage.parse(text).measure("H(o)")

    assert result.number == pytest.approx(math.log2(3))
    assert (result.minimum, result.strategy) == (None, None)
