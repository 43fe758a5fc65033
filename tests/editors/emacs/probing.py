"""Carries out a plan in Emacs without a screen, and returns what its client received."""

from __future__ import annotations

from pathlib import Path

from tests.editors.plans import Step
from tests.editors.terminal import run_plan as run_in

HERE = Path(__file__).parent


def run_plan(emacs: Path, client: str, setup: str, plan: list[Step]) -> list[Step]:
    """Return the steps of ``plan`` in order, each with its ``answer``; ``client`` is eglot or lsp-mode."""

    def command(file: str) -> list[str]:
        # Not -Q, which leaves out Debian's packages.
        start = [
            str(emacs),
            "-q",
            "--batch",
            "-f",
            "package-activate-all",
            "-l",
            file,
            "-l",
            str(HERE / f"{client}.el"),
        ]
        return [*start, "-l", str(HERE / "probe.el"), "-f", "seepage-probe-run"]

    return run_in(setup, command, plan)
