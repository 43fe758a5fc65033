"""A strategy as people read it: what is chosen, what may be seen then, how likely that is, what it leaves, and what is chosen next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from seepage.data_classes import dataclass
from seepage.exact import Number, show

_SHORT_DEPTH = 2  # moves that a line tells of

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"


@dataclass(frozen=True, slots=True)
class Left:
    """What is left to learn about a secret once something is seen.

    Attributes:
        bits: its entropy.
        guess: the chance to guess it in one try.
        value: what it is, where only one value is left; empty elsewhere.
        among: what it is among, ``grade >= 8``, where some values are ruled out and the others are quickly told; empty elsewhere.
    """

    bits: float
    guess: float
    value: str = ""
    among: str = ""

    def to_dict(self) -> dict[str, Json]:
        """Return it as values that JSON holds."""
        return {"bits": self.bits, "guess": self.guess, "value": self.value, "among": self.among}


@dataclass(frozen=True, slots=True)
class Seen:
    """What is seen after a choice.

    Attributes:
        text: what is seen, ``below[1]`` or ``time[2] = 1``; empty where nothing is.
        values: the same, variable by variable.
        chance: how likely a run comes here.
        left: what is left of the secret then; None where there is no secret, or not a discrete one.
        then: what is chosen next; None at an end.
    """

    text: str
    values: tuple[tuple[str, Number], ...]
    chance: float
    left: Left | None
    then: Chosen | None

    def to_dict(self) -> dict[str, Json]:
        """Return it as values that JSON holds."""
        left = None if self.left is None else self.left.to_dict()
        seen: dict[str, Json] = {name: show(value) for name, value in self.values}
        then = None if self.then is None else self.then.to_dict()
        return {"text": self.text, "seen": seen, "chance": self.chance, "left": left, "then": then}


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice and what may be seen after it; the choices of one move are made together.

    Attributes:
        values: what is chosen, variable by variable.
        answers: what may be seen then.
        asks: the question that is answered with yes or no then, ``grade <= 4``; empty where what is seen is another thing.
    """

    values: tuple[tuple[str, Number], ...]
    answers: tuple[Seen, ...]
    asks: str = ""

    @property
    def text(self) -> str:
        """What is chosen, ``q[1] = 3``."""
        return ", ".join(f"{name} = {show(value)}" for name, value in self.values)

    def to_dict(self) -> dict[str, Json]:
        """Return it as values that JSON holds."""
        chosen: dict[str, Json] = {name: show(value) for name, value in self.values}
        return {"choose": chosen, "asks": self.asks, "answers": [one.to_dict() for one in self.answers]}


@dataclass(frozen=True, slots=True)
class Beforehand:
    """What an attacker does best who has to choose all at once, and what he comes to.

    Attributes:
        values: what is chosen, variable by variable.
        number: the measure's.
        unit: of the number.
        left: what is left of the secret in the end, on the average; None as for :class:`Seen`.
    """

    values: tuple[tuple[str, Number], ...]
    number: float
    unit: str
    left: Left | None

    def to_dict(self) -> dict[str, Json]:
        """Return it as values that JSON holds."""
        left = None if self.left is None else self.left.to_dict()
        chosen: dict[str, Json] = {name: show(value) for name, value in self.values}
        return {"choose": chosen, "value": self.number, "unit": self.unit, "left": left}


