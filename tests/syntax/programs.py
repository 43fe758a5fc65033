"""What to try the parser on: the programs of the cases, and words of the language."""

from __future__ import annotations

import tomllib
from pathlib import Path

from seepage.syntax.tokens import SYMBOLS

PROGRAMS = [
    case["program"]
    for path in sorted((Path(__file__).parents[1] / "cases").glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8")).get("case", [])
    if "program" in case
]
WORDS = [
    *SYMBOLS,
    *[
        "if",
        "then",
        "else",
        "for",
        "in",
        "param",
        "const",
        "secret",
        "output",
        "show",
        "require",
        "observe",
        "skip",
        "while",
        "not",
        "and",
        "or",
        "inf",
        "over",
        "bits",
    ],
    *[
        "x",
        "y",
        "a[1]",
        "1",
        "0.5",
        "2y",
        "H(",
        "I(x; o)",
        "normal(0, 1)",
        "{0: 1}",
        "\n",
        "\n  ",
        " ",
        "//",
        "/*",
        "*/",
        "///",
    ],
    *["é", "≤", "\0", "\r", "\u2028", "\u200f", "\ufeff", "𝛼", "²", "e\u0301"],
]
