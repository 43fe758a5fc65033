"""Links between the pages lead somewhere."""

from __future__ import annotations

import re

import pytest
from tests.docs.blocks import ROOT

PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "vscode-extension/README.md",
    "benchmarks/README.md",
    *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md")),
]
LINK = re.compile(r"\]\((?!https?://)([^)#\s]*)(?:#([^)\s]*))?\)")


def text_of(page: str) -> str:
    """Return a page without its blocks of code."""
    return re.sub(r"^ *```.*?^ *```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(page: str) -> set[str]:
    """Return what can stand behind the '#' of a link to a page: its headings as GitHub names them, and its own anchors."""
    text = text_of(page)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return slugs | set(re.findall(r'<a id="([^"]+)">', text))


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    folder = (ROOT / page).parent
    for path, anchor in LINK.findall(text_of(page)):
        target = (folder / path).resolve() if path else ROOT / page
        assert target.exists(), f"{page} links to {path}, which is not there"
        if anchor:
            assert anchor in anchors(str(target.relative_to(ROOT))), f"{page} links to {path}#{anchor}"
