"""The known name that a misspelt one most likely means."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice

from seepage.diagnostics import Edit, Fix
from seepage.source import Span

_MOST = 200


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name closest to ``name``, or None if none is close; letter case counts little."""
    # A guess differs in length by little; and past so many names a guess is not worth the wait on a keystroke.
    least, most = len(name) - 1 - len(name) // 3, len(name) + 1 + len(name) // 3
    return _nearest(name, tuple(islice((one for one in known if least <= len(one) <= most and one != name), _MOST)))


@lru_cache(maxsize=256)  # the next key press asks again
def _nearest(name: str, candidates: tuple[str, ...]) -> str | None:
    folded = name.casefold()
    for one in candidates:
        if one.casefold() == folded:
            return one
    found = get_close_matches(name, candidates, n=1, cutoff=0.6 if len(name) > 2 else 0.75)
    return found[0] if found else None


def respelled(span: Span, name: str | None) -> tuple[Fix, ...]:
    """Return the fix that writes ``name`` in ``span``, none without a name."""
    return () if name is None else (Fix(f"write '{name}'", (Edit(span, name),)),)
