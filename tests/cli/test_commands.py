"""The command line: exit codes, the two formats, and what is said about files that are no programs."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from seepage.cli.main import cli

NOISY = "param p in [0, 1] = 1/4\nsecret s\noutput o\ns ~ bernoulli(1/2)\nt ~ bernoulli(p)\no := s xor t\n"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "noisy.seep"
    path.write_text(NOISY, encoding="utf-8")
    return path


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def measured(*arguments: str | Path) -> Any:
    done = run("measure", *arguments, "--format", "json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_a_measure_as_json_has_the_fields_of_the_contract(program: Path) -> None:
    found = measured(program, "I(s; o)", "--set", "p=1/2", "--unit", "nats")

    assert list(found) == [
        "schema", "measure", "unit", "value", "estimated", "lower", "upper",
        "certainty", "engine", "formula", "latex", "mathml", "definitions", "conditions",
        "because", "params", "seconds", "notes", "witness", "companions",
    ]  # fmt: skip
    assert (found["schema"], found["measure"], found["unit"]) == (3, "I(s; o)", "nats")
    assert (found["value"], found["lower"], found["upper"]) == (0, 0, 0)
    assert (found["certainty"], found["because"], found["params"]) == ("exact", [], {"p": "1/2"})


def test_a_formula_comes_in_parts_as_json(program: Path) -> None:
    found = measured(program, "H(t)")

    assert found["formula"] == "h(p) where h(x) := −x·log₂ x − (1 − x)·log₂(1 − x), 0·log 0 = 0"
    assert found["definitions"] == ["h(x) := −x·log₂ x − (1 − x)·log₂(1 − x)"]
    assert found["conditions"] == ["0·log 0 = 0"]
    assert found["latex"].startswith(r"h\left(p\right), \quad h\left(x\right) = ")
    assert found["mathml"].startswith("<math ")


@pytest.mark.parametrize("form", ["latex", "mathml"])
def test_a_formula_is_printed_alone(program: Path, form: str) -> None:
    done = run("measure", program, "H(t)", "--format", form)

    assert done.exit_code == 0
    assert done.stdout.replace("&#x2061;", "\u2061") == measured(program, "H(t)")[form] + "\n"


def test_no_formula_to_print_is_a_failure_that_says_so(tmp_path: Path) -> None:
    path = tmp_path / "value.seep"
    path.write_text("param t in [0, 9] = 3\nx ~ bernoulli(1/2)\ny := x * t\n", encoding="utf-8")
    done = run("measure", path, "E(y)", "--format", "latex")

    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("no formula was found\ncomputed at t = 3: ")


def test_infinities_are_strings(tmp_path: Path) -> None:
    path = tmp_path / "copy.seep"
    path.write_text("x ~ normal(0, 1)\ny := x\n", encoding="utf-8")

    assert measured(path, "I(x; y)")["value"] == "inf"
    assert measured(path, "H(x, y)")["lower"] == "-inf"


def test_a_measure_as_text_is_one_number_with_its_status(program: Path) -> None:
    done = run("measure", program, "I(s; o)")

    assert done.exit_code == 0
    assert done.stdout.splitlines()[0] == "I(s; o) = 0.1887218755 bits · exact"


def test_a_measure_without_a_number_says_why_and_where(program: Path) -> None:
    done = run("measure", program, "H(s | o == 9)", "--format", "json")

    assert done.exit_code == 1
    error = json.loads(done.stdout)["error"]
    assert (error["code"], error["line"], error["column"]) == ("SEEP504", 1, 7)
    assert "impossible event" in error["message"]


def test_check_of_a_clean_program_succeeds(program: Path) -> None:
    program.write_text(f"{NOISY}show I(s; o)\nrequire I(s; o) <= 0.2\n", encoding="utf-8")

    done = run("check", program)

    assert done.exit_code == 0
    assert "show I(s; o) = 0.1887218755 bits · exact" in done.stdout
    assert "require I(s; o) <= 0.2: holds" in done.stdout


@pytest.mark.parametrize("budget", ["I(s; o) <= 0.1", "I(s; o) <= 0.9 over p in [0, 1]"])
def test_a_budget_that_does_not_hold_fails_the_check(program: Path, budget: str) -> None:
    program.write_text(f"{NOISY}require {budget}\n", encoding="utf-8")

    assert run("check", program).exit_code == 1


def test_a_budget_that_is_proved_over_a_range_passes(program: Path) -> None:
    program.write_text(f"{NOISY}require I(s; o) <= 1 over p in [0, 1]\n", encoding="utf-8")

    done = run("check", program)

    assert (done.exit_code, "over p in [0, 1]: holds" in done.stdout) == (0, True)


def test_check_shows_the_place_with_carets(program: Path) -> None:
    program.write_text("x ~ uniform_int(0, 1)\n\ty := 1 / x\n", encoding="utf-8")

    done = run("check", program)

    assert done.exit_code == 1
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"{program}:2:7: error[SEEP401]: division by zero")
    assert lines[1:3] == ["  2 | \ty := 1 / x", "    | \t     ^^^^^"]


def test_hints_are_left_to_editors_and_to_json(program: Path) -> None:
    program.write_text(f"{NOISY}show H(s | o)\n", encoding="utf-8")

    assert "SEEP514" not in run("check", program).stdout
    assert "SEEP514" in run("check", program, "--format", "json").stdout


def test_check_as_json_lists_everything(program: Path) -> None:
    program.write_text(f"{NOISY}show I(s; o)\nrequire I(s; o) <= 0.1\n", encoding="utf-8")

    found = json.loads(run("check", program, "--format", "json").stdout)

    assert [each["code"] for each in found["diagnostics"]] == ["SEEP510"]
    assert [row["secret"] for row in found["table"]] == ["s"]
    assert [(answer["role"], answer["verdict"]) for answer in found["answers"]] == [
        ("show", None),
        ("require", "violated"),
    ]


BAD_FILES = {
    "missing": None,
    "binary": b"\x00\x01\x02x := 1",
    "latin-1": b"// caf\xe9\n",
    "empty": b"",
    "blank": b" \n\n",
}


@pytest.mark.parametrize("kind", [*BAD_FILES, "directory"])
@pytest.mark.parametrize("command", [["check"], ["measure"]])
def test_a_file_that_is_no_program_is_one_line(kind: str, command: list[str], tmp_path: Path) -> None:
    path = tmp_path / "file.seep"
    content = BAD_FILES.get(kind)
    if kind == "directory":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)

    done = run(*command, path, *(["H(x)"] if command == ["measure"] else []))

    assert done.exit_code == 1
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(f"{path}: ")


@pytest.mark.parametrize("kind", [*BAD_FILES, "directory"])
def test_a_file_that_is_no_program_has_the_error_of_the_contract_as_json(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "file.seep"
    content = BAD_FILES.get(kind)
    if kind == "directory":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)

    one = run("measure", path, "H(x)", "--format", "json")
    checked = run("check", path, "--format", "json")

    assert (one.exit_code, checked.exit_code) == (1, 1)
    error = json.loads(one.stdout)["error"]
    assert list(error) == ["code", "message", "line", "column"]
    assert (error["code"], error["line"], error["column"]) == ("SEEP007", 1, 1)
    assert error["message"]
    if kind == "directory":  # of which 'check' looks for programs in it
        error["message"] = "found a directory, expected a program (*.seep) or a marked Python file in it"
    assert json.loads(checked.stdout) == {"schema": 3, "file": str(path), "error": error}


@pytest.mark.parametrize("command", ["check", "measure"])
def test_a_file_without_permission_is_one_line_and_hides_no_other(
    command: str, program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / "unread.seep"
    closed.write_text(NOISY, encoding="utf-8")
    allowed, opened = os.access, open

    def access(path: Any, mode: int, **more: Any) -> bool:  # the tests may run as root, whom no permission stops
        return str(path) != str(closed) and allowed(path, mode, **more)

    def opening(path: Any, *arguments: Any, **more: Any) -> Any:
        if str(path) == str(closed):
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(path, *arguments, **more)

    monkeypatch.setattr("os.access", access)
    monkeypatch.setattr("builtins.open", opening)

    done = run(command, closed, program if command == "check" else "H(s)")

    assert done.exit_code == 1
    assert done.stderr == f"{closed}: permission denied\n"
    assert ("secret" in done.stdout) == (command == "check")


@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["check", "--nonsense", "PROGRAM"],
        ["check", "PROGRAM", "--set", "q=1"],
        ["check", "PROGRAM", "--set", "p"],
        ["check", "PROGRAM", "--unit", "pints"],
        ["measure", "PROGRAM"],
        ["measure", "PROGRAM", "H(s)", "--set", "p=banana"],
        ["check", "PROGRAM", "--time-limit", "nan"],
        ["check", "PROGRAM", "--time-limit", "-1"],
        ["measure", "PROGRAM", "H(s)", "--time-limit", "nan"],
        ["nonsense"],
    ],
)
def test_wrong_use_has_exit_code_2(program: Path, arguments: list[str]) -> None:
    done = run(*(program if argument == "PROGRAM" else argument for argument in arguments))

    assert done.exit_code == 2
    assert "Traceback" not in done.output


@pytest.mark.parametrize("command", [["check"], ["measure"]])
def test_only_what_set_says_is_reported_as_wrong_use(
    command: list[str], program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError("a fault of Seepage")

    for name in ("analyze", "measure"):
        monkeypatch.setattr("seepage.program." + name, broken)

    done = run(*command, program, *(["H(s)"] if command == ["measure"] else []))

    assert str(done.exception) == "a fault of Seepage"


def test_a_value_outside_its_domain_is_an_error_of_the_program(program: Path) -> None:
    done = run("check", program, "--set", "p=2")

    assert done.exit_code == 1
    assert "SEEP506" in done.stdout


def test_one_unreadable_file_does_not_hide_the_others(program: Path, tmp_path: Path) -> None:
    done = run("check", tmp_path / "missing.seep", program)

    assert done.exit_code == 1
    assert "no such file" in done.stderr
    assert "secret" in done.stdout


def test_output_to_a_pipe_has_no_colours(program: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "seepage.cli.main", "check", str(program)], capture_output=True, check=False
    )

    assert done.returncode == 0
    assert b"\x1b" not in done.stdout


def test_a_source_cannot_command_the_terminal(program: Path) -> None:
    escape = "\x1b]0;owned\x07"
    program.write_text(
        f"{NOISY}require I(s; o) /* {escape} */ <= 2 bits\nshow I(s;\n  o) // {escape}\n", encoding="utf-8"
    )

    done = run("check", program)

    assert done.exit_code == 0
    assert all(letter.isprintable() or letter == "\n" for letter in done.stdout)
    assert "require I(s; o) <= 2 bits: holds (I(s; o) = 0.1887218755 bits · exact)\n" in done.stdout
    assert "show I(s; o) = 0.1887218755 bits · exact\n" in done.stdout


def test_the_version() -> None:
    assert run("--version").stdout == "seepage 0.1.0\n"


def test_lsp_hands_over_to_the_server_by_name(tmp_path: Path) -> None:
    server = tmp_path / "seepage-lsp"
    server.write_text("#!/bin/sh\necho served $*\n", encoding="utf-8")
    server.chmod(0o755)
    program = "import sys; sys.argv[0] = sys.argv.pop(1) + '/seepage'; from seepage.cli.main import main; main()"

    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path), "lsp", "--log", "file"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout == "served --log file\n"


def test_a_parameter_that_some_files_lack_is_set_in_the_others(program: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.seep"
    other.write_text("x ~ flip(1/2)\nshow H(x)\n", encoding="utf-8")
    program.write_text(f"{NOISY}show P(t == 1)\n", encoding="utf-8")

    done = run("check", other, program, "--set", "p=1/8")

    assert done.exit_code == 0, done.output
    assert "show H(x) = 1 bit" in done.stdout
    assert "show P(t == 1) = 0.125" in done.stdout


def test_a_parameter_that_no_file_has_is_told_before_anything_else(program: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.seep"
    other.write_text("x ~ flip(1/2)\nshow H(x)\n", encoding="utf-8")

    done = run("check", other, program, "--set", "q=1/8")

    assert (done.exit_code, done.stdout) == (2, "")
    assert "none of the files has a parameter 'q', expected one of: 'p'" in done.stderr


MIXTURE = "b ~ bernoulli(1/2)\nx ~ normal(3 * b, 1)\n"


@pytest.mark.parametrize(
    ("method", "asked"), [("huber", "H(x)"), ("hershey", "KL(x | b == 1 || x)"), ("variational", "KL(x | b == 1 || x)")]
)
def test_a_named_method_gives_wider_bounds_than_the_default_and_the_formulas_alone(
    tmp_path: Path, method: str, asked: str
) -> None:
    path = tmp_path / "mixture.seep"
    path.write_text(MIXTURE, encoding="utf-8")

    tight, wide = measured(path, asked), measured(path, asked, "--method", method)

    assert wide["certainty"] == "certified"
    assert wide["lower"] < tight["lower"] <= tight["upper"] < wide["upper"]
    assert wide["companions"][0]["name"] == "by the formulas alone"


@pytest.mark.parametrize(
    ("method", "asked"),
    [("huber", "KL(x | b == 1 || x)"), ("variational", "H(x)"), ("huber", "V(b | x)"), ("huber", "H(b)")],
)
def test_a_method_without_a_formula_for_the_measure_is_refused_at_the_measure(
    tmp_path: Path, method: str, asked: str
) -> None:
    path = tmp_path / "mixture.seep"
    path.write_text(MIXTURE, encoding="utf-8")

    done = run("measure", path, asked, "--method", method)

    assert done.exit_code == 1
    assert "SEEP507" in done.stderr


def test_a_named_method_is_refused_where_an_infinite_support_was_cut(tmp_path: Path) -> None:
    path = tmp_path / "visits.seep"
    path.write_text("n ~ poisson(3)\nx ~ normal(n, 1)\n", encoding="utf-8")

    done = run("measure", path, "H(x)", "--method", "huber")

    assert done.exit_code == 1
    assert "infinite support" in done.stderr
