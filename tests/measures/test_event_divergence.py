"""What an event tells of a secret from a huge range: by counting its values, and against small ranges one by one."""

from __future__ import annotations

import math

import pytest

import seepage

HUGE = "s ~ uniform_int(0, 2^64 - 1)\nu ~ uniform_int(0, 2^64 - 1)\n"
SMALL = "s ~ uniform_int(0, 4095 - 1)\n"
LARGE = "s ~ uniform_int(0, 4095 + 4095 - 1)\n"


@pytest.mark.parametrize(
    ("event", "values"),
    [
        ("s % 1000 == 3", (2**64 - 1 - 3) // 1000 + 1),
        ("s < 2^60", 2**60),
        ("s == 5", 1),
        ("s > 10 and s % 2 == 0", 2**63 - 6),
        ("s >= 0", 2**64),
    ],
)
def test_an_event_tells_the_logarithm_of_its_chance(event: str, values: int) -> None:
    found = seepage.parse(HUGE).measure(f"KL(s | {event} || s)")

    assert found.value == pytest.approx(64 - math.log2(values), abs=1e-12)
    assert found.lower <= found.value <= found.upper


def test_an_observation_of_the_program_counts_on_both_sides() -> None:
    found = seepage.parse(HUGE + "observe s < 2^62\n").measure("KL(s | s < 2^60 || s)")

    assert found.exact == 2


@pytest.mark.parametrize("event", ["s % 10 == 3", "s < 100 or s > 4000", "s * 2 == 10"])
def test_huge_ranges_and_small_ones_obey_one_law(event: str) -> None:
    for text, size in ((SMALL, 4095), (LARGE, 8190)):  # the second is wide enough for classes
        number = sum(
            {"s % 10 == 3": s % 10 == 3, "s < 100 or s > 4000": s < 100 or s > 4000, "s * 2 == 10": s * 2 == 10}[event]
            for s in range(size)
        )
        found = seepage.parse(text).measure(f"KL(s | {event} || s)")
        assert found.value == pytest.approx(math.log2(size / number), abs=1e-9)


@pytest.mark.parametrize("event", ["u == 5", "s < 0"])
def test_what_is_no_event_of_the_secret_alone_or_impossible_is_told_as_before(event: str) -> None:
    with pytest.raises(seepage.MeasureError):
        seepage.parse(HUGE).measure(f"KL(s | {event} || s)")
