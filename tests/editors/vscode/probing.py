"""Asks the test-only extension in a window what VS Code answers: its hovers, lenses, findings, tasks."""

from __future__ import annotations

import json
import subprocess
import time
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from tests.editors.installed import REPOSITORY, VSCode

Step: TypeAlias = dict[str, Any]
HERE = Path(__file__).parent
LIMIT = 240.0  # seconds for one step
VARIABLE = "SEEPAGE_PROBE"  # names the folder in which probes and tests meet
SCHEME = "seepage-probe"  # of the probe's own file system


class StepFailed(Exception):
    """A step ended with an exception in the window."""


@dataclass(slots=True)
class Probe:
    """The extension in the window on ``folder``, reached through files below ``desk``."""

    desk: Path
    folder: Path
    numbers: count[int] = field(default_factory=count)
    activation: dict[str, Any] = field(default_factory=dict)

    def begins(self, within: float) -> bool:
        """Tell whether the window has a folder, and the extension has begun to look for steps, after some seconds at most."""
        deadline = time.monotonic() + within
        while not self.desk.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        return self.desk.exists()

    def ask(self, do: str, **details: object) -> Any:
        """Return what the window answers to one step; waits until the window is there."""
        name = f"{next(self.numbers):04d}"
        self.desk.mkdir(parents=True, exist_ok=True)
        part, answer = self.desk / f"{name}.part", self.desk / f"{name}.answer"
        part.write_text(json.dumps({"do": do, **details}), encoding="utf-8")
        part.rename(part.with_suffix(".step"))
        deadline = time.monotonic() + LIMIT
        while not answer.exists():
            if time.monotonic() > deadline:
                raise TimeoutError(f"no answer to '{do}' within {LIMIT:.0f} s")
            time.sleep(0.02)
        told = json.loads(answer.read_text(encoding="utf-8"))
        if "error" in told:
            raise StepFailed(told["error"])
        return told["value"]

    def carry_out(self, plan: list[Step]) -> list[Step]:
        """Return the steps of ``plan`` in order, each with its ``answer``."""
        return [{**step, "answer": self.ask(**{key: step[key] for key in step if key != "name"})} for step in plan]


def pack_probe(parts: VSCode, to: Path, name: str = "probe") -> Path:
    """Return the probe, or another extension beside it, as a ``.vsix``."""
    vsce = REPOSITORY / "vscode-extension" / "node_modules" / "@vscode" / "vsce" / "vsce"
    options = ["package", "--no-dependencies", "--allow-missing-repository", "--skip-license", "--out", str(to)]
    subprocess.run([str(parts.node), str(vsce), *options], cwd=HERE / name, check=True, capture_output=True)
    return to
