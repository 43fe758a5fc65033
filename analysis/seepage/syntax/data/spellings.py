"""How programs and people write what Seep would read as a number or a truth value if it were written otherwise: what to change in the file."""

from __future__ import annotations

import re

_LONGEST = 60  # characters of what somebody may have meant as a number
_HABITS = tuple(
    (re.compile(pattern, re.ASCII | re.IGNORECASE), advice)
    for pattern, advice in (
        (r"\s++[0-9.+-].*+|[0-9.+-].*\s", "leave out the spaces around it"),
        ("n/?a|<na>|#n/a|nan|null|none|nil|missing|unknown|[-?.]++", "leave missing cells empty"),
        ("true|false|yes|no", "write 'true' and 'false' for truth values"),
        ("[+-]?+inf(?:inity)?+", "no cell is infinite"),
        ("[+-]?+0[0-9]++", "a code that begins with 0 is a text, and is compared with one in quotation marks"),
        (r"[+-]?+[0-9]{1,3}+(?:[, '_\u00a0\u202f][0-9]{3})++(?:\.[0-9]++)?+", "leave out what separates thousands"),
        ("[+-]?+[0-9]++,[0-9]++", "write decimals with a point"),
        (r"[+-]?+(?:\.[0-9]++|[0-9]++\.)", "write a digit on both sides of the point"),
        ("[+-]?+[0-9]++/[0-9]++", "write quotients as decimals"),
        (r"[0-9]++([-/.])[0-9]++\1[0-9]++.*+", "write what is counted with, such as the year, in a column of its own"),
        (r"[+-]?+[0-9.,]++\s*+[%$€£]|[%$€£]\s*+[0-9.,]++", "leave out the sign of the unit"),
        ("[+-]?+[0-9.]++e[+-]?+[0-9]++", "exponents have one or two digits"),
    )
)


def to_change(text: str) -> str | None:
    """Return what to change for a text to be a number or a truth value; None where it looks like neither."""
    if len(text) > _LONGEST:
        return "numbers have at most 300 digits on each side of the point" if text.isdecimal() else None
    return next((advice for pattern, advice in _HABITS if pattern.fullmatch(text)), None)
