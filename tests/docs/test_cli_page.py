"""The page on the command line names every command and every option."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner
from tests.docs.blocks import ROOT, blocks

from seepage.cli.main import COMMANDS, cli

PAGE = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_each_command_has_a_section_with_its_options(name: str) -> None:
    start = PAGE.index(f"## `seepage {name}")
    section = PAGE[start : PAGE.find("\n## ", start + 1) if "\n## " in PAGE[start + 1 :] else len(PAGE)]

    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    for parameter in command.params:
        if isinstance(parameter, click.Option) and parameter.name != "help":
            for spelled in parameter.opts:
                assert f"`{spelled}" in section, f"'{spelled}' of 'seepage {name}' is not on the page"


def test_the_derivation_of_the_page_is_what_is_printed_down_to_its_ellipsis() -> None:
    (shown,) = [block.text for block in blocks("docs/cli.md", "") if block.text.startswith("$ seepage explain answer")]
    command, _, expected = shown.partition("\n")
    beginning, end = expected.split("…")
    assert (command, end.strip()) == ('$ seepage explain answer.seep "H(o)"', "")

    program = ROOT / "examples/randomized-response-single.seep"
    done = CliRunner().invoke(cli, ["explain", str(program), "H(o)"])

    assert done.exit_code == 0
    assert done.stdout.startswith(beginning.rstrip(" "))
