"""Listens on this machine alone, and lets in who has the address."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from collections.abc import Callable, Mapping
from dataclasses import field
from http import HTTPStatus

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from seepage.data_classes import dataclass
from seepage_play import pages
from seepage_play.address import LOOPBACK, Address, Refused
from seepage_play.address import Request as Asked
from seepage_play.session import SERVER_GONE, Session, end, start
from seepage_play.shelves import LONGEST, Place, Shelves

SOCKET = "socket"
TRY_LATER = 1013
_LONGEST_MESSAGE = 4 * LONGEST  # a text may need several bytes a character, and more where it is escaped
_OPENING_SECONDS = 5.0
_TEXT = {"Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}


@dataclass(slots=True)
class Serving:
    """What is served, and to how many.

    Attributes:
        shelves: the texts that pages may have.
        first: what a page opens first, if that was named.
        most_pages: how many may be open: each has a language server, with processes that compute.
    """

    shelves: Shelves
    first: Place | None = None
    most_pages: int = 8
    _address: Address | None = None
    _open: set[ServerConnection] = field(default_factory=set)
    _ahead: asyncio.Task[Process] | None = None  # the server of the first page, which loads while the browser opens

    @property
    def open_pages(self) -> int:
        """How many pages are connected."""
        return len(self._open)

    async def run(self, port: int, opened: Callable[[str], object]) -> None:
        """Serve until cancelled; raises ``OSError`` if the port is taken.

        Args:
            port: to listen at, 0 for any that is free.
            opened: called with the address once the page can be had.
        """
        async with serve(
            self._connect,
            LOOPBACK,
            port,
            process_request=self._request,
            max_size=_LONGEST_MESSAGE,
            compression=None,
            open_timeout=_OPENING_SECONDS,
            server_header=None,
        ) as server:
            self._address = Address(_port(server))
            self._ahead = asyncio.create_task(start())
            opened(self._address.url)
            try:
                await server.serve_forever()
            finally:
                if self._ahead is not None:
                    await end(await self._ahead)

    def _request(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer what is no WebSocket, or may be none; None lets one be opened."""
        assert self._address is not None
        is_socket = "websocket" in request.headers.get("Upgrade", "").lower()
        hosts, origins = request.headers.get_all("Host"), request.headers.get_all("Origin")
        name = self._address.read(Asked(request.path, hosts, origins), is_socket=is_socket)
        if isinstance(name, Refused):
            return _answer(name.status, _TEXT, f"{name.why}\n".encode())
        if is_socket and name == SOCKET:
            return None
        page = None if is_socket else pages.page(name)
        if page is None:
            return _answer(HTTPStatus.NOT_FOUND, _TEXT, b"There is nothing of this name.\n")
        return _answer(HTTPStatus.OK, page.headers, page.body)

    async def _connect(self, connection: ServerConnection) -> None:
        if len(self._open) >= self.most_pages:
            await connection.close(TRY_LATER, f"{self.most_pages} pages are open already; close one of them")
            return
        self._open.add(connection)
        try:
            begun, self._ahead = self._ahead, None
            await Session(connection, self.shelves, self.first, await (begun or start())).run()
        finally:
            self._open.discard(connection)
        await connection.close(SERVER_GONE, "the language server has ended")


def _port(server: Server) -> int:
    port: int = next(iter(server.sockets)).getsockname()[1]
    return port


def _answer(status: int, headers: Mapping[str, str], body: bytes) -> Response:
    known = HTTPStatus(status)
    told = Headers({**headers, "Content-Length": str(len(body)), "Connection": "close"})
    return Response(known.value, known.phrase, told, body)


def run(serving: Serving, port: int, opened: Callable[[str], object]) -> None:
    """Serve until Ctrl-C, which raises ``KeyboardInterrupt`` once everything is ended."""
    asyncio.run(serving.run(port, opened))
