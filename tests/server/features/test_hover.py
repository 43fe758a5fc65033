from __future__ import annotations

from dataclasses import replace

import pytest
from lsprotocol.types import MarkupContent, MarkupKind, Position
from tests.server.snapshots import TEXT, VSCODE, at, coin, snapshot

from seepage_lsp.client import Client
from seepage_lsp.features.diagnostics import diagnostics, findings
from seepage_lsp.features.hover import LONGEST_HOVER, hover
from seepage_lsp.positions import Encoding
from seepage_lsp.settings import Settings
from seepage_lsp.workspace import Snapshot, Status


def text_at(position: Position, seen: Snapshot | None = None, client: Client = VSCODE) -> str:
    """Return the text of a hover, empty if there is none."""
    found = hover(seen or snapshot(analysis=coin()), position, client)
    if found is None:
        return ""
    assert isinstance(found.contents, MarkupContent)
    return found.contents.value


def test_a_variable_shows_number_certainty_and_formula() -> None:
    shown = text_at(at("r ~"))

    assert shown.startswith("**r** · secret · boolean")
    assert "`H(r)` = 1 bit · exact" in shown
    assert "-p*log2(p) - (1 - p)*log2(1 - p)" in shown


@pytest.mark.parametrize("encoding", list(Encoding))
def test_the_range_of_a_hover_counts_units_of_the_agreed_encoding(encoding: Encoding) -> None:
    found = hover(snapshot(analysis=coin(), encoding=encoding), at("r ~", encoding=encoding), VSCODE)

    assert found is not None
    assert found.range is not None
    assert found.range.start.line == 5
    assert found.range.start.character == {Encoding.UTF8: 11, Encoding.UTF16: 9, Encoding.UTF32: 8}[encoding]


def test_a_parameter_shows_domain_default_and_documentation() -> None:
    shown = text_at(at("p in"))

    assert shown == "**p** · param · in `[0, 1]` · default `1/2`\n\n---\n\n*documentation in the program*\\\na coin"


def test_a_parameter_that_the_settings_change_says_so() -> None:
    seen = snapshot(settings=Settings(parameters={"p": "1/3"}))

    assert "numbers are shown at `1/3`, from the settings" in text_at(at("p in"), seen)


def test_a_constant_shows_its_value() -> None:
    assert text_at(at("n = 2")) == "**n** · const · `2`"


def test_a_show_and_a_require_show_their_answers() -> None:
    assert "`I(r; o)` = 1 bit · exact" in text_at(at("show"))
    assert "**violated**" in text_at(at("require"))


def test_words_of_the_language_are_explained() -> None:
    assert text_at(at("bernoulli")).startswith("`bernoulli(p)`")
    assert text_at(at("secret")).startswith("`secret x")


def test_nothing_is_shown_in_blank_space() -> None:
    seen = snapshot("\n\nx := 1\n")

    assert hover(seen, Position(line=0, character=0), VSCODE) is None
    assert hover(seen, Position(line=9, character=9), VSCODE) is None


def test_words_in_comments_are_not_explained() -> None:
    text = "x := 1 // secret\n"

    assert hover(snapshot(text), at("cret", text), VSCODE) is None


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (Status.IDLE, "_stale: the numbers are those of an older text_"),
        (Status.COMPUTING, "_⟳ computing; stale: the numbers are those of an older text_"),
        (Status.TIMED_OUT, "_timed out; stale: the numbers are those of an older text_"),
        (Status.FAILED, "_failed; stale: the numbers are those of an older text_"),
    ],
)
def test_numbers_of_an_older_text_are_marked(status: Status, said: str) -> None:
    text = TEXT + "// edited"
    seen = snapshot(text, coin(), of=TEXT, status=status)

    shown = text_at(at("r ~", text), seen)

    assert "`H(r)` = 1 bit" in shown
    assert shown.endswith(said)


