"""Small random games as programs, and what every measure comes to in them by nothing but the rules: all strategies, one after the other, each run by run.

A game is a list of steps. Expressions are written twice, as text of the language and as a function of what the variables are, so that nothing
of the library is asked what a program means.
"""

from __future__ import annotations

import math
import os
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import TypeAlias

State: TypeAlias = Mapping[str, int]
History: TypeAlias = tuple[tuple[str, int], ...]  # outputs in the order in which they were seen
Played: TypeAlias = Mapping[tuple[int, History], int]  # by the number of the step and what was seen
Law: TypeAlias = list[tuple[State, Fraction]]
_MOST_RUNS = 6_000 if os.environ.get("SEEPAGE_DEEP") == "1" else 600  # of all strategies together


@dataclass(frozen=True)
class Term:
    """An expression: as text, and its value where the variables are known."""

    text: str
    of: Callable[[State], int]


@dataclass(frozen=True)
class Step:
    """A statement.

    Attributes:
        kind: ``draw``, ``assign``, ``choose`` or ``observe``.
        name: of the variable that is written.
        term: what is assigned or observed.
        table: of a draw, or the values to choose from.
        chance: of a draw of 1 whose chance depends on others, as a table of chances by the value of ``term``.
    """

    kind: str
    name: str = ""
    term: Term | None = None
    table: tuple[tuple[int, Fraction], ...] = ()
    chance: tuple[Fraction, ...] = ()

    @property
    def text(self) -> str:
        if self.kind == "choose":
            return f"attacker {self.name} in {{{', '.join(str(value) for value, _ in self.table)}}}"
        if self.kind == "observe":
            return f"observe {self._term.text}"
        if self.kind == "assign":
            return f"{self.name} := {self._term.text}"
        if self.chance:
            *firsts, last = self.chance
            cases = "".join(f"if {self._term.text} == {at} then {one} else " for at, one in enumerate(firsts))
            return f"{self.name} ~ flip({cases}{last})"
        return f"{self.name} ~ {{{', '.join(f'{value}: {chance}' for value, chance in self.table)}}}"

    def draws(self, state: State) -> tuple[tuple[int, Fraction], ...]:
        """Return what may be drawn."""
        if not self.chance:
            return self.table
        one = self.chance[self._term.of(state)]
        return tuple((value, mass) for value, mass in ((1, one), (0, 1 - one)) if mass)

    @property
    def _term(self) -> Term:
        assert self.term is not None
        return self.term


@dataclass(frozen=True)
class Game:
    """A program in which an attacker chooses.

    Attributes:
        secrets: variables.
        outputs: of each declared output, its variables.
        steps: in order.
    """

    secrets: tuple[str, ...]
    outputs: Mapping[str, tuple[str, ...]]
    steps: tuple[Step, ...]

    @property
    def text(self) -> str:
        declared = [*(f"secret {name}" for name in self.secrets), *(f"output {name}" for name in self.outputs)]
        return "\n".join([*declared, *(step.text for step in self.steps)]) + "\n"

    @property
    def seen(self) -> tuple[str, ...]:
        """All outputs."""
        return tuple(name for names in self.outputs.values() for name in names)

    def strategies(self) -> Iterator[tuple[Played, Law]]:
        """Yield every strategy, told apart by what it comes to choose, with the law of its runs, which is empty where no run passes."""
        waiting: list[dict[tuple[int, History], int]] = [{}]
        while waiting:
            played = waiting.pop()
            law: Law = []
            missing = self._run(0, {}, (), Fraction(1), played, law)
            if missing is None:
                yield played, law
            else:
                key, domain = missing
                waiting += [{**played, key: value} for value, _ in domain]

    def _run(
        self, at: int, state: State, seen: History, mass: Fraction, played: Played, law: Law
    ) -> tuple[tuple[int, History], tuple[tuple[int, Fraction], ...]] | None:
        """Follow runs from a step on; return the first choice that the strategy does not say."""
        if at == len(self.steps):
            law.append((state, mass))
            return None
        step = self.steps[at]
        if step.kind == "observe":
            return self._run(at + 1, state, seen, mass, played, law) if step.term and step.term.of(state) else None
        values: tuple[tuple[int, Fraction], ...]
        if step.kind == "choose":
            if (key := (at, seen)) not in played:
                return key, step.table
            values = ((played[key], Fraction(1)),)
        elif step.kind == "assign":
            assert step.term is not None
            values = ((step.term.of(state), Fraction(1)),)
        else:
            values = step.draws(state)
        shown = step.name in self.seen
        for value, chance in values:
            after = (*seen, (step.name, value)) if shown else seen
            missing = self._run(at + 1, {**state, step.name: value}, after, mass * chance, played, law)
            if missing is not None:
                return missing
        return None

    def laws(self) -> list[tuple[Played, Law]]:
        """Return all strategies that some run passes, each law with the sum 1; an empty list where there are too many."""
        found: list[tuple[Played, Law]] = []
        runs = 0
        for played, law in self.strategies():
            runs += len(law)
            if runs > _MOST_RUNS:
                return []
            if whole := sum(mass for _, mass in law):
                found.append((played, [(state, mass / whole) for state, mass in law]))
        return found


