"""A user who does anything in any order, with the whole server between: the texts stay equal, and no number is shown that is not of
the text and the settings in force, unless it is marked as such.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.server.editor_text import ENCODINGS, area, changed, position
from tests.server.modelled_analysis import QUESTION, number
from tests.server.wire import Message, Wire, wired

from seepage_lsp.worker import Workers

DEEP = os.environ.get("SEEPAGE_DEEP") == "1"
STEPS, SEEDS = (600, 40) if DEEP else (70, 1)
CLIENT = Path(__file__).parent / "clients" / "vscode-1.139.1.json"
TEXT = f"/// 漢字 👩‍👩‍👧 é\nsecret r\noutput o\nr ~ flip(1/1009) // 😀\n/* e\u0301𝒳 */ o := r\n{QUESTION}\n"
SHOWN = re.compile(r"(?<![\d.])(\d+) (bits?|nats?)\b")
MARKS = ("stale", "⟳", "computing", "cancelled", "failed", "timed out", "no result", "edited")
LETTERS = ["a", " ", "漢", "😀", "e\u0301", "𝒳", "\t", "👩‍👩‍👧", "\u2028", "é"]


@dataclass
class Tab:
    """What the editor has of a document: its text, version, and every version since it was opened."""

    text: str
    version: int = 1
    history: dict[int, str] = field(default_factory=dict)
    told: int = 0


@dataclass
class User:
    """Does one thing after the other and looks at what is shown."""

    wire: Wire
    encoding: str
    chance: random.Random
    unit: str = "bits"
    units: set[str] = field(default_factory=lambda: {"bits"})
    tabs: dict[str, Tab] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    read: int = 0

    def step(self) -> None:
        """Do something, then look at everything that arrived."""
        closed = [uri for uri in URIS if uri not in self.tabs]
        actions: list[tuple[int, Callable[[str], None]]] = [
            (30, self.edit), (12, self.renumber), (6, self.spoil), (14, self.save), (10, self.hover), (10, self.lenses),
            (4, self.close), (4, self.ask_and_cancel), (4, self.kill), (4, self.switch_unit), (4, self.undo), (6, self.wait),
            (3, self.reopen), (3, self.malformed),
        ]  # fmt: skip
        if closed and (not self.tabs or self.chance.random() < 0.3):
            self.open(self.chance.choice(closed))
        elif self.tabs:
            action = self.chance.choices([action for _, action in actions], [weight for weight, _ in actions])[0]
            self.done.append(action.__name__)
            action(self.chance.choice(sorted(self.tabs)))
        self.look()

    # --- actions ------------------------------------------------------------------------------------------------------

    def open(self, uri: str) -> None:
        self.done.append("open")
        tab = self.tabs[uri] = Tab(TEXT)
        tab.history[1] = TEXT
        self.wire.open(TEXT, uri)

    def reopen(self, uri: str) -> None:
        del self.tabs[uri]
        self.open(uri)

    def change(self, uri: str, *changes: Message) -> None:
        tab = self.tabs[uri]
        tab.text = changed(tab.text, changes, self.encoding)
        tab.version += self.chance.choice((1, 1, 5))
        tab.history[tab.version] = tab.text
        identifier = {"uri": uri, "version": tab.version}
        self.wire.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": list(changes)})

    def edit(self, uri: str) -> None:
        text, changes = self.tabs[uri].text, []
        for _ in range(self.chance.randint(1, 3)):
            # Inside of the first comment, of which the analysis knows nothing.
            end = text.index("secret r") - 1
            first, last = sorted(self.chance.choices(range(4, end + 1), k=2))
            new = "".join(self.chance.choices(LETTERS, k=self.chance.randint(0, 4)))
            changes.append({"range": area(text, first, last, self.encoding), "text": new})
            text = changed(text, changes[-1:], self.encoding)
        self.change(uri, *changes)

    def renumber(self, uri: str) -> None:
        text = self.tabs[uri].text
        found = re.search(r"\d+(?=/1009)", text)
        if found is None:
            self.change(uri, {"text": TEXT})
        else:
            new = str(self.chance.randint(2, 1008))
            self.change(uri, {"range": area(text, *found.span(), self.encoding), "text": new})

    def spoil(self, uri: str) -> None:
        spoiled = self.chance.choice(["o := r", "r ~ flip"])
        text = self.tabs[uri].text
        self.change(uri, {"text": text.replace(spoiled, spoiled + " (", 1) if self.chance.random() < 0.5 else TEXT})

    def undo(self, uri: str) -> None:
        self.change(uri, {"text": self.chance.choice(list(self.tabs[uri].history.values()))})

    def save(self, uri: str) -> None:
        slow = f"// slow {self.chance.choice([0, 0, 20, 200])}\n"
        text = re.sub(r"// slow \d+\n", "", self.tabs[uri].text)
        self.change(uri, {"text": text + slow})
        self.wire.save(uri)

    def close(self, uri: str) -> None:
        del self.tabs[uri]
        self.wire.shut(uri)
        self.wire.settle()
        assert self.wire.result("textDocument/codeLens", {"textDocument": {"uri": uri}}) == []

    def kill(self, uri: str) -> None:
        for process in list(self.wire.server.scheduler.workers._all):
            # A process that has just ended by itself may not be known as ended yet.
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)

    def switch_unit(self, uri: str) -> None:
        self.unit = "nats" if self.unit == "bits" else "bits"
        self.units.add(self.unit)
        self.wire.notify("workspace/didChangeConfiguration", {"settings": {"seepage": {"unit": self.unit}}})

    def ask_and_cancel(self, uri: str) -> None:
        name = f"command {len(self.asked)}"
        params = {"command": "seepage.analyze", "arguments": [uri]}
        self.asked.append(name)
        self.wire.send({"id": name, "method": "workspace/executeCommand", "params": params})
        if self.chance.random() < 0.7:
            self.wire.notify("$/cancelRequest", {"id": name})

    def malformed(self, uri: str) -> None:
        self.wire.send_bodies(self.chance.choice([b"{", b"[]", b'{"method": 3}', b'{"jsonrpc": "2.0", "method": "x"}']))
        self.wire.notify("textDocument/didChange", {"textDocument": {"uri": uri}, "contentChanges": 3})

    def wait(self, uri: str) -> None:
        """Wait until what is computed has ended."""
        self.wire.settle()
        self.wire.wait_for(lambda: not self.wire.server.scheduler._running, 60)

    # --- looks --------------------------------------------------------------------------------------------------------

    def hover(self, uri: str) -> None:
        text = self.tabs[uri].text
        at = position(text, text.index("secret r") + 7, self.encoding)
        answer = self.wire.result("textDocument/hover", {"textDocument": {"uri": uri}, "position": at})
        if answer is not None:
            self.numbers_are_of(answer["contents"]["value"], uri)

    def lenses(self, uri: str) -> None:
        for lens in self.wire.result("textDocument/codeLens", {"textDocument": {"uri": uri}}):
            shown = lens if "command" in lens else self.wire.result("codeLens/resolve", lens)
            self.numbers_are_of(shown["command"]["title"], uri)

    def numbers_are_of(self, shown: str, uri: str) -> None:
        """Every number is the present one, unless it is said to be of something else."""
        if any(mark in shown for mark in MARKS):
            return
        for value, unit in SHOWN.findall(shown):
            assert (int(value), unit[:3]) == (number(self.tabs[uri].text), self.unit[:3]), shown

    def look(self) -> None:
        """Check all messages that arrived since the last look, and that the texts are the same."""
        self.wire.settle()
        for message in self.wire.received[self.read :]:
            if message.get("method") == "textDocument/publishDiagnostics":
                self.published(message["params"])
            elif "method" in message and "id" in message:
                self.wire.send({"id": message["id"], "result": None})
            elif message.get("method") == "window/logMessage":
                assert message["params"]["type"] > 1 or "the analysis of" in message["params"]["message"], message
            assert message.get("method") != "window/showMessage", message
        self.read = len(self.wire.received)
        for uri, tab in self.tabs.items():
            document = self.wire.server.documents.get(uri)
            assert document is not None
            assert document.lines.text == tab.text
            assert document.version == tab.version
        assert len(self.wire.server.scheduler.workers._all) <= 4

    def published(self, params: Message) -> None:
        tab = self.tabs.get(params["uri"])
        if tab is None:
            return
        if "version" not in params or params["version"] not in tab.history:
            return  # of the document that was open before
        version = params["version"]
        text = tab.history[version]
        for found in params["diagnostics"]:
            for value, unit in re.findall(r"the number is (\d+) (\w+)", found["message"]):
                older = {number(one) for one in tab.history.values()} if MARK in found["message"] else set()
                assert int(value) in {number(text), *older} or version == 1, (params, text)
                assert unit in self.units
                assert changed(text, [], self.encoding)[slice(*span_of(text, found, self.encoding))] == QUESTION


def span_of(text: str, found: Message, encoding: str) -> tuple[int, int]:
    from tests.server.editor_text import span

    return span(text, found["range"], encoding)


MARK = "(as of the last analysis, before this change)"
URIS = ["file:///a.seep", "untitled:Untitled-1", "vscode-vfs://github/o/r/%E6%BC%A2.seep"]


def client(encoding: str) -> dict[str, Any]:
    """A client that can do everything, but gets findings pushed and sends its settings."""
    params: Message = json.loads(CLIENT.read_text(encoding="utf-8"))
    capabilities = params["capabilities"]
    capabilities["general"]["positionEncodings"] = [encoding]
    del capabilities["textDocument"]["diagnostic"]
    capabilities["workspace"]["configuration"] = False
    return params | {"processId": None}


@pytest.mark.conforms(16, 23, 29, 31, 33)
@pytest.mark.family(every=3)
@pytest.mark.timeout(3_600 if DEEP else 120)
@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_whatever_a_user_does_texts_stay_equal_and_numbers_are_of_their_text(encoding: str, seed: int) -> None:
    with wired(Workers("tests.server.modelled_analysis:analyze")) as wire:
        wire.initialize(client(encoding))
        user = User(wire, encoding, random.Random(f"{encoding} {seed}"))
        try:
            for _ in range(STEPS):
                user.step()
            for name in user.asked:
                wire.answer(name)
            for uri in user.tabs:  # in the end everything is told
                user.change(uri, {"text": TEXT.replace("flip(1/", "flip(77/")})
                wire.save(uri)
                user.wait(uri)
                user.look()
                titles = [
                    (one if "command" in one else wire.result("codeLens/resolve", one))["command"]["title"]
                    for one in wire.result("textDocument/codeLens", {"textDocument": {"uri": uri}})
                ]
                assert any(title.startswith(f"77 {user.unit}") for title in titles), titles
        except BaseException:
            print("steps:", " ".join(user.done))
            raise
        answered = [one["id"] for one in wire.received if "method" not in one and one.get("id") is not None]
        assert len(answered) == len(set(answered))
        assert wire.exit_code is None
