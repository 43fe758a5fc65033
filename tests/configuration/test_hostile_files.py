"""Project files that somebody wrote to hurt: every one is an answer in a few findings, and none is an exception."""

from __future__ import annotations

from pathlib import Path

import pytest

from seepage.configuration import (
    LONGEST_VALUE,
    MOST_PARAMETERS,
    MOST_PROBLEMS,
    find_configuration,
    load_configuration,
    read_configuration,
)
from seepage.toml_text import MOST_DEPTH, Problem, read_toml

DEEP = ".".join("a" * 20_000)
# What the file holds, and a word of each of its findings.
HOSTILE = {
    "a deep key": (f"unit.{DEEP} = 1", ["nested more than"]),
    "a deep key between quoted parts": (".".join(["'a'", '"b"'] * 10_000) + " = 1", ["nested more than"]),
    "a deep key with blanks": (" . ".join("a" * 20_000) + " = 1", ["nested more than"]),
    "a deep table": (f"[{DEEP}]", ["nested more than"]),
    "a deep key in an inline table": (f'x = {{ b = """c"""", {DEEP} = 1 }}', ["nested more than"]),
    "a deep key behind a text of quotes": (f"x = {{ b = '''c''''', {DEEP} = 1 }}", ["nested more than"]),
    "a deep key behind an escaped quote": (f'x = {{ b = "c\\"", {DEEP} = 1 }}', ["nested more than"]),
    "deep lists": ("x = " + "[" * 100_000, ["nested more than"]),
    "deep inline tables": ("x = " + "{a=" * 50_000, ["nested more than"]),
    "many digits": ("time-limit = " + "1" * 5_000, ["a number has more than 4,300 digits"]),
    "many digits with a sign and groups": (
        "time-limit = -" + "1_" * 5_000 + "1",
        ["a number has more than 4,300 digits"],
    ),
    "many hexadecimal digits": ("time-limit = 0x" + "f" * 50_000, ["a number with too many digits"]),
    "many octal digits": ("digits = 0o" + "7" * 50_000, ["a number with too many digits"]),
    "many binary digits": ("unit = 0b" + "1" * 50_000, ["a number with too many digits"]),
    "a parameter of many digits": ("parameters.p = 0x" + "f" * 50_000, ["a number with too many digits"]),
    "a level of many digits": ("rules.SEEP101 = 0x" + "f" * 50_000, ["a number with too many digits"]),
    "a list of many digits": ("unit = [0x" + "f" * 50_000 + "]", ["a list"]),
    "a long parameter": (f"parameters.p = '{'1' * 100_000}'", ["expected a number"]),
    "a long key": (f"{'k' * 100_000} = 1", ["unknown key"]),
    "an unknown rule of many letters": (f"rules.{'k' * 100_000} = 1", ["no rule"]),
    "a level that is a table": ("rules.SEEP101.a.b = 1", ["a table"]),
    "a date that is none": ("unit = 2024-13-99", [""]),
    "control characters": ('"a\\u001b[31m" = 1', ["unknown key"]),
    "surrogates": ('"\\ud800" = 1', ["no TOML"]),
    "too many bytes": ("#" * (1 << 19), ["more than"]),
    "empty lines": ("\n" * 200_000, []),
    "quotes": ('"""\\' * 50_000, ["no TOML"]),
    "quotes without an end": ('x = """' + '\\"""' * 50_000, ["no TOML"]),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("file", ["seepage.toml", "pyproject.toml"])
def test_a_hostile_file_is_told_in_a_few_words(name: str, file: str, tmp_path: Path) -> None:
    text, words = HOSTILE[name]
    path = tmp_path / file
    section = "[tool.seepage]\n" if file == "pyproject.toml" else ""
    path.write_text(section + text.replace("[a.a", "[[tool.seepage.a.a"), encoding="utf-8")

    assert find_configuration(tmp_path) == (None if name == "too many bytes" and section else path)
    _, problems = load_configuration(path)

    assert len(problems) == len(words)
    assert all(word in problem.message for word, problem in zip(words, problems, strict=True))
    assert all(len(problem.message) < 400 and problem.message.isprintable() for problem in problems)


def test_many_unknown_keys_are_counted_and_few_are_told() -> None:
    keys = "".join(f"unit{index} = 1\n" for index in range(15_000))
    rules = "".join(f"SEEP{index}x = 1\n" for index in range(10_000))

    _, problems = read_configuration(f"{keys}[rules]\n{rules}", "seepage.toml")

    assert len(problems) == MOST_PROBLEMS + 1
    assert problems[0].message.startswith("unknown key 'unit0', expected 'unit'")
    assert problems[-1].message == f"{25_000 - MOST_PROBLEMS:,} more keys are wrong"


def test_parameters_are_bounded_in_number_and_length() -> None:
    text = "[parameters]\n" + "".join(f"p{index} = {index}\n" for index in range(MOST_PARAMETERS + 5))
    found, problems = read_configuration(text, "seepage.toml")
    assert len(found.parameters) == MOST_PARAMETERS
    assert len(problems) == 5

    longest = "1" * LONGEST_VALUE
    found, problems = read_configuration(f"parameters.p = '{longest}'", "seepage.toml")
    assert found.parameters == {"p": longest}


def test_what_project_files_hold_is_not_too_deep() -> None:
    """Dots outside of keys do not count, and those of one key end with it."""
    urls = "urls = [" + ", ".join(f"'https://a.b.c.d/e.f.{index}'" for index in range(100)) + "]\n"
    tables = "".join(f"[a.b.c.d{index}]\nx.y.z = 1.5  # {'.' * 100}\n" for index in range(100))
    texts = f'text = """{"." * 1_000}"""\nother = "{"." * 100} \\" {"." * 100}"\nlast = \'{"." * 100}\'\n'
    versions = "v = {" + ", ".join(f"k{index}.a.b = 1.0" for index in range(100)) + "}\n"

    assert not isinstance(read_toml(urls + texts + versions + tables), Problem)


@pytest.mark.parametrize(("shape", "line"), [("[{}]\nx = 1", 1), ("x = 1\n\n{} = 1", 3)])
def test_depth_is_allowed_up_to_its_limit(shape: str, line: int) -> None:
    assert not isinstance(read_toml(shape.format(".".join("a" * (MOST_DEPTH + 1)))), Problem)
    told = read_toml(shape.format(".".join("a" * (MOST_DEPTH + 2))))
    assert isinstance(told, Problem)
    assert told.line == line


def test_links_in_a_circle_are_no_project_file(tmp_path: Path) -> None:
    (tmp_path / "seepage.toml").symlink_to(tmp_path / "pyproject.toml")
    (tmp_path / "pyproject.toml").symlink_to(tmp_path / "seepage.toml")
    assert find_configuration(tmp_path, tmp_path) is None


WRONG = [
    "unit = inf",
    "unit = {}",
    "time-limit = nan",
    "time-limit = inf",
    "time-limit = -1",
    "time-limit = 1e400",
    "time-limit = true",
    "time-limit = 1979-05-27T07:32:00Z",
    "digits = 0",
    "digits = -5",
    "digits = 1.5",
    "digits = 99999999999999999999",
    "parameters = 5",
    "parameters = []",
    "parameters.p = [1]",
    "parameters.p = nan",
    "rules = 1",
    "rules.SEEP101 = 'off'",
    "rules.SEEP101 = ['a']",
    "[[rules]]\na=1",
    "[[parameters]]\np=1",
    "python = 1",
    "[python]\n'm.py::f' = 3",
    "[python.'../../etc/passwd::f']\nsecret=['x']",
    "a = 1\na = 2",
    "\x00",
    "\ufeff\ufeffunit='bits'",
    "exclude = 5",
    "exclude=['[', '**'*1000]",
    "[tool.seepage]\nunit=1",
    "unit = '''\n'''",
]


@pytest.mark.parametrize("text", WRONG)
@pytest.mark.parametrize("file", ["seepage.toml", "pyproject.toml"])
def test_a_value_of_a_wrong_kind_is_told_and_leaves_the_others(text: str, file: str, tmp_path: Path) -> None:
    path = tmp_path / file
    _, problems = read_configuration(text, str(tmp_path / "seepage.toml"))
    assert 1 <= len(problems) <= MOST_PROBLEMS
    assert all(problem.message for problem in problems)
    path.write_bytes(("" if file == "seepage.toml" else "[tool.seepage]\n").encode() + text.encode())
    assert load_configuration(path)
