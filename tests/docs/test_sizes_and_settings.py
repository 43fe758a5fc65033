"""Sizes, times and settings that the pages tell are those of the code."""

from __future__ import annotations

import inspect
import json
import re

import pytest
from tests.docs.blocks import ROOT, blocks

from seepage import channels, configuration, exact, exploration, source, sweeping
from seepage.configuration import read_configuration
from seepage.engines.outcome import Budget
from seepage.engines.wpe import derivation
from seepage.measures import posterior
from seepage.measures.channels import tail_states
from seepage.measures.formulas import guessing
from seepage.measures.gaussian import quadrature_nodes, strata
from seepage.measures.gaussian.bounds import ROUNDS
from seepage.measures.paper import bounds as paper
from seepage.semantics.unroll import unroll
from seepage.syntax import assemble, expressions, lexical, piece
from seepage_lsp import schedule, settings, workspace

WORDS = {4: "four", 5: "five", 20: "twenty"}
SAID = [
    (
        "docs/language.md",
        f"{source.MAX_TEXT:,} characters in a file ({workspace.LONGEST_TEXT:,} in an editor)",
    ),
    ("docs/language.md", f"{piece.MAX_PIECE:,} in one statement"),
    ("docs/language.md", f"{lexical._MAX_DIGITS:,} digits in a number"),
    ("docs/language.md", f"{expressions.MAX_DEPTH} levels in an expression"),
    ("docs/language.md", f"{assemble.MAX_BLOCKS} nested blocks"),
    (
        "docs/language.md",
        f"{inspect.signature(unroll).parameters['limit'].default:,} unrolled statements and iterations",
    ),
    ("docs/language.md", f"{Budget().states:,} states held one by one or {Budget().rows:,} in columns"),
    ("docs/language.md", f"{Budget().memory >> 30} GB for them"),
    ("docs/language.md", f"{Budget().components:,} Gaussian components"),
    ("docs/language.md", f"some {exact.MAX_BITS:,} binary digits"),
    ("docs/language.md", f"less than 2^-{Budget().tail_bits}"),
    ("docs/measures.md", f"at most 2^−{Budget().tail_bits}"),
    ("docs/measures.md", f"{paper.MOST_PAIRS:,} pairs of components"),
    ("docs/measures.md", f"{WORDS[ROUNDS]} rounds of the alternation"),
    ("docs/measures.md", f"some {tail_states._STATES:,} states"),
    ("docs/measures.md", f"more than {WORDS[guessing._CONDITIONS]} conditions"),
    (
        "docs/certainty.md",
        f"A box for which {quadrature_nodes.LARGEST_RULE[1]} nodes ({quadrature_nodes.LARGEST_RULE[2]} in the plane)",
    ),
    ("docs/certainty.md", f"The best of {WORDS[len(quadrature_nodes.ELLIPSES)]} ellipses"),
    ("docs/certainty.md", f"balls of {strata.PRECISION} bits"),
    ("docs/cli.md", f"{derivation.STEPS} statements or {derivation.TERMS} terms"),
    ("docs/lsp-extensions.md", f"{exploration.MOST_POINTS} points on one axis, {exploration.MOST_SIDE} on each of two"),
    (
        "docs/lsp-extensions.md",
        f"{posterior.MOST_SECRETS} values of the secret and {posterior.MOST_OUTPUTS} of the outputs",
    ),
    ("docs/lsp-extensions.md", f"up to {posterior.MANY:,} of each"),
    ("docs/lsp-extensions.md", f"more than {schedule.CHEAP_CHECK * 1000:g} ms of the processor"),
    ("docs/lsp-extensions.md", f"every {schedule.PARTIAL_PAUSE:g} s"),
    ("docs/lsp-extensions.md", f"every {schedule.REFRESH_PAUSE:g} s"),
    ("docs/lsp-extensions.md", f"at least {settings.LEAST_MEMORY:g}; on Linux"),
    ("docs/lsp-extensions.md", f"{settings.WORKERS[0]} to {settings.WORKERS[-1]}, and as many"),
    ("docs/configuration.md", f"seconds, 0.1 to {configuration.LONGEST_TIME_LIMIT:,.0f}"),
    ("docs/architecture.md", f"texts past {workspace.CHECKED_AT_ONCE:,} characters"),
    ("docs/architecture.md", f"texts just opened past {workspace.FIRST_CHECKED_AT_ONCE:,}"),
    ("docs/library.md", f"A sweep has at most {sweeping.MOST_POINTS:,} points"),
    ("docs/library.md", f"Up to {channels.MOST_ENTRIES:,} entries every measure is there"),
    (
        "docs/library.md",
        f"have certified bounds of\n{', '.join(f'`{each}`' for each in channels.OF_LARGE[:-1])} and `{channels.OF_LARGE[-1]}`",
    ),
    ("SECURITY.md", f"{settings.Settings().time_limit:g} seconds and {settings.Settings().memory_limit / 1024:g} GB"),
]


@pytest.mark.parametrize(("page", "said"), SAID)
def test_a_size_that_a_page_tells_is_that_of_the_code(page: str, said: str) -> None:
    assert said in (ROOT / page).read_text(encoding="utf-8")


def rows(page: str, heading: str) -> list[list[str]]:
    """Return the cells of the table in a section of a page, without its head."""
    section = (ROOT / page).read_text(encoding="utf-8").split(f"{heading}\n", 1)[1].split("\n## ", 1)[0]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in section.splitlines() if line.startswith("| `")]


def of_vscode() -> set[str]:
    manifest = json.loads((ROOT / "vscode-extension/package.json").read_text(encoding="utf-8"))
    sections = manifest["contributes"]["configuration"]
    return {
        name for section in (sections if isinstance(sections, list) else [sections]) for name in section["properties"]
    }


def test_the_settings_of_the_server_are_those_that_vs_code_offers_beside_its_own() -> None:
    own = {"seepage.server.path", "seepage.server.python", "seepage.trace.server", "seepage.leakHeat"}

    assert {
        f"seepage.{row[0].strip('`')}" for row in rows("docs/lsp-extensions.md", "## Settings")
    } == of_vscode() - own


def test_the_page_of_the_extension_has_all_settings() -> None:
    page = "vscode-extension/README.md"
    named = {name for row in rows(page, "## Set-up") for name in re.findall(r"`(seepage\.[\w.]+)`", row[0])}

    assert named == of_vscode()


@pytest.mark.parametrize("row", rows("docs/lsp-extensions.md", "## Settings"), ids=lambda row: row[0].strip("`"))
def test_a_setting_has_the_default_that_the_page_tells(row: list[str]) -> None:
    value: object = json.loads(row[2].strip("`"))
    for part in reversed(row[0].strip("`").split(".")):
        value = {part: value}

    assert settings.wrong_settings(value) == ()
    assert settings.read_settings(value) == settings.Settings()


def test_the_project_file_of_the_page_is_read_as_it_says() -> None:
    (block,) = blocks("docs/configuration.md", "toml")

    found, problems = read_configuration(block.text, "seepage.toml")

    assert problems == ()
    assert (found.unit, found.time_limit, found.parameters) == ("nats", 60.0, {"eps": "1/2", "n": "10"})
    assert set(found.rules) == {"SEEP150", "SEEP511"}


def test_the_page_has_all_keys_of_a_project_file() -> None:
    assert {row[0].strip("`") for row in rows("docs/configuration.md", "# Settings of a project")} == set(
        configuration._KEYS
    )
