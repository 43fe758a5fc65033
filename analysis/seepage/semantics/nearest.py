"""The known name that a misspelt one most likely means."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache
from itertools import islice

from seepage.diagnostics import Edit, Fix
from seepage.source import Span
from seepage.syntax.tree import is_made

_MOST = 200
# How alike names are, at least: below that one means something else (multinomial is 0.74 of binomial).
_LEAST = 0.75


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name closest to ``name``, or None if none is close, or two are as close; letter case counts little.

    Names that differ in their digits are different names and not misspelt: ``key3`` is no ``key2``, ``log2`` no ``log``.
    """
    # A guess differs in length by little; and past so many names a guess is not worth the wait on a keystroke.
    least, most = len(name) - 1 - len(name) // 3, len(name) + 1 + len(name) // 3
    return _nearest(
        name,
        tuple(islice((one for one in known if least <= len(one) <= most and one != name and not is_made(one)), _MOST)),
    )


@lru_cache(maxsize=256)  # the next key press asks again
def _nearest(name: str, candidates: tuple[str, ...]) -> str | None:
    folded = name.casefold()
    same = [one for one in candidates if one.casefold() == folded]
    if same:
        return same[0] if len(same) == 1 else None
    digits = _digits(name)
    alike = [one for one in candidates if _digits(one) == digits]
    swapped = [one for one in alike if len(one) == len(name) > 2 and sorted(one) == sorted(name)]
    if len(swapped) == 1:
        return swapped[0]
    # Of so few letters, none is alike but one that was typed twice, or once for twice.
    repeated = [one for one in alike if len(one) + len(name) == 3 and set(one) == set(name)]
    if repeated:
        return repeated[0]
    match get_close_matches(name, alike, n=2, cutoff=_LEAST):
        case [found]:
            return found
        case [first, second] if _likeness(first, name) > _likeness(second, name):
            return first
        case _:
            return None


def _digits(name: str) -> str:
    return "".join(filter(str.isdigit, name))


def _likeness(known: str, name: str) -> float:
    """Return how alike two names are, from 0 to 1, as :func:`get_close_matches` sees it."""
    return SequenceMatcher(None, known, name).ratio()


def respelled(span: Span, name: str | None) -> tuple[Fix, ...]:
    """Return the fix that writes ``name`` in ``span``, none without a name; a guess, and so never applied unasked."""
    return () if name is None else (Fix(f"write '{name}'", (Edit(span, name),)),)
