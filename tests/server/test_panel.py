"""The server's own requests, over the wire with the real analysis, against the library's answers and those of the command line."""

from __future__ import annotations

import math
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest
from tests.server.fake_workers import FakeWorkers, analysis
from tests.server.raw_client import wait_until_gone
from tests.server.wire import Wire, wired

from seepage import parse
from seepage.diagnostics import Diagnostic
from seepage.measures.facts import Answer
from seepage.rules import TIME_LIMIT
from seepage.source import Span
from seepage_lsp.asked import NOTIFICATIONS, REQUESTS
from seepage_lsp.worker import Workers

URI = "file:///a.seep"
TEXT = (
    "param p in [0, 1] = 1/2\n/// privacy\nparam eps in (0, 10] = 1\nsecret r\noutput o\nr ~ bernoulli(p)\n"
    "t ~ bernoulli(exp(eps) / (exp(eps) + 1))\nif t { o := r } else { o := !r }\n"
    "show I(r; o)\nrequire H(o) <= 1/2 bits\nrequire I(r; o) <= 1 nats over eps in [1, 2]\n"
)
# Its joint distribution with the output takes seconds, single elements no time.
LONG = "secret s\noutput o\nfor i in 1..40 { s[i] ~ uniform_int(0, 300)\no := o + s[i]^2 }\n"
PAGE = (Path(__file__).parents[2] / "docs" / "lsp-extensions.md").read_text(encoding="utf-8")


@contextmanager
def serving() -> Iterator[Wire]:
    """Yield a server that analyses for real, with a client that has a panel."""
    with wired() as wire:
        wire.server.scheduler.workers = Workers()
        wire.initialize({"initializationOptions": {"panel": True}})
        yield wire


@pytest.fixture(scope="module")
def shared() -> Iterator[Wire]:
    with serving() as wire:
        yield wire


@pytest.fixture
def panel(shared: Wire) -> Iterator[Wire]:
    """A server with no document open, which remembers nothing but warm processes."""
    shared.received.clear()
    yield shared
    shared.shut(URI)
    shared.settle()


@pytest.fixture
def fresh() -> Iterator[Wire]:
    """A server of its own, for tests that look at its processes."""
    with serving() as wire:
        yield wire


def ask(wire: Wire, method: str, **params: Any) -> Any:
    return wire.result(method, {"textDocument": {"uri": URI}, **params})


def refusal(wire: Wire, method: str, **params: Any) -> tuple[int, str]:
    error = wire.request(method, {"textDocument": {"uri": URI}, **params})["error"]
    return error["code"], error["message"]


def state(wire: Wire, wanted: str) -> None:
    wire.wait(
        lambda message: message.get("method") == "seepage/resultsChanged" and message["params"]["state"] == wanted
    )


def test_the_requests_are_announced_and_documented() -> None:
    with wired() as wire:
        told = wire.initialize()["capabilities"]["experimental"]["seepage"]

    assert told == {"protocol": 1, "requests": list(REQUESTS), "notifications": list(NOTIFICATIONS)}
    for name in (*REQUESTS, *NOTIFICATIONS):
        assert f"## `{name}`" in PAGE


@pytest.mark.parametrize("digits", [2, 5, 12, 15])
def test_numbers_everywhere_have_at_most_the_digits_of_the_setting_without_a_new_analysis(
    panel: Wire, digits: int
) -> None:
    panel.open("secret s\noutput o\ns ~ bernoulli(1/4)\no := s\nshow H(s)\n", URI)
    state(panel, "current")
    with mpmath.workdps(40):  # the entropy of a coin that shows heads once in four times
        known = mpmath.nstr(-(mpmath.log(0.25, 2) + 3 * mpmath.log(0.75, 2)) / 4, digits)
    analyses = panel.methods().count("window/logMessage")

    panel.notify("workspace/didChangeConfiguration", {"settings": {"digits": digits}})
    assert ask(panel, "seepage/results")["digits"] == digits

    hovers = [
        panel.result("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": line, "character": 7}})
        for line in (0, 4)
    ]
    assert panel.lenses(URI) == [f"{known} bits leak · exact", f"H = {known} bits · exact", f"{known} bits · exact"]
    assert all(f" = {known} bits · exact" in hover["contents"]["value"] for hover in hovers)
    assert panel.methods().count("window/logMessage") == analyses

    panel.notify("workspace/didChangeConfiguration", {"settings": {}})
    assert ask(panel, "seepage/results")["digits"] is None
    assert panel.lenses(URI)[2] == "0.811 bits · exact"


