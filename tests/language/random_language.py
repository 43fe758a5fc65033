"""Random programs with all constructs of the language, and what they mean: nested enumeration and linear systems over fractions, which share nothing with the product.

Each part of a program writes itself and runs itself. A state holds a value for each plain variable, ``xs[1]`` and ``p.u`` among them. What runs leave behind are
states with weights, and the weight of runs that never end; the rest was taken away by observations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

State = dict[str, int]
Key = tuple[tuple[str, int], ...]
MOST_STATES = 60  # of a loop: linear systems of more take long
JUMP = "@jump"  # how a run left a block
WORDS = ("break", "continue", "return")
BREAK, _, RETURN = range(len(WORDS))
RESULT = "@result"
SIZE = 3  # of arrays, and of what numbers are taken modulo


class Impossible(Exception):
    """No run of a local draw, or of the program, passes."""


class TooLarge(Exception):
    """A loop has more states than are solved for."""


@dataclass
class Runs:
    """What runs leave behind.

    Attributes:
        ends: states with their weights.
        hung: the weight of runs that never end.
    """

    ends: dict[Key, Fraction] = field(default_factory=dict)
    hung: Fraction = Fraction(0)

    def add(self, state: State, weight: Fraction) -> None:
        key = tuple(sorted(state.items()))
        self.ends[key] = self.ends.get(key, Fraction(0)) + weight

    def extend(self, others: Runs, weight: Fraction) -> None:
        for key, chance in others.ends.items():
            self.ends[key] = self.ends.get(key, Fraction(0)) + weight * chance
        self.hung += weight * others.hung

    def normalised(self) -> Runs:
        """Return the same among the runs that no observation took away."""
        whole = sum(self.ends.values(), self.hung)
        if not whole:
            raise Impossible
        return Runs({key: chance / whole for key, chance in self.ends.items()}, self.hung / whole)


@dataclass(frozen=True)
class Term:
    """An expression: how it is written, and its value in a state."""

    text: str
    value: Callable[[State], int]


class Statement:
    """What stands in a block."""

    def run(self, state: State) -> Runs:
        raise NotImplementedError

    def lines(self) -> Iterator[str]:
        raise NotImplementedError


def run_block(block: Sequence[Statement], state: State) -> Runs:
    """Run statements in a row; runs that jump skip what follows."""
    found = Runs()
    found.add(state, Fraction(1))
    for statement in block:
        after = Runs(hung=found.hung)
        for key, weight in found.ends.items():
            each = dict(key)
            if JUMP in each:
                after.add(each, weight)
            else:
                after.extend(statement.run(each), weight)
        found = after
    return found


def _one(state: State) -> Runs:
    found = Runs()
    found.add(state, Fraction(1))
    return found


def _indented(block: Sequence[Statement]) -> Iterator[str]:
    yield from (f"    {line}" for one in block for line in one.lines())
    if not block:
        yield "    skip"


# --- statements ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Target:
    """What is written: a variable, or an element whose index is an expression."""

    text: str
    name: Callable[[State], str]


@dataclass(frozen=True)
class Draw(Statement):
    """``target ~ law [given test]``."""

    target: Target
    law: str
    chances: Callable[[State], Mapping[int, Fraction]]
    given: Term | None

    def run(self, state: State) -> Runs:
        found = Runs()
        name = self.target.name(state)
        for value, chance in self.chances(state).items():
            after = {**state, name: value}
            if chance and (self.given is None or self.given.value(after)):
                found.add(after, chance)
        return found.normalised()

    def lines(self) -> Iterator[str]:
        yield f"{self.target.text} ~ {self.law}" + ("" if self.given is None else f" given {self.given.text}")


@dataclass(frozen=True)
class Assign(Statement):
    """``target := expression``."""

    target: Target
    value: Term

    def run(self, state: State) -> Runs:
        return _one({**state, self.target.name(state): self.value.value(state)})

    def lines(self) -> Iterator[str]:
        yield f"{self.target.text} := {self.value.text}"


@dataclass(frozen=True)
class Whole(Statement):
    """``xs := array``."""

    text: str
    values: Callable[[State], Sequence[int]]

    def run(self, state: State) -> Runs:
        return _one({**state, **{f"xs[{place}]": value for place, value in enumerate(self.values(state))}})

    def lines(self) -> Iterator[str]:
        yield f"xs := {self.text}"


@dataclass(frozen=True)
class Observe(Statement):
    """``observe test``."""

    test: Term

    def run(self, state: State) -> Runs:
        return _one(state) if self.test.value(state) else Runs()

    def lines(self) -> Iterator[str]:
        yield f"observe {self.test.text}"


@dataclass(frozen=True)
class Branch(Statement):
    """``if test { … } else { … }``."""

    test: Term
    arms: tuple[Sequence[Statement], Sequence[Statement]]

    def run(self, state: State) -> Runs:
        return run_block(self.arms[0 if self.test.value(state) else 1], state)

    def lines(self) -> Iterator[str]:
        yield f"if {self.test.text} {{"
        yield from _indented(self.arms[0])
        if self.arms[1]:
            yield "} else {"
            yield from _indented(self.arms[1])
        yield "}"


@dataclass(frozen=True)
class Jump(Statement):
    """``break``, ``continue``, or ``return`` with results."""

    word: str
    results: Sequence[Term] = ()

    def run(self, state: State) -> Runs:
        results = {f"{RESULT}{place}": each.value(state) for place, each in enumerate(self.results)}
        return _one({**state, JUMP: WORDS.index(self.word), **results})

    def lines(self) -> Iterator[str]:
        yield f"{self.word} {', '.join(each.text for each in self.results)}".strip()


@dataclass(frozen=True)
class For(Statement):
    """``for i in 0..2 { … }``."""

    variable: str
    body: Sequence[Statement]

    def run(self, state: State) -> Runs:
        found = Runs()
        before = _one(state)
        for number in range(SIZE):
            after = Runs(hung=before.hung)
            for key, weight in before.ends.items():
                rounds = run_block(self.body, {**dict(key), self.variable: number})
                after.hung += weight * rounds.hung
                for end, chance in rounds.ends.items():
                    left = dict(end)
                    left.pop(self.variable)
                    jump = left.pop(JUMP, None)
                    if jump == RETURN:
                        left[JUMP] = RETURN
                    (found if jump in (BREAK, RETURN) else after).add(left, weight * chance)
            before = after
        found.extend(before, Fraction(1))
        return found

    def lines(self) -> Iterator[str]:
        yield f"for {self.variable} in 0..{SIZE - 1} {{"
        yield from _indented(self.body)
        yield "}"


@dataclass(frozen=True)
class While(Statement):
    """``while test { … } [never { … }]``, or ``repeat { … } until test [never { … }]``."""

    test: Term
    body: Sequence[Statement]
    never: Sequence[Statement] | None
    repeats: bool

    def run(self, state: State) -> Runs:
        goes_on = self.repeats or bool(self.test.value(state))
        if not goes_on:
            return _one(state)
        start = tuple(sorted(state.items()))
        rounds = self._rounds(start)
        found, never = _ends(start, rounds)
        if self.never is None:
            found.hung += never
        elif never:
            found.extend(run_block(self.never, state), never)
        return found

    def _rounds(self, start: Key) -> dict[Key, tuple[dict[Key, Fraction], Runs]]:
        """Return for each state before a round the chances of such after it, and of ends."""
        found: dict[Key, tuple[dict[Key, Fraction], Runs]] = {}
        waiting = [start]
        while waiting:
            key = waiting.pop()
            if key in found:
                continue
            if len(found) > MOST_STATES:
                raise TooLarge
            steps, out = dict[Key, Fraction](), Runs()
            runs = run_block(self.body, dict(key))
            out.hung = runs.hung
            for end, chance in runs.ends.items():
                after = dict(end)
                jump = after.pop(JUMP, None)
                if jump == RETURN:
                    out.add({**after, JUMP: RETURN}, chance)
                elif jump == BREAK or bool(self.test.value(after)) == self.repeats:
                    out.add(after, chance)
                else:
                    place = tuple(sorted(after.items()))
                    steps[place] = steps.get(place, Fraction(0)) + chance
            found[key] = steps, out
            waiting.extend(steps)
        return found

    def lines(self) -> Iterator[str]:
        yield "repeat {" if self.repeats else f"while {self.test.text} {{"
        yield from _indented(self.body)
        yield f"}} until {self.test.text}" if self.repeats else "}"
        if self.never is not None:
            yield "never {"
            yield from _indented(self.never)
            yield "}"


def _ends(start: Key, rounds: Mapping[Key, tuple[dict[Key, Fraction], Runs]]) -> tuple[Runs, Fraction]:
    """Return the ends of a chain from a state, and the chance that it goes on for ever: how often each state is visited solves a linear system."""
    leaving = {
        key for key, (steps, out) in rounds.items() if sum(steps.values(), sum(out.ends.values())) < 1 or out.ends
    }
    while more := {key for key, (steps, _) in rounds.items() if key not in leaving and not leaving.isdisjoint(steps)}:
        leaving |= more
    if start not in leaving:
        return Runs(), Fraction(1)
    order = sorted(leaving)
    place = {key: number for number, key in enumerate(order)}
    rows = [[Fraction(int(one == other)) for other in range(len(order))] for one in range(len(order))]
    for key in order:
        for after, chance in rounds[key][0].items():
            if after in place:
                rows[place[after]][place[key]] -= chance
    visits = solved(rows, [Fraction(int(key == start)) for key in order])
    found, never = Runs(), Fraction(0)
    for key, often in zip(order, visits, strict=True):
        steps, out = rounds[key]
        found.extend(out, often)
        never += often * sum((chance for after, chance in steps.items() if after not in place), Fraction(0))
    return found, never


def solved(rows: Sequence[Sequence[Fraction]], right: Sequence[Fraction]) -> list[Fraction]:
    """Solve a regular linear system by elimination."""
    table = [[*row, value] for row, value in zip(rows, right, strict=True)]
    for column in range(len(table)):
        pivot = next(row for row in range(column, len(table)) if table[row][column])
        table[column], table[pivot] = table[pivot], table[column]
        head = table[column]
        table[column] = head = [each / head[column] for each in head]
        for row, values in enumerate(table):
            if row != column and (factor := values[column]):
                table[row] = [each - factor * one for each, one in zip(values, head, strict=True)]
    return [row[-1] for row in table]


# --- procedures ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Procedure:
    """``def f(a, b) { … return c, … }``; the array ``xs``, if it is given one, has that name in it, too."""

    name: str
    arguments: Sequence[str]
    body: Sequence[Statement]
    results: int

    def law(self, values: Sequence[int]) -> Runs:
        """Return what it leads to: states with its results, among the runs that pass its observations."""
        begun: State = {"c": 0, "d": 0, **dict(zip(self.arguments, values, strict=True))}
        return run_block(self.body, begun).normalised()

    def lines(self) -> Iterator[str]:
        heads = dict.fromkeys(each.partition("[")[0] for each in self.arguments)
        yield f"def {self.name}({', '.join(heads)}) {{"
        yield "    c := 0"
        yield "    d := 0"
        yield from _indented(self.body)
        yield "}"


@dataclass(frozen=True)
class Call(Statement):
    """``x, y ~ f(a, b)``."""

    targets: Sequence[str]
    procedure: Procedure
    arguments: Sequence[Term]

    def run(self, state: State) -> Runs:
        law = self.procedure.law(arguments_in(self.procedure, self.arguments, state))
        found = Runs(hung=law.hung)
        for key, chance in law.ends.items():
            results = dict(key)
            told = {name: results[f"{RESULT}{place}"] for place, name in enumerate(self.targets)}
            found.add({**state, **told}, chance)
        return found

    def lines(self) -> Iterator[str]:
        yield f"{', '.join(self.targets)} ~ {self.procedure.name}({', '.join(each.text for each in self.arguments)})"


def arguments_in(procedure: Procedure, given: Sequence[Term], state: State) -> list[int]:
    """Return the values of plain arguments; an array that is given stands for its elements."""
    array = [state[name] for name in procedure.arguments if name.startswith("xs[")]
    return [*array, *(each.value(state) for each in given if each.text != "xs")]


@dataclass(frozen=True)
class Program:
    """Procedures and the statements of a program."""

    procedures: Sequence[Procedure]
    begun: Sequence[Statement]
    body: Sequence[Statement]

    @property
    def text(self) -> str:
        lines = ["secret final x", "output z", "enum hue { red, green, blue }"]
        lines += [line for each in self.procedures for line in each.lines()]
        lines += [line for each in (*self.begun, *self.body) for line in each.lines()]
        return "\n".join(lines) + "\n"

    def law(self) -> dict[tuple[int, int, int], Fraction]:
        """Return the joint law of x, y, z in runs that end.

        Raises:
            Impossible: if a local draw, or the program, has no run that passes.
            TooLarge: if a loop has more states than are solved for.
        """
        ends = run_block([*self.begun, *self.body], {}).ends
        found: dict[tuple[int, int, int], Fraction] = {}
        for key, weight in Runs(ends).normalised().ends.items():
            state = dict(key)
            place = state["x"], state["y"], state["z"]
            found[place] = found.get(place, Fraction(0)) + weight
        return found
