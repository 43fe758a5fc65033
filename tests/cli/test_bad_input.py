"""Files that no command can use: one line on standard error, nothing on standard output, and the exit code of what went wrong."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.checking.trees import HOLDS, run, tree
from tests.hostile_texts import TEXTS

COMMANDS: dict[str, tuple[str, ...]] = {
    "check": (),
    "measure": ("I(s; o)",),
    "plot": ("I(s; o)", "--over", "p=0..1"),
    "explain": ("I(s; o)",),
    "sweep": ("I(s; o)", "--over", "p=0..1"),
    "tune": ("I(s; o) <= 1", "--over", "p"),
    "export": ("--to", "webppl"),
    "import": ("--from", "prism"),
    "fmt": (),
}
FILES: dict[str, bytes | None] = {
    "binary.seep": b"secret s\x00\x01\x02",
    "no-utf-8.seep": b"secret \xff\xfe",
    "huge.seep": b"x := 1\n" * 600_000,
    "missing.seep": None,
    "folder.seep": None,
}


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_cannot_be_read_is_told_in_a_line(tmp_path: Path, command: str, file: str) -> None:
    if (content := FILES[file]) is not None:
        (tmp_path / file).write_bytes(content)
    if file == "folder.seep":
        (tmp_path / file).mkdir()
        if command == "check":  # a folder without programs is wrong use
            return
    found = run(command, file, *COMMANDS[command], inside=tmp_path)
    assert found.exit_code == 1, found.output
    assert found.stdout == ""
    (line,) = found.stderr.splitlines()
    assert line.startswith(file)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("import", "a.csv"), "a channel matrix in CSV"),
        (("import", "a.psi"), "a program of PSI"),
        (("sweep", "a.toml"), "a study in TOML"),
        (("translate", "a.py::f"), "a Python file"),
        (("check", "a.seep"), "a Seep program"),
    ],
)
def test_what_was_expected_in_the_place_of_a_file_is_told(
    tmp_path: Path, arguments: tuple[str, str], expected: str
) -> None:
    file = arguments[1].partition("::")[0]
    for data in (FILES["binary.seep"], FILES["huge.seep"]):
        assert data is not None
        (tmp_path / file).write_bytes(data)
        assert run(*arguments, inside=tmp_path).stderr.endswith(f", expected {expected}\n")


@pytest.mark.parametrize("command", [*COMMANDS, "diff", "report"])
def test_an_empty_name_is_wrong_use(tmp_path: Path, command: str) -> None:
    found = run(command, "", *COMMANDS.get(command, ("a.seep",)), inside=tree(tmp_path, {"a.seep": HOLDS}))
    assert (found.exit_code, found.stdout) == (2, "")
    assert "found an empty name, expected a file: a variable of the shell may be empty" in found.stderr


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(tmp_path: Path, command: str) -> None:
    os.mkfifo(tmp_path / "a.seep")
    tree(tmp_path, {"b.seep": HOLDS})
    others = ("b.seep",) if command in ("check", "fmt") else ()
    found = run(command, "a.seep", *others, *COMMANDS[command], inside=tmp_path)
    assert found.exit_code == 1
    assert found.stderr == "a.seep: cannot be read: found a pipe that nobody writes to, expected a file\n"
    assert ("== b.seep ==" in found.stdout or "I(s; o)" in found.stdout) == (command == "check")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_lists_that_are_such_pipes_are_not_waited_for(tmp_path: Path) -> None:
    tree(tmp_path, {"a.seep": HOLDS})
    for name in (".gitignore", "b.json"):
        os.mkfifo(tmp_path / name)
    assert run("check", ".", inside=tmp_path).exit_code == 0
    assert run("check", "a.seep", "--baseline", "b.json", inside=tmp_path).exit_code == 2


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="shells hand over no pipes as files")
def test_a_pipe_that_somebody_writes_to_is_read_and_not_written(tmp_path: Path) -> None:
    for options, told in (
        (("--check",), "would change"),
        ((), "found a pipe or device, expected a file to write into"),
    ):
        reader, writer = os.pipe()
        os.write(writer, b"x  := 1\n")
        os.close(writer)
        found = run("fmt", *options, f"/dev/fd/{reader}", inside=tmp_path)
        os.close(reader)
        assert (found.exit_code, found.stderr) == (1, f"/dev/fd/{reader}: {told}\n")


@pytest.mark.parametrize(
    ("arguments", "files", "code"),
    [
        (("check", "a.seep", "--baseline", "b.json"), {"b.json": '{"files": '}, 2),
        (("check", "a.seep", "--baseline", "b.json"), {"b.json": "[" * 100_000}, 2),
        (("check", "a.seep", "--baseline", "b.json"), {"b.json": '{"files": {"a.seep": 3}}'}, 2),
        (("check", "a.seep", "b.seep", "--no-cache", "--dask", "tcp://127.0.0.1:1"), {"b.seep": HOLDS}, 1),
        (("sweep", "a.toml"), {"a.toml": "program = 3"}, 2),
        (("sweep", "a.toml"), {"a.toml": "[" * 5_000}, 2),
        (("sweep", "a.toml"), {"a.toml": 'program = "away.seep"\nmeasures = "H(s)"\n[over]\np = 1\n'}, 1),
        (("sweep", "a.seep", "H(s)", "--over", "p=1", "--output", "nowhere/r.csv"), {}, 1),
        (("sweep", "a.seep", "H(s)", "--over", "p=1", "--output", "nowhere/r.parquet"), {}, 1),
        (("tune", "a.seep", "H(s) <= 1", "--over", "p", "--output", "nowhere/t.txt"), {}, 1),
        (("import", "a.csv"), {"a.csv": "x" * 300_000}, 1),
        (("import", "a.bif"), {"a.bif": "network {" * 1_000}, 1),
        (("import", "a.pm"), {"a.pm": "dtmc module " * 1_000}, 1),
        (("import", "a.psi"), {"a.psi": "def main() { x := " + "(" * 100_000}, 1),
    ],
)  # fmt: skip
def test_what_is_broken_is_told_in_a_line(
    tmp_path: Path, arguments: tuple[str, ...], files: dict[str, str], code: int
) -> None:
    before = {"a.seep": "param p in [0, 1] = 1/2\n" + HOLDS, **files}
    tree(tmp_path, before)
    found = run(*arguments, inside=tmp_path)
    assert (found.exit_code, found.stdout) == (code, ""), found.output
    told = [line for line in found.stderr.splitlines() if line and not line.startswith(("Usage:", "Try "))]
    assert len(told) == 1
    assert {name: (tmp_path / name).read_text() for name in before} == before  # nothing is lost


ASKING: dict[str, tuple[str, ...]] = {
    "measure": ("I(s; o)", "--time-limit", "1"),
    "explain": ("I(s; o)", "--how", "--time-limit", "1"),
    "fmt": ("--diff",),
    "diff": ("hostile.seep", "--time-limit", "1"),
    "export": ("--to", "json"),
    "tune": ("I(s; o) <= 1 bits", "--over", "p", "--time-limit", "1"),
    "sweep": ("I(s; o)", "--over", "p=1,2", "--jobs", "1", "--time-limit", "1"),
    "plot": ("I(s; o)", "--over", "p=0..1", "--time-limit", "1"),
}
FUNCTIONS: dict[str, str] = {
    "nothing": "",
    "parentheses": f"def f(x):\n    return {'(' * 100_000}x{')' * 100_000}\n",
    "signs": f"def f(x):\n    return {'-' * 40_000}x\n",
    "a long line": f"def f(x):\n    return x{' + 1' * 30_000}\n",
    "many digits": f"def f(x):\n    return {'9' * 100_000}\n",
    "no text": "def f(x):\n    return x\0\n",
    "an endless run": "def f(x):\n    while True: pass\n",
    "an endless call": "def f(x):\n    return f(x)\n",
    "a tower": "def f(x):\n    return 2**2**2**2**2**2**2\n",
    "a huge text": "def f(x):\n    return 'a' * 10**12\n",
    "a run of its own": "import pathlib; pathlib.Path('ran').touch()\ndef f(x):\n    return x\n",
}


@pytest.mark.family(every=8)
@pytest.mark.parametrize("command", ASKING)
@pytest.mark.parametrize("name", TEXTS)
def test_texts_that_mean_harm_are_answered_by_every_command(tmp_path: Path, name: str, command: str) -> None:
    (tmp_path / "hostile.seep").write_bytes(TEXTS[name].encode())

    found = run(command, "hostile.seep", *ASKING[command], inside=tmp_path)

    assert found.exit_code in (0, 1, 2)
    assert "Traceback" not in found.output
    assert found.exit_code == 0 or found.stdout or found.stderr
    assert "\x1b" not in found.stderr


@pytest.mark.parametrize("command", ["translate", "mark"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_that_mean_harm_are_read_and_never_run(tmp_path: Path, name: str, command: str) -> None:
    (tmp_path / "hostile.py").write_text(FUNCTIONS[name], encoding="utf-8")

    found = run(command, "hostile.py::f", inside=tmp_path)

    assert found.exit_code in (0, 1, 2)
    assert "Traceback" not in found.output
    assert found.exit_code == 0 or len(found.output) < 2_000
    assert not (tmp_path / "ran").exists()
