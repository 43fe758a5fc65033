"""A keyword that stands for a name in several places: one mistake, told once, with a fix that renames it everywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seepage.diagnostics import Diagnostic, Edit, Fix, Label
from seepage.rules import KEYWORD_AS_NAME


def keywords_once(found: Sequence[Diagnostic], text: str) -> list[Diagnostic]:
    """Return findings in the order of the text without the repetitions of keywords that stand for names; the first one tells of them.

    Args:
        found: in the order of the text.
        text: of the file.
    """
    places: dict[str, list[Diagnostic]] = {}
    for one in found:
        if one.rule is KEYWORD_AS_NAME:
            places.setdefault(text[one.span.start : one.span.end], []).append(one)
    if not places:
        return list(found)
    kept = {id(uses[0]): _renamed(word, uses, text) for word, uses in places.items()}
    return [kept.get(id(one), one) for one in found if one.rule is not KEYWORD_AS_NAME or id(one) in kept]


def _renamed(word: str, uses: Sequence[Diagnostic], text: str) -> Diagnostic:
    name = f"{word}_"
    while name in text:
        name += "_"
    fix = Fix(f"write '{name}'", tuple(Edit(one.span, name) for one in uses), automatic=False)
    labels = tuple(Label(one.span, "used as a name here, too") for one in uses[1:])
    return replace(uses[0], labels=labels, fixes=(fix,))
