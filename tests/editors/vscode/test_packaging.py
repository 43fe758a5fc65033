"""What is given out: the packed extension, and the workflows that make it, in step with the Makefile that they call."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest
from tests.editors.installed import REPOSITORY, VSIX

from seepage.syntax.shipped import SHIPPED

WORKFLOWS = sorted((REPOSITORY / ".github" / "workflows").glob("*.yml"))
MOST_WITHOUT_WHEEL = 2_000_000  # bytes
# What people get, and nothing else: no sources, no maps, no tests, no modules.
GIVEN_OUT = re.compile(
    r"package\.json|readme\.md|changelog\.md|LICENSE\.txt|language-configuration\.json|out/(extension|web)\.js|out/panel/panel\.(js|css)"
    r"|(syntaxes|snippets)/\w+(\.\w+)?\.json|out/seepage\.schema\.json|images/file-(light|dark)\.svg|images/(icon|walkthrough/\w+)\.png|images/gutter/[\w-]+\.svg|walkthrough/[\w-]+\.md"
    r"|server/seepage-[\w.]+-py3-none-any\.whl"
)


@pytest.fixture(scope="module")
def packed() -> zipfile.ZipFile:
    return zipfile.ZipFile(VSIX)


def commands(workflow: Path) -> list[str]:
    """Return the shell commands of a workflow, all of which stand in one line each."""
    found = re.findall(r"^ *- run: (.+)$", workflow.read_text(encoding="utf-8"), re.MULTILINE)
    assert not any(command.startswith(("|", ">")) for command in found)
    return [str(command) for command in found]


def test_the_extension_carries_what_it_needs_and_nothing_else(packed: zipfile.ZipFile) -> None:
    inside = [name.removeprefix("extension/") for name in packed.namelist() if name.startswith("extension/")]

    assert [name for name in inside if GIVEN_OUT.fullmatch(name) is None] == []
    manifest = json.loads(packed.read("extension/package.json"))
    named = [manifest["main"], manifest["browser"], manifest["icon"], *_paths_of(manifest["contributes"])]
    assert {Path(name).as_posix() for name in named} <= set(inside)


def test_the_extension_is_small(packed: zipfile.ZipFile) -> None:
    sizes = {one.filename: one.compress_size for one in packed.infolist()}

    assert sum(size for name, size in sizes.items() if not name.endswith(".whl")) < MOST_WITHOUT_WHEEL


def test_pictures_of_the_page_in_the_marketplace_are_packed_with_it(packed: zipfile.ZipFile) -> None:
    page = packed.read("extension/readme.md").decode("utf-8")

    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page)
    assert len(pictures) >= 3
    assert {f"extension/{picture}" for picture in pictures} <= set(packed.namelist())


def test_extension_server_and_wheel_have_one_version(packed: zipfile.ZipFile) -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    manifest = json.loads(packed.read("extension/package.json"))

    assert manifest["version"] == project["version"]
    assert f"extension/server/seepage-{project['version']}-py3-none-any.whl" in packed.namelist()


def test_the_wheel_holds_the_modules_the_gallery_and_the_page_that_it_brings(packed: zipfile.ZipFile) -> None:
    (name,) = (one for one in packed.namelist() if one.endswith(".whl"))

    with zipfile.ZipFile(io.BytesIO(packed.read(name))) as wheel:
        inside = {*wheel.namelist()}
    modules = {f"seepage/mechanisms/{path.partition(':')[2]}.seep" for path in SHIPPED}
    examples = {f"seepage_play/examples/{path.name}" for path in (REPOSITORY / "examples").glob("*.seep")}
    assert {one for one in inside if one.endswith(".seep")} == modules | examples
    assert "seepage_play/examples/README.md" in inside
    assert {f"seepage_play/page/{name}" for name in ("index.html", "play.js", "play.css", "icon.png")} <= inside


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_calls_targets_and_programs_that_are_there(workflow: Path) -> None:
    called = " && ".join(commands(workflow)).split(" && ")
    makefile = (REPOSITORY / "Makefile").read_text(encoding="utf-8")

    targets = [
        word for command in called if command.startswith("make ") for word in command.split()[1:] if "=" not in word
    ]
    scripts = [command.split()[0] for command in called if command.startswith(".")]
    files = re.findall(r"hashFiles\('([^']+)'\)", workflow.read_text(encoding="utf-8"))
    assert [target for target in targets if f"\n{target}:" not in makefile] == []
    assert [script for script in scripts if not os.access(REPOSITORY / script, os.X_OK)] == []
    assert [file for file in files if not (REPOSITORY / file).is_file()] == []
    assert called


def test_the_packaging_workflow_finds_what_its_target_makes(tmp_path: Path) -> None:
    (tmp_path / "vscode-extension").symlink_to(REPOSITORY / "vscode-extension")
    (workflow,) = (one for one in WORKFLOWS if one.stem == "package")
    steps = [command for command in commands(workflow) if not command.startswith("gh ")]

    for command in steps:
        if command.startswith("make "):
            # A release is tried by hand; what it leaves in dist, these tests have made before.
            assert command.split()[1] == "release-check"
            _lay_out(tmp_path / "dist")
        else:
            subprocess.run(["bash", "-e", "-c", command], cwd=tmp_path, check=True, env=_as_tagged())

    # What goes to the index is apart from what does not.
    assert sorted(path.suffix for path in (tmp_path / "packages").iterdir()) == [".gz", ".whl"]
    assert [path.suffix for path in (tmp_path / "dist").iterdir()] == [".vsix"]


def _lay_out(dist: Path) -> None:
    dist.mkdir()
    for made in (VSIX, *(VSIX.parent / "server").glob("*.whl")):
        (dist / made.name).write_bytes(made.read_bytes())
    (dist / "seepage.tar.gz").touch()


def _as_tagged() -> dict[str, str]:
    version = json.loads((REPOSITORY / "vscode-extension" / "package.json").read_text(encoding="utf-8"))["version"]
    return {**os.environ, "GITHUB_REF_TYPE": "tag", "GITHUB_REF_NAME": f"v{version}"}


def _paths_of(contributed: object) -> list[str]:
    """Return the files that contributions of an extension name."""
    match contributed:
        case dict():
            own = [value for key, value in contributed.items() if key in ("path", "configuration", "image", "markdown")]
            return [value for value in own if isinstance(value, str)] + [
                path for value in contributed.values() for path in _paths_of(value)
            ]
        case list():
            return [path for value in contributed for path in _paths_of(value)]
        case _:
            return []
