"""One page that is open: a WebSocket to it, and a language server of its own, each message whole on both sides."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from dataclasses import asdict, field
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from seepage.data_classes import dataclass
from seepage_lsp.framing import FrameBuffer, FramingError, frame
from seepage_play import gallery
from seepage_play.door import INVALID_PARAMS, METHOD_NOT_FOUND, Stopped, passed
from seepage_play.shelves import Place, Refusing, Shelves

SERVER_GONE = 4001
"""The code with which a WebSocket is closed when the language server has ended: the page opens another."""

# Not from the folder in which the command is run: what lies there is read, never run.
_SERVER = (sys.executable, "-P", "-m", "seepage_lsp", "--ahead")
_CHUNK = 1 << 16
_LAST_SECONDS = 3.0
_OWN = "play/"
_REFUSED, _CONFLICT = -32803, -32804


@dataclass(slots=True)
class Session:
    """A page that is open.

    Attributes:
        page: the WebSocket.
        shelves: the texts that the page may have.
        first: what the page is to open first, None for what it opened last.
        server: the language server, as :func:`start` starts one.
    """

    page: ServerConnection
    shelves: Shelves
    first: Place | None
    server: Process
    _waiting: set[asyncio.Task[None]] = field(default_factory=set)

    async def run(self) -> None:
        """Pass messages on until the page or the language server is gone; then neither is left."""
        ways = {asyncio.create_task(self._from_page()), asyncio.create_task(self._from_server())}
        try:
            done, _ = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in done:
                way.result()  # a fault of ours is told where the connection is handled
        finally:
            for task in (*ways, *self._waiting):
                task.cancel()
            await end(self.server)

    async def _from_server(self) -> None:
        assert self.server.stdout is not None
        buffer = FrameBuffer()
        with suppress(ConnectionClosed, FramingError):
            while received := await self.server.stdout.read(_CHUNK):
                for body in buffer.feed(received):
                    await self.page.send(body, text=True)

    async def _from_page(self) -> None:
        with suppress(ConnectionClosed, ConnectionError):
            async for received in self.page:
                await self._take(received)

    async def _take(self, received: str | bytes) -> None:
        try:
            message = json.loads(received)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            await self._answer(None, Stopped(-32700, "a message must be an object in JSON"))
            return
        method = message.get("method")
        if isinstance(method, str) and method.startswith(_OWN):
            # Disks can be slow, and the language server need not wait for them.
            task = asyncio.create_task(self._serve(method, message))
            self._waiting.add(task)
            task.add_done_callback(self._waiting.discard)
            return
        going = passed(message, self.shelves)
        if isinstance(going, Stopped):
            await self._answer(message.get("id"), going)
            return
        assert self.server.stdin is not None
        self.server.stdin.write(frame(json.dumps(going).encode()))
        await self.server.stdin.drain()

    async def _serve(self, method: str, message: dict[str, Any]) -> None:
        params = message.get("params")
        try:
            result = await asyncio.to_thread(self._result, method, params if isinstance(params, dict) else {})
        except Refusing as why:
            answer: dict[str, Any] = {
                "error": {"code": _CONFLICT if why.is_conflict else _REFUSED, "message": str(why)}
            }
        except _Misshapen as why:
            answer = {"error": {"code": why.code, "message": str(why)}}
        else:
            answer = {"result": result}
        with suppress(ConnectionClosed):
            await self.page.send(json.dumps({"jsonrpc": "2.0", "id": message.get("id"), **answer}))

    def _result(self, method: str, params: dict[str, Any]) -> Any:
        match method:
            case "play/list":
                listing = self.shelves.listing()
                return {
                    "folder": self.shelves.folder.name or str(self.shelves.folder),
                    "names": listing.names,
                    "whole": listing.is_whole,
                    "examples": [asdict(each) for each in gallery.examples()],
                    "first": None if self.first is None else asdict(self.first),
                }
            case "play/read":
                return asdict(self.shelves.read(_place(params)))
            case "play/save":
                text, stamp = _string(params, "text"), _string(params, "stamp")
                return asdict(self.shelves.save(_place(params), text, stamp, insists=params.get("insists") is True))
            case _:
                raise _Misshapen(f"there is no '{method[:100]}'", METHOD_NOT_FOUND)

    async def _answer(self, msg_id: Any, stopped: Stopped) -> None:
        error = {"code": stopped.code, "message": stopped.why}
        await self.page.send(json.dumps({"jsonrpc": "2.0", "id": msg_id, "error": error}))


class _Misshapen(Exception):
    """A request that is not as the page sends it."""

    def __init__(self, message: str, code: int = INVALID_PARAMS) -> None:
        super().__init__(message)
        self.code = code


def _place(params: dict[str, Any]) -> Place:
    place = params.get("place")
    if not isinstance(place, dict):
        raise _Misshapen("'place' is missing")
    return Place(_string(place, "shelf"), _string(place, "name"))


def _string(params: dict[str, Any], name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str):
        raise _Misshapen(f"'{name}' must be a string")
    return value


async def start() -> Process:
    """Start a language server. Ctrl-C in the terminal is for this process, which then ends that one."""
    return await asyncio.create_subprocess_exec(*_SERVER, stdin=PIPE, stdout=PIPE, start_new_session=True)


async def end(server: Process) -> None:
    """End a language server: it ends itself, with all that it started, when its input does."""
    if server.returncode is not None:
        return
    assert server.stdin is not None
    server.stdin.close()
    try:
        await asyncio.wait_for(server.wait(), _LAST_SECONDS)
    except TimeoutError:
        with suppress(ProcessLookupError):
            server.kill()
        await server.wait()
