"""SARIF 2.1.0, the format in which services take in the findings of analysers: rules, places, fixes, fingerprints.

Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0; the numbers of sections are those of that text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import seepage
from seepage.checking.fingerprints import fingerprints
from seepage.checking.formats.places import uri_of
from seepage.checking.judging import Judged
from seepage.diagnostics import Diagnostic, Fix, Rule, Severity
from seepage.report.finding_json import json_text
from seepage.rules import RULES
from seepage.source import SourceFile, Span

if TYPE_CHECKING:
    from seepage.measures.result import Json

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "seepageFinding/v1"
_LEVELS: Mapping[Severity, str] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "note",
    Severity.HINT: "note",
}


def sarif_of(files: Sequence[Judged]) -> str:
    """Return a log with one run."""
    met = {finding.rule.code for file in files for finding in file.told}
    numbers = {code: number for number, code in enumerate(sorted(met))}
    results: list[Json] = [result for file in files for result in _results(file, numbers)]
    run: dict[str, Json] = {
        "tool": {"driver": _driver(numbers)},
        "invocations": [{"executionSuccessful": all(file.failure is None for file in files)}],
        "columnKind": "unicodeCodePoints",  # 3.14.17: as ours are
        "artifacts": [{"location": {"uri": uri_of(file.source.name)}} for file in files],
        "results": results,
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _driver(numbers: Mapping[str, int]) -> dict[str, Json]:
    return {
        "name": "seepage",
        "version": seepage.__version__,
        "semanticVersion": seepage.__version__,
        "rules": [_rule(RULES[code]) for code in numbers],
    }


def _rule(rule: Rule) -> dict[str, Json]:
    return {
        "id": rule.code,
        "name": "".join(part.capitalize() for part in rule.name.split("-")),
        "shortDescription": {"text": f"{rule.summary}."},
        "fullDescription": {"text": rule.explanation.split("\n\n")[0]},
        "help": {"text": rule.explanation, "markdown": rule.explanation},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _results(file: Judged, numbers: Mapping[str, int]) -> list[dict[str, Json]]:
    known = zip(file.told, fingerprints(file.source, file.told), strict=True)
    return [_result(file.source, finding, numbers, fingerprint) for finding, fingerprint in known]


def _result(source: SourceFile, finding: Diagnostic, numbers: Mapping[str, int], fingerprint: str) -> dict[str, Json]:
    told = ". ".join((finding.message, *finding.notes))
    result: dict[str, Json] = {
        "ruleId": finding.rule.code,
        "ruleIndex": numbers[finding.rule.code],
        "level": _LEVELS[finding.severity],
        "message": {"text": told},
        "locations": [_location(source, finding.span)],
        "partialFingerprints": {FINGERPRINT: fingerprint},
    }
    if finding.labels:
        result["relatedLocations"] = [
            {"id": number, **_location(source, label.span), "message": {"text": label.message}}
            for number, label in enumerate(finding.labels, 1)
        ]
    if fixes := [_fix(source, fix) for fix in finding.fixes if fix.edits]:
        result["fixes"] = fixes
    return result


def _location(source: SourceFile, span: Span) -> dict[str, Json]:
    place: dict[str, Json] = {"artifactLocation": {"uri": uri_of(source.name)}, "region": _region(source, span)}
    return {"physicalLocation": place}


def _region(source: SourceFile, span: Span) -> dict[str, Json]:
    line, column = source.position(span.start)
    end_line, end_column = source.position(span.end)
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _fix(source: SourceFile, fix: Fix) -> dict[str, Json]:
    replacements: list[Json] = [
        {"deletedRegion": _region(source, edit.span), "insertedContent": {"text": edit.replacement}}
        for edit in fix.edits
    ]
    change: Json = {"artifactLocation": {"uri": uri_of(source.name)}, "replacements": replacements}
    return {"description": {"text": fix.title}, "artifactChanges": [change]}
