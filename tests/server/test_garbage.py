"""Garbage is collected when nobody waits for an answer."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from seepage_lsp import garbage
from seepage_lsp.garbage import Collector


@pytest.fixture
def full() -> Iterator[list[int]]:
    """The number of full collections; afterwards all is as before."""
    thresholds, enabled, count = gc.get_threshold(), gc.isenabled(), [0]

    def told(phase: str, info: dict[str, int]) -> None:
        count[0] += phase == "stop" and info["generation"] == 2

    gc.callbacks.append(told)
    try:
        yield count
    finally:
        gc.callbacks.remove(told)
        gc.set_threshold(*thresholds)
        gc.unfreeze()
        (gc.enable if enabled else gc.disable)()


def _make_many() -> list[list[object]]:
    """Return so many objects that Python would look at all of them, more than once."""
    return [[number] for number in range(300_000)]


def test_no_full_collection_comes_by_itself(full: list[int]) -> None:
    gc.enable()
    gc.set_threshold(700, 10, 10)
    _make_many()
    assert full[0] > 0

    garbage.hold()
    garbage.resume()
    full[0] = 0
    _make_many()

    assert gc.isenabled()
    assert full[0] == 0


def test_what_is_new_is_still_collected(full: list[int]) -> None:
    garbage.hold()
    garbage.resume()
    young: list[int] = []
    gc.callbacks.append(lambda phase, info: young.append(info["generation"]))
    try:
        _make_many()
    finally:
        gc.callbacks.pop()

    assert {0, 1} <= set(young)


@pytest.fixture
def instant(monkeypatch: pytest.MonkeyPatch) -> Iterator[asyncio.Runner]:
    """A loop that waits for no time, with a clock of its own that goes on by what it should have waited: a busy machine changes nothing."""
    now = [0.0]
    loop = asyncio.SelectorEventLoop()
    select = loop._selector.select  # type: ignore[attr-defined]

    def skip(seconds: float | None) -> object:
        now[0] += seconds or 0.0
        return select(0)

    monkeypatch.setattr(loop, "time", lambda: now[0])
    monkeypatch.setattr(loop._selector, "select", skip)  # type: ignore[attr-defined]
    monkeypatch.setattr(garbage, "time", SimpleNamespace(monotonic=lambda: now[0]))
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        yield runner


def test_everything_is_collected_in_a_pause_and_once(full: list[int], instant: asyncio.Runner) -> None:
    async def type_then_pause() -> tuple[int, int, int]:
        collector = Collector(quiet=0.5)
        for _ in range(10):
            collector.heard()
            await asyncio.sleep(0.03)
        typing = full[0]
        await asyncio.sleep(0.9)
        paused = full[0]
        await asyncio.sleep(0.9)
        return typing, paused, full[0]

    garbage.hold()
    full[0] = 0
    assert instant.run(type_then_pause()) == (0, 1, 1)


@pytest.mark.variation(of="test_everything_is_collected_in_a_pause_and_once")
def test_who_never_pauses_is_collected_for_too(full: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "MOST_MESSAGES", 20)

    async def type_on() -> None:
        collector = Collector(quiet=0.1)
        for _ in range(30):
            collector.heard()
            await asyncio.sleep(0.01)

    garbage.hold()
    full[0] = 0
    asyncio.run(type_on())
    assert full[0] > 0
