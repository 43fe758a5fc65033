"""The command that prints the table runs, and its recorder is one that pytest takes as a plugin."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.server.conformance.recording import Recording

REPOSITORY = Path(__file__).parents[3]


def printed(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.server.conformance", *arguments]
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=100, check=False)


def test_a_recorder_is_kept_in_a_set_like_every_plugin() -> None:
    assert len({Recording(), Recording()}) == 2


def test_the_command_ends_with_0_and_counts_the_tests_of_an_item_that_is_kept() -> None:
    ended = printed("10")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stderr == ""
    first, *tests, last = ended.stdout.splitlines()
    assert first.split()[:2] == ["10", "pass"]
    assert any("test_framing.py::" in test for test in tests)
    assert last == "1 of 1 items kept"
