r"""Guessing independent parts together, by levels: how many values of the whole have the same chance.

Given an output, the chances of the values of a tuple of independent parts are the products of those of the parts. Only how often each product comes matters for the number of guesses and for the
chance within k of them; alike parts make few products: n bits behind randomised response have n + 1 of them. So the *profile* of an output, its chances with how often each comes, is multiplied
part by part, and equal profiles are counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import TypeAlias

from flint import arb, fmpq

from seepage.data_classes import dataclass
from seepage.engines.outcome import Budget, DiscreteJoint
from seepage.exact import precision
from seepage.measures.clock import timed
from seepage.measures.discrete.weights import BITS, Balls, Values, Whole, grouped, total, weights_of
from seepage.measures.enclosure import Enclosure
from seepage.measures.guessing.gains import descending
from seepage.measures.guessing.vulnerability import cut_share
from seepage.measures.result import Certainty

Discrete: TypeAlias = DiscreteJoint[fmpq] | DiscreteJoint[arb]
Level: TypeAlias = int | tuple[tuple[int, int], ...]  # a whole weight, or the powers of balls by their numbers
Profile: TypeAlias = tuple[tuple[Level, int], ...]
Profiles: TypeAlias = Mapping[Profile, int]

_MOST_STEPS = 1_000_000  # products of two levels


class TooManyLevels(Exception):
    """The parts have too many different chances to multiply them out."""


@dataclass(frozen=True, slots=True)
class GuessedPart:
    """A part: its joint, the guessed variables, those seen before, how many parts are like it, and how many values x has, None if unknown."""

    joint: Discrete
    x: Sequence[str]
    y: Sequence[str]
    count: int
    values: int | None


@dataclass(frozen=True, slots=True)
class Guessed:
    """What is known of guessing all parts together.

    Attributes:
        profiles: for each the number of outputs that have it.
        weight: the value of a level.
        mass: of all of them.
        lost: what may have been cut off, relative to that; None for nothing.
        values: how many values the tuple has at most, None if that is unknown.
    """

    profiles: Profiles
    weight: Callable[[Level], int | arb]
    mass: int | arb
    lost: arb | None
    values: int | None

    def guesses(self, budget: Budget) -> Enclosure:
        """Return the expected number of guesses.

        Raises:
            OutOfTime: past the budget's deadline.
        """
        found = self._expected(_ranks, budget)
        if self.lost is None:
            return found
        with precision(BITS):
            lower = ((found.lower + self.lost) / (1 + self.lost)).lower()
            more = arb.pos_inf() if self.values is None else found.upper + self.lost * self.values
            return Enclosure.bounded(found.value, lower, (more / (1 + self.lost)).upper(), Certainty.CERTIFIED)

    def chance_within(self, tries: int, budget: Budget) -> Enclosure:
        """Return the chance to guess the tuple within some tries.

        Raises:
            OutOfTime: past the budget's deadline.
        """
        found = self._expected(lambda count, before: max(0, min(count, tries - before)), budget)
        if self.lost is None:
            return found
        with precision(BITS):
            lower = (found.lower / (1 + self.lost)).lower()
            upper = ((found.upper + self.lost) / (1 + self.lost)).upper().min(arb(1))
            return Enclosure.bounded(found.value, lower, upper, Certainty.CERTIFIED)

    def _expected(self, share: Callable[[int, int], int], budget: Budget) -> Enclosure:
        """Return the sum of all weights, each times its share: that of ``count`` equal ones of which ``before`` are greater."""
        with precision(BITS):
            if isinstance(self.mass, int):
                whole = sum(
                    times * _shared(_sorted(profile), share) for profile, times in timed(self.profiles.items(), budget)
                )
                return Enclosure.of_rational(Fraction(whole, self.mass))
            ends: list[arb] = []
            for upper in (False, True):
                sums = (
                    times * _shared_end(self._ends(profile, upper), share)
                    for profile, times in timed(self.profiles.items(), budget)
                )
                ends.append(total(sums) / self.mass)
            lower, upper_end = ends[0].lower(), ends[1].upper()
            return Enclosure.bounded((ends[0] + ends[1]) / 2, lower, upper_end)

    def _ends(self, profile: Profile, upper: bool) -> list[tuple[arb, int]]:
        counts: dict[arb, int] = {}
        balls = [(arb(self.weight(level)), count) for level, count in profile]
        for ball, count in balls:
            end = ball.upper() if upper else ball.lower()
            counts[end] = counts.get(end, 0) + count
        return [(end, counts[end]) for end in descending(counts)]


def _ranks(count: int, before: int) -> int:
    return before * count + count * (count + 1) // 2


def _sorted(profile: Profile) -> list[tuple[int, int]]:
    return sorted(((level, count) for level, count in profile if isinstance(level, int)), reverse=True)


def _shared(levels: Iterable[tuple[int, int]], share: Callable[[int, int], int]) -> int:
    found = before = 0
    for level, count in levels:
        found, before = found + level * share(count, before), before + count
    return found


def _shared_end(levels: Iterable[tuple[arb, int]], share: Callable[[int, int], int]) -> arb:
    found, before = arb(0), 0
    for level, count in levels:
        found, before = found + level * share(count, before), before + count
    return found


def guessed(parts: Sequence[GuessedPart], budget: Budget) -> Guessed:
    """Multiply the profiles of independent parts.

    Args:
        parts: each with at least one guessed variable.
        budget: its deadline counts.

    Raises:
        TooManyLevels: where they have too many products.
        OutOfTime: past the budget's deadline.
    """
    with precision(BITS):
        weights = [weights_of(part.joint, budget) for part in parts]
        whole = [each for each in weights if isinstance(each, Whole)]
        steps = _Steps()
        values = reduce(_times, (None if part.values is None else part.values**part.count for part in parts))
        lost = _lost(parts)
        if len(whole) == len(parts):
            each = [_whole_profiles(part, found) for part, found in zip(parts, whole, strict=True)]
            mass = 1
            for part, found in zip(parts, whole, strict=True):
                mass *= int(total(found.weights.values())) ** part.count
            profiles = _product(each, [part.count for part in parts], steps, budget)
            return Guessed(profiles, lambda level: level if isinstance(level, int) else 0, mass, lost, values)
        bases: list[arb] = []
        balls = [found.as_balls() for found in weights]
        each = [_ball_profiles(part, found, bases) for part, found in zip(parts, balls, strict=True)]
        whole_mass = arb(1)
        for part, found_balls in zip(parts, balls, strict=True):
            whole_mass *= total(found_balls.weights.values()) ** part.count
        profiles = _product(each, [part.count for part in parts], steps, budget)
        return Guessed(profiles, lambda level: _ball(level, bases), whole_mass, lost, values)


def _times(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one * other


def _lost(parts: Sequence[GuessedPart]) -> arb | None:
    """Return what may have been cut off the product, relative to what is there."""
    known = arb(1)
    cut = False
    for part in parts:
        if (share := cut_share(part.joint)) is not None:
            cut, known = True, known * (1 + share) ** part.count
    return known - 1 if cut else None


def _whole_profiles(part: GuessedPart, found: Whole) -> Profiles:
    of, given = part.joint.positions(part.x), part.joint.positions(part.y)
    return _counted(
        {int(weight): count for weight, count in Counter(group.values()).items()}
        for group in grouped(found.weights, given, of).values()
    )


def _ball_profiles(part: GuessedPart, found: Balls, bases: list[arb]) -> Profiles:
    of, given = part.joint.positions(part.x), part.joint.positions(part.y)
    numbers: dict[tuple[object, object], int] = {}

    def level(ball: arb) -> Level:
        key = (ball.mid().man_exp(), ball.rad().man_exp())
        if key not in numbers:
            numbers[key] = len(bases)
            bases.append(ball)
        return ((numbers[key], 1),)

    groups: Iterable[Mapping[Values, arb]] = grouped(found.weights, given, of).values()
    return _counted(dict(Counter(level(ball) for ball in group.values())) for group in groups)


def _ball(level: Level, bases: Sequence[arb]) -> arb:
    found = arb(1)
    for number, power in level if isinstance(level, tuple) else ():
        found *= bases[number] ** power
    return found


def _counted(profiles: Iterable[Mapping[Level, int]]) -> Profiles:
    return Counter(_profile(each) for each in profiles)


def _profile(levels: Mapping[Level, int]) -> Profile:
    return tuple(sorted(levels.items(), key=_by_level))


def _by_level(entry: tuple[Level, int]) -> tuple[tuple[int, int], ...]:
    level = entry[0]
    return ((level, 0),) if isinstance(level, int) else level


# --- products ---------------------------------------------------------------------------------------------------------


class _Steps:
    """How many products were made."""

    def __init__(self) -> None:
        self.taken = 0

    def take(self, more: int) -> None:
        """Count some."""
        self.taken += more
        if self.taken > _MOST_STEPS:
            raise TooManyLevels


def _product(each: Sequence[Profiles], counts: Sequence[int], steps: _Steps, budget: Budget) -> Profiles:
    powers = (_power(profiles, count, steps, budget) for profiles, count in zip(each, counts, strict=True))
    return reduce(lambda one, other: _both(one, other, steps, budget), powers)


def _power(profiles: Profiles, count: int, steps: _Steps, budget: Budget) -> Profiles:
    found: Profiles | None = None
    square = profiles
    while count:
        if count & 1:
            found = square if found is None else _both(found, square, steps, budget)
        count >>= 1
        if count:
            square = _both(square, square, steps, budget)
    return profiles if found is None else found


def _both(one: Profiles, other: Profiles, steps: _Steps, budget: Budget) -> Profiles:
    found: Counter[Profile] = Counter()
    for first, times in timed(one.items(), budget):
        for second, more in other.items():
            steps.take(len(first) * len(second))
            found[_profile(_multiplied(first, second))] += times * more
    return found


def _multiplied(first: Profile, second: Profile) -> Mapping[Level, int]:
    found: dict[Level, int] = {}
    for level, count in _products(first, second):
        found[level] = found.get(level, 0) + count
    return found


def _products(first: Profile, second: Profile) -> Iterator[tuple[Level, int]]:
    for one, count in first:
        for other, more in second:
            if isinstance(one, int) and isinstance(other, int):
                yield one * other, count * more
            elif isinstance(one, tuple) and isinstance(other, tuple):
                powers = dict(one)
                for number, power in other:
                    powers[number] = powers.get(number, 0) + power
                yield tuple(sorted(powers.items())), count * more
