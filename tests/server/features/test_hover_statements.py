"""What is shown on ``observe``, ``if``, ``~``, ``for``, parameters and words: after real analyses of small programs."""

from __future__ import annotations

import base64
import re
import xml.etree.ElementTree as ET

import pytest
from lsprotocol.types import MarkupContent
from tests.server.features.marked import analysed, hovered, said, unmarked
from tests.server.snapshots import PLAIN, VSCODE, snapshot

from seepage_lsp.client import Client
from seepage_lsp.features.hover import hover
from seepage_lsp.positions import Encoding

DICE = "x ~ uniform_int(1, 6)\ny ~ uniform_int(1, 6)\n"
LOOP = "o := 0\nfor i in 1..3 {\n    x[i] ~ bernoulli(i / 4)\n    if‸ x[i] { o := o + 1 }\n}\nshow H(o)\n"


# --- observe ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "marked", [DICE + "obs‸erve x + y == 7\nshow H(x)\n", DICE + "observe x + y =‸= 7\nshow H(x)\n"]
)
def test_an_observation_shows_how_likely_it_passes(marked: str) -> None:
    assert said(marked) == "**observe** `x + y == 7`\n\npasses with probability 0.167 (1/6) · exact"


def test_an_observation_shows_a_formula_where_it_is_short() -> None:
    marked = "param p in [0, 1] = 1/4\nx ~ flip(p)\nobserve‸ x\ny ~ flip(1/2)\nshow H(y)\n"

    assert "passes with probability 0.25 = `p`" in said(marked)


def test_an_equality_of_continuous_values_weighs_runs() -> None:
    shown = said("x ~ normal(0, 1)\ny ~ normal(x, 1)\nobserve‸ y == 1\nshow H(x)\n")

    assert "runs are weighed by its density" in shown
    assert shown.endswith("_exact: Gaussian mixtures stay Gaussian mixtures_")


def test_what_is_not_exact_says_why() -> None:
    shown = said("x ~ normal(0, 1)\nobserve‸ x > 1\nshow E(x)\n")

    assert "passes with probability 0.159" in shown
    assert "_not exact for Gaussian mixtures: " in shown
    assert "(SEEP304)" in shown


def test_without_an_analysis_only_the_condition_is_shown() -> None:
    assert said(DICE + "obs‸erve x == y\n", analysis=False) == "**observe** `x == y`"


def test_an_observation_that_never_passes_shows_no_probability() -> None:
    assert said(DICE + "obs‸erve x == 7\nshow H(x)\n") == "**observe** `x == 7`"


# --- if ---------------------------------------------------------------------------------------------------------------

CHAIN = DICE + "i‸f x == 1 { z := 1 } else if x == 2 { z := 2 } else { z := 3 }\nshow H(z)\n"


@pytest.mark.parametrize(
    "place",
    ["if x == 1", "x == 1 {", "else if", "if x == 2", "else {"],
    ids=["if", "condition", "else if", "2nd", "else"],
)
def test_each_word_of_a_chain_shows_all_branches(place: str) -> None:
    text = CHAIN.replace("‸", "")
    at = text.index(place) + (place == "x == 1 {") * 2

    assert said(text[:at] + "‸" + text[at:]) == (
        "**if**: of the runs that get here\n\n"
        "- `x == 1`: 0.167 (1/6) · exact\n- `x == 2`: 0.167 (1/6) · exact\n- otherwise: 0.667 (2/3) · exact"
    )


def test_a_branch_in_a_loop_shows_all_times_together() -> None:
    assert "- `x[i]`: 0.25 to 0.75 over 3 iterations · exact" in said(LOOP)


def test_a_branch_on_a_continuous_value_says_that_it_is_not_exact() -> None:
    shown = said("x ~ normal(0, 1)\ni‸f x > 0 { y := 1 } else { y := 0 }\nshow H(y)\n")

    assert "- `x > 0`: 0.5" in shown
    assert "_not exact for Gaussian mixtures: " in shown


def test_the_conditional_expression_is_no_statement() -> None:
    assert said("x ~ flip(1/2)\ny := i‸f x then 1 else 2\n").startswith("`if ")


ROUNDS = "x ~ flip(1/2)\nn := 0\nwhile x == 0 { x ~ flip(1/3); n := n + 1 }\nrepeat { y ~ uniform_int(1, 6) } until y == 6\nshow E(n + y)\n"


@pytest.mark.parametrize(
    ("place", "beginning"),
    [("hile x", "`while b { … }`: the block again and again"), ("epeat", "`repeat { … } until b`: the block, again")],
)
def test_a_loop_that_ends_by_chance_is_no_branch(place: str, beginning: str) -> None:
    # Of the first round the condition holds with 1/2, of each later one with 2/3: no such number is told of "each iteration".
    shown = said(ROUNDS.replace(place, "‸" + place))

    assert shown.startswith(beginning)
    assert "iterations" not in shown
    assert "0.5" not in shown


def test_the_condition_of_a_loop_that_ends_by_chance_has_no_probability() -> None:
    assert said(ROUNDS.replace("x == 0", "x =‸= 0")) == ""


