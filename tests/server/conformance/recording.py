"""A plugin of pytest that notes which tests show which item, and how they went."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import pytest

MARK = "conforms"


def numbers(test: pytest.Item) -> set[int]:
    """Return the numbers of the items that a test shows."""
    return {number for mark in test.iter_markers(MARK) for number in mark.args}


@dataclass(slots=True, eq=False)  # pytest keeps its plugins in a set
class Recording:
    """For each item its tests by name, without their parameters, and the outcomes of each.

    Attributes:
        wanted: the numbers of the items whose tests run; all if there are none.
        outcomes: by item and test.
    """

    wanted: frozenset[int] = frozenset()
    outcomes: dict[int, dict[str, list[str]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))
    _numbers: dict[str, set[int]] = field(default_factory=dict)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        if self.wanted:
            items[:] = [test for test in items if numbers(test) & self.wanted]

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for test in session.items:
            self._numbers[test.nodeid] = numbers(test)
            for number in self._numbers[test.nodeid]:
                self.outcomes[number].setdefault(_name(test.nodeid), [])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        # Set-up and tear-down count where they fail or skip.
        if report.when == "call" or report.outcome != "passed":
            for number in self._numbers.get(report.nodeid, ()):
                self.outcomes[number][_name(report.nodeid)].append(report.outcome)


def _name(nodeid: str) -> str:
    return nodeid.partition("[")[0]
