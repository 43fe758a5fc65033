"""A strip is a tuple of which parts were moved: the same as moving them at once."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from seepage.syntax.strip import Strip


def moved(thing: tuple[str, int], offset: int) -> tuple[str, int]:
    return thing[0], thing[1] + offset


@given(st.integers(0, 2**32), st.integers(0, 100))
def test_changes_of_a_strip_are_those_of_a_tuple(seed: int, changes: int) -> None:
    chance = random.Random(seed)
    plain = tuple((f"a{i}", i) for i in range(chance.randint(0, 9)))
    strip = Strip.of(plain, moved)
    for step in range(changes):
        first, last = sorted(chance.choices(range(len(plain) + 1), k=2))
        made = tuple((f"b{step}", i) for i in range(chance.randint(0, 3)))
        offset = chance.choice((0, 1, -2))
        before = strip
        strip = strip.spliced(first, last, made, offset)
        behind, at_end = strip.shared(before)
        names = [name for name, _ in plain]
        plain = (*plain[:first], *made, *(moved(one, offset) for one in plain[last:]))

        assert len(strip) == len(plain)
        assert [name for name, _ in plain[:behind]] == names[:behind]
        assert [name for name, _ in plain[len(plain) - at_end :]] == names[len(names) - at_end :]
        assert behind + at_end <= min(len(plain), len(names))
        some = chance.randrange(len(plain)) if plain else None
        one = None if some is None else strip[some]
        if chance.random() < 0.3:
            assert strip == plain
            assert strip[first:] == plain[first:]
        assert some is None or strip[some] is one

    assert strip == plain
    assert [*strip.moved(3)] == [moved(one, 3) for one in plain]


def test_a_strip_shares_what_a_change_leaves_alone() -> None:
    before = Strip.of([("a", i) for i in range(10)], moved)

    after = before.spliced(4, 5, [("b", 0)], 7)

    assert after.shared(before) == (4, 5)
    assert after.shared(Strip.of([("a", i) for i in range(10)], moved)) == (0, 0)


def test_changes_at_many_places_share_what_each_leaves_alone() -> None:
    strip = Strip.of([("a", i) for i in range(400)], moved)
    for step in range(0, 390, 2):
        before = strip
        strip = before.spliced(step, step + 1, [("b", step)], 1)

        assert strip.shared(before) == (step, 399 - step)
