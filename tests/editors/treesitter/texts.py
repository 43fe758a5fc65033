"""Texts to read: every program of the repository, every broken one of its tests, and random changes of both."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from functools import cache

from tests.docs.blocks import blocks
from tests.editors.installed import REPOSITORY
from tests.syntax import test_half_typed
from tests.syntax.mangled import mangled
from tests.syntax.programs import WORDS

from seepage.syntax.comments import blank_comments
from seepage.syntax.tokens import scan

FOLDERS = ("examples", "tests", "analysis/seepage")
_CHANGED = [
    *WORDS,
    *("given", "from", "as", "weight", "max", "min", "import", "return", "until", "never", "repeat", "def", "attacker"),
    *("break", "enum", "table", '"red"', "/*\n*/", "// c\n"),
]
_GAPS = [" ", "\n", "\n    ", "// c\n", "/* c */", " /* \n */ ", "\n/* c */ ", "", ";", "\r\n", "\t"]
_MOST_CHANGES = 3
_SHORT = 3_000


@cache
def written() -> tuple[str, ...]:
    """Return the texts of files, cases, pages and half-typed programs."""
    return tuple(dict.fromkeys(_written()))


def _written() -> Iterator[str]:
    for folder in FOLDERS:
        for path in sorted((REPOSITORY / folder).rglob("*.seep")):
            yield path.read_text(encoding="utf-8")
    for path in sorted((REPOSITORY / "tests").rglob("*.toml")):
        for case in tomllib.loads(path.read_text(encoding="utf-8")).get("case", []):
            if "program" in case:
                yield case["program"]
    for path in sorted((REPOSITORY / "docs").rglob("*.md")):
        for block in blocks(str(path.relative_to(REPOSITORY)), "seep"):
            yield block.text
    for program in test_half_typed.PROGRAMS:
        yield program.text
        if program.fixed is not None:
            yield program.fixed


def changed(seed: int, count: int) -> Iterator[str]:
    """Yield parts of programs in which a few tokens and gaps are others, and some whole programs with other gaps everywhere."""
    chance = random.Random(seed)
    programs = [text for text in written() if len(text) < _SHORT and scan(blank_comments(text).text)]
    for _ in range(count):
        text = chance.choice(programs)
        if chance.random() < 0.05:
            yield mangled(text, chance, chance.choice([0.5, 0.9]))
            continue
        parts = _parts(text)
        if chance.random() < 0.7:
            first = chance.randrange(max(1, len(parts) - 40))
            parts = parts[first : first + chance.randrange(5, 80)]
        for _ in range(chance.randrange(_MOST_CHANGES + 1)):
            _change(parts, chance)
        yield "".join(token + gap for token, gap in parts)


def _parts(text: str) -> list[tuple[str, str]]:
    """Return the tokens of a text, each with what stands behind it."""
    blank = blank_comments(text).text
    tokens = scan(blank)
    ends = [*(token.start for token in tokens[1:]), len(text)]
    return [(text[one.start : one.end], text[one.end : end]) for one, end in zip(tokens, ends, strict=True)]


def _change(parts: list[tuple[str, str]], chance: random.Random) -> None:
    at = chance.randrange(len(parts) + 1)
    token, gap = parts[at] if at < len(parts) else ("", "")
    how = chance.choice(["delete", "insert", "token", "gap"])
    made = {
        "delete": [],
        "insert": [(chance.choice(_CHANGED), chance.choice(_GAPS)), (token, gap)],
        "token": [(chance.choice(_CHANGED), gap)],
        "gap": [(token, chance.choice(_GAPS))],
    }
    parts[at : at + 1] = made[how]
