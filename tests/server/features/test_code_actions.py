"""Changes that can be asked for: what they make of a text, of which kinds they are, and where they are not offered."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types
from tests.server.features.marked import analysed
from tests.server.snapshots import snapshot
from tests.server.wire import Wire

from seepage.pipeline import analyze, check
from seepage.source import SourceFile
from seepage_lsp.client import Client
from seepage_lsp.features.code_actions import code_actions
from seepage_lsp.features.rewriting import smallest_edit
from seepage_lsp.positions import Encoding, Lines
from seepage_lsp.settings import Settings
from seepage_lsp.workspace import Snapshot

ABLE = Client(code_actions=True)


def place_of(marked: str, encoding: Encoding = Encoding.UTF16) -> tuple[str, types.Range]:
    """Return a text without its marks: one ‸ for a cursor, two for a selection."""
    first, _, rest = marked.partition("‸")
    middle, two, last = rest.partition("‸")
    text = first + middle + last
    lines = Lines.of(text, encoding)
    end = len(first) + (len(middle) if two else 0)
    return text, types.Range(start=lines.position(len(first)), end=lines.position(end))


def offered(
    marked: str, *only: str, encoding: Encoding = Encoding.UTF16, seen: Snapshot | None = None, automatic: bool = False
) -> dict[str, str]:
    """Return the text that each action makes, by title."""
    text, where = place_of(marked, encoding)
    seen = seen or snapshot(text, encoding=encoding)
    made: dict[str, str] = {}
    for action in code_actions(seen, where, list(only) or None, ABLE, automatic=automatic):
        assert action.edit is not None
        assert action.edit.changes is not None
        (edits,) = action.edit.changes.values()
        made[action.title] = applied(text, list(edits), encoding)
    return made


def applied(text: str, edits: list[types.TextEdit], encoding: Encoding) -> str:
    lines = Lines.of(text, encoding)
    for edit in sorted(edits, key=lambda one: lines.offset(one.range.start), reverse=True):
        span = lines.span(edit.range)
        text = text[: span.start] + edit.new_text + text[span.end :]
    return text


# --- declarations -------------------------------------------------------------------------------------------------------

SCATTERED = """\
// A poll.
//
// Look for: nothing.

r ~ bernoulli(p)  // drawn
/// seen
output o  // by all
const n = 2

// hidden
secret r
o := r + n
/* 𝒳 */ param p = 1/2
show I(r; o)
"""
ORGANISED = """\
// A poll.
//
// Look for: nothing.

/* 𝒳 */ param p = 1/2
const n = 2

// hidden
secret r
/// seen
output o  // by all

r ~ bernoulli(p)  // drawn

