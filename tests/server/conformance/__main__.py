"""``make conformance``: runs the tests that show an item, and prints item, sentence, tests and outcome.

Numbers as arguments are those of the only items to look at.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Sequence

import pytest
from tests.server.conformance.items import ITEMS, Item
from tests.server.conformance.recording import MARK, Recording


def main(arguments: Sequence[str] = ()) -> int:
    """Print the table; return 1 if an item has no test or a test of it does not pass."""
    recording, output = Recording(frozenset(map(int, arguments))), io.StringIO()
    items = [item for item in ITEMS if not recording.wanted or item.number in recording.wanted]
    with contextlib.redirect_stdout(output):
        pytest.main(["tests/server", "-m", MARK, "-q", "-p", "no:cacheprovider"], plugins=[recording])
    verdicts = [_verdict(item, recording.outcomes[item.number]) for item in items]
    for item, verdict in zip(items, verdicts, strict=True):
        print(f"{item.number:>2}  {verdict:<8}  {item.sentence}")
        for name, outcomes in sorted(recording.outcomes[item.number].items()):
            print(f"                {name}{_count(outcomes)}")
        for file in item.elsewhere:
            print(f"                {file} (by 'make test')")
    bad = [verdict for verdict in verdicts if verdict in ("FAIL", "NO TEST")]
    print(f"{len(items) - len(bad)} of {len(items)} items kept")
    if bad:
        print(output.getvalue()[-6000:])
    return 1 if bad else 0


def _verdict(item: Item, tests: dict[str, list[str]]) -> str:
    if not tests:
        return "see" if item.elsewhere else "NO TEST"
    return "pass" if all(outcomes and set(outcomes) == {"passed"} for outcomes in tests.values()) else "FAIL"


def _count(outcomes: list[str]) -> str:
    passed = outcomes.count("passed")
    if passed == len(outcomes):
        return f" ({passed})" if passed > 1 else ""
    return f" ({passed} of {len(outcomes)} pass)"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
