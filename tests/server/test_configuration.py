"""Settings that arrive late, wrong, or never."""

from __future__ import annotations

from typing import Any

import pytest
from tests.server.fake_workers import FakeWorkers
from tests.server.wire import Message, Wire

from seepage_lsp.settings import Settings

TEXT = "secret r\nr ~ flip(1/2)\n"
ASKING = {"capabilities": {"workspace": {"configuration": True}}}


def answer(wire: Wire, request: Message, result: Any) -> None:
    wire.send({"id": request["id"], "result": result})


def in_force(wire: Wire) -> Settings:
    return wire.server.scheduler.settings


def test_the_section_is_asked_for_and_put_in_force(faked: Wire) -> None:
    faked.initialize(ASKING)
    request = faked.wait_new("workspace/configuration")

    answer(faked, request, [{"unit": "nats"}])
    faked.wait_for(lambda: in_force(faked).unit == "nats")

    assert request["params"] == {"items": [{"section": "seepage"}]}


@pytest.mark.conforms(39)
@pytest.mark.parametrize("sent", [None, [], [None], [3], "nats", {"unit": "nats"}, [{"unit": 3, "timeLimit": "long"}]])
def test_an_answer_of_any_shape_leaves_the_defaults(faked: Wire, sent: Any) -> None:
    faked.initialize(ASKING)

    answer(faked, faked.wait_new("workspace/configuration"), sent)
    faked.settle()

    assert in_force(faked) == Settings()


@pytest.mark.conforms(39)
def test_an_error_or_no_answer_leaves_the_settings_and_nothing_waits(faked: Wire, workers: FakeWorkers) -> None:
    faked.initialize(ASKING | {"initializationOptions": {"unit": "nats"}})
    faked.open(TEXT)

    faked.wait_for(lambda: workers.futures)
    request = faked.wait_new("workspace/configuration")
    faked.send({"id": request["id"], "error": {"code": -32601, "message": "no"}})
    faked.settle()

    assert in_force(faked).unit == "nats"
    assert workers.jobs[0].unit == "nats"


def test_changed_settings_are_asked_for_again(faked: Wire) -> None:
    faked.initialize(ASKING)
    answer(faked, faked.wait_new("workspace/configuration"), [{}])

    faked.notify("workspace/didChangeConfiguration", {"settings": None})
    answer(faked, faked.wait_new("workspace/configuration"), [{"codeLens": False}])

    faked.wait_for(lambda: not in_force(faked).code_lens)


@pytest.mark.parametrize("sent", [{"seepage": {"unit": "nats"}}, {"unit": "nats"}])
def test_a_client_that_cannot_be_asked_sends_them(faked: Wire, sent: Any) -> None:
    faked.initialize()

    faked.notify("workspace/didChangeConfiguration", {"settings": sent})

    faked.wait_for(lambda: in_force(faked).unit == "nats")


def test_the_server_registers_for_changes_where_it_may(faked: Wire) -> None:
    capability = {"workspace": {"configuration": True, "didChangeConfiguration": {"dynamicRegistration": True}}}
    faked.initialize({"capabilities": capability})

    (only,) = faked.wait_new("client/registerCapability")["params"]["registrations"]

    assert only["method"] == "workspace/didChangeConfiguration"
    assert only["registerOptions"] == {"section": "seepage"}


def test_numbers_are_computed_again_for_another_unit_but_not_for_switched_off_lenses(
    faked: Wire, workers: FakeWorkers
) -> None:
    faked.initialize()
    faked.open(TEXT)
    faked.wait_for(lambda: len(workers.futures) == 1)
    workers.finish()
    faked.wait_new("window/logMessage")

    faked.notify("workspace/didChangeConfiguration", {"settings": {"codeLens": False}})
    faked.settle()
    assert len(workers.jobs) == 1
    faked.notify("workspace/didChangeConfiguration", {"settings": {"unit": "nats"}})
    faked.wait_for(lambda: len(workers.futures) == 2)

    assert workers.jobs[1].unit == "nats"


def test_workers_hold_at_once_for_analyses_and_questions(faked: Wire, workers: FakeWorkers) -> None:
    faked.initialize({"initializationOptions": {"workers": 3}})
    faked.settle()
    assert (workers.allowed, faked.server.explorations.workers.processes) == (3, 3)

    faked.notify("workspace/didChangeConfiguration", {"settings": {"workers": 1}})
    faked.settle()

    assert (workers.allowed, faked.server.explorations.workers.processes) == (1, 1)
    assert in_force(faked).workers == 1


WRONG = {"unit": "furlongs", "timeLimit": -5, "run": "x"}


def warnings(wire: Wire) -> list[str]:
    told = [one["params"] for one in wire.received if one.get("method") == "window/logMessage"]
    return [one["message"] for one in told if one["type"] == 2]


@pytest.mark.parametrize("way", ["at the start", "told", "asked for"])
def test_wrong_values_are_logged_one_line_each_and_not_again(faked: Wire, way: str) -> None:
    match way:
        case "at the start":
            faked.initialize({"initializationOptions": WRONG})
        case "told":
            faked.initialize()
            faked.notify("workspace/didChangeConfiguration", {"settings": {"seepage": WRONG}})
        case _:
            faked.initialize(ASKING)
            answer(faked, faked.wait_new("workspace/configuration"), [WRONG])
    faked.settle()
    first = warnings(faked)
    faked.server.use_settings(faked.server.read_settings(WRONG))
    faked.settle()

    assert [line.split(",")[0] for line in first] == [
        "the setting 'unit' is 'furlongs'",
        "the setting 'run' is 'x'",
        "the setting 'timeLimit' is -5",
    ]
    assert warnings(faked) == first
    assert "window/showMessage" not in faked.methods()
    assert in_force(faked) == Settings()
