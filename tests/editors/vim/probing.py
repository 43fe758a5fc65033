"""Carries out a plan in Vim without a screen, and returns what ALE shows."""

from __future__ import annotations

from pathlib import Path

from tests.editors.plans import Step
from tests.editors.terminal import run_plan as run_in

PROBE = Path(__file__).parent / "probe.vim"


def run_plan(vim: Path, setup: str, plan: list[Step]) -> list[Step]:
    """Return the steps of ``plan`` in order, each with its ``answer``."""

    def command(file: str) -> list[str]:
        return [str(vim), "-N", "-n", "-T", "dumb", "--not-a-term", "-u", file, "-c", f"source {PROBE}"]

    return run_in(setup, command, plan)
