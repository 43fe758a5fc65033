"""Sums and differences of what several questions were answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seepage.exact import precision
from seepage.measures import arithmetic
from seepage.measures.arithmetic import WORKING_BITS
from seepage.measures.planning.claim import Claim
from seepage.measures.quantity import NOWHERE, total

_TELLING = 1 << 64  # times the width of a difference, which it must at least be


def plain(claim: Claim) -> Claim:
    """Return a claim without what it says of the variables of one question."""
    return replace(claim, witness=NOWHERE, companions=(), formula=None, search=None)


def signed_sum(signs: Sequence[int], claims: Sequence[Claim], telling: int | None = _TELLING) -> Claim | None:
    """Return the sum of claims with signs ±1, the first positive; None if it is too near 0 for a difference to tell it.

    Args:
        signs: one for each claim.
        claims: what is added up.
        telling: how many times the width of a difference it must at least be; None where any bounds do, as of differential entropies.
    """
    signed = [
        claim.enclosure if sign > 0 else arithmetic.negate(claim.enclosure)
        for sign, claim in zip(signs, claims, strict=True)
    ]
    whole = arithmetic.add(signed[0], *signed[1:])
    with precision(WORKING_BITS):
        if telling is not None and whole.exact is None and not (whole.upper - whole.lower) * telling < whole.lower:
            return None
    return replace(plain(total(claims)), enclosure=whole)
