"""The words that semantic tokens are made of; without the library, as ``initialize`` tells them."""

from __future__ import annotations

from lsprotocol import types

LEGEND = types.SemanticTokensLegend(
    token_types=["variable", "parameter", "function", "class", "macro", "enum", "enumMember", "property", "namespace"],
    token_modifiers=[
        "declaration",
        "readonly",
        "defaultLibrary",
        "secret",
        "output",
        "discrete",
        "continuous",
        "mixed",
        "loop",
    ],
)
