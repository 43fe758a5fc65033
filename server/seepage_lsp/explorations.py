"""Questions of clients about programs, answered in processes of their own: newer ones supersede older ones of the same kind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING

from lsprotocol.types import LSPErrorCodes
from pygls.exceptions import JsonRpcException

from seepage.data_classes import dataclass
from seepage_lsp.worker import AnalysisFailed, AnalysisTimeout, Workers

if TYPE_CHECKING:
    from seepage_lsp.questions import Exploration

EXPLORE = "seepage_lsp.exploring:explore"
# Work that nobody waits for any more may end within this time, so that a slider does not lose what the process remembers; then it is killed.
PATIENCE_SECONDS = 0.7


@dataclass(slots=True, eq=False)
class _Asked:
    """A question; ``before`` is the work on an older one, which has to end before this begins."""

    before: asyncio.Task[object] | None
    refusal: asyncio.Future[JsonRpcException]
    started: bool = False
    work: asyncio.Task[object] = field(init=False)


@dataclass(slots=True)
class Explorations:
    """The questions that are being answered, by document and kind. Mutable: belongs to one event loop.

    Attributes:
        workers: never those that analyse documents; their patience is that of this class.
        patience: seconds for work that nobody waits for.
        changed: told when a question begins or ends.
    """

    workers: Workers = field(default_factory=lambda: Workers(EXPLORE, patience=0.0))
    patience: float = PATIENCE_SECONDS
    changed: Callable[[], object] = lambda: None
    _asked: dict[tuple[str, str], _Asked] = field(default_factory=dict)

    @property
    def busy(self) -> bool:
        """Whether a question is being answered."""
        return bool(self._asked)

    async def ask(self, uri: str, kind: str, exploration: Exploration) -> dict[str, object]:
        """Answer a question; one of the same kind about the same document that is not answered yet is given up.

        Raises:
            JsonRpcException: RequestFailed with a sentence for people, ContentModified, or RequestCancelled for one given up.
        """
        key, loop = (uri, kind), asyncio.get_running_loop()
        older = self._asked.get(key)
        before = None
        if older is not None:
            before = older.work if older.started else older.before
            self._refuse(older, LSPErrorCodes.RequestCancelled, "a newer question came")
        asked = _Asked(before, loop.create_future())
        asked.work = loop.create_task(self._after(asked, exploration))
        self._asked[key] = asked
        asked.work.add_done_callback(lambda _: self._forget(key, asked))
        self.changed()
        done: list[asyncio.Future[object] | asyncio.Future[JsonRpcException]] = [asked.work, asked.refusal]
        try:
            await asyncio.wait(done, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self._leave(asked)
            raise
        if asked.refusal.done():
            raise asked.refusal.result()
        return _answer(asked.work, exploration)

    def give_up(self, uri: str, why: str) -> None:
        """Give up the questions about a document as it was, and say why: its text changed, or the settings that its numbers depend on."""
        for (other, _), asked in list(self._asked.items()):
            if other == uri:
                self._refuse(asked, LSPErrorCodes.ContentModified, why)

    def close(self) -> None:
        """Kill what runs."""
        for asked in list(self._asked.values()):
            asked.work.cancel()
        self.workers.close()

    async def _after(self, asked: _Asked, exploration: Exploration) -> object:
        """Work once an older question of the kind has ended or was killed, so that the process that knows the text is free again."""
        if asked.before is not None and not asked.before.done():
            await asyncio.wait([asked.before])
        asked.started, asked.before = True, None
        return await self.workers.ask(exploration)

    def _refuse(self, asked: _Asked, code: LSPErrorCodes, why: str) -> None:
        if not asked.refusal.done():
            asked.refusal.set_result(JsonRpcException(why, code))
        self._leave(asked)

    def _leave(self, asked: _Asked) -> None:
        """Have the work end, at once if it has not begun."""
        if not asked.started:
            asked.work.cancel()
        elif not asked.work.done():
            asyncio.get_running_loop().call_later(self.patience, asked.work.cancel)

    def _forget(self, key: tuple[str, str], asked: _Asked) -> None:
        if self._asked.get(key) is asked:
            del self._asked[key]
        if not asked.work.cancelled():
            asked.work.exception()  # nobody may be left to look at it
        self.changed()


def _answer(work: asyncio.Task[object], exploration: Exploration) -> dict[str, object]:
    from seepage_lsp.questions import Refused

    try:
        answer = work.result()
    except AnalysisTimeout:
        message = f"no answer within {exploration.seconds:g} s: raise the setting 'timeLimit', or ask for less"
        raise JsonRpcException(message, LSPErrorCodes.RequestFailed) from None
    except AnalysisFailed as error:
        raise JsonRpcException(f"the question was not answered: {error}", LSPErrorCodes.RequestFailed) from None
    if isinstance(answer, Refused):
        raise JsonRpcException(answer.reason, LSPErrorCodes.RequestFailed)
    if not isinstance(answer, dict):
        raise JsonRpcException(f"the answer is {type(answer).__name__}", LSPErrorCodes.RequestFailed)
    return answer
