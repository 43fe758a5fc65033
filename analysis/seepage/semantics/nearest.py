"""The known name that a misspelt one most likely means."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name closest to ``name``, or None if none is close; letter case counts little."""
    candidates = [one for one in known if one != name]
    for one in candidates:
        if one.casefold() == name.casefold():
            return one
    found = get_close_matches(name, candidates, n=1, cutoff=0.6 if len(name) > 2 else 0.75)
    return found[0] if found else None
