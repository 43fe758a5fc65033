"""Python files in an editor: findings, lenses, hovers, results and changes, at Python's places and in its words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.server.direct_workers import DirectWorkers
from tests.server.fake_workers import FakeWorkers
from tests.server.wire import Message, Wire, wired

URI = "file:///project/pin.py"
TEXT = '''import random
from seepage_marks import leakage


@leakage(
    secret={"pin": "[4] uniform_int(0, 9)"},
    output=["result", "steps"],
    show=["I(pin; result)"],
    require=["I(pin; result, steps) <= 0.1"],
)
def check(pin):
    for given, digit in zip([1, 2, 3, 4], pin):
        if given != digit:
            return False
    return True


def unmarked(code, n):
    """Do nothing that a mark asks about."""
    if code == "open" and n < 5:
        return True
    return False


@leakage(secret={"answer": "bernoulli(1/2)"}, param={"p": "1/2 in [0, 1]"}, show=["P(result == True)"])
def respond(answer, p):
    if random.random() < p:
        return answer
    return random.random() < 0.5
'''
CLIENT = {
    "capabilities": {
        "textDocument": {
            "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
            "hover": {"contentFormat": ["markdown"]},
        }
    },
    "initializationOptions": {"panel": True, "commands": ["seepage.showResult"], "python": True},
}
SEEP = re.compile(r":=|~|\bconst\b|observe|'if|\{|#")


@pytest.fixture
def analysed() -> Iterator[Wire]:
    """Return a server that has analysed both functions of the file."""
    with wired(DirectWorkers()) as wire:
        wire.server.explorations.workers = DirectWorkers()  # type: ignore[assignment]
        wire.initialize(CLIENT)
        opened(wire, TEXT)
        for name in ("check", "respond"):
            current(wire, name)
        yield wire


def opened(wire: Wire, text: str, uri: str = URI) -> None:
    document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
    wire.notify("textDocument/didOpen", {"textDocument": document})


def current(wire: Wire, name: str) -> None:
    """Wait until the results of a function are those of the text."""
    told = {"uri": f"{URI}#{name}", "state": "current"}
    wire.wait(
        lambda message: (
            message.get("method") == "seepage/resultsChanged"
            and all(message["params"][key] == value for key, value in told.items())
        )
    )


def edited(wire: Wire, before: str, after: str, text: str = TEXT) -> str:
    """Replace a part of the text that stands there once, and return the new text."""
    assert text.count(before) == 1
    wire.change(text.replace(before, after), 2, URI)
    return text.replace(before, after)


def lenses(wire: Wire) -> list[tuple[int, str]]:
    """Return lines, counted from 1, and titles of lenses."""
    found = wire.result("textDocument/codeLens", {"textDocument": {"uri": URI}})
    return [(lens["range"]["start"]["line"] + 1, lens["command"]["title"]) for lens in found]


def hovered(wire: Wire, word: str, text: str = TEXT) -> str:
    """Return the hover at the first character behind the bar in a word of the text."""
    offset = text.index(word.replace("|", "")) + word.index("|")
    line = text.count("\n", 0, offset)
    place = {"line": line, "character": offset - (text.rfind("\n", 0, offset) + 1)}
    found = wire.result("textDocument/hover", {"textDocument": {"uri": URI}, "position": place})
    return "" if found is None else str(found["contents"]["value"])


def found(wire: Wire) -> list[Message]:
    lenses(wire)  # once the text is read
    diagnostics: list[Message] = wire.published(URI)[-1]["diagnostics"]
    return diagnostics


def test_findings_stand_in_the_mark_and_say_whose_they_are(analysed: Wire) -> None:
    (budget,) = found(analysed)

    assert budget["source"] == "seepage"
    assert budget["code"] == "SEEP510"
    assert budget["range"]["start"] == {"line": 8, "character": 13}
    assert "0.52105 bits > 0.1 bits" in budget["message"]


def test_lenses_stand_above_functions_arguments_and_what_the_mark_asks(analysed: Wire) -> None:
    assert lenses(analysed) == [
        (7, "result: H = 0.00147 bits · exact"),
        (7, "steps: H = 0.521 bits · exact"),
        (8, "0.00147 bits · exact"),
        (9, "violated · 0.521 bits · exact"),
        (11, "leakage of check through result, steps · budgets: 1 violated"),
        (11, "pin: 0.521 bits leak · exact"),
        (25, "0.5 · exact"),
        (26, "leakage of respond through result"),
        (26, "answer: 0.189 bits leak · exact"),
    ]


def test_hovers_tell_of_functions_secrets_parameters_outputs_and_questions(analysed: Wire) -> None:
    assert "worst case: `result = 1, steps = 9` tells 13.3 bits" in hovered(analysed, "def |check")
    assert "**pin** · secret" in hovered(analysed, "check(|pin")
    assert "**pin** · secret" in hovered(analysed, "4], |pin")
    assert "**result** · output" in hovered(analysed, "|return False")
    assert "0.5210541045 bits" in hovered(analysed, '"I(|pin; result, steps')
    assert "between 0 and 1" in hovered(analysed, "respond(answer, |p") or "[0, 1]" in hovered(
        analysed, "respond(answer, |p"
    )
    assert hovered(analysed, "def |unmarked") == ""
    assert hovered(analysed, "if |given") == ""


def test_an_edit_elsewhere_leaves_results_and_moves_their_places(analysed: Wire) -> None:
    before = lenses(analysed)

    edited(analysed, "import random\n", "import random\n\n# a comment\n")

    assert lenses(analysed) == [(line + 2, title) for line, title in before]
    assert [one["range"]["start"]["line"] for one in found(analysed)] == [10]


def test_results_of_a_changed_function_are_stale_until_it_is_saved(analysed: Wire) -> None:
    text = edited(analysed, "[1, 2, 3, 4]", "[1, 2, 3]")

    titles = dict(lenses(analysed)[4:6])
    assert titles[11].endswith("· stale")
    assert "(as of the last analysis, before this change)" in found(analysed)[0]["message"]
    assert lenses(analysed)[-1] == (26, "answer: 0.189 bits leak · exact")
    assert "stale: the numbers are those of an older text" in hovered(analysed, "def |check", text)

    analysed.received.clear()
    analysed.save(URI)
    current(analysed, "check")
    assert (11, "pin: 0.521 bits leak · exact") in lenses(analysed)
    assert "before this change" not in found(analysed)[0]["message"]


def test_a_text_that_python_cannot_read_keeps_results_as_stale_and_has_no_finding_of_ours(analysed: Wire) -> None:
    text = edited(analysed, "def unmarked(", "def unmarked((")

    assert all(title.endswith("· stale") for _, title in lenses(analysed))
    assert found(analysed) == []
    assert "stale" in hovered(analysed, "def |check", text)

    analysed.change(TEXT, 3, URI)
    assert not any("stale" in title for _, title in lenses(analysed))
    assert [one["code"] for one in found(analysed)] == ["SEEP510"]


def test_what_is_not_analysed_is_told_where_it_stands_and_leaves_other_functions_theirs(analysed: Wire) -> None:
    edited(analysed, "    return True\n\n\ndef", "    return eval('True')\n\n\ndef")

    told = {one["code"]: one for one in found(analysed)}
    assert told["SEEP701"]["range"]["start"] == {"line": 14, "character": 11}
    assert lenses(analysed)[-1] == (26, "answer: 0.189 bits leak · exact")


@pytest.mark.parametrize(
    "body",
    [
        "return eval(pin)",
        "return 1 / (pin[0] - 1)",
        "while True:\n        pass",
        "import os\n    return os.getpid()",
        "x = random.uniform(0, 1) * random.uniform(0, 1)\n    return x + pin[0]",
        "random.seed(1)\n    return random.random() < 0.5",
        "return 0.1 + 0.2 == 0.3",
        "return sorted(pin, key=lambda one: -one)[5]",
    ],
)
def test_no_finding_on_a_python_file_holds_words_of_seep(body: str) -> None:
    text = f'import random\nfrom seepage_marks import leakage\n\n\n@leakage(secret={{"pin": "[2] uniform_int(0, 9)"}}, show=["I(pin; result)", "C(pin; result)", "H(nothing)"])\ndef check(pin):\n    {body}\n'
    with wired(DirectWorkers()) as wire:
        wire.initialize(CLIENT)
        opened(wire, text)
        wire.wait(lambda message: message.get("method") == "textDocument/publishDiagnostics")
        wire.wait_for(lambda: wire.server.python.get(URI) is not None and not wire.server.scheduler.busy)

        assert found(wire)
        shown = [*(one["message"] for one in found(wire)), *(title for _, title in lenses(wire))]
        assert not [one for one in shown if SEEP.search(one)]


def test_a_file_without_marks_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a file without marks was read")

    monkeypatch.setattr("seepage.functions.programs_of", refuse)
    with wired(FakeWorkers()) as wire:
        wire.initialize(CLIENT)
        opened(wire, "def f(x):\n    return x\n")
        wire.change("def f(x):\n    return 2 * x\n", 2, URI)

        assert wire.result("textDocument/codeLens", {"textDocument": {"uri": URI}}) == []
        assert hovered(wire, "def |f", "def f(x):\n") == ""
        assert wire.published(URI) == []


def test_what_other_servers_of_python_do_is_not_registered(analysed: Wire) -> None:
    asked = analysed.wait(lambda message: message.get("method") == "client/registerCapability")
    for_python = {
        one["method"]
        for message in analysed.received
        if message.get("method") == "client/registerCapability"
        for one in message["params"]["registrations"]
        if one.get("registerOptions", {}).get("documentSelector") == [{"language": "python"}]
    }

    assert asked
    assert for_python == {
        *(f"textDocument/{name}" for name in ("didOpen", "didChange", "didSave", "didClose")),
        *(f"textDocument/{name}" for name in ("hover", "codeLens", "codeAction")),
    }


@pytest.mark.parametrize(
    "method", ["completion", "rename", "formatting", "definition", "documentSymbol", "foldingRange"]
)
def test_a_client_that_asks_all_the_same_gets_nothing(analysed: Wire, method: str) -> None:
    params: dict[str, Any] = {"textDocument": {"uri": URI}, "position": {"line": 10, "character": 5}}
    params |= {"newName": "other", "options": {"tabSize": 4, "insertSpaces": True}}

    assert not analysed.result(f"textDocument/{method}", params)


def test_a_mark_is_offered_for_the_function_at_the_cursor(analysed: Wire) -> None:
    place = {"line": 17, "character": 6}
    asked = {"textDocument": {"uri": URI}, "range": {"start": place, "end": place}, "context": {"diagnostics": []}}

    (action,) = analysed.result("textDocument/codeAction", asked)

    assert action["kind"] == "refactor.add"
    (edit,) = action["edit"]["changes"][URI]
    assert edit["range"]["start"] == {"line": 17, "character": 0}
    assert edit["newText"] == (
        '@leakage(secret={"code": \'uniform_of("open", "another")\', "n": "uniform_int(0, 5)"})'
        "  # a guess: uniform over what it is compared with\n"
    )
    automatic = asked | {"context": {"diagnostics": [], "triggerKind": 2}}
    below = {"start": {"line": 19, "character": 6}, "end": {"line": 19, "character": 6}}
    assert analysed.result("textDocument/codeAction", automatic | {"range": below}) == []
    assert (
        analysed.result(
            "textDocument/codeAction", asked | {"range": {"start": {"line": 10, "character": 6}, "end": place}}
        )
        == []
    )


def test_the_panel_asks_a_function_in_the_names_of_python(analysed: Wire) -> None:
    functions = analysed.result("seepage/functions", {"textDocument": {"uri": URI}})["functions"]
    assert [(one["name"], one["uri"]) for one in functions] == [
        ("check", f"{URI}#check"),
        ("respond", f"{URI}#respond"),
    ]

    check = {"textDocument": {"uri": f"{URI}#check"}}
    results = analysed.result("seepage/results", check)
    assert results["state"] == "current"
    assert results["table"][0]["information"]["measure"] == "I(pin; result, steps)"
    assert results["table"][0]["secretRange"]["start"] == {"line": 10, "character": 10}
    assert [one["text"] for one in results["answers"]] == ["I(pin; result)", "I(pin; result, steps) <= 0.1"]
    assert results["answers"][1]["measure"] == "I(pin; result, steps)"
    measured = analysed.result("seepage/measure", check | {"measure": "I(pin[0]; result, steps)"})
    assert measured["version"] == results["version"]
    assert 0.4 < measured["result"]["value"] < 0.52
    wrong = analysed.request("seepage/measure", check | {"measure": "I(pin[7]; result)"})["error"]
    assert wrong["message"] == "'pin[7]' is no part of 'pin'"

    respond = {"textDocument": {"uri": f"{URI}#respond"}}
    results = analysed.result("seepage/results", respond)
    assert [one["text"] for one in results["answers"]] == ["P(result == True)"]
    (parameter,) = results["parameters"]
    assert (parameter["name"], parameter["range"]["start"]) == ("p", {"line": 25, "character": 20})
    over = [{"parameter": "p", "low": "0", "high": "1", "points": 3}]
    plot = analysed.result("seepage/plot", respond | {"measure": "I(answer; result)", "over": over})
    assert [point["value"] for point in plot["points"]] == pytest.approx([0, 0.1887218755, 1])
    moved = analysed.result("seepage/measure", respond | {"measure": "I(answer; result)", "parameters": {"p": "1"}})
    assert moved["result"]["value"] == pytest.approx(1)


def test_a_file_that_is_closed_leaves_nothing(analysed: Wire) -> None:
    analysed.shut(URI)
    analysed.settle()

    assert found(analysed) == []
    assert [*analysed.server.documents] == []
    assert analysed.request("seepage/results", {"textDocument": {"uri": f"{URI}#check"}})["error"]
