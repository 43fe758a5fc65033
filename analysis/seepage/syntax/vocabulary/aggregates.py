"""What takes the values of an array, a comprehension or a list together."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

AGGREGATES: Mapping[str, str] = MappingProxyType(
    {
        "sum": "the sum of all values; 0 of none",
        "count": "how many of the values are true; 0 of none",
        "any": "whether some value is true; false of none",
        "all": "whether all values are true; true of none",
        "mean": "the sum divided by the number of values",
        "length": "how many values there are",
        "sort": "the values in ascending order, from index 0 on",
        "argmin": "the place of the smallest value, the first of equal ones; places begin at 0",
        "argmax": "the place of the largest value, the first of equal ones; places begin at 0",
    }
)
"""What each of them says; ``min`` and ``max`` of one array are such, too."""
