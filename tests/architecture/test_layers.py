"""The layers, and what is lazy: boundaries are checked, not remembered."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_imports_obey_the_contracts() -> None:
    from importlinter.cli import lint_imports

    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), cache_dir=None) == 0


# What each way in may not load: people wait for it, or it need not be there.
_EXTRAS = {
    "pandas",
    "polars",
    "narwhals",
    "altair",
    "matplotlib",
    "anywidget",
    "pyarrow",
    "distributed",
    "sympy",
    "scipy",
}
_WAYS_IN = {
    "the library": (
        "import seepage",
        _EXTRAS | {"lark", "numpy", "flint", "multiprocessing", "asyncio", "html"},
    ),
    "a check": (
        "from seepage.semantics.check import check\nfrom seepage.source import SourceFile\n"
        "check(SourceFile('a.seep', 'x ~ bernoulli(1/2)'))",
        _EXTRAS | {"numpy", "lark"},
    ),
    "a number": (
        "import seepage\nprogram = seepage.parse('secret s; output o; s ~ bernoulli(1/3); o := s')\n"
        "str(program.measure('I(s; o)')), program.measure('H(s)') <= 1, program.sweep, program.plot",
        _EXTRAS | {"lark", "multiprocessing.pool"},
    ),
    # It answers `initialize` before it knows of a document, a project file or a question.
    "the server": (
        "import seepage_lsp.server",
        _EXTRAS | {"lark", "numpy", "ctypes", "difflib", "tomllib", "importlib.metadata", "seepage_lsp.questions"},
    ),
}


@pytest.mark.parametrize("way", _WAYS_IN)
def test_a_way_in_loads_nothing_that_it_does_not_need(way: str) -> None:
    code, heavy = _WAYS_IN[way]
    told = f"{code}\nimport sys\nprint(*sorted({heavy!r} & set(sys.modules)))"

    done = subprocess.run([sys.executable, "-c", told], check=True, capture_output=True, text=True)

    assert done.stdout.split() == []


def test_every_public_name_exists() -> None:
    import seepage

    assert [name for name in seepage.__all__ if not hasattr(seepage, name)] == []


def test_the_architecture_page_names_only_paths_that_exist() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    paths = set(re.findall(r"`([\w./-]*(?:/|\.py|/[\w-]+))`", page))

    assert len(paths) > 50
    assert [
        path for path in sorted(paths) if not any((root / path).exists() for root in (ROOT, ROOT / "analysis/seepage"))
    ] == []


def test_the_architecture_page_is_two_pages() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")

    assert len(page.split()) < 1_900
    assert "analysis/seepage/" not in page.partition("\n\n")[2].replace("`analysis/seepage/` where", "")


def test_the_docstrings_of_packages_name_only_modules_that_exist() -> None:
    """A package's docstring tells a newcomer which module does what; modules of other packages are named by their path."""
    packages = [*(ROOT / "analysis").rglob("__init__.py"), *(ROOT / "server").rglob("__init__.py")]
    named = {
        (package, name)
        for package in packages
        for name in re.findall(
            r"``([a-z_/]+\.py)``", ast.get_docstring(ast.parse(package.read_text(encoding="utf-8"))) or ""
        )
    }

    assert named
    assert [
        (str(package), name)
        for package, name in sorted(named)
        if not any((folder / name).exists() for folder in (package.parent, ROOT / "analysis" / "seepage", ROOT))
    ] == []


def test_the_page_of_dependencies_says_where_each_is_used() -> None:
    """Rows of the table of dependencies: libraries | why | paths; a path may be a file, a folder, or a pattern of its neighbours."""
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([\w, -]+?)(?: \([^)]*\))? \| [^|]+ \| (.*) \|$", page, re.MULTILINE))
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    places = {library: row for libraries, row in rows.items() for library in libraries.split(", ")}

    assert {re.split(r"[<>=]", one)[0] for one in declared} - places.keys() == set()
    for library in ("numpy", "lark", "click", "pygls", "lsprotocol", "cattrs", "sympy"):
        named = [ROOT / path for path in re.findall(r"`((?:analysis|server)/[^`]+)`", places[library])]
        imports = re.compile(rf"^\s*(?:import|from) {library}\b", re.MULTILINE)
        users = [
            path
            for root in ("analysis", "server")
            for path in (ROOT / root).rglob("*.py")
            if imports.search(path.read_text(encoding="utf-8"))
        ]
        beside = [f"{path.stem}_" for path in named if f"`{path.stem}_*`" in places[library]]
        unnamed = [
            path
            for path in users
            if not any(one == path or one in path.parents for one in named) and not path.name.startswith(tuple(beside))
        ]
        assert users, library
        assert not unnamed, library


FORBIDDEN = re.compile(r"\b(eval|exec|sympify|parse_expr)\(")


def test_nothing_evaluates_text_as_code() -> None:
    sources = [path for root in ("analysis", "server") for path in (ROOT / root).rglob("*.py")]

    found = [str(path) for path in sources if FORBIDDEN.search(path.read_text(encoding="utf-8"))]

    assert found == []
