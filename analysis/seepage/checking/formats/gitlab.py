"""The report of code quality that GitLab reads: a list of findings, each with a fingerprint that stays when lines move."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from seepage.checking.fingerprints import fingerprints
from seepage.checking.formats.places import place_of
from seepage.checking.judging import Judged
from seepage.diagnostics import Diagnostic, Severity
from seepage.report.finding_json import json_text

if TYPE_CHECKING:
    from seepage.measures.result import Json

_SEVERITIES: Mapping[Severity, str] = {
    Severity.ERROR: "major",
    Severity.WARNING: "minor",
    Severity.INFORMATION: "info",
}


def gitlab_of(files: Sequence[Judged]) -> str:
    """Return the report."""
    return json_text([each for file in files for each in _findings(file)], indent=2)


def _findings(file: Judged) -> list[dict[str, Json]]:
    place = place_of(file.source.name)
    return [
        _finding(file, each, place, print_)
        for each, print_ in zip(file.told, fingerprints(file.source, file.told), strict=True)
    ]


def _finding(file: Judged, finding: Diagnostic, place: str, fingerprint: str) -> dict[str, Json]:
    line, _ = file.source.position(finding.span.start)
    end, _ = file.source.position(finding.span.end)
    whole = hashlib.sha256(f"{place} {fingerprint}".encode("utf-8", "replace")).hexdigest()
    return {
        "description": f"{finding.rule.code}: {finding.message}",
        "check_name": finding.rule.name,
        "fingerprint": whole,
        "severity": _SEVERITIES[finding.severity],
        "location": {"path": place, "lines": {"begin": line, "end": end}},
    }
