"""``seepage fmt``: what it writes, what it leaves alone, and its exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from seepage.cli.main import cli

ROOT = Path(__file__).parents[2]
UGLY = "x:=1 // one\r\ny ~bernoulli( x/2 )"
PRETTY = "x := 1 // one\r\ny ~ bernoulli(x / 2)\r\n".replace("1 // one", "1  // one")
PLUS = ["+x := 1  // one", "+y ~ bernoulli(x / 2)"]
BROKEN = "x:=1\ny := \n"


def run(*arguments: str | Path, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(cli, ["fmt", *map(str, arguments)], input=stdin)


@pytest.fixture
def ugly(tmp_path: Path) -> Path:
    path = tmp_path / "ugly.seep"
    path.write_bytes(UGLY.encode())
    return path


def test_a_file_is_written_in_place_with_its_line_ends(ugly: Path) -> None:
    done = run(ugly)

    assert done.exit_code == 0
    assert done.stdout == ""
    assert ugly.read_bytes() == PRETTY.encode()


def test_check_tells_what_would_change_and_writes_nothing(ugly: Path) -> None:
    done = run("--check", ugly)

    assert done.exit_code == 1
    assert done.stderr == f"{ugly}: would change\n"
    assert ugly.read_bytes() == UGLY.encode()


def test_check_is_content_with_what_was_formatted(ugly: Path) -> None:
    run(ugly)

    assert run("--check", ugly).exit_code == 0


def test_diff_prints_the_change_and_writes_nothing(ugly: Path) -> None:
    done = run("--diff", ugly)

    assert done.exit_code == 0
    changed = [line.rstrip("\r") for line in done.stdout.split("\n")[3:]]
    assert changed == ["-x:=1 // one", "-y ~bernoulli( x/2 )", "\\ No newline at end of file", *PLUS, ""]
    assert ugly.read_bytes() == UGLY.encode()


def test_standard_input_goes_to_standard_output() -> None:
    done = run("-", stdin=UGLY.encode())

    assert done.exit_code == 0
    assert done.stdout_bytes == PRETTY.encode()


def test_a_file_with_syntax_errors_is_left_alone_and_the_others_are_formatted(ugly: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.seep"
    broken.write_text(BROKEN, encoding="utf-8")

    done = run(broken, ugly)

    assert done.exit_code == 1
    assert f"{broken}:2:" in done.stderr
    assert "error[SEEP011]" in done.stderr
    assert broken.read_text(encoding="utf-8") == BROKEN
    assert ugly.read_bytes() == PRETTY.encode()


def test_broken_standard_input_gives_no_output() -> None:
    done = run("-", stdin=BROKEN.encode())

    assert done.exit_code == 1
    assert done.stdout == ""
    assert done.stderr.startswith("<stdin>:2:")


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    done = run(tmp_path / "none.seep")

    assert done.exit_code == 1
    assert done.stderr == f"{tmp_path / 'none.seep'}: no such file\n"


def test_no_file_is_wrong_use() -> None:
    assert run().exit_code == 2


def test_the_examples_are_formatted() -> None:
    assert run("--check", *sorted((ROOT / "examples").glob("*.seep"))).exit_code == 0


def test_a_byte_order_mark_stays(ugly: Path) -> None:
    mark = b"\xef\xbb\xbf"
    ugly.write_bytes(mark + UGLY.encode())

    assert run(ugly).exit_code == 0
    assert ugly.read_bytes() == mark + PRETTY.encode()
    assert run("-", stdin=mark + UGLY.encode()).stdout_bytes == mark + PRETTY.encode()
