"""Some rounds of scripted editing leave memory and processes as they were; ``benchmarks/soak.py`` takes longer."""

from __future__ import annotations

import os

import pytest
from benchmarks.soak import soak

SECONDS = 600.0 if os.environ.get("SEEPAGE_DEEP") == "1" else 10.0
ROUNDS = 9  # on a busy machine, too, which takes its time for them


@pytest.mark.variation(of="tests/server/test_garbage.py::test_everything_is_collected_in_a_pause_and_once")
@pytest.mark.timeout(SECONDS + 600)
def test_editing_grows_neither_memory_nor_processes() -> None:
    record = soak(SECONDS, rounds=ROUNDS)

    # Two workers, and one that was superseded and is being killed, or that is started in its place.
    assert max(record.processes) <= 4
    assert max(record.server) < 250 << 20
    # What one text and its analysis take comes and goes; half as much again would be a leak.
    assert record.growth() < 1.5
