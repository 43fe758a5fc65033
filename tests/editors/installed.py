"""Where the editors are, and how to get them: ``python -m tests.editors.installed`` installs what is missing.

On Debian as root everything is installed: packages of the system, and npm packages into a folder outside the checkout.
Elsewhere only what is there is used. What cannot be had is told by :class:`Missing`; the tests decide what that means.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

CODE_SERVER = "4.139.1"
# code-server wants Node 24, which the npm package "node" brings.
NPM_PACKAGES = ("node@24", f"code-server@{CODE_SERVER}", "playwright-core@1.65.1")
SYSTEM_PACKAGES = ("neovim", "chromium", "libkrb5-dev", "gcc", "g++", "make", "python3")

REPOSITORY = Path(__file__).resolve().parents[2]
SERVER = REPOSITORY / ".venv" / "bin" / "seepage-lsp"
VSIX = REPOSITORY / "vscode-extension" / "seepage.vsix"


class Missing(Exception):
    """An editor, or a part that it needs, is not on this machine; the text says which and why."""


@dataclass(frozen=True, slots=True)
class VSCode:
    """The programs that make a real VS Code without a screen."""

    code_server: Path
    node: Path
    chromium: Path
    modules: Path


def cache() -> Path:
    """Return the folder for downloads, outside the checkout."""
    named = os.environ.get("SEEPAGE_EDITOR_CACHE")
    return Path(named) if named else Path.home() / ".cache" / "seepage-editors"


def vscode() -> VSCode:
    """Return the parts of VS Code, or raise :class:`Missing`."""
    modules = cache() / "node_modules"
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    node, code_server = modules / "node" / "bin" / "node", modules / ".bin" / "code-server"
    if chromium is None:
        raise Missing("VS Code needs a browser, and there is no chromium on PATH")
    for part in (node, code_server, modules / "playwright-core"):
        if not part.exists():
            raise Missing(
                f"VS Code needs {part}, which is not there; 'python -m tests.editors.installed' makes it on Debian, as root"
            )
    return VSCode(code_server, node, Path(chromium), modules)


def neovim() -> Path:
    """Return Neovim's path, or raise :class:`Missing`."""
    found = shutil.which("nvim")
    if found is None:
        raise Missing("there is no nvim on PATH")
    return Path(found)


def install() -> None:
    """Install what is missing, where that can be done; otherwise raise :class:`Missing` with the reason."""
    if not _parts_missing():
        return
    if not Path("/etc/debian_version").exists():
        raise Missing("editors are installed on Debian only; here the editor tests use what is there")
    if os.geteuid() != 0:
        raise Missing("editors are installed by root only; here the editor tests use what is there")
    if any(shutil.which(name) is None for name in ("nvim", "chromium", "gcc", "g++", "make")) or not _has_kerberos():
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        _run(["apt-get", "update", "-qq"], environment)
        _run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *SYSTEM_PACKAGES], environment)
    _install_npm_packages()


def _parts_missing() -> bool:
    try:
        vscode()
        neovim()
    except Missing:
        return True
    return False


def _has_kerberos() -> bool:
    return shutil.which("krb5-config") is not None or Path("/usr/include/gssapi.h").exists()


def _install_npm_packages() -> None:
    folder = cache()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"name": "seepage-editors", "private": true}\n', encoding="utf-8")
    npm = ["npm", "install", "--no-fund", "--no-audit", "--no-save", "--foreground-scripts"]
    _run([*npm, NPM_PACKAGES[0]], dict(os.environ), folder)
    # The native modules of code-server must be built by the Node that runs them.
    path = f"{folder / 'node_modules' / 'node' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    _run([*npm, *NPM_PACKAGES], {**os.environ, "PATH": path}, folder)


def _run(command: list[str], environment: dict[str, str], folder: Path | None = None) -> None:
    print("installing editors:", " ".join(command), flush=True)
    done = subprocess.run(
        command, env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode != 0:
        raise Missing(f"'{' '.join(command)}' failed:\n{done.stdout[-3000:]}")


if __name__ == "__main__":
    try:
        install()
    except Missing as why:
        print(f"editors: {why}")
        sys.exit(1 if os.environ.get("CI") else 0)
