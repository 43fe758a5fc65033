"""What the server shows of texts beyond the core of the language."""

from __future__ import annotations

import pytest
from lsprotocol import types
from tests.server.features.marked import said, unmarked
from tests.server.snapshots import VSCODE, snapshot

from seepage_lsp.client import Client
from seepage_lsp.features.completion import completion
from seepage_lsp.features.inlay_hints import inlay_hints
from seepage_lsp.features.signature_help import signature_help

SNIPPETS = Client(snippets=True, completion_markdown=True)
PROGRAM = """\
enum colour { red, green }
const w = [1, 2, 3]
secret p
output o
/// adds noise
def noisy(x, k) {
    n ~ uniform_int(-1, 1) given x + n >= 0
    observe n < k
    return x + n
}
def twice(x) { return 2 * x }
p.age ~ weights(w)
p.tint ~ uniform_of(colour)
a ~ noisy(p.age, 1)
o := twice(a) + sum(v for v in [1, 2])
show I(p; o)
show P(p.tint == red)
"""


def shown(marked: str) -> str:
    return said(PROGRAM.replace(marked.replace("‸", ""), marked, 1))


@pytest.mark.parametrize(
    ("where", "words"),
    [
        (
            "~ ‸noisy(",
            [
                "procedure · `noisy(x, k)`",
                "returns `x + n`",
                "`y ~ noisy(x, k)` draws",
                "each draw from it",
                "adds noise",
            ],
        ),
        ("def ‸twice", ["a function: `y := twice(x)`"]),
        ("return x + ‸n", ["**n** · variable of `noisy`"]),
        ("noisy(‸x, k) {", ["**x** · argument of `noisy`"]),
        ("‸observe n", ["conditions this draw from `noisy` only", "no belief about its arguments moves"]),
        ("‸~ uniform_int(-1", ["`n` **~** `uniform_int(-1, 1)` **given** `x + n >= 0`", "conditions this draw only"]),
        ("enum ‸colour", ["enumeration of `red`, `green`"]),
        ("tint == ‸red", ["member of `colour`", '`"red"`']),
        ("‸p.age ~", ["secret", "a record with the fields `age`, `tint`"]),
        ("p.‸age ~", ["field of `p`", "`H(p.age)`"]),
        ("weights(‸w", ["const · `w = [1, 2, 3]`"]),
        ("sum(‸v", ["`for v in [1, 2]"]),
        ("‸sum(v", ["`sum(a)`: the sum of all values"]),
        ("~ ‸weights", ["index `i` of the array `w`"]),
        ("‸given x", ["conditions this draw only"]),
        ("‸return x + n", ["the results of a procedure"]),
    ],
)
def test_hovers_say_what_names_and_statements_are(where: str, words: list[str]) -> None:
    found = shown(where)

    assert [one for one in words if one not in found] == [], found


def test_a_procedure_is_completed_with_its_arguments() -> None:
    text, position = unmarked(PROGRAM.replace("a ~ noisy(p.age, 1)", "a ~ ‸"))
    found = {one.label: one for one in completion(snapshot(text), position, SNIPPETS)}

    assert found["noisy"].insert_text == "noisy(${1:x}, ${2:k})"
    assert found["noisy"].kind is types.CompletionItemKind.Function
    assert found["weights"].insert_text == "weights(${1:w})"
    assert "twice" not in found


def test_fields_and_members_are_completed_behind_a_point() -> None:
    for after, wanted in (("p.‸", ["age", "tint"]), ("colour.‸", ["red", "green"])):
        text, position = unmarked(PROGRAM.replace("o := twice(a)", f"o := {after}"))
        assert [one.label for one in completion(snapshot(text), position, VSCODE)] == wanted


def test_the_signature_of_a_procedure_is_shown_with_the_argument_at_hand() -> None:
    text, position = unmarked(PROGRAM.replace("a ~ noisy(p.age, 1)", "a ~ noisy(p.age, ‸"))
    found = signature_help(snapshot(text), position, VSCODE)

    assert found is not None
    assert (found.signatures[0].label, found.active_parameter) == ("noisy(x, k)", 1)
    assert "adds noise" in str(found.signatures[0].documentation)


def test_hints_name_the_arguments_of_procedures_and_stand_where_laws_are_written() -> None:
    seen = snapshot(PROGRAM)
    whole = types.Range(start=types.Position(0, 0), end=types.Position(99, 0))
    found = [(one.position.line, one.label) for one in inlay_hints(seen, whole, VSCODE) if one.kind is not None]

    assert found == [(13, "x:"), (13, "k:")]
