"""Running a function of a test on every sequence of draws, with exact weights: the law of its result as Python itself has it.

``random`` is replaced by a module whose draws are choices; the function is run once for each sequence of them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import CodeType, ModuleType
from typing import Any, TypeAlias

import numpy as np

Weights: TypeAlias = Sequence[Fraction]


class Driver:
    """Hands out choices: those of a sequence, then first ones, and knows the next sequence."""

    def __init__(self) -> None:
        self.path: list[tuple[int, tuple[Fraction, ...]]] = []
        self.at = 0

    def choose(self, weights: Weights) -> int:
        """Return which of some weighted possibilities comes next."""
        weights = tuple(weights)
        if self.at == len(self.path):
            self.path.append((0, weights))
        chosen, _ = self.path[self.at]
        self.at += 1
        return chosen

    @property
    def weight(self) -> Fraction:
        """The probability of this run."""
        found = Fraction(1)
        for chosen, weights in self.path[: self.at]:
            found *= weights[chosen]
        return found

    def advance(self) -> bool:
        """Go on to the next sequence; tell whether there is one."""
        del self.path[self.at :]
        while self.path:
            chosen, weights = self.path.pop()
            if chosen + 1 < len(weights):
                self.path.append((chosen + 1, weights))
                self.at = 0
                return True
        return False


class Drawn:
    """A number from [0, 1), of which only what is asked is known: comparisons choose."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.low, self.high = Fraction(0), Fraction(1)

    def is_below(self, cut: float | Fraction) -> bool:
        """Choose on which side of a cut it lies."""
        at = Fraction(str(cut))
        if at <= self.low:
            return False
        if at >= self.high:
            return True
        share = (at - self.low) / (self.high - self.low)
        below = self.driver.choose((share, 1 - share)) == 0
        self.low, self.high = (self.low, at) if below else (at, self.high)
        return below

    def __lt__(self, other: float) -> bool:
        return self.is_below(other)

    def __le__(self, other: float) -> bool:
        return self.is_below(other)

    def __gt__(self, other: float) -> bool:
        return not self.is_below(other)

    def __ge__(self, other: float) -> bool:
        return not self.is_below(other)

    def __mul__(self, count: int) -> Scaled:
        return Scaled(self, count)


class Scaled:
    """So many times a :class:`Drawn`, of which the whole part is asked."""

    def __init__(self, drawn: Drawn, count: int) -> None:
        self.drawn, self.count = drawn, count

    def __int__(self) -> int:
        return next(k for k in range(self.count) if self.drawn.is_below(Fraction(k + 1, self.count)))


def fake_random(driver: Driver) -> ModuleType:
    """Return a module ``random`` whose draws a driver chooses."""
    module = ModuleType("random")

    def index(count: int) -> int:
        return driver.choose((Fraction(1, count),) * count)

    def choice(values: Sequence[Any]) -> Any:
        if not values:
            raise IndexError("nothing to choose from")
        return values[index(len(values))]

    def shuffle(values: list[Any]) -> None:
        for place in range(len(values) - 1):
            other = place + index(len(values) - place)
            values[place], values[other] = values[other], values[place]

    def sample(values: Sequence[Any], k: int) -> list[Any]:
        left = list(values)
        if not 0 <= k <= len(left):
            raise ValueError("a sample is no larger than what it is of")
        shuffle(left)
        return left[:k]

    def choices(values: Sequence[Any], weights: Sequence[int], k: int = 1) -> list[Any]:
        if not values:
            raise IndexError("nothing to choose from")
        return [values[driver.choose([Fraction(each, sum(weights)) for each in weights])] for _ in range(k)]

    functions: Mapping[str, Callable[..., Any]] = {
        "random": lambda: Drawn(driver),
        "randint": lambda low, high: low + index(high - low + 1),
        "randrange": lambda *ends: choice(range(*ends)),
        "getrandbits": lambda bits: index(1 << bits),
        "choice": choice,
        "choices": choices,
        "shuffle": shuffle,
        "sample": sample,
    }
    for name, function in functions.items():
        setattr(module, name, function)
    return module


def law_of(text: str, function: str, inputs: Mapping[str, Sequence[Any]]) -> dict[Hashable, Fraction]:
    """Return the joint law of inputs, equally likely, and result (or the exception) of a function of a text."""
    law: dict[Hashable, Fraction] = {}
    for values, weight in _combinations(list(inputs.items())):
        driver = Driver()
        while True:
            driver.at = 0
            result = _run(text, function, driver, values)
            key = (tuple(values.items()), frozen(result))
            law[key] = law.get(key, Fraction(0)) + weight * driver.weight
            if not driver.advance():
                break
    return law


def _combinations(inputs: list[tuple[str, Sequence[Any]]]) -> Iterator[tuple[dict[str, Any], Fraction]]:
    if not inputs:
        yield {}, Fraction(1)
        return
    (name, values), *rest = inputs
    for value in values:
        for others, weight in _combinations(rest):
            yield {name: value, **others}, weight / len(values)


def _run(text: str, function: str, driver: Driver, values: Mapping[str, Any]) -> object:
    namespace: dict[str, Any] = {}
    before = sys.modules.get("random")
    sys.modules["random"] = fake_random(driver)
    try:
        exec(_compiled(text), namespace)  # a text that the test wrote
        return namespace[function](**values)
    except Exception as error:  # noqa: BLE001  # the exception is the result
        return f"raise {type(error).__name__}"
    finally:
        if before is not None:
            sys.modules["random"] = before


_CODES: dict[str, CodeType] = {}


def _compiled(text: str) -> CodeType:
    if text not in _CODES:
        _CODES.clear()
        _CODES[text] = compile(text, "<case>", "exec")
    return _CODES[text]


def frozen(value: object) -> Hashable:
    """Return a result as a value that can be counted; lists and tuples are told apart."""
    match value:
        case list():
            return ("list", *map(frozen, value))
        case tuple():
            return ("tuple", *map(frozen, value))
        case dict():
            return ("dict", *((key, frozen(one)) for key, one in value.items()))
        case np.generic():
            return frozen(value.item())
        case bool():
            return int(value)
        case _:
            assert isinstance(value, Hashable)
            return value
