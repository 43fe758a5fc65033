"""What every test may rely on."""

from __future__ import annotations

import os
from collections.abc import Iterator

import mpmath
import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

# One precision for all oracles: a module that set its own would change the truth that others compare with.
mpmath.mp.dps = 60

# What one test computed is no answer to another one: tests of the cache name a folder of their own.
os.environ["SEEPAGE_CACHE_DIR"] = ""

VSCODE = "tests/editors/vscode/"

# The ordinary profile tries the same few examples each time; SEEPAGE_DEEP=1 tries many new ones. A test that names its own number
# of examples keeps it.
settings.register_profile("ordinary", max_examples=30, deadline=None, derandomize=True)
settings.register_profile("deep", max_examples=5_000, deadline=None)
settings.load_profile("deep" if os.environ.get("SEEPAGE_DEEP") == "1" else "ordinary")


@pytest.fixture(autouse=True)
def one_precision() -> Iterator[None]:
    """Undo what a test does to the precision of oracles, as a program of the documentation does that the tests run."""
    with mpmath.workdps(60):
        yield


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> LoadScopeScheduling | None:
    """Keep modules in one process each, those of VS Code all in one: they share the one that runs, and wait for it while other processes compute."""
    if config.getvalue("dist") != "loadscope":
        return None
    scheduling = LoadScopeScheduling(config, log)
    scope_of = scheduling._split_scope
    scheduling._split_scope = lambda test: VSCODE if test.startswith(VSCODE) else scope_of(test)
    return scheduling
