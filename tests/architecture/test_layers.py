"""The layers, and what is lazy: boundaries are checked, not remembered."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_imports_obey_the_contracts() -> None:
    from importlinter.cli import lint_imports

    assert lint_imports(config_filename=str(ROOT / "pyproject.toml"), cache_dir=None) == 0


@pytest.mark.parametrize("heavy", ["lark", "numpy", "flint"])
def test_importing_the_library_loads_nothing_heavy(heavy: str) -> None:
    code = f"import sys, seepage; sys.exit({heavy!r} in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_checking_a_program_loads_no_numerical_library() -> None:
    code = (
        "import sys\n"
        "from seepage.semantics.check import check\n"
        "from seepage.source import SourceFile\n"
        "check(SourceFile('a.seep', 'x ~ bernoulli(1/2)'))\n"
        "sys.exit('numpy' in sys.modules)\n"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_every_public_name_exists() -> None:
    import seepage

    assert [name for name in seepage.__all__ if not hasattr(seepage, name)] == []


def test_the_architecture_page_names_only_paths_that_exist() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    paths = set(re.findall(r"`((?:analysis|server|vscode-extension|tests|docs|examples|benchmarks)/[^`\s*<>]*)`", page))

    assert paths
    assert [path for path in sorted(paths) if not (ROOT / path).exists()] == []


FORBIDDEN = re.compile(r"\b(eval|exec|sympify|parse_expr)\(")


def test_nothing_evaluates_text_as_code() -> None:
    sources = [path for root in ("analysis", "server") for path in (ROOT / root).rglob("*.py")]

    found = [str(path) for path in sources if FORBIDDEN.search(path.read_text(encoding="utf-8"))]

    assert found == []
