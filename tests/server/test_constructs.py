"""Each construct through a real server: hovers, calls, definitions, names, folds, colours and completion of one program that has them all.

The program names a module, so that its text is checked on a thread: completion is asked for right behind a key press, as editors do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from .raw_client import RawClient, raw_client

URI = "untitled:a"
TEXT = """enum colour { red, green }
import geometric_noise from "seep:mechanisms"
import "seep:mechanisms" as shelf
const steps = [1, 2, 3]
param p in (0, 1) = 1/3
secret s
output o
def doubled(value, more) {
  local ~ flip(1/2)
  observe value + local >= 0
  return value * 2 + more + local
}
s ~ uniform_int(0, 3)
w := 0
while w < 3 {
  step ~ flip(p)
  w := w + step
  if w == 2 { break }
} never {
  w := 9
}
repeat {
  t ~ flip(p)
} until t == 1
y ~ uniform_int(0, 3) given y >= s
person.age := 3
k := red
arr := [v * 2 for v in [1, 2, 3] if v > 1]
mat := [[1, 2], [3, 4]]
hit := s in {1, 4..6}
best := argmax(arr)
attacker guess in 0..3
d ~ doubled(s, 1)
g ~ geometric_noise(s, 1, 1)
o := d + y + hit + w + best
show I(s; o)
"""
HOVERS = {
    "enum": "names for values", "colour": "enumeration", "green": "member of `colour`", "import": "another file", "geometric_noise": "procedure",
    "shelf": "module", "steps": "const", "def": "a procedure", "doubled": "a law", "value, more": "argument of `doubled`",
    "local": "new for each call", "observe": "conditions this draw from `doubled` only", "return": "ends there", "while": "before each round",
    "never": "never ends", "break": "the innermost loop ends", "repeat": "until `b` holds", "until": "ends a `repeat`",
    "given": "conditions this draw only", "person": "a record", "age": "field of `person`", "red\narr": "the symbol", "v *": "for",
    "mat": "4 elements", "in {": "a set of values", "argmax": "the place of the largest", "attacker": "attacker", "doubled(s": "a law",
}  # fmt: skip
CALLS = {
    "doubled(s|": ("doubled(value, more)", 0), "doubled(s, |": ("doubled(value, more)", 1),
    "geometric_noise(s, |": ("geometric_noise(x, sensitivity, eps)", 1), "argmax(|": ("argmax(a)", 0),
}  # fmt: skip
COMPLETED = {
    "wh": "while", "rep": "repeat", "de": "def", "en": "enum", "imp": "import", "att": "attacker", "tab": "table",
    "x ~ dou": "doubled", "x ~ geom": "geometric_noise", "x ~ perm": "permutation", "x ~ shelf.": "rappor", "x := re": "red",
    "x := person.": "age", "x := colour.": "green", "x := argm": "argmax", "x ~ flip(1/2) gi": "given",
    "for i in 1..2 {\n  con": "continue", "for i in 1..2 {\n  br": "break", "def q(u) {\n  ret": "return", "repeat { x := 1 } un": "until",
    "while x < 1 { x := 1 } nev": "never",
    "repeat { x := 1 } until x == 1 nev": "never", "if s == 1 { w := 2 } el": "else",
}  # fmt: skip
RENAMED = {
    "doubled": 2, "value, more": 3, "local": 3, "colour": 1, "red": 2, "steps": 1, "p in": 3, "age": 1, "shelf": 1, "v *": 3, "arr": 2,
}  # fmt: skip


_COLOURS = {"requests": {"full": True}, "tokenTypes": [], "tokenModifiers": [], "formats": ["relative"]}


@dataclass
class Editor:
    """An editor with the program open."""

    client: RawClient
    asked: int = 10
    version: int = 1
    findings: list[Any] = field(default_factory=list)

    def ask(self, method: str, **more: object) -> Any:
        self.asked += 1
        answer = self.client.request(self.asked, f"textDocument/{method}", {"textDocument": {"uri": URI}} | more)
        assert "error" not in answer, answer
        return answer["result"]

    def type(self, text: str) -> None:
        self.version += 1
        document = {"uri": URI, "version": self.version}
        self.client.send(
            {
                "method": "textDocument/didChange",
                "params": {"textDocument": document, "contentChanges": [{"text": text}]},
            }
        )


def place(at: int, text: str = TEXT) -> dict[str, int]:
    return {"line": text.count("\n", 0, at), "character": at - (text.rfind("\n", 0, at) + 1)}


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    with raw_client("from seepage_lsp.__main__ import serve; serve()") as client:
        client.initialize(
            capabilities={"textDocument": {"hover": {"contentFormat": ["markdown"]}, "semanticTokens": _COLOURS}}
        )
        client.open(TEXT, URI)
        one = Editor(client)
        one.findings = client.wait(method="textDocument/publishDiagnostics")["params"]["diagnostics"]
        yield one


def test_each_construct_goes_through_the_whole_server(editor: Editor) -> None:
    assert {one["code"] for one in editor.findings} <= {"SEEP150"}  # what nothing reads
    for needle, said in HOVERS.items():
        found = editor.ask("hover", position=place(TEXT.index(needle)))
        assert found is not None, needle
        assert said in found["contents"]["value"], needle
    for marked, (label, active) in CALLS.items():
        at = TEXT.index(marked.replace("|", "")) + marked.index("|")
        help_ = editor.ask("signatureHelp", position=place(at))
        assert (help_["signatures"][0]["label"], help_["activeParameter"]) == (label, active), marked
    for needle, line in {"doubled(s": 7, "red\narr": 0, "break": None}.items():
        found = editor.ask("definition", position=place(TEXT.index(needle)))
        assert [one["range"]["start"]["line"] for one in found or []] == ([] if line is None else [line]), needle
    for needle, count in RENAMED.items():
        changes = editor.ask("rename", position=place(TEXT.index(needle)), newName="other")["changes"][URI]
        assert len(changes) == count, needle
    folds = {(one["startLine"], one["endLine"]) for one in editor.ask("foldingRange")}
    assert {(7, 11), (14, 18), (18, 20), (21, 23)} <= folds
    names = {one["name"] for one in editor.ask("documentSymbol")}
    assert {"colour", "red", "doubled", "steps", "person", "mat", "arr"} <= names
    assert len(editor.ask("semanticTokens/full")["data"]) > 5 * 60


def test_each_construct_is_completed_right_behind_a_key_press(editor: Editor) -> None:
    missing: list[str] = []
    for typed, wanted in COMPLETED.items():
        text = TEXT + typed
        editor.type(text)
        found = editor.ask("completion", position=place(len(text), text))
        if wanted not in {one["label"] for one in (found["items"] if isinstance(found, dict) else found)}:
            missing.append(typed)
    assert not missing