@dataclass(frozen=True, slots=True)
class Strategy:
    """What an attacker does.

    Attributes:
        start: what is seen before the first choice; one, with nothing seen, where that is nothing.
        how: how it was found, as a sentence.
        is_decided: whether each comparison with other strategies was decided: else another may be as good.
        only_bounds: why others were not looked at, so that there may be better ones; empty where all were.
        beforehand: the same where nothing is seen before the last choice; None where that is not looked for.
        secret: the declared names of what is guessed; empty where none is.
        statements: assignments that can stand in the place of the choices; none where they are long.
        measure: what it is the best one for, where that is another measure than the number's: as in the leakage table.
    """

    start: tuple[Seen, ...]
    how: str
    is_decided: bool = True
    only_bounds: str = ""
    beforehand: Beforehand | None = None
    secret: str = ""
    statements: tuple[str, ...] = ()
    measure: str = ""

    def lines(self) -> Iterator[tuple[int, Seen]]:
        """Yield what may be seen, each with its depth, in the order in which it is read."""
        stack = [(0, one) for one in reversed(self.start)]
        while stack:
            depth, seen = stack.pop()
            yield depth, seen
            if seen.then is not None:
                stack += [(depth + 1, one) for one in reversed(seen.then.answers)]

    def short(self, most: int = 3) -> str:
        """Return the first choices in one line, ``q[1] = 3; if below[1]: q[2] = 1; if not below[1]: q[2] = 5; …``; so many at most, of two moves."""
        choices = [(depth, seen) for depth, seen in self.lines() if seen.then is not None]
        told = [seen for depth, seen in choices if depth < _SHORT_DEPTH][:most]
        parts = [f"if {seen.text}: {seen.then.text}" if seen.text else seen.then.text for seen in told if seen.then]
        return "; ".join([*parts, "…"] if len(told) < len(choices) else parts)

    def __str__(self) -> str:
        """Return the tree, one line for each thing seen."""
        return "\n".join(told_lines(self.to_dict()))

    def to_dict(self) -> dict[str, Json]:
        """Return it as values that JSON holds."""
        return {
            "text": self.short(),
            "how": self.how,
            "decided": self.is_decided,
            "onlyBounds": self.only_bounds,
            "secret": self.secret,
            "statements": list(self.statements),
            "measure": self.measure,
            "beforehand": None if self.beforehand is None else self.beforehand.to_dict(),
            "start": [one.to_dict() for one in self.start],
        }


def on_average(ends: Sequence[Seen]) -> Left | None:
    """Return what is left of the secret at some ends, on the average; None where that is not known."""
    known = [(one.chance, one.left) for one in ends if one.left is not None]
    whole = sum(chance for chance, _ in known)
    if len(known) < len(ends) or not whole > 0:
        return None
    bits, guess = (
        sum(chance * of for chance, of in pairs) / whole
        for pairs in ([(chance, left.bits) for chance, left in known], [(chance, left.guess) for chance, left in known])
    )
    return Left(bits, guess)


def told_lines(told: Mapping[str, Any]) -> Iterator[str]:
    """Yield the tree of a strategy, one line for each thing seen, from what :meth:`Strategy.to_dict` made of it, and what choosing beforehand comes to."""
    stack = [(0, one) for one in reversed(told["start"])]
    while stack:
        depth, seen = stack.pop()
        yield f"{'  ' * depth}{_line(seen)}"
        if seen["then"] is not None:
            stack += [(depth + 1, one) for one in reversed(seen["then"]["answers"])]
    if (other := told["beforehand"]) is not None:
        left = "" if other["left"] is None else f", {_left(other['left'])}"
        unit = f" {other['unit']}" if other["unit"] else ""
        yield f"all chosen beforehand: {_choice(other['choose'])} ({other['value']:.4g}{unit}{left})"


def _choice(chosen: Mapping[str, str]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in chosen.items())


def _line(seen: Mapping[str, Any]) -> str:
    what = f"if {seen['text']}: " if seen["text"] else ""
    choice = {} if seen["then"] is None else seen["then"]["choose"]
    then = f"{_choice(choice)} " if choice else ""
    left = "" if seen["left"] is None else f", {_left(seen['left'])}"
    return f"{what}{then}({seen['chance'] * 100:.4g} %{left})"


def _left(left: Mapping[str, Any]) -> str:
    if left["value"]:
        return str(left["value"])
    bits = f"{left['bits']:.4g}"
    among = f"{left['among']}, " if left["among"] else ""
    return f"{among}{bits} {'bit' if bits == '1' else 'bits'} left, a guess is right with {left['guess'] * 100:.4g} %"