def documented(title: str) -> set[str]:
    """Return the fields that the page's table under a title names."""
    section = PAGE.split(f"## `{title}`", 1)[1].split("\n## ", 1)[0]
    rows = [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("| `")]
    return {field.strip(" `?") for row in rows for field in row.split(",")}


def test_results_of_a_program_say_what_is_known_and_where(panel: Wire) -> None:
    panel.open(TEXT)
    state(panel, "current")

    results = ask(panel, "seepage/results")

    assert (results["state"], results["current"], results["version"], results["certainty"]) == (
        "current",
        True,
        1,
        "exact",
    )
    eps = results["parameters"][1]
    assert (eps["name"], eps["documentation"], eps["domain"], eps["value"]) == ("eps", "privacy", "(0, 10]", 1)
    assert (eps["low"], eps["high"], eps["lowOpen"], eps["highOpen"], eps["default"]) == (0, 10, True, False, "1")
    show, budget, over = results["answers"]
    alone = parse(TEXT).measure("I(r; o)")
    assert show["result"]["lower"] == alone.lower
    assert (show["kind"], show["measure"], show["unit"], show["status"]) == ("show", "I(r; o)", "bits", "exact")
    assert show["range"]["start"] == {"line": 8, "character": 0}
    assert (budget["verdict"], budget["budget"], budget["unit"]) == ("violated", 0.5, "bits")
    assert (over["verdict"], over["over"], over["unit"], over["status"]) == (
        "holds",
        "eps in [1, 2]",
        "nats",
        "certified",
    )
    (row,) = results["table"]
    assert row["secretRange"]["start"] == {"line": 3, "character": 7}
    assert {(one["name"], one["role"]) for one in results["variables"]} == {
        ("r", "secret"),
        ("o", "output"),
        ("t", "variable"),
    }
    assert set(results) == documented("seepage/results")


def test_results_of_an_older_text_are_stale_and_stand_in_the_new_one(panel: Wire) -> None:
    panel.open(TEXT)
    state(panel, "current")

    panel.change("// new\n" + TEXT, 2)
    results = ask(panel, "seepage/results")

    assert (results["state"], results["current"], results["version"]) == ("stale", False, 1)
    assert results["answers"][0]["status"] == "stale"
    assert results["answers"][0]["range"]["start"]["line"] == 9
    assert [one["source"] for one in results["answers"]] == [
        "I(r; o)",
        "H(o) <= 1/2 bits",
        "I(r; o) <= 1 nats over eps in [1, 2]",
    ]
    assert results["table"][0]["secretRange"]["start"]["line"] == 4


def test_results_of_a_text_that_was_changed_back_are_those_of_the_present_version_as_new_answers_are(
    panel: Wire,
) -> None:
    panel.open(TEXT)
    state(panel, "current")
    panel.change(TEXT.replace("1/2", "1/4"), 2)
    panel.change(TEXT, 3)

    results, answer = ask(panel, "seepage/results"), ask(panel, "seepage/measure", measure="I(r; o)")

    assert (results["current"], results["version"], answer["version"]) == (True, 3, 3)


def test_a_program_with_errors_has_a_state_of_its_own(panel: Wire) -> None:
    panel.open("secret s\noutput o\ns := \n")

    assert ask(panel, "seepage/results")["state"] == "errors"
    assert refusal(panel, "seepage/measure", measure="H(s)") == (-32803, "the program has errors")


def test_a_measure_at_other_values_is_the_librarys(panel: Wire) -> None:
    panel.open(TEXT)

    answer = ask(panel, "seepage/measure", measure="I(r; o)", parameters={"eps": "0.3"}, unit="nats")

    alone = parse(TEXT).measure("I(r; o)", params={"eps": "0.3"}, unit="nats")
    assert (answer["version"], answer["result"]["lower"], answer["result"]["upper"]) == (1, alone.lower, alone.upper)
    assert answer["result"]["params"] == {"p": "1/2", "eps": "3/10"}


