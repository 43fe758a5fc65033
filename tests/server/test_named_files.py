"""Files that programs name, in an editor: findings and numbers are those of what the files say now, on disk or in another tab."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.fake_workers import FakeWorkers
from tests.server.wire import Message, Wire

from seepage.pipeline import check
from seepage.program import Program
from seepage_lsp.analysis_process import Job

MODULE = "const p = 1/4\ndef noisy(x) { n ~ flip(p) return x xor n }\n"
PROGRAM = 'import "noise.seep"\nsecret s\noutput o\ns ~ flip(noise.p)\no ~ noise.noisy(s)\n'


def start(wire: Wire, folder: Path, text: str = PROGRAM, **options: object) -> str:
    folders = [{"uri": folder.as_uri(), "name": "it"}]
    wire.initialize({"workspaceFolders": folders, "initializationOptions": options})
    uri = (folder / "a.seep").as_uri()
    wire.open(text, uri)
    return uri


def changed(wire: Wire, path: Path) -> None:
    wire.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 2}]})


def codes(published: Message) -> list[str]:
    return sorted(one["code"] for one in published["diagnostics"])


def until_codes(wire: Wire, uri: str, expected: list[str]) -> None:
    wire.wait_for(lambda: wire.published(uri) and codes(wire.published(uri)[-1]) == expected)


def of_quarter(job: Job) -> bool:
    """Tell whether the secret of a job is 1 with the probability that the module had at first, as its process would read it."""
    return Program(check(job.source)).measure("P(s)").value == 0.25


def test_a_program_is_analysed_with_the_files_that_it_names(faked: Wire, workers: FakeWorkers, tmp_path: Path) -> None:
    (tmp_path / "noise.seep").write_text(MODULE, encoding="utf-8")
    uri = start(faked, tmp_path)

    faked.wait_for(lambda: workers.jobs)

    assert not check(workers.jobs[0].source).has_errors
    assert of_quarter(workers.jobs[0])
    until_codes(faked, uri, [])
    assert len(workers.jobs) == 1


@pytest.mark.parametrize("named", ["noise.seep", "more/deep.seep"])
def test_a_change_on_disk_is_followed(faked: Wire, workers: FakeWorkers, tmp_path: Path, named: str) -> None:
    files = {
        "noise.seep": 'import "more/deep.seep"\nconst p = deep.p\ndef noisy(x) { return x + 0 / p }\n',
        "more/deep.seep": "const p = 1/4\n",
    }
    (tmp_path / "more").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    start(faked, tmp_path)
    faked.wait_for(lambda: workers.jobs)
    workers.finish()

    (tmp_path / named).write_text(files[named].replace("deep.p", "1/3").replace("1/4", "1/3"), encoding="utf-8")
    changed(faked, tmp_path / named)

    faked.wait_for(lambda: len(workers.jobs) == 2)
    assert not of_quarter(workers.jobs[1])
    assert workers.jobs[0].source != workers.jobs[1].source


def test_a_change_of_another_file_analyses_nothing(faked: Wire, workers: FakeWorkers, tmp_path: Path) -> None:
    (tmp_path / "noise.seep").write_text(MODULE, encoding="utf-8")
    uri = start(faked, tmp_path)
    faked.wait_for(lambda: workers.jobs)
    workers.finish()
    until_codes(faked, uri, [])

    (tmp_path / "other.seep").write_text(MODULE, encoding="utf-8")
    changed(faked, tmp_path / "other.seep")
    faked.wait_for(lambda: (document := faked.server.documents.get(uri)) is not None and document.is_checked)

    assert len(workers.jobs) == 1


def test_a_file_that_appears_is_found(faked: Wire, workers: FakeWorkers, tmp_path: Path) -> None:
    uri = start(faked, tmp_path)
    until_codes(faked, uri, ["SEEP116"])
    assert workers.jobs == []

    (tmp_path / "noise.seep").write_text(MODULE, encoding="utf-8")
    changed(faked, tmp_path / "noise.seep")

    until_codes(faked, uri, [])
    faked.wait_for(lambda: workers.jobs)


def test_an_open_module_stands_in_the_place_of_its_file(faked: Wire, workers: FakeWorkers, tmp_path: Path) -> None:
    (tmp_path / "noise.seep").write_text(MODULE, encoding="utf-8")
    uri, module = start(faked, tmp_path), (tmp_path / "noise.seep").as_uri()
    faked.wait_for(lambda: workers.jobs)
    workers.finish()

    faked.open(MODULE.replace("noisy", "noise"), module)
    until_codes(faked, uri, ["SEEP116"])
    faked.change(MODULE.replace("1/4", "1/3"), 2, module)
    until_codes(faked, uri, [])
    before = len(workers.jobs)
    faked.save(module)
    faked.wait_for(lambda: len([one for one in workers.jobs[before:] if one.source.name == uri]) == 1)
    assert not of_quarter([one for one in workers.jobs if one.source.name == uri][-1])

    faked.shut(module)
    faked.wait_for(lambda: faked.server.snapshot(uri).is_current)  # type: ignore[union-attr]  # with the numbers of before


def test_nothing_is_read_where_the_user_does_not_trust(faked: Wire, workers: FakeWorkers, tmp_path: Path) -> None:
    (tmp_path / "noise.seep").write_text(MODULE, encoding="utf-8")
    uri = start(faked, tmp_path, untrusted=True)

    until_codes(faked, uri, ["SEEP904"])
    assert workers.jobs == []


def test_nothing_outside_of_the_workspace_is_read(faked: Wire, workers: FakeWorkers, tmp_path: Path) -> None:
    (tmp_path / "noise.seep").write_text(MODULE, encoding="utf-8")
    (tmp_path / "inside").mkdir()
    uri = start(faked, tmp_path / "inside", PROGRAM.replace("noise.seep", "../noise.seep"))

    until_codes(faked, uri, ["SEEP116"])
    assert workers.jobs == []


def test_a_document_that_is_no_file_names_none(faked: Wire) -> None:
    faked.initialize({})
    faked.open(PROGRAM, "untitled:Untitled-1")

    until_codes(faked, "untitled:Untitled-1", ["SEEP116"])


def test_the_shipped_module_needs_no_file(faked: Wire, workers: FakeWorkers) -> None:
    faked.initialize({})
    faked.open('import "seep:mechanisms" as m\ns ~ flip(1/2)\no ~ m.randomized_response(s, 1)\n', "untitled:Untitled-1")

    faked.wait_for(lambda: workers.jobs)
    assert not check(workers.jobs[0].source).has_errors


def test_a_table_that_changes_on_disk_is_followed(faked: Wire, workers: FakeWorkers, tmp_path: Path) -> None:
    table = tmp_path / "people.csv"
    table.write_text("age\n1\n2\n", encoding="utf-8")
    text = 'table people from "people.csv"\nsecret s\noutput o\nrow ~ people\ns := row.age\no := row.age > 1\n'
    uri = start(faked, tmp_path, text)
    faked.wait_for(lambda: workers.jobs)
    until_codes(faked, uri, [])
    workers.finish()

    table.write_text("age\n1\n2,3\n", encoding="utf-8")
    changed(faked, table)
    until_codes(faked, uri, ["SEEP211"])
    table.write_text("age\n1\n2\n3\n4\n", encoding="utf-8")
    changed(faked, table)

    faked.wait_for(lambda: len(workers.jobs) == 2)
    assert Program(check(workers.jobs[1].source)).measure("P(o)").value == 0.75
