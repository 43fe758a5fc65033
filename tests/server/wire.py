"""A server in this process, spoken to in messages: fast enough for a test per sentence of the protocol."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from cattrs import Converter
from pygls.protocol import default_converter

from seepage_lsp.framing import FrameBuffer
from seepage_lsp.server import SeepageServer

Message = dict[str, Any]
SCRIPTED = "tests.server.scripted_analysis:bare"


@cache
def converter() -> Converter:
    """One for all servers of a test run: what it learns of a client's parameters takes longer than most tests."""
    made: Callable[[], Converter] = default_converter
    return made()


@dataclass
class Wire:
    """Messages in, messages out, in order; the event loop runs only while the test waits for something."""

    loop: asyncio.AbstractEventLoop
    server: SeepageServer
    received: list[Message] = field(default_factory=list)
    exit_code: int | None = None
    _buffer: FrameBuffer = field(default_factory=FrameBuffer)
    _next_id: int = 0
    _seen: int = 0

    def write(self, data: bytes) -> None:
        """Take what the server writes."""
        self.received += [json.loads(body) for body in self._buffer.feed(data)]

    def close(self) -> None:
        """Part of what pygls calls a writer."""

    def send_bodies(self, *bodies: bytes) -> None:
        """Give the server bodies that arrive together."""
        self.loop.call_soon(self.server.protocol.receive, list(bodies))

    def send(self, *messages: Message) -> None:
        """Give the server messages that arrive together."""
        self.send_bodies(*(json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages))

    def notify(self, method: str, params: object = None) -> None:
        self.send({"method": method, "params": params})

    def request(self, method: str, params: object = None) -> Message:
        """Send a request and wait for its answer."""
        self._next_id += 1
        self.send({"id": self._next_id, "method": method, "params": params})
        return self.answer(self._next_id)

    def result(self, method: str, params: object = None) -> Any:
        answer = self.request(method, params)
        assert "error" not in answer, answer
        return answer["result"]

    def answer(self, msg_id: object) -> Message:
        return self.wait(lambda message: message.get("id") == msg_id and "method" not in message)

    def wait(self, wanted: Callable[[Message], bool], seconds: float = 60.0) -> Message:
        """Wait for a message, sent at any time since the start."""
        message: Message = self.wait_for(lambda: next((one for one in self.received if wanted(one)), None), seconds)
        return message

    def wait_new(self, method: str, seconds: float = 60.0) -> Message:
        """Wait for a message with this method that no earlier call returned."""

        def find() -> Message | None:
            for index in range(self._seen, len(self.received)):
                if self.received[index].get("method") == method:
                    self._seen = index + 1
                    return self.received[index]
            return None

        message: Message = self.wait_for(find, seconds)
        return message

    def wait_for(self, condition: Callable[[], Any], seconds: float = 60.0) -> Any:
        """Run the loop until a condition gives something true."""

        async def until() -> Any:
            while not (value := condition()):
                await asyncio.sleep(0.002)
            return value

        return self.loop.run_until_complete(asyncio.wait_for(until(), seconds))

    def settle(self, method: str = "textDocument/codeLens") -> None:
        """Wait until everything that was sent is handled: by a request, as answers come in order."""
        self.request(method, {"textDocument": {"uri": "untitled:nothing"}})

    def methods(self) -> list[str]:
        return [message["method"] for message in self.received if "method" in message]

    # --- everyday messages --------------------------------------------------------------------------------------------

    def initialize(self, params: Message | None = None) -> Message:
        result: Message = self.result(
            "initialize", {"processId": None, "rootUri": None, "capabilities": {}} | (params or {})
        )
        self.notify("initialized", {})
        return result

    def open(self, text: str, uri: str = "file:///a.seep", version: int = 1) -> None:
        document = {"uri": uri, "languageId": "seep", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, text: str, version: int, uri: str = "file:///a.seep") -> None:
        changes = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}
        self.notify("textDocument/didChange", changes)

    def save(self, uri: str = "file:///a.seep") -> None:
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def shut(self, uri: str = "file:///a.seep") -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def lenses(self, uri: str = "file:///a.seep") -> list[str]:
        return [
            lens["command"]["title"] for lens in self.result("textDocument/codeLens", {"textDocument": {"uri": uri}})
        ]

    def published(self, uri: str = "file:///a.seep") -> list[Message]:
        return [
            message["params"]
            for message in self.received
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri
        ]


@contextmanager
def wired(workers: Any = None) -> Iterator[Wire]:
    """Yield a wire to a server of its own, with the scripted analysis or other workers; what it started is killed at the end."""
    loop = asyncio.new_event_loop()

    async def start() -> Wire:
        return Wire(asyncio.get_running_loop(), SeepageServer(SCRIPTED, converter))

    try:
        wire = loop.run_until_complete(start())

        def finish(code: int) -> None:
            wire.exit_code = code

        if workers is not None:
            wire.server.scheduler.workers = workers
        wire.server.protocol.finish = finish
        wire.server.protocol.set_writer(wire)
        yield wire
        loop.run_until_complete(_stop(wire.server))
    finally:
        loop.close()


async def _stop(server: SeepageServer) -> None:
    server.close()
    await server.scheduler.workers.ended()
    await server.explorations.workers.ended()
    rest = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)
