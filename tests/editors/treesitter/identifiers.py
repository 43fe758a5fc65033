"""The characters beyond ASCII that names may hold: ``python -m tests.editors.treesitter.identifiers`` writes the table of the scanner."""

from __future__ import annotations

import unicodedata

from tests.editors.installed import REPOSITORY

PATH = REPOSITORY / "editors" / "tree-sitter-seep" / "src" / "identifiers.h"
_A_ROW = 16


def table() -> str:
    """Return the table by the Unicode that this Python has."""
    numbers: list[int] = []
    before = None
    for code in range(0x80, 0x110000):
        character = chr(code)
        kind = 2 if character.isidentifier() else int(f"a{character}".isidentifier())
        if kind != before:
            numbers.append(code << 2 | kind)
        before = kind
    rows = [numbers[at : at + _A_ROW] for at in range(0, len(numbers), _A_ROW)]
    return "\n".join(
        (
            f"// Written by tests/editors/treesitter/identifiers.py from Unicode {unicodedata.unidata_version}.",
            "// Where the kind of characters changes, in fours, and the new kind: 2 begins names, 1 stands inside of them, 0 in none.",
            "#include <stdint.h>",
            "",
            "static const uint32_t IDENTIFIERS[] = {",
            *(f"  {', '.join(map(str, row))}," for row in rows),
            "};",
            "",
        )
    )


if __name__ == "__main__":
    PATH.write_text(table(), encoding="utf-8")
