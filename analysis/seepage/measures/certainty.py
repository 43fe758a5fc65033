"""How far to trust a number."""

from __future__ import annotations

from enum import StrEnum


class Certainty(StrEnum):
    """How far to trust a number, from best to worst."""

    EXACT = "exact"
    CERTIFIED = "certified"
    APPROXIMATE = "approximate"
