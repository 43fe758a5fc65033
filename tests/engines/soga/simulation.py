"""Random mixed programs and their simulation: the tree interpreted statement by statement on arrays of runs, with numpy's own generators.

Nothing is shared with the engines but the tree. Runs that an observation discards are masked. Programs observe no equality of continuous values, which no
simulation meets.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from random import Random

import numpy as np
from numpy.typing import NDArray

from seepage.semantics.core import CoreAssign, CoreIf, CoreObserve, CoreProgram, CoreSample
from seepage.syntax import tree

Runs = NDArray[np.float64]
Chosen = NDArray[np.bool_]
DISCRETE, CONTINUOUS = ("d", "e", "k"), ("x", "y", "z")


def simulate(core: CoreProgram, count: int, seed: int) -> dict[str, Runs]:
    """Return the values of all variables in the runs that pass, of ``count`` that start."""
    machine = _Simulation(np.random.default_rng(seed), count)
    machine.block(core.statements, np.ones(count, dtype=bool))
    return {name: machine.values(name)[machine.alive] for name in core.variables}


class _Simulation:
    def __init__(self, random: np.random.Generator, count: int) -> None:
        self.random, self.count = random, count
        self.store: dict[str, Runs] = {}
        self.alive = np.ones(count, dtype=bool)

    def values(self, name: str) -> Runs:
        return self.store.setdefault(name, np.zeros(self.count))

    def block(self, statements: tuple[object, ...], here: Chosen) -> None:
        for statement in statements:
            match statement:
                case CoreAssign(target=tree.Name(id=name), value=value):
                    self.store[name] = np.where(here, self.of(value), self.values(name))
                case CoreSample(target=tree.Name(id=name), distribution=distribution):
                    self.store[name] = np.where(here, self.draw(distribution), self.values(name))
                case CoreObserve(condition=condition):
                    self.alive &= ~here | (self.of(condition) != 0)
                case CoreIf(condition=condition, consequent=first, alternative=second):
                    truth = self.of(condition) != 0
                    self.block(first, here & truth)
                    self.block(second, here & ~truth)
                case _:
                    raise NotImplementedError(statement)

    def draw(self, distribution: tree.Distribution) -> Runs:
        if isinstance(distribution, tree.Mixture):
            weights = [self.of(weight) for weight, _ in distribution.parts]
            parts = [self.draw(part) for _, part in distribution.parts]
            which = self.random.random(self.count)
            result, below = parts[-1], np.zeros(self.count)
            for weight, part in zip(weights[:-1], parts[:-1], strict=True):
                result = np.where((which >= below) & (which < below + weight), part, result)
                below = below + weight
            return result
        assert isinstance(distribution, tree.Family)
        a = [self.of(argument.value) for argument in distribution.arguments]
        random = self.random
        match distribution.name:
            case "flip":
                return (random.random(self.count) < a[0]).astype(float)
            case "uniform_int":
                return np.floor(a[0] + random.random(self.count) * (a[1] - a[0] + 1))
            case "uniform_of":
                return np.choose(random.integers(len(a), size=self.count), a)
            case "poisson":
                return random.poisson(a[0]).astype(float)
            case "geometric":
                return random.geometric(a[0]).astype(float) - 1
            case "normal":
                return a[0] + np.sqrt(a[1]) * random.normal(size=self.count)
            case "uniform":
                return a[0] + (a[1] - a[0]) * random.random(self.count)
            case "exponential":
                return random.exponential(size=self.count) / a[0]
            case "laplace":
                return a[0] + a[1] * random.laplace(size=self.count)
            case "beta":
                return random.beta(a[0], a[1])
            case "gamma":
                return random.gamma(a[0]) / a[1]
            case "lognormal":
                return np.exp(a[0] + np.sqrt(a[1]) * random.normal(size=self.count))
            case "student_t":
                return a[1] + a[2] * random.standard_t(a[0])
            case "triangular":
                return random.triangular(a[0], a[1], a[2])
            case name:
                raise NotImplementedError(name)

    def of(self, expression: tree.Expression) -> Runs:
        match expression:
            case tree.Number(value=value):
                return np.full(self.count, float(value))
            case tree.Boolean(value=value):
                return np.full(self.count, float(value))
            case tree.Name(id=name):
                return self.values(name)
            case tree.Parenthesized(inner=inner):
                return self.of(inner)
            case tree.Unary(operator="-", operand=operand):
                return -self.of(operand)
            case tree.Binary(operator=operator, left=left, right=right):
                return self.operation(operator, self.of(left), self.of(right))
            case _:
                raise NotImplementedError(expression)

    def operation(self, operator: str, a: Runs, b: Runs) -> Runs:
        match operator:
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return a * b
            case "/":
                return a / b
            case "==":
                return np.equal(a, b).astype(float)
            case "!=":
                return np.not_equal(a, b).astype(float)
            case ">":
                return (a > b).astype(float)
            case "<":
                return (a < b).astype(float)
            case "and":
                return a * b
            case _:
                raise NotImplementedError(operator)


# --- programs ---------------------------------------------------------------------------------------------------------

LAWS = (
    "normal({e}, 1 + {d})",
    "normal({x} - {d}, 1/2)",
    "1/3 * normal({d}, 1) + 2/3 * normal({x}, 2)",
    "1/4 * uniform_of({d}) + 3/4 * normal(1, 1 + {e})",
    "uniform(-1, {e} + 1)",
    "exponential(1 + {d})",
    "laplace({x}, 1)",
    "laplace({e}, 1 + {d})",
    "beta(2, 3 + {d})",
    "gamma(2 + {e}, 3)",
    "lognormal(0, 1/4)",
    "student_t(9, {d}, 1)",
    "triangular(-1, 0, 1 + {e})",
)
FORMS = ("{x} + {y}", "2 * {x} - {y} + {d}", "{d} * {x} - {e}", "{x} / 2", "{x} + {k}", "{y} - {x} * {e}")


def program(seed: int) -> str:
    """Return a program of exact moments: linear in continuous values, branches and observations on discrete ones, a sign of a normal of its own."""
    at = Random(seed)
    lines = [
        "d ~ flip(1/3)",
        "e ~ uniform_int(0, 2)",
        at.choice(("k ~ poisson(2)", "k ~ geometric(1/2)", "k ~ flip(d / 2 + 1/4)")),
    ]
    lines += [f"{name} ~ {_filled(at, at.choice(LAWS[:2]))}" for name in CONTINUOUS]
    lines += [_statement(at, 1) for _ in range(at.randrange(3, 7))]
    return "\n".join(lines)


def _filled(at: Random, text: str) -> str:
    chosen = at.sample(CONTINUOUS, 2)
    return text.format(x=chosen[0], y=chosen[1], d="d", e="e", k="k")


def _statement(at: Random, depth: int) -> str:
    match at.randrange(7):
        case 0 | 1:
            return f"{at.choice(CONTINUOUS)} ~ {_filled(at, at.choice(LAWS))}"
        case 2 | 3:
            return f"{at.choice(CONTINUOUS)} := {_filled(at, at.choice(FORMS))}"
        case 4:
            return f"observe({at.choice(('e != 1', 'd == 0', 'k > 0', 'k + d < 4', 'e + d > 0'))})"
        case 5 if depth:
            first, second = (_statement(at, 0) for _ in range(2))
            return f"if {at.choice(('d == 1', 'e > 0', 'k > 1'))} {{ {first} }} else {{ {second} }}"
        case _:
            return f"s ~ normal(d, 1)\nd := s > {at.randrange(2)}"


def within_six_errors(found: float, sample: Runs) -> bool:
    """Tell whether a mean is one that a sample may have: six standard errors, and the rounding of a constant."""
    error = float(sample.std()) / math.sqrt(len(sample))
    return abs(found - float(sample.mean())) <= 6 * error + 1e-9


def chances(runs: Mapping[str, Runs], names: tuple[str, ...]) -> dict[tuple[int, ...], float]:
    """Return how often discrete variables have each of their values."""
    values, counts = np.unique(np.stack([runs[name] for name in names], axis=1), axis=0, return_counts=True)
    whole = int(counts.sum())
    return {tuple(int(v) for v in value): int(n) / whole for value, n in zip(values, counts, strict=True)}
