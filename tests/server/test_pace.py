"""What is asked for often and happens seldom."""

from __future__ import annotations

import asyncio
import time

from seepage_lsp.pace import Pace


def test_the_first_is_at_once_and_those_of_the_pause_are_one_at_its_end() -> None:
    calls: list[float] = []

    async def ask() -> None:
        pace = Pace(0.02, lambda: calls.append(time.monotonic()), asyncio.get_running_loop())
        for _ in range(5):
            pace.ask()
        assert len(calls) == 1
        while len(calls) < 2:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.03)

    asyncio.run(ask())

    assert len(calls) == 2
    assert calls[1] - calls[0] >= 0.02


def test_a_pause_may_count_from_before_the_first() -> None:
    calls: list[int] = []

    async def ask() -> None:
        pace = Pace(0.01, lambda: calls.append(1), asyncio.get_running_loop(), time.monotonic())
        pace.ask()
        assert not calls
        while not calls:
            await asyncio.sleep(0.001)

    asyncio.run(ask())


def test_what_waits_is_forgotten_when_stopped() -> None:
    calls: list[int] = []

    async def ask() -> None:
        pace = Pace(0.005, lambda: calls.append(1), asyncio.get_running_loop(), time.monotonic())
        pace.ask()
        pace.stop()
        await asyncio.sleep(0.02)

    asyncio.run(ask())

    assert not calls
