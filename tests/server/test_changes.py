"""What changed since the last commit, and where it leaks: asked by the server after an analysis, told in lenses, hovers and results."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from tests.server.direct_workers import DirectWorkers
from tests.server.test_panel import state
from tests.server.wire import Wire, wired

from seepage_lsp.worker import Workers

OLD = "secret s\noutput o\ns ~ bernoulli(1/2)\nt ~ bernoulli(3/4)\nif t { o := s } else { o := !s }\nrequire I(s; o) <= 1/2 bits\n"
NEW = OLD.replace("3/4", "1")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    _git(tmp_path, "init", "-q")
    (tmp_path / "answer.seep").write_text(OLD)
    _git(tmp_path, "add", ".")
    _git(tmp_path, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "first")
    return tmp_path


def _git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)


def workers() -> Workers:
    return cast("Workers", DirectWorkers())


@contextmanager
def editing(path: Path, text: str, **options: Any) -> Iterator[tuple[Wire, str]]:
    """Yield a server with a file open that was analysed, and its URI."""
    with wired() as wire:
        wire.server.scheduler.workers = workers()
        wire.server.explorations.workers = workers()
        capabilities = {"textDocument": {"hover": {"contentFormat": ["markdown"]}}}
        wire.initialize({"capabilities": capabilities, "initializationOptions": {"panel": True, **options}})
        wire.open(text, path.as_uri())
        state(wire, "current")
        yield wire, path.as_uri()


def lenses(wire: Wire, uri: str) -> list[tuple[int, str]]:
    found = wire.result("textDocument/codeLens", {"textDocument": {"uri": uri}})
    return [(each["range"]["start"]["line"], each["command"]["title"]) for each in found]


def changes(wire: Wire, uri: str) -> Any:
    return wire.result("seepage/results", {"textDocument": {"uri": uri}})["changes"]


def quiet(wire: Wire) -> None:
    """Wait until nothing is asked any more."""
    wire.wait_for(lambda: not wire.server.tasks and not wire.server.explorations.busy)


@pytest.mark.parametrize("name", ["answer.seep", "moved/renamed.seep"])
def test_a_change_since_the_last_commit_stands_in_a_lens_and_among_the_results(name: str, repository: Path) -> None:
    (repository / name).parent.mkdir(exist_ok=True)
    (repository / "answer.seep").rename(repository / name)
    with editing(repository / name, NEW) as (wire, uri):
        quiet(wire)

        # one bit that is told with probability 3/4 leaks 1 - h(3/4) = 0.188722 bits, and all of it afterwards
        assert (0, "▲ grew by 0.811278 bits since HEAD") in lenses(wire, uri)
        assert (5, "▲ holds in HEAD") in lenses(wire, uri)
        told = changes(wire, uri)
        assert told["worse"] is True
        assert [each["told"] for each in told["measures"]] == ["0.188722 bits → 1 bit, grew by 0.811278 bits"]
        assert [(each["before"], each["after"]) for each in told["budgets"]] == [("holds", "violated")]
        assert [each["order"] for each in told["orders"]] == ["leakier"]


def test_the_text_as_it_was_committed_says_nothing(repository: Path) -> None:
    with editing(repository / "answer.seep", OLD) as (wire, uri):
        quiet(wire)
        assert changes(wire, uri) is None
        assert all("HEAD" not in title for _, title in lenses(wire, uri))
        # nor do other line ends, which git itself may have written
        wire.change(OLD.replace("\n", "\r\n"), 2, uri)
        wire.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        quiet(wire)
        assert changes(wire, uri) is None


@pytest.mark.parametrize("why", ["no repository", "not committed", "untrusted", "switched off"])
def test_nothing_is_said_without_git_trust_or_wish(why: str, repository: Path, tmp_path_factory: Any) -> None:
    path, options = repository / "answer.seep", dict[str, Any]()
    match why:
        case "no repository":
            path = tmp_path_factory.mktemp("plain") / "answer.seep"
        case "not committed":
            path = repository / "other.seep"
        case "untrusted":
            options = {"untrusted": True}
        case _:
            options = {"compareWithHead": False}
    with editing(path, NEW, **options) as (wire, uri):
        quiet(wire)
        assert changes(wire, uri) is None
        assert all("HEAD" not in title for _, title in lenses(wire, uri))


def test_a_lens_of_a_change_goes_with_the_text_that_it_is_of(repository: Path) -> None:
    with editing(repository / "answer.seep", NEW) as (wire, uri):
        quiet(wire)
        assert changes(wire, uri) is not None
        wire.change(NEW + "// more\n", 2, uri)
        assert changes(wire, uri) is None


XOR = "secret s\noutput a, b\ns ~ bernoulli(1/2)\nk ~ bernoulli(1/2)\na := s xor k\nb := k\n"


def test_the_hover_of_a_statement_tells_where_it_leaks(tmp_path: Path) -> None:
    with editing(tmp_path / "xor.seep", XOR) as (wire, uri):

        def said(line: int, character: int) -> str:
            at = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
            return str((wire.result("textDocument/hover", at) or {"contents": {"value": ""}})["contents"]["value"])

        assert "is on its way" in said(4, 3)
        quiet(wire)
        assert "`I(s; a, b)`: up to here 0 bits; without it 0 bits (▼ 1 bit)" in said(4, 3)
        assert "`I(s; a, b)`: without it 1 bit" in said(3, 2)  # the key alone hides nothing here: both are told
        assert "Where it leaks" not in said(4, 5)  # a name that is read
        assert "Where it leaks" not in said(0, 7)

        # the panel asks for the same, which is known
        told = wire.result("seepage/where", {"textDocument": {"uri": uri}, "measure": "I(s; a, b)"})
        falls = {each["range"]["start"]["line"]: each["falls"] for each in told["statements"]}
        assert falls == {2: 0, 3: 0, 4: 1, 5: 1}
