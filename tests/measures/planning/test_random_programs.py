"""Random programs of several parts, with functions, shared draws and observations, taken apart, against enumeration of all runs."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import isclose, log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.measures.planning.brute_force import (
    Law,
    blind,
    entropy,
    guesses,
    information,
    loss,
    marginal,
    mean,
    min_capacity,
    within,
)
from tests.measures.planning.programs import taken_apart

import seepage

IS_DEEP = os.environ.get("SEEPAGE_DEEP") == "1"
EXAMPLES = 10_000 if IS_DEEP else 40  # of at most nine bits each: none takes long
OPERATORS = ("xor", "and", "or")


@dataclass(frozen=True)
class Draw:
    """``name ~ flip(…)``, with a chance that depends on other bits."""

    name: str
    parents: tuple[str, ...]
    chances: tuple[Fraction, ...]

    def text(self) -> str:
        """Return the statement."""
        if not self.parents:
            return f"{self.name} ~ flip({self.chances[0]})"
        arms = zip(product((0, 1), repeat=len(self.parents)), self.chances, strict=True)
        cases = []
        for values, chance in arms:
            tests = " and ".join(f"{name} == {value}" for name, value in zip(self.parents, values, strict=True))
            cases.append(f"if {tests} {{ {self.name} ~ flip({chance}) }}")
        return " else ".join(cases)

    def chance(self, run: Mapping[str, int]) -> Fraction:
        """Return the chance of 1 in a run so far."""
        place = 0
        for name in self.parents:
            place = 2 * place + run[name]
        return self.chances[place]


@dataclass(frozen=True)
class Assign:
    """``name := left operator right``."""

    name: str
    left: str
    operator: str
    right: str

    def text(self) -> str:
        """Return the statement."""
        return f"{self.name} := {self.left} {self.operator} {self.right}"

    def value(self, run: Mapping[str, int]) -> int:
        """Return the value in a run so far."""
        a, b = run[self.left], run[self.right]
        return {"xor": a ^ b, "and": a & b, "or": a | b}[self.operator]


@dataclass(frozen=True)
class Choose:
    """``name := if condition then yes else no``."""

    name: str
    condition: str
    yes: str
    no: str

    def text(self) -> str:
        """Return the statement."""
        return f"{self.name} := if {self.condition} then {self.yes} else {self.no}"

    def value(self, run: Mapping[str, int]) -> int:
        """Return the value in a run so far."""
        return run[self.yes] if run[self.condition] else run[self.no]


@dataclass(frozen=True)
class Observe:
    """``observe left operator right``."""

    left: str
    operator: str
    right: str

    def text(self) -> str:
        """Return the statement."""
        return f"observe {self.left} {self.operator} {self.right}"

    def passes(self, run: Mapping[str, int]) -> bool:
        """Tell whether a run passes."""
        return bool(Assign("", self.left, self.operator, self.right).value(run))


Statement = Draw | Assign | Choose | Observe


@dataclass(frozen=True)
class Random:
    """A program and what is asked of it."""

    statements: tuple[Statement, ...]
    x: tuple[str, ...]
    y: tuple[str, ...]

    def text(self) -> str:
        """Return the program."""
        return "\n".join(each.text() for each in self.statements)

    def law(self) -> Law | None:
        """Return the joint law of x and y, None if no run passes the observations."""
        runs: list[tuple[dict[str, int], Fraction]] = [({}, Fraction(1))]
        for statement in self.statements:
            match statement:
                case Draw(name=name):
                    runs = [
                        ({**run, name: bit}, mass * (statement.chance(run) if bit else 1 - statement.chance(run)))
                        for run, mass in runs
                        for bit in (0, 1)
                    ]
                case Assign(name=name) | Choose(name=name):
                    runs = [({**run, name: statement.value(run)}, mass) for run, mass in runs]
                case Observe():
                    runs = [(run, mass) for run, mass in runs if statement.passes(run)]
            runs = [(run, mass) for run, mass in runs if mass]
        law: Law = {}
        for run, mass in runs:
            key = tuple(run[name] for name in self.x), tuple(run[name] for name in self.y)
            law[key] = law.get(key, Fraction(0)) + mass
        whole = sum(law.values())
        return {key: mass / whole for key, mass in law.items()} if whole else None


@st.composite
def programs(draw: st.DrawFn) -> Random:
    """Draw a program of five to nine bits: most statements read what is near, so that there are several parts."""
    count = draw(st.integers(5, 9))
    names: list[str] = []
    statements: list[Statement] = []
    chances = st.sampled_from([Fraction(1, 2), Fraction(1, 3), Fraction(3, 4), Fraction(1, 8), Fraction(0)])
    for number in range(count):
        name = f"b{number}"
        near = names[-3:]
        kind = draw(st.sampled_from(["alone", "alone", "after", "function", "choice"])) if near else "alone"
        if kind == "function":
            pick = st.sampled_from(near)
            statements.append(Assign(name, draw(pick), draw(st.sampled_from(OPERATORS)), draw(pick)))
        elif kind == "choice":
            pick = st.sampled_from(near)
            statements.append(Choose(name, draw(pick), draw(pick), draw(pick)))
        else:
            parents = (
                ()
                if kind == "alone"
                else tuple(draw(st.lists(st.sampled_from(near), min_size=1, max_size=2, unique=True)))
            )
            each = draw(st.lists(chances, min_size=2 ** len(parents), max_size=2 ** len(parents)))
            statements.append(Draw(name, parents, tuple(each)))
        names.append(name)
        if len(names) > 1 and draw(st.integers(0, 5)) == 0:
            statements.append(Observe(draw(st.sampled_from(names[-3:])), draw(st.sampled_from(["or", "xor"])), name))
    order = draw(st.permutations(names))
    split = draw(st.integers(1, 3))
    return Random(tuple(statements), tuple(order[:split]), tuple(order[split : split + draw(st.integers(1, 3))]))


def numbers(program: seepage.Program, measures: Sequence[str]) -> list[float | None]:
    """Return what a program's measures are, taken apart."""
    with taken_apart():
        return [program.measure(each).value for each in measures]


@pytest.mark.timeout(0 if IS_DEEP else 120)
@given(programs())
@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
def test_what_is_taken_apart_is_what_enumeration_finds(case: Random) -> None:
    law = case.law()
    if law is None:
        return
    x, y = ", ".join(case.x), ", ".join(case.y)
    expected = {
        f"I({x}; {y})": information(law),
        f"H({x} | {y})": entropy(law.values()) - entropy(marginal(law, 1).values()),
        f"V({x} | {y})": float(within(law, 1)),
        f"Guess({x} | {y})": float(guesses(law)),
        f"Lmin({x} -> {y})": log2(within(law, 1) / within(blind(law), 1)),
        f"G({x} -> {y}, tries(2))": log2(within(law, 2) / within(blind(law), 2)),
        f"Cmin({x} -> {y})": log2(min_capacity(law)),
        f"DP({x} -> {y})": loss(law),
        f"E({' + '.join(case.x)} - {case.y[0]})": float(mean(law, lambda a, b: sum(a) - b[0])),
        f"P({' or '.join(f'{name} == 1' for name in (*case.x, *case.y))})": float(
            mean(law, lambda a, b: int(any(a) or any(b)))
        ),
    }

    found = numbers(seepage.parse(case.text()), list(expected))

    for (measure, right), told in zip(expected.items(), found, strict=True):
        assert told is not None, measure
        assert told == right or isclose(told, right, rel_tol=1e-9, abs_tol=1e-9), (measure, told, right)
