"""Reports of many texts: those that are known from before at once, the others from processes, in the order in which they were asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from seepage.checking.cache import Cache, key_of
from seepage.checking.codec import read_report, report_value
from seepage.checking.file_report import CheckedFile, FileReport
from seepage.checking.order import Answer, Broke, Order, WrongProject
from seepage.checking.pool import Workers
from seepage.data_classes import dataclass
from seepage.diagnostics import Diagnostic
from seepage.rules import ANALYSIS_BROKE, TIME_LIMIT
from seepage.source import SourceFile, Span


class WrongValueInProject(Exception):
    """A project file gives a program a value that is none: nothing of the run is told."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: files done, of how many, and the names of those that are being analysed."""

    done: int
    files: int
    running: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Runner:
    """What runs need.

    Attributes:
        workers: who analyses what is not known.
        cache: of reports; None for none.
        here: analyses one text in this process, for a run that has but one to analyse.
        tell: gets how far the run is, now and then.
    """

    workers: Workers
    cache: Cache | None
    here: Callable[[Order], Answer]
    tell: Callable[[Progress], object]

    def run(self, items: Sequence[Order | CheckedFile]) -> Iterator[CheckedFile]:
        """Yield what is told of each item; one that is a file already, as it could not be read, is passed on.

        Raises:
            WrongValueInProject: a project file gives one of them a value that is none.
        """
        found: dict[int, CheckedFile] = {}
        asked: list[tuple[int, Order, str]] = []
        for number, item in enumerate(items):
            if isinstance(item, CheckedFile):
                found[number] = item
                continue
            key = key_of(item.text, item.options) if self.cache is not None else ""
            known = self._known(item, key)
            if known is None:
                asked.append((number, item, key))
            else:
                found[number] = CheckedFile(_source(item), known)
        told = 0
        for _ in self._computed(asked, found, len(items)):
            while told in found:
                yield found.pop(told)
                told += 1
        if asked and self.cache is not None:
            self.cache.tidy()

    def _known(self, order: Order, key: str) -> FileReport | None:
        value = None if self.cache is None else self.cache.get(key)
        if value is None:
            return None
        try:
            return read_report(value, len(order.text))
        except (ValueError, RecursionError):
            return None

    def _computed(
        self, asked: Sequence[tuple[int, Order, str]], found: dict[int, CheckedFile], files: int
    ) -> Iterator[None]:
        """Put what is computed among what is ``found``; yield at first, and whenever there may be more."""
        yield
        if len(asked) == 1:
            ((number, order, key),) = asked
            self.tell(Progress(files - 1, files, (order.name,)))
            found[number] = self._kept(order, key, self.here(order))
            yield
            return
        done = files - len(asked)
        for event in self.workers.run([order for _, order, _ in asked]):
            if event.done is not None:
                number, order, key = asked[event.done.number]
                found[number] = self._kept(order, key, event.done.answer)
                done += 1
            self.tell(Progress(done, files, tuple(asked[each][1].name for each in event.running)))
            yield

    def _kept(self, order: Order, key: str, answer: Answer) -> CheckedFile:
        """Return what an answer says of its file; what would be the same again is kept."""
        match answer:
            case FileReport():
                if self.cache is not None and answer.settled:
                    self.cache.put(key, report_value(answer))
                return CheckedFile(_source(order), answer)
            case Broke(reason, out_of_time):
                rule = TIME_LIMIT if out_of_time else ANALYSIS_BROKE
                return CheckedFile(_source(order), None, Diagnostic(rule, Span(0, 0), reason))
            case WrongProject(message):
                raise WrongValueInProject(message)


def _source(order: Order) -> SourceFile:
    return SourceFile(order.name, order.text)
