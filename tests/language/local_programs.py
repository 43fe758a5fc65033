"""Random programs with local draws, and what they mean: nested enumeration over fractions, which shares nothing with the product."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

State = Mapping[str, int]
Weighted = list[tuple[dict[str, int], Fraction]]


class Impossible(Exception):
    """No run of a local draw passes."""


@dataclass(frozen=True)
class Test:
    """``(left + right) % 3 != value``; the right one may be missing."""

    left: str
    right: str
    value: int

    def holds(self, state: State) -> bool:
        return (state[self.left] + state[self.right]) % 3 != self.value

    def __str__(self) -> str:
        return f"({self.left} + {self.right}) % 3 != {self.value}"


@dataclass(frozen=True)
class Draw:
    """A draw from 0, 1, 2, perhaps given a test."""

    target: str
    chances: tuple[int, int, int]
    given: Test | None

    def run(self, state: State, procedures: Sequence[Procedure]) -> Weighted:
        total = sum(self.chances)
        made = [({**state, self.target: at}, Fraction(one, total)) for at, one in enumerate(self.chances) if one]
        if self.given is None:
            return made
        return normalised([(after, weight) for after, weight in made if self.given.holds(after)])

    def lines(self) -> Iterator[str]:
        table = ", ".join(f"{at}: {one}/{sum(self.chances)}" for at, one in enumerate(self.chances))
        yield f"{self.target} ~ {{{table}}}" + ("" if self.given is None else f" given {self.given}")


@dataclass(frozen=True)
class Assign:
    """``target := (left * right + 1) % 3``."""

    target: str
    left: str
    right: str

    def run(self, state: State, procedures: Sequence[Procedure]) -> Weighted:
        return [({**state, self.target: (state[self.left] * state[self.right] + 1) % 3}, Fraction(1))]

    def lines(self) -> Iterator[str]:
        yield f"{self.target} := ({self.left} * {self.right} + 1) % 3"


@dataclass(frozen=True)
class Observe:
    """``observe b``."""

    test: Test

    def run(self, state: State, procedures: Sequence[Procedure]) -> Weighted:
        return [(dict(state), Fraction(1))] if self.test.holds(state) else []

    def lines(self) -> Iterator[str]:
        yield f"observe {self.test}"


@dataclass(frozen=True)
class Branch:
    """``if b { … } else { … }``."""

    test: Test
    arms: tuple[Sequence[Statement], Sequence[Statement]]

    def run(self, state: State, procedures: Sequence[Procedure]) -> Weighted:
        return run(self.arms[0 if self.test.holds(state) else 1], state, procedures)

    def lines(self) -> Iterator[str]:
        yield f"if {self.test} {{"
        yield from (f"    {line}" for one in self.arms[0] for line in one.lines())
        yield "} else {"
        yield from (f"    {line}" for one in self.arms[1] for line in one.lines())
        yield "}"


@dataclass(frozen=True)
class Call:
    """``target ~ f(a, b)``."""

    target: str
    number: int
    arguments: tuple[str, str]

    def run(self, state: State, procedures: Sequence[Procedure]) -> Weighted:
        law = procedures[self.number].law((state[self.arguments[0]], state[self.arguments[1]]), procedures)
        return [({**state, self.target: value}, weight) for value, weight in law.items()]

    def lines(self) -> Iterator[str]:
        yield f"{self.target} ~ f{self.number}({', '.join(self.arguments)})"


Statement = Draw | Assign | Observe | Branch | Call


@dataclass(frozen=True)
class Procedure:
    """``def f(a, b) { … return c }``; it may call those before it."""

    body: Sequence[Statement]
    result: str
    known: dict[tuple[int, int], Mapping[int, Fraction]] = field(default_factory=dict)

    def law(self, arguments: tuple[int, int], procedures: Sequence[Procedure]) -> Mapping[int, Fraction]:
        if arguments not in self.known:
            state = {"a": arguments[0], "b": arguments[1], "c": 0, "d": 0}
            law: dict[int, Fraction] = {}
            for after, weight in normalised(run(self.body, state, procedures)):
                law[after[self.result]] = law.get(after[self.result], Fraction(0)) + weight
            self.known[arguments] = law
        return self.known[arguments]


def normalised(made: Weighted) -> Weighted:
    total = sum((weight for _, weight in made), Fraction(0))
    if not total:
        raise Impossible
    return [(state, weight / total) for state, weight in made]


def run(statements: Sequence[Statement], state: State, procedures: Sequence[Procedure]) -> Weighted:
    """Return the states after statements with their weights, which are not normalised."""
    states: Weighted = [(dict(state), Fraction(1))]
    for one in statements:
        states = [(after, weight * more) for before, weight in states for after, more in one.run(before, procedures)]
    return states


@dataclass(frozen=True)
class LocalProgram:
    """Procedures and the statements of a program over x, y, z."""

    procedures: Sequence[Procedure]
    body: Sequence[Statement]

    @property
    def text(self) -> str:
        lines = ["secret final x", "output z", "x := 0", "y := 0", "z := 0"]
        lines += [line for one in self.body for line in one.lines()]
        for number, one in enumerate(self.procedures):
            lines += [f"def f{number}(a, b) {{", "    c := 0", "    d := 0"]
            lines += [f"    {line}" for each in one.body for line in each.lines()]
            lines += [f"    return {one.result}", "}"]
        return "\n".join(lines) + "\n"

    def law(self) -> dict[tuple[int, int, int], Fraction]:
        """Return the joint law of x, y, z.

        Raises:
            Impossible: if a local draw, or the program, has no run that passes.
        """
        found: dict[tuple[int, int, int], Fraction] = {}
        for state, weight in normalised(run(self.body, dict.fromkeys("xyz", 0), self.procedures)):
            key = state["x"], state["y"], state["z"]
            found[key] = found.get(key, Fraction(0)) + weight
        return found


def random_program(source: random.Random) -> LocalProgram:
    """Return a program with procedures that observe, draws given something, and branches around both."""
    procedures = [
        Procedure(list(_block(source, "abcd", number, source.randint(2, 5), "cd")), source.choice("cd"))
        for number in range(source.randint(1, 3))
    ]
    return LocalProgram(procedures, list(_block(source, "xyz", len(procedures), source.randint(3, 6), "xyz")))


def _block(source: random.Random, names: str, callable_: int, size: int, targets: str) -> Iterator[Statement]:
    for _ in range(size):
        match source.choice(["draw", "draw", "assign", "observe", "branch", "call", "call", "given"]):
            case "observe" if source.random() < 0.7:
                yield Observe(_test(source, names))
            case "branch" if size > 1:
                halves = [list(_block(source, names, callable_, size // 2, targets)) for _ in range(2)]
                yield Branch(_test(source, names), (halves[0], halves[1]))
            case "call" if callable_:
                pair = source.choice(names), source.choice(names)
                yield Call(source.choice(targets), source.randrange(callable_), pair)
            case "given":
                yield Draw(source.choice(targets), _chances(source), _test(source, names))
            case "assign":
                yield Assign(source.choice(targets), source.choice(names), source.choice(names))
            case _:
                yield Draw(source.choice(targets), _chances(source), None)


def _test(source: random.Random, names: str) -> Test:
    return Test(source.choice(names), source.choice(names), source.randrange(3))


def _chances(source: random.Random) -> tuple[int, int, int]:
    return source.randint(0, 3), source.randint(1, 3), source.randint(0, 2)
