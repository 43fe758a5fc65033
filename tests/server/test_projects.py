"""Project files in an editor: what they set, live, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any

import pytest
from tests.configuration.test_hostile_files import HOSTILE
from tests.server.fake_workers import FakeWorkers
from tests.server.wire import Wire

from seepage.configuration import Configuration
from seepage.toml_text import Problem
from seepage_lsp.paths import path_of

PROGRAM = "param p in [0, 1] = 1/2\nsecret s\noutput o\ns ~ flip(p)\no := s\nx := 3\n"


def start(wire: Wire, folder: Path, **options: Any) -> str:
    folders = [{"uri": folder.as_uri(), "name": "it"}]
    wire.initialize({"workspaceFolders": folders, "initializationOptions": options})
    uri = (folder / "a.seep").as_uri()
    wire.open(PROGRAM, uri)
    return uri


def changed(wire: Wire, path: Path) -> None:
    wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 2}]})


def test_a_project_holds_for_its_programs_and_the_editor_goes_before_it(
    faked: Wire, workers: FakeWorkers, tmp_path: Path
) -> None:
    (tmp_path / "seepage.toml").write_text(
        'unit = "nats"\ntime-limit = 7\n[parameters]\np = "1/4"\nq = 2\n', encoding="utf-8"
    )
    start(faked, tmp_path, timeLimit=5, parameters={"p": "1/8"})
    faked.wait_for(lambda: workers.jobs)

    job = workers.jobs[0]

    assert (job.unit, job.seconds) == ("nats", 5)
    assert job.parameters == {"p": "1/8", "q": "2"}
    assert job.project == {"p": "1/4", "q": "2"}


def test_a_change_of_the_file_holds_at_once(faked: Wire, workers: FakeWorkers, tmp_path: Path) -> None:
    start(faked, tmp_path)
    faked.wait_for(lambda: workers.jobs)
    assert workers.jobs[-1].unit == "bits"
    path = tmp_path / "seepage.toml"

    path.write_text('unit = "nats"\n', encoding="utf-8")
    changed(faked, path)

    faked.wait_for(lambda: workers.jobs[-1].unit == "nats")
    path.unlink()
    changed(faked, path)
    faked.wait_for(lambda: workers.jobs[-1].unit == "bits")


def test_levels_change_what_is_shown_without_an_analysis(faked: Wire, workers: FakeWorkers, tmp_path: Path) -> None:
    uri = start(faked, tmp_path)
    faked.wait_for(lambda: [one for one in faked.published(uri) if severities(one).get("SEEP150") == 2])
    jobs = len(workers.jobs)
    path = tmp_path / "seepage.toml"

    path.write_text("[rules]\nSEEP150 = 'error'\n", encoding="utf-8")
    changed(faked, path)

    faked.wait_for(lambda: severities(faked.published(uri)[-1]).get("SEEP150") == 1)
    path.write_text("[rules]\nSEEP150 = 'off'\n", encoding="utf-8")
    changed(faked, path)
    faked.wait_for(lambda: "SEEP150" not in severities(faked.published(uri)[-1]))
    assert len(workers.jobs) == jobs


def severities(published: dict[str, Any]) -> dict[str, int]:
    return {one["code"]: one["severity"] for one in published["diagnostics"]}


def test_what_is_wrong_with_the_file_is_told_at_it_until_it_is_mended(faked: Wire, tmp_path: Path) -> None:
    path = tmp_path / "seepage.toml"
    path.write_text('\nunit = "dits"\n', encoding="utf-8")
    start(faked, tmp_path)

    (told,) = faked.wait_for(lambda: faked.published(path.as_uri()))[0]["diagnostics"]

    assert told["range"]["start"] == {"line": 1, "character": 0}
    assert told["message"] == "'unit' is 'dits', expected 'bits' or 'nats'"
    path.write_text('unit = "bits"\n', encoding="utf-8")
    changed(faked, path)
    faked.wait_for(lambda: faked.published(path.as_uri())[-1]["diagnostics"] == [])


@pytest.mark.parametrize("name", HOSTILE)
def test_a_broken_file_never_keeps_a_document_from_being_checked(name: str, faked: Wire, tmp_path: Path) -> None:
    (tmp_path / "seepage.toml").write_text(HOSTILE[name][0], encoding="utf-8")
    uri = start(faked, tmp_path)

    faked.wait_for(lambda: any(one["diagnostics"] for one in faked.published(uri)))
    assert faked.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 7}})


def test_the_loop_answers_while_a_project_file_is_read(
    faked: Wire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, go_on = Event(), Event()

    def slowly(path: Path) -> tuple[Configuration, tuple[Problem, ...]]:
        reading.set()
        assert go_on.wait(60)
        return Configuration(unit="nats", path=str(path)), ()

    monkeypatch.setattr("seepage_lsp.projects.load_configuration", slowly)
    (tmp_path / "seepage.toml").write_text("", encoding="utf-8")
    uri = start(faked, tmp_path)

    faked.wait_for(reading.is_set)
    hover = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 7}}
    assert faked.request("textDocument/hover", hover)
    go_on.set()
    faked.wait_for(lambda: faked.server.documents.get(uri).project.unit == "nats")  # type: ignore[union-attr]


def test_a_client_that_can_watch_files_is_asked_to(wire: Wire) -> None:
    wire.initialize({"capabilities": {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}})

    (asked,) = wire.wait(lambda message: message.get("method") == "client/registerCapability")["params"][
        "registrations"
    ]

    patterns = [watcher["globPattern"] for watcher in asked["registerOptions"]["watchers"]]
    tables = ["**/*.csv", "**/*.parquet", "**/*.arrow", "**/*.feather"]
    assert patterns == ["**/seepage.toml", "**/pyproject.toml", "**/*.seep", *tables]


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///w/a%20b.seep", "/w/a b.seep"),
        ("file:///w/%C3%BC.seep", "/w/ü.seep"),
        ("untitled:a", None),
        ("vscode-vfs://github/o/r/a.seep", None),
        ("file://server/share/a.seep", None),
        ("file:///w/../etc/a.seep", None),
        ("file:///w/%2e%2e/etc/a.seep", None),
        ("file:///w/a%00.seep", None),
        ("file://[", None),
        ("", None),
    ],
)
def test_only_plain_paths_on_this_machine_are_looked_at(uri: str, path: str | None) -> None:
    assert path_of(uri) == (None if path is None else Path(path))