# --- for and ~ ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marked", "shown"),
    [
        ("const n = 4\nf‸or i in 1..n { x := i }\n", "**for** `i` from 1 to 4: 4 iterations, unrolled"),
        ("for i‸ in 2..2 { x := i }\n", "**for** `i` from 2 to 2: 1 iteration, unrolled"),
        ("f‸or i in 3..1 { x := i }\n", "**for** `i`: never runs, as its range is empty"),
        (
            "for i in 1..3 { f‸or j in 1..i { x := j } }\n",
            "**for** `j` from 1 to 3: 6 iterations, unrolled\n\n1 to 3 each of the 3 times that it is reached",
        ),
        ("x := 1\nf‸or i in 1..x { y := i }\n", "**for** `i`: how often it runs depends on what has no value yet"),
    ],
)
def test_a_loop_shows_how_often_it_runs(marked: str, shown: str) -> None:
    assert said(marked, analysis=False) == shown


def test_a_variable_of_a_loop_shows_its_range() -> None:
    assert said("for i in 1..4 { x := i‸ + 1 }\n", analysis=False).startswith("**for** `i` from 1 to 4")


def test_a_law_is_shown_with_the_names_of_its_parameters() -> None:
    shown = said("/* 𝒳 */ x ‸~ normal(10, variance=1)\n", analysis=False)

    assert shown.startswith("**x** ~ `normal(mean: 10, variance=1)`\n\n`normal(mean, variance)`")
    assert shown.endswith("_exact: Gaussian mixtures stay Gaussian mixtures_")


def test_a_law_that_is_no_mixture_says_so() -> None:
    assert "_not exact for Gaussian mixtures: " in said("x ‸~ laplace(0, 1)\nshow E(x)\n", analysis=False)


def test_a_variable_shows_the_law_that_it_is_drawn_from() -> None:
    assert said("‸x ~ normal(10, 1)\n", analysis=False) == "**x** · continuous · ~ `normal(mean: 10, variance: 1)`"
    assert said("‸x ~ flip(1/2)\nx := 1\n", analysis=False) == "**x** · boolean"


# --- parameters, constants, words ---------------------------------------------------------------------------------------

NOISY = (
    "param p‸ in [0, 1] = 1/2\nsecret s\noutput o\ns ~ flip(p)\nt ~ flip(1/4)\no := s xor t\nshow I(s; o)\nshow H(t)\n"
)
IMAGES = Client(markdown=True, images=True)


def test_a_parameter_shows_what_it_changes() -> None:
    assert said(NOISY) == "**p** · param · in `[0, 1]` · default `1/2`\n\nchanges `I(s; o)`"
    assert said("param e‸ = 1\nx ~ flip(1/2)\nshow H(x)\n").endswith("changes no measure that is asked for")


def test_a_parameter_is_plotted_where_images_are_rendered() -> None:
    shown = said(NOISY, IMAGES)

    found = re.search(r"!\[(?P<alt>.*)\]\(data:image/svg\+xml;base64,(?P<image>[A-Za-z0-9+/=]+)\)", shown)
    assert found is not None
    # 1 − h(1/4) in the middle, by hand: 0.1887; nothing at the ends.
    assert found["alt"] == "I(s; o) in bits over p: 0 at 0, 0.143 at 0.25, 0.189 at 0.5, 0.143 at 0.75, 0 at 1"
    image = ET.fromstring(base64.b64decode(found["image"]))
    assert image.tag.endswith("svg")
    assert "I(s; o), bits" in [one.text for one in image.iter() if one.tag.endswith("text")]
    assert len(shown) < 5_000


@pytest.mark.parametrize("client", [VSCODE, PLAIN], ids=["markdown", "plain"])
def test_no_bytes_of_an_image_reach_other_editors(client: Client) -> None:
    assert "base64" not in said(NOISY, client)


def test_a_constant_shows_its_documentation() -> None:
    assert (
        said("/// how many\nconst n‸ = 3\n")
        == "**n** · const · `3`\n\n---\n\n*documentation in the program*\\\nhow many"
    )


@pytest.mark.parametrize(
    ("marked", "beginning"),
    [
        ("x ~ bern‸oulli(1/2)\n", "`bernoulli(p)`: "),
        ("x ~ geo‸metric(1/2)\n", "`geometric(p)`: "),
        ("x := flo‸or(1/2)\n", "`floor(a)`: "),
        ("x ~ flip(1/2)\nshow H‸(x)\n", "`H(x | y)`: "),
        ("sk‸ip\n", "`skip`: "),
    ],
)
def test_words_are_explained_without_an_analysis(marked: str, beginning: str) -> None:
    assert said(marked, analysis=False).startswith(beginning)


def test_a_measure_is_explained_below_its_answer() -> None:
    shown = said("x ~ flip(1/2)\nshow H‸(x)\n")

    assert shown.startswith("**show** `H(x)`\n\n`H(x)` = 1 bit · exact")
    assert "\n---\n\n`H(x | y)`: " in shown


