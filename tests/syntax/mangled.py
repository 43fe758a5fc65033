"""Programs with other white space, comments and semicolons: what a formatter must see through."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path

from seepage.syntax.comments import blank_comments
from seepage.syntax.contextual import is_head
from seepage.syntax.pieces import Piece, PieceKind, cut
from seepage.syntax.tokens import scan

ROOT = Path(__file__).parents[2]
PROGRAMS = [
    *(path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples").glob("*.seep"))),
    *(
        case["program"]
        for path in sorted((ROOT / "tests" / "cases").glob("*.toml"))
        for case in tomllib.loads(path.read_text(encoding="utf-8")).get("case", [])
        if "program" in case
    ),
]
_GAPS = [
    *[" "] * 30,
    *["\n", "\n\n\n", "\t", "\f ", "\r\n"] * 2,
    " /* c */ ",
    "/* a /* b */\n /// c */",
    " // c\n",
    "\n  // c \t\n",
    "\n/// d\n",
    "\n/// d\n/// e  \n\n",
    " /// d\r\n",
    "\n /* c */ /// d\n",
    "\n/* c */ ",
    "//2\n",
]
_BOUNDARIES = ["; ", ";", "\n;", ";\n", ";;", "; /// d\n", "\n; /// d\n", "\n/// d\n;", ";\n/* c */; /// d\n/// e\n"]


def mangled(text: str, chance: random.Random, calm: float) -> str:
    """Return a program of the same tokens with other gaps; ``calm`` is the part of the gaps that stay plain."""
    pieces = [piece for piece in cut(blank_comments(text).text) if piece.kind is not PieceKind.SEPARATOR]
    parts = [chance.choice(["", "\n", "// c\n", "/// d\n", "\N{ZERO WIDTH NO-BREAK SPACE}/* c */"])]
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        tokens = scan(piece.text)
        for index, token in enumerate(tokens):
            parts.append(piece.text[token.start : token.end])
            if index + 1 < len(tokens) and "DOT" not in (token.type, tokens[index + 1].type):  # fields stand close
                is_calm = is_head(tokens) or chance.random() < calm  # words that are keywords here only keep their line
                gap = " " if is_calm else chance.choice(_GAPS)
                parts.append(f" {gap}" if token.type == "SLASH" and gap.startswith("/") else gap)
        parts.append(_boundary(piece, following, chance, calm))
    return "".join(parts)


def _boundary(piece: Piece, following: Piece | None, chance: random.Random, calm: float) -> str:
    if chance.random() < calm:
        plain = " " if following is None or following.kind in (PieceKind.ELSE, PieceKind.CLOSE) or piece.opens else "; "
        return chance.choice(["\n", plain])
    gap = chance.choice(_GAPS)
    if following is not None and following.kind is PieceKind.ELSE:
        return gap
    return gap + (chance.choice(_BOUNDARIES) + chance.choice(_GAPS) if chance.random() < 0.4 else "")
