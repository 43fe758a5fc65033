"""What a user writes against the library passes strict type checking, and what is wrong in it does not."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

USER = """\
from fractions import Fraction

import numpy as np

import seepage

program = seepage.parse("param p in [0, 1] = 1/2\\nsecret s; output o; s ~ bernoulli(p); o := s")
result = program.measure("I(s; o)", params={"p": np.float64(0.5)})
small: bool = result <= 0.2 or result > Fraction(1, 2) or result == 1
number: float = float(result) + round(result, 2)
table = program.sweep("I(s; o)", p=np.linspace(0, 1, 5), progress=lambda done, total: print(done, total))
again: seepage.Result = program.measure("I(s; o)", p="1/2")
shared = program.sweep("I(s; o)", {"p": [0.1]}, workers=2, progress=False)
largest: float = shared["value"].max().item() + np.max(table).item()
at: float | None = shared[0].value
cells: list[float | int | str | None] = [row["p"] for row in table]
chart = program.plot("I(s; o)", p=(0, 1)).to_dict()
prior = program.with_priors(s=[0.5, 0.5], o={"red": 1})
value: float = table.to_numpy("lower").max().item()
first: seepage.Certainty | None = table.points[0].certainty
channel = seepage.channel(None, np.eye(2)) @ seepage.channel([0.5, 0.5], [[0.9, 0.1], ["1/4", "3/4"]])
leak: seepage.Result = channel.measure("I(x; y)", unit="nats")
outside: bool = bool((np.array([0.1, 0.2]) < leak).all())
rows, columns = channel.shape
posterior: float = channel.posteriors()[0, 1].item()
if result.formula is not None:
    print(result.formula.to_sympy().symbols["p"])
if not table.complete:
    table = table.resume()
"""


def checked(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Return what mypy says of a file of a user, who has the library installed."""
    (folder / "user.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(folder / "cache"), "user.py"]
    environment = {**os.environ, "MYPYPATH": str(ROOT / "analysis")}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_a_file_of_a_user_passes(tmp_path: Path) -> None:
    done = checked(USER, tmp_path)

    assert (done.returncode, done.stdout) == (0, "Success: no issues found in 1 source file\n")


def test_wrong_uses_are_found(tmp_path: Path) -> None:
    wrong = USER + 'program.measure(3)\ntable.to_numpy("middle")\nprogram.sweep("H(s)", p=None)\nresult < "1"\n'

    done = checked(wrong, tmp_path)

    lines = len(USER.splitlines())
    assert [f"user.py:{lines + place}: error" in done.stdout for place in (1, 2, 3)] == [True, True, True]
