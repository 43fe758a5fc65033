"""Makes the random programs of :mod:`tests.language.random_language`."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from tests.language.random_language import (
    RESULT,
    SIZE,
    Assign,
    Branch,
    Call,
    Draw,
    For,
    Jump,
    Observe,
    Procedure,
    Program,
    State,
    Statement,
    Target,
    Term,
    While,
    Whole,
    arguments_in,
)

COLOURS = ("red", "green", "blue")


@dataclass(frozen=True)
class Maker:
    """Makes parts of programs.

    Attributes:
        source: of chance.
        names: plain variables that are read.
        written: those that are written.
        extra: what else there is: ``xs``, ``colour``, ``p``.
        drawing: procedures with draws that may be called.
        pure: procedures without.
        loops: how many loops around may still be begun.
        jumps: ``break`` and ``continue``, where they may stand.
        results: of the procedure that is made, 0 in the program.
    """

    source: random.Random
    names: Sequence[str]
    written: Sequence[str]
    extra: frozenset[str]
    drawing: Sequence[Procedure] = ()
    pure: Sequence[Procedure] = ()
    loops: int = 2
    jumps: Sequence[str] = ()
    results: int = 0
    is_pure: bool = False

    @property
    def depth(self) -> int:
        """How deep expressions are; those of procedures without chance stand in others."""
        return 1 if self.is_pure else 2

    # --- expressions ----------------------------------------------------------------------------------------------------

    def number(self, depth: int | None = None) -> Term:
        """Return an expression of 0, 1 or 2."""
        depth = self.depth if depth is None else depth
        choices: list[Callable[[int], Term]] = [self._name, self._name]
        if depth:
            choices += [self._constant, self._product, self._sum, self._conditional, self._least]
            choices += [self._element, self._whole, self._whole] if "xs" in self.extra else []
            choices += [self._field] if "p" in self.extra else []
            choices += [self._called] if self.pure else []
        return self.source.choice(choices)(depth - 1)

    def _name(self, _: int) -> Term:
        name = self.source.choice(self.names)
        return Term(name, lambda state: state[name])

    def _constant(self, _: int) -> Term:
        value = self.source.randrange(SIZE)
        return Term(str(value), lambda _: value)

    def _product(self, depth: int) -> Term:
        left, right = self.number(depth), self.number(depth)
        return Term(
            f"({left.text} * {right.text} + 1) % 3", lambda state: (left.value(state) * right.value(state) + 1) % 3
        )

    def _sum(self, depth: int) -> Term:
        left, right = self.number(depth), self.number(depth)
        return Term(f"({left.text} + {right.text}) % 3", lambda state: (left.value(state) + right.value(state)) % 3)

    def _conditional(self, depth: int) -> Term:
        test, one, other = self.test(depth), self.number(depth), self.number(depth)
        return Term(
            f"(if {test.text} then {one.text} else {other.text})",
            lambda state: one.value(state) if test.value(state) else other.value(state),
        )

    def _least(self, depth: int) -> Term:
        left, right = self.number(depth), self.number(depth)
        return Term(f"min({left.text}, {right.text})", lambda state: min(left.value(state), right.value(state)))

    def _element(self, depth: int) -> Term:
        index = self.number(depth)
        return Term(f"xs[{index.text}]", lambda state: state[f"xs[{index.value(state)}]"])

    def _field(self, _: int) -> Term:
        name = self.source.choice(["p.u", "p.v"])
        return Term(name, lambda state: state[name])

    def _whole(self, depth: int) -> Term:
        at = self.source.randrange(SIZE)
        text, value = self.source.choice(_OF_ARRAYS)
        return Term(text.format(at=at), lambda state: value(_array(state), at))

    def _called(self, depth: int) -> Term:
        procedure = self.source.choice(self.pure)
        given = self._arguments(procedure, depth)

        def value(state: State) -> int:
            (end,) = procedure.law(arguments_in(procedure, given, state)).ends
            return dict(end)[f"{RESULT}0"]

        return Term(f"{procedure.name}({', '.join(each.text for each in given)})", value)

    def _arguments(self, procedure: Procedure, depth: int) -> list[Term]:
        plain = [self.number(depth) for each in procedure.arguments if "[" not in each]
        whole = [Term("xs", lambda _: 0)] if len(plain) < len(procedure.arguments) else []
        return [*whole, *plain]

    def test(self, depth: int = 1) -> Term:
        """Return a truth."""
        kinds = ["unequal", "unequal", "less", "in", "not", "and"]
        kinds += ["any", "all"] if "xs" in self.extra else []
        kinds += ["colour", "colour"] if "colour" in self.extra else []
        at = self.source.randrange(SIZE)
        match self.source.choice(kinds):
            case "less":
                left, right = self.number(depth), self.number(depth)
                return Term(f"{left.text} <= {right.text}", lambda state: left.value(state) <= right.value(state))
            case "in":
                one, two = self.number(depth), self.number(0)
                return Term(
                    f"{one.text} in {{{two.text}, {at}..{at + 1}}}",
                    lambda state: one.value(state) in (two.value(state), at, at + 1),
                )
            case "not" if depth:
                inner = self.test(depth - 1)
                return Term(f"not ({inner.text})", lambda state: not inner.value(state))
            case "and" if depth:
                one, two = self.test(depth - 1), self.test(depth - 1)
                word = self.source.choice(["and", "or"])
                either = word == "or"
                return Term(
                    f"(({one.text}) {word} ({two.text}))",
                    lambda state: (
                        bool(one.value(state)) | bool(two.value(state))
                        if either
                        else bool(one.value(state)) & bool(two.value(state))
                    ),
                )
            case "any":
                return Term(f"any(x == {at} for x in xs)", lambda state: at in _array(state))
            case "all":
                return Term(f"all(x >= {at} for x in xs)", lambda state: min(_array(state)) >= at)
            case "colour":
                if self.source.random() < 0.5:
                    return Term(f'colour != "{COLOURS[at]}"', lambda state: state["colour"] != at)
                return Term(f'colour in {{"{COLOURS[at]}", red}}', lambda state: state["colour"] in (at, 0))
            case _:
                name = self.source.choice(self.names)
                term = self.number(depth)
                return Term(
                    f"({name} + {term.text}) % 3 != {at}",
                    lambda state: (state[name] + term.value(state)) % 3 != at,
                )

    # --- statements -----------------------------------------------------------------------------------------------------

    def block(self, size: int) -> list[Statement]:
        """Return some statements."""
        return [self.statement(size) for _ in range(size)]

    def target(self) -> Target:
        """Return what may be written with a number."""
        kinds = ["name", "name", "name"]
        kinds += ["element"] if "xs" in self.extra else []
        kinds += ["field"] if "p" in self.extra else []
        match self.source.choice(kinds):
            case "element":
                index = self.number(1)
                return Target(f"xs[{index.text}]", lambda state: f"xs[{index.value(state)}]")
            case "field":
                name = self.source.choice(["p.u", "p.v"])
            case _:
                name = self.source.choice(self.written)
        return Target(name, lambda _: name)

    def statement(self, size: int) -> Statement:
        """Return a statement, with at most so many in a block of it."""
        kinds = ["assign", "assign", "branch"]
        if not self.is_pure:
            kinds += ["draw"] * 4 + ["given", "observe", "call", "call", "while", "while"]
        kinds += ["for"] if self.loops else []
        kinds += ["whole"] if "xs" in self.extra else []
        kinds += ["colour"] if "colour" in self.extra else []
        kinds += ["jump", "jump"] if self.jumps or self.results else []
        match self.source.choice(kinds):
            case "draw":
                return self._draw(None)
            case "given":
                return self._draw(self.test() if self.source.random() < 0.4 else None)
            case "observe" if self.source.random() < 0.3:
                return Observe(self.test())
            case "branch" if size > 1:
                return Branch(self.test(), (self.block(size // 2), self.block(self.source.randrange(size // 2 + 1))))
            case "call" if self.drawing:
                procedure = self.source.choice(self.drawing)
                targets = self.source.sample(self.written, procedure.results)
                return Call(targets, procedure, self._arguments(procedure, 1))
            case "while" if self.loops and size > 1:
                return self._while(size)
            case "for" if size > 1:
                return self._for(size)
            case "whole":
                return self._whole_array()
            case "colour":
                return self._colour()
            case "jump":
                return self._jump()
            case _:
                return Assign(self.target(), self.number())

    def _draw(self, given: Term | None) -> Draw:
        target = self.target() if given is None else self._plain()
        first, second, third = self.source.randint(0, 3), self.source.randint(1, 3), self.source.randint(0, 2)
        total = first + second + third
        table: dict[int, Fraction] = {0: Fraction(first, total), 1: Fraction(second, total), 2: Fraction(third, total)}
        kinds = ["table", "table", "flip", "weights", "uniform"] + (["uniform_of"] if "xs" in self.extra else [])
        match self.source.choice(kinds):
            case "flip":
                name = self.source.choice(self.names)
                return Draw(
                    target,
                    f"flip((1 + {name}) / 4)",
                    lambda state: {0: 1 - Fraction(1 + state[name], 4), 1: Fraction(1 + state[name], 4)},
                    given,
                )
            case "weights":
                return Draw(target, f"weights([{first}, {second}, {third}])", lambda _: table, given)
            case "uniform":
                name = self.source.choice(self.names)
                return Draw(
                    target,
                    f"uniform_int(0, {name})",
                    lambda state: {at: Fraction(1, state[name] + 1) for at in range(state[name] + 1)},
                    given,
                )
            case "uniform_of":
                return Draw(target, "uniform_of(xs)", _uniform_of, given)
            case _:
                law = ", ".join(f"{at}: {each.numerator}/{each.denominator}" for at, each in table.items())
                return Draw(target, f"{{{law}}}", lambda _: table, given)

    def _plain(self) -> Target:
        name = self.source.choice(self.written)
        return Target(name, lambda _: name)

    def _while(self, size: int) -> Statement:
        inside = replace(self, loops=self.loops - 1, jumps=("break", "continue"))
        never = self.block(size // 2) if self.source.random() < 0.3 else None
        return While(self.test(), inside.block(self.source.randint(1, size)), never, self.source.random() < 0.4)

    def _for(self, size: int) -> Statement:
        variable = f"i{self.loops}"
        inside = replace(self, loops=self.loops - 1, names=(*self.names, variable), jumps=("break", "continue"))
        return For(variable, inside.block(size // 2))

    def _whole_array(self) -> Statement:
        match self.source.choice(
            ["literal", "comprehension"] if self.is_pure else ["sort", "literal", "comprehension"]
        ):
            case "sort":
                return Whole("sort(xs)", lambda state: sorted(_array(state)))
            case "literal":
                parts = [self.number(1) for _ in range(SIZE)]
                return Whole(
                    f"[{', '.join(each.text for each in parts)}]",
                    lambda state: [each.value(state) for each in parts],
                )
            case _:
                added = self.source.choice(self.names)
                return Whole(
                    f"[(e + {added}) % 3 for e in xs]",
                    lambda state: [(each + state[added]) % 3 for each in _array(state)],
                )

    def _colour(self) -> Statement:
        name = Target("colour", lambda _: "colour")
        at = self.source.randrange(len(COLOURS))
        if self.source.random() < 0.4:
            return Assign(name, Term(self.source.choice([f'"{COLOURS[at]}"', COLOURS[at]]), lambda _: at))
        weights = [self.source.randint(1, 3) for _ in COLOURS]
        law = ", ".join(f'"{each}": {one}/{sum(weights)}' for each, one in zip(COLOURS, weights, strict=True))
        chances = {each: Fraction(one, sum(weights)) for each, one in enumerate(weights)}
        return Draw(name, f"{{{law}}}", lambda _: chances, None)

    def _jump(self) -> Statement:
        words = [*self.jumps, *(["return"] if self.results else [])]
        word = self.source.choice(words)
        results = [self.number(1) for _ in range(self.results)] if word == "return" else []
        return Branch(self.test(), ([Jump(word, results)], []))


def _array(state: State) -> list[int]:
    return [state[f"xs[{place}]"] for place in range(SIZE)]


def _uniform_of(state: State) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for each in _array(state):
        found[each] = found.get(each, Fraction(0)) + Fraction(1, SIZE)
    return found


_OF_ARRAYS: list[tuple[str, Callable[[list[int], int], int]]] = [
    ("max(xs)", lambda xs, _: max(xs)),
    ("min(xs)", lambda xs, _: min(xs)),
    ("sum(xs) % 3", lambda xs, _: sum(xs) % 3),
    ("sum(x for x in xs if x > {at}) % 3", lambda xs, at: sum(each for each in xs if each > at) % 3),
    ("min(count(x == {at} for x in xs), 2)", lambda xs, at: min(xs.count(at), 2)),
    ("argmax(xs)", lambda xs, _: xs.index(max(xs))),
    ("argmin(xs)", lambda xs, _: xs.index(min(xs))),
    ("max(xs[0..1])", lambda xs, _: max(xs[:2])),
    ("popcount(xs[{at}])", lambda xs, at: xs[at].bit_count()),
    ("(length(xs) - 1)", lambda xs, _: len(xs) - 1),
]


def random_program(source: random.Random) -> Program:
    """Return a program with procedures, loops that end by chance, arrays, records and symbols."""
    pure = [
        _procedure(source, f"g{number}", is_pure=True, drawing=[], pure=[]) for number in range(source.randint(0, 2))
    ]
    drawing: list[Procedure] = []
    for number in range(source.randint(0, 3)):
        drawing.append(_procedure(source, f"f{number}", is_pure=False, drawing=list(drawing), pure=pure))
    extra = frozenset(source.sample(["xs", "colour", "p"], source.randint(0, 1)) + (["xs"] if pure or drawing else []))
    begun: list[Statement] = [_set(name, source.randrange(SIZE)) for name in "xyz"]
    if "p" in extra:
        begun += [_set("p.u", 0), _set("p.v", 1)]
    maker = Maker(source, "xyz", "xyz", extra, drawing, pure)
    if "xs" in extra:
        begun.append(Whole("[0, 1, 2]", lambda _: [0, 1, 2]))
    if "colour" in extra:
        begun.append(Assign(Target("colour", lambda _: "colour"), Term("red", lambda _: 0)))
    return Program([*pure, *drawing], begun, maker.block(source.randint(3, 5)))


def _set(name: str, value: int) -> Statement:
    return Assign(Target(name, lambda _: name), Term(str(value), lambda _: value))


def _procedure(
    source: random.Random, name: str, *, is_pure: bool, drawing: Sequence[Procedure], pure: Sequence[Procedure]
) -> Procedure:
    arrays = [f"xs[{place}]" for place in range(SIZE)] if source.random() < 0.4 else []
    results = 1 if is_pure else source.randint(1, 2)
    maker = Maker(
        source,
        "abcd",
        "cd",
        frozenset(["xs"] if arrays else []),
        [each for each in drawing if arrays or "xs[0]" not in each.arguments],
        [each for each in pure if arrays or "xs[0]" not in each.arguments],
        loops=1,
        results=results,
        is_pure=is_pure,
    )
    # What stands in an expression is put in the place of its call whole, so that long ones are refused there.
    body = [
        *maker.block(source.randint(1, 2 if is_pure else 4)),
        Jump("return", [maker.number() for _ in range(results)]),
    ]
    return Procedure(name, [*arrays, "a", "b"], body, results)
