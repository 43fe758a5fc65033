"""What a finding is known by from one version of a program to the next: its rule and the text of its line, not where the line stands."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

from seepage.diagnostics import Diagnostic
from seepage.source import SourceFile


def fingerprints(source: SourceFile, findings: Sequence[Diagnostic]) -> list[str]:
    """Return one for each finding of a file, no two alike: of those that look the same, each is the next one."""
    met: Counter[str] = Counter()
    found: list[str] = []
    for each in findings:
        looks = f"{each.rule.code} {look(source, each)}"
        found.append(hashlib.sha256(f"{looks} {met[looks]}".encode("utf-8", "surrogatepass")).hexdigest()[:32])
        met[looks] += 1
    return found


def look(source: SourceFile, finding: Diagnostic) -> str:
    """Return the text of the line at which a finding begins, without the blanks that formatting changes."""
    line, _ = source.position(finding.span.start)
    return "".join(source.line_text(line).split())
