"""Dear tests, of which the ordinary profile tries some, the same each time, and the full one all.

A family is a test with many dear cases of one kind. By the mark ``family(every=N)`` the first case, the last one and each N-th between
them stay.

A variation is a dear test that takes another, longer way to what a cheaper one tries, as a second journey in an editor does, or a larger
program of the same shape. By the mark ``variation(of=NAME)``, which names the cheaper one, it is left to the full profile; NAME is that of
a test in the same file, or ``PATH::NAME`` from the root of the repository.

``SEEPAGE_FULL=1``, as ``make test PROFILE=full`` and continuous integration set it, keeps all; so do ``SEEPAGE_DEEP=1`` and naming a test
(``pytest PATH::NAME``, ``pytest -k NAME``, ``pytest -m MARK``).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TypeVar

import pytest

Case = TypeVar("Case")

FULL = "1" in (os.environ.get("SEEPAGE_FULL"), os.environ.get("SEEPAGE_DEEP"))


def left_out(families: Mapping[str, tuple[int, Sequence[Case]]]) -> list[Case]:
    """Return the cases that are not tried, of families by name, each with the distance between two cases that are, and its cases in order."""
    return [case for every, cases in families.values() for number, case in enumerate(cases[:-1]) if number % every]


def left_to_the_full_profile(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Return the tests that the ordinary profile does not try."""
    families: dict[str, tuple[int, list[pytest.Item]]] = {}
    variations: list[pytest.Item] = []
    for item in items:
        if item.get_closest_marker("variation") is not None:
            variations.append(item)
        elif (mark := item.get_closest_marker("family")) is not None:
            families.setdefault(item.nodeid.partition("[")[0], (mark.kwargs["every"], []))[1].append(item)
    return [*variations, *left_out(families)]


def names_tests(config: pytest.Config) -> bool:
    """Tell whether single tests are asked for, which then run whatever their marks are."""
    return bool(config.option.keyword or config.option.markexpr) or any("::" in argument for argument in config.args)
