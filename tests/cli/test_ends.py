"""How the command ends when its output cannot be written, is not read to its end, or when it is interrupted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from seepage.cli.main import cli

COMMAND = [sys.executable, "-m", "seepage.cli.main"]


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.seep"
    path.write_text("x ~ flip(1/2)\nshow H(x)\n", encoding="utf-8")
    return path


def test_a_full_disk_is_one_line(program: Path) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([*COMMAND, "check", program], stdout=full, stderr=subprocess.PIPE, text=True, check=False)

    assert (done.returncode, done.stderr) == (1, "the output cannot be written: no space left on device\n")


def test_a_reader_that_leaves_early_is_no_error_to_tell() -> None:
    with subprocess.Popen([*COMMAND, "rules"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline() == "# Diagnostics\n"
        running.stdout.close()  # most of the page is still to be written: it is larger than a pipe

        assert running.stderr.read() == ""


@pytest.mark.parametrize("command", [["check"], ["measure"]])
def test_an_interrupt_is_one_line(command: list[str], program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    for name in ("analyze", "measure"):
        monkeypatch.setattr("seepage.program." + name, interrupted)

    done = CliRunner().invoke(cli, [*command, str(program), *(["H(x)"] if command == ["measure"] else [])])

    assert (done.exit_code, done.stderr) == (130, "interrupted\n")
