"""How the command ends when its output cannot be written, is not read to its end, or when it is interrupted."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from seepage.cli.main import cli

COMMAND = [sys.executable, "-m", "seepage.cli.main"]
START = [sys.executable, "-c", "from seepage.cli.start import main; main()"]  # as the installed command starts


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


def closed(command: list[str], *, redirection: str) -> subprocess.CompletedProcess[str]:
    """Run a command with a standard stream closed, as a shell does it."""
    line = f"{shlex.join(command)} {redirection}"
    return subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "arguments", [["check"], ["rules"], ["--version"], ["--help"], ["fmt", "-"], ["fmt", "--diff"]]
)
def test_an_output_that_is_closed_is_told_and_no_success(program: Path, arguments: list[str]) -> None:
    program.write_text("x  ~  flip(1/2)\n", encoding="utf-8")
    files = [str(program)] if arguments in (["check"], ["fmt", "--diff"]) else []
    redirection = f">&- <{shlex.quote(str(program))}"

    done = closed([*START, *arguments, *files], redirection=redirection)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "the output cannot be written: bad file descriptor\n"


def test_a_command_that_writes_nothing_needs_no_output(program: Path) -> None:
    program.write_text("x  ~  flip(1/2)\n", encoding="utf-8")

    assert closed([*START, "fmt", str(program)], redirection=">&-").returncode == 0
    assert program.read_text(encoding="utf-8") == "x ~ flip(1/2)\n"


def test_closed_errors_and_a_closed_input_are_no_crash(program: Path) -> None:
    told = closed([*START, "check", str(program)], redirection="2>&-")
    silent = closed([*START, "check", "missing.seep"], redirection=">&- 2>&-")
    unread = closed([*START, "fmt", "-"], redirection="<&-")

    assert told.returncode == 0
    assert "H(x) = 1 bit" in told.stdout
    assert (silent.returncode, silent.stdout, silent.stderr) == (1, "", "")
    assert (unread.returncode, unread.stderr) == (1, "<stdin>: cannot be read: bad file descriptor\n")


def interrupted_while_loading(*, ignored: bool = False) -> subprocess.CompletedProcess[str]:
    """Run the command; its library sends it an interrupt in the middle of an import."""
    lines = [
        "import os, signal, sys, importlib.abc",
        "class Interrupting(importlib.abc.MetaPathFinder):",
        "    def find_spec(self, name, path, target=None):",
        "        if name == 'seepage.exploration': os.kill(os.getpid(), signal.SIGINT)",
        "sys.meta_path.insert(0, Interrupting())",
        "signal.signal(signal.SIGINT, signal.SIG_IGN)" if ignored else "",
        "sys.argv = ['seepage', 'plot', '--help']",
        "from seepage.cli.start import main",
        "main()",
    ]
    code = "\n".join(lines)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_an_interrupt_while_the_library_is_loaded_is_one_line() -> None:
    done = interrupted_while_loading()

    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_an_interrupt_that_the_caller_has_ignored_is_ignored() -> None:
    assert interrupted_while_loading(ignored=True).returncode == 0


def test_an_interrupt_while_arguments_are_read_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("click.Group.parse_args", interrupted)

    done = CliRunner().invoke(cli, ["rules"])

    assert (done.exit_code, done.stderr) == (130, "interrupted\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "FILE", "--set", "p={9}"),
        ("check", "FILE", "--set", "p={z}"),
        ("check", "FILE", "--set", "{z}=1"),
        ("check", "FILE", "--set", "{z}"),
        ("check", "FILE", "--set", "p=1/{9}"),
        ("check", "FILE", "--set", "p=log(-{1})"),
        ("plot", "FILE", "H(x)", "--over", "p=0..{9}"),
        ("plot", "FILE", "H(x)", "--over", "{z}"),
        ("plot", "FILE", "H(x)", "--over", "{z}=0..1"),
        ("plot", "FILE", "H(x)", "--over", "p=0..1", "--format", "{z}"),
        ("plot", "FILE", "H(x)", "--over", "p=0..1", "--output", "a.{z}"),
        ("check", "FILE", "--unit", "{z}"),
        ("check", "FILE", "--time-limit", "{z}"),
        ("check", "FILE", "--{z}"),
        ("check", "{z}"),
        ("{z}",),
    ],
)
def test_no_message_repeats_all_of_a_long_word(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    path = tmp_path / "a.seep"
    path.write_text("param p in [0, 1] = 1/2\nx ~ flip(p)\nshow H(x)\n", encoding="utf-8")
    words = [
        path if each == "FILE" else re.sub(r"\{(.)\}", lambda found: found[1] * 100_000, each) for each in arguments
    ]

    done = CliRunner().invoke(cli, list(map(str, words)))

    assert done.exit_code in (1, 2)
    assert 0 < len(done.output) < 6_000
