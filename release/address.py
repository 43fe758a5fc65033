"""Fills the address of the repository into a copy of the project: links of the README, metadata of the packages.

On a package index and in a market of extensions a relative link leads nowhere, so that links must be absolute there; in
the repository they must not be, since a fork has another address. So the address stands in ``release.toml`` alone.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\((?!https?:|mailto:|#)([^)\s]+)\)")


def of(root: Path) -> str:
    """The address that ``release.toml`` of a project has, without a slash at its end; empty where none is filled in."""
    return str(tomllib.loads((root / "release/release.toml").read_text())["repository"]).rstrip("/")


def absolute(markdown: str, address: str, revision: str, folder: str = "") -> str:
    """A page whose relative links and pictures lead into the repository.

    Args:
        markdown: the page.
        address: of the repository.
        revision: the tag or branch to link to.
        folder: where the page stands in the repository, with a slash at the end; empty at its root.
    """

    def link(found: re.Match[str]) -> str:
        picture, text, target = found.groups()
        kind = "raw" if picture else "blob"
        return f"{picture}[{_LINK.sub(link, text)}]({address}/{kind}/{revision}/{folder}{target})"

    return _LINK.sub(link, markdown)


def fill(root: Path, address: str, version: str) -> None:
    """Write the address into the metadata and the README of a copy of the project.

    Args:
        root: the copy; it is changed.
        address: of the repository.
        version: of the release, whose tag links lead to.
    """
    for folder in ("", "vscode-extension/"):
        readme = root / folder / "README.md"
        readme.write_text(absolute(readme.read_text(), address, f"v{version}", folder))
    urls = {
        "Homepage": address,
        "Documentation": f"{address}/tree/v{version}/docs",
        "Changelog": f"{address}/blob/v{version}/CHANGELOG.md",
        "Issues": f"{address}/issues",
        "Source": address,
    }
    table = "\n[project.urls]\n" + "".join(f"{name} = {json.dumps(url)}\n" for name, url in urls.items())
    for project in (root / "pyproject.toml", root / "marks/pyproject.toml"):
        project.write_text(project.read_text() + table)
    package = root / "vscode-extension/package.json"
    stated = json.loads(package.read_text())
    stated |= {
        "repository": {"type": "git", "url": address, "directory": "vscode-extension"},
        "homepage": address,
        "bugs": {"url": f"{address}/issues"},
    }
    stated["scripts"]["package"] = "vsce package --no-dependencies --out seepage.vsix"
    package.write_text(json.dumps(stated, indent=2) + "\n")
    zed = root / "editors/zed/extension.toml"
    filled = zed.read_text().replace('repository = ""', f"repository = {json.dumps(address)}")
    zed.write_text(filled.replace('rev = ""', f'rev = "v{version}"'))
    citation = root / "CITATION.cff"
    citation.write_text(citation.read_text() + f"repository-code: {json.dumps(address)}\nversion: {version}\n")
