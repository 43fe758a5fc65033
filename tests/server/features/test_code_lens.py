from __future__ import annotations

from dataclasses import replace

import pytest
from lsprotocol.types import CodeLens
from tests.server.snapshots import PLAIN, TEXT, URI, coin, name_after, place, snapshot

from seepage.pipeline import analyze
from seepage.semantics.check import check
from seepage.source import SourceFile
from seepage_lsp.client import Client
from seepage_lsp.features.code_lens import code_lenses
from seepage_lsp.positions import Encoding, Lines
from seepage_lsp.settings import Settings
from seepage_lsp.workspace import Snapshot, Status

LINES = Lines.of(TEXT, Encoding.UTF16)


def titles(seen: Snapshot) -> list[str]:
    return [title(lens) for lens in code_lenses(seen, PLAIN)]


def title(lens: CodeLens) -> str:
    assert lens.command is not None
    return lens.command.title


def test_bounds_and_verdicts_stand_on_secret_output_show_and_require() -> None:
    lenses = code_lenses(snapshot(analysis=coin()), PLAIN)

    assert [(lens.range, title(lens)) for lens in lenses] == [
        (LINES.range(name_after("secret", "r")), "1 bit leak · exact"),
        (LINES.range(name_after("output", "o")), "H = 0.75 bits · exact"),
        (place("show I(r; o)"), "1 bit · exact"),
        (place("require I(r; o) <= 1/2 bits"), "violated · 1 bit · exact"),
    ]


def test_a_secret_of_a_program_without_outputs_says_so() -> None:
    text = "secret s\ns ~ bernoulli(1/2)\nshow H(s)\n"
    analysed = analyze(check(SourceFile(URI, text)))

    assert titles(snapshot(text, analysed)) == ["no output declared", "1 bit · exact"]
    assert titles(snapshot(text)) == ["analyse", "analyse"]
    assert titles(snapshot(f"output s\n{text}", analysed, of=text))[1] == "analyse"


def test_each_field_of_a_secret_record_has_one_lens() -> None:
    text = "secret p\noutput o\np.a ~ flip(1/2)\np.b ~ flip(1/2)\no := p.a\nshow H(p)\n"
    analysed = analyze(check(SourceFile(URI, text)))

    of_fields = [one for one in titles(snapshot(text, analysed)) if one.startswith("p.")]
    assert of_fields == ["p.a: 1 bit leak · exact", "p.b: 0 bits leak · exact"]
    assert titles(snapshot(text)).count("analyse") == 3  # the secret, the output, the question


def test_lenses_move_with_the_text_and_say_that_they_are_stale() -> None:
    text = "\n\n" + TEXT

    lenses = code_lenses(snapshot(text, coin(), of=TEXT), PLAIN)

    assert lenses[0].range.start.line == 5
    assert [title(lens) for lens in lenses] == [
        "1 bit leak · exact · stale",
        "H = 0.75 bits · exact · stale",
        "1 bit · exact · stale",
        "violated · 1 bit · exact · stale",
    ]


def test_a_question_that_changed_has_no_number_of_the_old_one() -> None:
    text = TEXT.replace("show I(r; o)", "show H(r)")

    assert titles(snapshot(text, coin(), of=TEXT))[2] == "analyse"


@pytest.mark.conforms(33)
@pytest.mark.parametrize(
    ("status", "shown"),
    [
        (Status.COMPUTING, "⟳ computing"),
        (Status.TIMED_OUT, "timed out after 30 s"),
        (Status.FAILED, "failed"),
        (Status.CANCELLED, "cancelled"),
        (Status.IDLE, "analyse"),
    ],
)
def test_a_run_without_result_shows_no_number(status: Status, shown: str) -> None:
    assert titles(snapshot(status=status)) == [shown] * 4
    if status is not Status.IDLE:
        assert titles(snapshot(TEXT + "//", coin(), of=TEXT, status=status)) == [shown] * 4


def test_an_answer_that_is_missing_is_no_number() -> None:
    assert titles(snapshot(analysis=replace(coin(), answers=(), table=(), variables={}))) == ["no result"] * 4


def test_lenses_can_be_switched_off() -> None:
    assert code_lenses(snapshot(analysis=coin(), settings=Settings(code_lens=False)), PLAIN) == []


def test_a_lens_spans_one_line() -> None:
    text = TEXT.replace("show I(r; o)", "show I(r;\n  o)")

    lens = code_lenses(snapshot(text), PLAIN)[2]

    assert lens.range == place("show I(r;", text)


def test_the_command_of_a_lens_is_one_that_the_client_or_the_server_has() -> None:
    told = code_lenses(snapshot(analysis=coin()), PLAIN)[2].command
    clicked = code_lenses(snapshot(analysis=coin()), Client(commands=frozenset({"seepage.showResult"})))[2].command
    stale = code_lenses(snapshot(), PLAIN)[2].command

    assert told is not None
    assert (told.command, told.arguments) == ("seepage.analyze", [URI])
    assert clicked is not None
    assert (clicked.command, clicked.arguments) == ("seepage.showResult", [URI, place("show I(r; o)")])
    assert stale is not None
    assert (stale.command, stale.arguments) == ("seepage.analyze", [URI])


@pytest.mark.parametrize(
    "seen",
    [
        snapshot(analysis=coin()),
        snapshot(TEXT + "//", coin(), of=TEXT),
        snapshot(TEXT + "y := (\n", coin(), of=TEXT),
        *(snapshot(status=status) for status in Status),
    ],
)
def test_every_lens_of_a_client_without_commands_has_one_of_the_server(seen: Snapshot) -> None:
    commands = [lens.command for lens in code_lenses(seen, PLAIN)]

    assert [command and (command.command, command.arguments) for command in commands] == [
        ("seepage.analyze", [URI])
    ] * 4
