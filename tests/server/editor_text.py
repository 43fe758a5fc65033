"""An editor's own copy of a text, kept by the definitions of the protocol in the plainest way: by bytes of the encodings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, TypeAlias

Message: TypeAlias = dict[str, Any]

ENCODINGS = ("utf-8", "utf-16", "utf-32")
_CODEC = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")


def count_units(text: str, encoding: str) -> int:
    """Return the length of a text in the units of an encoding."""
    codec, size = _CODEC[encoding]
    return len(text.encode(codec)) // size


def offset(text: str, position: Message, encoding: str) -> int:
    """Return the code points before a position: past the end of a line its end, inside a character its start."""
    codec, size = _CODEC[encoding]
    lines = list(_line_starts(text))
    if position["line"] >= len(lines):
        return len(text)
    start = lines[position["line"]]
    found = _LINE.match(text, start)
    assert found is not None
    line = found[0].rstrip("\r\n")
    before = line.encode(codec)[: position["character"] * size].decode(codec, errors="ignore")
    return start + len(before)


def position(text: str, at: int, encoding: str) -> Message:
    """Return the position of a code point."""
    line = max(number for number, start in enumerate(_line_starts(text)) if start <= at)
    start = list(_line_starts(text))[line]
    return {"line": line, "character": count_units(text[start:at], encoding)}


def span(text: str, area: Message, encoding: str) -> tuple[int, int]:
    """Return start and end of a range in code points."""
    return offset(text, area["start"], encoding), offset(text, area["end"], encoding)


def covered(text: str, area: Message, encoding: str) -> str:
    """Return the part of a text that a range covers."""
    return text[slice(*span(text, area, encoding))]


def area(text: str, start: int, end: int, encoding: str) -> Message:
    """Return the range of two code points."""
    return {"start": position(text, start, encoding), "end": position(text, end, encoding)}


def edited(text: str, edits: Iterable[Message], encoding: str) -> str:
    """Apply text edits, all of which are about the text as it was and do not overlap."""
    pieces = sorted((*span(text, edit["range"], encoding), edit["newText"]) for edit in edits)
    assert all(one[1] <= other[0] for one, other in pairwise(pieces)), "edits overlap"
    for start, end, new in reversed(pieces):
        text = text[:start] + new + text[end:]
    return text


def changed(text: str, changes: Iterable[Message], encoding: str) -> str:
    """Apply content changes, each to the result of the one before."""
    for change in changes:
        if "range" in change:
            start, end = sorted(span(text, change["range"], encoding))
            text = text[:start] + change["text"] + text[end:]
        else:
            text = change["text"]
    return text


def ranges(answer: object) -> Iterator[Message]:
    """Yield every range in an answer, however deep."""
    if isinstance(answer, dict):
        if set(answer) == {"start", "end"}:
            yield answer
        for value in answer.values():
            yield from ranges(value)
    elif isinstance(answer, list):
        for value in answer:
            yield from ranges(value)


def token_texts(text: str, data: list[int], encoding: str) -> list[str]:
    """Return the texts that semantic tokens cover."""
    found: list[str] = []
    line = character = 0
    for down, right, length, _, _ in zip(*[iter(data)] * 5, strict=True):
        line, character = line + down, right + (0 if down else character)
        ends = {"start": {"line": line, "character": character}, "end": {"line": line, "character": character + length}}
        found.append(covered(text, ends, encoding))
    return found


def _line_starts(text: str) -> Iterator[int]:
    yield 0
    yield from (found.end() for found in re.finditer(r"\r\n|\r|\n", text))
