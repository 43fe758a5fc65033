"""How the command starts: by both of its names, without what it does not need, with completions for shells."""

from __future__ import annotations

import os
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from seepage.cli.main import COMMANDS, cli
from seepage.report.rules_page import rules_page
from seepage.rules import RULES

ENGINES = ("numpy", "flint", "lark", "seepage.pipeline", "seepage.program", "seepage.semantics", "seepage.syntax")


def loaded_by(*arguments: str) -> set[str]:
    """Return the modules that a run of the command has loaded when it ends."""
    code = (
        "import atexit, sys\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        "from seepage.cli.start import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["rules", "SEEP510"]])
def test_a_command_loads_only_what_it_needs(arguments: list[str]) -> None:
    assert loaded_by(*arguments).isdisjoint(ENGINES)


def test_the_module_is_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "seepage", "--version"], capture_output=True, text=True, check=True)

    assert done.stdout == "seepage 0.1.0\n"


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_is_found_and_listed(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)

    assert command is not None
    assert command.name == name
    assert COMMANDS[name].help in " ".join(CliRunner().invoke(cli, ["--help"]).stdout.split())


@pytest.mark.parametrize("word", ["SEEP510", "seep510", "leak-budget-violated"])
def test_one_rule_is_explained_as_on_the_page(word: str) -> None:
    done = CliRunner().invoke(cli, ["rules", word])

    assert done.exit_code == 0
    assert done.stdout.startswith("### SEEP510 `leak-budget-violated`\n")
    assert done.stdout in rules_page()


def test_several_rules_are_explained_one_after_the_other() -> None:
    done = CliRunner().invoke(cli, ["rules", "SEEP510", "SEEP511"])

    assert [line.split()[1] for line in done.stdout.splitlines() if line.startswith("### ")] == ["SEEP510", "SEEP511"]


def test_all_rules_stay_the_page() -> None:
    assert CliRunner().invoke(cli, ["rules"]).stdout == rules_page()
    assert all(f"### {code} " in rules_page() for code in RULES)


def test_a_rule_that_there_is_not_is_wrong_use_with_what_may_be_meant() -> None:
    done = CliRunner().invoke(cli, ["rules", "leak-budget-violate"])

    assert (done.exit_code, done.stdout) == (2, "")
    assert "there is no rule 'leak-budget-violate', did you mean 'leak-budget-violated'?" in done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_given_completions(shell: str) -> None:
    code = "from seepage.cli.start import main; main()"

    def run(instruction: str, **words: str) -> str:
        environment = {**os.environ, "_SEEPAGE_COMPLETE": f"{shell}_{instruction}", **words}
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment
        )
        return done.stdout

    if shell != "bash":  # its script asks for the version of the bash that is installed
        assert "_SEEPAGE_COMPLETE" in run("source")
    cword = "me" if shell == "fish" else "1"
    assert "measure" in run("complete", COMP_WORDS="seepage me", COMP_CWORD=cword)
