"""``seepage check --fix``: what it writes, and what it says."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from seepage.cli.main import cli


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["check", *map(str, arguments)])


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.seep"
    path.write_bytes(b"x = 1\r\nobserve x = 1\r\nshow E(x)\r\n")
    return path


def test_fixes_are_written_and_the_fixed_program_is_checked(broken: Path) -> None:
    done = run("--fix", broken)

    assert done.exit_code == 0
    assert broken.read_bytes() == b"x := 1\r\nobserve x == 1\r\nshow E(x)\r\n"
    assert done.stderr.splitlines() == [
        f"{broken}: fixed SEEP015: write ':='",
        f"{broken}: fixed SEEP012: write '=='",
    ]
    assert "E(x) = 1" in done.stdout


def test_without_the_option_nothing_is_written(broken: Path) -> None:
    before = broken.read_bytes()

    assert run(broken).exit_code == 1
    assert broken.read_bytes() == before


def test_what_has_no_single_fix_stays_an_error(tmp_path: Path) -> None:
    path = tmp_path / "twice.seep"
    path.write_text("secret s\ns := 0\ns := 1\nshow H(s)\n", encoding="utf-8")

    done = run("--fix", path)

    assert done.exit_code == 1
    assert (
        done.stderr
        == f"{path}: left to you: 1 error with guesses, told as 'help'; --guess applies those that mend something\n"
    )
    assert "help: " in done.stdout


def test_guesses_are_applied_where_they_are_asked_for_and_told_as_such(tmp_path: Path) -> None:
    path = tmp_path / "guesses.seep"
    path.write_text("secret s\noutput o\ns ~ uniform_int(0, 9)\no = clamp(s + laplace(0, 1), 0, 9)\n", encoding="utf-8")

    done = run("--fix", "--guess", path)

    assert done.exit_code == 0
    text = "secret s\noutput o\ns ~ uniform_int(0, 9)\nnoise ~ laplace(0, 1)\no := min(max(s + noise, 0), 9)\n"
    assert path.read_text(encoding="utf-8") == text
    assert sorted(done.stderr.splitlines()) == [
        f"{path}: fixed SEEP015: write ':='",
        f"{path}: guessed SEEP021: draw 'noise' in a statement of its own, before this one",
        f"{path}: guessed SEEP112: write 'min(max(s + noise, 0), 9)'",
    ]


def test_a_guess_that_mends_nothing_is_not_applied(tmp_path: Path) -> None:
    path = tmp_path / "left.seep"
    before = "o := nowhere(1) + lost\nshow E(o)\n"
    path.write_text(before, encoding="utf-8")

    done = run("--fix", "--guess", path)

    assert done.exit_code == 1
    assert "unknown function 'nowhere'" in done.stdout
    assert run("--guess", path).exit_code == 2


def test_a_comment_that_looks_like_a_division_is_one_where_guesses_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "divided.seep"
    path.write_text("secret s\noutput o\ns ~ uniform_int(0, 9) // a digit\no := s // 2\n", encoding="utf-8")

    done = run("--fix", "--guess", path)

    assert path.read_text() == "secret s\noutput o\ns ~ uniform_int(0, 9) // a digit\no := floor(s / 2)\n"
    assert done.stderr == f"{path}: guessed SEEP031: write 'floor(s / 2)'\n"