def test_a_curve_and_a_map_hold_the_numbers_of_single_questions(panel: Wire) -> None:
    panel.open(TEXT)
    eps = {"parameter": "eps", "low": "1", "high": "2", "points": 3}

    curve = ask(panel, "seepage/plot", measure="I(r; o)", over=[eps])
    grid = ask(panel, "seepage/plot", measure="I(r; o)", over=[{**eps, "parameter": "p", "low": "0", "high": "1"}, eps])

    assert curve["axes"] == [{"parameter": "eps", "values": [1, 1.5, 2]}]
    alone = parse(TEXT).measure("I(r; o)", params={"eps": "3/2"})
    assert curve["points"][1]["lower"] <= alone.value <= curve["points"][1]["upper"]
    assert [len(row) for row in grid["rows"]] == [3, 3, 3]
    assert grid["rows"][1][1]["value"] == pytest.approx(curve["points"][1]["value"], abs=1e-12)


def test_a_derivation_knows_the_places_of_its_statements(panel: Wire) -> None:
    panel.open(TEXT.replace("secret r", "/* 🎲 */ secret r"))

    told = ask(panel, "seepage/explain", measure="H(o)")

    lines = [line for section in told["sections"] for line in section["lines"]]
    first = next(line for line in lines if line["text"] == "r ~ bernoulli(p)")
    assert first["range"] == {"start": {"line": 5, "character": 0}, "end": {"line": 5, "character": 16}}
    assert told["markdown"].startswith("### H")
    assert {key for line in lines for key in line} == {"kind", "text", "mathml", "depth", "range", "folds"}


def test_posteriors_obey_bayes(panel: Wire) -> None:
    panel.open("secret s\noutput o\ns ~ uniform_int(0, 2)\nn ~ bernoulli(1/4)\no := s + n > 1\n")

    told = ask(panel, "seepage/posterior", secret="s", output="o")

    # P(o = 1) = P(s = 2) + P(s = 1, n = 1) = 1/3 + 1/12
    seen = told["outputs"][1]
    assert seen["probability"]["lower"] <= 5 / 12 <= seen["probability"]["upper"]
    values = [one["probability"]["value"] for one in seen["posterior"]]
    assert values == pytest.approx(
        [0, float(Fraction(1, 12) / Fraction(5, 12)), float(Fraction(1, 3) / Fraction(5, 12))]
    )


def test_the_worst_output_follows_the_parameters(panel: Wire) -> None:
    panel.open(TEXT)
    truth = math.exp(2) / (math.exp(2) + 1)

    for p, worst in ((0.1, 1), (0.9, 0)):
        told = ask(panel, "seepage/worst", secret="r", output="o", parameters={"p": str(p), "eps": "2"}, unit="nats")

        # KL(r | o = v || r), by hand: an answer that goes against what was believed tells most.
        said = p * truth + (1 - p) * (1 - truth)
        yes = [p * (1 - truth) / (1 - said), p * truth / said][worst]
        divergence = yes * math.log(yes / p) + (1 - yes) * math.log((1 - yes) / (1 - p))
        assert told["worst"]["output"] == f"o = {worst}"
        assert told["worst"]["divergence"]["value"] == pytest.approx(divergence, abs=1e-12)
        left = told["least_left"]["entropy"]
        assert (told["least_left"]["output"], left["unit"]) == (f"o = {1 - worst}", "nats")
        assert told["note"] == ""


def test_where_there_is_no_worst_output_the_reason_is_told(panel: Wire) -> None:
    panel.open("secret s\noutput o\ns ~ normal(0, 1)\nn ~ normal(0, 1)\no := s + n\n")

    told = ask(panel, "seepage/worst", secret="s", output="all outputs")

    assert (told["worst"], told["least_left"]) == (None, None)
    assert "discrete secrets" in told["note"]


