"""What the server asks about a document by itself: what changed since the last commit, and where measures come from."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from pygls.exceptions import JsonRpcException

from seepage.data_classes import dataclass
from seepage_lsp.explorations import Explorations
from seepage_lsp.kept import Answer
from seepage_lsp.paths import in_repository, path_of
from seepage_lsp.workspace import CHANGES, WHERE, Document, Snapshot, Status, inputs_of

if TYPE_CHECKING:
    from seepage_lsp.questions import ChangesQuestion, Exploration, WhereQuestion
    from seepage_lsp.settings import Settings

_MOST_WHERE = 3  # measures that a hover asks about
_WHERE_SECONDS = 10.0  # for each of them


@dataclass(frozen=True, slots=True)
class AskedOnce:
    """Questions whose answers are kept with their document.

    Attributes:
        explorations: where they are answered.
        settings: returns those in force.
        changed: told when it is known what changed since the last commit.
    """

    explorations: Explorations
    settings: Callable[[], Settings]
    changed: Callable[[Document], object]

    async def where(self, document: Document, question: WhereQuestion, exploration: Exploration) -> Answer:
        """Return where a measure comes from; raises ``JsonRpcException`` as :meth:`Explorations.ask`."""
        return await self._ask(document, WHERE + question.measure, exploration, lambda: None)

    async def begin_where(self, document: Document, snapshot: Snapshot) -> None:
        """Ask where the measures of an analysed text come from that its leakage table leads with, unless that is known."""
        from seepage_lsp.questions import WhereQuestion

        for measure in wheres_wanted(snapshot):
            question = WhereQuestion(measure)
            try:
                asked = self._exploration(document, question)
                await self.where(document, question, replace(asked, seconds=min(asked.seconds, _WHERE_SECONDS)))
            except JsonRpcException:
                return  # the text has changed, or there is nothing to say

    async def begin_changes(self, document: Document) -> None:
        """Ask what changed since the last commit, of a file whose text was just analysed."""
        finished = document.finished
        settings = self.settings().under(document.project)
        path = path_of(document.uri)
        if finished is None or not settings.compare or path is None:
            return
        if not await asyncio.to_thread(in_repository, path):
            return  # no process is started to find that out
        if finished.inputs != inputs_of(document.lines.text, settings, document.named):
            return
        from seepage_lsp.questions import ChangesQuestion

        question = ChangesQuestion(finished.analysis, dict(settings.project))
        try:
            asked = self._exploration(document, question)
            await self._ask(document, CHANGES, asked, lambda: self.changed(document))
        except JsonRpcException:
            return  # no git, no change, or a newer text

    def _exploration(self, document: Document, question: ChangesQuestion | WhereQuestion) -> Exploration:
        from seepage_lsp.questions import Exploration

        settings = self.settings().under(document.project)
        return Exploration(document.source, settings.unit, dict(settings.parameters), {}, question, settings.time_limit)

    async def _ask(
        self, document: Document, topic: str, exploration: Exploration, changed: Callable[[], object]
    ) -> Answer:
        from seepage_lsp.questions import topic_of

        inputs = inputs_of(document.lines.text, self.settings().under(document.project), document.named)
        return await document.kept.ask(
            inputs,
            topic,
            lambda: self.explorations.ask(document.uri, f"own {topic_of(exploration.question)}", exploration),
            changed,
        )


def wheres_wanted(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the measures whose origin hovers of statements tell: what all outputs tell of each secret, of a few; none of a text that is not analysed."""
    if snapshot.analysis is None or not snapshot.is_current or snapshot.status is not Status.DONE:
        return ()
    rows = (row for row in snapshot.analysis.table if row.headline and row.information is not None)
    found = (row.information.measure for row in rows if row.information is not None)
    return tuple(dict.fromkeys(found))[:_MOST_WHERE]
