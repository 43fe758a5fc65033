"""Every measure of finite joint distributions of x, y and z by its definition, term by term: what formulas are held against."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

import mpmath

Outcome: TypeAlias = tuple[int, int, int]
Joint: TypeAlias = Mapping[Outcome, mpmath.mpf]
Law: TypeAlias = Mapping[tuple[int, ...], mpmath.mpf]
Event: TypeAlias = Callable[[int, int, int], bool]
Gain: TypeAlias = Callable[[Law, tuple[int, ...]], mpmath.mpf]

ZERO = mpmath.mpf(0)


class NoValue(Exception):
    """The measure is not defined: its event is impossible, it divides by 0, or takes the logarithm of 0."""


def normalised(weighted: Iterable[tuple[Outcome, mpmath.mpf]]) -> Joint:
    """Return the distribution of outcomes with these weights, those of weight 0 left out."""
    joint: dict[Outcome, mpmath.mpf] = {}
    for outcome, weight in weighted:
        if weight != 0:
            joint[outcome] = joint.get(outcome, ZERO) + weight
    if not joint:
        raise NoValue
    total = mpmath.fsum(joint.values())
    return {outcome: weight / total for outcome, weight in joint.items()}


def given(joint: Joint, event: Event) -> Joint:
    return normalised((outcome, weight) for outcome, weight in joint.items() if event(*outcome))


def law(joint: Joint, names: str) -> Law:
    found: dict[tuple[int, ...], mpmath.mpf] = {}
    for outcome, weight in joint.items():
        key = tuple(outcome["xyz".index(name)] for name in names)
        found[key] = found.get(key, ZERO) + weight
    return found


def entropy(joint: Joint, x: str, y: str = "") -> mpmath.mpf:
    """H(x | y) in bits."""
    both, seen = law(joint, x + y), law(joint, y)
    return -mpmath.fsum(mass * mpmath.log(mass / seen[key[len(x) :]], 2) for key, mass in both.items())


def information(joint: Joint, x: str, y: str, z: str = "") -> mpmath.mpf:
    """I(x; y | z) in bits, as the divergence from independence."""
    whole, one, other, seen = (law(joint, names) for names in (x + y + z, x + z, y + z, z))
    total = ZERO
    for key, mass in whole.items():
        a, b, c = key[: len(x)], key[len(x) : len(x) + len(y)], key[len(x) + len(y) :]
        total += mass * mpmath.log(mass * seen[c] / (one[a + c] * other[b + c]), 2)
    return total


def divergence(p: Law, q: Law) -> mpmath.mpf:
    if not p.keys() <= q.keys():
        return mpmath.inf
    return mpmath.fsum(mass * mpmath.log(mass / q[key], 2) for key, mass in p.items())


def mean(joint: Joint, value: Callable[[int, int, int], int]) -> mpmath.mpf:
    return mpmath.fsum(mass * int(value(*outcome)) for outcome, mass in joint.items())


def variance(joint: Joint, value: Callable[[int, int, int], int]) -> mpmath.mpf:
    centre = mean(joint, value)
    return mpmath.fsum(mass * (int(value(*outcome)) - centre) ** 2 for outcome, mass in joint.items())


def vulnerability(joint: Joint, gain: Gain, guesses: Iterable[tuple[int, ...]], y: str = "") -> mpmath.mpf:
    """The sum over y of the greatest expected gain of a guess, for the secret x."""
    listed = list(guesses)
    best: dict[tuple[int, ...], dict[tuple[int, ...], mpmath.mpf]] = {}
    prior = law(joint, "x")
    for (x, *seen), mass in law(joint, "x" + y).items():
        for guess in listed:
            row = best.setdefault(tuple(seen), {})
            row[guess] = row.get(guess, ZERO) + mass * gain(prior, (*guess, x))
    return mpmath.fsum(max(row.values()) for row in best.values())


def chance(joint: Joint, y: str = "") -> mpmath.mpf:
    """The chance of a right guess of x, y seen."""
    return vulnerability(joint, lambda _, pair: mpmath.mpf(pair[0] == pair[1]), law(joint, "x"), y)


def two_tries(joint: Joint, y: str = "") -> mpmath.mpf:
    values = [x for (x,) in law(joint, "x")]
    pairs = [(a, b) for a in values for b in values]
    return vulnerability(joint, lambda _, pair: mpmath.mpf(pair[2] in pair[:2]), pairs, y)


def nearness(joint: Joint, y: str = "") -> mpmath.mpf:
    def gain(prior: Law, pair: tuple[int, ...]) -> mpmath.mpf:
        values = [x for (x,) in prior]
        extent = max(values) - min(values)
        return mpmath.mpf(1) if extent == 0 else 1 - mpmath.mpf(abs(pair[0] - pair[1])) / extent

    return vulnerability(joint, gain, law(joint, "x"), y)


def gained(joint: Joint, table: Mapping[tuple[int, int], mpmath.mpf], y: str = "") -> mpmath.mpf:
    guesses = {(guess,) for guess, _ in table}
    return vulnerability(joint, lambda _, pair: table.get((pair[0], pair[1]), ZERO), guesses, y)


def guesses_needed(joint: Joint, y: str = "") -> mpmath.mpf:
    """The expected number of guesses of x in the best order, y seen."""
    by_seen: dict[tuple[int, ...], list[mpmath.mpf]] = {}
    for (_, *seen), mass in law(joint, "x" + y).items():
        by_seen.setdefault(tuple(seen), []).append(mass)
    ranked = (enumerate(sorted(masses, reverse=True), 1) for masses in by_seen.values())
    return mpmath.fsum(place * mass for row in ranked for place, mass in row)


def channel(joint: Joint, x: str, y: str) -> dict[tuple[int, ...], dict[tuple[int, ...], mpmath.mpf]]:
    prior = law(joint, x)
    rows: dict[tuple[int, ...], dict[tuple[int, ...], mpmath.mpf]] = {}
    for key, mass in law(joint, x + y).items():
        rows.setdefault(key[: len(x)], {})[key[len(x) :]] = mass / prior[key[: len(x)]]
    return rows


def all_pairs(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return a != b


def next_numbers(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return abs(a[0] - b[0]) == 1


def one_differs(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return sum(one != other for one, other in zip(a, b, strict=True)) == 1


def loss(joint: Joint, x: str, y: str, near: Callable[[tuple[int, ...], tuple[int, ...]], bool]) -> mpmath.mpf:
    """DP(x -> y): the least ε of all neighbours and outputs, in nats."""
    rows = channel(joint, x, y)
    worst = ZERO
    for one, row in rows.items():
        for other, against in rows.items():
            for output, mass in row.items() if near(one, other) else ():
                worst = max(worst, mpmath.log(mass / against[output]) if output in against else mpmath.inf)
    return worst


def excess(joint: Joint, x: str, y: str, factor: mpmath.mpf) -> mpmath.mpf:
    """Delta(x -> y, eps) for the factor e^eps, all pairs."""
    rows = channel(joint, x, y)
    found = [ZERO]
    for one, row in rows.items():
        for other, against in rows.items():
            if one != other:
                found.append(mpmath.fsum(max(ZERO, m - factor * against.get(at, ZERO)) for at, m in row.items()))
    return max(found)


def greatest_masses(joint: Joint, x: str, y: str) -> mpmath.mpf:
    rows = channel(joint, x, y)
    outputs = {output for row in rows.values() for output in row}
    return mpmath.fsum(max(row.get(output, ZERO) for row in rows.values()) for output in outputs)


def log2(value: mpmath.mpf) -> mpmath.mpf:
    if value <= 0:
        raise NoValue
    return mpmath.log(value, 2)


def quotient(top: mpmath.mpf, bottom: mpmath.mpf) -> mpmath.mpf:
    if abs(bottom) < mpmath.mpf(10) ** -60:
        raise NoValue
    return top / bottom
