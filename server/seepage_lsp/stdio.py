"""Runs the server between two file descriptors."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from typing import Any, NoReturn

from lsprotocol.types import MessageType

from seepage_lsp.framing import DescriptorWriter, read_in_background
from seepage_lsp.garbage import Collector
from seepage_lsp.server import SeepageServer
from seepage_lsp.worker import ANALYSIS

# What a shell tells of a program that ended by Ctrl-C.
_INTERRUPTED = 130
# How long the server may take to end after its input has ended.
_LAST_SECONDS = 2.0
# Threads that load the library or check a long text give the event loop its turn this soon; by default Python waits five times as long.
_TURN_SECONDS = 0.001


def run(
    source: int, sink: int, analysis: str | None = None, *, python_only: bool = False, ahead: bool = False
) -> NoReturn:
    """Serve until the client says ``exit``, closes the stream, or is gone; then end the process with everything it started."""
    asyncio.run(_serve(source, sink, analysis or ANALYSIS, python_only=python_only, ahead=ahead))
    raise AssertionError("the server ends the process itself")


async def _serve(source: int, sink: int, analysis: str, *, python_only: bool, ahead: bool) -> None:
    sys.setswitchinterval(_TURN_SECONDS)
    server = SeepageServer(analysis, python_only=python_only)
    loop = asyncio.get_running_loop()

    def finish(code: int) -> NoReturn:
        server.close()
        sys.stderr.flush()
        os._exit(code)  # at once: whatever still runs here has nobody left to tell

    def ended(problem: str | None) -> None:
        if problem is not None:
            sys.stderr.write(f"seepage-lsp stops: {problem}\n")
        # After the messages that are still waiting, among which may be an exit.
        loop.call_soon_threadsafe(server.protocol.when_idle, lambda: finish(1))
        # The loop may be stuck: in a write that nobody reads.
        time.sleep(_LAST_SECONDS)
        os._exit(1)

    def broke(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        # Of a timer or a task that nobody waits for.
        server.log(f"{context.get('message')}: {context.get('exception')!r}", MessageType.Error)

    loop.set_exception_handler(broke)
    server.protocol.finish = finish
    server.protocol.heard = Collector().heard
    server.protocol.set_writer(DescriptorWriter(sink))
    read_in_background(source, lambda bodies: loop.call_soon_threadsafe(server.protocol.receive, bodies), ended)
    if ahead:
        server.load()
    try:
        await asyncio.Event().wait()
    except (
        asyncio.CancelledError
    ):  # by Ctrl-C; what asyncio would wait for now, as a process that is being started, may never end
        finish(_INTERRUPTED)