o := r + n
show I(r; o)
"""


@pytest.mark.parametrize("encoding", list(Encoding))
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_declarations_are_brought_to_the_top_with_their_comments(encoding: Encoding, newline: str) -> None:
    marked = "‸" + SCATTERED.replace("\n", newline)

    made = offered(marked, "source.organizeDeclarations", encoding=encoding)

    assert made == {"organise declarations": ORGANISED.replace("\n", newline)}


def test_what_is_organised_stays() -> None:
    assert offered("‸" + ORGANISED, "source.organizeDeclarations") == {}


@pytest.mark.parametrize(
    "text",
    [
        "x := 1 /* of both */; secret x\n",
        "x := 1\nsecret x /* a\nb */ y := 2\n",
        "x := \nsecret x\n",
        "skip\n",
        "",
    ],
    ids=["a comment between", "comment goes on", "error", "none", "empty"],
)
def test_what_belongs_together_unclearly_is_left_alone(text: str) -> None:
    assert offered("‸" + text, "source.organizeDeclarations") == {}


def test_declarations_that_share_a_line_get_lines_of_their_own() -> None:
    text = "// about\n\nr ~ flip(p); secret r; output o // seen\no := r; param p = 1/2; if r { o := 1 }; show H(r)\n"

    assert offered("‸" + text, "source.organizeDeclarations") == {
        "organise declarations": "// about\n\nparam p = 1/2\n\nsecret r\noutput o // seen\n\n"
        "r ~ flip(p)\no := r\nif r { o := 1 }; show H(r)\n"
    }


LINES = st.sampled_from(
    (
        "param p = 1/2\n",
        "const n = 2\n",
        "/// of r\nsecret r\n",
        "output o // seen\n",
        "r ~ flip(1/2)\n",
        "o := r\n",
        "// alone\n",
        "\n",
        "if r { o := 1 }\n",
        "const k = 3; const l = 4\n",
        "z := 1; output z; param q = 1/3 // last\n",
        "/* a\nb */\n",
        "show H(r);\n",
        "/// of x\nx := 1\n",
    )
)


@given(st.lists(LINES, max_size=10, unique=True))
def test_organising_changes_no_meaning(lines: list[str]) -> None:
    text = "".join(lines)
    before = check(SourceFile("a", text))
    for made in offered("‸" + text, "source.organizeDeclarations").values():
        after = check(SourceFile("a", made))

        assert sorted(made.replace(";", " ").split()) == sorted(text.replace(";", " ").split())
        assert [one.name for one in after.symbols.secrets] == [one.name for one in before.symbols.secrets]
        assert {name: one.documentation for name, one in after.symbols.variables.items()} == {
            name: one.documentation for name, one in before.symbols.variables.items()
        }
        assert [answer.text for answer in analyze(after).answers] == [answer.text for answer in analyze(before).answers]
        assert offered("‸" + made, "source.organizeDeclarations") == {}


# --- constants ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "title", "made"),
    [
        ("x ~ normal(0, 2‸5)\n", "variance", "const variance = 25\nx ~ normal(0, variance)\n"),
        ("x ~ normal(0, ‸2 * 3‸)\n", "variance", "const variance = 2 * 3\nx ~ normal(0, variance)\n"),
        ("x ~ normal(std=‸2‸, mean=0)\n", "std", "const std = 2\nx ~ normal(std=std, mean=0)\n"),
        ("const n = 3\n\nx := n + ‸4‸\n", "value", "const n = 3\nconst value = 4\n\nx := n + value\n"),
        ("value := 1\n// why\nx := ‸ 4 ‸\n", "value_2", "value := 1\nconst value_2 = 4\n// why\nx :=  value_2 \n"),
        ("for i in 1..‸3‸ {\n    x := i\n}\n", "value", "const value = 3\nfor i in 1..value {\n    x := i\n}\n"),
        ("/* 𝒳 */ x := ‸4‸\r\n", "value", None),
        ("skip\r\nx := ‸4‸\r\n", "value", "skip\r\nconst value = 4\r\nx := value\r\n"),
    ],
)
def test_a_constant_is_extracted(marked: str, title: str, made: str | None) -> None:
    found = offered(marked, "refactor.extract")

    expected = {f"extract constant '{title}'": made} if made is not None else found
    assert found == expected
    assert found
    for text in found.values():
        assert not check(SourceFile("a", text)).has_errors


@pytest.mark.parametrize(
    "marked",
    [
        "const n = ‸3‸\n",
        "x := 1\ny := ‸x + 1‸\n",
        "param p = 1/2\nx ~ flip(‸1 - p‸)\n",
        "for i in 1..3 { x := ‸i + 1‸ }\n",
        "x := ‸1 / 0‸\n",
        "x := ‸1 +‸ 2\n",
        "‸x := 1\n",
        "// ‸3‸\n",
    ],
    ids=["constant", "variable", "parameter", "loop", "no value", "a part", "no number", "comment"],
)
def test_only_what_is_static_is_extracted(marked: str) -> None:
    assert offered(marked, "refactor.extract") == {}


# --- questions ------------------------------------------------------------------------------------------------------------

COIN = "secret r\noutput o\nr ~ flip(1/2)\nt ~ flip(1/4)\no := r xor t\n"


def test_a_measure_of_the_variable_at_the_cursor_is_shown() -> None:
    assert offered(COIN.replace("r ~", "‸r ~"), "refactor.add") == {
        "add 'show I(r; o)'": COIN + "show I(r; o)\n",
        "add 'show H(r)'": COIN + "show H(r)\n",
    }


def test_an_element_keeps_its_index() -> None:
    text = "‸r[1] ~ flip(1/2)\nshow H(r[1])\nshow E(r[1])"

    assert offered(text.replace("show H(r[1])\n", ""), "refactor.add") == {
        "add 'show H(r[1])'": "r[1] ~ flip(1/2)\nshow E(r[1])\nshow H(r[1])"
    }
    assert offered(text, "refactor.add") == {}


def test_the_measure_of_a_budget_is_shown() -> None:
    assert offered(COIN + "require‸ I(r; o) <= 1\n", "refactor.add") == {
        "add 'show I(r; o)'": COIN + "require I(r; o) <= 1\nshow I(r; o)\n"
    }


@pytest.mark.parametrize(
    ("measure", "budget"),
    [
        # 1 − h(1/4) = 0.18872…; H(r | o) = h(1/4) = 0.81127…; log₂ of (3/4)/(1/2) = 0.58496…
        ("I(r; o)", "I(r; o) <= 0.189 bits"),
        ("H(r | o)", "H(r | o) >= 0.811 bits"),
        ("Lmin(r -> o)", "Lmin(r -> o) <= 0.585 bits"),
        ("V(r | o)", "V(r | o) <= 0.75"),
        ("DP(r -> o)", "DP(r -> o) <= 1.1"),
        ("P(o)", "P(o) <= 0.5"),
        ("H(r)", "H(r) >= 1 bits"),
    ],
)
def test_a_budget_at_the_present_value_holds(measure: str, budget: str) -> None:
    text = COIN + f"show {measure}\nskip\n"
    made = offered(text.replace("show", "sh‸ow"), "refactor.add", seen=analysed(text))

    expected = COIN + f"show {measure}\nrequire {budget}\nskip\n"
    assert made == {f"add 'require {budget}', which holds now": expected}
    assert [one.verdict for one in analyze(check(SourceFile("a", expected))).answers if one.role == "require"] == [
        "holds"
    ]


def test_a_secret_gets_a_budget_for_what_leaks() -> None:
    made = offered(COIN.replace("secret r", "secret ‸r"), "refactor.add", seen=analysed(COIN))

    assert "add 'require I(r; o) <= 0.189 bits', which holds now" in made


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("x ~ normal(0, 1)\ny ~ normal(x, 1)\nz := x * y\nw := z * x * y\nsh‸ow H(w)\n", {}),
        ("x ~ normal(0, 1)\ny := x\nsh‸ow I(x; y)\n", {}),
        ("param p = 1/2\nx ~ flip(p)\nsh‸ow H(x)\n", {"settings": Settings(parameters={"p": "1/3"})}),
    ],
    ids=["approximate", "infinite", "other values"],
)
def test_no_budget_is_offered_that_would_not_hold(text: str, more: dict[str, Any]) -> None:
    plain = text.replace("‸", "")
    seen = snapshot(plain, analysed(plain).analysis, **more)

    assert offered(text, "refactor.add", seen=seen) == {}


def test_no_budget_is_offered_for_numbers_of_an_older_text() -> None:
    text = COIN + "show I(r; o)\n"
    seen = snapshot(text + "// edited\n", analysed(text).analysis, of=text)

    assert offered(text.replace("show", "sh‸ow") + "// edited\n", "refactor.add", seen=seen) == {}


# --- all fixes, kinds ---------------------------------------------------------------------------------------------------------

WRONG = "x = 1\r\n/* 𝒳 */ y = x\r\nshow H(y)\r\n"


def test_all_fixes_are_made_at_once() -> None:
    made = offered("‸" + WRONG, "source.fixAll")

    assert made == {"fix all 2 findings whose fix is beyond doubt": WRONG.replace(" = ", " := ")}


def test_nothing_is_offered_where_nothing_is_to_fix() -> None:
    assert offered("‸" + COIN, "source.fixAll") == {}


@pytest.mark.parametrize(
    ("only", "kinds"),
    [
        (["quickfix"], {"quickfix"}),
        (["source"], {"source.fixAll.seepage"}),
        (["source.fixAll"], {"source.fixAll.seepage"}),
        (["source.fixAll.seepage"], {"source.fixAll.seepage"}),
        (["source.fixAll.other"], set()),
        (["refactor"], {"refactor.add", "refactor.extract"}),
        (["refactor.inline", "refactor.extract"], {"refactor.extract"}),
        (["sour"], set()),
        ([""], {"quickfix", "source.fixAll.seepage", "refactor.add", "refactor.extract"}),
        (None, {"quickfix", "source.fixAll.seepage", "refactor.add", "refactor.extract"}),
    ],
)
def test_only_wanted_kinds_are_sent(only: list[str] | None, kinds: set[str]) -> None:
    text, where = place_of("x = 1‸\ny ~ flip(1/2)\n")
    cursor = types.Range(start=types.Position(0, 0), end=where.end)
    seen = snapshot(text)
    found = [*code_actions(seen, where, only, ABLE), *code_actions(seen, cursor, only, ABLE)]
    found += code_actions(seen, types.Range(start=types.Position(1, 0), end=types.Position(1, 0)), only, ABLE)

    assert {one.kind for one in found} == kinds


def test_an_editor_that_asks_by_itself_gets_nothing_of_the_whole_file() -> None:
    text, where = place_of("‸x = 1\n")

    found = code_actions(snapshot(text), where, None, ABLE, automatic=True)

    assert {one.kind for one in found} <= {"quickfix", "refactor.add", "refactor.extract"}
    assert code_actions(snapshot(text), where, ["source"], ABLE, automatic=True)


def test_kinds_are_told_and_honoured_over_the_wire(wire: Wire) -> None:
    literal = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source"]}}}
    told = wire.initialize({"capabilities": {"textDocument": {"codeAction": literal}}})["capabilities"]
    wire.open("x = 1\n")
    where = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 5}}
    asked = {
        "textDocument": {"uri": "file:///a.seep"},
        "range": where,
        "context": {"diagnostics": [], "only": ["source"]},
    }

    found = wire.result("textDocument/codeAction", asked)

    assert "source.organizeDeclarations" in told["codeActionProvider"]["codeActionKinds"]
    assert [one["kind"] for one in found] == ["source.fixAll.seepage"]


@given(st.text("a\r\n", max_size=8), st.text("a\r\n", max_size=8))
def test_the_smallest_edit_makes_the_text(before: str, after: str) -> None:
    edit = smallest_edit(before, after)

    assert before[: edit.span.start] + edit.replacement + before[edit.span.end :] == after
    for at in (edit.span.start, edit.span.end):
        assert before[max(at - 1, 0) : at + 1] != "\r\n"


# --- preferred ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "preferred"),
    [
        ("x = 3  // why\n", True),
        ("x : = 3  // why\n", True),
        ("x :/* why */= 3\n", False),  # the fix joins the sign, and the comment would be gone
    ],
)
def test_a_fix_that_would_lose_a_comment_is_offered_but_not_preferred(text: str, preferred: bool) -> None:
    seen, (_, where) = snapshot(text), place_of("‸" + text.replace("\n", "‸\n"))

    (action,) = code_actions(seen, where, [types.CodeActionKind.QuickFix], ABLE)

    assert action.title == "write ':='"
    assert bool(action.is_preferred) is preferred
