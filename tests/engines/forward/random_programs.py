"""Random discrete programs as text, each with a meaning of its own: every path enumerated in fractions.

The enumeration shares nothing with the engines: no parser, no core program, no ring.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

Env = dict[str, Fraction]
Paths = list[tuple[Env, Fraction]]
VARIABLES = ("a", "b", "c", "m[0]", "m[1]")


@dataclass(frozen=True)
class Piece:
    """Text of an expression, a law or a statement, with what it means in an environment."""

    text: str
    meaning: Callable[[Env], Any]  # a number or a truth, a law as a list, or the paths of a statement


def _binary(symbol: str, operation: Callable[[Fraction, Fraction], Fraction | bool]) -> Callable[[Piece, Piece], Piece]:
    def build(x: Piece, y: Piece) -> Piece:
        return Piece(f"({x.text} {symbol} {y.text})", lambda env: operation(x.meaning(env), y.meaning(env)))

    return build


def number(at: Random, depth: int = 2) -> Piece:
    kind = at.randrange(9) if depth else at.randrange(2)
    match kind:
        case 0:
            constant = at.randrange(4)
            return Piece(str(constant), lambda env: Fraction(constant))
        case 1 | 2:
            name = at.choice(VARIABLES)
            return Piece(name, lambda env: env[name])
        case 3:
            return _binary("+", lambda x, y: x + y)(number(at, depth - 1), number(at, depth - 1))
        case 4:
            return _binary("-", lambda x, y: x - y)(number(at, depth - 1), number(at, depth - 1))
        case 5:
            return _binary("*", lambda x, y: x * y)(number(at, depth - 1), number(at, depth - 1))
        case 6:
            inner, divisor = number(at, depth - 1), at.choice((2, 3))
            if at.randrange(2):
                return Piece(f"({inner.text} / {divisor})", lambda env: inner.meaning(env) / divisor)
            return Piece(f"({inner.text} % {divisor})", lambda env: inner.meaning(env) % divisor)
        case 7:
            b, x, y = condition(at, depth - 1), number(at, depth - 1), number(at, depth - 1)
            return Piece(
                f"(if {b.text} then {x.text} else {y.text})",
                lambda env: x.meaning(env) if b.meaning(env) else y.meaning(env),
            )
        case _:
            b = condition(at, depth - 1)
            return Piece(f"m[if {b.text} then 0 else 1]", lambda env: env["m[0]" if b.meaning(env) else "m[1]"])


def condition(at: Random, depth: int = 2) -> Piece:
    if depth and not at.randrange(3):
        x, y = condition(at, depth - 1), condition(at, depth - 1)
        match at.randrange(4):
            case 0:
                return Piece(f"(not {x.text})", lambda env: not x.meaning(env))
            case 1:
                return _binary("and", lambda p, q: p and q)(x, y)
            case 2:
                return _binary("or", lambda p, q: p or q)(x, y)
            case _:
                return _binary("xor", lambda p, q: p != q)(x, y)
    symbol, operation = at.choice(
        (("==", operator.eq), ("!=", operator.ne), ("<", operator.lt), ("<=", operator.le), (">", operator.gt))
    )
    inner = max(depth - 1, 0)
    return _binary(symbol, operation)(number(at, inner), number(at, inner))


THIRD, HALF, SIXTH = Fraction(1, 3), Fraction(1, 2), Fraction(1, 6)
LAWS = {
    "bernoulli(1/3)": [(1, THIRD), (0, 1 - THIRD)],
    "uniform_int(-1, 1)": [(-1, THIRD), (0, THIRD), (1, THIRD)],
    "{0: 1/2, 1: 1/3, 3/2: 1/6}": [(0, HALF), (1, THIRD), (Fraction(3, 2), SIXTH)],
    "categorical(1/2, 0, 1/2)": [(0, HALF), (2, HALF)],
    "binomial(2, 1/3)": [(0, Fraction(4, 9)), (1, Fraction(4, 9)), (2, Fraction(1, 9))],
    "hypergeometric(4, 2, 2)": [(0, SIXTH), (1, 4 * SIXTH), (2, SIXTH)],
    "1/2 * bernoulli(1/3) + 1/2 * uniform_int(0, 1)": [(1, Fraction(5, 12)), (0, Fraction(7, 12))],
}


def law(at: Random) -> Piece:
    match at.randrange(4):
        case 0:
            b = condition(at, 1)
            return Piece(
                f"bernoulli(if {b.text} then 1/4 else 2/3)",
                lambda env: [(1, p := HALF / 2 if b.meaning(env) else 2 * THIRD), (0, 1 - p)],
            )
        case 1:
            x, y = number(at, 1), number(at, 1)
            return Piece(
                f"uniform_of({x.text}, {y.text})", lambda env: [(x.meaning(env), HALF), (y.meaning(env), HALF)]
            )
        case _:
            text = at.choice(tuple(LAWS))
            return Piece(text, lambda env: LAWS[text])


def _assign(name: str, value: Piece) -> Piece:
    return Piece(f"{name} := {value.text}", lambda env: [({**env, name: Fraction(value.meaning(env))}, Fraction(1))])


def _sample(name: str, law: Piece) -> Piece:
    def run(env: Env) -> Paths:
        return [({**env, name: Fraction(value)}, weight) for value, weight in law.meaning(env)]

    return Piece(f"{name} ~ {law.text}", run)


def _write(index: Piece, value: Piece) -> Piece:
    def run(env: Env) -> Paths:
        name = "m[0]" if index.meaning(env) else "m[1]"
        return [({**env, name: Fraction(value.meaning(env))}, Fraction(1))]

    return Piece(f"m[if {index.text} then 0 else 1] := {value.text}", run)


def _observe(condition: Piece) -> Piece:
    return Piece(f"observe({condition.text})", lambda env: [(env, Fraction(1))] if condition.meaning(env) else [])


def _branch(condition: Piece, first: Piece, second: Piece) -> Piece:
    return Piece(
        f"if {condition.text} {{\n{first.text}\n}} else {{\n{second.text}\n}}",
        lambda env: (first if condition.meaning(env) else second).meaning(env),
    )


def _loop(body: Piece, times: int) -> Piece:
    return Piece(f"for i in 1..{times} {{\n{body.text}\n}}", sequence([body] * times).meaning)


def addition(at: Random) -> Piece:
    """Return a statement that adds to 'b', perhaps in a branch or a loop."""
    other = at.choice(("a", "c", "m[0]", "m[1]"))
    amount, factor = at.randrange(-1, 4), at.choice((0, 1, 1, 2, Fraction(1, 2)))
    text = f"{factor} * abs({other}) + {amount}"
    add = Piece(
        f"b := b + ({text})", lambda env: [({**env, "b": env["b"] + factor * abs(env[other]) + amount}, Fraction(1))]
    )
    match at.randrange(4):
        case 0:
            return _branch(condition(at, 1), add, sequence([addition(at)]))
        case 1:
            return _loop(sequence([_sample(other, law(at)), add]), 2)
        case _:
            return add


def sequence(statements: list[Piece]) -> Piece:
    def run(env: Env) -> Paths:
        paths: Paths = [(env, Fraction(1))]
        for statement in statements:
            paths = [(after, p * q) for before, p in paths for after, q in statement.meaning(before)]
        return paths

    return Piece("\n".join(statement.text for statement in statements), run)


def statement(at: Random, depth: int = 2) -> Piece:
    match at.randrange(9):
        case 8:
            return _loop(sequence([statement(at, 0)]), 2)
        case 0 | 1:
            return _assign(at.choice(VARIABLES), number(at))
        case 2 | 3:
            return _sample(at.choice(VARIABLES), law(at))
        case 4:
            return _write(condition(at, 1), number(at, 1))
        case 5:
            return _observe(condition(at))
        case _ if depth:
            bodies = [sequence([statement(at, depth - 1) for _ in range(at.randrange(3))]) for _ in range(2)]
            return _branch(condition(at), *bodies)
        case _:
            return _sample(at.choice(VARIABLES), law(at))


def program(seed: int) -> Piece:
    """Return a program that writes every variable, over at most a few hundred paths."""
    at = Random(seed)
    start = [_assign(name, Piece("0", lambda env: Fraction(0))) for name in VARIABLES]
    coins = [_sample(at.choice(VARIABLES), law(at)) for _ in range(2)]
    return sequence([*start, *coins, *(statement(at) for _ in range(at.randrange(1, 6)))])


def counting(seed: int) -> Piece:
    """Return a program that mostly adds to one variable."""
    at = Random(seed)
    start = [_assign(name, Piece("0", lambda env: Fraction(0))) for name in VARIABLES]
    coins = [_sample(at.choice(VARIABLES), law(at)) for _ in range(2)]
    body = [statement(at, 0) if not at.randrange(4) else addition(at) for _ in range(at.randrange(2, 6))]
    return sequence([*start, *coins, *body])


def asked(seed: int) -> tuple[str, ...]:
    """Return one to three of the variables."""
    at = Random(~seed)
    return tuple(at.sample(VARIABLES, at.randrange(1, 4)))


def joint_of(program: Piece, asked: tuple[str, ...]) -> dict[tuple[Fraction, ...], Fraction]:
    """Return the mass of each combination of values, by enumeration of paths."""
    masses: dict[tuple[Fraction, ...], Fraction] = {}
    for env, weight in program.meaning({}):
        key = tuple(env[name] for name in asked)
        masses[key] = masses.get(key, Fraction(0)) + weight
    return masses
