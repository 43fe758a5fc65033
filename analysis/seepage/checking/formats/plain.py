"""For programs: the JSON that the command line has always written, one object a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from seepage.checking.judging import Judged
from seepage.report.finding_json import SCHEMA, diagnostic_json, error_json, json_text

if TYPE_CHECKING:
    from seepage.measures.result import Json


def json_of(files: Sequence[Judged], *, single: bool) -> str:
    """Return one object where a ``single`` file was asked for, else a list."""
    reports = [file_json(each) for each in files]
    return json_text(reports[0] if single else reports, indent=2)


def file_json(file: Judged) -> dict[str, Json]:
    """Return everything about one file."""
    if file.report is None:
        assert file.failure is not None
        return {"schema": SCHEMA, "file": file.source.name, **error_json(file.failure, file.source)}
    return {
        "schema": SCHEMA,
        "file": file.source.name,
        "diagnostics": [diagnostic_json(each, file.source) for each in file.findings],
        "table": [row.data for row in file.report.rows],
        "answers": [answer.data for answer in file.report.answers],
        "note": file.report.note,
        "seconds": file.report.seconds,
    }
