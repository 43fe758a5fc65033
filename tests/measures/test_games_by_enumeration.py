"""The best strategies of attackers in small random games against all strategies, one after the other, computed from nothing but the rules of the game."""

from __future__ import annotations

import math
import os
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import pytest

import seepage

GAMES = 2_000 if os.environ.get("SEEPAGE_DEEP") == "1" else 60
Law = Mapping[tuple[int, ...], Fraction]  # of the secret and the answers, in order


@dataclass(frozen=True)
class Game:
    """A secret, and for each round what an answer is by the secret, the choice and the answer before, and noise.

    Attributes:
        prior: of the secret 0, 1, ….
        choices: how many values there are to choose from, round by round.
        answers: the chance of the answer 1 by the round, the secret, the choice, and the answer before (0 in the first round).
    """

    prior: tuple[Fraction, ...]
    choices: tuple[int, ...]
    answers: Mapping[tuple[int, int, int, int], Fraction]

    def text(self) -> str:
        """Return the game as a program."""
        entries = ", ".join(f"{value}: {chance}" for value, chance in enumerate(self.prior))
        lines = ["secret s", "output o", f"s ~ {{{entries}}}"]
        for at, count in enumerate(self.choices, 1):
            lines.append(f"attacker g[{at}] in 0..{count - 1}")
            lines.append(f"p[{at}] := 0")
            before = f"o[{at - 1}]" if at > 1 else "0"
            for (turn, s, g, o), chance in self.answers.items():
                if turn == at and (o == 0 or not self.is_plain):
                    after = "" if self.is_plain else f" and {before} == {o}"
                    lines.append(f"if s == {s} and g[{at}] == {g}{after} {{ p[{at}] := {chance} }}")
            lines.append(f"o[{at}] ~ {{1: p[{at}], 0: 1 - p[{at}]}}")
        return "\n".join(lines)

    @property
    def is_plain(self) -> bool:
        """Whether no answer depends on the one before."""
        return all(chance == self.answers[turn, s, g, 0] for (turn, s, g, _), chance in self.answers.items())

    def strategies(self) -> Iterator[Mapping[tuple[int, ...], int]]:
        """Yield every strategy: what is chosen after each sequence of answers."""
        histories = [seen for at in range(len(self.choices)) for seen in product((0, 1), repeat=at)]
        for chosen in product(*(range(self.choices[len(seen)]) for seen in histories)):
            yield dict(zip(histories, chosen, strict=True))

    def law(self, strategy: Mapping[tuple[int, ...], int]) -> Law:
        """Return the joint law of the secret and the answers under a strategy."""
        found: dict[tuple[int, ...], Fraction] = {(s,): chance for s, chance in enumerate(self.prior) if chance}
        for at in range(1, len(self.choices) + 1):
            longer: dict[tuple[int, ...], Fraction] = {}
            for run, mass in found.items():
                seen = run[1:]
                one = self.answers[at, run[0], strategy[seen], seen[-1] if seen else 0]
                for answer, chance in ((1, one), (0, 1 - one)):
                    if chance:
                        longer[(*run, answer)] = mass * chance
            found = longer
        return found


def posteriors(law: Law, seen: Callable[[tuple[int, ...]], tuple[int, ...]]) -> list[list[Fraction]]:
    groups: dict[tuple[int, ...], dict[int, Fraction]] = {}
    for run, mass in law.items():
        part = groups.setdefault(seen(run[1:]), {})
        part[run[0]] = part.get(run[0], Fraction(0)) + mass
    return [list(part.values()) for part in groups.values()]


def left(groups: list[list[Fraction]]) -> float:
    return sum(float(w) * math.log2(sum(group) / w) for group in groups for w in group)


def vulnerability(groups: list[list[Fraction]]) -> float:
    return float(sum(max(group) for group in groups))


def guesses(groups: list[list[Fraction]]) -> float:
    return float(sum(at * w for group in groups for at, w in enumerate(sorted(group, reverse=True), 1)))


def everything(answers: tuple[int, ...]) -> tuple[int, ...]:
    return answers


def the_last(answers: tuple[int, ...]) -> tuple[int, ...]:
    return answers[-1:]


def how_many(answers: tuple[int, ...]) -> tuple[int, ...]:
    return (sum(answers),)


def chance(draw: random.Random) -> Fraction:
    return Fraction(*draw.choice([(0, 1), (1, 1), (1, 2), (1, 3), (2, 5), (1, 7), (3, 4)]))


def game(seed: int) -> Game:
    """Return a random game; in every third one answers are functions of the secret and the choice, in others noise and the answer before count, too."""
    draw = random.Random(seed)
    is_sure = seed % 3 == 2
    weights = [
        draw.choice((1, 1, 1, 2, 5) if is_sure else (1, 2, 3, 4, 5)) for _ in range(draw.randint(2, 4 + is_sure))
    ]
    choices = tuple(draw.choice((1, 2, 3) if at == 0 else (2, 3)) for at in range(draw.randint(1, 2)))
    keys = list(product(range(1, len(choices) + 1), range(len(weights)), range(3), range(2)))
    answers: dict[tuple[int, int, int, int], Fraction] = {}
    for turn, s, g, o in keys:
        if g < choices[turn - 1] and (turn > 1 or o == 0):
            sure = answers.get((turn, s, g, 0), Fraction(draw.randint(0, 1)))
            answers[turn, s, g, o] = sure if is_sure else chance(draw)
    return Game(tuple(Fraction(one, sum(weights)) for one in weights), choices, answers)


