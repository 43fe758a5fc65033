"""A report of files: what is told beside the numbers, in processes and from the cache, and all of it put together."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict

import seepage
from seepage.checking.cache import Cache, key_of
from seepage.checking.file_report import CheckedFile
from seepage.checking.judging import Judged
from seepage.checking.order import Broke, Order
from seepage.checking.pool import Pool
from seepage.checking.running import Progress
from seepage.checking.summary import summary_of, summary_text
from seepage.report.findings import printable
from seepage.reporting.compose import chapter_of
from seepage.reporting.document import Document
from seepage.reporting.order import BackgroundOrder
from seepage.reporting.told import Background
from seepage.reporting.values import read_as

Known = Background | Broke | None


def backgrounds_of(
    items: Sequence[Order | CheckedFile],
    found: Sequence[CheckedFile],
    pool: Pool,
    cache: Cache | None,
    tell: Callable[[Progress], object],
) -> list[Known]:
    """Return what is known of each file beside its numbers, or why that is not known; None of one that has no numbers either.

    Args:
        items: what was analysed, or could not be read.
        found: what was found, in the same order.
        pool: processes.
        cache: where to look first, and to keep what would be the same again; None for nowhere.
        tell: gets how far this is, now and then.
    """
    known: list[Known] = [None] * len(items)
    asked: list[tuple[int, BackgroundOrder, str]] = []
    for number, (item, file) in enumerate(zip(items, found, strict=True)):
        if not isinstance(item, Order) or file.report is None:
            continue
        key = key_of(item.text, {**item.options, "of": BackgroundOrder.work})
        known[number] = _kept(cache, key)
        if known[number] is None:
            asked.append((number, BackgroundOrder(item), key))
    done = len(items) - len(asked)
    for event in pool.run([order for _, order, _ in asked]) if asked else ():
        if event.done is not None:
            number, _, key = asked[event.done.number]
            answer = event.done.answer
            known[number] = answer
            done += 1
            if cache is not None and isinstance(answer, Background) and not any(one.missing for one in answer.programs):
                cache.put(key, asdict(answer))
        tell(Progress(done, len(items), tuple(asked[each][1].order.name for each in event.running)))
    return known


def _kept(cache: Cache | None, key: str) -> Background | None:
    value = None if cache is None else cache.get(key)
    if value is None:
        return None
    try:
        return read_as(Background, value)
    except (ValueError, TypeError, RecursionError):
        return None


def document_of(files: Sequence[Judged], known: Sequence[Known], title: str, command: str, date: str = "") -> Document:
    """Return a report.

    Args:
        files: what ``check`` tells of each.
        known: what is known beside it.
        title: of the page.
        command: that makes the same again.
        date: to print; empty for none.
    """
    chapters = tuple(chapter_of(file, each, _hash(file)) for file, each in zip(files, known, strict=True))
    return Document(
        printable(title),
        summary_text(summary_of(files)),
        printable(command),
        seepage.__version__,
        chapters,
        printable(date),
    )


def _hash(file: Judged) -> str:
    text = file.source.text
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() if text else ""
