"""Random programs of PSI against an interpreter of their trees, which goes through all outcomes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

import pytest

from seepage.imports.psi import of_psi
from seepage.program import parse

State = dict[str, Fraction]
Law = dict[Fraction, Fraction]
World = tuple[Fraction, State]
Meaning = Callable[[State], Iterator[tuple[Fraction, Fraction]]]  # chances and values
VARIABLES = ("x", "y")
OPERATORS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
}


@dataclass(frozen=True)
class Value:
    """An expression: its text, and what it comes to in a state."""

    text: str
    of: Meaning


def value_of(number: Fraction) -> Value:
    return Value(f"({number})", lambda _: iter([(Fraction(1), number)]))


def variable(name: str) -> Value:
    return Value(name, lambda state: iter([(Fraction(1), state[name])]))


def combined(sign: str, left: Value, right: Value) -> Value:
    def of(state: State) -> Iterator[tuple[Fraction, Fraction]]:
        for p, a in left.of(state):
            for q, b in right.of(state):
                yield p * q, OPERATORS[sign](a, b)

    return Value(f"({left.text} {sign} {right.text})", of)


def flip(chance: Value) -> Value:
    def of(state: State) -> Iterator[tuple[Fraction, Fraction]]:
        for p, each in chance.of(state):
            yield p * each, Fraction(1)
            yield p * (1 - each), Fraction(0)

    return Value(f"flip({chance.text})", of)


def whole(low: int, high: int) -> Value:
    chance = Fraction(1, high - low + 1)
    return Value(f"uniformInt({low}, {high})", lambda _: ((chance, Fraction(v)) for v in range(low, high + 1)))


@dataclass
class Writer:
    """Writes a program and goes through its outcomes at once."""

    rng: random.Random
    lines: list[str] = field(default_factory=list)

    def draw(self, *, positive: bool = False) -> Value:
        """Return a draw alone, one in the arguments of which a variable stands, or one in an expression."""
        if positive:
            return whole(1, 2) if self.rng.random() < 0.5 else combined("+", value_of(Fraction(1)), flip(self.chance()))
        alone = flip(self.chance()) if self.rng.random() < 0.5 else whole(0, self.rng.randint(1, 2))
        if self.rng.random() < 0.6:
            return alone
        return combined(self.rng.choice("+-*"), alone, variable(self.rng.choice(VARIABLES)))

    def chance(self) -> Value:
        """Return a number in [0, 1]: of a variable, too, by a comparison that is one of the operands."""
        part = value_of(Fraction(1, self.rng.randint(2, 4)))
        if self.rng.random() < 0.5:
            return part
        name = self.rng.choice(VARIABLES)
        yes = Value(f"({name} > 0)", lambda state: iter([(Fraction(1), Fraction(state[name] > 0))]))
        return combined("*", part, yes)

    def block(self, worlds: list[World], indent: str, count: int) -> list[World]:
        for _ in range(count):
            worlds = self.statement(worlds, indent)
        return worlds

    def statement(self, worlds: list[World], indent: str) -> list[World]:
        kind = self.rng.random()
        if kind < 0.2 and len(indent) < 8:
            return self.branch(worlds, indent)
        if kind < 0.3 and len(indent) < 8:
            return self.loop(worlds, indent)
        name, sign = self.rng.choice(VARIABLES), self.rng.choice(["=", "+=", "-=", "*=", "/="])
        value = self.draw(positive=sign == "/=")
        self.lines.append(f"{indent}{name} {sign} {value.text};")
        new = value if sign == "=" else combined(sign[0], variable(name), value)
        return [(p * q, {**state, name: v}) for p, state in worlds for q, v in new.of(state)]

    def branch(self, worlds: list[World], indent: str) -> list[World]:
        condition = flip(self.chance())
        self.lines.append(f"{indent}if {condition.text} {{")
        split = [(p * q, state, v) for p, state in worlds for q, v in condition.of(state)]
        yes = self.block([(p, state) for p, state, v in split if v], indent + "    ", 1)
        self.lines.append(f"{indent}}} else {{")
        no = self.block([(p, state) for p, state, v in split if not v], indent + "    ", 1)
        self.lines.append(f"{indent}}}")
        return yes + no

    def loop(self, worlds: list[World], indent: str) -> list[World]:
        self.lines.append(f"{indent}for i{len(indent)} in [0..2) {{")
        state, start = self.rng.getstate(), len(self.lines)
        for _ in range(2):  # the same statements
            del self.lines[start:]
            self.rng.setstate(state)
            worlds = self.block(worlds, indent + "    ", 1)
        self.lines.append(f"{indent}}}")
        return worlds


def law(worlds: list[World], name: str) -> Law:
    found: Law = {}
    for p, state in worlds:
        found[state[name]] = found.get(state[name], Fraction(0)) + p
    return found


@pytest.mark.parametrize("seed", range(40))
def test_random_programs_have_the_law_that_their_trees_have(seed: int) -> None:
    writer = Writer(random.Random(seed))
    worlds = writer.block([(Fraction(1), {"x": Fraction(1), "y": Fraction(2)})], "    ", 4)
    text = "\n".join(["def main() {", "    x := 1;", "    y := 2;", *writer.lines, "    return (x, y);", "}"])
    program = parse(of_psi(text))
    for measure, expected in (
        ("E(x)", sum(p * state["x"] for p, state in worlds)),
        ("E(y)", sum(p * state["y"] for p, state in worlds)),
        ("E(x * y)", sum(p * state["x"] * state["y"] for p, state in worlds)),
    ):
        assert program.measure(measure).number == pytest.approx(float(expected), rel=1e-9), (measure, text)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x := 1; x += flip(1/4);", 1.25),
        ("x := 0; for i in [0..3) { x += uniformInt(0, 1); }", 1.5),
        ("x := 3; x -= flip(1/2);", 2.5),
        ("x := 3; x *= uniformInt(1, 2);", 4.5),
        ("x := 3; x /= uniformInt(1, 2);", 2.25),
        ("x := 1; x += categorical([1/2, 1/4, 1/4]);", 1.75),
        ("x := 1/2; x = flip(x / 2);", 0.25),
    ],
)
def test_a_draw_behind_an_operator_is_a_value_of_its_own(body: str, expected: float) -> None:
    assert parse(of_psi(f"def main() {{ {body} return x; }}")).measure("E(x)").number == pytest.approx(expected)
