"""All rules by code, and how one is made."""

from __future__ import annotations

from seepage.diagnostics import Rule, Severity

RULES: dict[str, Rule] = {}


def rule(code: str, name: str, severity: Severity, summary: str, explanation: str, example: str = "") -> Rule:
    """Make a rule and keep it in ``RULES``.

    Raises:
        ValueError: if the code is used already.
    """
    if code in RULES:
        raise ValueError(f"{code} is used twice: {RULES[code].name}, {name}")
    made = Rule(code, name, severity, summary, explanation, example)
    RULES[code] = made
    return made