# --- measures -------------------------------------------------------------------------------------------------------------


def groups(law: Law, x: tuple[str, ...], y: tuple[str, ...]) -> list[list[Fraction]]:
    """Return for each value of y the chances of the values of x."""
    found: dict[tuple[int, ...], dict[tuple[int, ...], Fraction]] = {}
    for state, mass in law:
        part = found.setdefault(tuple(state[name] for name in y), {})
        value = tuple(state[name] for name in x)
        part[value] = part.get(value, Fraction(0)) + mass
    return [list(part.values()) for part in found.values()]


def entropy(law: Law, x: tuple[str, ...], y: tuple[str, ...] = ()) -> float:
    return math.fsum(float(one) * math.log2(sum(group) / one) for group in groups(law, x, y) for one in group)


def information(law: Law, x: tuple[str, ...], y: tuple[str, ...], z: tuple[str, ...] = ()) -> float:
    return entropy(law, x, z) - entropy(law, x, (*y, *z))


def vulnerability(law: Law, x: tuple[str, ...], y: tuple[str, ...] = ()) -> float:
    return float(sum(max(group) for group in groups(law, x, y)))


def guesses(law: Law, x: tuple[str, ...], y: tuple[str, ...] = ()) -> float:
    return float(sum(at * one for group in groups(law, x, y) for at, one in enumerate(sorted(group)[::-1], 1)))


def mean(law: Law, term: Term) -> float:
    return float(sum(mass * term.of(state) for state, mass in law))


def variance(law: Law, term: Term) -> float:
    middle = sum(mass * term.of(state) for state, mass in law)
    return float(sum(mass * (term.of(state) - middle) ** 2 for state, mass in law))


def privacy(law: Law, x: tuple[str, ...], y: tuple[str, ...]) -> float:
    """Return the largest loss between two values of x, in nats."""
    rows = _channel(law, x, y)
    seen = {value for row in rows for value in row}
    worst = 0.0
    for one, other in product(rows, repeat=2):
        for value in seen:
            if value in one and value not in other:
                return math.inf
            if value in one:
                worst = max(worst, math.log(one[value] / other[value]))
    return worst


def multiplicative_capacity(law: Law, x: tuple[str, ...], y: tuple[str, ...]) -> float:
    """Return the logarithm of the sum of the greatest chances of each output (Braun, Chatzikokolakis and Palamidessi 2009)."""
    rows = _channel(law, x, y)
    seen = {value for row in rows for value in row}
    return math.log2(sum(max(row.get(value, Fraction(0)) for row in rows) for value in seen))


def _channel(law: Law, x: tuple[str, ...], y: tuple[str, ...]) -> list[dict[tuple[int, ...], Fraction]]:
    rows: dict[tuple[int, ...], dict[tuple[int, ...], Fraction]] = {}
    for state, mass in law:
        row = rows.setdefault(tuple(state[name] for name in x), {})
        value = tuple(state[name] for name in y)
        row[value] = row.get(value, Fraction(0)) + mass
    return [{value: mass / sum(row.values()) for value, mass in row.items()} for row in rows.values()]


# --- random games -----------------------------------------------------------------------------------------------------------

_CHANCES = tuple(Fraction(*each) for each in ((0, 1), (1, 1), (1, 2), (1, 3), (2, 5), (1, 7), (3, 4)))


def random_game(seed: int) -> tuple[Game, list[tuple[Played, Law]]]:
    """Return a random game with all its strategies: at most as many as are quickly tried."""
    draw = random.Random(seed)
    while True:
        game = _Writer(draw).game()
        if laws := game.laws():
            return game, laws


