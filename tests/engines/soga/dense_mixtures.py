"""The paper's Table 2 the plain way: every path a component over all variables, with its mean vector and covariance matrix in fractions.

Discrete variables are coordinates of variance 0, conditioning is the textbook formula, nothing is merged or dropped. Programs are random; each statement is
text together with what it does to a list of components.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

ZERO = Fraction(0)
VARIABLES = ("d", "e", "x", "y", "z")
DISCRETE = ("d", "e")
CONTINUOUS = ("x", "y", "z")


@dataclass(frozen=True)
class Path:
    """One component: weight (a density after observations), how many densities are in it, mean and covariance."""

    weight: float
    observed: int
    mean: dict[str, Fraction]
    covariance: dict[tuple[str, str], Fraction]

    def moments(self, form: dict[str, Fraction], constant: Fraction) -> tuple[Fraction, dict[str, Fraction], Fraction]:
        """Mean of a linear form, its covariance with each variable, and its variance."""
        mean = constant + sum(k * self.mean[v] for v, k in form.items())
        with_each = {v: sum((k * self.covariance[v, w] for w, k in form.items()), ZERO) for v in VARIABLES}
        return mean, with_each, sum((k * with_each[v] for v, k in form.items()), ZERO)

    def assign(self, name: str, form: dict[str, Fraction], constant: Fraction, noise: Fraction) -> Path:
        mean, with_each, variance = self.moments(form, constant)
        covariance = dict(self.covariance)
        for v in VARIABLES:
            covariance[name, v] = covariance[v, name] = with_each[v]
        covariance[name, name] = variance + noise
        return replace(self, mean={**self.mean, name: mean}, covariance=covariance)

    def condition(self, form: dict[str, Fraction], constant: Fraction) -> list[Path]:
        mean, with_each, variance = self.moments(form, constant)
        if variance == 0:
            return [self] if mean == 0 else []
        density = math.exp(-(mean**2) / (2 * variance)) / math.sqrt(2 * math.pi * variance)
        return [
            Path(
                self.weight * density,
                self.observed + 1,
                {v: self.mean[v] - with_each[v] * mean / variance for v in VARIABLES},
                {(v, w): c - with_each[v] * with_each[w] / variance for (v, w), c in self.covariance.items()},
            )
        ]


START = Path(1.0, 0, dict.fromkeys(VARIABLES, Fraction(0)), {(v, w): Fraction(0) for v in VARIABLES for w in VARIABLES})


@dataclass(frozen=True)
class Statement:
    text: str
    run: Callable[[Path], list[Path]]


def sequence(statements: list[Statement]) -> Statement:
    def run(path: Path) -> list[Path]:
        paths = [path]
        for statement in statements:
            paths = [after for before in paths for after in statement.run(before)]
        return paths

    return Statement("\n".join(statement.text for statement in statements), run)


Form = Callable[[Path], tuple[dict[str, Fraction], Fraction]]


def _linear(at: Random) -> tuple[str, Form]:
    """A linear expression: numbers or a discrete variable times continuous variables, plus a discrete rest."""
    chosen = at.sample(CONTINUOUS, at.randrange(1, 4))
    factors = [at.choice((1, -1, 2, Fraction(1, 2), "d")) for _ in chosen]
    constant, discrete = at.randrange(-2, 3), at.choice((*DISCRETE, None))
    text = " + ".join(f"({factor}) * {name}" for factor, name in zip(factors, chosen, strict=True))
    text += f" + ({constant})" + (f" + {discrete}" if discrete else "")

    def form(path: Path) -> tuple[dict[str, Fraction], Fraction]:
        values = [path.mean["d"] if factor == "d" else Fraction(factor) for factor in factors]
        rest = constant + (path.mean[discrete] if discrete else Fraction(0))
        return dict(zip(chosen, values, strict=True)), rest

    return text, form


def _sample_discrete(at: Random) -> Statement:
    name, size = at.choice(DISCRETE), at.randrange(2, 4)

    def run(path: Path) -> list[Path]:
        return [
            replace(path.assign(name, {}, Fraction(k), Fraction(0)), weight=path.weight / size) for k in range(size)
        ]

    return Statement(f"{name} ~ uniform_int(0, {size - 1})", run)


def _sample_normal(at: Random) -> Statement:
    name, (text, form) = at.choice(CONTINUOUS), _linear(at)
    variance, scaled = at.randrange(1, 4), at.randrange(2)

    def run(path: Path) -> list[Path]:
        return [path.assign(name, *form(path), variance + scaled * path.mean["e"])]

    return Statement(f"{name} ~ normal({text}, {variance} + {scaled} * e)", run)


def _assign(at: Random) -> Statement:
    name, (text, form) = at.choice(CONTINUOUS), _linear(at)
    return Statement(f"{name} := {text}", lambda path: [path.assign(name, *form(path), Fraction(0))])


def _observe(at: Random) -> Statement:
    if not at.randrange(3):
        name, value = at.choice(DISCRETE), at.randrange(3)
        return Statement(f"observe({name} != {value})", lambda path: [path] if path.mean[name] != value else [])
    text, form = _linear(at)
    return Statement(f"observe({text} == 0)", lambda path: path.condition(*form(path)))


def _branch(at: Random) -> Statement:
    name, value = at.choice(DISCRETE), at.randrange(2)
    first, second = (sequence([statement(at, 0) for _ in range(at.randrange(1, 3))]) for _ in range(2))
    return Statement(
        f"if {name} == {value} {{\n{first.text}\n}} else {{\n{second.text}\n}}",
        lambda path: (first if path.mean[name] == value else second).run(path),
    )


def statement(at: Random, depth: int = 1) -> Statement:
    match at.randrange(8):
        case 0:
            return _sample_discrete(at)
        case 1 | 2:
            return _sample_normal(at)
        case 3 | 4:
            return _assign(at)
        case 5:
            return _observe(at)
        case _ if depth:
            return _branch(at)
        case _:
            return _sample_normal(at)


def _assigned_zero(name: str) -> Statement:
    return Statement(f"{name} := 0", lambda path: [path.assign(name, {}, ZERO, ZERO)])


def program(seed: int) -> Statement:
    at = Random(seed)
    zero = [_assigned_zero(name) for name in VARIABLES]
    start = [_sample_discrete(at), _sample_normal(at), _sample_normal(at)]
    return sequence([*zero, *start, *(statement(at) for _ in range(at.randrange(3, 9)))])


def event(at: Random) -> Statement:
    """An event of one to three parts, as a measure's condition; ``text`` is the expression."""
    parts = [_observe(at) for _ in range(at.randrange(1, 4))]
    whole = sequence(parts)
    return Statement(" and ".join(f"({part.text.removeprefix('observe')})" for part in parts), whole.run)


def settled(ends: list[Path]) -> list[Path]:
    """Return the components that count, those with the fewest densities, ready to count anew."""
    fewest = min((path.observed for path in ends), default=0)
    return [replace(path, observed=0) for path in ends if path.observed == fewest]


def paths(program: Statement) -> list[Path]:
    """Return the components that the program ends with."""
    return settled(program.run(START))
