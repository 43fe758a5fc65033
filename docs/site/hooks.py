"""What the site is made of: pages and files of the repository under their own paths, so that their links hold, and a page for each public object."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import seepage

ROOT = Path(__file__).parents[2]

_SHOWN = (
    "*.md",
    "LICENSE",
    "CITATION.cff",
    "docs/**/*",
    "examples/**/*",
    "analysis/seepage/mechanisms/*.seep",
    "benchmarks/README.md",
    "marks/README.md",
)
_OWN = ("docs/site/mkdocs.yml", "docs/site/*.py")
_OBJECTS = "objects"
_BUILT = ROOT / "build"
_GALLERY = _BUILT / "gallery"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Enter the pages of objects in the table of contents, behind the guides for people who compute."""
    objects = [f"{_OBJECTS}/README.md", *({name: _page_of(name)} for name in _names())]
    place = next(at for at, each in enumerate(config.nav) if "Languages" in each)
    config.nav.insert(place, {"Objects": objects})
    if _gallery():
        start = next(each["Start"] for each in config.nav if "Start" in each)
        start.insert(0, {"Gallery with panels": "gallery/index.html"})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Return the files of the theme, with those of the repository in place of those of one folder of it."""
    kept = [each for each in files if not each.src_dir or Path(each.src_dir).resolve() != ROOT / "docs"]
    shown = sorted({path for pattern in _SHOWN for path in ROOT.glob(pattern) if path.is_file()})
    for path in shown:
        if not any(path.match(own) for own in _OWN) and "__pycache__" not in path.parts:
            kept.append(File(str(path.relative_to(ROOT)), str(ROOT), config.site_dir, config.use_directory_urls))
    kept += [
        File(str(path.relative_to(_BUILT)), str(_BUILT), config.site_dir, config.use_directory_urls)
        for path in _gallery()
    ]
    kept.append(File.generated(config, f"{_OBJECTS}/README.md", content=_table()))
    kept += [File.generated(config, _page_of(name), content=f"::: seepage.{name}\n") for name in _names()]
    return Files(kept)


def _gallery() -> list[Path]:
    """Return the files of the gallery, if `make gallery` has made it."""
    return sorted(path for path in _GALLERY.glob("*") if path.is_file())


def _names() -> list[str]:
    """Return the public names, classes first."""
    return sorted(seepage.__all__, key=lambda name: (not inspect.isclass(getattr(seepage, name)), name))


def _page_of(name: str) -> str:
    """Return the path of a page; `Channel` and `channel` are one name to some file systems, so that functions have a folder of their own."""
    folder = "classes" if inspect.isclass(getattr(seepage, name)) else "functions"
    return f"{_OBJECTS}/{folder}/{name}.md"


def _table() -> str:
    """Return the page that names them all, with the first sentences of their docstrings."""
    rows = []
    for name in _names():
        one: Any = getattr(seepage, name)
        first = (inspect.getdoc(one) or "").partition("\n\n")[0].replace("\n", " ").replace("``", "`")
        rows.append(f"| [`{name}`](../{_page_of(name)}) | {first.replace('|', chr(92) + '|')} |")
    head = "# Objects\n\nAll that `import seepage` gives. The guide is [Seepage for people who compute](../docs/library.md).\n\n"
    return f"{head}| name | |\n| --- | --- |\n" + "\n".join(rows) + "\n"
