"""Who is let in: whoever has the address with its token, in a browser that took it from that address."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import field

from seepage.data_classes import dataclass

LOOPBACK = "127.0.0.1"
_NAMES = (LOOPBACK, "localhost")  # what a browser may call it; any other name is one that somebody has led here
_TOKEN_BYTES = 24


@dataclass(frozen=True, slots=True)
class Request:
    """What a browser sent: the path with its query, and each value of the headers ``Host`` and ``Origin``."""

    path: str
    hosts: Sequence[str]
    origins: Sequence[str]


@dataclass(frozen=True, slots=True)
class Refused:
    """A request that is not answered: the status of HTTP, and a sentence for people."""

    status: int
    why: str


@dataclass(frozen=True, slots=True)
class Address:
    """Where the page is: the token is the first part of each path, so that nothing is kept in the browser, and no other page can guess it."""

    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(_TOKEN_BYTES))

    @property
    def url(self) -> str:
        """The address of the page."""
        return f"http://{LOOPBACK}:{self.port}/{self.token}/"

    def read(self, request: Request, *, is_socket: bool) -> str | Refused:
        """Return the name of what is asked for, empty for the page itself, or why nothing is answered.

        A page of another site, whatever name it gives this machine by (DNS rebinding), sends its own name as host or as origin.

        Args:
            request: what the browser sent.
            is_socket: whether a WebSocket is to be opened; browsers say for which page they do that.
        """
        if len(request.hosts) != 1 or request.hosts[0] not in [f"{name}:{self.port}" for name in _NAMES]:
            return Refused(421, f"This is Seepage at {LOOPBACK}:{self.port}, which answers to no other name.")
        allowed = f"http://{request.hosts[0]}"
        if any(origin != allowed for origin in request.origins) or (is_socket and len(request.origins) != 1):
            return Refused(403, "Seepage answers its own page alone.")
        token, slash, name = request.path.partition("?")[0].removeprefix("/").partition("/")
        if not slash or not hmac.compare_digest(token.encode(), self.token.encode()):
            return Refused(403, "The address lacks its token: open the one that 'seepage play' has printed.")
        return name
