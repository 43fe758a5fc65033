"""Documents whose analyses end when a test says so: how they are opened, and what is waited for."""

from __future__ import annotations

from typing import Any

from tests.server.fake_workers import FakeWorkers
from tests.server.wire import Message, Wire

from seepage.pipeline import Analysis

A = "file:///a.seep"


GOOD = "secret r\noutput o\nr ~ flip(1/2)\nt ~ flip(1/3)\no := r xor t\n"


def messages(published: Message) -> list[str]:
    return [one["message"] for one in published["diagnostics"]]


def start(wire: Wire, capabilities: dict[str, Any] | None = None, text: str = GOOD, **options: Any) -> Wire:
    wire.initialize({"capabilities": capabilities or {}, "initializationOptions": options})
    wire.open(text)
    return wire


def until_running(wire: Wire, workers: FakeWorkers, jobs: int) -> None:
    wire.wait_for(lambda: len(workers.futures) == jobs)


def analysed(wire: Wire, workers: FakeWorkers, result: Analysis | None = None) -> None:
    """Open the text and have its analysis end."""
    start(wire)
    until_running(wire, workers, 1)
    workers.finish(result)
    wire.wait_new("window/logMessage")


def until_published(wire: Wire, version: int, text: str | None = None) -> Message:
    """Wait for diagnostics of a version, with a message among them."""
    message: Message = wire.wait_for(
        lambda: next(
            (one for one in wire.published() if one["version"] == version and (text is None or text in messages(one))),
            None,
        )
    )
    return message


REFRESHING = {"workspace": {"codeLens": {"refreshSupport": True}, "inlayHint": {"refreshSupport": True}}}


PULLING = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
