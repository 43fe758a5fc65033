from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.server.fake_workers import FakeWorkers
from tests.server.wire import Wire, wired

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _analysis_process_finds_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that analyses imports the scripted analysis by name."""
    paths = [str(ROOT), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in paths if path))


@pytest.fixture
def wire() -> Iterator[Wire]:
    """A server that nothing was said to, with the scripted analysis."""
    with wired() as one:
        yield one


@pytest.fixture
def ready(wire: Wire) -> Wire:
    """A server that is initialized by a client with no capabilities."""
    wire.initialize()
    return wire


@pytest.fixture
def workers() -> FakeWorkers:
    return FakeWorkers()


@pytest.fixture
def faked(workers: FakeWorkers) -> Iterator[Wire]:
    """A server that nothing was said to, whose analyses end when the test says so."""
    with wired(workers) as one:
        yield one
