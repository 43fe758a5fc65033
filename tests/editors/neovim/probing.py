"""Carries out a plan in Neovim without a screen, and returns what its client received."""

from __future__ import annotations

from pathlib import Path

from tests.editors.installed import SERVER
from tests.editors.plans import Step
from tests.editors.terminal import run_plan as run_in

PROBE = Path(__file__).parent / "probe.lua"


def run_plan(nvim: Path, setup: str, plan: list[Step], programs: Path = SERVER.parent) -> list[Step]:
    """Return the steps of ``plan`` in order, each with its ``answer``; the server is one of ``programs``."""

    def command(file: str) -> list[str]:
        # -u takes Lua for what it is by its name only.
        return [str(nvim), "--clean", "--headless", "--cmd", f"luafile {file}", "-c", f"luafile {PROBE}"]

    return run_in(setup, command, plan, programs)
