"""Nothing is installed unasked: what ``make test`` does on a machine without editors, and with ``EDITORS=install``."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from tests.editors import installed

Commands = list[list[str]]


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Commands:
    """A Debian machine without editors whose user is root; return the commands that are run, which do nothing."""
    commands: Commands = []

    def run(command: list[str], environment: dict[str, str], folder: Path | None = None) -> None:
        commands.append(command)

    (tmp_path / "debian_version").touch()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("SEEPAGE_EDITOR_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(installed, "DEBIAN", tmp_path / "debian_version")
    monkeypatch.setattr(installed, "_run", run)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    return commands


def test_what_is_missing_is_named_with_how_to_get_it_and_nothing_is_installed(
    bare: Commands, capsys: pytest.CaptureFixture[str]
) -> None:
    assert installed.main([]) == 0

    told = capsys.readouterr().out
    assert bare == []
    assert told.count("not tested: ") == len(installed.PARTS)
    for name in ("VS Code", "nvim", "emacs", "vim"):
        assert name in told
    assert "'make test EDITORS=install' installs all of them" in told
    assert not installed.cache().exists()


def test_all_of_them_are_installed_where_that_is_asked_for(bare: Commands) -> None:
    installed.main(["--install"])

    words = [word for command in bare for word in command]
    for package in (
        *installed.SYSTEM_PACKAGES,
        *installed.EMACS_PACKAGES,
        *installed.VIM_PACKAGES,
        *installed.NPM_PACKAGES,
        installed.NEW_NEOVIM,
    ):
        assert package in words
    assert {Path(command[0]).name.rstrip("0123456789.") for command in bare} == {"apt-get", "npm", "python"}


@pytest.mark.parametrize(("who", "why"), [("no root", "by root only"), ("no Debian", "on Debian only")])
def test_who_cannot_install_is_told_so_and_nothing_is_run(
    bare: Commands, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], who: str, why: str
) -> None:
    if who == "no root":
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
    else:
        installed.DEBIAN.unlink()

    assert installed.main(["--install"]) == 0
    assert bare == []
    assert why in capsys.readouterr().out


def test_in_continuous_integration_an_editor_that_is_missing_is_a_failure(
    bare: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")

    assert installed.main([]) == 1


@pytest.mark.parametrize(("asked", "installs"), [((), False), (("EDITORS=install",), True)])
def test_make_installs_only_where_it_is_asked_to(asked: tuple[str, ...], installs: bool) -> None:
    # Continuous integration runs this under `make test EDITORS=install`, which hands what it was asked to every make below it.
    own = {
        name: value
        for name, value in os.environ.items()
        if name not in {"MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "EDITORS"}
    }
    command = ["make", "--dry-run", "test", *asked]
    dry = subprocess.run(command, cwd=installed.REPOSITORY, env=own, capture_output=True, text=True, check=True)

    (line,) = [each for each in dry.stdout.splitlines() if "tests.editors.installed" in each]
    assert line.endswith("--install") == installs
    assert "apt-get" not in dry.stdout
