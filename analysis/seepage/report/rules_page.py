"""The page ``docs/diagnostics.md``, made from the registry of rules: ``seepage rules > docs/diagnostics.md``."""

from __future__ import annotations

from collections.abc import Iterator

from seepage.diagnostics import Rule
from seepage.rules import RULES

_FAMILIES = {
    "0": "Text and syntax",
    "1": "Names and declarations",
    "2": "Kinds and static values",
    "3": "Exactness",
    "4": "Values met while running",
    "5": "Measures and budgets",
    "9": "Limits, and what is not supported yet",
}


def rules_page() -> str:
    """Return the whole page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Diagnostics"
    yield ""
    yield "Every finding has a code that is never reused. This page is made by `seepage rules`; edit `analysis/seepage/rules.py` instead."
    family = ""
    for code in sorted(RULES):
        if code[4] != family:
            family = code[4]
            yield ""
            yield f"## {_FAMILIES.get(family, 'Others')}"
        yield from _rule(RULES[code])


def _rule(rule: Rule) -> Iterator[str]:
    yield ""
    yield f'<a id="{rule.code}"></a>'
    yield ""
    yield f"### {rule.code} `{rule.name}`"
    yield ""
    yield f"*{rule.severity.value}*: {rule.summary}."
    yield ""
    yield rule.explanation
    if rule.example:
        yield ""
        yield "```seep"
        yield from rule.example.splitlines()
        yield "```"
