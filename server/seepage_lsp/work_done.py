"""Work-done progress: begun once if the work takes longer than a blink, ended once whatever happens."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import field
from typing import TypeAlias

from lsprotocol.types import ProgressToken, WorkDoneProgressBegin, WorkDoneProgressEnd

from seepage.data_classes import dataclass

Send: TypeAlias = Callable[[ProgressToken, WorkDoneProgressBegin | WorkDoneProgressEnd], None]
Create: TypeAlias = Callable[[ProgressToken], Awaitable[object]]

# Progress of shorter work would only flicker.
BLINK_SECONDS = 0.4


@dataclass(slots=True)
class WorkDone:
    """The client's progress bars.

    Attributes:
        send: sends a notification for a token.
        create: asks the client for a progress with a token and waits for its answer; None if the client has none.
    """

    send: Send
    create: Create | None = None
    blink: float = BLINK_SECONDS
    _cancels: dict[ProgressToken, Callable[[], object]] = field(default_factory=dict)

    @contextlib.asynccontextmanager
    async def shown(
        self, title: str, cancel: Callable[[], object], token: ProgressToken | None = None
    ) -> AsyncIterator[None]:
        """Show progress around a piece of work; ``cancel`` is called when the user asks for it.

        ``token`` is one that came with a request: then the progress begins at once, without asking.
        """
        begun: list[ProgressToken] = []
        begin: asyncio.Task[None] | None = None
        if token is not None:
            self._begin(token, title, cancel, begun)
        elif self.create is not None:
            begin = asyncio.get_running_loop().create_task(self._begin_later(self.create, title, cancel, begun))
        try:
            yield
        finally:
            if begin is not None:
                begin.cancel()
            for one in begun:
                self._end(one)

    def follow(self, task: asyncio.Task[None], title: str, cancel: Callable[[], object], token: ProgressToken) -> None:
        """Show the progress of work that runs already by the token of a request that came later, too; it ends before who waits from now on goes on."""
        self._begin(token, title, cancel, [])
        task.add_done_callback(lambda _: self._end(token))

    def cancel(self, token: ProgressToken) -> None:
        """Do what the user asked for by cancelling; unknown and ended tokens are ignored."""
        if (cancel := self._cancels.get(token)) is not None:
            cancel()

    async def _begin_later(
        self, create: Create, title: str, cancel: Callable[[], object], begun: list[ProgressToken]
    ) -> None:
        await asyncio.sleep(self.blink)
        token = str(uuid.uuid4())
        # A client that refuses has no progress; the work goes on.
        with contextlib.suppress(ConnectionRefusedError):
            await create(token)
            self._begin(token, title, cancel, begun)

    def _begin(
        self, token: ProgressToken, title: str, cancel: Callable[[], object], begun: list[ProgressToken]
    ) -> None:
        begun.append(token)
        self._cancels[token] = cancel
        self.send(token, WorkDoneProgressBegin(title=title, cancellable=True))

    def _end(self, token: ProgressToken) -> None:
        if self._cancels.pop(token, None) is not None:
            self.send(token, WorkDoneProgressEnd())
