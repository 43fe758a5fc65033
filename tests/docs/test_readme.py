"""What the README shows is what happens: its program, its Python, its commands."""

from __future__ import annotations

import re
import shlex

import click
import pytest
from click.testing import CliRunner
from tests.docs.blocks import ROOT, Block, blocks

import seepage
from seepage.cli.main import cli

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    (command, output)
    for block in blocks("README.md", "console")
    for command, output in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE)
]


def only(language: str) -> Block:
    """Return the one block of a language in the README."""
    (block,) = blocks("README.md", language)
    return block


def test_its_program_is_clean_and_keeps_its_budget() -> None:
    program = seepage.parse(only("seep").text)

    analysis = program.analyze()

    assert program.diagnostics == analysis.diagnostics == ()
    assert [answer.verdict for answer in analysis.answers] == [None, "holds"]


def test_the_program_of_the_extension_s_page_is_clean_and_keeps_its_budget() -> None:
    (block,) = blocks("vscode-extension/README.md", "seep")

    analysis = seepage.parse(block.text).analyze()

    assert analysis.diagnostics == ()
    assert [answer.verdict for answer in analysis.answers] == [None, "holds"]


def test_its_program_is_the_one_that_its_commands_name() -> None:
    shown = seepage.parse(only("seep").text)
    named = seepage.load(ROOT / "examples/randomized-response-single.seep")

    assert shown.measure("I(r; o)").lower == named.measure("I(r; o)").lower


def test_its_python_prints_what_its_comments_say(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    # The other block is a function that is read and never run: tests/python/test_marks.py holds its numbers.
    (text,) = [block.text for block in blocks("README.md", "python") if "seepage_marks" not in block.text]

    exec(compile(text, "README.md", "exec"), {})

    assert capsys.readouterr().out.splitlines() == re.findall(r"  # (.*)$", text, re.MULTILINE)


@pytest.mark.parametrize(("command", "output"), COMMANDS)
def test_its_commands_print_what_it_shows(command: str, output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    program, *arguments = shlex.split(command)

    done = CliRunner().invoke(cli, arguments)

    assert program == "seepage"
    assert (done.exit_code, done.stdout) == (0, output)


def test_it_shows_a_command() -> None:
    assert COMMANDS


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/editors/vscode.md"])
def test_every_target_of_make_exists(page: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = re.findall(r"(?:`|^)make ([\w-]+)", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)

    assert named
    assert [target for target in named if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []


def test_the_two_commands_for_a_fresh_machine_come_before_the_editor() -> None:
    first = README.partition("## Install")[0]

    assert re.findall(r"^make (\w+)", first, re.MULTILINE) == ["demo", "test", "editor"]


def test_every_command_and_option_that_it_names_exists() -> None:
    for name, options in re.findall(r"^\| `seepage (\w+)[^|]*\|(.*)\|$", README, re.MULTILINE):
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        known = {text for parameter in command.params for text in parameter.opts}
        assert set(re.findall(r"`(--\w+)", options)) <= known
