"""The action for GitHub and the hooks for pre-commit run what is there; the examples pass the gate of this repository."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import click
import pytest
from tests.checking.trees import HOLDS, VIOLATED, tree
from tests.docs.blocks import ROOT

from seepage.cli.main import cli

ACTION = (ROOT / "action.yml").read_text(encoding="utf-8")
HOOKS = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
FEW = ("examples/randomized-response-single.seep", "examples/one-time-pad.seep")


def scripts() -> list[str]:
    """Return what the steps of the action run: blocks that are indented below ``run: |``."""
    return [
        textwrap.dedent(block) for block in re.findall(r"^      run: \|\n((?:        .*\n|\n)+)", ACTION, re.MULTILINE)
    ]


@pytest.mark.parametrize(
    ("paths", "arguments", "code"),
    [("well bad", "--undecided warn", 1), ("well", "", 0), ("well", "--nonsense", 2)],
)
def test_the_action_annotates_summarises_and_fails_as_the_check_does(
    tmp_path: Path, paths: str, arguments: str, code: int
) -> None:
    tree(tmp_path, {"well/a.seep": HOLDS, "bad/b.seep": VIOLATED})
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    summary = tmp_path / "summary.md"
    environment = {
        **os.environ,
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(sys.path),
        "PATHS": paths,
        "ARGUMENTS": arguments,
        "GITHUB_STEP_SUMMARY": str(summary),
        "SEEPAGE_CACHE_DIR": str(tmp_path / "cache"),
    }
    _, check = scripts()

    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", check],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == code, done.stderr
    assert ("::error file=bad/b.seep,line=6," in done.stdout) == (code == 1)
    assert summary.read_text(encoding="utf-8").startswith({0: "## ✅", 1: "## ❌", 2: ""}[code])


def test_inputs_reach_the_shell_as_variables_only() -> None:
    assert all("${{" not in script for script in scripts())
    assert len(scripts()) == 2


def test_each_hook_runs_a_command_that_there_is() -> None:
    entries = re.findall(r"^  entry: seepage (\w+)$", HOOKS, re.MULTILINE)

    assert entries == ["check", "fmt"]
    assert all(cli.get_command(click.Context(cli), name) is not None for name in entries)


def test_the_examples_are_gated_where_this_repository_is_tested() -> None:
    """The gate itself runs there; here its command is tried on two of them."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (command,) = re.findall(r"^gate:.*\n\t\$\(BIN\)/seepage (.*)$", makefile, re.MULTILINE)
    done = subprocess.run(
        [sys.executable, "-m", "seepage", *command.replace("check examples ", f"check {' '.join(FEW)} ").split()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert command.startswith("check examples ")
    assert re.search(r"^make .*\bgate\b", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    assert done.returncode == 0, done.stdout
    assert re.search(r"^2 programs, 2 pass", done.stdout, re.MULTILINE)
