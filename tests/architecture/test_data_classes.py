"""Data classes with methods that are written late are Python's own in all that can be seen of them."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import field, replace
from pathlib import Path
from typing import Any

import pytest

from seepage.data_classes import dataclass

ROOT = Path(__file__).parents[2]
OPTIONS: tuple[dict[str, bool], ...] = (
    {},
    {"frozen": True},
    {"slots": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "eq": False},
    {"slots": True, "eq": False},
    {"frozen": True, "slots": True, "kw_only": True},
    {"frozen": True, "slots": True, "order": True},
    {"frozen": True, "slots": True, "repr": False},
)


def plain() -> type[Any]:
    class One:
        """Of fields without a default."""

        a: int
        b: str

    return One


def defaults() -> type[Any]:
    class One:
        """Of all kinds of fields."""

        a: int
        b: str = "x"
        c: list[int] = field(default_factory=list, compare=False)
        d: int = field(default=2, repr=False)
        e: int = field(default=5, init=False)
        f: int = field(default=7, kw_only=True)

        def __post_init__(self) -> None:
            object.__setattr__(self, "e", self.a + self.d)

    return One


def own_equality() -> type[Any]:
    class One:
        """Of what says itself when it is equal, and how it is written."""

        a: int
        b: str = "x"

        def __eq__(self, other: object) -> bool:
            return type(other) is type(self) and getattr(other, "a", None) == self.a

        def __repr__(self) -> str:
            return f"<{self.a}>"

    return One


def own_hash() -> type[Any]:
    class One:
        """Of what hashes itself."""

        a: int
        b: str = "x"

        def __hash__(self) -> int:
            return 17

    return One


def told(action: Callable[[], object]) -> object:
    try:
        return action()
    except (TypeError, AttributeError) as error:
        return type(error), str(error)


def seen(cls: type[Any]) -> Iterator[object]:
    """Yield what can be seen of a class and of what is made from it."""
    names = ("a", "b")
    first, second, third = (cls(**dict(zip(names, each, strict=True))) for each in ((1, "p"), (1, "p"), (3, "q")))
    yield inspect.signature(cls), cls.__doc__, cls.__name__, cls.__qualname__, cls.__match_args__
    yield told(lambda: cls()), told(lambda: cls(1, 2, 3, 4, 5, 6, 7, 8)), told(lambda: cls(1, "q"))
    yield [one.name for one in dataclasses.fields(cls)], dataclasses.asdict(first)
    yield first == second, first == third, first != second, first == 1, cls.__hash__ is None
    yield told(lambda: first < third), told(lambda: first >= third), told(lambda: len({first, second, third}))
    yield repr(replace(third, a=9)), replace(third, a=9) == replace(third, a=9), copy.copy(first) == first
    yield copy.deepcopy(third).b, copy.copy(third).a, hasattr(first, "__dict__"), hasattr(first, "__slots__")
    yield told(lambda: setattr(first, "a", 4)), told(lambda: delattr(first, "b"))
    yield getattr(first, "a", None), getattr(first, "e", None)
    yield cls.__init__.__qualname__, inspect.get_annotations(cls.__init__)


@pytest.mark.parametrize("made", [plain, defaults, own_equality, own_hash])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(options) or "none")
def test_a_class_is_as_one_of_python(made: Callable[[], type[Any]], options: dict[str, bool]) -> None:
    expected, actual = (list(seen(decorator(**options)(made()))) for decorator in (dataclasses.dataclass, dataclass))

    assert [without_addresses(each) for each in actual] == [without_addresses(each) for each in expected]


def without_addresses(seen: object) -> str:
    return repr(seen).partition(" at 0x")[0]


def test_a_class_below_has_the_fields_above_first() -> None:
    @dataclass(frozen=True, slots=True)
    class Above:
        a: int
        b: int = 2

    @dataclass(frozen=True, slots=True)
    class Below(Above):
        c: int = 3

    below = Below(1, c=4)

    assert (below.a, below.b, below.c) == (1, 2, 4)
    assert below != Above(1)
    assert hash(below) == hash(Below(1, 2, 4))


def test_what_is_frozen_takes_nothing_new_but_in_classes_below() -> None:
    """Python's own raises another fault here, of its making, where a class has slots."""

    @dataclass(frozen=True, slots=True)
    class Above:
        a: int

    class Free(Above):
        other: int

    free = Free(1)
    free.other = 8

    assert free.other == 8
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'a'"):
        free.a = 2  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'z'"):
        Above(1).z = 2  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Sent:
    """A class that another process can find."""

    a: int
    b: tuple[int, ...] = ()


def test_what_is_sent_is_equal_where_it_arrives_first() -> None:
    """The other process has made none before: how two are compared is written there for what came."""
    text = f"import pickle; one, other = (pickle.loads({pickle.dumps(Sent(1, (2, 3)))!r}) for _ in 'ab')"
    text += "; print(one == other, hash(one) == hash(other), one)"
    run = subprocess.run(
        [sys.executable, "-c", text],
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT}:{ROOT / 'analysis'}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert (run.stdout.strip(), run.returncode) == ("True True Sent(a=1, b=(2, 3))", 0), run.stderr