@pytest.mark.family(every=5)
@pytest.mark.parametrize("seed", range(GAMES))
def test_no_strategy_beats_the_best_one(seed: int) -> None:
    played = game(seed)
    laws = [played.law(strategy) for strategy in played.strategies()]
    before = left([list(played.prior)])
    all_seen = [posteriors(law, everything) for law in laws]
    last = len(played.choices)
    program = seepage.parse(played.text())

    expected = {
        "I(s; o)": before - min(map(left, all_seen)),
        "H(s | o)": min(map(left, all_seen)),
        "min I(s; o)": before - max(map(left, all_seen)),
        "V(s | o)": max(map(vulnerability, all_seen)),
        "Guess(s | o)": min(map(guesses, all_seen)),
        f"max P(o[{last}] == s)": max(float(sum(m for run, m in law.items() if run[-1] == run[0])) for law in laws),
        f"min E(o[{last}] * s)": min(float(sum(m * run[-1] * run[0] for run, m in law.items())) for law in laws),
    }
    for measure, number in expected.items():
        assert program.measure(measure).number == pytest.approx(number, abs=1e-9), measure


@pytest.mark.family(every=5)
@pytest.mark.parametrize("seed", range(GAMES // 6))
def test_what_does_not_name_all_that_was_seen_is_tried(seed: int) -> None:
    played = game(seed)
    laws = [played.law(strategy) for strategy in played.strategies()]
    before = left([list(played.prior)])
    last = len(played.choices)
    program = seepage.parse(f"{played.text()}\nn := sum(o)")

    assert program.measure(f"I(s; o[{last}])").number == pytest.approx(
        before - min(left(posteriors(law, the_last)) for law in laws), abs=1e-9
    )
    assert program.measure("V(s | n)").number == pytest.approx(
        max(vulnerability(posteriors(law, how_many)) for law in laws), abs=1e-9
    )
    variances = [variance(law) for law in laws]
    assert program.measure("max Var(n)").number == pytest.approx(max(variances), abs=1e-9)
    assert program.measure("min Var(n)").number == pytest.approx(min(variances), abs=1e-9)


def variance(law: Law) -> float:
    mean = sum(mass * sum(run[1:]) for run, mass in law.items())
    return float(sum(mass * (sum(run[1:]) - mean) ** 2 for run, mass in law.items()))


@pytest.mark.family(every=5)
@pytest.mark.parametrize("seed", range(GAMES // 4))
def test_an_observation_of_an_answer_is_tried_and_one_of_the_secret_goes_backward(seed: int) -> None:
    played = game(seed)
    last = len(played.choices)
    laws = [played.law(strategy) for strategy in played.strategies()]
    of_answer = [conditioned(law, lambda run: run[1] == 1) for law in laws]
    of_secret = [conditioned(law, lambda run: run[0] <= 1) for law in laws]
    observing = {"o[1] == 1": [law for law in of_answer if law], "s <= 1": [law for law in of_secret if law]}

    for event, possible in observing.items():
        program = seepage.parse(f"{played.text()}\nobserve {event}")
        if not possible:
            continue
        groups = [posteriors(law, everything) for law in possible]
        assert program.measure("V(s | o)").number == pytest.approx(max(map(vulnerability, groups)), abs=1e-9)
        assert program.measure("H(s | o)").number == pytest.approx(min(map(left, groups)), abs=1e-9)
        chances = [float(sum(mass for run, mass in law.items() if run[last] == 1)) for law in possible]
        result = program.measure(f"P(o[{last}] == 1)")
        if result.value is not None:  # every strategy has the same
            assert all(chance == pytest.approx(result.number, abs=1e-9) for chance in chances)
            continue
        assert result.minimum is not None
        assert result.maximum is not None
        assert result.minimum.number == pytest.approx(min(chances), abs=1e-9)
        assert result.maximum.number == pytest.approx(max(chances), abs=1e-9)


def conditioned(law: Law, event: Callable[[tuple[int, ...]], bool]) -> Law:
    kept = {run: mass for run, mass in law.items() if event(run)}
    whole = sum(kept.values(), Fraction(0))
    return {run: mass / whole for run, mass in kept.items()}


@pytest.mark.family(every=5)
@pytest.mark.parametrize("seed", range(GAMES // 4))
def test_the_strategy_that_is_told_reaches_the_number(seed: int) -> None:
    played = game(seed)
    result = seepage.parse(played.text()).measure("I(s; o)")
    assert result.strategy is not None
    chosen: dict[tuple[int, ...], int] = {}
    paths: dict[int, tuple[int, ...]] = {-1: ()}
    for depth, seen in result.strategy.lines():
        paths[depth] = (*paths[depth - 1], *(whole(value) for _, value in seen.values))
        if seen.then is not None:
            chosen[paths[depth]] = whole(seen.then.values[0][1])
    default = {seen: 0 for at in range(len(played.choices)) for seen in product((0, 1), repeat=at)}

    reached = left([list(played.prior)]) - left(posteriors(played.law({**default, **chosen}), everything))

    assert result.number == pytest.approx(reached, abs=1e-9)


def whole(value: object) -> int:
    assert isinstance(value, int)
    return value
