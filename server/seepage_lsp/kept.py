"""Answers that belong to one text under one set of settings: each is asked for once, whoever wants it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import field
from typing import TYPE_CHECKING, Any, TypeAlias

from lsprotocol.types import LSPErrorCodes
from pygls.exceptions import JsonRpcException

from seepage.data_classes import dataclass

if TYPE_CHECKING:
    from seepage_lsp.workspace import Inputs

Answer: TypeAlias = dict[str, Any]


@dataclass(slots=True, eq=False)
class _Asked:
    task: asyncio.Task[Answer]
    waiting: int = 0


@dataclass(slots=True)
class Kept:
    """Questions about one document by what they are about, and what they are of. Mutable: belongs to one event loop."""

    inputs: Inputs | None = None
    _asked: dict[str, _Asked] = field(default_factory=dict)

    async def ask(
        self,
        inputs: Inputs,
        topic: str,
        begin: Callable[[], Coroutine[Any, Any, Answer]],
        changed: Callable[[], object],
    ) -> Answer:
        """Return the answer to a question, which begins unless it is known or on its way; once nobody waits for it, it is given up.

        Args:
            inputs: what is asked about: answers to others are forgotten.
            topic: what the question is known by.
            begin: asks it.
            changed: called when the answer is there.

        Raises:
            JsonRpcException: as the question does; a refusal is kept as an answer is.
        """
        if self.inputs != inputs:
            self.inputs, self._asked = inputs, {}
        asked = self._asked.get(topic)
        if asked is None:
            asked = _Asked(asyncio.get_running_loop().create_task(begin()))
            self._asked[topic] = asked
            asked.task.add_done_callback(lambda task: self._done(topic, task, changed))
        asked.waiting += 1
        try:
            return await asyncio.shield(asked.task)
        except asyncio.CancelledError:
            asked.waiting -= 1
            if not asked.waiting:
                asked.task.cancel()
            raise

    def all_known(self, head: str) -> dict[str, Answer | None]:
        """Return the answers to questions whose topic begins with a word, by the rest of it: None for one that is on its way, an empty one where it was refused."""
        return {
            topic.removeprefix(head): _answer(asked.task)
            for topic, asked in self._asked.items()
            if topic.startswith(head)
        }

    def _done(self, topic: str, task: asyncio.Task[Answer], changed: Callable[[], object]) -> None:
        error = None if task.cancelled() else task.exception()
        is_refusal = isinstance(error, JsonRpcException) and error.code == LSPErrorCodes.RequestFailed
        own = self._asked.get(topic)
        if own is not None and own.task is task:
            if task.cancelled() or (error is not None and not is_refusal):
                del self._asked[topic]  # given up: where it is wanted again, it is asked again
            elif error is None:
                changed()


def _answer(task: asyncio.Task[Answer]) -> Answer | None:
    if not task.done():
        return None
    return {} if task.cancelled() or task.exception() is not None else task.result()
