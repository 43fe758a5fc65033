"""A clean copy of what is committed, and the versions that it states."""

from __future__ import annotations

import json
import re
import subprocess
import tarfile
import tomllib
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def copy(folder: Path, *paths: str) -> Path:
    """The files that are committed, without anything that a working tree has beside them.

    Args:
        folder: where the copy goes; it must be empty.
        paths: which of them; all where none is named.

    Returns:
        The folder.
    """
    archive = subprocess.run(["git", "archive", "HEAD", *paths], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=BytesIO(archive)) as tar:
        tar.extractall(folder, filter="data")
    return folder


def uncommitted(root: Path = ROOT) -> list[str]:
    """The files that differ from what is committed."""
    status = ["git", "status", "--porcelain", "--untracked-files=normal"]
    return subprocess.run(status, cwd=root, capture_output=True, text=True, check=True).stdout.splitlines()


def versions(root: Path) -> dict[str, str]:
    """Each place that states the version of a release, with the version that it states."""
    lock = json.loads((root / "vscode-extension/package-lock.json").read_text())
    initial = (root / "analysis/seepage/__init__.py").read_text()
    stated = re.search(r'^__version__ = "(.+)"$', initial, flags=re.MULTILINE)
    return {
        "pyproject.toml": _project(root / "pyproject.toml"),
        "marks/pyproject.toml": _project(root / "marks/pyproject.toml"),
        "analysis/seepage/__init__.py": stated[1] if stated else "none",
        "vscode-extension/package.json": json.loads((root / "vscode-extension/package.json").read_text())["version"],
        "vscode-extension/package-lock.json": lock["version"],
        "editors/tree-sitter-seep/package.json": json.loads(
            (root / "editors/tree-sitter-seep/package.json").read_text()
        )["version"],
        "editors/zed/extension.toml": str(tomllib.loads((root / "editors/zed/extension.toml").read_text())["version"]),
    }


def _project(path: Path) -> str:
    return str(tomllib.loads(path.read_text())["project"]["version"])
