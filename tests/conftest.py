"""What every test may rely on."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import mpmath
import pytest
from hypothesis import settings
from tests.families import FULL, left_to_the_full_profile, names_tests
from tests.lending import lend
from xdist.scheduler import LoadScopeScheduling

# One precision for all oracles: a module that set its own would change the truth that others compare with.
mpmath.mp.dps = 60

# What one test computed is no answer to another one: tests of the cache name a folder of their own.
os.environ["SEEPAGE_CACHE_DIR"] = ""

# The tests of VS Code share the one that runs, those of other editors and of browsers wait more than they compute: each of the two
# runs in one process, and begins first, while other processes compute.
EDITORS = ("tests/editors/vscode/", "tests/editors/")

# The ordinary profile tries the same few examples each time; SEEPAGE_DEEP=1 tries many new ones. A test that names its own number
# of examples keeps it.
settings.register_profile("ordinary", max_examples=30, deadline=None, derandomize=True)
settings.register_profile("deep", max_examples=5_000, deadline=None)
settings.load_profile("deep" if os.environ.get("SEEPAGE_DEEP") == "1" else "ordinary")


# Collecting makes millions of objects that stay until the end: looking for garbage among them takes longer than making them.
gc.disable()


def pytest_collection_finish() -> None:
    """Look for garbage again, but never among what was collected, nor among the modules."""
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True, scope="session")
def processes_that_work() -> Iterator[None]:
    """Lend the commands that tests run the processes that work for them (:mod:`tests.lending`)."""
    with pytest.MonkeyPatch.context() as patch:
        lend(patch)
        yield


@pytest.fixture(autouse=True)
def one_precision() -> Iterator[None]:
    """Undo what a test does to the precision of oracles, as a program of the documentation does that the tests run."""
    with mpmath.workdps(60):
        yield


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out of dear tests what :mod:`tests.families` says, unless all are wanted, or single ones by name."""
    if not FULL and not names_tests(config) and (others := left_to_the_full_profile(items)):
        gone = set(others)
        items[:] = [item for item in items if item not in gone]
        config.hook.pytest_deselected(items=others)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> LoadScopeScheduling | None:
    """Keep modules in one process each, and those of editors as :data:`EDITORS` says."""
    if config.getvalue("dist") != "loadscope":
        return None
    scheduling = LoadScopeScheduling(config, log)
    scope_of, assign = scheduling._split_scope, scheduling._assign_work_unit

    def assign_editors_first(node: object) -> None:
        for folder in reversed(EDITORS):
            if folder in scheduling.workqueue:
                scheduling.workqueue.move_to_end(folder, last=False)
        assign(node)

    scheduling._split_scope = lambda test: next((each for each in EDITORS if test.startswith(each)), scope_of(test))
    scheduling._assign_work_unit = assign_editors_first
    return scheduling
