"""What changed in a program since the last commit: what the process that explores runs, once the text as it is was analysed."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from seepage.checking.differing import Differences, differences
from seepage.checking.file_report import FileReport
from seepage.checking.formats.difference import differences_json
from seepage.checking.renames import renamed
from seepage.checking.revisions import NoRevision, Revision, changed_since, revision_of
from seepage.checking.work import file_report
from seepage.comparison import Version, channel_orders
from seepage.files import Folder
from seepage.measures.result import Json
from seepage.pipeline import check
from seepage.report.comparison import order_lines
from seepage.source import MAX_TEXT, SourceFile
from seepage_lsp.analysis import analyze_job, read_values
from seepage_lsp.analysis_process import Job
from seepage_lsp.paths import path_of
from seepage_lsp.questions import ChangesQuestion, Exploration, Refused

REVISION = "HEAD"
_ORDERS_SHARE = 0.2  # of the time, for each pair of channels
_MOST_BYTES = 4 * MAX_TEXT
_KEPT = 4

# Of texts of the last commit, which stay as they are while their programs are worked on.
_Key: TypeAlias = tuple[SourceFile, str, tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]
_known: OrderedDict[_Key, FileReport] = OrderedDict()


def changes(asked: Exploration, question: ChangesQuestion) -> dict[str, Json] | Refused:
    """Return what the numbers of a text differ in from those of the last commit; refused where there is nothing to compare, or nothing has changed."""
    path = path_of(asked.source.name)
    if path is None:
        return Refused("the text is no file")
    try:
        revision = revision_of(path.parent, REVISION)
        text = _text(revision, path, asked.source.text)
        if text is None or _plain(text) == _plain(asked.source.text):
            return Refused(f"the program is as it is in {REVISION}, or not there")
        files = asked.source.files
        changed = changed_since(revision, (text, asked.source.text), files) if isinstance(files, Folder) else None
    except NoRevision as error:
        return Refused(str(error))
    if changed is not None:
        return Refused(f"'{changed}' is not what it was in {REVISION}")
    before = replace(asked.source, text=text)
    now = check(asked.source)
    report = file_report(now, question.analysis, None, settled=False)
    found = differences(_report(before, asked, question), report, before, asked.source)
    orders = () if now.has_errors else tuple(_orders(asked, before))
    if not orders and not _tells(found):
        return Refused("no number has changed")
    return {
        "revision": REVISION,
        "commit": revision.commit[:10],
        "worse": found.is_worse,
        **differences_json(found),
        "orders": list[Json](orders),
    }


def _text(revision: Revision, path: Path, now: str) -> str | None:
    """Return a file's text in a revision, where it may have had another name; None for one that is not there, or is no text of a program."""
    inside = revision.path_of(str(path))
    if inside is None:
        return None
    stored = next((each for each in revision.files([inside]) if each.path == inside), None)
    stored = stored or renamed(revision, {inside: now}).get(inside)
    if stored is None or stored.size > _MOST_BYTES:
        return None
    try:
        return revision.content(stored).removeprefix(BOM_UTF8).decode()
    except UnicodeDecodeError:
        return None


def _plain(text: str) -> str:
    """Return a text whose line ends are those that git stores: it may write others into files."""
    return text.replace("\r\n", "\n")


def _report(source: SourceFile, asked: Exploration, question: ChangesQuestion) -> FileReport:
    """Return what is told of the text of the last commit, under the settings of the present one."""
    settings, project = (tuple(sorted(each.items())) for each in (asked.settings, question.project))
    key = (source, asked.unit, settings, project)
    if key not in _known:
        job = Job(source, asked.unit, asked.settings, asked.seconds, project=question.project)
        _known[key] = file_report(check(source), analyze_job(job), None, settled=False)
    _known.move_to_end(key)
    while len(_known) > _KEPT:
        _known.popitem(last=False)
    return _known[key]


def _tells(found: Differences) -> bool:
    quiet = all(each.direction == "unchanged" for each in (*found.measures, *(one.measure for one in found.budgets)))
    return not quiet or bool(found.errors) or any(each.before != each.after for each in found.budgets)


def _orders(asked: Exploration, before: SourceFile) -> Iterator[dict[str, Json]]:
    """Yield what holds for every prior and every gain, where something is decided and the two versions are not the same."""
    versions = []
    for source in (before, asked.source):
        checked = check(source)
        if checked.has_errors:
            return
        versions.append(Version(checked, read_values(checked, asked.settings)[0]))
    for each in channel_orders(versions[0], versions[1], _ORDERS_SHARE * asked.seconds):
        if each.order not in ("the same", "undecided"):
            first, *rest = order_lines(each)
            yield {"told": first, "order": each.order, "shown": [line.strip() for line in rest]}