def test_a_budget_over_ranges_shows_them_and_the_worst_point() -> None:
    shown = said(NOISY.replace("p‸", "p").replace("show I(s; o)", "requ‸ire I(s; o) <= 0.1 bits over p in [0, 1]"))

    assert shown.startswith("**require** `I(s; o) <= 0.1 bits over p in [0, 1]`\n\n**violated**")
    # 1 − h(1/4), at the uniform prior.
    assert "0.18872 bits \\> 0.1 bits at p = 1/2" in shown


@pytest.mark.parametrize("marked", ["// obs‸erve x\n", "/* ~‸ */ x := 1\n", "x := 1‸\n", "\n‸\nx := 1\n"])
def test_comments_and_blanks_show_nothing(marked: str) -> None:
    assert said(marked, analysis=False) == ""


# --- degraded forms -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "marked",
    [
        DICE + "obs‸erve x + y == 7\nshow H(x)\n",
        CHAIN,
        NOISY,
        "x ‸~ laplace(0, 1)\nshow E(x)\n",
        "x ~ bern‸oulli(1/2)\n",
    ],
)
def test_plain_text_has_no_marks(marked: str) -> None:
    shown = said(marked, PLAIN)

    assert shown
    assert not re.search(r"[`*]{1,3}\w|_\w+ \w", shown), shown


@pytest.mark.parametrize("encoding", list(Encoding))
def test_ranges_count_units_of_the_agreed_encoding(encoding: Encoding) -> None:
    found = hovered("x ~ flip(1/2)\n/* 𝒳漢é */ obs‸erve x\nshow H(x)\n", VSCODE, encoding)

    assert found is not None
    assert found.range is not None
    width = {Encoding.UTF8: 16, Encoding.UTF16: 11, Encoding.UTF32: 10}[encoding]
    assert (found.range.start.line, found.range.start.character) == (1, width)


def test_stale_numbers_are_marked() -> None:
    older, position = unmarked(DICE + "obs‸erve x == y\nshow H(x)\n")
    found = hover(snapshot(older + "// edited\n", analysed(older).analysis, of=older), position, VSCODE)

    assert found is not None
    assert isinstance(found.contents, MarkupContent)
    assert "0.167 (1/6) · exact" in found.contents.value
    assert found.contents.value.endswith("_stale: the numbers are those of an older text_")


def test_a_condition_that_stands_twice_has_no_number_once_the_text_is_another() -> None:
    older, position = unmarked("x ~ flip(1/2)\nobs‸erve x\ny ~ flip(1/2)\nx := y\nobserve x\nshow H(y)\n")
    found = hover(snapshot("z := 1\n" + older, analysed(older).analysis, of=older), position, VSCODE)

    assert found is None or "probability" not in str(found.contents)


@pytest.mark.parametrize(
    ("law", "spread"),
    [
        ("normal(50, 15)", "3.87"),
        ("normal(50, variance=16)", "4"),
        ("normal(mean=0, variance=1/100)", "0.1"),
        ("normal(50, std=15)", None),
        ("normal(0, 1)", None),
        ("normal(0, v)", None),
        ("laplace(0, 15)", None),
    ],
)
def test_a_variance_that_is_written_is_told_as_a_standard_deviation(law: str, spread: str | None) -> None:
    shown = said(f"v ~ uniform_of(4, 9)\nx ‸~ {law}\n", analysis=False)

    assert ("standard deviation is" in shown) == (spread is not None)
    assert spread is None or f"standard deviation is {spread}, the root of the variance" in shown


GAME = "secret s\noutput o\ns ~ uniform_int(0, 7)\nfor i in 1..2 {\n  attacker q[i] in 0..7\n  o[i] := s <= q[i]\n}\n"


def test_a_measure_of_a_program_with_an_attacker_shows_what_he_does() -> None:
    shown = said(f"{GAME}sh‸ow I(s; o)\n")

    assert "q[1] = 3; if o[1]: q[2] = 1; if not o[1]: q[2] = 5" in shown


def test_a_measure_without_direction_shows_both_ends() -> None:
    shown = said(f"{GAME}sh‸ow P(o[1])\n")

    assert "least 0.125 with `q[1] = 0`" in shown
    assert "largest 1 with `q[1] = 7`" in shown


@pytest.mark.parametrize("marked", [GAME.replace("secret s", "secret ‸s"), GAME.replace("attacker q", "attacker ‸q")])
def test_what_the_outputs_tell_has_its_strategy_where_no_measure_is_written(marked: str) -> None:
    told = "best strategy, backward induction: `q[1] = 3; if o[1]: q[2] = 1; if not o[1]: q[2] = 5`"

    assert said(marked).count(told) == 1


def test_a_strategy_for_several_secrets_says_what_it_is_the_best_for() -> None:
    game = GAME.replace("secret s", "secret t, s").replace("s ~", "t ~ flip(1/2)\n‸s ~")

    assert "best strategy for I(t, s; o), backward induction: `q[1] = 3;" in said(game)


def test_the_word_attacker_is_explained() -> None:
    assert "seeing the outputs that are assigned before it" in said(GAME.replace("attacker", "att‸acker"))