@pytest.mark.parametrize(("status", "said"), [(Status.COMPUTING, "_⟳ computing_"), (Status.TIMED_OUT, "_timed out_")])
@pytest.mark.parametrize("place", ["r ~", "show"])
def test_what_has_no_number_yet_says_how_the_analysis_stands(place: str, status: Status, said: str) -> None:
    partial = replace(coin(), answers=(), variables={})

    shown = text_at(at(place), snapshot(analysis=partial, status=status))

    assert said in shown


def test_numbers_of_this_text_carry_no_mark() -> None:
    assert "stale" not in text_at(at("r ~"))


def test_other_settings_make_numbers_stale() -> None:
    seen = snapshot(analysis=coin())
    changed = Snapshot(**{name: getattr(seen, name) for name in seen.__slots__} | {"settings": Settings(unit="nats")})

    assert "stale" in text_at(at("r ~"), changed)


def test_without_an_analysis_kind_and_documentation_are_shown() -> None:
    assert text_at(at("r ~"), snapshot()) == "**r** · secret · boolean · ~ `bernoulli(p)`"
    assert text_at(at("r ~"), snapshot(status=Status.COMPUTING)).endswith("_⟳ computing_")


def test_no_number_is_shown_for_a_text_that_is_too_long() -> None:
    seen = snapshot(analysis=coin())
    unchecked = Snapshot(**{name: getattr(seen, name) for name in seen.__slots__} | {"checked": None})

    assert hover(unchecked, at("r ~"), VSCODE) is None


@pytest.mark.conforms(38)
def test_plain_text_is_sent_where_markdown_is_not_read() -> None:
    found = hover(snapshot(analysis=coin()), at("r ~"), Client())

    assert found is not None
    assert isinstance(found.contents, MarkupContent)
    assert found.contents.kind is MarkupKind.PlainText
    assert found.contents.value.startswith("r · secret · boolean · ~ bernoulli(p)\n\n- H(r) = 1 bit · exact")
    assert "-p*log2(p)" in found.contents.value
    assert "**" not in found.contents.value
    assert "`" not in found.contents.value


HOSTILE = """/// ![x](https://e.example/beacon.png) <img src=x>
/// **r** leaks **0 bits · exact**
/// ```
/// <!--
secret r
output o
r ~ flip(1/2)
o := r
"""


def test_a_hostile_comment_stands_behind_the_numbers_as_text() -> None:
    shown = text_at(at("r ~", HOSTILE), snapshot(HOSTILE))
    numbers, _, comment = shown.partition("\n\n---\n\n*documentation in the program*\\\n")

    assert numbers.startswith("**r** · secret")
    assert "0 bits" not in numbers
    assert comment.split("\\\n") == [
        r"\!\[x\]\(<https://e.example/beacon.png>\) \<img src\=x\>",
        r"\*\*r\*\* leaks \*\*0 bits · exact\*\*",
        r"\`\`\`",
        r"\<\!\-\-",
    ]
    found = hover(snapshot(HOSTILE), at("r ~", HOSTILE), Client())
    assert found is not None
    assert isinstance(found.contents, MarkupContent)
    assert found.contents.value.endswith("\n**r** leaks **0 bits · exact**\n```\n<!--")


def test_a_hover_is_shorter_than_editors_cut() -> None:
    text = "/// " + "long " * 30_000 + "\nx := 1\n"

    assert len(text_at(at("x :=", text), snapshot(text))) < LONGEST_HOVER + 10


def test_how_a_condition_is_read_is_told_in_the_hover_and_nowhere_else() -> None:
    text = "x ~ uniform_int(1, 6)\nbig_one := x > 3\nshow H(x | big_one)\n"
    seen = snapshot(text)
    place = Position(2, text.splitlines()[2].index("big_one"))

    assert r"'big\_one' is read as a variable" in text_at(place, seen)
    assert diagnostics(seen, VSCODE) == []
    assert [one.rule.code for one in findings(seen)] == ["SEEP514"]  # its fixes stay in the menu
