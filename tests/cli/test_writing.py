"""Files that commands write are whole at any time: as before, or as they are meant to be."""

from __future__ import annotations

import errno
import os
import resource
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from seepage.cli import writing
from seepage.cli.main import cli

MESSY = "x   ~   flip( 1/2 )\n" * 400
BROKEN = "const n = 3\nx ~ uniform_int(0, n)\nobserve x = 2\nshow H(x)\n"  # '=' is mended to '=='
PROGRAM = "param p in [0, 1] = 1/2\nx ~ flip(p)\n"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def written(folder: Path, text: str = MESSY, name: str = "a.seep") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


OPEN = os.open


def full_to_write(path: str, flags: int, *mode: int) -> int:
    if flags & (os.O_WRONLY | os.O_RDWR):
        full()
    return OPEN(path, flags, *mode)


@pytest.mark.parametrize("call", ["write", "fsync", "replace", "open"])
@pytest.mark.parametrize(
    ("command", "text"), [(("fmt",), MESSY), (("check", "--fix"), BROKEN), (("fmt",), "\ufeff" + MESSY)]
)
def test_on_a_full_disk_a_file_is_as_before_and_the_fault_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, command: tuple[str, ...], text: str
) -> None:
    path = written(tmp_path, text)
    with monkeypatch.context() as broken:
        broken.setattr(os, call, full_to_write if call == "open" else full)
        told = run(*command, path)
    assert told.exit_code == 1
    assert f"{path}: cannot be written: no space left on device" in told.stderr
    assert "fixed" not in told.stderr
    assert "formatted" not in told.stderr
    assert path.read_bytes() == text.encode()
    assert os.listdir(tmp_path) == ["a.seep"]


def limited(command: tuple[str, ...], most: int) -> subprocess.CompletedProcess[str]:
    """Run a command that can write files of ``most`` bytes only: the system refuses in the middle of a write."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return subprocess.run(
        [sys.executable, "-B", "-m", "seepage.cli.main", *command],
        preexec_fn=limit,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("links", [1, 2])
def test_a_write_that_the_system_refuses_half_way_leaves_the_file(tmp_path: Path, links: int) -> None:
    path = written(tmp_path)
    if links > 1:
        os.link(path, tmp_path / "b.seep")
    done = limited(("fmt", str(path)), 1_000)
    assert done.returncode == 1
    assert done.stderr == f"{path}: cannot be written: file too large\n"
    assert path.read_bytes() == MESSY.encode()
    assert len(os.listdir(tmp_path)) == links


def test_a_plot_that_finds_no_room_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, output = written(tmp_path, PROGRAM), written(tmp_path, "the old table\n", "o.csv")
    with monkeypatch.context() as broken:
        broken.setattr(os, "write", full)
        told = run("plot", program, "H(x)", "--over", "p=0..1", "--points", "3", "--output", output)
    assert told.exit_code == 1
    assert output.read_text() == "the old table\n"
    assert run("plot", program, "H(x)", "--over", "p=0..1", "--points", "3", "--output", output).exit_code == 0
    assert output.read_text().startswith("p,")


def test_mode_attributes_and_symbolic_links_stay(tmp_path: Path) -> None:
    path, link = written(tmp_path), tmp_path / "link.seep"
    path.chmod(0o640)
    link.symlink_to("a.seep")
    assert run("fmt", link).exit_code == 0
    assert link.is_symlink()
    assert path.read_text().startswith("x ~ flip(1/2)\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(os.listdir(tmp_path)) == ["a.seep", "link.seep"]


def test_a_new_file_has_the_mode_that_the_mask_leaves(tmp_path: Path) -> None:
    program, output, dangling = written(tmp_path, PROGRAM), tmp_path / "o.csv", tmp_path / "l.csv"
    dangling.symlink_to("o.csv")
    mask = os.umask(0o027)
    try:
        assert run("plot", program, "H(x)", "--over", "p=0..1", "--points", "3", "--output", dangling).exit_code == 0
    finally:
        os.umask(mask)
    assert stat.S_IMODE(output.stat().st_mode) == 0o640
    assert dangling.is_symlink()


def test_hard_links_stay_one_file(tmp_path: Path) -> None:
    path, other = written(tmp_path), tmp_path / "b.seep"
    os.link(path, other)
    assert run("fmt", path).exit_code == 0
    assert path.samefile(other)
    assert other.read_text() == "x ~ flip(1/2)\n" * 400


@pytest.mark.parametrize("fails", ["chown", "access"])
def test_an_owner_that_cannot_be_given_and_a_folder_that_takes_no_files_are_written_inside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    path = written(tmp_path)
    number = path.stat().st_ino
    if fails == "chown":
        monkeypatch.setattr(writing, "_give", _refuse)
    else:
        monkeypatch.setattr(os, "access", lambda path, _mode: Path(path).is_file())
    assert run("fmt", path).exit_code == 0
    assert path.read_text() == "x ~ flip(1/2)\n" * 400
    assert path.stat().st_ino == number
    assert os.listdir(tmp_path) == ["a.seep"]


def _refuse(*_: object) -> None:
    raise writing._OwnerLost


def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path)
    monkeypatch.setattr(os, "access", lambda path, _mode: Path(path).is_dir())
    told = run("fmt", path)
    assert (told.exit_code, told.stderr) == (1, f"{path}: cannot be written: permission denied\n")
    assert path.read_bytes() == MESSY.encode()


def test_what_is_no_file_is_written_to(tmp_path: Path) -> None:
    program = written(tmp_path, PROGRAM)
    rest = ("H(x)", "--over", "p=0..1", "--points", "3", "--format", "csv", "--output")
    assert run("plot", program, *rest, "/dev/null").exit_code == 0
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    told = run("plot", program, *rest, "/dev/full")
    assert told.exit_code == 1
    assert "cannot be written: no space left on device" in told.stderr
