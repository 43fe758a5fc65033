"""Every rule has a code in order, a page, and a home."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from seepage.diagnostics import Rule
from seepage.report.rules_page import rules_page
from seepage.rules import RULES

ROOT = Path(__file__).parents[2]
REGISTRY = ROOT / "analysis" / "seepage" / "rules"
SOURCES = [path for root in ("analysis", "server") for path in (ROOT / root).rglob("*.py") if path.parent != REGISTRY]
WORDS = {word for path in SOURCES for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))}
CONSTANTS = {
    code: name
    for path in REGISTRY.glob("*.py")
    for name, code in re.findall(
        r"^(\w+)(?:: Rule)? = rule\(\s*\"(\w+)\"", path.read_text(encoding="utf-8"), re.MULTILINE
    )
}


@pytest.mark.parametrize("code", sorted(RULES))
def test_a_rule_is_used(code: str) -> None:
    assert CONSTANTS[code] in WORDS


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.code)
def test_a_rule_is_documented(rule: Rule) -> None:
    assert re.fullmatch(r"SEEP\d{3}", rule.code)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
    assert rule.summary
    assert not rule.summary.endswith(".")
    assert rule.explanation.endswith((".", "`.", "`)."))


def test_names_of_rules_are_unique() -> None:
    assert len({rule.name for rule in RULES.values()}) == len(RULES)


def test_the_page_of_diagnostics_is_up_to_date() -> None:
    page = (ROOT / "docs" / "diagnostics.md").read_text(encoding="utf-8")

    assert page == rules_page(), "run: seepage rules > docs/diagnostics.md"
