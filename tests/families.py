"""Dear families: tests with many cases of one kind, of which the ordinary profile tries some, the same each time, and the full one all.

A test is such a family by the mark ``family(every=N)``: the first case, the last one and each N-th between them stay.
``SEEPAGE_FULL=1``, as ``make test PROFILE=full`` and continuous integration set it, keeps all; so does ``SEEPAGE_DEEP=1``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TypeVar

Case = TypeVar("Case")

FULL = "1" in (os.environ.get("SEEPAGE_FULL"), os.environ.get("SEEPAGE_DEEP"))


def left_out(families: Mapping[str, tuple[int, Sequence[Case]]]) -> list[Case]:
    """Return the cases that are not tried, of families by name, each with the distance between two cases that are, and its cases in order."""
    return [case for every, cases in families.values() for number, case in enumerate(cases[:-1]) if number % every]
