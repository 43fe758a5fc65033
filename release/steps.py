"""The lines of the check-list: each step does one thing in a clean copy, and says what it saw or why it fails."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from release import address, tree

#: An address that stands in where none is filled in, so that all that needs one can be tried.
STAND_IN = "https://example.org/seepage/seepage"

#: What the wheel brings of the page of ``seepage play``, which ``make page`` builds.
PAGE = "seepage_play/page/play.js"

_FAIR = "param p in [0, 1] = 1/2\nx ~ bernoulli(p)\n"

#: What each extra is for: its names, imported where it was installed.
EXTRAS = {
    "plot": "import altair, matplotlib",
    "frames": "import narwhals, pandas, polars",
    "notebook": "from seepage_lsp.notebook import panel; panel('x ~ bernoulli(1/2)').close()",
    "data": "import pyarrow",
    "dask": "import distributed",
    "sympy": f"import seepage; seepage.parse({_FAIR!r}).measure('P(x == 1)').formula.to_sympy().expression.subs('p', 1)",
    "scipy": f"import seepage; seepage.parse({_FAIR!r}).marginal('x').mean()",
}


class Failed(Exception):
    """A step of the check-list does not hold; the message says what to do."""


@dataclass(frozen=True)
class Release:
    """One try of a release: the copy that it is built from, and where its files go."""

    copy: Path
    output: Path
    scratch: Path

    @property
    def version(self) -> str:
        """The version that the copy states."""
        return tree.versions(self.copy)["pyproject.toml"]

    def run(self, *command: str | Path, folder: Path | None = None) -> str:
        """What a command prints.

        Args:
            command: its words.
            folder: where it runs; the copy where none is named.

        Raises:
            Failed: with the end of what it printed, where it does not end with 0.
        """
        own = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
        words = [str(word) for word in command]
        done = subprocess.run(words, cwd=folder or self.copy, env=own, capture_output=True, text=True)
        if done.returncode:
            raise Failed(f"{' '.join(words[:6])} ended with {done.returncode}: {(done.stdout + done.stderr)[-1500:]}")
        return done.stdout

    def environment(self, name: str, *packages: str | Path) -> Path:
        """The ``bin`` folder of a new environment with packages installed, none of them editable."""
        made = self.scratch / name
        self.run(sys.executable, "-m", "venv", made)
        pinned: list[str | Path] = ["-c", self.copy / "constraints.txt"]
        self.run(made / "bin/python", "-m", "pip", "install", "--quiet", *pinned, *packages)
        return made / "bin"

    def distribution(self, pattern: str) -> Path:
        """The one file of the output that a pattern names."""
        (file,) = self.output.glob(pattern)
        return file

    def wheel(self) -> Path:
        """The wheel of the library."""
        return self.distribution("seepage-*.whl")


def nothing_is_uncommitted(release: Release) -> str:
    """What is released is what is committed."""
    if changed := tree.uncommitted():
        raise Failed(f"commit or remove first: {', '.join(changed[:5])}")
    return "the working tree is clean"


def versions_agree(release: Release) -> str:
    """All places state one version, and the change log has its heading or news to release."""
    stated = tree.versions(release.copy)
    if len(set(stated.values())) > 1:
        raise Failed(f"one version in all places, please: {stated}")
    return f"{len(stated)} places state {release.version}"


def the_address_is_filled_in(release: Release) -> str:
    """Links of the index and the markets lead somewhere."""
    if not (found := address.of(release.copy)):
        raise Failed("write the address of the repository into release/release.toml")
    return found


def distributions_are_built(release: Release) -> str:
    """Source distributions and wheels, of the library and of the marks, with metadata that an index takes."""
    tools = release.environment("tools", "build", "twine", "cyclonedx-bom", "pipx", "uv")
    release.run("make", "page")
    for project in (release.copy, release.copy / "marks"):
        release.run(tools / "python", "-m", "build", "--outdir", release.output, project)
    files = sorted(release.output.glob("*.whl")) + sorted(release.output.glob("*.tar.gz"))
    release.run(tools / "twine", "check", "--strict", *files)
    return ", ".join(f"{file.name} ({file.stat().st_size // 1024} KiB)" for file in files)


def the_wheel_holds_the_package_alone(release: Release) -> str:
    """Nothing but the three packages and the metadata is installed, and the page of ``seepage play`` is in it."""
    names = zipfile.ZipFile(release.wheel()).namelist()
    roots = {name.split("/")[0] for name in names}
    if foreign := {
        root
        for root in roots
        if root not in {"seepage", "seepage_lsp", "seepage_play"} and not root.endswith(".dist-info")
    }:
        raise Failed(f"the wheel holds {sorted(foreign)}")
    if PAGE not in names:
        raise Failed(f"the wheel has no {PAGE}")
    return f"{len(names)} files"


def the_wheel_works(release: Release) -> str:
    """In an environment of its own, outside of the repository, the wheel checks a program."""
    _first_program(release)
    installed = release.environment("plain", release.wheel())
    return _uses(release, installed / "seepage") + "; " + _uses(release, installed / "python", "-m", "seepage")


def the_source_distribution_works(release: Release) -> str:
    """What is built from the source distribution does the same."""
    _first_program(release)
    return _uses(release, release.environment("sdist", release.distribution("seepage-*.tar.gz")) / "seepage")


def extras_install(release: Release) -> str:
    """Each extra brings what it names."""
    for extra, imports in EXTRAS.items():
        installed = release.environment(f"extra-{extra}", f"{release.wheel()}[{extra}]")
        release.run(installed / "python", "-c", imports, folder=release.scratch)
    return ", ".join(EXTRAS)


def pipx_and_uvx_run_it(release: Release) -> str:
    """People without an environment run it in one line."""
    _first_program(release)
    tools = release.scratch / "tools/bin"
    pinned = ["--pip-args", f"-c {release.copy / 'constraints.txt'}"]
    by_pipx = _uses(release, tools / "pipx", "run", *pinned, "--spec", release.wheel(), "seepage")
    return by_pipx + "; " + _uses(release, tools / "uv", "tool", "run", "--from", release.wheel(), "seepage")


def the_extension_packs(release: Release) -> str:
    """``vsce package`` without an exception to its rules, and what it packed holds the wheel of this release."""
    release.run("make", "vsix", f"PYTHON={sys.executable}")
    packed = release.copy / "vscode-extension/seepage.vsix"
    (release.output / f"seepage-{release.version}.vsix").write_bytes(packed.read_bytes())
    wheels = [name for name in zipfile.ZipFile(packed).namelist() if name.endswith(".whl")]
    if [Path(name).name for name in wheels] != [release.wheel().name]:
        raise Failed(f"the extension holds {wheels} and not {release.wheel().name}")
    return f"{packed.stat().st_size // 1024} KiB"


def parts_are_listed(release: Release) -> str:
    """A bill of materials (CycloneDX) of what the wheel brings along, and of what the extension is built with."""
    python = release.scratch / "plain/bin/python"
    sbom = release.output / "seepage.cdx.json"
    release.run(release.scratch / "tools/bin/cyclonedx-py", "environment", python, "--output-file", sbom)
    npm = ["npm", "sbom", "--sbom-format", "cyclonedx", "--package-lock-only"]
    listed = release.run(*npm, folder=release.copy / "vscode-extension")
    (release.output / "seepage-extension.cdx.json").write_text(listed)
    return "seepage.cdx.json, seepage-extension.cdx.json"


Step = Callable[[Release], str]

#: The check-list, in its order. What the first three find stops a publication and not a try.
STEPS: tuple[Step, ...] = (
    nothing_is_uncommitted,
    versions_agree,
    the_address_is_filled_in,
    distributions_are_built,
    the_wheel_holds_the_package_alone,
    the_wheel_works,
    the_source_distribution_works,
    extras_install,
    pipx_and_uvx_run_it,
    the_extension_packs,
    parts_are_listed,
)


def _first_program(release: Release) -> None:
    (release.scratch / "first.seep").write_text(
        "secret s\noutput o\ns ~ bernoulli(1/2)\nflip_it ~ bernoulli(1/4)\no := s xor flip_it\nrequire I(s; o) <= 0.2 bits\n"
    )


def _uses(release: Release, *command: str | Path) -> str:
    """Check the first program with a command of an installation, which must find its leak.

    1 − h(1/4) = 0.18872188 bits is what a symmetric channel with error 1/4 tells of a fair bit.
    """
    printed = release.run(*command, "check", "--no-cache", "first.seep", folder=release.scratch)
    if "0.18872" not in printed:
        raise Failed(f"the first program has no leak of 0.18872 bits: {printed[-500:]}")
    return release.run(*command, "--version", folder=release.scratch).strip()