class _Writer:
    """Writes one game: what is known so far, and the steps."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.steps: list[Step] = []
        self.known: dict[str, int] = {}  # variables with how many values they have, from 0 on
        self.outputs: dict[str, list[str]] = {"o": []}
        self.is_sure = draw.random() < 0.35  # answers are functions of secret and choices

    def game(self) -> Game:
        draw = self.draw
        secrets = ("s", "t") if draw.random() < 0.25 else ("s",)
        for name in secrets:
            self.table(name, draw.randint(2, 5 if self.is_sure and len(secrets) == 1 else 3))
        if not self.is_sure and draw.random() < 0.4:
            self.table("e", 2)  # the same noise in all rounds
        if draw.random() < 0.2:
            self.put("h", self.term(secrets))
        for at in range(1, draw.choice((1, 2, 2, 2, 3)) + 1):
            self.round(at)
        if draw.random() < 0.25:
            self.outputs["w"] = []
            self.put("w", self.term((*secrets, *self.choices())), shown="w")
        if draw.random() < 0.3:
            self.observe()
        return Game(secrets, {name: tuple(them) for name, them in self.outputs.items()}, tuple(self.steps))

    def choices(self) -> tuple[str, ...]:
        return tuple(step.name for step in self.steps if step.kind == "choose")

    def round(self, at: int) -> None:
        draw = self.draw
        for name in (f"g[{at}]", f"f[{at}]")[: 1 + (draw.random() < 0.1)]:
            domain = draw.sample(range(3), draw.choice((2, 2, 3)))
            self.steps.append(Step("choose", name, table=tuple((value, Fraction(1)) for value in domain)))
            self.known[name] = 3
        named = [
            "s",
            *self.choices()[-1:],
            *(["t"] if "t" in self.known else []),
            *(["h"] if "h" in self.known else []),
        ]
        if not self.is_sure and draw.random() < 0.4:
            self.table(f"n[{at}]", 2)
            named.append(f"n[{at}]")
        if "e" in self.known and draw.random() < 0.7:
            named.append("e")
        if draw.random() < 0.3 and self.outputs["o"]:
            named.append(self.outputs["o"][-1])
        name = f"o[{at}]"
        if not self.is_sure and draw.random() < 0.5:
            term = self.index("s", self.choices()[-1]) if draw.random() < 0.4 else self.term(named)
            chance = tuple(draw.choice(_CHANCES) for _ in range(self.size))
            self.steps.append(Step("draw", name, term, chance=chance))
            self.known[name] = 2
        else:
            self.put(name, self.term(named))
        self.outputs["o"].append(name)
        if "h" in self.known and draw.random() < 0.4:
            self.put("h", self.term(("h", *self.choices()[-1:])))
        if draw.random() < 0.1:
            self.observe()

    def table(self, name: str, count: int) -> None:
        weights = [self.draw.choice((1, 1, 1, 2, 3, 5)) for _ in range(count)]
        table = tuple((value, Fraction(weight, sum(weights))) for value, weight in enumerate(weights))
        self.steps.append(Step("draw", name, table=table))
        self.known[name] = count

    def put(self, name: str, term: Term, shown: str = "") -> None:
        self.steps.append(Step("assign", name, term))
        self.known[name] = self.size
        if shown:
            self.outputs[shown].append(name)

    def term(self, named: tuple[str, ...] | list[str]) -> Term:
        """Return a random function of some variables; ``size`` is then how many values it has at most, from 0 on."""
        draw = self.draw
        first, *rest = [*draw.sample([*named], min(len(named), 1 + draw.choice((1, 1, 1, 2))))]
        if draw.random() < 0.5 and "s" in named and first != "s":
            first, rest = "s", [first, *(each for each in rest if each != "s")]
        found, self.size = variable(first), self.known[first]
        for name in rest:
            found, self.size = self.joined(found, self.size, variable(name), self.known[name])
        return found

    def index(self, first: str, second: str) -> Term:
        """Return a number for each pair of values of two variables."""
        count = self.known[second]
        self.size = self.known[first] * count
        return Term(f"{first} * {count} + {second}", lambda v: v[first] * count + v[second])

    def joined(self, a: Term, m: int, b: Term, n: int) -> tuple[Term, int]:
        kind, by, most = self.draw.randrange(6), self.draw.randint(1, 2), self.draw.randint(2, 3)
        match kind:
            case 0:
                return Term(f"(if {a.text} <= {b.text} then 1 else 0)", lambda v: int(a.of(v) <= b.of(v))), 2
            case 1:
                return Term(f"(if {a.text} == {b.text} then 1 else 0)", lambda v: int(a.of(v) == b.of(v))), 2
            case 2:
                return Term(f"(({a.text} + {by} * {b.text}) % {most})", lambda v: (a.of(v) + by * b.of(v)) % most), most
            case 3:
                return Term(
                    f"(if {b.text} == 0 then {a.text} else {by})", lambda v: a.of(v) if b.of(v) == 0 else by
                ), max(m, by + 1)
            case 4:
                return Term(f"min({a.text}, {b.text})", lambda v: min(a.of(v), b.of(v))), min(m, n)
            case _:
                return Term(f"(({a.text} * {b.text}) % {most})", lambda v: a.of(v) * b.of(v) % most), most

    def observe(self) -> None:
        """Keep runs by a secret, noise, an answer, or a choice."""
        first = self.draw.choice(tuple(self.known))
        value = self.draw.randrange(self.known[first])
        one = variable(first)
        if self.draw.random() < 0.5:
            term = Term(f"{first} != {value}", lambda v: int(one.of(v) != value))
        else:
            other = self.draw.choice(tuple(self.known))
            term = Term(f"{first} <= {value} or {other} == 0", lambda v: int(one.of(v) <= value or v[other] == 0))
        self.steps.append(Step("observe", term=term))


def variable(name: str) -> Term:
    return Term(name, lambda state: state[name])