@pytest.mark.parametrize(
    ("method", "params", "code", "words"),
    [
        ("seepage/measure", {"measure": "I(r; q)"}, -32803, "'q'"),
        ("seepage/measure", {"measure": "I(r; o)", "parameters": {"q": "1"}}, -32803, "no parameter 'q'"),
        ("seepage/measure", {"measure": "I(r; o)", "parameters": {"eps": "11"}}, -32803, "outside its domain (0, 10]"),
        ("seepage/measure", {"measure": ""}, -32602, "'measure' must be a text"),
        ("seepage/measure", {"measure": "H(o)", "unit": "dits"}, -32602, "'bits' or 'nats'"),
        ("seepage/measure", {"measure": "H(o)", "parameters": [1]}, -32602, "'parameters' must be an object"),
        ("seepage/plot", {"measure": "H(o)", "over": []}, -32602, "one or two parameters"),
        ("seepage/plot", {"measure": "H(o)", "over": [{"parameter": "eps", "low": "1", "high": "2", "points": 999}]}, -32803, "at most 257"),
        ("seepage/plot", {"measure": "H(o)", "over": [{"parameter": "eps", "low": "1", "high": "2"}]}, -32602, "'points'"),
        ("seepage/posterior", {"secret": "r"}, -32602, "'output'"),
        ("seepage/worst", {"secret": "r"}, -32602, "'output'"),
        ("seepage/worst", {"secret": "q", "output": "o"}, -32803, "'q'"),
        ("seepage/explain", {"measure": "V(r)"}, -32803, "expected one of H, I, KL, P and E"),
    ],
)  # fmt: skip
def test_what_has_no_answer_is_refused_in_a_sentence(
    panel: Wire, method: str, params: dict[str, Any], code: int, words: str
) -> None:
    panel.open(TEXT)

    found, message = refusal(panel, method, **params)

    assert found == code
    assert words in message


@pytest.mark.parametrize("params", [None, [], {"textDocument": 3}, {"textDocument": {"uri": 3}}])
def test_a_request_without_a_document_is_malformed(panel: Wire, params: Any) -> None:
    for method in REQUESTS:
        assert panel.request(method, params)["error"]["code"] == -32602


def test_a_document_that_is_not_open_is_refused(panel: Wire) -> None:
    for method in ("seepage/results", "seepage/measure"):
        assert (
            panel.request(method, {"textDocument": {"uri": "file:///b"}, "measure": "H(o)"})["error"]["code"] == -32803
        )


def processes(wire: Wire) -> set[int]:
    return {one.pid for one in wire.server.explorations.workers._all}


def start(wire: Wire, number: int, method: str, **params: Any) -> None:
    wire.send({"id": number, "method": method, "params": {"textDocument": {"uri": URI}, **params}})


def test_cancelling_a_question_stops_its_process(fresh: Wire) -> None:
    fresh.open(LONG)
    start(fresh, 901, "seepage/measure", measure="I(s[1]; o)")
    fresh.wait_for(lambda: processes(fresh) and not fresh.server.explorations.workers._idle)
    killed = processes(fresh)

    fresh.notify("$/cancelRequest", {"id": 901})

    assert fresh.answer(901)["error"]["code"] == -32800
    fresh.wait_for(lambda: not killed & processes(fresh))
    wait_until_gone(killed)


def test_a_newer_question_takes_the_place_of_an_older_one_and_others_stay(panel: Wire) -> None:
    panel.open(LONG)
    start(panel, 901, "seepage/measure", measure="I(s[1]; o)")
    start(panel, 902, "seepage/measure", measure="H(s[1])")
    start(panel, 903, "seepage/measure", measure="I(s[1]; o)")

    assert panel.answer(901)["error"]["code"] == -32800
    assert panel.answer(902)["result"]["result"]["unit"] == "bits"
    panel.notify("$/cancelRequest", {"id": 903})
    assert panel.answer(903)["error"]["code"] == -32800


def test_a_question_under_older_settings_is_given_up_where_numbers_depend_on_what_changed(fresh: Wire) -> None:
    fresh.open(LONG)
    before = fresh.server.scheduler.settings
    start(fresh, 901, "seepage/measure", measure="I(s[1]; o)")
    start(fresh, 902, "seepage/measure", measure="H(s[1])")

    fresh.notify("workspace/didChangeConfiguration", {"settings": {"codeLens": not before.code_lens}})
    assert "result" in fresh.answer(902)
    fresh.notify("workspace/didChangeConfiguration", {"settings": {"unit": "nats"}})

    error = fresh.answer(901)["error"]
    assert (error["code"], error["message"]) == (-32801, "the settings changed meanwhile")
    start(fresh, 903, "seepage/measure", measure="H(s[1])")
    fresh.answer(903)  # what the server had to say of the question before is told by then
    logged = [one["params"]["message"] for one in fresh.received if one.get("method") == "window/logMessage"]
    assert [one for one in logged if "changed meanwhile" in one] == []


