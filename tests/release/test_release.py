"""What can be held of a release without building one: its metadata, its links, its workflows, its forms."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from release.steps import Failed, Release

from release import address, steps, tree

ROOT = tree.ROOT
STATED = (
    "*.toml",
    "README.md",
    "CITATION.cff",
    "marks",
    "release",
    "analysis/seepage/__init__.py",
    "vscode-extension/*.json",
    "editors/tree-sitter-seep/package.json",
    "editors/zed/extension.toml",
    "vscode-extension/README.md",
)
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def _jobs(workflow: Path) -> dict[str, dict[str, Any]]:
    jobs: dict[str, dict[str, Any]] = yaml.safe_load(workflow.read_text())["jobs"]
    return jobs


def test_all_places_state_one_version() -> None:
    assert len(set(tree.versions(ROOT).values())) == 1


def test_a_version_that_differs_is_told(tmp_path: Path) -> None:
    copy = tree.copy(tmp_path, *STATED)
    marks = copy / "marks/pyproject.toml"
    marks.write_text(re.sub(r"^version = .*$", 'version = "9.9.9"', marks.read_text(), flags=re.MULTILINE))

    with pytest.raises(Failed, match=r"9\.9\.9"):
        steps.versions_agree(Release(copy, tmp_path, tmp_path))


def test_without_an_address_nothing_is_published_and_with_one_all_links_are_absolute(tmp_path: Path) -> None:
    copy = tree.copy(tmp_path, *STATED)
    release = Release(copy, tmp_path, tmp_path)
    with pytest.raises(Failed, match=r"release/release\.toml"):
        steps.the_address_is_filled_in(release)

    address.fill(copy, "https://example.org/g/s", "0.1.0")

    for page in ("README.md", "vscode-extension/README.md"):
        text = re.sub(r"^```.*?^```", "", (copy / page).read_text(), flags=re.MULTILINE | re.DOTALL)
        targets = re.findall(r"\]\(([^)\s]+)\)", text)
        assert targets
        assert [each for each in targets if not each.startswith(("https://", "http://", "#"))] == []
        for target in targets:
            if inside := re.match(r"https://example\.org/g/s/(?:blob|raw)/v0\.1\.0/([^#]+)", target):
                assert (ROOT / inside[1]).exists(), target
    assert (
        tomllib.loads((copy / "pyproject.toml").read_text())["project"]["urls"]["Source"] == "https://example.org/g/s"
    )
    zed = tomllib.loads((copy / "editors/zed/extension.toml").read_text())
    assert zed["repository"] == zed["grammars"]["seep"]["repository"] == "https://example.org/g/s"
    assert zed["grammars"]["seep"]["rev"] == "v0.1.0"
    package = json.loads((copy / "vscode-extension/package.json").read_text())
    assert package["repository"]["url"] == "https://example.org/g/s"
    assert "--allow" not in package["scripts"]["package"]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_take_actions_by_their_commit_and_have_no_rights_but_those_named(workflow: Path) -> None:
    stated = yaml.safe_load(workflow.read_text())

    assert stated["permissions"] == {"contents": "read"}
    used = [step["uses"] for job in _jobs(workflow).values() for step in job["steps"] if "uses" in step]
    assert used
    assert [each for each in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", each)] == []
    assert all("timeout-minutes" in job for job in _jobs(workflow).values())


def test_each_python_that_the_metadata_names_is_tried() -> None:
    named = {each.split(" :: ")[-1] for each in _project()["classifiers"] if " :: 3." in each}
    (ci,) = (each for each in WORKFLOWS if each.name == "ci.yml")

    tried = _jobs(ci)["pythons"]["strategy"]["matrix"]["python"]
    assert set(tried) == named


def test_each_extra_for_users_is_tried_at_a_release() -> None:
    extras = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"])

    assert extras - {"dev", "docs"} == set(steps.EXTRAS)


@pytest.mark.parametrize(
    "form", sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("[!c]*.yml")), ids=lambda path: path.name
)
def test_forms_ask_for_what_is_needed(form: Path) -> None:
    stated = yaml.safe_load(form.read_text())

    assert {"name", "description", "body"} <= set(stated)
    assert any(field.get("validations", {}).get("required") for field in stated["body"])


def test_the_check_list_names_each_step() -> None:
    listed = re.findall(r"^(\d+)\. ", (ROOT / "docs/releasing.md").read_text(), flags=re.MULTILINE)

    assert [int(number) for number in listed] == list(range(1, len(steps.STEPS) + 1))


def _project() -> dict[str, list[str]]:
    project: dict[str, list[str]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return project
