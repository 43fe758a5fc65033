"""Random programs and random budgets over ranges: no point of a grid stands against a proof, and each witness is a true violation.

The measures are computed here once more: all runs are enumerated at a point, and the formulas of the definitions are taken to sixty digits.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import mpmath
from hypothesis import given
from hypothesis import strategies as st

from seepage import parse

State: TypeAlias = dict[str, Fraction]
Term: TypeAlias = tuple[str, Callable[[State], Fraction]]
Joint: TypeAlias = dict[tuple[Fraction, Fraction], mpmath.mpf]
NEAR = mpmath.mpf(10) ** -40


@dataclass(frozen=True)
class Draw:
    """``name ~ bernoulli(chance)``."""

    name: str
    chance: Term


@dataclass(frozen=True)
class Put:
    """``name := value``, in the runs that meet a condition."""

    name: str
    value: Term
    condition: Term | None


@dataclass(frozen=True)
class Side:
    """A range of a parameter."""

    low: Fraction
    high: Fraction
    low_closed: bool
    high_closed: bool

    def __contains__(self, value: Fraction) -> bool:
        return (
            self.low <= value <= self.high
            and (self.low_closed or value > self.low)
            and (self.high_closed or value < self.high)
        )


def chance(r: random.Random, names: Sequence[str]) -> Term:
    p, q = r.choice(names), r.choice(names)
    terms: list[Term] = [
        (p, lambda s: s[p]),
        (f"1 - {p}", lambda s: 1 - s[p]),
        (f"{p}*{q}", lambda s: s[p] * s[q]),
        (f"4*{p}*(1 - {p})", lambda s: 4 * s[p] * (1 - s[p])),
        (f"(2*{p} - 1)^2", lambda s: (2 * s[p] - 1) ** 2),
        (f"({p} + {q})/2", lambda s: (s[p] + s[q]) / 2),
        (f"{p}/(1 + {q})", lambda s: s[p] / (1 + s[q])),
        (f"max({p}, {q})", lambda s: max(s[p], s[q])),
        ("1/2", lambda _: Fraction(1, 2)),
        ("1/3", lambda _: Fraction(1, 3)),
    ]
    return r.choice(terms)


def value(r: random.Random, variables: Sequence[str]) -> Term:
    a, b = r.choice(variables), r.choice(variables)
    terms: list[Term] = [
        (f"{a} + {b}", lambda s: s[a] + s[b]),
        (f"{a} * {b}", lambda s: s[a] * s[b]),
        (f"({a} + {b}) % 2", lambda s: (s[a] + s[b]) % 2),
        (f"if {a} == {b} then {a} else 0", lambda s: s[a] if s[a] == s[b] else Fraction(0)),
    ]
    return r.choice(terms)


def condition(r: random.Random, variables: Sequence[str], names: Sequence[str]) -> Term:
    a, p, k = r.choice(variables), r.choice(names), Fraction(r.randint(1, 5), 6)
    terms: list[Term] = [
        (f"{a} == 0", lambda s: Fraction(s[a] == 0)),
        (f"{a} > 0", lambda s: Fraction(s[a] > 0)),
        (f"{a} < {p} + 1/2", lambda s: Fraction(s[a] < s[p] + Fraction(1, 2))),
        (f"{p} < {k}", lambda s: Fraction(s[p] < k)),
    ]
    return r.choice(terms)


def program(r: random.Random, names: Sequence[str]) -> list[Draw | Put]:
    found: list[Draw | Put] = [Draw("x", chance(r, names)), Draw("y", chance(r, names))]
    for name in ("u", "v", "w")[: r.randint(1, 3)]:
        known = [each.name for each in found]
        if r.random() < 0.4:
            found.append(Draw(name, chance(r, names)))
        else:
            found.append(Put(name, value(r, known), None))
        if r.random() < 0.3:
            changed = r.choice([*known, name])
            found.append(Put(changed, value(r, [*known, name]), condition(r, known, names)))
    return found


def text_of(statements: Sequence[Draw | Put]) -> str:
    lines: list[str] = []
    for each in statements:
        if isinstance(each, Draw):
            lines.append(f"{each.name} ~ bernoulli({each.chance[0]})")
        elif each.condition is None:
            lines.append(f"{each.name} := {each.value[0]}")
        else:
            lines.append(f"if {each.condition[0]} {{ {each.name} := {each.value[0]} }}")
    return "\n".join(lines)


def joint(statements: Sequence[Draw | Put], at: Mapping[str, Fraction], pair: tuple[str, str]) -> Joint:
    runs: list[tuple[State, Fraction]] = [(dict(at), Fraction(1))]
    for each in statements:
        following: list[tuple[State, Fraction]] = []
        for state, weight in runs:
            if isinstance(each, Draw):
                p = each.chance[1](state)
                following += [({**state, each.name: Fraction(1)}, weight * p), ({**state, each.name: Fraction(0)}, weight * (1 - p))]  # fmt: skip
            else:
                meets = each.condition is None or each.condition[1](state)
                following.append(({**state, each.name: each.value[1](state)} if meets else state, weight))
        runs = [(state, weight) for state, weight in following if weight]
    masses: dict[tuple[Fraction, Fraction], Fraction] = {}
    for state, weight in runs:
        key = state[pair[0]], state[pair[1]]
        masses[key] = masses.get(key, Fraction(0)) + weight
    return {key: exact(mass) for key, mass in masses.items()}


def exact(number: Fraction) -> mpmath.mpf:
    return mpmath.mpf(number.numerator) / number.denominator


def alone(joint: Joint, place: int) -> dict[Fraction, mpmath.mpf]:
    found: dict[Fraction, mpmath.mpf] = {}
    for key, mass in joint.items():
        found[key[place]] = found.get(key[place], mpmath.mpf(0)) + mass
    return found


def bits(masses: Iterator[mpmath.mpf]) -> mpmath.mpf:
    return -mpmath.fsum(mass * mpmath.log(mass, 2) for mass in masses)


def divergence(p: Mapping[Fraction, mpmath.mpf], q: Mapping[Fraction, mpmath.mpf]) -> mpmath.mpf:
    if not p.keys() <= q.keys():
        return mpmath.inf
    return mpmath.fsum(mass * mpmath.log(mass / q[each], 2) for each, mass in p.items())


def best(masses: Joint, of: Callable[[Sequence[mpmath.mpf]], mpmath.mpf]) -> mpmath.mpf:
    """Add up, over the values that are seen, what the chances of the other come to."""
    seen: dict[Fraction, list[mpmath.mpf]] = {}
    for (_, y), mass in masses.items():
        seen.setdefault(y, []).append(mass)
    return mpmath.fsum(of(sorted(chances, reverse=True)) for chances in seen.values())


def guesses(chances: Sequence[mpmath.mpf]) -> mpmath.mpf:
    return mpmath.fsum(place * mass for place, mass in enumerate(chances, 1))


def greatest_ratio(masses: Joint) -> mpmath.mpf:
    inputs = alone(masses, 0)
    found = mpmath.mpf(0)
    for y, (one, other) in itertools.product(alone(masses, 1), itertools.permutations(inputs, 2)):
        above, below = (masses.get((x, y), mpmath.mpf(0)) / inputs[x] for x in (one, other))
        if above > 0:
            found = max(found, mpmath.log(above / below) if below > 0 else mpmath.inf)
    return found


def variance(masses: Mapping[Fraction, mpmath.mpf]) -> mpmath.mpf:
    mean = mpmath.fsum(exact(x) * mass for x, mass in masses.items())
    return mpmath.fsum((exact(x) - mean) ** 2 * mass for x, mass in masses.items())


MEASURES: dict[str, Callable[[Joint], mpmath.mpf]] = {
    "H({x})": lambda j: bits(iter(alone(j, 0).values())),
    "H({x} | {y})": lambda j: bits(iter(j.values())) - bits(iter(alone(j, 1).values())),
    "I({x}; {y})": lambda j: (
        bits(iter(alone(j, 0).values())) + bits(iter(alone(j, 1).values())) - bits(iter(j.values()))
    ),
    "KL({x} || {y})": lambda j: divergence(alone(j, 0), alone(j, 1)),
    "P({x} == {y})": lambda j: mpmath.fsum(mass for (x, y), mass in j.items() if x == y),
    "E({x})": lambda j: mpmath.fsum(exact(x) * mass for x, mass in alone(j, 0).items()),
    "Var({x})": lambda j: variance(alone(j, 0)),
    "V({x} | {y})": lambda j: best(j, lambda chances: chances[0]),
    "Guess({x} | {y})": lambda j: best(j, guesses),
    "Lmin({x} -> {y})": lambda j: mpmath.log(best(j, lambda chances: chances[0]) / max(alone(j, 0).values()), 2),
    "DP({x} -> {y})": greatest_ratio,
}


def bound(r: random.Random, names: Sequence[str], values: Sequence[mpmath.mpf]) -> Term:
    p, k = r.choice(names), Fraction(r.randint(1, 8), 4)
    near = Fraction(int(mpmath.nint(r.choice(values) * 720)), 720) + r.choice([Fraction(0), Fraction(1, 50)])
    terms: list[Term] = [
        (f"{near}", lambda _: near),
        (f"{near}", lambda _: near),
        (f"{k}*{p}", lambda s: k * s[p]),
        (f"1 - {p}", lambda s: 1 - s[p]),
        (f"{k}*{p}*(1 - {p})", lambda s: k * s[p] * (1 - s[p])),
        (f"({p} - 1/2)^2*{k}", lambda s: (s[p] - Fraction(1, 2)) ** 2 * k),
        (f"({names[0]} - {names[-1]})^2*{k}", lambda s: (s[names[0]] - s[names[-1]]) ** 2 * k),
    ]
    return r.choice(terms)


def side(r: random.Random) -> Side:
    low, high = sorted(r.sample([Fraction(n, 12) for n in (0, 3, 4, 6, 8, 12)], 2))
    return Side(low, high, r.random() < 0.7, r.random() < 0.7)


def grid(ranges: Mapping[str, Side]) -> Iterator[dict[str, Fraction]]:
    count = 24 if len(ranges) == 1 else 6
    axes: list[list[Fraction]] = []
    for each in ranges.values():
        even = [each.low + (each.high - each.low) * Fraction(k, count) for k in range(count + 1)]
        axes.append([value for value in {*even, Fraction(1, 2), Fraction(1, 3), Fraction(999, 1000)} if value in each])
    for values in itertools.product(*axes):
        yield dict(zip(ranges, values, strict=True))


@given(st.integers(0, 10**9))
def test_no_verdict_is_wrong(seed: int) -> None:
    r = random.Random(seed)
    names = r.choice([["p"], ["p", "q"]])
    statements, ranges = program(r, names), {name: side(r) for name in names}
    x, y = pair = tuple(r.sample(sorted({each.name for each in statements}), 2))
    measure, comparison = r.choice(sorted(MEASURES)), r.choice(["<=", "<", ">=", ">", "=="])

    def found(at: Mapping[str, Fraction]) -> mpmath.mpf:
        return MEASURES[measure](joint(statements, at, (pair[0], pair[1])))

    values = [found(at) for at in itertools.islice(grid(ranges), 5)]
    limit = bound(r, names, [each for each in values if mpmath.isfinite(each)] or [mpmath.mpf(1)])
    over = ", ".join(
        f"{name} in {'[' if each.low_closed else '('}{each.low}, {each.high}{']' if each.high_closed else ')'}"
        for name, each in ranges.items()
    )
    declared = "".join(f"param {name} in [0, 1] = 1/3\n" for name in names)
    asked = f"require {measure.format(x=x, y=y)} {comparison} {limit[0]} over {over}"
    answer = parse(f"{declared}{text_of(statements)}\n{asked}\n").analyze(seconds=2).answers[-1]

    def fails(at: dict[str, Fraction]) -> bool:
        excess = found(at) - exact(limit[1](at))
        sign = 0 if abs(excess) < NEAR else 1 if excess > 0 else -1
        return not {"<=": sign <= 0, "<": sign < 0, ">=": sign >= 0, ">": sign > 0, "==": sign == 0}[comparison]

    if answer.verdict == "violated":
        assert answer.worst is not None
        point = {
            name: Fraction(number) for name, _, number in (part.partition(" = ") for part in answer.worst.split(", "))
        }
        assert all(point[name] in each for name, each in ranges.items())
        assert fails(point)
    elif answer.verdict == "holds":
        assert not [at for at in grid(ranges) if fails(at)]
    else:
        assert answer.diagnostic is not None
