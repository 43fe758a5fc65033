"""``make conformance``: runs the tests that show an item, and prints item, sentence, tests and outcome."""

from __future__ import annotations

import contextlib
import io
import sys

import pytest
from tests.server.conformance.items import ITEMS, Item
from tests.server.conformance.recording import MARK, Recording


def main() -> int:
    """Print the table; return 1 if an item has no test or a test of it does not pass."""
    recording, output = Recording(), io.StringIO()
    with contextlib.redirect_stdout(output):
        pytest.main(["tests/server", "-m", MARK, "-q", "-p", "no:cacheprovider"], plugins=[recording])
    verdicts = [_verdict(item, recording.outcomes[item.number]) for item in ITEMS]
    for item, verdict in zip(ITEMS, verdicts, strict=True):
        print(f"{item.number:>2}  {verdict:<8}  {item.sentence}")
        for name, outcomes in sorted(recording.outcomes[item.number].items()):
            print(f"                {name}{_count(outcomes)}")
        for file in item.elsewhere:
            print(f"                {file} (by 'make test')")
    bad = [verdict for verdict in verdicts if verdict in ("FAIL", "NO TEST")]
    print(f"{len(ITEMS) - len(bad)} of {len(ITEMS)} items kept")
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
    sys.exit(main())