def test_a_question_about_an_older_text_is_given_up(panel: Wire) -> None:
    panel.open(LONG)
    start(panel, 901, "seepage/measure", measure="I(s[1]; o)")

    panel.change(TEXT, 2)

    assert panel.answer(901)["error"]["code"] == -32801
    assert ask(panel, "seepage/measure", measure="H(r)")["version"] == 2


def test_questions_leave_the_analysis_of_the_document_alone(panel: Wire) -> None:
    panel.open(LONG)
    state(panel, "computing")

    assert ask(panel, "seepage/measure", measure="H(s[1])")["result"]["certainty"] == "exact"
    assert ask(panel, "seepage/results")["state"] == "computing"
    assert panel.result("workspace/executeCommand", {"command": "seepage.cancel", "arguments": [URI]}) is True
    assert panel.result("workspace/executeCommand", {"command": "seepage.cancel", "arguments": [URI]}) is False
    assert ask(panel, "seepage/results")["message"] == "the analysis was cancelled"


def test_commands_answer_as_the_requests_do(panel: Wire) -> None:
    panel.open(TEXT)
    asked = {"textDocument": {"uri": URI}, "measure": "H(o)"}
    eps = {"parameter": "eps", "low": "1", "high": "2", "points": 3}

    def command(name: str, *arguments: Any) -> Any:
        return panel.request("workspace/executeCommand", {"command": name, "arguments": list(arguments)})

    assert command("seepage.measure", asked)["result"]["result"]["value"] == 1
    assert "sections" in command("seepage.explain", asked)["result"]
    assert len(command("seepage.plotData", {**asked, "over": [eps]})["result"]["points"]) == 3
    for name in ("seepage.measure", "seepage.explain", "seepage.plotData", "seepage.cancel", "seepage.analyze"):
        assert command(name)["error"]["code"] == -32602
        assert command(name, 3)["error"]["code"] == -32602


def test_the_server_tells_how_it_is(fresh: Wire) -> None:
    fresh.open(TEXT)
    state(fresh, "current")
    fresh.wait_for(lambda: statuses(fresh)[-1]["quiescent"])

    assert statuses(fresh)[0] == {"health": "ok", "quiescent": True, "message": None}
    assert {"health": "ok", "quiescent": False, "message": None} in statuses(fresh)


def test_an_answer_without_time_is_told_as_timed_out_until_the_text_changes() -> None:
    """The analysis comes from another process, in which rules are other objects."""
    text = "secret r\noutput r\nr ~ flip(1/4)\nshow H(r)\nrequire H(r) <= 1 bits\n"
    questions = [Span(text.index(each), text.index(each) + len(each)) for each in text.splitlines()[-2:]]
    late = [Diagnostic(TIME_LIMIT, span, "time limit reached") for span in questions]
    answers = [
        Answer("show", questions[0], "H(r)", None, None, late[0]),
        Answer("require", questions[1], "H(r) <= 1 bits", None, "cannot tell", late[1]),
    ]
    workers = FakeWorkers()
    with wired(workers) as wire:
        wire.initialize({"initializationOptions": {"panel": True, "timeLimit": 7}})
        wire.open(text)
        wire.wait_for(lambda: workers.running)
        workers.finish(pickle.loads(pickle.dumps(analysis(*late, answers=answers))))
        state(wire, "current")
        wire.wait_for(lambda: statuses(wire)[-1]["quiescent"])
        known = ask(wire, "seepage/results")

        assert [one["status"] for one in known["answers"]] == ["timed out", "timed out"]
        assert known["message"] == "the time limit of 7 s was reached before all was computed"
        assert statuses(wire)[-1] == {"health": "warning", "quiescent": True, "message": known["message"]}
        assert wire.lenses()[2:] == ["timed out after 7 s", "cannot tell · timed out after 7 s"]
        wire.change("secret r\n", 2)
        wire.wait_for(lambda: statuses(wire)[-1]["health"] == "ok")


def statuses(wire: Wire) -> list[Any]:
    return [one["params"] for one in wire.received if one.get("method") == "seepage/serverStatus"]


def test_clients_without_the_flags_are_told_nothing() -> None:
    with wired() as wire:
        wire.initialize()
        wire.open("")
        wire.settle()
        assert not [method for method in wire.methods() if method.startswith("seepage/")]
